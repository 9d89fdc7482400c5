"""The span network's section of a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from whorl.training.settings import POSITIVE, Range, Section

__all__ = ["SpanSettings"]


@dataclass(frozen=True, slots=True)
class SpanSettings(Section):
    """The section `[span]`; a size of 0 omits that part.

    `encoder` is the folder of one of our transformers, or of a parser whose transformer is used.
    Of its layers, every `encoder_every`-th is kept, then the first `encoder_layers` of those (0:
    all). `encoder_mix` gives a word a learnt mixture of their vectors, instead of the last layer's.
    `huggingface` names a model of the `transformers` library instead. `context` names the
    context encoder on top (see `whorl.span.encoders.registry`): by default a BiLSTM, or none if
    that has 0 layers.

    `word_limit` learns only the most frequent words, `vector_limit` reads only the first vectors
    (0: all), to keep the model small.
    """

    ranges: ClassVar[Mapping[str, Range]] = {
        "hidden_dim": POSITIVE,
        "encoder_every": POSITIVE,
        "dropout": Range(0, 1, with_high=False),
    }
    paths: ClassVar[tuple[str, ...]] = ("encoder",)

    word_dim: int = 64
    word_limit: int = 0
    vector_limit: int = 0
    character_dim: int = 64
    context: str = "lstm"
    lstm_dim: int = 256
    lstm_layers: int = 2
    hidden_dim: int = 128
    dropout: float = 0.33
    encoder: str = ""
    encoder_layers: int = 0
    encoder_every: int = 1
    encoder_mix: bool = False
    huggingface: str = ""
