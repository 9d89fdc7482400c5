"""Saved pipelines have their model or, for a model of the package, its name and checksum."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

import whorl
from whorl.catalogue import find_model
from whorl.errors import ModelError
from whorl.integrations.spacy.models import LazyParser
from whorl.parser import model_checksum, model_files

TEXT = "The public is still cautious. It works."


def trees(nlp):
    return [str(tree) for tree in nlp(TEXT)._.trees]


def test_a_pipeline_with_a_model_of_the_package_has_its_name_and_checksum(make_nlp, tmp_path):
    nlp = make_nlp(tags="overwrite", batch_size=7)
    nlp.to_disk(tmp_path)
    assert sorted(path.name for path in (tmp_path / "whorl").iterdir()) == ["whorl.json"]
    saved = json.loads((tmp_path / "whorl/whorl.json").read_text())
    assert saved == {"model": "en", "checksum": model_checksum(find_model("en")), "files": []}
    loaded = spacy.load(tmp_path)
    assert trees(loaded) == trees(nlp)
    component = loaded.get_pipe("whorl")
    assert (component.tags, component.batch_size) == ("overwrite", 7)


def test_a_pipeline_with_another_model_has_its_files(make_nlp, tmp_path, model):
    own = shutil.copytree(model, tmp_path / "model")
    nlp = make_nlp(model=str(own))
    expected = trees(nlp)
    nlp.to_disk(tmp_path / "nlp")
    data = nlp.to_bytes()
    shutil.rmtree(own)
    assert sorted(p.name for p in (tmp_path / "nlp/whorl/model").iterdir()) == sorted(
        model_files(model)
    )
    loaded = spacy.load(tmp_path / "nlp")
    loaded.to_disk(tmp_path / "again")
    shutil.rmtree(tmp_path / "nlp")
    assert trees(loaded) == expected, "spaCy's pipelines outlive their folders"
    assert trees(spacy.load(tmp_path / "again")) == expected
    assert trees(make_nlp(model=str(own)).from_bytes(data)) == expected


def test_bytes_carry_the_name_of_a_model_of_the_package(make_nlp):
    nlp = make_nlp()
    data = nlp.to_bytes()
    assert len(nlp.get_pipe("whorl").to_bytes()) < 200
    assert trees(make_nlp().from_bytes(data)) == trees(nlp)


def test_a_pipeline_loads_before_its_model(make_nlp, tmp_path):
    make_nlp().to_disk(tmp_path)
    component = spacy.load(tmp_path).get_pipe("whorl")
    assert component._model._parser is None
    config = spacy.util.load_config(tmp_path / "config.cfg")
    config["components"]["whorl"]["model"] = "no such model, yet"
    assert spacy.util.load_model_from_config(config).pipe_names == ["sentencizer", "whorl"]


def test_another_model_of_the_same_name_is_an_error(make_nlp, tmp_path):
    make_nlp().to_disk(tmp_path)
    path = tmp_path / "whorl/whorl.json"
    path.write_text(path.read_text().replace(model_checksum(find_model("en")), "0" * 16))
    with pytest.raises(ModelError, match="0000000000000000") as caught:
        spacy.load(tmp_path)
    assert "saved with another model 'en'" in str(caught.value)
    path.unlink()
    assert trees(spacy.load(tmp_path)) == trees(make_nlp()), "as the message says"


def test_a_configuration_may_choose_another_model(make_nlp, tmp_path):
    make_nlp().to_disk(tmp_path)
    loaded = spacy.load(tmp_path, config={"components": {"whorl": {"model": "en-accurate"}}})
    assert loaded.get_pipe("whorl")._model.folder == find_model("en-accurate")


def test_damaged_files_are_named(make_nlp, tmp_path, model):
    make_nlp(model=str(model)).to_disk(tmp_path)
    encoder = next((tmp_path / "whorl/model").glob("encoder-*"))
    encoder.write_bytes(encoder.read_bytes()[:-1])
    with pytest.raises(ModelError, match=encoder.name):
        spacy.load(tmp_path)
    (tmp_path / "whorl/whorl.json").write_text("{")
    with pytest.raises(ModelError, match=r"whorl\.json cannot be read"):
        spacy.load(tmp_path)
    (tmp_path / "whorl/whorl.json").write_text('{"model": "en"}')
    with pytest.raises(ModelError, match="does not say which model was saved"):
        spacy.load(tmp_path)


def test_a_pipeline_saved_over_another_has_its_own_model(make_nlp, tmp_path, model):
    make_nlp(model=str(model)).to_disk(tmp_path)
    nlp = make_nlp()
    nlp.to_disk(tmp_path)
    assert trees(spacy.load(tmp_path)) == trees(nlp)
    nlp = spacy.load(tmp_path)
    nlp.to_disk(tmp_path)
    assert trees(spacy.load(tmp_path)) == trees(nlp), "over itself"


def test_a_loaded_pipeline_can_be_saved_over_itself(make_nlp, tmp_path, model):
    make_nlp(model=str(model)).to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    nlp.to_disk(tmp_path)
    assert trees(spacy.load(tmp_path)) == trees(nlp)


def test_a_pickled_component_has_its_model(make_nlp, tmp_path, model):
    own = shutil.copytree(model, tmp_path / "model")
    component = make_nlp(model=str(own)).get_pipe("whorl")
    data = pickle.dumps(component)
    shutil.rmtree(own)
    nlp = make_nlp()
    doc = nlp.get_pipe("sentencizer")(nlp.make_doc(TEXT))
    assert len(pickle.loads(data)(doc)._.trees) == 2


def test_the_temporary_folder_of_a_model_goes_with_its_owner(model):
    parser = LazyParser(str(model))
    other = LazyParser(str(model))
    other.from_bytes(parser.to_bytes())
    folder = other.folder
    assert folder != parser.folder and folder.is_dir()
    del other
    assert not folder.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_fork_leaves_the_folder_of_its_parent(model):
    parser = LazyParser(str(model))
    parser.from_bytes(parser.to_bytes())
    child = os.fork()
    if not child:
        del parser
        os._exit(0)
    os.waitpid(child, 0)
    assert parser.folder.is_dir()
    assert str(parser.parser.parse(["It", "works"]))


def test_checksums_depend_on_what_trees_depend_on(tmp_path, model):
    copy = Path(shutil.copytree(model, tmp_path / "m"))
    assert model_checksum(copy) == model_checksum(model) != model_checksum(find_model("en"))
    path = copy / "model.json"
    description = json.loads(path.read_text())
    description["card"] = {**description["card"], "dev_f1": 1.0}
    path.write_text(json.dumps(description))
    assert model_checksum(copy) == model_checksum(model), "figures do not count"
    description["root"] = "ANOTHER"
    path.write_text(json.dumps(description))
    assert model_checksum(copy) != model_checksum(model)


def test_the_files_of_a_model_make_a_model(tmp_path, model):
    for name in model_files(model):
        shutil.copyfile(model / name, tmp_path / name)
    assert whorl.load(tmp_path).parse(["It"]) == whorl.load(model).parse(["It"])
