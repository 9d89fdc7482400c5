"""The trees of a recipe: those of one treebank, or of a weighted mix of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import numpy as np

from whorl.errors import RecipeError
from whorl.training.learner import Treebank
from whorl.training.noise import NOISES, add_noise
from whorl.training.recipe import Recipe, Source
from whorl.training.silver import read_scores
from whorl.trees import Tree, map_words, read_treebank, splice, strip_root, treebank_files

__all__ = ["Mix", "Share", "Shares", "common_root", "read_mix"]


class Share(NamedTuple):
    """The number of training trees of one treebank in a mix, and its weight."""

    trees: int
    weight: float


class Shares(tuple[Share, ...]):
    """The shares of the treebanks in a mix, in the order of their trees."""

    __slots__ = ()

    def numbers(self, random: np.random.Generator) -> list[int]:
        """Draw the trees of an epoch.

        A weight of 2.5 is every tree of a treebank twice, and a random half of them once more.
        """
        numbers: list[int] = []
        start = 0
        for share in self:
            trees = np.arange(start, start + share.trees)
            start += share.trees
            whole, rest = divmod(share.weight, 1)
            numbers += np.tile(trees, int(whole)).tolist()
            if rest:
                numbers += random.permutation(trees)[: round(rest * len(trees))].tolist()
        return numbers


@dataclass(frozen=True, slots=True)
class Mix:
    """Training and development trees, each with the treebank whose convention it follows."""

    train: Treebank
    dev: Treebank
    names: list[str]
    """The treebanks with a convention of their own, in order; none for a single treebank."""
    shares: Shares


def read_mix(recipe: Recipe) -> Mix:
    """Read the treebanks of a recipe."""
    if not recipe.treebank:
        if recipe.data.convention:
            raise RecipeError(
                "data.convention is for a mix of treebanks: write [[treebank]] tables"
            )
        train, dev = (_trees(path, recipe) for path in (recipe.data.train, recipe.data.dev))
        gold = replace(_treebank([("", dev)]), punctuation={"": recipe.data.punctuation})
        return Mix(_treebank([("", train)]), gold, [], Shares([Share(len(train), 1.0)]))
    names = _conventions(recipe)
    if not any(source.weight for source in recipe.treebank):
        raise RecipeError("every treebank of the mix has the weight 0: nothing to train on")
    train_parts = [
        (source.convention or source.name, _noisy(source, recipe)) for source in recipe.treebank
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
    shares = Shares(Share(len(trees), source.weight) for source, (_, trees) in pairs)
    gold = replace(_treebank(dev_parts), punctuation=_punctuation(recipe))
    return Mix(_treebank(train_parts), gold, names, shares)


def _conventions(recipe: Recipe) -> list[str]:
    """Return the names of the treebanks that have a convention of their own."""
    names = [source.name for source in recipe.treebank]
    if len(set(names)) < len(names) or not all(names):
        raise RecipeError(
            f"the treebanks of a mix need different names, not {', '.join(map(repr, names))}"
        )
    own = [source.name for source in recipe.treebank if not source.convention]
    for source in recipe.treebank:
        if not source.train:
            raise RecipeError(f"the treebank {source.name} names no trees: set its train")
        if source.convention and source.convention not in own:
            raise RecipeError(
                f"{source.name}: convention must be one of {', '.join(own)}, "
                f"not {source.convention!r}"
            )
    if recipe.data.convention and recipe.data.convention not in own:
        raise RecipeError(
            f"data.convention must be one of {', '.join(own)}, not {recipe.data.convention!r}"
        )
    return own


def _punctuation(recipe: Recipe) -> dict[str, tuple[str, ...]]:
    """Return the tags of punctuation of the treebanks in a mix, by name."""
    return {
        source.name: source.punctuation or recipe.data.punctuation for source in recipe.treebank
    }


def common_root(trees: Sequence[Tree]) -> str | None:
    """Return the root label that most trees have, which the parser need not learn to build."""
    labels = Counter(tree.label if strip_root(tree) is not tree else None for tree in trees)
    return labels.most_common(1)[0][0]


def _treebank(parts: Sequence[tuple[str, Sequence[Tree]]]) -> Treebank:
    trees = [tree for _, part in parts for tree in part]
    sources = [name for name, part in parts for _ in part]
    return Treebank(trees, [tree.leaves() for tree in trees], sources if any(sources) else [])


def _trees(path: str, recipe: Recipe) -> list[Tree]:
    trees = _read(path, recipe)
    if not trees:
        raise RecipeError(f"no trees in {path}")
    return trees


def _read(path: str, recipe: Recipe) -> list[Tree]:
    labels = frozenset(recipe.data.splice)
    return [splice(tree, labels) if labels else tree for tree in read_treebank(path)]


def _noisy(source: Source, recipe: Recipe) -> list[Tree]:
    """Read the training trees of a source, some of them with the noise that it asks for."""
    shares = {kind: getattr(source, kind) for kind in NOISES}
    return add_noise(_recased(source, recipe), shares, name=source.name, seed=recipe.training.seed)


def _recased(source: Source, recipe: Recipe) -> list[Tree]:
    """Read the training trees of a source, some of them in capitals and some in lower case."""
    trees = _without_excluded(source, recipe)
    count = round(source.recased * len(trees))
    order = np.random.default_rng(recipe.training.seed).permutation(len(trees))
    for index, number in enumerate(order[: 2 * count].tolist()):
        trees[number] = map_words(trees[number], str.upper if index < count else str.lower)
    return trees


def _without_excluded(source: Source, recipe: Recipe) -> list[Tree]:
    """Read the training trees of a source without those of excluded documents."""
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
    excluded = {name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)}
    kept = [tree for tree, name in zip(trees, documents, strict=True) if name not in excluded]
    if not kept:
        raise RecipeError(f"{source.name}: all documents of {path} are excluded")
    return kept


def _confident(source: Source, recipe: Recipe) -> list[Tree]:
    """Read the silver trees of a file or folder that have enough confidence."""
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
    """Read the documents that a file lists, the first word of each line; `#` begins a comment."""
    lines = _lines(Path(path)) if path else []
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"cannot read {path}: {error}") from error
