r"""Reading and writing bracketed trees.

The reader takes one tree a line or trees spread over lines, several in a file, with or without a root label.
It first tries a fast pass (one regular expression, one loop). Only where that meets something odd does a
careful pass read the same text again, token by token, to say exactly what is wrong and where.

Only ASCII white space separates: a no-break space or an ideographic space is part of a word.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from whorl.errors import BracketError, TreeError
from whorl.trees.tree import Leaf, Node, Tree, make_leaf, make_tree, unescape

__all__ = ["format_tree", "iter_forests", "iter_trees", "read_tree", "read_trees", "write_trees"]

_SPACE = r"[ \t\r\n\f\v]"
_ATOM = r"[^ \t\r\n\f\v()]"
# label, word (of a whole leaf), run of closing brackets, stray word
_FAST = re.compile(rf"\({_SPACE}*({_ATOM}*)(?:{_SPACE}+({_ATOM}+){_SPACE}*\))?|(\)(?:{_SPACE}*\))*)|({_ATOM}+)")
_TOKEN = re.compile(rf"[()]|{_ATOM}+")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BRACKET = re.compile(r"[()]")
_UNCLOSED = "unclosed bracket: no closing bracket matches it"
_NOT_AN_ATOM = re.compile(r"[ \t\r\n\f\v()]")
_BLOCK = 1 << 18  # characters read from a file at a time


class _Odd(Exception):  # noqa: N818 - a signal from the fast pass, never seen outside
    """The fast pass met something that the careful pass must explain."""


def read_tree(text: str, *, source: str = "<string>") -> Tree:
    """Read exactly one tree from a string."""
    trees = read_trees(text, source=source)
    if len(trees) != 1:
        raise TreeError(f"{source}: expected exactly one tree, found {len(trees)}")
    return trees[0]


def read_trees(
    text: str, *, source: str = "<string>", skipped: list[BracketError] | None = None, first_line: int = 1
) -> list[Tree]:
    """Read all trees in a string.

    Where the text is not a tree, raise `BracketError`; or, given a list `skipped`, append the error to it, go
    on at the next line that opens a tree in its first column, and leave nothing else out.
    """
    forest = _read(text, source=source, skipped=skipped, first_line=first_line, bare=False)
    return cast("list[Tree]", forest)  # without `bare` the reader lets no leaf stand alone


def iter_trees(file: str | Path | IO[str], *, skipped: list[BracketError] | None = None) -> Iterator[Tree]:
    """Read the trees of a file one after another, in bounded memory. `-` is standard input."""
    with _opened(file) as (stream, source):
        for text, first_line in _chunks(stream, source):
            yield from read_trees(text, source=source, skipped=skipped, first_line=first_line)


def iter_forests(file: str | Path | IO[str], *, skipped: list[BracketError] | None = None) -> Iterator[list[Node]]:
    """Read a file line by line: each line is a sentence, of any number of trees, bare tagged words included.

    This is how EVALB reads. A line that holds brackets but no words, such as `(())`, which some parsers print
    for a failure, is an empty sentence. A line that cannot be read is an empty sentence too when the errors
    are collected in `skipped`.
    """
    with _opened(file) as (stream, source):
        for number, line in enumerate(_decoded(stream, source), start=1):
            if not line.strip("() \t\r\n\f\v"):
                yield []
                continue
            before = len(skipped) if skipped is not None else 0
            forest = _read(line, source=source, skipped=skipped, first_line=number, bare=True)
            yield [] if skipped is not None and len(skipped) > before else forest


def format_tree(tree: Node, *, multiline: bool = False) -> str:
    """Write a tree in brackets: on one line, or spread over lines as in the Penn Treebank.

    Spread over lines, each phrase begins a line of its own, and so does a word that follows a phrase.
    """
    if type(tree) is Leaf:
        return _format_leaf(tree)
    parts: list[str] = []
    depth = 0
    after_phrase = True
    pending: list[Node | None] = [tree]  # None closes the phrase that is open
    while pending:
        node = pending.pop()
        if node is None:
            parts.append(")")
            depth -= 1
            after_phrase = True
            continue
        breaks = multiline and (after_phrase or type(node) is Tree)
        parts.append("\n" + "  " * depth if breaks else " ")
        after_phrase = False
        if type(node) is Leaf:
            parts.append(_format_leaf(node))
        else:
            parts.append(f"({_atom(node.label, 'label') if node.label else ''}")
            depth += 1
            pending.append(None)
            pending.extend(node.children[::-1])
    return "".join(parts)[1:]


def write_trees(trees: Iterable[Node], file: IO[str], *, multiline: bool = False) -> int:
    """Write trees to an open file, each ending its line, and return how many there were."""
    count = 0
    for count, tree in enumerate(trees, start=1):  # noqa: B007 - the count is the result
        file.write(format_tree(tree, multiline=multiline) + "\n")
    return count


def _format_leaf(leaf: Leaf) -> str:
    return f"({_atom(leaf.tag, 'tag')} {_escape(leaf.word)})"


def _atom(text: str, what: str) -> str:
    if not text:
        raise TreeError(f"cannot write an empty {what} in brackets")
    if _NOT_AN_ATOM.search(text):
        raise TreeError(f"cannot write the {what} {text!r} in brackets: it holds white space or a bracket")
    return text


def _escape(word: str) -> str:
    if "(" in word or ")" in word:
        word = word.replace("(", "-LRB-").replace(")", "-RRB-")
    return _atom(word, "word")


@contextmanager
def paused_gc() -> Iterator[None]:
    """Hold the cyclic garbage collector back while many small acyclic objects are made."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(text: str, *, source: str, skipped: list[BracketError] | None, first_line: int, bare: bool) -> list[Node]:
    try:
        with paused_gc():
            return _fast_pass(text, bare)
    except _Odd:
        return _careful_pass(text, source, skipped, first_line, bare)


