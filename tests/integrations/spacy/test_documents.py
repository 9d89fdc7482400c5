"""What becomes of trees when spaCy copies, saves, joins, cuts and changes documents.

They are right, or there is a clear error.
"""

from __future__ import annotations

import pickle
from itertools import product

import pytest

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from whorl.errors import WhorlError
from whorl.spacy import MissingParseError, NonConstituentException, StaleParseError

TEXT = "The time for action is now. It's  never too late.\n\nGo on, “they” said."


@pytest.fixture
def doc(nlp):
    return nlp(TEXT)


def strings(doc):
    return [str(tree) for tree in doc._.trees]


def probabilities(doc):
    return [span._.probability for sent in doc.sents for span in sent._.constituents]


COPIES = {
    "bytes": lambda doc: Doc(doc.vocab).from_bytes(doc.to_bytes()),
    "bytes, another vocabulary": lambda doc: Doc(Vocab()).from_bytes(doc.to_bytes()),
    "pickle": lambda doc: pickle.loads(pickle.dumps(doc)),
    "copy": lambda doc: doc.copy(),
    "bin": lambda doc: next(DocBin(store_user_data=True, docs=[doc]).get_docs(doc.vocab)),
    "bin of bytes": lambda doc: next(
        DocBin()
        .from_bytes(DocBin(store_user_data=True, docs=[doc]).to_bytes())
        .get_docs(spacy.blank("en").vocab)
    ),
    "json": lambda doc: Doc(doc.vocab).from_json(doc.to_json(underscore=["parse_data"])),
    "one document": lambda doc: Doc.from_docs([doc]),
    "whole span": lambda doc: doc[:].as_doc(copy_user_data=True),
    "twice": lambda doc: Doc(doc.vocab).from_bytes(doc.copy().to_bytes()),
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_keep_trees_and_probabilities(doc, name):
    copy = COPIES[name](doc)
    assert strings(copy) == strings(doc)
    assert probabilities(copy) == probabilities(doc)
    assert [token._.labels for token in copy] == [token._.labels for token in doc]


def test_documents_hold_plain_data_only(doc):
    values = list(doc.user_data.values())
    assert len(values) == len(list(doc.sents))
    assert {type(value) for value in values} == {str}


def test_sentences_that_a_file_lost_are_found_by_what_tokens_hold(nlp, doc):
    (saved,) = DocBin(attrs=["ORTH"], store_user_data=True, docs=[doc]).get_docs(nlp.vocab)
    assert not saved.has_annotation("SENT_START")
    assert strings(saved) == strings(doc)
    assert saved[1]._.parent.text == "The time"
    (bare,) = DocBin(attrs=["ORTH"], docs=[doc]).get_docs(nlp.vocab)
    with pytest.raises(MissingParseError, match="store_user_data=True"):
        _ = bare._.trees


def test_a_bin_without_user_data_has_no_trees(nlp, doc):
    (saved,) = DocBin(docs=[doc]).get_docs(nlp.vocab)
    for get in (
        lambda: saved._.trees,
        lambda: saved[0]._.labels,
        lambda: list(saved[:2]._.children),
    ):
        with pytest.raises(MissingParseError, match="has no parse: run a pipeline"):
            get()


def test_an_unparsed_document_is_an_error(nlp):
    doc = nlp.get_pipe("sentencizer")(nlp.make_doc("It works. Go."))
    with pytest.raises(MissingParseError, match=r"the sentence at token 0, 'It works\. Go\.'"):
        _ = doc._.trees
    with pytest.raises(MissingParseError):
        _ = doc[0]._.parent
    assert nlp.make_doc("")._.trees == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_joined_documents_have_the_trees_of_both(nlp, doc, count):
    other = nlp("So does this. Yes")
    docs = [doc, nlp(""), other] * count
    joined = Doc.from_docs(docs)
    assert strings(joined) == (strings(doc) + strings(other)) * count
    tight = Doc.from_docs([doc, other], ensure_whitespace=False)
    assert strings(tight) == strings(doc) + strings(other)


def test_joining_with_an_unparsed_document_is_an_error_there_only(nlp, doc):
    unparsed = nlp.get_pipe("sentencizer")(nlp.make_doc("So does this."))
    joined = Doc.from_docs([doc, unparsed])
    assert next(joined.sents)._.tree == doc._.trees[0]
    for get in (lambda: joined._.trees, lambda: joined[-1]._.labels):
        with pytest.raises(MissingParseError, match="So does this"):
            get()
    with pytest.raises(MissingParseError):
        _ = Doc.from_docs([doc, doc], exclude=["user_data"])._.trees


def test_a_sentence_as_a_document_keeps_its_tree(doc):
    for sentence, tree in zip(doc.sents, doc._.trees, strict=True):
        alone = sentence.as_doc(copy_user_data=True)
        assert alone._.trees == [tree]
        with pytest.raises(MissingParseError, match="copy_user_data=True"):
            _ = sentence.as_doc()._.trees


def test_sentences_cut_out_and_joined_are_right_or_an_error(nlp, doc):
    sentences = list(doc.sents)
    parts = [sentence.as_doc(copy_user_data=True) for sentence in sentences]
    parts.append(nlp.get_pipe("sentencizer")(nlp.make_doc("Nobody parsed this sentence.")))
    for pair in product(parts, repeat=2):
        joined = Doc.from_docs(list(pair))
        assert all(not _is_wrong(sentence, doc) for sentence in joined.sents)


def _is_wrong(sentence, original):
    """Whether a sentence has a tree that is not that of the same sentence in the original."""
    try:
        tree = sentence._.tree
    except (MissingParseError, StaleParseError):
        return False
    texts = {tuple(t.text for t in s): s._.tree for s in original.sents}
    return texts.get(tuple(token.text for token in sentence)) != tree


def test_parts_of_sentences_as_documents_are_errors(doc):
    beginning = doc[0:4].as_doc(copy_user_data=True)
    with pytest.raises(StaleParseError, match="The time for action"):
        _ = beginning._.trees
    with pytest.raises(MissingParseError):
        _ = doc[2:6].as_doc(copy_user_data=True)._.trees


@pytest.mark.parametrize(("start", "end"), [(0, 2), (1, 3), (5, 7)])
def test_merged_tokens_make_the_sentence_stale(doc, start, end):
    trees = doc._.trees
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[start:end])
    for get in (lambda: doc._.trees, lambda: doc[start]._.labels, lambda: next(doc.sents)._.tree):
        with pytest.raises(StaleParseError, match=r"have changed since it was parsed.*get_pipe"):
            get()
    second, third = list(doc.sents)[1:]
    assert [second._.tree, third._.tree] == trees[1:], "the other sentences are still right"


