"""What a document says about its trees before it is parsed: span groups and an attribute.

A span group is for one kind of constraint; the labels of its spans are those of phrases, or tags.
The attribute `Doc._.constraints` takes any `Constraint`, with offsets in tokens. It is stored as
plain data with offsets in characters, which stay as they are when tokens are merged or split:

```
text           a checksum of the document's text
constraints    the kind, start, end and names of each; the root has no start and end
```
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import accumulate
from typing import Any

from spacy.tokens import Doc, Span

from whorl.constraints import Constraint
from whorl.errors import ConstraintError, SpacyError
from whorl.parser import ConstrainedInput

__all__ = [
    "GROUPS",
    "check_groups",
    "constraints_data_name",
    "find_constraints",
    "get_constraints",
    "set_constraints",
]

GROUPS = {
    kind: f"whorl_{kind}" for kind in ("span", "not_span", "no_crossing", "only", "root", "tag")
}
"""The default name of the span group for each kind of constraint."""

_CHANGED = "was given before the tokens there were merged or split: give it again"
_WITHOUT_LABEL = ("no_crossing", "only")


def constraints_data_name(prefix: str) -> str:
    """Return the name of the attribute of documents that holds their constraints."""
    return f"{prefix}constraints_data"


def check_groups(groups: Mapping[str, str | None]) -> dict[str, str]:
    """Return the name of the group for each kind: the default ones, but for those given."""
    for kind in groups:
        if kind not in GROUPS:
            raise SpacyError(
                f"span_groups names a group for each of {', '.join(GROUPS)}, not for {kind!r}"
            )
    return {kind: name for kind, name in {**GROUPS, **groups}.items() if name}


def get_constraints(doc: Doc, prefix: str = "") -> tuple[Constraint, ...]:
    """Return the constraints that were given to a document, with offsets in its tokens now."""
    stored = doc._.get(constraints_data_name(prefix))
    if stored is None:
        return ()
    source = f"doc._.{prefix}constraints"
    try:
        text, records = stored
        constraints = [
            Constraint(kind, start, end, None if names is None else tuple(names))
            for kind, start, end, names in records
        ]
    except (ValueError, TypeError) as error:
        raise ConstraintError(f"not what Whorl stored: {stored!r:.100}", (), source) from error
    if text != _checksum(doc.text):
        raise ConstraintError(
            f"they were given to another text than {doc.text!r:.60}: give them again",
            constraints,
            source,
        )
    places = _Places(doc)
    return tuple(_in_tokens(doc, each, places, source) for each in constraints)


def set_constraints(
    doc: Doc, constraints: Iterable[Constraint | Mapping[str, Any]] | None, prefix: str = ""
) -> None:
    """Give a document constraints, with offsets in its tokens, in place of those it has."""
    source = f"doc._.{prefix}constraints"
    read = ConstrainedInput("", () if constraints is None else constraints, source).read()
    records = [_in_characters(doc, constraint, source) for constraint in read]
    doc._.set(constraints_data_name(prefix), [_checksum(doc.text), records] if records else None)


def find_constraints(
    doc: Doc, *, prefix: str, groups: Mapping[str, str]
) -> dict[int, list[Constraint]]:
    """Return the constraints of each sentence that has some, by the sentence's first token.

    Their offsets count the words of the sentence, without white space. A constraint of a span group
    that is there already does not count again: rules often find the same span twice.
    """
    constraints = get_constraints(doc, prefix)
    spans = doc.spans
    present = [item for item in groups.items() if item[1] in spans] if spans else []
    if not constraints and not present:
        return {}
    sentences = _Sentences(doc)
    located: dict[int, list[Constraint]] = {}
    for constraint in constraints:
        for start, own in sentences.locate(constraint, f"doc._.{prefix}constraints"):
            located.setdefault(start, []).append(own)
    for kind, name in present:
        for span in spans[name]:
            for start, own in sentences.locate_span(kind, span, f"doc.spans[{name!r}]"):
                others = located.setdefault(start, [])
                if own not in others:
                    others.append(own)
    return located


class _Places:
    """Where the tokens of a document begin and end in its text."""

    def __init__(self, doc: Doc) -> None:
        self._starts = {token.idx: token.i for token in doc}
        self._ends = {token.idx + len(token): token.i + 1 for token in doc}

    def tokens(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the tokens that are the characters `[start, end)`, if there are any."""
        left, right = self._starts.get(start), self._ends.get(end)
        return None if left is None or right is None else (left, right)


