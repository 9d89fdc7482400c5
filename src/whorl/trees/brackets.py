r"""Reading and writing bracketed trees.

The reader takes one tree a line or trees spread over lines, several in a file, with or without a root label.
It first tries a fast pass, which cuts the text at opening brackets and looks at each different piece once. Only
where that meets something odd does a careful pass read the same text again, token by token, to say exactly what
is wrong and where.

Only ASCII white space separates: a no-break space or an ideographic space is part of a word.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import IO, TypeAlias, cast

from whorl.errors import BracketError, TreeError
from whorl.escapes import escape_brackets, unescape_brackets
from whorl.trees.tree import Leaf, Node, Tree, make_leaf, make_tree

__all__ = ["format_tree", "iter_forests", "iter_trees", "read_tree", "read_trees", "write_trees"]

File: TypeAlias = str | Path | IO[str] | IO[bytes]

_WHITE = " \t\r\n\f\v"
_SPACE = rf"[{_WHITE}]"
_ATOM = rf"[^{_WHITE}()]"
# what follows an opening bracket, up to the next one: label, word (of a whole leaf), closing brackets
_PIECE = re.compile(rf"{_SPACE}*({_ATOM}*)(?:{_SPACE}+({_ATOM}+){_SPACE}*\))?([{_WHITE})]*)")
_TOKEN = re.compile(rf"[()]|{_ATOM}+")
_BRACKET = re.compile(r"[()]")
_NOT_AN_ATOM = re.compile(rf"[{_WHITE}()]")
_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # what a byte that cannot be decoded becomes
_UNCLOSED = "unclosed bracket: no closing bracket matches it"
_OVERTAKEN = "unclosed bracket: another tree begins before it is closed"
_BLOCK = 1 << 20  # characters read from a file at a time
_MOST_PIECES = 1 << 17  # different pieces to remember from one stretch of a file to the next
_DEEPEST_INDENT = (
    50  # levels; deeper ones are not indented further, or a chain of n phrases would take n² spaces
)


_Pieces: TypeAlias = dict[
    str, tuple[str, str, int]
]  # a piece: its label, its word or "", how many phrases it closes


class _Odd(Exception):  # noqa: N818 - a signal from the fast pass, never seen outside
    """The fast pass met something that the careful pass must explain."""


def read_tree(text: str, *, source: str = "<string>") -> Tree:
    """Read exactly one tree from a string."""
    trees = read_trees(text, source=source)
    if len(trees) != 1:
        raise TreeError(f"{source}: expected exactly one tree, found {len(trees)}")
    return trees[0]


def read_trees(
    text: str,
    *,
    source: str = "<string>",
    skipped: list[BracketError] | None = None,
    first_line: int = 1,
) -> list[Tree]:
    """Read all trees in a string.

    Where the text is not a tree, raise `BracketError`; or, given a list `skipped`, append the error to it, leave out
    the tree that cannot be read, and go on at the next line after its beginning that has a `(` in its first column.
    Nothing else is left out: every line from one such `(` to the next is either read whole or named by one error.
    """
    forest = _read(text, source, skipped, first_line, bare=False)
    return cast("list[Tree]", forest)  # without `bare` the reader lets no leaf stand alone


def iter_trees(file: File, *, skipped: list[BracketError] | None = None) -> Iterator[Tree]:
    """Read the trees of a file one after another, in bounded memory where it is well formed. `-` is standard input.

    Paths and binary files are read as UTF-8, with or without a byte-order mark.
    """
    known: _Pieces = {}
    with open_trees(file) as (stream, source):
        for text, first_line, damaged in _chunks(stream, source, resync=skipped is not None):
            forest = _read(
                text, source, skipped, first_line, bare=False, damaged=damaged, known=known
            )
            yield from cast("list[Tree]", forest)


def iter_forests(file: File, *, skipped: list[BracketError] | None = None) -> Iterator[list[Node]]:
    """Read a file line by line: each line is a sentence, of any number of trees, bare tagged words included.

    This is how EVALB reads. A line that holds brackets but no words, such as `(())`, which some parsers print
    for a failure, is an empty sentence. A line that cannot be read is an empty sentence too when the errors
    are collected in `skipped`.
    """
    known: _Pieces = {}
    with open_trees(file) as (stream, source):
        for number, (line, damaged) in enumerate(_lines(stream, source), start=1):
            if not line.strip("()" + _WHITE):
                yield []
                continue
            before = len(skipped) if skipped is not None else 0
            forest = _read(line, source, skipped, number, bare=True, damaged=damaged, known=known)
            yield [] if skipped is not None and len(skipped) > before else forest


def format_tree(tree: Node, *, multiline: bool = False) -> str:
    """Write a tree in brackets: on one line, or spread over lines as in the Penn Treebank.

    Spread over lines, each phrase begins a line of its own, and so does a word that follows a phrase. Raises
    `TreeError` where brackets cannot hold the tree: an empty or spaced tag, word or label (but for the root's label,
    which may be empty).
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
        parts.append("\n" + "  " * min(depth, _DEEPEST_INDENT) if breaks else " ")
        after_phrase = False
        if type(node) is Leaf:
            parts.append(_format_leaf(node))
        else:
            parts.append(f"({_atom(node.label, 'label')}" if node.label or depth else "(")
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
    return f"({_atom(leaf.tag, 'tag')} {_atom(escape_brackets(leaf.word), 'word')})"


