"""Inputs of any kind to what they give: texts to documents, words to trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from whorl.engine import Parse
from whorl.engine.protocol import Engine, Tokens
from whorl.escapes import canonical
from whorl.parser.batching import BATCH, parse_all
from whorl.parser.documents import Document, Sentence
from whorl.text import LONGEST, Hyphens, Newline, TokenSpan, segment
from whorl.trees import Leaf

__all__ = ["Chunk", "Options", "results", "size", "work"]

Chunk: TypeAlias = Sequence[tuple[Any, Any]]
"""Inputs, each with what came beside it."""

_SENTENCE = 100  # characters of a sentence, roughly


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a parser was asked for."""

    batch_size: int = BATCH
    beam: int = 1
    n_best: int | None = None
    newline: Newline = "space"
    hyphens: Hyphens = "keep"
    longest: int = LONGEST
    whole: bool = False
    """Whether sentences of tokens come back as `Sentence`."""
    then: Callable[[Any, Any], Any] | None = None
    """What is made of a result and of what came beside its input, where it was parsed; None: the result itself."""

    def __post_init__(self) -> None:
        for name in ("batch_size", "beam", "n_best", "longest"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be 1 or more, not {value}")


def size(given: Any) -> int:
    """How many sentences an input has, roughly."""
    return 1 + len(given) // _SENTENCE if isinstance(given, str) else 1


def results(engine: Engine, chunk: Chunk, options: Options) -> list[Any]:
    """What comes back for a chunk of inputs, in their order."""
    found = work(engine, [given for given, _ in chunk], options)
    if options.then is None:
        return found
    return [options.then(result, beside) for result, (_, beside) in zip(found, chunk, strict=True)]


def work(engine: Engine, inputs: list[Any], options: Options) -> list[Any]:
    """The results of some inputs, in their order."""
    cut = [_cut(given, options) for given in inputs]
    parses = parse_all(
        engine,
        [sentence for sentences, _ in cut for sentence in sentences],
        batch_size=options.batch_size,
        beam=options.beam,
        n_best=options.n_best or 1,
    )
    following = iter(parses)
    found: list[Any] = []
    for given, (sentences, places) in zip(inputs, cut, strict=True):
        parsed = [next(following) for _ in sentences]
        if isinstance(given, str):
            whole = zip(places, parsed, strict=True)
            found.append(
                Document(given, tuple(Sentence(given, at, tuple(ways)) for at, ways in whole))
            )
        else:
            found.append(_result(sentences[0], parsed[0], options))
    return found


def _cut(given: Any, options: Options) -> tuple[list[Tokens], list[tuple[TokenSpan, ...]]]:
    """The sentences of an input and, of a text, the places of their words."""
    if not isinstance(given, str):
        return [_tokens(given)], []
    sentences = segment(
        given, newline=options.newline, hyphens=options.hyphens, longest=options.longest
    )
    return [sentence.words for sentence in sentences], [sentence.tokens for sentence in sentences]


def _tokens(given: Iterable[Any]) -> Tokens:
    tokens = list(given)
    if all(isinstance(token, str) for token in tokens):
        return [canonical(token) for token in tokens]
    if all(isinstance(token, Leaf) for token in tokens):
        return tokens
    raise TypeError(
        f"the words of a sentence must all be strings or all be leaves: {tokens!r:.200}"
    )


def _result(tokens: Tokens, ways: list[Parse], options: Options) -> Any:
    """What a sentence of words gives."""
    if options.whole:
        return _sentence(tokens, ways) if ways else None
    if options.n_best is not None:
        return ways
    return ways[0].tree if ways else None


def _sentence(tokens: Tokens, ways: list[Parse]) -> Sentence:
    words = [token.word if isinstance(token, Leaf) else token for token in tokens]
    places, start = [], 0
    for word in words:
        places.append(TokenSpan(word, start, start + len(word)))
        start += len(word) + 1
    return Sentence(" ".join(words), tuple(places), tuple(ways))
