"""The trees of a build: parts, splits, and errors that come before any time is spent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from whorl.building.request import BuildRequest, named_path
from whorl.building.treebanks import MIN_TREES, read_parts, write_parts
from whorl.errors import BracketError, RecipeError, TreebankError, TreeError
from whorl.trees import SPLITS, apportion, read_treebank


def tree(number, label="NP"):
    return f"(TOP (S ({label} (N w{number})) (VP (V runs))))"


def write(path, trees):
    path.write_text("".join(f"{one}\n" for one in trees), encoding="utf-8")
    return str(path)


@pytest.fixture
def trees(tmp_path):
    return write(tmp_path / "trees.txt", map(tree, range(100)))


def parts(*train, dev=(), test=()):
    return read_parts(BuildRequest.of(train, dev, test))


def test_a_single_file_is_split_three_ways_and_every_tree_is_in_one_part(trees):
    (treebank,) = parts(trees)
    assert [len(treebank.part(part)) for part in SPLITS] == [80, 10, 10]
    together = sorted(str(one) for part in SPLITS for one in treebank.part(part))
    assert together == sorted(map(tree, range(100)))
    assert "split at random: 80 train, 10 dev, 10 test" in treebank.remarks[0]
    assert parts(trees)[0].dev == treebank.dev


def test_test_trees_that_are_given_are_used_and_development_trees_split_off(trees, tmp_path):
    test = write(tmp_path / "test.txt", map(tree, range(200, 205)))
    (treebank,) = parts(trees, test=[test])
    assert [len(treebank.part(part)) for part in SPLITS] == [89, 11, 5]


def test_with_development_trees_nothing_is_split(trees, tmp_path):
    dev = write(tmp_path / "dev.txt", map(tree, range(200, 205)))
    (treebank,) = parts(trees, dev=[dev])
    assert [len(treebank.part(part)) for part in SPLITS] == [100, 5, 0]
    assert treebank.remarks == []


def test_a_folder_with_a_split_needs_no_other_flags(tmp_path):
    for start, part in enumerate(SPLITS):
        write(tmp_path / f"{part}.txt", (tree(1000 * start + n) for n in range(30 - start)))
    (treebank,) = parts(str(tmp_path))
    assert [len(treebank.part(part)) for part in SPLITS] == [30, 29, 28]


def test_parts_are_written_as_they_were_read(trees, tmp_path):
    treebanks = parts(trees)
    paths = write_parts(treebanks, tmp_path / "data")
    for (name, part), path in paths.items():
        assert (name, list(read_treebank(path))) == ("", treebanks[0].part(part))


@pytest.mark.parametrize("count", [0, 1, MIN_TREES - 1])
def test_too_few_trees_are_an_error_that_names_the_file_and_how_many_are_needed(tmp_path, count):
    path = write(tmp_path / "few.txt", map(tree, range(count)))
    with pytest.raises(TreebankError, match=r"few\.txt: (no|1|19) tree"):
        parts(path)
    dev = write(tmp_path / "dev.txt", map(tree, range(30)))
    with pytest.raises(TreebankError, match=r"few\.txt: (no|1|19) tree"):
        parts(path, dev=[dev])


def test_an_empty_development_file_is_an_error(trees, tmp_path):
    with pytest.raises(TreebankError, match=r"dev\.txt: no trees"):
        parts(trees, dev=[write(tmp_path / "dev.txt", [])])


def test_development_trees_of_another_convention_are_an_error_that_lists_their_labels(
    trees, tmp_path
):
    dev = write(tmp_path / "dev.txt", [tree(n, "SN") for n in range(20)])
    with pytest.raises(TreebankError, match=r"dev.txt: 33 % .* no training tree has: SN \(20\)"):
        parts(trees, dev=[dev])


def test_a_few_unknown_labels_are_a_remark(trees, tmp_path):
    dev = write(tmp_path / "dev.txt", [tree(300, "SN"), *map(tree, range(200, 230))])
    (treebank,) = parts(trees, dev=[dev])
    assert treebank.remarks == [
        "1.1 % of the phrases of the dev trees have labels that no training tree has: SN (1)"
    ]


def test_test_sentences_that_were_learnt_are_counted(trees, tmp_path):
    dev = write(tmp_path / "dev.txt", map(tree, range(95, 105)))
    (treebank,) = parts(trees, dev=[dev])
    assert treebank.remarks == ["5 of 10 dev sentences are also among the training sentences"]


def test_traces_and_function_tags_are_removed_where_there_are_traces(tmp_path):
    traced = [f"(TOP (S (NP-SBJ (-NONE- *)) (NP-OBJ (N w{n})) (VP (V runs))))" for n in range(40)]
    (treebank,) = parts(write(tmp_path / "trees.txt", traced))
    assert {span.label for one in treebank.dev for span in one.phrases()} == {
        *("TOP", "S", "NP", "VP")
    }
    assert any("traces" in remark for remark in treebank.remarks)
    tagged = [f"(S (NP-SBJ (N w{n})) (VP (V runs)))" for n in range(40)]
    (treebank,) = parts(write(tmp_path / "tagged.txt", tagged))
    assert {span.label for one in treebank.dev for span in one.phrases()} == {"S", "NP-SBJ", "VP"}


def test_a_unary_chain_that_cannot_be_built_is_an_error_that_names_the_tree(trees, tmp_path):
    deep = f"(TOP {'(X ' * 10}(N w){')' * 10})"
    path = write(tmp_path / "deep.txt", [*map(tree, range(50)), deep])
    with pytest.raises(TreebankError, match=r"deep\.txt: tree 51 has 10 phrases of one child"):
        parts(trees, dev=[path])


def test_bytes_in_another_encoding_are_an_error_that_names_the_line(tmp_path):
    path = tmp_path / "mixed.txt"
    lines = [tree(n).encode() for n in range(30)]
    lines[20] = "(TOP (S (NP (N é))))".encode("latin-1")
    path.write_bytes(b"\n".join(lines))
    with pytest.raises((TreebankError, TreeError, BracketError), match=r"mixed.txt:21"):
        parts(str(path))


def test_names_come_before_the_path_unless_the_whole_is_a_file(tmp_path):
    assert named_path("old=a/b=c.txt") == ("old", "a/b=c.txt")
    assert named_path("a/b.txt") == ("", "a/b.txt")
    odd = write(tmp_path / "x=y.txt", [])
    assert named_path(odd) == ("", odd)


@pytest.mark.parametrize(
    ("train", "options", "message"),
    [
        ([], {}, "give --train"),
        (["a=x", "y"], {}, "write --train NAME=y"),
        (["a=x", "a=y"], {}, "same name: a, a"),
        (["a=x", "b=y"], {"dev": ["z"]}, "--dev z: no treebank '' .* write --dev a=z or --dev b=z"),
        (["x"], {"test": ["a=z"]}, "no treebank 'a' is trained on: write --test z"),
        (["x"], {"dev": ["y", "z"]}, "--dev is given twice"),
        (["a=x", "b=y"], {"silver": ["c=z"]}, "no treebank 'c' .* --silver a=z or --silver b=z"),
        (["a=x"], {"silver": ["z"]}, "no treebank '' is trained on: write --silver a=z"),
        (["x"], {"silver": ["y", "z"]}, "--silver is given twice"),
        (["a=x", "b=y"], {"convention": "c"}, "must be one of a, b, not 'c'"),
        (["x"], {"tokeniser": "space"}, "must be one of penn, unicode, learned, none, not 'space'"),
    ],
)
def test_names_that_do_not_fit_are_errors_that_say_what_to_write(train, options, message):
    with pytest.raises(RecipeError, match=message):
        BuildRequest.of(train, **options)


def test_a_request_survives_json():
    others = {"settings": ("training.seed=2",), "licence": "mit", "languages": ("is", "fo")}
    request = BuildRequest.of(["a=x", "b=y"], ["a=z"], silver=["b=s"], **others)
    assert request.licence == "MIT"
    assert BuildRequest.from_dict(request.to_dict()) == request


def test_a_request_that_was_saved_before_there_was_silver_is_restored():
    request = BuildRequest.of(["x"])
    saved = request.to_dict()
    del saved["silver"]
    assert BuildRequest.from_dict(saved) == request


@given(st.integers(0, 300), st.tuples(*[st.integers(1, 9)] * 3), st.integers(0, 5))
def test_apportioned_parts_have_their_shares_within_one_item(count, shares, seed):
    parts = apportion(count, shares, seed)
    assert len(parts) == count
    for part, share in zip(SPLITS, shares, strict=True):
        assert abs(parts.count(part) - count * share / sum(shares)) <= 1
