"""Table 2: strategies of error exploration, and which transition the loss is put on."""

from __future__ import annotations

from whorl.experiments import paper, plans
from whorl.experiments.document import Document, Table, doubtful_note, figure, marked
from whorl.experiments.request import Found

__all__ = ["exploration"]


def exploration(found: Found) -> Document:
    """Development F1 of the non-binary parser by strategy, and by loss for the strategy that the recipe has."""
    settings = found.having(plans.exploration(found.request.base))
    by_strategy = [setting for setting in settings if setting.loss == "zero-cost"]
    own = plans.chosen(found.request.base).strategy
    by_loss = [setting for setting in settings if setting.strategy == own]
    strategies = _rows(
        found, by_strategy, [setting.strategy for setting in by_strategy], paper_too=True
    )
    losses = _rows(found, by_loss, [_LOSSES[setting.loss] for setting in by_loss])
    headers = [
        ["strategy", "dev F1", "test F1", "paper, WSJ dev", "paper, CTB dev"],
        ["loss", "dev F1", "test F1"],
    ]
    for header, rows, compared in zip(
        headers, (strategies, losses), (by_strategy, by_loss), strict=True
    ):
        found.counted(header, rows, compared)
    tables = [
        Table(
            "Strategies",
            headers[0],
            strategies,
            [_NOTE, *doubtful_note(strategies)],
        ),
        Table(
            f"Where the loss is put ({own})",
            headers[1],
            losses,
            doubtful_note(losses),
        ),
    ]
    data = [
        {
            "strategy": setting.strategy,
            "loss": setting.loss,
            "dev F1": found.spread(setting, "dev").to_dict(),
            "test F1": found.spread(setting, "test").to_dict(),
        }
        for setting in settings
    ]
    return found.document("exploration", "Error exploration (Table 2)", tables, data)


_NOTE = "Mean ± standard deviation over the seeds. The loss is on the optimal transitions."
_LOSSES = {
    "zero-cost": "on the optimal transitions",
    "taken": "on the transition taken (the authors' code)",
}


def _rows(
    found: Found, settings: list[plans.Setting], names: list[str], *, paper_too: bool = False
) -> list[list[str]]:
    columns = [
        names,
        *(
            marked([found.spread(setting, part) for setting in settings])
            for part in ("dev", "test")
        ),
    ]
    if paper_too:
        theirs = [paper.EXPLORATION.get(name, (None, None)) for name in names]
        columns += [[figure(wsj) for wsj, _ in theirs], [figure(ctb) for _, ctb in theirs]]
    return [list(row) for row in zip(*columns, strict=True)]
