"""The card of a built model: what it is, what it was made from, how good it is."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from whorl import __version__
from whorl.building.request import BuildRequest
from whorl.building.scores import BEAM
from whorl.building.vectors import TextCounts
from whorl.files import replace_atomically, write_json
from whorl.model_folder.description import MODEL_JSON
from whorl.parser import model_files
from whorl.reporting.markdown import wrap_markdown

__all__ = ["write_card"]

_COLUMNS = (
    *("test set", "sentences", "F1, all tokens", f"with a beam of {BEAM}", "F1, EVALB"),
    "F1, without punctuation",
    *("exact", "tags"),
)
_FILES = ("data.vectors",)
"""Settings of which the card shows the name of a file and no folder."""
_FIGURES = ("f1", "f1_beam", "f1_evalb", "f1_without_punctuation", "exact", "tags")


def write_card(folder: Path, request: BuildRequest, built: Mapping[str, Any]) -> None:
    """Write `README.md`, and leave only the names of the files in the recipe of `model.json`."""
    description = json.loads((folder / MODEL_JSON).read_text(encoding="utf-8"))
    description["card"] = _public(description["card"]) | {
        "trees": {one["name"]: one["trees"] for one in built["treebanks"]},
        "scores": built["scores"],
        **({"licence": request.licence} if request.licence else {}),
        **({"languages": list(request.languages)} if request.languages else {}),
        "date": datetime.date.today().isoformat(),
        "whorl": __version__,
    }
    write_json(folder / MODEL_JSON, description)
    lines = _lines(folder, request, built, description)
    with replace_atomically(folder / "README.md") as partial:
        partial.write_text(wrap_markdown("\n".join(lines) + "\n"), encoding="utf-8")


def _public(card: dict[str, Any]) -> dict[str, Any]:
    """Return a card whose recipe has the names of files but not their folders."""
    recipe = card["recipe"]
    for section in (recipe["data"], *recipe["treebank"], recipe["span"]):
        for key in ("train", "dev", "test", "vectors", "encoder"):
            if section.get(key):
                section[key] = Path(section[key]).name
    return card


def _lines(
    folder: Path, request: BuildRequest, built: Mapping[str, Any], description: dict[str, Any]
) -> Iterator[str]:
    card = description["card"]
    size = sum((folder / name).stat().st_size for name in model_files(folder)) / 1e6
    yield f"# {folder.resolve().name}"
    yield ""
    yield (
        "A constituency parser: words in, phrase-structure trees out. The span network of Whorl "
        f"{card['whorl']}, the non-binary bottom-up system, int8, {size:.1f} MB; made on "
        f"{card['date']}."
    )
    yield from ("", "## Figures", "")
    yield (
        "Labelled brackets in percent, from gold tokens, with the tags that the model predicts, as "
        "exported: with every token counted; by EVALB's rules for the Penn Treebank, which leave "
        "out its punctuation tags; and without this treebank's own punctuation."
    )
    yield ""
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{' --- |' * len(_COLUMNS)}"
    for part, by_name in built["scores"].items():
        for name, s in by_name.items():
            figures = (f"{s[key]:.2f}" for key in _FIGURES)
            yield f"| {' '.join(filter(None, (name, part)))} | {s['sentences']:,} | " + (
                " | ".join(figures) + " |"
            )
    if "test" not in built["scores"]:
        yield from ("", "There were no test trees: the development trees chose the best epoch.")
    yield ""
    yield from _text(built["text"]) if built["text"] else _without_tokeniser()
    yield from ("", "## Data and licence", "")
    yield from _data(request, built)
    yield from ("", "## Recipe", "", "| setting | value | why |", "| --- | --- | --- |")
    for choice in built["choices"]:
        value = Path(choice["value"]).name if choice["key"] in _FILES else choice["value"]
        yield f"| `{choice['key']}` | {value} | {choice['reason']} |"
    yield ""
    yield f"Best epoch: {card['epoch']}, development F1 {card['dev_f1']:.2f}."
    yield from ("", "## Labels and tags", "")
    labels = sorted(description["labels"])
    tags = sorted(tag for tag in description["tags"] if not tag.startswith("<"))
    yield f"Labels: {' '.join(f'`{label}`' for label in labels)}."
    yield ""
    yield f"Tags: {' '.join(f'`{tag}`' for tag in tags)}."


def _text(scores: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield (
        "Raw text is cut by a tokeniser learnt from the same treebank. F1 on text rebuilt from the "
        "test trees, or else from the development trees:"
    )
    yield from ("", "| treebank | tokeniser | tokens | sentences |", "| --- | --- | --- | --- |")
    for name, s in scores.items():
        yield f"| {name or 'all'} | {s['kind']} | {s['tokens']:.2f} | {s['sentences']:.2f} |"


def _without_tokeniser() -> Iterator[str]:
    yield (
        "The model was built without a tokeniser, to parse text that is tokenised already (`whorl "
        "parse --tokens`). Until `whorl text learn` adds one, raw text is cut by the rules of the "
        "Penn Treebank, which are for English."
    )


def _data(request: BuildRequest, built: Mapping[str, Any]) -> Iterator[str]:
    for one in built["treebanks"]:
        counts = ", ".join(
            f"{one['trees'][part]:,} {part} trees ({one['tokens'][part]:,} tokens)"
            for part in one["trees"]
            if one["trees"][part]
        )
        name = f"{one['name']}: " if one["name"] else ""
        yield f"- {name}{counts}"
        yield from (f"  - {remark}" for remark in one["remarks"])
    for silver in built.get("silver", ()):
        name = f" in the convention of {silver['name']}" if silver["name"] else ""
        yield (
            f"- {silver['trees']:,} silver trees{name}, labelled by parsers: of "
            f"{silver['all_trees']:,}, those with a confidence of at least {silver['least']}"
        )
    if "vectors" in built:
        text = TextCounts(**built["vectors"])
        texts = ", ".join(f"`{Path(path).name}`" for _, path in request.text)
        files = f"; the text: {texts}" if texts else ""
        yield f"- {text.vectors:,} word vectors, learnt from {text.source}{files}"
    yield ""
    yield f"Licence: {request.licence or 'not stated'}."
    if len(built["treebanks"]) > 1:
        default = request.convention or built["treebanks"][0]["name"]
        names = ", ".join(f"`{one['name']}`" for one in built["treebanks"])
        yield ""
        yield f"Conventions: {names}; trees follow `{default}` unless another is asked for."
