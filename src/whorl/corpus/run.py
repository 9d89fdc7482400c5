"""A run: the pieces that are missing become shards, and at the end the manifest lists all."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whorl.catalogue import find_model
from whorl.corpus.files import InputSummary, find_files, list_differences, read_list, write_list
from whorl.corpus.folder import FolderInUseError, OutputFolder
from whorl.corpus.journal import Journal, Location, read_journals
from whorl.corpus.manifest import describe_request, differences
from whorl.corpus.options import CorpusOptions
from whorl.corpus.pieces import START, Piece, Position, plan_pieces
from whorl.corpus.setup import complete_options
from whorl.corpus.shards import ShardRecord, ShardSettings
from whorl.corpus.stores import Store, open_store
from whorl.corpus.workers import LoadParser, parse_pieces
from whorl.errors import CorpusError
from whorl.files import replace_atomically, sync_folder, write_json

if TYPE_CHECKING:
    from whorl.parser import Parser

__all__ = ["CorpusRun", "Execute", "Progress", "Share", "load_model", "run_corpus"]

Execute = Callable[[Iterator[Piece], ShardSettings, Store], Iterator[ShardRecord]]
"""Turns pieces into shards, in any order: worker processes of this machine, or others."""

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Share:
    """The pieces of one job among several: `3/16` has every sixteenth piece, from the third on."""

    number: int = 1
    """From 1."""
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read a share such as `3/16`."""
        number, _, count = text.partition("/")
        if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
            return cls(int(number), int(count))
        raise CorpusError(f"expected a share such as 3/16, from 1/16 to 16/16, not {text!r}")

    def __contains__(self, piece: object) -> bool:
        return isinstance(piece, int) and piece % self.count == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, what earlier runs did included."""

    shards: int = 0
    documents: int = 0
    sentences: int = 0
    errors: int = 0
    disk_bytes: int = 0
    """How much of the input is done, in bytes on disk."""
    total_bytes: int = 0
    is_complete: bool = False

    def plus(self, record: ShardRecord) -> Progress:
        """Count one more shard."""
        return Progress(
            self.shards + 1,
            self.documents + record.documents,
            self.sentences + record.sentences,
            self.errors + len(record.errors),
            self.disk_bytes + record.disk_bytes,
            self.total_bytes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusRun:
    """What a run is asked."""

    inputs: Sequence[str]
    """Files, folders and globs."""
    out: Path
    options: CorpusOptions
    model: str = "en"
    jobs: int = 1
    share: Share = Share()
    strict: bool = False
    """Stop at the first document that cannot be read."""
    overwrite: bool = False
    """Start anew."""


def run_corpus(
    run: CorpusRun,
    *,
    execute: Execute | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    note: Callable[[str], None] = lambda message: None,
) -> Progress:
    """Parse a corpus into a folder, or continue where an earlier run stopped.

    By default, `run.jobs` processes of this machine do the work. Whatever happens to any process,
    the same run continues, and the folder becomes what it would have become without interruption.
    """
    folder = OutputFolder(run.out)
    try:
        folder.create()
        execution = _Run(run, folder, note)
        with folder.lock(shared=run.share.count > 1):
            try:
                progress = execution.work(execute, on_progress)
            finally:
                execution.tidy()
        return progress if run.share.count == 1 else _finish_together(execution, folder, progress)
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise CorpusError(
                f"{run.out}: {error.strerror}; what is complete is safe, and the same command "
                "continues when there is room"
            ) from error
        raise


def load_model(folder: Path, options: CorpusOptions) -> LoadParser:
    """Return the function that loads the parser in a worker."""
    return partial(_load, folder, options.device, options.convention)


def _load(folder: Path, device: str, convention: str | None, worker: int) -> Parser:
    """Load a model; of several GPUs, workers take one after another."""
    from whorl.parser import Parser

    if device == "cuda":
        import torch

        device = f"cuda:{worker % max(1, torch.cuda.device_count())}"
    return Parser.load(folder, device=device, convention=convention)


def _finish_together(work: _Run, folder: OutputFolder, progress: Progress) -> Progress:
    """Finish the run if this is the last of several jobs."""
    try:
        with folder.lock():
            return work.finish_if_complete()
    except FolderInUseError:  # other jobs are at work: the last of them finishes
        return progress


class _Run:
    """A run whose folder is locked."""

    def __init__(self, run: CorpusRun, folder: OutputFolder, note: Callable[[str], None]) -> None:
        self._run = run
        self._folder = folder
        self._note = note
        self._is_alone = run.share.count == 1
        self._count = 0  # of pieces

    def work(self, execute: Execute | None, on_progress: Callable[[Progress], None]) -> Progress:
        """Set up, parse what is missing, and finish if nothing is missing any more."""
        folder = self._folder
        if self._run.overwrite:
            if not self._is_alone:
                raise CorpusError("--overwrite cannot be combined with --shard: remove the folder")
            folder.clear()
            folder.create()
        with folder.setup_lock():
            model = find_model(self._run.model)
            settings, manifest = self._set_up(model)
        store = folder.store(manifest)
        store.prepare()
        done = _Done(folder, store, manifest["input"]["bytes"])
        if manifest["state"] == "complete":
            if done.has_all_shards(manifest):
                return self._complete(manifest)
            if not self._is_alone:
                raise CorpusError(
                    f"{folder.path} is complete but for shards that are missing; give the command "
                    "without --shard"
                )
            self._note("shards are missing or have another size; they are written again")
            manifest = self._reopen(manifest, done)
        done.read_journals()
        if self._is_alone:
            folder.remove_partial_files(store)
        load = load_model(model, settings.options)
        run_pieces = execute or partial(_execute, load=load, jobs=self._run.jobs)
        self._count = self._parse(run_pieces, settings, store, done, on_progress)
        return self.finish_if_complete() if self._is_alone else done.progress

    def finish_if_complete(self) -> Progress:
        """Finish the run if no shard is missing; the folder is locked for this process alone."""
        manifest = self._folder.read_manifest()
        if manifest is None:
            raise CorpusError(f"{self._folder.manifest} has disappeared")
        if manifest["state"] == "complete":
            return self._complete(manifest)
        store = self._folder.store(manifest)
        done = _Done(self._folder, store, manifest["input"]["bytes"])
        done.read_journals()
        if len(done.ends) < self._count:
            return done.progress
        self._finish(manifest, done)
        return replace(done.progress, is_complete=True)

    def tidy(self) -> None:
        """Remove the folder for journals from a complete run."""
        manifest = self._folder.read_manifest()
        if self._is_alone and manifest is not None and manifest["state"] == "complete":
            self._folder.remove_progress()

    @staticmethod
    def _complete(manifest: dict[str, Any]) -> Progress:
        size = manifest["input"]["bytes"]
        counts = {name: manifest[name] for name in _COUNTS}
        shards = len(manifest["shards"])
        return Progress(shards, **counts, disk_bytes=size, total_bytes=size, is_complete=True)

    def _set_up(self, model: Path) -> tuple[ShardSettings, dict[str, Any]]:
        """Look at the input, and compare the request with the manifest or write that."""
        folder, run = self._folder, self._run
        manifest = folder.read_manifest()
        if manifest is not None and manifest["state"] == "clearing":
            folder.clear()
            folder.create()
            manifest = None
        kind, files = find_files(run.inputs, run.options.kind, leave_out=run.out.resolve())
        with replace_atomically(folder.progress / "inputs.jsonl") as list_path:
            summary = write_list(list_path, files)
            options, kept = complete_options(
                replace(run.options, kind=kind), summary, partial(read_list, list_path)
            )
            request = describe_request(options, run.model, model, summary)
            if manifest is not None:
                self._compare(manifest, request, summary, list_path)
        if manifest is None:
            if open_store(folder.path, options.shards).sizes():
                raise CorpusError(f"{options.shards} holds shards of another run")
            (folder.progress / "inputs.jsonl").replace(folder.inputs)
            sync_folder(folder.path)
            manifest = {**request, "state": "running"}
            folder.write_manifest(manifest)
        (folder.progress / "inputs.jsonl").unlink(missing_ok=True)
        return ShardSettings(options, kept, run.strict), manifest

    def _compare(
        self, manifest: dict[str, Any], request: dict[str, Any], summary: InputSummary, new: Path
    ) -> None:
        """Refuse to continue a run with something else."""
        changes = differences(manifest, request)
        if manifest["input"] != asdict(summary):
            changes += [f"input: {line}" for line in list_differences(self._folder.inputs, new)]
        if changes:
            raise CorpusError(
                f"{self._folder.path} holds a run of something else; --overwrite starts anew:\n  "
                + "\n  ".join(changes)
            )
        for library, version in request["software"].items():
            before = manifest["software"].get(library)
            if before != version:
                self._note(
                    f"{library} was {before} and is {version}: the last digits of probabilities "
                    "may differ from earlier shards"
                )

    def _reopen(self, manifest: dict[str, Any], done: _Done) -> dict[str, Any]:
        """Turn the manifest of a complete run into that of one that lacks some shards."""
        done.write_journal(self._folder.progress / "journal.jsonl", manifest)
        reopened = {key: manifest[key] for key in _REQUEST_KEYS} | {"state": "running"}
        self._folder.write_manifest(reopened)
        return reopened

    def _parse(
        self,
        execute: Execute,
        settings: ShardSettings,
        store: Store,
        done: _Done,
        on_progress: Callable[[Progress], None],
    ) -> int:
        """Write the shards that are missing; return the number of all pieces."""
        number, start = done.first_missing()
        count = number
        share = self._run.share

        def missing() -> Iterator[Piece]:
            nonlocal count
            files = read_list(self._folder.inputs, start.file)
            pieces = plan_pieces(
                files,
                settings.options,
                number=number,
                start=start,
                is_wanted=lambda piece: piece in share and piece not in done.ends,
            )
            for piece in pieces:
                count = piece.number + 1
                if piece.number in share and piece.number not in done.ends:
                    yield piece

        on_progress(done.progress)
        name = "journal.jsonl" if self._is_alone else f"journal-{share}.jsonl".replace("/", "-of-")
        with ExitStack() as stack:
            journal = stack.enter_context(closing(Journal(self._folder.progress / name)))
            if self._is_alone:
                stack.callback(self._folder.remove_partial_files, store)
            shards = execute(missing(), settings, store)
            if isinstance(shards, Iterator) and hasattr(shards, "close"):
                stack.callback(shards.close)
            for record in shards:
                journal.append(record)
                done.add(record)
                on_progress(done.progress)
        done.read_journals()
        return count

    def _finish(self, manifest: dict[str, Any], done: _Done) -> None:
        """Write the errors and the manifest, and remove the journals."""
        folder = self._folder
        with replace_atomically(folder.errors) as partial_path, partial_path.open("wb") as file:
            for record in done.records():
                for error in record.errors:
                    file.write(json.dumps(error, ensure_ascii=False).encode() + b"\n")
        sync_folder(folder.path)
        counts = {name: getattr(done.progress, name) for name in _COUNTS}
        write_json(
            folder.manifest,
            {key: manifest[key] for key in _REQUEST_KEYS}
            | {"state": "complete", **counts, "shards": [_shard(r) for r in done.records()]},
        )
        sync_folder(folder.path)
        folder.remove_partial_files(done.store)
        folder.remove_progress()


_COUNTS = ("documents", "sentences", "errors")
_REQUEST_KEYS = ("format", "whorl", "model", "options", "input", "software")


def _execute(
    pieces: Iterator[Piece],
    settings: ShardSettings,
    store: Store,
    *,
    load: LoadParser,
    jobs: int,
) -> Iterator[ShardRecord]:
    return parse_pieces(pieces, load, settings, store, jobs)


def _shard(record: ShardRecord) -> dict[str, Any]:
    """Return what the manifest says about a shard; nothing in it depends on how the run went."""
    return {
        "file": record.file,
        "bytes": record.size,
        "sha256": record.sha256,
        "documents": record.documents,
        "sentences": record.sentences,
        "errors": len(record.errors),
        "end": list(record.end),
    }


class _Done:
    """The shards that are complete: few bytes for each, however many documents it has."""

    def __init__(self, folder: OutputFolder, store: Store, total: int) -> None:
        self.ends: dict[int, Position] = {}
        """Where the pieces that are done end, by their numbers."""
        self.progress = Progress(total_bytes=total)
        self.store = store
        self._folder = folder
        self._locations: dict[int, Location] = {}

    def add(self, record: ShardRecord) -> None:
        """Count a shard that has just been completed."""
        self.ends[record.piece] = record.end
        self.progress = self.progress.plus(record)

    def read_journals(self) -> None:
        """Read what all jobs have done so far; shards that are gone do not count."""
        sizes = self.store.sizes()
        for record, location in read_journals(self._folder.progress):
            if sizes.get(record.file) == record.size:
                self._locations[record.piece] = location
                if record.piece not in self.ends:
                    self.add(record)

    def has_all_shards(self, manifest: dict[str, Any]) -> bool:
        """Tell whether the shards of a complete run are there."""
        sizes = self.store.sizes()
        return all(sizes.get(shard["file"]) == shard["bytes"] for shard in manifest["shards"])

    def write_journal(self, path: Path, manifest: dict[str, Any]) -> None:
        """Write a journal of those shards of a complete run that are there."""
        errors = self._errors_by_piece()
        size = manifest["input"]["bytes"] // len(manifest["shards"])
        there = self.store.sizes()
        with replace_atomically(path) as partial_path, partial_path.open("wb") as file:
            for number, shard in enumerate(manifest["shards"]):
                if there.get(shard["file"]) != shard["bytes"]:
                    continue
                saved = {name: shard[name] for name in ("file", "sha256", "documents", "sentences")}
                saved |= {"size": shard["bytes"], "errors": errors.get(number, ())}
                saved |= {"piece": number, "end": shard["end"], "disk_bytes": size}
                record = ShardRecord.from_dict(saved)
                file.write(record.to_line())
        sync_folder(path.parent)

    def _errors_by_piece(self) -> dict[int, list[dict[str, Any]]]:
        errors: dict[int, list[dict[str, Any]]] = {}
        with self._folder.errors.open("rb") as file:
            for line in file:
                error = json.loads(line)
                errors.setdefault(error["piece"], []).append(error)
        return errors

    def first_missing(self) -> tuple[int, Position]:
        """Return the first piece that is not done, and where it begins."""
        number = 0
        while number in self.ends:
            number += 1
        return number, self.ends[number - 1] if number else START

    def records(self) -> Iterator[ShardRecord]:
        """Yield the records of all shards in order."""
        for number in sorted(self._locations):
            yield self._locations[number].read()
