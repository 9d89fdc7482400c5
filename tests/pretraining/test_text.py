"""Raw text: files and their compression, plain words, sentences of running text."""

from __future__ import annotations

import gzip
import lzma

import pytest

pytest.importorskip("tokenizers")

from whorl.errors import CorpusError
from whorl.pretraining.text import sentences, text_files


def write(path, text):
    path.write_bytes(
        {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)(text.encode("utf-8"))
    )
    return path


def test_text_files_are_found_below_a_folder_by_name(tmp_path):
    (tmp_path / "sub").mkdir()
    names = ["b.txt", "a.txt.gz", "sub/c.xz"]
    for name in [*names, "README.md", "d.json"]:
        write(tmp_path / name, "x")
    assert [str(path.relative_to(tmp_path)) for path in text_files(tmp_path)] == [
        "a.txt.gz",
        "b.txt",
        "sub/c.xz",
    ]
    assert text_files(tmp_path / "b.txt") == [tmp_path / "b.txt"]


def test_a_folder_without_text_is_an_error(tmp_path):
    with pytest.raises(CorpusError, match=r"holds no text: expected files named .txt, .gz, .xz"):
        text_files(tmp_path)
    with pytest.raises(CorpusError, match="is neither a file nor a folder"):
        text_files(tmp_path / "none")


@pytest.mark.parametrize("name", ["t.txt", "t.txt.gz", "t.txt.xz"])
def test_a_line_of_tokens_is_a_sentence_of_plain_words(tmp_path, name):
    path = write(
        tmp_path / name, "\ufeffHe  said `` no '' -LRB- so … -RRB- .\r\n\n \nShe \u2019s in ."
    )
    assert list(sentences(path)) == ['He said " no " ( so ... ) .', "She 's in ."]


def test_running_text_is_split_into_sentences_and_words(tmp_path):
    text = (
        "Mr. Hall's well-known cat (aged 3.5) sat, e.g. “here”. It left... "
        "Then it came! why? No: 1,000 times.\n"
    )
    path = write(tmp_path / "t.txt", text)
    assert list(sentences(path)) == [
        'Mr . Hall\'s well-known cat ( aged 3.5 ) sat , e.g . " here " .',
        "It left ...",
        "Then it came ! why ?",
        "No : 1,000 times .",
    ]
    assert list(sentences(path, "spaces")) == [text.strip().replace("“", '"').replace("”", '"')]


def test_text_without_punctuation_is_not_split(tmp_path):
    assert list(sentences(write(tmp_path / "t.txt", "我 是 中国 人\n"))) == ["我 是 中国 人"]


def test_invalid_utf8_and_endless_lines_are_read(tmp_path):
    path = tmp_path / "t.txt"
    path.write_bytes(b"a \xff b\n" + b"word " * 40_000)
    lines = list(sentences(path))
    assert lines[0] == "a \ufffd b"
    assert len(lines) > 3
    assert all(len(line) <= 1 << 16 for line in lines)


@pytest.mark.parametrize("name", ["t.gz", "t.xz"])
def test_a_truncated_file_is_an_error_that_names_it(tmp_path, name):
    path = write(tmp_path / name, "".join(f"word {n} .\n" for n in range(5000)))
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(CorpusError, match=f"cannot read the text .*{name}"):
        list(sentences(path))
    path.write_bytes(b"no such compression")
    with pytest.raises(CorpusError, match=f"cannot read the text .*{name}"):
        list(sentences(path))
