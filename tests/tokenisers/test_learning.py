"""Which kind of tokeniser a treebank gets, and what is read off its tokens."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tests.tokenisers.toybanks import LATIN_RULES, latin_trees, spaceless_trees
from whorl.detokenisation import JoiningRules, TokenPattern, find_rules, rebuild
from whorl.errors import TextError
from whorl.tokenisers import PennTokeniser
from whorl.tokenisers.evaluation import evaluate_tokeniser
from whorl.tokenisers.inventory import Contraction
from whorl.tokenisers.learning import choose_kind, learn_tokeniser
from whorl.tokenisers.network import Layer
from whorl.tokenisers.observation import clean_rebuilt, observe
from whorl.tokenisers.training import TrainingSettings, _Network, _to_numpy
from whorl.trees import Leaf, Tree, iter_trees

SHARED = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


def observed(trees, rules):
    text = clean_rebuilt(rebuild([tuple(tree.leaves()) for tree in trees], rules))
    return text, observe(text, rules.joiner)


def test_affixes_contractions_and_characters_are_read_off_the_tokens():
    _, cuts = observed(latin_trees(), LATIN_RULES)
    inventory = cuts.inventory
    assert inventory.suffixes == {"nya"}
    assert inventory.contractions["do"] == Contraction(1, "de", "o")
    assert inventory.contractions["à"] == Contraction(0, "a", "a")
    assert inventory.joiner == "_"
    assert inventory.characters["“"] == '"'
    assert "." not in inventory.characters


def test_the_script_and_the_cuts_decide_the_kind():
    text, cuts = observed(latin_trees(), LATIN_RULES)
    assert choose_kind(text, LATIN_RULES, cuts)[0] == "unicode"
    kana = find_rules([tuple(tree.leaves()) for tree in spaceless_trees()])
    text, cuts = observed(spaceless_trees(), kana)
    assert choose_kind(text, kana, cuts)[0] == "learned"


def test_tokens_that_are_parts_of_words_without_known_affixes_are_learned():
    rng = random.Random(1)

    def word():
        return "".join(rng.choice("abdegiklmnoprstu") for _ in range(rng.randrange(3, 8)))

    trees = [
        Tree("S", [Leaf("X", word() + mark) for _ in range(4) for mark in ("", "")])
        for _ in range(60)
    ]
    rules = JoiningRules(joined=(TokenPattern(left="[a-m].*"),))
    text, cuts = observed(trees, rules)
    kind, reason = choose_kind(text, rules, cuts)
    assert kind == "learned"
    assert "inside a word" in reason


def test_penn_must_be_asked_for_and_looks_at_hyphens():
    split = [Tree("S", [Leaf("JJ", "well"), Leaf("HYPH", "-"), Leaf("VBN", "known")])]
    assert learn_tokeniser(split, kind="penn").tokeniser == PennTokeniser("split")
    whole = [Tree("S", [Leaf("JJ", "well-known")])]
    assert learn_tokeniser(whole, kind="penn").tokeniser == PennTokeniser("keep")


def test_learning_is_reproducible(unicode_tokeniser):
    again = learn_tokeniser(latin_trees(), rules=LATIN_RULES, visits=60_000).tokeniser
    assert again.inventory == unicode_tokeniser.inventory
    tensors = unicode_tokeniser.network.to_tensors()
    for name, tensor in again.network.to_tensors().items():
        np.testing.assert_array_equal(tensor, tensors[name])


@pytest.mark.parametrize("count", [1, 2])
def test_a_tokeniser_is_learnt_from_next_to_nothing(count):
    learnt = learn_tokeniser(latin_trees(count), visits=1000)
    assert learnt.tokeniser.segment("Kala miro. Tuna")


def test_no_trees_and_unknown_kinds_are_errors():
    with pytest.raises(TextError, match="no trees"):
        learn_tokeniser([])
    with pytest.raises(TextError, match="'finnish': expected"):
        learn_tokeniser(latin_trees(3), kind="finnish")


def test_the_network_in_numpy_gives_the_scores_of_the_one_in_pytorch():
    settings = TrainingSettings(
        rows=50, embedding=8, hidden=12, layers=(Layer(5), Layer(3, 2)), visits=1
    )
    torch.manual_seed(3)
    network = _Network(settings).eval()
    ids = np.random.default_rng(3).integers(0, 50, (17, 6)).astype(np.int32)
    with torch.no_grad():
        expected = network(torch.from_numpy(ids.astype(np.int64))[None], torch.ones(1, 17, 1))[0]
    np.testing.assert_allclose(_to_numpy(network, settings)(ids), expected.numpy(), atol=0.03)


@pytest.mark.treebank
def test_a_thousand_trees_of_a_treebank_are_enough_for_good_tokens():
    path = SHARED / "id" / "icon"
    if not path.exists():
        pytest.skip("no treebanks")
    trees = list(iter_trees(path / "dev.txt"))
    learnt = learn_tokeniser(trees[:800], visits=150_000)
    gold = [tuple(tree.leaves()) for tree in trees[800:]]
    scores = evaluate_tokeniser(learnt.tokeniser, rebuild(gold, learnt.rules))
    assert scores.words.f1 > 98.5
    assert scores.sentences.f1 > 94
