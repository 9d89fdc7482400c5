"""A model measured: how fast it parses in batches and one sentence at a time, and what it needs."""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from whorl.bench.machine import cores, cpu_name, peak_memory
from whorl.model_folder.description import read_description
from whorl.parser import Parser, Tokens
from whorl.reporting.timing import best_of, best_of_each, numpy_gflops, percentile_95
from whorl.shipped import find_model
from whorl.text import segment
from whorl.trees import COLLINS, Tree, strip_root

__all__ = ["Measured", "measure", "sample"]

_TIMES = 8  # the sample, so that there are enough sentences for batches
_PACKAGES = ("numpy", "onnxruntime", "torch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Figures of one model on one machine, times the best of several rounds."""

    model: str
    network: str
    system: str
    runs_on: str
    """What its network ran on: onnxruntime or torch."""
    device: str
    sentences: int
    tokens: int
    batch: int
    rounds: int
    threads: int
    load_seconds: float
    """Until the model is ready, the import of what it runs on among it."""
    sentences_per_second: float
    tokens_per_second: float
    sentences_per_gflop: float
    """Sentences a second for each GFLOP/s of sgemm, to compare machines."""
    latency_p50_ms: float
    latency_p95_ms: float
    transitions_per_sentence: float
    peak_memory_bytes: int | None
    gflops: float
    """What NumPy does in single-precision matrix products, with the same number of threads."""
    cpu: str
    cores: int
    python: str
    packages: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def sample() -> list[list[str]]:
    """Sentences for who has none at hand."""
    text = Path(__file__).with_name("sample.txt").read_text(encoding="utf-8")
    return [sentence.words for sentence in segment(text)] * _TIMES


def measure(
    model: str | Path,
    sentences: Sequence[Tokens],
    *,
    batch: int | None = None,
    rounds: int = 3,
    threads: int = 1,
    device: str = "cpu",
    say: Callable[[str], None] = lambda _: None,
) -> Measured:
    """Measure a model, by name or folder, with sentences of one word or more.

    NumPy takes its number of threads from the environment, when it is imported first; PyTorch is
    told here.
    """
    folder = find_model(model)
    start = time.perf_counter()
    parser = Parser.load(folder, device=device)
    loaded = time.perf_counter() - start
    batch = batch or parser.batch_size
    saved = read_description(folder)
    exported = saved.get("runtime") and device == "cpu" and "onnxruntime" in sys.modules
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)
    say("loaded; parsing in batches")
    before = numpy_gflops()
    seconds = best_of(lambda: list(parser.pipe(sentences, batch_size=batch)), rounds)
    say("one sentence at a time")
    single = [1000 * one for one in best_of_each(parser.parse, sentences, rounds=rounds)]
    core = max(before, numpy_gflops())
    tokens = sum(map(len, sentences))
    return Measured(
        model=str(model),
        network=saved["kind"],
        system=saved["system"],
        runs_on="onnxruntime" if exported else "torch",
        device=device,
        sentences=len(sentences),
        tokens=tokens,
        batch=batch,
        rounds=rounds,
        threads=threads,
        load_seconds=loaded,
        sentences_per_second=len(sentences) / seconds,
        tokens_per_second=tokens / seconds,
        sentences_per_gflop=len(sentences) / seconds / core,
        latency_p50_ms=statistics.median(single),
        latency_p95_ms=percentile_95(single),
        transitions_per_sentence=_transitions(parser, sentences, saved["system"], batch),
        peak_memory_bytes=peak_memory(),
        gflops=core,
        cpu=cpu_name(),
        cores=cores(),
        python=platform.python_version(),
        packages=_versions(),
    )


def _transitions(parser: Parser, sentences: Sequence[Tokens], system: str, batch: int) -> float:
    """How many transitions build the tree of a sentence, on average; head rules change their order only."""
    from whorl.oracles import static_oracle

    trees = (tree for tree in parser.pipe(sentences, batch_size=batch) if isinstance(tree, Tree))
    return statistics.fmean(
        len(static_oracle(strip_root(tree), system, heads=COLLINS)) for tree in trees
    )


def _versions() -> dict[str, str]:
    """Of the packages that were imported."""
    found = {}
    for name in _PACKAGES:
        if name in sys.modules:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                continue
    return found
