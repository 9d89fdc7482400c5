"""Documents: parsed sentences whose words and phrases have their places in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from whorl.engine.parse import Parse
from whorl.parser.data_frames import Rows, to_arrow, to_pandas
from whorl.text import TokenSpan
from whorl.trees import UNCERTAIN, Node, Tree, draw_html, zip_phrases

__all__ = ["Constituent", "Document", "Sentence", "Token"]

_DIGITS = 6  # of probabilities in dictionaries
_DRAWN = 50  # sentences of a document that a notebook draws


class Token(NamedTuple):
    """A word as in the model's treebank, its tag and place; written `document.text[start:end]`."""

    text: str
    tag: str
    start: int
    end: int


class Constituent(NamedTuple):
    """A phrase: words `[left, right)` of the sentence, characters `[start, end)` of the document.

    `probability` is the probability that label and span are right, None if the model gives none.
    `tree` is the phrase itself.
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
    """A sentence of one word or more and its parses, best first.

    Nodes of trees count words and the sentence knows where its words are, so trees store no
    character offsets, and every node has them: see `offsets`.
    """

    text: str
    """The text from the first word to the last, as the author wrote it."""
    token_spans: tuple[TokenSpan, ...]
    """The words with their places in the document, before tagging."""
    parses: tuple[Parse, ...]

    @classmethod
    def from_words(cls, words: Sequence[str], parses: Sequence[Parse]) -> Sentence:
        """Make a sentence of words without a text: its text is the words joined by spaces."""
        spans, start = [], 0
        for word in words:
            spans.append(TokenSpan(word, start, start + len(word)))
            start += len(word) + 1
        return cls(" ".join(words), tuple(spans), tuple(parses))

    @property
    def tree(self) -> Tree:
        """The best tree."""
        return self.parses[0].tree

    @property
    def log_probability(self) -> float:
        """The log-probability of the best tree, given the words."""
        return self.parses[0].log_probability

    @property
    def confidence(self) -> float | None:
        """The expected precision of the best tree: the mean probability of its phrases."""
        return self.parses[0].confidence

    @property
    def start(self) -> int:
        """Where the first word begins in the document's text."""
        return self.token_spans[0].start

    @property
    def end(self) -> int:
        """Where the last word ends in the document's text."""
        return self.token_spans[-1].end

    @property
    def words(self) -> list[str]:
        """The words, in the forms of the model's treebank."""
        return [span.text for span in self.token_spans]

    @property
    def tokens(self) -> list[Token]:
        """The words with their tags in the best tree."""
        return [
            Token(leaf.word, leaf.tag, span.start, span.end)
            for leaf, span in zip(self.tree.leaves(), self.token_spans, strict=True)
        ]

    def offsets(self, node: Node) -> tuple[int, int]:
        """Return where a phrase or leaf of one of the trees begins and ends in the document."""
        return self.token_spans[node.left].start, self.token_spans[node.right - 1].end

    def constituents(self, parse: Parse | None = None) -> Iterator[Constituent]:
        """Yield the phrases of the best parse, or of `parse`: parents first, left to right."""
        for node, probability in _phrases(parse or self.parses[0]):
            start, end = self.offsets(node)
            text = self.text[start - self.start : end - self.start]
            yield Constituent(
                node.label, node.left, node.right, start, end, text, probability, node
            )

    def to_dict(
        self, *, n_best: bool | None = None, tokens: bool = True, constituents: bool = True
    ) -> dict[str, Any]:
        """Return the sentence as JSON has it; docs/cli.md describes the keys.

        With `n_best`, the record also lists all parses; by default, it does if there are several.
        Without `tokens` or `constituents`, it has no such key.
        """
        record: dict[str, Any] = {"text": self.text, "start": self.start, "end": self.end}
        if tokens:
            record["tokens"] = [
                {"text": leaf.word, "tag": leaf.tag, "start": span.start, "end": span.end}
                for leaf, span in zip(self.tree.leaves(), self.token_spans, strict=True)
            ]
        parses = [self._parse_to_dict(parse, constituents=constituents) for parse in self.parses]
        record |= parses[0]
        if len(parses) > 1 if n_best is None else n_best:
            record["parses"] = parses
        return record

    def to_arrow(self, rows: Rows = "constituents", *, document: int = 0) -> Any:
        """Return a `pyarrow.Table` with a row for each constituent, token or sentence, here one.

        Offsets are those in the document; the rest is as in `Document.to_arrow`.
        """
        return to_arrow([self], rows, document)

    def to_pandas(self, rows: Rows = "constituents", *, document: int = 0) -> Any:
        """Return a `pandas.DataFrame` with the same rows and columns as `to_arrow`."""
        return to_pandas([self], rows, document)

    def _parse_to_dict(self, parse: Parse, *, constituents: bool) -> dict[str, Any]:
        record = {
            "tree": str(parse.tree),
            "log_probability": round(parse.log_probability, _DIGITS),
        }
        return record | ({"constituents": self._constituents_of(parse)} if constituents else {})

    def _constituents_of(self, parse: Parse) -> list[dict[str, Any]]:
        constituents = []
        for node, probability in _phrases(parse):
            start, end = self.offsets(node)
            constituents.append(
                {
                    "label": node.label,
                    "left": node.left,
                    "right": node.right,
                    "start": start,
                    "end": end,
                    "probability": None if probability is None else round(probability, _DIGITS),
                }
            )
        return constituents

    def __len__(self) -> int:
        return len(self.token_spans)

    def __str__(self) -> str:
        return str(self.tree)

    def __repr__(self) -> str:
        return f"<Sentence {self.start}:{self.end} {self.text[:60]!r}>"

    def pretty(self, *, width: int = 100, uncertain_below: float = UNCERTAIN) -> str:
        """Draw the best tree as text, with the phrases that are less probable marked as uncertain.

        `parses[1].pretty()` draws the second-best tree.
        """
        return self.parses[0].pretty(width=width, uncertain_below=uncertain_below)

    def svg(self, *, uncertain_below: float = UNCERTAIN) -> str:
        """Draw the best tree as SVG, with the phrases that are less probable marked as uncertain.

        `parses[1].svg()` draws the second-best tree.
        """
        return self.parses[0].svg(uncertain_below=uncertain_below)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.parses[0]._repr_html_()


