"""The scripts in `benchmarks/` import what exists."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
NEEDS_NLTK = {"reading", "text"}
NEEDS_SPACY = {"spacy_pipe"}


def import_all(names):
    command = [sys.executable, "-c", f"import {', '.join(sorted(names))}"]
    result = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def scripts():
    return {path.stem for path in FOLDER.glob("*.py")}


def test_benchmarks_import_names_that_exist():
    for name in ("torch", "onnx", "tokenizers"):
        pytest.importorskip(name)
    assert len(scripts()) > 10
    import_all(scripts() - NEEDS_NLTK - NEEDS_SPACY)


def test_benchmarks_that_compare_with_nltk():
    pytest.importorskip("nltk")
    import_all(NEEDS_NLTK)


def test_benchmarks_that_compare_with_spacy():
    pytest.importorskip("spacy")
    import_all(NEEDS_SPACY)


def test_every_benchmark_is_in_the_readme():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in scripts() if f"`{name}.py`" not in readme] == []
