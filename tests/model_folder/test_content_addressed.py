"""Files named after their content: missing, truncated, exchanged or too large ones are errors."""

from __future__ import annotations

import pytest

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_file, read_named, write_named


def test_what_is_written_is_read_by_the_name_returned(tmp_path):
    name = write_named(tmp_path, "weights", ".bin", b"data")
    assert name == "weights-3a6eb0790f39.bin"
    assert read_named(tmp_path / name) == b"data"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_missing_file_is_an_error_that_names_it(tmp_path):
    with pytest.raises(ModelError, match=r"cannot read .*weights-0\.bin: No such file"):
        read_named(tmp_path / "weights-0.bin")


@pytest.mark.parametrize("data", [b"", b"dat", b"date", b"data+"])
def test_a_file_with_other_content_is_damaged(tmp_path, data):
    path = tmp_path / write_named(tmp_path, "weights", ".bin", b"data")
    path.write_bytes(data)
    with pytest.raises(ModelError, match=rf"is damaged: .* \({len(data)} bytes\)"):
        read_named(path)


def test_a_limit_is_the_most_bytes_that_are_read(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    assert read_file(tmp_path / "file", limit=5) == b"12345"
    with pytest.raises(ModelError, match="is too large: 5 bytes, expected 4 at most"):
        read_file(tmp_path / "file", limit=4)


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(ModelError, match="is not a regular file"):
        read_file(tmp_path, limit=5)
