"""The sizes of a span network, as `model.json` stores them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["SpanConfig"]


@dataclass(frozen=True, slots=True)
class SpanConfig:
    """The sizes. `transformer` is its kind and configuration, or None."""

    labels: int
    tags: int
    treebanks: int = 0
    words: int = 0
    vectors: int = 0  # rows
    characters: int = 0
    word_dim: int = 64
    vector_dim: int = 0
    character_dim: int = 64
    lstm_dim: int = 128
    lstm_layers: int = 2
    hidden_dim: int = 128
    dropout: float = 0.33
    max_arity: int = 20  # arities above share one embedding
    max_unary: int = 8
    transformer: tuple[str, dict[str, Any]] | None = None
    context: str = "lstm"
    mixed: bool = False  # layers of the transformer, not its last alone
    given_tags: int = 0  # rows of the embedding of tags that come with the words; 0: not read

    @property
    def context_encoder(self) -> str:
        """The name of the context encoder; an LSTM of 0 layers is none."""
        return "none" if self.context == "lstm" and not self.lstm_layers else self.context

    def to_dict(self) -> dict[str, Any]:
        """Return what `model.json` stores, without the defaults that older versions do not read."""
        values = asdict(self)
        for name, default in (("context", "lstm"), ("mixed", False), ("given_tags", 0)):
            if values[name] == default:
                del values[name]
        return values
