"""Tables 3 and 4: the four systems with static and dynamic oracles, in one framework."""

from __future__ import annotations

from whorl.experiments import paper, plans
from whorl.experiments.report import (
    ExperimentReport,
    ReportTable,
    doubt_notes,
    format_figure,
    mark_best,
)
from whorl.experiments.request import ExperimentResults

__all__ = ["accuracy"]


def accuracy(results: ExperimentResults) -> ExperimentReport:
    """Report the development and test F1 of every system and oracle, over the seeds."""
    request = results.request
    settings = results.available(plans.accuracy_settings(request.base))
    columns = {"dev F1": [results.spread(setting, "dev") for setting in settings]}
    columns["test F1"] = [results.spread(setting, "test") for setting in settings]
    if request.beam > 1:
        columns[f"test F1, beam {request.beam}"] = [
            results.spread(s, "test", beam=request.beam) for s in settings
        ]
    columns["test tags"] = [
        results.spread(setting, "test", of=lambda scores: scores.tagging) for setting in settings
    ]
    cells = {
        name: mark_best(column)
        if name != "test tags"
        else [format_figure(spread.mean) for spread in column]
        for name, column in columns.items()
    }
    published = [paper.TEST_F1.get((s.system, s.oracle), (None, None)) for s in settings]
    rows = [
        [
            paper.NAMES[s.system],
            s.oracle,
            *(column[n] for column in cells.values()),
            format_figure(wsj, 1),
            format_figure(ctb, 1),
        ]
        for n, (s, (wsj, ctb)) in enumerate(zip(settings, published, strict=True))
    ]
    header = ["system", "oracle", *columns, "paper, WSJ test", "paper, CTB test"]
    results.add_seeds_column(header, rows, settings)
    table = ReportTable(
        "Accuracy",
        header,
        rows,
        [
            "Mean ± standard deviation over the seeds. Dynamic: "
            f"{plans.dynamic_setting(request.base).strategy}. F1 is EVALB's, under the gold tags, "
            "since a wrong tag of a punctuation mark would make a sentence an error.",
            *doubt_notes(rows),
        ],
    )
    data = [
        {
            "system": s.system,
            "oracle": s.oracle,
            **{name: column[n].to_dict() for name, column in columns.items()},
        }
        for n, s in enumerate(settings)
    ]
    return results.report(
        "accuracy", "Accuracy of four systems (Tables 3 and 4)", [table, _gains(results)], data
    )


def _gains(results: ExperimentResults) -> ReportTable:
    """Tabulate the gain of the dynamic oracle, seed by seed; §7.3 has 0.2 and 0.5."""
    rows = []
    for system in plans.DYNAMIC:
        static, dynamic = plans.Setting(system), plans.dynamic_setting(results.request.base, system)
        seeds = results.seeds_of(static, dynamic)
        if not seeds:
            continue
        pairs = [
            tuple(results.spread(s, part, seeds=seeds) for s in (static, dynamic))
            for part in ("dev", "test")
        ]
        gains = [other.mean - one.mean for one, other in pairs]
        each = ", ".join(
            f"{b - a:+.2f}" for a, b in zip(*(spread.values for spread in pairs[1]), strict=True)
        )
        published = [
            f"{other - one:+.1f}"
            for one, other in zip(
                paper.TEST_F1[system, "static"],
                paper.TEST_F1.get((system, "dynamic"), ()),
                strict=False,
            )
        ] or ["–", "–"]
        rows.append([paper.NAMES[system], *(f"{gain:+.2f}" for gain in gains), each, *published])
    header = ["system", "dev", "test", "test, seed by seed", "paper, WSJ", "paper, CTB"]
    return ReportTable("Dynamic less static oracle, F1", header, rows)
