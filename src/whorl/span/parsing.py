"""From words to trees with a span network, whatever backend runs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Protocol, TypeVar

from whorl.constraints import Plan
from whorl.lexicon.tags import Tags
from whorl.span.constraints import ConstraintTables
from whorl.span.decoding.beam import decode_beam
from whorl.span.decoding.derivation import Derivation, EncodedBatch
from whorl.span.decoding.greedy import decode_greedy
from whorl.span.samples import Step
from whorl.span.scores import Floats, Scorer
from whorl.span.states import WINDOW
from whorl.trees import Leaf, Node, Tree
from whorl.trees.brackets import paused_gc
from whorl.trees.tree import make_tree

__all__ = ["Backend", "Vocabulary", "build_tree", "parse_best", "parse_nbest"]

QUOTES = ("``", "''")
"""Tokens that name their own tag; they get it if the model knows the tag."""

Batch = TypeVar("Batch", bound=EncodedBatch)
Batch_co = TypeVar("Batch_co", bound=EncodedBatch, covariant=True)
Batch_contra = TypeVar("Batch_contra", bound=EncodedBatch, contravariant=True)


class Vocabulary(Protocol[Batch_co]):
    """The labels and tags of a model, and how it turns sentences into a batch."""

    labels: list[str]
    tags: Tags

    def batch(
        self,
        sentences: Sequence[Sequence[str]],
        treebanks: Sequence[int],
        tags: Sequence[Sequence[str]] | None = None,
    ) -> Batch_co:
        """Make a batch of sentences, each annotated as in the treebank with the given number.

        `tags` has the tags of the sentences that come with them; some networks read them.
        """


class Backend(Protocol[Batch_contra]):
    """Something that runs the encoder."""

    def encode(self, batch: Batch_contra) -> tuple[Scorer, Floats]:
        """Return a scorer for the batch's states, and the scores of all tags: (words, tags)."""


def parse_best(
    backend: Backend[Batch],
    vocabulary: Vocabulary[Batch],
    sentences: Sequence[Sequence[str]],
    **options: Any,
) -> list[tuple[Tree, Derivation]]:
    """Parse a batch of sentences, best tree only; options as for `parse_nbest`."""
    return [best for best, *_ in parse_nbest(backend, vocabulary, sentences, **options)]


def parse_nbest(
    backend: Backend[Batch],
    vocabulary: Vocabulary[Batch],
    sentences: Sequence[Sequence[str]],
    *,
    treebanks: Sequence[int],
    max_unary: int,
    tags: Sequence[Sequence[str]] | None = None,
    beam: int = 1,
    n_best: int = 1,
    window: int = WINDOW,
    arities: bool = False,
    plans: Sequence[Plan | None] | None = None,
) -> list[list[tuple[Tree, Derivation]]]:
    """Parse a batch of sentences; return the `n_best` best trees of each, all different.

    `treebanks` gives the number of the treebank whose annotation each sentence follows. The network
    tags the words, unless a sentence has `tags` or a word is a quotation mark in Penn form. With
    `arities`, derivations have the probabilities of all arities at each step. `plans` holds the
    constraints of each sentence, whose tags come before all others.
    """
    batch = vocabulary.batch(sentences, treebanks, tags)
    scorer, tag_scores = backend.encode(batch)
    width = max(beam, n_best)
    options: dict[str, Any] = {
        "max_unary": max_unary,
        "window": window,
        "constraints": _tables(plans, vocabulary.labels),
        "arities": arities,
    }
    if width == 1:
        derivations = [[best] for best in decode_greedy(scorer, batch, **options)]
    else:
        derivations = decode_beam(scorer, batch, beam=width, n_best=n_best, **options)
    names = vocabulary.tags.tags[1:]  # 0 is the unknown tag, never predicted
    fixed = {mark: mark for mark in QUOTES if mark in names}
    predicted = iter([names[number] for number in tag_scores[:, 1:].argmax(axis=1).tolist()])
    parses = []
    with paused_gc():
        for index, words in enumerate(sentences):
            word_tags: Sequence[str] = [
                fixed.get(word, tag)
                for word, tag in zip(words, islice(predicted, len(words)), strict=True)
            ]
            if tags is not None and tags[index]:
                word_tags = tags[index]
            plan = None if plans is None else plans[index]
            if plan is not None:
                word_tags = plan.tagged(word_tags)
            leaves = [
                Leaf(tag, word, position)
                for position, (tag, word) in enumerate(zip(word_tags, words, strict=True))
            ]
            parses.append(
                [
                    (build_tree(leaves, derivation.steps, vocabulary.labels), derivation)
                    for derivation in derivations[index]
                ]
            )
    return parses


def _tables(plans: Sequence[Plan | None] | None, labels: Sequence[str]) -> ConstraintTables | None:
    """Return the constraints on phrases as arrays; None if there are none."""
    if plans is None:
        return None
    restricting = [None if plan is None or not plan.restricts_phrases else plan for plan in plans]
    return ConstraintTables(restricting, labels) if any(restricting) else None


def build_tree(leaves: Sequence[Leaf], steps: Iterable[Step], labels: Sequence[str]) -> Tree:
    """Build the tree of a derivation over leaves that know their positions."""
    stack: list[Node] = []
    position = 0
    for arity, label in steps:
        if arity:
            children = tuple(stack[-arity:])
            del stack[-arity:]
            stack.append(
                make_tree(labels[label - 1], children, children[0].left, children[-1].right)
            )
        elif position < len(leaves):  # otherwise FINISH
            stack.append(leaves[position])
            position += 1
    (tree,) = stack
    return tree  # type: ignore[return-value] # FINISH is legal only over a phrase
