"""The settings of a training run, chosen from the trees, each with the reason for it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from whorl.building.encoder import encoder_setting
from whorl.building.request import BuildRequest
from whorl.building.treebanks import TreebankParts
from whorl.training.recipe import Recipe, Source

__all__ = ["Choice", "CorpusFacts", "choose_settings", "make_recipe", "overridden"]

_SENTENCES_READ = 200_000
"""How many sentences a network without an encoder reads in all its epochs together."""
_SENTENCES_WITH_ENCODER = 60_000
_EPOCHS = (6, 50)
_EPOCHS_WITH_ENCODER = (3, 15)
_SMALL = 3_000
"""Treebanks of fewer trees get a smaller network, and more dropout."""
_LARGE = 20_000
"""Treebanks of more trees get larger batches."""
_WORD_LIMIT = 30_000
_VECTOR_LIMIT = 60_000
_CASED = 0.5
"""The share of cased letters from which a script distinguishes capitals."""


class Choice(NamedTuple):
    """A setting of the recipe, its value, and why."""

    key: str
    value: object
    reason: str


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """What the choices depend on."""

    trees: int
    tokens: int
    words: int
    """Different words."""
    cased: bool
    """Whether the script has capitals."""

    @classmethod
    def of(cls, treebanks: Iterable[TreebankParts]) -> CorpusFacts:
        """Count the training trees."""
        counts: Counter[str] = Counter()
        trees = 0
        for treebank in treebanks:
            trees += len(treebank.train)
            for tree in treebank.train:
                counts.update(tree.words())
        letters: Counter[bool] = Counter()
        for word, count in counts.items():
            for character in word:
                if character.isalpha():
                    letters[unicodedata.category(character) in ("Lu", "Ll", "Lt")] += count
        cased = letters[True] > _CASED * max(1, letters.total())
        return cls(trees, counts.total(), len(counts), cased)


def choose_settings(facts: CorpusFacts, request: BuildRequest, *, gpu: bool) -> list[Choice]:
    """Choose what differs from one treebank to another; the rest is in the recipe `span-bilstm`."""
    device = request.device or ("cuda" if gpu else "cpu")
    choices = [
        Choice("training.device", device, _device_reason(request, gpu)),
        *(_with_encoder(facts) if request.encoder else _without_encoder(facts)),
        Choice(
            "span.word_limit",
            min(facts.words, _WORD_LIMIT),
            f"the most frequent of {facts.words:,}"
            if facts.words > _WORD_LIMIT
            else "all different words",
        ),
        Choice(
            "data.lower_capitals",
            facts.cased,
            "sentences in capitals are read in lower case"
            if facts.cased
            else "the script has no capitals",
        ),
    ]
    if request.vectors:
        choices.append(
            Choice(
                "span.vector_limit", _VECTOR_LIMIT, "the most frequent, as in the English models"
            )
        )
    if device.startswith("cuda"):
        choices.append(Choice("training.precision", "bfloat16", "faster on a GPU, as accurate"))
    return choices


def make_recipe(
    choices: Sequence[Choice],
    request: BuildRequest,
    treebanks: Sequence[TreebankParts],
    paths: Mapping[tuple[str, str], Path],
) -> Recipe:
    """Make the recipe of a run: the choices, the files of trees, and then the user's overrides."""
    recipe = Recipe.read("span-bilstm").override(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value, _ in choices
    )
    files = {key: str(path) for key, path in paths.items()}
    if len(treebanks) == 1:
        name = treebanks[0].name
        data = [f"data.{part}={files[name, part]}" for part in ("train", "dev")]
        recipe = recipe.override(data)
    else:
        sources = tuple(
            Source(
                name=treebank.name,
                train=files[treebank.name, "train"],
                dev=files[treebank.name, "dev"],
            )
            for treebank in treebanks
        )
        convention = request.convention or treebanks[0].name
        recipe = recipe.with_section("treebank", sources).override(
            [f"data.convention={convention}"]
        )
    return recipe.override([*_inputs(request), *request.settings])


def overridden(choices: Iterable[Choice], recipe: Recipe) -> list[Choice]:
    """Return the choices with the values that the recipe has after a user's overrides."""
    tables = recipe.to_dict()

    def final(choice: Choice) -> Choice:
        section, _, key = choice.key.partition(".")
        value = tables[section][key]
        return choice if value == choice.value else Choice(choice.key, value, "set by you")

    return [final(choice) for choice in choices]


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
    small = facts.trees < _SMALL
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
        _batch(facts),
        _epochs(facts, _SENTENCES_READ, _EPOCHS),
    ]


def _with_encoder(facts: CorpusFacts) -> list[Choice]:
    return [
        Choice("span.lstm_dim", 256, "on top of the encoder"),
        Choice("span.lstm_layers", 1, "the encoder knows the context"),
        Choice("span.word_dim", 100, "beside the encoder"),
        Choice("span.character_dim", 100, "beside the encoder"),
        Choice("span.dropout", 0.33, "as in the English models"),
        Choice("training.rate", 0.001, "of everything but the encoder"),
        Choice("training.encoder_rate", 0.0001, "low, to keep what the encoder has learnt"),
        Choice("training.warmup", 200, "batches, so that the encoder is not thrown off"),
        Choice("training.batch", 32, "sentences"),
        _epochs(facts, _SENTENCES_WITH_ENCODER, _EPOCHS_WITH_ENCODER),
    ]


def _batch(facts: CorpusFacts) -> Choice:
    if facts.trees > _LARGE:
        return Choice("training.batch", 32, "sentences: a large treebank")
    return Choice("training.batch", 16, "sentences")


def _epochs(facts: CorpusFacts, sentences: int, bounds: tuple[int, int]) -> Choice:
    low, high = bounds
    epochs = max(low, min(high, round(sentences / facts.trees)))
    return Choice(
        "training.epochs", epochs, f"about {sentences:,} sentences, {low} to {high} times"
    )
