"""Worker processes that die, are killed, or fail."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from functools import partial

import pytest

from tests.corpus.conftest import MODEL, files
from tests.corpus.deadly import die_at_once, load_deadly
from whorl.corpus import CorpusOptions, CorpusRun, run_corpus
from whorl.corpus.run import Progress
from whorl.corpus.workers import parse_pieces
from whorl.errors import ModelError, WorkerError

LOAD = partial(load_deadly, MODEL)
OPTIONS = CorpusOptions(kind="jsonl", piece_size=400)


@pytest.fixture
def run_workers(tmp_path):
    """A run with worker processes whose parser is chosen."""

    def run(texts, *, out="out", load=LOAD, jobs=2, **rest) -> Progress:
        path = tmp_path / "texts.jsonl"
        if not path.exists():
            path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))

        def execute(pieces, settings, store):
            return parse_pieces(pieces, load, settings, store, jobs)

        request = CorpusRun(
            inputs=[str(path)], out=tmp_path / out, options=OPTIONS, model=str(MODEL), **rest
        )
        return run_corpus(request, execute=execute)

    return run


def listed(out):
    return [json.loads(line) for line in (out / "errors.jsonl").read_text().splitlines()]


def test_documents_that_kill_workers_are_set_aside_and_no_others(run_workers, sentences, tmp_path):
    sentences[7] = sentences[9] = "some poison here"
    sentences[30] = "a faulty one"
    progress = run_workers(sentences)
    assert progress.is_complete
    assert (progress.documents, progress.errors) == (57, 3)
    assert [(error["line"], error["reason"]) for error in listed(tmp_path / "out")] == [
        (8, "killed 2 worker processes when parsed alone"),
        (10, "killed 2 worker processes when parsed alone"),
        (
            31,
            "could not be parsed: MemoryError: "
            "not enough memory to parse a sentence of 9,999 words",
        ),
    ]
    assert not multiprocessing.active_children()


def test_strict_runs_stop_at_poison(run_workers, sentences):
    sentences[7] = "some poison here"
    with pytest.raises(WorkerError, match=r"document \d+ of piece \d+ killed 2 worker processes"):
        run_workers(sentences, strict=True)
    assert not multiprocessing.active_children()


def test_killed_workers_are_replaced_and_cost_nothing(run_workers, sentences, tmp_path):
    texts = [f"{text} slow" for text in sentences]
    run_workers(texts, out="undisturbed", jobs=2)
    killed = []

    def execute(pieces, settings, store):
        load = partial(load_deadly, MODEL)
        for record in parse_pieces(pieces, load, settings, store, 2):
            yield record
            if len(killed) < 3:
                victim = multiprocessing.active_children()[0]
                os.kill(victim.pid, signal.SIGKILL)
                killed.append(victim.pid)

    request = CorpusRun(
        inputs=[str(tmp_path / "texts.jsonl")],
        out=tmp_path / "out",
        options=OPTIONS,
        model=str(MODEL),
    )
    progress = run_corpus(request, execute=execute)
    assert len(killed) == 3
    assert (progress.documents, progress.errors) == (60, 0)
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")


def test_workers_that_cannot_start_are_an_error(run_workers, sentences, monkeypatch):
    monkeypatch.setattr("whorl.corpus.workers._STILLBORN", 2)
    with pytest.raises(WorkerError, match="died one after another while they loaded the model"):
        run_workers(sentences, load=die_at_once, jobs=1)


def _load_nothing(worker):
    raise ModelError("this model is damaged")


def test_an_error_of_the_model_stops_the_run(run_workers, sentences):
    with pytest.raises(ModelError, match="this model is damaged"):
        run_workers(sentences, load=_load_nothing)
    assert not multiprocessing.active_children()
