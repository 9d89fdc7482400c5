"""The manifest of an output folder: what the run was asked, and at its end what it wrote."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import whorl
from whorl.corpus.files import InputSummary
from whorl.corpus.options import CorpusOptions
from whorl.errors import CorpusError
from whorl.model_folder.description import MODEL_JSON, file_names, read_description

__all__ = ["FORMAT", "describe_request", "differences", "model_checksums", "read_manifest"]

FORMAT = 1
"""Of the output folder."""

_LIBRARIES = ("numpy", "onnxruntime", "pyarrow", "torch")


def describe_request(
    options: CorpusOptions, model: str, folder: Path, inputs: InputSummary
) -> dict[str, Any]:
    """Return what identifies a run: two runs with the same description write the same output.

    `software` is only for information: other versions of a library may change the last digits of a
    log-probability, and seldom more.
    """
    return {
        "format": FORMAT,
        "whorl": whorl.__version__,
        "model": {"name": model, "files": model_checksums(folder)},
        "options": options.to_dict(),
        "input": asdict(inputs),
        "software": _software(options),
    }


def model_checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of `model.json` and of each file that it names."""
    names = [MODEL_JSON, *sorted(set(_all_files(folder)))]
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def _all_files(folder: Path) -> list[str]:
    return file_names(read_description(folder))


def _software(options: CorpusOptions) -> dict[str, str]:
    libraries = {"python": platform.python_version()}
    for name in _LIBRARIES:
        if name == "torch" and options.device == "cpu":
            continue
        try:
            libraries[name] = version(name)
        except PackageNotFoundError:
            continue
    return libraries


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Read a manifest; None if there is none."""
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise CorpusError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise CorpusError(f"{path} is not the manifest of a corpus run")
    if manifest["format"] > FORMAT:
        raise CorpusError(
            f"{path} has format {manifest['format']} of a newer Whorl; "
            f"this one reads up to {FORMAT}"
        )
    return manifest


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Say how a request differs from the one in a manifest; changed input is not described."""
    changes = []
    if old["whorl"] != new["whorl"]:
        changes.append(f"Whorl was {old['whorl']} and is {new['whorl']}")
    if old["model"]["files"] != new["model"]["files"]:
        changes.append(
            f"the model was {old['model']['name']} and is {new['model']['name']}"
            if old["model"]["name"] != new["model"]["name"]
            else f"the files of the model {new['model']['name']} have changed"
        )
    names = {**old["options"], **new["options"]}
    for name in names:
        before, now = old["options"].get(name), new["options"].get(name)
        if before != now:
            changes.append(f"{name} was {_show(before)} and is {_show(now)}")
    return changes


def _show(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
