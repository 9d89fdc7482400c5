"""What `whorl parse` writes: sentences one after another, or one file per tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from whorl.cli.common import open_output
from whorl.cli.tree_files import TreeFiles, open_tree_files

if TYPE_CHECKING:
    from whorl.cli.inputs import InputSentence
    from whorl.engine import Parse
    from whorl.formats import Format

__all__ = ["Writer", "open_writer"]


class Writer(Protocol):
    """Writes sentences in order."""

    format_result: Callable[..., Any]
    """Formats the parses of a sentence and its `InputSentence` or None, where it was parsed."""
    needs_input: bool
    """Whether `format_result` uses the `InputSentence`."""

    def write(self, formatted: Any) -> None:
        """Write what `format_result` returned."""

    def flush(self) -> None:
        """Make everything written so far visible to readers."""


@contextmanager
def open_writer(output_format: Format, out: str) -> Iterator[Writer]:
    """Open standard output (`-`), a file, or for formats with one tree per file also a folder."""
    suffix = output_format.file_suffix
    if suffix is None:
        with open_output(out) as file:
            stream = _StreamWriter(output_format, file)
            yield stream
            stream.close()
        return
    is_folder = out != "-" and (Path(out).is_dir() or Path(out).suffix.lower() != suffix)
    with open_tree_files(out, suffix, is_folder=is_folder) as files:
        yield _TreeFileWriter(output_format, files)


class _StreamWriter:
    """Writes sentences into one file."""

    def __init__(self, output_format: Format, file: IO[str]) -> None:
        self.needs_input = output_format.needs_sentence
        self.format_result: Callable[..., str] = partial(
            _format_sentence if self.needs_input else _format_parses, output_format
        )
        self._format = output_format
        self._file = file
        self._is_empty = True

    def write(self, formatted: str) -> None:
        self._file.write(self._format.opening if self._is_empty else self._format.separator)
        self._file.write(formatted)
        self._is_empty = False

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.write(self._format.empty if self._is_empty else self._format.closing)


class _TreeFileWriter:
    """Writes each tree into its own file, named by the number of its sentence over all sources."""

    needs_input = False

    def __init__(self, output_format: Format, files: TreeFiles) -> None:
        self.format_result: Callable[..., list[str]] = partial(_format_trees, output_format)
        self._n_best = output_format.n_best
        self._files = files
        self._number = 0

    def write(self, formatted: Sequence[str]) -> None:
        self._number += 1
        for rank, drawing in enumerate(formatted, start=1):
            self._files.write(drawing, self._number, rank if self._n_best else None)

    def flush(self) -> None:
        """Do nothing: the files appear together, at the end."""


def _format_sentence(
    output_format: Format, parses: Sequence[Parse], sentence: InputSentence
) -> str:
    return output_format.format_sentence(sentence.with_parses(parses), sentence.origin)


def _format_parses(output_format: Format, parses: Sequence[Parse], _: None) -> str:
    return output_format.format_parses(parses)


def _format_trees(output_format: Format, parses: Sequence[Parse], _: None) -> list[str]:
    return [output_format.format_parse(parse) for parse in parses]
