r"""Lines that are tokenised already: one sentence a line, tokens between white space."""

from __future__ import annotations

__all__ = ["read_tokens"]

_WHITE = str.maketrans(dict.fromkeys("\t\r\n\f\v", " "))


def read_tokens(line: str) -> list[str]:
    r"""The words of a line of tokens, escaped as in treebank files or not.

    `-LRB-` and `-RRB-` become brackets, `\/` and `\*` lose their backslashes; nothing else is changed. As in a treebank
    file, ASCII white space separates and no other: a no-break space is part of a word.
    """
    return [_unescaped(token) for token in line.translate(_WHITE).split(" ") if token]


def _unescaped(token: str) -> str:
    if "\\" in token:
        token = token.replace("\\/", "/").replace("\\*", "*")
    if "LRB-" in token or "RRB-" in token:  # brackets are written first, so that `-LRB(` and `(LRB-` are one word
        token = token.replace("(", "-LRB-").replace(")", "-RRB-").replace("-LRB-", "(").replace("-RRB-", ")")
    return token
