"""Words without the escapes of treebanks, as encoders know them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["in_capitals", "plain_word"]

_CAPITALS = 3
"""The fewest capitalised words of a sentence in capitals: fewer may be names and acronyms."""

_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "`": "'",
}
_CHARACTERS = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "—": "--", "–": "-", "…": "..."}
)


def plain_word(word: str) -> str:
    r"""Undo Penn escapes: `-LRB-` is `(`, ``` `` ``` and curly quotes are straight, `\/` is `/`."""
    if word in _ESCAPES:
        return _ESCAPES[word]
    if "\\" in word:
        word = word.replace("\\/", "/").replace("\\*", "*")
    if word.isascii():
        return word
    # The tokenizers library rejects lone surrogates, which stand for bytes that are not UTF-8.
    return word.translate(_CHARACTERS).encode("utf-8", "replace").decode("utf-8")


def in_capitals(words: Sequence[str]) -> bool:
    """Tell whether a sentence is in capitals: no lower-case letters, and enough words."""
    if not "".join(words).isupper():
        return False
    return sum(word.isalpha() and len(word) > 1 for word in words) >= _CAPITALS
