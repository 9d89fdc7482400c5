"""A model folder's `model.json`: what the model is, and the names of its weights files. No pickle.

Weights are safetensors in files named after their content, and `model.json` is replaced in one
step: whatever happens while a model is being saved, the folder holds the old model or the new one.

A folder may come from anybody, so nothing in `model.json` is trusted. Each network declares what
its keys may hold, with the rules of `whorl.model_folder.schema`; what breaks a rule is a
`ModelError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_file
from whorl.model_folder.schema import (
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
from whorl.networks import NETWORKS, get_network

__all__ = [
    "COMMON",
    "FORMAT",
    "MODEL_JSON",
    "RELEASES",
    "UNNAMED",
    "check_counts",
    "file_names",
    "lowest_format",
    "read_description",
    "tokeniser_files",
]

FORMAT = 3
"""1 had stack-LSTM parsers only; 2 has either network; 3 may carry a tokeniser, read tags that come
with the words, and mix the layers of its transformer."""

_SINCE_3 = frozenset({"tokeniser", "tokenisers"})
_SINCE_3_IN_CONFIG = frozenset({"given_tags", "mixed"})

RELEASES = {1: ("0.1.0", "2"), 2: ("0.1.0", "2"), 3: ("0.2.0.dev0", "2")}
"""For each format, the first release of Whorl that reads it, and the first that may not.

Formats stay readable at least until the major release after the next.
"""

MODEL_JSON = "model.json"
UNNAMED = ("tokenizer.json", "README.md")
"""Files that a model may have and that its description does not name."""
_LARGEST = 128 << 20  # bytes; two million words take about 30 MB

_HEADER = table({"format": integer(1), "kind": one_of(*NETWORKS)})

COMMON: dict[str, Rule] = {
    "card": table({}, {"dev_f1": NUMBER, "languages": list_of(TEXT), "licence": nullable(TEXT)}),
    "root": nullable(LABEL),
}
"""Rules for the keys that all networks share."""


def read_description(folder: Path, kind: str | None = None) -> dict[str, Any]:
    """Read and check `model.json`; with `kind`, the model must be of that kind."""
    path = folder / MODEL_JSON
    if not path.exists():
        raise ModelError(f"{folder} is not a model folder: it has no {MODEL_JSON}")
    try:
        saved: dict[str, Any] = json.loads(read_file(path, limit=_LARGEST))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    version = saved.get("format") if isinstance(saved, dict) else None
    if type(version) is int and version > FORMAT:
        raise ModelError(
            f"{path} has format {version} of a newer Whorl; this one reads up to {FORMAT}: upgrade"
        )
    check(saved, _HEADER, path)
    if kind is not None and saved["kind"] != kind:
        raise ModelError(
            f"{path} describes a {saved['kind']} model where a {kind} model is expected"
        )
    get_network(saved["kind"]).resolve("description")(saved, path)
    return saved


def check_counts(config: dict[str, int], counts: dict[str, int], path: Path) -> None:
    """Raise `ModelError` if a size of the network differs from the number of its items."""
    for name, count in counts.items():
        if config.get(name, 0) != count:
            raise ModelError(
                f"{path}: config.{name} is {config.get(name, 0)}, expected {count}, "
                f"the number of {name} that the model has"
            )


def lowest_format(description: Mapping[str, Any]) -> int:
    """Return the lowest format that a model can have, so that older releases read it too."""
    newer = _SINCE_3 & description.keys() or _SINCE_3_IN_CONFIG & description["config"].keys()
    return FORMAT if newer else 2


def file_names(saved: dict[str, Any]) -> list[str]:
    """Return the names of the files that belong to a model, as its description gives them."""
    runtime = {key: name for key, name in saved.get("runtime", {}).items() if key != "precision"}
    weights = [saved["weights"]] if "weights" in saved else []
    return [*weights, *runtime.values(), *tokeniser_files(saved)]


def tokeniser_files(saved: dict[str, Any]) -> list[str]:
    """Return the names of the files of a model's tokenisers, each once: some may share them."""
    sections = [saved.get("tokeniser") or {}, *(saved.get("tokenisers") or {}).values()]
    files = [
        section[key] for section in sections for key in ("weights", "settings") if key in section
    ]
    return list(dict.fromkeys(files))
