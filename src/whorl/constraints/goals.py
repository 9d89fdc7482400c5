"""Goals: which phrases may, and which must, be built over one span, one above the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Goal", "Progress"]

_PHRASE, _GOOD_ROOT, _OWN_ROOT = 1, 2, 4
"""What is known of a phrase: it is there, its label may be the root's, it is the model's root."""


class Progress(NamedTuple):
    """What matters of the phrases that are built over a span so far."""

    matched: frozenset[int]
    """The sets of requirements, as bits, that the phrases can meet, each by one of its own."""
    below: int
    top: int
    """The two topmost phrases."""
    room: int
    """How many more phrases may stand above."""


@dataclass(frozen=True)
class Goal:
    """The chains of phrases over one span that the constraints allow: a finite automaton.

    A chain is built from the bottom up, so its state, a `Progress`, is that of all stacks that end
    with this span. Chains of different spans are independent. So a tree is right if no two spans
    cross and each chain is accepted, and a partial tree can become right if each chain can be
    continued until it is: `distance` is the number of phrases that it still needs.
    """

    labels: tuple[str, ...]
    """All labels of the model."""
    room: int
    """The largest number of phrases over the span."""
    required: tuple[frozenset[str], ...] = ()
    """Labels of which one is required; each element needs a phrase of its own."""
    needed: bool = False
    """Whether there must be a phrase."""
    forbidden: frozenset[str] = frozenset()
    strict: bool = False
    """Whether every phrase must be one that is required."""
    chains: tuple[tuple[str, ...], ...] = ()
    """Labels from the bottom up, each the whole chain."""
    roots: tuple[frozenset[str], ...] = ()
    """Over all words: sets of labels; that of the root must be in each. The root is the top of the
    chain, or the phrase below it if the top is the model's own root."""
    own_root: str | None = None
    """Over all words: the root that the model puts above, unless the chain ends with it."""
    _next: dict[tuple[Progress, str], Progress | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    _distances: dict[Progress, int | None] = field(default_factory=dict, compare=False, repr=False)

    @property
    def start(self) -> Progress:
        """The progress before the first phrase."""
        return Progress(frozenset([0]), 0, 0, self.room)

    def next(self, progress: Progress, label: str) -> Progress | None:
        """Return the progress after a phrase with this label; None if that leads nowhere."""
        key = progress, label
        if key not in self._next:
            after = self._step(progress, label)
            if after is not None and self.distance(after) is None:
                after = None
            self._next[key] = after
        return self._next[key]

    def distance(self, progress: Progress) -> int | None:
        """Return how many phrases are missing until the chain is accepted; None if it never is.

        A search by breadth over the labels that differ; every phrase takes room, so it ends.
        """
        if progress not in self._distances:
            self._distances[progress] = self._search(progress)
        return self._distances[progress]

    def _search(self, progress: Progress) -> int | None:
        labels = self._different_labels()
        frontier, distance = {progress}, 0
        while frontier:
            if any(map(self._accepts, frontier)):
                return distance
            steps = (self._step(each, label) for each in frontier for label in labels)
            frontier = {after for after in steps if after is not None}
            distance += 1
        return None

    def _different_labels(self) -> list[str]:
        """Return one label of each kind that the goal distinguishes."""
        in_chains = {label for chain in self.chains for label in chain}
        return list({self._kind(label, in_chains): label for label in self.labels}.values())

    def _kind(self, label: str, in_chains: set[str]) -> tuple[object, ...]:
        return (
            label in self.forbidden,
            *(label in labels for labels in self.required),
            self._marks(label),
            label in in_chains and label,
        )

    def _marks(self, label: str) -> int:
        if not self.roots and self.own_root is None:
            return _PHRASE
        good = all(label in labels for labels in self.roots)
        return _PHRASE | good * _GOOD_ROOT | (label == self.own_root) * _OWN_ROOT

    def _step(self, progress: Progress, label: str) -> Progress | None:
        """Return the progress after a phrase, whether or not the chain can be completed then."""
        if not progress.room or label in self.forbidden:
            return None
        done = self.room - progress.room
        if any(len(chain) <= done or chain[done] != label for chain in self.chains):
            return None
        matched = {
            bits | 1 << number
            for bits in progress.matched
            for number, labels in enumerate(self.required)
            if not bits >> number & 1 and label in labels
        }
        if not self.strict:
            matched |= progress.matched
        if not matched:
            return None
        return Progress(_largest(matched), progress.top, self._marks(label), progress.room - 1)

    def _accepts(self, progress: Progress) -> bool:
        if self.own_root is not None:
            return self._accepts_with_root(progress, self.own_root)
        if self.needed and not progress.top:
            return False
        done = self.room - progress.room
        return (
            self._all_matched(progress.matched)
            and all(len(chain) == done for chain in self.chains)
            and (not self.roots or bool(progress.top & _GOOD_ROOT))
        )

    def _accepts_with_root(self, progress: Progress, own_root: str) -> bool:
        """Accept a chain over all words, above which the model puts its root unless it is there."""
        if not progress.top or own_root in self.forbidden:
            return False
        added = not progress.top & _OWN_ROOT
        done = self.room - progress.room
        for chain in self.chains:
            if len(chain) != done and not (
                added and len(chain) == done + 1 and chain[-1] == own_root
            ):
                return False
        if self.roots:
            child = progress.below if not added and progress.below else progress.top
            if not child & _GOOD_ROOT:
                return False
        return self._all_matched(progress.matched) or (
            added and self._all_matched(self._matched_by(own_root, progress.matched))
        )

    def _matched_by(self, label: str, matched: frozenset[int]) -> frozenset[int]:
        return frozenset(
            bits | 1 << number
            for bits in matched
            for number, labels in enumerate(self.required)
            if label in labels
        )

    def _all_matched(self, matched: frozenset[int]) -> bool:
        return (1 << len(self.required)) - 1 in matched


def _largest(matched: set[int]) -> frozenset[int]:
    """Drop sets of requirements that are part of others: whatever completes them completes those.

    A strict chain has none, since all its sets have as many elements as it has phrases.
    """
    return frozenset(
        bits
        for bits in matched
        if not any(bits != other and bits & other == bits for other in matched)
    )
