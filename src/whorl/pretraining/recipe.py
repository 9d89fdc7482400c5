"""The recipe of an encoder: its text, its sizes, its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from whorl.errors import RecipeError
from whorl.training.settings import Section, Settings
from whorl.transformer.network import TransformerConfig

__all__ = ["PretrainingRecipe"]

_HEAD = 64  # dimensions of a head where the recipe does not say how many heads there are


@dataclass(frozen=True, slots=True)
class Text(Section):
    """What to train on.

    `words` says whether they stand between spaces (`spaces`), or punctuation is still to be cut
    from them (`split`); `auto` looks at each file. `alphabet` is how many characters get a piece of
    their own; 0 chooses by the text. A `tokenizer` is taken instead of making one. Pieces and ids
    are kept in the folder `cache`, which runs may share; without it they are kept beside the
    checkpoint until the run has ended.
    """

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"words": ("auto", "spaces", "split")}
    paths: ClassVar[tuple[str, ...]] = ("text", "tokenizer", "cache")

    text: str = ""
    vocabulary: int = 20_000
    alphabet: int = 0
    words: str = "auto"
    tokenizer: str = ""
    cache: str = ""


@dataclass(frozen=True, slots=True)
class Sizes(Section):
    """The encoder and the generator that fools it; a 0 follows from the other sizes.

    There are heads of 64, a feed-forward of four widths, and a generator of half the layers and
    half the width.
    """

    layers: int = 12
    width: int = 512
    heads: int = 0
    feed_forward: int = 0
    generator_layers: int = 0
    generator_width: int = 0
    generator_heads: int = 0
    generator_feed_forward: int = 0


@dataclass(frozen=True, slots=True)
class Training(Section):
    """How to train.

    The schedule is as long as `minutes`, or as `tokens` (pieces seen) where that is not 0; `warmup`
    is a part of it. `stop`, also in pieces seen, ends the run before the schedule does. `log`
    counts steps, `save` seconds.
    """

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"precision": ("float32", "float16", "int8")}

    minutes: float = 15.0
    tokens: int = 0
    stop: int = 0
    rows: int = 512
    pieces: int = 128
    masked: float = 0.15
    detection: float = 50.0
    rate: float = 6e-4
    warmup: float = 0.06
    decay: float = 0.05
    beta: float = 0.98
    clip: float = 1.0
    seed: int = 1
    device: str = "auto"
    compile: bool = True
    log: int = 100
    save: float = 300.0
    precision: str = "float32"


@dataclass(frozen=True, slots=True)
class PretrainingRecipe(Settings):
    """A pretraining run: its text, its sizes, its settings."""

    free: ClassVar[tuple[str, ...]] = (
        *("data.text", "data.cache", "data.tokenizer"),
        *(
            f"training.{key}"
            for key in ("minutes", "tokens", "stop", "device", "compile", "save", "precision")
        ),
    )
    """What may change when a run is taken up."""

    data: Text = field(default_factory=Text)
    model: Sizes = field(default_factory=Sizes)
    training: Training = field(default_factory=Training)

    def encoder(self, vocabulary: int) -> TransformerConfig:
        """The encoder's sizes."""
        m = self.model
        return _config(vocabulary, m.layers, m.width, m.heads, m.feed_forward)

    def generator(self, vocabulary: int) -> TransformerConfig:
        """The generator's sizes."""
        m = self.model
        layers, width = (
            m.generator_layers or max(1, m.layers // 2),
            m.generator_width or m.width // 2,
        )
        return _config(vocabulary, layers, width, m.generator_heads, m.generator_feed_forward)

    def check(self) -> None:
        """Refuse what cannot be trained, before any time is spent."""
        t = self.training
        wrong = {
            "data.text": "names no raw text" if not self.data.text else "",
            "model.layers": "must be at least 1" if not self.model.layers else "",
            "training.minutes": "must be above 0, or training.tokens"
            if not (t.minutes or t.tokens)
            else "",
            "training.pieces": "must be at least 8" if t.pieces < 8 else "",
            "training.rows": "must be at least 1" if not t.rows else "",
            "training.log": "must be at least 1" if not t.log else "",
            "training.masked": "must lie between 0 and 0.5" if not 0 < t.masked <= 0.5 else "",
            "training.warmup": "must be below 1" if t.warmup >= 1 else "",
        }
        for key, reason in wrong.items():
            if reason:
                section, name = key.split(".")
                raise RecipeError(
                    f"{key} {reason}; it is {getattr(getattr(self, section), name)!r}"
                )
        self.encoder(1), self.generator(1)

    def changes(self, begun: dict[str, Any]) -> list[str]:
        """The keys in which this differs from the recipe that a run was begun with, and may not."""
        return [key for key in self.differences(begun) if key not in self.free]


def _config(
    vocabulary: int, layers: int, width: int, heads: int, feed_forward: int
) -> TransformerConfig:
    return TransformerConfig(
        vocabulary=vocabulary,
        layers=layers,
        width=width,
        heads=heads or max(1, width // _HEAD),
        feed_forward=feed_forward or 4 * width,
    )
