"""Inputs with constraints, which count the words of a sentence or the characters of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, TypeAlias

from whorl.constraints import Constraint, Grammar, Plan, make_plan
from whorl.engine.protocol import Tokens
from whorl.errors import ConstraintError
from whorl.text import SentenceSpan

__all__ = ["ConstrainedInput", "Constraints", "beside", "locate", "plan_sentence", "plan_text"]

Constraints: TypeAlias = Iterable[Constraint | Mapping[str, Any]]
"""Constraints, or dictionaries as `Constraint.to_dict` makes them."""


@dataclass(frozen=True, slots=True)
class ConstrainedInput:
    """A text or the words of a sentence, with constraints on its trees.

    `source` names the constraints in messages, for example by file and line; by default, they are
    those of input 1, 2, ... of a stream.
    """

    input: str | Tokens
    constraints: Constraints
    source: str = ""

    def read(self) -> list[Constraint]:
        """Return the constraints, made of dictionaries where these are given."""
        some = self.constraints
        if isinstance(some, (str, Mapping)) or not isinstance(some, Iterable):
            reason = f"expected a list of constraints, not {some!r:.80}"
            raise ConstraintError(reason, (), self.source)
        try:
            return [
                each if isinstance(each, Constraint) else Constraint.from_dict(each)
                for each in some
            ]
        except ConstraintError as error:
            raise ConstraintError(error.reason, (), self.source) from None

    def __len__(self) -> int:
        return len(self.input)


def beside(
    inputs: Iterable[Any], constraints: Iterable[Constraints | None]
) -> Iterator[tuple[Any, Constraints | None]]:
    """Yield each input with the constraints beside it; there must be as many of both."""
    missing: Any = object()
    for number, pair in enumerate(zip_longest(inputs, constraints, fillvalue=missing)):
        if pair[0] is missing:
            many = f"{number} input{'s' * (number != 1)}"
            raise ConstraintError(f"there are constraints for more than the {many}")
        if pair[1] is missing:
            raise ConstraintError(
                f"there are constraints for only {number} of the inputs: None is for none"
            )
        yield pair


def plan_sentence(item: ConstrainedInput, tokens: Tokens, grammar: Grammar) -> Plan | None:
    """Check the constraints of a sentence; an empty one can have constraints on its root only."""
    constraints = item.read()
    if not tokens and all(each.kind == "root" for each in constraints):
        return None
    return make_plan(tokens, constraints, grammar, source=item.source)


def plan_text(
    item: ConstrainedInput, sentences: Sequence[SentenceSpan], grammar: Grammar
) -> list[Plan | None]:
    """Check the constraints of a text and return those of each of its sentences."""
    places = _Places(item, sentences)
    return [
        make_plan(
            sentence.words,
            located,
            grammar,
            source=item.source,
            describe=partial(places.describe_located, sentence=number),
        )
        if located
        else None
        for number, (sentence, located) in enumerate(zip(sentences, places.located, strict=True))
    ]


def locate(item: ConstrainedInput, sentences: Sequence[SentenceSpan]) -> list[list[Constraint]]:
    """Return the constraints of a text sentence by sentence, with offsets in words.

    A constraint on the root is one on the root of every sentence.
    """
    return _Places(item, sentences).located


class _Places:
    """The constraints of a text, and the characters at which its words begin and end."""

    def __init__(self, item: ConstrainedInput, sentences: Sequence[SentenceSpan]) -> None:
        self._text = str(item.input)
        self._source = item.source
        self._tokens = [token for sentence in sentences for token in sentence.tokens]
        self._begin: dict[int, tuple[int, int]] = {}
        self._end: dict[int, tuple[int, int]] = {}
        for number, sentence in enumerate(sentences):
            for position, token in enumerate(sentence.tokens):
                # The period of `U.S.` at the end of a sentence also is a word of its own.
                self._begin.setdefault(token.start, (number, position))
                self._end.setdefault(token.end, (number, position + 1))
        self.located: list[list[Constraint]] = [[] for _ in sentences]
        self._originals: dict[tuple[int, Constraint], Constraint] = {}
        for original in item.read():
            for number, constraint in self._locate(original):
                self.located[number].append(constraint)
                self._originals[number, constraint] = original

    def describe_located(self, constraint: Constraint, *, sentence: int) -> str:
        """Describe a constraint on the words of a sentence as the text has it."""
        return self._describe(self._originals[sentence, constraint])

    def _locate(self, constraint: Constraint) -> Iterator[tuple[int, Constraint]]:
        """Yield the number of each sentence that has the constraint, and it in words of that."""
        left, right = constraint.left, constraint.right
        if left is None:
            yield from ((number, constraint) for number in range(len(self.located)))
            return
        if left not in self._begin:
            raise self._misplaced(constraint, "begins", left)
        number, first = self._begin[left]
        if right is None:
            yield number, constraint.at(first, None)
            return
        if right not in self._end:
            raise self._misplaced(constraint, "ends", right)
        last_number, last = self._end[right]
        if number != last_number:
            raise self._error(constraint, "it is not within one sentence")
        yield number, constraint.at(first, last)

    def _describe(self, constraint: Constraint) -> str:
        left, right = constraint.left, constraint.right
        if left is None:
            return constraint.describe()
        if right is None:
            token = next((each for each in self._tokens if each.start == left), None)
            right = left if token is None else token.end
        return constraint.describe("characters", self._text[left:right])

    def _misplaced(self, constraint: Constraint, verb: str, offset: int) -> ConstraintError:
        reason = f"no word {verb} at character {offset}"
        for token in self._tokens:
            if token.start < offset < token.end:
                reason += f", which is within {token.text!r} ({token.start}:{token.end})"
        return self._error(constraint, reason)

    def _error(self, constraint: Constraint, reason: str) -> ConstraintError:
        message = f"{self._describe(constraint)}: {reason}"
        return ConstraintError(message, [constraint], self._source)
