"""Progress of long commands, shown on standard error while that is a terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from whorl.cli.streams import raw_stream

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

__all__ = ["ProgressDisplay"]

_INTERVAL = 0.2  # seconds between two updates of a count


class ProgressDisplay:
    """Bars with the time they have taken, one at a time or several; they vanish when done.

    `unit` names what `add` counts. Without a terminal nothing is shown, and Rich is not imported.
    """

    def __init__(
        self,
        unit: str = "",
        *,
        shown: bool = True,
        several: bool = False,
        console: Console | None = None,
    ) -> None:
        self._unit = unit
        self._several = several
        self._console = console
        self._shown = shown and (sys.stderr.isatty() if console is None else console.is_terminal)
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._count = 0
        self._start = self._updated = time.monotonic()

    def add(self, count: int) -> None:
        """Count more units as done."""
        self._count += count
        if self._shown and (now := time.monotonic()) - self._updated >= _INTERVAL:
            self._updated = now
            rate = self._count / (now - self._start)
            text = f"{self._count:,} {self._unit}, {rate:,.0f} a second"
            self.show(self._unit, None, text=text)

    def show(
        self,
        name: str,
        fraction: float | None,
        seconds_left: float | None = None,
        *,
        text: str | None = None,
        detail: str | None = None,
    ) -> None:
        """Show how much of a task is done, None where that is unknown.

        `text` stands before the bar, the name by default; `detail` stands after it.
        """
        if not self._shown:
            return
        if detail is None:
            detail = "" if fraction is None else f"{100 * fraction:3.0f} %"
        if seconds_left is not None:
            detail += f"  {seconds_left / 60:.1f} min left"
        if name not in self._tasks and not self._several:
            self._clear()
        bars = self._running_bars()
        total, done = (None, 0) if fraction is None else (100, round(100 * fraction))
        if name in self._tasks:
            task = self._tasks[name]
            bars.update(task, description=text or name, total=total, completed=done, detail=detail)
        else:
            self._tasks[name] = bars.add_task(
                text or name, total=total, completed=done, detail=detail
            )
        if fraction is not None and fraction >= 1:
            self.hide(name)

    def hide(self, name: str) -> None:
        """Remove a bar."""
        if self._bars is not None and name in self._tasks:
            self._bars.remove_task(self._tasks.pop(name))
            if not self._tasks:
                self._bars.stop()

    def line(self, text: str) -> None:
        """Print a line on standard output; bars stay below it."""
        running = self._bars is not None and self._bars.live.is_started
        if self._bars is not None:
            self._bars.stop()
        print(text, flush=True)
        if self._bars is not None and running:
            self._bars.start()

    def close(self) -> None:
        """Remove all bars."""
        self._clear()
        if self._bars is not None:
            self._bars.stop()

    def __enter__(self) -> ProgressDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _clear(self) -> None:
        for name in list(self._tasks):
            self.hide(name)

    def _running_bars(self) -> Progress:
        if self._bars is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self._bars = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[detail]}", markup=False),
                console=self._console or Console(file=raw_stream(sys.stderr)),
                refresh_per_second=5,
                transient=True,
                redirect_stdout=False,  # it may be a file
            )
        self._bars.start()
        return self._bars
