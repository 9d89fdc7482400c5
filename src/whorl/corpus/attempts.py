"""What to do with a piece whose worker died: a state machine without processes.

A piece is parsed as a whole. If its worker dies, it is parsed as a whole once more, by another
worker; if that dies too, its documents are parsed one by one, and nothing is written. A document is
left out once it alone has killed a worker twice, or alone has raised an error. Then the piece is
parsed as a whole without those documents, so that its shard is the same however many workers were
killed for other reasons.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from whorl.corpus.pieces import Piece
from whorl.errors import WorkerError

__all__ = ["Attempt", "Request"]

_DEATHS = 2  # as a whole before documents are tried alone; alone before a document is left out
_FRUITLESS_SEARCHES = 3


@dataclass(frozen=True, slots=True)
class Request:
    """What a worker is asked: to write the shard of a piece, or to search it for poison."""

    piece: Piece
    left_out: dict[int, str]
    """Reasons for documents that must not be parsed, by their places in the piece."""
    search_from: int | None = None
    """The first document to try alone; None to write the shard."""


@dataclass(slots=True)
class Attempt:
    """The state of one piece."""

    piece: Piece
    left_out: dict[int, str] = field(default_factory=dict)
    _deaths: int = 0
    _search_from: int | None = None
    _suspect: tuple[int, int] = (-1, 0)  # a document and how many workers it killed alone
    _found: int = 0
    _fruitless: int = 0

    def request(self) -> Request:
        """Return what a worker should do next."""
        return Request(self.piece, dict(self.left_out), self._search_from)

    def on_death(self, document: int | None = None) -> None:
        """Take note of a dead worker; `document` is the one that it had announced."""
        if self._search_from is None:
            self._deaths += 1
            if self._deaths >= _DEATHS:
                self._begin_search("its workers die")
        elif document is not None:
            suspect, deaths = self._suspect
            deaths = deaths + 1 if suspect == document else 1
            self._suspect = (document, deaths)
            self._search_from = document
            if deaths >= _DEATHS:
                self.left_out[document] = f"killed {deaths} worker processes when parsed alone"
                self._found += 1
                self._search_from = document + 1

    def on_error(self, message: str) -> None:
        """Take note of an error that parsing the piece as a whole raised."""
        self._begin_search(message)

    def on_search_end(self, poison: dict[int, str]) -> None:
        """Take note of the documents that raised an error when parsed alone."""
        self.left_out |= poison
        self._fruitless = 0 if self._found or poison else self._fruitless + 1
        self._found = self._deaths = 0
        self._search_from = None

    def check_strict(self, poison: dict[int, str], *, is_strict: bool) -> None:
        """Raise an error in place of leaving documents out, if the run is strict."""
        if poison and is_strict:
            number, reason = next(iter(poison.items()))
            raise WorkerError(
                f"{self.piece.parts[0].file}: document {number + 1} of piece {self.piece.number} "
                f"{reason}"
            )

    def _begin_search(self, reason: str) -> None:
        if self._fruitless >= _FRUITLESS_SEARCHES:
            raise WorkerError(
                f"{self.piece.parts[0].file}: piece {self.piece.number} cannot be parsed, although "
                f"each of its documents can be parsed alone: {reason}; if memory is short, use "
                "fewer --jobs or a smaller --batch"
            )
        self._search_from = 0
