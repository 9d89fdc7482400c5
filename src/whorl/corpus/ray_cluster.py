"""Pieces parsed on a Ray cluster: one model in each actor, whole shards written by the actors.

Ray places the actors and replaces lost nodes. Which piece is whose, and what becomes of a piece
whose actor died, is decided here, as for worker processes of one machine: so shards, manifest and
resumption are the same.
"""

from __future__ import annotations

import logging
import os
import platform
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import whorl
from whorl.corpus.attempts import Attempt, Request
from whorl.corpus.pieces import Piece
from whorl.corpus.run import load_model
from whorl.corpus.shards import DocumentTrial, ShardRecord, ShardSettings, write_shard
from whorl.corpus.stores import Store
from whorl.corpus.workers import LoadParser
from whorl.errors import CorpusError, WhorlError, WorkerError
from whorl.extras import import_extra
from whorl.threads import thread_variables

__all__ = ["PieceActor", "RayCluster"]

_STILLBORN = 10  # actors that die one after another while they load the model
_ALL_FAIL = 20  # documents: if the first that many fail alone, something else is wrong
_VISIBLE = 90  # seconds until a shard must be seen; NFS keeps what it knows for up to 60
_REACHABLE = 20  # seconds until a cluster must answer
_OBJECT_STORE = 256 << 20  # bytes; pieces are small, and results smaller


@dataclass(frozen=True, slots=True)
class RayCluster:
    """A Ray of this machine, or the one at an address; `execute` is for `run_corpus`.

    The model and the input must be at the same paths on all nodes, and the place of the shards must
    be one that all share. `actors` is how many models there are: by default one for each core or,
    on GPUs, for each GPU.
    """

    model: Path
    address: str | None = None
    actors: int | None = None
    load: LoadParser | None = None
    """Loads the parser in an actor; by default, the model."""

    def execute(
        self, pieces: Iterator[Piece], settings: ShardSettings, store: Store
    ) -> Iterator[ShardRecord]:
        """Write the shard of each piece; see `whorl.corpus.run.Execute`."""
        ray = import_extra("ray")
        begun = not ray.is_initialized()
        if begun:
            self._connect(ray)
        try:
            resource = "CPU" if settings.options.device == "cpu" else "GPU"
            count = self.actors or int(ray.cluster_resources().get(resource, 0))
            if count < 1:
                raise CorpusError(f"the Ray cluster has no {resource}: it can run no actor")
            load = self.load or load_model(self.model, settings.options)
            start = partial(_start, ray, resource, load, settings, store)
            pool = _ActorPool(ray, start, count, is_strict=settings.strict)
            try:
                for record in pool.run(pieces):
                    _await_shard(store, record)
                    yield record
            finally:
                pool.kill()
        finally:
            if begun:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        try:
            quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
            if self.address is not None:
                _check_address(self.address)
                ray.init(address=self.address, **quiet)
            else:
                ray.init(
                    num_cpus=self.actors,
                    include_dashboard=False,
                    object_store_memory=_OBJECT_STORE,
                    **quiet,
                )
        except (OSError, ValueError, RuntimeError) as error:
            raise CorpusError(
                f"cannot connect to Ray at {self.address or 'this machine'}: {error}"
            ) from error


def _check_address(address: str) -> None:
    """Reach the head of a cluster, for Ray itself takes minutes to say that it cannot."""
    place = urlsplit(address if "://" in address else f"//{address}")
    if place.hostname is not None and place.port is not None:
        socket.create_connection((place.hostname, place.port), timeout=_REACHABLE).close()


