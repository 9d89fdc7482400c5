"""Predicted part-of-speech tags, which the paper's parser reads (§6): a tagger to train and to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from whorl.data.batch import Ints
from whorl.data.vectors import Vectors
from whorl.data.words import Words
from whorl.errors import ModelError, RecipeError
from whorl.models.tagger import FEATURES, TaggerConfig, TaggerNetwork, character_features
from whorl.trees import Leaf

__all__ = ["Tagger", "tag_accuracy"]

EPOCHS = 8
BATCH = 32  # sentences
RATE = 4e-3  # at first; it falls to nothing
BETAS = (0.9, 0.9)
CLIP = 5.0
WORD_DROPOUT = 0.05  # how often a word is taken for unknown
SINGLETONS = 0.5  # and one that training has once
SPREAD = 4.0  # words by which the sentences of a batch may differ in length, more or less

_BEYOND = -100  # the target of padding, which the loss leaves out
_TOGETHER = 64  # sentences tagged at once
_UNKNOWN = "<unk>"


class Tagger:
    """Gives every word of a sentence a tag."""

    def __init__(self, network: TaggerNetwork, words: Words, tags: Sequence[str], vectors: Vectors) -> None:
        self.network = network.eval()
        self.words = words
        self.tags = list(tags)
        self.vectors = vectors

    @classmethod
    def train(
        cls,
        sentences: Sequence[Sequence[Leaf]],
        *,
        vectors: Vectors,
        epochs: int = EPOCHS,
        seed: int = 1,
        device: str | torch.device = "cpu",
        on_epoch: Callable[[int, float], None] | None = None,
    ) -> Tagger:
        """Learn from tagged sentences; `on_epoch` hears the number of each epoch, from 1, and its loss for a word.

        A tagger that learnt from nothing gives every word the tag <unk>.
        """
        if epochs < 1:
            raise RecipeError(f"a tagger cannot train for {epochs} epochs, expected 1 or more")
        sentences = [leaves for leaves in sentences if leaves]
        words = Words.of([[leaf.word for leaf in leaves] for leaves in sentences])
        tags = sorted({leaf.tag for leaves in sentences for leaf in leaves}) or [_UNKNOWN]
        config = TaggerConfig(words=len(words), tags=len(tags), vector_dim=vectors.dimension)
        place = torch.device(device)
        with torch.random.fork_rng(devices=[place] if place.type == "cuda" else []):
            torch.manual_seed(seed)
            network = TaggerNetwork(config, vectors.table).to(place)
            tagger = cls(network, words, tags, vectors)
            for epoch, loss in enumerate(_learn(tagger, sentences, epochs, np.random.default_rng(seed)), start=1):
                if on_epoch is not None:
                    on_epoch(epoch, loss)
        return tagger

    @torch.no_grad()
    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The tags of sentences of words, in their order."""
        result: list[list[str]] = [[] for _ in sentences]
        order = sorted((i for i, words in enumerate(sentences) if words), key=lambda i: -len(sentences[i]))
        for start in range(0, len(order), _TOGETHER):
            chosen = order[start : start + _TOGETHER]
            scores = _scores(self.network, [self.encode(sentences[i]) for i in chosen])
            for i, row in zip(chosen, scores.argmax(dim=2).tolist(), strict=True):
                result[i] = [self.tags[number] for number in row[: len(sentences[i])]]
        return result

    def accuracy(self, sentences: Sequence[Sequence[Leaf]]) -> float:
        """The share of the words whose tag is right."""
        return tag_accuracy(sentences, self.tag([[leaf.word for leaf in leaves] for leaves in sentences]))

    def encode(self, words: Sequence[str]) -> Ints:
        """Word, vector and character features of each word: (words, 2 + features)."""
        buckets = self.network.config.feature_buckets
        rows = np.empty((len(words), 2 + FEATURES), dtype=np.int64)
        rows[:, 0] = self.words.encode(words)
        rows[:, 1] = self.vectors.encode(words)
        rows[:, 2:] = [character_features(word, buckets) for word in words]
        return rows

    def to_state(self) -> tuple[dict[str, object], dict[str, Tensor]]:
        """What a file has to hold: settings that JSON can write, and weights; the vectors are the caller's to keep."""
        settings: dict[str, object] = {
            "config": asdict(self.network.config),
            "words": self.words.words[1:],
            "tags": self.tags,
        }
        return settings, {name: weight.detach().cpu() for name, weight in self.network.state_dict().items()}

    @classmethod
    def from_state(cls, settings: dict[str, object], weights: dict[str, Tensor], vectors: Vectors) -> Tagger:
        """The tagger that `to_state` described, with the vectors it was trained with."""
        try:
            config = TaggerConfig(**settings["config"])  # type: ignore[arg-type]
            words = Words(settings["words"])  # type: ignore[arg-type]
            tags = [str(tag) for tag in settings["tags"]]  # type: ignore[attr-defined]
        except (KeyError, TypeError) as error:
            raise ModelError(f"the settings of a tagger lack something or have too much: {error}") from error
        if config.vector_dim != vectors.dimension:
            raise ModelError(
                f"the tagger was trained with vectors of dimension {config.vector_dim}, found {vectors.dimension}"
            )
        if (config.words, config.tags) != (len(words), len(tags)):
            raise ModelError(
                f"a tagger of {config.words} words and {config.tags} tags came with {len(words)} and {len(tags)}"
            )
        network = TaggerNetwork(config, vectors.table)
        try:
            network.load_state_dict(weights)
        except RuntimeError as error:
            raise ModelError(f"the weights do not fit the tagger: {error}") from error
        return cls(network, words, tags, vectors)


