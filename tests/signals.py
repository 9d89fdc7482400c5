"""Signals for processes that tests start."""

from __future__ import annotations

import signal

__all__ = ["interruptible"]


def interruptible() -> None:
    """Let a process that is about to start be interrupted: one that a shell put in the background ignores that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
