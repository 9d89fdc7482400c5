"""Treebanks to learn from: one, or a mix of several with names, weights and documents left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import numpy as np

from whorl.errors import RecipeError
from whorl.training.learner import Treebank
from whorl.training.recipe import Recipe, Source
from whorl.training.silver import read_scores
from whorl.trees import Tree, map_words, read_treebank, splice, strip_root, treebank_files

__all__ = ["Mix", "Part", "Shares", "common_root", "read_mix"]


class Part(NamedTuple):
    """So many of a mix's training trees, one after another, and how often they come in an epoch."""

    trees: int
    weight: float


class Shares(tuple[Part, ...]):
    """The parts of a mix, in the order of their trees."""

    __slots__ = ()

    def numbers(self, random: np.random.Generator) -> list[int]:
        """An epoch's trees: each part as many times as its weight says, the last time a random choice of it."""
        found: list[int] = []
        start = 0
        for part in self:
            held = np.arange(start, start + part.trees)
            start += part.trees
            whole, rest = divmod(part.weight, 1)
            found += np.tile(held, int(whole)).tolist()
            if rest:
                found += random.permutation(held)[: round(rest * len(held))].tolist()
        return found


@dataclass(frozen=True, slots=True)
class Mix:
    """Training and development trees, each with the name of the treebank whose convention it follows."""

    train: Treebank
    dev: Treebank
    names: list[str]
    """The treebanks' names, in order; none where there is one without."""
    shares: Shares


def read_mix(recipe: Recipe) -> Mix:
    """Read a recipe's treebanks."""
    if not recipe.treebank:
        train, dev = (_trees(path, recipe) for path in (recipe.data.train, recipe.data.dev))
        return Mix(
            _gathered([("", train)]), _gathered([("", dev)]), [], Shares([Part(len(train), 1.0)])
        )
    names = _names(recipe)
    train_parts = [
        (source.convention or source.name, _recased(source, recipe)) for source in recipe.treebank
    ]
    dev_parts = [
        (source.convention or source.name, _trees(source.dev, recipe))
        for source in recipe.treebank
        if source.dev
    ]
    if recipe.data.dev:
        dev_parts.append((recipe.data.convention, _trees(recipe.data.dev, recipe)))
    if not dev_parts:
        raise RecipeError("the recipe names no dev trees: set dev of a treebank, or data.dev")
    pairs = zip(recipe.treebank, train_parts, strict=True)
    shares = Shares(Part(len(trees), source.weight) for source, (_, trees) in pairs)
    return Mix(_gathered(train_parts), _gathered(dev_parts), names, shares)


def _names(recipe: Recipe) -> list[str]:
    """The names of the treebanks that have a convention of their own."""
    names = [source.name for source in recipe.treebank]
    if len(set(names)) < len(names) or not all(names):
        raise RecipeError(
            f"the treebanks of a mix need names, each another, not {', '.join(map(repr, names))}"
        )
    own = [source.name for source in recipe.treebank if not source.convention]
    for source in recipe.treebank:
        if source.convention and source.convention not in own:
            raise RecipeError(
                f"{source.name}: convention must be one of {', '.join(own)}, not {source.convention!r}"
            )
    if recipe.data.convention and recipe.data.convention not in own:
        raise RecipeError(
            f"data.convention must be one of {', '.join(own)}, not {recipe.data.convention!r}"
        )
    return own


def common_root(trees: Sequence[Tree]) -> str | None:
    """The label that most trees have as a root over one phrase, which the parser need not learn to build."""
    labels = Counter(tree.label if strip_root(tree) is not tree else None for tree in trees)
    return labels.most_common(1)[0][0]


def _gathered(parts: Sequence[tuple[str, Sequence[Tree]]]) -> Treebank:
    trees = [tree for _, held in parts for tree in held]
    sources = [name for name, held in parts for _ in held]
    return Treebank(trees, [tree.leaves() for tree in trees], sources if any(sources) else [])


def _trees(path: str, recipe: Recipe) -> list[Tree]:
    trees = _read(path, recipe)
    if not trees:
        raise RecipeError(f"no trees in {path}")
    return trees


def _read(path: str, recipe: Recipe) -> list[Tree]:
    gone = frozenset(recipe.data.splice)
    return [splice(tree, gone) if gone else tree for tree in read_treebank(path)]


def _recased(source: Source, recipe: Recipe) -> list[Tree]:
    """The training trees of a source, some of them in capitals and some in lower case."""
    trees = _kept(source, recipe)
    if not 0 <= source.recased <= 0.5:
        raise RecipeError(f"{source.name}: recased must be between 0 and 0.5, not {source.recased}")
    count = round(source.recased * len(trees))
    chosen = (
        np.random.default_rng(recipe.training.seed).permutation(len(trees))[: 2 * count].tolist()
    )
    for place, number in enumerate(chosen):
        trees[number] = map_words(trees[number], str.upper if place < count else str.lower)
    return trees


def _kept(source: Source, recipe: Recipe) -> list[Tree]:
    """The training trees of a source without the documents that are to stay out."""
    trees = _confident(source, recipe) if source.least else _trees(source.train, recipe)
    patterns = [*source.exclude, *_listed(source.exclude_file)]
    if not patterns:
        return trees
    path = Path(source.train).with_suffix(".docs")
    documents = _lines(path)
    _check_lines(path, len(documents), source.train, len(trees))
    names = set(documents)
    for pattern in source.exclude:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise RecipeError(f"{source.name}: no document of {path} matches {pattern!r}")
    out = {name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)}
    return [tree for tree, name in zip(trees, documents, strict=True) if name not in out]


def _confident(source: Source, recipe: Recipe) -> list[Tree]:
    """The trees of a parser that it did not doubt too much, of a file or a folder of files."""
    kept: list[Tree] = []
    for file in treebank_files(source.train):
        path = file.with_suffix(".scores")
        scores, trees = read_scores(path), _read(str(file), recipe)
        _check_lines(path, len(scores), str(file), len(trees))
        kept += [tree for tree, score in zip(trees, scores, strict=True) if score >= source.least]
    if not kept:
        raise RecipeError(
            f"{source.name}: no tree of {source.train} has a confidence of {source.least} or more"
        )
    return kept


def _check_lines(path: Path, lines: int, file: str, trees: int) -> None:
    if lines != trees:
        raise RecipeError(f"{path} has {lines} lines where {file} has {trees} trees")


def _listed(path: str) -> list[str]:
    """The documents that a file lists, one at the beginning of each line; `#` begins a comment."""
    lines = _lines(Path(path)) if path else []
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"cannot read {path}: {error}") from error
