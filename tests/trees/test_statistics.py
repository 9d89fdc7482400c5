"""Statistics of treebanks, and suspicious places in trees."""

from __future__ import annotations

import pytest

from whorl.trees import TreebankStatistics, read_tree, suspicions

TREES = [
    "(TOP (S (NP (D a) (N b)) (VP (V c) (ADVP (R d)) (. .))))",
    "(NP (NP (N e)))",
]


def test_statistics_count_trees_words_phrases_depth_and_chains():
    statistics = TreebankStatistics.of(map(read_tree, TREES)).as_dict()
    assert statistics == {
        "trees": 2,
        "words": 6,
        "phrases": 7,
        "sentence_length": {"mean": 3.0, "max": 5},
        "depth": {"mean": 3.0, "max": 4},
        "longest_unary_chain": 2,
        "children_per_phrase": {"mean": 11 / 7, "max": 3, "counts": {"1": 4, "2": 2, "3": 1}},
        "labels": {"NP": 3, "ADVP": 1, "S": 1, "TOP": 1, "VP": 1},
        "tags": {"N": 2, ".": 1, "D": 1, "R": 1, "V": 1},
    }
    assert list(statistics["labels"]) == ["NP", "ADVP", "S", "TOP", "VP"]
    assert list(statistics["tags"]) == ["N", ".", "D", "R", "V"]


def test_statistics_of_nothing_are_zero():
    statistics = TreebankStatistics().as_dict()
    assert statistics["depth"] == statistics["sentence_length"] == {"mean": 0, "max": 0}
    assert statistics["children_per_phrase"] == {"mean": 0, "max": 0, "counts": {}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (A b) (X (A c)))", []),
        ("(S (A b) (X (X (A c) (A d))))", ["unary loop: X over X over words 2 to 3"]),
        ("(S (X (A b) (X (A c))))", []),
        (
            "(S (X* (A b)))",
            [
                "temporary label: X* over words 1 to 1: "
                "labels of this form are kept for binarisation"
            ],
        ),
        ("(S (NP-SBJ (A b)))", ["function tag: NP-SBJ over words 1 to 1"]),
        ("(S (A b) (-NONE- *-1))", ["trace: *-1 at word 2"]),
        ("(S (A b) (B \u200b))", [r"blank word: word 2, tagged B, shows nothing: '\u200b'"]),
    ],
)
def test_suspicious_places_are_named_by_kind_and_words(text, expected):
    assert [f"{kind}: {detail}" for kind, detail in suspicions(read_tree(text))] == expected
