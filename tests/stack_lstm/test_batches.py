"""Vectors from files, words by shape, and the traces of sequences."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

pytest.importorskip("numpy")

from whorl.errors import VectorError
from whorl.lexicon.characters import WIDTH, Characters
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words, shape_class
from whorl.oracles import static_oracle
from whorl.stack_lstm.trace import Composition, trace
from whorl.transitions import make_system
from whorl.trees import COLLINS, read_tree

SENTENCE = (
    "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))"
)


class TestVectors:
    def test_word2vec_and_glove_plain_and_gzipped_read_alike(self, tmp_path):
        glove = "the 1 2 3\n. .5 -1 0\n"
        (tmp_path / "glove.txt").write_text(glove, encoding="utf-8")
        (tmp_path / "word2vec.txt").write_text("2 3\n" + glove, encoding="utf-8")
        with gzip.open(tmp_path / "both.txt.gz", "wt", encoding="utf-8") as file:
            file.write("2 3\n" + glove)
        for name in ("glove.txt", "word2vec.txt", "both.txt.gz"):
            vectors = Vectors.read(tmp_path / name)
            assert vectors.words == ["the", "."]
            assert vectors.table.tolist() == [[0, 0, 0], [1, 2, 3], [0.5, -1, 0]]

    def test_a_limit_takes_the_first_vectors(self, tmp_path):
        (tmp_path / "v.txt").write_text("the 1 2\na 3 4\nof 5 6\n", encoding="utf-8")
        assert Vectors.read(tmp_path / "v.txt", limit=2).words == ["the", "a"]

    def test_words_are_looked_up_as_written_then_lowered_then_with_zeros(self):
        vectors = Vectors(["The", "the", "0,000"], np.ones((4, 2), dtype=np.float32))
        assert vectors.encode(["The", "THE", "1,234", "other"]) == [1, 2, 3, 0]

    def test_escapes_are_undone_for_vectors_that_have_none(self):
        table = np.ones((4, 2), dtype=np.float32)
        assert Vectors(['"', "(", "-lrb-"], table).encode(["``", "''", "-LRB-", "-RRB-", "“"]) == [
            1,
            1,
            3,
            0,
            1,
        ]

    @pytest.mark.parametrize("text", ["the 1 2 3\na 1 2 x\n", "the 1 2 3\na 1\n", "", "2 3\n"])
    def test_a_malformed_file_is_an_error_that_names_it(self, tmp_path, text):
        (tmp_path / "v.txt").write_text(text, encoding="utf-8")
        with pytest.raises(VectorError, match=r"v\.txt"):
            Vectors.read(tmp_path / "v.txt")

    def test_a_missing_and_a_truncated_file_are_errors(self, tmp_path):
        with pytest.raises(VectorError, match="cannot read"):
            Vectors.read(tmp_path / "none.txt")
        data = gzip.compress(b"the 1 2 3\n" * 1000)
        (tmp_path / "cut.gz").write_bytes(data[: len(data) // 2])
        with pytest.raises(VectorError, match="cannot read"):
            Vectors.read(tmp_path / "cut.gz")


class TestWords:
    def test_unknown_words_have_classes_by_shape(self):
        classes = [
            shape_class(word, first=False)
            for word in ("Walking", "walking", "IBM", "1,234", "mid-1990s", "iPhones")
        ]
        assert classes == [
            "<unk-CAP-ing>",
            "<unk-lower-ing>",
            "<unk-CAPS>",
            "<unk-NUM>",
            "<unk-lower-num-dash>",
            "<unk-MIXED-s>",
        ]
        assert shape_class("Walking", first=True) != shape_class("Walking", first=False)

    def test_a_word_seen_once_gives_its_class_a_number(self):
        words = Words.of([["a", "walking", "a"], ["b", "b"]])
        assert words.singletons == {"walking"}
        assert words.encode(["a", "jumping", "Zzz"]) == [
            words.index["a"],
            words.index["<unk-lower-ing>"],
            0,
        ]

    def test_escapes_are_undone_for_words_that_were_seen_without(self):
        words = Words.of([['"', '"', "``", "``", "(", "("]])
        assert words.encode(["<unk>"]) == [0]
        assert words.encode(["``", "''", "-LRB-"]) == [
            words.index["``"],
            words.index['"'],
            words.index["("],
        ]


@pytest.mark.parametrize("system", ["nonbinary", "binary", "topdown", "inorder"])
def test_a_trace_knows_every_composition_and_every_state(system):
    tree = read_tree(SENTENCE)
    machine = make_system(system)
    state = machine.initial(tree.leaves())
    effects, sizes = [], []
    for transition in static_oracle(tree, system, heads=COLLINS):
        effects.append(machine.effect(state, transition))
        sizes.append(state.size)
        state = machine.apply(state, transition)
    result = trace(6, effects)
    built = [element for element in result.created if isinstance(element, Composition)]
    children = [child for phrase in built for child in phrase.children]
    assert len(children) == len(set(children))
    assert [result.depths[top] for top in result.tops] == sizes
    assert len(built) == (7 if system == "binary" else 5)
    if system == "binary":  # the head comes first: `public` is word 1
        assert built[0].children == (1, 0)


def test_a_limit_keeps_the_most_frequent_words_and_classes_for_the_others():
    sentences = [["the", "dog", "sees", "the", "cat"], ["the", "dog", "sleeps"]]
    words = Words.of(sentences, limit=2)
    assert [word for word in words.words if not word.startswith("<")] == ["dog", "the"]
    assert words.encode(["the", "cat"]) == [words.index["the"], words.unknown("cat", first=False)]
    assert words.unknown("cat", first=False) > 0
    assert not words.singletons
    assert Words.of(sentences).singletons == {"sees", "cat", "sleeps"}


def test_characters_are_rows_of_one_width_and_long_words_keep_both_ends():
    characters = Characters.of(["abc", "abc", "xyz"])
    rows = characters.encode(["ab", "q", "a" * 30 + "c" * 10, ""])
    assert rows.shape == (4, WIDTH)
    a, b, c = (characters.index[letter] for letter in "abc")
    assert rows[0].tolist() == [a, b] + [0] * (WIDTH - 2)
    assert rows[1, :2].tolist() == [1, 0]
    assert rows[2].tolist() == [a] * (WIDTH // 2) + [c] * (WIDTH // 2)
    assert not rows[3].any()
    assert "x" not in characters.index  # seen once
