"""What a parser is asked and what it answers: texts become documents, words become trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, TypeAlias

from whorl.constraints import Plan
from whorl.engine import Parse
from whorl.engine.protocol import Engine, Tokens
from whorl.escapes import canonical
from whorl.parser.batching import BATCH, LONG, parse_batched
from whorl.parser.constrained import (
    ConstrainedInput,
    Constraints,
    beside,
    plan_sentence,
    plan_text,
)
from whorl.parser.documents import Document, Sentence
from whorl.text import LONGEST, Hyphens, Newline, SentenceSpan
from whorl.tokenisers import Tokeniser
from whorl.trees import Leaf

__all__ = [
    "MAX_N_BEST",
    "Chunk",
    "LoadedModel",
    "Options",
    "check_inputs",
    "check_item",
    "check_tokens",
    "count_sentences",
    "parse_chunk",
    "parse_inputs",
]

MAX_N_BEST = 1000
"""The most parses of a sentence that can be asked for."""

Chunk: TypeAlias = Sequence[tuple[Any, Any]]
"""Inputs, each with its context: whatever the caller passed along with it."""

_CHARACTERS = 100  # of an average sentence


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """What a model folder holds: a network that parses, and how the text for it is cut."""

    engine: Engine
    tokeniser: Tokeniser


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a request."""

    batch_size: int = BATCH
    beam: int = 1
    n_best: int | None = None
    newline: Newline = "space"
    hyphens: Hyphens | None = None
    longest: int = LONGEST
    as_sentences: bool = False
    """Whether words give a `Sentence` rather than a tree or a list of parses."""
    then: Callable[[Any, Any], Any] | None = None
    """A function of each result and its context, called where the input was parsed."""

    def __post_init__(self) -> None:
        for name in ("batch_size", "beam", "n_best", "longest"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be 1 or more, not {value}")
        if self.n_best is not None and self.n_best > MAX_N_BEST:
            raise ValueError(f"n_best must be at most {MAX_N_BEST:,}, not {self.n_best:,}")


def check_inputs(
    inputs: Iterable[Any],
    *,
    as_tuples: bool = False,
    texts: bool = True,
    constraints: Iterable[Constraints | None] | None = None,
) -> Iterator[tuple[Any, Any]]:
    """Yield each input with its context; `TypeError` names the first that cannot be parsed.

    `constraints` holds those of each input, unless it is a `ConstrainedInput` already.
    """
    pairs: Iterable[tuple[Any, Constraints | None]]
    pairs = zip(inputs, repeat(None)) if constraints is None else beside(inputs, constraints)
    for number, (value, some) in enumerate(pairs, start=1):
        try:
            item, context = _check_pair(value) if as_tuples else (value, None)
            if some is not None:
                item = ConstrainedInput(item, some)
            item = check_item(item, texts=texts, source=f"input {number}")
        except TypeError as error:
            raise TypeError(f"input {number}: {error}") from None
        yield item, context


def check_item(item: Any, *, texts: bool, source: str = "") -> str | list[Any] | ConstrainedInput:
    """Return an input with its tokens as a list and its constraints read.

    `source` names the input in errors about its constraints.
    """
    if not isinstance(item, ConstrainedInput):
        return _check_plain(item, texts)
    plain = _check_plain(item.input, texts)
    checked = ConstrainedInput(plain, item.constraints, item.source or source)
    constraints = checked.read()
    return replace(checked, constraints=constraints) if constraints else plain


def _check_plain(item: Any, texts: bool) -> str | list[Any]:
    if isinstance(item, ConstrainedInput):
        raise TypeError("an input has constraints of its own, and others beside it")
    if not isinstance(item, str):
        return check_tokens(item)
    if not texts:
        raise TypeError("expected the words of a sentence, not a text")
    return item


def _check_pair(pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"expected a pair of an input and its context, not {pair!r:.80}")
    return pair[0], pair[1]


def check_tokens(tokens: Iterable[Any]) -> list[Any]:
    """Return the words or leaves of a sentence as a list, or raise `TypeError`."""
    if isinstance(tokens, (bytes, bytearray)) or not isinstance(tokens, Iterable):
        raise TypeError(f"expected a text or the words of a sentence, not {type(tokens).__name__}")
    tokens = list(tokens)
    for kind in (str, Leaf):
        if all(isinstance(token, kind) for token in tokens):
            return tokens
    raise TypeError(
        f"the words of a sentence must all be strings or all be leaves: {tokens!r:.200}"
    )


def count_sentences(pair: tuple[Any, Any]) -> int:
    """Estimate how many sentences of ordinary length an input is worth."""
    item, _ = pair
    text = item.input if isinstance(item, ConstrainedInput) else item
    return 1 + len(text) // (_CHARACTERS if isinstance(text, str) else LONG)


def parse_chunk(model: LoadedModel, chunk: Chunk, options: Options) -> list[Any]:
    """Parse a chunk of inputs and apply `options.then` to the results."""
    results = parse_inputs(model, [item for item, _ in chunk], options)
    if options.then is None:
        return results
    return [
        options.then(result, context) for result, (_, context) in zip(results, chunk, strict=True)
    ]


def parse_inputs(model: LoadedModel, inputs: Sequence[Any], options: Options) -> list[Any]:
    """Parse texts and lists of tokens together; results have the order of the inputs."""
    plain: list[Any] = [
        item.input if isinstance(item, ConstrainedInput) else item for item in inputs
    ]
    segmented = [
        model.tokeniser.segment(
            item, newline=options.newline, hyphens=options.hyphens, longest=options.longest
        )
        if isinstance(item, str)
        else None
        for item in plain
    ]
    sentences: list[Tokens] = []
    for item, spans in zip(plain, segmented, strict=True):
        sentences += [_unescape(item)] if spans is None else [span.words for span in spans]
    parses = parse_batched(
        model.engine,
        sentences,
        batch_size=options.batch_size,
        beam=options.beam,
        n_best=options.n_best or 1,
        plans=_plans(model.engine, inputs, segmented),
    )
    parsed = zip(sentences, parses, strict=True)
    return [
        _result(*next(parsed), options)
        if spans is None
        else Document(item, tuple(_sentence(item, span, next(parsed)[1]) for span in spans))
        for item, spans in zip(plain, segmented, strict=True)
    ]


def _plans(
    engine: Engine, inputs: Sequence[Any], segmented: Sequence[list[SentenceSpan] | None]
) -> list[Plan | None] | None:
    """Check all constraints; return those of each sentence, or None if no input has any."""
    if not any(isinstance(item, ConstrainedInput) for item in inputs):
        return None
    grammar = engine.grammar()
    plans: list[Plan | None] = []
    for item, spans in zip(inputs, segmented, strict=True):
        if not isinstance(item, ConstrainedInput):
            plans += [None] * (1 if spans is None else len(spans))
        elif spans is None:
            tokens: Any = item.input
            plans.append(plan_sentence(item, _unescape(tokens), grammar))
        else:
            plans += plan_text(item, spans, grammar)
    return plans


def _unescape(tokens: list[Any]) -> list[Any]:
    """Undo the bracket escapes of words; leaves have none."""
    if tokens and isinstance(tokens[0], Leaf):
        return tokens
    return [canonical(token) for token in tokens]


def _sentence(text: str, span: SentenceSpan, parses: list[Parse]) -> Sentence:
    return Sentence(text[span.start : span.end], span.tokens, tuple(parses))


def _result(tokens: Tokens, parses: list[Parse], options: Options) -> Any:
    """Return what a sentence of words gives."""
    if options.as_sentences:
        words = [token.word if isinstance(token, Leaf) else token for token in tokens]
        return Sentence.from_words(words, parses) if parses else None
    if options.n_best is not None:
        return parses
    return parses[0].tree if parses else None
