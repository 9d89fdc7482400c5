"""Work on a stream shared by worker processes, with the results in order, a few at a time."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from whorl.errors import WorkerError
from whorl.processes import exit_with_parent, interrupts_blocked
from whorl.threads import thread_variables

__all__ = ["map_in_workers"]

E = TypeVar("E")
T = TypeVar("T")
R = TypeVar("R")

_ITEMS_PER_WORKER = 2  # one being worked on and one waiting
_loaded: list[Any] = []  # in a worker, what it works with, such as a model


def map_in_workers(
    load: Callable[[], E],
    work: Callable[[E, Any], R],
    items: Iterable[T],
    jobs: int,
    *,
    sent: Callable[[T], Any] | None = None,
) -> Generator[tuple[T, R], None, None]:
    """Yield items with what `work` makes of each, in order.

    Every worker calls `load` once, for what it works with, such as a model. A worker gets the item
    itself, or what `sent` returns for it. Workers are spawned, not forked, so threads and GPUs in
    this process do no harm.
    """
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(load,)
    )
    pending: deque[tuple[T, Future[R]]] = deque()
    try:
        for item in items:
            with interrupts_blocked():  # a worker may be started
                future = pool.submit(_work, work, item if sent is None else sent(item))
            pending.append((item, future))
            if len(pending) >= _ITEMS_PER_WORKER * jobs:
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


def _start_worker(load: Callable[[], Any]) -> None:
    """Prepare a worker: one thread, no signals meant for the parent, and an end with the parent."""
    exit_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.environ.update(thread_variables(1))
    _loaded.append(load())


def _work(work: Callable[[Any, Any], R], item: Any) -> R:
    return work(_loaded[0], item)
