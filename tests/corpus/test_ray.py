"""Runs on a real Ray cluster of several nodes: same output, lost nodes and deadly documents."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("ray.data")

import pyarrow as pa
import ray
import ray.data
from ray.cluster_utils import Cluster

from tests.corpus.conftest import MODEL
from tests.corpus.deadly import load_deadly
from whorl.corpus import BatchParser, CorpusOptions, CorpusRun, Share, parse_batch, run_corpus
from whorl.corpus.ray_cluster import RayCluster
from whorl.corpus.stores import FolderStore
from whorl.corpus.verification import verify_shards
from whorl.errors import CorpusError, MissingPackageError, WorkerError

SENTENCES = ("The dog barks .", "It works .", "Look !", "Dogs bark , and cats sleep well .")


@pytest.fixture(scope="module")
def cluster():
    """Two nodes with one core each beside the head, which runs no actor."""
    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "object_store_memory": 100 << 20},
    )
    made.add_node(num_cpus=1, object_store_memory=100 << 20)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def write_corpus(folder: Path, documents: int) -> Path:
    path = folder / "corpus.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            text = " ".join(SENTENCES[: 1 + number % 4])
            file.write(json.dumps({"text": text, "name": f"d{number}"}) + "\n")
    return path


def request(path: Path, out: Path, **options) -> CorpusRun:
    chosen = CorpusOptions(text="text", id="name", piece_size=2000, **options)
    return CorpusRun(inputs=[str(path)], out=out, options=chosen, model=str(MODEL))


def read_errors(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "errors.jsonl").read_text().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_a_lost_node_costs_nothing_and_the_output_is_that_of_one_machine(cluster, tmp_path):
    path = write_corpus(tmp_path, 400)
    run_corpus(request(path, tmp_path / "alone"))
    lost = cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
    cluster.wait_for_nodes()
    seen = []

    def lose_a_node(progress):
        seen.append(progress.shards)
        if progress.shards == 2:
            cluster.remove_node(lost, allow_graceful=False)

    on_ray = request(path, tmp_path / "ray")
    progress = run_corpus(
        on_ray, execute=RayCluster(MODEL, actors=2).execute, on_progress=lose_a_node
    )
    assert progress.is_complete
    assert max(seen) > 5
    assert contents(tmp_path / "ray") == contents(tmp_path / "alone")
    assert all(reason is None for _, reason in verify_shards(tmp_path / "ray"))


def test_a_run_begun_on_ray_continues_on_one_machine(cluster, tmp_path):
    path = write_corpus(tmp_path, 200)
    run_corpus(request(path, tmp_path / "alone"))

    class StopError(Exception):
        pass

    def stop(progress):
        if progress.shards == 2:
            raise StopError

    with pytest.raises(StopError):
        run_corpus(
            request(path, tmp_path / "both"),
            execute=RayCluster(MODEL, actors=1).execute,
            on_progress=stop,
        )
    assert run_corpus(request(path, tmp_path / "both")).is_complete
    assert contents(tmp_path / "both") == contents(tmp_path / "alone")


def test_documents_that_kill_actors_are_set_aside_and_no_others(cluster, tmp_path):
    path = write_corpus(tmp_path, 60)
    lines = path.read_text().splitlines()
    lines[30] = json.dumps({"text": "a faulty one", "name": "worse"})
    path.write_text("\n".join(lines))
    deadly = RayCluster(MODEL, actors=1, load=partial(load_deadly, MODEL))
    strict = replace(request(path, tmp_path / "strict"), strict=True)
    with pytest.raises(WorkerError, match=r"document \d+ of piece \d+ could not be parsed: Memory"):
        run_corpus(strict, execute=deadly.execute)
    lines[7] = json.dumps({"text": "some poison here", "name": "bad"})
    path.write_text("\n".join(lines))
    progress = run_corpus(request(path, tmp_path / "out"), execute=deadly.execute)
    assert (progress.documents, progress.errors) == (58, 2)
    killed, faulty = read_errors(tmp_path / "out")
    assert (killed["line"], faulty["line"]) == (8, 31)
    assert killed["reason"] == "killed 2 worker processes when parsed alone"
    assert faulty["reason"].startswith("could not be parsed: MemoryError: not enough memory")


def test_a_part_of_an_array_can_use_ray_and_shards_can_go_to_a_uri(cluster, tmp_path):
    path = write_corpus(tmp_path, 200)
    run_corpus(request(path, tmp_path / "alone"))
    uri = (tmp_path / "shared").as_uri()
    half = replace(request(path, tmp_path / "ray", shards=uri), share=Share(1, 2))
    on_ray = RayCluster(MODEL, actors=1).execute
    assert not run_corpus(half, execute=on_ray).is_complete
    assert run_corpus(replace(half, share=Share(2, 2))).is_complete
    alone = contents(tmp_path / "alone")
    expected = {Path(name).name: data for name, data in alone.items() if name.startswith("shards")}
    assert contents(tmp_path / "shared") == expected


def test_input_that_a_node_lacks_is_an_error_and_no_document_is_set_aside(cluster, tmp_path):
    path = write_corpus(tmp_path, 20)

    def move_and_execute(pieces, settings, store):
        planned = list(pieces)
        path.rename(tmp_path / "elsewhere")
        return RayCluster(MODEL, actors=1).execute(iter(planned), settings, store)

    with pytest.raises(
        CorpusError, match=r"corpus\.jsonl is not on the node .*: the input must be"
    ):
        run_corpus(request(path, tmp_path / "out"), execute=move_and_execute)


def test_shards_that_are_not_seen_are_an_error(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("whorl.corpus.ray_cluster._VISIBLE", 0)
    monkeypatch.setattr(FolderStore, "size", lambda store, name: None)
    path = write_corpus(tmp_path, 20)
    with pytest.raises(CorpusError, match="was written by a node and is not seen here"):
        run_corpus(request(path, tmp_path / "out"), execute=RayCluster(MODEL, actors=1).execute)
    assert not (tmp_path / "out/progress/journal.jsonl").read_bytes()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:port"])
def test_a_cluster_that_does_not_answer_is_an_error(tmp_path, monkeypatch, address):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    path = write_corpus(tmp_path, 20)
    with pytest.raises(CorpusError, match=f"cannot connect to Ray at {address}: "):
        run_corpus(request(path, tmp_path / "out"), execute=RayCluster(MODEL, address).execute)


def test_a_missing_ray_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    path = write_corpus(tmp_path, 20)
    with pytest.raises(MissingPackageError, match=r"pip install 'whorl\[ray\]'"):
        run_corpus(request(path, tmp_path / "out"), execute=RayCluster(MODEL).execute)


def test_documents_with_ray_data(cluster):
    table = pa.table({"text": ["Dogs bark. It works!", "Rain."] * 4, "key": list("abcdefgh")})
    data = ray.data.from_arrow([table.slice(0, 4), table.slice(4)])
    constructor = {"model": str(MODEL), "id": "key"}
    parsed = data.map_batches(
        BatchParser,
        fn_constructor_kwargs=constructor,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=1),
    )
    rows = sorted(parsed.take_all(), key=lambda row: (row["document"], row["sentence"]))
    expected = parse_batch(table, **constructor)
    assert [row["tree"] for row in rows] == expected["tree"].to_pylist()
    assert [row["document"] for row in rows] == expected["document"].to_pylist()
    assert parsed.schema().base_schema.remove_metadata() == expected.schema.remove_metadata()
