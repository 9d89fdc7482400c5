"""Scoring one sentence as EVALB does."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from whorl.escapes import escape_brackets
from whorl.evaluation.crossing import count_crossing
from whorl.evaluation.flat import Bracket, Flat, flatten
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.quotes import restored_quotes
from whorl.evaluation.rules import Rules, rules_of
from whorl.trees import Leaf, Node, Tree

__all__ = [
    "SentenceScore",
    "SentenceTrees",
    "Status",
    "aligned",
    "compared",
    "forest_of",
    "score_flat",
    "score_sentence",
]

SentenceTrees: TypeAlias = Node | Sequence[Node] | None
"""A tree; or the trees of one line, of which there may be none; or None, a sentence that could not be read."""


class Status(IntEnum):
    """EVALB's verdict on a sentence."""

    VALID = 0
    ERROR = 1
    SKIPPED = 2


class SentenceScore(NamedTuple):
    """The counts for one sentence, which are all zero but `length` unless its status is valid.

    `matched`, `gold` and `predicted` count brackets, `crossing` the predicted brackets that cross a gold one,
    `words` the words left after deletion and `tags` the correct tags among them. `message` tells an error
    as EVALB does, without the sentence's number.
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
        """Matched brackets in 100 gold ones."""
        return 100.0 * self.matched / self.gold if self.gold else 0.0

    @property
    def precision(self) -> float:
        """Matched brackets in 100 predicted ones."""
        return 100.0 * self.matched / self.predicted if self.predicted else 0.0

    @property
    def tagging(self) -> float:
        """Correct tags in 100 words."""
        return 100.0 * self.tags / self.words if self.words else 0.0

    @property
    def exact(self) -> bool:
        """Whether the brackets on both sides are the same."""
        return self.status is Status.VALID and self.matched == self.gold == self.predicted


def score_sentence(
    gold: SentenceTrees, predicted: SentenceTrees, params: Parameters = COLLINS, *, number: int = 1
) -> SentenceScore:
    """Score one sentence; `number` is its place in the corpus, for messages."""
    return score_flat(*compared(gold, predicted, rules_of(params)), rules_of(params), number)


def forest_of(sentence: SentenceTrees) -> Sequence[Node]:
    """The trees of a sentence."""
    if sentence is None:
        return ()
    return (sentence,) if isinstance(sentence, Tree | Leaf) else sentence


def compared(gold: SentenceTrees, predicted: SentenceTrees, rules: Rules) -> tuple[Flat, Flat, str]:
    """Both sides laid flat, quotes restored where that may help, and why they cannot be compared, if so."""
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
    """Score what `compared` gives."""
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


def aligned(
    gold: Sequence[Bracket], predicted: Sequence[Bracket], rules: Rules
) -> list[int | None]:
    """For each gold bracket the predicted one that it matches, by place, as EVALB pairs them.

    Gold brackets choose in their order, each the first predicted bracket that is still free.
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
    """How many pairs `aligned` makes; without making them where no bracket occurs twice on both sides."""
    if rules.representatives is not None:
        ours, theirs = set(gold), set(predicted)
        if len(ours) == len(gold) or len(theirs) == len(predicted):
            return len(ours & theirs)
    return sum(match is not None for match in aligned(gold, predicted, rules))


def _count_tags(gold: Sequence[str], predicted: Sequence[str], params: Parameters) -> int:
    if gold == predicted:
        return len(gold)
    same = params.same_label
    return sum(a == b or same(a, b) for a, b in zip(gold, predicted, strict=True))


def _difference(gold: Sequence[str], predicted: Sequence[str], params: Parameters) -> str:
    """In EVALB's words, why two sentences cannot be compared; nothing where they can, or one is empty."""
    if gold == predicted or not predicted:
        return ""
    if len(gold) != len(predicted):
        return f"Length unmatch ({len(gold)}|{len(predicted)})"
    for a, b in zip(gold, predicted, strict=True):
        if a != b and not params.same_word(a, b):
            return f"Words unmatch ({escape_brackets(a)}|{escape_brackets(b)})"
    return ""
