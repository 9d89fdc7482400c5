"""Shards at a URI: the same bytes, and everything a run does with them."""

from __future__ import annotations

import uuid

import pytest

from tests.corpus.conftest import StopError, files
from whorl.corpus import CorpusOptions
from whorl.corpus.stores import FolderStore, UriStore, open_store
from whorl.corpus.verification import verify_shards
from whorl.errors import CorpusError


@pytest.fixture(params=["file", "mock"])
def uri(request, tmp_path):
    """A folder of this machine, or one in memory that Arrow reaches as it reaches others."""
    if request.param == "file":
        return (tmp_path / "else where").as_uri()
    return f"mock:///{uuid.uuid4()}/shards"


def content(store):
    found = {}
    for name in store.sizes():
        with store.open(name) as file:
            found[name] = file.read()
    return found


def test_a_uri_gets_the_shards_and_the_folder_the_rest(run, records, tmp_path, uri):
    run(records, options=CorpusOptions(piece_size=500), out="plain")
    options = CorpusOptions(piece_size=500, shards=uri)
    runs = 0
    while True:
        runs += 1
        try:
            run(records, options=options, stop_after=3)
        except StopError:
            assert all(reason is None for _, reason in verify_shards(tmp_path / "out"))
            continue
        break
    assert runs > 1
    plain = files(tmp_path / "plain")
    shards = {name: data for name, data in plain.items() if name.startswith("shards")}
    store = open_store(tmp_path / "out", uri)
    assert content(store) == shards
    assert store.sizes() == {name: len(data) for name, data in shards.items()}
    assert set(files(tmp_path / "out")) == set(plain) - set(shards)


def test_damage_at_a_uri_is_found_and_repaired(run, records, tmp_path, uri):
    options = CorpusOptions(piece_size=500, shards=uri, format="jsonl")
    run(records, options=options)
    store = open_store(tmp_path / "out", uri)
    before = content(store)
    first, second, *_ = before
    store.remove(first)
    for name, data in ((second, b"{}\n"), ("shards/000077.jsonl", b"")):
        with store.create(name) as file:
            file.write(data)
    assert {name: reason for name, reason in verify_shards(tmp_path / "out") if reason} == {
        first: "missing",
        second: "damaged: its checksum differs",
        "shards/000077.jsonl": "not in the manifest",
    }
    assert run(records, options=options).is_complete
    assert before.items() <= content(store).items()
    assert run(records, options=options, overwrite=True).is_complete
    assert "shards/000077.jsonl" not in content(store)


def test_another_uri_is_another_run_and_a_taken_one_is_refused(run, records, tmp_path, uri):
    run(records, options=CorpusOptions(piece_size=500, shards=uri))
    with pytest.raises(CorpusError, match=r"shards was \".*\" and is null"):
        run(records, options=CorpusOptions(piece_size=500))
    with pytest.raises(CorpusError, match="holds shards of another run"):
        run(records, options=CorpusOptions(piece_size=500, shards=uri), out="other")


def test_a_failure_leaves_nothing_at_a_uri(tmp_path, uri):
    store = open_store(tmp_path, uri)
    store.prepare()
    with pytest.raises(StopError), store.create("shards/000000.jsonl") as file:
        file.write(b"half a sentence")
        raise StopError
    assert store.sizes() == {}
    assert store.size("shards/000000.jsonl") is None
    with pytest.raises(FileNotFoundError), store.open("shards/000000.jsonl"):
        pass


def test_what_a_killed_process_left_at_a_uri_is_removed(run, records, tmp_path, uri):
    store = open_store(tmp_path / "out", uri)
    store.prepare()
    with store.create("shards/.000000.parquet.77.partial") as file:
        file.write(b"PAR1")
    run(records, options=CorpusOptions(piece_size=500, shards=uri))
    with pytest.raises(FileNotFoundError), store.open(".000000.parquet.77.partial"):
        pass


def test_uris_are_checked(tmp_path):
    for uri in ("nope://x", "relative/folder"):
        with pytest.raises(CorpusError, match="expected a URI that Arrow knows"):
            open_store(tmp_path, uri)
    with pytest.raises(CorpusError, match="keep passwords out of it"):
        open_store(tmp_path, "s3://key:secret@bucket/folder")
    assert open_store(tmp_path, None) == FolderStore(tmp_path / "shards")
    assert isinstance(open_store(tmp_path, "mock:///a"), UriStore)
