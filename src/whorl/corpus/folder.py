"""The output folder: its files, its lock, and how it is cleared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from whorl.corpus.locks import lock_file
from whorl.corpus.manifest import read_manifest
from whorl.corpus.stores import FolderStore, Store, open_store
from whorl.errors import CorpusError
from whorl.files import sync_folder, write_json

__all__ = ["FolderInUseError", "OutputFolder"]

_PARTIAL = re.compile(r"\..*\.partial$")


class FolderInUseError(CorpusError):
    """The output folder of a run that is at work."""


class OutputFolder:
    """The files of a run.

    While it runs, `progress/` holds the journals; at the end, the manifest holds their content.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = path / "manifest.json"
        self.errors = path / "errors.jsonl"
        self.inputs = path / "inputs.jsonl"
        self.shards = path / "shards"
        self.progress = path / "progress"

    def read_manifest(self) -> dict[str, Any] | None:
        """Return the manifest; None if no run has begun here."""
        return read_manifest(self.manifest)

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Replace the manifest; it is on the disk afterwards."""
        write_json(self.manifest, manifest)
        sync_folder(self.path)

    def create(self) -> None:
        """Make the folder; `CorpusError` if it holds something else than a run."""
        self.path.mkdir(parents=True, exist_ok=True)
        own = {".lock", *(path.name for path in (self.shards, self.progress, self.inputs))}
        if self.manifest.exists():
            own |= {self.manifest.name, self.errors.name}
        others = [
            path.name
            for path in self.path.iterdir()
            if path.name not in own and not _PARTIAL.match(path.name)
        ]
        if others:
            raise CorpusError(
                f"{self.path} is not empty and holds something else than a corpus run: "
                f"{', '.join(sorted(others)[:5])}"
            )
        if not self.manifest.exists() and FolderStore(self.shards).sizes():
            raise CorpusError(f"{self.path} holds shards without a manifest.json")
        self.progress.mkdir(exist_ok=True)

    def store(self, manifest: Mapping[str, Any]) -> Store:
        """Return the place of the shards of a run."""
        return open_store(self.path, manifest["options"].get("shards"))

    def clear(self) -> None:
        """Remove the run. If that is interrupted, the manifest says that it must be repeated."""
        manifest = self.read_manifest()
        if manifest is None:
            return
        kept = {key: manifest[key] for key in ("format", "options")}
        self.write_manifest({**kept, "state": "clearing"})
        store = self.store(manifest)
        self.remove_partial_files(store)
        for name in store.sizes():
            store.remove(name)
        self.remove_progress()
        for path in (self.errors, self.inputs):
            path.unlink(missing_ok=True)
        sync_folder(self.path)
        self.manifest.unlink()

    def remove_partial_files(self, store: Store) -> None:
        """Remove what processes that were killed had begun to write."""
        store.remove_partial_files()
        for folder in (self.path, self.progress):
            for path in folder.iterdir() if folder.is_dir() else ():
                if _PARTIAL.match(path.name):
                    path.unlink(missing_ok=True)

    def remove_progress(self) -> None:
        """Remove the journals."""
        if self.progress.is_dir():
            for path in self.progress.iterdir():
                path.unlink(missing_ok=True)
            self.progress.rmdir()

    @contextmanager
    def lock(self, *, shared: bool = False) -> Iterator[None]:
        """Keep other runs out of the folder; the lock ends with the process, however it ends.

        Runs of one part of a corpus each share the lock.
        """
        with (self.path / ".lock").open("a+b") as file:
            if not lock_file(file, shared=shared):
                raise FolderInUseError(f"another run is writing to {self.path}")
            yield

    @contextmanager
    def setup_lock(self) -> Iterator[None]:
        """Wait until no other run is being set up here."""
        with (self.progress / "setup.lock").open("a+b") as file:
            lock_file(file, is_patient=True)
            yield

    def is_locked(self) -> bool:
        """Tell whether a run is at work."""
        with suppress(OSError), (self.path / ".lock").open("r+b") as file:
            return not lock_file(file, shared=False)
        return False
