"""Drawings that show which phrases are uncertain."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trees.tree_strategies import trees

from whorl.errors import TreeError
from whorl.trees import UNCERTAIN, draw_html, draw_svg, draw_text, find_uncertain, read_tree

TREE = read_tree(
    "(S (NP (PRP She)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (NNP Al))))))"
)
# Of S, NP, VP, NP over NP and PP, and so on, parents first.
PROBABILITIES = [1.0, 0.99, 0.799, 0.456, None, 0.8, 0.05]
SVG = "{http://www.w3.org/2000/svg}"

DOWN = """\
      S
 ┌────┴─────┐
NP       VP 79%
 │    ┌╌╌╌╌╌┴╌╌╌╌╌╌┐
PRP  VBD        NP 45%
 │    │      ┌╌╌╌╌╌┴╌╌╌╌╌┐
She  saw    NP          PP
           ┌─┴──┐     ┌──┴──┐
          DT   NN    IN   NP 5%
           │    │     │     ╎
          the  man  with   NNP
                            │
                           Al"""

SIDEWAYS = """\
S
├─ NP ─ PRP She
└─ VP 79%
   ├╌ VBD saw
   └╌ NP 45%
      ├╌ NP
      │  ├─ DT the
      │  └─ NN man
      └╌ PP
         ├─ IN with
         └─ NP 5% ╌ NNP Al"""


def marked(tree, below=UNCERTAIN):
    return [(node.label, probability) for node, probability in find_uncertain(*tree, below)]


def test_phrases_below_the_threshold_are_uncertain():
    assert marked((TREE, PROBABILITIES)) == [("VP", 0.799), ("NP", 0.456), ("NP", 0.05)]
    assert marked((TREE, PROBABILITIES), 0.1) == [("NP", 0.05)]
    assert marked((TREE, None)) == []


def test_text_has_probabilities_and_dashed_lines_where_phrases_are_uncertain():
    assert draw_text(TREE, probabilities=PROBABILITIES) == DOWN
    assert draw_text(TREE, probabilities=PROBABILITIES, width=20) == SIDEWAYS


def test_without_an_uncertain_phrase_text_is_the_usual_drawing():
    certain = [UNCERTAIN] * len(PROBABILITIES)
    for probabilities in (None, certain, [None] * len(PROBABILITIES)):
        for width in (20, 100):
            drawing = draw_text(TREE, probabilities=probabilities, width=width)
            assert drawing == TREE.pretty(width=width)
    marks = draw_text(TREE, probabilities=certain, uncertain_below=0.9)
    assert marks.count("80%") == len(PROBABILITIES)


def texts(root):
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def test_a_picture_shows_uncertain_phrases_by_more_than_colour():
    root = ET.fromstring(draw_svg(TREE, probabilities=PROBABILITIES))
    assert {"VP 79%", "NP 45%", "NP 5%", "S", "PP"} <= set(texts(root))
    solid, dashed = root.iter(f"{SVG}path")
    assert "stroke-dasharray" in dashed.attrib
    assert "stroke-dasharray" not in solid.attrib
    assert dashed.attrib["d"].count("M") == 2 + 2 + 1  # to the children of uncertain phrases
    assert solid.attrib["d"].count("M") == 2 + 1 + 2 + 2
    uncertain = [text for text in root.iter(f"{SVG}text") if text.attrib.get("font-style")]
    assert [text.text for text in uncertain] == ["VP ", "NP ", "NP "]


def test_a_picture_says_in_words_what_is_uncertain():
    root = ET.fromstring(draw_svg(TREE, probabilities=PROBABILITIES))
    assert root.find(f"{SVG}title").text == "She saw the man with Al"
    assert root.find(f"{SVG}desc").text == (
        "Uncertain: VP “saw the man with Al” 79%, NP “the man with Al” 45%, NP “Al” 5%"
    )
    assert list(root)[:2] == [root.find(f"{SVG}title"), root.find(f"{SVG}desc")]
    tooltips = [title.text for title in root.findall(f".//{SVG}g/{SVG}g/{SVG}title")]
    assert tooltips == [
        "S: probability 1.000",
        "NP: probability 0.990",
        "VP: probability 0.799",
        "NP: probability 0.456",
        "PP: probability 0.800",
        "NP: probability 0.050",
    ]


def test_a_description_leaves_out_the_middle_of_long_phrases():
    tree = read_tree("(S " + "".join(f"(X w{n}) " for n in range(30)) + ")")
    root = ET.fromstring(draw_svg(tree, probabilities=[0.5]))
    assert root.find(f"{SVG}desc").text == "Uncertain: S “w0 w1 w2 w3 w4 w5 … w29” 50%"


def test_probabilities_must_be_as_many_as_phrases():
    for draw in (draw_svg, draw_text):
        with pytest.raises(TreeError, match="a probability for each of 7 phrases, not 2"):
            draw(TREE, probabilities=[0.5, 0.5])


def with_probabilities(tree):
    probabilities = st.none() | st.floats(0, 1)
    count = sum(1 for _ in tree.phrases())
    return st.tuples(st.just(tree), st.lists(probabilities, min_size=count, max_size=count))


@given(trees().flatmap(with_probabilities), st.integers(1, 200))
def test_every_uncertain_phrase_is_marked_and_no_other(pair, width):
    tree, probabilities = pair
    low = sorted(p for p in probabilities if p is not None and p < UNCERTAIN)
    text = draw_text(tree, probabilities=probabilities, width=width)
    root = ET.fromstring(draw_svg(tree, probabilities=probabilities))
    for shown in (re.findall(r"\d+%", text), [span.text for span in root.iter(f"{SVG}tspan")]):
        percents = sorted(int(percent.removesuffix("%")) for percent in shown)
        assert len(percents) == len(low)
        assert all(0 <= 100 * p - n + 0.001 < 1.002 for n, p in zip(percents, low, strict=True))
    assert len(texts(root)) == len([*tree.nodes()]) + len(tree.words())
    assert (root.find(f"{SVG}desc") is not None) == bool(low)


@given(trees().flatmap(with_probabilities))
def test_a_text_drawing_with_marks_fits_its_width(pair):
    tree, probabilities = pair
    down = draw_text(tree, probabilities=probabilities, width=10_000)
    widest = max(map(len, down.splitlines()))
    assert draw_text(tree, probabilities=probabilities, width=2 * widest) == down


def test_html_explains_the_dashes_once_and_only_if_there_are_any():
    caption = "<small>Dashed: phrases less than 80% likely to be right.</small>"
    html = draw_html([(TREE, PROBABILITIES), (TREE, None), (TREE, PROBABILITIES)])
    assert html.count("<svg") == 3
    assert html.endswith(caption)
    assert html.count(caption) == 1
    assert "Dashed" not in draw_html([(TREE, None), (TREE, [1.0] * 7)])
    assert "less than 50%" in draw_html([(TREE, PROBABILITIES)], uncertain_below=0.5)


def test_a_deep_tree_of_uncertain_phrases_is_drawn():
    tree = read_tree("(X (A a) " * 20_000 + "(C c)" + ")" * 20_000)
    probabilities = [0.25] * 20_000
    assert draw_svg(tree, probabilities=probabilities).count("<tspan") == 20_000
    assert draw_text(tree, probabilities=probabilities).count("25%") == 20_000