def _atom(text: str, what: str) -> str:
    if not text:
        raise TreeError(f"cannot write an empty {what} in brackets")
    if _NOT_AN_ATOM.search(text):
        raise TreeError(
            f"cannot write the {what} {text!r} in brackets: it holds white space or a bracket"
        )
    return text


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


def _read(
    text: str,
    source: str,
    skipped: list[BracketError] | None,
    first_line: int,
    *,
    bare: bool,
    damaged: bool = False,
    known: _Pieces | None = None,
) -> list[Node]:
    """Read `text`, which is `damaged` where it holds bytes that are not UTF-8; `bare` lets tagged words stand alone.

    What the fast pass has `known` of the text before is of use again.
    """
    if known is None:
        known = {}
    elif len(known) > _MOST_PIECES:
        known.clear()
    with paused_gc():
        if not damaged:
            try:
                return _fast_pass(text, bare, known)
            except _Odd:
                pass  # the careful pass says what it is
        return _careful_pass(text, source, skipped, first_line, bare=bare, damaged=damaged)


def _fast_pass(text: str, bare: bool, known: _Pieces) -> list[Node]:
    """Read well-formed text as fast as Python can; raise `_Odd` at anything else."""
    pieces = text.split("(")
    if pieces[0].strip(_WHITE):
        raise _Odd
    del pieces[0]
    trees: list[Node] = []
    children = trees
    label = ""
    left = position = 0
    above: list[tuple[str, list[Node], int]] = []
    look_up = known.get
    for piece in pieces:
        read = look_up(piece)
        if read is None:
            read = known[piece] = _read_piece(piece)
        name, word, closing = read
        if not word:
            if above and not name:
                raise _Odd
            above.append((label, children, left))
            label, children, left = name, [], position
            continue
        children.append(make_leaf(name, word, position))
        position += 1
        if not above and not bare:
            raise _Odd
        while closing:
            if not above:
                raise _Odd
            node = make_tree(label, tuple(children), left, position)
            label, children, left = above.pop()
            children.append(node)
            closing -= 1
        if not above:
            position = 0
    if above:
        raise _Odd
    return trees


def _read_piece(piece: str) -> tuple[str, str, int]:
    """The label, the word or "", and how many phrases are closed, in what follows an opening bracket."""
    match = _PIECE.match(piece)
    if match is None or match.end() < len(piece):
        raise _Odd
    name, word, tail = match.groups()
    closing = tail.count(")")
    if not word:
        if closing:
            raise _Odd
        return sys.intern(name), "", 0
    return sys.intern(name), unescape_brackets(word), closing


