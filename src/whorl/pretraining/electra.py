"""Replaced-token detection (Clark et al., 2020): a generator fills gaps, the encoder learns to tell what it filled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.lexicon.word_pieces import MASK, SEP
from whorl.transformer.network import Stack, Transformer, TransformerConfig

__all__ = ["Electra", "Losses"]


@dataclass(frozen=True, slots=True)
class Losses:
    """What a batch came to, as tensors that need no waiting for the device."""

    generator: Tensor  # cross-entropy at the masked positions
    detection: Tensor  # binary cross-entropy over all positions
    hits: Tensor  # the part of the samples that are what stood there
    caught: Tensor  # the part of the replaced pieces that the encoder took for replaced


class Generator(Stack):
    """A small transformer on the encoder's embedding, projected down and back, with a softmax tied to it."""

    def __init__(self, config: TransformerConfig, embedding: int) -> None:
        c = config
        super().__init__(c.layers, c.width, c.heads, c.feed_forward, c.rotary_base)
        self.down = nn.Linear(embedding, c.width)
        self.ln0 = nn.LayerNorm(c.width)
        self.up = nn.Linear(c.width, embedding)
        self.ln1 = nn.LayerNorm(embedding)
        self.bias = nn.Parameter(torch.zeros(c.vocabulary))
        self.reset_parameters()

    def forward(self, ids: Tensor, chosen: Tensor, embedding: Tensor) -> Tensor:
        """The scores of all pieces at the chosen positions: (rows, pieces), (rows, chosen) → (rows, chosen, all)."""
        states = self.run(self.ln0(self.down(functional.embedding(ids, embedding))), None)
        at = chosen[:, :, None].expand(-1, -1, states.shape[2])
        picked = self.ln1(
            functional.gelu(self.up(states.gather(1, at)))
        )  # (rows, chosen, embedding)
        return functional.linear(picked, embedding, self.bias)


class Electra(nn.Module):
    """An encoder in training, with its generator and the head that says which pieces were replaced."""

    def __init__(self, encoder: TransformerConfig, generator: TransformerConfig) -> None:
        super().__init__()
        self.encoder = Transformer(encoder)
        self.generator = Generator(generator, encoder.width)
        self.dense = nn.Linear(encoder.width, encoder.width)
        self.out = nn.Linear(encoder.width, 1)
        for layer in (self.dense, self.out):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        self._fill: Callable[..., tuple[Tensor, Tensor]] = self._filled
        self._detect: Callable[[Tensor], Tensor] = self._detected

    def compile_parts(self, *, on: bool) -> None:
        """Have both networks compiled when they are first run, or not (any more)."""
        self._fill = torch.compile(self._filled, dynamic=False) if on else self._filled
        self._detect = torch.compile(self._detected, dynamic=False) if on else self._detected

    def forward(self, ids: Tensor, masked: float, random: torch.Generator) -> Losses:
        """The losses of rows of pieces (rows, pieces), all randomness being drawn from `random`."""
        chosen = choose(ids, masked, random)  # (rows, chosen)
        original = ids.gather(1, chosen)
        every = (*chosen.shape, self.encoder.config.vocabulary)
        noise = torch.rand(every, generator=random, device=ids.device)
        generator_loss, sampled = self._fill(ids.scatter(1, chosen, MASK), chosen, original, noise)
        filled = ids.scatter(1, chosen, sampled)
        replaced = filled != ids
        scores = self._detect(filled)  # (rows, pieces)
        detection_loss = functional.binary_cross_entropy_with_logits(scores, replaced.float())
        hits = (sampled == original).float().mean()
        caught = ((scores > 0) & replaced).sum() / replaced.sum().clamp(min=1)
        return Losses(generator_loss, detection_loss, hits, caught)

    def _filled(
        self, ids: Tensor, chosen: Tensor, original: Tensor, noise: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The generator's loss, and a sample of its distribution at each chosen position.

        The largest of scores with Gumbel noise added is such a sample; `noise` is uniform, and made
        Gumbel's here.
        """
        scores = self.generator(ids, chosen, self.encoder.emb.weight).float()
        loss = functional.cross_entropy(scores.flatten(0, 1), original.flatten())
        sampled = (scores.detach() - (-noise.clamp(min=1e-30).log()).log()).argmax(dim=-1)
        return loss, sampled

    def _detected(self, ids: Tensor) -> Tensor:
        states = self.encoder(ids)
        scores: Tensor = self.out(functional.gelu(self.dense(states)))
        return scores[:, :, 0].float()


def choose(ids: Tensor, part: float, random: torch.Generator) -> Tensor:
    """Positions to mask, as many in each row (rows, chosen): separators come last, and so are hardly ever chosen."""
    order = torch.rand(ids.shape, generator=random, device=ids.device)
    count = max(1, round(part * ids.shape[1]))
    return (order + (ids == SEP)).topk(count, dim=1, largest=False, sorted=False).indices
