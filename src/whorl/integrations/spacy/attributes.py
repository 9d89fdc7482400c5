"""The custom attributes of spaCy's documents, spans and tokens.

Names and meanings are benepar's where it has them. All carry a prefix, which is empty by default.
Getters are plain data, so that spaCy can send them to worker processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from spacy.tokens import Doc, Span, Token

from whorl.constraints import Constraint
from whorl.errors import MissingParseError, NonConstituentException, SpacyError, StaleParseError
from whorl.integrations.spacy.annotation import checksum
from whorl.integrations.spacy.constituents import Constituent, ParsedSentence, read_sentence
from whorl.integrations.spacy.constraints import (
    constraints_data_name,
    get_constraints,
    set_constraints,
)
from whorl.trees import Leaf, Node, Tree

__all__ = ["ATTRIBUTES", "data_name", "has_parse", "register_attributes", "remove_parses"]

# White space that brackets cannot hold is shown by Unicode's pictures of it.
_PICTURES = {ord(space): 0x2400 + ord(space) for space in " \t\n\r\v\f"}


def data_name(prefix: str) -> str:
    """Return the name of the token attribute that holds the parse of a sentence."""
    return f"{prefix}parse_data"


def has_parse(doc: Doc, prefix: str = "") -> bool:
    """Tell whether any sentence of a document has been parsed."""
    name = data_name(prefix)
    return any(token._.get(name) is not None for token in doc)


def remove_parses(doc: Doc, name: str) -> None:
    """Remove what an earlier run stored, perhaps on tokens that no longer begin a sentence."""
    if doc.user_data:
        for key in list(doc.user_data):
            if isinstance(key, tuple) and key[:2] == ("._.", name):
                del doc.user_data[key]


@dataclass(frozen=True, slots=True)
class _Found:
    """A constituent's place in a document."""

    doc: Doc
    offset: int
    sentence: ParsedSentence
    number: int

    @property
    def constituent(self) -> Constituent:
        return self.sentence.constituents[self.number]

    def span(self, constituent: Constituent) -> Span:
        return self.doc[self.offset + constituent.start : self.offset + constituent.end]


def _find(span: Span, prefix: str) -> _Found:
    """Return the constituent that a span is."""
    doc, start, end = span.doc, span.start, span.end
    if start < end:
        offset, sentence = _sentence_at(doc, start, prefix)
        number = sentence.find(start - offset, end - offset)
        if number is not None:
            return _Found(doc, offset, sentence, number)
    raise NonConstituentException(
        f"the span {span.text!r} (tokens {start} to {end}) is not a constituent: go from a "
        "sentence or a token to its children or parent, or catch NonConstituentException"
    )


def _sentence_at(doc: Doc, position: int, prefix: str) -> tuple[int, ParsedSentence]:
    """Return the parsed sentence with the token at a position, and where it begins."""
    start, end = _bounds(doc, position, prefix)
    value = doc[start]._.get(data_name(prefix))
    if value is None:
        raise _missing(doc, position if end is None else start)
    sentence = read_sentence(value)
    right = start + sentence.tokens
    if end is None and right <= position:
        raise _missing(doc, position)
    tokens = doc[start:right]
    if (
        (end is not None and end != right)
        or right > len(doc)
        or checksum([token.orth for token in tokens]) != sentence.checksum
    ):
        raise StaleParseError(
            f"the tokens or the boundaries of the sentence {_shown(tokens)} have changed since it "
            "was parsed, so its tree is no longer right: parse the document again with "
            "nlp.get_pipe('whorl')(doc)"
        )
    return start, sentence


def _bounds(doc: Doc, position: int, prefix: str) -> tuple[int, int | None]:
    """Return where the sentence at a position begins, and where it ends if the document says so.

    Some ways of saving a document lose its sentences, but not what is stored on tokens.
    """
    if doc.has_annotation("SENT_START"):
        sentence = doc[position].sent
        return sentence.start, sentence.end
    name = data_name(prefix)
    start = position
    while start and doc[start]._.get(name) is None:
        start -= 1
    return start, None


def _missing(doc: Doc, position: int) -> MissingParseError:
    return MissingParseError(
        f"the sentence at token {position}, {_shown(doc[position : position + 12])}, has no parse: "
        "run a pipeline with 'whorl' on the document. Span.as_doc keeps parses with "
        "copy_user_data=True, DocBin with store_user_data=True"
    )


def _shown(span: Span) -> str:
    return f"{span.text!r:.80}"


def _with_words(node: Node, span: Span) -> Node:
    """Return a node with the words of its span, as a tree whose first leaf is number 0."""
    words = [token.text.translate(_PICTURES) for token in span]
    if isinstance(node, Leaf):
        return Leaf(node.tag, words[0])
    left = node.left
    built: Node = node.rebuild(
        leaf=lambda leaf: Leaf(leaf.tag, words[leaf.left - left], leaf.left - left),
        phrase=lambda phrase, children: Tree(phrase.label, children),
    )
    return built


