"""The component: documents in, documents with trees out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span, Token

from whorl.constraints import Constraint
from whorl.engine import Parse
from whorl.errors import SpacyError
from whorl.integrations.spacy.annotation import checksum, encode
from whorl.integrations.spacy.attributes import data_name, register_attributes, remove_parses
from whorl.integrations.spacy.constituents import SPACE_TAG
from whorl.integrations.spacy.constraints import check_groups, find_constraints
from whorl.integrations.spacy.models import LazyParser
from whorl.parser import ConstrainedInput, Parser, Tokens
from whorl.text import penn_forms
from whorl.trees import Leaf

__all__ = ["BATCH_SIZE", "Forms", "Scorer", "Tags", "WhorlComponent"]

Tags = Literal["keep", "overwrite", "use"]
Forms = Literal["penn", "text"]
Scorer = Callable[..., dict[str, Any]]

BATCH_SIZE = 256
"""The default number of sentences parsed together."""
_OPTIONS = (
    *("name", "batch_size", "tags", "prefix", "forms"),
    *("span_groups", "beam", "convention", "device", "scorer"),
)
_READ_AHEAD = 8  # batches, which then hold sentences of similar length


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a document: tokens `[start, end)`, and what the parser gets of them."""

    doc: Doc
    start: int
    end: int
    checksum: str
    spaces: list[int]
    input: Tokens | ConstrainedInput


