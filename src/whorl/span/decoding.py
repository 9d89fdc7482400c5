"""From words to trees with a `span` network, whatever it runs on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol, TypeVar

from whorl.lexicon.tags import Tags
from whorl.span.beam import decode_beam
from whorl.span.greedy import Derivation, EncodedBatch, Scorer, decode_greedy
from whorl.span.samples import Step
from whorl.span.scores import Floats
from whorl.span.states import WINDOW
from whorl.trees import Leaf, Node, Tree
from whorl.trees.brackets import paused_gc
from whorl.trees.tree import make_tree

__all__ = ["Numbers", "Reader", "build", "parse_nbest", "parse_spans"]

QUOTES = ("``", "''")
"""Tokens that say what they are: where a model has tags of these names, they are theirs."""

In = TypeVar("In", bound=EncodedBatch)
In_co = TypeVar("In_co", bound=EncodedBatch, covariant=True)
In_contra = TypeVar("In_contra", bound=EncodedBatch, contravariant=True)


class Numbers(Protocol[In_co]):
    """The numbers of a model: of what it reads and of what it says."""

    labels: list[str]
    tags: Tags

    def batch(self, sentences: Sequence[Sequence[str]], treebanks: Sequence[int]) -> In_co:
        """Make a batch of sentences ready to be read, each in the convention of a treebank by its number."""


class Reader(Protocol[In_contra]):
    """A network before it has read anything."""

    def read(self, inputs: In_contra) -> tuple[Scorer, Floats]:
        """Read a batch of sentences: a scorer for their states, and the scores of all tags for all words."""


def parse_spans(
    reader: Reader[In],
    encoder: Numbers[In],
    sentences: Sequence[Sequence[str]],
    *,
    treebanks: Sequence[int],
    max_unary: int,
    tags: Sequence[Sequence[str]] | None = None,
    beam: int = 1,
    window: int = WINDOW,
) -> list[tuple[Tree, Derivation]]:
    """Parse a batch of sentences of words, each in the convention of a treebank by its number: the best tree of each.

    Words are tagged by the network, unless a sentence comes with tags, or a word is a quotation
    mark in Penn form.
    """
    ways = parse_nbest(
        reader,
        encoder,
        sentences,
        treebanks=treebanks,
        max_unary=max_unary,
        tags=tags,
        beam=beam,
        window=window,
    )
    return [best for best, *_ in ways]


def parse_nbest(
    reader: Reader[In],
    encoder: Numbers[In],
    sentences: Sequence[Sequence[str]],
    *,
    treebanks: Sequence[int],
    max_unary: int,
    tags: Sequence[Sequence[str]] | None = None,
    beam: int = 1,
    n_best: int = 1,
    window: int = WINDOW,
) -> list[list[tuple[Tree, Derivation]]]:
    """The same with the best so many trees of each sentence, all different, that a beam finds: best first."""
    inputs = encoder.batch(sentences, treebanks)
    scorer, scores = reader.read(inputs)
    if max(beam, n_best) == 1:
        followed = [
            [one] for one in decode_greedy(scorer, inputs, max_unary=max_unary, window=window)
        ]
    else:
        width = max(beam, n_best)
        followed = decode_beam(
            scorer, inputs, max_unary=max_unary, beam=width, n_best=n_best, window=window
        )
    names = encoder.tags.tags[1:]  # 0 is no tag to give
    sure = {mark: mark for mark in QUOTES if mark in names}
    predicted = iter([names[number] for number in scores[:, 1:].argmax(axis=1).tolist()])
    found = []
    with paused_gc():
        for place, (words, ways) in enumerate(zip(sentences, followed, strict=True)):
            own = [
                sure.get(word, tag)
                for word, tag in zip(words, islice(predicted, len(words)), strict=True)
            ]
            chosen = own if tags is None or not tags[place] else tags[place]
            leaves = [
                Leaf(tag, word, position)
                for position, (tag, word) in enumerate(zip(chosen, words, strict=True))
            ]
            found.append([(build(leaves, one.steps, encoder.labels), one) for one in ways])
    return found


def build(leaves: Sequence[Leaf], steps: Iterable[Step], labels: Sequence[str]) -> Tree:
    """The tree that some steps build over leaves that know their positions."""
    stack: list[Node] = []
    position = 0
    for taken, label in steps:
        if taken:
            children = tuple(stack[-taken:])
            del stack[-taken:]
            stack.append(
                make_tree(labels[label - 1], children, children[0].left, children[-1].right)
            )
        elif position < len(leaves):  # else it is FINISH
            stack.append(leaves[position])
            position += 1
    (tree,) = stack
    return tree  # type: ignore[return-value] # FINISH needs a phrase
