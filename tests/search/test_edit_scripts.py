"""Scripts of edits are read as Tsurgeon reads them; errors name the line."""

from __future__ import annotations

import pickle

import pytest

from whorl import search
from whorl.errors import EditScriptError, OperationError, PatternError, SearchError
from whorl.trees import read_tree

SCRIPT = r"""
% Make questions plain.

SBARQ=outer
   < SQ=inner   % the clause inside
% a comment alone is no empty line
!< CC

excise outer outer
% another comment
relabel inner S  % plain

/^(NP)-SBJ$/#1\%kind=n

relabel n /^.*$/\%{kind}\%/
"""


def test_a_script_is_applied_edit_by_edit():
    script = search.EditScript.parse(SCRIPT)
    assert len(script) == 2
    first, second = script
    assert first.pattern.source.split() == ["SBARQ=outer", "<", "SQ=inner", "!<", "CC"]
    assert [operation.strip() for operation in first.operations] == [
        "excise outer outer",
        "relabel inner S",
    ]
    assert second.pattern.source == "/^(NP)-SBJ$/#1%kind=n"
    tree = read_tree("(X (SBARQ (WP who) (SQ (NP-SBJ (N x)))))")
    assert str(script.apply(tree)) == "(X (WP who) (S (NP% (N x))))"


def test_later_edits_see_what_earlier_ones_made_and_stop_when_no_tree_is_left():
    script = search.EditScript.parse("A=a\n\nrelabel a B\n\nB=b\n\nprune b\n\n__=x\n\nrelabel x Y")
    assert script.apply(read_tree("(S (A a))")) is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_of_any_system_are_read(tmp_path, end):
    path = tmp_path / "clean.tsurgeon"
    text = end.join(["\ufeffNN=n < größer", "", "", "relabel n N", " \t", "N=n", "", "prune n"])
    path.write_bytes(text.encode())
    script = search.EditScript.read(path)
    assert [edit.operations for edit in script] == [("relabel n N",), ("prune n",)]
    again = pickle.loads(pickle.dumps(script))
    assert repr(again) == repr(script) == "<EditScript of 2 edits>"


# Each script, the line that is at fault, and words of the reason.
INVALID = [
    ("NP <", 1, "no operations"),
    ("\nNP=n\nprune n\n", 2, "no operations"),
    ("A=a\n\nprune a\n\n\n% none\nB=b\n\n", 7, "no operations"),
    ("A=a\n< (B\n\nprune a", 2, "closing )"),
    ("A=a\n<\n\nprune a", 2, "expected a label"),
    ("/(.)/#1%x=a\n\nprune a", 1, r"\% is a percent sign"),
    ("A=a\n\nprune a\n% fine\nprun a", 5, "did you mean prune?"),
    ("A=a\n\nprune a\n\nB=b\n\nprune a", 7, "expected one of: b"),
]


@pytest.mark.parametrize(("text", "line", "reason"), INVALID)
def test_errors_name_the_line(tmp_path, text, line, reason):
    path = tmp_path / "bad.tsurgeon"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EditScriptError) as caught:
        search.EditScript.read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert reason in caught.value.reason
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    cause = caught.value.__cause__
    assert cause is None or isinstance(cause, PatternError | OperationError)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(SearchError, match=r"cannot read .*none"):
        search.EditScript.read(tmp_path / "none")
    (tmp_path / "latin").write_bytes(b"NP=n < gr\xf6\xdfer")
    with pytest.raises(SearchError, match="latin: not UTF-8, at byte 9"):
        search.EditScript.read(tmp_path / "latin")
    with pytest.raises(SearchError, match="<string>: no edits; expected a pattern"):
        search.EditScript.parse("% nothing\n\n")
