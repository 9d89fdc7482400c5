"""What the commands share: errors as exit codes, closed pipes, and files that are written whole or not at all."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import IO, Annotated, ParamSpec

import typer

from whorl.errors import BracketError, WhorlError

__all__ = [
    "OnError",
    "OnErrorOption",
    "TreesArgument",
    "guarded",
    "note",
    "report_skipped",
    "written_whole",
]

P = ParamSpec("P")


class OnError(str, Enum):
    """What to do with bracketed text that is not a tree."""

    stop = "stop"
    skip = "skip"

    def collector(self) -> list[BracketError] | None:
        """The list for the reader to collect errors in, or None to have them raised."""
        return [] if self is OnError.skip else None


OnErrorOption = Annotated[
    OnError,
    typer.Option("--on-error", help="Stop at a malformed tree, or skip it and list it on stderr."),
]
TreesArgument = Annotated[
    str, typer.Argument(metavar="[FILE|-]", help="Bracketed trees; - is standard input.")
]


_TRAINING_PACKAGES = ("torch", "onnx", "tokenizers", "tomli")  # what the extra `train` brings


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Make a command end as it should: 1 and a message on bad input, 0 when its reader has gone away."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            raise typer.Exit(0) from None
        except ModuleNotFoundError as error:
            if error.name not in _TRAINING_PACKAGES:
                raise
            note(
                f"error: this command needs {error.name}, which is not installed: pip install 'whorl[train]'"
            )
            raise typer.Exit(1) from None
        except WhorlError as error:
            note(f"error: {error}")
            raise typer.Exit(1) from None
        except UnicodeDecodeError as error:
            note(
                f"error: the input is not UTF-8: {error.reason} at byte {error.start} of what was read last"
            )
            raise typer.Exit(1) from None
        except OSError as error:
            note(f"error: {error.filename or 'input or output'}: {error.strerror or error}")
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            note("interrupted")
            raise typer.Exit(130) from None
        finally:
            _settle_stdout()

    return run


def _settle_stdout() -> None:
    """Write out what standard output still holds; where that is impossible, keep the interpreter from trying again."""
    try:
        sys.stdout.flush()
    except OSError:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)


def note(message: str) -> None:
    """Say something to the person, beside the output."""
    print(f"whorl: {message}", file=sys.stderr)


def report_skipped(skipped: list[BracketError] | None) -> None:
    """Count and list what the reader skipped."""
    if skipped:
        note(f"skipped {len(skipped)} malformed tree{'s' if len(skipped) > 1 else ''}:")
        for error in skipped:
            print(f"  {error}", file=sys.stderr)


@contextmanager
def written_whole(path: str | Path | None) -> Iterator[IO[str]]:
    """Open an output: standard output for None or `-`, else a file that appears only once it is complete.

    A file that is replaced keeps its permissions, and a link to it stays a link. What is no plain
    file, such as a named pipe or `/dev/null`, is written to as it stands.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    partial = target.with_name(f".{target.name[:40]}.{os.getpid()}.partial")
    try:
        file = partial.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with file:
            yield file
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
