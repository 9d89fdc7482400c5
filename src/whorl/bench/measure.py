"""The speed of a model, in batches and one sentence at a time, and the memory it needs."""

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
from whorl.catalogue import find_model
from whorl.model_folder.description import read_description
from whorl.parser import Parser, Tokens
from whorl.reporting.timing import best_of, best_of_each, numpy_gflops, percentile_95
from whorl.text import segment
from whorl.trees import COLLINS, Tree, strip_root

__all__ = ["Measurement", "measure", "sample_sentences"]

_COPIES = 8  # of the sample, so that there are enough sentences for batches
_PACKAGES = ("numpy", "onnxruntime", "torch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """Figures of one model on one machine; times are those of the fastest round."""

    model: str
    network: str
    system: str
    runs_on: str
    """The library that ran the network: onnxruntime or torch."""
    device: str
    sentences: int
    tokens: int
    batch: int
    rounds: int
    threads: int
    load_seconds: float
    """The time until the model is ready, imports included."""
    sentences_per_second: float
    tokens_per_second: float
    sentences_per_gflop: float
    """Sentences per second for each GFLOP/s of sgemm, to compare machines."""
    latency_p50_ms: float
    latency_p95_ms: float
    transitions_per_sentence: float
    peak_memory_bytes: int | None
    gflops: float
    """NumPy's rate of single-precision matrix products, with the same number of threads."""
    cpu: str
    cores: int
    python: str
    packages: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return asdict(self)


def sample_sentences() -> list[list[str]]:
    """Return the sample sentences of the package."""
    text = Path(__file__).with_name("sample.txt").read_text(encoding="utf-8")
    return [sentence.words for sentence in segment(text)] * _COPIES


def measure(
    model: str | Path,
    sentences: Sequence[Tokens],
    *,
    batch: int | None = None,
    rounds: int = 3,
    threads: int = 1,
    device: str = "cpu",
    say: Callable[[str], None] = lambda _: None,
) -> Measurement:
    """Measure a model, by name or folder, on sentences of at least one word.

    NumPy reads its number of threads from the environment when it is first imported; PyTorch's is
    set here.
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
    single = [
        1000 * seconds_each for seconds_each in best_of_each(parser.parse, sentences, rounds=rounds)
    ]
    core = max(before, numpy_gflops())
    tokens = sum(map(len, sentences))
    return Measurement(
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
    """Return the mean number of transitions per tree; head rules change only their order."""
    from whorl.oracles import static_oracle

    trees = (tree for tree in parser.pipe(sentences, batch_size=batch) if isinstance(tree, Tree))
    return statistics.fmean(
        len(static_oracle(strip_root(tree), system, heads=COLLINS)) for tree in trees
    )


def _versions() -> dict[str, str]:
    """Return the versions of the packages that were imported."""
    versions = {}
    for name in _PACKAGES:
        if name in sys.modules:
            try:
                versions[name] = version(name)
            except PackageNotFoundError:
                continue
    return versions
