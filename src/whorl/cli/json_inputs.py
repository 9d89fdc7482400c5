"""`whorl parse --input json`: JSON lines, each a text or a sentence, perhaps with constraints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from whorl.cli.constraints import constraints_of, read_json_line
from whorl.cli.inputs import InputSentence
from whorl.constraints import Constraint
from whorl.errors import TextError
from whorl.escapes import canonical
from whorl.formats import Origin
from whorl.parser.constrained import ConstrainedInput, locate
from whorl.trees import Leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whorl.cli.sources import InputSource
    from whorl.text import Hyphens, Newline
    from whorl.tokenisers import Tokeniser

__all__ = ["read_json"]

_KEYS = {"text", "tokens", "constraints"}
_IGNORED = {"source", "number", "start", "end", "tree", "log_probability", "constituents", "parses"}
"""The other keys of the records that `--format jsonl` writes, which can be parsed again."""

_EXPECTED = '{"tokens": ["It", "works"], "constraints": []}'


def read_json(
    source: InputSource, *, tokeniser: Tokeniser, newline: Newline, hyphens: Hyphens | None
) -> Iterator[InputSentence]:
    """Yield the sentences of a source: those of a text, or a sentence of tokens; null is empty."""
    numbers = count(1)
    for line_number, line in enumerate(source.lines(), start=1):
        place = f"{source.name}:{line_number}"
        record = read_json_line(line, place, f"an object such as {_EXPECTED}")
        constraints = _checked(record, place)
        if record is None or "tokens" in record:
            tokens, tags = _tokens([] if record is None else record["tokens"], place)
            origin = Origin(source.name, source.path, next(numbers))
            both = (*tags, *constraints)
            yield InputSentence(origin, tokens, constraints=both, constraints_source=place)
            continue
        text = record["text"]
        spans = tokeniser.segment(text, newline=newline, hyphens=hyphens)
        located = locate(ConstrainedInput(text, constraints, place), spans)
        for span, some in zip(spans, located, strict=True):
            yield InputSentence(
                Origin(source.name, source.path, next(numbers)),
                span.words,
                span.tokens,
                text[span.start : span.end],
                tuple(some),
                place,
            )


def _checked(record: Any, place: str) -> tuple[Constraint, ...]:
    """Check the keys of a record and return its constraints."""
    if record is None:
        return ()
    if not isinstance(record, Mapping) or not ("tokens" in record or "text" in record):
        raise TextError(f"{place}: expected an object such as {_EXPECTED}, not {_shown(record)}")
    for key in record:
        if key not in _KEYS | _IGNORED:
            raise TextError(f"{place}: unknown key {key!r}: expected {', '.join(sorted(_KEYS))}")
    if "tokens" not in record and not isinstance(record["text"], str):
        raise TextError(f"{place}: text must be a string, not {_shown(record['text'])}")
    return constraints_of(record.get("constraints"), place)


def _tokens(tokens: Any, place: str) -> tuple[Sequence[str] | Sequence[Leaf], list[Constraint]]:
    """Return words, or leaves if all tokens have tags, and constraints for tags of some only."""
    pairs = [_token(token, place) for token in tokens] if isinstance(tokens, list) else None
    if pairs is None:
        raise TextError(f"{place}: tokens must be an array, not {_shown(tokens)}")
    words = [word for word, _ in pairs]
    tags = [(left, tag) for left, (_, tag) in enumerate(pairs) if tag is not None]
    if tags and len(tags) == len(words):
        return [Leaf(tag, words[left], left) for left, tag in tags], []
    return words, [Constraint.tag(left, tag) for left, tag in tags]


def _token(token: Any, place: str) -> tuple[str, str | None]:
    """Return the word and the tag of a string, or of an object with a text and perhaps a tag."""
    word, tag = token, None
    if isinstance(token, Mapping):
        word, tag = token.get("text"), token.get("tag")
    if not isinstance(word, str) or not (tag is None or isinstance(tag, str)):
        expected = 'a string, or an object such as {"text": "works", "tag": "VBZ"}'
        raise TextError(f"{place}: a token must be {expected}, not {_shown(token)}")
    return canonical(word), tag


def _shown(value: Any) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.80}"
