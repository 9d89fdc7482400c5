"""Progress: shown on a terminal, and nowhere else."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from whorl.cli.progress import ProgressDisplay


def make_display(*, terminal: bool, **options) -> tuple[ProgressDisplay, io.StringIO]:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=80)
    return ProgressDisplay(console=console, **options), file


def show_training(*, terminal: bool) -> str:
    display, file = make_display(terminal=terminal)
    display.show("tags", 0.5)
    display.show("epoch 1 of 3", 0.25, 90)
    display.line("a line")
    display.show("epoch 1 of 3", 1.0, 60)
    display.close()
    return file.getvalue()


def test_a_terminal_shows_the_task_under_way_and_the_time_left(capsys):
    text = show_training(terminal=True)
    assert text.index("tags") < text.index("epoch 1 of 3")
    assert "25 %" in text
    assert "1.5 min left" in text
    assert capsys.readouterr().out == "a line\n"


def test_without_a_terminal_only_lines_are_printed(capsys):
    assert show_training(terminal=False) == ""
    assert capsys.readouterr().out == "a line\n"


def test_several_bars_stay_until_they_are_hidden():
    display, file = make_display(terminal=True, several=True)
    with display:
        display.show("all", 0.5, detail="1 of 2")
        display.show("first", None, text="first: epoch 3")
        shown = file.getvalue()
        display.hide("first")
        display.show("second", None)
    assert "1 of 2" in shown.rsplit("all", 1)[1]
    assert "first: epoch 3" in shown.rsplit("all", 1)[1]
    assert "all" in file.getvalue()[len(shown) :]
    assert "second" in file.getvalue()[len(shown) :]
    assert "first" not in file.getvalue().rsplit("all", 1)[1]


def test_units_are_counted_with_their_rate(monkeypatch: pytest.MonkeyPatch):
    display, file = make_display(terminal=True, unit="sentences")
    start = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: start)
    with display:
        display.add(1000)
        assert file.getvalue() == ""
        monkeypatch.setattr(time, "monotonic", lambda: start + 3)
        display.add(2000)
    assert "3,000 sentences, 1,000 a second" in file.getvalue()


def test_standard_output_stays_where_it_is_while_bars_are_shown(capsys):
    display, file = make_display(terminal=True)
    with display:
        display.show("task", 0.5)
        print("output")
    assert capsys.readouterr().out == "output\n"
    assert "output" not in file.getvalue()
