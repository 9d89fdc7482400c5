"""The wheel of a model folder."""

from __future__ import annotations

import base64
import configparser
import email
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

import whorl
from tests.tiny import TINY
from whorl.errors import ModelError, PackageError
from whorl.model_folder.description import FORMAT, RELEASES
from whorl.packaging import package_model


@pytest.fixture
def folder(tmp_path):
    """A model folder with all that may go into a package, and more."""
    folder = tmp_path / "tiny"
    shutil.copytree(TINY, folder)
    (folder / "README.md").write_text("# tiny\n\nÞað er lítið.\n", encoding="utf-8")
    (folder / "labels.json").write_text('{"NP": "noun phrase"}\n', encoding="utf-8")
    (folder / "LICENSE.txt").write_text("Do as you like.\n", encoding="utf-8")
    (folder / "checkpoint-1.safetensors").write_bytes(b"secret")
    return folder


def unpack(package) -> dict[str, bytes]:
    with zipfile.ZipFile(package.path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def metadata(package) -> email.message.Message:
    files = unpack(package)
    return email.message_from_bytes(files[f"whorl_model_tiny-{package.version}.dist-info/METADATA"])


def test_the_wheel_has_the_model_its_documents_and_its_metadata(folder):
    package = package_model(folder, licences=["MIT"], out=folder.parent)
    assert package.path == folder.parent / "whorl_model_tiny-2.0.0-py3-none-any.whl"
    info = "whorl_model_tiny-2.0.0.dist-info"
    weights = {path.name for path in TINY.iterdir() if path.name not in ("trees.txt", "model.json")}
    model = weights | {"model.json", "README.md", "labels.json"}
    assert set(unpack(package)) == {
        *(f"whorl_model_tiny/{name}" for name in model),
        *(f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")),
        f"{info}/licenses/LICENSE.txt",
    }
    assert package.left_out == ["checkpoint-1.safetensors", "trees.txt"]


def test_the_record_has_the_checksums_of_all_files(folder):
    files = unpack(package_model(folder, licences=["MIT"], out=folder.parent))
    (record,) = (name for name in files if name.endswith("/RECORD"))
    listed = {}
    for line in files[record].decode().splitlines():
        name, digest, size = line.rsplit(",", 2)
        listed[name] = digest, size
    assert listed.pop(record) == ("", "")
    assert listed.keys() == files.keys() - {record}
    for name, (digest, size) in listed.items():
        hashed = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).decode().rstrip("=")
        assert (digest, size) == (f"sha256={hashed}", str(len(files[name])))


def test_metadata(folder):
    package = package_model(
        folder, licences=["cc-by-4.0"], languages=["is", "fo"], version="2.1RC1", out=folder.parent
    )
    message = metadata(package)
    assert message["Name"] == "whorl-model-tiny"
    assert message["Version"] == "2.1rc1"
    assert message["License-Expression"] == "CC-BY-4.0"
    assert message.get_all("License-File") == ["LICENSE.txt"]
    assert message.get_all("Requires-Dist") == ["whorl>=0.1.0,<2"]
    assert message["Description-Content-Type"].startswith("text/markdown")
    payload = message.get_payload(decode=True)
    assert payload.decode("utf-8") == "# tiny\n\nÞað er lítið.\n"
    entry_points = configparser.ConfigParser()
    (text,) = (data for name, data in unpack(package).items() if name.endswith("entry_points.txt"))
    entry_points.read_string(text.decode())
    assert dict(entry_points["whorl.models"]) == {"tiny": "whorl_model_tiny"}
    card = json.loads(unpack(package)["whorl_model_tiny/model.json"])["card"]
    assert (card["languages"], card["licence"]) == (["is", "fo"], "CC-BY-4.0")


def test_metadata_is_what_the_specification_asks_for(folder):
    library = pytest.importorskip("packaging.metadata")
    options = {"licences": ["mit OR cc0-1.0"], "languages": ["zh-Hans"]}
    files = unpack(package_model(folder, out=folder.parent, **options))
    (text,) = (data for name, data in files.items() if name.endswith("/METADATA"))
    assert library.Metadata.from_email(text, validate=True).license_expression == "MIT OR CC0-1.0"


def test_licence_and_languages_may_stand_in_the_folder(folder):
    path = folder / "model.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    saved["card"] |= {"languages": ["fo"], "licence": "CC0-1.0"}
    path.write_text(json.dumps(saved), encoding="utf-8")
    package = package_model(folder, out=folder.parent)
    assert metadata(package)["License-Expression"] == "CC0-1.0"
    assert json.loads(unpack(package)["whorl_model_tiny/model.json"]) == saved


def test_the_same_model_gives_the_same_bytes(folder, tmp_path, monkeypatch):
    first = package_model(folder, licences=["MIT"], out=tmp_path / "a")
    copy = shutil.copytree(folder, tmp_path / "copy")
    for path in copy.iterdir():
        path.chmod(0o600)
        os.utime(path, (1, 1))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    second = package_model(copy, name="tiny", licences=["MIT"], out=tmp_path / "b")
    assert first.path.read_bytes() == second.path.read_bytes()
    assert first.sha256 == second.sha256 == hashlib.sha256(first.path.read_bytes()).hexdigest()


def test_entries_are_sorted_stored_and_readable_by_everybody(folder):
    package = package_model(folder, licences=["MIT"], out=folder.parent)
    with zipfile.ZipFile(package.path) as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    model = [name for name in names if ".dist-info/" not in name]
    assert names[: len(model)] == sorted(model)
    assert names[-1].endswith("/RECORD")
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {entry.date_time for entry in entries} == {(2020, 2, 2, 0, 0, 0)}


@pytest.mark.parametrize(
    ("epoch", "date"),
    [("1", (1980, 1, 1, 0, 0, 0)), ("1700000000", (2023, 11, 14, 22, 13, 20))],
)
def test_dates_are_those_of_source_date_epoch(folder, monkeypatch, epoch, date):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    package = package_model(folder, licences=["MIT"], out=folder.parent)
    with zipfile.ZipFile(package.path) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {date}


def test_a_model_without_a_card_gets_one_of_what_its_folder_says(folder):
    (folder / "README.md").unlink()
    package = package_model(folder, licences=["MIT"], out=folder.parent)
    assert not package.has_card
    card = unpack(package)["whorl_model_tiny/README.md"].decode()
    assert card.startswith("# tiny\n")
    assert "F1 on development trees: 99.52." in card


def test_a_licence_without_a_text_is_pointed_to(folder):
    (folder / "LICENSE.txt").unlink()
    package = package_model(folder, licences=["MIT OR CC0-1.0"], out=folder.parent)
    text = unpack(package)["whorl_model_tiny-2.0.0.dist-info/licenses/LICENSE.txt"].decode()
    assert "https://spdx.org/licenses/MIT.html\nhttps://spdx.org/licenses/CC0-1.0.html\n" in text


def test_a_text_may_stand_without_an_expression(folder, tmp_path):
    (folder / "LICENSE.txt").rename(tmp_path / "TERMS.md")
    package = package_model(folder, licences=[str(tmp_path / "TERMS.md")], out=folder.parent)
    message = metadata(package)
    assert message["License-Expression"] is None
    assert message.get_all("License-File") == ["TERMS.md"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "has no licence"),
        ({"licences": ["MIT", "CC0-1.0"]}, "such as 'MIT AND CC0-1.0'"),
        ({"licences": ["LicenseRef-own"]}, "give its text too"),
        ({"licences": ["nonsense"]}, "neither a file nor an SPDX expression"),
        ({"licences": ["MIT"], "name": "a b"}, "cannot be the name of a model"),
        ({"licences": ["MIT"], "version": "one"}, "is not a version"),
        ({"licences": ["MIT"], "languages": ["Old Norse"]}, "BCP 47"),
    ],
)
def test_wrong_options_are_errors_and_nothing_is_written(folder, options, message):
    (folder / "LICENSE.txt").unlink()
    with pytest.raises(PackageError, match=message):
        package_model(folder, out=folder.parent / "dist", **options)
    assert not (folder.parent / "dist").exists()


