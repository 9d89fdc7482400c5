from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trees.tree_strategies import trees
from tests.trees.treebanks import sample

from whorl.trees import Leaf, Tree, read_tree
from whorl.trees.drawing.placement import place
from whorl.trees.drawing.text import display_width, draw_text

PAPER = read_tree(
    "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))"
)
JAPANESE = read_tree("(IP (PP (NP (D この) (N 話)) (P は)) (NP (N 作り話)) (PU 。))")
SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "data" / "paper.svg"

DOWN = """\
                    S
    ┌───────────────┼──────────────┐
   NP              VP              .
 ┌──┴───┐     ┌─────┼────────┐     │
DT     JJ    VBZ  ADVP     ADJP    .
 │      │     │     │        │
The  public  is    RB       JJ
                    │        │
                  still  cautious"""

SIDEWAYS = """\
S
├─ NP
│  ├─ DT The
│  └─ JJ public
├─ VP
│  ├─ VBZ is
│  ├─ ADVP ─ RB still
│  └─ ADJP ─ JJ cautious
└─ . ."""

SQUARE_LINES = (
    "M215 34V47H28Q23 47 23 52V60M215 34V47H140Q135 47 135 52V60M215 34V47H403Q408 47 408 52V60"
)

WIDE = """\
                IP
       ┌─────────┼─────┐
      PP        NP    PU
    ┌──┴───┐     │     │
   NP      P     N    。
  ┌─┴──┐   │     │
  D    N  は  作り話
  │    │
この  話"""


def test_a_tree_is_drawn_from_the_root_down():
    assert PAPER.pretty() == DOWN


def test_a_tree_that_is_too_wide_is_drawn_sideways():
    assert PAPER.pretty(width=20) == SIDEWAYS


@pytest.mark.parametrize("draw", [Tree.pretty, draw_text])
def test_the_default_width_is_a_hundred_columns(draw):
    fits, too_wide = (Tree("S", [Leaf("T", "x" * width)]) for width in (100, 101))
    assert draw(fits) == fits.pretty(width=100) == fits.pretty(width=1000)
    assert draw(too_wide) == too_wide.pretty(width=100) != too_wide.pretty(width=101)


def test_wide_characters_take_two_columns():
    assert JAPANESE.pretty() == WIDE
    assert [display_width(text) for text in ("ab", "話", "e\u0301", "ﾊ", "Ａ")] == [2, 2, 1, 1, 2]


@given(trees(), st.integers(min_value=1, max_value=200))
def test_a_text_drawing_fits_its_width_and_shows_every_word(tree: Tree, width: int):
    drawing = tree.pretty(width=width)
    down = place(tree, display_width, gap=2, snap=2).width <= width
    if down:
        assert all(display_width(line) <= width for line in drawing.splitlines())
    shown = re.findall(r"[^\s─│┌┐┬┴┼├└]+", drawing)
    assert sorted(shown) == sorted([node.label for node in tree.nodes()] + tree.words())


@given(trees())
def test_no_two_labels_or_words_of_a_placement_overlap(tree: Tree):
    placement = place(tree, len, gap=2, snap=1)
    rows: dict[int, list[tuple[int, int]]] = {}
    for box in placement.boxes:
        texts = [(box.depth, box.node.label)]
        if type(box.node) is Leaf:
            texts.append((box.depth + 1, box.node.word))
        for row, text in texts:
            left = box.centre - len(text) // 2
            rows.setdefault(row, []).append((left, left + len(text)))
    for extents in rows.values():
        extents.sort()
        assert extents[0][0] >= 0
        assert extents[-1][1] <= placement.width
        assert all(after[0] >= before[1] + 2 for before, after in pairwise(extents))


def test_the_svg_of_the_paper_is_the_golden_one():
    assert PAPER.svg() == GOLDEN.read_text(encoding="utf-8")


def texts(svg: str) -> list[str | None]:
    return [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]


@given(trees())
def test_an_svg_is_well_formed_and_shows_every_label_and_word_within_its_box(tree: Tree):
    root = ET.fromstring(tree.svg())
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert sorted(map(str, shown)) == sorted([node.label for node in tree.nodes()] + tree.words())
    width, height = (int(root.attrib[name]) for name in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width} {height}"
    assert all(
        0 < int(e.attrib["x"]) < width and 0 < int(e.attrib["y"]) < height
        for e in root.iter(f"{SVG}text")
    )
    assert root.find(f"{SVG}title").text == " ".join(tree.words())


