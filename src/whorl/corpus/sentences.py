"""From documents to the records of their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from whorl.corpus.documents import InputDocument
from whorl.corpus.options import CorpusOptions
from whorl.text import SentenceSpan, read_tokens

if TYPE_CHECKING:
    from whorl.parser import Parser
    from whorl.parser.documents import Sentence
    from whorl.tokenisers import Tokeniser

__all__ = ["parse_documents"]


def parse_documents(
    parser: Parser, documents: Iterable[InputDocument], options: CorpusOptions
) -> Iterator[dict[str, Any]]:
    """Yield a record for each sentence of the documents.

    Which sentences are parsed together depends on the documents and the options alone, and so do
    the log-probabilities, to the last digit. Memory holds a few batches of sentences and the
    documents that they come from.
    """
    parsed = parser.pipe(
        _sentences(parser.tokeniser, documents, options),
        as_tuples=True,
        n_best=1,
        batch_size=options.batch_size,
        beam=options.beam,
    )
    for parses, (document, number, span) in parsed:
        yield {
            "document": document.id,
            "sentence": number,
            **_describe(_sentence(document, span, parses), options),
            **document.kept,
        }


def _sentences(
    tokeniser: Tokeniser, documents: Iterable[InputDocument], options: CorpusOptions
) -> Iterator[tuple[list[str], tuple[InputDocument, int, Any]]]:
    """Yield the words of each sentence with its document, its number in it, and its place."""
    for document in documents:
        if options.tokens:
            lines = (read_tokens(line) for line in document.text.split("\n"))
            words_of_lines = (words for words in lines if words)
            for number, words in enumerate(words_of_lines, start=1):
                yield words, (document, number, words)
            continue
        spans = tokeniser.iter_sentences(
            (document.text,), newline=options.newline, hyphens=options.hyphens
        )
        for number, span in enumerate(spans, start=1):
            yield span.words, (document, number, span)


def _sentence(document: InputDocument, span: SentenceSpan | list[str], parses: Any) -> Sentence:
    from whorl.parser.documents import Sentence

    if isinstance(span, SentenceSpan):
        return Sentence(document.text[span.start : span.end], span.tokens, tuple(parses))
    return Sentence.from_words(span, parses)


def _describe(sentence: Sentence, options: CorpusOptions) -> dict[str, Any]:
    return sentence.to_dict(
        n_best=False, tokens=options.with_tokens, constituents=options.with_constituents
    )
