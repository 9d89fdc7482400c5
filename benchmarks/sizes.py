"""Size and speed of span models of many sizes on one core, before any of them is trained.

    OMP_NUM_THREADS=1 python benchmarks/sizes.py MODEL TREES [SIZE ...] --encoder DIR [--rounds 5]

Encoders have random weights, which would give random and too many transitions, so the scores come
from MODEL, a trained and exported one; all else is what `Parser.pipe` does. A SIZE is
`bilstm:2x256` with `/50000` vectors, `transformer:4x256`, or `transformer:4x256+128` with a BiLSTM
of one layer on top; `:float32` at the end changes the precision from int8. Times are processor
time, the best of several rounds over all sizes; sgemm is measured with each.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from whorl.lexicon.characters import Characters
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.word_pieces import Pieces
from whorl.span.config import SpanConfig
from whorl.span.encoders.pieces import PieceFeatures
from whorl.span.export import export_runtime
from whorl.span.folder import SpanModel
from whorl.span.network import SpanNetwork
from whorl.span.onnx_backend.batches import OnnxBatch
from whorl.span.onnx_backend.model import ExportedModel
from whorl.span.parsing import parse_best
from whorl.span.vocabulary import SpanVocabulary
from whorl.transformer.network import Transformer, TransformerConfig
from whorl.trees import iter_trees

SIZES = [
    *(
        "bilstm:2x128/50000",
        "bilstm:2x256/50000",
        "bilstm:2x256/70000",
        "bilstm:2x256/50000:float32",
    ),
    *("transformer:2x256", "transformer:3x256", "transformer:4x256", "transformer:6x256"),
    *(
        "transformer:2x256+128",
        "transformer:4x256+256",
        "transformer:2x384",
        "transformer:3x384",
        "transformer:4x384",
    ),
    *("transformer:6x384", "transformer:4x512", "transformer:6x512", "transformer:12x512"),
    *("transformer:4x256:float32", "transformer:12x512:float32"),
]
_SIZE = re.compile(
    r"(bilstm|transformer):(\d+)x(\d+)(?:/(\d+))?(?:\+(\d+))?(?::(float32|float16|int8))?"
)
_SCALE = 65  # GFLOP/s of the machine that speeds are scaled to


@dataclass
class SwappedScorer:
    """A random encoder that runs for its cost, with the scores of a trained model."""

    encoder: ExportedModel
    trained: ExportedModel
    scorer: object = None

    def __post_init__(self) -> None:
        self.labels, self.tags = self.trained.vocabulary.labels, self.trained.vocabulary.tags

    def prepare(self, sentences: list[list[str]]) -> None:
        prepared = self.trained.vocabulary.batch(sentences, [0] * len(sentences))
        self.scorer, self.fenceposts = self.trained.backend.encode(prepared)[0], prepared.fenceposts

    def batch(self, sentences: list[list[str]], treebanks: list[int]) -> OnnxBatch:
        prepared = self.encoder.vocabulary.batch(sentences, treebanks)
        return OnnxBatch(prepared.lengths, self.fenceposts, prepared.words, prepared.groups)

    def encode(self, inputs: OnnxBatch) -> tuple[object, np.ndarray]:
        return self.scorer, self.encoder.backend.encode(inputs)[1]

    def seconds(self, sentences: list[list[str]]) -> float:
        self.prepare(sentences)
        start = time.process_time()
        parse_best(self, self, sentences, treebanks=[0] * len(sentences), max_unary=8)
        return time.process_time() - start


def make_model(
    size: str, folder: Path, trained: ExportedModel, encoder: Path
) -> tuple[float, ExportedModel]:
    """Export a model with random weights; return its megabytes and the model."""
    match = _SIZE.fullmatch(size)
    assert match, size
    kind, layers, width, vectors, over, precision = match.groups()
    known = trained.vocabulary.vocabulary
    parts: dict[str, object] = {"labels": known.labels, "tags": known.tags, "treebanks": []}
    sizes = {
        "labels": len(known.labels),
        "tags": len(known.tags),
        "hidden_dim": trained.config.hidden_dim,
    }
    features = None
    if kind == "bilstm":
        assert (
            known.vectors is not None and known.words is not None and known.characters is not None
        )
        words = known.vectors.words[: int(vectors or 0)]
        table = np.random.default_rng(1).normal(0, 0.3, (len(words) + 1, 100)).astype(np.float32)
        parts |= {"vectors": Vectors(words, table), "words": known.words}
        parts["characters"] = Characters(known.characters.characters)
        sizes |= {
            "vectors": len(table),
            "vector_dim": 100,
            "words": len(known.words),
            "word_dim": 64,
        }
        sizes |= {
            "characters": len(known.characters),
            "lstm_dim": int(width),
            "lstm_layers": int(layers),
        }
    else:
        pieces = Pieces.load(encoder)
        config = TransformerConfig(
            len(pieces), int(layers), int(width), int(width) // 64, 4 * int(width)
        )
        features = PieceFeatures(Transformer(config))
        parts["pieces"] = pieces
        sizes |= {
            "lstm_layers": 1 if over else 0,
            "lstm_dim": int(over or 0),
            "word_dim": 0,
            "character_dim": 0,
        }
    described = {} if features is None else {"transformer": features.describe()}
    model = SpanNetwork(SpanConfig(**sizes, **described), features).eval()
    SpanModel(model, SpanVocabulary(**parts)).save(folder / "model")
    target = export_runtime(
        folder / "model", precision=precision or "int8", out=folder / "exported"
    )
    return sum(path.stat().st_size for path in target.iterdir()) / 1e6, ExportedModel.load(target)


def sgemm(matrix: np.ndarray) -> float:
    """Return the GFLOP/s of this core at the moment."""
    times = []
    for _ in range(5):
        start = time.process_time()
        matrix @ matrix
        times.append(time.process_time() - start)
    return 2 * len(matrix) ** 3 / min(times) / 1e9


class SizedModel:
    """A model of one size and its best figures: seconds per batch and per sentence, and sgemm."""

    def __init__(self, size: str, trained: ExportedModel, encoder: Path) -> None:
        self.size = size
        with tempfile.TemporaryDirectory() as folder:
            self.megabytes, model = make_model(size, Path(folder), trained, encoder)
        self.parser = SwappedScorer(model, trained)
        self.seconds = self.core = 0.0
        self.single: list[float] = []

    def measure(self, batches: list[list[list[str]]], matrix: np.ndarray) -> None:
        self.core = max(self.core, sgemm(matrix))
        seconds = sum(map(self.parser.seconds, batches))
        single = [self.parser.seconds([sentence]) for batch in batches for sentence in batch]
        self.seconds = min(self.seconds or seconds, seconds)
        self.single = [min(pair) for pair in zip(self.single or single, single, strict=True)]

    def row(self) -> str:
        rate, latency = len(self.single) / self.seconds, 1000 * statistics.median(self.single)
        name, _, precision = self.size.partition(":f")
        return (
            f"| {name} | {'f' + precision if precision else 'int8'} | {self.megabytes:.1f} | "
            f"{rate:.0f} | "
            f"{rate * _SCALE / self.core:.0f} | {latency:.1f} | "
            f"{latency * self.core / _SCALE:.1f} | {self.core:.0f} |"
        )


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("model")
    options.add_argument("trees")
    options.add_argument("sizes", nargs="*", metavar="SIZE", default=SIZES)
    options.add_argument("--encoder", type=Path, required=True)
    options.add_argument("--batch", type=int, default=128)
    options.add_argument("--rounds", type=int, default=5)
    arguments = options.parse_args()
    trained = ExportedModel.load(arguments.model)
    sentences = sorted((tree.words() for tree in iter_trees(arguments.trees)), key=len)
    batches = [
        sentences[start : start + arguments.batch]
        for start in range(0, len(sentences), arguments.batch)
    ]
    matrix = np.random.default_rng(1).normal(size=(1024, 1024)).astype(np.float32)
    models = [SizedModel(size, trained, arguments.encoder) for size in arguments.sizes]
    for _ in range(arguments.rounds):
        for model in models:
            model.measure(batches, matrix)
    print(
        "| encoder | precision | MB | sentences/s | at 65 GFLOP/s | p50, ms "
        "| at 65 GFLOP/s | sgemm |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    print("\n".join(model.row() for model in models))


if __name__ == "__main__":
    main()
