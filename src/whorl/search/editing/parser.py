"""Text to operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from whorl.search.editing.label_parser import parse_label
from whorl.search.editing.operations import (
    Adjoin,
    AdjoinToFoot,
    AdjoinToHead,
    Coindex,
    CreateSubtree,
    Delete,
    Excise,
    IfExists,
    Insert,
    Move,
    Operation,
    Prune,
    Relabel,
    Replace,
    Steps,
)
from whorl.search.editing.references import NodeName, Place
from whorl.search.editing.scanner import Scanner, Word
from whorl.search.editing.scope import Scope
from whorl.search.editing.template_parser import parse_template, single_node
from whorl.search.editing.templates import Template

__all__ = ["MAX_DEPTH", "parse_operations"]

MAX_DEPTH = 100
"""How deep brackets and conditions may nest in an operation."""

_CHILD = re.compile(r">(-?)([0-9]+)")
_PLACES = (
    "a place: $+ NAME (before it), $- NAME (after it), >1 NAME (first child) or >-1 NAME (last)"
)
_A_TREE = "; a tree is written in brackets, as in (NN dog)"
_WITH_FOOT = "with a foot that ends in @, as in (VP (RB not) VP@)"
_NO_FOOT = f"the tree has no foot; expected one {_WITH_FOOT}"


def parse_operations(
    texts: Sequence[str], names: Iterable[str], variables: Iterable[str]
) -> list[Operation]:
    """Parse operations for a pattern that binds these names and variables.

    Each may use the names of trees that those before it insert.
    """
    scope = Scope(names, variables)
    return [_Parser(text, scope).parse() for text in texts]


class _Parser:
    def __init__(self, text: str, scope: Scope) -> None:
        self._scanner = Scanner(text)
        self._scope = scope
        self._depth = 0

    def parse(self) -> Operation:
        operation = self._operation()
        if self._scanner.peek():
            self._scanner.fail("the end of the operation")
        return operation

    def _operation(self) -> Operation:
        scanner = self._scanner
        scanner.peek()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            scanner.reject(f"expected at most {MAX_DEPTH} nested operations", scanner.position)
        operation = self._steps() if scanner.take("[") else self._single()
        self._depth -= 1
        return operation

    def _steps(self) -> Operation:
        """Parse `[operation] [operation]`, after the first bracket."""
        parts = []
        while True:
            parts.append(self._operation())
            if not self._scanner.take("]"):
                self._scanner.fail("a closing ]")
            if not self._scanner.take("["):
                return Steps(parts)

    def _single(self) -> Operation:
        word = self._scanner.word(f"an operation: {_LIST}")
        if word.text == "if":
            return self._condition()
        parse = _OPERATIONS.get(word.text)
        if parse is None:
            close = get_close_matches(word.text, _OPERATIONS, n=1)
            hint = f"did you mean {close[0]}?" if close else f"expected one of: {_LIST}"
            self._scanner.reject(f"{word.text!r} is no operation; {hint}", word.position)
        return parse(self)

    def _condition(self) -> Operation:
        word = self._scanner.word("'exists' or 'not exists' after 'if'")
        negated = word.text == "not"
        if negated:
            word = self._scanner.word("'exists' after 'if not'")
        if word.text != "exists":
            self._scanner.reject(
                f"expected 'exists', not {word.text!r}, as in 'if exists n prune n'", word.position
            )
        name = self._name()
        return IfExists(name.name, negated, self._operation())

    # The operations

    def _relabel(self) -> Operation:
        return Relabel(self._name(), parse_label(self._scanner, self._scope))

    def _delete(self) -> Operation:
        return Delete(self._names())

    def _prune(self) -> Operation:
        return Prune(self._names())

    def _excise(self) -> Operation:
        top = self._name()
        hint = f"; to excise one node, name it twice: excise {top.name} {top.name}"
        return Excise(top, self._name(hint=hint))

    def _insert(self) -> Operation:
        if self._scanner.peek() == "(":
            what: Template | NodeName = self._template()
        else:
            what = self._node_or_leaf()
        place = self._place()
        self._declare(what)
        return Insert(what, place)

    def _move(self) -> Operation:
        return Move(self._name(), self._place(), prune=False)

    def _move_and_prune(self) -> Operation:
        return Move(self._name(), self._place(), prune=True)

    def _replace(self) -> Operation:
        node = self._name()
        by = [self._template() if self._scanner.peek() == "(" else self._node_or_leaf()]
        while not isinstance(by[0], NodeName):
            if self._scanner.peek() == "(":
                by.append(self._template())
            elif self._scanner.word_follows():
                by.append(self._leaf(self._scanner.word("a tree")))
            else:
                break
        for what in by:
            self._declare(what)
        return Replace(node, by)

    def _create_subtree(self) -> Operation:
        if self._scanner.peek() == "(":
            start = self._scanner.position
            template = self._template()
            if template.foot < 0 and len(template.nodes) > 1:
                self._scanner.reject(_NO_FOOT, start)
        else:
            template = self._leaf(self._scanner.word("a label, or a tree with a foot"))
        names = self._names()
        if len(names) > 2:
            self._scanner.reject("expected one or two names, not more", names[2].position)
        self._declare(template)
        return CreateSubtree(template, names[0], names[-1])

    def _adjoin(self, kind: type[Adjoin] = Adjoin) -> Operation:
        if self._scanner.peek() != "(":
            self._scanner.fail(f"a tree {_WITH_FOOT}")
        start = self._scanner.position
        template = self._template()
        if template.foot < 0:
            self._scanner.reject(_NO_FOOT, start)
        if not template.foot:
            self._scanner.reject(f"expected a tree of more than one node, {_WITH_FOOT}", start)
        node = self._name()
        self._declare(template)
        return kind(template, node)

    def _adjoin_to_head(self) -> Operation:
        return self._adjoin(AdjoinToHead)

    def _adjoin_to_foot(self) -> Operation:
        return self._adjoin(AdjoinToFoot)

    def _coindex(self) -> Operation:
        return Coindex(self._names())

    # What operations are about

    def _name(self, *, hint: str = "") -> NodeName:
        if not self._scanner.word_follows():
            self._scanner.fail("the name of a node", hint=hint)
        return self._scope.node(self._scanner, self._scanner.word("the name of a node"))

    def _names(self) -> list[NodeName]:
        names = [self._name()]
        while self._scanner.word_follows():
            names.append(self._name())
        return names

    def _node_or_leaf(self) -> Template | NodeName:
        """Read a word that may be a name as one, and any other as a leaf to insert."""
        word = self._scanner.word("the name of a node, or a tree such as (NN dog)")
        if word.is_plain:
            return self._scope.node(self._scanner, word, hint=_A_TREE)
        return self._leaf(word)

    def _leaf(self, word: Word) -> Template:
        return single_node(self._scanner, word)

    def _template(self) -> Template:
        return parse_template(self._scanner)

    def _declare(self, what: Template | NodeName) -> None:
        if isinstance(what, Template):
            self._scope.declare(what.names)

    def _place(self) -> Place:
        word = self._scanner.word(_PLACES)
        child = _CHILD.fullmatch(word.text)
        if word.text in ("$+", "$-"):
            return Place(self._name(), after=word.text == "$-")
        if not child:
            self._scanner.reject(f"expected {_PLACES}, not {word.text!r}", word.position)
        if len(child[2]) > 9:
            self._scanner.reject("expected a number of at most 9 digits", word.position)
        number = int(child[1] + child[2])
        if child[1] and not number:
            self._scanner.reject("places from the end count from >-1", word.position)
        return Place(self._name(), number)


_OPERATIONS: dict[str, Callable[[_Parser], Operation]] = {
    "relabel": _Parser._relabel,
    "delete": _Parser._delete,
    "prune": _Parser._prune,
    "excise": _Parser._excise,
    "insert": _Parser._insert,
    "move": _Parser._move,
    "moveprune": _Parser._move_and_prune,
    "replace": _Parser._replace,
    "createSubtree": _Parser._create_subtree,
    "adjoin": _Parser._adjoin,
    "adjoinH": _Parser._adjoin_to_head,
    "adjoinF": _Parser._adjoin_to_foot,
    "coindex": _Parser._coindex,
}
_LIST = ", ".join((*_OPERATIONS, "if exists"))
