"""Hard cases, written by hand in `golden.txt`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from whorl.text import segment

ESCAPE = re.compile(
    r"\\(?:u(?P<u>[0-9a-f]{4})|U(?P<U>[0-9a-f]{8})|x(?P<x>[0-9a-f]{2})|(?P<c>[nrtfv0\\]))"
)
PLAIN = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "0": "\0", "\\": "\\"}


def unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        return PLAIN[match["c"]] if match["c"] else chr(int(match[match.lastgroup or "u"], 16))

    return ESCAPE.sub(character, text)


LINES = (Path(__file__).parent / "golden.txt").read_text(encoding="utf-8").split("\n")
CASES = [
    tuple(map(unescaped, line.split("\t"))) for line in LINES if line and not line.startswith("# ")
]


def test_there_are_at_least_120_cases():
    assert len(CASES) >= 120


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[repr(case[0])[1:40] for case in CASES])
def test_text_is_cut_as_the_golden_file_says(text, expected):
    assert " || ".join(" ".join(sentence.words) for sentence in segment(text)) == expected


@pytest.mark.parametrize("expected", [case[1] for case in CASES if "||" not in case[1]])
def test_tokens_joined_by_spaces_are_cut_into_the_same_tokens(expected):
    words = [word for sentence in segment(expected, newline="sentence") for word in sentence.words]
    assert " ".join(words) == expected
