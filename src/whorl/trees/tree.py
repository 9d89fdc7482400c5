"""The tree: immutable, n-ary, with labels, tags, words and half-open word spans.

A `Tree` is a phrase: a label over one or more children. A `Leaf` is a word under its part-of-speech
tag. Every node knows its span `[left, right)` in words. Nothing here recurses, so depth is bounded
by memory only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias, final

from whorl.errors import TreeError
from whorl.escapes import canonical

__all__ = ["Leaf", "Node", "Span", "Tree"]


class Span(NamedTuple):
    """A labelled constituent `(label, left, right)`, as in §3 of the paper."""

    label: str
    left: int
    right: int


class _Frozen:
    """Makes instances read-only; `make_leaf` and `make_tree` fill the slots directly."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__} is immutable: build a new one instead of setting {name!r}"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: {name!r} cannot be deleted")

    def __copy__(self) -> _Frozen:
        return self

    def __deepcopy__(self, memo: object) -> _Frozen:
        return self


@final
class Leaf(_Frozen):
    """A word under its part-of-speech tag.

    Words hold real brackets: `-LRB-` and `-RRB-` exist only in files and become `(` and `)` here.
    Words that look alike in a file are equal here: `-LRB(` is `(LRB-`, since both are written
    `-LRB-LRB-`. A word without a tag, as edits may leave it, has the tag "".
    """

    __slots__ = ("left", "tag", "word")
    tag: str
    word: str
    left: int

    def __init__(self, tag: str, word: str, left: int = 0) -> None:
        _set_tag(self, tag)
        _set_word(self, canonical(word))
        _set_leaf_left(self, left)

    @property
    def label(self) -> str:
        """The tag, under the name that phrases use."""
        return self.tag

    @property
    def right(self) -> int:
        """The end of the span, which is one word."""
        return self.left + 1

    @property
    def children(self) -> tuple[Node, ...]:
        """Empty: lets a walk treat leaves and phrases alike."""
        return ()

    def at(self, left: int) -> Leaf:
        """Return this leaf as word number `left`."""
        return self if left == self.left else make_leaf(self.tag, self.word, left)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Leaf:
            return NotImplemented
        return self.tag == other.tag and self.word == other.word

    def __hash__(self) -> int:
        return hash((self.tag, self.word))

    def __repr__(self) -> str:
        return f"Leaf({self.tag!r}, {self.word!r})"

    def __str__(self) -> str:
        from whorl.trees.brackets import format_tree

        return format_tree(self, untagged=True)

    def __reduce__(self) -> tuple[object, ...]:
        return make_leaf, (self.tag, self.word, self.left)


