"""Runs: what they write, how they continue, and what they refuse."""

from __future__ import annotations

import json
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.corpus.conftest import MODEL, StopError, files
from whorl.corpus import CorpusOptions, KeptColumn, Share
from whorl.corpus.folder import OutputFolder
from whorl.corpus.verification import read_status, verify_shards
from whorl.errors import CorpusError

SMALL = CorpusOptions(piece_size=500)
KEEP = CorpusOptions(
    piece_size=500,
    keep=(KeptColumn("year"), KeptColumn("meta"), KeptColumn("score")),
    with_tokens=True,
    with_constituents=True,
)


def errors(folder):
    return [json.loads(line) for line in (folder / "errors.jsonl").read_text().splitlines()]


def test_shards_hold_the_sentences_as_the_parser_gives_them(run, records, tmp_path, parser):
    progress = run(records, options=KEEP)
    assert progress.is_complete
    assert (progress.documents, progress.errors) == (57, 3)
    table = pq.read_table(tmp_path / "out/shards")
    assert table.num_rows == progress.sentences
    rows = table.to_pylist()
    expected = []
    for number, line in enumerate(records.read_text().splitlines(), start=1):
        if number in (11, 31, 51):
            continue
        record = json.loads(line)
        for place, sentence in enumerate(parser(record["text"]), start=1):
            expected.append(
                {
                    "document": f"{records}:{number}",
                    "sentence": place,
                    **sentence.to_dict(),
                    "year": record["year"],
                    "meta": json.dumps(record["meta"]),
                    "score": 1.5,
                }
            )
    for row, other in zip(rows, expected, strict=True):
        assert row.pop("log_probability") == pytest.approx(other.pop("log_probability"), abs=1e-4)
        for phrase, same in zip(row["constituents"], other["constituents"], strict=True):
            assert phrase.pop("probability") == pytest.approx(same.pop("probability"), abs=1e-4)
        assert row == other


def test_the_schema_is_the_documented_one(run, records, tmp_path):
    run(records, options=KEEP)
    schema = pq.read_schema(next((tmp_path / "out/shards").iterdir()))
    places = [("start", pa.int64()), ("end", pa.int64())]
    token = pa.struct([("text", pa.string()), ("tag", pa.string()), *places])
    words = [("left", pa.int32()), ("right", pa.int32())]
    phrase = pa.struct([("label", pa.string()), *words, *places, ("probability", pa.float64())])
    assert dict(zip(schema.names, schema.types, strict=True)) == {
        "document": pa.string(),
        "sentence": pa.int32(),
        "text": pa.string(),
        "start": pa.int64(),
        "end": pa.int64(),
        "tokens": pa.list_(token),
        "tree": pa.string(),
        "log_probability": pa.float64(),
        "constituents": pa.list_(phrase),
        "year": pa.int64(),
        "meta": pa.string(),
        "score": pa.float64(),
    }


