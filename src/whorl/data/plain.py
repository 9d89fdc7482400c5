"""Words as encoders know them: without the escapes of treebanks."""

from __future__ import annotations

__all__ = ["plain_word"]

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
_CHARACTERS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "—": "--", "–": "-", "…": "..."})


def plain_word(word: str) -> str:
    r"""A Penn token as encoders know it: `-LRB-` is `(`, ``` `` ``` and curly quotes are plain ones, `\/` is `/`."""
    if word in _ESCAPES:
        return _ESCAPES[word]
    if "\\" in word:
        word = word.replace("\\/", "/").replace("\\*", "*")
    if word.isascii():
        return word
    # A lone surrogate, of text that was not UTF-8, is no character that the library takes.
    return word.translate(_CHARACTERS).encode("utf-8", "replace").decode("utf-8")
