"""The names that an operation may use."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.search.editing.labels import VariableName
from whorl.search.editing.references import NodeName
from whorl.search.editing.scanner import Scanner, Word

__all__ = ["Scope"]


class Scope:
    """The nodes and variables that a pattern binds, and the nodes of trees inserted so far."""

    def __init__(self, names: Iterable[str], variables: Iterable[str]) -> None:
        self._names = dict.fromkeys(names)
        self._variables = dict.fromkeys(variables)

    def declare(self, names: Iterable[str]) -> None:
        """Add names, for the operations to come."""
        self._names.update(dict.fromkeys(names))

    def node(self, scanner: Scanner, word: Word, *, hint: str = "") -> NodeName:
        """Return the reference to a node, if there is one with this name."""
        known = _expected(self._names, "the pattern names none, as in NP=n")
        if word.text not in self._names:
            scanner.reject(f"no node has the name {word.text!r}; {known}{hint}", word.position)
        return NodeName(*word)

    def variable(self, scanner: Scanner, word: Word) -> VariableName:
        """Return the reference to a variable, if there is one with this name."""
        known = _expected(self._variables, "the pattern has none, as in /(.)/#1%x")
        if word.text not in self._variables:
            scanner.reject(f"no variable has the name {word.text!r}; {known}", word.position)
        return VariableName(*word)


def _expected(known: Iterable[str], without: str) -> str:
    names = ", ".join(known)
    return f"expected one of: {names}" if names else without
