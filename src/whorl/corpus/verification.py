"""What an output folder holds: how far its run is, and whether its shards are as they were."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from whorl.corpus.folder import OutputFolder
from whorl.corpus.journal import read_journals
from whorl.corpus.run import Progress
from whorl.corpus.stores import Store
from whorl.errors import CorpusError

__all__ = ["Status", "read_status", "verify_shards"]

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Status:
    """The state of an output folder."""

    progress: Progress
    is_running: bool
    files: int
    """Input files."""
    model: str


def read_status(out: Path) -> Status:
    """Say how far the run of a folder is."""
    folder = OutputFolder(out)
    manifest = _manifest(folder)
    total = manifest["input"]["bytes"]
    if manifest["state"] == "complete":
        counts = {name: manifest[name] for name in ("documents", "sentences", "errors")}
        shards = len(manifest["shards"])
        progress = Progress(shards, **counts, disk_bytes=total, total_bytes=total, is_complete=True)
    else:
        progress, seen = Progress(total_bytes=total), set()
        for record, _ in read_journals(folder.progress):
            if record.piece not in seen:
                seen.add(record.piece)
                progress = progress.plus(record)
    return Status(
        progress, folder.is_locked(), manifest["input"]["files"], manifest["model"]["name"]
    )


def verify_shards(out: Path) -> Iterator[tuple[str, str | None]]:
    """Yield each shard of a folder with what is wrong with it, or None.

    Checksum and number of sentences are compared with the manifest or, while a run is not complete,
    with its journals. At the end come shards that neither knows.
    """
    folder = OutputFolder(out)
    manifest = _manifest(folder)
    known: dict[str, tuple[str, int]] = {}
    if manifest["state"] == "complete":
        for shard in manifest["shards"]:
            known[shard["file"]] = shard["sha256"], shard["sentences"]
    else:
        for record, _ in read_journals(folder.progress):
            known[record.file] = record.sha256, record.sentences
    store = folder.store(manifest)
    for name, (checksum, sentences) in sorted(known.items()):
        yield name, _check(store, name, checksum, sentences)
    if manifest["state"] == "complete":
        for name in store.sizes():
            if name not in known:
                yield name, "not in the manifest"
        yield "errors.jsonl", _check_errors(folder.errors, manifest["errors"])


def _manifest(folder: OutputFolder) -> dict[str, Any]:
    manifest = folder.read_manifest()
    if manifest is None or manifest["state"] == "clearing":
        raise CorpusError(f"{folder.path} holds no corpus run")
    return manifest


def _check(store: Store, name: str, checksum: str, sentences: int) -> str | None:
    digest, lines = hashlib.sha256(), 0
    try:
        with store.open(name) as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                lines += block.count(b"\n")
            if digest.hexdigest() != checksum:
                return "damaged: its checksum differs"
            count = _count_rows(file) if name.endswith(".parquet") else lines
    except FileNotFoundError:
        return "missing"
    return None if count == sentences else f"{count} sentences, expected {sentences}"


def _count_rows(file: IO[bytes]) -> int:
    import pyarrow.parquet as pq

    file.seek(0)
    return int(pq.read_metadata(file).num_rows)


def _check_errors(path: Path, errors: int) -> str | None:
    try:
        with path.open("rb") as file:
            count = sum(1 for line in file if isinstance(json.loads(line), dict))
    except (FileNotFoundError, ValueError) as error:
        return f"missing or damaged: {error}"
    return None if count == errors else f"{count} documents set aside, expected {errors}"
