"""Training the tagger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from whorl.batching import shuffled_batches
from whorl.errors import RecipeError
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.tagger import Tagger, pad, tag_scores
from whorl.stack_lstm.tagger_network import TaggerConfig, TaggerNetwork
from whorl.trees import Leaf

__all__ = ["train_tagger"]

EPOCHS = 8
BATCH = 32
"""Sentences."""
RATE = 4e-3
"""The learning rate of the first batch; it falls to zero."""
BETAS = (0.9, 0.9)
CLIP = 5.0
WORD_DROPOUT = 0.05
"""The share of words that are read as unknown."""
SINGLETON_DROPOUT = 0.5
"""The same for words seen once."""

_PADDING = -100  # the target of padding, which the loss ignores
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
    """Train on tagged sentences; `on_epoch` receives each epoch's number and its loss per word.

    Without sentences, the tagger gives every word the tag <unk>.
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
        losses = _train(tagger, sentences, epochs, np.random.default_rng(seed))
        for epoch, loss in enumerate(losses, start=1):
            if on_epoch is not None:
                on_epoch(epoch, loss)
    return tagger


def _train(
    tagger: Tagger, sentences: Sequence[Sequence[Leaf]], epochs: int, random: np.random.Generator
) -> Iterator[float]:
    """Train the tagger's network, and yield the loss per word of each epoch."""
    network, words = tagger.network, tagger.words
    number = {tag: index for index, tag in enumerate(tagger.tags)}
    encoded, unknowns, targets = [], [], []
    for leaves in sentences:
        sentence = [leaf.word for leaf in leaves]
        encoded.append(tagger.encode(sentence))
        targets.append(np.array([number[leaf.tag] for leaf in leaves], dtype=np.int64))
        unknowns.append(_unknowns(words, sentence))
    lengths = [len(rows) for rows in encoded]
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, betas=BETAS, fused=True)
    steps = epochs * -(-len(sentences) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / max(1, steps))
    for _ in range(epochs):
        network.train()
        total = 0.0
        for batch in shuffled_batches(lengths, BATCH, random):
            batch.sort(key=lambda index: -lengths[index])
            inputs = [_with_unknowns(encoded[i], *unknowns[i], random) for i in batch]
            gold = pad([targets[i] for i in batch], _PADDING).to(network.device)
            scores = tag_scores(network, inputs)  # (sentences, words, tags)
            loss = functional.cross_entropy(
                scores.flatten(0, 1), gold.flatten(), ignore_index=_PADDING
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimizer.step()
            schedule.step()
            total += loss.item() * sum(map(len, inputs))
        network.eval()
        yield total / max(1, sum(lengths))


def _unknowns(words: Words, sentence: Sequence[str]) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Return for each word its class of unknown words and the probability of reading it as that."""
    classes = [words.unknown(word, first=index == 0) for index, word in enumerate(sentence)]
    rates = [SINGLETON_DROPOUT if word in words.singletons else WORD_DROPOUT for word in sentence]
    return np.array(classes, dtype=np.int64), np.array(rates)


def _with_unknowns(
    sentence: Ints, classes: Ints, rates: npt.NDArray[np.float64], random: np.random.Generator
) -> Ints:
    """Replace random words by their classes; their vectors and characters stay."""
    replaced = sentence.copy()
    unknown = random.random(len(sentence)) < rates
    replaced[:, 0] = np.where(unknown, classes, sentence[:, 0])
    return replaced
