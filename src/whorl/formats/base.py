"""What every output format does."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whorl.engine import Parse
    from whorl.parser.documents import Sentence
    from whorl.trees import Tree

__all__ = ["Format", "Origin"]


class Origin(NamedTuple):
    """Where a sentence was read."""

    name: str
    """The source as messages name it: a file's name, or `standard input`."""
    path: str | None
    """The file's name, `-` for standard input, None for an argument."""
    number: int
    """The number of the sentence or line in its source, from 1."""


class Format:
    """How trees and parsed sentences become text.

    A format of trees implements `format_tree`, and `format_parse` if it shows probabilities; one
    that writes more implements `format_parses` or, if it writes offsets or origins,
    `format_sentence`. An instance can be pickled, so that worker
    processes can format what they parse.

    `n_best` says whether all parses of a sentence are written or the best one, `several_sources`
    whether sentences come from more than one, `width` how many columns text may take, and
    `probabilities` whether drawings mark uncertain phrases.
    """

    registry: ClassVar[dict[str, type[Format]]] = {}

    name: ClassVar[str]
    is_drawing: ClassVar[bool] = False
    """Whether `whorl draw` offers it; it then has `format_tree`."""
    marks_uncertain: ClassVar[bool] = False
    """Whether `probabilities` makes a difference."""
    file_suffix: ClassVar[str | None] = None
    """The suffix of files that hold one tree each; None if a file holds any number of sentences."""
    needs_sentence: ClassVar[bool] = False
    """Whether it needs `format_sentence`; if not, `format_parses` is enough."""
    comment: ClassVar[str] = ""
    """What begins a line that is not part of a tree."""

    opening: ClassVar[str] = ""
    """Text before the first sentence of a stream."""
    separator: ClassVar[str] = ""
    """Text between two sentences."""
    closing: ClassVar[str] = ""
    """Text after the last sentence."""
    empty: ClassVar[str] = ""
    """The text of a stream without sentences."""

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            Format.registry[cls.name] = cls

    def __init__(
        self,
        *,
        n_best: bool = False,
        several_sources: bool = False,
        width: int = 100,
        probabilities: bool = False,
    ) -> None:
        self.n_best = n_best
        self.several_sources = several_sources
        self.width = width
        self.probabilities = probabilities

    def format_tree(self, tree: Tree) -> str:
        """Format a tree, without a line break at the end."""
        raise NotImplementedError(f"the format {self.name} is not one of trees alone")

    def format_parse(self, parse: Parse) -> str:
        """Format one parse of a sentence, without a line break at the end."""
        return self.format_tree(parse.tree)

    def format_parses(self, parses: Sequence[Parse]) -> str:
        """Format the parses of a sentence, best first: trees with an empty line after each.

        An empty sentence has no parses.
        """
        blocks = [f"{self._heading(parse)}{self.format_parse(parse)}\n\n" for parse in parses]
        return "".join(blocks) or "\n"

    def format_sentence(self, sentence: Sentence | None, origin: Origin | None = None) -> str:
        """Format a sentence; None is an empty one, such as an empty line of tokens."""
        return self.format_parses(sentence.parses if sentence is not None else ())

    def _heading(self, parse: Parse) -> str:
        if not self.n_best:
            return ""
        return f"{self.comment}log-probability {parse.log_probability:.4f}\n"
