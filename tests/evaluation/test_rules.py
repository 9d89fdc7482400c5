"""Each rule of EVALB on its own small case."""

import io
from dataclasses import replace

import pytest

from whorl.errors import EvaluationError
from whorl.evaluation import COLLINS, Parameters, SentenceScore, Status, evaluate, score_sentence
from whorl.trees import Leaf, Tree, iter_forests, read_tree

BARE = Parameters()


def score(gold: str, predicted: str, params: Parameters = COLLINS) -> SentenceScore:
    (ours,) = iter_forests(io.StringIO(gold + "\n"))
    (theirs,) = iter_forests(io.StringIO(predicted + "\n"))
    return score_sentence(ours, theirs, params)


def counts(result: SentenceScore) -> tuple[int, int, int]:
    return result.matched, result.gold, result.predicted


def test_brackets_match_by_label_and_span() -> None:
    result = score("(S (NP (D a) (N b)) (VP (V c)))", "(S (NP (D a) (N b)) (NP (V c)))")
    assert counts(result) == (2, 3, 3)
    assert not result.exact


def test_without_labels_only_spans_match() -> None:
    result = score(
        "(S (NP (D a)) (VP (V c)))", "(X (Y (D a)) (Z (V c)))", replace(COLLINS, labelled=False)
    )
    assert counts(result) == (3, 3, 3)
    assert result.exact


def test_labels_are_trimmed_at_the_first_hyphen_or_equals_sign() -> None:
    assert counts(score("(S=1-X (NP-SBJ=2 (D a)) (V c))", "(S (NP (D a)) (V c))")) == (2, 2, 2)


def test_tags_are_not_trimmed() -> None:
    assert score("(S (N-X a) (V c))", "(S (N a) (V c))").tags == 1


def test_words_are_deleted_by_their_exact_tag() -> None:
    result = score("(S (N a) (, ,) (.-X .))", "(S (N a) (.-X .))")
    assert (result.status, result.words, result.length) == (Status.VALID, 2, 3)


def test_spans_count_only_undeleted_words() -> None:
    assert counts(score("(S (NP (N a) (, ,)) (VP (V b)))", "(S (NP (N a)) (, ,) (VP (V b)))")) == (
        3,
        3,
        3,
    )


def test_brackets_over_only_deleted_words_are_dropped() -> None:
    assert counts(score("(S (N a) (X (NP (-NONE- *))))", "(S (N a))")) == (1, 1, 1)


def test_brackets_with_a_deleted_label_are_dropped_and_their_children_stay() -> None:
    assert counts(score("(TOP (S (TOP-X (N a))))", "(S (N a))")) == (1, 1, 1)


def test_an_unlabelled_root_counts_unless_deleted() -> None:
    assert counts(score("( (S (N a)))", "(S (N a))")) == (1, 2, 1)


def test_equal_labels_match_in_both_directions_for_brackets_and_tags() -> None:
    assert counts(score("(S (ADVP (R a)))", "(S (PRT (R a)))")) == (2, 2, 2)
    assert counts(score("(S (PRT (R a)))", "(S (ADVP (R a)))")) == (2, 2, 2)
    assert score("(S (ADVP a))", "(S (PRT a))").tags == 1


def test_equal_labels_extend_deletion_of_brackets_but_not_of_words() -> None:
    params = replace(BARE, delete=frozenset({"TOP"}), equal_labels=frozenset({("ROOT", "TOP")}))
    result = score("(ROOT (S (ROOT a)))", "(S (ROOT a))", params)
    assert counts(result) == (1, 1, 1)
    assert result.words == 1


def test_equal_labels_are_not_transitive() -> None:
    params = replace(BARE, equal_labels=frozenset({("A", "B"), ("B", "C")}))
    assert counts(score("(S (A (N a)))", "(S (C (N a)))", params)) == (1, 2, 2)
    assert counts(score("(S (B (N a)))", "(S (C (N a)))", params)) == (2, 2, 2)


def test_matching_is_greedy_in_order_within_a_span() -> None:
    params = replace(BARE, equal_labels=frozenset({("A", "B"), ("B", "C")}))
    # B takes A, the first that is free, so nothing is left for A; the other order matches both.
    assert counts(score("(B (A (N a)))", "(A (C (N a)))", params)) == (1, 2, 2)


