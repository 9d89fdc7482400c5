import io
from pathlib import Path

import pytest

from whorl.errors import BracketError, TreeError
from whorl.evaluation import evaluate, read_sentences
from whorl.trees import read_tree


def written(folder: Path, text: str) -> Path:
    file = folder / "trees.txt"
    file.write_text(text, encoding="utf-8")
    return file


def test_each_line_is_a_sentence_of_any_number_of_trees(tmp_path: Path) -> None:
    file = written(tmp_path, "\n(S (N a)) (S (N b))\n\n(N c)\n")
    sentences = read_sentences(file)
    assert [len(list(sentence or [])) for sentence in sentences] == [0, 2, 0, 1]


def test_trees_spread_over_lines_are_sentences(tmp_path: Path) -> None:
    file = written(tmp_path, "\n( (S\n   (N a)\n (V b)))\n\n( (S (N c)))\n")
    assert read_sentences(file) == [read_tree("( (S (N a) (V b)))"), read_tree("( (S (N c)))")]


def test_both_layouts_can_be_scored_against_each_other(tmp_path: Path) -> None:
    lines = read_sentences(written(tmp_path, "(S (N a) (V b))\n(S (N c))\n"))
    spread = read_sentences(written(tmp_path, "(S (N a)\n  (V b))\n(S (N c))\n"))
    assert evaluate(lines, spread).exact == 100


def test_standard_input_is_read_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("(S (N a))\n(S (N b))\n"))
    assert read_sentences("-") == [[read_tree("(S (N a))")], [read_tree("(S (N b))")]]


def test_a_malformed_line_is_an_error_that_names_it(tmp_path: Path) -> None:
    file = written(tmp_path, "(S (N a))\n(S (N b)\n")
    with pytest.raises(BracketError) as caught:
        read_sentences(file)
    assert (caught.value.source, caught.value.line) == (str(file), 2)


def test_a_malformed_line_can_be_skipped_and_keeps_its_place(tmp_path: Path) -> None:
    skipped: list[BracketError] = []
    sentences = read_sentences(
        written(tmp_path, "(S (N a))\n(S (N b)\n\n(S (N c))\n"), skipped=skipped
    )
    assert sentences == [[read_tree("(S (N a))")], None, [], [read_tree("(S (N c))")]]
    assert [error.line for error in skipped] == [2]


def test_a_line_that_is_not_utf8_is_located_and_can_be_skipped(tmp_path: Path) -> None:
    file = tmp_path / "latin.txt"
    file.write_bytes(b"\xef\xbb\xbf(S (N a))\r\n(S (N \xe9))\r\n(S (N c))\r\n")
    with pytest.raises(BracketError) as caught:
        read_sentences(file)
    assert (caught.value.line, caught.value.column, caught.value.reason) == (2, 7, "not UTF-8")
    assert read_sentences(file, skipped=[]) == [
        [read_tree("(S (N a))")],
        None,
        [read_tree("(S (N c))")],
    ]


def test_among_trees_spread_over_lines_nothing_can_be_skipped(tmp_path: Path) -> None:
    with pytest.raises(BracketError):
        read_sentences(written(tmp_path, "(S\n (N a))\n(S (N b)) x\n"), skipped=[])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=r"cannot read .*none\.txt: No such file"):
        read_sentences(tmp_path / "none.txt")
