"""A slow matcher by the definitions of Tregex's documentation, and patterns for it.

Every relation is a predicate over two nodes, tried on all pairs. Only the order in which Tregex
reports nodes is stated apart, as a key to sort by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from whorl.trees import Leaf, Tree


@dataclass(eq=False)
class Vertex:
    """A node of a tree, a word included."""

    label: str
    number: int
    parent: Vertex | None
    children: list[Vertex] = field(default_factory=list)

    def ancestors(self) -> list[Vertex]:
        """The parent first, the root last."""
        return [self.parent, *self.parent.ancestors()] if self.parent else []

    def descendants(self) -> list[Vertex]:
        return [d for child in self.children for d in (child, *child.descendants())]

    def words(self) -> list[Vertex]:
        return [v for v in (self, *self.descendants()) if not v.children]

    def index(self) -> int:
        return self.parent.children.index(self) if self.parent else 0


def vertices(tree: Tree | Leaf) -> list[Vertex]:
    found: list[Vertex] = []

    def add(label: str, parent: Vertex | None) -> Vertex:
        found.append(Vertex(label, len(found), parent))
        if parent:
            parent.children.append(found[-1])
        return found[-1]

    def visit(node: Tree | Leaf, parent: Vertex | None) -> None:
        vertex = add(node.label, parent)
        if isinstance(node, Leaf):
            add(node.word, vertex)
        for child in node.children:
            visit(child, vertex)

    visit(tree, None)
    return found


def follows(a: Vertex, b: Vertex) -> bool:
    """B, or one of its ancestors, is a right sister of A, or of one of its ancestors."""
    return any(
        x.parent is not None and x.parent is y.parent and y.index() > x.index()
        for x in (a, *a.ancestors())
        for y in (b, *b.ancestors())
    )


def follows_at_once(a: Vertex, b: Vertex, everything: list[Vertex]) -> bool:
    return follows(a, b) and not any(follows(a, c) and follows(c, b) for c in everything)


def sisters(a: Vertex, b: Vertex) -> bool:
    return a is not b and a.parent is not None and a.parent is b.parent


def only(a: Vertex) -> bool:
    return len(a.children) == 1


def unary_chain(a: Vertex, b: Vertex) -> bool:
    """A is above B, and every node from A down to B's parent has one child."""
    return b in a.descendants() and all(only(x) for x in b.ancestors() if x not in a.ancestors())


def nth(items: list[Vertex], number: int) -> Vertex | None:
    index = number - 1 if number > 0 else number
    return items[index] if -len(items) <= index < len(items) else None


def edge(a: Vertex, number: int) -> list[Vertex]:
    """What is reached from A by going to the first, or last, child again and again."""
    following = nth(a.children, number)
    return [following, *edge(following, number)] if following else []


def head_chain(a: Vertex, heads) -> list[Vertex]:
    if not a.children:
        return []
    head = a.children[heads.head(a.label, [child.label for child in a.children])]
    return [head, *head_chain(head, heads)]


def chain_reaches(a: Vertex, b: Vertex, inside: Callable[[Vertex], bool], everything) -> bool:
    """A comes just before B, or before a node of the chain from which the same holds."""
    return any(
        follows_at_once(a, c, everything)
        and (c is b or (inside(c) and chain_reaches(c, b, inside, everything)))
        for c in everything
    )


def predicate(relation: str, inside, heads, everything):
    """Return whether A and B are in a relation, as a function of both."""
    between = lambda a, b: [x for x in b.ancestors() if a in x.ancestors()]
    number = int(relation.lstrip("<>")) if relation[-1].isdigit() else 0
    down = {
        "<": lambda a, b: b.parent is a,
        "<<": lambda a, b: a in b.ancestors(),
        "<<<": lambda a, b: a in b.ancestors() and not b.children,
        "$": sisters,
        "$++": lambda a, b: sisters(a, b) and a.index() < b.index(),
        "$--": lambda a, b: sisters(a, b) and a.index() > b.index(),
        "$+": lambda a, b: sisters(a, b) and a.index() + 1 == b.index(),
        "$-": lambda a, b: sisters(a, b) and a.index() - 1 == b.index(),
        "..": follows,
        ".": lambda a, b: follows_at_once(a, b, everything),
        ",,": lambda a, b: follows(b, a),
        ",": lambda a, b: follows_at_once(b, a, everything),
        "<,": lambda a, b: nth(a.children, 1) is b,
        "<-": lambda a, b: nth(a.children, -1) is b,
        "<:": lambda a, b: only(a) and b in a.children,
        "<<:": unary_chain,
        "<<,": lambda a, b: b in edge(a, 1),
        "<<-": lambda a, b: b in edge(a, -1),
        "<#": lambda a, b: b in head_chain(a, heads)[:1],
        "<<#": lambda a, b: b in head_chain(a, heads),
        "==": lambda a, b: a is b,
        "<=": lambda a, b: a is b or b.parent is a,
        ":": lambda a, b: True,
        "<+": lambda a, b: a in b.ancestors() and all(map(inside, between(a, b))),
        ".+": lambda a, b: chain_reaches(a, b, inside, everything),
    }
    aliases = {"$..": "$++", "$.": "$+", "$,,": "$--", "$,": "$-", "<`": "<-", "<<`": "<<-"}
    relation = aliases.get(relation, relation)
    if relation in down:
        return down[relation]
    if number and relation.startswith("<<<"):
        return lambda a, b: nth(a.words(), number) is b
    if number and relation.startswith("<"):
        return lambda a, b: nth(a.children, number) is b
    if number:
        return lambda a, b: nth(b.children, number) is a
    if relation == ",+":
        return lambda a, b: chain_reaches(b, a, inside, everything)
    mirror = relation.replace(">", "<")
    mirrored = down[aliases.get(mirror, mirror)]
    return lambda a, b: mirrored(b, a)


