"""Files named after their content, so that one that was cut off or exchanged is seen for what it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from whorl.errors import ModelError
from whorl.files import replaced

__all__ = ["read_named", "write_named"]


def write_named(folder: Path, stem: str, suffix: str, content: bytes) -> str:
    """Write a file named after its content, and return that name."""
    name = f"{stem}-{_digest(content)}{suffix}"
    with replaced(folder / name) as partial:
        partial.write_bytes(content)
    return name


def read_named(path: Path) -> bytes:
    """A file's content, which must be what its name says."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error
    if _digest(data) not in path.name:
        raise ModelError(
            f"{path} is damaged: its content is not what was saved ({len(data)} bytes)"
        )
    return data


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
