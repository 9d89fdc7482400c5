"""Hypothesis strategies for words, labels, trees and bracketed text, all in one place."""

from __future__ import annotations

from hypothesis import strategies as st

from whorl.trees import (
    CHINESE,
    COLLINS,
    LEFT,
    RIGHT,
    HeadRules,
    Leaf,
    Node,
    Tree,
    format_tree,
    relabel,
)
from whorl.trees.heads import HeadStep

__all__ = [
    "any_head_rules",
    "bracket_noise",
    "chains",
    "gaps",
    "labels",
    "leaves",
    "spaced",
    "tags",
    "trees",
    "trees_without_stars",
    "words",
]

WHITE = " \t\r\n\f\v"
# Spaces and line ends that are not ASCII white space, escapes, halves of escapes, and what else has
# tripped readers.
ODD_WORDS = [
    "\u00a0",
    "\u3000",
    "\u0085",
    "\u2028",
    "\x1c",
    "\0",
    "\ufeff",
    "-LRB-",
    "-RRB-",
    "-LRB",
    "RB-",
    "LRB-",
]
PLAIN_WORDS = ["the", "'s", "--", "%", "don't", "0", "*T*-1", "日本", "naïve", "e\u0301"]

_character = st.characters(exclude_characters=WHITE, exclude_categories=("Cs",))
_atom_character = st.characters(exclude_characters=WHITE + "()", exclude_categories=("Cs",))

words = st.one_of(
    st.sampled_from(PLAIN_WORDS),
    st.text(_character, min_size=1, max_size=6),
    st.lists(st.sampled_from([*ODD_WORDS, "(", ")", "-", "a"]), min_size=1, max_size=5).map(
        "".join
    ),
)
tags = st.one_of(
    st.sampled_from(["NN", "DT", "-LRB-", "-NONE-", ".", "``", "PRP$"]),
    st.text(_atom_character, min_size=1, max_size=4),
)
labels = st.one_of(
    st.sampled_from(["S", "NP", "VP", "X", "NP-SBJ-1", "S|<VP>"]),
    st.text(_atom_character, min_size=1, max_size=4),
)
leaves = st.builds(Leaf, tags, words)


@st.composite
def trees(draw: st.DrawFn, max_words: int = 8, empty_roots: bool = True) -> Tree:
    """Trees of any shape, built by shifts and reduces: unaries, X over X, wide phrases."""
    stack: list[Node] = []
    count = draw(st.integers(1, max_words))
    for left in range(count):
        stack.append(Leaf(draw(tags), draw(words), left))
        for label, arity in draw(st.lists(st.tuples(labels, st.integers(1, 4)), max_size=3)):
            taken = stack[-arity:]
            stack[-arity:] = [Tree(label, taken)]
    root = Tree(draw(labels), stack)
    for label in draw(st.lists(labels, max_size=2)):
        root = Tree(label, [root])
    if empty_roots and draw(st.booleans()):
        root = Tree("", [root])
    return root


@st.composite
def chains(draw: st.DrawFn, max_depth: int = 3000) -> Tree:
    """Trees that are deep: a chain of phrases, some with a word on the left."""
    depth = draw(st.integers(1, max_depth))
    pattern = draw(st.lists(st.tuples(labels, st.booleans()), min_size=1, max_size=5))
    steps = [pattern[level % len(pattern)] for level in range(depth)]
    position = sum(beside for _, beside in steps)
    node: Node = Leaf("NN", draw(words), position)
    for label, beside in steps:
        position -= beside
        node = Tree(label, [Leaf("DT", "a", position), node] if beside else [node])
    return node if isinstance(node, Tree) else Tree("S", [node])


def trees_without_stars() -> st.SearchStrategy[Tree]:
    """Trees whose labels the binary system can hold: none ends in `*`, which it reserves."""
    return trees().map(lambda tree: relabel(tree, lambda label: label.rstrip("*")))


_steps = st.lists(
    st.builds(
        HeadStep,
        st.booleans(),
        st.lists(st.sampled_from(["NN", "DT", "NP", "VP", "S"])).map(tuple),
        st.booleans(),
    )
)
any_head_rules = st.one_of(
    st.sampled_from([COLLINS, CHINESE, LEFT, RIGHT]),
    st.builds(
        HeadRules,
        st.dictionaries(st.sampled_from(["S", "NP", "VP", "X"]), _steps),
        coordinators=st.sets(st.sampled_from(["NN", "X"])),
        punctuation=st.sets(st.sampled_from([".", "``"])),
    ),
)


gaps = st.text(st.sampled_from(WHITE), max_size=3)


@st.composite
def spaced(draw: st.DrawFn, tree: Node) -> str:
    """The brackets of a tree with other white space between the tokens."""
    parts = []
    for token in format_tree(tree).replace("(", " ( ").replace(")", " ) ").split(" "):
        if token:
            needed = bool(parts) and parts[-1] not in "()" and token not in "()"
            parts += [draw(gaps) or (" " if needed else ""), token]
    return "".join([*parts, draw(gaps)])


# Text that is hardly ever a tree, but made of what trees are made of.
bracket_noise = st.lists(
    st.sampled_from(
        [
            "(",
            ")",
            "(",
            ")",
            "\n(",
            "\n",
            "\n(S (A b))",
            " ",
            "(A b)",
            "(S ",
            "x",
            "\t",
            "\r\n",
            "-LRB-",
            "((",
        ]
    ),
    max_size=30,
).map("".join)
