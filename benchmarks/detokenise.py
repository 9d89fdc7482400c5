"""Raw text rebuilt from trees, with the offsets of the treebank's own tokens and sentences.

The treebanks come without their text, so the white space is a guess from words and tags: no space
before punctuation, clitics and closing marks or after opening ones, none around `HYPH` or between
numbers. Penn quotation marks become straight (`"`), and `U.S. .` at the end of a sentence gets one
period, as in print. A sentence that ends in a stop is followed by a space, any other (a heading, a
fragment of speech) by a blank line. Documents are kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from whorl.trees import Leaf, iter_trees

__all__ = ["Document", "documents"]

Span = tuple[int, int]

SURFACE = {"``": '"', "''": '"', "`": "'", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll|em)?)", re.IGNORECASE)
BEFORE = set(",.;:?!%)]}…") | {"...", "....", "™", "′"}
AFTER = set("([{$#€£~") | {"US$", "C$", "A$"}
TIGHT_TAGS = {"HYPH"}
TIGHT_SIGNS = {"/", "–", "−", "-", ":", "·"}  # if tagged as symbols
FUSED = {
    ("can", "not"),
    ("gon", "na"),
    ("wan", "na"),
    ("got", "ta"),
    ("gim", "me"),
    ("lem", "me"),
    ("'t", "is"),
    ("'t", "was"),
}
STOPS = {".", "?", "!", "...", "....", "…", "。", "!!", "?!"}
CLOSERS = {"''", '"', "'", ")", "]", "”", "’", "-RSB-"}


class Document(NamedTuple):
    """A text and the offsets of the tokens of each of its sentences."""

    text: str
    sentences: list[list[Span]]


def documents(file: Path) -> Iterator[Document]:
    """Yield the documents of a treebank file; its `.docs` file names the document of each line."""
    names = file.with_suffix(".docs").read_text(encoding="utf-8").split("\n")
    pairs = zip(iter_trees(file), names, strict=False)
    for _, group in groupby(pairs, key=lambda pair: pair[1]):
        yield _document([list(tree.leaves()) for tree, _ in group])


def _document(sentences: list[list[Leaf]]) -> Document:
    parts: list[str] = []
    spans: list[list[Span]] = []
    size = 0
    for leaves in sentences:
        spans.append([])
        for surface, space in _sentence(leaves):
            if space:
                parts.append(" ")
                size += 1
            parts.append(surface)
            spans[-1].append((size, size + len(surface)))
            size += len(surface)
        gap = " " if _stopped(leaves) else "\n\n"
        parts.append(gap)
        size += len(gap)
    return Document("".join(parts), spans)


def _stopped(leaves: list[Leaf]) -> bool:
    words = [leaf.word for leaf in leaves]
    while len(words) > 1 and words[-1] in CLOSERS:
        words.pop()
    return words[-1] in STOPS or (len(words[-1]) > 2 and words[-1].endswith("."))


def _sentence(leaves: list[Leaf]) -> Iterator[tuple[str, bool]]:
    """Yield the surface of each token and whether a space precedes it."""
    opened: set[str] = set()
    glued = True
    for at, leaf in enumerate(leaves):
        before = leaves[at - 1] if at else None
        after = leaves[at + 1] if at + 1 < len(leaves) else None
        surface = SURFACE.get(leaf.word, leaf.word.replace("\\/", "/").replace("\\*", "*"))
        if after is not None and after.word == "." and surface.endswith(".") and surface.strip("."):
            surface = surface[:-1]
        glue_before, glue_after = _glue(leaf, before, after, opened)
        yield surface, at > 0 and not (glued or glue_before)
        glued = glue_after


def _glue(
    leaf: Leaf, before: Leaf | None, after: Leaf | None, opened: set[str]
) -> tuple[bool, bool]:
    word, tag = leaf.word, leaf.tag
    if word in ('"', "'", "``", "''", "`", "“", "”", "‘", "’") and tag not in ("POS", "SYM"):
        family = "'" if word in "`'‘’" else '"'
        opens = word in ("``", "`", "“", "‘") or (
            word in ('"', "'") and (tag == "``" or family not in opened) and tag != "''"
        )
        if word == '"' and tag == "''" and family not in opened and after is not None:
            opens = True  # one treebank tags every quotation mark as closing
        (opened.add if opens else opened.discard)(family)
        return not opens, opens
    if tag == "POS" or (CLITIC.fullmatch(word) and tag not in ("``", "''")):
        return True, False
    if (
        tag in TIGHT_TAGS
        or (tag == "SYM" and word in TIGHT_SIGNS and before is not None)
        or word == "—"
    ):
        return True, True
    if before is not None and (before.word.lower(), word.lower()) in FUSED:
        return True, False
    return word in BEFORE, word in AFTER
