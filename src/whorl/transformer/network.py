"""Whorl's own transformer encoder: pre-norm blocks with rotary positions, over word pieces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.errors import ModelError
from whorl.transformer.folder import (
    ENCODER_JSON,
    Precision,
    read_encoder_description,
    read_weights,
    write_weights,
)

__all__ = ["Transformer", "TransformerConfig"]


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """The sizes."""

    vocabulary: int
    layers: int = 12
    width: int = 512
    heads: int = 8
    feed_forward: int = 2048
    rotary_base: float = 10_000.0

    def __post_init__(self) -> None:
        if min(self.vocabulary, self.width, self.heads, self.feed_forward) < 1 or self.layers < 0:
            raise ModelError(f"an encoder's sizes must be positive: {self}")
        if self.width % (2 * self.heads):
            raise ModelError(
                f"a width of {self.width} cannot be split into {self.heads} heads of even size"
            )


class Rotary(nn.Module):
    """Rotary positions: the first half of a head's dimensions is rotated with the second."""

    inverse: Tensor

    def __init__(self, head: int, base: float) -> None:
        super().__init__()
        steps = torch.arange(0, head, 2, dtype=torch.float32) / head
        self.register_buffer("inverse", base**-steps, persistent=False)  # (head / 2)

    def forward(self, pieces: int) -> tuple[Tensor, Tensor]:
        """Return cosines and sines of the first positions: (pieces, head / 2) each."""
        positions = torch.arange(pieces, device=self.inverse.device, dtype=torch.float32)
        angles = positions[:, None] * self.inverse[None, :]
        return angles.cos(), angles.sin()


