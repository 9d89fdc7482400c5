"""What an experiment comes to: tables in Markdown, the same figures in JSON, and pictures."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.files import replaced, write_json
from whorl.reporting.tables import markdown_table

__all__ = ["DOUBTFUL", "ENOUGH", "Document", "Spread", "Table", "doubtful_note", "figure", "marked"]

DOUBTFUL = 0.5  # F1 points
ENOUGH = 3  # seeds


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
        """The standard deviation of the sample; None of a single value."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None

    def __str__(self) -> str:
        return (
            f"{self.mean:.2f}"
            if self.deviation is None
            else f"{self.mean:.2f} ± {self.deviation:.2f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {"mean": self.mean, "deviation": self.deviation, "values": list(self.values)}


@dataclass(frozen=True, slots=True)
class Table:
    """A heading, columns and rows; the first column is text."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """The table as Markdown."""
        table = markdown_table(self.header, self.rows)
        return "\n\n".join([f"## {self.title}", table, *self.notes])


@dataclass(frozen=True, slots=True)
class Document:
    """All that one experiment gives; `about` says what was measured, on what, when and by which command."""

    name: str
    title: str
    about: Sequence[str]
    tables: Sequence[Table]
    data: dict[str, Any]
    pictures: dict[str, str] = field(default_factory=dict)

    def markdown(self) -> str:
        """The whole as Markdown; pictures stand beside it."""
        about = "\n".join(f"- {line}" for line in self.about)
        shown = [f"![{self.title}]({name})" for name in self.pictures]
        return (
            "\n\n".join(
                [f"# {self.title}", about, *(table.markdown() for table in self.tables), *shown]
            )
            + "\n"
        )

    def save(self, folder: str | Path) -> list[Path]:
        """Write NAME.md, NAME.json and the pictures; the files written."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        texts = {**self.pictures, f"{self.name}.md": self.markdown()}
        for name, text in texts.items():
            with replaced(folder / name) as partial:
                partial.write_text(text, encoding="utf-8")
        write_json(folder / f"{self.name}.json", self.data)
        return [folder / name for name in (*texts, f"{self.name}.json")]


def figure(value: float | None, digits: int = 2) -> str:
    """A number for a cell, or a dash where the paper has none."""
    return "–" if value is None else f"{value:.{digits}f}"


def marked(spreads: Sequence[Spread]) -> list[str]:
    """Figures for a column, the best bold; † where too few seeds leave it open which of it and the best is better."""
    if not spreads:
        return []
    best, worst = max(spread.mean for spread in spreads), min(spread.mean for spread in spreads)
    cells = []
    for spread in spreads:
        lead = best - spread.mean
        cell = f"**{spread}**" if lead == 0 and best > worst else str(spread)
        cells.append(f"{cell} †" if 0 < lead < DOUBTFUL and len(spread.values) < ENOUGH else cell)
    return cells


def doubtful_note(rows: Sequence[Sequence[str]]) -> list[str]:
    """What † means, if it stands in any cell."""
    if not any("†" in cell for row in rows for cell in row):
        return []
    return [
        f"† Less than {DOUBTFUL} below the best, with fewer than {ENOUGH} seeds: not to be interpreted. "
        f"A difference this small needs {ENOUGH} seeds or more."
    ]
