r"""Reading and writing bracketed trees.

The reader takes one tree per line or trees spread over lines, any number in a file, with or without
a root label. A fast pass cuts the text at opening brackets and parses each distinct piece once. If
it meets something irregular, a careful pass reads the text again, token by token, to report exactly
what is wrong and where.

Only ASCII white space separates: a no-break or ideographic space is part of a word.

A word without a tag, as in `(NP the (NN dog))`, is an error unless `untagged` allows it. In a tree,
it is a `Leaf` whose tag is empty.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from operator import length_hint
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias, cast

from whorl.errors import BracketError, TreeError
from whorl.escapes import escape_brackets, unescape_brackets
from whorl.trees.tree import Leaf, Node, Tree, make_leaf, make_tree

__all__ = [
    "Block",
    "BlockReader",
    "format_tree",
    "iter_blocks",
    "iter_forests",
    "iter_trees",
    "iter_trees_with_lines",
    "read_tree",
    "read_trees",
    "read_trees_with_lines",
    "write_trees",
]

File: TypeAlias = str | Path | IO[str] | IO[bytes]

_WHITE = " \t\r\n\f\v"
_SPACE = rf"[{_WHITE}]"
_ATOM = rf"[^{_WHITE}()]"
# What follows an opening bracket, up to the next one: label, word (of a leaf), closing brackets.
_PIECE = re.compile(rf"{_SPACE}*({_ATOM}*)(?:{_SPACE}+({_ATOM}+){_SPACE}*\))?([{_WHITE})]*)")
_TOKEN = re.compile(rf"[()]|{_ATOM}+")
_BRACKET = re.compile(r"[()]")
_NOT_AN_ATOM = re.compile(rf"[{_WHITE}()]")
# What undecodable bytes become.
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_UNCLOSED = "unclosed bracket: no closing bracket matches it"
_OVERTAKEN = "unclosed bracket: another tree begins before it is closed"
_BLOCK = 1 << 20  # characters read from a file at a time
_CACHED_PIECES = 1 << 17
# Levels. Deeper ones are indented no further, or a chain of n phrases would take n² spaces.
_DEEPEST_INDENT = 50

_Pieces: TypeAlias = dict[str, tuple[str, str, int]]
"""Pieces, each with its label, its word or "", and the number of phrases that it closes."""


class _IrregularError(Exception):
    """The fast pass met something that the careful pass must explain. Never seen outside."""


def read_tree(text: str, *, source: str = "<string>", untagged: bool = False) -> Tree:
    """Read exactly one tree from a string."""
    trees = read_trees(text, source=source, untagged=untagged)
    if len(trees) != 1:
        raise TreeError(f"{source}: expected exactly one tree, found {len(trees)}")
    return trees[0]


def read_trees(
    text: str,
    *,
    source: str = "<string>",
    skipped: list[BracketError] | None = None,
    first_line: int = 1,
    untagged: bool = False,
) -> list[Tree]:
    """Read all trees in a string.

    Text that is not a tree raises `BracketError`. Given a list `skipped`, the error goes there
    instead, the tree is left out, and reading resumes at the next line after its beginning that has
    a `(` in its first column. Nothing else is lost: every stretch from one such `(` to the next is
    either read whole or named by one error.
    """
    forest = _read(text, source, skipped, first_line, bare=False, untagged=untagged)
    # Without `bare`, the reader allows no leaf outside a phrase.
    return cast("list[Tree]", forest)


def iter_trees(
    file: File, *, skipped: list[BracketError] | None = None, untagged: bool = False
) -> Iterator[Tree]:
    """Read the trees of a file lazily, in bounded memory if it is well formed.

    `-` is standard input. Paths and binary files are UTF-8, with or without a byte-order mark.
    """
    for _, _, forest in _iter_chunks(file, skipped, untagged=untagged):
        yield from cast("list[Tree]", forest)


def read_trees_with_lines(
    text: str,
    *,
    source: str = "<string>",
    skipped: list[BracketError] | None = None,
    first_line: int = 1,
    untagged: bool = False,
) -> Iterator[tuple[int, Tree]]:
    """Read as `read_trees`, each tree with the line of its first bracket."""
    starts: list[int] = []
    forest = _read(text, source, skipped, first_line, bare=False, untagged=untagged, starts=starts)
    return _pair_with_lines(forest, text, starts, first_line)


def iter_trees_with_lines(
    file: File, *, skipped: list[BracketError] | None = None, untagged: bool = False
) -> Iterator[tuple[int, Tree]]:
    """Read as `iter_trees`, each tree with the line of its first bracket, from 1."""
    starts: list[int] = []
    for text, first_line, forest in _iter_chunks(file, skipped, untagged=untagged, starts=starts):
        yield from _pair_with_lines(forest, text, starts, first_line)
        starts.clear()


class Block(NamedTuple):
    """A part of a file that holds whole trees and can be read by itself, in any process."""

    text: str
    source: str
    first_line: int = 1
    damaged: bool = False
    """Whether it has bytes that are not UTF-8."""


def iter_blocks(file: File) -> Iterator[Block]:
    """Cut a file into blocks of about a million characters, for a `BlockReader`."""
    with open_trees(file) as (stream, source):
        for text, first_line, damaged in _chunks(stream, source, resync=False):
            yield Block(text, source, first_line, damaged)


class BlockReader:
    """Reads blocks as `iter_trees` reads files, with one cache for all of them."""

    def __init__(self) -> None:
        self._known: _Pieces = {}

    def read(self, block: Block) -> list[Tree]:
        """Read the trees of a block; text that is not a tree raises `BracketError`."""
        text, source, first_line, damaged = block
        forest = _read(
            text, source, None, first_line, bare=False, damaged=damaged, known=self._known
        )
        return cast("list[Tree]", forest)


def _iter_chunks(
    file: File,
    skipped: list[BracketError] | None,
    *,
    untagged: bool,
    starts: list[int] | None = None,
) -> Iterator[tuple[str, int, list[Node]]]:
    """Yield the text of a file in pieces, each with its first line and its trees."""
    known: _Pieces = {}
    with open_trees(file) as (stream, source):
        for text, first_line, damaged in _chunks(stream, source, resync=skipped is not None):
            forest = _read(
                text,
                source,
                skipped,
                first_line,
                bare=False,
                damaged=damaged,
                known=known,
                untagged=untagged,
                starts=starts,
            )
            yield text, first_line, forest


def _pair_with_lines(
    forest: Sequence[Node], text: str, starts: Sequence[int], first_line: int
) -> Iterator[tuple[int, Tree]]:
    line, counted = first_line, 0
    for start, tree in zip(starts, cast("Sequence[Tree]", forest), strict=True):
        line += text.count("\n", counted, start)
        counted = start
        yield line, tree


def iter_forests(file: File, *, skipped: list[BracketError] | None = None) -> Iterator[list[Node]]:
    """Read a file like EVALB: each line is a sentence of any number of trees or tagged words.

    A line with brackets but no words, such as the `(())` that some parsers print on failure, is an
    empty sentence. So is a line that cannot be read, if errors are collected in `skipped`.
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