def rotate(values: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    """Rotate queries or keys (rows, heads, pieces, head) by their positions."""
    a, b = values.chunk(2, dim=-1)
    return torch.cat([a * cosines - b * sines, b * cosines + a * sines], dim=-1).to(values.dtype)


def attend(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """Mix values (rows, heads, pieces, head) by attention to the pieces where `mask` is true."""
    if queries.device.type == "cpu" and queries.dtype == torch.bfloat16:
        # Plain products use the processor's bfloat16 units; PyTorch's fused attention does not.
        scores = queries @ keys.transpose(-2, -1) * queries.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights: Tensor = scores.softmax(dim=-1, dtype=queries.dtype)
        return weights @ values
    return functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


class Block(nn.Module):
    """Attention and feed-forward layers, each over normed input and added to the stream."""

    def __init__(self, width: int, heads: int, feed_forward: int) -> None:
        super().__init__()
        self.heads = heads
        self.n1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.o = nn.Linear(width, width)
        self.n2 = nn.LayerNorm(width)
        self.f1 = nn.Linear(width, feed_forward)
        self.f2 = nn.Linear(feed_forward, width)

    def forward(self, x: Tensor, cosines: Tensor, sines: Tensor, mask: Tensor | None) -> Tensor:
        """Run a block over (rows, pieces, width); `mask` (rows, 1, 1, pieces) is true at pieces."""
        x = x + self._attention(self.n1(x), cosines, sines, mask)
        update: Tensor = self.f2(functional.gelu(self.f1(self.n2(x))))
        return x + update

    def _attention(self, x: Tensor, cosines: Tensor, sines: Tensor, mask: Tensor | None) -> Tensor:
        rows, pieces, width = x.shape
        packed = self.qkv(x).view(rows, pieces, 3, self.heads, width // self.heads)
        q, k, v = packed.permute(2, 0, 3, 1, 4).unbind(0)  # (rows, heads, pieces, head) each
        mixed = attend(rotate(q, cosines, sines), rotate(k, cosines, sines), v, mask)
        out: Tensor = self.o(mixed.transpose(1, 2).reshape(rows, pieces, width))
        return out


class BlockStack(nn.Module):
    """Blocks and a final norm: vectors in, vectors out."""

    def __init__(
        self, layers: int, width: int, heads: int, feed_forward: int, rotary_base: float
    ) -> None:
        super().__init__()
        self.rotary = Rotary(width // heads, rotary_base)
        self.blocks = nn.ModuleList([Block(width, heads, feed_forward) for _ in range(layers)])
        self.ln = nn.LayerNorm(width)

    def run(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Run all over (rows, pieces, width); `mask` (rows, pieces) is true at pieces."""
        cosines, sines = self.rotary(x.shape[1])
        attended = None if mask is None else mask[:, None, None, :]
        for block in self.blocks:
            x = block(x, cosines, sines, attended)
        out: Tensor = self.ln(x)
        return out

    def reset_parameters(self) -> None:
        """Initialise matrices by the width, smaller where they add to the stream; zero biases."""
        width = self.ln.normalized_shape[0]
        for name, parameter in self.named_parameters():
            if name == "emb.weight":
                nn.init.normal_(parameter, std=0.02)
            elif parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.5 / width**0.5)
                if name.endswith((".o.weight", ".f2.weight")):
                    parameter.data /= (2 * len(self.blocks)) ** 0.5
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)


class Transformer(BlockStack):
    """The encoder: ids of pieces in, one vector per piece out."""

    def __init__(self, config: TransformerConfig) -> None:
        c = config
        super().__init__(c.layers, c.width, c.heads, c.feed_forward, c.rotary_base)
        self.config = config
        self.emb = nn.Embedding(c.vocabulary, c.width)
        self.ln0 = nn.LayerNorm(c.width)
        self.reset_parameters()

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Encode `ids` (rows, pieces) as (rows, pieces, width).

        `mask`, of the same shape, is true at pieces and false at padding; without it, there is no
        padding. Vectors at padding are meaningless.
        """
        return self.run(self.ln0(self.emb(ids)), mask)

    def encode_layers(self, ids: Tensor, mask: Tensor | None = None) -> list[Tensor]:
        """Encode `ids` as the vectors of all layers, normed; the last are those of `forward`.

        The first are the embeddings. Only the last norm has weights of its own.
        """
        x, cosines_and_sines = self.ln0(self.emb(ids)), self.rotary(ids.shape[1])
        attended = None if mask is None else mask[:, None, None, :]
        streams = []
        for block in self.blocks:
            streams.append(x)
            x = block(x, *cosines_and_sines, attended)
        width = (self.config.width,)
        return [*(functional.layer_norm(stream, width) for stream in streams), self.ln(x)]

    def encode_with_attention(self, ids: Tensor, layer: int = -1) -> tuple[Tensor, Tensor]:
        """Encode `ids`, and return queries, keys and values of a layer: (rows, pieces, 3 * width).

        They are packed, and taken before positions rotate them.
        """
        watched = layer % len(self.blocks)
        x, cosines_and_sines = self.ln0(self.emb(ids)), self.rotary(ids.shape[1])
        for number, module in enumerate(self.blocks):
            block = cast(Block, module)
            if number == watched:
                qkv: Tensor = block.qkv(block.n1(x))
            x = block(x, *cosines_and_sines, None)
        return self.ln(x), qkv

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.emb.weight.device

    @classmethod
    def load(cls, folder: str | Path) -> Transformer:
        """Read an encoder folder."""
        folder = Path(folder)
        description = read_encoder_description(folder)
        try:
            config = TransformerConfig(**description.config)
        except TypeError as error:
            raise ModelError(
                f"{folder / ENCODER_JSON}: this version cannot read the config: {error}"
            ) from error
        with torch.device("meta"):
            model = cls(config)
        weights = read_weights(
            description, {name: tuple(t.shape) for name, t in model.state_dict().items()}
        )
        model.load_state_dict(weights, assign=True)
        model.rotary = Rotary(config.width // config.heads, config.rotary_base)
        return model.eval()

    def thin(self, *, layers: int = 0, every: int = 1) -> None:
        """Keep every `every`-th layer, then the first `layers` of those (0: all)."""
        kept = list(self.blocks)[:: max(1, every)]
        if layers > len(kept):
            raise ModelError(
                f"cannot keep {layers} layers of the encoder: there are only {len(kept)}"
            )
        kept = kept[: layers or None]
        self.blocks = nn.ModuleList(kept)
        self.config = replace(self.config, layers=len(kept))

    def save(
        self, folder: str | Path, *, precision: Precision = "float32", **described: object
    ) -> None:
        """Write weights and `encoder.json`, with any further values for that file."""
        c = self.config
        config = {name: getattr(c, name) for name in c.__slots__}
        write_weights(
            Path(folder), self.state_dict(), config, precision=precision, described=described
        )
