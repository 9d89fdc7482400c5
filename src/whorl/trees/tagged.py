"""Tagged sentences in text files: lines of `word_TAG`, or columns.

In columns, each line is a word, a tab and a tag, and an empty line ends a sentence. A file with a
tab is in columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from whorl.errors import TreebankError
from whorl.trees.tree import Leaf, Tree

__all__ = ["column_tags", "tagged_line"]

# As in bracketed files, a no-break space is part of a word.
_WORD = re.compile(r"[^ \t\r\n\f\v]+")


class _Token(NamedTuple):
    line: int
    leaf: Leaf


def tagged_line(line: str, *, source: str, number: int) -> list[Leaf]:
    """Parse a line such as `It_PRP works_VBZ`; the last underscore separates word and tag."""
    leaves = []
    for place, word in enumerate(_WORD.findall(line)):
        form, mark, tag = word.rpartition("_")
        if not (form and mark and tag):
            raise TreebankError(f"{source}:{number}: expected word_TAG, not {word!r}")
        leaves.append(Leaf(tag, form, place))
    return leaves


def column_tags(path: str | Path, trees: Sequence[Tree]) -> list[list[str]]:
    """Read the tags of the words of these trees; the file must have the same words."""
    sentences = list(_sentences(Path(path)))
    for sentence, tree in zip(sentences, trees, strict=False):
        words = tree.words()
        for token, word in zip(sentence, words, strict=False):
            if token.leaf.word != word:
                raise TreebankError(
                    f"{path}:{token.line}: expected the word {word!r}, found {token.leaf.word!r}"
                )
        if len(sentence) != len(words):
            raise TreebankError(
                f"{path}:{sentence[-1].line}: expected a sentence of {len(words)} words, "
                f"found {len(sentence)}"
            )
    if len(sentences) != len(trees):
        raise TreebankError(
            f"{path}: expected {len(trees)} sentences, one for each tree, found {len(sentences)}"
        )
    return [[token.leaf.tag for token in sentence] for sentence in sentences]


def _sentences(path: Path) -> Iterator[list[_Token]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TreebankError(f"cannot read the tags in {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TreebankError(f"{path}: undecodable byte at {error.start}; expected UTF-8") from error
    lines = enumerate(text.split("\n"), start=1)
    if "\t" in text:
        yield from _columns(lines, str(path))
        return
    for number, line in lines:
        if line.strip():
            yield [
                _Token(number, leaf) for leaf in tagged_line(line, source=str(path), number=number)
            ]


def _columns(lines: Iterator[tuple[int, str]], source: str) -> Iterator[list[_Token]]:
    sentence: list[_Token] = []
    for number, line in lines:
        parts = line.rstrip("\r").split("\t")
        if parts == [""]:
            if sentence:
                yield sentence
            sentence = []
            continue
        if len(parts) != 2 or not all(parts):
            raise TreebankError(
                f"{source}:{number}: expected a word, a tab and a tag, not {line[:60]!r}"
            )
        sentence.append(_Token(number, Leaf(parts[1].strip(), parts[0], len(sentence))))
    if sentence:
        yield sentence