def format_tree(tree: Node, *, multiline: bool = False, untagged: bool = False) -> str:
    """Write a tree in brackets: on one line, or spread over lines as in the Penn Treebank.

    Spread over lines, each phrase begins a new line, and so does a word that follows a phrase.
    Raises `TreeError` if brackets cannot hold the tree: if a tag, word or label is empty or has
    white space. Only the root's label may be empty and, if `untagged` allows it, a tag: the word
    then stands alone.
    """
    if type(tree) is Leaf:
        return _format_leaf(tree, untagged=untagged)
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
            parts.append(_format_leaf(node, untagged=untagged))
        else:
            parts.append(f"({_atom(node.label, 'label')}" if node.label or depth else "(")
            depth += 1
            pending.append(None)
            pending.extend(node.children[::-1])
    return "".join(parts)[1:]


def write_trees(
    trees: Iterable[Node], file: IO[str], *, multiline: bool = False, untagged: bool = False
) -> int:
    """Write trees to an open file, each with a newline, and return their number."""
    count = 0
    for tree in trees:
        file.write(format_tree(tree, multiline=multiline, untagged=untagged) + "\n")
        count += 1
    return count


def _format_leaf(leaf: Leaf, *, untagged: bool) -> str:
    word = _atom(escape_brackets(leaf.word), "word")
    return word if untagged and not leaf.tag else f"({_atom(leaf.tag, 'tag')} {word})"


