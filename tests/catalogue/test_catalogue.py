"""Models by name: those in the package, and those of packages on the path."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import whorl
from tests.tiny import TINY
from whorl.catalogue import available_models, find_model, find_named, is_packaged, shipped_models
from whorl.errors import ModelError
from whorl.packaging import package_model


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of installed packages at the front of the path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


def install(site: Path, name: str, **options) -> Path:
    """Unpack the wheel of the tiny model, as pip does, and return its metadata folder."""
    package = package_model(TINY, name=name, licences=["MIT"], out=site.parent / "dist", **options)
    with zipfile.ZipFile(package.path) as archive:
        archive.extractall(site)
    (metadata,) = site.glob(f"whorl_model_{name.replace('-', '_')}-*.dist-info")
    return metadata


def installed() -> list[str]:
    return [model.name for model in available_models() if model.distribution != "whorl"]


def test_an_installed_model_is_found_by_its_name(site):
    install(site, "zh-hans", version="2.1", languages=["zh-Hans"])
    model = find_named("zh-hans")
    assert (model.provider, model.folder) == (
        "whorl-model-zh-hans 2.1",
        site / "whorl_model_zh_hans",
    )
    assert (model.languages, model.licence) == (["zh-Hans"], "MIT")
    assert find_model("zh-hans") == find_model("zh_Hans") == model.folder
    assert whorl.load("zh-hans").parse(["It", "works"]) == whorl.load(TINY).parse(["It", "works"])
    assert is_packaged(model.folder)


def test_the_same_is_found_as_by_importlib_metadata(site):
    install(site, "one")
    install(site, "two")
    entry_points = importlib.metadata.entry_points(group="whorl.models")
    assert installed() == sorted(entry_point.name for entry_point in entry_points)
    for entry_point in entry_points:
        model = find_named(entry_point.name)
        assert entry_point.dist is not None
        assert model.version == entry_point.dist.version
        assert model.distribution == entry_point.dist.metadata["Name"]
        assert Path(str(entry_point.dist.locate_file(entry_point.value))) == model.folder


def test_nothing_is_imported_from_a_model_package(site):
    install(site, "one")
    (site / "whorl_model_one" / "__init__.py").write_text("raise SystemExit('imported')\n")
    find_model("one")
    assert "whorl_model_one" not in sys.modules


def test_a_package_is_found_without_a_restart_and_forgotten_once_it_is_gone(site):
    assert installed() == []
    metadata = install(site, "one")
    assert installed() == ["one"]
    shutil.rmtree(metadata)
    assert installed() == []
    with pytest.raises(ModelError, match="no model 'one'"):
        find_model("one")


def test_a_name_that_two_packages_provide_is_an_error_that_names_both(site):
    install(site, "one")
    metadata = install(site, "other", version="3")
    entries = metadata / "entry_points.txt"
    entries.write_text(entries.read_text().replace("other =", "one ="))
    with pytest.raises(ModelError, match=r"whorl-model-one 2\.0\.0 .* and whorl-model-other 3 "):
        whorl.load("one")
    assert find_model(site / "whorl_model_one") == site / "whorl_model_one"


def test_a_package_may_not_replace_a_model_of_whorl(site):
    install(site, "en")
    with pytest.raises(ModelError, match=r"whorl 0.* and whorl-model-en 2\.0\.0 "):
        whorl.load()


def test_the_first_of_two_installations_of_one_package_counts(site, tmp_path, monkeypatch):
    install(site, "one", version="1")
    first = tmp_path / "first"
    first.mkdir()
    monkeypatch.syspath_prepend(first)
    install(first, "one", version="2")
    assert find_named("one").version == "2"


def test_a_damaged_package_is_an_error_only_when_it_is_asked_for(site):
    install(site, "one")
    shutil.rmtree(site / "whorl_model_one")
    assert installed() == ["one"]
    assert find_model("en").is_dir()
    with pytest.raises(ModelError, match=r"whorl-model-one .* is missing: install it again"):
        find_model("one")


@pytest.mark.parametrize("value", ["whorl_model_one:load", "../one", ""])
def test_an_entry_that_is_not_a_package_is_an_error_only_when_it_is_asked_for(site, value):
    entries = install(site, "one") / "entry_points.txt"
    entries.write_text(f"[whorl.models]\none = {value}\n")
    assert find_model("en").is_dir()
    with pytest.raises(ModelError, match="expected the name of a package"):
        find_model("one")


def test_other_entry_points_and_comments_are_ignored(site):
    entries = install(site, "one") / "entry_points.txt"
    entries.write_text("[console_scripts]\nx = y:z\n# whorl.models\n[whorl.models]\n; a = b\n")
    assert installed() == []


def test_a_model_of_an_editable_install_is_found(site, tmp_path, monkeypatch):
    install(site, "one")
    source = tmp_path / "source"
    source.mkdir()
    shutil.move(site / "whorl_model_one", source)
    monkeypatch.syspath_prepend(source)  # as its path file does
    assert find_model("one") == source / "whorl_model_one"
    assert "whorl_model_one" not in sys.modules


def test_a_source_folder_of_setuptools_is_found(site):
    metadata = install(site, "one")
    metadata.rename(site / "whorl_model_one.egg-info")
    (site / "whorl_model_one.egg-info" / "METADATA").rename(
        site / "whorl_model_one.egg-info" / "PKG-INFO"
    )
    assert find_named("one").provider == "whorl-model-one 2.0.0"


def test_a_wheel_on_the_path_must_be_installed(site, tmp_path, monkeypatch):
    wheel = package_model(TINY, name="one", licences=["MIT"], out=tmp_path).path
    monkeypatch.syspath_prepend(wheel)
    with pytest.raises(ModelError, match=r"inside the archive .* install it with pip install"):
        find_model("one")
    with pytest.raises(ModelError, match="is a wheel: install it"):
        find_model(str(wheel))


def test_the_models_of_a_whorl_inside_an_archive_are_out_of_reach(tmp_path):
    package = Path(whorl.__file__).parent
    with zipfile.ZipFile(tmp_path / "whorl.zip", "w") as archive:
        for path in package.rglob("*.py"):
            archive.write(path, Path("whorl", path.relative_to(package)))
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'whorl.zip')!r})\n"
        "from whorl.catalogue import find_model\n"
        "find_model('en')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert "those of Whorl itself cannot be read inside an archive" in done.stderr


def test_an_unknown_name_is_an_error_that_names_the_known_ones(site):
    install(site, "icelandic")
    known = "the models are en, en-accurate, icelandic, and there is no such folder"
    with pytest.raises(ModelError, match=f"{known}; did you mean 'icelandic'"):
        find_model("icelandik")
    with pytest.raises(ModelError, match=f"no model 'de': {known}$"):
        find_model("de")


def test_names_take_precedence_over_folders(tmp_path, monkeypatch):
    (tmp_path / "en").mkdir()
    monkeypatch.chdir(tmp_path)
    (shipped,) = (model for model in shipped_models() if model.name == "en")
    assert find_model("en") == shipped.folder
    assert find_model("./en").resolve() == find_model(Path("en")).resolve() == tmp_path / "en"
    assert not is_packaged(Path("en"))


def test_a_folder_that_is_not_the_package_has_its_own_models(tmp_path):
    assert shipped_models(tmp_path) == []
    shutil.copytree(TINY, tmp_path / "xx")
    (model,) = shipped_models(tmp_path)
    assert (model.name, model.readme, model.licence, model.languages) == ("xx", None, None, [])
    assert model.size == sum(path.stat().st_size for path in TINY.iterdir())
    (tmp_path / "xx/README.md").write_text("# xx\n", encoding="utf-8")
    assert model.readme == "# xx\n"


def test_the_default_convention_comes_first():
    assert find_named("en").conventions == ["masc", "gum", "craft", "genia", "stanford"]


def test_looking_for_models_imports_nothing_slow():
    code = (
        "import sys; from whorl.catalogue import find_model; find_model('en'); print(*sys.modules)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert not {"importlib.metadata", "zipfile", "email", "numpy"} & set(done.stdout.split())
