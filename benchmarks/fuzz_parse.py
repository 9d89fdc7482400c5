"""Targets for `fuzz.py` that parse hundreds of odd sentences at once with a small exported model.

`parse` uses the API, `parse-cli` the command, in this process and with the model loaded once. Every
tree must be well formed and over exactly the tokens of its sentence, and no line may be lost.
"""

from __future__ import annotations

import atexit
import functools
import json
import math
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

from typer.testing import CliRunner

from whorl import parser as parsers
from whorl.cli.main import app
from whorl.engine import Parse
from whorl.escapes import canonical
from whorl.parser import Parser
from whorl.text import read_tokens, segment
from whorl.trees import Leaf, Tree, read_tree

__all__ = ["parse", "parse_cli", "seen"]

MANY = 1000  # sentences at once
COMMON = [
    "The",
    "public",
    "is",
    "still",
    "cautious",
    ".",
    "It",
    "works",
    "a",
    "tree",
    "of",
    "Rain",
    "Dogs",
    ",",
    "and",
]
ODD = [
    *"()[]{}<>\"'`.,;:!?-–—…*\\/_#$%&@+=|~^",
    *(
        "-LRB-",
        "-RRB-",
        "-LRB(",
        "(LRB-",
        "\\/",
        "\\*",
        "``",
        "''",
        "...",
        "--",
        "*T*-1",
        "0",
        "-NONE-",
        "TOP",
        "-",
    ),
    *(
        "U.S.",
        "Mr.",
        "e.g.",
        "can't",
        "'tis",
        "10:30",
        "$5",
        "1,000.50",
        "http://a.b/c?d=(e)",
        "a@b.cd",
        "and/or",
        "x-y",
    ),
    *(
        "\0",
        "\x01",
        "\x1b",
        "\x7f",
        "\x85",
        "\xa0",
        "\xad",
        "\u0301",
        "\u061c",
        "\u200b",
        "\u200d",
        "\u2028",
        "\u2029",
    ),
    *(
        "\u202e",
        "\u3000",
        "\ufe0f",
        "\ufeff",
        "\ufffd",
        "\uffff",
        "\U0001f600",
        "👩‍👩‍👧‍👦",
        "🇩🇪",
        "\U0010ffff",
        "\ue000",
    ),
    *(
        "日本語",
        "がぎぐ",
        "한국어",
        "שלום",
        "مرحبا",
        "ไทย",
        "नमस्ते",
        "ﬁ",
        "ß",
        "İ",
        "ǅ",
        "é",
        "e\u0301",
        "Ω",
        "x" * 50,
    ),
]
FORMATS = ["brackets"] * 12 + ["jsonl", "jsonl", "json", "conll", "conll", "pretty", "svg"]
NEWLINES = ["space", "paragraph", "paragraph", "sentence", "sentence"]
seen: Counter[str] = Counter()


model_folder: Path | None = None
"""The model to fuzz instead of the small one."""


@functools.cache
def model() -> Path:
    """Return `model_folder`, or train and export a small model, always the same."""
    if model_folder is not None:
        return model_folder
    from tests.exported import make_exported

    folder = tempfile.mkdtemp(prefix="fuzz-")
    atexit.register(shutil.rmtree, folder)
    return make_exported(Path(folder), "training.epochs=10")


@functools.cache
def parser() -> Parser:
    return Parser.load(model())


def token(rng: random.Random) -> str:
    """Return a word: a common one, odd ones, or random characters."""
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(COMMON)
    if kind < 0.8:
        return "".join(rng.choices(ODD, k=rng.choice([1, 1, 1, 2, 3])))
    if kind < 0.999:
        return "".join(
            chr(rng.choice([rng.randrange(128), rng.randrange(0xD800)]))
            for _ in range(rng.randrange(1, 6))
        )
    return rng.choice(ODD) * rng.choice([10, 10, 100, 100, 100, 5000])


def length(rng: random.Random) -> int:
    """Return the length of a sentence: usually short, sometimes thousands of words."""
    kind = rng.random()
    if kind < 0.9999:
        return (
            rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12])
            if kind < 0.995
            else rng.randrange(13, 80)
        )
    return rng.choice([129, 400, 1001, 5000])


def line(rng: random.Random) -> bytes:
    """Return a line without its end: words and white space, perhaps damaged, or random bytes."""
    if rng.random() < 0.1:
        return rng.randbytes(rng.randrange(40)).replace(b"\n", b"")
    gap = rng.choice([" ", " ", " ", "  ", "\t", "\r", "\v", " \f"])
    data = bytearray(gap.join(token(rng) for _ in range(length(rng))).replace("\n", " ").encode())
    if rng.random() < 0.1:
        for _ in range(rng.choice([1, 1, 10])):
            if data:
                data[rng.randrange(len(data))] = rng.choice(
                    [rng.randrange(11, 256), 0, 0xFF, 0xC0, 0xED]
                )
    return bytes(data).replace(b"\n", b"") + rng.choice([b"", b"", b"\r"])


def check_tree(tree: Tree, words: Sequence[str]) -> None:
    """Check that a tree is well formed, over exactly these words, and survives brackets."""
    leaves = tree.leaves()
    assert [leaf.word for leaf in leaves] == list(words)
    assert [leaf.left for leaf in leaves] == list(range(len(leaves)))
    for phrase in tree.phrases():
        assert phrase.children
        edges = [phrase.left, *(child.right for child in phrase.children)]
        assert edges[:-1] == [child.left for child in phrase.children]
        assert edges[-1] == phrase.right
    if not any(re.search("[ \t\r\n\f\v]", word) or not word for word in words):
        assert read_tree(str(tree)) == tree


