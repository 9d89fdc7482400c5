"""The trees of a recipe: those of one treebank, or of a weighted mix of several."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from whorl.errors import RecipeError
from whorl.training.learner import Treebank
from whorl.training.noise import NOISES, change_trees
from whorl.training.packed import Names, TrainingTrees, TreeArrays
from whorl.training.reading import Piece, read_packed, workers_for
from whorl.training.recipe import Recipe, Source
from whorl.training.silver import read_scores
from whorl.training.substitution import substitute
from whorl.trees import Tree, map_words, read_treebank, splice, strip_root

__all__ = ["Mix", "Share", "Shares", "common_root", "read_mix"]

_MOST_SUBSTITUTED = 200_000
"""Trees made by substitution that are kept in memory; if an epoch has more, it reads them again."""


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

    train: TrainingTrees
    substituted: TrainingTrees
    """Trees made by substitution, which have no words of their own."""
    dev: Treebank
    names: list[str]
    """The treebanks with a convention of their own, in order; none for a single treebank."""
    shares: Shares
    """Of `train`, and then of `substituted`."""


def read_mix(recipe: Recipe, *, jobs: int = 1) -> Mix:
    """Read the treebanks of a recipe, with up to `jobs` processes if there are many trees."""
    if not recipe.treebank:
        if recipe.data.convention:
            raise RecipeError(
                "data.convention is for a mix of treebanks: write [[treebank]] tables"
            )
        only = Source(train=recipe.data.train)
        train, substituted, shares = _training_trees([only], recipe, jobs)
        dev = _trees(recipe.data.dev, recipe)
        gold = replace(_treebank([("", dev)]), punctuation={"": recipe.data.punctuation})
        return Mix(train, substituted, gold, [], shares)
    names = _conventions(recipe)
    if not any(source.weight for source in recipe.treebank):
        raise RecipeError("every treebank of the mix has the weight 0: nothing to train on")
    train, substituted, shares = _training_trees(recipe.treebank, recipe, jobs)
    dev_parts = [
        (source.convention or source.name, _trees(source.dev, recipe))
        for source in recipe.treebank
        if source.dev
    ]
    if recipe.data.dev:
        dev_parts.append((recipe.data.convention, _trees(recipe.data.dev, recipe)))
    if not dev_parts:
        raise RecipeError("the recipe names no dev trees: set dev of a treebank, or data.dev")
    gold = replace(_treebank(dev_parts), punctuation=_punctuation(recipe))
    return Mix(train, substituted, gold, names, shares)


def _training_trees(
    sources: Sequence[Source], recipe: Recipe, jobs: int
) -> tuple[TrainingTrees, TrainingTrees, Shares]:
    """Read the training trees of all sources, make others by substitution, and share them out."""
    names = Names()
    parts = []
    substituted = []
    shares = []
    extra_shares = []

    def scores(number: int, file: Path) -> list[float] | None:
        return read_scores(_scores_path(file)) if sources[number].least else None

    paths = [source.train for source in sources]
    pieces = read_packed(
        paths, frozenset(recipe.data.splice), scores, workers=workers_for(paths, jobs)
    )
    with closing(pieces):
        by_source = groupby(pieces, key=attrgetter("source"))
        for source, (_, own) in zip(sources, by_source, strict=True):
            trees = _without_excluded(source, own, names)
            parts.append((source.convention or source.name, _noisy(source, trees, recipe, names)))
            shares.append(Share(len(trees), source.weight))
            copies = source.substitution or recipe.training.substitution
            if copies and not source.convention:
                others, share = _substituted(source, trees, copies, recipe)
                substituted.append((source.name, others))
                extra_shares.append(share)
    shares_of_all = Shares([*shares, *extra_shares])
    return TrainingTrees(names, parts), TrainingTrees(names, substituted), shares_of_all


def _substituted(
    source: Source, trees: TreeArrays, copies_per_epoch: float, recipe: Recipe
) -> tuple[TreeArrays, Share]:
    """Make enough trees by substitution that epochs have different ones, within bounds."""
    settings = recipe.training
    weight = source.weight * copies_per_epoch
    copies = min(math.ceil(weight * settings.epochs), _MOST_SUBSTITUTED // len(trees))
    copies = max(copies, 1)
    random = np.random.default_rng([settings.seed, crc32(f"substitution {source.name}".encode())])
    return substitute(trees, copies, random), Share(copies * len(trees), weight / copies)


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
    if isinstance(trees, TrainingTrees):
        return trees.roots().most_common(1)[0][0]
    labels = Counter(tree.label if strip_root(tree) is not tree else None for tree in trees)
    return labels.most_common(1)[0][0]


def _treebank(parts: Sequence[tuple[str, Sequence[Tree]]]) -> Treebank:
    trees = [tree for _, part in parts for tree in part]
    sources = [name for name, part in parts for _ in part]
    return Treebank(trees, [tree.leaves() for tree in trees], sources if any(sources) else [])


def _trees(path: str, recipe: Recipe) -> list[Tree]:
    labels = frozenset(recipe.data.splice)
    trees = [splice(tree, labels) if labels else tree for tree in read_treebank(path)]
    if not trees:
        raise RecipeError(f"no trees in {path}")
    return trees


def _noisy(source: Source, trees: TreeArrays, recipe: Recipe, names: Names) -> TreeArrays:
    """Return the training trees of a source, some of them with the noise that it asks for."""
    seed, count = recipe.training.seed, len(trees)
    changed = _Changed(names, trees)
    recased = round(source.recased * count)
    order = np.random.default_rng(seed).permutation(count)
    for index, number in enumerate(order[: 2 * recased].tolist()):
        changed[number] = map_words(changed[number], str.upper if index < recased else str.lower)
    shares = {kind: getattr(source, kind) for kind in NOISES}
    change_trees(changed, count, shares, name=source.name, seed=seed)
    return names.with_words(trees, {number: tree.words() for number, tree in changed.items()})


class _Changed(dict[int, Tree]):
    """The trees of a source that noise changes, each built when it is looked up."""

    def __init__(self, names: Names, trees: TreeArrays) -> None:
        self._trees = TrainingTrees(names, [("", trees)])

    def __missing__(self, number: int) -> Tree:
        return self._trees[number]


def _without_excluded(source: Source, pieces: Iterator[Piece], names: Names) -> TreeArrays:
    """Return the training trees of a source without those of excluded documents."""
    trees = _confident(source, pieces, names)
    patterns = [*source.exclude, *_listed(source.exclude_file)]
    if not patterns:
        return trees
    path = Path(source.train).with_suffix(".docs")
    documents = _lines(path)
    _check_lines(path, len(documents), source.train, len(trees))
    distinct = set(documents)
    for pattern in source.exclude:
        if not any(fnmatchcase(name, pattern) for name in distinct):
            raise RecipeError(f"{source.name}: no document of {path} matches {pattern!r}")
    excluded = {name for name in distinct if any(fnmatchcase(name, each) for each in patterns)}
    kept = trees.select(np.array([name not in excluded for name in documents], dtype=np.bool_))
    if not len(kept):
        raise RecipeError(f"{source.name}: all documents of {path} are excluded")
    return kept


def _confident(source: Source, pieces: Iterator[Piece], names: Names) -> TreeArrays:
    """Return the trees of a source; of silver trees, those that have enough confidence."""
    kept: list[TreeArrays] = []
    for file, own in groupby(pieces, key=attrgetter("file")):
        read = list(own)
        trees = TreeArrays.join([names.adopt(piece.trees) for piece in read])
        scores = read[0].scores
        if scores is not None:
            _check_lines(_scores_path(file), len(scores), str(file), len(trees))
            trees = trees.select(np.array(scores) >= source.least)
        kept.append(trees)
    joined = TreeArrays.join(kept)
    if not len(joined) and source.least:
        raise RecipeError(
            f"{source.name}: no tree of {source.train} has a confidence of {source.least} or more"
        )
    if not len(joined):
        raise RecipeError(f"no trees in {source.train}")
    return joined


def _scores_path(file: Path) -> Path:
    return file.with_suffix(".scores")


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
