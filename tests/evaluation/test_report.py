import json
from dataclasses import replace

import pytest

from whorl.evaluation import COLLINS, Attachment, Confusion, ErrorKind, Tally, evaluate
from whorl.trees import read_trees

GOLD = read_trees("(S (NP (N a) (N b) (, ,)) (VP (V c))) (S (NP (N a)) (VP (V b) (PP (P c))))")
PREDICTED = read_trees("(S (NP (N a) (N b)) (, ,) (X (V c))) (S (NP (N a)) (V b) (ADVP-X (P c)))")


def test_figures_are_those_of_all_brackets() -> None:
    report = evaluate(GOLD, PREDICTED)
    assert (report.all.matched, report.all.gold, report.all.predicted) == (4, 7, 6)
    assert report.recall == pytest.approx(400 / 7)
    assert report.precision == pytest.approx(400 / 6)
    assert report.f1 == pytest.approx(800 / 13)
    assert (report.exact, report.crossing, report.tagging) == (0, 0, 100)


def test_short_holds_sentences_up_to_the_cutoff() -> None:
    report = evaluate(GOLD, PREDICTED, replace(COLLINS, cutoff=3))
    assert (report.short.sentences, report.short.matched) == (1, 2)
    assert "\n-- len<=3 --\nNumber of sentence        =      1\n" in report.evalb()


def test_by_children_counts_the_original_children_of_each_side() -> None:
    report = evaluate(GOLD, PREDICTED)
    assert report.by_children() == {
        1: Tally(gold=3, found=1, predicted=3, correct=1),
        2: Tally(gold=3, found=2, predicted=1, correct=1),  # the second gold VP is missed
        # Gold: NP with its comma; predicted: both S.
        3: Tally(gold=1, found=1, predicted=2, correct=2),
    }
    assert list(report.by_children()) == [1, 2, 3]


def test_by_children_alike_matches_only_constituents_of_equally_many_children() -> None:
    gold = read_trees("(S (NP (NP (DT a) (NN b)) (PP (IN c) (NP (NN d)))) (VP (VBZ e)))")
    flat = read_trees("(S (NP (DT a) (NN b) (PP (IN c) (NP (NN d)))) (VP (VBZ e)))")
    report = evaluate(gold, flat)
    assert report.by_children()[2] == Tally(gold=4, found=3, predicted=2, correct=2)
    assert report.by_children(alike=True) == {
        1: Tally(gold=2, found=2, predicted=2, correct=2),
        # S and PP match; the NP over both has three children in the prediction.
        2: Tally(gold=4, found=2, predicted=2, correct=2),
        3: Tally(gold=0, found=0, predicted=1, correct=0),
    }


def test_alike_pairs_phrases_by_arity_in_a_chain_of_one_label() -> None:
    gold = read_trees("(S (NP (NP (DT a) (NN b))))")
    once = read_trees("(S (NP (DT a) (NN b)))")
    assert evaluate(gold, once).by_children(alike=True)[2] == Tally(
        gold=1, found=1, predicted=1, correct=1
    )


def test_by_label_trims_labels_and_puts_frequent_ones_first() -> None:
    assert list(evaluate(GOLD, PREDICTED).by_label().items()) == [
        ("NP", Tally(gold=2, found=2, predicted=2, correct=2)),
        ("S", Tally(gold=2, found=2, predicted=2, correct=2)),
        ("VP", Tally(gold=2)),
        ("PP", Tally(gold=1)),
        ("ADVP", Tally(predicted=1)),
        ("X", Tally(predicted=1)),
    ]


def test_a_match_of_equal_labels_counts_under_each_sides_label() -> None:
    report = evaluate(read_trees("(S (ADVP (R a)) (N b))"), read_trees("(S (PRT (R a)) (N b))"))
    assert report.by_label()["ADVP"] == Tally(gold=1, found=1)
    assert report.by_label()["PRT"] == Tally(predicted=1, correct=1)
    assert report.confusion() == Confusion()


def test_confusion_pairs_labels_over_one_span_and_counts_the_rest() -> None:
    confusion = evaluate(GOLD, PREDICTED).confusion()
    assert dict(confusion.labels) == {("VP", "X"): 1, ("PP", "ADVP"): 1}
    assert dict(confusion.missed) == {"VP": 1}
    assert dict(confusion.spurious) == {}
    back = evaluate(PREDICTED, GOLD).confusion()
    assert dict(back.spurious) == {"VP": 1}


def test_confusion_in_a_chain_pairs_parents_first() -> None:
    confusion = evaluate(read_trees("(A (B (C (N a))))"), read_trees("(C (X (N a)))")).confusion()
    assert dict(confusion.labels) == {("A", "X"): 1}
    assert dict(confusion.missed) == {"B": 1}
    confusion = evaluate(read_trees("(A (B (N a)))"), read_trees("(X (Y (N a)))")).confusion()
    assert dict(confusion.labels) == {("A", "X"): 1, ("B", "Y"): 1}


def test_by_length_bins_hold_ten_words_each() -> None:
    trees = read_trees(" ".join(f"(S {'(N a)' * n})" for n in (1, 10, 11, 20, 35)))
    bins = evaluate(trees, trees).by_length()
    assert {ends: totals.sentences for ends, totals in bins.items()} == {
        (1, 10): 2,
        (11, 20): 2,
        (31, 40): 1,
    }


