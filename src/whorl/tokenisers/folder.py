"""Tokenisers in model folders: a section of `model.json`, and two files that it names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.numpy import load, save

from whorl.errors import ModelError
from whorl.files import write_json
from whorl.model_folder.content_addressed import read_named, write_named
from whorl.model_folder.description import (
    FORMAT,
    MODEL_JSON,
    read_description,
    tokeniser_files,
)
from whorl.model_folder.schema import check, table
from whorl.tokenisers.description import SETTINGS, check_section, check_sections
from whorl.tokenisers.inventory import Inventory
from whorl.tokenisers.network import BoundaryNetwork, Layer
from whorl.tokenisers.penn import PennTokeniser
from whorl.tokenisers.protocol import Tokeniser
from whorl.tokenisers.trained import TrainedTokeniser

__all__ = ["find_tokeniser", "load_tokeniser", "save_tokeniser"]

_STEM = "tokeniser"


def find_tokeniser(folder: Path, convention: str | None = None) -> Tokeniser:
    """Return the tokeniser of a model folder, without its network."""
    return load_tokeniser(folder, read_description(folder), convention)


def load_tokeniser(
    folder: Path, description: Mapping[str, Any], convention: str | None = None
) -> Tokeniser:
    """Return the tokeniser that a model carries; a model that names none has Penn tokens.

    `tokenisers` has those of single conventions, `tokeniser` the one of all others.
    """
    check(
        {key: description[key] for key in ("tokeniser", "tokenisers") if key in description},
        table({}, {"tokeniser": check_section, "tokenisers": check_sections}),
        folder / MODEL_JSON,
    )
    sections = description.get("tokenisers", {})
    section = sections.get(
        convention or description.get("convention"), description.get("tokeniser")
    )
    if section is None:
        return PennTokeniser()
    if section["kind"] == "penn":
        return PennTokeniser(section["hyphens"])
    path = folder / section["settings"]
    try:
        settings = json.loads(read_named(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    check(settings, SETTINGS, path)
    weights = folder / section["weights"]
    layers = tuple(Layer(each["width"], each["dilation"]) for each in settings["layers"])
    try:
        network = BoundaryNetwork.from_tensors(load(read_named(weights)), layers)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{weights} is damaged: {error}") from error
    except ModelError as error:
        raise ModelError(f"{weights}: {error}") from error
    low, high = settings["thresholds"]
    inventory = Inventory.from_dict(settings["inventory"])
    return TrainedTokeniser(section["kind"], inventory, network, (low, high))


def save_tokeniser(
    folder: Path, tokeniser: PennTokeniser | TrainedTokeniser, convention: str | None = None
) -> None:
    """Add a tokeniser to a model folder, in place of the one that it has.

    With `convention`, it is the one for this treebank of the model only. The files come first and
    `model.json` last, so that the folder always holds a whole model.
    """
    description = read_description(folder)
    known = description.get("treebanks") or []
    if convention is not None and convention not in known:
        raise ModelError(
            f"{folder} has no convention {convention!r}: it has {', '.join(known) or 'only one'}"
        )
    section: dict[str, Any]
    if isinstance(tokeniser, PennTokeniser):
        section = {"kind": "penn", "hyphens": tokeniser.hyphens}
    else:
        settings = {
            "layers": [
                {"width": layer.width, "dilation": layer.dilation}
                for layer, *_ in tokeniser.network.convolutions
            ],
            "thresholds": list(tokeniser.thresholds),
            "inventory": tokeniser.inventory.to_dict(),
        }
        content = json.dumps(settings, ensure_ascii=False, separators=(",", ":")).encode()
        section = {
            "kind": tokeniser.kind,
            "weights": write_named(
                folder, _STEM, ".safetensors", save(tokeniser.network.to_tensors())
            ),
            "settings": write_named(folder, _STEM, ".json", content),
        }
    if convention is None:
        description["tokeniser"] = section
    else:
        sections = description.get("tokenisers", {})
        description["tokenisers"] = {**sections, convention: section}
    write_json(folder / MODEL_JSON, {**description, "format": FORMAT})
    for path in folder.glob(f"{_STEM}-*.*"):
        if path.name not in tokeniser_files(description):
            path.unlink()
