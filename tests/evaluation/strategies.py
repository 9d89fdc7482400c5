"""Hypothesis strategies for pairs of trees over the same words."""

from hypothesis import strategies as st

from whorl.evaluation import Parameters
from whorl.trees import Leaf, Node, Tree

labels = st.sampled_from(["S", "NP", "VP", "ADVP", "PRT", "NP-SBJ", "PP=2", "TOP"])
words = st.lists(st.sampled_from(["the", "dog", "barks", "(", ","]), min_size=1, max_size=10)


def _tag(word: str) -> st.SearchStrategy[str]:
    """Tag commas alike: COLLINS deletes them, so both trees keep the same words."""
    return st.just(",") if word == "," else st.sampled_from(["DT", "NN", "ADVP", "PRT"])


@st.composite
def trees_over(draw: st.DrawFn, sentence: list[str]) -> Tree:
    parts: list[Node] = [Leaf(draw(_tag(word)), word) for word in sentence]
    for _ in range(draw(st.integers(0, 2 * len(sentence)))):
        left = draw(st.integers(0, len(parts) - 1))
        right = draw(st.integers(left + 1, len(parts)))
        parts[left:right] = [Tree(draw(labels), parts[left:right])]
    return Tree(draw(labels), parts)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    sentence = draw(words)
    return draw(trees_over(sentence)), draw(trees_over(sentence))


trees = words.flatmap(trees_over)
corpora = st.lists(pairs(), min_size=1, max_size=6)
parameters = st.builds(
    Parameters,
    labelled=st.booleans(),
    delete=st.frozensets(st.sampled_from(["TOP", ",", "VP"])),
    equal_labels=st.frozensets(
        st.tuples(st.sampled_from(["S", "NP", "VP", "DT"]), st.sampled_from(["NP", "PP", "NN"]))
    ),
)
