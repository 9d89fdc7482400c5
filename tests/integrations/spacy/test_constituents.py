"""Constituents of documents agree with a slow reading of the trees themselves."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.vocab import Vocab
from tests import strategies

from whorl.integrations.spacy.constituents import SPACE_TAG, attach_spaces
from whorl.spacy import NonConstituentException, doc_from_trees, set_trees
from whorl.trees import Leaf, Tree, map_words, remove_traces, strip_root

VOCAB = Vocab()


def numbered(tree):
    """The tree with words that are all different and no white space."""
    words = iter(range(10_000))
    return map_words(tree.at(0), lambda _: f"w{next(words)}")


trees = strategies.trees().map(numbered)


def chains(tree):
    """The labels over each stretch of tokens, by a scan of all phrases; words have none."""
    labels = {(leaf.left, leaf.right): () for leaf in tree.leaves()}
    for phrase in tree.phrases():
        key = phrase.left, phrase.right
        labels[key] = (*labels.get(key, ()), phrase.label)
    return labels


def pre_order(spans):
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def place(span):
    return None if span is None else (span.start, span.end)


@given(st.lists(trees, min_size=1, max_size=3))
def test_every_span_has_the_labels_and_relatives_that_the_tree_gives_it(forest):
    doc = doc_from_trees(VOCAB, forest)
    offset = 0
    for sentence, tree in zip(doc.sents, map(strip_root, forest), strict=True):
        expected = chains(tree)
        for left in range(len(sentence)):
            for right in range(left + 1, len(sentence) + 1):
                span = doc[offset + left : offset + right]
                if (left, right) not in expected:
                    with pytest.raises(NonConstituentException, match="not a constituent"):
                        _ = span._.labels
                    continue
                inside = [s for s in pre_order(expected) if left <= s[0] and s[1] <= right]
                around = [s for s in expected if s[0] <= left and right <= s[1]]
                wider = [s for s in around if s != (left, right)]
                found = [place(c) for c in span._.constituents]
                assert span._.labels == expected[left, right]
                assert found == [(offset + a, offset + b) for a, b in inside]
                parent = min(wider, key=lambda s: s[1] - s[0], default=None)
                assert place(span._.parent) == (parent and (offset + parent[0], offset + parent[1]))
                below = [c for c in span._.constituents if place(c._.parent) == place(span)]
                assert list(span._.children) == below
                assert span._.probability is None
        offset += len(sentence)


@given(st.lists(trees, min_size=1, max_size=3))
def test_trees_and_their_parts_come_back_equal(forest):
    doc = doc_from_trees(VOCAB, forest)
    assert doc._.trees == [strip_root(tree) for tree in forest]
    for sentence, tree in zip(doc.sents, doc._.trees, strict=True):
        assert sentence._.tree == tree
        assert sentence._.parse_string == str(tree)
        for span in sentence._.constituents:
            part = span._.tree
            leaves = part.leaves() if type(part) is Tree else [part]
            assert [leaf.left for leaf in leaves] == list(range(len(span)))
            assert str(part) in str(tree)
    for token in doc:
        span = doc[token.i : token.i + 1]
        assert token._.labels == span._.labels
        assert token._.parse_string == span._.parse_string
        assert place(token._.parent) == place(span._.parent)


@given(trees, st.lists(st.integers(0, 8), max_size=6))
def test_white_space_becomes_a_child_of_the_lowest_phrase_over_both_neighbours(tree, gaps):
    tree = strip_root(tree)
    gaps = sorted(min(gap, tree.right) for gap in gaps)
    spaces = [gap + number for number, gap in enumerate(gaps)]
    attached = attach_spaces(tree, spaces)
    tags = attached.tags()
    assert [number for number, tag in enumerate(tags) if number in spaces] == spaces
    assert all(tags[number] == SPACE_TAG for number in spaces)
    assert len(tags) == tree.right + len(spaces)
    assert [leaf.left for leaf in attached.leaves()] == list(range(len(tags)))
    as_traces = attached.rebuild(
        leaf=lambda leaf: Leaf("-NONE-", "*") if leaf.left in spaces else Leaf("T", leaf.word),
        phrase=lambda node, children: Tree(node.label, children),
    )
    assert remove_traces(as_traces) == tree.rebuild(
        leaf=lambda leaf: Leaf("T", leaf.word),
        phrase=lambda node, children: Tree(node.label, children),
    )
    for space in spaces:
        words = [number for number in range(len(tags)) if number not in spaces]
        before = max((number for number in words if number < space), default=None)
        after = min((number for number in words if number > space), default=None)
        above = next(
            phrase
            for phrase in attached.phrases()
            if any(type(child) is Leaf and child.left == space for child in phrase.children)
        )
        if before is None or after is None:
            assert above is attached
            continue
        over = [p for p in attached.phrases() if p.left <= before and after < p.right]
        assert above is over[-1], "phrases come parents first, so the lowest is the last"


@given(st.lists(trees, min_size=1, max_size=3), st.data())
def test_trees_fit_documents_with_white_space_tokens(forest, data):
    words, starts, spaces = [], [], st.sampled_from([[], [], ["\n"], ["  ", "\n\n"]])
    for tree in forest:
        starts.append(len(words))
        for word in tree.words():
            words += [word, *data.draw(spaces)]
    doc = Doc(VOCAB, words=words, sent_starts=[n in starts for n in range(len(words))])
    set_trees(doc, forest)
    for sentence in doc.sents:
        assert len(sentence._.tree.leaves()) == len(sentence)
        leaves = [child for child in sentence._.constituents if len(child) == 1]
        assert [leaf.start for leaf in leaves] == list(range(sentence.start, sentence.end))
    assert [len(tree.leaves()) for tree in doc._.trees] == [len(s) for s in doc.sents]


def test_an_empty_span_is_no_constituent():
    doc = doc_from_trees(VOCAB, [Tree("S", [Leaf("A", "a"), Leaf("B", "b")])])
    for place_ in (0, 1, 2):
        with pytest.raises(NonConstituentException):
            _ = doc[place_:place_]._.labels


def test_a_span_across_sentences_is_no_constituent():
    tree = Tree("S", [Leaf("A", "a"), Leaf("B", "b")])
    doc = doc_from_trees(VOCAB, [tree, tree])
    with pytest.raises(NonConstituentException):
        _ = doc[0:4]._.labels
    assert doc[2:4]._.labels == ("S",)


def test_a_deep_tree_needs_no_recursion():
    tree: Tree | Leaf = Leaf("T", "w", 4000)
    for left in range(3999, -1, -1):
        tree = Tree("X", [Leaf("T", "w", left), tree])
    doc = doc_from_trees(VOCAB, [tree])
    assert doc._.trees == [tree]
    assert len(list(doc[3999:4001]._.children)) == 2
    assert len(list(doc[:]._.constituents)) == 8001