class PieceActor:
    """What runs on the nodes: a loaded model that writes shards, or tries single documents.

    Every method returns what happened and a value, since exceptions of other libraries may not
    survive the way back.
    """

    def __init__(
        self, load: LoadParser, settings: ShardSettings, store: Store, folder: Path
    ) -> None:
        exit_quietly_on_interrupt()
        with suppress(OSError):  # input with absolute paths may still be there
            os.chdir(folder)
        self._load = load
        self._settings = settings
        self._store = store

    def prepare(self) -> tuple[str, Any]:
        """Load the model, and return the version of Whorl."""
        return _outcome("ready", self._prepare)

    def _prepare(self) -> str:
        self._parser = self._load(0)  # of several GPUs, Ray shows each actor its own
        return whorl.__version__

    def write(self, request: Request) -> tuple[str, Any]:
        """Write the shard of a piece, without the documents that are to be left out."""
        return _outcome("written", partial(self._write, request))

    def _write(self, request: Request) -> ShardRecord:
        _require_files(request.piece)
        return write_shard(
            self._parser, request.piece, self._settings, self._store, left_out=request.left_out
        )

    def begin_search(self, piece: Piece) -> None:
        """Remember the piece whose documents will be tried one by one."""
        self._trial = DocumentTrial(self._parser, piece, self._settings)

    def try_document(self, number: int) -> tuple[str, Any]:
        """Parse one document of that piece alone."""
        return _outcome("tried", partial(self._trial.run, number))


def _require_files(piece: Piece) -> None:
    """Report input that this node lacks: it was there when the run began."""
    for part in piece.parts:
        if part.data is None and part.error is None and not Path(part.file).exists():
            raise CorpusError(
                f"{part.file} is not on the node {platform.node()}: the input must be at the same "
                "paths on all nodes"
            )


def _await_shard(store: Store, record: ShardRecord) -> None:
    """Check that a shard is where this process sees it; a shared disk may take a moment."""
    end = time.monotonic() + _VISIBLE
    while store.size(record.file) != record.size:
        if time.monotonic() > end:
            raise CorpusError(
                f"{record.file} was written by a node and is not seen here: put the output on a "
                "disk that all nodes share, or use --shards URI"
            )
        time.sleep(0.1)


def _outcome(kind: str, run: Callable[[], Any]) -> tuple[str, Any]:
    try:
        return kind, run()
    except WhorlError as error:
        return "failed", error
    except OSError as error:
        return "failed", OSError(error.errno, error.strerror or str(error), error.filename)
    except Exception as error:  # of a document, or of all of them
        return "raised", f"{type(error).__name__}: {error}"


def exit_quietly_on_interrupt() -> None:
    """Let the driver decide what an interrupt means."""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _start(ray: Any, resource: str, load: LoadParser, settings: ShardSettings, store: Store) -> Any:
    """Start an actor; Ray waits until a node has room for it."""
    resources = {"num_cpus": 1, "num_gpus": 1 if resource == "GPU" else 0}
    actor = ray.remote(**resources, max_restarts=0)(PieceActor)
    environment = {"env_vars": thread_variables(1)}
    return actor.options(runtime_env=environment).remote(load, settings, store, Path.cwd())


@dataclass(slots=True)
class _Member:
    """An actor and what it is doing."""

    handle: Any
    call: Any
    """The future of its current call; None while it waits for work."""
    is_ready: bool = False
    attempt: Attempt | None = None
    search: _Search | None = None


@dataclass(slots=True)
class _Search:
    """A search for the documents of a piece that cannot be parsed."""

    document: int
    poison: dict[int, str] = field(default_factory=dict)
    tried: int = 0


