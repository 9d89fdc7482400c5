"""Adding a context encoder: a module and an entry in the registry."""

from __future__ import annotations

import sys
import types

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from tests.spans import make_learner, span_recipe, write_treebank
from whorl.errors import ModelError, RecipeError
from whorl.parser import Parser
from whorl.span.encoders.context import ContextEncoder, EncoderOutput
from whorl.span.encoders.registry import CONTEXTS, ContextEntry
from whorl.span.export import export_runtime
from whorl.training.run import train
from whorl.trees import read_trees


class GRU(ContextEncoder):
    """A toy encoder, from left to right only."""

    def __init__(self, width, config):
        super().__init__(width, config)
        self.width = config.lstm_dim
        self.fencepost_width = 2 * self.width
        self.gru = torch.nn.GRU(width, self.width, batch_first=True)

    def forward(self, x, reversal):
        x, _ = self.gru(x)
        return EncoderOutput(x, torch.cat([x[:, :-1], x[:, 1:]], dim=2))


@pytest.fixture
def toy(monkeypatch):
    module = types.ModuleType("toy_encoder")
    module.GRU = GRU
    monkeypatch.setitem(sys.modules, "toy_encoder", module)
    monkeypatch.setitem(CONTEXTS, "toy", ContextEntry("toy_encoder:GRU"))


def test_a_registered_encoder_can_be_trained_saved_and_used(tmp_path, toy):
    trees = write_treebank(tmp_path)
    recipe = span_recipe(trees, "span.context=toy", "training.epochs=60", "training.unknown=0")
    assert train(recipe, tmp_path / "m").best == 100
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    assert list(Parser.load(tmp_path / "m").pipe([tree.words() for tree in gold])) == gold


def test_an_encoder_without_a_graph_cannot_be_exported(tmp_path, toy):
    trees = write_treebank(tmp_path)
    with pytest.raises(RecipeError, match=r"span\.context=toy cannot be exported"):
        train(span_recipe(trees, "span.context=toy", "training.export=int8"), tmp_path / "m")
    train(span_recipe(trees, "span.context=toy", "training.epochs=1"), tmp_path / "m")
    files = sorted((tmp_path / "m").iterdir())
    with pytest.raises(ModelError, match="context encoder 'toy' cannot be exported"):
        export_runtime(tmp_path / "m")
    assert sorted((tmp_path / "m").iterdir()) == files


def test_an_unknown_encoder_is_an_error_that_lists_the_known_ones(tmp_path, toy, monkeypatch):
    trees = write_treebank(tmp_path)
    with pytest.raises(RecipeError, match=r"must be one of lstm, none, toy, not 'x'"):
        train(span_recipe(trees, "span.context=x"), tmp_path / "m")
    train(span_recipe(trees, "span.context=toy", "training.epochs=1"), tmp_path / "m")
    monkeypatch.delitem(CONTEXTS, "toy")
    with pytest.raises(ModelError, match="unknown context encoder 'toy': choose one of lstm, none"):
        Parser.load(tmp_path / "m")


def test_initial_weights_do_not_depend_on_the_number_of_pretrained_vectors(tmp_path):
    weights = []
    for name, more in (("few", ""), ("many", "more 1 2 3\nrows 4 5 6\n")):
        (tmp_path / name).mkdir()
        trees = write_treebank(tmp_path / name)
        vectors = trees.parent / "more.txt"
        vectors.write_text((trees.parent / "vectors.txt").read_text() + more, encoding="utf-8")
        learner, _ = make_learner(tmp_path / name, f"data.vectors={vectors}")
        weights.append(learner.model.state_dict())
    few, many = weights
    different = [name for name in few if not torch.equal(few[name], many[name])]
    assert different == ["encoder.features.vector.weight"]
