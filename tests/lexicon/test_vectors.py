"""Word vectors: files of several formats, lookup, and errors that name the file and the line."""

from __future__ import annotations

import gzip

import pytest

np = pytest.importorskip("numpy")

from whorl.errors import VectorError
from whorl.lexicon.vectors import Vectors


@pytest.mark.parametrize("number", ["nan", "inf", "-Infinity", "1e39"])
def test_numbers_that_are_not_finite_are_an_error(tmp_path, number):
    path = tmp_path / "vectors.txt"
    path.write_text(f"3 2\nthe 1 2\nof 1 {number}\nand 3 4\n", encoding="utf-8")
    with pytest.raises(VectorError, match=r"vectors\.txt:3: the vector of 'of' holds NaN or"):
        Vectors.read(path)
    assert Vectors.read(path, limit=1).words == ["the"]
    assert Vectors.read(path, only={"and"}).words == ["and"]


def test_a_line_that_is_no_vector_is_an_error(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("the 1 2\nof 1 x\n", encoding="utf-8")
    with pytest.raises(VectorError, match=r"vectors\.txt:2: expected a word and 2 numbers, got"):
        Vectors.read(path)


def test_a_damaged_archive_is_an_error(tmp_path):
    content = bytearray(gzip.compress(b"".join(b"w%d 1 2\n" % n for n in range(999))))
    content[100] ^= 255
    (tmp_path / "vectors.gz").write_bytes(content)
    with pytest.raises(VectorError, match=r"vectors\.gz"):
        Vectors.read(tmp_path / "vectors.gz")


def test_word2vec_and_glove_plain_and_gzipped_read_alike(tmp_path):
    glove = "the 1 2 3\n. .5 -1 0\n"
    (tmp_path / "glove.txt").write_text(glove, encoding="utf-8")
    (tmp_path / "word2vec.txt").write_text("2 3\n" + glove, encoding="utf-8")
    with gzip.open(tmp_path / "both.txt.gz", "wt", encoding="utf-8") as file:
        file.write("2 3\n" + glove)
    for name in ("glove.txt", "word2vec.txt", "both.txt.gz"):
        vectors = Vectors.read(tmp_path / name)
        assert vectors.words == ["the", "."]
        assert vectors.table.tolist() == [[0, 0, 0], [1, 2, 3], [0.5, -1, 0]]


def test_a_limit_takes_the_first_vectors(tmp_path):
    (tmp_path / "v.txt").write_text("the 1 2\na 3 4\nof 5 6\n", encoding="utf-8")
    assert Vectors.read(tmp_path / "v.txt", limit=2).words == ["the", "a"]


def test_words_are_looked_up_as_written_then_lowered_then_with_zeros():
    vectors = Vectors(["The", "the", "0,000"], np.ones((4, 2), dtype=np.float32))
    assert vectors.encode(["The", "THE", "1,234", "other"]) == [1, 2, 3, 0]


def test_escapes_are_undone_for_vectors_that_have_none():
    table = np.ones((4, 2), dtype=np.float32)
    vectors = Vectors(['"', "(", "-lrb-"], table)
    assert vectors.encode(["``", "''", "-LRB-", "-RRB-", "“"]) == [1, 1, 3, 0, 1]


@pytest.mark.parametrize("text", ["the 1 2 3\na 1 2 x\n", "the 1 2 3\na 1\n", "", "2 3\n"])
def test_a_malformed_file_is_an_error_that_names_it(tmp_path, text):
    (tmp_path / "v.txt").write_text(text, encoding="utf-8")
    with pytest.raises(VectorError, match=r"v\.txt"):
        Vectors.read(tmp_path / "v.txt")


def test_a_missing_and_a_truncated_file_are_errors(tmp_path):
    with pytest.raises(VectorError, match="cannot read"):
        Vectors.read(tmp_path / "none.txt")
    data = gzip.compress(b"the 1 2 3\n" * 1000)
    (tmp_path / "cut.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(VectorError, match="cannot read"):
        Vectors.read(tmp_path / "cut.gz")