def test_a_bracket_that_occurs_twice_matches_as_often_as_on_both_sides() -> None:
    assert counts(score("(A (A (A (N a))))", "(A (A (N a)))")) == (2, 3, 2)
    assert counts(score("(A (A (N a)))", "(A (A (A (N a))))")) == (2, 2, 3)


def test_crossing_counts_predicted_brackets_once_each() -> None:
    gold = "(S (X (N a) (N b)) (Y (N c) (N d)))"
    assert score(gold, "(S (N a) (Z (Z (N b) (N c))) (N d))").crossing == 2
    assert score(gold, "(S (N a) (Z (N b) (N c) (N d)))").crossing == 1
    assert score(gold, "(S (N a) (N b) (N c) (N d))").crossing == 0


def test_deleted_brackets_do_not_cross() -> None:
    assert score("(S (TOP (N a) (N b)) (N c))", "(S (N a) (X (N b) (N c)))").crossing == 0
    assert score("(S (X (N a) (N b)) (N c))", "(S (N a) (TOP (N b) (N c)))").crossing == 0


def test_an_empty_prediction_is_skipped_whatever_the_gold_sentence() -> None:
    assert score("(S (N a))", "").status is Status.SKIPPED
    assert score("(S (N a))", "(S (, ,))").status is Status.SKIPPED
    assert score("", "").status is Status.SKIPPED


def test_an_empty_gold_sentence_is_a_difference_in_length() -> None:
    assert score("", "(S (N a))").message == "Length unmatch (0|1)"


def test_length_is_of_gold_and_counts_deleted_words_that_are_not_deleted_for_length() -> None:
    assert score("(S (N a) (, ,) (-NONE- *))", "(S (N a))").length == 2


def test_sentences_of_different_length_are_errors_with_counts_of_zero() -> None:
    result = score("(S (N a) (N b))", "(S (N a))")
    assert result == SentenceScore(1, 2, Status.ERROR, message="Length unmatch (2|1)")


def test_the_first_different_words_are_named_as_in_files() -> None:
    assert (
        score("(S (N a) (-LRB- -LRB-))", "(S (N a) (-LRB- {))").message == "Words unmatch (-LRB-|{)"
    )


def test_equal_words_match_in_both_directions_and_with_brackets_as_in_files() -> None:
    params = Parameters.parse("EQ_WORD -LRB- {\n")
    assert score("(S (X -LRB-))", "(S (X {))", params).status is Status.VALID
    assert score("(S (X {))", "(S (X -LRB-))", params).status is Status.VALID
    assert score("(S (X {))", "(S (X -RRB-))", params).status is Status.ERROR


def test_a_line_of_several_trees_is_one_sentence() -> None:
    result = score("(NP (N a)) (VP (V b))", "(NP (N a)) (V b)")
    assert counts(result) == (1, 2, 1)
    assert (result.words, result.crossing) == (2, 0)
    assert counts(score("(X (N a)) (NP (N b) (N c))", "(N a) (NP (N b) (N c))")) == (1, 2, 1)
    assert counts(score("(X (N a)) (N b)", "(N a) (X (N b))")) == (0, 1, 1)


def test_a_subtree_is_scored_at_its_own_position() -> None:
    subtree = read_tree("(S (N a) (X (N b) (Y (N c))))").children[1]
    assert isinstance(subtree, Tree)
    assert score_sentence(subtree, read_tree("(X (N b) (Y (N c)))")).exact


def test_sentences_may_be_of_any_length_and_depth() -> None:
    long = Tree("S", [Leaf("N", "a") for _ in range(3000)])
    assert score_sentence(long, long).words == 3000
    deep = Tree("S", [Leaf("N", "a")])
    for _ in range(3000):
        deep = Tree("S", [deep])
    assert score_sentence(deep, deep).matched == 3001


QUOTES = Parameters.parse("DELETE_LABEL ''\nDELETE_LABEL ,\nQUOTE_LABEL ''\nQUOTE_LABEL POS\n")


