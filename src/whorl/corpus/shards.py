"""One piece into one shard: what every worker does, on this machine or another."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from whorl.corpus.documents import Failure, InputDocument, read_documents
from whorl.corpus.options import CorpusOptions
from whorl.corpus.pieces import Piece, Position
from whorl.corpus.sentences import parse_documents
from whorl.corpus.stores import Store
from whorl.errors import CorpusError, ModelError

if TYPE_CHECKING:
    import pyarrow as pa

    from whorl.parser import Parser

__all__ = [
    "DocumentTrial",
    "ShardRecord",
    "ShardSettings",
    "find_poison",
    "shard_name",
    "write_shard",
]


_ALL_FAIL = 20  # documents: if the first that many fail alone, something else is wrong


@dataclass(frozen=True, slots=True)
class ShardSettings:
    """What all shards of a run share. It can be pickled."""

    options: CorpusOptions
    kept: pa.Schema | None = None
    """The kept columns of Parquet input."""
    strict: bool = False
    """Whether a document that cannot be read is an error."""


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """What is known of a shard that is complete."""

    piece: int
    file: str
    size: int
    sha256: str
    documents: int
    sentences: int
    errors: tuple[dict[str, Any], ...]
    """The documents that were set aside, as in `errors.jsonl`."""
    disk_bytes: int
    """The piece's share of the input on disk."""
    end: Position
    """Where the next piece begins."""

    def to_line(self) -> bytes:
        """Return the line of a journal."""
        saved = asdict(self) | {"end": list(self.end)}
        return json.dumps(saved, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> ShardRecord:
        """Read the object of a line."""
        return cls(**saved | {"errors": tuple(saved["errors"]), "end": Position(*saved["end"])})


def shard_name(number: int, options: CorpusOptions) -> str:
    """Return the path of a piece's shard in the output folder."""
    return f"shards/{number:06d}.{options.format}"


def write_shard(
    parser: Parser,
    piece: Piece,
    settings: ShardSettings,
    store: Store,
    *,
    left_out: dict[int, str] | None = None,
) -> ShardRecord:
    """Parse a piece and write its shard; the shard appears in the store once it is complete.

    `left_out` has reasons for documents of the piece, by their places in it, that must not be
    parsed, because they killed a worker.
    """
    options = settings.options
    name = shard_name(piece.number, options)
    errors: list[dict[str, Any]] = []
    counts = _Counts()
    documents = _readable(piece, settings, left_out or {}, errors, counts)
    with store.create(name) as file:
        hashed = _HashedFile(file)
        shard = _open_shard(hashed, settings)
        for record in parse_documents(parser, documents, options):
            shard.add(record)
            counts.sentences += 1
        shard.close()
    return ShardRecord(
        piece.number,
        name,
        hashed.size,
        hashed.digest.hexdigest(),
        counts.documents,
        counts.sentences,
        tuple(errors),
        piece.disk_bytes,
        piece.end,
    )


def find_poison(
    parser: Parser,
    piece: Piece,
    settings: ShardSettings,
    *,
    first: int = 0,
    left_out: Collection[int] = (),
    announce: Callable[[int], None] = lambda number: None,
) -> dict[int, str]:
    """Parse the documents of a piece one by one, from `first` on, and write nothing.

    Each is announced before it is parsed, so that the caller knows which one killed the process.
    Returns the reasons for those that raised an error. If many do from the first on, it is not
    their fault, and the error is raised.
    """
    poison: dict[int, str] = {}
    tried = 0
    for number, document in enumerate(read_documents(piece, settings.options)):
        if number < first or number in left_out or isinstance(document, Failure):
            continue
        announce(number)
        tried += 1
        error = _try(parser, document, settings)
        if error is not None:
            poison[number] = _reason(error)
            if len(poison) == tried >= _ALL_FAIL:
                raise error
    return poison


class DocumentTrial:
    """Tries documents of a piece one by one, for a caller that asks for each."""

    def __init__(self, parser: Parser, piece: Piece, settings: ShardSettings) -> None:
        self._parser = parser
        self._settings = settings
        self._documents = enumerate(read_documents(piece, settings.options))

    def run(self, number: int) -> tuple[bool, str | None]:
        """Parse one document alone, one after those that were tried before, and write nothing.

        Returns whether the piece has such a document, and the error that it raised.
        """
        for place, document in self._documents:
            if place < number:
                continue
            error = None
            if isinstance(document, InputDocument):
                error = _try(self._parser, document, self._settings)
            return True, None if error is None else _reason(error)
        return False, None


def _try(parser: Parser, document: InputDocument, settings: ShardSettings) -> Exception | None:
    try:
        shard = _open_shard(io.BytesIO(), settings)
        for record in parse_documents(parser, [document], settings.options):
            shard.add(record)
        shard.close()
    except ModelError:
        raise
    except Exception as error:  # whatever it is, other documents may do without
        return error
    return None


def _reason(error: Exception) -> str:
    return f"could not be parsed: {type(error).__name__}: {error}"


@dataclass(slots=True)
class _Counts:
    documents: int = 0
    sentences: int = 0


def _readable(
    piece: Piece,
    settings: ShardSettings,
    left_out: dict[int, str],
    errors: list[dict[str, Any]],
    counts: _Counts,
) -> Iterator[InputDocument]:
    """Yield the documents to parse; collect the others."""
    documents: Iterable[InputDocument | Failure] = read_documents(piece, settings.options)
    for number, item in enumerate(documents):
        document = item
        if number in left_out and isinstance(document, InputDocument):
            document = Failure(document.place, left_out[number], document.id)
        if isinstance(document, InputDocument):
            counts.documents += 1
            yield document
        elif settings.strict:
            raise CorpusError(str(document))
        else:
            errors.append({"piece": piece.number, **document.to_dict()})


class Sink(Protocol):
    """What bytes are written to."""

    def write(self, data: Any, /) -> int:
        """Write bytes, or an object that has some; return how many."""


class _Shard(Protocol):
    def add(self, record: dict[str, Any]) -> None: ...
    def close(self) -> None: ...


class _JsonShard:
    """Writes records as JSON, one per line."""

    def __init__(self, file: Sink) -> None:
        self._file = file

    def add(self, record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=False, default=_plain)
        self._file.write(line.encode("utf-8") + b"\n")

    def close(self) -> None:
        """Do nothing: each record is complete."""


def _plain(value: Any) -> Any:
    """Return a value of Arrow, or one that JSON lacks, as something that it has."""
    if hasattr(value, "as_py"):
        return value.as_py()
    return value.hex() if isinstance(value, bytes) else str(value)


def _open_shard(file: Sink, settings: ShardSettings) -> _Shard:
    if settings.options.format == "jsonl":
        return _JsonShard(file)
    from whorl.corpus.parquet_output import ParquetShard, output_schema

    return ParquetShard(file, output_schema(settings.options, settings.kept))


class _HashedFile:
    """A file that knows the size and the checksum of what was written."""

    def __init__(self, file: Sink) -> None:
        self.digest = hashlib.sha256()
        self.size = 0
        self._file = file

    def write(self, data: Any) -> int:
        self.digest.update(data)
        self.size += len(data)
        return self._file.write(data)
