"""Time, memory and cost of corpora of any size, computed from rates that were measured.

    python benchmarks/corpus_scale.py --measure TEXT      # bytes and memory, by a small run
    python benchmarks/corpus_scale.py [--price 0.04] [--output-bytes 435]

Rates are sentences per second on one core, from the table of models in the README; bytes and memory
are by default what `--measure` printed on 2026-11-18 (docs/scale.md). Nothing here
knows how rates fall when many cores share a memory bus: `benchmarks/corpus_scaling.py` measures
that, and `--efficiency` takes it into account.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RATES = {"en": 995.0, "en-accurate": 173.0}
WORKER_MEMORY = {"en": 345, "en-accurate": 436}  # MB, by --measure
SIZES = (10**6, 10**9, 10**11)
CORES = (16, 256, 4096)
LARGEST_PIECE = 8 << 20


def peak_memory(pid: int) -> tuple[int, int]:
    """Return the peak of a process, and of its largest child, in bytes."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return _peak(pid), max(map(_peak, map(int, children)), default=0)


def _peak(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


def measure(text: Path, model: str, options: list[str]) -> None:
    """Print bytes per sentence and the memory of a run with one worker."""
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary) / "out"
        command = ["corpus", str(text), "--documents", "line", "--model", model, *options]
        command += ["--out", str(out), "--jobs", "1"]
        process = subprocess.Popen(
            [sys.executable, "-m", "whorl", *command], stderr=subprocess.DEVNULL
        )
        directing = worker = 0
        while process.poll() is None:
            try:
                one, other = peak_memory(process.pid)
            except (FileNotFoundError, ProcessLookupError):
                break
            directing, worker = max(directing, one), max(worker, other)
            time.sleep(0.1)
        assert process.wait() == 0
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        count = manifest["sentences"]
        written = sum(shard["bytes"] for shard in manifest["shards"])
        print(f"{model} {' '.join(options)}: {count:,} sentences")
        print(f"  text    {text.stat().st_size / count:6.0f} bytes per sentence")
        print(f"  output  {written / count:6.0f} bytes per sentence")
        print(f"  memory  {worker / 1e6:6.0f} MB for a worker, {directing / 1e6:.0f} MB directing")


def show_bytes(size: float) -> str:
    """Return a size in the unit that suits it."""
    unit, factor = next(
        ((unit, factor) for unit, factor in (("TB", 1e12), ("GB", 1e9)) if size >= factor),
        ("MB", 1e6),
    )
    value = size / factor
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:,.1f} {unit}"


def show_time(hours: float) -> str:
    """Return a time in the unit that suits it; start-up takes seconds."""
    if hours < 1 / 60:
        return "under 1 min"
    if hours < 2:
        return f"{hours * 60:,.0f} min"
    return f"{hours:,.0f} h" if hours < 72 else f"{hours / 24:,.0f} days"


def table(values: argparse.Namespace) -> None:
    """Print the table of docs/scale.md."""
    heads = [f"{cores:,} cores" for cores in CORES]
    print(f"| model | sentences | text | output | core-hours | {' | '.join(heads)} | cost |")
    print("| --- " * (6 + len(CORES)) + "|")
    for model, rate in RATES.items():
        for count in SIZES:
            hours = count / (rate * values.efficiency) / 3600
            times = " | ".join(show_time(hours / cores) for cores in CORES)
            print(
                f"| `{model}` | {count:,} | {show_bytes(count * values.text_bytes)} "
                f"| {show_bytes(count * values.output_bytes)} | {hours:,.1f} | {times} "
                f"| ${max(hours * values.price, 0.01):,.2f} |"
            )
    print()
    print(f"| model | {' | '.join(f'memory of {head}' for head in heads)} |")
    print("| --- " * (1 + len(CORES)) + "|")
    for model, memory in WORKER_MEMORY.items():
        print(f"| `{model}` | {' | '.join(show_bytes(n * memory * 1e6) for n in CORES)} |")
    print()
    shards = SIZES[-1] * values.text_bytes / LARGEST_PIECE
    print(f"shards of {SIZES[-1]:,} sentences, with the default piece: {shards:,.0f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--measure", type=Path, metavar="TEXT", help="documents, one per line")
    options.add_argument("--model", default="en", help="with --measure")
    options.add_argument("--price", type=float, default=0.04, help="dollars per core-hour")
    options.add_argument("--efficiency", type=float, default=0.88, help="of the rate of one core")
    options.add_argument("--text-bytes", type=float, default=93, help="per sentence")
    options.add_argument("--output-bytes", type=float, default=127, help="per sentence")
    values, extra = options.parse_known_args()
    if values.measure:
        measure(values.measure, values.model, extra)
    else:
        table(values)


if __name__ == "__main__":
    main()
