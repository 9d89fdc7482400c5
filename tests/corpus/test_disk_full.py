"""A full disk: nothing half-written, a clear error, and the run continues when there is room."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.corpus.conftest import MODEL, files

SIZE = 300_000


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a few hundred kilobytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def corpus(*arguments):
    command = [sys.executable, "-m", "whorl", "corpus", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("room", [0, 60_000])
def test_a_full_disk(small_disk, records, tmp_path, room):
    records.write_text(records.read_text() * 4)
    arguments = [records, "--model", MODEL, "--piece-size", "2000", "--jobs", "2"]
    arguments += ["--format", "jsonl", "--with-tokens", "--with-constituents"]
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (SIZE - room - 8192))
    done = corpus(*arguments, "--out", small_disk / "out")
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert not list(small_disk.rglob("*.partial"))
    filler.unlink()
    rest = corpus(*arguments, "--out", small_disk / "out")
    if rest.returncode:  # the whole output may not fit: the shards so far must
        assert "No space left on device" in rest.stderr
        verified = corpus("--out", small_disk / "out", "--verify")
        assert verified.returncode == 0, verified.stderr
        subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
        rest = corpus(*arguments, "--out", small_disk / "out")
    assert rest.returncode == 0, rest.stderr
    assert corpus(*arguments, "--out", tmp_path / "out").returncode == 0
    assert files(small_disk / "out") == files(tmp_path / "out")
