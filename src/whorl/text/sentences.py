"""From text to sentences of tokens, from a whole text or a stream."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal, get_args

from whorl.errors import TextError
from whorl.text import lexer
from whorl.text.boundaries import (
    begins_item,
    cut_point,
    detach_period,
    ends_quoted_question,
    names_speaker,
    sentence_ends,
)
from whorl.text.characters import ZERO_SPACE
from whorl.text.lexer import LexedRun, lex
from whorl.text.tokens import SentenceSpan, TokenSpan
from whorl.text.words import Hyphens

__all__ = ["LONGEST", "Newline", "iter_sentences", "segment", "tokenise"]

Newline = Literal["space", "paragraph", "sentence"]

LONGEST = 1000
"""The most tokens a sentence may have; a longer one is cut."""
# Characters without white space. A longer run is cut, so that a stream needs bounded memory.
_LONGEST_RUN = 4096
_RUN = re.compile(rf"(\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|\S{{1,{_LONGEST_RUN}}}")
# How many runs to cache, and the length of the longest one worth caching.
_CACHED_RUNS = 1 << 16
_LONGEST_CACHED = 48
_CACHE: dict[Hyphens, dict[str, LexedRun]] = {"keep": {}, "split": {}}
# Making a token through its class takes twice as long.
_new = tuple.__new__


def segment(
    text: str, *, newline: Newline = "space", hyphens: Hyphens = "keep", longest: int = LONGEST
) -> list[SentenceSpan]:
    """Cut a text into sentences of Penn tokens with their places in the text.

    A blank line always ends a sentence. A single line break is a space (`newline="space"`, for
    wrapped text), ends a sentence too (`"paragraph"`), or is all that ends one (`"sentence"`: one
    sentence per line). Hyphenated words stay whole, as in the classic Penn Treebank, or are cut at
    the hyphens (`hyphens="split"`), as in newer treebanks.
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
    """Cut a stream of text, such as an open file, into sentences, in bounded memory.

    However the text is divided into chunks, the sentences are those of `segment` on the whole
    text. Offsets count from the beginning of the first chunk.
    """
    if newline not in get_args(Newline):
        raise TextError(f"newline must be one of {', '.join(get_args(Newline))}, not {newline!r}")
    if hyphens not in get_args(Hyphens):
        raise TextError(f"hyphens must be one of {', '.join(get_args(Hyphens))}, not {hyphens!r}")
    if longest < 1:
        raise TextError(f"a sentence must have room for a token: longest={longest}")
    return _join_speakers(_sentences(chunks, newline, hyphens, longest), longest)


def _join_speakers(
    sentences: Iterator[SentenceSpan | None], longest: int
) -> Iterator[SentenceSpan]:
    """Join `“Why?”` and `Ann asked.` within a paragraph; None stands for the end of one."""
    question: SentenceSpan | None = None
    for sentence in sentences:
        current = sentence
        if question is not None:
            if (
                current is not None
                and names_speaker(current.tokens)
                and len(question) + len(current) <= longest
            ):
                current = SentenceSpan(question.tokens + current.tokens)
            else:
                yield question
            question = None
        if current is None:
            continue
        if ends_quoted_question(current.tokens):
            question = current
        else:
            yield current
    if question is not None:
        yield question


