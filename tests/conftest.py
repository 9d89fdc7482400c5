"""Settings of all tests, and a summary of what they checked, printed after the run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# One thread per process: tests run in several, and idle threads of one would slow the others down.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("whorl", deadline=None)  # a busy machine is no failure
settings.load_profile("whorl")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded as `checked`; properties arrive from worker processes too."""
    reports = terminalreporter.getreports("passed")
    lines = [
        text for report in reports for name, text in report.user_properties if name == "checked"
    ]
    if lines:
        terminalreporter.section("checked")
        for line in sorted(map(str, lines)):
            terminalreporter.write_line(line)
