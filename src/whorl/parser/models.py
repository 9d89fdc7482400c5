"""A trained model as a whole: its files, and the checksum of what its trees depend on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from whorl.model_folder.description import MODEL_JSON, UNNAMED, file_names, read_description

__all__ = ["model_checksum", "model_files"]

_DIGITS = 16  # models are told apart; nobody forges one


def model_files(folder: Path) -> list[str]:
    """Return the names of the files that make up the model in a folder, `model.json` last.

    Whoever copies them in this order never leaves a description without its files.
    """
    unnamed = [name for name in UNNAMED if (folder / name).is_file()]
    return [*file_names(read_description(folder)), *unnamed, MODEL_JSON]


def model_checksum(folder: Path) -> str:
    """Return a checksum of everything in a model folder that its trees depend on.

    `model.json` names the weights after their content, so they need not be read. Its card does not
    count: figures may be measured anew.
    """
    description = {**read_description(folder), "card": None}
    canonical = json.dumps(description, sort_keys=True)
    digest = hashlib.sha256(canonical.encode())
    tokenizer = folder / "tokenizer.json"
    if tokenizer.is_file():
        digest.update(tokenizer.read_bytes())
    return digest.hexdigest()[:_DIGITS]