def _sentences(
    chunks: Iterable[str], newline: Newline, hyphens: Hyphens, longest: int
) -> Iterator[SentenceSpan | None]:
    """Run the state machine that groups tokens into sentences.

    It reads one run of text after another, a run being a stretch without white space, and looks at
    the previous run only, never ahead. None follows the last sentence of a paragraph. Its state:

    - `tokens`: the current sentence so far;
    - `ending` and `stop`: how the previous run may end that sentence, and which token has the stop;
    - `quoted`: whether the last double quotation mark opened;
    - `breaks`: the line breaks since the previous run.

    The text `He left the U.S. Then " it rained. " I know.` goes like this. A run is classified by
    how it begins (which decides about the sentence before it) and by how it ends.

    ```
    run      begins   ends           tokens after it            ending        stop  quoted
    He       STARTER                 He                         NO_STOP       0     no
    left     LOWER                   He left                    NO_STOP       1     no
    the      LOWER                   He left the                NO_STOP       2     no
    U.S.     UPPER    ABBREVIATION   He left the U.S.           ABBREVIATION  3     no
    Then     STARTER                 Then                       NO_STOP       0     no
    "        OTHER                   Then ``                    NO_STOP       1     yes
    it       LOWER                   Then `` it                 NO_STOP       2     yes
    rained.  LOWER    SURE           Then `` it rained.         SURE          3     yes
    "        CLOSES                  Then `` it rained. ''      SURE          3     no
    I        STARTER                 I                          NO_STOP       0     no
    know.    LOWER    SURE           I know.                    SURE          1     no
    ```

    At `Then`, an abbreviation is followed by a word that usually begins a sentence: `U.S.` keeps
    its period, gets a second one as its own token, and `He left the U.S. .` is done. The second
    `"` closes, so the stop before it stays in force, and at `I` the sentence
    ``Then `` it rained . ''`` is done, its period detached. The end of the text ends the third.
    """
    cache = _CACHE[hyphens]
    stops_end = newline != "sentence"
    breaks_to_end = 2 if newline == "space" else 1
    tokens: list[TokenSpan] = []
    ending, stop, quoted, breaks = lexer.NO_STOP, 0, False, 0
    for text, base in _blocks(chunks):
        for match in _RUN.finditer(text):
            run = match.group()
            if match.lastindex:
                breaks += 2 if run == "\u2029" else 1
                if tokens and breaks >= breaks_to_end:
                    # Nothing that follows can change the sentence: the reader need not wait.
                    yield from (*_close(tokens, stop, ending, longest), None)
                    tokens, ending, stop = [], lexer.NO_STOP, 0
                continue
            pieces, beginning, run_ending, tail, quote, inner = cache.get(run) or _lex(run, hyphens)
            if not pieces:
                continue
            if breaks > 1:
                quoted = False
            if quote:
                if quote == lexer.EITHER:
                    form, beginning, quote = (
                        ("''", lexer.CLOSES, 0) if quoted else ("``", lexer.OTHER, lexer.OPENED)
                    )
                    pieces = ((form, *pieces[0][1:]),)
                quoted = quote == lexer.OPENED
            if tokens and (ending or breaks):
                new_item = breaks == 1 and begins_item(run)
                if new_item or sentence_ends(ending, beginning, tokens, stop):
                    detach_period(tokens, stop, ending)
                    ending = lexer.NO_STOP
                    if new_item or stops_end:
                        yield from _split_long(tokens, longest)
                        tokens = []
            breaks = 0
            start = base + match.start()
            if inner and stops_end:
                for done, count in pairwise((0, *inner)):
                    tokens += [
                        TokenSpan(form, start + left, start + right)
                        for form, left, right in pieces[done:count]
                    ]
                    yield from _split_long(tokens, longest)
                    tokens = []
                pieces = pieces[inner[-1] :]
            for form, left, right in pieces:
                tokens.append(_new(TokenSpan, (form, start + left, start + right)))
            if run_ending or not (ending and beginning == lexer.CLOSES):
                ending, stop = run_ending, len(tokens) - 1 - tail
            if len(tokens) > longest:
                *sentences, rest = _split_long(tokens, longest)
                yield from sentences
                stop -= len(tokens) - len(rest)
                tokens = list(rest.tokens)
                if stop < 0:
                    ending, stop = lexer.NO_STOP, 0
    if tokens:
        yield from _close(tokens, stop, ending, longest)


def _lex(run: str, hyphens: Hyphens) -> LexedRun:
    """Lex a run and cache it: few different runs make up most of a text."""
    lexed = lex(run, hyphens)
    if len(run) <= _LONGEST_CACHED:
        cache = _CACHE[hyphens]
        if len(cache) >= _CACHED_RUNS:
            cache.clear()
        cache[run] = lexed
    return lexed


def _close(tokens: list[TokenSpan], stop: int, ending: int, longest: int) -> Iterator[SentenceSpan]:
    """End the current sentence when nothing more can come."""
    detach_period(tokens, stop, ending)
    return _split_long(tokens, longest)


def _split_long(tokens: list[TokenSpan], longest: int) -> Iterator[SentenceSpan]:
    """Make one sentence of the tokens, or several if it would be too long."""
    done = 0
    while len(tokens) - done > longest:
        count = cut_point(tokens, done, longest)
        yield SentenceSpan(tuple(tokens[done : done + count]))
        done += count
    yield SentenceSpan(tuple(tokens[done:]) if done else tuple(tokens))


def _blocks(chunks: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Regroup the text into blocks with their offsets; no run crosses a block unless too long."""
    base, pending = 0, ""
    for chunk in chunks:
        pending += chunk.replace(ZERO_SPACE, " ")
        if not pending:
            continue
        if pending[-1].isspace():
            # A line feed may follow a carriage return.
            count = len(pending) - (pending[-1] == "\r")
        else:
            last = len(pending.rsplit(maxsplit=1)[-1])
            count = len(pending) - last % _LONGEST_RUN
        if count:
            yield pending[:count], base
            base, pending = base + count, pending[count:]
    if pending:
        yield pending, base
