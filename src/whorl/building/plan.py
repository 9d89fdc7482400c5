"""The settings of a training run, chosen from the trees, each with the reason for it."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from whorl.building.encoder import encoder_setting
from whorl.building.request import BuildRequest
from whorl.building.silver import SilverTrees
from whorl.building.treebanks import TreebankParts
from whorl.building.vectors import VECTORS
from whorl.pretraining.word_vectors import VectorSettings
from whorl.training.recipe import Recipe, Source

__all__ = ["Choice", "CorpusFacts", "choose_settings", "make_recipe", "overridden", "silver_name"]

_SENTENCES_READ = 200_000
"""How many sentences a network without an encoder reads in all its epochs together."""
_SENTENCES_WITH_ENCODER = 100_000
"""60,000 were too few."""
_EPOCHS = (6, 50)
_EPOCHS_WITH_ENCODER = (3, 15)
_SENTENCES_WITH_FROZEN_ENCODER = 150_000
_SENTENCES_WITH_MANY = 400_000
_EPOCHS_WITH_MANY = (2, 10)
_SMALL = 3_000
"""Treebanks of fewer trees get a smaller network, and more dropout."""
_FEW = 20_000
"""Fewer trees than this: an encoder stays as it is, and phrases change places."""
_SUBSTITUTION = 2.0
"""With one copy of each tree instead, Dutch lost a point; four were no better."""
_EPOCHS_WITH_COPIES = (4, 50)
_LARGE = 20_000
"""Treebanks of more trees get larger batches."""
_MANY = 50_000
"""With silver trees, longer epochs get larger batches, a lower rate and less dropout."""
_WORD_LIMIT = 30_000
_WORD_LIMIT_WITH_SILVER = 20_000
_WORD_LIMIT_WITH_ENCODER = 10_000
"""With silver trees too."""
_GOLD = "gold"
"""What the only treebank is called beside silver trees, if it has no name."""
_GOLD_SHARE = 1 / 3
"""Of the sentences of an epoch, where there are silver trees."""
_MOST_WEIGHT = 4.0
"""Of a small treebank beside a large one."""
_MOST_WEIGHT_BESIDE_SILVER = 10.0
_VECTOR_LIMIT = 60_000
_VECTOR_LIMIT_WITH_ENCODER = 30_000
_VECTORS = VectorSettings()
_FEWEST_VECTORS = 2 * _VECTORS.dimension
"""Fewer words than this say too little of each other."""
_CASED = 0.5
"""The share of cased letters from which a script distinguishes capitals."""


class Choice(NamedTuple):
    """A setting of the recipe, its value, and why."""

    key: str
    value: object
    reason: str


_COPIES = Choice(
    "training.substitution",
    _SUBSTITUTION,
    "copies of each tree in which phrases have changed places: there are few trees",
)


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """What the choices depend on."""

    trees: int
    """Gold trees."""
    tokens: int
    words: int
    """Different words."""
    cased: bool
    """Whether the script has capitals."""
    treebanks: tuple[tuple[str, int], ...] = ()
    """The names of the treebanks, each with the number of its training trees."""
    silver: tuple[SilverTrees, ...] = ()
    frequent: int = 0
    """The words that occur often enough for a vector."""

    @classmethod
    def of(
        cls, treebanks: Iterable[TreebankParts], silver: Sequence[SilverTrees] = ()
    ) -> CorpusFacts:
        """Count the training trees."""
        counts: Counter[str] = Counter()
        sizes = []
        for treebank in treebanks:
            sizes.append((treebank.name, len(treebank.train)))
            for tree in treebank.train:
                counts.update(tree.words())
        letters: Counter[bool] = Counter()
        for word, count in counts.items():
            for character in word:
                if character.isalpha():
                    letters[unicodedata.category(character) in ("Lu", "Ll", "Lt")] += count
        cased = letters[True] > _CASED * max(1, letters.total())
        trees = sum(size for _, size in sizes)
        return cls(
            trees,
            counts.total(),
            len(counts),
            cased,
            tuple(sizes),
            tuple(silver),
            frequent=sum(count >= _VECTORS.least for count in counts.values()),
        )

    def weights(self) -> dict[str, float]:
        """Return how often an epoch has the trees of each treebank.

        A small treebank is read more often beside a large one, and gold trees beside silver ones.
        """
        largest = max((size for _, size in self.treebanks), default=0)
        weights = {
            name: min(_MOST_WEIGHT, math.sqrt(largest / size)) for name, size in self.treebanks
        }
        if self.silver:
            gold = sum(weights[name] * size for name, size in self.treebanks)
            factor = max(1.0, self.silver_trees * _GOLD_SHARE / (1 - _GOLD_SHARE) / gold)
            weights = {
                name: min(_MOST_WEIGHT_BESIDE_SILVER, factor * weight)
                for name, weight in weights.items()
            }
        return {name: round(weight, 1) for name, weight in weights.items()}

    def small_beside_large(self) -> list[str]:
        """Return the treebanks with few trees, where all together have many.

        Where all together have few, they are treated alike.
        """
        if self.silver or self.trees < _FEW:
            return []
        return [name for name, size in self.treebanks if size < _FEW]

    @property
    def silver_trees(self) -> int:
        """The silver trees that are learnt from."""
        return sum(one.trees for one in self.silver)

    @property
    def all_trees(self) -> int:
        """The trees that are learnt from, gold and silver."""
        return self.trees + self.silver_trees

    @property
    def epoch(self) -> int:
        """The sentences of an epoch."""
        weights = self.weights()
        gold = sum(round(weights[name] * size) for name, size in self.treebanks)
        return (gold or self.trees) + self.silver_trees


def choose_settings(
    facts: CorpusFacts, request: BuildRequest, *, gpu: bool, vectors: str = VECTORS
) -> list[Choice]:
    """Choose what differs from one treebank to another; the rest is in the recipe `span-bilstm`.

    `vectors` is the file for vectors that the build learns itself.
    """
    device = request.device or ("cuda" if gpu else "cpu")
    choices = [
        Choice("training.device", device, _device_reason(request, gpu)),
        Choice("training.precision", "bfloat16", "where the device is fast at it, else float32"),
        *(_with_encoder(facts) if request.encoder else _without_encoder(facts)),
        *(_with_frozen_encoder(facts) if _keeps_encoder(facts, request) else ()),
        *(
            _with_many_silver_trees(facts, encoder=bool(request.encoder))
            if facts.silver and facts.epoch > _MANY
            else ()
        ),
        _word_limit(facts, encoder=bool(request.encoder)),
        Choice(
            "data.lower_capitals",
            facts.cased,
            "sentences in capitals are read in lower case"
            if facts.cased
            else "the script has no capitals",
        ),
    ]
    if not request.vectors and (source := _vector_source(facts, request)):
        choices.append(Choice("data.vectors", vectors, f"learnt from {source}"))
    if request.vectors or request.text:
        choices.append(_vector_limit(request))
    return [*_last_of_each(choices), *_mixture(facts, encoder=bool(request.encoder))]


def make_recipe(
    choices: Sequence[Choice],
    request: BuildRequest,
    treebanks: Sequence[TreebankParts],
    paths: Mapping[tuple[str, str], Path],
) -> Recipe:
    """Make the recipe of a run: the choices, the files, and then the user's overrides."""
    settings = [f"{key}={_plain(value)}" for key, value, _ in choices]
    of_treebanks = [setting for setting in settings if setting.startswith("treebank.")]
    recipe = Recipe.read("span-bilstm").override(
        setting for setting in settings if not setting.startswith("treebank.")
    )
    files = {key: str(path) for key, path in paths.items()}
    if len(treebanks) == 1 and not request.silver:
        name = treebanks[0].name
        data = [f"data.{part}={files[name, part]}" for part in ("train", "dev")]
        recipe = recipe.override(data)
    else:
        sources = [
            Source(
                name=treebank.name or _GOLD,
                train=files[treebank.name, "train"],
                dev=files[treebank.name, "dev"],
            )
            for treebank in treebanks
        ]
        sources += [
            Source(name=silver_name(name), train=path, convention=name or _GOLD)
            for name, path in request.silver
        ]
        convention = request.convention or treebanks[0].name or _GOLD
        recipe = recipe.with_section("treebank", tuple(sources)).override(
            [f"data.convention={convention}"]
        )
    return recipe.override([*of_treebanks, *_inputs(request), *request.settings])


