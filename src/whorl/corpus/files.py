"""The input files of a run: which they are, in a fixed order, and what they looked like."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from whorl.corpus.options import Kind
from whorl.errors import CorpusError

__all__ = [
    "InputFile",
    "InputSummary",
    "compression",
    "find_files",
    "infer_kind",
    "list_differences",
    "read_list",
    "write_list",
]

_KINDS: dict[str, Kind] = {
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_COMPRESSED = (".gz", ".xz", ".zst")
_SHOWN = 5  # differences that a message lists


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file as it was when the run began."""

    name: str
    """The path as the user gave it, with forward slashes."""
    size: int
    modified: int
    """Nanoseconds since 1970."""

    @classmethod
    def of(cls, path: str) -> InputFile:
        """Look at a file."""
        try:
            status = os.stat(path)
        except OSError as error:
            raise CorpusError(f"cannot read {path}: {error.strerror}") from None
        return cls(path.replace(os.sep, "/"), status.st_size, status.st_mtime_ns)

    def to_line(self) -> bytes:
        """Return the line of the file in the list of inputs."""
        record = {"file": self.name, "bytes": self.size, "modified": self.modified}
        return json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> InputFile:
        """Read a line of the list of inputs."""
        record = json.loads(line)
        return cls(record["file"], record["bytes"], record["modified"])


@dataclass(frozen=True, slots=True)
class InputSummary:
    """All input files, as the manifest has them."""

    files: int
    bytes: int
    sha256: str
    """Of the list of inputs: names, sizes and times of modification."""


def compression(name: str) -> str:
    """Return the suffix of a compressed file, or an empty string."""
    suffix = Path(name).suffix.lower()
    return suffix if suffix in _COMPRESSED else ""


def infer_kind(name: str) -> Kind | None:
    """Tell what a file holds from its suffix; None if that says nothing."""
    stem = name[: len(name) - len(compression(name))]
    return _KINDS.get(Path(stem).suffix.lower())


def find_files(
    arguments: Sequence[str], kind: Kind | None = None, *, leave_out: Path | None = None
) -> tuple[Kind, Iterator[InputFile]]:
    """Return what the input holds, and its files in order: arguments as given, folders by name.

    Of a folder, the files with a suffix of that kind are taken and, if the kind is given, those
    without a known suffix. Hidden files and the folder `leave_out` are passed over.
    """
    paths = _expand(arguments)
    return kind or _first_kind(paths, leave_out), _find(paths, kind, leave_out)


def _find(paths: Sequence[str], given: Kind | None, leave_out: Path | None) -> Iterator[InputFile]:
    kind = given or _first_kind(paths, leave_out)
    empty = True
    for path in paths:
        if not os.path.isdir(path):
            if given is None and _kind_of_file(path) != kind:
                raise _mixed(path, _kind_of_file(path), kind)
            yield InputFile.of(path)
            empty = False
            continue
        for name in _walk(path, leave_out):
            inferred = infer_kind(name)
            if inferred == kind or (inferred is None and given is not None):
                yield InputFile.of(name)
                empty = False
            elif inferred is not None and given is None:
                raise _mixed(name, inferred, kind)
    if empty:
        raise CorpusError(f"no files of {kind} in {', '.join(paths)}")


def _mixed(path: str, one: Kind, other: Kind) -> CorpusError:
    return CorpusError(
        f"{path} is {one}, files before it are {other}: a run reads one kind; choose it with --from"
    )


def _first_kind(paths: Sequence[str], leave_out: Path | None) -> Kind:
    for path in paths:
        if not os.path.isdir(path):
            return _kind_of_file(path)
        for name in _walk(path, leave_out):
            kind = infer_kind(name)
            if kind is not None:
                return kind
    raise CorpusError(
        f"no files named {', '.join(f'*{suffix}' for suffix in _KINDS)} (or with "
        f"{', '.join(_COMPRESSED)} after that) in {', '.join(paths)}; --from takes other names"
    )


def _kind_of_file(path: str) -> Kind:
    if Path(path.removesuffix(compression(path))).suffix.lower() == ".json":
        raise CorpusError(f"{path}: say with --from whether this is text or jsonl")
    return infer_kind(path) or "text"


def _walk(folder: str, leave_out: Path | None) -> Iterator[str]:
    """Yield the files in a folder and below, by name; memory holds one list of names per level."""
    levels = [_entries(folder)]
    while levels:
        path = next(levels[-1], None)
        if path is None:
            levels.pop()
        elif not os.path.isdir(path):
            yield path
        elif not os.path.islink(path) and (leave_out is None or Path(path).resolve() != leave_out):
            levels.append(_entries(path))


def _entries(folder: str) -> Iterator[str]:
    return iter(
        [
            os.path.join(folder, name)
            for name in sorted(os.listdir(folder))
            if not name.startswith(".")
        ]
    )


def _expand(arguments: Sequence[str]) -> list[str]:
    """Expand globs, and check that no file is given twice."""
    paths: list[str] = []
    for argument in arguments:
        if os.path.lexists(argument):
            paths.append(argument)
        elif matches := sorted(glob.glob(argument, recursive=True)):
            paths += [match for match in matches if not os.path.isdir(match)] or matches
        else:
            raise CorpusError(f"no file or folder {argument!r}")
    resolved = {path: Path(path).resolve() for path in paths}
    seen: dict[Path, str] = {}
    for path in paths:
        if resolved[path] in seen:
            raise CorpusError(f"{path} is given twice")
        seen[resolved[path]] = path
    for path, place in resolved.items():
        for parent in place.parents:
            if parent in seen:
                raise CorpusError(f"{path} is given twice: it is in {seen[parent]}")
    return paths


def write_list(path: Path, files: Iterable[InputFile]) -> InputSummary:
    """Write the list of inputs, one file per line."""
    count = total = 0
    digest = hashlib.sha256()
    with path.open("wb") as stream:
        for file in files:
            line = file.to_line()
            stream.write(line)
            digest.update(line)
            count, total = count + 1, total + file.size
    return InputSummary(count, total, digest.hexdigest())


def read_list(path: Path, first: int = 0) -> Iterator[InputFile]:
    """Yield the files of a list of inputs, from number `first` on."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream):
            if number >= first:
                yield InputFile.from_line(line)


def list_differences(before: Path, now: Path) -> list[str]:
    """Say how two lists of inputs differ, in a few lines."""
    differences: list[str] = []
    for old, new in zip_longest(read_list(before), read_list(now)):
        if old == new:
            continue
        if len(differences) == _SHOWN:
            return [*differences, "and more"]
        differences.append(_difference(old, new))
    return differences


def _difference(old: InputFile | None, new: InputFile | None) -> str:
    if old is None or new is None or old.name != new.name:
        was, present = (f"{file.name}" if file else "nothing" for file in (old, new))
        return f"{present} where {was} was"
    if old.size != new.size:
        return f"{new.name}: {old.size:,} bytes then, {new.size:,} now"
    return f"{new.name}: modified since"
