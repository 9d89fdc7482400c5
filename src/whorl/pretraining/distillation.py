"""Distillation: a small encoder learns from a large one on the text that it reads anyway.

The loss is that of MiniLMv2 (Wang et al., 2021). In one layer of each encoder, the queries of a row
are compared with each other, and so are the keys and the values, in as many *relation heads* on
both sides; the student's softmax over positions should be the teacher's. So the two may differ in
width, layers and heads, and nothing is learned that the encoder does not keep. A second loss, off
by default, compares the last vectors of both through a learned projection.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.errors import RecipeError
from whorl.pretraining.recipe import DistillationSettings
from whorl.transformer.network import Transformer, TransformerConfig

__all__ = ["Distillation", "relation_loss"]

_NARROWEST = 16  # dimensions of a relation head, if the recipe does not say how many there are


class Distillation(nn.Module):
    """A teacher, and the losses of a student compared with it.

    The teacher is no submodule: its weights are neither trained nor saved, and it stays on its
    device.
    """

    def __init__(
        self, settings: DistillationSettings, teacher: Transformer, student: TransformerConfig
    ) -> None:
        super().__init__()
        sizes = teacher.config
        self.settings = settings
        self.heads = _relation_heads(settings.heads, sizes.width, student.width)
        self.layer = _layer(settings.layer, sizes.layers)
        self._teacher = [teacher.eval().requires_grad_(requires_grad=False)]
        self.projection: nn.Linear | None = None
        if settings.vectors:
            self.projection = nn.Linear(student.width, sizes.width, bias=False)

    def forward(self, ids: Tensor, vectors: Tensor, qkv: Tensor) -> Tensor:
        """Return the loss of a student's last vectors, and of its last layer's attention inputs."""
        with torch.no_grad():
            expected, expected_qkv = self._teacher[0].encode_with_attention(ids, self.layer)
        loss = self.settings.relations * relation_loss(qkv, expected_qkv, self.heads)
        if self.projection is not None:
            difference = self.projection(vectors).float() - expected.float()
            loss = loss + self.settings.vectors * difference.square().mean()
        return loss


def relation_loss(student: Tensor, teacher: Tensor, heads: int) -> Tensor:
    """Return the mean divergence of relations between positions; (rows, pieces, 3 * width) each."""
    ours, theirs = (_relations(qkv, heads) for qkv in (student, teacher))
    divergence = functional.kl_div(ours, theirs, reduction="none", log_target=True)
    return divergence.sum(dim=-1).mean()


def _relations(qkv: Tensor, heads: int) -> Tensor:
    """Return log-probabilities of positions for each position: (3, rows, heads, pieces, pieces)."""
    rows, pieces, width = qkv.shape
    packed = qkv.float().view(rows, pieces, 3, heads, width // (3 * heads))
    vectors = packed.permute(2, 0, 3, 1, 4)  # (3, rows, heads, pieces, head)
    products = vectors @ vectors.transpose(-1, -2)
    return (products / math.sqrt(vectors.shape[-1])).log_softmax(dim=-1)


def _relation_heads(heads: int, teacher: int, student: int) -> int:
    """Return the number of relation heads, which must divide both widths."""
    common = math.gcd(teacher, student)
    if not heads:
        return max(1, common // _NARROWEST)
    if common % heads:
        raise RecipeError(
            f"distillation.heads is {heads}, but must divide the widths of the teacher, "
            f"{teacher}, and of the encoder, {student}"
        )
    return heads


def _layer(layer: int, layers: int) -> int:
    """Return the index of the teacher's layer to learn from; 0 is the last."""
    if layer > layers:
        raise RecipeError(f"distillation.layer is {layer}, but the teacher has {layers} layers")
    return (layer or layers) - 1
