"""The constraints of a batch as arrays, for many states at once.

`whorl.transitions.constrained` is the definition and proves that no state is a dead end; the tests
check that the two agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from whorl.constraints import Goal, Plan, Progress
from whorl.span.candidates import Candidates, Ints, Restriction

__all__ = ["ConstraintTables"]

_FREE = 0
"""A span without a goal, and the progress over one."""

_CLOSED = -1
"""A span over which there may be no phrase; as progress, where an illegal label would lead."""


class ConstraintTables:
    """The plans of a batch; None is a sentence without constraints.

    Two tables are indexed by sentence, left and right edge: the number of the span's goal, and the
    largest left edge before this one at which a required phrase begins that ends at the right edge,
    or -1.
    """

    def __init__(self, plans: Sequence[Plan | None], labels: Sequence[str]) -> None:
        self._numbers = _ProgressNumbers(labels)
        self._constrained = np.array([plan is not None for plan in plans])
        self._width: Ints = np.array([0 if plan is None else plan.words + 1 for plan in plans])
        sizes = self._width * self._width
        self._offset: Ints = np.cumsum(sizes) - sizes
        tables = [self._tabulate(plan) for plan in plans if plan is not None]
        self._goal = np.concatenate([goal.ravel() for goal, _ in tables])
        self._due = np.concatenate([due.ravel() for _, due in tables])
        self._starts = np.array(self._numbers.starts)

    def _tabulate(self, plan: Plan) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        shape = plan.words + 1, plan.words + 1
        goals = np.full(shape, _FREE, dtype=np.int32)
        due = np.full(shape, -1, dtype=np.int32)
        for left, right in plan.regions:
            goals[left:right, left + 1 : right + 1] = _CLOSED
        for span in plan.excluded:
            goals[span] = _CLOSED
        for span, goal in plan.goals.items():
            goals[span] = self._numbers.of_goal(goal)
        for left, right in plan.whole:  # no span may begin or end within, and end or begin outside
            goals[:left, left + 1 : right] = _CLOSED
            goals[left + 1 : right, right + 1 :] = _CLOSED
        for left, right in sorted(plan.required):
            due[left + 1 :, right] = left
        return goals, due

    @property
    def free(self) -> Ints:
        """The sentences without constraints."""
        return np.flatnonzero(~self._constrained)

    def windows(self, sentence: Ints, window: int) -> Ints:
        """Return the largest arity of each sentence: constraints may require any."""
        limits: Ints = np.where(self._constrained[sentence], self._width[sentence], window)
        return limits

    def first_progress(self) -> Ints:
        """Return the progress of the states before which only the first word was shifted."""
        sentence = np.arange(len(self._width))
        zeros = np.zeros_like(sentence)
        return self.progress(sentence, zeros, zeros + 1, zeros, zeros, zeros)

    def progress(
        self, sentence: Ints, left: Ints, right: Ints, arity: Ints, label: Ints, before: Ints
    ) -> Ints:
        """Return the progress after transitions that put this span on top of the stack."""
        after = np.full(len(sentence), _FREE)
        rows = np.flatnonzero(self._constrained[sentence])
        goal = self._goal[self._places(sentence[rows], left[rows], right[rows])]
        with_goal = goal > 0
        rows, goal = rows[with_goal], goal[with_goal]
        start = self._starts[goal]
        below = np.where(arity[rows] == 1, before[rows], start)
        steps = self._numbers.after(below)[np.arange(len(rows)), label[rows]]
        after[rows] = np.where(arity[rows] == 0, start, steps)
        return after

    def restriction(
        self, candidates: Candidates, sentence: Ints, first: Ints, buffer: Ints, progress: Ints
    ) -> Restriction:
        """Return which candidates, and which of their labels, the constraints exclude.

        The other arrays hold one value per state; `first` is the row of its first fencepost.
        """
        c = candidates
        rows = np.flatnonzero(self._constrained[sentence][c.state])
        state, arity = c.state[rows], c.arity[rows]
        left = c.left[rows] - first[state]
        goal = self._goal[self._places(sentence[state], left, buffer[state])]
        unmet = self._numbers.missing(progress) > 0
        next_left = self._next_left(c, sentence, first, buffer)
        due = unmet | (next_left >= 0)
        blocked = np.where(
            arity > 0,
            (goal == _CLOSED) | (left < next_left[state]) | ((arity > 1) & unmet[state]),
            due[state],
        )
        with_goal = np.flatnonzero((arity > 0) & (goal > 0) & ~blocked)
        before = np.where(
            arity[with_goal] == 1, progress[state[with_goal]], self._starts[goal[with_goal]]
        )
        after = self._numbers.after(before)  # (with goal, 1 + labels)
        missing = self._numbers.missing(before)[:, None]
        idle = np.where(
            (missing > 0) | (arity[with_goal] == 1)[:, None],
            self._numbers.missing(after) >= missing,
            False,
        )
        illegal = after == _CLOSED
        return Restriction(
            blocked=rows[blocked],
            limited=rows[with_goal],
            illegal=illegal,
            due=due,
            idle_rows=rows[(arity == 1) & due[state] & (goal <= 0)],
            idle=idle | illegal,
        )

    def _next_left(self, c: Candidates, sentence: Ints, first: Ints, buffer: Ints) -> Ints:
        """Return where the next phrase begins that is due below the topmost item, or -1."""
        next_left = np.full(len(sentence), -1)
        states = np.flatnonzero(self._constrained[sentence])
        top = c.left[c.starts[states]] - first[states]
        next_left[states] = self._due[self._places(sentence[states], top, buffer[states])]
        return next_left

    def _places(self, sentence: Ints, left: Ints, right: Ints) -> Ints:
        places: Ints = self._offset[sentence] + left * self._width[sentence] + right
        return places


class _ProgressNumbers:
    """Numbers for goals and for the progress over their spans, from 1 on.

    Where labels lead is computed when it is first asked for.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.starts = [_FREE]
        """By goal, the progress before the first phrase."""
        self._labels = labels
        self._goals: dict[Goal, int] = {}
        self._numbers: dict[tuple[int, Progress], int] = {}
        self._known: list[tuple[Goal, int, Progress]] = []
        self._missing = np.zeros(1, dtype=np.int64)
        self._after = np.zeros((1, 1 + len(labels)), dtype=np.int64)
        self._is_filled = np.ones(1, dtype=np.bool_)

    def of_goal(self, goal: Goal) -> int:
        """Return the number of a goal."""
        number = self._goals.get(goal)
        if number is None:
            number = self._goals[goal] = len(self.starts)
            self.starts.append(self._of_progress(goal, number, goal.start))
        return number

    def missing(self, numbers: Ints) -> Ints:
        """Return how many phrases are missing at each progress."""
        self._grow()
        missing: Ints = self._missing[numbers]
        return missing

    def after(self, numbers: Ints) -> Ints:
        """Return where each label leads from each progress, column 0 unused: (n, 1 + labels)."""
        self._grow()
        for number in np.unique(numbers[~self._is_filled[numbers]]).tolist():
            goal, goal_number, progress = self._known[number - 1]
            steps = [goal.next(progress, label) for label in self._labels]
            row = [
                _CLOSED if step is None else self._of_progress(goal, goal_number, step)
                for step in steps
            ]
            self._after[number, 1:] = row
            self._is_filled[number] = True
        rows: Ints = self._after[numbers]
        return rows

    def _of_progress(self, goal: Goal, goal_number: int, progress: Progress) -> int:
        key = goal_number, progress
        number = self._numbers.get(key)
        if number is None:
            self._known.append((goal, goal_number, progress))
            number = self._numbers[key] = len(self._known)
        return number

    def _grow(self) -> None:
        """Make room in the arrays for progress that has got its number since."""
        new = self._known[len(self._missing) - 1 :]
        if new:
            missing = [goal.distance(progress) or 0 for goal, _, progress in new]
            self._missing = np.append(self._missing, missing)
            self._is_filled = np.append(self._is_filled, np.zeros(len(new), dtype=np.bool_))
            rows = np.zeros((len(new), self._after.shape[1]), dtype=np.int64)
            self._after = np.concatenate([self._after, rows])
