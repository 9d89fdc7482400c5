"""What the commands share: exit codes, messages, and output files."""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from typing import IO, Annotated, ParamSpec

import typer

from whorl.cli.streams import guard_terminal
from whorl.errors import BracketError, WhorlError

__all__ = [
    "OnError",
    "OnErrorOption",
    "TreesArgument",
    "guarded",
    "note",
    "open_output",
    "report_skipped",
    "terminal_width",
]

P = ParamSpec("P")

_WIDTH = 100  # columns of output that is not a terminal
_EXTRAS = {
    **dict.fromkeys(("torch", "onnx", "tokenizers", "tomli"), "train"),
    **dict.fromkeys(("pyarrow", "zstandard"), "corpus"),
}
"""Packages and the extras that have them."""


class OnError(str, Enum):
    """What to do with bracketed text that is not a tree."""

    stop = "stop"
    skip = "skip"

    def collector(self) -> list[BracketError] | None:
        """Return a list in which the reader collects errors, or None to have them raised."""
        return [] if self is OnError.skip else None


OnErrorOption = Annotated[
    OnError,
    typer.Option("--on-error", help="Stop at a malformed tree, or skip it and list it on stderr."),
]
TreesArgument = Annotated[
    str, typer.Argument(metavar="[FILE|-]", help="Bracketed trees; - is standard input.")
]


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Make a command report errors as one line and an exit code: 1, or 130 for an interrupt.

    A closed pipe is no error.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        code = 1
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
            return
        except BrokenPipeError:
            code = 0
        except ModuleNotFoundError as error:
            if error.name not in _EXTRAS:
                raise
            note(
                f"error: this command needs {error.name}, which is not installed: "
                f"pip install 'whorl[{_EXTRAS[error.name]}]'"
            )
        except WhorlError as error:
            note(f"error: {error}")
        except UnicodeDecodeError as error:
            note(
                f"error: the input is not UTF-8: {error.reason} "
                f"at byte {error.start} of the last block read"
            )
        except MemoryError as error:
            note(f"error: {str(error) or 'not enough memory for this input'}")
        except OSError as error:
            note(f"error: {_describe(error)}")
        except KeyboardInterrupt:
            note("interrupted")
            code = 130
        finally:
            _settle_stdout()
        raise typer.Exit(code)

    return run


def _describe(error: OSError) -> str:
    if error.filename is None and error.errno == errno.EBADF:
        return "standard input or output is closed"
    return f"{error.filename or 'standard input or output'}: {error.strerror or error}"


def _settle_stdout() -> None:
    """Flush standard output; if that fails, keep the interpreter from trying again as it exits."""
    try:
        sys.stdout.flush()
    except OSError:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)


def note(message: str) -> None:
    """Print a message on standard error; one that nobody can receive is dropped."""
    with suppress(OSError):
        print(f"whorl: {message}", file=sys.stderr)


def report_skipped(skipped: list[BracketError] | None) -> None:
    """Count and list the malformed trees that the reader skipped."""
    if skipped:
        note(f"skipped {len(skipped)} malformed tree{'s' if len(skipped) > 1 else ''}:")
        for error in skipped:
            print(f"  {error}", file=sys.stderr)


def terminal_width(out: str) -> int:
    """Return the columns for text that goes to `out`: those of the terminal, if it is one."""
    import shutil

    return shutil.get_terminal_size().columns if out == "-" and sys.stdout.isatty() else _WIDTH


@contextmanager
def open_output(path: str | Path | None) -> Iterator[IO[str]]:
    """Open standard output for None or `-`, else a file that appears only once it is complete.

    Something that is not a regular file, such as a named pipe or `/dev/null`, is written directly.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    from whorl.files import replace_atomically

    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as file:
            yield guard_terminal(file)
        return
    with replace_atomically(target) as partial:
        try:
            file = partial.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        with file:
            yield file