class _Open:
    """A bracket that the careful pass has not closed yet."""

    __slots__ = ("at", "children", "label", "left", "word")

    def __init__(self, at: int, left: int) -> None:
        self.at = at
        self.left = left
        self.label: str | None = None
        self.word: str | None = None
        self.children: list[Node] = []

    def refuses(self, token: str) -> str | None:
        """Take a token as the label or the word, or say why it can be neither."""
        if self.label is None:
            self.label = token
        elif self.children:
            return "a word beside a phrase under one label"
        elif self.word is not None:
            return "two words under one tag"
        else:
            self.word = token
        return None


class _Fault(Exception):  # noqa: N818 - turned into a BracketError by the careful pass
    """Why and where (as an index into the text) reading failed.

    The brackets `opened` around the fault, outermost first, cannot be read either, whichever of them a tree is
    taken to begin at.
    """

    def __init__(self, reason: str, at: int, opened: Sequence[int] = ()) -> None:
        self.reason = reason
        self.at = at
        self.opened = opened

    @property
    def root(self) -> int:
        """Where the tree that cannot be read begins."""
        return self.opened[0] if self.opened else self.at


def _careful_pass(
    text: str,
    source: str,
    skipped: list[BracketError] | None,
    first_line: int,
    *,
    bare: bool,
    damaged: bool,
) -> list[Node]:
    """Read token by token; raise or collect exact errors.

    After an error, reading goes on at the first `(` in column one after the beginning of the tree that failed. So a
    tree that swallowed the lines below it, because a closing bracket is missing, gives them back. What was found out
    about brackets on the way is kept in `doomed`, so that no part of the text is read more than twice.
    """
    trees: list[Node] = []
    doomed: dict[int, _Fault] = {}
    line, counted, start = first_line, 0, 0
    while True:
        try:
            _careful_trees(text, start, trees, doomed, bare=bare, damaged=damaged)
            return trees
        except _Fault as fault:
            following = text.find("\n(", fault.root) + 1
            reason, at = fault.reason, fault.at
            if skipped is not None and 0 < following <= at:
                reason, at = _OVERTAKEN, fault.root
            line += text.count("\n", counted, at)
            counted = at
            error = _error(text, reason, at, source, line)
            if skipped is None:
                raise error from None
            skipped.append(error)
            if not following:
                return trees
            for opened in fault.opened:
                doomed[opened] = fault
            start = following


def _careful_trees(
    text: str,
    start: int,
    trees: list[Node],
    doomed: dict[int, _Fault],
    *,
    bare: bool,
    damaged: bool,
) -> None:
    path: list[_Open] = []
    position = 0

    def fault(reason: str, at: int) -> _Fault:
        return _Fault(reason, at, [item.at for item in path])

    for match in _TOKEN.finditer(text, start):
        token, at = match.group(), match.start()
        if token == "(":
            if path:
                parent = path[-1]
                if parent.word is not None:
                    raise fault("a phrase beside a word under one label", at)
                if parent.label is None:
                    if len(path) > 1:
                        path.pop()  # it may well begin a tree, if the brackets around it are given up
                        raise fault("missing label: only the root may go without", parent.at)
                    parent.label = ""
            else:
                if at in doomed:
                    raise _Fault(doomed[at].reason, max(at, doomed[at].at), [at])
                position = 0
            path.append(_Open(at, position))
        elif token == ")":
            if not path:
                raise fault("extra closing bracket: nothing is open here", at)
            item = path.pop()
            if item.word is not None:
                if not path and not bare:
                    raise fault("a tagged word outside any phrase", item.at)
                node: Node = make_leaf(
                    sys.intern(item.label or ""), unescape_brackets(item.word), position
                )
                position += 1
            elif item.children:
                node = make_tree(
                    sys.intern(item.label or ""), tuple(item.children), item.left, position
                )
            elif item.label:
                raise fault(f"empty node: {item.label!r} has no children", item.at)
            else:
                raise fault("empty node: a bracket with nothing in it", item.at)
            (path[-1].children if path else trees).append(node)
        else:
            if damaged and (byte := _NOT_UTF8.search(token)):
                raise fault("not UTF-8", at + byte.start())
            if not path:
                raise fault("a word outside any bracket", at)
            if reason := path[-1].refuses(token):
                raise fault(reason, at)
    if path:
        raise fault(_UNCLOSED, path[0].at)


