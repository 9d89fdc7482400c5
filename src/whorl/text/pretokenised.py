r"""Lines that are tokenised already: one sentence a line, tokens between white space."""

from __future__ import annotations

__all__ = ["canonical", "read_tokens"]

_WHITE = str.maketrans(dict.fromkeys("\t\r\n\f\v", " "))


def read_tokens(line: str) -> list[str]:
    r"""The words of a line of tokens, escaped as in treebank files or not.

    `-LRB-` and `-RRB-` become brackets, `\/` and `\*` lose their backslashes; nothing else is changed. As in a treebank
    file, ASCII white space separates and no other: a no-break space is part of a word.
    """
    words = (token.replace("\\/", "/").replace("\\*", "*") for token in line.translate(_WHITE).split(" ") if token)
    return [canonical(word) for word in words]


def canonical(word: str) -> str:
    """A word as trees hold it: with brackets for their escapes, and as one word what files cannot tell apart.

    So `-LRB(` is `(LRB-`, since both are written `-LRB-LRB-`.
    """
    if "(" in word or ")" in word:
        word = word.replace("(", "-LRB-").replace(")", "-RRB-")
    return word.replace("-LRB-", "(").replace("-RRB-", ")") if "RB-" in word else word