def test_a_damaged_model_is_an_error_and_nothing_is_written(folder):
    (tables,) = folder.glob("tables-*")
    tables.write_bytes(tables.read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"tables-.* is damaged"):
        package_model(folder, licences=["MIT"], out=folder.parent / "dist")
    assert not (folder.parent / "dist").exists()


def test_a_model_that_needs_pytorch_is_an_error(folder):
    stack = TINY.parent / "stack-lstm"
    with pytest.raises(PackageError, match="stack-lstm model, which needs PyTorch"):
        package_model(stack, name="stack", licences=["MIT"], out=folder.parent / "dist")


def test_a_trained_model_must_be_exported_and_is_packaged_without_its_weights(tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from tests.model_folder.folders import save_span
    from whorl.span.export import export_runtime

    trained = save_span(tmp_path)
    with pytest.raises(PackageError, match=r"whorl export .* --int8"):
        package_model(trained, licences=["MIT"], out=tmp_path)
    export_runtime(trained, precision="int8")
    package = package_model(trained, licences=["MIT"], out=tmp_path)
    alone = export_runtime(trained, precision="int8", out=tmp_path / "alone")
    again = package_model(alone, name="span", licences=["MIT"], out=tmp_path / "b")
    assert again.sha256 == package.sha256
    assert [name for name in package.left_out if name.startswith("weights-")]
    with zipfile.ZipFile(package.path) as archive:
        archive.extractall(tmp_path / "site")
    installed = tmp_path / "site/whorl_model_span"
    words = ["It", "works"]
    assert whorl.load(installed).parse(words) == whorl.load(trained).parse(words)


def test_a_wheel_is_replaced_only_when_the_new_one_is_complete(folder, monkeypatch):
    package = package_model(folder, licences=["MIT"], out=folder.parent)
    before = package.path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="No space"):
        package_model(folder, licences=["Apache-2.0"], out=folder.parent)
    assert package.path.read_bytes() == before
    assert not list(folder.parent.glob(".*.partial"))


def test_every_format_has_the_releases_that_read_it():
    assert sorted(RELEASES) == list(range(1, FORMAT + 1))
    library = pytest.importorskip("packaging.version")
    bounds = [tuple(map(library.Version, RELEASES[number])) for number in sorted(RELEASES)]
    assert bounds == sorted(bounds)
    assert library.Version(whorl.__version__) < min(end for _, end in bounds)


def test_packaging_imports_neither_pytorch_nor_build_tools(folder):
    code = (
        "import sys; from whorl.packaging import package_model; "
        f"package_model({str(folder)!r}, licences=['MIT'], out={str(folder.parent)!r}); "
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "hatchling", "setuptools", "pip"} & set(done.stdout.split())
