"""Any input of `whorl parse`: no line is lost, and every tree is over exactly the words read."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from whorl.cli import inputs
from whorl.cli.choices import Input
from whorl.cli.main import app
from whorl.cli.sources import InputSource
from whorl.text import read_tokens, segment
from whorl.tokenisers import PennTokeniser
from whorl.trees import read_tree

LINE = (
    st.binary(max_size=12)
    | st.text(max_size=12).map(str.encode)
    | st.sampled_from([b"", b" ", b"\r", b"-LRB- (", b"\0"])
)


def words(output: str) -> list[list[str]]:
    return [read_tree(line).words() if line else [] for line in output.split("\n")[:-1]]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(LINE.map(lambda line: line.replace(b"\n", b"")), max_size=8))
def test_every_line_of_tokens_is_a_line_of_output(parse, lines):
    done = parse("--tokens", stdin=b"".join(line + b"\n" for line in lines))
    assert done.exit_code == 0, done.stderr
    text = (
        b"".join(line + b"\n" for line in lines)
        .decode(errors="surrogateescape")
        .removeprefix("\ufeff")
    )
    clean = "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in text)
    assert words(done.stdout) == [read_tokens(line) for line in clean.split("\n")[:-1]]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_every_sentence_of_a_text_is_a_line_of_output(parse, text):
    done = parse("--input", "text", stdin=text)
    assert done.exit_code == 0, done.stderr
    assert words(done.stdout) == [
        sentence.words for sentence in segment(text.removeprefix("\ufeff"))
    ]


@pytest.mark.parametrize("args", [(), ("--tokens",), ("--input", "tagged"), ("--input", "trees")])
def test_no_input_gives_no_output(parse, args):
    done = parse(*args)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


def test_five_thousand_words_are_a_tree_as_tokens_and_several_sentences_as_text(parse):
    line = " ".join(["word"] * 5000)
    assert words(parse("--tokens", stdin=line).stdout) == [["word"] * 5000]
    assert [len(sentence) for sentence in words(parse(line).stdout)] == [1000] * 5


@pytest.mark.parametrize(
    ("stdin", "expected"),
    [
        ("It works\r\n\r\nRain\r\n", [["It", "works"], [], ["Rain"]]),
        ("😀 👩‍👩‍👧‍👦\n", [["😀", "👩‍👩‍👧‍👦"]]),
        ("a\0b \0\n", [["a\0b", "\0"]]),
        ("a\u00a0b\tc\n", [["a\u00a0b", "c"]]),
        ("-LRB- ( and\\/or\n", [["(", "(", "and\\/or"]]),
        (b"caf\xe9 \xff\n", [["caf\ufffd", "\ufffd"]]),
        (b"\xef\xbb\xbfRain", [["Rain"]]),
    ],
)
def test_tokens_are_taken_as_they_are(parse, stdin, expected):
    done = parse("--tokens", stdin=stdin)
    assert words(done.stdout) == expected
    records = map(
        json.loads, parse("--tokens", "--format", "jsonl", stdin=stdin).stdout.split("\n")[:-1]
    )
    assert [
        [token["text"] for token in record["tokens"]] if record else [] for record in records
    ] == expected


def test_parses_of_a_treebank_s_words_can_all_be_scored_against_it(parse, tmp_path):
    gold = tmp_path / "gold.txt"
    gold.write_text(
        "(TOP (S (NP (CD 1\\/2)) (VP (VBZ works))))\n"
        "(TOP (S (NP (PRP It)) (VP (VBZ *\\**) (-LRB- -LRB-))))\n",
        encoding="utf-8",
    )
    parsed = tmp_path / "parsed.txt"
    done = parse("--tokens", "--out", str(parsed), stdin="1\\/2 works\nIt *\\** -LRB-\n")
    assert done.exit_code == 0
    done = CliRunner().invoke(app, ["evaluate", str(gold), str(parsed)])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Number of Error sentence  =      0\n" in done.stdout
    assert "Number of Valid sentence  =      2\n" in done.stdout


def test_bytes_that_are_not_utf_8_are_replaced_and_counted_or_are_an_error(parse, tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"Rain\ncaf\xe9\n")
    done = parse("--tokens", str(path))
    assert words(done.stdout) == [["Rain"], ["caf\ufffd"]]
    assert (
        done.stderr
        == f"whorl: {path}: 1 byte not UTF-8, read as U+FFFD; the first is byte 8, line 2\n"
    )
    out = tmp_path / "out.txt"
    done = parse("--tokens", "--errors", "strict", str(path), "--out", str(out))
    assert (done.exit_code, out.exists()) == (1, False)
    assert f"{path}: not UTF-8 at byte 8, line 2" in done.stderr


def test_line_breaks_and_hyphens_follow_the_options(parse):
    text = "Dogs bark\nwell-known dogs\n"
    assert words(parse(stdin=text).stdout) == [["Dogs", "bark", "well-known", "dogs"]]
    assert words(parse("--newline", "sentence", stdin=text).stdout) == [
        ["Dogs", "bark"],
        ["well-known", "dogs"],
    ]
    assert words(parse("--hyphens", "split", stdin=text).stdout) == [
        ["Dogs", "bark", "well", "-", "known", "dogs"]
    ]


def test_tags_are_kept_and_trees_are_parsed_again(parse):
    assert read_tree(parse("--input", "tagged", stdin="It_X works_Y\n").stdout).tags() == ["X", "Y"]
    done = parse("--input", "trees", "--beam", "2", stdin="(X (A It) (B works))\n")
    assert done.stdout == "(TOP (S (NP (A It)) (VP (B works))))\n"


@given(
    st.lists(st.sampled_from(["It works.", "Rain", "\n", "\n\n", " ", "\r\n", "A b c d e. "])),
    st.sampled_from([(1, 1), (8, 30), (1 << 16, 1 << 23)]),
)
def test_sentences_know_the_lines_of_their_first_words(parts, bounds):
    text = "".join(parts)
    with patch.multiple(inputs, _DROP_FROM=bounds[0], _KEEP=bounds[1]):
        read = inputs.sentence_reader(Input.text, PennTokeniser())
        for sentence in read(InputSource("text", text.encode())):
            start = sentence.token_spans[0].start
            assert sentence.line == text.count("\n", 0, start) + 1
