"""From constraints to a plan, or to an error that names those that no tree satisfies together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from whorl.constraints.constraint import Constraint
from whorl.constraints.goals import Goal
from whorl.constraints.plan import Grammar, Plan, WordSpan, contains, cross
from whorl.errors import ConstraintError
from whorl.trees import Leaf

__all__ = ["make_plan"]

_PER_SPAN = ("span", "not_span", "chain")


def make_plan(
    tokens: Sequence[str] | Sequence[Leaf],
    constraints: Iterable[Constraint],
    grammar: Grammar,
    *,
    source: str = "",
    describe: Callable[[Constraint], str] | None = None,
) -> Plan:
    """Check and arrange the constraints of a sentence of one word or more.

    Some tree satisfies them exactly if no required span crosses another or one that must stay
    whole, the constraints on each span allow some chain of phrases over it, and no word has two
    tags: then a tree of the required phrases alone satisfies them. So checking spans one by one and
    in pairs finds every conflict.

    `source` and `describe` are for messages: where the constraints are from, and how to name one.
    """
    return _Planner(tokens, constraints, grammar, source, describe).plan()


class _Planner:
    """The constraints of one sentence while they are checked."""

    def __init__(
        self,
        tokens: Sequence[str] | Sequence[Leaf],
        constraints: Iterable[Constraint],
        grammar: Grammar,
        source: str,
        describe: Callable[[Constraint], str] | None,
    ) -> None:
        self.tokens = tokens
        self.words = [token if isinstance(token, str) else token.word for token in tokens]
        self.all_words = 0, len(self.words)
        self.constraints = tuple(constraints)
        self.grammar = grammar
        self.source = source
        self.describe = describe or self._describe

    def plan(self) -> Plan:
        """Check the constraints and return the plan."""
        for constraint in self.constraints:
            self._check_offsets(constraint)
            self._check_labels(constraint)
        goals, excluded = self._goals()
        return Plan(
            words=len(self.words),
            goals=goals,
            whole=frozenset(self._whole()),
            excluded=frozenset(excluded),
            regions=frozenset(map(_span, self._of_kind("only"))),
            tags=self._tags(),
            restricts_phrases=any(each.kind != "tag" for each in self.constraints),
        )

    def _of_kind(self, *kinds: str) -> list[Constraint]:
        return [constraint for constraint in self.constraints if constraint.kind in kinds]

    def _error(self, reason: str, *constraints: Constraint) -> ConstraintError:
        names = " and ".join(map(self.describe, constraints))
        return ConstraintError(f"{names}: {reason}", constraints, self.source)

    def _describe(self, constraint: Constraint) -> str:
        left, right = constraint.left, constraint.right
        if left is None or left >= len(self.words):
            return constraint.describe()
        return constraint.describe(text=" ".join(self.words[left : right or left + 1]))

    def _check_offsets(self, constraint: Constraint) -> None:
        if constraint.left is None:
            return
        count = len(self.words)
        if (constraint.right or constraint.left + 1) > count:
            raise self._error(f"the sentence has {count} word{'s' * (count != 1)}", constraint)

    def _check_labels(self, constraint: Constraint) -> None:
        if constraint.kind == "tag":
            return
        known = {*self.grammar.labels}
        if self.grammar.root and (constraint.kind == "root" or _span(constraint) == self.all_words):
            known.add(self.grammar.root)
        for label in constraint.names or ():
            if label not in known:
                raise self._error(
                    f"the model has no label {label!r}, only {', '.join(sorted(known))}", constraint
                )

    def _tags(self) -> dict[int, str]:
        first: dict[int, Constraint] = {}
        tags: dict[int, str] = {}
        for constraint in self._of_kind("tag"):
            left = constraint.left or 0
            (tag,) = constraint.names or ("",)
            token = self.tokens[left]
            if isinstance(token, Leaf) and token.tag != tag:
                raise self._error(f"the word comes with the tag {token.tag}", constraint)
            if tags.setdefault(left, tag) != tag:
                raise self._error("a word has one tag", first[left], constraint)
            first.setdefault(left, constraint)
        return tags

    def _whole(self) -> set[WordSpan]:
        """Return the spans that nothing may cross; raise an error if required spans cross any."""
        required = {_span(each): each for each in self._of_kind("span", "chain")}
        enclosing: list[WordSpan] = []  # spans that contain one another and perhaps the next
        for span in sorted(required, key=lambda span: (span[0], -span[1])):
            while enclosing and enclosing[-1][1] <= span[0]:
                enclosing.pop()
            if enclosing and cross(enclosing[-1], span):
                raise self._error("they cross each other", required[enclosing[-1]], required[span])
            enclosing.append(span)
        for constraint in self._of_kind("no_crossing"):
            for span, other in required.items():
                if cross(_span(constraint), span):
                    raise self._error("the second crosses the first", constraint, other)
        return {*required, *map(_span, self._of_kind("no_crossing"))}

    def _goals(self) -> tuple[dict[WordSpan, Goal], set[WordSpan]]:
        """Return a goal for each span with constraints of its own, and the spans to exclude."""
        goals: dict[WordSpan, Goal] = {}
        excluded: set[WordSpan] = set()
        for span, constraints in self._by_span().items():
            if span != self.all_words and all(_excludes(each) for each in constraints):
                excluded.add(span)
            else:
                goals[span] = self._checked_goal(span, constraints)
        return goals, excluded

    def _by_span(self) -> dict[WordSpan, list[Constraint]]:
        """Group the constraints that concern the phrases over one span."""
        by_span: dict[WordSpan, list[Constraint]] = {self.all_words: self._of_kind("root")}
        for constraint in self._of_kind(*_PER_SPAN):
            by_span.setdefault(_span(constraint), []).append(constraint)
        for constraint in self._of_kind("only"):
            for span, constraints in by_span.items():
                if contains(_span(constraint), span):
                    constraints.append(constraint)
        return by_span

    def _checked_goal(self, span: WordSpan, constraints: list[Constraint]) -> Goal:
        room = self.grammar.room(span)
        goal = self._goal(span, constraints, room)
        if _is_possible(goal):
            return goal
        for constraint in tuple(constraints):  # leave out those that are not at fault
            fewer = [each for each in constraints if each is not constraint]
            if not _is_possible(self._goal(span, fewer, room)):
                constraints = fewer
        raise self._error(self._conflict(span, constraints), *constraints)

    def _conflict(self, span: WordSpan, constraints: list[Constraint]) -> str:
        """Say why these constraints allow no chain of phrases over this span."""
        goal = self._goal(
            span, constraints, 1 + sum(len(each.names or ".") for each in constraints)
        )
        distance = goal.distance(goal.start)
        if distance is not None:
            where = "one word" if span[1] - span[0] == 1 else "the same words"
            return (
                f"this takes {distance} phrases over one another, and the model builds at most "
                f"{self.grammar.room(span)} over {where}"
            )
        if len(constraints) > 1:
            return "no tree satisfies " + ("both" if len(constraints) == 2 else "all of these")
        if constraints[0].names is None:
            return "every tree has a phrase over all words"
        if self.grammar.root in constraints[0].names:
            return f"every tree of this model has the root {self.grammar.root}"
        return "no label is left for a phrase that every tree has"

    def _goal(self, span: WordSpan, constraints: list[Constraint], room: int) -> Goal:
        """Combine the constraints on one span."""
        every = frozenset(self.grammar.labels)
        kinds: dict[str, list[Constraint]] = {}
        for constraint in constraints:
            kinds.setdefault(constraint.kind, []).append(constraint)
        own_root = self.grammar.root if span == self.all_words else None
        spans, chains = kinds.get("span", []), kinds.get("chain", [])
        needed = bool(spans) or span == self.all_words
        required = [frozenset(each.names) for each in spans if each.names is not None]
        strict = "only" in kinds and not chains
        if strict and needed and not required:
            required = [every]
        roots = [frozenset(each.names or ()) for each in kinds.get("root", [])]
        forbidden = [each.names or every for each in kinds.get("not_span", [])]
        return Goal(
            labels=self.grammar.labels,
            room=room,
            required=tuple(sorted(required, key=sorted)),
            needed=needed,
            forbidden=frozenset().union(*forbidden),
            strict=strict,
            chains=tuple((each.names or ())[::-1] for each in chains),
            roots=tuple(labels for labels in roots if own_root not in labels),
            own_root=own_root,
        )


def _span(constraint: Constraint) -> WordSpan:
    return constraint.left or 0, constraint.right or 0


def _excludes(constraint: Constraint) -> bool:
    return constraint.kind == "not_span" and constraint.names is None


def _is_possible(goal: Goal) -> bool:
    return goal.distance(goal.start) is not None
