"""Constraints as plain data: what a tree must have, must not have, or must leave whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import index
from typing import Any, SupportsIndex

from whorl.errors import ConstraintError
from whorl.trees import Tree

__all__ = ["KINDS", "Constraint"]

KINDS = ("span", "not_span", "no_crossing", "only", "chain", "root", "tag")

_SPANS = ("span", "not_span", "no_crossing", "only", "chain")  # the kinds with two offsets
_KEYS = {
    "span": ("left", "right", "label"),
    "not_span": ("left", "right", "label"),
    "no_crossing": ("left", "right"),
    "only": ("left", "right"),
    "chain": ("left", "right", "labels"),
    "root": ("label",),
    "tag": ("left", "tag"),
}
_NOT_IN_NAMES = frozenset(" \t\r\n\f\v()")  # since brackets could not hold them
_OPTIONAL = {("span", "label"), ("not_span", "label")}


@dataclass(frozen=True, slots=True)
class Constraint:
    """One thing that every tree of a sentence has to satisfy; make it with the methods below.

    Offsets are half-open: in a list of words they count words, in a text characters. The root that
    a model puts above every tree, such as TOP, counts as a phrase over all words.
    """

    kind: str
    left: int | None = None
    right: int | None = None
    names: tuple[str, ...] | None = None
    """Labels: alternatives in order of the alphabet, or a chain from the top down; or one tag."""

    @classmethod
    def span(
        cls, left: SupportsIndex, right: SupportsIndex, label: str | Iterable[str] | None = None
    ) -> Constraint:
        """These words are a constituent, with this label, one of these labels, or any label.

        Each constraint with a label needs a constituent of its own: NP and VP on the same words
        give an NP over a VP or a VP over an NP, and NP twice an NP over an NP.
        """
        return cls("span", *_offsets(left, right), _alternatives(label))

    @classmethod
    def not_span(
        cls, left: SupportsIndex, right: SupportsIndex, label: str | Iterable[str] | None = None
    ) -> Constraint:
        """These words are not a constituent, or not one with any of these labels."""
        return cls("not_span", *_offsets(left, right), _alternatives(label))

    @classmethod
    def no_crossing(cls, left: SupportsIndex, right: SupportsIndex) -> Constraint:
        """No constituent holds some of these words, not all of them, and words beside them."""
        return cls("no_crossing", *_offsets(left, right))

    @classmethod
    def only(cls, left: SupportsIndex, right: SupportsIndex) -> Constraint:
        """On and within these words, there are no constituents but those that are required.

        Over all words of a sentence there is always one.
        """
        return cls("only", *_offsets(left, right))

    @classmethod
    def chain(cls, left: SupportsIndex, right: SupportsIndex, labels: Iterable[str]) -> Constraint:
        """These labels, from the top down, are exactly the constituents over these words."""
        if isinstance(labels, str):
            labels = (labels,)
        return cls("chain", *_offsets(left, right), _names(labels))

    @classmethod
    def root(cls, label: str | Iterable[str]) -> Constraint:
        """The root has this label, or one of these.

        If the model puts a root such as TOP above every tree, the phrase below it may have the
        label instead.
        """
        alternatives = _alternatives(label)
        if alternatives is None:
            raise ConstraintError("a root needs a label")
        return cls("root", names=alternatives)

    @classmethod
    def tag(cls, left: SupportsIndex, tag: str) -> Constraint:
        """The word that begins at this offset has this tag, whether the model knows it or not."""
        return cls("tag", _offset(left), None, _names([tag]))

    @classmethod
    def of_tree(cls, tree: Tree, *, tags: bool = True) -> list[Constraint]:
        """Return constraints that only this tree satisfies, or any tags above its words."""
        named = [span for span in tree.spans() if span.label]
        constraints = [
            cls.chain(left, right, [label for label, _, _ in spans])
            for (left, right), spans in groupby(named, key=lambda span: span[1:])
        ]
        constraints.append(cls.only(tree.left, tree.right))
        if tags:
            constraints += [cls.tag(leaf.left, leaf.tag) for leaf in tree.leaves()]
        return constraints

    def at(self, left: int | None, right: int | None) -> Constraint:
        """Return the same constraint at other offsets."""
        return Constraint(self.kind, left, right, self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return the constraint as JSON has it; docs/constraints.md describes the keys."""
        record: dict[str, Any] = {"kind": self.kind}
        for key in _KEYS[self.kind]:
            if key in ("left", "right"):
                record[key] = getattr(self, key)
            elif self.names is not None:
                one = key != "labels" and len(self.names) == 1
                record[key] = self.names[0] if one else list(self.names)
        return record

    @classmethod
    def from_dict(cls, record: object) -> Constraint:
        """Undo `to_dict`; raise `ConstraintError` for anything else."""
        if not isinstance(record, Mapping):
            raise ConstraintError(f"expected an object such as {_EXAMPLE}, not {record!r:.80}")
        kind = record.get("kind")
        if kind not in KINDS:
            raise ConstraintError(
                f"{record!r:.120}: kind must be one of {', '.join(KINDS)}, not {kind!r:.40}"
            )
        keys = _KEYS[kind]
        for key in record:
            if key not in ("kind", *keys):
                raise ConstraintError(
                    f"{record!r:.120}: {kind} has the keys {', '.join(keys)}, not {key!r:.40}"
                )
        for key in keys:
            if key not in record and (kind, key) not in _OPTIONAL:
                raise ConstraintError(f"{record!r:.120}: {kind} needs {key!r}")
        try:
            constraint: Constraint = getattr(cls, kind)(*(record.get(key) for key in keys))
        except ConstraintError as error:
            raise ConstraintError(f"{record!r:.120}: {error.reason}") from None
        return constraint

    def describe(self, unit: str = "words", text: str | None = None) -> str:
        """Describe the constraint for a message; `text` is what the offsets stand for."""
        label = " or ".join(self.names or ["a phrase"])
        if self.kind == "root":
            return f"the root {label}"
        quoted = "" if text is None else f" {text!r:.60}"
        if self.kind == "tag":
            return f"the tag {label} at {unit.removesuffix('s')} {self.left}{quoted}"
        where = f"{unit} {self.left}:{self.right}{quoted}"
        return {
            "span": f"{label} over {where}",
            "not_span": f"not {label} over {where}",
            "no_crossing": f"no crossing of {where}",
            "only": f"only what is required in {where}",
            "chain": f"exactly {' over '.join(self.names or [])} over {where}",
        }[self.kind]

    def __str__(self) -> str:
        return self.describe("offsets")


