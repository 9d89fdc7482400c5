"""The examples of benepar's documentation, with the line that adds the component changed.

`spacy.load("en_core_web_md")` is a blank pipeline with sentence boundaries here: no trained
pipeline can be downloaded in tests.
"""

from __future__ import annotations

import pytest

spacy = pytest.importorskip("spacy")

from whorl.spacy import NonConstituentException


@pytest.fixture
def load():
    def load_pipeline(_name):
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        return nlp

    return load_pipeline


def test_usage_with_spacy(load, capsys):
    nlp = load("en_core_web_md")
    nlp.add_pipe("whorl")  # was: nlp.add_pipe("benepar", config={"model": "benepar_en3"})
    doc = nlp("The time for action is now. It's never too late to do something.")
    sent = list(doc.sents)[0]
    print(sent._.parse_string)
    assert capsys.readouterr().out == (
        "(S (NP (NP (DT The) (NN time)) (PP (IN for) (NP (NN action)))) "
        "(VP (VBZ is) (ADVP (RB now))) (. .))\n"
    )
    assert sent._.labels == ("S",)
    assert str(list(sent._.children)[0]) == "The time for action"


def test_the_example_of_the_component(load, capsys):
    nlp = load("en_core_web_md")
    nlp.add_pipe("whorl")  # was: nlp.add_pipe(BeneparComponent("benepar_en3"))
    doc = nlp("The quick brown fox jumps over the lazy dog.")
    sent = list(doc.sents)[0]
    print(sent._.parse_string)
    assert capsys.readouterr().out == (
        "(S (NP (DT The) (JJ quick) (JJ brown) (NN fox)) "
        "(VP (VBZ jumps) (PP (IN over) (NP (DT the) (JJ lazy) (NN dog)))) (. .))\n"
    )


def test_the_attributes_that_the_documentation_lists(load):
    nlp = load("en_core_web_md")
    nlp.add_pipe("whorl")
    doc = nlp("The time for action is now. It's never too late to do something.")
    sent = list(doc.sents)[0]
    phrase, now = doc[0:4], doc[5]
    # "a tuple of labels for the given span. A span may have multiple labels when there are unary
    # chains in the parse tree."
    assert phrase._.labels == ("NP",)
    assert nlp("He wants to go.")[2:4]._.labels == ("S", "VP")
    # "an iterator over Span objects for sub-constituents in a pre-order traversal of the parse
    # tree": the span itself comes first, and single tokens are constituents.
    constituents = sent._.constituents
    assert iter(constituents) is constituents
    assert [str(span) for span in constituents] == [
        "The time for action is now.",
        "The time for action",
        "The time",
        "The",
        "time",
        "for action",
        "for",
        "action",
        "is now",
        "is",
        "now",
        ".",
    ]
    # "the parent Span in the parse tree", "an iterator over child Spans in the parse tree"
    assert phrase._.parent == sent
    assert sent._.parent is None
    assert [str(span) for span in sent._.children] == ["The time for action", "is now", "."]
    # "these behave the same as calling the corresponding method on the length-one Span containing
    # the token"
    assert now._.labels == doc[5:6]._.labels == ("ADVP",)
    assert doc[4]._.labels == ()
    assert now._.parse_string == doc[5:6]._.parse_string == "(ADVP (RB now))"
    assert now._.parent == doc[5:6]._.parent == doc[4:6]
    # "These methods will raise an exception when called on a span that is not a constituent"
    for name in ("labels", "parse_string", "constituents", "parent", "children", "tree"):
        with pytest.raises(NonConstituentException):
            doc[1:3]._.get(name)
