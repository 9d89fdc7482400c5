"""What characters say about spacing: scripts without spaces, marks that open or close."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

__all__ = ["closes", "is_mark", "opens", "spaceless", "writes_spaces"]

# Han, kana, Bopomofo, Yi, Thai, Lao, Myanmar, Khmer, Tai and Tibetan letters.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uaa60-\uaadf\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
_CLOSING = frozenset(".,;:?!%…‰°™′″،؛؟۔।॥、。，．：；？！％")
_OPENING = frozenset("¿¡")
_CURRENCY = frozenset("$£€¥")


def spaceless(char: str) -> bool:
    """Return whether a character belongs to a script that does not separate words by spaces."""
    return _SPACELESS.match(char) is not None


def writes_spaces(words: Counter[str]) -> bool:
    """Return whether most letters of these words belong to scripts with spaces."""
    letters = without = 0
    for word, count in words.items():
        letters += count * sum(map(str.isalpha, word))
        without += count * len(_SPACELESS.findall(word))
    return 2 * without <= letters


def is_mark(word: str) -> bool:
    """Return whether a word is made of punctuation and symbols only."""
    return not any(char.isalnum() for char in word)


def opens(word: str) -> bool:
    """Return whether no space follows a mark: an opening bracket or quotation mark."""
    return word in _OPENING or word in _CURRENCY or _category(word) in ("Ps", "Pi")


def closes(word: str) -> bool:
    """Return whether no space precedes a mark: a comma, a stop, a closing bracket."""
    return (word[0] in _CLOSING and is_mark(word)) or _category(word) in ("Pe", "Pf")


def _category(word: str) -> str:
    categories = {unicodedata.category(char) for char in word}
    return categories.pop() if len(categories) == 1 else ""