def test_error_and_skipped_sentences_are_in_no_breakdown() -> None:
    wrong = read_trees("(S (N other))")[0]
    report = evaluate([GOLD[0], GOLD[1]], [wrong, []])
    assert (report.all.sentences, report.all.errors, report.all.skipped, report.all.valid) == (
        2,
        1,
        1,
        0,
    )
    assert report.by_children() == report.by_label() == {}
    assert report.confusion() == Confusion()


def test_if_nothing_matches_evalb_prints_nan_and_f1_is_zero() -> None:
    report = evaluate(read_trees("(S (N a))"), read_trees("(X (N a))"))
    assert report.f1 == 0
    assert report.evalb().count("Bracketing FMeasure       =    nan\n") == 2


def test_the_total_line_omits_brackets_if_one_side_has_none() -> None:
    report = evaluate(read_trees("(S (N a))"), read_trees("(TOP (N a))"))
    assert f"\n{'=' * 76}\n      1     1   100.00\n=== Summary ===\n" in report.evalb()


def test_without_rows_only_the_summaries_are_printed() -> None:
    report = evaluate(GOLD, PREDICTED)
    assert report.evalb(rows=False).startswith("=== Summary ===\n\n-- All --\n")
    assert report.evalb().endswith(report.evalb(rows=False))


def test_no_sentences_make_an_empty_report() -> None:
    report = evaluate([], [])
    assert (report.all.sentences, report.f1, report.crossing) == (0, 0, 0)
    assert "Number of sentence        =      0\n" in report.evalb()


def test_the_dictionary_is_complete_json() -> None:
    different = read_trees("(S (N a) (N b) (V other))")
    report = evaluate([*GOLD, GOLD[0]], [*PREDICTED, *different])
    read = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert read["parameters"]["delete"] == sorted(COLLINS.delete)
    assert read["parameters"]["equal_labels"] == [["ADVP", "PRT"]]
    assert read["all"]["f1"] == report.f1
    assert read["all"]["matched"] == 4
    assert read["short"]["valid"] == 2
    assert read["sentences"][2]["status"] == 1
    assert read["sentences"][2]["message"] == "Words unmatch (c|other)"
    assert read["by_children"]["3"]["found"] == 1
    assert read["by_length"]["1-10"]["sentences"] == 3
    assert read["by_label"]["NP"]["precision"] == 100
    assert read["confusion"]["labels"][0] == {"gold": "PP", "predicted": "ADVP", "count": 1}
    assert read["confusion"]["missed"] == {"VP": 1}


SAW = "(S (NP (PRP I)) (VP (VBD saw) {} ) (. .))"
IN_NOUN = SAW.format("(NP (NP (DT a) (NN man)) (PP (IN with) (NP (NN glasses))))")
IN_VERB = SAW.format("(NP (DT a) (NN man)) (PP (IN with) (NP (NN glasses)))")


def test_attachments_are_right_higher_or_lower() -> None:
    gold, predicted = read_trees(IN_NOUN), read_trees(IN_VERB)
    higher = evaluate(gold, predicted).attachments()
    assert higher["PP"] == Attachment(higher=1)
    assert higher["VP"] == Attachment(right=1)
    # The object: under a noun phrase that begins with it in gold, so it follows nothing there.
    assert higher["NP"] == Attachment(right=1)  # glasses
    assert evaluate(predicted, gold).attachments()["PP"] == Attachment(lower=1)
    same = evaluate(gold, gold).attachments()["PP"]
    assert (same.right, same.total, same.accuracy) == (1, 1, 100)


def test_an_attachment_to_another_phrase_that_begins_alike_is_beside() -> None:
    gold = read_trees("(S (NP (NP (N a)) (PP (P b))) (VP (V c)))")
    predicted = read_trees("(S (NP (N a)) (PP (P b)) (VP (V c)))")
    assert evaluate(gold, predicted).attachments()["PP"] == Attachment(beside=1)


@pytest.mark.parametrize(
    ("gold", "predicted", "kind"),
    [
        ("(S (NP (N a) (N b)))", "(S (VP (N a) (N b)))", "label"),
        ("(S (A (N a) (N b)) (N c))", "(S (B (A (N a) (N b))) (N c))", "unary"),
        ("(S (NP (N a) (CC b) (N c)) (V d))", "(S (N a) (CC b) (N c) (V d))", "coordination"),
        ("(S (NP (N a)) (VP (N b) (N c)))", "(S (NP (N a)) (N b) (N c))", "level"),
    ],
)
def test_errors_have_kinds(gold: str, predicted: str, kind: str) -> None:
    counts = evaluate(read_trees(gold), read_trees(predicted)).errors_by_kind()
    assert list(counts) == [kind]


def test_brackets_that_cross_are_errors_of_that_kind() -> None:
    gold = read_trees("(S (NP (N a) (N b)) (N c))")
    predicted = read_trees("(S (N a) (VP (N b) (N c)))")
    assert evaluate(gold, predicted).errors_by_kind() == {"crossing": ErrorKind(1, 1)}
