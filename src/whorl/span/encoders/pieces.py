"""Word vectors from a transformer over word pieces: Whorl's own, or one of `transformers`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from whorl.errors import ModelError
from whorl.transformer.network import Transformer, TransformerConfig

__all__ = ["HuggingFace", "PieceFeatures"]


class HuggingFace(nn.Module):
    """An encoder of the `transformers` library, with the interface of Whorl's own."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    @property
    def width(self) -> int:
        """The length of a vector."""
        return int(self.model.config.hidden_size)  # type: ignore[union-attr,arg-type]

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the last layer's vectors: (rows, pieces, width)."""
        vectors: Tensor = self.model(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        return vectors

    def describe(self) -> dict[str, Any]:
        """Return the library's configuration, from which `rebuild` makes the same network."""
        config: dict[str, Any] = self.model.config.to_dict()  # type: ignore[union-attr,operator]
        return config

    @classmethod
    def load(cls, name: str) -> HuggingFace:
        """Load an encoder with its weights, by name or folder."""
        return cls(_library().AutoModel.from_pretrained(name))

    @staticmethod
    def tokenizer(name: str) -> tuple[Any, int, int, int]:
        """Load a tokenizer, with the ids of its start, end and unknown pieces."""
        loaded = _library().AutoTokenizer.from_pretrained(name, add_prefix_space=True)
        start, end = loaded.cls_token_id, loaded.sep_token_id
        if start is None or end is None or not loaded.is_fast:
            raise ModelError(
                f"the tokenizer of {name} cannot be used: it must be a fast tokenizer with CLS and"
                " SEP tokens"
            )
        return loaded.backend_tokenizer, start, end, loaded.unk_token_id or 0

    @classmethod
    def rebuild(cls, config: dict[str, Any]) -> HuggingFace:
        """Make an encoder without its weights."""
        library = _library()
        return cls(library.AutoModel.from_config(library.AutoConfig.for_model(**config)))


class PieceFeatures(nn.Module):
    """A word's vector is the mean of those of its first and last piece.

    They come from the last layer, or are a mixture of all layers, whose weights are learnt for each
    dimension (after Peters et al., 2018).
    """

    def __init__(self, transformer: Transformer | HuggingFace, *, mixed: bool = False) -> None:
        super().__init__()
        self.transformer = transformer
        self.mix: nn.Parameter | None = None
        if mixed and isinstance(transformer, Transformer):
            layers = transformer.config.layers + 1  # with the embeddings
            self.mix = nn.Parameter(torch.full((layers, transformer.config.width), 1 / layers))
        self.frozen = False
        """Whether the transformer stays as it is, while the rest learns."""
        self.width = (
            transformer.width if isinstance(transformer, HuggingFace) else transformer.config.width
        )

    @classmethod
    def rebuild(cls, kind: str, config: dict[str, Any], *, mixed: bool = False) -> PieceFeatures:
        """Make the network that `describe` described, without its weights."""
        if kind == "huggingface":
            return cls(HuggingFace.rebuild(config))
        return cls(Transformer(TransformerConfig(**config)), mixed=mixed)

    @property
    def longest(self) -> int:
        """The maximum number of pieces in a chunk, marks and the library's reserve left out."""
        if isinstance(self.transformer, HuggingFace):
            longest = getattr(self.transformer.model.config, "max_position_embeddings", None)
            if isinstance(longest, int):
                return longest - 4
        return 1 << 30

    def describe(self) -> tuple[str, dict[str, Any]]:
        """Return the kind of transformer and its configuration."""
        if isinstance(self.transformer, HuggingFace):
            return "huggingface", self.transformer.describe()
        config = self.transformer.config
        return "whorl", {name: getattr(config, name) for name in config.__slots__}

    def forward(self, pieces: Tensor, chunks: Tensor, ends: Tensor) -> Tensor:
        """Encode padded (chunks, pieces) of lengths `chunks` as (words, width)."""
        mask = torch.arange(pieces.shape[1], device=pieces.device) < chunks[:, None]
        layers = self._layers(pieces, mask)
        if self.mix is None:
            vectors = layers[-1]
        else:
            vectors = torch.stack(
                [weight * layer for weight, layer in zip(self.mix, layers, strict=True)]
            ).sum(dim=0)
        vectors = vectors.flatten(0, 1)  # (chunks * pieces, width)
        return (vectors[ends[:, 0]] + vectors[ends[:, 1]]) / 2

    def freeze(self) -> None:
        """Keep the transformer as it is."""
        self.frozen = True
        self.transformer.requires_grad_(requires_grad=False)

    def _layers(self, pieces: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the vectors of all layers, if they are mixed, or else of the last."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            if self.mix is not None and isinstance(self.transformer, Transformer):
                return self.transformer.encode_layers(pieces, mask)
            return [self.transformer(pieces, mask)]


def _library() -> Any:
    try:
        return import_module("transformers")
    except ImportError as error:
        raise ModelError(
            "this encoder needs the transformers library: pip install 'whorl[huggingface]'"
        ) from error
