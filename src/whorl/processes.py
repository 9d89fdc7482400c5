"""Worker processes that never outlive the process that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process

__all__ = ["exit_with_parent", "interrupts_blocked"]


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Start processes in this block that no interrupt reaches before they can ignore it.

    They inherit the block. For this process, an interrupt waits until the end.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def exit_with_parent() -> None:
    """End this process when its parent ends, even by SIGKILL.

    Works in a process that `multiprocessing` started, and in one whose standard input is a pipe
    from its parent that nobody writes to.
    """
    threading.Thread(target=_wait_and_exit, daemon=True).start()


def _wait_and_exit() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    else:
        while os.read(0, 1):  # not sys.stdin: the interpreter takes its lock when it shuts down
            pass
    os._exit(1)
