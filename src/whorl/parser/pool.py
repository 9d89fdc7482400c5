"""Parsing by worker processes that share a stream of chunks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any

from whorl.parser.requests import Chunk, LoadedModel, Options, parse_chunk
from whorl.workers import map_in_workers

__all__ = ["parse_in_workers"]


def parse_in_workers(
    load: Callable[[], LoadedModel], chunks: Iterable[Chunk], options: Options, jobs: int
) -> Generator[tuple[Chunk, list[Any]], None, None]:
    """Yield chunks with their results.

    Contexts stay in this process unless `options.then` needs them.
    """

    def sent(chunk: Chunk) -> Chunk:
        return chunk if options.then is not None else [(item, None) for item, _ in chunk]

    yield from map_in_workers(load, partial(_parse, options=options), chunks, jobs, sent=sent)


def _parse(model: LoadedModel, chunk: Chunk, *, options: Options) -> list[Any]:
    return parse_chunk(model, chunk, options)
