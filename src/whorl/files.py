"""Files that are replaced atomically: a reader finds the old one or the new one, never a part."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["replace_atomically", "sync_folder", "write_json"]


@contextmanager
def replace_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `path` once the block has ended without an error.

    A replaced file keeps its permissions, and a symbolic link to it stays a link.
    """
    target = path.resolve()
    partial = target.with_name(f".{target.name[:40]}.{os.getpid()}.partial")
    try:
        yield partial
        with partial.open("r+b") as file:
            os.fsync(file.fileno())
        if target.exists():
            partial.chmod(stat.S_IMODE(target.stat().st_mode))
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make sure that the names of the files in a folder survive a power failure."""
    if os.name == "nt":  # Windows cannot open folders, and writes names at once
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file atomically."""
    with replace_atomically(path) as partial:
        partial.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