_EXAMPLE = '{"kind": "span", "left": 0, "right": 2, "label": "NP"}'


def _offset(value: SupportsIndex) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ConstraintError(f"an offset must be an integer, not {value!r:.40}")
    offset = index(value)
    if offset < 0:
        raise ConstraintError(f"an offset must be 0 or more, not {offset}")
    return offset


def _offsets(left: SupportsIndex, right: SupportsIndex) -> tuple[int, int]:
    pair = _offset(left), _offset(right)
    if pair[0] >= pair[1]:
        raise ConstraintError(f"a span begins before it ends, unlike {pair[0]}:{pair[1]}")
    return pair


def _names(names: Iterable[Any]) -> tuple[str, ...]:
    """Return labels or tags as a tuple: one or more, each one that brackets can hold."""
    if not isinstance(names, Iterable):
        raise ConstraintError(f"expected a label or labels, not {names!r:.40}")
    checked = tuple(names)
    for name in checked:
        if not isinstance(name, str) or not name or _NOT_IN_NAMES.intersection(name):
            raise ConstraintError(
                f"a label or tag is a string without spaces and brackets, not {name!r:.40}"
            )
    if not checked:
        raise ConstraintError("there are no labels: give one, or leave them out for any")
    return checked


def _alternatives(label: str | Iterable[str] | None) -> tuple[str, ...] | None:
    if label is None:
        return None
    return tuple(sorted(set(_names([label] if isinstance(label, str) else label))))