@final
class Tree(_Frozen):
    """A phrase: a label over one or more children.

    Children whose spans are not contiguous are moved (copied) so that they are; the first child
    stays. A copy takes time linear in the child: to build a deep tree bottom-up, give the leaves
    their positions first. Equality and hash are structural: labels, tags and words, not position.
    """

    __slots__ = ("children", "label", "left", "right")
    label: str
    children: tuple[Node, ...]
    left: int
    right: int

    def __init__(self, label: str, children: Iterable[Node]) -> None:
        nodes = tuple(children)
        if not nodes:
            raise TreeError(f"a phrase needs at least one child: {label!r} has none")
        for child in nodes:
            if type(child) is not Tree and type(child) is not Leaf:
                raise TreeError(f"a child must be a Tree or a Leaf: {label!r} was given {child!r}")
        right = left = nodes[0].left
        moved: list[Node] = []
        for child in nodes:
            moved.append(child.at(right))
            right += child.right - child.left
        _set_label(self, label)
        _set_children(self, tuple(moved))
        _set_left(self, left)
        _set_right(self, right)

    @property
    def span(self) -> Span:
        """This phrase as a labelled constituent."""
        return Span(self.label, self.left, self.right)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)

    def nodes(self) -> Iterator[Node]:
        """Yield every node of this tree, parents first, left to right."""
        pending: list[Node] = [self]
        pop, extend = pending.pop, pending.extend
        while pending:
            node = pop()
            yield node
            if type(node) is Tree:
                extend(node.children[::-1])

    def phrases(self) -> Iterator[Tree]:
        """Yield every phrase of this tree, parents first, left to right."""
        return (node for node in self.nodes() if type(node) is Tree)

    def leaves(self) -> list[Leaf]:
        """Return the leaves, left to right."""
        return [node for node in self.nodes() if type(node) is Leaf]

    def words(self) -> list[str]:
        """Return the words, left to right."""
        return [leaf.word for leaf in self.leaves()]

    def tags(self) -> list[str]:
        """Return the part-of-speech tags, left to right."""
        return [leaf.tag for leaf in self.leaves()]

    def spans(self) -> list[Span]:
        """Return the constituents, parents first: a multiset, since X may be over X on one span."""
        return [node.span for node in self.phrases()]

    def height(self) -> int:
        """Return the number of phrases on the longest path down to a word."""
        deepest = 0
        pending: list[tuple[Tree, int]] = [(self, 1)]
        while pending:
            node, depth = pending.pop()
            deepest = max(deepest, depth)
            pending.extend((child, depth + 1) for child in node.children if type(child) is Tree)
        return deepest

    def pretty(self, *, width: int = 100) -> str:
        """Draw this tree as text for a terminal of `width` columns."""
        from whorl.trees.drawing import draw_text

        return draw_text(self, width=width)

    def svg(self) -> str:
        """Draw this tree as an SVG document."""
        from whorl.trees.drawing import draw_svg

        return draw_svg(self)

    def latex(self) -> str:
        """Write this tree in LaTeX for the package `tikz-qtree`."""
        from whorl.trees.drawing import draw_latex

        return draw_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """Convert this tree to dictionaries and lists, as for JSON: see `whorl.trees.exchange`."""
        from whorl.trees.exchange import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, dictionary: Mapping[str, Any]) -> Tree:
        """Undo `to_dict`."""
        from whorl.trees.exchange import from_dict

        return from_dict(dictionary)

    def to_nltk(self, probabilities: Sequence[float | None] | None = None) -> Any:
        """Convert this tree to an `nltk.Tree`; brackets in words are escaped, as in NLTK.

        With `probabilities`, one for each phrase, it is an `nltk.ProbabilisticTree`.
        """
        from whorl.trees.exchange import to_nltk

        return to_nltk(self, probabilities)

    @classmethod
    def from_nltk(cls, nltk_tree: Any) -> Tree:
        """Undo `to_nltk`."""
        from whorl.trees.exchange import from_nltk

        return from_nltk(nltk_tree)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a picture that scrolls if it is too wide."""
        from whorl.trees.drawing import draw_html

        return draw_html([(self, None)])

    def at(self, left: int) -> Tree:
        """Return this tree, moved so that its first word is number `left`."""
        shift = left - self.left
        if shift == 0:
            return self
        moved: Tree = self.rebuild(
            leaf=lambda leaf: make_leaf(leaf.tag, leaf.word, leaf.left + shift),
            phrase=lambda node, children: make_tree(
                node.label, children, node.left + shift, node.right + shift
            ),
        )
        return moved

    def rebuild(
        self,
        leaf: Callable[[Leaf], Any],
        phrase: Callable[[Tree, tuple[Any, ...]], Any],
    ) -> Any:
        """Fold the tree from the words up, without recursion.

        `leaf` maps each leaf, `phrase` maps each phrase and the tuple of its children's results
        without those that are None. If all are None, `phrase` gets an empty tuple, and may return
        None in turn. The result for this node is returned.
        """
        path: list[tuple[Tree, Iterator[Node], list[Any]]] = [(self, iter(self.children), [])]
        while path:
            node, rest, results = path[-1]
            for child in rest:
                if type(child) is Leaf:
                    results.append(leaf(child))
                else:
                    path.append((child, iter(child.children), []))
                    break
            else:
                path.pop()
                result = phrase(node, tuple(r for r in results if r is not None))
                if not path:
                    return result
                path[-1][2].append(result)
        raise TreeError("unreachable: a tree has a root")  # pragma: no cover

    def __eq__(self, other: object) -> bool:
        if type(other) is not Tree:
            return NotImplemented
        pending: list[tuple[Node, Node]] = [(self, other)]
        while pending:
            a, b = pending.pop()
            if a is b:
                continue
            if type(a) is Tree and type(b) is Tree:
                if a.label != b.label or len(a.children) != len(b.children):
                    return False
                pending.extend(zip(a.children, b.children, strict=True))
            elif a != b:
                return False
        return True

    def __hash__(self) -> int:
        words = tuple((node.label, len(node.children)) for node in self.nodes())
        return hash((words, tuple(leaf.word for leaf in self.leaves())))

    def __repr__(self) -> str:
        try:
            text = str(self)
        except TreeError:
            # A label or word that brackets cannot hold must not break a debugger.
            return f"<Tree {self.label!r} of {self.right - self.left} words>"
        return f"<Tree {text if len(text) <= 120 else text[:117] + '...'}>"

    def __str__(self) -> str:
        from whorl.trees.brackets import format_tree

        return format_tree(self, untagged=True)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as a flat list: the default recurses as deep as the tree."""
        flat = [
            (node.label, node.word if type(node) is Leaf else None, len(node.children))
            for node in self.nodes()
        ]
        return _unpickle, (flat, self.left)


