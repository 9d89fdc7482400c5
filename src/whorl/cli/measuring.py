"""From text or trees to the structures that `whorl complexity` counts, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from whorl.cli.common import OnError, report_skipped
from whorl.cli.parsing import ParsingOptions, parse_text
from whorl.cli.sources import InputSource, find_sources
from whorl.cli.tree_sources import find_tree_sources
from whorl.complexity import Counts, count_structures
from whorl.trees import Cleaning

if TYPE_CHECKING:
    from whorl.cli.inputs import InputSentence
    from whorl.engine import Parse

__all__ = ["measure_text", "measure_trees"]

_CLEANING = Cleaning(loops=False, root=None)
"""What makes trees of a treebank look like those of a parser: bare labels, no traces."""


def measure_trees(arguments: Sequence[str], on_error: OnError) -> dict[str, Counts]:
    """Count the structures in each file of trees."""
    skipped = on_error.collector()
    counts = {}
    for source in find_tree_sources(arguments):
        cleaned = (_CLEANING(tree) for _, tree in source.read(skipped))
        counts[source.file] = count_structures(tree for tree in cleaned if tree is not None)
    report_skipped(skipped)
    return counts


def measure_text(arguments: Sequence[str], options: ParsingOptions) -> dict[str, Counts]:
    """Parse text and count the structures in each file."""
    sources = find_sources(arguments)
    tally = _Tally(sources)
    parse_text(sources, tally, options, show_progress=True)
    return tally.counts


class _Tally:
    """A `Writer` that adds up what is counted where sentences are parsed."""

    needs_input = True

    def __init__(self, sources: Sequence[InputSource]) -> None:
        self.counts = {source.path or source.name: Counts() for source in sources}
        self.format_result: Callable[..., tuple[str, Counts]] = _count_sentence

    def write(self, formatted: Any) -> None:
        """Add the counts of a sentence."""
        name, counts = formatted
        self.counts[name] += counts

    def flush(self) -> None:
        """Do nothing: the counts are written at the end."""


def _count_sentence(parses: Sequence[Parse], sentence: InputSentence) -> tuple[str, Counts]:
    origin = sentence.origin
    return origin.path or origin.name, count_structures(parse.tree for parse in parses)