def _phrases(parse: Parse) -> Iterator[tuple[Tree, float | None]]:
    """Return the phrases of a parse with their probabilities."""
    probabilities = parse.probabilities()
    if probabilities is None:
        return ((node, None) for node in parse.tree.phrases())
    return zip_phrases(parse.tree, probabilities)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A text and its sentences, in order; a text without words has none."""

    text: str
    sentences: tuple[Sentence, ...]

    @property
    def trees(self) -> list[Tree]:
        """The best tree of each sentence."""
        return [sentence.tree for sentence in self.sentences]

    def to_dict(self) -> dict[str, Any]:
        """Return the text, and each sentence as `Sentence.to_dict` does, for JSON."""
        return {
            "text": self.text,
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }

    def to_arrow(self, rows: Rows = "constituents", *, document: int = 0) -> Any:
        """Return a `pyarrow.Table` with a row for each constituent, token or sentence.

        `rows` chooses; docs/notebooks.md lists the columns of each. `document` is the number in the
        column of that name, which tells documents apart in a table of many.
        """
        return to_arrow(self.sentences, rows, document)

    def to_pandas(self, rows: Rows = "constituents", *, document: int = 0) -> Any:
        """Return a `pandas.DataFrame` with the same rows and columns as `to_arrow`."""
        return to_pandas(self.sentences, rows, document)

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
        best = [sentence.parses[0] for sentence in self.sentences[:_DRAWN]]
        html = draw_html((parse.tree, parse.probabilities()) for parse in best)
        more = len(self.sentences) - len(best)
        if more:
            html += f"\n<p>… and {more:,} more sentence{'s' if more > 1 else ''}</p>"
        return html