def test_shards_of_json_keep_values_as_they_are(run, records, tmp_path):
    options = CorpusOptions(format="jsonl", keep=(KeptColumn("meta"),), piece_size=500)
    progress = run(records, options=options)
    lines = [
        json.loads(line)
        for path in sorted((tmp_path / "out/shards").iterdir())
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(lines) == progress.sentences
    assert list(lines[0]) == [
        *("document", "sentence", "text", "start", "end", "tree", "log_probability", "meta")
    ]
    assert lines[0]["meta"] == {"tags": [0]}


def test_documents_that_cannot_be_read_are_listed_in_order(run, records, tmp_path):
    run(records, options=SMALL)
    listed = errors(tmp_path / "out")
    assert [(error["file"], error["line"]) for error in listed] == [
        (str(records), 11),
        (str(records), 31),
        (str(records), 51),
    ]
    assert "not JSON" in listed[0]["reason"]
    assert "no field 'text'" in listed[1]["reason"]
    assert "expected a text in 'text', not int" in listed[2]["reason"]


def test_strict_stops_at_the_first_of_them_and_the_run_can_continue_without(run, records, tmp_path):
    with pytest.raises(CorpusError, match=r"records\.jsonl:11: not JSON"):
        run(records, options=SMALL, strict=True)
    assert run(records, options=SMALL).is_complete
    run(records, options=SMALL, out="other")
    assert files(tmp_path / "out") == files(tmp_path / "other")


@pytest.mark.parametrize("options", [SMALL, KEEP, CorpusOptions(format="jsonl", piece_size=300)])
def test_an_interrupted_run_continues_and_gives_the_same_bytes(run, records, tmp_path, options):
    run(records, options=options, out="undisturbed")
    runs = 0
    while True:
        runs += 1
        try:
            progress = run(records, options=options, stop_after=2)
        except StopError:
            continue
        break
    assert progress.is_complete
    assert runs > 3
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")


def test_a_torn_journal_line_costs_one_shard_and_nothing_else(run, records, tmp_path):
    run(records, options=SMALL, out="undisturbed")
    with pytest.raises(StopError):
        run(records, options=SMALL, stop_after=4)
    journal = tmp_path / "out/progress/journal.jsonl"
    whole = journal.read_bytes()
    for damage in (whole[:-1], whole[:-40], whole[:-40] + b"\0" * 40, whole + b'{"piece": 4, '):
        journal.write_bytes(damage)
        with pytest.raises(StopError):
            run(records, options=SMALL, stop_after=1)
        assert len(journal.read_bytes().splitlines()) >= 4
    run(records, options=SMALL)
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")


def test_what_killed_processes_leave_is_removed(run, records, tmp_path):
    run(records, options=SMALL, out="undisturbed")
    with pytest.raises(StopError):
        run(records, options=SMALL, stop_after=2)
    for name in ("shards/.000002.parquet.77.partial", ".manifest.json.77.partial"):
        (tmp_path / "out" / name).write_bytes(b"PAR1")
    (tmp_path / "out/shards/000002.parquet").write_bytes(b"not in the journal")
    run(records, options=SMALL)
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")


def test_a_complete_run_is_left_alone(run, records, tmp_path):
    run(records, options=SMALL)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out/shards").iterdir()}
    assert run(records, options=SMALL, stop_after=0).is_complete
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "out/shards").iterdir()}


def test_missing_shards_of_a_complete_run_are_written_again(run, records, tmp_path):
    run(records, options=SMALL)
    before = files(tmp_path / "out")
    for name in ("000001.parquet", "000003.parquet"):
        (tmp_path / "out/shards" / name).unlink()
    with pytest.raises(StopError):
        run(records, options=SMALL, stop_after=1)
    run(records, options=SMALL)
    assert files(tmp_path / "out") == before


def test_other_options_or_inputs_are_refused_with_what_changed(run, records, tmp_path):
    run(records, options=SMALL)
    with pytest.raises(CorpusError, match=r"--overwrite starts anew:\n  beam was 1 and is 2"):
        run(records, options=CorpusOptions(piece_size=500, beam=2))
    os.utime(records, ns=(1, 1))
    with pytest.raises(CorpusError, match=r"records\.jsonl: modified since"):
        run(records, options=SMALL)
    with records.open("a") as file:
        file.write("\n")
    with pytest.raises(CorpusError, match=r"records\.jsonl: [\d,]+ bytes then, [\d,]+ now"):
        run(records, options=SMALL)
    shutil.copy(records, tmp_path / "b.jsonl")
    with pytest.raises(CorpusError, match=r"b\.jsonl where nothing was"):
        run(records, tmp_path / "b.jsonl", options=SMALL)


def test_another_model_is_refused(run, records, tmp_path, monkeypatch):
    run(records, options=SMALL)
    copy = tmp_path / "model"
    shutil.copytree(MODEL.parent / "span-float16", copy)
    monkeypatch.setattr("tests.corpus.conftest.MODEL", copy)
    with pytest.raises(CorpusError, match=r"the model was .*span-int8 and is .*model"):
        run(records, options=SMALL)


