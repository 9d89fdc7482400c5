"""Scores are EVALB's, whatever spaCy's documents look like."""

from __future__ import annotations

import pytest

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc
from spacy.training import Example

pytest.importorskip("torch")  # which the small parsers beside these trees need

from tests.parsers import GOLD

from whorl import read_tree, read_trees
from whorl.errors import EvaluationError
from whorl.evaluation import evaluate
from whorl.spacy import SpacyError, doc_from_trees, register_attributes, score_trees, set_trees
from whorl.trees import strip_root

PREDICTED = read_trees(
    """
(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADJP (RB still) (JJ cautious))) (. .))
(S (NP (PRP It)) (VP (VBZ works)))
(NP (DT a) (NN tree) (PP (IN of) \
(NP (NP (CD two) (NNS words)) (CC or) (QP (RBR more) (IN than) (CD two)))))
(S (NP (NN Look)) (. !))
(NP (NN Rain))
(S (S (NP (NNS Dogs)) (VP (VBP bark))) (, ,) (CC and) \
(S (NP (NNS cats)) (VP (VBP sleep)) (ADVP (RB well))) (. .))
"""
)


@pytest.fixture
def vocab():
    return spacy.blank("en").vocab


def example(vocab, gold, predicted):
    return Example(doc_from_trees(vocab, predicted), doc_from_trees(vocab, gold))


def test_scores_are_those_of_evalb(vocab):
    report = evaluate(GOLD, PREDICTED)
    for size in (1, 2, 6):
        groups = [slice(n, n + size) for n in range(0, 6, size)]
        scores = score_trees([example(vocab, GOLD[g], PREDICTED[g]) for g in groups])
        assert scores["trees_f"] == pytest.approx(report.f1 / 100)
        assert scores["trees_p"] == pytest.approx(report.precision / 100)
        assert scores["trees_r"] == pytest.approx(report.recall / 100)
        assert scores["trees_exact"] == pytest.approx(report.exact / 100)
        assert scores["trees_tag_acc"] == pytest.approx(report.tagging / 100)
        assert scores["trees_errors"] == 0
        assert scores["trees_per_type"]["NP"]["f"] == pytest.approx(
            report.by_label()["NP"].f1 / 100
        )


def test_nlp_evaluate_scores_the_parser(make_nlp):
    nlp = make_nlp(sentences=None)
    examples = []
    for tree in GOLD[:2]:
        reference = doc_from_trees(nlp.vocab, [tree])
        predicted = Doc(
            nlp.vocab, words=tree.words(), sent_starts=[n == 0 for n in range(tree.right)]
        )
        examples.append(Example(predicted, reference))
    scores = nlp.evaluate(examples)
    parsed = list(nlp.get_pipe("whorl").parser.pipe([tree.words() for tree in GOLD[:2]]))
    assert scores["trees_f"] == pytest.approx(evaluate(GOLD[:2], parsed).f1 / 100)
    assert scores["trees_f"] > 0.8


def test_the_scorer_knows_the_prefix(make_nlp):
    nlp = make_nlp(sentences=None, prefix="my_")
    reference = doc_from_trees(nlp.vocab, GOLD[:1], prefix="my_")
    predicted = nlp(Doc(nlp.vocab, words=GOLD[0].words(), sent_starts=[True] + [False] * 5))
    assert nlp.get_pipe("whorl").score([Example(predicted, reference)])["trees_f"] > 0.5


def test_references_without_trees_do_not_count(nlp):
    doc = nlp("It works.")
    unannotated = Example(doc, nlp.make_doc("It works."))
    assert set(score_trees([unannotated]).values()) == {None}
    assert nlp.evaluate([unannotated])["trees_f"] is None
    annotated = Example(doc, doc.copy())
    assert score_trees([unannotated, annotated])["trees_f"] == 1


def test_white_space_does_not_count(nlp):
    doc = nlp("It  works.\n\n")
    words = Doc(nlp.vocab, words=["It", "works", "."], sent_starts=[True, False, False])
    set_trees(words, [read_tree("(S (NP (PRP It)) (VP (VBZ works)) (. .))")])
    scores = score_trees([Example(doc, words)])
    assert scores["trees_f"] == scores["trees_exact"] == scores["trees_tag_acc"] == 1


def test_documents_with_other_sentences_are_compared_as_a_whole(vocab):
    gold = read_trees("(S (NP (PRP It)) (VP (VBZ works)))(S (NP (DT This)) (VP (VBZ does)))")
    predicted = read_trees(
        "(S (S (NP (PRP It)) (VP (VBZ works))) (S (NP (DT This)) (VP (VBZ does))))"
    )
    scores = score_trees([example(vocab, gold, predicted)])
    assert (scores["trees_r"], scores["trees_p"]) == (1, pytest.approx(6 / 7))


def test_other_tokens_are_an_error(vocab):
    pair = example(vocab, read_trees("(S (X can) (Y not))"), read_trees("(S (X cannot))"))
    with pytest.raises(EvaluationError, match="first in 'can' and 'cannot'"):
        score_trees([pair])
    pair = example(vocab, read_trees("(S (X a))"), read_trees("(S (X a) (Y b))"))
    with pytest.raises(EvaluationError, match="first in None and 'b'"):
        score_trees([pair])


# Trees into documents


def test_a_document_of_trees_has_words_tags_and_sentences(vocab):
    doc = doc_from_trees(vocab, GOLD)
    assert [token.text for token in doc] == [word for tree in GOLD for word in tree.words()]
    assert [token.tag_ for token in doc] == [tag for tree in GOLD for tag in tree.tags()]
    assert [len(sentence) for sentence in doc.sents] == [tree.right for tree in GOLD]
    assert doc._.trees == list(map(strip_root, GOLD))
    assert doc_from_trees(vocab, [])._.trees == []


def test_trees_set_boundaries_where_there_are_none(nlp):
    doc = nlp.make_doc("It works.  So does this.\n")
    trees = read_trees(
        "(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))"
        "(TOP (SINV (ADVP (RB So)) (VP (VBZ does)) (NP (DT this)) (. .)))"
    )
    set_trees(doc, trees)
    assert [sentence.text for sentence in doc.sents] == ["It works.  ", "So does this.\n"]
    assert [sentence._.labels for sentence in doc.sents] == [("S",), ("SINV",)]


def test_trees_may_have_penn_forms(nlp):
    doc = nlp.make_doc("“It (dont) work”")
    tree = read_tree("(S (`` ``) (A It) (B -LRB-) (C do) (D n't) (E -RRB-) (F work) ('' ''))")
    set_trees(doc, [tree])
    assert doc._.trees[0].words() == ["“", "It", "(", "do", "nt", ")", "work", "”"]


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        ("(S (A It) (B works))", "has 2 words, its sentence 3 tokens"),
        ("(S (A It) (B fails) (C .))", "has the word 'fails' where the document has 'works'"),
        ("(S (A It))(S (B works) (C .))", "has 1 sentences of words, but there are 2 trees"),
        ("", "has 1 sentences of words, but there are 0 trees"),
    ],
)
def test_trees_that_do_not_fit_are_an_error(nlp, trees, message):
    doc = nlp("It works.")
    before = doc._.trees
    with pytest.raises(SpacyError, match=message):
        set_trees(doc, read_trees(trees))
    assert doc._.trees == before


def test_attributes_can_be_read_without_a_pipeline(vocab):
    saved = doc_from_trees(vocab, GOLD[:1]).to_bytes()
    register_attributes()
    assert Doc(vocab).from_bytes(saved)._.trees == [strip_root(GOLD[0])]
