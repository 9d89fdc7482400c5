"""Trees from elsewhere, such as a treebank, into spaCy's documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

from whorl.engine import Parse
from whorl.errors import SpacyError
from whorl.integrations.spacy.annotation import checksum, encode
from whorl.integrations.spacy.attributes import data_name, register_attributes, remove_parses
from whorl.text import penn_forms
from whorl.trees import Leaf, Tree

__all__ = ["doc_from_trees", "set_trees"]


def doc_from_trees(vocab: Vocab, trees: Iterable[Tree], *, prefix: str = "") -> Doc:
    """Make a document of trees: their words, tags, sentence boundaries, and the trees themselves.

    Words are separated by spaces.
    """
    forest = list(trees)
    doc = Doc(
        vocab,
        words=[word for tree in forest for word in tree.words()],
        tags=[tag for tree in forest for tag in tree.tags()],
        sent_starts=[leaf.left == tree.left for tree in forest for leaf in tree.leaves()],
    )
    set_trees(doc, forest, prefix=prefix)
    return doc


def set_trees(doc: Doc, trees: Iterable[Tree], *, prefix: str = "") -> None:
    """Give a document trees, one for each sentence that is more than white space.

    The words of a tree must be the sentence's tokens without white space. A document without
    sentence boundaries gets those of the trees.
    """
    register_attributes(prefix)
    forest = list(trees)
    if not doc.has_annotation("SENT_START"):
        _set_boundaries(doc, forest)
    name = data_name(prefix)
    values = [(span[0], _encode(span, tree)) for span, tree in _pair_up(doc, forest)]
    remove_parses(doc, name)
    for token, value in values:
        token._.set(name, value)


def _set_boundaries(doc: Doc, trees: Iterable[Tree]) -> None:
    """Begin a sentence at the first word of each tree; white space belongs to the one before."""
    words = (token for token in doc if not token.text.isspace())
    starts = {0}
    for tree in trees:
        starts.update(token.i for token in islice(words, 1))
        next(islice(words, tree.right - tree.left - 1, tree.right - tree.left - 1), None)
    for token in doc:
        token.is_sent_start = token.i in starts


def _pair_up(doc: Doc, trees: Sequence[Tree]) -> Iterator[tuple[Span, Tree | None]]:
    """Yield each sentence with its tree, or None for one of white space."""
    sentences = list(doc.sents) if len(doc) else []
    count = sum(not _is_blank(sentence) for sentence in sentences)
    if count != len(trees):
        raise SpacyError(
            f"the document {doc.text!r:.60} has {count} sentences of words, but there are "
            f"{len(trees)} trees"
        )
    remaining = iter(trees)
    for sentence in sentences:
        yield sentence, None if _is_blank(sentence) else next(remaining)


def _is_blank(span: Span) -> bool:
    return all(token.text.isspace() for token in span)


def _encode(span: Span, tree: Tree | None) -> str:
    if tree is not None:
        _check_words([token for token in span if not token.text.isspace()], tree)
    return encode(
        None if tree is None else Parse(tree.at(0), 0.0),
        checksum=checksum([token.orth for token in span]),
        tokens=len(span),
        spaces=[number for number, token in enumerate(span) if token.text.isspace()],
    )


def _check_words(tokens: Sequence[Token], tree: Tree) -> None:
    """Raise `SpacyError` unless the words are the tokens, as they are or in their Penn forms."""
    words = tree.words()
    forms = penn_forms([token.text for token in tokens], [bool(t.whitespace_) for t in tokens])
    for token, form, word in zip(tokens, forms, words, strict=False):
        if word not in (token.text, form, Leaf("", token.text).word):
            raise SpacyError(
                f"the tree {tree!r} has the word {word!r} where the document has {token.text!r}, "
                f"token {token.i}"
            )
    if len(words) != len(tokens):
        raise SpacyError(
            f"the tree {tree!r} has {len(words)} words, its sentence {len(tokens)} tokens"
        )
