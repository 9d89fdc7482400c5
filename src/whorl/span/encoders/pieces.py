"""A transformer over word pieces, as a part of the words' features: ours, or one of the `transformers` library."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from whorl.errors import ModelError
from whorl.transformer.network import Transformer, TransformerConfig

__all__ = ["HuggingFace", "PieceFeatures"]


class HuggingFace(nn.Module):
    """An encoder of the `transformers` library behind the interface of ours."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    @property
    def width(self) -> int:
        """The length of a vector."""
        return int(self.model.config.hidden_size)  # type: ignore[union-attr,arg-type]

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The last layer's vectors: (rows, pieces, width)."""
        found: Tensor = self.model(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        return found

    def describe(self) -> dict[str, Any]:
        """The library's own configuration, from which `rebuild` makes the same network."""
        config: dict[str, Any] = self.model.config.to_dict()  # type: ignore[union-attr,operator]
        return config

    @classmethod
    def load(cls, name: str) -> HuggingFace:
        """An encoder by its name or folder, with its weights."""
        return cls(_library().AutoModel.from_pretrained(name))

    @staticmethod
    def tokenizer(name: str) -> tuple[Any, int, int, int]:
        """Its tokenizer, and the numbers of the pieces that begin and end a sentence and stand for the unknown."""
        found = _library().AutoTokenizer.from_pretrained(name, add_prefix_space=True)
        if found.cls_token_id is None or found.sep_token_id is None or not found.is_fast:
            raise ModelError(
                f"the tokenizer of {name} is of no kind that can be used: it needs marks, and to be fast"
            )
        return (
            found.backend_tokenizer,
            found.cls_token_id,
            found.sep_token_id,
            found.unk_token_id or 0,
        )

    @classmethod
    def rebuild(cls, config: dict[str, Any]) -> HuggingFace:
        """An encoder without its weights."""
        library = _library()
        return cls(library.AutoModel.from_config(library.AutoConfig.for_model(**config)))


class PieceFeatures(nn.Module):
    """A word's vector: the mean of its first and its last piece."""

    def __init__(self, transformer: Transformer | HuggingFace) -> None:
        super().__init__()
        self.transformer = transformer
        self.width = (
            transformer.width if isinstance(transformer, HuggingFace) else transformer.config.width
        )

    @classmethod
    def rebuild(cls, kind: str, config: dict[str, Any]) -> PieceFeatures:
        """The network that `describe` told of, without its weights."""
        if kind == "huggingface":
            return cls(HuggingFace.rebuild(config))
        return cls(Transformer(TransformerConfig(**config)))

    @property
    def longest(self) -> int:
        """The most pieces that it can read at once, marks and those of the library's own left out."""
        if isinstance(self.transformer, HuggingFace):
            most = getattr(self.transformer.model.config, "max_position_embeddings", None)
            return int(most) - 4 if isinstance(most, int) else 1 << 30
        return 1 << 30

    def describe(self) -> tuple[str, dict[str, Any]]:
        """The kind of transformer and its configuration."""
        if isinstance(self.transformer, HuggingFace):
            return "huggingface", self.transformer.describe()
        config = self.transformer.config
        return "whorl", {name: getattr(config, name) for name in config.__slots__}

    def forward(self, pieces: Tensor, chunks: Tensor, ends: Tensor) -> Tensor:
        """Chunks (chunks, pieces) of so many pieces to (words, width)."""
        mask = torch.arange(pieces.shape[1], device=pieces.device) < chunks[:, None]
        vectors: Tensor = self.transformer(pieces, mask).flatten(0, 1)  # (chunks * pieces, width)
        return (vectors[ends[:, 0]] + vectors[ends[:, 1]]) / 2


def _library() -> Any:
    try:
        transformers = import_module("transformers")
    except ImportError as error:
        raise ModelError(
            "this encoder needs the transformers library: pip install 'whorl[huggingface]'"
        ) from error
    return transformers
