"""From sources to a writer, by way of a parser, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whorl.cli.inputs import Given, Read
    from whorl.cli.outputs import Writer
    from whorl.cli.progress import ProgressDisplay
    from whorl.cli.sources import Source
    from whorl.parser import Parser

__all__ = ["parse_all"]

_AHEAD = 8  # batches that are read before the first is parsed, so that sentences of like length come together
_LONG = 128  # words: of longer sentences, fewer are read ahead


def parse_all(
    parser: Parser,
    sources: Sequence[Source],
    read: Read,
    writer: Writer,
    progress: ProgressDisplay,
    *,
    batch: int,
    jobs: int = 1,
    **options: Any,
) -> None:
    """Parse all sources. One process parses and writes what has come before it waits for more."""
    form = writer.form
    options |= {"as_tuples": True, "batch_size": batch, "then": form}

    def pair(given: Given) -> tuple[Any, Given | None]:
        return given.tokens, given if form is not None and form.tells_origin else None

    if jobs > 1:
        stream = (pair(given) for source in sources for given in read(source))
        _write(parser.pipe(stream, jobs=jobs, **options), writer, progress)
        return
    pending: list[tuple[Any, Given | None]] = []
    words = 0

    def parse_pending() -> None:
        nonlocal words
        _write(parser.pipe(pending, **options), writer, progress)
        pending.clear()
        words = 0
        writer.flush()

    for source in sources:
        source.on_wait = parse_pending
        for given in read(source):
            pending.append(pair(given))
            words += len(given.tokens)
            if len(pending) >= batch * _AHEAD or words >= batch * _AHEAD * _LONG:
                parse_pending()
    parse_pending()


def _write(results: Any, writer: Writer, progress: ProgressDisplay) -> None:
    for made, _ in results:
        writer.write(made)
        progress.add(1)
