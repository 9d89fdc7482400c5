"""Exported models give the same trees as in PyTorch."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.spans import span_recipe, tiny_encoder, write_treebank
from whorl.errors import ModelError, RecipeError
from whorl.files import write_json
from whorl.parser import Parser
from whorl.span.engine import load_trained
from whorl.span.export import export_runtime
from whorl.span.folder import SpanModel
from whorl.span.onnx_backend.model import ExportedModel
from whorl.span.parsing import parse_best
from whorl.span.restore import restore
from whorl.span.torch_backend import TorchBackend
from whorl.training.run import train

SENTENCES = [
    ["The", "public", "works", "."],
    ["Rain"],
    ["unheard-of"] * 30,
    ["It", "works", "!"],
    ["the", "The"],
]
KINDS = ["bilstm", "transformer", "both", "mixed", "characters"]


@pytest.fixture(scope="module", params=KINDS)
def folder(request, tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp(request.param)
    ours = tiny_encoder(tmp_path)
    settings = {
        "bilstm": ("span.lstm_layers=2",),
        "transformer": (
            f"span.encoder={ours}",
            "span.lstm_layers=0",
            "data.vectors=",
            "span.word_dim=0",
        ),
        "both": (f"span.encoder={ours}",),
        "mixed": (f"span.encoder={ours}", "span.encoder_mix=true"),
        "characters": (f"span.encoder={ours}", "data.vectors=", "span.word_dim=0"),
    }
    if request.param == "transformer":
        settings["transformer"] += ("span.character_dim=0",)
    train(
        span_recipe(write_treebank(tmp_path), "training.epochs=3", *settings[request.param]),
        tmp_path / "m",
    )
    return tmp_path / "m"


def parsed(backend, vocabulary, sentences):
    return parse_best(backend, vocabulary, sentences, treebanks=[0] * len(sentences), max_unary=8)


def tables(model, sentences):
    scorer, tags = model.backend.encode(model.vocabulary.batch(sentences, [0] * len(sentences)))
    return np.concatenate([scorer.left, scorer.right], axis=1), tags


@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_the_graph_gives_the_trees_and_the_scores_of_the_network(folder, tmp_path, precision):
    with pytest.raises(ModelError, match="is not exported"):
        ExportedModel.load(folder)
    export_runtime(folder, precision=precision, out=tmp_path)
    export_runtime(folder, precision=precision, out=tmp_path)  # once more changes nothing
    trained, runtime = SpanModel.load(folder), ExportedModel.load(tmp_path)
    expected = parsed(TorchBackend(trained.model), trained.vocabulary, SENTENCES)
    parses = parsed(runtime.backend, runtime.vocabulary, SENTENCES)
    assert [tree for tree, _ in parses] == [tree for tree, _ in expected]
    near = 1e-3 if precision == "float32" else 0.1
    assert [derivation.score for _, derivation in parses] == pytest.approx(
        [derivation.score for _, derivation in expected], abs=near
    )
    one_by_one = [parsed(runtime.backend, runtime.vocabulary, [words])[0] for words in SENTENCES]
    assert [tree for tree, _ in one_by_one] == [tree for tree, _ in expected]
    assert len(list(tmp_path.glob("*.onnx"))) == 1


def test_float32_tables_are_those_of_the_network(folder, tmp_path):
    runtime, trained = (
        ExportedModel.load(export_runtime(folder, out=tmp_path)),
        SpanModel.load(folder),
    )
    with torch.no_grad():
        expected = trained.model.tables(trained.vocabulary.batch(SENTENCES[2:3], [0]))
    edges, tags = tables(runtime, SENTENCES[2:3])
    both = torch.cat([expected.left, expected.right], dim=1).numpy()
    assert np.abs(edges - both).max() < 1e-4
    assert np.abs(tags - expected.tags.numpy()).max() < 1e-4


@pytest.mark.parametrize(
    ("precision", "near"), [("float32", 1e-4), ("float16", 1e-2), ("int8", 0.05)]
)
def test_an_export_can_be_restored_in_pytorch(folder, tmp_path, precision, near):
    runtime = ExportedModel.load(export_runtime(folder, precision=precision, out=tmp_path))
    trained = restore(tmp_path)
    words = SENTENCES[2:3]
    with torch.no_grad():
        restored = trained.model.tables(trained.vocabulary.batch(words, [0]))
    expected, tags = tables(runtime, words)
    both = torch.cat([restored.left, restored.right], dim=1).numpy()
    assert np.linalg.norm(both - expected) < near * np.linalg.norm(expected)
    assert np.linalg.norm(restored.tags.numpy() - tags) < near * np.linalg.norm(tags)
    trees = parsed(TorchBackend(trained.model), trained.vocabulary, SENTENCES)
    if precision != "int8":
        assert [tree for tree, _ in trees] == [
            t for t, _ in parsed(runtime.backend, runtime.vocabulary, SENTENCES)
        ]


def test_int8_is_close_to_float32_and_independent_of_the_batch(folder, tmp_path):
    exact = ExportedModel.load(export_runtime(folder, out=tmp_path / "32"))
    coarse = ExportedModel.load(export_runtime(folder, precision="int8", out=tmp_path / "8"))
    (expected, _), (edges, tags) = tables(exact, SENTENCES), tables(coarse, SENTENCES)
    starts = coarse.vocabulary.batch(SENTENCES, [0] * len(SENTENCES)).fenceposts
    word = 0
    for words, start in zip(SENTENCES, starts, strict=True):
        rows = slice(start, start + len(words) + 1)
        assert np.linalg.norm(edges[rows] - expected[rows]) < 0.05 * np.linalg.norm(expected[rows])
        single, single_tags = tables(coarse, [words])
        assert np.allclose(single, edges[rows], atol=1e-5)
        assert np.allclose(single_tags, tags[word : word + len(words)], atol=1e-5)
        word += len(words)


def test_capitals_are_read_in_lower_case_if_the_model_asks_for_it(folder, tmp_path):
    """Before and after export; words in the trees keep their case."""
    copied = shutil.copytree(folder, tmp_path / "m")
    description = json.loads((copied / "model.json").read_text(encoding="utf-8"))
    write_json(copied / "model.json", {**description, "lower_capitals": True})
    trained, runtime = (
        SpanModel.load(copied),
        ExportedModel.load(export_runtime(copied, out=tmp_path / "exported")),
    )
    upper = ["THE", "PUBLIC", "WORKS", "-LRB-", "WELL", "-RRB-", "."]
    lower = ["the", "public", "works", "(", "well", ")", "."]
    for backend, vocabulary in (
        (TorchBackend(trained.model), trained.vocabulary),
        (runtime.backend, runtime.vocabulary),
    ):
        (capitals, first), (small, second) = parsed(backend, vocabulary, [upper, lower])
        assert capitals.spans() == small.spans()
        assert first.score == pytest.approx(second.score, abs=1e-5)
        assert capitals.words()[:3] == upper[:3]
    # A lower-case letter, or too few words of several letters.
    for words in (["IBM", "AND", "It"], ["IBM", "UK", "."], ["A", "I", "B", "."]):
        assert trained.vocabulary.normalise(words) == words


def test_parsing_imports_no_pytorch_and_damage_is_seen(tmp_path):
    train(
        span_recipe(write_treebank(tmp_path), "training.epochs=1", "training.export=int8"),
        tmp_path / "m",
    )
    code = f"""