def test_overwrite_starts_anew_even_if_it_was_interrupted(run, records, tmp_path, monkeypatch):
    run(records, options=CorpusOptions(piece_size=200))
    run(records, options=SMALL, out="undisturbed")
    with monkeypatch.context() as patched, pytest.raises(StopError):
        patched.setattr(OutputFolder, "remove_progress", _stop)
        run(records, options=SMALL, overwrite=True)
    assert run(records, options=SMALL).is_complete
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")
    assert run(records, options=SMALL, overwrite=True).is_complete
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")


def _stop(_):
    raise StopError


def test_a_folder_with_something_else_is_refused(run, records, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.tex").write_text("x")
    with pytest.raises(CorpusError, match=r"not empty and holds something else.*thesis\.tex"):
        run(records, options=SMALL, overwrite=True)
    assert (tmp_path / "out/thesis.tex").exists()


def test_one_run_at_a_time(run, records, tmp_path):
    folder = OutputFolder(tmp_path / "out")
    folder.create()
    assert not folder.is_locked()
    with folder.lock():
        assert folder.is_locked()
        with pytest.raises(CorpusError, match="another run is writing"):
            run(records, options=SMALL)
    assert run(records, options=SMALL).is_complete


def test_jobs_of_an_array_write_what_one_job_writes(run, records, tmp_path):
    run(records, options=SMALL, out="undisturbed")
    shares = [Share(number, 3) for number in (1, 2, 3)]
    with pytest.raises(StopError):
        run(records, options=SMALL, share=shares[1], stop_after=1)
    states = [run(records, options=SMALL, share=share).is_complete for share in shares]
    assert states == [False, False, True]
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")
    assert run(records, options=SMALL, share=shares[0]).is_complete
    assert run(records, options=SMALL).is_complete
    assert files(tmp_path / "out") == files(tmp_path / "undisturbed")


def test_a_share_is_checked():
    assert Share.parse("3/16") == Share(3, 16)
    assert [piece for piece in range(8) if piece in Share(2, 3)] == [1, 4, 7]
    for text in ("0/3", "4/3", "3", "a/b", "-1/2"):
        with pytest.raises(CorpusError, match="expected a share such as 3/16"):
            Share.parse(text)


def test_status_and_verification(run, records, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(StopError):
        run(records, options=SMALL, stop_after=3)
    status = read_status(out)
    assert status.progress.shards == 3
    assert not status.progress.is_complete
    assert 0 < status.progress.disk_bytes < status.progress.total_bytes
    assert all(reason is None for _, reason in verify_shards(out))
    progress = run(records, options=SMALL)
    status = read_status(out)
    assert status.progress == progress
    assert all(reason is None for _, reason in verify_shards(out))
    shard = out / "shards/000001.parquet"
    data = bytearray(shard.read_bytes())
    data[100] ^= 1
    shard.write_bytes(data)
    (out / "shards/000002.parquet").unlink()
    shutil.copy(shard, out / "shards/000099.parquet")
    assert {name: reason for name, reason in verify_shards(out) if reason} == {
        "shards/000001.parquet": "damaged: its checksum differs",
        "shards/000002.parquet": "missing",
        "shards/000099.parquet": "not in the manifest",
    }


def test_the_manifest_says_nothing_about_how_the_run_went(run, records, tmp_path):
    run(records, options=SMALL)
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert manifest["documents"] == 57
    assert sum(shard["documents"] for shard in manifest["shards"]) == 57
    assert set(manifest) == {
        *("format", "whorl", "model", "options", "input", "software", "state"),
        *("documents", "sentences", "errors", "shards"),
    }
    assert set(files(tmp_path / "out")) == {
        *("manifest.json", "inputs.jsonl", "errors.jsonl", ".lock"),
        *(shard["file"] for shard in manifest["shards"]),
    }
