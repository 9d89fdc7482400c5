"""Settings for all tests, and what tests have to say of themselves, printed after the run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# One thread a process: the tests run in several, and the threads of one spin while those of another
# work.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("whorl", deadline=None)  # a busy machine is no failure
settings.load_profile("whorl")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests recorded as `checked`: unlike printed text, a property gets here from worker processes too."""
    reports = terminalreporter.getreports("passed")
    lines = [
        text for report in reports for name, text in report.user_properties if name == "checked"
    ]
    if lines:
        terminalreporter.section("checked")
        for line in sorted(map(str, lines)):
            terminalreporter.write_line(line)
