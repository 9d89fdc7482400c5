"""Worker processes that turn pieces into shards, and are replaced when they die."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any

from whorl.corpus.attempts import Attempt, Request
from whorl.corpus.pieces import Piece
from whorl.corpus.shards import ShardRecord, ShardSettings, find_poison, write_shard
from whorl.corpus.stores import Store
from whorl.errors import WhorlError, WorkerError
from whorl.processes import exit_with_parent, interrupts_blocked
from whorl.threads import thread_variables

if TYPE_CHECKING:
    from whorl.parser import Parser

__all__ = ["LoadParser", "parse_pieces"]

LoadParser = Callable[[int], "Parser"]
"""Loads the parser in a worker, which is given its number from 0. It must be picklable."""

_COLLECTION = 50_000, 20, 50  # thresholds of the garbage collector; parsing takes a tenth less time
_STILLBORN = 10  # workers that die one after another while they load the model


def parse_pieces(
    pieces: Iterable[Piece], load: LoadParser, settings: ShardSettings, store: Store, jobs: int
) -> Iterator[ShardRecord]:
    """Write the shard of each piece; yield the records as shards are completed, in any order.

    Pieces are taken as workers need them, one ahead for each. A worker that dies is replaced; see
    `whorl.corpus.attempts`. All workers end with the iterator.
    """
    pool = _Pool(load, settings, store, jobs)
    try:
        yield from pool.run(iter(pieces))
    finally:
        pool.kill()


@dataclass(slots=True)
class _Worker:
    """A worker process and what it is doing."""

    number: int
    process: SpawnProcess
    connection: Connection
    is_ready: bool = False
    attempt: Attempt | None = None
    document: int | None = None
    """The last document that it announced."""


class _Pool:
    """As many workers as needed, at most `jobs`."""

    def __init__(self, load: LoadParser, settings: ShardSettings, store: Store, jobs: int) -> None:
        self._arguments = (load, settings, store)
        self._is_strict = settings.strict
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._waiting: deque[Attempt] = deque()
        self._stillborn = 0

    def run(self, pieces: Iterator[Piece]) -> Iterator[ShardRecord]:
        """Parse all pieces."""
        while True:
            self._read_ahead(pieces)
            self._assign()
            self._read_ahead(pieces)
            busy = [worker for worker in self._workers if worker.attempt is not None]
            if not busy:
                return
            for connection in wait([worker.connection for worker in self._workers]):
                worker = next(one for one in self._workers if one.connection is connection)
                record = self._receive(worker)
                if record is not None:
                    yield record

    def kill(self) -> None:
        """End all workers at once."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()
        self._workers = []

    def _read_ahead(self, pieces: Iterator[Piece]) -> None:
        while len(self._waiting) < self._jobs and (piece := next(pieces, None)) is not None:
            self._waiting.append(Attempt(piece))

    def _assign(self) -> None:
        """Give pieces to workers that have none."""
        idle = [worker for worker in self._workers if worker.attempt is None]
        while self._waiting and (idle or len(self._workers) < self._jobs):
            worker = idle.pop() if idle else self._start()
            worker.attempt, worker.document = self._waiting.popleft(), None
            with suppress(OSError):  # it died: the end of its messages says so
                worker.connection.send(worker.attempt.request())

    def _start(self) -> _Worker:
        context = get_context("spawn")
        here, there = context.Pipe()
        used = {worker.number for worker in self._workers}
        number = next(number for number in range(self._jobs) if number not in used)
        process = context.Process(target=_work, args=(there, number, *self._arguments))
        # Numerical libraries read the environment as they are imported.
        with _environment(thread_variables(1)), interrupts_blocked():
            process.start()
        there.close()
        self._workers.append(_Worker(number, process, here))
        return self._workers[-1]

    def _receive(self, worker: _Worker) -> ShardRecord | None:
        """Take a message; return the record of a shard."""
        try:
            kind, value = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker)
            return None
        attempt = worker.attempt
        if kind == "ready":
            worker.is_ready, self._stillborn = True, 0
        elif kind == "failed":
            raise value
        elif attempt is None:
            raise WorkerError(f"a worker without a piece sent {kind!r}")
        elif kind == "document":
            worker.document = value
        else:
            worker.attempt = None
            if kind == "written":
                record: ShardRecord = value
                return record
            if kind == "searched":
                attempt.check_strict(value, is_strict=self._is_strict)
                attempt.on_search_end(value)
            else:
                attempt.on_error(value)
            self._waiting.appendleft(attempt)
        return None

    def _bury(self, worker: _Worker) -> None:
        """Remove a worker that died, and run its piece again."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join()
        if not worker.is_ready:
            self._stillborn += 1
            if self._stillborn == _STILLBORN:
                raise WorkerError(
                    f"{_STILLBORN} worker processes died one after another while they loaded the "
                    "model: they were killed, ran out of memory or, in a script of your own, it "
                    "is not guarded by `if __name__ == '__main__':`"
                )
        if worker.attempt is not None:
            if worker.is_ready:
                worker.attempt.on_death(worker.document)
            worker.attempt.check_strict(worker.attempt.left_out, is_strict=self._is_strict)
            self._waiting.appendleft(worker.attempt)


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables, for processes that are started in the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _work(
    connection: Connection, number: int, load: LoadParser, settings: ShardSettings, store: Store
) -> None:
    """Answer requests until the parent ends, or ends this process."""
    exit_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    send = partial(_send, connection)
    try:
        parser = load(number)
        gc.freeze()  # the model stays; trees have no cycles, so looking for some can wait
        gc.set_threshold(*_COLLECTION)
        send("ready", None)
        while True:
            _answer(connection.recv(), parser, settings, store, send)
    except EOFError:
        return
    except WhorlError as error:
        send("failed", error)
    except OSError as error:
        send("failed", OSError(error.errno, error.strerror or str(error), error.filename))
    except Exception as error:
        send("failed", WorkerError(f"a worker failed: {type(error).__name__}: {error}"))


def _answer(
    request: Request,
    parser: Parser,
    settings: ShardSettings,
    store: Store,
    send: Callable[[str, Any], None],
) -> None:
    if request.search_from is not None:
        poison = find_poison(
            parser,
            request.piece,
            settings,
            first=request.search_from,
            left_out=request.left_out,
            announce=partial(send, "document"),
        )
        send("searched", poison)
        return
    try:
        record = write_shard(parser, request.piece, settings, store, left_out=request.left_out)
    except (WhorlError, OSError):
        raise
    except Exception as error:
        send("raised", f"{type(error).__name__}: {error}")
    else:
        send("written", record)


def _send(connection: Connection, kind: str, value: Any) -> None:
    with suppress(BrokenPipeError):  # the parent has ended
        connection.send((kind, value))
