"""Made-up treebanks, large enough to learn a tokeniser from in a second or two."""

from __future__ import annotations

import random

from whorl.detokenisation import JoiningRules, TokenPattern
from whorl.tokenisers import TrainedTokeniser
from whorl.tokenisers.learning import learn_tokeniser
from whorl.trees import Leaf, Tree

__all__ = ["LATIN_RULES", "SPACELESS_WORDS", "latin_trees", "learn_toy", "spaceless_trees"]

STEMS = ["kala", "miro", "tuna", "selo", "bando", "rima", "dolu", "fesa", "gora", "hipu"]
NAMES = ["Sala_Miro", "Nova_Terra", "Don_Gora"]
SPACELESS_WORDS = ["かな", "さくら", "みず", "の", "は", "いぬ", "ねこ", "やま", "た", "る"]

LATIN_RULES = JoiningRules(
    name="toy",
    joiner="_",
    joined=(TokenPattern(right="nya", left=r".*\w"),),
    contractions=(("de (os?)", r"d\1"), ("a a", "à")),
)
"""A suffix that is a token, names of several words, and contractions."""


def _tree(words: list[str]) -> Tree:
    leaves = tuple(Leaf("X", word, place) for place, word in enumerate(words))
    return Tree("S", leaves)


def latin_trees(count: int = 300, seed: int = 0) -> list[Tree]:
    """Return sentences of stems with clitics, contractions, names, commas, quotes and numbers."""
    rng = random.Random(seed)
    trees = []
    for _ in range(count):
        words = [rng.choice(STEMS).capitalize()]
        for _ in range(rng.randrange(2, 7)):
            words += rng.choice(
                [
                    [rng.choice(STEMS)],
                    [rng.choice(STEMS), "nya"],
                    ["de", "o", rng.choice(STEMS)],
                    ["a", "a", rng.choice(STEMS)],
                    [rng.choice(NAMES)],
                    [",", rng.choice(STEMS)],
                    ['"', rng.choice(STEMS), '"'],
                    ["Dr.", rng.choice(STEMS).capitalize()],
                    [f"{rng.randrange(9)},{rng.randrange(9)}"],
                ]
            )
        words.append(rng.choice([".", ".", "?"]))
        trees.append(_tree(words))
    return trees


def spaceless_trees(count: int = 300, seed: int = 0) -> list[Tree]:
    """Return sentences in kana."""
    rng = random.Random(seed)
    return [
        _tree([*(rng.choice(SPACELESS_WORDS) for _ in range(rng.randrange(2, 8))), "。"])
        for _ in range(count)
    ]


def learn_toy(kind: str) -> TrainedTokeniser:
    """Learn a tokeniser of this kind from one of the treebanks."""
    trees, rules = (latin_trees(), LATIN_RULES) if kind == "unicode" else (spaceless_trees(), None)
    learnt = learn_tokeniser(trees, rules=rules, visits=60_000)
    assert learnt.tokeniser.kind == kind
    assert isinstance(learnt.tokeniser, TrainedTokeniser)
    return learnt.tokeniser
