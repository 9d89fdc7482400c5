"""The text of a tree in an operation to a template."""

from __future__ import annotations

import re

from whorl.search.editing.scanner import Scanner, Word
from whorl.search.editing.templates import Template, TemplateNode

__all__ = ["parse_template", "single_node"]

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = re.compile(r"\\*\Z")


def parse_template(scanner: Scanner) -> Template:
    """Parse a bracketed tree, from its opening bracket on."""
    words: list[Word] = []
    arities: list[int] = []
    path: list[int] = []
    while True:
        character = scanner.peek()
        if character == ")":
            scanner.position += 1
            path.pop()
        elif not character:
            scanner.fail("a closing )")
        else:
            opens = character == "("
            scanner.position += opens
            if path:
                arities[path[-1]] += 1
            if opens:
                path.append(len(words))
            words.append(scanner.atom())
            arities.append(0)
            if not words[-1].text:
                scanner.reject("expected a label right after the bracket", scanner.position)
        if not path:
            return _build(scanner, words, arities)


def single_node(scanner: Scanner, word: Word) -> Template:
    """Make a template of one node from its label alone."""
    return _build(scanner, [word], [0])


def _build(scanner: Scanner, words: list[Word], arities: list[int]) -> Template:
    nodes = []
    foot = -1
    for number, (word, arity) in enumerate(zip(words, arities, strict=True)):
        text = word.text
        is_foot = not arity and text.endswith("@") and _is_unescaped(text, len(text) - 1)
        if is_foot:
            if foot >= 0:
                scanner.reject(
                    "the tree has two feet; expected one leaf that ends in @", word.position
                )
            foot = number
        label, name = _split_name(text[:-1] if is_foot else text)
        if not label:
            scanner.reject("expected a label before = and @", word.position)
        nodes.append(TemplateNode(_ESCAPED.sub(r"\1", label), name, arity))
    return Template(nodes, foot)


def _split_name(text: str) -> tuple[str, str]:
    """Split `NP=n` into label and name, at the last equals sign unless that is escaped."""
    label, mark, name = text.rpartition("=")
    if not mark or not name or not _is_unescaped(text, len(label)):
        return text, ""
    return label, name


def _is_unescaped(text: str, position: int) -> bool:
    """Return whether an even number of backslashes precedes a character."""
    escapes = _ESCAPES.search(text[:position])
    return escapes is None or len(escapes.group()) % 2 == 0
