"""Penn forms of tokens that another tokeniser cut, one for one."""

from __future__ import annotations

from collections.abc import Sequence

from whorl.text.characters import clean, is_clean
from whorl.text.lexer import penn_quote

__all__ = ["penn_forms"]

_QUOTES = frozenset("“”„‟«»‘‛‹›\"＂'")
# Clitics without their apostrophe, as in `dont`, `Im` and `whats`.
_BARE_CLITICS = {
    "nt": "n't",
    "m": "'m",
    "re": "'re",
    "ve": "'ve",
    "ll": "'ll",
    "d": "'d",
    "s": "'s",
}


def penn_forms(tokens: Sequence[str], spaces: Sequence[object] | None = None) -> list[str]:
    """Return the tokens of a sentence as the Penn Treebank would write them, none cut or joined.

    Quotation marks get a direction, apostrophes become plain, and a clitic that was cut off its
    word gets the apostrophe that the author left out. `spaces` is true after tokens that white
    space follows; without it, one follows all.
    """
    forms = list(tokens)
    glued = [False, *(not space for space in spaces)] if spaces is not None else None
    if not _QUOTES.isdisjoint(forms):
        _direct_quotes(forms, glued or [False] * (len(forms) + 1))
    if glued is not None and not _BARE_CLITICS.keys().isdisjoint(forms):
        _add_apostrophes(forms, glued)
    if not "".join(forms).isascii():
        forms = [form if is_clean(form) else clean(form)[0] or form for form in forms]
    return forms


def _direct_quotes(forms: list[str], glued: Sequence[bool]) -> None:
    """Replace quotation marks by the Penn forms that the lexer would give them.

    An undirected double one between spaces opens, or closes one that is open.
    """
    tokens = list(forms)
    last = len(tokens) - 1
    is_open = False
    for at, token in enumerate(tokens):
        if token not in _QUOTES:
            continue
        before = tokens[at - 1] if at and glued[at] else ""
        after = tokens[at + 1] if at < last and glued[at + 1] else ""
        if token in '"＂' and not before and not after:
            forms[at] = "''" if is_open else "``"
        else:
            start = len(before)
            forms[at] = penn_quote(token, before + token + after, start, start + 1)
        if forms[at] in ("``", "''"):
            is_open = forms[at] == "``"


def _add_apostrophes(forms: list[str], glued: Sequence[bool]) -> None:
    for at in range(1, len(forms)):
        if glued[at] and forms[at] in _BARE_CLITICS and forms[at - 1].isalpha():
            forms[at] = _BARE_CLITICS[forms[at]]
