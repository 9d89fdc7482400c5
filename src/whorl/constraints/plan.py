"""Plans: the constraints of one sentence, arranged by span for the parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from whorl.constraints.goals import Goal

__all__ = ["Grammar", "Plan", "WordSpan", "contains", "cross"]

WordSpan: TypeAlias = tuple[int, int]


class Grammar(NamedTuple):
    """The trees that a model can build: these labels, over any number of children."""

    labels: tuple[str, ...]
    root: str | None
    """The root that the model puts above every tree whose root has another label."""
    max_unary: int
    """How many phrases of one child may stand over one another."""

    def room(self, span: WordSpan) -> int:
        """Return how many phrases may stand over a span."""
        return self.max_unary + (span[1] - span[0] > 1)


@dataclass
class Plan:
    """What the constraints of a sentence say about each of its spans; some tree satisfies them."""

    words: int
    goals: dict[WordSpan, Goal]
    """The spans whose phrases are restricted or required; that of all words is always one."""
    whole: frozenset[WordSpan]
    """The spans that no phrase may cross, those that are required among them."""
    excluded: frozenset[WordSpan]
    """The spans over which there may be no phrase."""
    regions: frozenset[WordSpan]
    """The spans on and within which there may be no phrase without a goal."""
    tags: dict[int, str]
    """Tags by the number of their word."""
    restricts_phrases: bool
    """Whether the constraints concern more than tags."""
    required: frozenset[WordSpan] = field(init=False)
    """The spans over which there must be a phrase."""
    _admitted: dict[WordSpan, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.required = frozenset(
            span for span, goal in self.goals.items() if goal.distance(goal.start)
        )

    def tagged(self, tags: Sequence[str]) -> list[str]:
        """Return the tags of the words with those that the constraints fix."""
        return [self.tags.get(position, tag) for position, tag in enumerate(tags)]

    def admits(self, span: WordSpan) -> bool:
        """Return whether there may be a phrase over this span, whatever its label."""
        if span not in self._admitted:
            self._admitted[span] = not any(cross(span, other) for other in self.whole) and (
                span in self.goals
                or not (
                    span in self.excluded or any(contains(region, span) for region in self.regions)
                )
            )
        return self._admitted[span]


def cross(span: WordSpan, other: WordSpan) -> bool:
    """Return whether the spans share words and neither contains the other."""
    return span[0] < other[0] < span[1] < other[1] or other[0] < span[0] < other[1] < span[1]


def contains(span: WordSpan, other: WordSpan) -> bool:
    """Return whether all words of the other span are in this one."""
    return span[0] <= other[0] and other[1] <= span[1]
