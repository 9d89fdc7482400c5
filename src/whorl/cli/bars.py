"""Progress on a terminal: a bar for the work that is under way, with the time that is left."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

__all__ = ["Bars"]


class Bars:
    """One bar at a time, on standard error; where that is no terminal, none at all."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
        )
        self._progress = Progress(
            *columns,
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=self._console,
            disable=not self._console.is_terminal,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}
        self._shown = ""

    def show(self, what: str, fraction: float, seconds_left: float | None = None) -> None:
        """Some work is done to that fraction; once it is done its bar goes away."""
        if what != self._shown:
            self._progress.stop()
            self._shown = what
            if what not in self._tasks:
                self._tasks[what] = self._progress.add_task(what, total=1.0, left="")
            for name, task in self._tasks.items():
                self._progress.update(task, visible=name == what)
            self._progress.start()
        left = "" if seconds_left is None else f"{seconds_left / 60:.1f} min left"
        self._progress.update(self._tasks[what], completed=fraction, left=left)
        if fraction >= 1:
            self.close()

    def line(self, text: str) -> None:
        """Print a line that stays."""
        running = self._progress.live.is_started
        self._progress.stop()
        print(text, flush=True)
        if running:
            self._progress.start()

    def close(self) -> None:
        """Take the bar away."""
        self._progress.stop()
        self._shown = ""
