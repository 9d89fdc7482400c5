"""Peak memory of `whorl corpus` on a large file.

    OMP_NUM_THREADS=1 python benchmarks/corpus_memory.py [--megabytes 1000] [--jobs 2]

One file of JSONL, of text, or of Parquet with a single row group is parsed; other options go to
`whorl corpus`. Every 0.2 s, the memory of each process is read (`VmHWM` is its own peak), and the
sum of what is resident. `--stop` ends the run after so many seconds. Linux only.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "src/whorl/bench/sample.txt"


def write_input(folder: Path, kind: str, megabytes: float) -> Path:
    """Write documents of a few sentences, or lines, until the file has its size."""
    chosen = random.Random(1)
    lines = SAMPLE.read_text(encoding="utf-8").split("\n")
    size, limit = 0, megabytes * 1e6
    path = folder / f"corpus.{'txt' if kind == 'text' else kind}"
    texts = []
    with path.open("w", encoding="utf-8") as file:
        while size < limit:
            text = " ".join(chosen.choices(lines, k=5))
            size += len(text)
            if kind == "parquet":
                texts.append(text)
            else:
                file.write((text if kind == "text" else json.dumps({"text": text})) + "\n")
    if kind == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"text": texts}), path, row_group_size=len(texts))
    return path


def memory(pid: int, field: str) -> int:
    """Return a field of a process's status in bytes."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    lines = [line.split()[1] for line in status.splitlines() if line.startswith(f"{field}:")]
    return 1024 * int(lines[0]) if lines else 0


def processes(pid: int) -> list[int]:
    """Return a process and its children."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        children = []
    return [pid, *map(int, children)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=float, default=1000)
    options.add_argument("--kind", choices=("jsonl", "text", "parquet"), default="jsonl")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--stop", type=float)
    values, extra = options.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        path = write_input(folder, values.kind, values.megabytes)
        command = [sys.executable, "-m", "whorl", "corpus", str(path), "--out", str(folder / "out")]
        command += ["--jobs", str(values.jobs), *extra]
        command += ["--documents", "line"] if values.kind == "text" else []
        peaks: dict[int, int] = {}
        together = 0
        begin = time.monotonic()
        process = subprocess.Popen(command)
        while process.poll() is None:
            family = processes(process.pid)
            for pid in family:
                peaks[pid] = max(peaks.get(pid, 0), memory(pid, "VmHWM"))
            together = max(together, sum(memory(pid, "VmRSS") for pid in family))
            if values.stop is not None and time.monotonic() - begin > values.stop:
                process.send_signal(signal.SIGINT)
                values.stop = None
            time.sleep(0.2)
        shards = len(list((folder / "out/shards").iterdir()))
        size = path.stat().st_size
    parent = peaks.pop(process.pid)
    workers = sorted((peak for peak in peaks.values() if peak > 50e6), reverse=True)
    print(f"{values.kind}, {size / 1e6:,.0f} MB, {shards} shards, {time.monotonic() - begin:.0f} s")
    print(f"directing process {parent / 1e6:.0f} MB")
    print(f"workers           {', '.join(f'{peak / 1e6:.0f}' for peak in workers)} MB")
    print(f"together          {together / 1e6:.0f} MB at most")


if __name__ == "__main__":
    main()
