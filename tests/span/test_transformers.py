"""The span network over tiny transformers: Whorl's own and those of the library."""

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
from whorl.span.setup import check_recipe, span_learner
from whorl.training.run import train
from whorl.transformer.network import Transformer
from whorl.trees import read_trees

ONLY = ("data.vectors=", "span.word_dim=0", "span.character_dim=0", "training.encoder_rate=0.005")


@pytest.fixture
def ours(tmp_path):
    return tiny_encoder(tmp_path)


@pytest.fixture
def theirs(tmp_path):
    transformers = pytest.importorskip("transformers")
    tokenizer, size = tiny_tokenizer(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
    folder = tmp_path / "bert"
    names = {f"{n}_token": f"[{n.upper()}]" for n in ("pad", "unk", "cls", "sep", "mask")}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(
        folder
    )
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


def train_and_parse(folder, trees, *settings):
    recipe = span_recipe(trees, *ONLY, "training.epochs=40", *settings)
    assert train(recipe, folder).best > 95
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    return [str(tree) for tree in Parser.load(folder).pipe([tree.words() for tree in gold])]


@pytest.mark.parametrize("layers", [0, 1])
def test_a_transformer_can_be_trained_with_and_without_a_bilstm(tmp_path, ours, layers):
    trees = write_treebank(tmp_path)
    parsed = train_and_parse(
        tmp_path / "m",
        trees,
        f"span.encoder={ours}",
        "span.encoder_layers=2",
        f"span.lstm_layers={layers}",
    )
    assert len(parsed) == 6


def test_a_model_over_a_library_transformer_loads_without_the_original(tmp_path, theirs):
    trees = write_treebank(tmp_path)
    train(
        span_recipe(trees, *ONLY, "training.epochs=1", f"span.huggingface={theirs}"),
        tmp_path / "one",
    )
    parsed = train_and_parse(tmp_path / "m", trees, f"span.huggingface={theirs}")
    theirs.rename(tmp_path / "gone")
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    again = Parser.load(tmp_path / "m").pipe([tree.words() for tree in gold])
    assert [str(tree) for tree in again] == parsed
    for precision in ("float32", "int8"):
        export_runtime(tmp_path / "m", precision=precision, out=tmp_path / precision)
        exported = Parser.load(tmp_path / precision).pipe([tree.words() for tree in gold])
        assert [str(tree) for tree in exported] == parsed


def test_the_first_layers_are_kept_and_have_their_own_rate(tmp_path, ours):
    layers = ("span.encoder_layers=2", "training.encoder_rate=0.25")
    settings = (*ONLY, f"span.encoder={ours}", *layers)
    learner, _ = span_learner(span_recipe(write_treebank(tmp_path), *settings))
    assert len(learner.model.encoder.pieces.transformer.blocks) == 2
    rest, pretrained = learner.groups()
    assert (rest.rate, pretrained.rate) == (0.01, 0.25)
    named = {id(p) for p in learner.model.encoder.pieces.parameters()}
    assert {id(p) for p in pretrained.weights} == named
    assert not named & {id(p) for p in rest.weights}


def test_a_transformer_whose_rate_is_zero_stays_as_it_is_under_a_mixture_that_learns(
    tmp_path, ours
):
    trees = write_treebank(tmp_path)
    settings = ("span.encoder_mix=true", "training.encoder_rate=0", "training.epochs=2")
    recipe = span_recipe(trees, f"span.encoder={ours}", *settings)
    train(recipe, tmp_path / "m")
    features = SpanModel.load(tmp_path / "m").model.encoder.pieces
    torch.testing.assert_close(
        features.transformer.state_dict(), Transformer.load(ours).state_dict(), rtol=0, atol=0
    )
    even = torch.full_like(features.mix, 1 / len(features.mix))
    assert features.mix.shape == (features.transformer.config.layers + 1, features.width)
    assert not torch.allclose(features.mix, even, atol=1e-4)
    learner, _ = span_learner(recipe)
    (group,) = learner.groups()
    assert group.rate == 0.01
    assert any(weight is learner.model.encoder.pieces.mix for weight in group.weights)


@pytest.mark.parametrize("transformer", [(), ("span.huggingface=bert",)])
def test_only_layers_of_our_own_encoders_can_be_mixed(tmp_path, transformer):
    settings = (*ONLY[1:], "span.word_dim=8", "span.encoder_mix=true", *transformer)
    with pytest.raises(RecipeError, match=r"span\.encoder_mix is for Whorl's own encoders"):
        check_recipe(span_recipe(write_treebank(tmp_path), *settings))


def test_layers_can_come_from_a_trained_parser(tmp_path, ours):
    trees = write_treebank(tmp_path)
    train(
        span_recipe(trees, *ONLY, "training.epochs=1", f"span.encoder={ours}"), tmp_path / "teacher"
    )
    settings = (*ONLY, f"span.encoder={tmp_path / 'teacher'}", "span.encoder_every=2")
    student, _ = span_learner(span_recipe(trees, *settings))
    teacher = SpanModel.load(tmp_path / "teacher")
    thinned, whole = (network.model.encoder.pieces.transformer for network in (student, teacher))
    assert len(thinned.blocks) == len(whole.blocks[::2]) < len(whole.blocks)
    for block, original in zip(thinned.blocks, whole.blocks[::2], strict=True):
        torch.testing.assert_close(block.state_dict(), original.state_dict())
    torch.testing.assert_close(thinned.emb.weight, whole.emb.weight)
    words = span_recipe(trees, "training.epochs=1")
    train(words, tmp_path / "words")
    with pytest.raises(RecipeError, match="has no transformer of Whorl's own"):
        span_learner(span_recipe(trees, *ONLY, f"span.encoder={tmp_path / 'words'}"))


def test_a_long_sentence_is_read_in_chunks_that_hold_all_its_pieces(tmp_path, ours):
    settings = (*ONLY, f"span.encoder={ours}")
    learner, _ = span_learner(span_recipe(write_treebank(tmp_path), *settings))
    vocabulary = learner.vocabulary
    words = ["The", "public", "works", "unheard-of"] * 5
    whole = vocabulary.encode(words)
    vocabulary.longest = 12
    parts = vocabulary.encode(words)
    assert len(whole.chunks) == 1
    assert len(parts.chunks) > 1
    assert parts.chunks.max() <= 14
    short = vocabulary.encode(["tree"])
    piece_of = vocabulary.pieces.tokenizer.id_to_token
    for sentences in ([whole, short], [short, parts, short]):
        inputs = collate_inputs(sentences)
        flat = inputs.pieces.ravel()
        ends = [(piece_of(flat[first]), piece_of(flat[last])) for first, last in inputs.ends]
        expected = [
            word for sentence in sentences for word in (words if len(sentence) > 1 else ["tree"])
        ]
        for (first, last), word in zip(ends, expected, strict=True):
            assert first == word if first == last else first[0] == word[0]
    assert np.array_equal(collate_inputs([parts]).lengths, [20])


def test_two_transformers_are_refused(tmp_path, ours):
    with pytest.raises(RecipeError, match="exclude each other"):
        train(
            span_recipe(write_treebank(tmp_path), f"span.encoder={ours}", "span.huggingface=x"),
            tmp_path / "m",
        )
