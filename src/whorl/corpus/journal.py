"""Journals: one line for each shard that is complete, appended and synced."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from whorl.corpus.locks import lock_file
from whorl.corpus.shards import ShardRecord
from whorl.errors import CorpusError

__all__ = ["Journal", "Location", "read_journals"]

_PATTERN = "journal*.jsonl"


class Journal:
    """The journal of one process. A line that was cut off by a crash is removed when it opens."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        if not lock_file(self._file):
            raise CorpusError(
                f"another process writes to {path}: this part is being parsed already"
            )
        end = 0
        for line in self._file:
            if _read_line(line) is None:
                break
            end += len(line)
        self._file.truncate(end)
        self._file.seek(end)

    def append(self, record: ShardRecord) -> None:
        """Add a record; it is on the disk afterwards."""
        self._file.write(record.to_line())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Location(NamedTuple):
    """Where a record is."""

    path: Path
    offset: int

    def read(self) -> ShardRecord:
        """Return the record."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            record = _read_line(file.readline())
        if record is None:
            raise CorpusError(f"{self.path} is damaged at byte {self.offset}")
        return record


def read_journals(folder: Path) -> Iterator[tuple[ShardRecord, Location]]:
    """Yield the records of all journals in a folder, in no particular order."""
    for path in sorted(folder.glob(_PATTERN)):
        offset = 0
        with path.open("rb") as file:
            for line in file:
                record = _read_line(line)
                if record is None:
                    break
                yield record, Location(path, offset)
                offset += len(line)


def _read_line(line: bytes) -> ShardRecord | None:
    """Read a line; None if it is damaged, as the last one may be after a crash."""
    if not line.endswith(b"\n"):
        return None
    try:
        return ShardRecord.from_dict(json.loads(line))
    except (ValueError, TypeError, KeyError):
        return None
