from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.strategies import corpora, pairs, parameters, trees
from tests.timing import assert_linear

from whorl.evaluation import COLLINS, Parameters, Status, evaluate, score_sentence
from whorl.evaluation.crossing import count_crossing, find_crossing
from whorl.evaluation.errors import KINDS
from whorl.evaluation.flat import Bracket, flatten
from whorl.evaluation.rules import rules_of, trimmed
from whorl.trees import Tree, read_tree

Pair = tuple[Tree, Tree]


def naive_crossing(gold: list[Bracket], predicted: list[Bracket]) -> int:
    return sum(
        any(a < left < b < right or left < a < right < b for a, b, _ in gold)
        for left, right, _ in predicted
    )


def naive_matches(pair: Pair, params: Parameters) -> int:
    """Match by letting every gold bracket search all predicted ones in order."""
    ours, theirs = (flatten([tree], rules_of(params)) for tree in pair)
    free = [
        (span[:2], trimmed(node.label))
        for span, node in zip(theirs.brackets, theirs.phrases, strict=True)
    ]
    matches = 0
    for (left, right, _), node in zip(ours.brackets, ours.phrases, strict=True):
        for candidate in free:
            same = not params.labelled or params.same_label(trimmed(node.label), candidate[1])
            if candidate[0] == (left, right) and same:
                free.remove(candidate)
                matches += 1
                break
    return matches


@given(trees)
def test_a_tree_against_itself_is_perfect(tree: Tree) -> None:
    result = score_sentence(tree, tree)
    if set(tree.words()) == {","}:
        assert result.status is Status.SKIPPED
    else:
        assert result.matched == result.gold == result.predicted
        assert (result.crossing, result.tagging) == (0, 100)
        assert evaluate([tree], [tree]).exact == 100


@given(pairs(), parameters)
def test_swapping_sides_swaps_recall_and_precision_if_labels_are_an_equivalence(
    pair: Pair, params: Parameters
) -> None:
    if rules_of(params).representatives is None:
        return
    forward, back = score_sentence(*pair, params), score_sentence(*pair[::-1], params)
    assert (forward.recall, forward.precision) == (back.precision, back.recall)


@given(corpora, st.randoms(use_true_random=False))
def test_the_order_of_sentences_changes_no_summary(corpus: list[Pair], random: object) -> None:
    shuffled = list(corpus)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    reports = [evaluate(*zip(*some, strict=True)) for some in (corpus, shuffled)]
    assert reports[0].evalb(rows=False) == reports[1].evalb(rows=False)
    assert reports[0].by_children() == reports[1].by_children()
    assert reports[0].confusion() == reports[1].confusion()


@given(pairs(), parameters)
def test_linear_crossing_equals_the_quadratic_count(pair: Pair, params: Parameters) -> None:
    ours, theirs = (flatten([tree], rules_of(params)) for tree in pair)
    expected = naive_crossing(ours.brackets, theirs.brackets)
    assert count_crossing(ours.brackets, theirs.brackets, len(ours.words)) == expected


@given(pairs(), parameters)
def test_matching_equals_the_search_through_all_pairs(pair: Pair, params: Parameters) -> None:
    result = score_sentence(*pair, params)
    if result.status is Status.VALID:
        assert result.matched == naive_matches(pair, params)


@given(corpora)
def test_breakdowns_add_up_to_the_totals(corpus: list[Pair]) -> None:
    report = evaluate(*zip(*corpus, strict=True), COLLINS)
    for tallies in (report.by_children().values(), report.by_label().values()):
        assert sum(t.gold for t in tallies) == report.all.gold
        assert sum(t.predicted for t in tallies) == report.all.predicted
        assert (
            sum(t.found for t in tallies) == sum(t.correct for t in tallies) == report.all.matched
        )
    confusion = report.confusion()
    replaced = confusion.labels.total()
    assert report.all.matched + replaced + confusion.missed.total() == report.all.gold
    assert report.all.matched + replaced + confusion.spurious.total() == report.all.predicted
    assert sum(totals.matched for totals in report.by_length().values()) == report.all.matched
    errors = report.errors_by_kind()
    assert sum(kind.missed for kind in errors.values()) == report.all.gold - report.all.matched
    assert (
        sum(kind.spurious for kind in errors.values()) == report.all.predicted - report.all.matched
    )
    assert list(errors) == [kind for kind in KINDS if kind in errors]
    if "label" in errors:
        assert errors["label"].missed == errors["label"].spurious == replaced
    assert sum(place.total for place in report.attachments().values()) <= report.all.matched


@given(corpora)
def test_trees_compared_with_themselves_have_no_errors(corpus: list[Pair]) -> None:
    trees = [gold for gold, _ in corpus]
    report = evaluate(trees, trees)
    assert report.errors_by_kind() == {}
    assert all(place.right == place.total for place in report.attachments().values())


@given(pairs(), parameters)
def test_crossing_brackets_are_those_of_the_definition(pair: Pair, params: Parameters) -> None:
    ours, theirs = (flatten([tree], rules_of(params)) for tree in pair)
    if len(ours.words) == len(theirs.words):
        found = find_crossing(ours.brackets, theirs.brackets, len(ours.words))
        assert found == [
            any(a < left < b < right or left < a < right < b for a, b, _ in ours.brackets)
            for left, right, _ in theirs.brackets
        ]


@pytest.mark.parametrize("pairs", [[("ADVP", "PRT")], [("X", "Y"), ("Y", "Z")]])
def test_long_unary_chains_are_scored_in_linear_time(pairs: list[tuple[str, str]]) -> None:
    params = Parameters(equal_labels=frozenset(pairs))

    def scored(depth: int) -> Callable[[], object]:
        ours, theirs = (read_tree(f"({label} " * depth + "(A b)" + ")" * depth) for label in "XZ")
        return lambda: evaluate([ours], [theirs], params).by_label()

    assert_linear(scored(1000), scored(10_000))
