"""Documents: sentences with trees, every part of which knows where it stands in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from whorl.engine.parse import Parse
from whorl.text import TokenSpan as Place
from whorl.trees import Node, Tree

__all__ = ["Constituent", "Document", "Sentence", "Token"]


class Token(NamedTuple):
    """A word in its Penn form under its tag, and where it stands: `document.text[start:end]` is what was written."""

    text: str
    tag: str
    start: int
    end: int


class Constituent(NamedTuple):
    """A phrase: its words `[left, right)` of the sentence, its characters `[start, end)` of the document, and its text.

    `probability` is that of being right, label and span; None if the model does not tell. `tree` is
    the phrase itself.
    """

    label: str
    left: int
    right: int
    start: int
    end: int
    text: str
    probability: float | None
    tree: Tree


@dataclass(frozen=True, slots=True, repr=False)
class Sentence:
    """A sentence of one word or more, and the best ways of parsing it, best first.

    Nodes of trees know their words, `[left, right)`, and the sentence knows the places of words. So
    trees need no room for characters, and every node has them: see `offsets`.
    """

    source: str
    """The text of the whole document."""
    places: tuple[Place, ...]
    """The words as they were cut, before tagging."""
    parses: tuple[Parse, ...]

    @property
    def tree(self) -> Tree:
        """The best tree."""
        return self.parses[0].tree

    @property
    def log_probability(self) -> float:
        """That of the best tree, given the words."""
        return self.parses[0].log_probability

    @property
    def confidence(self) -> float | None:
        """The part of the best tree's phrases that can be expected to be right: the mean of their probabilities."""
        return self.parses[0].confidence

    @property
    def start(self) -> int:
        """Where the first word begins in the document's text."""
        return self.places[0].start

    @property
    def end(self) -> int:
        """Where the last word ends in the document's text."""
        return self.places[-1].end

    @property
    def text(self) -> str:
        """What was written, from the first word to the last."""
        return self.source[self.start : self.end]

    @property
    def words(self) -> list[str]:
        """The words in their Penn forms."""
        return [place.text for place in self.places]

    @property
    def tokens(self) -> list[Token]:
        """The words with their tags in the best tree."""
        leaves = self.tree.leaves()
        return [
            Token(leaf.word, leaf.tag, at.start, at.end)
            for leaf, at in zip(leaves, self.places, strict=True)
        ]

    def offsets(self, node: Node) -> tuple[int, int]:
        """Where a node of one of the trees, phrase or leaf, begins and ends in the document's text."""
        return self.places[node.left].start, self.places[node.right - 1].end

    def constituents(self, parse: Parse | None = None) -> Iterator[Constituent]:
        """The phrases of the best tree, or of another of `parses`: parents first, left to right."""
        parse = parse or self.parses[0]
        found = parse.probabilities()
        for number, node in enumerate(parse.tree.phrases()):
            start, end = self.offsets(node)
            probability = None if found is None else found[number]
            yield Constituent(
                node.label,
                node.left,
                node.right,
                start,
                end,
                self.source[start:end],
                probability,
                node,
            )

    def __len__(self) -> int:
        return len(self.places)

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        return f"<Sentence {self.start}:{self.end} {self.text[:60]!r}>"

    def _repr_html_(self) -> str:
        return self.tree._repr_html_()


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A text and its sentences, in order; a text of no words has none."""

    text: str
    sentences: tuple[Sentence, ...]

    @property
    def trees(self) -> list[Tree]:
        """The best tree of each sentence."""
        return [sentence.tree for sentence in self.sentences]

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, number: int) -> Sentence:
        return self.sentences[number]

    def __str__(self) -> str:
        return "\n".join(map(str, self.trees))

    def __repr__(self) -> str:
        return f"<Document of {len(self.sentences)} sentences, {len(self.text)} characters>"

    def _repr_html_(self) -> str:
        return "\n".join(tree._repr_html_() for tree in self.trees)