import sys
from whorl.parser import Parser
assert Parser.load({str(tmp_path / "m")!r}).parse(["It", "works"]).words() == ["It", "works"]
assert not {{"torch", "onnx", "tokenizers"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    (graph,) = (tmp_path / "m").glob("*.onnx")
    graph.write_bytes(graph.read_bytes()[:1000])
    with pytest.raises(ModelError, match="damaged"):
        ExportedModel.load(tmp_path / "m")


def test_a_folder_with_only_an_export_has_no_weights_and_says_so(tmp_path):
    train(span_recipe(write_treebank(tmp_path), "training.epochs=1"), tmp_path / "m")
    export_runtime(tmp_path / "m", precision="int8", out=tmp_path / "out")
    shutil.rmtree(tmp_path / "m")
    names = {path.name.split("-")[0] for path in (tmp_path / "out").iterdir()}
    assert names == {"model.json", "encoder", "tables", "vocabulary"}
    assert Parser.load(tmp_path / "out").parse(["It", "works"]).words() == ["It", "works"]
    assert load_trained([tmp_path / "out"], "cpu", None).parse_nbest(
        [["It", "works"]], beam=1, n_best=1
    )
    with pytest.raises(ModelError, match="only an exported model"):
        SpanModel.load(tmp_path / "out")
    with pytest.raises(ModelError, match="only an exported model"):
        export_runtime(tmp_path / "out")


def test_an_export_that_is_not_possible_is_refused(tmp_path):
    with pytest.raises(ModelError, match="int4"):
        export_runtime(tmp_path, precision="int4")
    trees = write_treebank(tmp_path)
    with pytest.raises(RecipeError, match="stack-lstm network cannot be exported"):
        train(
            span_recipe(trees, "model.network=stack-lstm", "training.export=int8"), tmp_path / "m"
        )