def _fast_pass(text: str, bare: bool) -> list[Node]:
    """Read well-formed text as fast as Python can; raise `_Odd` at anything else."""
    trees: list[Node] = []
    children = trees
    label = ""
    left = position = 0
    above: list[tuple[str, list[Node], int]] = []
    escapes = "RB-" in text
    intern = sys.intern
    for name, word, close, stray in _FAST.findall(text):
        if word:
            children.append(make_leaf(intern(name), unescape(word) if escapes else word, position))
            position += 1
            if not above:
                if not bare:
                    raise _Odd
                position = 0
        elif close:
            for _ in range(close.count(")")):
                if not children or not above:
                    raise _Odd
                node = make_tree(label, tuple(children), left, position)
                label, children, left = above.pop()
                children.append(node)
                if not above:
                    position = 0
        elif stray or (above and not name):
            raise _Odd
        else:
            above.append((label, children, left))
            label, children, left = intern(name), [], position
    if above:
        raise _Odd
    return trees


class _Open:
    """A bracket that the careful pass has not closed yet."""

    __slots__ = ("at", "children", "label", "left", "word")

    def __init__(self, at: int, left: int) -> None:
        self.at = at
        self.left = left
        self.label: str | None = None
        self.word: str | None = None
        self.children: list[Node] = []


def _careful_pass(
    text: str, source: str, skipped: list[BracketError] | None, first_line: int, bare: bool
) -> list[Node]:
    """Read token by token; raise or collect an exact error; after one, go on at the next `(` in column one."""
    trees: list[Node] = []
    start = 0
    unclosed = _never_closed(text) if skipped is not None else frozenset()
    while True:
        try:
            _careful_trees(text, start, trees, bare, unclosed)
            return trees
        except _Fault as fault:
            error = _locate(text, fault, source, first_line)
            if skipped is None:
                raise error from None
            skipped.append(error)
            following = text.find("\n(", fault.resume)
            if following < 0:
                return trees
            start = following + 1


class _Fault(Exception):  # noqa: N818 - turned into a BracketError by the careful pass
    """Why and where (as an index into the text) reading failed, and from where to look for the next tree."""

    def __init__(self, reason: str, at: int, resume: int | None = None) -> None:
        self.reason = reason
        self.at = at
        self.resume = at if resume is None else resume


def _careful_trees(text: str, start: int, trees: list[Node], bare: bool, unclosed: frozenset[int]) -> None:
    path: list[_Open] = []
    position = 0
    for match in _TOKEN.finditer(text, start):
        token, at = match.group(), match.start()
        if token == "(":
            if path:
                parent = path[-1]
                if parent.word is not None:
                    raise _Fault("a phrase beside a word under one label", at)
                if parent.label is None:
                    if len(path) > 1:
                        raise _Fault("missing label: only the root may go without", parent.at)
                    parent.label = ""
            elif at in unclosed:
                raise _Fault(_UNCLOSED, at, at + 1)
            else:
                position = 0
            path.append(_Open(at, position))
        elif token == ")":
            if not path:
                raise _Fault("extra closing bracket: nothing is open here", at)
            node = _close(path.pop(), position)
            if type(node) is Leaf:
                if not path and not bare:
                    raise _Fault("a tagged word outside any phrase", _opening_of(text, at))
                position += 1
            (path[-1].children if path else trees).append(node)
        else:
            if not path:
                raise _Fault("a word outside any bracket", at)
            current = path[-1]
            if current.label is None:
                current.label = token
            elif current.children:
                raise _Fault("a word beside a phrase under one label", at)
            elif current.word is not None:
                raise _Fault("two words under one tag", at)
            else:
                current.word = token
    if path:
        raise _Fault(_UNCLOSED, path[0].at, path[0].at + 1)