def test_a_merge_across_sentences_is_an_error_for_both(doc):
    first = next(doc.sents)
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[first.end - 1 : first.end + 1])
    for position in (0, first.end, first.end + 2):
        with pytest.raises((StaleParseError, MissingParseError)):
            _ = doc[position]._.labels


def test_a_split_token_makes_the_sentence_stale(doc):
    with doc.retokenize() as retokenizer:
        retokenizer.split(doc[0], ["T", "he"], [doc[1], doc[1]])
    with pytest.raises(StaleParseError):
        _ = doc._.trees


def test_parsing_again_repairs_a_document(nlp, doc):
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    nlp.get_pipe("whorl")(doc)
    assert [len(tree.leaves()) for tree in doc._.trees] == [len(s) for s in doc.sents]
    assert len(doc.user_data) == len(list(doc.sents))


def test_moved_boundaries_are_an_error(nlp):
    doc = nlp("It works. So does this.")
    doc[3].is_sent_start = False
    with pytest.raises(StaleParseError, match="boundaries"):
        _ = doc._.trees
    doc[3].is_sent_start = True
    assert len(doc._.trees) == 2
    doc[4].is_sent_start = True
    assert str(doc[0]._.parent) == "It works."
    for get in (lambda: doc._.trees, lambda: doc[4]._.labels):
        with pytest.raises((StaleParseError, MissingParseError)):
            get()
    nlp.get_pipe("whorl")(doc)
    assert len(doc._.trees) == 3
    doc[4].is_sent_start = False
    nlp.get_pipe("whorl")(doc)
    assert len(doc._.trees) == len(doc.user_data) == 2


@pytest.mark.parametrize(
    "value", ["", "[]", "[1]", "[2, 3]", "null", '[1, "", 1]', 3, b"[1]", [], "[1,2,3,4,[],0,0,0]"]
)
def test_foreign_or_damaged_data_is_an_error(doc, value):
    doc[0]._.parse_data = value
    with pytest.raises(StaleParseError, match="parse the document again"):
        _ = doc._.trees


def test_errors_are_of_whorl_and_those_for_spans_are_apart():
    assert issubclass(NonConstituentException, WhorlError)
    assert not issubclass(MissingParseError, NonConstituentException)
    assert not issubclass(StaleParseError, NonConstituentException)
