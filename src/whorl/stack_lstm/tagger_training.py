"""How a tagger learns, for the predicted part-of-speech tags that the paper's parser reads (§6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from whorl.errors import RecipeError
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.tagger import Tagger, pad, tag_scores
from whorl.stack_lstm.tagger_network import TaggerConfig, TaggerNetwork
from whorl.trees import Leaf

__all__ = ["train_tagger"]

EPOCHS = 8
BATCH = 32  # sentences
RATE = 4e-3  # at first; it falls to nothing
BETAS = (0.9, 0.9)
CLIP = 5.0
WORD_DROPOUT = 0.05  # how often a word is taken for unknown
SINGLETONS = 0.5  # and one that training has once
SPREAD = 4.0  # words by which the sentences of a batch may differ in length, more or less

_BEYOND = -100  # the target of padding, which the loss leaves out
_UNKNOWN = "<unk>"


def train_tagger(
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
        tagger = Tagger(network, words, tags, vectors)
        for epoch, loss in enumerate(
            _learn(tagger, sentences, epochs, np.random.default_rng(seed)), start=1
        ):
            if on_epoch is not None:
                on_epoch(epoch, loss)
    return tagger


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
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: 1 - step / max(1, epochs * batches)
    )
    for _ in range(epochs):
        network.train()
        total = 0.0
        for chosen in _batches([len(read) for read in reads], random):
            read = [_masked(reads[i], *unknowns[i], random) for i in chosen]
            gold = pad([targets[i] for i in chosen], _BEYOND).to(
                network.device
            )  # (sentences, words)
            scores = tag_scores(network, read)  # (sentences, words, tags)
            loss = functional.cross_entropy(
                scores.flatten(0, 1), gold.flatten(), ignore_index=_BEYOND
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimizer.step()
            schedule.step()
            total += loss.item() * sum(map(len, read))
        network.eval()
        yield total / max(1, sum(map(len, reads)))


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


def _masked(
    read: Ints, classes: Ints, chances: npt.NDArray[np.float64], random: np.random.Generator
) -> Ints:
    """An encoded sentence in which some words are unknown; their vectors and characters stay."""
    masked = read.copy()
    masked[:, 0] = np.where(random.random(len(read)) < chances, classes, read[:, 0])
    return masked
