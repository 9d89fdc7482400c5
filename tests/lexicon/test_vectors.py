"""Files of word vectors that cannot be used are errors that name the file and the line."""

from __future__ import annotations

import gzip

import pytest

pytest.importorskip("numpy")

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