def test_an_svg_replaces_characters_that_xml_forbids():
    tree = Tree("A&B", [Leaf('"', "<b>"), Leaf("X", "a\x00\x0bb\ud800")])
    assert texts(tree.svg()) == ["A&B", '"', "X", "<b>", "a\ufffd\ufffdb\ufffd"]


def test_an_svg_takes_the_surrounding_colour():
    assert 'fill="currentColor"' in PAPER.svg()
    assert 'stroke="currentColor"' in PAPER.svg()
    assert PAPER._repr_svg_() == PAPER.svg()


def test_lines_are_straight_in_small_trees_and_square_in_wide_ones():
    wide = Tree("S", [Leaf("NN", f"word{i}") for i in range(12)])
    path = r'<path d="([^"]*)"'
    assert "L" in re.search(path, PAPER.svg())[1]
    assert "Q" not in re.search(path, PAPER.svg())[1]
    assert "Q" in re.search(path, wide.svg())[1]


def test_square_lines_go_down_across_and_down_with_a_corner_of_five_pixels():
    tree = Tree("S", [Leaf("NN", "a"), Leaf("NN", "b" * 20), Leaf("NN", "c" * 40)])
    assert re.search(r'<path d="([^"]*)"', tree.svg())[1] == SQUARE_LINES


@pytest.mark.parametrize(
    ("character", "width"),
    [("i", 450), ("t", 570), ("n", 855), ("N", 1080), ("M", 1350), ("話", 1500)],
)
def test_an_svg_reserves_the_width_of_its_characters(character, width):
    root = ET.fromstring(Tree("S", [Leaf("T", character * 100)]).svg())
    assert int(root.attrib["width"]) == width + 24


def test_latex_is_what_tikz_qtree_reads():
    assert PAPER.latex() == (
        r"\Tree [.S [.NP [.DT The ] [.JJ public ] ] [.VP [.VBZ is ] [.ADVP [.RB still ] ] "
        r"[.ADJP [.JJ cautious ] ] ] [.{.} {.} ] ]"
    )


@pytest.mark.parametrize(
    ("word", "latex"),
    [
        ("$", r"{\$}"),
        ("50%", r"{50\%}"),
        ("R&D", r"{R\&D}"),
        ("#_{}", r"{\#\_\{\}}"),
        ("a\\b", r"{a\textbackslash{}b}"),
        ("~^", r"{\textasciitilde{}\textasciicircum{}}"),
        ("[x]", "{[x]}"),
        ("話", "話"),
        ("a_b", r"{a\_b}"),
    ],
)
def test_latex_escapes_special_characters(word: str, latex: str):
    assert Tree("X", [Leaf("T", word)]).latex() == rf"\Tree [.X [.T {latex} ] ]"


@pytest.mark.parametrize(
    "text",
    [
        "(X " * 50_000 + "(C c)" + ")" * 50_000,
        "(X (A a) " * 50_000 + "(C c)" + ")" * 50_000,
        "(X " + "(A a) " * 50_000 + ")",
    ],
    ids=["unary", "deep", "wide"],
)
def test_a_tree_of_50_000_levels_or_children_is_drawn(text: str):
    tree = read_tree(text)
    assert tree.svg().count("<text") == sum(2 if type(node) is Leaf else 1 for node in tree.nodes())
    assert tree.latex().count("[.") == sum(1 for _ in tree.nodes())
    assert len(re.findall(r"\bX\b", tree.pretty())) == sum(1 for _ in tree.phrases())


def test_levels_beyond_those_shown_are_counted():
    tree = read_tree("(X (A a) " * 100 + "(C c)" + ")" * 100)
    last = tree.pretty(width=10).splitlines()[-1]
    assert last.startswith("⋯40 more⋯ ")
    assert last.endswith("└─ C c")


def test_a_root_without_a_label_is_drawn():
    tree = read_tree("( (S (A a) (B b)))")
    assert tree.pretty(width=1).splitlines()[0] == "() ─ S"
    assert tree.pretty().splitlines()[2].strip() == "S"
    assert tree.latex() == r"\Tree [.{} [.S [.A a ] [.B b ] ] ]"


@pytest.mark.treebank
@pytest.mark.parametrize("name", ["en/masc/dev.txt", "ja/keyaki-open/dev.txt"])
def test_real_trees_are_drawn(name: str):
    for tree in sample(name, 50):
        assert len(texts(tree.svg())) == sum(1 for _ in tree.nodes()) + len(tree.words())
        assert tree.pretty(width=10_000).count("│") >= len(tree.words())
