"""What EVALB sees of a sentence: the undeleted words and tags, and labelled brackets over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from whorl.evaluation.rules import Rules
from whorl.trees import Leaf, Node, Tree

__all__ = ["Bracket", "Flat", "flatten"]

Bracket: TypeAlias = tuple[int, int, str]
"""Left edge, right edge, key of the label."""


class Flat:
    """A flattened sentence of any number of trees.

    `brackets` come parents first, left to right; `phrases` are their nodes. `length` is EVALB's
    length, deleted words included.
    """

    __slots__ = ("brackets", "leaves", "length", "phrases", "tags", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.tags: list[str] = []
        self.leaves: list[Leaf] = []
        self.brackets: list[Bracket] = []
        self.phrases: list[Tree] = []
        self.length = 0


_NOTHING: Mapping[int, int] = {}


def flatten(
    forest: Sequence[Node], rules: Rules, *, restored: Mapping[int, int] = _NOTHING
) -> Flat:
    """Flatten a sentence.

    `restored` maps deleted words, by their index among all words of the sentence, to how often they
    are put back (see `quotes`).
    """
    flat = Flat()
    for tree in forest:
        _add(tree, flat, rules, restored)
    leaves = flat.leaves
    flat.length = len(leaves)
    if rules.params.delete_for_length:
        uncounted = rules.params.delete_for_length
        flat.length -= sum(leaf.tag in uncounted for leaf in leaves)
    return flat


def _add(tree: Node, flat: Flat, rules: Rules, restored: Mapping[int, int]) -> None:
    leaves, phrases = _walk(tree)
    tags = [leaf.tag for leaf in leaves]
    words = [leaf.word for leaf in leaves]
    before = len(flat.words)
    if restored or not rules.params.delete.isdisjoint(tags):
        delete = rules.params.delete
        first = len(flat.leaves)
        copies = [
            restored.get(i, 0) if tag in delete else 1 for i, tag in enumerate(tags, start=first)
        ]
        flat.words += [word for word, n in zip(words, copies, strict=True) for _ in range(n)]
        flat.tags += [tag for tag, n in zip(tags, copies, strict=True) for _ in range(n)]
        places: Sequence[int] = list(accumulate(copies, initial=before))
    else:
        flat.words += words
        flat.tags += tags
        places = range(before, before + len(words) + 1)
    flat.leaves += leaves
    _add_brackets(phrases, places, tree.left, flat, rules)


def _walk(tree: Node) -> tuple[list[Leaf], list[Tree]]:
    """Collect leaves and phrases, parents first."""
    leaves: list[Leaf] = []
    phrases: list[Tree] = []
    pending: list[Node] = [tree]
    pop, extend = pending.pop, pending.extend
    while pending:
        node = pop()
        if type(node) is Tree:
            phrases.append(node)
            extend(node.children[::-1])
        else:
            leaves.append(node)
    return leaves, phrases


def _add_brackets(
    phrases: list[Tree], places: Sequence[int], base: int, flat: Flat, rules: Rules
) -> None:
    """Add the brackets that cover an undeleted word and have an undeleted label."""
    keys, brackets, kept = rules.keys, flat.brackets, flat.phrases
    for phrase in phrases:
        key = keys[phrase.label]
        if key is not None:
            left = places[phrase.left - base]
            right = places[phrase.right - base]
            if left < right:
                brackets.append((left, right, key))
                kept.append(phrase)