class _Sentences:
    """Where the words of a document's sentences are among its tokens."""

    def __init__(self, doc: Doc) -> None:
        self._doc = doc
        self._is_word = [not token.text.isspace() for token in doc]
        self._words_before = [0, *accumulate(self._is_word)]
        self._starts = [sentence.start for sentence in doc.sents]
        self._places = _Places(doc)

    def locate(self, constraint: Constraint, source: str) -> Iterator[tuple[int, Constraint]]:
        """Yield the start of each sentence that has the constraint, and it in words of that."""
        left, right = constraint.left, constraint.right
        if left is None:
            yield from ((start, constraint) for start in self._starts)
            return
        sentence, first, last = self._place(left, right or left + 1, constraint, source)
        yield sentence, constraint.at(first, None if right is None else last)

    def locate_span(self, kind: str, span: Span, source: str) -> Iterator[tuple[int, Constraint]]:
        """Do the same for a span of a group for constraints of a kind."""
        start, end = self._tokens_of(span, source)
        label, text = span.label_, self._doc[start:end].text
        if kind in ("root", "tag") and not label:
            raise ConstraintError(
                f"the span {text!r:.60} (tokens {start}:{end}) has no label: it should be "
                + ("the label of the root" if kind == "root" else "the tag of its words"),
                (),
                source,
            )
        try:
            if kind in _WITHOUT_LABEL:
                constraint: Constraint = getattr(Constraint, kind)(start, end)
            else:
                make = Constraint.not_span if kind == "not_span" else Constraint.span
                constraint = make(start, end, label or None)
        except ConstraintError as error:
            raise ConstraintError(f"the span {text!r:.60}: {error.reason}", (), source) from None
        sentence, first, last = self._place(start, end, constraint, source)
        if kind == "root":
            yield sentence, Constraint.root(label)
        elif kind == "tag":
            yield from ((sentence, Constraint.tag(word, label)) for word in range(first, last))
        else:
            yield sentence, constraint.at(first, last)

    def _tokens_of(self, span: Span, source: str) -> tuple[int, int]:
        """Return the tokens of a span.

        When spaCy merges or splits tokens, it leaves the spans of groups as they are: then only
        their characters are right.
        """
        start, end = span.start_char, span.end_char
        tokens = self._places.tokens(start, end) if start < end else None
        if tokens is None:
            raise ConstraintError(
                f"the span {self._doc.text[start:end]!r:.60} (characters {start}:{end}) "
                + (_CHANGED if start < end else "has no tokens"),
                (),
                source,
            )
        return tokens

    def _place(
        self, start: int, end: int, constraint: Constraint, source: str
    ) -> tuple[int, int, int]:
        """Return the start of the sentence that holds these tokens, and which words they are.

        White space at either end is left aside.
        """
        while start < end and not self._is_word[start]:
            start += 1
        while start < end and not self._is_word[end - 1]:
            end -= 1
        if start == end:
            raise _error(self._doc, constraint, "it has no words, only white space", source)
        number = bisect_right(self._starts, start)
        sentence = self._starts[number - 1]
        following = self._starts[number] if number < len(self._starts) else len(self._doc)
        if end > following:
            ending = self._doc[sentence:following].text
            reason = f"it is not within one sentence: {ending!r:.80} ends at token {following}"
            raise _error(self._doc, constraint, reason, source)
        before = self._words_before
        return sentence, before[start] - before[sentence], before[end] - before[sentence]


def _checksum(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _in_characters(doc: Doc, constraint: Constraint, source: str) -> list[Any]:
    """Return the record of a constraint on tokens."""
    left, right = constraint.left, constraint.right
    names = None if constraint.names is None else list(constraint.names)
    if left is None:
        return [constraint.kind, None, None, names]
    last = (right or left + 1) - 1
    if last >= len(doc):
        count = f"{len(doc)} token{'s' * (len(doc) != 1)}"
        raise _error(doc, constraint, f"the document {doc.text!r:.60} has {count}", source)
    return [constraint.kind, doc[left].idx, doc[last].idx + len(doc[last]), names]


def _in_tokens(doc: Doc, stored: Constraint, places: _Places, source: str) -> Constraint:
    """Return a constraint on characters as one on tokens."""
    start, end = stored.left, stored.right
    if start is None or end is None:
        return stored
    tokens = places.tokens(start, end)
    is_tag = stored.kind == "tag"
    if tokens is None or (is_tag and tokens[1] - tokens[0] > 1):
        shown = stored.at(start, None) if is_tag else stored
        described = shown.describe("characters", doc.text[start:end])
        raise ConstraintError(f"{described} {_CHANGED}", [shown], source)
    return stored.at(tokens[0], None if is_tag else tokens[1])


def _error(doc: Doc, constraint: Constraint, reason: str, source: str) -> ConstraintError:
    left = constraint.left or 0
    text = doc[left : min(constraint.right or left + 1, len(doc))].text if left < len(doc) else None
    return ConstraintError(f"{constraint.describe('tokens', text)}: {reason}", [constraint], source)