class _ActorPool:
    """As many actors as the cluster has room for, at most `count`."""

    def __init__(self, ray: Any, start: Callable[[], Any], count: int, *, is_strict: bool) -> None:
        self._ray = ray
        self._start = start
        self._count = count
        self._is_strict = is_strict
        self._members: list[_Member] = []
        self._waiting: deque[Attempt] = deque()
        self._stillborn = 0

    def run(self, pieces: Iterator[Piece]) -> Iterator[ShardRecord]:
        """Parse all pieces; records come as shards are completed."""
        while True:
            self._read_ahead(pieces)
            self._assign()
            self._read_ahead(pieces)
            if not self._waiting and not any(member.attempt for member in self._members):
                return
            calls = [member.call for member in self._members if member.call is not None]
            for call in self._ray.wait(calls, num_returns=1)[0]:
                member = next(one for one in self._members if one.call == call)
                record = self._receive(member)
                if record is not None:
                    yield record

    def kill(self) -> None:
        """End all actors at once."""
        for member in self._members:
            with suppress(Exception):  # the cluster may be gone
                self._ray.kill(member.handle)
        self._members = []

    def _read_ahead(self, pieces: Iterator[Piece]) -> None:
        while len(self._waiting) < self._count and (piece := next(pieces, None)) is not None:
            self._waiting.append(Attempt(piece))

    def _assign(self) -> None:
        """Give pieces to idle actors, and start as many actors as there is work for."""
        for member in self._members:
            if self._waiting and member.is_ready and member.attempt is None:
                self._begin(member, self._waiting.popleft())
        unready = sum(not member.is_ready for member in self._members)
        for _ in range(min(len(self._waiting) - unready, self._count - len(self._members))):
            handle = self._start()
            self._members.append(_Member(handle, handle.prepare.remote()))

    def _begin(self, member: _Member, attempt: Attempt) -> None:
        request = attempt.request()
        member.attempt = attempt
        if request.search_from is None:
            member.search = None
            member.call = member.handle.write.remote(request)
        else:
            member.search = _Search(request.search_from)
            member.handle.begin_search.remote(attempt.piece)
            self._try_next(member)

    def _try_next(self, member: _Member) -> None:
        """Try the next document of a search."""
        attempt, search = member.attempt, member.search
        if attempt is not None and search is not None:
            while search.document in attempt.left_out:
                search.document += 1
            member.call = member.handle.try_document.remote(search.document)

    def _receive(self, member: _Member) -> ShardRecord | None:
        """Take the result of a call; return the record of a shard."""
        call, member.call = member.call, None
        try:
            kind, value = self._ray.get(call)
        except self._ray.exceptions.RayActorError as error:
            self._bury(member, error)
            return None
        if kind == "ready":
            if value != whorl.__version__:
                raise WorkerError(f"a node has Whorl {value}, and this is {whorl.__version__}")
            member.is_ready, self._stillborn = True, 0
            return None
        if kind == "failed":
            raise value
        attempt, search = member.attempt, member.search
        if attempt is None:
            raise WorkerError(f"an actor failed: {value}")
        if kind == "tried" and search is not None:
            self._continue(member, attempt, search, *value)
            return None
        member.attempt = None
        if kind == "written":
            record: ShardRecord = value
            return record
        attempt.on_error(value)
        self._waiting.appendleft(attempt)
        return None

    def _continue(
        self, member: _Member, attempt: Attempt, search: _Search, exists: bool, reason: str | None
    ) -> None:
        """Go on with a search after one of its documents."""
        if not exists:
            member.attempt = None
            attempt.check_strict(search.poison, is_strict=self._is_strict)
            attempt.on_search_end(search.poison)
            self._waiting.appendleft(attempt)
            return
        search.tried += 1
        if reason is not None:
            search.poison[search.document] = reason
            if len(search.poison) == search.tried >= _ALL_FAIL:
                raise WorkerError(f"{attempt.piece.parts[0].file}: {reason}")
        search.document += 1
        self._try_next(member)

    def _bury(self, member: _Member, error: Exception) -> None:
        """Remove an actor that died, with its node perhaps, and run its piece again."""
        self._members.remove(member)
        with suppress(Exception):  # it may only be out of reach
            self._ray.kill(member.handle)
        if not member.is_ready:
            self._stillborn += 1
            if self._stillborn == _STILLBORN:
                raise WorkerError(
                    f"{_STILLBORN} actors died one after another while they loaded the model: "
                    f"{error}"
                )
        if member.attempt is not None:
            search = member.search
            member.attempt.on_death(None if search is None else search.document)
            if search is not None:
                member.attempt.left_out |= search.poison
            member.attempt.check_strict(member.attempt.left_out, is_strict=self._is_strict)
            self._waiting.appendleft(member.attempt)
