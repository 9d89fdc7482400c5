"""The model behind a component: loaded on first use, saved with the pipeline.

A saved pipeline has the files of its model or, for one of an installed package, its name and
checksum.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import srsly

from whorl.catalogue import find_model, is_packaged
from whorl.errors import ModelError
from whorl.files import replace_atomically, write_json
from whorl.parser import Parser, load, model_checksum, model_files

__all__ = ["LazyParser"]

_SAVED = "whorl.json"
_FOLDER = "model"


class LazyParser:
    """A parser by the name or the path of its model, loaded when it is first asked for."""

    def __init__(self, model: str, *, device: str = "cpu", convention: str | None = None) -> None:
        self.model = model
        self._device = device
        self._convention = convention
        self._carried: Path | None = None
        """The folder of a model that came with a saved pipeline."""
        self._parser: Parser | None = None

    @property
    def parser(self) -> Parser:
        """The parser."""
        if self._parser is None:
            self._parser = load(self.folder, device=self._device, convention=self._convention)
        return self._parser

    @property
    def folder(self) -> Path:
        """The model folder."""
        return self._carried or find_model(self.model)

    def to_disk(self, path: Path) -> None:
        """Save the model, or its name and checksum, in a folder."""
        description, folder = self._describe(), self.folder
        path.mkdir(parents=True, exist_ok=True)
        target = path / _FOLDER
        if description["files"]:
            target.mkdir(exist_ok=True)
        if not target.exists() or target.resolve() != folder.resolve():
            for name in description["files"]:
                with replace_atomically(target / name) as partial:
                    shutil.copyfile(folder / name, partial)
        write_json(path / _SAVED, description)

    def from_disk(self, path: Path) -> None:
        """Take over what `to_disk` saved; without its file, keep the model as configured."""
        saved = path / _SAVED
        if not saved.exists():
            return
        try:
            description = json.loads(saved.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ModelError(f"{saved} cannot be read: {error}") from error
        self._restore(description, path / _FOLDER, str(saved))

    def to_bytes(self) -> bytes:
        """Return what `to_disk` saves as bytes."""
        description, folder = self._describe(), self.folder
        contents = {name: (folder / name).read_bytes() for name in description["files"]}
        packed: bytes = srsly.msgpack_dumps([description, contents])
        return packed

    def from_bytes(self, data: bytes) -> None:
        """Take over what `to_bytes` returned; files of a model go to a temporary folder."""
        description, contents = srsly.msgpack_loads(data)
        folder = Path(tempfile.mkdtemp(prefix="whorl-")) if contents else Path()
        if contents:
            weakref.finalize(self, _remove, folder, os.getpid())
        for name, content in contents.items():
            (folder / Path(name).name).write_bytes(content)
        self._restore(description, folder, "the saved pipeline")

    def _describe(self) -> dict[str, Any]:
        """Return what a saved pipeline says about its model."""
        folder = self.folder
        return {
            "model": self.model,
            "checksum": model_checksum(folder),
            "files": [] if is_packaged(folder) else model_files(folder),
        }

    def _restore(self, saved: Any, carried: Path, source: str) -> None:
        """Take over the model of a saved pipeline, whose files, if it has any, are in a folder.

        A configuration that was changed to name another model than the saved one is obeyed.
        """
        if not isinstance(saved, dict) or not {"model", "checksum", "files"} <= saved.keys():
            raise ModelError(f"{source} does not say which model was saved: {saved!r:.80}")
        if saved["model"] != self.model:
            return
        folder = carried if saved["files"] else find_model(self.model)
        checksum = model_checksum(folder)
        if checksum != saved["checksum"]:
            raise ModelError(
                f"{source}: the pipeline was saved with another model {self.model!r} than that of "
                f"{folder}: the checksum is {checksum}, expected {saved['checksum']}. Install the "
                "version of the model that was saved; or, to accept this one, delete whorl.json "
                "from the component's folder"
            )
        self._parser = None
        self._carried = folder if saved["files"] else None
        if self._carried is not None:
            # Load now: the folder may be a temporary one.
            _ = self.parser


def _remove(folder: Path, owner: int) -> None:
    """Remove a temporary folder, unless this is a fork of the process that made it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
