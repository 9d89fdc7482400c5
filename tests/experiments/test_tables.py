"""Tables hold the figures of the results, need only the results, and show the paper's figures."""

from __future__ import annotations

import json
import shutil
import statistics
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from whorl.errors import BracketError, ExperimentError
from whorl.evaluation import Tally
from whorl.experiments import paper, plans
from whorl.experiments.length import read_long_sentences
from whorl.experiments.plans import Setting
from whorl.experiments.report import Spread, mark_best
from whorl.experiments.reproduce import (
    EXPERIMENTS,
    make_reports,
    missing_runs,
    resolve_name,
    runs_of,
)
from whorl.experiments.runs import Result, perform_run
from whorl.oracles import static_oracle
from whorl.trees import COLLINS, iter_trees, strip_root


def make_report(name, request):
    (report,) = make_reports([name], request)
    return report


def results(request, setting):
    return [
        Result.read(request.runs / setting.run(request.base, seed).name / "result.json")
        for seed in request.seeds
    ]


def cells(markdown, first):
    """Return the cells of the rows that begin with this text."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines()]
    return [row for row in rows if row[0] == first]


@pytest.fixture
def results_only(request_done, tmp_path):
    """The same request with nothing but results: no models, no treebank."""
    for path in request_done.runs.glob("*/*"):
        if path.name == "result.json" or path.suffix == ".brackets":
            (tmp_path / path.parent.name).mkdir(exist_ok=True)
            shutil.copy(path, tmp_path / path.parent.name)
    base = request_done.base.override([f"data.{part}=" for part in ("train", "dev", "test")])
    return replace(request_done, base=base, runs=tmp_path)


@pytest.mark.parametrize("name", ["accuracy", "exploration", "children"])
def test_results_give_the_tables_that_the_runs_give(request_done, results_only, name):
    assert missing_runs([name], results_only) == []
    assert make_report(name, results_only).markdown() == make_report(name, request_done).markdown()


def test_accuracy_has_mean_and_deviation_of_every_system_and_oracle_beside_the_paper(results_only):
    report = make_report("accuracy", results_only)
    rows = cells(report.markdown(), "non-binary bottom-up")[:2]
    for row, setting in zip(
        rows, (Setting(), plans.dynamic_setting(results_only.base)), strict=True
    ):
        for column, name in ((2, "dev"), (3, "test"), (4, "test.beam2")):
            values = [result.parsed[name].f1 for result in results(results_only, setting)]
            wanted = f"{statistics.mean(values):.2f} ± {statistics.stdev(values):.2f}"
            assert row[column].replace("*", "").replace(" †", "") == wanted
    assert [row[-2:] for row in rows] == [["91.5", "86.3"], ["91.7", "86.8"]]
    systems = [(row["system"], row["oracle"]) for row in report.data["rows"]]
    assert systems == [
        (s, o)
        for s in plans.SYSTEMS
        for o in ("static", "dynamic")
        if (s, o) != ("binary", "dynamic")
    ]
    for line in (
        "Six trees (train 6 trees",
        "Seeds: 1, 2.",
        "`whorl reproduce x`",
        "`training.optimiser = adam`",
    ):
        assert line in report.markdown()


def test_the_gain_of_the_dynamic_oracle_is_dynamic_less_static(results_only):
    (row,) = cells(make_report("accuracy", results_only).markdown(), "top-down")[2:]
    static, dynamic = (
        [result.parsed["test"].f1 for result in results(results_only, setting)]
        for setting in (Setting("topdown"), plans.dynamic_setting(results_only.base, "topdown"))
    )
    assert row[2] == f"{statistics.mean(dynamic) - statistics.mean(static):+.2f}"
    assert row[3] == ", ".join(f"{b - a:+.2f}" for a, b in zip(static, dynamic, strict=True))


def test_exploration_has_the_papers_strategies_and_both_losses(results_only):
    text = make_report("exploration", results_only).markdown()
    for strategy, (wsj, ctb) in paper.EXPLORATION.items():
        (row,) = cells(text, strategy)
        assert row[-2:] == [f"{wsj:.2f}", f"{ctb:.2f}"]
    (taken,) = cells(text, "on the transition taken (the authors' code)")
    values = [
        result.parsed["dev"].f1
        for result in results(
            results_only, replace(plans.dynamic_setting(results_only.base), loss="taken")
        )
    ]
    assert taken[1].replace("*", "").startswith(f"{statistics.mean(values):.2f} ±")


def test_children_has_f1_by_arity_matched_in_two_ways(results_only):
    strict, loose = cells(make_report("children", results_only).markdown(), "in-order")
    for row, field in ((strict, "alike"), (loose, "children")):
        for count in (1, 2, 3):
            tallies = [
                getattr(r.parsed["test"], field)[str(count)]
                for r in results(results_only, Setting("inorder"))
            ]
            mean = statistics.mean(Tally(*tally).f1 for tally in tallies)
            assert row[count].replace("*", "").startswith(f"{mean:.2f} ±")
    assert cells(make_report("children", results_only).markdown(), "paper, WSJ: in-order")[0][
        1:
    ] == [
        "91.36",
        "89.21",
        "85.15",
        "77.08",
        "79.02",
    ]


def test_small_differences_are_marked_where_seeds_are_few():
    near, far, best = Spread((89.6,)), Spread((89.4,)), Spread((90.0,))
    assert mark_best([near, far, best]) == ["89.60 †", "89.40", "**90.00**"]
    many = [Spread((x, x, x)) for x in (89.6, 90.0)]
    assert mark_best(many) == ["89.60 ± 0.00", "**90.00 ± 0.00**"]
    assert mark_best([best, best]) == ["90.00", "90.00"]


def test_speed_measures_the_first_seed_and_counts_transitions(request_done):
    report = make_report("speed", replace(request_done, rounds=1, batch=2))
    assert "Seeds: 1." in report.markdown()
    gold = list(iter_trees(request_done.base.data.test))
    assert report.data["rows"]["gflops"] > 0
    for row in report.data["rows"]["systems"]:
        name = row["system"]
        folder = request_done.runs / Setting(name).run(request_done.base, 1).name
        for trees, key in (
            (gold, "gold_transitions"),
            (list(iter_trees(folder / "test.brackets")), "transitions"),
        ):
            counts = [len(static_oracle(strip_root(tree), name, heads=COLLINS)) for tree in trees]
            assert row[key] == pytest.approx(statistics.mean(counts))
        assert 0 < row["median_ms"] <= row["late_ms"]
        assert row["sentences_per_second"] > 0
    (row,) = cells(report.markdown(), "non-binary bottom-up")
    assert row[-2:] == ["42.02", "42.70"]


def test_length_times_every_sentence_and_draws_it(request_done, tmp_path):
    (tmp_path / "long.txt").write_text(
        "The public is cautious\n\n" + "dog " * 30 + "\n", encoding="utf-8"
    )
    tagged = request_done.base.override(["data.tags=jackknife", "training.epochs=1"])
    request = replace(request_done, base=tagged, seeds=(1,), runs=tmp_path / "runs", rounds=1)
    request = replace(request, long=str(tmp_path / "long.txt"))
    for run in runs_of(["length"], request):
        perform_run(
            replace(run, recipe=run.recipe.override([f"data.tagging={tmp_path / 'tags'}"])),
            request.runs,
        )
    report = make_report("length", request)
    lengths = sorted([*(len(tree.words()) for tree in iter_trees(tagged.data.test)), 4, 30])
    for system in plans.SYSTEMS:
        figures = report.data["rows"]["systems"][system]
        assert sorted(x for x, _ in figures["points"]) == lengths
        assert all(y > 0 for _, y in figures["points"])
        a, b, c = figures["quadratic"]["coefficients"]
        assert figures["quadratic_share"] == pytest.approx(c * 900 / (a + 30 * b + c * 900))
        assert figures["linear"]["r2"] <= figures["quadratic"]["r2"] + 1e-9
    picture = ET.fromstring(report.pictures["length.svg"])
    dots = [path.get("d") for path in picture.iter("{http://www.w3.org/2000/svg}path")]
    assert [path.count("M") for path in dots] == [len(lengths)] * 4
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}polyline"))) == 8
    written = report.save(tmp_path / "out")
    assert sorted(path.name for path in written) == ["length.json", "length.md", "length.svg"]
    assert (
        json.loads((tmp_path / "out/length.json").read_text(encoding="utf-8"))["table"] == "length"
    )
    assert "![" in (tmp_path / "out/length.md").read_text(encoding="utf-8")


def test_long_sentences_are_trees_or_words(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("(TOP (S (NP (DT The) (NN dog))))\n(TOP (S (VP (VB Run))))\n", encoding="utf-8")
    assert read_long_sentences(str(path)) == [["The", "dog"], ["Run"]]
    path.write_text("( Reuters ) said\n\nit rained\n", encoding="utf-8")
    assert read_long_sentences(str(path)) == [["(", "Reuters", ")", "said"], ["it", "rained"]]
    path.write_text("(TOP (S (NP (DT The) (NN dog)))\n", encoding="utf-8")
    with pytest.raises(BracketError, match="unclosed"):
        read_long_sentences(str(path))


@pytest.mark.parametrize("name", ["speed", "length"])
def test_measurements_need_a_model(results_only, request_done, name):
    named = replace(results_only, base=request_done.base)
    with pytest.raises(ExperimentError, match="no model to measure"):
        make_report(name, named)


def test_runs_that_are_not_done_are_named(results_only):
    (results_only.runs / "topdown-static-seed2" / "result.json").unlink()
    with pytest.raises(ExperimentError, match=r"1 runs in .* are not done: topdown-static-seed2"):
        make_report("children", results_only)


def test_tables_of_the_runs_that_are_done_say_which_those_are(results_only):
    for name in ("topdown-static-seed2", "inorder-static-seed1", "inorder-static-seed2"):
        (results_only.runs / name / "result.json").unlink()
    report = make_report("accuracy", replace(results_only, done=True))
    rows = report.tables[0].rows
    assert report.tables[0].header[-1] == "seeds"
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("non-binary bottom-up", "static", "1, 2"),
        ("non-binary bottom-up", "dynamic", "1, 2"),
        ("binary bottom-up", "static", "1, 2"),
        ("top-down", "static", "1"),
        ("top-down", "dynamic", "1, 2"),
        ("in-order", "dynamic", "1, 2"),
    ]
    static, dynamic = (
        results(replace(results_only, seeds=[1]), setting)[0].parsed["test"].f1
        for setting in (Setting("topdown"), plans.dynamic_setting(results_only.base, "topdown"))
    )
    gains = {row[0]: row for row in report.tables[1].rows}
    assert list(gains) == ["non-binary bottom-up", "top-down"]
    assert gains["top-down"][2:4] == [f"{dynamic - static:+.2f}"] * 2  # of the seed that both have
    assert [
        row[0] for row in make_report("children", replace(results_only, done=True)).tables[0].rows
    ][2] == "top-down"
    with pytest.raises(ExperimentError, match="are not done"):
        make_report("children", replace(results_only, seeds=[7], done=True))


def test_speed_of_the_runs_that_are_done(request_done, tmp_path):
    runs = shutil.copytree(request_done.runs, tmp_path / "runs")
    shutil.rmtree(runs / "topdown-static-seed1")
    report = make_report("speed", replace(request_done, runs=runs, done=True, rounds=1))
    assert [row[0] for row in report.tables[0].rows] == [
        "non-binary bottom-up",
        "binary bottom-up",
        "in-order",
    ]


def test_results_of_another_treebank_are_refused(results_only, request_done):
    path = results_only.runs / "binary-static-seed2" / "result.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["treebank"]["test"]["digest"] = "0" * 16
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(
        ExperimentError, match=r"binary-static-seed2 and .* have different test trees"
    ):
        make_report("children", results_only)
    other = request_done.base.override([f"data.dev={request_done.base.data.test}"])
    with pytest.raises(ExperimentError, match="and the files given have different dev trees"):
        make_report("exploration", replace(request_done, base=other))


def test_results_with_other_vectors_are_refused(results_only, tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("dog 1 2\n", encoding="utf-8")
    with pytest.raises(ExperimentError, match="same word vectors"):
        make_report(
            "children",
            replace(results_only, base=results_only.base.override([f"data.vectors={path}"])),
        )


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *(
            ("2", "exploration"),
            ("3", "accuracy"),
            ("4", "accuracy"),
            ("5", "speed"),
            ("7", "children"),
        ),
        *(
            ("table7", "children"),
            ("figure10", "length"),
            ("Figure10", "length"),
            ("speed", "speed"),
        ),
    ],
)
def test_experiments_have_names_and_the_papers_numbers(name, wanted):
    assert resolve_name(name) == [wanted]


def test_all_is_every_experiment_and_an_unknown_name_lists_them(request_done):
    assert resolve_name("all") == list(EXPERIMENTS)
    with pytest.raises(ExperimentError, match="exploration, accuracy, speed, children, length"):
        resolve_name("6")
    runs = [run.name for run in runs_of(resolve_name("all"), request_done)]
    assert len(runs) == len(set(runs)) == 22  # 11 settings, two seeds
