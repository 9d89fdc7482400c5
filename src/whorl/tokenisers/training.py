"""Training the network of a tokeniser, with PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from whorl.tokenisers.features import Ids
from whorl.tokenisers.network import BoundaryNetwork, Layer

__all__ = ["Examples", "TrainingSettings", "train_network"]

_STEPS = 3000
"""How many steps to take, if batches are neither too small nor too large."""
_LEAST_STEPS = 300
_BATCHES = (300, 4000)  # units
_REPORTS = 20
"""How many times to report the loss, at most."""
_GROUP = 150  # units of a text, on average


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Sizes of a network and of its training."""

    rows: int
    embedding: int
    hidden: int
    layers: tuple[Layer, ...]
    visits: int
    """How many units to train on, all epochs together."""
    least_epochs: int = 3
    most_epochs: int = 20
    rate: float = 4e-3
    dropout: float = 0.2
    seed: int = 1


class Examples(NamedTuple):
    """The units of a text, whether a token and a sentence end after them, and the sentences."""

    ids: Ids
    ends: npt.NDArray[np.float32]
    sentences: npt.NDArray[np.int64]
    """Where each sentence begins; the last entry is the number of units."""
    edges: tuple[int, int, int, int]
    """As in `Features`."""


class _Network(nn.Module):
    def __init__(self, settings: TrainingSettings) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(settings.rows, settings.embedding, padding_idx=0)
        nn.init.normal_(self.embeddings.weight, std=0.1)
        with torch.no_grad():
            self.embeddings.weight[0] = 0
        width = settings.embedding
        self.convolutions = nn.ModuleList()
        for layer in settings.layers:
            self.convolutions.append(
                nn.Conv1d(
                    width,
                    settings.hidden,
                    layer.width,
                    dilation=layer.dilation,
                    padding=layer.reach,
                )
            )
            width = settings.hidden
        self.dropout = nn.Dropout(settings.dropout)
        self.output = nn.Linear(width, 2)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.embeddings(ids).sum(dim=2)  # (texts, units, embedding)
        for convolution in self.convolutions:
            hidden = self.dropout(hidden) * mask
            hidden = torch.relu(convolution(hidden.transpose(1, 2))).transpose(1, 2)
        scores: torch.Tensor = self.output(self.dropout(hidden))
        return scores


def train_network(
    examples: Examples,
    settings: TrainingSettings,
    dropped: Sequence[float],
    say: Callable[[str], None] = lambda _: None,
) -> BoundaryNetwork:
    """Train a network to tell where tokens and sentences end."""
    generator = torch.Generator().manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        return _train(examples, settings, dropped, say, generator, random)


def _train(
    examples: Examples,
    settings: TrainingSettings,
    dropped: Sequence[float],
    say: Callable[[str], None],
    generator: torch.Generator,
    random: np.random.Generator,
) -> BoundaryNetwork:
    network = _Network(settings)
    count = len(examples.ids)
    epochs = min(max(settings.visits // count, settings.least_epochs), settings.most_epochs)
    low, high = _BATCHES
    batch = min(max(epochs * count // _STEPS, low), high)
    epochs = max(epochs, -(-_LEAST_STEPS // (count // batch + 1)))
    steps = epochs * (count // batch + 1)
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=settings.rate, total_steps=steps + epochs * 2 + 2, pct_start=0.1
    )
    shares = torch.tensor(dropped)
    loss_of = nn.BCEWithLogitsLoss(reduction="none")
    network.train()
    done = 0
    for epoch in range(epochs):
        total = 0.0
        for ids, ends, mask, counted in _batches(examples, batch, random):
            keep = torch.rand(ids.shape, generator=generator) >= shares
            scores = network(ids * keep, mask)
            loss = (loss_of(scores, ends) * counted).sum() / mask.sum()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            if done < steps + epochs * 2:
                schedule.step()
            done += 1
            total += float(loss.detach()) * float(mask.sum())
        if (epoch + 1) % -(-epochs // _REPORTS) == 0 or epoch + 1 == epochs:
            say(f"epoch {epoch + 1} of {epochs}: loss {total / count:.4f}")
    return _to_numpy(network.eval(), settings)


def _batches(
    examples: Examples, units: int, random: np.random.Generator
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Yield batches of texts of whole sentences: rows, ends, which units exist, which count.

    What follows the last unit of a text says nothing about sentence ends, so it does not count.
    """
    texts = _texts(examples.sentences, random)
    texts.sort(key=lambda text: text[1] - text[0] + random.uniform(-5, 5))
    batches: list[list[tuple[int, int]]] = [[]]
    for text in texts:
        longest = max(end - start for start, end in [*batches[-1], text])
        if batches[-1] and longest * (len(batches[-1]) + 1) > units:
            batches.append([])
        batches[-1].append(text)
    random.shuffle(batches)
    after, end_row, before, start_row = examples.edges
    for batch in batches:
        longest = max(end - start for start, end in batch)
        ids = np.zeros((len(batch), longest, examples.ids.shape[1]), np.int64)
        ends = np.zeros((len(batch), longest, 2), np.float32)
        mask = np.zeros((len(batch), longest, 1), np.float32)
        for row, (start, end) in enumerate(batch):
            size = end - start
            ids[row, :size] = examples.ids[start:end]
            ids[row, size - 1, after] = end_row
            ids[row, 0, before] = start_row
            ends[row, :size] = examples.ends[start:end]
            mask[row, :size] = 1
        counted = np.repeat(mask, 2, axis=2)
        for row, (start, end) in enumerate(batch):
            counted[row, end - start - 1, 1] = 0
        yield (
            torch.from_numpy(ids),
            torch.from_numpy(ends),
            torch.from_numpy(mask),
            torch.from_numpy(counted),
        )


def _texts(sentences: npt.NDArray[np.int64], random: np.random.Generator) -> list[tuple[int, int]]:
    """Divide the units into texts of whole sentences, differently each time."""
    texts = []
    first = 0
    wanted = random.exponential(_GROUP)
    for number in range(1, len(sentences)):
        size = int(sentences[number] - sentences[first])
        if size >= wanted or number == len(sentences) - 1:
            if size:
                texts.append((int(sentences[first]), int(sentences[number])))
            first = number
            wanted = random.exponential(_GROUP)
    return texts


def _to_numpy(network: _Network, settings: TrainingSettings) -> BoundaryNetwork:
    """Return the weights as they will be after saving, so that both give the same scores."""
    tensors = {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}
    trained = BoundaryNetwork(
        tensors["embeddings.weight"],
        tuple(
            (
                layer,
                tensors[f"convolutions.{number}.weight"].transpose(2, 1, 0).copy(),
                tensors[f"convolutions.{number}.bias"],
            )
            for number, layer in enumerate(settings.layers)
        ),
        tensors["output.weight"].T.copy(),
        tensors["output.bias"],
    )
    return BoundaryNetwork.from_tensors(trained.to_tensors(), settings.layers)
