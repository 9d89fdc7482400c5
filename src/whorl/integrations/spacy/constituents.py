"""The constituents of a sentence over all of its spaCy tokens, as benepar describes them.

A constituent is a stretch of tokens with the labels of all phrases over exactly these tokens, from
the highest to the lowest. A token is a constituent too, whose labels may be none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from whorl.integrations.spacy.annotation import decode
from whorl.trees import Leaf, Node, Tree, strip_root

__all__ = ["SPACE_TAG", "Constituent", "ParsedSentence", "attach_spaces", "read_sentence"]

SPACE_TAG = "_SP"
"""spaCy's tag for tokens of white space."""

_BLANK = "X"  # the Penn Treebank's label for what has no structure
_CACHED = 256  # sentences


class Constituent(NamedTuple):
    """Tokens `[start, end)` of the sentence, with the numbers of related constituents."""

    start: int
    end: int
    labels: tuple[str, ...]
    node: Node
    """The highest phrase over these tokens, or the token's leaf."""
    first_phrase: int
    """The number of the highest phrase among all phrases of the tree, parents first."""
    parent: int | None


class ParsedSentence:
    """The tree of a sentence, whose leaves are all of its tokens, and its constituents."""

    def __init__(self, value: Any) -> None:
        self._annotation = decode(value)
        self.checksum = self._annotation.checksum
        self.tokens = self._annotation.tokens
        self.tree = self._tree()
        self.constituents = _constituents(self.tree)
        self._following = _following(self.constituents)
        self._numbers = {
            (constituent.start, constituent.end): number
            for number, constituent in enumerate(self.constituents)
        }

    def _tree(self) -> Tree:
        spaces, parse = self._annotation.spaces, self._annotation.parse
        if parse is None:
            return Tree(_BLANK, [Leaf(SPACE_TAG, "", position) for position in spaces])
        return attach_spaces(strip_root(parse.tree), spaces)

    def find(self, start: int, end: int) -> int | None:
        """Return the number of the constituent over tokens `[start, end)`, if there is one."""
        return self._numbers.get((start, end))

    def within(self, number: int) -> Sequence[Constituent]:
        """Return a constituent and all below it, parents first, left to right."""
        return self.constituents[number : self._following[number]]

    def children(self, number: int) -> Iterator[Constituent]:
        """Yield the constituents directly below one, left to right."""
        child = number + 1
        while child < self._following[number]:
            yield self.constituents[child]
            child = self._following[child]

    def probability(self, number: int) -> float | None:
        """Return the least probability of the phrases that make up a constituent, if known."""
        constituent = self.constituents[number]
        if self._probabilities is None or not constituent.labels:
            return None
        first = constituent.first_phrase
        return min(self._probabilities[first : first + len(constituent.labels)])

    @cached_property
    def _probabilities(self) -> Sequence[float] | None:
        """The probabilities of the tree's phrases, without that of a root that was removed."""
        parse = self._annotation.parse
        probabilities = None if parse is None else parse.probabilities()
        if parse is None or probabilities is None:
            return None
        return probabilities[strip_root(parse.tree) is not parse.tree :]


def read_sentence(value: Any) -> ParsedSentence:
    """Read a sentence from what is stored on its first token."""
    return _read_string(value) if isinstance(value, str) else ParsedSentence(value)


@lru_cache(maxsize=_CACHED)
def _read_string(value: str) -> ParsedSentence:
    return ParsedSentence(value)


def attach_spaces(tree: Tree, spaces: Iterable[int]) -> Tree:
    """Put tokens of white space into the tree of the words around them.

    `spaces` are their numbers among all tokens. Each becomes a child of the lowest phrase that is
    over both neighbouring words or, at either end of the sentence, of the highest phrase.
    """
    gaps = _gaps(spaces)
    if not gaps:
        return tree
    shifts = _shifts(gaps, tree.right)

    def leaf(word: Leaf) -> Leaf:
        return Leaf(word.tag, word.word, word.left + shifts[word.left])

    def phrase(node: Tree, children: tuple[Node, ...]) -> Tree:
        is_root = node is tree
        nodes: list[Node] = list(gaps.get(0, ())) if is_root else []
        for child, old in zip(children, node.children, strict=True):
            nodes.append(child)
            if is_root or old.right < node.right:
                nodes.extend(gaps.get(old.right, ()))
        return Tree(node.label, nodes)

    attached: Tree = tree.rebuild(leaf=leaf, phrase=phrase)
    return attached


def _gaps(spaces: Iterable[int]) -> dict[int, list[Leaf]]:
    """Return the leaves of white space by the number of words before them."""
    gaps: dict[int, list[Leaf]] = {}
    for seen, position in enumerate(spaces):
        gaps.setdefault(position - seen, []).append(Leaf(SPACE_TAG, "", position))
    return gaps


def _shifts(gaps: dict[int, list[Leaf]], words: int) -> list[int]:
    """Return the number of white-space tokens before each word."""
    shifts: list[int] = []
    before = 0
    for word in range(words):
        before += len(gaps.get(word, ()))
        shifts.append(before)
    return shifts


def _constituents(tree: Tree) -> list[Constituent]:
    """Return the constituents of a tree, parents first, left to right."""
    constituents: list[Constituent] = []
    phrases = 0
    pending: list[tuple[Node, int | None]] = [(tree, None)]
    while pending:
        top, parent = pending.pop()
        labels: list[str] = []
        node: Node = top
        while isinstance(node, Tree):
            labels.append(node.label)
            if len(node.children) > 1:
                break
            node = node.children[0]
        number = len(constituents)
        constituents.append(Constituent(top.left, top.right, tuple(labels), top, phrases, parent))
        phrases += len(labels)
        pending.extend((child, number) for child in node.children[::-1])
    return constituents


def _following(constituents: Sequence[Constituent]) -> list[int]:
    """Return for each constituent the number of the first after all that are within it."""
    sizes = [1] * len(constituents)
    for number in range(len(constituents) - 1, 0, -1):
        parent = constituents[number].parent
        if parent is not None:
            sizes[parent] += sizes[number]
    return [number + size for number, size in enumerate(sizes)]
