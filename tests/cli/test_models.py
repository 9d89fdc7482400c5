"""`whorl models` and `whorl package`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from tests.tiny import TINY
from typer.testing import CliRunner, Result

from whorl import __version__
from whorl.cli.main import app


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A working directory, and a folder of installed packages in it."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(folder)
    return folder


def whorl(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def package(name: str, *options: str) -> Result:
    return whorl("package", str(TINY), "--name", name, "--licence", "MIT", *options)


def install(site: Path, name: str, *options: str) -> Path:
    done = package(name, *options)
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(done.stdout.strip()) as archive:
        archive.extractall(site)
    return site / f"whorl_model_{name}"


def test_shipped_and_installed_models_are_listed(site):
    install(site, "tiny", "--version", "2.3", "--language", "en", "--language", "fo")
    rows = [line.split() for line in whorl("models").stdout.splitlines()]
    assert rows[1] == ["name", "languages", "version", "licence", "MB", "dev", "F1", "provider"]
    assert [row[0] for row in rows[2:]] == ["en", "en-accurate", "tiny"]
    assert rows[2][1:4] == ["en", __version__, "Apache-2.0"]
    assert rows[4] == ["tiny", "en,", "fo", "2.3", "MIT", "0.0", "99.52", "whorl-model-tiny"]


def test_the_card_of_a_model_follows_its_facts(site):
    folder = install(site, "tiny", "--language", "en")
    assert whorl("models", "tiny").stdout.startswith(
        "model      tiny\n"
        "provider   whorl-model-tiny 2.0.0\n"
        "languages  en\n"
        "licence    MIT\n"
        "network    span, nonbinary, int8, 0.0 MB\n"
        f"folder     {folder}\n"
        "\n"
        "# tiny\n"
    )


def test_the_default_convention_is_shown(site):
    shown = whorl("models", "en").stdout
    assert "conventions  masc (default), gum, craft, genia, stanford\n" in shown


def test_json_has_the_facts_and_the_cards(site):
    install(site, "tiny", "--language", "en")
    *_, record = records = json.loads(whorl("models", "--json").stdout)
    assert [each["name"] for each in records] == ["en", "en-accurate", "tiny"]
    assert record == json.loads(whorl("models", "tiny", "--json").stdout)
    assert (record["provider"], record["version"]) == ("whorl-model-tiny", "2.0.0")
    assert (record["licence"], record["languages"]) == ("MIT", ["en"])
    assert (record["format"], record["kind"], record["convention"]) == (2, "span", None)
    assert record["card"]["recipe"]["model"]["network"] == "span"


def test_an_unknown_model_is_an_error_with_close_matches(site):
    done = whorl("models", "en-acurate")
    assert done.exit_code == 1
    assert "no model 'en-acurate': the models are en, en-accurate; did you mean" in done.stderr


def test_a_damaged_model_is_listed_and_an_error_when_it_is_asked_for(site):
    (install(site, "tiny") / "model.json").write_text("{")
    listed = whorl("models")
    assert listed.exit_code == 0
    assert listed.stdout.splitlines()[-1].split()[-2:] == ["damaged", "whorl-model-tiny"]
    assert "model.json cannot be read" in listed.stderr
    assert "cannot be read" in json.loads(whorl("models", "--json").stdout)[-1]["problem"]
    for command in (["models", "tiny"], ["parse", "--model", "tiny", "a b"]):
        done = whorl(*command)
        assert done.exit_code == 1
        assert "model.json cannot be read" in done.stderr
    assert whorl("parse", "It works.").exit_code == 0


def test_a_name_that_two_packages_provide_is_pointed_out(site):
    install(site, "en")
    done = whorl("models")
    assert [line.split()[0] for line in done.stdout.splitlines()[2:]] == ["en", "en-accurate", "en"]
    assert "whorl and whorl-model-en each provide the model 'en'" in done.stderr
    assert whorl("models", "en").exit_code == whorl("parse", "a b").exit_code == 1
    assert "has a model 'en' too" not in package("tiny").stderr
    assert f"whorl {__version__} has a model 'en' too" in package("en").stderr


def test_package_says_what_it_did(site):
    done = package("tiny", "--version", "3", "--out", "wheels")
    assert done.stdout.strip() == str(Path("wheels", "whorl_model_tiny-3-py3-none-any.whl"))
    assert "has no README.md" in done.stderr
    assert "left out: trees.txt" in done.stderr
    assert "whorl-model-tiny 3, 0.0 MB, needs whorl>=0.1.0,<2; sha256 " in done.stderr


def test_a_model_of_the_package_may_be_packaged_under_another_name(site):
    done = whorl("package", "en", "--name", "english", "--licence", "MIT")
    assert done.exit_code == 0
    assert "has no README.md" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no model 'nowhere'"),
        ([str(TINY), "--name", "é", "--licence", "MIT"], "cannot be the name of a model"),
        ([str(TINY), "--license", "CC BY"], "neither a file nor an SPDX expression"),
        ([str(TINY)], "has no licence"),
        ([str(TINY.parent / "stack-lstm"), "--licence", "MIT"], "needs PyTorch to parse"),
    ],
)
def test_what_cannot_be_packaged_is_an_error_of_one_line(site, arguments, message):
    done = whorl("package", *arguments)
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("dist").exists()


def test_an_installed_model_is_not_calibrated_in_place(site, tmp_path):
    install(site, "tiny")
    (tmp_path / "dev.txt").write_text("(TOP (S (X a) (Y b)))\n")
    done = whorl("calibrate", "tiny", "dev.txt")
    assert done.exit_code == 1
    assert "tiny belongs to an installed package: give --out DIR" in done.stderr
