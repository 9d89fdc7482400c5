"""What the `model.json` of a stack-LSTM model may hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whorl.model_folder.description import COMMON, check_counts
from whorl.model_folder.schema import (
    FILE_NAME,
    FRACTION,
    TEXT,
    check,
    integer,
    list_of,
    nullable,
    one_of,
    table,
)
from whorl.transitions import SYSTEMS

__all__ = ["check_description"]

_NAMES = list_of(TEXT, least=1, unique=True)
_TAGGER = table(
    {
        "config": table(
            {"words": integer(1), "tags": integer(1), "vector_dim": integer()},
            {
                "word_dim": integer(1),
                "feature_buckets": integer(1),
                "feature_dim": integer(1),
                "hidden_dim": integer(1),
                "dropout": FRACTION,
            },
        ),
        "words": list_of(TEXT, unique=True),
        "tags": _NAMES,
    }
)
_DESCRIPTION = table(
    {
        **COMMON,
        "weights": FILE_NAME,
        "system": one_of(*SYSTEMS),
        "config": table(
            {
                "words": integer(1),
                "tags": integer(1),
                "symbols": integer(1),
                "transitions": integer(1),
                "vectors": integer(1),
            },
            {
                "vector_dim": integer(),
                "word_dim": integer(),
                "tag_dim": integer(1),
                "transition_dim": integer(1),
                "input_dim": integer(1),
                "hidden_dim": integer(1),
                "layers": integer(1, 1000),
                "dropout": FRACTION,
            },
        ),
        "transitions": _NAMES,
        "symbols": _NAMES,
        "tags": _NAMES,
        "words": _NAMES,
        "vectors": list_of(TEXT),
        "tagger": nullable(_TAGGER),
    }
)


def check_description(saved: dict[str, Any], path: Path) -> None:
    """Raise `ModelError` if a key of a stack-LSTM model's `model.json` is missing or wrong."""
    check(saved, _DESCRIPTION, path)
    counts = {name: len(saved[name]) for name in ("words", "tags", "symbols", "transitions")}
    check_counts(saved["config"], {**counts, "vectors": len(saved["vectors"]) + 1}, path)
    if saved["tagger"] is not None:
        tagger = saved["tagger"]
        sizes = {"words": len(tagger["words"]) + 1, "tags": len(tagger["tags"])}
        check_counts(tagger["config"], sizes, path)
