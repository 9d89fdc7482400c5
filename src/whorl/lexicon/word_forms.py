"""Words as encoders know them: without the escapes of treebanks."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["in_capitals", "plain_word"]

_CAPITALS = (
    3  # words in capitals that make a sentence one in capitals: fewer may be names and acronyms
)

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
    r"""A Penn token as encoders know it: `-LRB-` is `(`, ``` `` ``` and curly quotes are plain ones, `\/` is `/`."""
    if word in _ESCAPES:
        return _ESCAPES[word]
    if "\\" in word:
        word = word.replace("\\/", "/").replace("\\*", "*")
    if word.isascii():
        return word
    # A lone surrogate, of text that was not UTF-8, is no character that the library takes.
    return word.translate(_CHARACTERS).encode("utf-8", "replace").decode("utf-8")


def in_capitals(words: Sequence[str]) -> bool:
    """Whether a sentence has no lower-case letter, and enough words of several capitals to be no chance."""
    if not "".join(words).isupper():
        return False
    return sum(word.isalpha() and len(word) > 1 for word in words) >= _CAPITALS
