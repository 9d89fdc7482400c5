"""`whorl parse --constraints`: a file of constraints, one line for each sentence of the input."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from whorl.cli.choices import Input
from whorl.cli.inputs import InputSentence, Reader
from whorl.cli.sources import InputSource
from whorl.constraints import Constraint
from whorl.errors import ConstraintError, TextError

__all__ = ["read_constraints", "read_json_line", "with_constraints"]


def with_constraints(
    read: Reader, kind: Input, sources: Sequence[InputSource], path: str
) -> Reader:
    """Return a reader whose sentences have the constraints of a file, over all sources."""
    if kind in (Input.text, Input.json):
        raise TextError(
            f"--constraints FILE has a line for each sentence, so it goes with --tokens or "
            f"--input tagged or trees, not {kind.value}; with --input json, they are in the records"
        )
    if path == "-" and any(source.path == "-" for source in sources):
        raise TextError("standard input cannot be both the sentences and their --constraints")
    file = InputSource(path, strict=True)
    lines = enumerate(file.lines(), start=1)
    last = sources[-1]

    def read_both(source: InputSource) -> Iterator[InputSentence]:
        for sentence in read(source):
            number, line = next(lines, (0, ""))
            if not number:
                raise ConstraintError(
                    f"{file.name} has no line for line {sentence.origin.number} of {source.name}: "
                    "it needs one for each sentence, [] for none"
                )
            place = f"{file.name}:{number}"
            constraints = read_constraints(line, place)
            yield replace(sentence, constraints=constraints, constraints_source=place)
        if source is last:
            for number, line in lines:
                if line.strip():
                    raise ConstraintError(
                        f"{file.name}:{number}: there is no sentence for {line!r:.80}"
                    )

    return read_both


def read_constraints(line: str, place: str) -> tuple[Constraint, ...]:
    """Read a line: a JSON array of objects; an empty line and `null` are none."""
    record = read_json_line(line, place, "an array of constraints") if line.strip() else None
    return constraints_of(record, place)


def constraints_of(record: Any, place: str) -> tuple[Constraint, ...]:
    """Read the JSON value of a sentence's constraints."""
    if record is None:
        return ()
    if not isinstance(record, list):
        raise ConstraintError(
            f"{place}: expected an array of constraints, not {json.dumps(record):.80}"
        )
    constraints = []
    for number, item in enumerate(record, start=1):
        try:
            constraints.append(Constraint.from_dict(item))
        except ConstraintError as error:
            raise ConstraintError(f"{place}: constraint {number}: {error.reason}") from None
    return tuple(constraints)


def read_json_line(line: str, place: str, expected: str) -> Any:
    """Read a line of JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        column = getattr(error, "colno", 1)
        near = f"{line[column - 1 :]!r:.80}"
        raise TextError(
            f"{place}:{column}: expected {expected} in JSON, not {near}: {error}"
        ) from None