def _trees(doc: Doc, prefix: str) -> list[Tree]:
    trees = []
    start = 0
    while start < len(doc):
        start, sentence = _sentence_at(doc, start, prefix)
        tree = _with_words(sentence.tree, doc[start : start + sentence.tokens])
        if isinstance(tree, Tree):
            trees.append(tree)
        start += sentence.tokens
    return trees


def _tree(span: Span, prefix: str) -> Node:
    return _with_words(_find(span, prefix).constituent.node, span)


def _parse_string(span: Span, prefix: str) -> str:
    return str(_tree(span, prefix))


def _labels(span: Span, prefix: str) -> tuple[str, ...]:
    return _find(span, prefix).constituent.labels


def _constituents(span: Span, prefix: str) -> Iterator[Span]:
    phrase = _find(span, prefix)
    return map(phrase.span, phrase.sentence.within(phrase.number))


def _children(span: Span, prefix: str) -> Iterator[Span]:
    phrase = _find(span, prefix)
    return map(phrase.span, phrase.sentence.children(phrase.number))


def _parent(span: Span, prefix: str) -> Span | None:
    phrase = _find(span, prefix)
    parent = phrase.constituent.parent
    return None if parent is None else phrase.span(phrase.sentence.constituents[parent])


def _probability(span: Span, prefix: str) -> float | None:
    phrase = _find(span, prefix)
    return phrase.sentence.probability(phrase.number)


ATTRIBUTES: dict[Any, dict[str, Callable[[Any, str], object]]] = {
    Doc: {"trees": _trees},
    Span: {
        "tree": _tree,
        "parse_string": _parse_string,
        "labels": _labels,
        "constituents": _constituents,
        "children": _children,
        "parent": _parent,
        "probability": _probability,
    },
    Token: {"parse_string": _parse_string, "labels": _labels, "parent": _parent},
}
"""The attributes of each of spaCy's classes: functions of an object and the prefix.

Those of tokens get the span of the token.
"""


@dataclass(frozen=True, slots=True)
class _Getter:
    """The getter of one attribute. Two are equal if they do the same."""

    owner: Any
    name: str
    prefix: str

    def __call__(self, target: Any) -> object:
        span = target.doc[target.i : target.i + 1] if self.owner is Token else target
        return ATTRIBUTES[self.owner][self.name](span, self.prefix)


@dataclass(frozen=True, slots=True)
class _GetConstraints:
    prefix: str

    def __call__(self, doc: Doc) -> tuple[Constraint, ...]:
        return get_constraints(doc, self.prefix)


@dataclass(frozen=True, slots=True)
class _SetConstraints:
    prefix: str

    def __call__(self, doc: Doc, constraints: Any) -> None:
        set_constraints(doc, constraints, self.prefix)


def register_attributes(prefix: str = "") -> None:
    """Register the custom attributes with spaCy, as adding the component to a pipeline does.

    This is what reading the trees of saved documents needs, without a pipeline. Raises `SpacyError`
    if another library, such as benepar, has an attribute of the same name.
    """
    if not (f"{prefix}x").isidentifier():
        raise SpacyError(f"the prefix of attributes must be letters, digits or _, not {prefix!r}")
    expected: dict[Any, Any] = {
        (owner, prefix + name): (None, None, _Getter(owner, name, prefix), None)
        for owner, names in ATTRIBUTES.items()
        for name in names
    }
    expected[Token, data_name(prefix)] = (None, None, None, None)
    accessors = (_GetConstraints(prefix), _SetConstraints(prefix))
    expected[Doc, f"{prefix}constraints"] = (None, None, *accessors)
    expected[Doc, constraints_data_name(prefix)] = (None, None, None, None)
    for (owner, name), extension in expected.items():
        if owner.has_extension(name) and owner.get_extension(name) != extension:
            raise _clash(owner, name)
    for (owner, name), (_, _, getter, setter) in expected.items():
        if not owner.has_extension(name):
            how = {"getter": getter, "setter": setter} if getter else {"default": None}
            owner.set_extension(name, **how)


def _clash(owner: Any, name: str) -> SpacyError:
    default, method, getter, _ = owner.get_extension(name)
    module = getattr(getter or method, "__module__", None)
    other = f"from {module}" if module else f"with the default {default!r}"
    return SpacyError(
        f"{owner.__name__}._.{name} exists already, {other}. Give Whorl's attributes a prefix: "
        'nlp.add_pipe("whorl", config={"prefix": "whorl_"})'
    )
