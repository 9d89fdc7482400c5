"""The relations between two nodes: how often each holds, and its nodes in the order of Tregex.

A relation does two things for a pattern `A < B`. `walk` goes from one A through every node that the
relation reaches, in the order in which Tregex reports matches. `tally` does it for a whole tree at
once: from the As, and from how often each B matches, to how often each A does. That takes time
linear in the tree, apart from sorting, where walking would be quadratic or worse.

The nodes of a tally are in ascending order, and so are those of its result.
"""

from __future__ import annotations

from collections.abc import Callable

from whorl.search.labels import LabelTest
from whorl.search.relations import families, order, steps, unbroken
from whorl.search.relations.base import Relation, Tally
from whorl.search.relations.steps import Chain, One

__all__ = ["NUMBERED", "RELATIONS", "THROUGH", "Relation", "Tally"]

_LATER, _EARLIER = families.LaterSisters(), families.EarlierSisters()
_NEXT, _PREVIOUS = One(steps.to_next_sister), One(steps.to_previous_sister)
_LEFT_EDGE, _RIGHT_EDGE = Chain(steps.to_first_child), Chain(steps.to_last_child)
_AT_LEFT_EDGE = Chain(steps.to_parent_of_first_child)
_AT_RIGHT_EDGE = Chain(steps.to_parent_of_last_child)

RELATIONS: dict[str, Relation] = {
    "<": families.Children(),
    ">": One(steps.to_parent),
    "<<": families.Descendants(),
    ">>": Chain(steps.to_parent),
    "<<<": families.Words(),
    "$": families.Sisters(),
    "$+": _NEXT,
    "$.": _NEXT,
    "$-": _PREVIOUS,
    "$,": _PREVIOUS,
    "$++": _LATER,
    "$..": _LATER,
    "$--": _EARLIER,
    "$,,": _EARLIER,
    ".": order.JustFollowing(),
    "..": order.Following(),
    ",": order.JustPreceding(),
    ",,": order.Preceding(),
    "<,": steps.nth_child(1),
    "<-": steps.nth_child(-1),
    "<`": steps.nth_child(-1),
    ">,": steps.nth_child_of(1),
    ">-": steps.nth_child_of(-1),
    ">`": steps.nth_child_of(-1),
    "<:": One(steps.to_only_child),
    ">:": One(steps.to_parent_of_only_child),
    "<<:": Chain(steps.to_only_child),
    ">>:": Chain(steps.to_parent_of_only_child),
    "<<,": _LEFT_EDGE,
    "<<-": _RIGHT_EDGE,
    "<<`": _RIGHT_EDGE,
    ">>,": _AT_LEFT_EDGE,
    ">>-": _AT_RIGHT_EDGE,
    ">>`": _AT_RIGHT_EDGE,
    "<#": One(steps.to_head),
    ">#": One(steps.to_parent_of_head),
    "<<#": Chain(steps.to_head),
    ">>#": Chain(steps.to_parent_of_head),
    "==": One(steps.to_itself),
    "<=": families.ItselfAndChildren(),
    ":": families.Anything(),
}

NUMBERED: dict[str, Callable[[int], Relation]] = {
    "<": steps.nth_child,
    ">": steps.nth_child_of,
    "<<<": steps.nth_word,
}

THROUGH: dict[str, Callable[[LabelTest], Relation]] = {
    "<+": unbroken.DescendantsThrough,
    ">+": unbroken.AncestorsThrough,
    ".+": unbroken.FollowingThrough,
    ",+": unbroken.PrecedingThrough,
}
