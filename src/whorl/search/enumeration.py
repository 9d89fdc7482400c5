"""Every match of a pattern that binds names or variables, one by one, in the order of Tregex.

A pattern becomes instructions, each of which knows what to do next. An instruction that has a
choice keeps a generator on a stack; a generator binds what it chose before it yields the next
instruction, and unbinds it afterwards. So a pattern may be long and a tree deep without recursion.
Parts that bind nothing are not enumerated: how often they match was computed for the whole tree.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import TypeAlias

from whorl.search.conditions import Condition, Either, Every, NodePattern, Related
from whorl.search.context import Context
from whorl.search.labels import LabelRegex
from whorl.search.relations import RELATIONS, Relation, Tally

__all__ = ["Enumeration", "State"]

Frame: TypeAlias = "Generator[Instruction, None, None]"

_STEPS_PER_CHECK = 512


class State:
    """What is bound at the moment, and the choices that are open."""

    def __init__(self, context: Context, size: int) -> None:
        self.context = context
        self.nodes = [0] * size
        self.names: dict[str, int] = {}
        self.variables: dict[str, str] = {}
        self.stack: list[Frame] = []
        # Per negation or option that is open: its place on the stack, and what it has seen.
        self.places: dict[Instruction, int] = {}
        self.held: dict[Instruction, list[Frame]] = {}
        self.succeeded: set[Instruction] = set()
        self.accepted = False

    def close_from(self, place: int) -> None:
        """Undo and forget the choices from a place of the stack on."""
        while len(self.stack) > place:
            self.stack.pop().close()


class Instruction:
    """A step of the search."""

    then: Instruction

    def enter(self, state: State) -> None:
        """Begin: by default, open the choices."""
        state.stack.append(self.choices(state))

    def choices(self, state: State) -> Frame:
        """Bind one choice after another and yield what to do next."""
        raise NotImplementedError


class _Accept(Instruction):
    """The end: everything matches."""

    def enter(self, state: State) -> None:
        """Stop here, until the caller wants the next match."""
        state.accepted = True


class _Choose(Instruction):
    """Choose a node in a relation to a node chosen before."""

    def __init__(
        self, base: int, slot: int, relation: Relation, target: NodePattern, then: Instruction
    ) -> None:
        self._base = base
        self._slot = slot
        self._relation = relation
        self._target = target
        self.then = then

    def choices(self, state: State) -> Frame:
        """Go through the nodes of the relation that may match."""
        target, slot, context = self._target, self._slot, state.context
        possible = target.tally(context)
        if not possible:
            return
        context.timer.check()
        for node in _walk(self._relation, context, state.nodes[self._base], possible):
            if not _refers_to(target, node, state):
                continue
            bound = _bind_groups(target, node, state)
            if bound is None:
                continue
            if target.name:
                state.names[target.name] = node
            state.nodes[slot] = node
            try:
                yield self.then
            finally:
                if target.name:
                    del state.names[target.name]
                for variable in bound:
                    del state.variables[variable]


def _walk(relation: Relation, context: Context, node: int, possible: Tally) -> Iterable[int]:
    """Walk through a relation, or through the possible nodes if these are few."""
    walk = relation.walk(context, node)
    if isinstance(walk, range) and len(walk) > 4 * len(possible):
        return (node for node in possible if node in walk)
    return (node for node in walk if node in possible)


def _refers_to(target: NodePattern, node: int, state: State) -> bool:
    """Return whether a back-reference or link, if it is one, points to the node."""
    if target.same_as is not None:
        return state.names.get(target.same_as) == node
    if target.like is not None:
        other = state.names.get(target.like)
        if other is None:
            return False
        table = state.context.table
        if target.basic:
            return table.category(other) == table.category(node)
        return table.labels[other] == table.labels[node]
    return True


def _bind_groups(target: NodePattern, node: int, state: State) -> list[str] | None:
    """Bind the variables of a node; return those newly bound, or None if one is bound otherwise."""
    bound: list[str] = []
    if not target.groups:
        return bound
    table, test = state.context.table, target.label
    label = table.category(node) if test is not None and test.basic else table.labels[node]
    for number, variable in target.groups:
        value = test.regex.group(number, label) if isinstance(test, LabelRegex) else label
        known = state.variables.get(variable)
        if known is None:
            if value is not None:
                state.variables[variable] = value
                bound.append(variable)
        elif known != value:
            for other in bound:
                del state.variables[other]
            return None
    return bound


class _Repeat(Instruction):
    """Go on as often as a condition that binds nothing matches."""

    def __init__(
        self, slot: int, condition: Condition, owner: NodePattern, then: Instruction
    ) -> None:
        self._slot = slot
        self._condition = condition
        self._owner = owner
        self.then = then

    def choices(self, state: State) -> Frame:
        """Repeat."""
        context = state.context
        tally = context.memo.get(self._condition)
        if tally is None:
            nodes = self._owner.candidates(context)
            tally = context.memo[self._condition] = self._condition.tally(context, nodes)
        for _ in range(tally.get(state.nodes[self._slot], 0)):
            yield self.then


class _OneOf(Instruction):
    """Try one alternative after another."""

    def __init__(self, alternatives: list[Instruction]) -> None:
        self._alternatives = alternatives

    def choices(self, state: State) -> Frame:
        """Try all."""
        yield from self._alternatives


class _Scope(Instruction):
    """A condition within which other rules hold; `inside` ends in the instruction `_End`."""

    inside: Instruction

    def __init__(self, then: Instruction) -> None:
        self.then = then

    def enter(self, state: State) -> None:
        """Remember the place on the stack."""
        state.places[self] = len(state.stack)
        super().enter(state)


class _Not(_Scope):
    """Go on, once, if there is no match inside."""

    def choices(self, state: State) -> Frame:
        """Come back to the second step only if the first finds nothing."""
        yield self.inside
        yield self.then

    def succeed(self, state: State) -> None:
        """Give up, at the first match inside."""
        state.close_from(state.places[self])


class _FirstOrNone(_Scope):
    """Go on, once, with the first match inside, or else without."""

    def choices(self, state: State) -> Frame:
        """Undo the match when everything after it was tried."""
        try:
            yield self.inside
            if self not in state.held:
                yield self.then
        finally:
            for frame in reversed(state.held.pop(self, [])):
                frame.close()

    def succeed(self, state: State) -> None:
        """Keep what is bound, and forget the other choices."""
        place = state.places[self] + 1
        state.held[self] = state.stack[place:]
        del state.stack[place:]
        self.then.enter(state)


class _AllOrNone(_Scope):
    """Go on with every match inside, or else once without."""

    def choices(self, state: State) -> Frame:
        """Remember whether there was a match."""
        try:
            yield self.inside
            if self not in state.succeeded:
                yield self.then
        finally:
            state.succeeded.discard(self)

    def succeed(self, state: State) -> None:
        """Go on, and come back for more."""
        state.succeeded.add(self)
        self.then.enter(state)


class _End(Instruction):
    """The end of what is inside a scope."""

    def __init__(self, scope: _Not | _FirstOrNone | _AllOrNone) -> None:
        self._scope = scope

    def enter(self, state: State) -> None:
        """Leave it to the scope."""
        self._scope.succeed(state)


class Enumeration:
    """The instructions of one alternative of a pattern."""

    def __init__(self, root: NodePattern) -> None:
        self._size = 1
        self._start = self._choose(0, RELATIONS["=="], root, _Accept())

    def matches_at(self, context: Context, node: int) -> Iterator[State]:
        """Yield once for every match at a node; the state holds what is bound, until the next."""
        state = State(context, self._size)
        state.nodes[0] = node
        self._start.enter(state)
        stack = state.stack
        steps = 0
        while stack:
            steps += 1
            if not steps % _STEPS_PER_CHECK:
                context.timer.check()
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
                continue
            following.enter(state)
            if state.accepted:
                state.accepted = False
                yield state

    def _choose(
        self, base: int, relation: Relation, target: NodePattern, then: Instruction
    ) -> Instruction:
        slot = self._size
        self._size += 1
        if target.condition is not None:
            then = self._condition(target.condition, slot, target, then)
        return _Choose(base, slot, relation, target, then)

    def _condition(
        self, condition: Condition, slot: int, owner: NodePattern, then: Instruction
    ) -> Instruction:
        if not condition.captures and not condition.depends:
            return _Repeat(slot, condition, owner, then)
        if not condition.negated and not condition.optional:
            return self._plain(condition, slot, owner, then)
        scope: _Not | _FirstOrNone | _AllOrNone
        if condition.negated:
            scope = _Not(then)
        elif isinstance(condition, Related):
            scope = _FirstOrNone(then)
        else:
            scope = _AllOrNone(then)
        scope.inside = self._plain(condition, slot, owner, _End(scope))
        return scope

    def _plain(
        self, condition: Condition, slot: int, owner: NodePattern, then: Instruction
    ) -> Instruction:
        if isinstance(condition, Related):
            return self._choose(slot, condition.relation, condition.target, then)
        if isinstance(condition, Either):
            return _OneOf([self._condition(part, slot, owner, then) for part in condition.parts])
        if isinstance(condition, Every):
            for part in reversed(condition.parts):
                then = self._condition(part, slot, owner, then)
        return then