def _atom(text: str, what: str) -> str:
    if not text:
        raise TreeError(f"cannot write an empty {what} in brackets")
    if _NOT_AN_ATOM.search(text):
        raise TreeError(
            f"cannot write the {what} {text!r} in brackets: it has white space or a bracket"
        )
    return text


@contextmanager
def paused_gc() -> Iterator[None]:
    """Pause the cyclic garbage collector while many small acyclic objects are made."""
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
    untagged: bool = False,
    starts: list[int] | None = None,
) -> list[Node]:
    """Read `text`, which is `damaged` if it has bytes that are not UTF-8.

    `bare` allows tagged words outside phrases, `untagged` words without tags inside. `known` caches
    the pieces of earlier text. `starts`, if given, gets the place of each tree in the text.
    """
    if known is None:
        known = {}
    elif len(known) > _CACHED_PIECES:
        known.clear()
    with paused_gc():
        if not damaged:
            try:
                return _fast_pass(text, bare, known, starts)
            except _IrregularError:
                pass  # the careful pass explains it
        return _careful_pass(
            text,
            source,
            skipped,
            first_line,
            bare=bare,
            damaged=damaged,
            untagged=untagged,
            starts=starts,
        )


def _fast_pass(
    text: str, bare: bool, known: _Pieces, starts: list[int] | None = None
) -> list[Node]:
    """Read well-formed text fast; raise `_IrregularError` at anything else."""
    pieces = text.split("(")
    before = pieces.pop(0)
    if before.strip(_WHITE):
        raise _IrregularError
    trees: list[Node] = []
    rest = iter(pieces)
    unread = [len(pieces)]  # before the first tree, and after each tree
    children = trees
    label = ""
    left = position = 0
    above: list[tuple[str, list[Node], int]] = []
    look_up = known.get
    for piece in rest:
        read = look_up(piece)
        if read is None:
            read = known[piece] = _read_piece(piece)
        name, word, closing = read
        if not word:
            if above and not name:
                raise _IrregularError
            above.append((label, children, left))
            label, children, left = name, [], position
            continue
        children.append(make_leaf(name, word, position))
        position += 1
        if not above and not bare:
            raise _IrregularError
        while closing:
            if not above:
                raise _IrregularError
            node = make_tree(label, tuple(children), left, position)
            label, children, left = above.pop()
            children.append(node)
            closing -= 1
        if not above:
            position = 0
            unread.append(length_hint(rest))
    if above:
        raise _IrregularError
    if starts is not None:
        places = list(accumulate((len(piece) + 1 for piece in pieces), initial=len(before)))
        starts.extend(places[len(pieces) - count] for count in unread[:-1])
    return trees


def _read_piece(piece: str) -> tuple[str, str, int]:
    """Parse what follows an opening bracket: label, word or "", number of phrases closed."""
    match = _PIECE.match(piece)
    if match is None or match.end() < len(piece):
        raise _IrregularError
    name, word, tail = match.groups()
    closing = tail.count(")")
    if not word:
        if closing:
            raise _IrregularError
        return sys.intern(name), "", 0
    return sys.intern(name), unescape_brackets(word), closing


class _Open:
    """An open bracket in the careful pass."""

    __slots__ = ("at", "children", "label", "left", "word")

    def __init__(self, at: int, left: int) -> None:
        self.at = at
        self.left = left
        self.label: str | None = None
        self.word: str | None = None
        self.children: list[Node] = []

    def refuses(self, token: str) -> str | None:
        """Take a token as label or word, or return why it can be neither."""
        if self.label is None:
            self.label = token
        elif self.children:
            return "a word beside a phrase under one label"
        elif self.word is not None:
            return "two words under one tag"
        else:
            self.word = token
        return None

    def take(self, token: str, position: int) -> int:
        """Take a token beside anything, without a tag if need be; return the next position."""
        if self.refuses(token) is None:
            return position
        position = self.untag(position)
        self.word = token
        return self.untag(position)

    def untag(self, position: int) -> int:
        """Make the word, if there is one, a child without a tag; return the next position."""
        if self.word is None:
            return position
        self.children.append(make_leaf("", unescape_brackets(self.word), position))
        self.word = None
        return position + 1