def order_key(relation: str, a: Vertex):
    """Return the key by which Tregex orders the nodes in a relation to A; None if there is none."""
    if relation in ("$++", "$..") or relation.startswith(">"):
        return lambda b: -b.number
    if relation == "<=":
        return lambda b: (b is not a, b.number)

    def common(b: Vertex) -> Vertex:
        return next(x for x in (a, *a.ancestors()) if x in (b, *b.ancestors()))

    def branch(b: Vertex) -> Vertex:
        return next(x for x in (b, *b.ancestors()) if x.parent is common(b))

    if relation == "..":
        return lambda b: (len(common(b).ancestors()), b.number)
    if relation == ",,":
        return lambda b: (len(common(b).ancestors()), -branch(b).number, b.number)
    if relation in (".+", ",+"):
        return None
    return lambda b: b.number


@dataclass
class Node:
    """A node of a pattern."""

    labels: tuple[str, ...] = ()  # () is __
    negated: bool = False
    name: str = ""
    same_as: str = ""
    like: str = ""
    variable: str = ""
    condition: Condition | None = None

    def __str__(self) -> str:
        if self.same_as:
            text = f"={self.same_as}"
        elif self.like:
            text = f"~{self.like}" + (f"={self.name}" if self.name else "")
        elif self.variable:
            text = f"/^(.*)$/#1%{self.variable}" + (f"={self.name}" if self.name else "")
        else:
            text = ("!" if self.negated else "") + ("|".join(self.labels) or "__")
            text += f"={self.name}" if self.name else ""
        return f"({text} {self.condition})" if self.condition else text

    def fits(self, vertex: Vertex, bound: dict) -> bool:
        if self.same_as:
            return bound.get(self.same_as) is vertex
        if self.like:
            return self.like in bound and bound[self.like].label == vertex.label
        if self.variable:
            return bound.get(f"%{self.variable}", vertex.label) == vertex.label
        return (not self.labels or vertex.label in self.labels) is not self.negated


@dataclass
class Condition:
    """A relation (with its target), or `every` or `either` of some conditions."""

    kind: str
    mark: str = ""  # "!" or "?"
    relation: str = ""
    inside: Node | None = None
    target: Node | None = None
    parts: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        if self.kind == "relation":
            inside = f"({self.inside})" if self.inside else ""
            return f"{self.mark}{self.relation}{inside} {self.target}"
        joint = " & " if self.kind == "every" else " | "
        return f"{self.mark}[ {joint.join(map(str, self.parts))} ]"


class Matcher:
    """Finds the matches of a pattern in a tree."""

    def __init__(self, tree: Tree | Leaf, heads) -> None:
        self.everything = vertices(tree)
        self._heads = heads
        self.ordered = True

    def matches(self, pattern: Node) -> Iterator[tuple[int, dict]]:
        """Yield the number of each node that matches, with what is bound."""
        for vertex in self.everything:
            for bound in self._at(pattern, vertex, {}):
                yield (
                    vertex.number,
                    {name: b if isinstance(b, str) else b.number for name, b in bound.items()},
                )

    def _at(self, pattern: Node, vertex: Vertex, bound: dict) -> Iterator[dict]:
        if pattern.fits(vertex, bound):
            if pattern.name:
                bound = {**bound, pattern.name: vertex}
            if pattern.variable:
                bound = {**bound, f"%{pattern.variable}": vertex.label}
            yield from self._holds(pattern.condition, vertex, bound)

    def _holds(self, condition: Condition | None, vertex: Vertex, bound: dict) -> Iterator[dict]:
        if condition is None:
            yield bound
            return
        found = list(self._plainly(condition, vertex, bound))
        if condition.mark == "!":
            yield from [] if found else [bound]
        elif condition.mark == "?":
            yield from (found[:1] if condition.kind == "relation" else found) or [bound]
        else:
            yield from found

    def _plainly(self, condition: Condition, vertex: Vertex, bound: dict) -> Iterator[dict]:
        if condition.kind == "relation":
            for other in self._related(condition, vertex):
                yield from self._at(condition.target, other, bound)
        elif condition.kind == "either":
            for part in condition.parts:
                yield from self._holds(part, vertex, bound)
        else:
            results = [bound]
            for part in condition.parts:
                results = [r for b in results for r in self._holds(part, vertex, b)]
            yield from results

    def _related(self, condition: Condition, vertex: Vertex) -> list[Vertex]:
        inside = lambda other: condition.inside.fits(other, {})
        holds = predicate(condition.relation, inside, self._heads, self.everything)
        related = [other for other in self.everything if holds(vertex, other)]
        key = order_key(condition.relation, vertex)
        if key is None:
            self.ordered = False
            return related
        return sorted(related, key=key)
