"""Time to score trees, relative to the time to read them: `python benchmarks/scoring.py [FOLDER]`.

FOLDER holds `genia.gold.txt`, `genia.inorder.txt` and `genia.inorder_bert.txt`, which are repeated
up to 2,400 sentences. Times are processor time: other load on the machine does not count.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from whorl.evaluation import bootstrap, evaluate, read_sentences

ROOT = Path(__file__).resolve().parents[1]


def best_of(runs: int, function: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        gc.collect()
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def repeated(source: Path, target: Path, sentences: int) -> Path:
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    target.write_text("".join(islice(cycle(lines), sentences)), encoding="utf-8")
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "evalb")
    parser.add_argument("--sentences", type=int, default=2400)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        files = [
            repeated(options.folder / f"genia.{name}.txt", Path(scratch) / name, options.sentences)
            for name in ("gold", "inorder", "inorder_bert")
        ]
        gold, predicted, other = map(read_sentences, files)
        reading = best_of(options.runs, lambda: [read_sentences(file) for file in files[:2]])
        rows = [
            ("read both files", reading),
            ("score", best_of(options.runs, lambda: evaluate(gold, predicted).evalb(rows=False))),
            (
                "score, EVALB's text",
                best_of(options.runs, lambda: evaluate(gold, predicted).evalb()),
            ),
            (
                "score, every breakdown",
                best_of(options.runs, lambda: evaluate(gold, predicted).to_dict()),
            ),
            ("score two parsers, bootstrap", best_of(1, lambda: bootstrap(gold, predicted, other))),
        ]
    print(
        f"{options.sentences} sentences, best of {options.runs} (bootstrap: 10,000 resamples, once)"
    )
    print(f"{'':30}{'seconds':>9}{'x reading':>11}")
    for name, seconds in rows:
        print(f"{name:30}{seconds:9.3f}{seconds / reading:11.2f}")


if __name__ == "__main__":
    main()
