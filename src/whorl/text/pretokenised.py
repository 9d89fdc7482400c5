"""Pretokenised lines: one sentence per line, tokens separated by white space."""

from __future__ import annotations

from whorl.escapes import canonical

__all__ = ["read_tokens"]

_WHITE = str.maketrans(dict.fromkeys("\t\r\n\f\v", " "))


def read_tokens(line: str) -> list[str]:
    r"""Return the words of a pretokenised line, as a treebank reader would return them.

    `-LRB-` and `-RRB-` become brackets; everything else stays as written, `\/` and `\*` included.
    As in a treebank file, only ASCII white space separates: a no-break space is part of a word.
    """
    return [canonical(token) for token in line.translate(_WHITE).split(" ") if token]
