"""A model folder as an installable package."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.errors import PackageError
from whorl.model_folder.description import MODEL_JSON
from whorl.packaging.contents import CARD, Contents, read_contents
from whorl.packaging.identifiers import (
    check_language,
    distribution_name,
    import_name,
    model_name,
    package_version,
    wheel_stem,
)
from whorl.packaging.licences import licence_expression, licence_identifiers
from whorl.packaging.metadata import Metadata, requirement
from whorl.packaging.wheel import write_wheel

__all__ = ["Package", "package_model"]


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel that was written."""

    path: Path
    model: str
    distribution: str
    version: str
    requirements: list[str]
    size: int
    sha256: str
    has_card: bool
    left_out: list[str]
    """The files of the model folder that are not in the wheel."""
    conventions: list[str]
    convention: str | None
    """The convention that the model follows unless told otherwise; None is a mean of all."""


def package_model(
    folder: str | Path,
    *,
    name: str | None = None,
    version: str | None = None,
    licences: Sequence[str] = (),
    languages: Sequence[str] = (),
    out: str | Path = "dist",
) -> Package:
    """Write the wheel of a model folder into the folder `out`.

    `name` is that of the folder by default; `version` has the format of model folders as its first
    number by default. Each of `licences` is an SPDX expression, or a file with the text of a
    licence. Licence and languages are those in `model.json` unless they are given here. What is
    wrong with the folder or the options is a `WhorlError`, and then nothing is written.
    """
    folder = Path(folder)
    model = model_name(folder.resolve().name if name is None else name)
    contents = read_contents(folder, name=model)
    card = contents.description["card"]
    spoken = [check_language(tag) for tag in languages or card.get("languages", [])]
    expression, texts = _licence(licences, card.get("licence"), contents, model)
    model_format = contents.description["format"]
    version = package_version(f"{model_format}.0.0" if version is None else version)
    metadata = Metadata(
        model=model,
        version=version,
        licence=expression,
        licence_files=sorted(texts),
        languages=spoken,
        requirements=_requirements(contents.description),
        card=_decoded_card(folder, contents),
    )
    path = Path(out) / f"{wheel_stem(model, version)}-py3-none-any.whl"
    description = _with_card(contents.description, spoken, expression)
    files = {MODEL_JSON: description, **contents.weights, **contents.documents}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_wheel(
        path,
        {f"{import_name(model)}/{file}": data for file, data in files.items()},
        metadata.files() | {f"licenses/{file}": text for file, text in texts.items()},
        f"{wheel_stem(model, version)}.dist-info",
    )
    data = path.read_bytes()
    return Package(
        path=path,
        model=model,
        distribution=distribution_name(model),
        version=version,
        requirements=list(metadata.requirements),
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        has_card=contents.has_card,
        left_out=contents.left_out,
        conventions=contents.description.get("treebanks") or [],
        convention=contents.description.get("convention"),
    )


def _decoded_card(folder: Path, contents: Contents) -> str:
    try:
        return contents.documents[CARD].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackageError(f"{folder / CARD} is not UTF-8: {error.reason}") from error


def _licence(
    given: Sequence[str], saved: str | None, contents: Contents, model: str
) -> tuple[str | None, dict[str, bytes]]:
    """Return the SPDX expression, and the texts of licences by their file names."""
    texts = dict(contents.licences)
    expressions = []
    for licence in given:
        path = Path(licence)
        if path.is_file():
            texts[path.name] = path.read_bytes()
        else:
            expressions.append(licence_expression(licence))
    if len(expressions) > 1:
        joined = " AND ".join(expressions)
        raise PackageError(f"there are several licences: join them in one, such as {joined!r}")
    if not expressions and saved is not None:
        expressions = [licence_expression(saved)]
    if not expressions and not texts:
        raise PackageError(
            f"the model {model!r} has no licence, so nobody may use it: say under which terms it "
            "may be used, as an SPDX expression (--licence CC-BY-4.0) or a file"
        )
    expression = expressions[0] if expressions else None
    if expression is not None and not texts:
        own = [name for name in licence_identifiers(expression) if name.startswith("LicenseRef-")]
        if own:
            raise PackageError(f"{own[0]} is a licence of your own: give its text too, as a file")
        texts["LICENSE.txt"] = _notice(model, expression).encode()
    return expression, texts


def _notice(model: str, expression: str) -> str:
    """Return a text that stands for the licence, for a model that comes without one."""
    names = licence_identifiers(expression)
    addresses = [f"https://spdx.org/licenses/{name.removesuffix('+')}.html" for name in names]
    return "\n".join(
        [f"The model {model} for Whorl is licensed under {expression}:", "", *addresses, ""]
    )


def _requirements(description: dict[str, Any]) -> list[str]:
    """Return what a model needs: Whorl and, for the library's own transformers, tokenizers."""
    transformer = description.get("config", {}).get("transformer")
    foreign = transformer is not None and transformer[0] == "huggingface"
    return [requirement(description["format"]), *(["tokenizers>=0.20"] if foreign else [])]


def _with_card(description: dict[str, Any], languages: Sequence[str], licence: str | None) -> bytes:
    """Return `model.json` with languages and licence in the card."""
    card = dict(description["card"])
    if languages:
        card["languages"] = list(languages)
    if licence is not None:
        card["licence"] = licence
    text = json.dumps({**description, "card": card}, ensure_ascii=False, indent=1)
    return f"{text}\n".encode()
