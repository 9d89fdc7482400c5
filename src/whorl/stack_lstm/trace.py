"""Traces: what a sequence of transitions does to the network's stack, as indices.

The structure of a training sequence is known in advance, so the network need not take it step by
step. A composed vector depends only on the words below it, and a stack state only on its top
element and the state below. So compositions are computed level by level and stack states depth by
depth, for all sentences of a batch at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from whorl.transitions.effects import Effect, Kind, Marker

__all__ = ["Composition", "EffectStack", "Trace", "trace"]


@dataclass(frozen=True, slots=True)
class Composition:
    """A reduce: its effect, its children in reading order, and its height above the words."""

    effect: Effect
    children: tuple[int, ...]
    level: int


@dataclass(slots=True)
class Trace:
    """The trace of one sentence.

    Elements are numbered: first the words, then what transitions create (`created`: composed
    phrases and opened labels). Nodes are stack states, with 0 the empty stack; each has an element
    on top of a parent node. `tops` and `buffers` are the node and the buffer position of each step.
    """

    words: int
    tops: list[int] = field(default_factory=list)
    buffers: list[int] = field(default_factory=list)
    created: list[Composition | Effect] = field(default_factory=list)
    elements: list[int] = field(default_factory=lambda: [-1])
    parents: list[int] = field(default_factory=lambda: [-1])
    depths: list[int] = field(default_factory=lambda: [0])


class EffectStack:
    """A stack of numbered elements that effects change, in training and in parsing."""

    __slots__ = ("buffer", "elements", "nodes")

    def __init__(self) -> None:
        self.buffer = 0
        self.elements: list[int] = []
        self.nodes: list[int] = [0]

    def take(self, effect: Effect) -> list[int]:
        """Pop what a reduce takes, and return its children: the head first, if it is known."""
        count = effect.takes
        taken = self.elements[-count:]
        del self.elements[-count:]
        del self.nodes[-count:]
        if effect.marker is not Marker.NONE:
            del taken[0 if effect.marker is Marker.BEFORE_CHILDREN else 1]
        if effect.head:
            taken.insert(0, taken.pop(effect.head))
        return taken

    def push(self, element: int, node: int) -> None:
        """Push an element, in a new node."""
        self.elements.append(element)
        self.nodes.append(node)


def trace(words: int, effects: Iterable[Effect]) -> Trace:
    """Trace the effects of a sequence over a number of words."""
    result = Trace(words)
    stack = EffectStack()
    levels = [0] * words
    for effect in effects:
        result.tops.append(stack.nodes[-1])
        result.buffers.append(stack.buffer)
        if effect.kind is Kind.FINISH:
            break
        if effect.kind is Kind.SHIFT:
            element = stack.buffer
            stack.buffer += 1
        else:
            element = words + len(result.created)
            if effect.kind is Kind.OPEN:
                result.created.append(effect)
                levels.append(0)
            else:
                children = stack.take(effect)
                level = 1 + max(levels[child] for child in children)
                result.created.append(Composition(effect, tuple(children), level))
                levels.append(level)
        parent = stack.nodes[-1]
        stack.push(element, len(result.elements))
        result.elements.append(element)
        result.parents.append(parent)
        result.depths.append(result.depths[parent] + 1)
    return result
