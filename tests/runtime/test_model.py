"""Without PyTorch the same trees come out."""

from __future__ import annotations

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.spans import span_recipe, tiny_encoder, write_treebank  # noqa: E402 - after the skip
from whorl.bundle import load  # noqa: E402 - likewise
from whorl.bundle.export import export_runtime  # noqa: E402 - likewise
from whorl.decoding.span_network import NetworkReader  # noqa: E402 - likewise
from whorl.decoding.span_parse import parse_spans  # noqa: E402 - likewise
from whorl.errors import ModelError  # noqa: E402 - likewise
from whorl.runtime.model import RuntimeModel  # noqa: E402 - likewise
from whorl.training.run import train  # noqa: E402 - likewise

SENTENCES = [["The", "public", "works", "."], ["Rain"], ["unheard-of"] * 30, ["It", "works", "!"]]


@pytest.fixture(params=["bilstm", "transformer", "both"])
def folder(request, tmp_path):
    ours = tiny_encoder(tmp_path)
    settings = {
        "bilstm": ("span.lstm_layers=2",),
        "transformer": (f"span.encoder={ours}", "span.lstm_layers=0", "data.vectors=", "span.word_dim=0"),
        "both": (f"span.encoder={ours}",),
    }
    train(span_recipe(write_treebank(tmp_path), "training.epochs=3", *settings[request.param]), tmp_path / "m")
    return tmp_path / "m"


def parsed(reader, encoder, sentences):
    return parse_spans(reader, encoder, sentences, treebanks=[0] * len(sentences), max_unary=8)


def test_the_graph_gives_the_trees_and_the_scores_of_the_network(folder):
    with pytest.raises(ModelError, match="has not been exported"):
        RuntimeModel.load(folder)
    export_runtime(folder)
    export_runtime(folder)  # once more changes nothing
    bundle, runtime = load(folder), RuntimeModel.load(folder)
    expected = parsed(NetworkReader(bundle.model), bundle.encoder, SENTENCES)
    found = parsed(runtime.reader, runtime.encoder, SENTENCES)
    assert [tree for tree, _ in found] == [tree for tree, _ in expected]
    assert [one.score for _, one in found] == pytest.approx([one.score for _, one in expected], abs=1e-3)
    alone = [parsed(runtime.reader, runtime.encoder, [words])[0] for words in SENTENCES]
    assert [tree for tree, _ in alone] == [tree for tree, _ in expected]
    assert len(list(folder.glob("*.onnx"))) == 1


def test_parsing_imports_no_pytorch_and_damage_is_seen(tmp_path):
    train(span_recipe(write_treebank(tmp_path), "training.epochs=1"), tmp_path / "m")
    export_runtime(tmp_path / "m")
    code = f"""
import sys
from whorl.parser import Parser
assert Parser.load({str(tmp_path / "m")!r}).parse(["It", "works"]).words() == ["It", "works"]
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    (graph,) = (tmp_path / "m").glob("*.onnx")
    graph.write_bytes(graph.read_bytes()[:1000])
    with pytest.raises(ModelError, match="damaged"):
        RuntimeModel.load(tmp_path / "m")
