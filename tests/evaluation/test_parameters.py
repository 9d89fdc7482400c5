from pathlib import Path

import pytest

from whorl.errors import ParameterError
from whorl.evaluation import Parameters

EVERY_KEYWORD = """\
## a comment

DEBUG 1
MAX_ERROR 5
CUTOFF_LEN 70
LABELED 0
DELETE_LABEL TOP
DELETE_LABEL ,
DELETE_LABEL_FOR_LENGTH -NONE-
QUOTE_LABEL POS
EQ_LABEL ADVP PRT
EQ_WORD\tThis   this
EQ_WORD -LRB- {
"""


def test_every_keyword_is_read() -> None:
    assert Parameters.parse(EVERY_KEYWORD) == Parameters(
        debug=1,
        max_error=5,
        cutoff=70,
        labelled=False,
        delete=frozenset({"TOP", ","}),
        delete_for_length=frozenset({"-NONE-"}),
        quote=frozenset({"POS"}),
        equal_labels=frozenset({("ADVP", "PRT")}),
        equal_words=frozenset({("This", "this"), ("(", "{")}),
    )


def test_an_empty_file_gives_evalbs_defaults() -> None:
    params = Parameters.parse("")
    assert (params.max_error, params.cutoff, params.labelled) == (10, 40, True)
    assert (
        not params.delete
        | params.delete_for_length
        | params.quote
        | params.equal_labels
        | params.equal_words
    )


def test_lines_may_end_as_on_any_platform(tmp_path: Path) -> None:
    file = tmp_path / "dos.prm"
    file.write_bytes(b"\xef\xbb\xbfDELETE_LABEL TOP  \r\n\r\nCUTOFF_LEN 7\r\n")
    assert Parameters.read(file) == Parameters(delete=frozenset({"TOP"}), cutoff=7)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("DELETE_LABELS TOP", "one of DEBUG, MAX_ERROR, CUTOFF_LEN, LABELED, DELETE_LABEL, "),
        (" DELETE_LABEL TOP", "at the start of the line"),
        ("DELETE_LABEL", "one label, found 0 values"),
        ("DELETE_LABEL TOP S1", "one label, found 2 values"),
        ("MAX_ERROR many", "one whole number"),
        ("CUTOFF_LEN", "one whole number"),
        ("LABELED yes", "0 or 1"),
        ("EQ_LABEL ADVP", "two labels, found 1"),
        ("EQ_WORD a b c", "two words, found 3"),
    ],
)
def test_a_bad_line_is_named_with_what_was_expected(
    tmp_path: Path, line: str, expected: str
) -> None:
    file = tmp_path / "bad.prm"
    file.write_text(f"DEBUG 0\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        Parameters.read(file)
    assert str(caught.value).startswith(f"{file}:3: {line!r}: expected ")
    assert expected in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"cannot read .*none\.prm: No such file"):
        Parameters.read(tmp_path / "none.prm")
    (tmp_path / "latin.prm").write_bytes(b"DELETE_LABEL \xe9\n")
    with pytest.raises(ParameterError, match=r"latin\.prm: not UTF-8"):
        Parameters.read(tmp_path / "latin.prm")
