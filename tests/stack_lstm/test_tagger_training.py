"""The tagger learns, is reproducible, survives saving, and jackknifing never leaks tags."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from whorl.errors import ModelError, RecipeError
from whorl.lexicon.vectors import Vectors
from whorl.stack_lstm import jackknife as jackknifing
from whorl.stack_lstm.jackknife import jackknife
from whorl.stack_lstm.tagger import Tagger, tag_accuracy
from whorl.stack_lstm.tagger_network import FEATURES, character_features
from whorl.stack_lstm.tagger_training import train_tagger
from whorl.trees import Leaf

NOUNS = ["dog", "cat", "tree", "house", "river", "Alps-2"]
ODD = ["", "\ud800", "日本語", "\U0001f333", "a" * 500, "-", "²", "_", "<unk>", "3.14", "É", "ǅ"]


def leaves(text: str) -> list[Leaf]:
    """Sentences such as "the/DT dog/NN"."""
    pairs = [item.rsplit("/", 1) for item in text.split()]
    return [Leaf(tag, word, place) for place, (word, tag) in enumerate(pairs)]


def words(sentences: list[list[Leaf]]) -> list[list[str]]:
    return [[leaf.word for leaf in sentence] for sentence in sentences]


def toy() -> list[list[Leaf]]:
    """What "run" is depends on the word before it; words in -s are verbs."""
    sentences = []
    for noun in NOUNS:
        sentences.append(leaves(f"the/DT {noun}/NN jumps/VBZ to/TO run/VB"))
        sentences.append(leaves(f"the/DT run/NN pleases/VBZ a/DT {noun}/NN ./."))
        sentences.append(leaves(f"{noun}/NN sleeps/VBZ"))
    return sentences


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    table = np.random.default_rng(0).normal(size=(4, 5)).astype(np.float32)
    table[0] = 0
    return Vectors(["dog", "cat", "fish"], table)


@pytest.fixture(scope="module")
def tagger(vectors: Vectors) -> Tagger:
    return train_tagger(toy(), vectors=vectors, epochs=60)


def test_a_rule_of_context_and_form_is_learnt(tagger: Tagger) -> None:
    assert tagger.accuracy(toy()) == 1.0
    assert tagger.tag([["the", "run", "blubs", "a", "dog", "."]]) == [
        ["DT", "NN", "VBZ", "DT", "NN", "."]
    ]


def test_the_same_seed_gives_the_same_weights_and_leaves_the_callers_random_numbers_alone(
    vectors: Vectors,
) -> None:
    torch.manual_seed(7)
    before = torch.random.get_rng_state()
    losses: list[tuple[int, float]] = []
    first = train_tagger(
        toy(), vectors=vectors, epochs=3, seed=5, on_epoch=lambda *report: losses.append(report)
    )
    assert torch.equal(before, torch.random.get_rng_state())
    torch.manual_seed(8)
    second = train_tagger(toy(), vectors=vectors, epochs=3, seed=5)
    other = train_tagger(toy(), vectors=vectors, epochs=3, seed=6)
    assert [epoch for epoch, _ in losses] == [1, 2, 3]
    assert losses[-1][1] < losses[0][1]
    assert first.tag(words(toy())) == second.tag(words(toy()))
    assert torch.equal(first.network.out.weight, second.network.out.weight)
    assert not torch.equal(first.network.out.weight, other.network.out.weight)


def test_a_tagger_comes_back_from_its_state_without_the_vectors_in_it(
    tagger: Tagger, vectors: Vectors
) -> None:
    settings, weights = tagger.to_state()
    assert all(weight.shape != vectors.table.shape for weight in weights.values())
    again = Tagger.from_state(json.loads(json.dumps(settings)), weights, vectors)
    new = [*words(toy()), ODD[1:], ["the", "fish", "Runs"]]
    assert again.tag(new) == tagger.tag(new)
    assert again.to_state()[0] == settings


def test_a_state_that_does_not_fit_is_told_apart(tagger: Tagger, vectors: Vectors) -> None:
    settings, weights = tagger.to_state()
    with pytest.raises(ModelError, match="dimension 5, not 0"):
        Tagger.from_state(settings, weights, Vectors.none())
    with pytest.raises(ModelError, match="'tags'"):
        Tagger.from_state(
            {key: value for key, value in settings.items() if key != "tags"}, weights, vectors
        )
    with pytest.raises(ModelError, match=r"1 tags, expected .* and 6"):
        Tagger.from_state({**settings, "tags": ["NN"]}, weights, vectors)
    with pytest.raises(ModelError, match="does not fit"):
        Tagger.from_state(settings, {"out.bias": weights["out.bias"]}, vectors)


def test_sentences_are_tagged_together_as_one_by_one_in_their_order(tagger: Tagger) -> None:
    sentences = [[], *words(toy()), ["run"], [], ODD, *words(toy())[::-1]] * 3
    together = tagger.tag(sentences)
    assert together == [tagger.tag([sentence])[0] for sentence in sentences]
    assert list(map(len, together)) == list(map(len, sentences))


def test_any_word_has_a_tag(tagger: Tagger) -> None:
    assert tagger.tag([]) == []
    assert all(tag in tagger.tags for tag in tagger.tag([ODD])[0])


def test_character_features_are_hashes_of_affixes_shape_and_lower_case() -> None:
    features = (6768, 7969, 15486, 12384, 11599, 6345, 3191, 15432, 6188, 7033)
    assert character_features("Trees", 1 << 14) == features
    texts = ["1<t", "2<tr", "3<tre", "4<tree", "1>s", "2>es", "3>ees", "4>rees"]
    texts += ["shape Xx", "word trees"]
    assert features == tuple(zlib.crc32(text.encode()) % (1 << 14) + 1 for text in texts)


@pytest.mark.parametrize(
    ("word", "shape"),
    [("MIG-21", "XX-0"), ("Anglo-saxon", "Xx-x"), ("I", "X"), ("iPod", "xX"), ("3.14", "0.0")],
)
def test_the_shape_of_a_word_is_one_of_its_features(word: str, shape: str) -> None:
    assert character_features(word, 99)[8] == zlib.crc32(f"shape {shape}".encode()) % 99 + 1


def test_short_words_have_fewer_features_and_any_word_has_some() -> None:
    for word in ODD:
        features = character_features(word, 7)
        assert len(features) == FEATURES
        assert all(0 <= number <= 7 for number in features)
    assert character_features("a", 7)[:8] == (0,) * 8
    assert 0 not in character_features("abcde", 7)
    assert character_features("Dog", 1 << 14)[:8] == character_features("dog", 1 << 14)[:8]
    assert character_features("Dog", 1 << 14) != character_features("dog", 1 << 14)


@pytest.mark.parametrize("sentences", [[leaves("dog/NN")], [[]], [], [[], leaves("a/DT dog/NN")]])
def test_little_or_nothing_to_learn_from_is_no_error(sentences: list[list[Leaf]]) -> None:
    tagger = train_tagger(sentences, vectors=Vectors.none(), epochs=2)
    known = {leaf.tag for sentence in sentences for leaf in sentence} or {"<unk>"}
    assert set(tagger.tag([["dog", "zebra"]])[0]) <= known


def test_no_epochs_are_refused() -> None:
    with pytest.raises(RecipeError, match="0 epochs"):
        train_tagger(toy(), vectors=Vectors.none(), epochs=0)


def test_jackknifing_never_trains_on_the_sentence_it_tags() -> None:
    """Each fold has a tag of its own, which no tagger that did not see the fold can give."""
    sentences = [leaves(f"the/DT dog/FOLD{number // 2}") for number in range(6)]
    reports: list[tuple[int, float]] = []
    tagged = jackknife(
        sentences,
        vectors=Vectors.none(),
        folds=3,
        epochs=20,
        on_fold=lambda *report: reports.append(report),
    )
    for number, tags in enumerate(tagged):
        assert tags[1] != f"FOLD{number // 2}"
        assert tags[0] == "DT" or tags[0].startswith("FOLD")
    assert [fold for fold, _ in reports] == [1, 2, 3]
    assert all(accuracy <= 0.5 for _, accuracy in reports)


def test_jackknifing_trains_on_all_the_other_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    train = train_tagger

    def spy(sentences: list[list[Leaf]], **options: object) -> Tagger:
        seen.append({leaf.word for sentence in sentences for leaf in sentence})
        return train(sentences, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(jackknifing, "train_tagger", spy)
    sentences = [leaves(f"w{number}/NN") for number in range(7)]
    assert len(jackknife(sentences, vectors=Vectors.none(), folds=3, epochs=1)) == 7
    left_out = [{f"w{number}" for number in range(7)} - others for others in seen]
    assert left_out == [{"w0", "w1"}, {"w2", "w3"}, {"w4", "w5", "w6"}]


def test_jackknifing_keeps_the_order_and_copes_with_few_sentences() -> None:
    none = Vectors.none()
    assert jackknife([], vectors=none) == []
    assert jackknife([leaves("a/DT dog/NN")], vectors=none, epochs=1) == [["<unk>", "<unk>"]]
    sentences = [leaves("a/DT dog/NN"), [], leaves("dog/NN")]
    assert list(map(len, jackknife(sentences, vectors=none, folds=10, epochs=1))) == [2, 0, 1]
    with pytest.raises(RecipeError, match="1 folds"):
        jackknife(sentences, vectors=none, folds=1)


def test_accuracy_counts_words() -> None:
    gold = [leaves("a/DT dog/NN"), [], leaves("run/VB it/PRP")]
    assert tag_accuracy(gold, [["DT", "NN"], [], ["NN", "PRP"]]) == 0.75
    assert tag_accuracy([], []) == 1.0
