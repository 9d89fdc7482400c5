"""Table 2: strategies of error exploration, and the transitions that the loss is put on."""

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

__all__ = ["exploration"]


def exploration(results: ExperimentResults) -> ExperimentReport:
    """Report F1 of the non-binary parser by strategy, and by loss for the recipe's strategy."""
    settings = results.available(plans.exploration_settings(results.request.base))
    by_strategy = [setting for setting in settings if setting.loss == "zero-cost"]
    own = plans.dynamic_setting(results.request.base).strategy
    by_loss = [setting for setting in settings if setting.strategy == own]
    strategies = _rows(
        results, by_strategy, [setting.strategy for setting in by_strategy], with_paper=True
    )
    losses = _rows(results, by_loss, [_LOSSES[setting.loss] for setting in by_loss])
    headers = [
        ["strategy", "dev F1", "test F1", "paper, WSJ dev", "paper, CTB dev"],
        ["loss", "dev F1", "test F1"],
    ]
    for header, rows, compared in zip(
        headers, (strategies, losses), (by_strategy, by_loss), strict=True
    ):
        results.add_seeds_column(header, rows, compared)
    tables = [
        ReportTable(
            "Strategies",
            headers[0],
            strategies,
            [_NOTE, *doubt_notes(strategies)],
        ),
        ReportTable(
            f"Where the loss is put ({own})",
            headers[1],
            losses,
            doubt_notes(losses),
        ),
    ]
    data = [
        {
            "strategy": setting.strategy,
            "loss": setting.loss,
            "dev F1": results.spread(setting, "dev").to_dict(),
            "test F1": results.spread(setting, "test").to_dict(),
        }
        for setting in settings
    ]
    return results.report("exploration", "Error exploration (Table 2)", tables, data)


_NOTE = "Mean ± standard deviation over the seeds. The loss is on the optimal transitions."
_LOSSES = {
    "zero-cost": "on the optimal transitions",
    "taken": "on the transition taken (the authors' code)",
}


def _rows(
    results: ExperimentResults,
    settings: list[plans.Setting],
    names: list[str],
    *,
    with_paper: bool = False,
) -> list[list[str]]:
    columns = [
        names,
        *(
            mark_best([results.spread(setting, part) for setting in settings])
            for part in ("dev", "test")
        ),
    ]
    if with_paper:
        published = [paper.EXPLORATION.get(name, (None, None)) for name in names]
        columns += [
            [format_figure(wsj) for wsj, _ in published],
            [format_figure(ctb) for _, ctb in published],
        ]
    return [list(row) for row in zip(*columns, strict=True)]
