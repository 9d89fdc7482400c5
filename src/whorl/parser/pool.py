"""Chunks of inputs parsed in several processes, in order, with few of them under way at a time."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from whorl.engine.protocol import Engine
from whorl.errors import WorkerError
from whorl.parser.requests import Chunk, Options, results
from whorl.threads import thread_variables

__all__ = ["in_processes"]

_UNDER_WAY = 2  # chunks for each process: one that it works on, one that waits for it
_held: list[Engine] = []  # in a worker, its engine


def in_processes(
    load: Callable[[], Engine], chunks: Iterable[Chunk], options: Options, jobs: int
) -> Generator[tuple[Chunk, list[Any]], None, None]:
    """Chunks and their results. Processes are new ones, not forks, so that they can be had beside threads and GPUs.

    What came beside an input stays here, unless `options.then` is to be given it.
    """
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(load,)
    )
    waiting: deque[tuple[Chunk, Future[list[Any]]]] = deque()
    try:
        for chunk in chunks:
            sent = chunk if options.then is not None else [(given, None) for given, _ in chunk]
            waiting.append((chunk, pool.submit(_go_on, sent, options)))
            if len(waiting) >= _UNDER_WAY * jobs:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    except BrokenProcessPool as error:
        raise WorkerError(
            "a process that was parsing died: it was killed, ran out of memory, or, if it died at once, runs a script "
            "that is not guarded by `if __name__ == '__main__':`"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(load: Callable[[], Engine]) -> None:
    """Make a worker ready: one thread, and an interrupt is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(thread_variables(1))
    _held.append(load())


def _go_on(chunk: Chunk, options: Options) -> list[Any]:
    return results(_held[0], chunk, options)
