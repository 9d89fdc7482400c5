"""What a run would do, without doing it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from whorl.catalogue import find_model
from whorl.corpus.documents import InputDocument, read_documents
from whorl.corpus.files import find_files, read_list, write_list
from whorl.corpus.options import CorpusOptions
from whorl.corpus.pieces import plan_pieces
from whorl.corpus.run import CorpusRun, load_model
from whorl.corpus.sentences import parse_documents
from whorl.corpus.setup import complete_options

__all__ = ["Estimate", "estimate_run"]

_SAMPLE = 512  # sentences that are parsed for the rate


@dataclass(frozen=True, slots=True)
class Estimate:
    """The size of a run."""

    files: int
    bytes: int
    """On disk."""
    pieces: int
    documents: int
    errors: int
    """Documents that cannot be read."""
    characters: int
    seconds: float
    """The time that the run would take."""


def estimate_run(run: CorpusRun) -> Estimate:
    """Read the whole input and parse a few hundred sentences of it; write nothing."""
    kind, files = find_files(run.inputs, run.options.kind, leave_out=run.out.resolve())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "inputs.jsonl"
        inputs = write_list(path, files)
        options = replace(run.options, kind=kind)
        options, _ = complete_options(options, inputs, partial(read_list, path))
        pieces = documents = errors = characters = 0
        for piece in plan_pieces(read_list(path), options):
            pieces += 1
            for document in read_documents(piece, options):
                if isinstance(document, InputDocument):
                    documents += 1
                    characters += len(document.text)
                else:
                    errors += 1
        rate = _characters_per_second(run, options, path)
    seconds = characters / rate / run.jobs if characters else 0.0
    return Estimate(inputs.files, inputs.bytes, pieces, documents, errors, characters, seconds)


def _characters_per_second(run: CorpusRun, options: CorpusOptions, files: Path) -> float:
    parser = load_model(find_model(run.model), options)(0)

    def documents() -> Iterator[InputDocument]:
        for piece in plan_pieces(read_list(files), options):
            for document in read_documents(piece, options):
                if isinstance(document, InputDocument):
                    yield document

    records = parse_documents(parser, documents(), replace(options, batch_size=64))
    next(records, None)  # what is done once is not part of the rate
    begin = time.perf_counter()
    characters = sum(len(record["text"]) for record in islice(records, _SAMPLE))
    return max(characters, 1) / max(time.perf_counter() - begin, 1e-9)