def silver_name(treebank: str) -> str:
    """Return the name of the silver trees in the convention of a treebank."""
    return f"silver-{treebank}" if treebank else "silver"


def overridden(choices: Iterable[Choice], recipe: Recipe) -> list[Choice]:
    """Return the choices with the values that the recipe has after a user's overrides."""
    tables = recipe.to_dict()
    tables |= {f"treebank.{source['name']}": source for source in tables["treebank"]}

    def final(choice: Choice) -> Choice:
        section, _, key = choice.key.rpartition(".")
        value = tables[section][key]
        return choice if value == choice.value else Choice(choice.key, value, "set by you")

    return [final(choice) for choice in choices]


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _last_of_each(choices: Sequence[Choice]) -> list[Choice]:
    """Return one choice for each setting, the last: what is more special comes later."""
    return list({choice.key: choice for choice in choices}.values())


def _inputs(request: BuildRequest) -> list[str]:
    inputs = [f"data.vectors={request.vectors}"] if request.vectors else []
    if request.encoder:
        setting = encoder_setting(Path(request.encoder))
        inputs.append(f"span.{setting}={request.encoder}")
    return inputs


def _device_reason(request: BuildRequest, gpu: bool) -> str:
    if request.device:
        return "set by you"
    return "a GPU was found" if gpu else "no GPU was found"


