"""Where shards go: a folder, in which a file appears once it is complete and on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from whorl.files import replace_atomically, sync_folder

__all__ = ["FolderStore", "Store"]


class Store(Protocol):
    """A place for shards, which workers write to. It can be pickled."""

    def create(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Open a file that appears under this name once the block has ended without an error."""


@dataclass(frozen=True, slots=True)
class FolderStore:
    """A folder of a disk that all workers share."""

    folder: Path

    @contextmanager
    def create(self, name: str) -> Iterator[IO[bytes]]:
        """See `Store`; the file and its name are on the disk afterwards."""
        path = self.folder / name
        with replace_atomically(path) as partial, partial.open("wb") as file:
            yield file
        sync_folder(path.parent)
