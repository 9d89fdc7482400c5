"""Weights: altered files are rejected even if they are named after their new content."""

from __future__ import annotations

import json

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save

import whorl
from tests.model_folder.folders import save_span, save_stack_lstm
from whorl.errors import ModelError
from whorl.files import write_json
from whorl.model_folder.content_addressed import write_named
from whorl.model_folder.tensors import load_tensors, save_tensors, with_prefix

TENSORS = {"a": torch.arange(6.0).reshape(2, 3), "b.c": torch.tensor([1, 2])}
DATA = save(TENSORS)


def test_tensors_are_read_as_they_were_saved(tmp_path):
    name = save_tensors(tmp_path, "weights", TENSORS)
    read = load_tensors(tmp_path / name)
    assert read.keys() == TENSORS.keys()
    assert all(torch.equal(read[key], TENSORS[key]) for key in TENSORS)
    assert with_prefix(read, "b.").keys() == {"c"}


def load_renamed(folder, data):
    return load_tensors(folder / write_named(folder, "weights", ".safetensors", data))


@pytest.mark.parametrize("length", range(0, len(DATA), 7))
def test_a_truncated_file_is_damaged(tmp_path, length):
    with pytest.raises(ModelError, match=r"weights-.* is damaged"):
        load_renamed(tmp_path, DATA[:length])


@settings(max_examples=300)
@given(place=st.integers(0, len(DATA) - 1), byte=st.integers(0, 255))
def test_an_altered_byte_is_damage_or_another_value(tmp_path_factory, place, byte):
    altered = DATA[:place] + bytes([byte]) + DATA[place + 1 :]
    try:
        read = load_renamed(tmp_path_factory.getbasetemp(), altered)
    except ModelError as error:
        assert "is damaged" in str(error)
    else:
        assert len(read) == 2


@pytest.fixture(scope="module", params=[save_span, save_stack_lstm])
def folder(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp("model"))


def save_changed(folder, change):
    """Save a model's weights again after a change to its tensors."""
    saved = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    tensors = load_tensors(folder / saved["weights"])
    change(tensors)
    name = save_tensors(folder, "changed", tensors)
    return saved, {**saved, "weights": name}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.pop("parser.out.weight"), r"out\.weight has the shape none, expected \("),
        (lambda t: t.update({"parser.x": torch.zeros(1)}), r"x has the shape \(1,\), .* none"),
        (
            lambda t: t.update({"parser.out.bias": torch.zeros(1)}),
            r"out\.bias has the shape \(1,\)",
        ),
    ],
)
def test_weights_must_fit_the_description(folder, change, message):
    before, after = save_changed(folder, change)
    write_json(folder / "model.json", after)
    with pytest.raises(ModelError, match=message):
        whorl.load(folder)
    write_json(folder / "model.json", before)


def test_a_network_larger_than_its_weights_is_refused_before_it_is_built(folder):
    saved = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    sizes = {**saved["config"], "hidden_dim": 1 << 20, "word_dim": 1 << 20}  # terabytes
    write_json(folder / "model.json", {**saved, "config": sizes})
    with pytest.raises(ModelError, match="does not fit its description"):
        whorl.load(folder)
    write_json(folder / "model.json", saved)