def _without_encoder(facts: CorpusFacts) -> list[Choice]:
    small, few = facts.all_trees < _SMALL, facts.all_trees < _FEW
    size = "a small treebank" if small else "enough trees for the full size"
    return [
        Choice("span.lstm_dim", 192 if small else 256, size),
        Choice("span.lstm_layers", 2, "over learned words and characters"),
        Choice("span.word_dim", 64, size),
        Choice("span.character_dim", 64, "for words that are not in the trees"),
        Choice("span.hidden_dim", 256, "more accurate than 128, and half as fast to decode"),
        Choice(
            "span.dropout",
            0.45 if small else 0.4,
            "against learning the trees by heart: more for fewer trees",
        ),
        _COPIES if few else Choice("training.substitution", 0.0, "there are trees enough"),
        _batch(facts),
        _epochs(facts, _SENTENCES_READ, _EPOCHS_WITH_COPIES, copies=_SUBSTITUTION)
        if few
        else _epochs(facts, _SENTENCES_READ, _EPOCHS),
    ]


def _vector_source(facts: CorpusFacts, request: BuildRequest) -> str:
    """Return what vectors are learnt from: nothing if words are too few.

    An encoder that is trained further needs none of the training trees' own.
    """
    if request.text:
        return "the text and the training trees"
    if request.encoder and not _keeps_encoder(facts, request):
        return ""
    if facts.frequent < _FEWEST_VECTORS:
        return ""
    return "the training trees: words with the same neighbours become alike"


def _with_encoder(facts: CorpusFacts) -> list[Choice]:
    return [
        Choice("span.lstm_dim", 256, "on top of the encoder"),
        Choice("span.lstm_layers", 2, "better than 1 over small encoders"),
        Choice("span.word_dim", 64, "a smaller model than with 100, and no loss seen"),
        Choice("span.character_dim", 100, "beside the encoder"),
        Choice("span.dropout", 0.33, "as in the English models"),
        Choice("training.rate", 0.001, "of everything but the encoder"),
        Choice("training.encoder_rate", 0.0001, "low, to keep what the encoder has learnt"),
        Choice("training.warmup", 200, "batches, so that the encoder is not thrown off"),
        Choice("training.batch", 32, "sentences"),
        _epochs(facts, _SENTENCES_WITH_ENCODER, _EPOCHS_WITH_ENCODER, why="60,000 were too few"),
    ]


def _vector_limit(request: BuildRequest) -> Choice:
    if request.encoder:
        reason = "the most frequent, for a small model: the encoder reads every word"
        return Choice("span.vector_limit", _VECTOR_LIMIT_WITH_ENCODER, reason)
    reason = "the most frequent, as in the English models"
    return Choice("span.vector_limit", _VECTOR_LIMIT, reason)


