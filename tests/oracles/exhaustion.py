"""Proof of the dynamic oracles: every small tree, every state, and the least loss by brute force.

Nothing here knows how the oracles count. The least loss of a state is found by following every
legal transition to the end. Two facts about the systems, not the oracles, make that feasible:

- What can still be built depends only on a state's *frontier*: the left edges of the items on the
  stack, the open phrases, the labels on the spans of the two topmost items, and the buffer. The
  inside of complete items no longer matters. So each frontier is visited once.
- For the non-binary system, exchanging the two labels on one span, in the gold tree and in the
  states alike, changes nothing: no rule of the system looks at labels, and constituents on
  different spans do not interact. So one gold tree is enough for all trees that such exchanges turn
  into each other. (`test_labels_on_one_span_may_be_exchanged` checks that the oracle honours this.)
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from whorl.oracles.gold import built_spans, chain_labels
from whorl.transitions import OpenPhrase, State, System, Transition
from whorl.trees import Leaf, Node, Span, Tree

LABELS = ("A", "B")


@cache
def all_nodes(words: int, max_unary: int) -> tuple[Node, ...]:
    """Return every tree over `words` words with two labels and bounded chains, or a bare leaf."""
    bases: list[Node] = [Leaf("T", "w")] if words == 1 else []
    for parts in compositions(words):
        if len(parts) > 1:
            for children in itertools.product(*(all_nodes(part, max_unary) for part in parts)):
                bases += [Tree(label, children) for label in LABELS]
    nodes = list(bases)
    for _ in range(max_unary):
        bases = [Tree(label, [node]) for node in bases for label in LABELS]
        nodes += bases
    return tuple(nodes)


def all_trees(words: int, max_unary: int) -> list[Tree]:
    """Return `all_nodes` without the bare leaf."""
    return [node for node in all_nodes(words, max_unary) if isinstance(node, Tree)]


def compositions(total: int) -> Iterator[tuple[int, ...]]:
    """Yield the compositions of a number: all ordered sums."""
    for bars in itertools.product((False, True), repeat=total - 1):
        cuts = [0, *(i + 1 for i, bar in enumerate(bars) if bar), total]
        yield tuple(b - a for a, b in itertools.pairwise(cuts))


def constituent_class(tree: Tree) -> frozenset[tuple[int, int, tuple[int, ...]]]:
    """Return the constituents of a tree up to the exchange of labels on any span."""
    by_span: dict[tuple[int, int], Counter[str]] = {}
    for label, left, right in tree.spans():
        by_span.setdefault((left, right), Counter())[label] += 1
    return frozenset(
        (left, right, tuple(sorted(c.values()))) for (left, right), c in by_span.items()
    )


@cache
def _class_nodes(words: int, max_unary: int) -> tuple[Node, ...]:
    """Return one node per class: on each span at least as many A as B, with A below."""
    nodes: list[Node] = []
    if words == 1:
        bases: list[tuple[Node, int]] = [(Leaf("T", "w"), 0)]
    else:
        bases = [
            (Tree("A", children), 1)
            for parts in compositions(words)
            if len(parts) > 1
            for children in itertools.product(*(_class_nodes(part, max_unary) for part in parts))
        ]
    for node, on_span in bases:
        for unaries in range(max_unary + 1):
            total = on_span + unaries
            for others in range(total // 2 + 1):  # B on the span, no more than A
                grown = node
                for label in ["A"] * (unaries - others) + ["B"] * others:
                    grown = Tree(label, [grown])
                nodes.append(grown)
    return tuple(nodes)


def class_representatives(words: int, max_unary: int) -> list[Tree]:
    """Return one tree per class of trees over `words` words (see the module's docstring)."""
    return [node for node in _class_nodes(words, max_unary) if isinstance(node, Tree)]


def frontier(state: State) -> tuple[object, ...]:
    """Return all that a state's future depends on."""
    described: list[object] = []
    for depth, item in enumerate(state.items()):
        if isinstance(item, OpenPhrase):
            described.append(item)
        elif depth < 2:
            described.append(
                (item.left, tuple(sorted(chain_labels(item).elements())), unaries(item))
            )
        else:
            described.append(item.left)
    return (state.buffer, state.finished, *described)


def unaries(item: Node) -> int:
    count = 0
    while isinstance(item, Tree) and len(item.children) == 1:
        count += 1
        item = item.children[0]
    return count


class Step(NamedTuple):
    """A legal transition, its target frontier, and the constituent built with its twins so far."""

    transition: Transition
    target: int
    built: Span | None
    twins: int


class Universe:
    """Every frontier of a system over `words` words with its legal steps, targets first."""

    def __init__(self, system: System, words: int) -> None:
        self.system = system
        self.states: list[State] = []
        self.steps: list[list[Step]] = []
        self._index: dict[tuple[object, ...], int] = {}
        self.start = self._visit(system.initial([Leaf("T", "w")] * words))

    def _visit(self, state: State) -> int:
        key = frontier(state)
        if key in self._index:
            return self._index[key]
        steps = []
        for transition in self.system.legal(state):
            after = self.system.apply(state, transition)
            steps.append(Step(transition, self._visit(after), *_built_by(state, after)))
        if not steps and not self.system.is_final(state):
            raise AssertionError(f"dead end: {frontier(state)}")
        self._index[key] = len(self.states)
        self.states.append(state)
        self.steps.append(steps)
        return self._index[key]

    def least_losses(self, gold: Tree) -> list[int]:
        """Return by how much each frontier's best completion changes the difference to gold."""
        wanted = Counter(gold.spans())
        best: list[int] = []
        for steps in self.steps:  # targets come first
            best.append(min((best[s.target] + change(s, wanted) for s in steps), default=0))
        return best


def _built_by(before: State, after: State) -> tuple[Span | None, int]:
    if after.stack is None or after.finished or after.stack is before.stack:
        return None, 0
    top = after.stack.item
    if not isinstance(top, Tree) or after.buffer != before.buffer:
        return None, 0
    return top.span, chain_labels(top)[top.label] - 1


def change(step: Step, wanted: Counter[Span]) -> int:
    """Return by how much a step changes the symmetric difference to gold."""
    if step.built is None:
        return 0
    return -1 if step.twins < wanted[step.built] else 1


def difference(state: State, gold: Tree) -> int:
    """Return the symmetric difference between the built constituents and gold."""
    built, wanted = built_spans(state), Counter(gold.spans())
    return (built - wanted).total() + (wanted - built).total()
