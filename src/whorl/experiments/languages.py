"""The paper's claim on any languages: the non-binary system beside the binary one, no head rules.

The binary system needs to know which child of a phrase is its head. Where a language has no head
rules, all that is left is to take the first child of every phrase, or the last. Both are trained
like the non-binary parser, and the better one on the development trees is compared with it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from whorl.errors import ExperimentError
from whorl.evaluation import Comparison, Report, compare
from whorl.experiments.paper import NAMES
from whorl.experiments.plans import SYSTEMS
from whorl.experiments.report import ExperimentReport, ReportTable, Spread
from whorl.experiments.runner import Watcher, execute_runs
from whorl.experiments.runs import Result, Run, find_result
from whorl.files import replace_atomically
from whorl.oracles import static_oracle
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.training.recipe import Recipe
from whorl.trees import LEFT, Tree, iter_trees, read_treebank, strip_root, write_trees

__all__ = [
    "SHAPE",
    "LanguageRequest",
    "compare_systems",
    "language_runs",
    "perform_language_runs",
    "treebank_shape",
    "write_training_trees",
]

_NONBINARY = ("nonbinary", "")
_BINARY = (("binary", "left"), ("binary", "right"))
_MANY = 3  # children of a phrase that the binary system cannot build in one step


@dataclass(frozen=True)
class LanguageRequest:
    """Treebanks by name, each a folder of `train.txt`, `dev.txt` and `test.txt`."""

    base: Recipe
    treebanks: Mapping[str, Path]
    seeds: Sequence[int] = (1, 2, 3)
    runs: Path = Path("runs")
    limit: int = 8000
    """The most training trees of a treebank: its first."""
    command: str = ""
    jobs: int = 1

    def trees(self, name: str, part: str) -> list[Tree]:
        """Read one part of a treebank, training trees up to the limit."""
        path = self.treebanks[name] / f"{part}.txt"
        limit = self.limit if part == "train" else None
        trees = list(islice(read_treebank(path), limit))
        if not trees:
            raise ExperimentError(f"{path}: no trees")
        return trees


def language_runs(request: LanguageRequest) -> list[Run]:
    """Return the runs: three parsers of each treebank and seed."""
    return [
        _run(request, name, setting, seed)
        for seed in request.seeds
        for name in request.treebanks
        for setting in (_NONBINARY, *_BINARY)
    ]


def perform_language_runs(request: LanguageRequest, *, watcher: Watcher | None = None) -> None:
    """Perform the runs that are not done, several at a time, whatever their language."""
    write_training_trees(request)
    execute_runs(language_runs(request), request.runs, jobs=request.jobs, watcher=watcher)


def write_training_trees(request: LanguageRequest) -> None:
    """Write the training trees of each treebank, up to the limit, among its runs."""
    for name in request.treebanks:
        path = _train_file(request, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            replace_atomically(path) as partial,
            partial.open("w", encoding="utf-8", newline="\n") as file,
        ):
            write_trees(request.trees(name, "train"), file)


def compare_systems(request: LanguageRequest) -> ExperimentReport:
    """Report what the treebanks are like, and how the two systems do on them."""
    treebanks = [
        treebank_shape(name, request.trees(name, "train"), request.trees(name, "test"))
        for name in request.treebanks
    ]
    contests = [_Contest(request, name) for name in request.treebanks]
    date = datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
    seeds = ", ".join(map(str, request.seeds))
    about = [
        f"Seeds: {seeds}; at most {request.limit:,} training trees each. Made on {date}, with "
        f"results of {', '.join(sorted({date for one in contests for date in one.dates}))}.",
        "The paper's stack-LSTM with the static oracle, trained alike; F1 under gold tags, by "
        "EVALB's rules.",
        *([f"Command: `{request.command}`"] if request.command else []),
    ]
    data = {
        "table": "languages",
        "treebanks": [dict(zip(SHAPE, row, strict=True)) for row in treebanks],
        "systems": [one.to_dict() for one in contests],
        "date": date,
    }
    tables = [
        ReportTable(
            "Treebanks",
            SHAPE,
            treebanks,
            [
                "Transitions per sentence are those of the gold test trees; phrases of three or "
                "more children are what the non-binary system builds in one step."
            ],
        ),
        ReportTable(
            "Non-binary and binary bottom-up",
            _CONTEST,
            [one.row() for one in contests],
            [
                "Test F1, mean ± standard deviation over the seeds. The difference is the "
                "non-binary system less the binary one that is better on the development trees, "
                "with the 95 % interval of a paired bootstrap over the test sentences, all seeds "
                "together."
            ],
        ),
    ]
    return ExperimentReport(
        "languages", "Non-binary against binary in several languages", about, tables, data
    )


SHAPE = (
    *("treebank", "training trees", "tokens", "phrases per sentence", "3 or more children"),
    *(f"transitions: {NAMES[system]}" for system in SYSTEMS),
)
"""The columns of `treebank_shape`."""
_CONTEST = (
    *("treebank", "non-binary", "binary, left", "binary, right", "difference"),
    *("95 % interval", "p"),
)


@dataclass(frozen=True)
class _Contest:
    """The parsers of one treebank."""

    request: LanguageRequest
    name: str

    @cached_property
    def results(self) -> dict[tuple[str, str], list[Result]]:
        """The results of each setting, by seed."""
        results: dict[tuple[str, str], list[Result]] = {}
        for setting in (_NONBINARY, *_BINARY):
            for seed in self.request.seeds:
                run = _run(self.request, self.name, setting, seed)
                result = find_result(run, self.request.runs)
                if result is None:
                    raise ExperimentError(f"{run.name} in {self.request.runs} is not done")
                results.setdefault(setting, []).append(result)
        return results

    @property
    def dates(self) -> set[str]:
        """The days on which the parsers were trained."""
        return {result.date for results in self.results.values() for result in results}

    def spread(self, setting: tuple[str, str], part: str) -> Spread:
        """Return the F1 of a setting over the seeds."""
        return Spread(tuple(result.parsed[part].f1 for result in self.results[setting]))

    @property
    def better_binary(self) -> tuple[str, str]:
        """The binary parser with the higher mean F1 on the development trees."""
        return max(_BINARY, key=lambda setting: self.spread(setting, "dev").mean)

    @cached_property
    def comparison(self) -> Comparison:
        """The non-binary parser beside the better binary one, on the test trees of all seeds."""
        gold = self.request.trees(self.name, "test")
        reports = [
            _sum_over_seeds(
                score(
                    Treebank(gold, []),
                    list(iter_trees(self.request.runs / result.name / "test.brackets")),
                )
                for result in self.results[setting]
            )
            for setting in (_NONBINARY, self.better_binary)
        ]
        return compare(*reports)

    def row(self) -> list[str]:
        """Return the cells of the table."""
        c = self.comparison
        spreads = (self.spread(setting, "test") for setting in (_NONBINARY, *_BINARY))
        return [
            self.name,
            *map(str, spreads),
            f"{c.difference:+.2f}",
            f"{c.low:+.2f} to {c.high:+.2f}",
            f"{c.p_value:.3f}",
        ]

    def to_dict(self) -> dict[str, object]:
        """Return JSON values."""
        return {
            "treebank": self.name,
            **{
                " ".join(filter(None, setting)): {
                    part: self.spread(setting, part).to_dict() for part in ("dev", "test")
                }
                for setting in self.results
            },
            "better_binary": self.better_binary[1],
            "comparison": self.comparison.to_dict(),
        }


def _run(request: LanguageRequest, name: str, setting: tuple[str, str], seed: int) -> Run:
    system, heads = setting
    settings = {
        "data.train": _train_file(request, name),
        "data.dev": request.treebanks[name] / "dev.txt",
        "data.test": request.treebanks[name] / "test.txt",
        "data.tagging": request.runs / name / "tags",
        "model.system": system,
        "model.heads": heads or "left",
        "training.oracle": "static",
        "training.seed": seed,
    }
    recipe = request.base.override([f"{key}={value}" for key, value in settings.items()])
    label = f"{system}-{heads}" if heads else system
    return Run(f"{name}/{label}-static-seed{seed}", recipe)


def _train_file(request: LanguageRequest, name: str) -> Path:
    return request.runs / name / f"train-{request.limit}.txt"


def treebank_shape(name: str, train: Iterable[Tree], test: Iterable[Tree]) -> list[str]:
    """Return what a treebank is like: its size, its phrases, and the transitions of each system."""
    learnt = [strip_root(tree) for tree in train]
    phrases = [phrase for tree in learnt for phrase in tree.phrases()]
    many = sum(len(phrase.children) >= _MANY for phrase in phrases)
    tested = [strip_root(tree) for tree in test]
    steps = (
        sum(len(static_oracle(tree, system, heads=LEFT)) for tree in tested) / len(tested)
        for system in SYSTEMS
    )
    return [
        name,
        f"{len(learnt):,}",
        f"{sum(tree.right for tree in learnt):,}",
        f"{len(phrases) / len(learnt):.1f}",
        f"{100 * many / len(phrases):.1f} %",
        *(f"{count:.2f}" for count in steps),
    ]


def _sum_over_seeds(reports: Iterable[Report]) -> Report:
    """Add up the brackets of each sentence over several parsers, so that it is drawn as a whole."""
    first, *others = list(reports)
    scores = tuple(
        same[0]._replace(
            matched=sum(one.matched for one in same),
            gold=sum(one.gold for one in same),
            predicted=sum(one.predicted for one in same),
        )
        for same in zip(first.scores, *(report.scores for report in others), strict=True)
    )
    return Report(first.params, scores, first.pairs)
