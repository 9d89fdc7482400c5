"""Scoring one sentence like EVALB."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from whorl.escapes import escape_brackets
from whorl.evaluation.crossing import count_crossing
from whorl.evaluation.figures import percent
from whorl.evaluation.flat import Bracket, Flat, flatten
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.quotes import restored_quotes
from whorl.evaluation.rules import Rules, rules_of
from whorl.trees import Leaf, Node, Tree

__all__ = [
    "SentenceScore",
    "SentenceTrees",
    "Status",
    "align",
    "flatten_pair",
    "forest_of",
    "score_flat",
    "score_sentence",
]

SentenceTrees: TypeAlias = Node | Sequence[Node] | None
"""The trees of one sentence: one tree, any number of them, or None if it could not be read."""


class Status(IntEnum):
    """EVALB's verdict on a sentence."""

    VALID = 0
    ERROR = 1
    SKIPPED = 2


class SentenceScore(NamedTuple):
    """The counts for one sentence. Unless its status is VALID, all but `length` are zero.

    `matched`, `gold` and `predicted` count brackets, `crossing` the predicted brackets that cross a
    gold one, `words` the words left after deletion, and `tags` the correct tags among them.
    `message` is EVALB's error message without the sentence's number.
    """

    number: int
    length: int
    status: Status
    matched: int = 0
    gold: int = 0
    predicted: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0
    message: str = ""

    @property
    def recall(self) -> float:
        """Matched brackets in percent of gold ones."""
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        """Matched brackets in percent of predicted ones."""
        return percent(self.matched, self.predicted)

    @property
    def tagging(self) -> float:
        """Correct tags in percent of words."""
        return percent(self.tags, self.words)

    @property
    def exact(self) -> bool:
        """Whether the brackets on both sides are the same."""
        return self.status is Status.VALID and self.matched == self.gold == self.predicted


def score_sentence(
    gold: SentenceTrees, predicted: SentenceTrees, params: Parameters = COLLINS, *, number: int = 1
) -> SentenceScore:
    """Score one sentence; `number` is its place in the corpus."""
    return score_flat(*flatten_pair(gold, predicted, rules_of(params)), rules_of(params), number)


def forest_of(sentence: SentenceTrees) -> Sequence[Node]:
    """Return the trees of a sentence as a sequence."""
    if sentence is None:
        return ()
    return (sentence,) if isinstance(sentence, Tree | Leaf) else sentence


def flatten_pair(
    gold: SentenceTrees, predicted: SentenceTrees, rules: Rules
) -> tuple[Flat, Flat, str]:
    """Flatten both sides, with quotes restored if that may help.

    Returns both, and why they cannot be compared, or an empty string.
    """
    first, second = forest_of(gold), forest_of(predicted)
    ours, theirs = flatten(first, rules), flatten(second, rules)
    if gold is None or predicted is None:
        return ours, theirs, f"Unreadable ({'gold' if gold is None else 'predicted'} sentence)"
    if len(ours.words) != len(theirs.words) and theirs.words and rules.params.quote:
        ours_restored, theirs_restored = restored_quotes(ours, theirs, rules.params)
        ours = flatten(first, rules, restored=ours_restored)
        theirs = flatten(second, rules, restored=theirs_restored)
    return ours, theirs, _difference(ours.words, theirs.words, rules.params)


def score_flat(
    gold: Flat, predicted: Flat, message: str, rules: Rules, number: int
) -> SentenceScore:
    """Score the result of `flatten_pair`."""
    if message:
        return SentenceScore(number, gold.length, Status.ERROR, message=message)
    words = len(gold.words)
    if not predicted.words:
        return SentenceScore(number, gold.length, Status.SKIPPED)
    return SentenceScore(
        number,
        gold.length,
        Status.VALID,
        _count_matches(gold.brackets, predicted.brackets, rules),
        len(gold.brackets),
        len(predicted.brackets),
        count_crossing(gold.brackets, predicted.brackets, words),
        words,
        _count_tags(gold.tags, predicted.tags, rules.params),
    )


def align(gold: Sequence[Bracket], predicted: Sequence[Bracket], rules: Rules) -> list[int | None]:
    """Return for each gold bracket the index of the predicted one that it matches, or None.

    Pairs are EVALB's: gold brackets choose in order, each the first matching one still free.
    """
    free: dict[Bracket, deque[int]] = {}
    for j, bracket in enumerate(predicted):
        free.setdefault(bracket, deque()).append(j)
    pairs: list[int | None] = []
    for left, right, key in gold:
        queues = [queue for equal in rules.equals(key) if (queue := free.get((left, right, equal)))]
        pairs.append(min(queues, key=_first).popleft() if queues else None)
    return pairs


def _first(queue: deque[int]) -> int:
    return queue[0]


def _count_matches(gold: Sequence[Bracket], predicted: Sequence[Bracket], rules: Rules) -> int:
    """Count the pairs that `align` makes; by sets if no bracket occurs twice on both sides."""
    if rules.representatives is not None:
        ours, theirs = set(gold), set(predicted)
        if len(ours) == len(gold) or len(theirs) == len(predicted):
            return len(ours & theirs)
    return sum(match is not None for match in align(gold, predicted, rules))


def _count_tags(gold: Sequence[str], predicted: Sequence[str], params: Parameters) -> int:
    if gold == predicted:
        return len(gold)
    same = params.same_label
    return sum(a == b or same(a, b) for a, b in zip(gold, predicted, strict=True))


def _difference(gold: Sequence[str], predicted: Sequence[str], params: Parameters) -> str:
    """Return EVALB's message if two sentences cannot be compared, else an empty string."""
    if gold == predicted or not predicted:
        return ""
    if len(gold) != len(predicted):
        return f"Length unmatch ({len(gold)}|{len(predicted)})"
    for a, b in zip(gold, predicted, strict=True):
        if a != b and not params.same_word(a, b):
            return f"Words unmatch ({escape_brackets(a)}|{escape_brackets(b)})"
    return ""
