"""The transformer encoder: reference values, padding, positions, and folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file

from whorl.errors import ModelError
from whorl.lexicon.word_pieces import Pieces
from whorl.transformer.network import Transformer, TransformerConfig, attend, rotate

SHARED = Path(__file__).parents[3] / "shared/encoders/en-12x512"
SMALL = TransformerConfig(vocabulary=50, layers=3, width=16, heads=2, feed_forward=32)


@pytest.fixture
def model():
    torch.manual_seed(1)
    model = Transformer(SMALL)
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    return model.eval()


@pytest.fixture
def ids():
    return torch.arange(4, 18).view(2, 7)


@pytest.mark.skipif(not SHARED.exists(), reason="the English encoder is not here")
def test_the_english_encoder_gives_its_published_values():
    model, pieces = Transformer.load(SHARED), Pieces.load(SHARED)
    for text in json.loads((SHARED / "check.json").read_text(encoding="utf-8")):
        batch = pieces.batch([text["text"].split()])
        assert batch.ids[0].tolist() == text["ids"]
        with torch.no_grad():
            out = model(torch.from_numpy(batch.ids), torch.from_numpy(batch.mask))[0]
        assert out[1, :6].tolist() == pytest.approx(text["first_piece"], abs=2e-4)
        assert out[-2, :6].tolist() == pytest.approx(text["last_piece"], abs=2e-4)
        assert float(out.abs().mean()) == pytest.approx(text["mean_abs"], abs=2e-5)


def test_padding_changes_nothing(model, ids):
    padded = torch.nn.functional.pad(ids, (0, 5))
    mask = torch.arange(12) < torch.tensor([[7], [7]])
    torch.testing.assert_close(model(padded, mask)[:, :7], model(ids))


def test_attention_in_bfloat16_is_that_of_float32():
    torch.manual_seed(1)
    queries, keys, values = torch.randn(3, 2, 4, 9, 16)
    mask = (torch.arange(9) < torch.tensor([[9], [5]]))[:, None, None, :]
    for chosen in (None, mask):
        expected = attend(queries, keys, values, chosen)
        reduced = attend(queries.bfloat16(), keys.bfloat16(), values.bfloat16(), chosen)
        assert reduced.dtype == torch.bfloat16
        torch.testing.assert_close(reduced.float(), expected, atol=0.03, rtol=0.03)


def test_only_relative_positions_matter(model, ids):
    assert not torch.allclose(model(ids.flip(1)).flip(1), model(ids), atol=1e-3)
    cosines, sines = model.rotary(9)
    q, k = torch.randn(2, 1, 1, 1, 8)
    at = lambda i, j: float(
        (rotate(q, cosines[i], sines[i]) * rotate(k, cosines[j], sines[j])).sum()
    )
    assert at(1, 3) == pytest.approx(at(6, 8), abs=1e-5)
    assert at(1, 3) != pytest.approx(at(1, 4), abs=1e-5)


@pytest.mark.parametrize(
    ("precision", "tolerance"), [("float32", 0.0), ("float16", 2e-3), ("int8", 5e-2)]
)
def test_a_saved_encoder_loads_as_it_was(tmp_path, model, ids, precision, tolerance):
    model.save(tmp_path, precision=precision, note="x")
    loaded = Transformer.load(tmp_path)
    assert loaded.config == SMALL
    torch.testing.assert_close(loaded(ids), model(ids), atol=tolerance, rtol=0)
    assert json.loads((tmp_path / "encoder.json").read_text(encoding="utf-8"))["note"] == "x"


def test_saving_again_leaves_one_file_of_weights(tmp_path, model):
    model.save(tmp_path)
    model.save(tmp_path, precision="int8")
    assert [path.name for path in tmp_path.glob("*.safetensors")] == ["encoder.int8.safetensors"]
    Transformer.load(tmp_path)


def test_some_layers_can_be_kept(tmp_path, model, ids):
    model.save(tmp_path)
    for kept, options in (
        ([0, 1], {"layers": 2}),
        ([0, 2], {"every": 2}),
        ([0], {"every": 2, "layers": 1}),
    ):
        thin, whole = Transformer.load(tmp_path), Transformer.load(tmp_path)
        thin.thin(**options)
        assert thin.config.layers == len(kept)
        whole.blocks = torch.nn.ModuleList([whole.blocks[number] for number in kept])
        torch.testing.assert_close(thin(ids), whole(ids))
    with pytest.raises(ModelError, match="cannot keep 4 layers of the encoder: there are only 3"):
        Transformer.load(tmp_path).thin(layers=4)


def test_a_loaded_encoder_can_be_trained(tmp_path, model, ids):
    model.save(tmp_path)
    loaded = Transformer.load(tmp_path)
    loaded(ids).sum().backward()
    assert all(parameter.grad is not None for parameter in loaded.parameters())


def test_sizes_are_inferred_without_a_description(tmp_path):
    config = TransformerConfig(vocabulary=9, layers=2, width=128, heads=2, feed_forward=24)
    Transformer(config).save(tmp_path)
    (tmp_path / "encoder.json").unlink()
    assert Transformer.load(tmp_path).config == config


def _truncate(folder):
    path = folder / "encoder.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


def _drop(folder):
    tensors = load_file(folder / "encoder.safetensors")
    del tensors["blocks.1.o.weight"]
    save_file(tensors, folder / "encoder.safetensors")


def _rewrite(folder, **values):
    path = folder / "encoder.json"
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | values), encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_truncate, "is damaged"),
        (_drop, "has no tensor 'blocks.1.o.weight'"),
        (lambda folder: (folder / "encoder.safetensors").unlink(), "are missing"),
        (lambda folder: _rewrite(folder, format=99), "format 99"),
        (
            lambda folder: _rewrite(folder, config={"layers": 1, "depth": 2}),
            "this version cannot read",
        ),
        (lambda folder: _rewrite(folder, config={}), "does not describe an encoder"),
        (lambda folder: (folder / "encoder.json").write_text("{"), "does not describe an encoder"),
        (
            lambda folder: (folder / "encoder.json").write_text("[" * 200_000),
            "does not describe an encoder",
        ),
        (
            lambda folder: _rewrite(
                folder, config={"vocabulary": 50, "layers": 3, "width": 8, "heads": 2}
            ),
            "has shape",
        ),
        (
            lambda folder: _rewrite(
                folder, config={"vocabulary": 5, "layers": 3, "width": 9, "heads": 2}
            ),
            "even size",
        ),
    ],
)
def test_a_damaged_folder_is_an_error_that_says_what_is_wrong(tmp_path, model, damage, message):
    model.save(tmp_path)
    damage(tmp_path)
    with pytest.raises(ModelError, match=message):
        Transformer.load(tmp_path)


def test_a_folder_without_an_encoder_is_an_error(tmp_path):
    with pytest.raises(ModelError, match="is not an encoder folder"):
        Transformer.load(tmp_path)
    save_file({"a": torch.zeros(2)}, tmp_path / "encoder.safetensors")
    with pytest.raises(ModelError, match="holds no encoder"):
        Transformer.load(tmp_path)
    with pytest.raises(ModelError, match="unknown precision 'int4'"):
        Transformer(SMALL).save(tmp_path, precision="int4")
