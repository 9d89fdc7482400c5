"""Runs on a real Ray cluster of several nodes: same output, lost nodes and deadly documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("ray")

import ray
from ray.cluster_utils import Cluster

from tests.corpus.conftest import MODEL
from whorl.corpus import CorpusOptions, CorpusRun, run_corpus
from whorl.corpus.ray_cluster import RayCluster
from whorl.corpus.verification import verify_shards

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
