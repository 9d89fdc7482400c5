"""Word vectors from counts: which words are neighbours, and what becomes of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

torch = pytest.importorskip("torch")

from tests.toytext import toy_sentences
from whorl.cli.main import app
from whorl.errors import VectorError
from whorl.lexicon.vectors import Vectors
from whorl.pretraining import word_vectors
from whorl.pretraining.word_vectors import VectorSettings, learn_vectors, normal_form

TEXT = [sentence.split() for sentence in toy_sentences(400)]
SMALL = VectorSettings(dimension=4, least=1)
SENTENCES = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), max_size=8)


def nearest(vectors, word):
    """Return the other words, the most similar first."""
    table = vectors.table[1:] / np.linalg.norm(vectors.table[1:], axis=1, keepdims=True)
    similarity = table @ table[vectors.words.index(word)]
    return [vectors.words[row] for row in np.argsort(-similarity) if vectors.words[row] != word]


def test_words_with_the_same_neighbours_are_similar():
    vectors = learn_vectors(lambda: TEXT, SMALL)
    for words in ("cat dog bird fish", "cats dogs birds fishes", "sees likes hears", "the two"):
        for word in words.split():
            others = set(words.split()) - {word}
            assert set(nearest(vectors, word)[: len(others)]) == others, word


@given(SENTENCES, st.integers(1, 3), st.integers(1, 5))
def test_pairs_are_counted_by_place_whatever_the_chunks(sentences, window, contexts):
    words = list("abcd")  # e and f are rare
    settings = VectorSettings(window=window, contexts=contexts)
    known = words[:contexts]
    expected = Counter()
    for sentence in sentences:
        padded = ["<"] * window + sentence + [">"] * window
        for place, word in enumerate(sentence, window):
            for offset in (*range(-window, 0), *range(1, window + 1)):
                neighbour = padded[place + offset]
                if word in words and (neighbour in known or neighbour in "<>"):
                    expected[word, offset, neighbour] += 1
    pairs = word_vectors._Pairs(words, settings)
    for sentence in sentences:
        pairs.count(np.array(pairs.encode(sentence)))
    together = word_vectors._Pairs(words, settings)
    together.count(np.array([n for one in sentences for n in together.encode(one)], dtype=np.int64))
    assert pairs.keys.tolist() == together.keys.tolist()
    assert pairs.counts.tolist() == together.counts.tolist()
    offsets = [offset for offset in range(-window, window + 1) if offset]
    names = [*known, "<", ">"]
    counted = {}
    for key, count in zip(pairs.keys.tolist(), pairs.counts.tolist(), strict=True):
        word, column = divmod(key, pairs.columns)
        place, context = divmod(column, len(names))
        counted[words[word], offsets[place], names[context]] = count
    assert counted == expected


@given(st.integers(0, 100))
def test_the_first_singular_vectors_are_found(seed):
    random = torch.Generator().manual_seed(seed)
    dense = torch.randn(20, 30, generator=random) * (torch.rand(20, 30, generator=random) < 0.3)
    left, values = word_vectors._left_singular_vectors(dense.to_sparse(), 5, seed)
    expected = torch.linalg.svd(dense)
    assert torch.allclose(values, expected.S[:5], rtol=1e-4)
    for own, other in zip(left.t(), expected.U.t(), strict=False):
        assert abs(float(own @ other)) == pytest.approx(1, abs=1e-2)


def test_the_same_text_gives_the_same_vectors_in_chunks_of_any_size(monkeypatch):
    vectors = learn_vectors(lambda: TEXT, SMALL)
    monkeypatch.setattr(word_vectors, "_CHUNK", 100)
    others = learn_vectors(lambda: TEXT, SMALL)
    assert others.words == vectors.words
    assert np.array_equal(others.table, vectors.table)


def test_frequent_words_come_first_and_rare_ones_have_no_vector():
    text = [*TEXT, ["a", "rare", "word"], ["another", "rare", "word"]]
    vectors = learn_vectors(lambda: text, VectorSettings(dimension=4, least=2))
    counts = Counter(word for sentence in text for word in sentence)
    in_order = [counts[word] for word in vectors.words]
    assert in_order == sorted(in_order, reverse=True)
    assert {"rare", "word"} <= set(vectors.words)
    assert not {"a", "another"} & set(vectors.words)
    assert len(learn_vectors(lambda: text, VectorSettings(dimension=4, most=7)).words) == 7


def test_words_of_a_parser_are_found():
    text = [*TEXT, *[["The", "year", "1984", "(", "I", "said", ")"]] * 3]
    vectors = learn_vectors(lambda: text, SMALL)
    assert normal_form("1984") == "0000"
    assert 0 not in vectors.encode(["THE", "Year", "2026", "-LRB-", "("])


def test_too_little_text_is_an_error():
    with pytest.raises(
        VectorError, match=r"too little text for vectors: 3 different words occur 3"
    ):
        learn_vectors(lambda: [["a", "b", "c"]] * 3)


def test_the_command_writes_vectors_that_a_recipe_reads(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("\n".join(toy_sentences(400)) + "\n", encoding="utf-8")
    for name in ("v.txt", "v.txt.gz", "again.txt.gz"):
        arguments = ["vectors", str(text), "--out", str(tmp_path / name), "--dimension", "4"]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        assert "17 vectors of 4 numbers" in result.stderr
    plain, packed = (Vectors.read(tmp_path / name) for name in ("v.txt", "v.txt.gz"))
    assert plain.words == packed.words
    assert np.array_equal(plain.table, packed.table)
    assert (tmp_path / "again.txt.gz").read_bytes() == (tmp_path / "v.txt.gz").read_bytes()
    assert (tmp_path / "v.txt").read_text(encoding="utf-8").startswith("17 4\n")


def test_raw_text_is_cut_by_a_model(tmp_path):
    text = tmp_path / "text.txt"
    raw = [sentence.capitalize().replace(" .", ".") for sentence in toy_sentences(400)]
    text.write_text(" ".join(raw) + "\n", encoding="utf-8")
    out = tmp_path / "v.txt"
    arguments = ["vectors", str(text), "--model", "en", "--out", str(out), "--dimension", "4"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    expected = learn_vectors(lambda: TEXT, VectorSettings(dimension=4))
    read = Vectors.read(out)
    assert read.words == expected.words
    assert np.allclose(read.table, expected.table, atol=1e-3)


def test_text_that_cannot_be_read_is_an_error(tmp_path):
    out = str(tmp_path / "v.txt")
    for path, message in (
        ("missing.txt", "is neither a file nor a folder"),
        (".", "holds no text"),
    ):
        result = CliRunner().invoke(app, ["vectors", str(tmp_path / path), "--out", out])
        assert result.exit_code == 1
        assert message in result.stderr
    assert not list(tmp_path.iterdir())
