"""Kill a corpus run many times, and compare what it wrote with an undisturbed run.

    OMP_NUM_THREADS=1 python benchmarks/corpus_kills.py [--kills 50] [--documents 12000] [--jobs 2]

In turn, the parent, a worker, or all processes of the run are killed with SIGKILL, each time after
at least one more shard is complete; the kills are spread evenly over the run. After the death of
the parent, the same command is given again. Linux only.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TARGETS = ("parent", "worker", "all")
SAMPLE = Path(__file__).parents[1] / "src/whorl/bench/sample.txt"


@dataclass
class Run:
    """A command, its output folder, and its process."""

    arguments: list[str]
    out: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Give the command."""
        command = [sys.executable, "-m", "whorl", "corpus", *self.arguments, "--out", str(self.out)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE)

    def finish(self) -> None:
        """Wait for the end of the command, which must be a good one."""
        assert self.process is not None
        _, errors = self.process.communicate()
        assert self.process.returncode == 0, errors.decode()

    def shards(self) -> int:
        """Count the shards that the journal has."""
        try:
            return (self.out / "progress/journal.jsonl").read_bytes().count(b"\n")
        except FileNotFoundError:
            return 0

    def workers(self) -> list[int]:
        """Return the ids of the worker processes."""
        assert self.process is not None
        return [pid for pid in children(self.process.pid) if b"spawn_main" in command_line(pid)]

    def kill(self, target: str, chosen: random.Random) -> None:
        """Kill the parent, a worker, or all; without the parent, wait until all have ended."""
        assert self.process is not None
        workers = self.workers()
        if target == "worker":
            os.kill(chosen.choice(workers), signal.SIGKILL)
            return
        victims = [self.process.pid, *(workers if target == "all" else [])]
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        self.process.communicate()
        deadline = time.monotonic() + 60
        while any(command_line(pid) for pid in workers):
            assert time.monotonic() < deadline, "a worker outlives its parent"
            time.sleep(0.01)


def children(pid: int) -> list[int]:
    """Return the ids of the children of a process."""
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except FileNotFoundError:
        return []


def command_line(pid: int) -> bytes:
    """Return the command line of a process; nothing of one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def write_corpus(path: Path, documents: int) -> None:
    """Write a compressed file of documents, a few of which cannot be read."""
    chosen = random.Random(1)
    sentences = SAMPLE.read_text(encoding="utf-8").split("\n")
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for number in range(documents):
            text = " ".join(chosen.choices(sentences, k=chosen.randint(1, 6)))
            record = {"id": number, "text": text if number % 500 != 250 else None}
            file.write(json.dumps(record) + "\n" if number % 700 != 350 else "{broken\n")


def kill_many(
    arguments: list[str], out: Path, *, kills: int, shards: int, seed: int = 1
) -> Counter[str]:
    """Run the command with kills spread over it; return how often each target was killed."""
    chosen = random.Random(seed)
    run = Run(arguments, out)
    run.start()
    done: Counter[str] = Counter()
    before = 0
    for number in range(kills):
        target = TARGETS[number % len(TARGETS)]
        threshold = max(before + 1, number * shards // (kills + 1) + 1)
        while run.shards() < threshold or not run.workers():
            assert run.process is not None
            assert run.process.poll() is None, "the run ended before all kills"
            time.sleep(0.002)
        time.sleep(chosen.random() * 0.1)
        assert run.process is not None
        assert run.process.poll() is None, "the run ended before all kills"
        before = run.shards()
        run.kill(target, chosen)
        done[target] += 1
        if target != "worker":
            run.start()
    run.finish()
    return done


def differing_files(one: Path, other: Path) -> list[str]:
    """Compare two folders byte by byte."""
    names = {
        str(path.relative_to(folder))
        for folder in (one, other)
        for path in folder.rglob("*")
        if path.is_file()
    }
    return sorted(
        name
        for name in names
        if not ((one / name).is_file() and (other / name).is_file())
        or (one / name).read_bytes() != (other / name).read_bytes()
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--documents", type=int, default=12000)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--piece-size", type=int, default=20000)
    options.add_argument("--model", default="en")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--format", default="parquet")
    values = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_corpus(folder / "corpus.jsonl.gz", values.documents)
        arguments = [str(folder / "corpus.jsonl.gz"), "--model", values.model]
        arguments += ["--id", "id", "--keep", "id", "--format", values.format]
        arguments += ["--piece-size", str(values.piece_size), "--jobs", str(values.jobs)]
        arguments += ["--with-tokens", "--with-constituents"]
        begin = time.monotonic()
        undisturbed = Run(arguments, folder / "undisturbed")
        undisturbed.start()
        undisturbed.finish()
        alone = time.monotonic() - begin
        manifest = json.loads((folder / "undisturbed/manifest.json").read_text(encoding="utf-8"))
        begin = time.monotonic()
        done = kill_many(
            arguments,
            folder / "killed",
            kills=values.kills,
            shards=len(manifest["shards"]),
            seed=values.seed,
        )
        killed = time.monotonic() - begin
        different = differing_files(folder / "undisturbed", folder / "killed")
    print(
        f"{manifest['documents']:,} documents, {manifest['sentences']:,} sentences, "
        f"{manifest['errors']} documents set aside, {len(manifest['shards'])} shards"
    )
    print(f"kills: {done.total()} ({', '.join(f'{done[name]} {name}' for name in TARGETS)})")
    print(f"seconds: {alone:.0f} undisturbed, {killed:.0f} with kills")
    print(f"files that differ: {len(different)} {' '.join(different)}")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
