"""Raw text rebuilt from trees, with the offsets of the treebank's own tokens and sentences.

The treebanks come without their text, so the white space is a guess from words and tags: no space
before punctuation, clitics and closing marks or after opening ones, none around `HYPH` or between
numbers, except after a hyphen that stands for the rest of a word (`pre- and post-war`). The signs
of a genotype lean on a noun before them (`Bmp7-/- mice`). Penn quotation marks become straight
(`"`), and `U.S. .` at the end of a sentence gets one period, as in print. A sentence that ends in a
stop is followed by a space, any other (a heading, a fragment of speech) by a blank line. Documents
are kept apart.
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
GENOTYPE = re.compile(r"[-−–+]/[-−–+]")
NOUNS = {"NN", "NNP"}
NUMBERED = {"CD", "NN", "NNS", "NNP", "SYM", "HYPH", "-LRB-"}  # before a minus that joins
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
    signs = _genotypes(leaves)
    for at, leaf in enumerate(leaves):
        before = leaves[at - 1] if at else None
        after = leaves[at + 1] if at + 1 < len(leaves) else None
        surface = SURFACE.get(leaf.word, leaf.word.replace("\\/", "/").replace("\\*", "*"))
        if after is not None and after.word == "." and surface.endswith(".") and surface.strip("."):
            surface = surface[:-1]
        if at in signs:
            glue_before, glue_after = signs[at]
        else:
            glue_before, glue_after = _glue(leaf, before, after, opened)
        if _is_suspended(leaves, at):
            glue_after = False
        yield surface, at > 0 and not (glued or glue_before)
        glued = glue_after


def _genotypes(leaves: list[Leaf]) -> dict[int, tuple[bool, bool]]:
    """Return, for each sign of a genotype such as `- / -`, whether its neighbours are closed up."""
    signs = {}
    for at in range(len(leaves) - 2):
        if GENOTYPE.fullmatch("".join(leaf.word for leaf in leaves[at : at + 3])):
            signs[at] = (at > 0 and leaves[at - 1].tag in NOUNS, True)
            signs[at + 1] = (True, True)
            signs[at + 2] = (True, at + 3 < len(leaves) and leaves[at + 3].tag == "HYPH")
    return signs


def _is_suspended(leaves: list[Leaf], at: int) -> bool:
    """Return whether a hyphen stands for the rest of a word, as in `pre- and post-war`."""
    if leaves[at].tag not in TIGHT_TAGS or leaves[at].word == "/" or at + 2 >= len(leaves):
        return False
    after = leaves[at + 1 : at + 4]
    if after[1].tag in TIGHT_TAGS:
        return False  # `up-and-coming`
    if after[0].word == "to":
        return len(after) > 2 and after[2].tag in TIGHT_TAGS  # `2- to 3-fold`
    return after[0].tag == "CC"


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
    if word in "-−" and tag == "SYM" and after is not None and after.tag == "CD":
        return before is None or before.tag in NUMBERED, True
    if (
        tag in TIGHT_TAGS
        or (tag == "SYM" and word in TIGHT_SIGNS and before is not None)
        or word == "—"
    ):
        return True, True
    if before is not None and (before.word.lower(), word.lower()) in FUSED:
        return True, False
    return word in BEFORE, word in AFTER
