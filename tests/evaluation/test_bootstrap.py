from random import Random

import pytest
from hypothesis import given
from tests.evaluation.strategies import corpora

from whorl.errors import EvaluationError
from whorl.evaluation import bootstrap, compare, evaluate
from whorl.evaluation.bootstrap import _differences
from whorl.evaluation.totals import Totals
from whorl.trees import Tree, read_tree

RIGHT = read_tree("(S (NP (D a) (N b)) (VP (V c)))")
WRONG = read_tree("(S (D a) (X (N b) (V c)))")


def test_a_parser_does_not_differ_from_itself() -> None:
    result = bootstrap(
        [RIGHT] * 5, [WRONG, RIGHT] * 2 + [RIGHT], [WRONG, RIGHT] * 2 + [RIGHT], resamples=100
    )
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)


def test_a_parser_that_is_always_better_differs() -> None:
    gold = [RIGHT] * 40
    result = bootstrap(gold, [RIGHT] * 30 + [WRONG] * 10, [WRONG] * 40, resamples=999)
    assert result.difference == pytest.approx(result.f1 - result.other_f1)
    assert 0 < result.low < result.difference < result.high
    assert result.p_value == 0.001
    swapped = bootstrap(gold, [WRONG] * 40, [RIGHT] * 30 + [WRONG] * 10, resamples=999)
    assert (swapped.difference, swapped.low, swapped.high) == (
        -result.difference,
        -result.high,
        -result.low,
    )


def test_a_small_difference_in_both_directions_is_not_significant() -> None:
    first = [RIGHT, WRONG] * 20 + [RIGHT]
    second = [WRONG, RIGHT] * 20 + [WRONG]
    result = bootstrap([RIGHT] * 41, first, second, resamples=999)
    assert result.difference > 0
    assert result.low < 0 < result.high
    assert result.p_value > 0.5


def test_the_seed_decides_the_result() -> None:
    gold, first, second = [RIGHT] * 41, [RIGHT, WRONG] * 20 + [RIGHT], [WRONG, RIGHT] * 20 + [WRONG]
    results = [bootstrap(gold, first, second, resamples=200, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    assert (results[0].low, results[0].high, results[0].p_value) != (
        results[2].low,
        results[2].high,
        results[2].p_value,
    )


def test_the_defaults_are_ten_thousand_resamples_with_seed_1() -> None:
    gold, first, second = [RIGHT] * 3, [RIGHT, WRONG, RIGHT], [WRONG, RIGHT, WRONG]
    reports = evaluate(gold, first), evaluate(gold, second)
    explicit = compare(*reports, resamples=10_000, seed=1)
    assert compare(*reports) == bootstrap(gold, first, second) == explicit
    assert (explicit.resamples, explicit.seed) == (10_000, 1)


@given(corpora)
def test_packed_sums_give_the_f1_of_the_sentences_drawn(corpus: list[tuple[Tree, Tree]]) -> None:
    gold, predicted = zip(*corpus, strict=True)
    pairs = list(zip(evaluate(gold, predicted).scores, evaluate(gold, gold).scores, strict=True))
    pairs = [pair for pair in pairs if pair[0].words]
    if not pairs:
        return
    random = Random(5)
    for difference in _differences(pairs, 3, Random(5)):
        drawn = random.choices(pairs, k=len(pairs))
        expected = Totals.of(a for a, _ in drawn).f1 - Totals.of(b for _, b in drawn).f1
        assert difference == pytest.approx(expected)


def test_sentences_not_valid_for_both_are_left_out_and_counted() -> None:
    result = bootstrap([RIGHT] * 3, [RIGHT, [], RIGHT], [WRONG, RIGHT, None], resamples=10)
    assert (result.sentences, result.left_out) == (1, 2)
    assert result.f1 == 100


def test_reports_that_cannot_be_compared_are_an_error() -> None:
    report = evaluate([RIGHT], [RIGHT])
    with pytest.raises(EvaluationError, match="at least 1 resample, not 0"):
        compare(report, report, resamples=0)
    with pytest.raises(EvaluationError, match="on 1 and 2 sentences"):
        compare(report, evaluate([RIGHT] * 2, [RIGHT] * 2))
    with pytest.raises(EvaluationError, match="no sentence is valid for both"):
        compare(report, evaluate([RIGHT], [[]]))
