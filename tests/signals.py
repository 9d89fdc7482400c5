"""Signals for processes that tests start."""

from __future__ import annotations

import signal

__all__ = ["interruptible"]


def interruptible() -> None:
    """Let a new process be interrupted, which a shell turns off for background processes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
