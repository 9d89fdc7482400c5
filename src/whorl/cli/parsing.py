"""From sources to a writer through a parser, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whorl.batching import ChunkBuffer
from whorl.cli.choices import Hyphens, Input, Newline

if TYPE_CHECKING:
    from whorl.cli.inputs import InputSentence, Reader
    from whorl.cli.outputs import Writer
    from whorl.cli.progress import ProgressDisplay
    from whorl.cli.sources import InputSource
    from whorl.parser import Parser

__all__ = ["ParsingOptions", "parse_sources", "parse_text"]


@dataclass(frozen=True, slots=True)
class ParsingOptions:
    """How commands that need the trees of a text have it parsed."""

    model: str | None = None
    device: str = "cpu"
    convention: str | None = None
    tokens: bool = False
    newline: Newline = Newline.space
    hyphens: Hyphens | None = None
    batch: int | None = None
    jobs: int = 1


def parse_text(
    sources: Sequence[InputSource],
    writer: Writer,
    options: ParsingOptions,
    *,
    show_progress: bool = False,
) -> None:
    """Parse text, or lines of tokens, with a model."""
    from whorl.catalogue import DEFAULT
    from whorl.cli.inputs import sentence_reader
    from whorl.cli.progress import ProgressDisplay
    from whorl.parser import load

    parser = load(options.model or DEFAULT, device=options.device, convention=options.convention)
    read = sentence_reader(
        Input.tokens if options.tokens else Input.text,
        parser.tokeniser,
        newline=options.newline.value,
        hyphens=None if options.hyphens is None else options.hyphens.value,
    )
    with ProgressDisplay("sentences", shown=show_progress) as progress:
        parse_sources(
            parser,
            sources,
            read,
            writer,
            progress,
            batch_size=options.batch or parser.batch_size,
            jobs=options.jobs,
            n_best=1,
        )


def parse_sources(
    parser: Parser,
    sources: Sequence[InputSource],
    read: Reader,
    writer: Writer,
    progress: ProgressDisplay,
    *,
    batch_size: int,
    jobs: int = 1,
    **options: Any,
) -> None:
    """Parse all sources; a single process answers what has arrived before it waits for more."""
    from whorl.parser.parser import READ_AHEAD
    from whorl.parser.requests import count_sentences

    def pair(sentence: InputSentence) -> tuple[Any, InputSentence | None]:
        return sentence.request, sentence if writer.needs_input else None

    def parse(pairs: Iterable[tuple[Any, InputSentence | None]]) -> None:
        results = parser.pipe(
            pairs,
            as_tuples=True,
            then=writer.format_result,
            batch_size=batch_size,
            jobs=jobs,
            **options,
        )
        for formatted, _ in results:
            writer.write(formatted)
            progress.add(1)

    def parse_buffered() -> None:
        parse(buffer.take())
        writer.flush()

    if jobs > 1:
        parse(pair(sentence) for source in sources for sentence in read(source))
        return
    buffer = ChunkBuffer(batch_size * READ_AHEAD, count_sentences)
    for source in sources:
        source.on_wait = parse_buffered
        for sentence in read(source):
            if buffer.add(pair(sentence)):
                parse_buffered()
    parse_buffered()