def _keeps_encoder(facts: CorpusFacts, request: BuildRequest) -> bool:
    """Tell whether the encoder stays as it is: there are few trees, and it is one of ours.

    Those of the `transformers` library are large, and meant to be trained further.
    """
    ours = bool(request.encoder) and not (Path(request.encoder) / "config.json").exists()
    return ours and facts.all_trees < _FEW


def _with_frozen_encoder(facts: CorpusFacts) -> list[Choice]:
    return [
        _COPIES,
        _epochs(facts, _SENTENCES_WITH_FROZEN_ENCODER, _EPOCHS_WITH_COPIES, copies=_SUBSTITUTION),
        Choice("training.encoder_rate", 0.0, "kept as it is, or few trees are learnt by heart"),
        Choice("span.encoder_mix", True, "a mixture of all its layers, which is learnt"),
        Choice("span.dropout", 0.4, "as without an encoder"),
        Choice("training.rate", 0.002, "as without an encoder"),
    ]


def _with_many_silver_trees(facts: CorpusFacts, *, encoder: bool) -> list[Choice]:
    choices = [
        Choice("span.dropout", 0.2, "less, since so many trees leave little to learn by heart"),
        Choice("training.rate", 0.001, "lower, for the many batches of silver trees"),
        Choice("training.batch", 64, "sentences: silver trees are many"),
        Choice("training.warmup", 200, "batches"),
        _epochs(facts, _SENTENCES_WITH_MANY, _EPOCHS_WITH_MANY),
    ]
    if encoder:
        reason = "higher, since there is more to learn from"
        choices.append(Choice("training.encoder_rate", 0.0002, reason))
    return choices


def _mixture(facts: CorpusFacts, *, encoder: bool) -> list[Choice]:
    """Choose the weights of the treebanks in an epoch, and the silver trees that are good enough.

    A single treebank without silver trees is no mixture.
    """
    if len(facts.treebanks) < 2 and not facts.silver:
        return []
    reason = "beside the silver trees" if facts.silver else "small treebanks are read more often"
    copied = [] if encoder else facts.small_beside_large()
    weights = [
        Choice(
            f"treebank.{name or _GOLD}.weight",
            max(1.0, round(weight / (1 + _SUBSTITUTION), 1)) if name in copied else weight,
            f"times in an epoch: {reason}",
        )
        for name, weight in facts.weights().items()
    ]
    copies = [
        Choice(
            f"treebank.{name}.substitution",
            _SUBSTITUTION,
            "copies of each tree in which phrases have changed places: a small treebank",
        )
        for name in copied
    ]
    confident = [
        Choice(
            f"treebank.{silver_name(one.name)}.least",
            one.least,
            f"confidence: {one.trees:,} of {one.all_trees:,} silver trees",
        )
        for one in facts.silver
    ]
    return weights + copies + confident


def _word_limit(facts: CorpusFacts, *, encoder: bool) -> Choice:
    if encoder and (facts.silver or facts.words > _WORD_LIMIT_WITH_ENCODER):
        return Choice(
            "span.word_limit",
            _WORD_LIMIT_WITH_ENCODER,
            "the most frequent, for a small model: the encoder reads every word",
        )
    if facts.silver:
        return Choice(
            "span.word_limit", _WORD_LIMIT_WITH_SILVER, "the most frequent, in silver trees too"
        )
    if facts.words > _WORD_LIMIT:
        return Choice("span.word_limit", _WORD_LIMIT, f"the most frequent of {facts.words:,}")
    return Choice("span.word_limit", facts.words, "all different words")


def _batch(facts: CorpusFacts) -> Choice:
    if facts.all_trees > _LARGE:
        return Choice("training.batch", 32, "sentences: a large treebank")
    return Choice("training.batch", 16, "sentences")


def _epochs(
    facts: CorpusFacts,
    sentences: int,
    bounds: tuple[int, int],
    *,
    copies: float = 0.0,
    why: str = "",
) -> Choice:
    """Choose the epochs in which a number of sentences is read; `copies` are made of each tree."""
    low, high = bounds
    epochs = max(low, min(high, round(sentences / (facts.epoch * (1 + copies)))))
    reason = f"about {sentences:,} sentences in all, but {low} to {high} epochs"
    return Choice("training.epochs", epochs, f"{reason}: {why}" if why else reason)
