"""Input sources, and how their bytes are decoded."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.cli import sources
from whorl.cli.sources import InputSource, find_sources
from whorl.errors import TextError

BAD = b"one\ntwo \xff three \xe2\x82\nfour"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n\nb", ["a", "", "", "b"]),
        (b"a\r\nb\r\n", ["a\r", "b\r"]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", ["a", "\ufeffb"]),
        (b"a\0b\x85\n".replace(b"\x85", "\x85\u2028\v\f".encode()), ["a\0b\x85\u2028\v\f"]),
        (BAD, ["one", "two \ufffd three \ufffd\ufffd", "four"]),
    ],
)
def test_lines_end_at_line_feeds_and_nowhere_else(data, lines):
    assert list(InputSource("x", data).lines()) == lines


@given(st.lists(st.binary(max_size=8) | st.text(max_size=8).map(str.encode)), st.integers(1, 9))
def test_however_bytes_come_the_text_is_the_same(parts, size):
    data = b"".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "_BLOCK", size)
        text = "".join(InputSource("x", data).chunks())
    escaped = data.decode(errors="surrogateescape").removeprefix("\ufeff")
    assert text == "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in escaped)


def test_bytes_that_are_not_utf_8_are_counted_and_located(capsys):
    assert "".join(InputSource("x.txt", BAD).chunks())
    assert capsys.readouterr().err == (
        "whorl: x.txt: 3 bytes not UTF-8, read as U+FFFD; the first is byte 8, line 2\n"
    )
    with pytest.raises(
        TextError, match=r"^x\.txt: not UTF-8 at byte 8, line 2: invalid start byte$"
    ):
        list(InputSource("x.txt", BAD, strict=True).chunks())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_bad_byte_is_located_in_blocks_of_any_size(monkeypatch, size):
    monkeypatch.setattr(sources, "_BLOCK", size)
    with pytest.raises(TextError, match="not UTF-8 at byte 16, line 3"):
        list(InputSource("x", "日本\n日本\nab".encode() + b"\xe2\x82 x", strict=True).chunks())


def test_an_argument_is_a_file_if_there_is_one_and_else_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a file").write_text("inside")
    names = ["a file", "a text", "-", "x" * 300 + " y", "nul \0 byte"]
    inputs = find_sources(names)
    assert [source.path for source in inputs] == ["a file", None, "-", None, None]
    assert "".join(inputs[0].chunks()) == "inside"
    assert "".join(inputs[4].chunks()) == "nul \0 byte"
    assert [source.path for source in find_sources([])] == ["-"]
    for word in ("Rain", "😀", "U.S.", "Rain.", "", "3.5%"):
        assert "".join(find_sources([word])[0].chunks()) == word


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.txt"], "no file 'missing.txt'; if it is a text, use standard input"),
        (["folder/missing"], "no file 'folder/missing'"),
        (
            ["The", "public"],
            "no file 'The'; put a text of several words in quotes",
        ),
        (["."], r"\. is a folder"),
    ],
)
def test_what_looks_like_a_missing_file_is_an_error(arguments, message):
    with pytest.raises(TextError, match=message):
        find_sources(arguments)


def test_an_argument_of_bytes_that_are_not_utf_8_is_read_like_a_file():
    assert "".join(find_sources([os.fsdecode(b"caf\xe9 !")])[0].chunks()) == "caf\ufffd !"
