"""Wheels, byte for byte the same for the same files: see the specification of binary packages.

Files are stored without compression, since compressed bytes depend on the version of zlib; weights
would shrink by a tenth. Times are those of `SOURCE_DATE_EPOCH`, or fixed.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from whorl.errors import PackageError
from whorl.files import replace_atomically

__all__ = ["write_wheel"]

_EPOCH = 1580601600  # 2020-02-02, as hatchling has it
_EARLIEST, _LATEST = 315532800, 4354819198  # the first and the last second that zip can hold
_MODE = 0o100644  # a regular file, readable by everybody


def write_wheel(
    path: Path, files: Mapping[str, bytes | Path], metadata: Mapping[str, bytes], folder: str
) -> None:
    """Write a wheel; `metadata` goes into the metadata folder, whose RECORD lists all files.

    A wheel that exists is replaced when the new one is complete.
    """
    entries: dict[str, bytes | Path] = {name: files[name] for name in sorted(files)}
    entries |= {f"{folder}/{name}": metadata[name] for name in sorted(metadata)}
    date = _date()
    record = []
    with replace_atomically(path) as partial, zipfile.ZipFile(partial, "w") as archive:
        for name, content in entries.items():
            data = content.read_bytes() if isinstance(content, Path) else content
            archive.writestr(_info(name, date), data)
            record.append(f"{name},sha256={_digest(data)},{len(data)}")
        name = f"{folder}/RECORD"
        archive.writestr(_info(name, date), _lines([*record, f"{name},,"]))


def _info(name: str, date: tuple[int, int, int, int, int, int]) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, date)
    info.create_system = 3  # Unix, on every system
    info.external_attr = _MODE << 16
    return info


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _date() -> tuple[int, int, int, int, int, int]:
    text = os.environ.get("SOURCE_DATE_EPOCH") or str(_EPOCH)
    try:
        moment = time.gmtime(min(max(int(text), _EARLIEST), _LATEST))
    except ValueError:
        raise PackageError(
            f"SOURCE_DATE_EPOCH is {text!r}, expected a number of seconds since 1970"
        ) from None
    return (*moment[:5], moment.tm_sec)
