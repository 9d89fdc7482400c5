"""Worker processes that never outlive the process that started them."""

from __future__ import annotations

import os
import threading
from multiprocessing import parent_process

__all__ = ["exit_with_parent"]


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