class WhorlComponent(Pipe):
    """Parses the sentences of documents; `nlp.add_pipe("whorl")` makes one.

    Args:
        name: The name of the component in its pipeline.
        model: The name of an installed model, or the path of a model folder.
        batch_size: The number of sentences parsed together, of one document or of several.
        tags: `keep` leaves the documents' tags as they are, `overwrite` replaces them by those of
            the parser, `use` gives them to the parser, so that they are the tags of the trees.
        prefix: What the names of the custom attributes begin with.
        forms: `penn` writes tokens for the parser as the Penn Treebank does: quotation marks with a
            direction, apostrophes where they were left out. `text` leaves them as they are, for
            models of treebanks that do too.
        span_groups: The names of the span groups that hold constraints, by their kind, where they
            are not the default ones; None for a kind that no group is for.
        beam: The width of the beam; 1 is greedy.
        convention: The treebank whose annotation to follow, for a model trained on several.
        device: `cpu`, or `cuda` for a GPU, which needs PyTorch.
        scorer: A function of spaCy's examples, for `nlp.evaluate`.
    """

    def __init__(
        self,
        name: str = "whorl",
        *,
        model: str = "en",
        batch_size: int = BATCH_SIZE,
        tags: Tags = "keep",
        prefix: str = "",
        forms: Forms = "penn",
        span_groups: Mapping[str, str | None] | None = None,
        beam: int = 1,
        convention: str | None = None,
        device: str = "cpu",
        scorer: Scorer | None = None,
    ) -> None:
        _check_choice("tags", tags, get_args(Tags))
        _check_choice("forms", forms, get_args(Forms))
        for option, value in (("batch_size", batch_size), ("beam", beam)):
            if value < 1:
                raise SpacyError(f"{option} must be 1 or more, not {value}")
        register_attributes(prefix)
        self.name = name
        self.model_name = model  # `model` is a network in spaCy's own components
        self.batch_size = batch_size
        self.tags = tags
        self.prefix = prefix
        self.forms = forms
        self.span_groups = span_groups or {}
        self._groups = check_groups(self.span_groups)
        self.beam = beam
        self.convention = convention
        self.device = device
        self.scorer = scorer
        self.cfg = {"prefix": prefix}  # what the scorer gets
        self._model = LazyParser(model, device=device, convention=convention)

    def __call__(self, doc: Doc) -> Doc:
        """Parse the sentences of a document."""
        self._annotate(self._sentences(doc))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse a stream of documents, up to `batch_size` at a time; their sentences share batches.

        A document that cannot be parsed goes to the error handler; the others are parsed.
        """
        for docs, sentences in self._batches(stream, batch_size):
            try:
                self._annotate(sentences)
            except Exception:
                yield from self._parse_separately(docs)
            else:
                yield from docs

    def _batches(
        self, stream: Iterable[Doc], batch_size: int
    ) -> Iterator[tuple[list[Doc], list[_Sentence]]]:
        """Group documents with their sentences, so few that trees need little memory."""
        docs: list[Doc] = []
        sentences: list[_Sentence] = []
        for doc in stream:
            try:
                sentences += self._sentences(doc)
                docs.append(doc)
            except Exception as error:
                self.get_error_handler()(self.name, self, [doc], error)
            if len(docs) >= batch_size or len(sentences) >= _READ_AHEAD * self.batch_size:
                yield docs, sentences
                docs, sentences = [], []
        yield docs, sentences

    def _parse_separately(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        """Parse documents one by one, to find the one that cannot be parsed."""
        for doc in docs:
            try:
                self(doc)
            except Exception as error:
                self.get_error_handler()(self.name, self, [doc], error)
            else:
                yield doc

    def _sentences(self, doc: Doc) -> list[_Sentence]:
        """Return the sentences of a document, prepared for the parser."""
        if not doc.has_annotation("SENT_START"):
            raise SpacyError(
                f"the document {doc.text!r:.60} has no sentence boundaries: add a component that "
                f"sets them before {self.name!r}, for example "
                f'nlp.add_pipe("sentencizer", before="{self.name}")'
            )
        if not len(doc):
            return []
        constraints = find_constraints(doc, prefix=self.prefix, groups=self._groups)
        texts = [token.text for token in doc]
        orths, after = doc.to_array(["ORTH", "SPACY"]).T.tolist()
        sentences = []
        for span in doc.sents:
            start, end = span.start, span.end
            words = texts[start:end]
            spaces = [number for number, word in enumerate(words) if word.isspace()]
            tokens = self._tokens(span, words, after[start:end], spaces)
            known = constraints.get(start)
            item = tokens if known is None else self._constrain(span, tokens, known)
            sentences.append(_Sentence(doc, start, end, checksum(orths[start:end]), spaces, item))
        return sentences

    def _constrain(
        self, span: Span, tokens: Tokens, constraints: list[Constraint]
    ) -> ConstrainedInput:
        """Return what the parser gets of a sentence with constraints, once these are checked.

        Checked here, a conflict concerns its document alone, and its batch is parsed together.
        """
        item = ConstrainedInput(
            tokens, constraints, f"the sentence {span.text.strip()!r:.60} at token {span.start}"
        )
        if tokens:
            self.parser.check_constraints(item)
        return item

    def _tokens(self, span: Span, words: list[str], after: list[int], spaces: list[int]) -> Tokens:
        """Return what the parser gets of a sentence: its words without white space, and tags."""
        kept: Sequence[int] = range(len(words))
        if spaces:
            blank = set(spaces)
            kept = [number for number in kept if number not in blank]
            # White space that is a token stands between the words around it.
            after = [after[number] or number + 1 in blank for number in kept]
            words = [words[number] for number in kept]
        forms = words
        if self.forms == "penn":
            forms = penn_forms(words, None if span.doc.has_unknown_spaces else after)
        if self.tags != "use":
            return forms
        return [
            Leaf(_tag(span[number], self.name), form, place)
            for place, (number, form) in enumerate(zip(kept, forms, strict=True))
        ]

    def _annotate(self, sentences: Sequence[_Sentence]) -> None:
        """Parse sentences and store the results in their documents."""
        name = data_name(self.prefix)
        for doc in {id(sentence.doc): sentence.doc for sentence in sentences}.values():
            remove_parses(doc, name)
        for sentence, parse in zip(sentences, self._parse(sentences), strict=True):
            value = encode(
                parse,
                checksum=sentence.checksum,
                tokens=sentence.end - sentence.start,
                spaces=sentence.spaces,
            )
            sentence.doc[sentence.start]._.set(name, value)
            if self.tags == "overwrite":
                _overwrite_tags(sentence, parse)

    def _parse(self, sentences: Sequence[_Sentence]) -> Iterator[Parse | None]:
        """Send sentences to the parser; one of white space gives None."""
        if all(not sentence.input for sentence in sentences):
            yield from (None for _ in sentences)
            return
        results: Iterator[list[Parse]] = self.parser.pipe(
            (sentence.input for sentence in sentences),
            n_best=1,
            beam=self.beam,
            batch_size=self.batch_size,
        )
        for parses in results:
            yield parses[0] if parses else None

    @property
    def parser(self) -> Parser:
        """The parser, loaded on first use."""
        return self._model.parser

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the model in a folder or, for an installed one, its name and checksum."""
        self._model.to_disk(Path(path))

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> WhorlComponent:
        """Take over the model that `to_disk` saved; return the component."""
        self._model.from_disk(Path(path))
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return what `to_disk` saves as bytes."""
        return self._model.to_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> WhorlComponent:
        """Take over the model that `to_bytes` returned; return the component."""
        self._model.from_bytes(data)
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the options and the model, as for `to_bytes`."""
        options = {option: getattr(self, option) for option in _OPTIONS}
        options["model"] = self.model_name
        return _restore, (options, self.to_bytes(), vars(self).get("error_handler"))


def _restore(options: dict[str, Any], model: bytes, handler: Any) -> WhorlComponent:
    component = WhorlComponent(**options).from_bytes(model)
    if handler is not None:
        component.set_error_handler(handler)
    return component


def _check_choice(option: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise SpacyError(f"{option} must be one of {', '.join(choices)}, not {value!r}")


def _tag(token: Token, component: str) -> str:
    if not token.tag_:
        raise SpacyError(
            f'{component!r} has the option tags="use", but token {token.i}, {token.text!r}, has no '
            f"tag: add a tagger before {component!r}, or leave out the option"
        )
    return token.tag_


def _overwrite_tags(sentence: _Sentence, parse: Parse | None) -> None:
    tags = iter(parse.tree.tags() if parse is not None else ())
    spaces = set(sentence.spaces)
    for number, token in enumerate(sentence.doc[sentence.start : sentence.end]):
        token.tag_ = SPACE_TAG if number in spaces else next(tags)