def check_parses(parses: Sequence[Parse], words: Sequence[str]) -> None:
    """Check that parses are sorted and their probabilities are valid."""
    assert bool(parses) == bool(words)
    for parse in parses:
        check_tree(parse.tree, words)
        assert math.isfinite(parse.log_probability)
        assert parse.log_probability <= 1e-6
        probabilities = parse.probabilities()
        assert probabilities is not None
        assert len(probabilities) == sum(1 for _ in parse.tree.phrases())
        assert all(0 <= probability <= 1 + 1e-6 for probability in probabilities)
    scores = [parse.log_probability for parse in parses]
    assert scores == sorted(scores, reverse=True)


def parse(rng: random.Random) -> int:
    """Parse words, leaves or texts through the API."""
    beam = rng.choice([1] * 30 + [2, 4])
    batch = rng.choice([1, 16, 64] + [256] * 20 + [1000] * 10)
    count = MANY if batch > 64 and beam == 1 else 64
    if rng.random() < 0.6:
        sentences = [[token(rng) for _ in range(length(rng))] for _ in range(count)]
        inputs = [
            [Leaf("X", word) for word in words] if rng.random() < 0.1 else words
            for words in sentences
        ]
        n_best = rng.choice([1, beam])
        results = list(parser().pipe(inputs, batch_size=batch, beam=beam, n_best=n_best))
        assert len(results) == count
        for words, parses in zip(sentences, results, strict=True):
            assert len(parses) <= n_best
            check_parses(parses, [canonical(word) for word in words])
        seen["sentences of words"] += count
        return count
    texts = [
        line(rng).decode(errors=rng.choice(["replace", "surrogateescape"])) for _ in range(count)
    ]
    newline, hyphens = rng.choice(NEWLINES), rng.choice(["keep", "split"])
    documents = list(
        parser().pipe(texts, batch_size=batch, beam=beam, newline=newline, hyphens=hyphens)
    )
    for text, document in zip(texts, documents, strict=True):
        cut = segment(text, newline=newline, hyphens=hyphens)
        assert [sentence.token_spans for sentence in document] == [
            sentence.tokens for sentence in cut
        ]
        for sentence in document:
            check_parses(sentence.parses, sentence.words)
    seen["texts"] += count
    return count


def parse_cli(rng: random.Random) -> int:
    """Parse lines of bytes with `whorl parse`, as tokens or as text, in any format."""
    form = rng.choice(FORMATS)
    batch = rng.choice(["1", "64"] + ["256", "1000"] * 10)
    count = 16 if form in ("pretty", "svg") else MANY if len(batch) > 2 else 64
    lines = [line(rng) for _ in range(count)]
    data = b"\n".join(lines) + rng.choice([b"\n", b"\n", b""])
    if rng.random() < 0.02:
        data = b"\xef\xbb\xbf" + data
    text = decoded(data)
    tokens = rng.random() < 0.6
    options = ["--batch", batch, "--format", form]
    if tokens:
        expected = [read_tokens(one) for one in text.split("\n")]
        expected = (
            expected if text.endswith("\n") is False and text.split("\n")[-1] else expected[:-1]
        )
        options.append("--tokens")
    else:
        newline, hyphens = rng.choice(NEWLINES), rng.choice(["keep", "split"])
        expected = [sentence.words for sentence in segment(text, newline=newline, hyphens=hyphens)]
        options += ["--newline", newline, "--hyphens", hyphens]
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(parsers, "load", lambda *_, **__: parser()),
    ):
        if form == "svg":
            options += ["--out", folder]
        done = CliRunner().invoke(app, ["parse", *options], input=data, catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        check_output(form, done.stdout, expected, Path(folder))
    seen[f"lines as {'tokens' if tokens else 'text'} to {form}"] += count
    return count


def decoded(data: bytes) -> str:
    """Decode bytes as the command does."""
    text = data.decode(errors="surrogateescape").removeprefix("\ufeff")
    return re.sub("[\udc80-\udcff]", "\ufffd", text)


def check_output(form: str, text: str, expected: list[list[str]], folder: Path) -> None:
    """Check that every sentence is there, in order, with its words."""
    if form == "brackets":
        rows = text.split("\n")
        assert rows.pop() == ""
        assert len(rows) == len(expected)
        for row, words in zip(rows, expected, strict=True):
            assert (not row) == (not words)
            if words:
                check_tree(read_tree(row), words)
    elif form in ("json", "jsonl"):
        records = (
            json.loads(text)
            if form == "json"
            else [json.loads(row) for row in text.split("\n")[:-1]]
        )
        assert len(records) == len(expected)
        for record, words in zip(records, expected, strict=True):
            assert (record is None) == (not words)
            if record is not None:
                check_tree(read_tree(record["tree"]), words)
                assert [one["text"] for one in record["tokens"]] == words
    elif form == "conll":
        blocks = text.split("\n\n")
        assert blocks.pop() == ""
        assert [
            [row.split("\t")[1] for row in block.split("\n")[1:]] for block in blocks
        ] == expected
    elif form == "svg":
        assert len(list(folder.iterdir())) == sum(map(bool, expected))
        for path in folder.iterdir():
            ElementTree.parse(path)
    else:
        assert text.count("\n\n") >= sum(map(bool, expected))


TARGETS: dict[str, Callable[[random.Random], int]] = {"parse": parse, "parse-cli": parse_cli}