Node: TypeAlias = Tree | Leaf


# The setters of the slots, which bypass `_Frozen`: for `make_leaf` and `make_tree` only.
_set_tag: Callable[[Leaf, str], None] = Leaf.tag.__set__  # type: ignore[attr-defined,misc]
_set_word: Callable[[Leaf, str], None] = Leaf.word.__set__  # type: ignore[attr-defined,misc]
_set_leaf_left: Callable[[Leaf, int], None] = Leaf.left.__set__  # type: ignore[attr-defined,misc]
_set_label: Callable[[Tree, str], None] = Tree.label.__set__  # type: ignore[attr-defined,misc]
_set_children: Callable[[Tree, tuple[Node, ...]], None]
_set_children = Tree.children.__set__  # type: ignore[attr-defined,misc]
_set_left: Callable[[Tree, int], None] = Tree.left.__set__  # type: ignore[attr-defined,misc]
_set_right: Callable[[Tree, int], None] = Tree.right.__set__  # type: ignore[attr-defined,misc]
_new_leaf: Callable[[type[Leaf]], Leaf] = Leaf.__new__
_new_tree: Callable[[type[Tree]], Tree] = Tree.__new__


def make_leaf(tag: str, word: str, left: int) -> Leaf:
    """Make a leaf without checks, for callers whose word is `canonical`."""
    leaf = _new_leaf(Leaf)
    _set_tag(leaf, tag)
    _set_word(leaf, word)
    _set_leaf_left(leaf, left)
    return leaf


def make_tree(label: str, children: tuple[Node, ...], left: int, right: int) -> Tree:
    """Make a phrase without checks, for callers whose children span `[left, right)`."""
    tree = _new_tree(Tree)
    _set_label(tree, label)
    _set_children(tree, children)
    _set_left(tree, left)
    _set_right(tree, right)
    return tree


def _unpickle(flat: list[tuple[str, str | None, int]], left: int) -> Node:
    """Undo `Tree.__reduce__`: nodes come parents first, so build from the last to the first."""
    built: list[Node] = []
    position = left + sum(word is not None for _, word, _ in flat)
    for label, word, arity in reversed(flat):
        if word is not None:
            position -= 1
            built.append(make_leaf(label, word, position))
        else:
            children = tuple(built[: -arity - 1 : -1])
            del built[-arity:]
            built.append(make_tree(label, children, children[0].left, children[-1].right))
    return built[0]
