"""The recipe of an encoder: its text, its sizes, its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from whorl.errors import RecipeError
from whorl.training.settings import POSITIVE, Range, Section, Settings
from whorl.transformer.network import TransformerConfig

__all__ = [
    "CorpusSettings",
    "DistillationSettings",
    "PretrainingRecipe",
    "PretrainingSettings",
    "SizeSettings",
]

_HEAD = 64  # default width of a head


@dataclass(frozen=True, slots=True)
class CorpusSettings(Section):
    """What to train on.

    `words` is `spaces` if words are separated by spaces already, `split` if punctuation must be
    split off; `auto` decides for each file. `alphabet` is the number of characters with their own
    piece; 0 decides by the text. A given `tokenizer` is used instead of learning one. The folder
    `cache` keeps pieces and ids, and may be shared by runs; without it they are kept with the
    checkpoint until the run ends.
    """

    allowed: ClassVar[Mapping[str, tuple[str, ...]]] = {"words": ("auto", "spaces", "split")}
    ranges: ClassVar[Mapping[str, Range]] = {"vocabulary": POSITIVE}
    paths: ClassVar[tuple[str, ...]] = ("text", "tokenizer", "cache")

    text: str = ""
    vocabulary: int = 20_000
    alphabet: int = 0
    words: str = "auto"
    tokenizer: str = ""
    cache: str = ""


@dataclass(frozen=True, slots=True)
class SizeSettings(Section):
    """The sizes of the encoder and of the generator that fools it; 0 derives one from the others.

    Heads are 64 wide, feed-forward layers four times the width, and a generator has half the
    layers and half the width. `start` is the folder of an encoder of these sizes, from whose
    weights and word pieces the run continues, and from its generator if it has one.
    """

    ranges: ClassVar[Mapping[str, Range]] = {"layers": POSITIVE, "width": POSITIVE}
    paths: ClassVar[tuple[str, ...]] = ("start",)

    start: str = ""
    layers: int = 12
    width: int = 512
    heads: int = 0
    feed_forward: int = 0
    generator_layers: int = 0
    generator_width: int = 0
    generator_heads: int = 0
    generator_feed_forward: int = 0


@dataclass(frozen=True, slots=True)
class PretrainingSettings(Section):
    """How to train.

    The schedule lasts for `minutes`, or for `tokens` (pieces seen) if that is not 0; `warmup` is a
    fraction of it. `stop`, also in pieces seen, ends the run earlier. `log` counts steps, `save`
    seconds.
    """

    allowed: ClassVar[Mapping[str, tuple[str, ...]]] = {"precision": ("float32", "float16", "int8")}
    ranges: ClassVar[Mapping[str, Range]] = {
        "rows": POSITIVE,
        "pieces": Range(8),
        "masked": Range(0, 0.5, with_low=False),
        "warmup": Range(0, 1, with_high=False),
        "beta": Range(0, 1, with_high=False),
        "clip": Range(0, with_low=False),
        "log": POSITIVE,
    }

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
class DistillationSettings(Section):
    """What the encoder learns from another: see `whorl.pretraining.distillation`.

    `teacher` is an encoder folder, with whose word pieces the text is read. `relations` is the
    weight of the loss over relations between pieces, in `layer` of the teacher (0: its last) and in
    the student's last; `heads` is the number of relation heads (0: as many of 16 or more dimensions
    as divide both widths). `vectors` is the weight of the loss over last vectors.
    """

    paths: ClassVar[tuple[str, ...]] = ("teacher",)

    teacher: str = ""
    relations: float = 10.0
    layer: int = 0
    heads: int = 0
    vectors: float = 0.0


_FREE = (
    *("data.text", "data.cache", "data.tokenizer", "model.start", "distillation.teacher"),
    *("training.minutes", "training.tokens", "training.stop", "training.device"),
    *("training.compile", "training.save", "training.precision"),
)
"""The keys that may change when a run is resumed."""


@dataclass(frozen=True, slots=True)
class PretrainingRecipe(Settings):
    """A pretraining run."""

    data: CorpusSettings = field(default_factory=CorpusSettings)
    model: SizeSettings = field(default_factory=SizeSettings)
    distillation: DistillationSettings = field(default_factory=DistillationSettings)
    training: PretrainingSettings = field(default_factory=PretrainingSettings)

    def encoder(self, vocabulary: int) -> TransformerConfig:
        """Return the sizes of the encoder."""
        m = self.model
        return _config(vocabulary, m.layers, m.width, m.heads, m.feed_forward)

    def generator(self, vocabulary: int) -> TransformerConfig:
        """Return the sizes of the generator."""
        m = self.model
        layers = m.generator_layers or max(1, m.layers // 2)
        width = m.generator_width or m.width // 2
        return _config(vocabulary, layers, width, m.generator_heads, m.generator_feed_forward)

    def check(self) -> None:
        """Reject a recipe that cannot be trained, before any time is spent."""
        if not self.data.text:
            raise RecipeError("data.text is empty: name a file or folder of raw text")
        if not (self.training.minutes or self.training.tokens):
            raise RecipeError("training.minutes or training.tokens must be above 0")
        distillation = self.distillation
        if distillation.teacher and not (distillation.relations or distillation.vectors):
            raise RecipeError(
                "distillation.relations and distillation.vectors are both 0: "
                "nothing is learned from the teacher"
            )
        self.encoder(1), self.generator(1)

    def changes(self, resumed: Mapping[str, Any]) -> list[str]:
        """Return the keys that differ from those of a run to resume, although they may not."""
        return [key for key in self.differences(resumed) if key not in _FREE]


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