class _FaultError(Exception):
    """Why and where (as an index into the text) reading failed. Becomes a `BracketError`.

    The brackets `opened` around the fault, outermost first, cannot be read either, whichever of
    them a tree is taken to begin at.
    """

    def __init__(self, reason: str, at: int, opened: Sequence[int] = ()) -> None:
        self.reason = reason
        self.at = at
        self.opened = opened

    @property
    def root(self) -> int:
        """Where the unreadable tree begins."""
        return self.opened[0] if self.opened else self.at


def _careful_pass(
    text: str,
    source: str,
    skipped: list[BracketError] | None,
    first_line: int,
    *,
    bare: bool,
    damaged: bool,
    untagged: bool = False,
    starts: list[int] | None = None,
) -> list[Node]:
    """Read token by token; raise or collect exact errors.

    After an error, reading resumes at the first `(` in column one after the beginning of the tree
    that failed. So a tree that swallowed the lines below it, for lack of a closing bracket, gives
    them back. `doomed` keeps the brackets known to fail, so that no text is read more than twice.
    """
    trees: list[Node] = []
    doomed: dict[int, _FaultError] = {}
    line, counted, start = first_line, 0, 0
    while True:
        try:
            _careful_trees(
                text,
                start,
                trees,
                doomed,
                bare=bare,
                damaged=damaged,
                untagged=untagged,
                starts=starts,
            )
            return trees
        except _FaultError as fault:
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
    doomed: dict[int, _FaultError],
    *,
    bare: bool,
    damaged: bool,
    untagged: bool,
    starts: list[int] | None,
) -> None:
    path: list[_Open] = []
    position = 0

    def fault(reason: str, at: int) -> _FaultError:
        return _FaultError(reason, at, [item.at for item in path])

    for match in _TOKEN.finditer(text, start):
        token, at = match.group(), match.start()
        if token == "(":
            if path:
                parent = path[-1]
                if untagged:
                    position = parent.untag(position)
                elif parent.word is not None:
                    raise fault("a phrase beside a word under one label", at)
                if parent.label is None:
                    if len(path) > 1:
                        # It may begin a tree itself once the brackets around it are given up.
                        path.pop()
                        raise fault("missing label: only the root may go without", parent.at)
                    parent.label = ""
            else:
                if at in doomed:
                    raise _FaultError(doomed[at].reason, max(at, doomed[at].at), [at])
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
            if starts is not None and not path:
                starts.append(item.at)
        else:
            if damaged and (byte := _NOT_UTF8.search(token)):
                raise fault("not UTF-8", at + byte.start())
            if not path:
                raise fault("a word outside any bracket", at)
            if untagged:
                position = path[-1].take(token, position)
            elif reason := path[-1].refuses(token):
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
    """Open a path, standard input for `-`, or pass an open file on; with its name for messages.

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
    """Yield the lines of a file, each with whether it has bytes that are not UTF-8.

    Bytes are decoded line by line, undecodable ones to lone surrogates, so that one bad line spoils
    no other. A text stream decodes blocks ahead itself: there only the line of the error is known.
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
    """Cut a file into texts of whole trees, each with its first line number and if it is damaged.

    A cut comes before a line that begins with `(` when all brackets are closed. Text without such a
    place stays in one piece, for the reader to report what is wrong. With `resync`, cuts come only
    where a reader that skips malformed trees begins a new tree, too.
    """
    counted: list[str] = []  # texts whose brackets are counted; some are still open
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
            counted.append(text)
            fresh, size = [], 0
            if depth <= 0:
                yield "".join(counted), first_line, damaged
                counted, first_line, depth, damaged = [], number, 0, False
        fresh.append(line)
        size += len(line)
        damaged |= bad
        number += 1
    if counted or fresh:
        yield "".join(counted + fresh), first_line, damaged


def _resynced_depth(text: str, depth: int) -> int:
    """Return the depth after `text`, restarting at a `(` in column one after an extra `)`."""
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
