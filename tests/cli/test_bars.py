"""Bars: shown on a terminal, and nowhere else."""

from __future__ import annotations

import io

from rich.console import Console

from whorl.cli.bars import Bars


def shown(*, terminal: bool) -> str:
    file = io.StringIO()
    bars = Bars(Console(file=file, force_terminal=terminal, width=80))
    bars.show("tags", 0.5)
    bars.show("epoch 1 of 3", 0.25, 90)
    bars.line("a line")
    bars.show("epoch 1 of 3", 1.0, 60)
    bars.close()
    return file.getvalue()


def test_on_a_terminal_the_work_under_way_and_the_time_left_are_shown(capsys):
    text = shown(terminal=True)
    assert text.index("tags") < text.index("epoch 1 of 3")
    assert "25 %" in text
    assert "1.5 min left" in text
    assert capsys.readouterr().out == "a line\n"


def test_elsewhere_lines_alone_are(capsys):
    assert shown(terminal=False).strip() == ""
    assert capsys.readouterr().out == "a line\n"
