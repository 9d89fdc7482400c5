"""Tables 3 and 4: the four systems with static and dynamic oracles, on one treebank, in one framework."""

from __future__ import annotations

from whorl.experiments import paper, plans
from whorl.experiments.document import Document, Table, doubtful_note, figure, marked
from whorl.experiments.request import Found

__all__ = ["accuracy"]


def accuracy(found: Found) -> Document:
    """Development and test F1 of every system and oracle, over the seeds."""
    request = found.request
    settings = found.having(plans.accuracy(request.base))
    columns = {"dev F1": [found.spread(setting, "dev") for setting in settings]}
    columns["test F1"] = [found.spread(setting, "test") for setting in settings]
    if request.beam > 1:
        columns[f"test F1, beam {request.beam}"] = [
            found.spread(s, "test", beam=request.beam) for s in settings
        ]
    columns["test tags"] = [
        found.spread(setting, "test", of=lambda scores: scores.tagging) for setting in settings
    ]
    cells = {
        name: marked(column) if name != "test tags" else [figure(spread.mean) for spread in column]
        for name, column in columns.items()
    }
    theirs = [paper.TEST_F1.get((s.system, s.oracle), (None, None)) for s in settings]
    rows = [
        [
            paper.NAMES[s.system],
            s.oracle,
            *(column[n] for column in cells.values()),
            figure(wsj, 1),
            figure(ctb, 1),
        ]
        for n, (s, (wsj, ctb)) in enumerate(zip(settings, theirs, strict=True))
    ]
    header = ["system", "oracle", *columns, "paper, WSJ test", "paper, CTB test"]
    found.counted(header, rows, settings)
    table = Table(
        "Accuracy",
        header,
        rows,
        [
            f"Mean ± standard deviation over the seeds. Dynamic: {plans.chosen(request.base).strategy}. F1 is EVALB's, "
            "under the gold tags, since a wrong tag of a punctuation mark would make a sentence an error.",
            *doubtful_note(rows),
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
    return found.document(
        "accuracy", "Accuracy of four systems (Tables 3 and 4)", [table, _gains(found)], data
    )


def _gains(found: Found) -> Table:
    """What the dynamic oracle gives, seed by seed, beside §7.3's 0.2 and 0.5."""
    rows = []
    for system in plans.DYNAMIC:
        static, dynamic = plans.Setting(system), plans.chosen(found.request.base, system)
        seeds = found.seeds(static, dynamic)
        if not seeds:
            continue
        pairs = [
            tuple(found.spread(s, part, seeds=seeds) for s in (static, dynamic))
            for part in ("dev", "test")
        ]
        gains = [other.mean - one.mean for one, other in pairs]
        each = ", ".join(
            f"{b - a:+.2f}" for a, b in zip(*(spread.values for spread in pairs[1]), strict=True)
        )
        theirs = [
            f"{other - one:+.1f}"
            for one, other in zip(
                paper.TEST_F1[system, "static"],
                paper.TEST_F1.get((system, "dynamic"), ()),
                strict=False,
            )
        ] or ["–", "–"]
        rows.append([paper.NAMES[system], *(f"{gain:+.2f}" for gain in gains), each, *theirs])
    header = ["system", "dev", "test", "test, seed by seed", "paper, WSJ", "paper, CTB"]
    return Table("Dynamic less static oracle, F1", header, rows)
