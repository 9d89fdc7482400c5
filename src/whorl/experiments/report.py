"""The report of an experiment: tables in Markdown, the same figures in JSON, and pictures."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.files import replace_atomically, write_json
from whorl.reporting.markdown import wrap_markdown
from whorl.reporting.tables import markdown_table

__all__ = [
    "DOUBTFUL",
    "ENOUGH",
    "ExperimentReport",
    "ReportTable",
    "Spread",
    "doubt_notes",
    "format_figure",
    "mark_best",
]

DOUBTFUL = 0.5
"""Smaller differences, in F1 points, need enough seeds."""

ENOUGH = 3
"""Enough seeds."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One figure over several seeds."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean."""
        return statistics.fmean(self.values)

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation; None of a single value."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None

    def __str__(self) -> str:
        return (
            f"{self.mean:.2f}"
            if self.deviation is None
            else f"{self.mean:.2f} ± {self.deviation:.2f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {"mean": self.mean, "deviation": self.deviation, "values": list(self.values)}


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A title, columns and rows; the first column is text, the others are numbers."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """Return the table as Markdown, with its title and notes."""
        table = markdown_table(self.header, self.rows)
        return "\n\n".join([f"## {self.title}", table, *self.notes])


@dataclass(frozen=True, slots=True)
class ExperimentReport:
    """The tables, data and pictures of an experiment; `about` says how they were obtained."""

    name: str
    title: str
    about: Sequence[str]
    tables: Sequence[ReportTable]
    data: dict[str, Any]
    pictures: dict[str, str] = field(default_factory=dict)

    def markdown(self) -> str:
        """Return the report as Markdown, which refers to the pictures."""
        about = "\n".join(f"- {line}" for line in self.about)
        links = [f"![{self.title}]({name})" for name in self.pictures]
        parts = [f"# {self.title}", about, *(table.markdown() for table in self.tables), *links]
        return wrap_markdown("\n\n".join(parts) + "\n")

    def save(self, folder: str | Path) -> list[Path]:
        """Write NAME.md, NAME.json and the pictures; return the paths."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        texts = {**self.pictures, f"{self.name}.md": self.markdown()}
        for name, text in texts.items():
            with replace_atomically(folder / name) as partial:
                partial.write_text(text, encoding="utf-8")
        write_json(folder / f"{self.name}.json", self.data)
        return [folder / name for name in (*texts, f"{self.name}.json")]


def format_figure(value: float | None, digits: int = 2) -> str:
    """Format a number for a cell, or a dash for None."""
    return "–" if value is None else f"{value:.{digits}f}"


def mark_best(spreads: Sequence[Spread]) -> list[str]:
    """Format a column, the best figure bold; † marks close figures of too few seeds."""
    if not spreads:
        return []
    best, worst = max(spread.mean for spread in spreads), min(spread.mean for spread in spreads)
    cells = []
    for spread in spreads:
        lead = best - spread.mean
        cell = f"**{spread}**" if lead == 0 and best > worst else str(spread)
        cells.append(f"{cell} †" if 0 < lead < DOUBTFUL and len(spread.values) < ENOUGH else cell)
    return cells


def doubt_notes(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the note that explains †, if a cell has it."""
    if not any("†" in cell for row in rows for cell in row):
        return []
    return [
        f"† Less than {DOUBTFUL} below the best, with fewer than {ENOUGH} seeds: not to be "
        f"interpreted. A difference this small needs {ENOUGH} seeds or more."
    ]
