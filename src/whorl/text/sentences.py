"""From text to sentences of tokens, all at once or as it comes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, get_args

from whorl.errors import TextError
from whorl.text import lexer
from whorl.text.boundaries import begins_item, cut_point, detach, ends
from whorl.text.characters import ZERO_SPACE
from whorl.text.lexer import LexedRun, lex
from whorl.text.tokens import SentenceSpan, TokenSpan
from whorl.text.words import Hyphens

__all__ = ["LONGEST", "Newline", "iter_sentences", "segment", "tokenise"]

Newline = Literal["space", "paragraph", "sentence"]

LONGEST = 1000
"""How many tokens a sentence may have; a longer one is cut."""
_LONGEST_RUN = 4096  # characters without white space; a longer run is cut, so that a stream needs no more memory
_RUN = re.compile(rf"(\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|\S{{1,{_LONGEST_RUN}}}")
_MOST_KNOWN = 1 << 16  # runs to remember
_LONGEST_KNOWN = 48  # characters of a run that is worth remembering
_KNOWN: dict[Hyphens, dict[str, LexedRun]] = {"keep": {}, "split": {}}
_new = tuple.__new__  # a token by way of its class takes twice as long


def segment(
    text: str, *, newline: Newline = "space", hyphens: Hyphens = "keep", longest: int = LONGEST
) -> list[SentenceSpan]:
    """Cut a text into sentences of Penn tokens, which know where they stand in it.

    A blank line always ends a sentence. A single line break is a space (`newline="space"`, for text that was wrapped),
    or ends a sentence too (`"paragraph"`), or is all that does (`"sentence"`: one sentence a line). Hyphenated words
    stay whole, as in the classic Penn Treebank, or are cut at the hyphens (`hyphens="split"`), as in newer ones.
    """
    return list(iter_sentences((text,), newline=newline, hyphens=hyphens, longest=longest))


def tokenise(text: str, *, hyphens: Hyphens = "keep") -> list[TokenSpan]:
    """Cut a text into Penn tokens, whichever sentences they are in."""
    return [
        token for sentence in iter_sentences((text,), hyphens=hyphens) for token in sentence.tokens
    ]


def iter_sentences(
    chunks: Iterable[str],
    *,
    newline: Newline = "space",
    hyphens: Hyphens = "keep",
    longest: int = LONGEST,
) -> Iterator[SentenceSpan]:
    """Cut a stream of text, such as an open file, into sentences, in memory that does not grow with it.

    However the text is divided into chunks, the sentences are those that `segment` finds in the whole, and offsets
    count from the beginning of the first chunk.
    """
    if newline not in get_args(Newline):
        raise TextError(f"newline must be one of {', '.join(get_args(Newline))}, not {newline!r}")
    if hyphens not in get_args(Hyphens):
        raise TextError(f"hyphens must be one of {', '.join(get_args(Hyphens))}, not {hyphens!r}")
    if longest < 1:
        raise TextError(f"a sentence must have room for a token: longest={longest}")
    return _sentences(chunks, newline, hyphens, longest)


def _sentences(
    chunks: Iterable[str], newline: Newline, hyphens: Hyphens, longest: int
) -> Iterator[SentenceSpan]:
    known = _KNOWN[hyphens]
    splits = newline != "sentence"
    enough = 2 if newline == "space" else 1  # line breaks that end a sentence
    tokens: list[TokenSpan] = []
    end, at = (
        lexer.NOTHING,
        0,
    )  # how the run before may end a sentence, and which token has its stop
    quoted, breaks = False, 0
    for text, base in _blocks(chunks):
        for match in _RUN.finditer(text):
            run = match.group()
            if match.lastindex:
                breaks += 2 if run == "\u2029" else 1
                if (
                    tokens and breaks >= enough
                ):  # nothing that follows can change it: a reader need not wait
                    yield from _finished(tokens, at, end, longest)
                    tokens, end, at = [], lexer.NOTHING, 0
                continue
            pieces, first, new_end, tail, quote, inner = known.get(run) or _learn(run, hyphens)
            if not pieces:
                continue
            if breaks > 1:
                quoted = False
            if quote:
                if quote == lexer.EITHER:
                    form, first, quote = (
                        ("''", lexer.CLOSES, 0) if quoted else ("``", lexer.OTHER, lexer.OPENED)
                    )
                    pieces = ((form, *pieces[0][1:]),)
                quoted = quote == lexer.OPENED
            if tokens and (end or breaks):
                broken = breaks == 1 and begins_item(run)
                if broken or ends(end, first, tokens, at):
                    detach(tokens, at, end)
                    end = lexer.NOTHING
                    if broken or splits:
                        yield from _cut(tokens, longest)
                        tokens = []
            breaks = 0
            start = base + match.start()
            if inner and splits:
                for done, count in pairwise((0, *inner)):
                    tokens += [
                        TokenSpan(form, start + left, start + right)
                        for form, left, right in pieces[done:count]
                    ]
                    yield from _cut(tokens, longest)
                    tokens = []
                pieces = pieces[inner[-1] :]
            for form, left, right in pieces:
                tokens.append(_new(TokenSpan, (form, start + left, start + right)))
            if new_end or not (end and first == lexer.CLOSES):
                end, at = new_end, len(tokens) - 1 - tail
            if len(tokens) > longest:
                *sentences, rest = _cut(tokens, longest)
                yield from sentences
                at -= len(tokens) - len(rest)
                tokens = list(rest.tokens)
                if at < 0:
                    end, at = lexer.NOTHING, 0
    if tokens:
        yield from _finished(tokens, at, end, longest)


def _learn(run: str, hyphens: Hyphens) -> LexedRun:
    """What a run holds; remembered, since few different runs make most of a text."""
    result = lex(run, hyphens)
    if len(run) <= _LONGEST_KNOWN:
        known = _KNOWN[hyphens]
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[run] = result
    return result


def _finished(tokens: list[TokenSpan], at: int, end: int, longest: int) -> Iterator[SentenceSpan]:
    """What there is of a sentence when nothing more can come."""
    detach(tokens, at, end)
    return _cut(tokens, longest)


def _cut(tokens: list[TokenSpan], longest: int) -> Iterator[SentenceSpan]:
    """One sentence, or several where it is too long."""
    done = 0
    while len(tokens) - done > longest:
        count = cut_point(tokens, done, longest)
        yield SentenceSpan(tuple(tokens[done : done + count]))
        done += count
    yield SentenceSpan(tuple(tokens[done:]) if done else tuple(tokens))


def _blocks(chunks: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The text in blocks, each with its offset, between which no run is divided that is not too long anyway."""
    base, held = 0, ""
    for chunk in chunks:
        held += chunk.replace(ZERO_SPACE, " ")
        if not held:
            continue
        if held[-1].isspace():
            count = len(held) - (held[-1] == "\r")  # a line feed may belong to it
        else:
            last = len(held.rsplit(maxsplit=1)[-1])
            count = len(held) - last % _LONGEST_RUN
        if count:
            yield held[:count], base
            base, held = base + count, held[count:]
    if held:
        yield held, base
