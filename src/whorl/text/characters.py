"""Character classes for use inside `[…]` in patterns, and the cleaning done before any pattern.

A word character is any that is not listed here, so letters, digits and marks of every script, known
or not, make words.
"""

from __future__ import annotations

import re

__all__ = [
    "CJK",
    "HAN",
    "KANA",
    "NOT_WORD",
    "PICTOGRAPH",
    "REGIONAL",
    "ZERO_SPACE",
    "clean",
    "is_clean",
    "is_invisible",
]

SYMBOLS = (
    r"!-/:-@\[-^`{-~"  # ASCII, but for the underscore, which is part of names such as `a_b`
    "\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7"  # Latin-1
    "\u055a-\u055f\u0589\u05be\u05c0\u05c3\u060c\u061b\u061f\u066a\u06d4"
    "\u0964\u0965\u0e4f\u0e5a\u0e5b\u1362-\u1368"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2117\u2120\u2122\u2190-\u2bff\u2e00-\u2e7f"
    "\u3001-\u3004\u3008-\u3020\u3030\u303d\u30fb\ufe10-\ufe19\ufe30-\ufe6f"  # CJK punctuation
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffee"  # full width
    "\ufffc\ufffd"  # replacement characters
    "\U0001f000-\U0001faff"  # pictographs
)
HAN = "\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
CJK = HAN + KANA
NOT_WORD = r"\s" + SYMBOLS + CJK
REGIONAL = "\U0001f1e6-\U0001f1ff"
PICTOGRAPH = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\U0001f000-\U0001faff"
)

ZERO_SPACE = "\u200b"
"""The zero-width space, which separates words in scripts without visible spaces."""
# Never part of a form: controls, soft hyphens, direction marks, word joiners, the byte-order mark.
_INVISIBLE = (
    "\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
)
_SURROGATE = "\ud800-\udfff"
_APOSTROPHES = "’ʼ＇"
_UNCLEAN = re.compile(f"[{_INVISIBLE}{_SURROGATE}{_APOSTROPHES}]")
_UNSEEN = re.compile(f"[{_INVISIBLE}]")
_REPLACEMENTS = dict.fromkeys(map(ord, _APOSTROPHES), "'")
_REPLACEMENTS |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def is_clean(run: str) -> bool:
    """Return whether a run of text without white space needs no cleaning."""
    return _UNCLEAN.search(run) is None


def is_invisible(char: str) -> bool:
    """Return whether a character other than white space may belong to no token."""
    return char == ZERO_SPACE or _UNSEEN.match(char) is not None


def clean(run: str) -> tuple[str, list[int]]:
    """Return a run without its invisible characters, and the index that each character had.

    Typographic apostrophes become plain ones. A lone surrogate becomes U+FFFD, so that every form
    can be encoded.
    """
    places = [at for at, char in enumerate(run) if not _UNSEEN.match(char)]
    return "".join(run[at] for at in places).translate(_REPLACEMENTS), places