def tag_accuracy(gold: Sequence[Sequence[Leaf]], predicted: Sequence[Sequence[str]]) -> float:
    """The share of the words whose predicted tag is right; 1 where there are no words."""
    pairs = [
        (leaf.tag, tag)
        for leaves, tags in zip(gold, predicted, strict=True)
        for leaf, tag in zip(leaves, tags, strict=True)
    ]
    return sum(tag == wanted for wanted, tag in pairs) / len(pairs) if pairs else 1.0


def _learn(
    tagger: Tagger, sentences: Sequence[Sequence[Leaf]], epochs: int, random: np.random.Generator
) -> Iterator[float]:
    """Train the tagger's network; yield the loss for a word of each epoch."""
    network, words = tagger.network, tagger.words
    number = {tag: place for place, tag in enumerate(tagger.tags)}
    reads, unknowns, targets = [], [], []
    for leaves in sentences:
        written = [leaf.word for leaf in leaves]
        reads.append(tagger.encode(written))
        targets.append(np.array([number[leaf.tag] for leaf in leaves], dtype=np.int64))
        unknowns.append(_unknowns(words, written))
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, betas=BETAS, fused=True)
    batches = -(-len(sentences) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(1, epochs * batches))
    for _ in range(epochs):
        network.train()
        total = 0.0
        for chosen in _batches([len(read) for read in reads], random):
            read = [_masked(reads[i], *unknowns[i], random) for i in chosen]
            gold = _pad([targets[i] for i in chosen], _BEYOND).to(network.device)  # (sentences, words)
            scores = _scores(network, read)  # (sentences, words, tags)
            loss = functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=_BEYOND)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimizer.step()
            schedule.step()
            total += loss.item() * sum(map(len, read))
        network.eval()
        yield total / max(1, sum(map(len, reads)))


def _scores(network: TaggerNetwork, read: Sequence[Ints]) -> Tensor:
    """The scores of all tags for encoded sentences, longest first: (sentences, words, tags)."""
    lengths = torch.tensor([len(rows) for rows in read])
    scores: Tensor = network(_pad(read, 0).to(network.device), lengths)
    return scores


def _pad(rows: Sequence[Ints], value: int) -> Tensor:
    """Arrays one above the other: (sentences, words, ...)."""
    return torch.nn.utils.rnn.pad_sequence([torch.from_numpy(row) for row in rows], True, value)


def _batches(lengths: Sequence[int], random: np.random.Generator) -> Iterator[list[int]]:
    """All sentences in random order, those of a batch alike in length and the longest first."""
    size = np.array(lengths)
    order = np.argsort(-size + random.uniform(-SPREAD, SPREAD, len(size)), kind="stable")
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    for place in random.permutation(len(batches)):
        yield sorted(batches[place].tolist(), key=lambda i: -lengths[i])


def _unknowns(words: Words, sentence: Sequence[str]) -> tuple[Ints, npt.NDArray[np.float64]]:
    """For each word the class that it belongs to when unknown, and how often training takes it for that."""
    classes = [words.unknown(word, first=position == 0) for position, word in enumerate(sentence)]
    chances = [SINGLETONS if word in words.singletons else WORD_DROPOUT for word in sentence]
    return np.array(classes, dtype=np.int64), np.array(chances)


def _masked(read: Ints, classes: Ints, chances: npt.NDArray[np.float64], random: np.random.Generator) -> Ints:
    """An encoded sentence in which some words are unknown; their vectors and characters stay."""
    masked = read.copy()
    masked[:, 0] = np.where(random.random(len(read)) < chances, classes, read[:, 0])
    return masked
