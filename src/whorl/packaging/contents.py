"""What a model package holds: the files that parsing needs, the card, licences and documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.errors import PackageError
from whorl.model_folder.content_addressed import read_file
from whorl.model_folder.description import MODEL_JSON, file_names, read_description
from whorl.networks import get_network
from whorl.parser import Parser

__all__ = ["CARD", "Contents", "read_contents"]

CARD = "README.md"

_DOCUMENTS = ("*.md", "labels.*", "glossary.*", "make", "make.sh", "recipe.toml")
_LICENCES = ("LICENSE*", "LICENCE*", "COPYING*", "NOTICE*")
_LARGEST = 16 << 20  # bytes of a document


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of a model folder that are packaged, by name, and the names of the others."""

    description: dict[str, Any]
    weights: dict[str, Path]
    documents: dict[str, bytes]
    licences: dict[str, bytes]
    left_out: list[str]
    has_card: bool


def read_contents(folder: Path, *, name: str) -> Contents:
    """Read a model folder, and check that its model parses without PyTorch."""
    saved = read_description(folder)
    _check_exported(folder, saved)
    Parser.load(folder).parse(["Whorl"])  # reads and checks every file of the model
    description = get_network(saved["kind"]).resolve("export_description")(saved)
    weights = {file: folder / file for file in sorted(file_names(description))}
    documents = _read(folder, _DOCUMENTS)
    licences = _read(folder, _LICENCES)
    has_card = CARD in documents
    if not has_card:
        documents[CARD] = _minimal_card(name, description).encode()
    taken = {MODEL_JSON, *weights, *documents, *licences}
    left_out = sorted(path.name for path in folder.iterdir() if path.name not in taken)
    return Contents(description, weights, documents, licences, left_out, has_card)


def _check_exported(folder: Path, saved: dict[str, Any]) -> None:
    kind = saved["kind"]
    if get_network(kind).export is None:
        raise PackageError(
            f"{folder} has a {kind} model, which needs PyTorch to parse; only models that parse "
            "without it can be packaged, such as those of the span network"
        )
    if not saved.get("runtime"):
        raise PackageError(
            f"{folder} is not exported, so that it needs PyTorch to parse: "
            f"export it first, with whorl export {folder} --int8"
        )


def _read(folder: Path, patterns: tuple[str, ...]) -> dict[str, bytes]:
    paths = {path.name: path for pattern in patterns for path in folder.glob(pattern)}
    return {
        name: read_file(paths[name], limit=_LARGEST)
        for name in sorted(paths)
        if paths[name].is_file()
    }


def _minimal_card(name: str, description: dict[str, Any]) -> str:
    """Return a card with what `model.json` says, for a model that has none."""
    card, treebanks = description["card"], description.get("treebanks") or []
    facts = [f"A model for [Whorl](https://github.com/whorl-parser/whorl): `whorl.load({name!r})`."]
    if "dev_f1" in card:
        facts.append(f"F1 on development trees: {card['dev_f1']:.2f}.")
    if treebanks:
        facts.append(f"Treebanks: {', '.join(treebanks)}.")
    facts.append("Nobody has written a card for it yet; `model.json` has the recipe.")
    return f"# {name}\n\n" + "\n\n".join(facts) + "\n"
