"""The folder of silver trees: finished files, finished chunks, and how they were labelled.

| file | contents |
| --- | --- |
| `NAME.trees`, `NAME.scores` | a finished file |
| `labelling.json` | the models and settings of the trees; a later run must have the same |
| `work/NAME.NUMBER.json` | a finished chunk of an unfinished file, removed when the file is done |
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from glob import escape
from pathlib import Path
from typing import Any

from whorl.errors import CorpusError
from whorl.files import replace_atomically, write_json

__all__ = ["LabelledChunk", "SilverFolder"]

_SETTINGS = "labelling.json"
_WORK = "work"


@dataclass(frozen=True, slots=True)
class LabelledChunk:
    """The lines that a chunk adds to the files of trees and of scores, and counts."""

    trees: list[str]
    scores: list[str]
    words: int
    left_out: int
    excluded: int


class SilverFolder:
    """Reads and writes what is done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._work = folder / _WORK

    def prepare(self, settings: dict[str, Any]) -> None:
        """Make the folder, or check that its trees were labelled with the same settings."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / _SETTINGS
        if not path.exists():
            write_json(path, settings)
            return
        try:
            saved: dict[str, Any] = dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise CorpusError(f"{path} is damaged: {error}") from error
        changed = [key for key, value in settings.items() if saved.get(key) != value]
        if changed:
            raise CorpusError(
                f"{self.folder} holds trees labelled with other settings ({', '.join(changed)}): "
                "choose another folder"
            )

    def is_finished(self, name: str) -> bool:
        """Tell whether a file is labelled; its scores come into place last."""
        return (self.folder / f"{name}.scores").exists()

    def has_chunk(self, name: str, number: int, source: list[int]) -> bool:
        """Tell whether a chunk of a file is labelled; `source` is the state of the file."""
        try:
            return bool(self._read(name, number)["source"] == source)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def save_chunk(self, name: str, number: int, source: list[int], chunk: LabelledChunk) -> None:
        """Keep a labelled chunk until its file is done."""
        self._work.mkdir(exist_ok=True)
        write_json(self._chunk(name, number), {"source": source, **asdict(chunk)})

    def finish(self, name: str, chunks: int) -> tuple[int, int, int, int]:
        """Join the chunks of a file; return its trees, words, lines left out, and excluded ones."""
        trees = words = left_out = excluded = 0
        with (
            replace_atomically(self.folder / f"{name}.scores") as scores_path,
            replace_atomically(self.folder / f"{name}.trees") as trees_path,
            scores_path.open("w", encoding="utf-8") as scores_file,
            trees_path.open("w", encoding="utf-8") as trees_file,
        ):
            for number in range(chunks):
                saved = self._read(name, number)
                saved.pop("source")
                chunk = LabelledChunk(**saved)
                trees_file.writelines(f"{line}\n" for line in chunk.trees)
                scores_file.writelines(f"{line}\n" for line in chunk.scores)
                trees += len(chunk.trees)
                words += chunk.words
                left_out += chunk.left_out
                excluded += chunk.excluded
        for path in self._work.glob(f"{escape(name)}.[0-9][0-9][0-9][0-9][0-9].json"):
            path.unlink()
        with suppress(OSError):  # another file is unfinished, or there were no chunks
            self._work.rmdir()
        return trees, words, left_out, excluded

    def _read(self, name: str, number: int) -> dict[str, Any]:
        return dict(json.loads(self._chunk(name, number).read_text(encoding="utf-8")))

    def _chunk(self, name: str, number: int) -> Path:
        return self._work / f"{name}.{number:05}.json"
