"""Networks ready to parse: one, or several averaged."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from tests.spans import span_recipe, write_treebank
from whorl.errors import ModelError
from whorl.parser import Parser
from whorl.span.engine import load_trained
from whorl.training.run import train

SENTENCES = [["The", "public", "works", "."], ["Rain"], ["Dogs", "and", "cats", "sleep"]]


@pytest.fixture
def folders(tmp_path):
    trees = write_treebank(tmp_path)
    for seed in (1, 2):
        train(
            span_recipe(trees, "training.epochs=4", f"training.seed={seed}"), tmp_path / str(seed)
        )
    return [tmp_path / "1", tmp_path / "2"]


def best_derivations(engine, beam):
    return [best for best, *_ in engine.derivations(SENTENCES, beam=beam, n_best=1)]


def test_a_network_averaged_with_itself_is_itself(folders):
    one, same = (
        best_derivations(load_trained(models, "cpu", None), 1)
        for models in (folders[:1], folders[:1] * 3)
    )
    assert [tree for tree, _ in one] == [tree for tree, _ in same]
    assert [derivation.score for _, derivation in one] == pytest.approx(
        [derivation.score for _, derivation in same], abs=1e-4
    )


@pytest.mark.parametrize("beam", [1, 3])
def test_networks_of_different_seeds_are_averaged(folders, beam):
    parsed = best_derivations(load_trained(folders, "cpu", None), beam)
    assert [tree.words() for tree, _ in parsed] == SENTENCES
    assert all(0 < math.exp(derivation.score) <= 1 for _, derivation in parsed)
    assert all(len(derivation.scores) == len(derivation.steps) for _, derivation in parsed)


def test_networks_that_number_labels_differently_are_not_averaged(tmp_path, folders):
    other = write_treebank(tmp_path, "other.txt", "(S (X (NN Rain)))\n")
    train(span_recipe(other, "training.epochs=1"), tmp_path / "3")
    with pytest.raises(ModelError, match="cannot be averaged"):
        load_trained([*folders, tmp_path / "3"], "cpu", None)


def test_a_device_that_is_not_there_is_named(folders):
    with pytest.raises(ModelError, match="unknown device 'nonsense': use cpu, cuda"):
        Parser.load(folders[0], device="nonsense")
    if not torch.cuda.is_available():
        with pytest.raises(
            ModelError, match="PyTorch cannot use the device 'cuda': it finds no GPU"
        ):
            Parser.load(folders[0], device="cuda")
