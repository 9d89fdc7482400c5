"""Rules for the `model.json` of a span model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.model_folder.description import COMMON, check_counts
from whorl.model_folder.schema import (
    BOOLEAN,
    FILE_NAME,
    FRACTION,
    LABEL,
    NUMBER,
    TEXT,
    Rule,
    check,
    integer,
    list_of,
    nullable,
    one_of,
    table,
)

__all__ = ["LISTS", "check_description", "export_description"]

LISTS = ("words", "vectors", "characters")
"""Lists of strings that an export has in its vocabulary file, not in `model.json`."""

_LAYERS = integer(0, 1000)
_CALIBRATION = ("step", "weakest", "rest", "words", "children", "bias")
_TRANSFORMERS: dict[str, Rule] = {
    "whorl": table(
        {"vocabulary": integer(1)},
        {
            "layers": _LAYERS,
            "width": integer(1),
            "heads": integer(1),
            "feed_forward": integer(1),
            "rotary_base": NUMBER,
        },
    ),
    "huggingface": table({}, {"vocab_size": integer(1)}),
}


def _check_transformer(value: Any, key: str) -> str | None:
    """The rule for a pair of a kind of transformer and its configuration."""
    problem = list_of(lambda *_: None, least=2, most=2)(value, key)
    problem = problem or one_of(*_TRANSFORMERS)(value[0], f"{key}[0]")
    return problem or _TRANSFORMERS[value[0]](value[1], f"{key}[1]")


_DESCRIPTION = table(
    {
        **COMMON,
        "convention": nullable(TEXT),
        "system": one_of("nonbinary"),
        "config": table(
            {"labels": integer(1), "tags": integer(2), "max_unary": integer(1, 1000)},
            {
                "treebanks": integer(),
                "words": integer(),
                "vectors": integer(),
                "characters": integer(),
                "word_dim": integer(),
                "vector_dim": integer(),
                "character_dim": integer(),
                "lstm_dim": integer(),
                "lstm_layers": _LAYERS,
                "hidden_dim": integer(1),
                "dropout": FRACTION,
                "max_arity": integer(1),
                "transformer": nullable(_check_transformer),
                "context": TEXT,
                "mixed": BOOLEAN,
                "given_tags": integer(),
            },
        ),
        "labels": list_of(LABEL, least=1, unique=True),
        "tags": list_of(TEXT, least=2, unique=True),
        "treebanks": list_of(TEXT, unique=True),
        "words": nullable(list_of(TEXT, unique=True)),
        "vectors": nullable(list_of(TEXT)),
        "characters": nullable(list_of(TEXT, unique=True)),
        "pieces": nullable(list_of(integer(), least=3, most=3)),
        "longest": integer(1),
    },
    {
        "weights": FILE_NAME,
        "runtime": table(
            {}, dict.fromkeys(("encoder", "transformer", "tables", "vocabulary"), FILE_NAME)
        ),
        "calibration": nullable(table(dict.fromkeys(_CALIBRATION, NUMBER), {"survival": NUMBER})),
        "lower_capitals": BOOLEAN,
    },
)


def check_description(saved: dict[str, Any], path: Path) -> None:
    """Raise `ModelError` if a key of a span model's `model.json` is missing or wrong."""
    check(saved, _DESCRIPTION, path)
    if "weights" not in saved and "runtime" not in saved:
        raise ModelError(f"{path} names no files: expected weights, runtime or both")
    runtime, config = saved.get("runtime", {}), saved["config"]
    for name in ("encoder", "vocabulary"):
        if "tables" in runtime and name not in runtime:
            raise ModelError(f"{path}: runtime.{name} is missing")
    if saved["convention"] not in (None, *saved["treebanks"]):
        known = ", ".join(saved["treebanks"])
        raise ModelError(
            f"{path}: convention is {saved['convention']!r}, expected null or one of {known}"
        )
    check_counts(config, {name: len(saved[name]) for name in ("labels", "tags", "treebanks")}, path)
    if "weights" in saved:  # an export has these lists in its vocabulary file
        extra = {"words": 0, "vectors": 1, "characters": 2}  # rows for padding and unknown items
        counts = {
            name: 0 if saved[name] is None else len(saved[name]) + rows
            for name, rows in extra.items()
        }
        check_counts(config, counts, path)
    _check_pieces(saved["pieces"], config.get("transformer"), path)


def export_description(saved: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the export alone: without weights and what they come with."""
    kept = {key: value for key, value in saved.items() if key != "weights"}
    return kept | dict.fromkeys(LISTS)


def _check_pieces(pieces: list[int] | None, transformer: list[Any] | None, path: Path) -> None:
    if (pieces is None) != (transformer is None):
        raise ModelError(
            f"{path}: pieces is {pieces} and config.transformer is "
            f"{transformer and transformer[0]!r}, expected both or neither"
        )
    if pieces is not None and transformer is not None:
        sizes = [transformer[1].get(key) for key in ("vocabulary", "vocab_size")]
        size = next(filter(None, sizes), None)
        if size is not None and max(pieces) >= size:
            raise ModelError(f"{path}: pieces is {pieces}, expected numbers below {size}")
