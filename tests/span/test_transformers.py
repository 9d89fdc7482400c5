"""The span network over transformers: ours and those of the `transformers` library, all of them tiny."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from tests.spans import span_recipe, tiny_encoder, tiny_tokenizer, write_treebank
from whorl.errors import RecipeError
from whorl.parser import Parser
from whorl.span.export import export_runtime
from whorl.span.folder import SpanModel
from whorl.span.samples import collate_inputs
from whorl.span.setup import span_learner
from whorl.training.run import train
from whorl.trees import read_trees

ONLY = ("data.vectors=", "span.word_dim=0", "span.character_dim=0", "training.encoder_rate=0.005")


@pytest.fixture
def ours(tmp_path):
    return tiny_encoder(tmp_path)


@pytest.fixture
def theirs(tmp_path):
    transformers = pytest.importorskip("transformers")
    made, size = tiny_tokenizer(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
    folder = tmp_path / "bert"
    names = {f"{n}_token": f"[{n.upper()}]" for n in ("pad", "unk", "cls", "sep", "mask")}
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names).save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def learns(folder, trees, *settings):
    recipe = span_recipe(trees, *ONLY, "training.epochs=40", *settings)
    assert train(recipe, folder).best > 95
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    return [str(tree) for tree in Parser.load(folder).pipe([tree.words() for tree in gold])]


@pytest.mark.parametrize("layers", [0, 1])
def test_it_learns_over_our_transformer_with_and_without_a_bilstm(tmp_path, ours, layers):
    trees = write_treebank(tmp_path)
    found = learns(
        tmp_path / "m",
        trees,
        f"span.encoder={ours}",
        "span.encoder_layers=2",
        f"span.lstm_layers={layers}",
    )
    assert len(found) == 6


def test_it_learns_over_a_transformer_of_the_library_and_loads_without_it_being_at_hand(
    tmp_path, theirs
):
    trees = write_treebank(tmp_path)
    train(
        span_recipe(trees, *ONLY, "training.epochs=1", f"span.huggingface={theirs}"),
        tmp_path / "one",
    )
    found = learns(tmp_path / "m", trees, f"span.huggingface={theirs}")
    theirs.rename(tmp_path / "gone")
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    again = Parser.load(tmp_path / "m").pipe([tree.words() for tree in gold])
    assert [str(tree) for tree in again] == found
    for precision in ("float32", "int8"):
        export_runtime(tmp_path / "m", precision=precision, out=tmp_path / precision)
        exported = Parser.load(tmp_path / precision).pipe([tree.words() for tree in gold])
        assert [str(tree) for tree in exported] == found


def test_the_first_layers_are_taken_and_learn_at_their_own_rate(tmp_path, ours):
    settings = (
        *ONLY,
        f"span.encoder={ours}",
        "span.encoder_layers=2",
        "training.encoder_rate=0.25",
    )
    learner, _ = span_learner(span_recipe(write_treebank(tmp_path), *settings))
    assert len(learner.model.encoder.pieces.transformer.blocks) == 2
    rest, slow = learner.groups()
    assert (rest.rate, slow.rate) == (0.01, 0.25)
    named = {id(p) for p in learner.model.encoder.pieces.parameters()}
    assert {id(p) for p in slow.weights} == named
    assert not named & {id(p) for p in rest.weights}


def test_layers_are_taken_from_a_trained_parser(tmp_path, ours):
    trees = write_treebank(tmp_path)
    train(
        span_recipe(trees, *ONLY, "training.epochs=1", f"span.encoder={ours}"), tmp_path / "teacher"
    )
    settings = (*ONLY, f"span.encoder={tmp_path / 'teacher'}", "span.encoder_every=2")
    student, _ = span_learner(span_recipe(trees, *settings))
    teacher = SpanModel.load(tmp_path / "teacher")
    taken, given = (
        student.model.encoder.pieces.transformer,
        teacher.model.encoder.pieces.transformer,
    )
    assert len(taken.blocks) == len(given.blocks[::2]) < len(given.blocks)
    for one, other in zip(taken.blocks, given.blocks[::2], strict=True):
        torch.testing.assert_close(one.state_dict(), other.state_dict())
    torch.testing.assert_close(taken.emb.weight, given.emb.weight)
    words = span_recipe(trees, "training.epochs=1")
    train(words, tmp_path / "words")
    with pytest.raises(RecipeError, match="has no transformer of ours to take"):
        span_learner(span_recipe(trees, *ONLY, f"span.encoder={tmp_path / 'words'}"))


def test_a_long_sentence_is_read_in_chunks_that_hold_all_its_pieces(tmp_path, ours):
    settings = (*ONLY, f"span.encoder={ours}")
    learner, _ = span_learner(span_recipe(write_treebank(tmp_path), *settings))
    encoder = learner.encoder
    words = ["The", "public", "works", "unheard-of"] * 5
    whole = encoder.sentence(words)
    encoder.longest = 12
    parts = encoder.sentence(words)
    assert len(whole.chunks) == 1
    assert len(parts.chunks) > 1
    assert parts.chunks.max() <= 14
    short = encoder.sentence(["tree"])
    for sentences in ([whole, short], [short, parts, short]):
        inputs = collate_inputs(sentences)
        flat = inputs.pieces.ravel()
        vocabulary = encoder.pieces.tokenizer
        ends = [
            (vocabulary.id_to_token(flat[a]), vocabulary.id_to_token(flat[b]))
            for a, b in inputs.ends
        ]
        expected = [
            word for sentence in sentences for word in (words if len(sentence) > 1 else ["tree"])
        ]
        assert [
            a == w if a == b else a[0] == w[0] for (a, b), w in zip(ends, expected, strict=True)
        ] == [True] * len(expected)
    assert np.array_equal(collate_inputs([parts]).lengths, [20])


def test_two_transformers_are_one_too_many(tmp_path, ours):
    with pytest.raises(RecipeError, match="choose one"):
        train(
            span_recipe(write_treebank(tmp_path), f"span.encoder={ours}", "span.huggingface=x"),
            tmp_path / "m",
        )
