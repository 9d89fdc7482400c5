"""Jackknifing (§6, §7.1): tags for a training set from taggers that were not trained on it.

Such tags have the accuracy of tags on new text. They take ten times as long as a tagger and are the
same for every parser trained on the treebank, so `TagStore` keeps them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from whorl.errors import ModelError, RecipeError
from whorl.files import write_json
from whorl.lexicon.vectors import Vectors
from whorl.model_folder.tensors import load_tensors, save_tensors
from whorl.stack_lstm import tagger_training as tagging
from whorl.stack_lstm.tagger import Tagger, tag_accuracy
from whorl.stack_lstm.tagger_training import train_tagger
from whorl.trees import Leaf

__all__ = ["TagStore", "fold_bounds", "jackknife", "tag_fold"]


def fold_bounds(sentences: int, folds: int) -> list[tuple[int, int]]:
    """Return where each fold begins and ends.

    Folds are contiguous, so that most documents are within one. With fewer sentences than folds,
    each sentence is a fold.
    """
    if folds < 2:
        raise RecipeError(
            f"jackknifing with {folds} folds has no other fold to train on, expected 2 or more"
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
    """Tag one fold with a tagger trained on the others."""
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
    """Tag all sentences; `on_fold` receives each fold's number, from 1, and its accuracy."""
    result: list[list[str]] = []
    for fold, bounds in enumerate(fold_bounds(len(sentences), folds), start=1):
        tags = tag_fold(sentences, bounds, vectors=vectors, epochs=epochs, seed=seed, device=device)
        result += tags
        if on_fold is not None:
            on_fold(fold, tag_accuracy(sentences[slice(*bounds)], tags))
    return result


class TagStore:
    """The jackknifed tags of a training set, and the tagger trained on all of it, in files.

    The files are in a folder named after all that they depend on: sentences, vectors, folds and
    seed. So a store serves any number of runs and treebanks, is never stale, and can be copied to
    another machine. Parts made on one device serve runs on another.
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
        """The number of parts: the folds, and the tagger last."""
        return len(self.bounds) + 1

    def missing(self) -> list[int]:
        """Return the parts that are not there yet, numbered from 0."""
        return [part for part in range(self.parts) if not self._path(part).exists()]

    def make(self, part: int) -> None:
        """Make one part, unless it is there."""
        if self._path(part).exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if part < len(self.bounds):
            tags = tag_fold(
                self.sentences,
                self.bounds[part],
                vectors=self.vectors,
                seed=self.seed,
                device=self.device,
            )
            write_json(self._path(part), tags)
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
        """Make the missing parts, and return the tagger and the tags.

        `on_part` receives the number of parts that are there and their total. The tagger is always
        read from its file, so that the run that trained it behaves like all others.
        """
        for part in range(self.parts):
            self.make(part)
            if on_part is not None:
                on_part(part + 1, self.parts)
        *folds, tagger = (self._read(part) for part in range(self.parts))
        tags = [row for fold in folds for row in fold]
        return tagger, tags

    def _path(self, part: int) -> Path:
        name = f"fold-{part + 1}" if part < len(self.bounds) else "tagger"
        return self.folder / f"{name}.json"

    def _read(self, part: int) -> Any:
        """Read the tags of a fold, or the tagger."""
        path = self._path(part)
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if part < len(self.bounds):
                sentences = self.sentences[slice(*self.bounds[part])]
                if list(map(len, saved)) != list(map(len, sentences)):
                    raise ValueError("it has tags of other sentences")
                return saved
            settings, weights = saved["settings"], self.folder / saved["weights"]
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"{path} is damaged: {error}; delete it, and the next run makes it again"
            ) from error
        tagger = Tagger.from_state(settings, load_tensors(weights), self.vectors)
        tagger.network.to(self.device)
        return tagger


def _name(sentences: Sequence[Sequence[Leaf]], vectors: Vectors, folds: int, seed: int) -> str:
    """Return a digest of all that the tags depend on."""
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
