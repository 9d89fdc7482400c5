"""Static oracles: the one sequence of transitions that builds a gold tree, for each of the four systems.

Each system says how a phrase unfolds into its children and its own transitions; one loop, without recursion, does the
rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from whorl.errors import OracleError
from whorl.transitions import (
    FINISH,
    SHIFT,
    SYSTEMS,
    Transition,
    binary,
    inorder,
    nonbinary,
    topdown,
)
from whorl.trees import LEFT, HeadRules, Leaf, Node, Tree

__all__ = ["static_oracle"]

Unfold: TypeAlias = Callable[[Tree], list[Node | Transition]]


def static_oracle(
    tree: Tree, system: str = "nonbinary", *, heads: HeadRules = LEFT
) -> list[Transition]:
    """The transitions with which the system builds the tree. Only the binary system looks at `heads`."""
    if system not in SYSTEMS:
        raise OracleError(
            f"unknown transition system {system!r}: expected one of {', '.join(SYSTEMS)}"
        )
    if system == "binary":
        return [*_linearise(tree, lambda node: _binary(node, heads)), FINISH]
    sequence = _linearise(tree, _UNFOLDS[system])
    return sequence if system == "topdown" else [*sequence, FINISH]


def _linearise(tree: Tree, unfold: Unfold) -> list[Transition]:
    sequence: list[Transition] = []
    pending: list[Node | Transition] = [tree]
    while pending:
        step = pending.pop()
        if type(step) is Transition:
            sequence.append(step)
        elif type(step) is Leaf:
            sequence.append(SHIFT)
        else:
            pending += reversed(unfold(step))  # type: ignore[arg-type] # what remains is a phrase
    return sequence


def _nonbinary(node: Tree) -> list[Node | Transition]:
    return [*node.children, nonbinary.reduce(node.label, len(node.children))]


def _topdown(node: Tree) -> list[Node | Transition]:
    return [topdown.nt(node.label), *node.children, topdown.REDUCE]


def _inorder(node: Tree) -> list[Node | Transition]:
    first, *others = node.children
    return [first, inorder.pj(node.label), *others, inorder.REDUCE]


def _binary(node: Tree, heads: HeadRules) -> list[Node | Transition]:
    """From the head outward, right siblings first, as `binarise` does."""
    children, label = node.children, node.label
    if label.endswith("*"):
        raise OracleError(
            f"the label {label!r} ends in '*', which the binary system keeps for temporary symbols"
        )
    if len(children) == 1:
        return [children[0], binary.reduce_unary(label)]
    head = heads.head(label, [child.label for child in children])
    steps: list[Node | Transition] = list(children[: head + 1])
    for child in children[head + 1 :]:
        steps += (child, binary.reduce_right(label + "*"))
    steps += [binary.reduce_left(label + "*")] * head
    last = steps[-1]
    steps[-1] = Transition(last.name, label)  # type: ignore[union-attr] # two children make at least one reduce
    return steps


_UNFOLDS: dict[str, Unfold] = {"nonbinary": _nonbinary, "topdown": _topdown, "inorder": _inorder}
