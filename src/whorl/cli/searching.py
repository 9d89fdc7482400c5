"""From trees or text to the results of a search, in bounded memory."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from whorl.cli.common import OnError, note, open_output, report_skipped
from whorl.cli.hit_formats import HitFormat
from whorl.cli.hits import Place, Query
from whorl.cli.parsing import ParsingOptions, parse_text
from whorl.cli.sources import InputSource, find_sources
from whorl.cli.streams import raw_stream
from whorl.cli.tree_sources import TreeSource, find_tree_sources
from whorl.errors import BracketError, SearchError, TreeError

if TYPE_CHECKING:
    from whorl.cli.inputs import InputSentence
    from whorl.engine import Parse
    from whorl.trees import Tree

__all__ = ["Task", "TreeSearch", "report_failures", "search_inputs"]

Found: TypeAlias = str | int | SearchError


class Task(str, Enum):
    """What is wanted of the results."""

    lines = "lines"
    counts = "counts"
    files = "files"
    nothing = "nothing"


class EnoughError(Exception):
    """There are as many results as were asked for. Never seen outside."""


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """Searches one tree after another. It can be pickled.

    With `skips`, a tree whose search fails gives the error as a result, instead of raising it.
    """

    query: Query
    hit_format: HitFormat
    task: Task = Task.lines
    skips: bool = False

    def __call__(self, tree: Tree, place: Place) -> Iterator[Found]:
        """Yield lines, or the count of each pattern, or a 1 if there is any result."""
        try:
            yield from self._results(tree, place)
        except SearchError as error:
            if not self.skips:
                raise
            yield error

    def _results(self, tree: Tree, place: Place) -> Iterator[Found]:
        if self.task is Task.counts:
            yield from self.query.counts(tree, place)
            return
        for hit in self.query.hits(tree, place):
            if self.task is not Task.lines:
                yield 1
                return
            yield self.hit_format.format(hit, place)


class Report:
    """Writes the results of a search as they come, or counts, or the names of files."""

    def __init__(
        self,
        file: IO[str],
        task: Task,
        patterns: Sequence[str],
        sources: Sequence[str],
        *,
        max_results: int | None = None,
    ) -> None:
        self.found = False
        self.errors: list[SearchError] = []
        """Those of trees that were skipped."""
        self._file = file
        self._task = task
        self._patterns = patterns
        self._sources = list(dict.fromkeys(sources))
        self._left = max_results
        self._counts: Counter[tuple[str, str]] = Counter()
        self._listed: set[str] = set()

    def add(self, source: str, results: Iterable[Found]) -> None:
        """Add the results in a tree; raise `EnoughError` if no more are needed."""
        for number, result in enumerate(results):
            if isinstance(result, SearchError):
                self.errors.append(result)
            elif isinstance(result, str):
                self._write(result)
            elif self._task is Task.counts:
                self._counts[source, self._patterns[number]] += result
                self.found |= bool(result)
            elif self._task is Task.nothing:
                self.found = True
                raise EnoughError
            elif source not in self._listed:
                self._listed.add(source)
                self._write(source)

    def has_listed(self, source: str) -> bool:
        """Return whether the name of a file is written, so that its other trees do not matter."""
        return source in self._listed

    def flush(self) -> None:
        """Make everything written so far visible to readers."""
        self._file.flush()

    def finish(self) -> None:
        """Write the counts."""
        if self._task is not Task.counts:
            return
        for source in self._sources:
            before = f"{source}:" if len(self._sources) > 1 else ""
            for name in self._patterns:
                after = f"\t{name}" if len(self._patterns) > 1 else ""
                self._file.write(f"{before}{self._counts[source, name]}{after}\n")

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self.found = True
        if self._left is not None:
            self._left -= 1
            if not self._left:
                raise EnoughError


def search_inputs(
    inputs: Sequence[str],
    search: TreeSearch,
    *,
    parsing: ParsingOptions | None,
    on_error: OnError,
    out: str = "-",
    max_results: int | None = None,
    untagged: bool = False,
) -> bool:
    """Search trees, or text that is parsed, write the results, and say whether there are any."""
    skipped = on_error.collector()
    sources: list[Any] = find_sources(inputs) if parsing else find_tree_sources(inputs)
    names = [_source_name(source, search.task) for source in sources]
    search = replace(
        search, hit_format=replace(search.hit_format, several_files=len(set(names)) > 1)
    )
    with open_output(out) as file:
        coloured = raw_stream(file) if search.hit_format.colour else file
        patterns = list(search.query.patterns)
        report = Report(coloured, search.task, patterns, names, max_results=max_results)
        with suppress(EnoughError):
            if parsing:
                writer = _TextSearch(search, report, jobs=parsing.jobs)
                is_shown = out != "-" or not sys.stdout.isatty()
                parse_text(sources, writer, parsing, show_progress=is_shown)
            else:
                with _advice_for_text():
                    _search_trees(sources, search, report, skipped, untagged=untagged)
        report.finish()
    report_skipped(skipped)
    report_failures(report.errors, "skipped {} in which the search failed")
    return report.found


def _source_name(source: InputSource | TreeSource, task: Task) -> str:
    """Return what results are filed under; the files of a folder are counted together."""
    if isinstance(source, InputSource):
        return source.path or source.name
    return source.argument if task is Task.counts else source.file


def _search_trees(
    sources: Sequence[TreeSource],
    search: TreeSearch,
    report: Report,
    skipped: list[BracketError] | None,
    *,
    untagged: bool,
) -> None:
    for source in sources:
        name = _source_name(source, search.task)
        trees = source.read(skipped, untagged=untagged)
        for number, (line, tree) in enumerate(trees, start=1):
            report.add(name, search(tree, Place(source.file, line, number)))
            if report.has_listed(name):
                break


@contextmanager
def _advice_for_text() -> Iterator[None]:
    """Say how to search text if the first line of a file is not a tree."""
    try:
        yield
    except BracketError as error:
        if error.line == 1 and error.column == 1:
            raise TreeError(f"{error}; expected bracketed trees, or text with --parse") from None
        raise


def report_failures(errors: Sequence[SearchError], what: str) -> None:
    """Count and list the trees whose search or edit failed; `what` says what became of them."""
    if errors:
        note(what.format(f"{len(errors)} tree{'s' if len(errors) > 1 else ''}") + ":")
        for error in errors:
            print(f"  {error}", file=sys.stderr)


class _TextSearch:
    """A `Writer` that searches the sentences that are parsed, where they are parsed."""

    needs_input = True

    def __init__(self, search: TreeSearch, report: Report, *, jobs: int) -> None:
        self.format_result: Callable[..., Any] = _SentenceSearch(search, as_list=jobs > 1)
        self._report = report

    def write(self, formatted: Any) -> None:
        """Add the results of a sentence to the report."""
        source, results = formatted
        self._report.add(source, results)

    def flush(self) -> None:
        """Make everything written so far visible to readers."""
        self._report.flush()


@dataclass(frozen=True, slots=True)
class _SentenceSearch:
    search: TreeSearch
    as_list: bool
    """Whether results must be pickled."""

    def __call__(self, parses: Sequence[Parse], sentence: InputSentence) -> tuple[str, Any]:
        origin = sentence.origin
        parsed = sentence.with_parses(parses)
        if parsed is None:
            return origin.path or origin.name, ()
        place = Place(origin.path, sentence.line, origin.number, parsed)
        results = self.search(parsed.tree, place)
        return origin.path or origin.name, list(results) if self.as_list else results
