"""How `whorl search` writes what it finds: brackets, words, a concordance, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

from whorl.cli.colours import paint, paint_tree
from whorl.cli.hits import Hit, Place
from whorl.search import TreeNode
from whorl.trees import Leaf

__all__ = ["FORMATS", "HitFormat"]

_MATCH = "1;31"  # bold red, as in grep
_FILE = "35"
_LINE = "32"
_PATTERN = "36"
_NAMED = ("1;34", "1;32", "1;35", "1;36", "1;33")
"""The styles of named nodes, in the order of the names."""


@dataclass(frozen=True, slots=True)
class HitFormat:
    """Writes one result as a line.

    `several_patterns` and `several_files` say whether lines begin with those names, `lines` whether
    with the file and the line. `columns` are names whose nodes are written instead of the match.
    With `colour`, the match and the nodes with one of the `names` are in colour. It can be pickled.
    """

    name: str
    several_patterns: bool = False
    several_files: bool = False
    lines: bool = False
    columns: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    colour: bool = False

    def format(self, hit: Hit, place: Place) -> str:
        """Return the line for a result, without a line break."""
        text = FORMATS[self.name](self, hit, place)
        return text if self.name == "jsonl" else self._prefix(hit, place) + text

    def _prefix(self, hit: Hit, place: Place) -> str:
        prefix = ""
        if self.several_files or self.lines:
            prefix += self.paint(place.source or "-", _FILE) + ":"
        if self.lines:
            prefix += self.paint(str(place.line or ""), _LINE) + ":"
        if self.several_patterns:
            prefix += self.paint(hit.pattern, _PATTERN) + "\t"
        return prefix

    def paint(self, text: str, style: str) -> str:
        """Return a text in a style, if there are colours."""
        return paint(text, style) if self.colour else text

    def brackets(self, node: TreeNode, hit: Hit, *, in_context: bool) -> str:
        """Write a node in brackets; in colour, with the match, named nodes or words marked."""
        if not self.colour:
            return str(node)
        if not hit.nodes:
            return paint_tree(node, {})
        styles = {match.number: _MATCH for match in hit.nodes} if in_context else {}
        if hit.match is not None:
            for name, style in zip(self.names, cycle(_NAMED), strict=False):
                named = hit.match.names.get(name)
                if named is not None and named.number != node.number:
                    styles[named.number] = style
        if not styles:
            below = range(node.number, node.table.ends[node.number])
            styles = {number: _MATCH for number in below if not node.table.arities[number]}
        return paint_tree(node, styles)

    def chosen(self, hit: Hit) -> Sequence[TreeNode | None]:
        """Return the nodes to write: those of the columns, or the match."""
        if hit.match is None:
            return [hit.root]
        return [hit.match.names.get(name) for name in self.columns] or [hit.match.node]


def _format_matches(form: HitFormat, hit: Hit, _: Place) -> str:
    return "\t".join(
        form.brackets(node, hit, in_context=False) if node else "" for node in form.chosen(hit)
    )


def _format_trees(form: HitFormat, hit: Hit, _: Place) -> str:
    return form.brackets(hit.root, hit, in_context=True)


def _format_words(form: HitFormat, hit: Hit, _: Place) -> str:
    return "\t".join(
        form.paint(" ".join(_words(node)), "") if node else "" for node in form.chosen(hit)
    )


def _format_concordance(form: HitFormat, hit: Hit, _: Place) -> str:
    node = form.chosen(hit)[0]
    if node is None:
        return "\t\t"
    words = _words(hit.root)
    left, right = (at - hit.root.left for at in node.span)
    before, match, after = (
        " ".join(part) for part in (words[:left], words[left:right], words[right:])
    )
    return "\t".join((form.paint(before, ""), form.paint(match, _MATCH), form.paint(after, "")))


def _format_json(form: HitFormat, hit: Hit, place: Place) -> str:
    record: dict[str, Any] = {
        "source": place.source,
        "line": place.line,
        "number": place.number,
        "pattern": hit.pattern,
    }
    if hit.match is None:
        record["tree"] = str(hit.root)
        record["nodes"] = [_node_record(node, place) for node in hit.nodes]
    else:
        names = hit.match.names
        record["match"] = _node_record(hit.match.node, place)
        record["names"] = {name: _node_record(node, place) for name, node in names.items()}
        record["variables"] = dict(hit.match.variables)
    return json.dumps(record, ensure_ascii=False)


def _node_record(node: TreeNode, place: Place) -> dict[str, Any]:
    record: dict[str, Any] = {"label": node.label, "left": node.left, "right": node.right}
    sentence = place.sentence
    if sentence is not None:
        start, end = sentence.offsets(node.tree)
        record |= {"start": start, "end": end}
        record["text"] = sentence.text[start - sentence.start : end - sentence.start]
    else:
        record["text"] = " ".join(_words(node))
    return record | {"tree": str(node)}


def _words(node: TreeNode) -> list[str]:
    tree = node.tree
    return [tree.word] if isinstance(tree, Leaf) else tree.words()


FORMATS: Final[Mapping[str, Callable[[HitFormat, Hit, Place], str]]] = {
    "matches": _format_matches,
    "trees": _format_trees,
    "words": _format_words,
    "concordance": _format_concordance,
    "jsonl": _format_json,
}
"""The formats by name."""
