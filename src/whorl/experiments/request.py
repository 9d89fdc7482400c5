"""The request of an experiment, its results, and the preamble that all reports share."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.errors import ExperimentError
from whorl.experiments.plans import Setting
from whorl.experiments.report import ExperimentReport, ReportTable, Spread
from whorl.experiments.runs import PARTS, Result, Scores, fingerprint, parse_name, vectors_digest
from whorl.training.recipe import Recipe

__all__ = ["ExperimentResults", "Request"]

_NOT_SHOWN = ("data.", "training.device", "training.seed", "training.oracle", "model.system")


@dataclass(frozen=True, slots=True)
class Request:
    """An experiment on a treebank: the recipe of all runs, the seeds, and how to measure."""

    base: Recipe
    seeds: Sequence[int] = (1,)
    runs: Path = Path("runs")
    treebank: str = "the treebank"
    command: str = ""
    jobs: int = 1
    beam: int = 1
    long: str = ""
    batch: int = 256
    rounds: int = 3
    done: bool = False
    """Whether to tabulate the runs that are done, even if some are missing."""

    @property
    def beams(self) -> tuple[int, ...]:
        """The beam widths to parse with: 1, and `beam` if it is wider."""
        return (1,) if self.beam == 1 else (1, self.beam)


@dataclass(frozen=True, slots=True)
class ExperimentResults:
    """A request and the results of its runs."""

    request: Request
    results: Mapping[str, Result]
    log: Callable[[str], None] = field(default=lambda _: None)
    """Called with what is being measured, where that takes time."""

    def __post_init__(self) -> None:
        self._check()

    def of_setting(self, setting: Setting, seeds: Iterable[int] | None = None) -> list[Result]:
        """Return the results of one setting, for these seeds or for all."""
        chosen = self.seeds_of(setting) if seeds is None else seeds
        return [self.results[setting.run(self.request.base, seed).name] for seed in chosen]

    def seeds_of(self, *settings: Setting) -> list[int]:
        """Return the requested seeds with which all of these settings are done."""
        return [
            seed
            for seed in self.request.seeds
            if all(
                setting.run(self.request.base, seed).name in self.results for setting in settings
            )
        ]

    def available(self, settings: Iterable[Setting]) -> list[Setting]:
        """Return the settings that have results."""
        return [setting for setting in settings if self.seeds_of(setting)]

    def add_seeds_column(
        self, header: list[str], rows: list[list[str]], settings: Sequence[Setting]
    ) -> None:
        """Where runs may be missing, add a column with the seeds behind each row."""
        if self.request.done:
            header.append("seeds")
            for row, setting in zip(rows, settings, strict=True):
                row.append(", ".join(map(str, self.seeds_of(setting))))

    def spread(
        self,
        setting: Setting,
        part: str,
        *,
        beam: int = 1,
        seeds: Iterable[int] | None = None,
        of: Callable[[Scores], float] = lambda scores: scores.f1,
    ) -> Spread:
        """Return a figure of one setting, F1 by default, over these seeds or over all."""
        return Spread(
            tuple(
                of(result.parsed[parse_name(part, beam)])
                for result in self.of_setting(setting, seeds)
            )
        )

    def report(
        self,
        name: str,
        title: str,
        tables: Sequence[ReportTable],
        rows: object,
        pictures: Mapping[str, str] | None = None,
    ) -> ExperimentReport:
        """Return a report with the preamble of every experiment; `rows` go into its JSON file."""
        request, sizes = self.request, self._sizes()
        date = datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
        settings = self._settings()
        vectors = "no word vectors" if self._values("vectors") == [""] else "with word vectors"
        parts = [
            f"{part} {size['trees']:,} trees, {size['words']:,} words"
            for part, size in sizes.items()
        ]
        seeds = ", ".join(map(str, request.seeds))
        about = [
            f"Treebank: {request.treebank} ({'; '.join(parts)}).",
            f"Seeds: {seeds}. Trained on {', '.join(self._values('device'))}. Made on {date}, "
            f"with results of {', '.join(self._values('date'))}.",
            f"Settings: {', '.join(f'`{key} = {value}`' for key, value in settings.items())}, "
            f"{vectors}; all else is the default, Table 1's where that has it.",
            *([f"Command: `{request.command}`"] if request.command else []),
        ]
        data = {
            "table": name,
            "treebank": {"name": request.treebank, **sizes},
            "seeds": list(request.seeds),
            "date": date,
            "command": request.command,
            "settings": settings,
            "rows": rows,
        }
        return ExperimentReport(
            name, f"{title}: {request.treebank}", about, tables, data, dict(pictures or {})
        )

    def _sizes(self) -> dict[str, dict[str, Any]]:
        treebank = next(iter(self.results.values())).treebank
        return {
            part: {"trees": treebank[part].trees, "words": treebank[part].words} for part in PARTS
        }

    def _settings(self) -> dict[str, Any]:
        """Return the settings of the recipe that differ from the defaults, the paper's."""
        recipe = self.request.base.to_dict()
        changed = [
            key
            for key in self.request.base.differences(Recipe().to_dict())
            if not key.startswith(_NOT_SHOWN)
        ]
        return {"data.tags": recipe["data"]["tags"]} | {
            key: recipe[section][name]
            for key in changed
            for section, _, name in [key.partition(".")]
        }

    def _values(self, name: str) -> list[str]:
        return sorted({str(getattr(result, name)) for result in self.results.values()})

    def _check(self) -> None:
        """Check that all results are of one treebank, the request's if that names its files."""
        treebanks = {name: result.treebank for name, result in self.results.items()}
        data = self.request.base.data
        if all((data.train, data.dev, data.test)):
            treebanks = {"the files given": fingerprint(self.request.base), **treebanks}
        digests = {result.vectors for result in self.results.values()} - {"unknown"}
        if data.vectors:
            digests.add(vectors_digest(self.request.base))
        if len(digests) > 1:
            raise ExperimentError(
                "the runs were not all trained with the same word vectors, or not with those given"
            )
        first = next(iter(treebanks), "")
        for name, treebank in treebanks.items():
            for part in PARTS:
                if treebank[part] != treebanks[first][part]:
                    raise ExperimentError(
                        f"{name} and {first} have different {part} trees: {treebank[part].trees} "
                        f"and {treebanks[first][part].trees} of them, or others"
                    )