def _error(text: str, reason: str, at: int, source: str, line: int) -> BracketError:
    line_start = text.rfind("\n", 0, at) + 1
    line_end = text.find("\n", at, at + 40)
    shown = text[at : at + 40 if line_end < 0 else line_end].rstrip("\r")
    shown = _NOT_UTF8.sub(lambda byte: f"\\x{ord(byte.group()) - 0xDC00:02x}", shown)
    return BracketError(reason, source=source, line=line, column=at - line_start + 1, text=shown)


@contextmanager
def open_trees(file: File) -> Iterator[tuple[IO[str] | IO[bytes], str]]:
    """Open a path in bytes, standard input for `-`, or pass an open file on; add a name for messages.

    The reader decodes, so that it can locate bytes that are not UTF-8.
    """
    if not isinstance(file, str | Path):
        yield file, str(getattr(file, "name", "<stream>"))
    elif str(file) == "-":
        yield getattr(sys.stdin, "buffer", sys.stdin), "<stdin>"
    else:
        path = Path(file)
        try:
            stream = path.open("rb")
        except OSError as error:
            raise TreeError(f"cannot read {path}: {error.strerror}") from error
        with stream:
            yield stream, str(path)


def _lines(stream: IO[str] | IO[bytes], source: str) -> Iterator[tuple[str, bool]]:
    """The lines of a file, each with whether it holds bytes that are not UTF-8, kept as lone surrogates.

    Bytes are decoded line by line, so that one bad line spoils no other. A text stream decodes blocks ahead by
    itself: all it allows is to work out the line of the error.
    """
    number = 0
    try:
        for line in stream:
            number += 1
            damaged = False
            if isinstance(line, str):
                text = line
            else:
                try:
                    text = line.decode()
                except UnicodeDecodeError:
                    text, damaged = line.decode(errors="surrogateescape"), True
            yield text.removeprefix("\ufeff") if number == 1 else text, damaged
    except UnicodeDecodeError as error:
        ahead = error.object[: error.start].count(b"\n")
        raise BracketError("not UTF-8", source=source, line=number + 1 + ahead, column=1) from error


def _chunks(
    stream: IO[str] | IO[bytes], source: str, *, resync: bool
) -> Iterator[tuple[str, int, bool]]:
    """Cut a file into texts that each hold whole trees, with the number of their first line, and if it is damaged.

    A cut is made before a line that begins with `(`, where as many brackets are closed as were opened. Text
    in which that never happens is handed on in one piece, for the reader to say what is wrong with it.
    With `resync`, cuts are made only where a reader that skips what is malformed begins a new tree, too.
    """
    held: list[str] = []  # texts whose brackets are counted, but more are open than closed
    fresh: list[str] = []  # lines after those
    first_line = number = 1
    size = depth = 0
    damaged = False
    for line, bad in _lines(stream, source):
        if size >= _BLOCK and line.startswith("("):
            text = "".join(fresh)
            depth = (
                _resynced_depth(text, depth)
                if resync
                else depth + text.count("(") - text.count(")")
            )
            held.append(text)
            fresh, size = [], 0
            if depth <= 0:
                yield "".join(held), first_line, damaged
                held, first_line, depth, damaged = [], number, 0, False
        fresh.append(line)
        size += len(line)
        damaged |= bad
        number += 1
    if held or fresh:
        yield "".join(held + fresh), first_line, damaged


def _resynced_depth(text: str, depth: int) -> int:
    """How many brackets are open after `text`, if after one closed too many all begins anew at a `(` in column one."""
    steps = [1 if bracket == "(" else -1 for bracket in _BRACKET.findall(text)]
    if min(accumulate(steps, initial=depth)) >= 0:
        return depth + sum(steps)
    start = 0
    while True:
        for match in _BRACKET.finditer(text, start):
            depth += 1 if match.group() == "(" else -1
            if depth < 0:
                start = text.find("\n(", match.end()) + 1
                depth = 0
                break
        else:
            return depth
        if not start:
            return 0
