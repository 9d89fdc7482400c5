"""Replaced-token detection (Clark et al., 2020): the encoder detects what a generator replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.lexicon.word_pieces import MASK, SEP
from whorl.pretraining.distillation import Distillation
from whorl.transformer.network import BlockStack, Transformer, TransformerConfig

__all__ = ["Electra", "Losses", "choose_masked"]


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of a batch, as tensors, so that nothing waits for the device."""

    generator: Tensor  # cross-entropy at the masked positions
    detection: Tensor  # binary cross-entropy over all positions
    hits: Tensor  # share of the samples that equal the original
    caught: Tensor  # share of the replaced pieces that the encoder detects
    distillation: Tensor  # weighted; 0 without a teacher


class Generator(BlockStack):
    """A small transformer over the encoder's embedding, with projections and a tied softmax."""

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
        """Score all pieces at the positions `chosen` (rows, chosen): (rows, chosen, vocabulary)."""
        states = self.run(self.ln0(self.down(functional.embedding(ids, embedding))), None)
        index = chosen[:, :, None].expand(-1, -1, states.shape[2])
        # (rows, chosen, embedding)
        projected = self.ln1(functional.gelu(self.up(states.gather(1, index))))
        return functional.linear(projected, embedding, self.bias)


class Electra(nn.Module):
    """An encoder in training, with its generator and its detection head."""

    def __init__(
        self,
        encoder: TransformerConfig,
        generator: TransformerConfig,
        distillation: Distillation | None = None,
    ) -> None:
        super().__init__()
        self.encoder = Transformer(encoder)
        self.generator = Generator(generator, encoder.width)
        self.dense = nn.Linear(encoder.width, encoder.width)
        self.out = nn.Linear(encoder.width, 1)
        for layer in (self.dense, self.out):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        self.distillation = distillation
        self._fill: Callable[..., tuple[Tensor, Tensor]] = self._sample_fillings
        self._detect: Callable[[Tensor], tuple[Tensor, Tensor]] = self._detection_scores

    def compile_parts(self, *, on: bool) -> None:
        """Choose whether both networks are compiled when they first run."""
        self._fill = (
            torch.compile(self._sample_fillings, dynamic=False) if on else self._sample_fillings
        )
        self._detect = (
            torch.compile(self._detection_scores, dynamic=False) if on else self._detection_scores
        )

    def forward(self, ids: Tensor, masked: float, random: torch.Generator) -> Losses:
        """Compute the losses of (rows, pieces); all randomness is drawn from `random`."""
        chosen = choose_masked(ids, masked, random)  # (rows, chosen)
        original = ids.gather(1, chosen)
        shape = (*chosen.shape, self.encoder.config.vocabulary)
        noise = torch.rand(shape, generator=random, device=ids.device)
        generator_loss, sampled = self._fill(ids.scatter(1, chosen, MASK), chosen, original, noise)
        filled = ids.scatter(1, chosen, sampled)
        replaced = filled != ids
        scores, distilled = self._detect(filled)  # (rows, pieces), ()
        detection_loss = functional.binary_cross_entropy_with_logits(scores, replaced.float())
        hits = (sampled == original).float().mean()
        caught = ((scores > 0) & replaced).sum() / replaced.sum().clamp(min=1)
        return Losses(generator_loss, detection_loss, hits, caught, distilled)

    def _sample_fillings(
        self, ids: Tensor, chosen: Tensor, original: Tensor, noise: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the generator's loss, and a sample of its distribution at each chosen position.

        Samples are the maxima of scores plus Gumbel noise, which is made from uniform `noise`.
        """
        scores = self.generator(ids, chosen, self.encoder.emb.weight).float()
        loss = functional.cross_entropy(scores.flatten(0, 1), original.flatten())
        sampled = (scores.detach() - (-noise.clamp(min=1e-30).log()).log()).argmax(dim=-1)
        return loss, sampled

    def _detection_scores(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of all positions, and the loss compared with a teacher."""
        if self.distillation is None:
            states, distilled = self.encoder(ids), ids.new_zeros((), dtype=torch.float32)
        else:
            states, qkv = self.encoder.encode_with_attention(ids)
            distilled = self.distillation(ids, states, qkv)
        scores: Tensor = self.out(functional.gelu(self.dense(states)))
        return scores[:, :, 0].float(), distilled


def choose_masked(ids: Tensor, share: float, random: torch.Generator) -> Tensor:
    """Choose positions to mask, equally many in each row, separators last: (rows, chosen)."""
    order = torch.rand(ids.shape, generator=random, device=ids.device)
    count = max(1, round(share * ids.shape[1]))
    return (order + (ids == SEP)).topk(count, dim=1, largest=False, sorted=False).indices
