"""Where shards go: a folder or a URI, where a file appears once it is complete and saved."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol
from urllib.parse import urlsplit

from whorl.errors import CorpusError
from whorl.extras import import_extra
from whorl.files import replace_atomically, sync_folder

__all__ = ["FolderStore", "Store", "UriStore", "open_store"]

_SHARD = re.compile(r"\d{6,}\.(?:parquet|jsonl)$")
_PARTIAL = re.compile(r"\..*\.partial$")
_OBJECT_STORES = ("abfs", "gcs", "s3")  # which show a file once it is complete
_FOLDER = "shards"


class Store(Protocol):
    """A place for shards, which workers write to. It can be pickled.

    The name of a shard is that in the manifest, such as `shards/000000.parquet`.
    """

    def prepare(self) -> None:
        """Make the place, if it is not there."""

    def create(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Open a file that appears under this name once the block has ended without an error."""

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Open a shard for reading; `FileNotFoundError` if it is not there."""

    def size(self, name: str) -> int | None:
        """Return the size of a shard in bytes; None if it is not there."""

    def sizes(self) -> dict[str, int]:
        """Return the names of the shards that are there, in order, with their sizes in bytes."""

    def remove(self, name: str) -> None:
        """Remove a shard."""

    def remove_partial_files(self) -> None:
        """Remove what processes that were killed had begun to write."""


def open_store(folder: Path, uri: str | None) -> Store:
    """Return the place at a URI or, without one, in the output folder."""
    if uri is None:
        return FolderStore(folder / _FOLDER)
    if urlsplit(uri).password is not None:
        raise CorpusError(
            "--shards: the manifest records the URI, so keep passwords out of it; credentials come "
            "from the environment"
        )
    system, path = _file_system(uri)
    return FolderStore(Path(path)) if system.type_name == "local" else UriStore(uri)


@dataclass(frozen=True, slots=True)
class FolderStore:
    """A folder of a disk that all workers share."""

    folder: Path

    def prepare(self) -> None:
        """See `Store`."""
        self.folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def create(self, name: str) -> Iterator[IO[bytes]]:
        """See `Store`; the file and its name are on the disk afterwards."""
        with replace_atomically(self._path(name)) as partial, partial.open("wb") as file:
            yield file
        sync_folder(self.folder)

    def open(self, name: str) -> IO[bytes]:
        """See `Store`."""
        return self._path(name).open("rb")

    def size(self, name: str) -> int | None:
        """See `Store`."""
        with suppress(FileNotFoundError):
            return self._path(name).stat().st_size
        return None

    def sizes(self) -> dict[str, int]:
        """See `Store`."""
        return _shards((path.name, path.stat().st_size) for path in self._files())

    def remove(self, name: str) -> None:
        """See `Store`."""
        self._path(name).unlink(missing_ok=True)

    def remove_partial_files(self) -> None:
        """See `Store`."""
        for path in self._files():
            if _PARTIAL.match(path.name):
                path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / PurePosixPath(name).name

    def _files(self) -> Iterator[Path]:
        return self.folder.iterdir() if self.folder.is_dir() else iter(())


@dataclass(frozen=True, slots=True)
class UriStore:
    """A place that Arrow's file systems reach: S3, Google Cloud, Azure, HDFS.

    A shard is held in memory until it is complete. Object stores show a file once all of it is
    there; elsewhere, it has a temporary name until then.
    """

    uri: str

    def prepare(self) -> None:
        """See `Store`; object stores have no folders."""
        system, root = self._root()
        if system.type_name not in _OBJECT_STORES:
            system.create_dir(root, recursive=True)

    @contextmanager
    def create(self, name: str) -> Iterator[IO[bytes]]:
        """See `Store`."""
        buffer = io.BytesIO()
        yield buffer
        system, path = self._path(name)
        if system.type_name in _OBJECT_STORES:
            _write(system, path, buffer)
            return
        parent, _, last = path.rpartition("/")
        partial = f"{parent}/.{last}.{os.getpid()}.partial"
        _write(system, partial, buffer)
        system.move(partial, path)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """See `Store`."""
        system, path = self._path(name)
        with system.open_input_file(path) as file:
            yield file

    def size(self, name: str) -> int | None:
        """See `Store`."""
        system, path = self._path(name)
        size: int | None = system.get_file_info(path).size
        return size

    def sizes(self) -> dict[str, int]:
        """See `Store`."""
        return _shards((info.base_name, info.size) for info in self._files())

    def remove(self, name: str) -> None:
        """See `Store`."""
        system, path = self._path(name)
        with suppress(FileNotFoundError):
            system.delete_file(path)

    def remove_partial_files(self) -> None:
        """See `Store`."""
        for info in self._files():
            if _PARTIAL.match(info.base_name):
                self.remove(info.base_name)

    def _root(self) -> tuple[Any, str]:
        return _file_system(self.uri)

    def _path(self, name: str) -> tuple[Any, str]:
        system, root = self._root()
        return system, f"{root.rstrip('/')}/{PurePosixPath(name).name}"

    def _files(self) -> list[Any]:
        system, root = self._root()
        selector = import_extra("pyarrow.fs").FileSelector(root, allow_not_found=True)
        return [info for info in system.get_file_info(selector) if info.is_file]


@cache
def _file_system(uri: str) -> tuple[Any, str]:
    """Connect to the file system of a URI; return it, and the path there."""
    fs = import_extra("pyarrow.fs")
    try:
        system, path = fs.FileSystem.from_uri(uri)
    except (ValueError, OSError, NotImplementedError) as error:
        raise CorpusError(
            f"--shards {uri}: expected a URI that Arrow knows, such as s3://bucket/folder: {error}"
        ) from None
    return system, str(path)


def _write(system: Any, path: str, buffer: io.BytesIO) -> None:
    """Write a file; what a failure may leave has another size than the journal will say."""
    with system.open_output_stream(path) as file:
        file.write(buffer.getbuffer())


def _shards(files: Iterable[tuple[str, int]]) -> dict[str, int]:
    return {f"{_FOLDER}/{name}": size for name, size in sorted(files) if _SHARD.match(name)}
