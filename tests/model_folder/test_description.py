"""`model.json`: whatever it holds, a model loads or `ModelError` says what is wrong."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")

import whorl
from tests.model_folder.folders import copy_shipped, save_span, save_stack_lstm
from whorl.catalogue import find_model
from whorl.errors import ModelError
from whorl.files import write_json
from whorl.model_folder.description import read_description, tokeniser_files

WRONG = [
    *(None, True, False, -1, 0, 1, 7, 2.5, -0.5, 10**9, 10**30, float("nan"), float("inf")),
    *("", "x", "a b", "(", "\ud800", "a\0b", "../x", "/etc/passwd", "/dev/zero", "C:\\x", "C:x"),
    *([], [[]], [None], ["x"], ["x", "x"], [1, 2, 3], [-1, 0, 1], [10**9] * 3, list(range(100))),
    *({}, {"x": 1}, ["whorl", {}], ["whorl", {"vocabulary": 10**9}], ["huggingface", {}]),
]
"""Values that are wrong for most keys."""

MISSING = object()


@pytest.fixture(scope="module", params=[copy_shipped, save_span, save_stack_lstm])
def folder(request, tmp_path_factory) -> Path:
    return request.param(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory) -> Path:
    return copy_shipped(tmp_path_factory.mktemp("shipped"))


def key_paths(value, prefix=()):
    """The keys of nested objects, those of the recipe in the card left out."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*prefix, key)
            if key != "recipe":
                yield from key_paths(inner, (*prefix, key))


def replace(saved, path, value):
    """A copy of a description with another value at a path."""
    changed = json.loads(json.dumps(saved))
    place = changed
    for key in path[:-1]:
        place = place[key]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def outcome(folder, saved):
    """What loading a folder with this description and parsing with it comes to."""
    (folder / "model.json").write_text(json.dumps(saved), encoding="utf-8")
    try:
        parser = whorl.load(folder)
    except ModelError as error:
        assert str(folder) in str(error) or "tagger" in str(error)
        return str(error)
    try:
        return "works" if str(parser.parse(["The", "public", "is", "cautious", "."])) else ""
    except ModelError as error:
        return str(error)


def test_any_wrong_value_of_any_key_is_a_model_error_or_harmless(folder, record_property):
    saved = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert outcome(folder, saved) == "works"
    outcomes = [
        outcome(folder, replace(saved, path, value))
        for path in key_paths(saved)
        for value in (MISSING, *WRONG)
    ]
    write_json(folder / "model.json", saved)
    harmless = outcomes.count("works")
    record_property("checked", f"{folder.name}: {len(outcomes)} changes, {harmless} harmless")
    assert 0 < harmless < len(outcomes) / 3


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("labels", [], r"labels is \[\], expected a list of 1 or more items"),
        ("labels", ["A", 3], r"labels\[1\] is 3, expected a label without white space"),
        ("labels", ["A", "A"], r"labels has 'A' more than once, expected distinct items"),
        ("labels", ["A"], r"config\.labels is 28, expected 1, the number of labels"),
        ("calibration", {}, r"calibration\.step is missing"),
        ("treebanks", None, r"treebanks is None, expected a list"),
        ("root", [], r"root is \[\], expected a label"),
        ("system", "topdown", r"system is 'topdown', expected one of nonbinary"),
        ("card", 1, r"card is 1, expected an object with named values"),
        ("kind", "tree-lstm", r"kind is 'tree-lstm', expected one of stack-lstm, span"),
        ("format", "2", r"format is '2', expected an integer from 1"),
        ("format", 99, r"format 99 of a newer Whorl; this one reads up to 3: upgrade"),
    ],
)
def test_the_error_names_file_key_value_and_what_was_expected(shipped, key, value, message):
    saved = json.loads((find_model("en") / "model.json").read_text(encoding="utf-8"))
    write_json(shipped / "model.json", {**saved, key: value})
    with pytest.raises(ModelError, match=rf"model\.json.*{message}"):
        read_description(shipped)


def test_the_error_names_the_bounds_of_a_size(shipped):
    saved = json.loads((find_model("en") / "model.json").read_text(encoding="utf-8"))
    write_json(shipped / "model.json", replace(saved, ("config", "max_unary"), -1))
    with pytest.raises(ModelError, match=r"config\.max_unary is -1, expected an integer from 1 to"):
        read_description(shipped)


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "/dev/zero", "../x", "..", ".", "", "a/b", "a\\b", "C:\\x", "C:x", "a\0", "é"],
)
@pytest.mark.parametrize("key", ["weights", "encoder", "tables", "vocabulary", "transformer"])
def test_file_names_cannot_leave_the_folder(shipped, key, name):
    saved = json.loads((find_model("en") / "model.json").read_text(encoding="utf-8"))
    if key == "weights":
        changed = {**saved, "weights": name}
    else:
        changed = replace(saved, ("runtime", key), name)
    write_json(shipped / "model.json", changed)
    with pytest.raises(ModelError, match=rf"{key} is .*expected the name of a file in the model"):
        whorl.load(shipped)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "{", "", "[1, 2]", "null"])
def test_a_file_that_is_not_a_description_is_an_error(tmp_path, text):
    (tmp_path / "model.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"model\.json"):
        read_description(tmp_path)


def test_bytes_that_are_not_text_are_an_error(tmp_path):
    (tmp_path / "model.json").write_bytes(b'{"format": "\xff"}')
    with pytest.raises(ModelError, match=r"model\.json cannot be read: .*utf-8"):
        read_description(tmp_path)


def test_a_folder_without_a_description_is_not_a_model_folder(tmp_path):
    with pytest.raises(ModelError, match=r"is not a model folder: it has no model\.json"):
        read_description(tmp_path)


def test_a_description_is_a_regular_file_of_a_limited_size(tmp_path):
    with (tmp_path / "model.json").open("wb") as file:
        file.truncate(1 << 40)  # a sparse file: it takes no space
    with pytest.raises(ModelError, match=r"model\.json is too large: 1099511627776 bytes"):
        read_description(tmp_path)
    (tmp_path / "model.json").unlink()
    (tmp_path / "model.json").mkdir()
    with pytest.raises(ModelError, match=r"model\.json is not a regular file"):
        read_description(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "model.json")
    with pytest.raises(ModelError, match="is not a regular file"):
        read_description(tmp_path)


def test_a_folder_whose_files_are_all_links_to_one_place_loads(tmp_path):
    for path in find_model("en").iterdir():
        (tmp_path / path.name).symlink_to(path)
    assert whorl.load(tmp_path).parse(["Rain"]).words() == ["Rain"]


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(find_model("en"), folder)
    (tables,) = folder.glob("tables-*")
    shutil.move(tables, tmp_path / "elsewhere")
    tables.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ModelError, match=r"tables-.* is a link to .*elsewhere, outside the model"):
        whorl.load(folder)


def test_a_file_that_tokenisers_share_is_named_once():
    sections = [
        {"kind": "unicode", "weights": f"{name}.safetensors", "settings": f"{name}.json"}
        for name in ("modern", "old")
    ]
    saved = {"tokeniser": sections[0], "tokenisers": dict(zip("mo", sections, strict=True))}
    assert tokeniser_files(saved) == [
        *("modern.safetensors", "modern.json"),
        *("old.safetensors", "old.json"),
    ]
