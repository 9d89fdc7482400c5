"""Documents, sentences and parses draw themselves, and show what is uncertain."""

from __future__ import annotations

import pytest

pytest.importorskip("onnxruntime")

import whorl
from whorl.engine import Parse
from whorl.parser.documents import Document, Sentence
from whorl.trees import draw_svg, draw_text, read_tree

CAPTION = "<small>Dashed: phrases less than 80% likely to be right.</small>"
DASHES = "stroke-dasharray"


@pytest.fixture(scope="module")
def document():
    return whorl.load()("She saw the man in the park with a telescope. It works.", n_best=2)


def test_an_uncertain_phrase_is_marked_in_a_sentence_and_not_in_its_tree(document):
    unsure, sure = document
    assert any(c.probability < 0.8 for c in unsure.constituents())
    assert all(c.probability >= 0.8 for c in sure.constituents())
    assert DASHES in unsure.svg()
    assert "╌" in unsure.pretty()
    assert (sure.pretty(), DASHES in sure.svg()) == (sure.tree.pretty(), False)
    for plain in (unsure.tree.svg(), unsure.tree._repr_html_(), unsure.svg(uncertain_below=0)):
        assert DASHES not in plain
    assert unsure.pretty(uncertain_below=0) == unsure.tree.pretty()


def test_a_drawing_has_the_probabilities_of_its_parse(document):
    sentence = document[0]
    for parse in sentence.parses:
        probabilities = parse.probabilities()
        assert parse.svg() == draw_svg(parse.tree, probabilities=probabilities)
        assert parse.pretty(width=20) == draw_text(
            parse.tree, probabilities=probabilities, width=20
        )
        assert parse.svg() in parse._repr_html_()
    assert sentence.svg() == sentence._repr_svg_() == sentence.parses[0]._repr_svg_()
    assert sentence.svg(uncertain_below=0.99) != sentence.svg() != sentence.parses[1].svg()
    assert sentence.pretty(width=20) == sentence.parses[0].pretty(width=20)


def test_a_notebook_explains_dashes_once(document):
    assert document._repr_html_().count("<svg") == 2
    assert document._repr_html_().count(CAPTION) == 1
    assert document[0]._repr_html_().endswith(CAPTION)
    assert CAPTION not in document[1]._repr_html_()


def test_a_notebook_draws_the_first_fifty_sentences_and_counts_the_others():
    tree = read_tree("(S (PRP It) (VBZ works))")
    sentence = Sentence.from_words(tree.words(), [Parse(tree, -1.0)])
    for number, drawn, last in (
        (50, 50, "</div>"),
        (1051, 50, "<p>… and 1,001 more sentences</p>"),
    ):
        html = Document("", (sentence,) * number)._repr_html_()
        assert html.count("<svg") == drawn
        assert html.endswith(last)
    assert Document("", (sentence,) * 51)._repr_html_().endswith("<p>… and 1 more sentence</p>")
    assert Document("", ())._repr_html_() == ""


def test_a_parse_without_probabilities_is_drawn_without_marks():
    tree = read_tree("(S (PRP It) (VBZ works))")
    parse = Parse(tree, -1.0)
    assert parse.svg() == tree.svg()
    assert parse._repr_html_() == tree._repr_html_()
