"""Static oracles: the one sequence of transitions with which a system builds a gold tree.

Each system has an unfolding, which turns a phrase into its children and its own transitions, in
order. One loop, without recursion, does the rest.
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

__all__ = ["UNFOLDINGS", "Unfolding", "static_oracle"]

Unfolding: TypeAlias = Callable[[Tree, HeadRules], list[Node | Transition]]


def static_oracle(
    tree: Tree, system: str = "nonbinary", *, heads: HeadRules = LEFT
) -> list[Transition]:
    """Return the transitions with which the system builds the tree.

    Only the binary system looks at `heads`.
    """
    if system not in UNFOLDINGS:
        raise OracleError(
            f"no static oracle for the {system!r} system: expected one of {', '.join(UNFOLDINGS)}"
        )
    sequence = _linearise(tree, UNFOLDINGS[system], heads)
    if FINISH.name in SYSTEMS[system].plain_names:
        sequence.append(FINISH)
    return sequence


def _linearise(tree: Tree, unfold: Unfolding, heads: HeadRules) -> list[Transition]:
    sequence: list[Transition] = []
    pending: list[Node | Transition] = [tree]
    while pending:
        step = pending.pop()
        if type(step) is Transition:
            sequence.append(step)
        elif type(step) is Leaf:
            sequence.append(SHIFT)
        else:
            # What remains is a phrase.
            pending += reversed(unfold(step, heads))  # type: ignore[arg-type]
    return sequence


def _unfold_nonbinary(node: Tree, heads: HeadRules) -> list[Node | Transition]:
    return [*node.children, nonbinary.reduce(node.label, len(node.children))]


def _unfold_binary(node: Tree, heads: HeadRules) -> list[Node | Transition]:
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
    # Two children make at least one reduce; the last one builds the phrase itself.
    steps[-1] = Transition(steps[-1].name, label)  # type: ignore[union-attr]
    return steps


def _unfold_topdown(node: Tree, heads: HeadRules) -> list[Node | Transition]:
    return [topdown.nt(node.label), *node.children, topdown.REDUCE]


def _unfold_inorder(node: Tree, heads: HeadRules) -> list[Node | Transition]:
    first, *others = node.children
    return [first, inorder.pj(node.label), *others, inorder.REDUCE]


UNFOLDINGS: dict[str, Unfolding] = {
    "nonbinary": _unfold_nonbinary,
    "binary": _unfold_binary,
    "topdown": _unfold_topdown,
    "inorder": _unfold_inorder,
}
"""How each system builds one phrase: its children and its own transitions, in order."""
