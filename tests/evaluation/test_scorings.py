"""All tokens, EVALB's punctuation, and each treebank's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import trees

from whorl.evaluation import (
    ALL_TOKENS,
    COLLINS,
    EVALB,
    SCORINGS,
    WITHOUT_PUNCTUATION,
    all_tokens,
    evaluate,
    punctuation_tags,
    scorings,
    with_gold_tags,
    without_punctuation,
)
from whorl.trees import Tree, read_tree, read_treebank
from whorl.trees.cleaning import ROOTS, TRACE

TREEBANKS = Path(__file__).parents[3] / "shared" / "treebanks"
ICELANDIC = "(TOP (S (NP (no Hundurinn)) (VP (so geltir)) (grm .)))"


def counts(gold: str, parsed: str, **ways) -> dict[str, tuple[int, int, int]]:
    trees = [read_tree(gold)], [read_tree(parsed)]
    totals = {name: evaluate(*trees, params).all for name, params in ways.items()}
    return {name: (t.matched, t.gold, t.words) for name, t in totals.items()}


def test_punctuation_counts_unless_it_is_left_out():
    wrong = "(TOP (S (NP (no Hundurinn)) (VP (so geltir) (grm .))))"
    assert counts(
        ICELANDIC,
        wrong,
        evalb=COLLINS,
        every=all_tokens(),
        own=without_punctuation(punctuation_tags([read_tree(ICELANDIC)])),
    ) == {"evalb": (2, 3, 3), "every": (2, 3, 3), "own": (3, 3, 2)}


def test_evalb_leaves_out_the_punctuation_of_the_penn_treebank():
    gold = "(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))"
    wrong = "(TOP (S (NP (PRP It)) (VP (VBZ works) (. .))))"
    ways = scorings(["."])
    assert tuple(ways) == SCORINGS == (EVALB, ALL_TOKENS, WITHOUT_PUNCTUATION)
    by_name = counts(gold, wrong, **{name: ways[name] for name in ways})
    assert by_name == {EVALB: (3, 3, 2), ALL_TOKENS: (2, 3, 3), WITHOUT_PUNCTUATION: (3, 3, 2)}


def test_labels_that_evalb_holds_for_equal_are_different_otherwise():
    gold, parsed = "(S (PRT (RP up)) (V went))", "(S (ADVP (RP up)) (V went))"
    assert counts(gold, parsed, evalb=COLLINS, every=all_tokens()) == {
        "evalb": (2, 2, 2),
        "every": (1, 2, 2),
    }


@pytest.mark.parametrize("root", ["TOP", "ROOT", "S1", "VROOT"])
def test_no_root_counts(root):
    tree = f"({root} (S (X a)))"
    assert counts(tree, tree, every=all_tokens()) == {"every": (1, 1, 1)}


@given(trees(), st.sets(st.sampled_from([",", ".", "NN", "NP"])))
def test_exactly_the_words_with_the_tags_of_punctuation_are_left_out(tree, tags):
    kept = [leaf for leaf in tree.leaves() if leaf.tag not in {TRACE, *ROOTS, *tags}]
    report = evaluate([tree], [tree], without_punctuation(tags))
    assert report.all.words == len(kept)
    assert report.all.matched == report.all.gold
    assert all_tokens() == without_punctuation([])


def test_the_tags_of_punctuation_are_those_whose_words_are_punctuation():
    tree = read_tree("(S (A ,) (A «) (B a) (B .) (C ``) (D $) (D .) (E -LRB-) (F ...) (G ´))")
    assert punctuation_tags([tree]) == ("A", "C", "E", "F", "G")
    assert punctuation_tags([]) == ()


@pytest.mark.parametrize(
    ("treebank", "tags"),
    [
        ("id/icon", ["PUN"]),
        ("is/greynir-gold", ["grm"]),
        ("is/icepahc", ['"', ",", "-", ".", ":"]),
        ("ja/keyaki-open", ["-LRB-", "-RRB-", "PU", "QUOT"]),
        ("nl/alpino-cdb", ["let"]),
        ("pt/floresta-bosque", ["PU"]),
        ("zh/sinica-nltk", []),
        ("en/nltk_ptb_sample", ["''", ",", "-LRB-", "-RRB-", ".", ":", "``"]),
    ],
)
def test_the_tags_of_punctuation_in_treebanks(treebank, tags):
    path = TREEBANKS / treebank / "dev.txt"
    if not path.exists():
        pytest.skip("no treebanks here")
    assert list(punctuation_tags(read_treebank(path))) == tags


@given(trees())
def test_gold_tags_change_no_bracket(tree: Tree):
    parsed = tree.rebuild(
        leaf=lambda leaf: leaf.__class__("?", leaf.word, leaf.left),
        phrase=lambda node, children: Tree(node.label, children),
    )
    assert with_gold_tags(tree, parsed) == tree
