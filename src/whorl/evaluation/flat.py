"""What EVALB sees of a sentence: words and tags without the deleted ones, and labelled brackets over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from whorl.evaluation.rules import Rules
from whorl.trees import Leaf, Node, Tree

__all__ = ["Bracket", "Flat", "flatten"]

Bracket: TypeAlias = tuple[int, int, str]  # left, right, key of the label


class Flat:
    """A sentence of any number of trees, laid flat.

    `brackets` come parents first, left to right, and `phrases` are the nodes that they stand for.
    `length` counts the words that EVALB calls the length, deleted ones included.
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
    """Lay a sentence flat.

    `restored` says of deleted words, by their place among all words of the sentence, how often they are to
    stand in it after all (see `quotes`).
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
    """Leaves and phrases, parents first."""
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
    """Add the brackets that are left: those over a word that is left, with a label that is not deleted."""
    keys, brackets, kept = rules.keys, flat.brackets, flat.phrases
    for phrase in phrases:
        key = keys[phrase.label]
        if key is not None:
            left = places[phrase.left - base]
            right = places[phrase.right - base]
            if left < right:
                brackets.append((left, right, key))
                kept.append(phrase)
