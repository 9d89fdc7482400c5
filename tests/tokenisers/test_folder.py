"""Tokenisers in model folders: saved, loaded, validated, and used by parsers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from typer.testing import CliRunner

import whorl
from whorl.catalogue import find_model
from whorl.cli.main import app
from whorl.errors import ModelError, TextError
from whorl.model_folder.content_addressed import write_named
from whorl.model_folder.description import FORMAT, file_names, read_description
from whorl.tokenisers import PennTokeniser
from whorl.tokenisers.folder import find_tokeniser, save_tokeniser

MODEL = Path(__file__).parents[1] / "compat" / "format-2" / "span-int8"
TEXT = "Kala miro tunanya. Selo à Sala Miro?"


@pytest.fixture
def folder(tmp_path, unicode_tokeniser):
    target = tmp_path / "model"
    shutil.copytree(MODEL, target)
    save_tokeniser(target, unicode_tokeniser)
    return target


def section(folder: Path) -> dict:
    return read_description(folder)["tokeniser"]


def change(folder: Path, **changes) -> None:
    """Change keys of the section of `model.json`."""
    path = folder / "model.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["tokeniser"] |= changes
    path.write_text(json.dumps(saved), encoding="utf-8")


def test_a_tokeniser_is_the_same_after_saving(folder, unicode_tokeniser, learned_tokeniser):
    assert find_tokeniser(folder).segment(TEXT) == unicode_tokeniser.segment(TEXT)
    assert read_description(folder)["format"] == FORMAT
    assert set(section(folder).values()) - {"unicode"} <= set(file_names(read_description(folder)))
    save_tokeniser(folder, learned_tokeniser)
    found = find_tokeniser(folder)
    assert found.inventory == learned_tokeniser.inventory
    assert found.segment("さくらのかな。た。") == learned_tokeniser.segment("さくらのかな。た。")
    assert len(list(folder.glob("tokeniser-*"))) == 2, "the files of the first are removed"
    save_tokeniser(folder, PennTokeniser("split"))
    assert find_tokeniser(folder) == PennTokeniser("split")
    assert not list(folder.glob("tokeniser-*"))


def test_each_convention_may_have_its_own_tokeniser(folder, unicode_tokeniser):
    with pytest.raises(ModelError, match="no convention 'klingon'"):
        save_tokeniser(folder, PennTokeniser(), "klingon")
    path = folder / "model.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    penn = {"kind": "penn", "hyphens": "split"}
    saved["tokenisers"] = {"modern": penn, "old": saved["tokeniser"]}
    path.write_text(json.dumps(saved), encoding="utf-8")
    assert find_tokeniser(folder, "modern") == PennTokeniser("split")
    assert find_tokeniser(folder, "old").segment(TEXT) == unicode_tokeniser.segment(TEXT)
    assert find_tokeniser(folder).kind == "unicode"
    saved["tokenisers"]["modern"] = {"kind": "penn", "hyphens": "never"}
    path.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(ModelError, match=r"tokenisers\.modern\.hyphens is 'never'"):
        find_tokeniser(folder)


def test_models_that_name_no_tokeniser_have_penn_tokens():
    assert find_tokeniser(MODEL) == PennTokeniser("keep")
    assert whorl.load("en").tokeniser == PennTokeniser("keep")


def test_a_parser_cuts_text_with_its_model_s_tokeniser(folder):
    parser = whorl.load(folder)
    document = parser(TEXT)
    assert [sentence.words for sentence in document] == [
        ["Kala", "miro", "tuna", "nya", "."],
        ["Selo", "a", "a", "Sala_Miro", "?"],
    ]
    tokens = document[1].tokens
    assert [TEXT[token.start : token.end] for token in tokens] == [
        "Selo", "à", "à", "Sala Miro", "?"
    ]  # fmt: skip
    assert document[1].text == "Selo à Sala Miro?"
    assert parser.parse(["Kala_miro", "x"]).words() == ["Kala_miro", "x"]
    (again,) = parser.pipe([TEXT], jobs=2)
    assert again.trees == document.trees
    with pytest.raises(TextError, match="option of Penn tokens"):
        parser(TEXT, hyphens="split")


def test_a_penn_model_cuts_hyphens_as_its_treebank_does(folder):
    save_tokeniser(folder, PennTokeniser("split"))
    parser = whorl.load(folder)
    assert parser("well-known")[0].words == ["well", "-", "known"]
    assert parser("well-known", hyphens="keep")[0].words == ["well-known"]


def test_the_command_line_uses_the_model_s_tokeniser(folder, tmp_path):
    run = CliRunner().invoke
    parsed = run(app, ["parse", "--model", str(folder), "--format", "conll", TEXT])
    assert "Sala_Miro" in parsed.output
    split = run(app, ["text", "split", "--model", str(folder), f"{TEXT} (miro)"])
    assert split.output.splitlines()[:2] == ["Kala miro tuna nya .", "Selo a a Sala_Miro ?"]
    assert "-LRB-" in split.output
    wrong = run(app, ["parse", "--model", str(folder), "--hyphens", "split", TEXT])
    assert wrong.exit_code == 1
    assert "option of Penn tokens" in wrong.output


def test_learning_and_evaluating_from_the_command_line(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from dataclasses import replace

    from tests.tokenisers.toybanks import latin_trees
    from whorl.tokenisers import learning

    small = {kind: replace(each, visits=4000) for kind, each in learning._SETTINGS.items()}
    monkeypatch.setattr(learning, "_SETTINGS", small)
    shutil.copytree(MODEL, tmp_path / "model")
    trees = tmp_path / "trees.txt"
    trees.write_text("".join(f"{tree}\n" for tree in latin_trees(60)), encoding="utf-8")
    run = CliRunner().invoke
    learnt = run(app, ["text", "learn", str(tmp_path / "model"), str(trees)])
    assert "tokeniser saved in" in learnt.output
    assert find_tokeniser(tmp_path / "model").kind == "unicode"
    table = run(app, ["text", "evaluate", str(tmp_path / "model"), str(trees)])
    assert table.exit_code == 0
    assert "sentences" in table.output
    text = run(app, ["text", "rebuild", "--lines", str(trees)]).output.splitlines()
    assert len(text) == 60
    refused = run(app, ["text", "learn", "en", str(trees)])
    assert refused.exit_code == 1
    assert "model of the package" in refused.output
    nothing = run(app, ["text", "rebuild", str(trees), "--joining", "klingon"])
    assert "no joining rules 'klingon'" in nothing.output


def test_an_export_to_another_folder_takes_the_tokeniser_along(folder, tmp_path):
    from whorl.model_folder.content_addressed import copy_named

    names = [name for name in section(folder).values() if "." in name]
    (tmp_path / "copy").mkdir()
    copy_named(folder, tmp_path / "copy", names)
    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == sorted(names)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "magic"}, "tokeniser.kind is 'magic', expected one of penn, unicode, learned"),
        ({"weights": "../x"}, "tokeniser.weights is '../x', expected the name of a file"),
        ({"settings": None}, "tokeniser.settings is None"),
        ({"kind": "penn"}, "tokeniser.hyphens is missing"),
        ({"weights": "tokeniser-000000000000.safetensors"}, "cannot read"),
    ],
)
def test_a_wrong_section_is_an_error_that_names_the_key(folder, changes, message):
    change(folder, **changes)
    with pytest.raises(ModelError) as caught:
        whorl.load(folder)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("layers", [], "layers is [], expected a list of 1 or more items"),
        ("layers", [{"width": 0, "dilation": 1}], "layers[0].width is 0"),
        ("layers", [{"width": 7, "dilation": 1}], "convolution"),
        ("thresholds", [0.0], "thresholds is [0.0]"),
        ("inventory", {}, "inventory.joiner is missing"),
        ("joiner", "ab", "inventory.joiner is 'ab', expected one character"),
        ("contractions", [["dos", 3, "de", "os"]], "expected a cut within the word"),
        ("contractions", [["dos", 1, "de"]], "expected a word, a cut and two forms"),
        ("suffixes", [""], "expected 1 to 64 characters"),
        ("forms", [["a", "b c"]], "expected characters other than white space"),
        ("characters", [["a", "bc"]], "expected one character"),
    ],
)
def test_wrong_settings_are_an_error_that_names_the_key(folder, key, value, message):
    settings = json.loads((folder / section(folder)["settings"]).read_text(encoding="utf-8"))
    (settings if key in settings else settings["inventory"])[key] = value
    name = write_named(folder, "tokeniser", ".json", json.dumps(settings).encode())
    change(folder, settings=name)
    with pytest.raises(ModelError) as caught:
        find_tokeniser(folder)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("tensor", "value", "message"),
    [
        ("bias", np.full(2, np.nan, np.float16), "not finite"),
        ("bias", np.zeros(3, np.float16), "the tensor bias has the shape (3,), expected (2,)"),
        ("scale", np.zeros((2, 1), np.float16), "the tensor scale has the shape"),
        ("embeddings", np.zeros(4, np.int8), "the tensor embeddings has the shape"),
        ("output", np.zeros((1, 2), np.int64), "has the type int64"),
        ("extra", np.zeros(1, np.float16), "the tensor extra is missing or not expected"),
    ],
)
def test_wrong_weights_are_an_error_that_names_the_tensor(
    folder, unicode_tokeniser, tensor, value, message
):
    tensors = unicode_tokeniser.network.to_tensors() | {tensor: value}
    change(folder, weights=write_named(folder, "tokeniser", ".safetensors", save(tensors)))
    with pytest.raises(ModelError) as caught:
        find_tokeniser(folder)
    assert message in str(caught.value)


def test_damaged_files_are_recognised(folder):
    for key in ("weights", "settings"):
        path = folder / section(folder)[key]
        data = path.read_bytes()
        path.write_bytes(data[:-1])
        with pytest.raises(ModelError, match="damaged"):
            find_tokeniser(folder)
        path.write_bytes(data)


def test_shipped_models_cannot_be_changed_by_accident():
    assert "tokeniser" not in read_description(find_model("en"))