def test_a_deleted_quote_is_put_back_if_the_other_side_kept_one() -> None:
    gold = "(S (NP (N dogs) ('' ')) (VP (V bark)))"
    predicted = "(S (NP (N dogs) (POS ')) (VP (V bark)))"
    for a, b in ((gold, predicted), (predicted, gold)):
        result = score(a, b, QUOTES)
        assert (result.status, result.words, result.tags) == (Status.VALID, 3, 2)
        assert counts(result) == (3, 3, 3)


def test_a_bracket_over_a_quote_that_is_put_back_counts() -> None:
    result = score("(S (N dogs) (X ('' ')) (V bark))", "(S (N dogs) (X (POS ')) (V bark))", QUOTES)
    assert counts(result) == (2, 2, 2)


def test_quotes_are_put_back_only_after_equally_many_words() -> None:
    result = score("(S ('' ') (N dogs) (V bark))", "(S (N dogs) (POS ') (V bark))", QUOTES)
    assert result.message == "Length unmatch (2|3)"


def test_two_quotes_can_be_put_back() -> None:
    result = score("(S ('' ') (N dogs) ('' /))", "(S (POS ') (N dogs) (POS /))", QUOTES)
    assert (result.status, result.words) == (Status.VALID, 3)


def test_a_quote_can_be_put_back_in_any_tree_of_a_line() -> None:
    result = score("(S (N a)) (S (N dogs) ('' '))", "(S (N a)) (S (N dogs) (POS '))", QUOTES)
    assert counts(result) == (2, 2, 2)


def test_a_quote_that_was_put_back_can_match_the_next_one_too() -> None:
    result = score("(S (X ('' ')) (N a))", "(S (X (POS ') (POS ')) (N a))", QUOTES)
    assert (result.status, result.words) == (Status.VALID, 3)
    assert counts(result) == (2, 2, 2)


def test_a_prediction_of_only_deleted_quotes_is_skipped() -> None:
    assert score("(S (POS '))", "(S ('' '))", QUOTES).status is Status.SKIPPED


def test_quotes_stay_deleted_if_lengths_agree() -> None:
    assert score("(S (N a) ('' '))", "(S (N a) ('' '))", QUOTES).words == 1
    # One side kept the first mark, the other the second: lengths agree, so nothing is put back.
    result = score("(S (POS ') (N a) ('' '))", "(S ('' ') (N a) (POS '))", QUOTES)
    assert result.message == "Words unmatch ('|a)"


def test_only_quotation_marks_are_put_back() -> None:
    assert (
        score("(S (N a) ('' ''))", "(S (N a) (POS ''))", QUOTES).message == "Length unmatch (1|2)"
    )


def test_without_quote_labels_nothing_is_put_back() -> None:
    params = replace(QUOTES, quote=frozenset())
    assert score("(S (N a) ('' '))", "(S (N a) (POS '))", params).message == "Length unmatch (1|2)"


def test_unequal_numbers_of_sentences_are_an_error_with_both_counts() -> None:
    tree = read_tree("(S (N a))")
    with pytest.raises(EvaluationError, match="gold holds 2 sentences and predicted holds 1"):
        evaluate([tree, tree], [tree])


@pytest.mark.parametrize("max_error", [0, 3])
def test_one_error_more_than_max_error_is_allowed_and_the_next_stops(max_error: int) -> None:
    gold, predicted = read_tree("(S (N a))"), read_tree("(S (N b))")
    params = replace(COLLINS, max_error=max_error)
    passing = max_error + 1
    assert evaluate([gold] * passing, [predicted] * passing, params).all.errors == passing
    with pytest.raises(EvaluationError) as caught:
        evaluate([gold] * 9, [predicted] * 9, params)
    assert str(caught.value).startswith(
        f"{passing + 1} sentences cannot be compared, and MAX_ERROR {max_error} "
    )
    assert "--max-error N" in str(caught.value)
    assert "  1 : Words unmatch (a|b)" in str(caught.value)


def test_a_sentence_that_could_not_be_read_is_an_error_sentence() -> None:
    tree = read_tree("(S (N a) (N b))")
    report = evaluate([tree, None, tree], [None, tree, tree])
    assert [score.status for score in report.scores] == [Status.ERROR, Status.ERROR, Status.VALID]
    assert report.errors == [
        "1 : Unreadable (predicted sentence)",
        "2 : Unreadable (gold sentence)",
    ]
    assert [score.length for score in report.scores] == [2, 0, 2]
