"""What is asked of an experiment, and what all experiments say about how they were done."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.errors import ExperimentError
from whorl.experiments.document import Document, Spread, Table
from whorl.experiments.plans import Setting
from whorl.experiments.runs import PARTS, Result, Scores, fingerprint, parsed_as, vectors_digest
from whorl.training.recipe import Recipe

__all__ = ["Found", "Request"]

_NOT_SHOWN = ("data.", "training.device", "training.seed", "training.oracle", "model.system")


@dataclass(frozen=True, slots=True)
class Request:
    """An experiment on a treebank: the recipe that all runs share, the seeds, and how to measure."""

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
    """Whether tables are made of the runs that are done, however many are missing."""

    @property
    def beams(self) -> tuple[int, ...]:
        """Greedy, and the beam if there is one."""
        return (1,) if self.beam == 1 else (1, self.beam)


@dataclass(frozen=True, slots=True)
class Found:
    """A request and the results of all its runs."""

    request: Request
    results: Mapping[str, Result]
    say: Callable[[str], None] = field(default=lambda _: None)
    """Hears what is being measured, where that takes time."""

    def __post_init__(self) -> None:
        self._check()

    def of(self, setting: Setting, seeds: Iterable[int] | None = None) -> list[Result]:
        """The results of one setting, a seed each: all its seeds, or these."""
        chosen = self.seeds(setting) if seeds is None else seeds
        return [self.results[setting.run(self.request.base, seed).name] for seed in chosen]

    def seeds(self, *settings: Setting) -> list[int]:
        """The seeds with which all of these settings were run: those that were asked for, less what is not done."""
        return [
            seed
            for seed in self.request.seeds
            if all(
                setting.run(self.request.base, seed).name in self.results for setting in settings
            )
        ]

    def having(self, settings: Iterable[Setting]) -> list[Setting]:
        """Those of the settings of which there are results."""
        return [setting for setting in settings if self.seeds(setting)]

    def counted(
        self, header: list[str], rows: list[list[str]], settings: Sequence[Setting]
    ) -> None:
        """Where not all runs are done, add a column that says with which seeds each row's were."""
        if self.request.done:
            header.append("seeds")
            for row, setting in zip(rows, settings, strict=True):
                row.append(", ".join(map(str, self.seeds(setting))))

    def spread(
        self,
        setting: Setting,
        part: str,
        *,
        beam: int = 1,
        seeds: Iterable[int] | None = None,
        of: Callable[[Scores], float] = lambda scores: scores.f1,
    ) -> Spread:
        """A figure of one setting, F1 unless another is asked for, over all its seeds or over these."""
        return Spread(
            tuple(of(result.parsed[parsed_as(part, beam)]) for result in self.of(setting, seeds))
        )

    def document(
        self,
        name: str,
        title: str,
        tables: Sequence[Table],
        rows: object,
        pictures: Mapping[str, str] | None = None,
    ) -> Document:
        """The document of an experiment, with what there is to say of every one; `rows` go into its JSON file."""
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
            f"Seeds: {seeds}. Trained on {', '.join(self._values('device'))}. Made on {date}, with results of "
            f"{', '.join(self._values('date'))}.",
            f"Settings: {', '.join(f'`{key} = {value}`' for key, value in settings.items())}, {vectors}; all else is "
            "the default, Table 1's where that has it.",
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
        return Document(
            name, f"{title}: {request.treebank}", about, tables, data, dict(pictures or {})
        )

    def _sizes(self) -> dict[str, dict[str, Any]]:
        treebank = next(iter(self.results.values())).treebank
        return {
            part: {"trees": treebank[part].trees, "words": treebank[part].words} for part in PARTS
        }

    def _settings(self) -> dict[str, Any]:
        """What the recipe has other than the defaults, which are those of the paper."""
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
        """All results must be of one treebank, and of the one asked for where its files are named."""
        known = {name: result.treebank for name, result in self.results.items()}
        data = self.request.base.data
        if all((data.train, data.dev, data.test)):
            known = {"the files given": fingerprint(self.request.base), **known}
        used = {result.vectors for result in self.results.values()} - {"unknown"}
        if data.vectors:
            used.add(vectors_digest(self.request.base))
        if len(used) > 1:
            raise ExperimentError(
                "the runs were not all trained with the same word vectors, or not with those given"
            )
        first = next(iter(known), "")
        for name, treebank in known.items():
            for part in PARTS:
                if treebank[part] != known[first][part]:
                    raise ExperimentError(
                        f"{name} and {first} have different {part} trees: {treebank[part].trees} and "
                        f"{known[first][part].trees} of them, or others"
                    )
