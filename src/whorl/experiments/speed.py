"""Table 5: sentences per second and transitions per sentence of the four systems, on one core."""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

from whorl.experiments import paper, plans
from whorl.experiments.models import TrainedParser, load_trained
from whorl.experiments.report import ExperimentReport, ReportTable
from whorl.experiments.request import ExperimentResults
from whorl.oracles import static_oracle
from whorl.reporting.timing import (
    best_of,
    best_of_each,
    one_torch_thread,
    percentile_95,
    torch_gflops,
)
from whorl.trees import Tree, head_rules, strip_root

__all__ = ["speed"]


def speed(results: ExperimentResults) -> ExperimentReport:
    """Report the speed of the static parsers of the first seed on tagged test sentences."""
    request = results.request
    with one_torch_thread():
        core, rates, latencies = _measure(
            results, models := load_trained(results, plans.static_settings())
        )
    rows, data = [], []
    for name, model in models.items():
        predicted, gold = (_transitions(model, trees) for trees in (model.parsed, model.gold))
        single = [1000 * seconds for seconds in latencies[name]]
        median, slow = statistics.median(single), percentile_95(single)
        published = paper.SPEED[name]
        rows.append(
            [
                paper.NAMES[name],
                f"{rates[name]:.0f}",
                f"{rates[name] / core:.2f}",
                f"{median:.1f}",
                f"{slow:.1f}",
                f"{predicted:.2f}",
                f"{gold:.2f}",
                *(f"{value:.2f}" for value in published),
            ]
        )
        data.append(
            {
                "system": name,
                "sentences_per_second": rates[name],
                "median_ms": median,
                "late_ms": slow,
                "transitions": predicted,
                "gold_transitions": gold,
            }
        )
    header = [
        "system",
        "sentences/s",
        "per GFLOP/s",
        "ms alone, median",
        "95 %",
        "transitions",
        "in gold trees",
    ]
    sentences = next(iter(models.values())).sentences
    words = sum(map(len, sentences)) / len(sentences)
    table = ReportTable(
        "Speed",
        [*header, "paper: sentences/s", "paper: transitions"],
        rows,
        [
            f"One core, {core:.0f} GFLOP/s in sgemm in the same run; batches of {request.batch}, "
            f"and one sentence at a time; best of {request.rounds} rounds in turn, of each "
            f"sentence where it is alone. {len(sentences)} test sentences of {words:.1f} words on "
            "average; transitions are per sentence. The paper's core is one of an i7-7700, its "
            "sentences are WSJ §23.",
        ],
    )
    measured: dict[str, Any] = {"gflops": core, "batch": request.batch, "systems": data}
    return results.report("speed", "Speed (Table 5)", [table], measured)


def _measure(
    results: ExperimentResults, models: dict[str, TrainedParser]
) -> tuple[float, dict[str, float], dict[str, list[float]]]:
    """Return the core's GFLOP/s, each system's sentences per second, and its time per sentence."""
    request = results.request
    core, seconds = 0.0, dict.fromkeys(models, float("inf"))
    single = {name: [float("inf")] * len(model.sentences) for name, model in models.items()}
    # The systems take turns, so that a slow spell of the machine slows all of them.
    for number in range(request.rounds):
        core = max(core, torch_gflops())
        for name, model in models.items():
            results.log(f"speed: round {number + 1} of {request.rounds}, {name}")
            in_batches = best_of(partial(model.parse_in_batches, request.batch), 1)
            seconds[name] = min(seconds[name], in_batches)
            times = best_of_each(model.parser.parse, model.sentences)
            single[name] = list(map(min, single[name], times))
    rates = {name: len(model.sentences) / seconds[name] for name, model in models.items()}
    return core, rates, single


def _transitions(model: TrainedParser, trees: list[Tree]) -> float:
    heads = head_rules(model.recipe.model.heads)
    name = model.recipe.model.system
    return statistics.fmean(
        len(static_oracle(strip_root(tree), name, heads=heads)) for tree in trees
    )
