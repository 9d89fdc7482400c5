"""What a user asks for: trees, and the few things that the data cannot tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from whorl.errors import RecipeError
from whorl.packaging.identifiers import check_language
from whorl.packaging.licences import licence_expression

__all__ = ["BuildRequest", "NamedPath", "named_path"]

_NO_TOKENISER = "none"
_TOKENISERS = ("penn", "unicode", "learned", _NO_TOKENISER)
_PATHS = ("train", "dev", "test", "silver", "text")
_NAMED = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)


class NamedPath(NamedTuple):
    """Trees, and the treebank that they belong to; the only treebank may go without a name."""

    name: str
    path: str


def named_path(argument: str) -> NamedPath:
    """Read `[NAME=]PATH`; an existing file whose name has a `=` in it is a path."""
    match = _NAMED.fullmatch(argument)
    if match is None or Path(argument).exists():
        return NamedPath("", argument)
    return NamedPath(match[1], match[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """The trees of one treebank or several, and what else a parser is built from."""

    train: tuple[NamedPath, ...]
    dev: tuple[NamedPath, ...] = ()
    test: tuple[NamedPath, ...] = ()
    silver: tuple[NamedPath, ...] = ()
    """Folders that `whorl label` wrote, each in the convention of a treebank."""
    text: tuple[NamedPath, ...] = ()
    """Raw text to learn word vectors from, cut as a treebank cuts its own."""
    convention: str = ""
    """The treebank whose annotation the parser follows by default: the first if empty."""
    vectors: str = ""
    encoder: str = ""
    licence: str = ""
    """Of the model, for its card: an SPDX expression."""
    tokeniser: str = ""
    """The kind of tokeniser to learn, or `none`; the trees decide if it is empty."""
    languages: tuple[str, ...] = ()
    """Of the model, for its card: BCP 47 tags such as `is`."""
    device: str = ""
    """Where to train: a GPU if there is one, unless this says otherwise."""
    settings: tuple[str, ...] = ()
    """Overrides of the settings, written `section.key=value`."""

    @classmethod
    def of(
        cls,
        train: Sequence[str],
        dev: Sequence[str] = (),
        test: Sequence[str] = (),
        silver: Sequence[str] = (),
        text: Sequence[str] = (),
        **others: Any,
    ) -> BuildRequest:
        """Make a request from paths written `[NAME=]PATH`, and check their names."""
        arguments = dict(zip(_PATHS, (train, dev, test, silver, text), strict=True))
        paths: dict[str, Any] = {
            name: tuple(map(named_path, values)) for name, values in arguments.items()
        }
        request = cls(**paths, **others)
        if request.text and request.train:
            default = request.convention or request.names[0]
            named = tuple(NamedPath(name or default, path) for name, path in request.text)
            request = replace(request, text=named)
        _check_names(request)
        licence = licence_expression(request.licence) if request.licence else ""
        languages = tuple(map(check_language, request.languages))
        return replace(request, licence=licence, languages=languages)

    @property
    def names(self) -> list[str]:
        """The names of the treebanks, in order."""
        return [name for name, _ in self.train]

    @property
    def learns_tokeniser(self) -> bool:
        """Whether the parser is to cut raw text as its treebanks do."""
        return self.tokeniser != _NO_TOKENISER

    def to_dict(self) -> dict[str, Any]:
        """Return the request as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> BuildRequest:
        """Restore a request; one saved by an earlier version has no silver trees and no text."""
        saved = {"silver": (), "text": (), **saved}
        paths = {part: tuple(NamedPath(*pair) for pair in saved[part]) for part in _PATHS}
        lists = {name: tuple(saved[name]) for name in ("languages", "settings")}
        return cls(**{**saved, **paths, **lists})


def _check_names(request: BuildRequest) -> None:
    if request.tokeniser not in ("", *_TOKENISERS):
        raise RecipeError(
            f"the tokeniser must be one of {', '.join(_TOKENISERS)}, not {request.tokeniser!r}"
        )
    names = request.names
    if not names:
        raise RecipeError("no trees to learn from: give --train TREES")
    if len(names) > 1 and not all(names):
        path = next(path for name, path in request.train if not name)
        raise RecipeError(f"several treebanks need names: write --train NAME={path}")
    if len(set(names)) < len(names):
        raise RecipeError(f"two treebanks have the same name: {', '.join(names)}")
    if request.vectors and request.text:
        raise RecipeError("--vectors and --text both give word vectors: choose one")
    parts = {
        **{"--dev": request.dev, "--test": request.test},
        **{"--silver": request.silver, "--text": request.text},
    }
    for flag, paths in parts.items():
        used = [name for name, _ in paths]
        for name, path in paths:
            if name not in names:
                expected = " or ".join(f"{flag} {known}={path}" for known in names if known)
                raise RecipeError(
                    f"{flag} {path}: no treebank {name!r} is trained on: write "
                    f"{expected or f'{flag} {path}'}"
                )
        if len(set(used)) < len(used) and flag != "--text":
            raise RecipeError(f"{flag} is given twice for the same treebank")
    if request.convention and request.convention not in names:
        raise RecipeError(
            f"the convention must be one of {', '.join(filter(None, names)) or 'the treebanks'}, "
            f"not {request.convention!r}"
        )
