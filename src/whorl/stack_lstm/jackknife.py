"""Jackknifing: tags for a training set from taggers that did not learn from the sentences they tag (§6, §7.1).

So they are as good and as bad as tags will be on new text. They take ten times the time of a
tagger, and are the same for every parser trained on the treebank: `TagStore` makes them once and
keeps them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import torch

from whorl.errors import RecipeError
from whorl.files import write_json
from whorl.lexicon.vectors import Vectors
from whorl.model_folder.tensors import load_tensors, save_tensors
from whorl.stack_lstm import tagger_training as tagging
from whorl.stack_lstm.tagger import Tagger, tag_accuracy
from whorl.stack_lstm.tagger_training import train_tagger
from whorl.trees import Leaf

__all__ = ["TagStore", "fold_bounds", "jackknife", "tag_fold"]


def fold_bounds(sentences: int, folds: int) -> list[tuple[int, int]]:
    """Where each fold begins and ends. Folds are contiguous, since the sentences of one document stand together.

    Where sentences are fewer than folds, each is a fold.
    """
    if folds < 2:
        raise RecipeError(
            f"jackknifing with {folds} folds leaves nothing to train on, expected 2 or more"
        )
    count = min(folds, sentences)
    return list(pairwise(sentences * fold // count for fold in range(count + 1))) if count else []


def tag_fold(
    sentences: Sequence[Sequence[Leaf]],
    bounds: tuple[int, int],
    *,
    vectors: Vectors,
    epochs: int = tagging.EPOCHS,
    seed: int = 1,
    device: str | torch.device = "cpu",
) -> list[list[str]]:
    """Tags for one fold, from a tagger trained on the others."""
    start, end = bounds
    others = [*sentences[:start], *sentences[end:]]
    tagger = train_tagger(others, vectors=vectors, epochs=epochs, seed=seed, device=device)
    return tagger.tag([[leaf.word for leaf in leaves] for leaves in sentences[start:end]])


def jackknife(
    sentences: Sequence[Sequence[Leaf]],
    *,
    vectors: Vectors,
    folds: int = 10,
    epochs: int = tagging.EPOCHS,
    seed: int = 1,
    device: str | torch.device = "cpu",
    on_fold: Callable[[int, float], None] | None = None,
) -> list[list[str]]:
    """Tags for all sentences; `on_fold` hears the number of each fold, from 1, and the accuracy on it."""
    result: list[list[str]] = []
    for fold, bounds in enumerate(fold_bounds(len(sentences), folds), start=1):
        tags = tag_fold(sentences, bounds, vectors=vectors, epochs=epochs, seed=seed, device=device)
        result += tags
        if on_fold is not None:
            on_fold(fold, tag_accuracy(sentences[slice(*bounds)], tags))
    return result


class TagStore:
    """The jackknifed tags of a training set and the tagger trained on all of it, part by part in files.

    The files are in a folder named after all that they depend on: sentences, vectors, folds, seed.
    So one store serves any number of runs and treebanks, is never stale, and can be copied to
    another machine. Of two devices, whichever made a part first has made it for both.
    """

    def __init__(
        self,
        folder: Path,
        sentences: Sequence[Sequence[Leaf]],
        vectors: Vectors,
        *,
        folds: int = 10,
        seed: int = 1,
        device: str = "cpu",
    ) -> None:
        self.sentences = sentences
        self.vectors = vectors
        self.seed = seed
        self.device = device
        self.bounds = fold_bounds(len(sentences), folds)
        self.folder = folder / _name(sentences, vectors, folds, seed)

    @property
    def parts(self) -> int:
        """How many parts there are to make: the folds, and the tagger last."""
        return len(self.bounds) + 1

    def missing(self) -> list[int]:
        """The parts not made yet, from 0."""
        return [part for part in range(self.parts) if not self._path(part).exists()]

    def make(self, part: int) -> None:
        """Make one part, unless it is there."""
        if self._path(part).exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if part < len(self.bounds):
            made = tag_fold(
                self.sentences,
                self.bounds[part],
                vectors=self.vectors,
                seed=self.seed,
                device=self.device,
            )
            write_json(self._path(part), made)
            return
        tagger = train_tagger(
            self.sentences, vectors=self.vectors, seed=self.seed, device=self.device
        )
        settings, weights = tagger.to_state()
        write_json(
            self._path(part),
            {"settings": settings, "weights": save_tensors(self.folder, "tagger", weights)},
        )

    def load(
        self, on_part: Callable[[int, int], None] | None = None
    ) -> tuple[Tagger, list[list[str]]]:
        """The tagger and the tags, after making what is missing; `on_part` hears how many parts of how many are there.

        The tagger always comes from its file, so that the run that made it and those that found it
        do the same.
        """
        for part in range(self.parts):
            self.make(part)
            if on_part is not None:
                on_part(part + 1, self.parts)
        tags = [row for part in range(len(self.bounds)) for row in json.loads(self._read(part))]
        saved = json.loads(self._read(len(self.bounds)))
        tagger = Tagger.from_state(
            saved["settings"], load_tensors(self.folder / saved["weights"]), self.vectors
        )
        tagger.network.to(self.device)
        return tagger, tags

    def _path(self, part: int) -> Path:
        return self.folder / (
            "tagger.json" if part == len(self.bounds) else f"fold-{part + 1}.json"
        )

    def _read(self, part: int) -> str:
        return self._path(part).read_text(encoding="utf-8")


def _name(sentences: Sequence[Sequence[Leaf]], vectors: Vectors, folds: int, seed: int) -> str:
    """A digest of all that tags depend on."""
    digest = hashlib.sha256()
    for leaves in sentences:
        digest.update(json.dumps([(leaf.word, leaf.tag) for leaf in leaves]).encode())
    digest.update(
        json.dumps(
            [vectors.words, folds, seed, tagging.EPOCHS, tagging.BATCH, tagging.RATE]
        ).encode()
    )
    digest.update(vectors.table.tobytes())
    return digest.hexdigest()[:16]
