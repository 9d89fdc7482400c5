"""Bracket escapes: `-LRB-` and `-RRB-` stand for `(` and `)` in treebank files.

Words hold real brackets everywhere else: readers undo the escapes, writers put them back.
"""

from __future__ import annotations

__all__ = ["canonical", "escape_brackets", "unescape_brackets"]


def escape_brackets(word: str) -> str:
    """Write a word as it stands in files: `(` becomes `-LRB-` and `)` becomes `-RRB-`."""
    if "(" in word or ")" in word:
        return word.replace("(", "-LRB-").replace(")", "-RRB-")
    return word


def unescape_brackets(word: str) -> str:
    """Undo `escape_brackets`."""
    if "RB-" in word:
        return word.replace("-LRB-", "(").replace("-RRB-", ")")
    return word


def canonical(word: str) -> str:
    """Return the one form of all words that look alike in a file.

    `-LRB(` and `(LRB-` are both written `-LRB-LRB-`, so both become `(LRB-`.
    """
    if "RB-" in word or "(" in word or ")" in word:
        return unescape_brackets(escape_brackets(word))
    return word
