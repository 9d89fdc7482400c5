"""Equality with EVALB's output, byte for byte for the current version of EVALB."""

from pathlib import Path

import pytest

from whorl.evaluation import COLLINS, Parameters, Report, Status, evaluate, read_sentences


def scored(folder: Path, gold: str, predicted: str, params: Parameters = COLLINS) -> Report:
    return evaluate(read_sentences(folder / gold), read_sentences(folder / predicted), params)


@pytest.mark.parametrize("parser", ["inorder", "inorder_bert"])
def test_genia_output_and_messages_equal_those_of_evalb(evalb_files: Path, parser: str) -> None:
    report = scored(evalb_files, "genia.gold.txt", f"genia.{parser}.txt")
    assert report.evalb() == (evalb_files / f"genia.{parser}.evalb.out").read_text(encoding="utf-8")
    messages = (evalb_files / f"genia.{parser}.evalb.err").read_text(encoding="utf-8")
    assert report.errors == messages.splitlines()


def test_sample_output_and_messages_equal_those_of_evalb(evalb_files: Path) -> None:
    report = scored(evalb_files, "sample.gld", "sample.tst")
    printed = (evalb_files / "sample.collins.out").read_text(encoding="utf-8")
    assert "\n".join(report.errors) + "\n" + report.evalb() == printed


def test_collins_equals_its_file(evalb_files: Path) -> None:
    assert Parameters.read(evalb_files / "COLLINS.prm") == COLLINS


def test_sample_parameters_give_the_rows_and_figures_of_the_old_program(evalb_files: Path) -> None:
    report = scored(
        evalb_files, "sample.gld", "sample.tst", Parameters.read(evalb_files / "sample.prm")
    )
    printed = (evalb_files / "sample.rsl").read_text(encoding="utf-8").splitlines()
    ours = report.evalb().splitlines()
    valid = [score.number for score in report.scores if score.status is Status.VALID]
    assert len(valid) == 17
    assert [ours[2 + n] for n in valid] == [printed[2 + n] for n in valid]
    summary = printed[printed.index("=== Summary ===") :]
    assert [
        line for line in report.evalb(rows=False).splitlines() if "FMeasure" not in line
    ] == summary
