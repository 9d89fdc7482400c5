"""A small exported parser, and runs that parse in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("zstandard")
pytest.importorskip("onnxruntime")

import whorl
from whorl.corpus import CorpusOptions, CorpusRun, Progress, run_corpus
from whorl.corpus.shards import write_shard

MODEL = Path(__file__).parents[1] / "compat/format-2/span-int8"


class StopError(Exception):
    """What stands for the end of a process."""


@pytest.fixture(scope="session")
def parser():
    return whorl.load(MODEL)


@pytest.fixture
def run(parser, tmp_path: Path) -> Callable[..., Progress]:
    """A run without worker processes; with `stop_after`, it is interrupted after some shards."""

    def run_here(
        *inputs: Path,
        out: str = "out",
        stop_after: int | None = None,
        options: CorpusOptions,
        **rest: Any,
    ) -> Progress:
        def execute(pieces, settings, store) -> Iterator[Any]:
            for number, piece in enumerate(pieces):
                if number == stop_after:
                    raise StopError
                yield write_shard(parser, piece, settings, store)

        request = CorpusRun(
            inputs=list(map(str, inputs)),
            out=tmp_path / out,
            options=options,
            model=str(MODEL),
            **rest,
        )
        return run_corpus(request, execute=execute)

    return run_here


@pytest.fixture
def sentences() -> list[str]:
    words = ["Dogs", "bark", "well", "and", "cats", "sleep", "still"]
    return [f"{' '.join(words[: 2 + number % 6])} . It works ! {number}" for number in range(60)]


@pytest.fixture
def records(tmp_path: Path, sentences: list[str]) -> Path:
    """Sixty records, among them three that cannot be read."""
    path = tmp_path / "records.jsonl"
    lines = [
        json.dumps({"text": text, "year": number, "meta": {"tags": [number]}, "score": 1.5})
        for number, text in enumerate(sentences)
    ]
    lines[10], lines[30] = "{broken", json.dumps({"year": 3})
    lines[50] = json.dumps({"text": 7})
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
