"""Hypothesis strategies for trees."""

from __future__ import annotations

from hypothesis import strategies as st

from whorl.trees import Leaf, Tree

LABELS = ["S", "NP", "VP", "PP", "X", "NP-SBJ"]
TAGS = ["NN", "VBD", "CC", ",", "-LRB-", "*"]


def leaves() -> st.SearchStrategy[Leaf]:
    return st.builds(Leaf, st.sampled_from(TAGS), st.sampled_from(["a", "dog", "*", "犬", "ﬁ"]))


def trees(labels: list[str] = LABELS) -> st.SearchStrategy[Tree]:
    """Trees of any shape, X over X included."""
    phrase = st.sampled_from(labels)
    nodes = st.recursive(
        leaves(),
        lambda below: st.builds(Tree, phrase, st.lists(below, min_size=1, max_size=6)),
        max_leaves=25,
    )
    return st.builds(Tree, phrase, st.lists(nodes, min_size=1, max_size=6))
