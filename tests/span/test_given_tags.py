"""Tags that come with the words, for networks that read them."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.spans import span_recipe, write_treebank
from whorl.parser import Parser
from whorl.span.engine import load_trained
from whorl.span.export import export_runtime
from whorl.span.folder import SpanModel
from whorl.span.setup import span_learner
from whorl.training.run import train
from whorl.trees import read_tree

# The same words in two structures, which only the tags tell apart.
NOUN = "(S (NP (NN that) (NN can)) (VP (VB rust)))"
VERB = "(S (NP (DT that)) (VP (MD can) (VB rust)))"
TREES = [read_tree(NOUN), read_tree(VERB)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("given")
    trees = write_treebank(place, text=f"{NOUN}\n{VERB}\n" * 4)
    learner, _ = span_learner(span_recipe(trees, "training.given_tags=0.5"))
    optimiser = torch.optim.AdamW(learner.model.parameters(), lr=0.01)
    random = np.random.default_rng(1)
    for _ in range(150):
        optimiser.zero_grad()
        learner.loss(learner.batch(learner.samples, random)).backward()
        optimiser.step()
    learner.save(place / "m", {})
    return place / "m"


@pytest.mark.parametrize("beam", [1, 3])
def test_given_tags_decide_between_trees_of_the_same_words(folder, beam):
    parser = Parser.load(folder)
    parsed = list(parser.pipe([tree.leaves() for tree in TREES], beam=beam))
    assert [tree.children[0] for tree in parsed] == TREES
    assert parser.parse(["that", "can", "rust"]).children[0] in TREES


def test_tagged_and_untagged_sentences_can_be_parsed_together(folder):
    parser = Parser.load(folder)
    inputs = [TREES[0].leaves(), ["that", "can", "rust"], TREES[1].leaves()]
    together = list(parser.pipe(inputs))
    assert together == [parser.parse(tokens) for tokens in inputs]


def test_unknown_tags_count_as_none(folder):
    engine = load_trained([folder], "cpu", None)
    leaves = read_tree("(S (XX that) (YY can) (ZZ rust))").leaves()
    (with_unknown,), (without,) = engine.parse_nbest(
        [leaves, ["that", "can", "rust"]], beam=1, n_best=1
    )
    assert with_unknown.log_probability == pytest.approx(without.log_probability, abs=1e-4)
    assert with_unknown.tree.tags() == ["XX", "YY", "ZZ"]


def test_averaged_networks_read_tags_too(folder):
    engine = load_trained([folder, folder], "cpu", None)
    parses = engine.parse_nbest([tree.leaves() for tree in TREES], beam=1, n_best=1)
    assert [best.tree.children[0] for (best,) in parses] == TREES


def test_an_export_parses_without_tags_as_the_network_does(folder):
    export_runtime(folder)
    words = ["that", "can", "rust"]
    trained = load_trained([folder], "cpu", None)
    ((expected,),) = trained.parse_nbest([words], beam=1, n_best=1)
    assert Parser.load(folder).parse(words) == expected.tree
    (parsed,) = Parser.load(folder).pipe([TREES[0].leaves()])
    assert parsed.tags() == TREES[0].tags()  # kept, though not read


def test_networks_read_no_tags_unless_the_recipe_says_so(tmp_path):
    train(span_recipe(write_treebank(tmp_path), "training.epochs=1"), tmp_path / "m")
    model = SpanModel.load(tmp_path / "m").model
    assert model.encoder.given is None
    assert "given_tags" not in model.config.to_dict()
