"""Files named after their content, so that a truncated or exchanged file is recognised."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable
from pathlib import Path

from whorl.errors import ModelError
from whorl.files import replace_atomically

__all__ = ["copy_named", "read_file", "read_named", "write_named"]

_LARGEST = 4 << 30  # bytes


def write_named(folder: Path, stem: str, suffix: str, data: bytes) -> str:
    """Write a file named after its content, and return that name."""
    name = f"{stem}-{_digest(data)}{suffix}"
    with replace_atomically(folder / name) as partial:
        partial.write_bytes(data)
    return name


def read_named(path: Path) -> bytes:
    """Read a file, and check that its content is what its name promises."""
    data = read_file(path, limit=_LARGEST)
    if _digest(data) not in path.name:
        raise ModelError(
            f"{path} is damaged: its content is not what was saved ({len(data)} bytes)"
        )
    return data


def copy_named(source: Path, target: Path, names: Iterable[str]) -> None:
    """Copy files named after their content to another folder."""
    for name in names:
        data = read_named(source / name)
        with replace_atomically(target / name) as partial:
            partial.write_bytes(data)


def read_file(path: Path, *, limit: int) -> bytes:
    """Read a regular file of a model folder that has at most `limit` bytes.

    A link must stay within the folder, or lead to where the link `model.json` leads: caches and
    installers that keep files elsewhere link all files of a folder to one place.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ModelError(f"{path} is not a regular file")
        folders = (path.parent.resolve(), (path.parent / "model.json").resolve().parent)
        if path.resolve().parent not in folders:
            raise ModelError(f"{path} is a link to {path.resolve()}, outside the model folder")
        with path.open("rb") as file:
            data = file.read(min(limit, status.st_size) + 1)
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > limit:
        raise ModelError(f"{path} is too large: {status.st_size} bytes, expected {limit} at most")
    return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