def _never_closed(text: str) -> frozenset[int]:
    """Which brackets in column one are never closed: known beforehand, so that skipping them takes one pass."""
    starts: list[tuple[int, int]] = []
    depth = 0
    offset = 0
    lowest: list[int] = []  # depth reached, at the lowest, from each start up to the next
    for line in _LINE.findall(text):
        if line.startswith("("):
            starts.append((offset, depth))
            lowest.append(depth + 1)
        for bracket in _BRACKET.findall(line):
            depth += 1 if bracket == "(" else -1
            if lowest and depth < lowest[-1]:
                lowest[-1] = depth
        offset += len(line)
    unclosed = []
    reached = depth + 1
    for (start, before), low in zip(reversed(starts), reversed(lowest), strict=True):
        reached = min(reached, low)
        if reached > before:
            unclosed.append(start)
    return frozenset(unclosed)


def _opening_of(text: str, close: int) -> int:
    """Where the bracket that is closed at `close`, with no bracket inside, was opened."""
    return text.rindex("(", 0, close)


def _close(item: _Open, position: int) -> Node:
    if item.word is not None:
        if not item.label:
            raise _Fault("missing label: a word needs a tag", item.at)
        return make_leaf(sys.intern(item.label), unescape(item.word), position)
    if not item.children:
        if item.label:
            raise _Fault(f"empty node: {item.label!r} has no children", item.at)
        raise _Fault("empty node: a bracket with nothing in it", item.at)
    return make_tree(sys.intern(item.label or ""), tuple(item.children), item.left, position)


def _locate(text: str, fault: _Fault, source: str, first_line: int) -> BracketError:
    line_start = text.rfind("\n", 0, fault.at) + 1
    line_end = text.find("\n", fault.at)
    line_end = len(text) if line_end < 0 else line_end
    return BracketError(
        fault.reason,
        source=source,
        line=first_line + text.count("\n", 0, fault.at),
        column=fault.at - line_start + 1,
        text=text[fault.at : min(line_end, fault.at + 40)],
    )


@contextmanager
def _opened(file: str | Path | IO[str]) -> Iterator[tuple[IO[str], str]]:
    """Open a path, take standard input for `-`, or pass an open file through, with its name for messages."""
    if not isinstance(file, str | Path):
        yield file, str(getattr(file, "name", "<stream>"))
    elif str(file) == "-":
        yield sys.stdin, "<stdin>"
    else:
        path = Path(file)
        try:
            stream = path.open(encoding="utf-8-sig")
        except OSError as error:
            raise TreeError(f"cannot read {path}: {error.strerror}") from error
        with stream:
            yield stream, str(path)


def _decoded(stream: IO[str], source: str) -> Iterator[str]:
    """The lines of a file; bytes that are not UTF-8 are an error that names the line after the last good one."""
    number = 0
    try:
        for line in stream:
            number += 1
            yield line
    except UnicodeDecodeError as error:
        raise BracketError(f"not UTF-8: {error.reason}", source=source, line=number + 1, column=1) from error


def _chunks(stream: IO[str], source: str) -> Iterator[tuple[str, int]]:
    """Cut a file into texts that each hold whole trees, with the number of their first line.

    A cut is made before a line that begins with `(`, where as many brackets are closed as were opened. Text
    in which that never happens is handed on in one piece, for the reader to say what is wrong with it.
    """
    lines: list[str] = []
    first_line = number = 1
    size = depth = 0
    for line in _decoded(stream, source):
        if size >= _BLOCK and depth == 0 and line.startswith("("):
            yield "".join(lines), first_line
            lines, first_line, size = [], number, 0
        lines.append(line)
        size += len(line)
        depth += line.count("(") - line.count(")")
        number += 1
    if lines:
        yield "".join(lines), first_line
