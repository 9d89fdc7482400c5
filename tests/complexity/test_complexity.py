"""The structures of the L2 Syntactic Complexity Analyzer, one by one and against Tregex."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.complexity import INDICES, PATTERNS, STRUCTURES, Counts, count_structures, mean_measures
from whorl.trees import iter_trees, read_tree, read_trees

SHARED = Path(__file__).resolve().parents[2].parent / "shared"

SUBJECT = "(NP (PRP She))"
CLAUSE = "(S (NP (PRP it)) (VP (VBZ works)))"


def counts(text: str) -> dict[str, int]:
    """The counts that are not 0, without those of words and sentences."""
    found = count_structures(read_trees(text)).as_dict()
    return {name: count for name, count in found.items() if count and name not in ("W", "S")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"(ROOT (S {SUBJECT} (VP (VBD slept)) (. .)))", {"VP": 1, "C": 1, "T": 1}),
        # an auxiliary of an inverted question counts as a verb phrase if there is no other
        ("(ROOT (SQ (VBZ Is) (NP (PRP it)) (ADJP (JJ cold)) (. ?)))", {"VP": 1, "C": 1, "T": 1}),
        (
            "(ROOT (SQ (VBZ Does) (NP (PRP it)) (VP (VB work)) (. ?)))",
            {"VP": 1, "C": 1, "T": 1},
        ),
        ("(ROOT (S (VP (VB Go)) (. !)))", {"VP": 1, "C": 1, "T": 1}),  # an imperative
        ("(ROOT (FRAG (NP (DT The) (NN end)) (. .)))", {"C": 1, "T": 1}),
        (f"(ROOT (FRAG (SBAR (IN If) {CLAUSE})))", {"VP": 1, "C": 1, "T": 1, "DC": 1}),
        ("(ROOT (NP (DT The) (NN end)))", {}),
        # not finite, so no clause
        (
            f"(ROOT (S {SUBJECT} (VP (VBZ wants) (S (VP (TO to) (VP (VB go)))))))",
            {"VP": 2, "C": 1, "T": 1},
        ),
        (
            f"(ROOT (S {CLAUSE} (CC and) {CLAUSE}))",
            {"VP": 2, "C": 2, "T": 2},
        ),
        (
            f"(ROOT (S {SUBJECT} (VP (VBD slept) (SBAR (IN because) {CLAUSE}))))",
            {"VP": 2, "C": 2, "T": 1, "DC": 1, "CT": 1},
        ),
        # finite verbs in coordination
        (
            f"(ROOT (S {SUBJECT} (VP (VP (VBD came)) (CC and) (VP (VBD won)))))",
            {"VP": 1, "C": 1, "T": 1, "CP": 1},
        ),
        ("(ROOT (NP (NN salt) (CC and) (NN pepper)))", {"CP": 1}),
        ("(ROOT (NP (DT a) (JJ red) (NN car)))", {"CN": 1}),
        ("(ROOT (NP (NP (DT a) (NN car)) (PP (IN of) (NP (NN tin)))))", {"CN": 1}),
        # in apposition
        ("(ROOT (NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN nurse))))", {"CN": 1}),
        # a nominal clause
        (
            f"(ROOT (S {SUBJECT} (VP (VBZ knows) (SBAR (IN that) {CLAUSE}))))",
            {"VP": 2, "C": 2, "T": 1, "DC": 1, "CT": 1, "CN": 1},
        ),
        # a gerund as the subject
        (
            "(ROOT (S (S (VP (VBG Swimming))) (VP (VBZ helps))))",
            {"VP": 2, "C": 1, "T": 1, "CN": 1},
        ),
        # two types of complex nominal at once count twice
        (
            "(ROOT (S (SBAR (WHNP (WP What)) (S (VP (VBD happened)))) (VP (VBZ hurts))))",
            {"VP": 2, "C": 2, "T": 1, "DC": 1, "CT": 1, "CN": 1},
        ),
    ],
)
def test_each_structure(text, expected):
    assert counts(text) == expected


@pytest.mark.parametrize("root", ["(TOP ", "(S1 ", "( ", "(ROOT "])
def test_the_root_may_have_any_of_the_usual_names_or_be_missing(root):
    sentence = "(S (NP (PRP She)) (VP (VBD slept)))"
    expected = count_structures([read_tree(f"{root}{sentence})")])
    assert expected == count_structures([read_tree(sentence)])
    assert (expected.sentences, expected.t_units, expected.clauses) == (1, 1, 1)


def test_words_are_told_from_punctuation_by_their_tags():
    tree = read_tree(
        "(ROOT (NP (PRP$ her) (NN well-known) (-LRB- -LRB-) (CD 3) (-RRB- -RRB-) (: --) (`` ``) "
        "(NN quick) (HYPH -) (NN fix) ('' '') ($ $) (WP$ whose) (. .) (, ,)))"
    )
    assert count_structures([tree]).words == 6


def test_an_index_without_a_denominator_is_0():
    empty = count_structures([])
    assert empty == Counts()
    assert set(empty.indices().values()) == {0.0}
    assert count_structures([read_tree("(ROOT (NP (NN Rain)))")]).indices()["MLT"] == 0.0


def test_indices_are_ratios_of_counts():
    found = Counts(100, 10, 30, 20, 16, 5, 4, 3, 12)
    assert found.indices() == {
        "MLS": 10.0,
        "MLT": 6.25,
        "MLC": 5.0,
        "C/S": 2.0,
        "VP/T": 1.875,
        "C/T": 1.25,
        "DC/C": 0.25,
        "DC/T": 0.3125,
        "T/S": 1.6,
        "CT/T": 0.25,
        "CP/T": 0.1875,
        "CP/C": 0.15,
        "CN/T": 0.75,
        "CN/C": 0.6,
    }
    assert list(found.as_dict()) == list(STRUCTURES)
    assert list(found.indices()) == list(INDICES)


numbers = st.builds(Counts, *[st.integers(0, 50)] * len(STRUCTURES))


@given(st.lists(numbers, min_size=1))
def test_the_mean_gives_each_text_the_same_weight(texts):
    mean = mean_measures(texts)
    for name in STRUCTURES:
        assert mean[name] * len(texts) == pytest.approx(sum(text.as_dict()[name] for text in texts))
    for name in INDICES:
        assert mean[name] * len(texts) == pytest.approx(sum(text.indices()[name] for text in texts))


def test_the_mean_of_nothing_is_0():
    assert set(mean_measures([]).values()) == {0.0}


@pytest.mark.treebank
@pytest.mark.parametrize("treebank", ["gum", "genia"])
def test_counts_on_treebanks_are_those_of_tregex(treebank):
    """With `-o`, the published analyzer counts different nodes: the second column."""
    path = SHARED / "treebanks/en" / treebank / "dev.txt"
    tables = [SHARED / "tregex" / f"{treebank}.{suffix}" for suffix in ("dev.tsv", "dev.2.tsv")]
    if not all(file.is_file() for file in (path, *tables)):
        pytest.skip("needs the shared files")
    rows = [
        row.split("\t")
        for table in tables
        for row in table.read_text(encoding="utf-8").splitlines()[1:]
    ]
    nodes = {pattern: int(number) for _, number, _, pattern in rows}
    found = count_structures(iter_trees(path)).as_dict()
    assert found["S"] == sum(1 for _ in iter_trees(path))
    for name, patterns in PATTERNS.items():
        if name != "S":
            assert found[name] == sum(nodes[pattern] for pattern in patterns), name
