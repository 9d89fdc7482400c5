"""Chunks of inputs parsed by worker processes, in order, a few at a time."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from whorl.errors import WorkerError
from whorl.parser.requests import Chunk, LoadedModel, Options, parse_chunk
from whorl.processes import exit_with_parent
from whorl.threads import thread_variables

__all__ = ["parse_in_workers"]

_CHUNKS_PER_WORKER = 2  # one being parsed and one waiting
_models: list[LoadedModel] = []  # in a worker, its model


def parse_in_workers(
    load: Callable[[], LoadedModel], chunks: Iterable[Chunk], options: Options, jobs: int
) -> Generator[tuple[Chunk, list[Any]], None, None]:
    """Yield chunks with their results.

    Workers are spawned, not forked, so threads and GPUs in this process do no harm. Contexts stay
    in this process unless `options.then` needs them.
    """
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(load,)
    )
    pending: deque[tuple[Chunk, Future[list[Any]]]] = deque()
    try:
        for chunk in chunks:
            sent = chunk if options.then is not None else [(item, None) for item, _ in chunk]
            pending.append((chunk, pool.submit(_parse_in_worker, sent, options)))
            if len(pending) >= _CHUNKS_PER_WORKER * jobs:
                first, future = pending.popleft()
                yield first, future.result()
        while pending:
            first, future = pending.popleft()
            yield first, future.result()
    except BrokenProcessPool as error:
        raise WorkerError(
            "a worker process died: it was killed or ran out of memory, or, if it died at once, "
            "the script is not guarded by `if __name__ == '__main__':`"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(load: Callable[[], LoadedModel]) -> None:
    """Prepare a worker: one thread, no signals meant for the parent, and an end with the parent."""
    exit_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.environ.update(thread_variables(1))
    _models.append(load())


def _parse_in_worker(chunk: Chunk, options: Options) -> list[Any]:
    return parse_chunk(_models[0], chunk, options)
