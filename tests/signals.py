"""Signals for processes that tests start."""

from __future__ import annotations

import signal

__all__ = ["interruptible"]


def interruptible() -> None:
    """Restore the default signals in a process that is about to start.

    A shell that starts a job in the background ignores SIGINT for it, and `nohup` ignores SIGHUP;
    children inherit that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
