"""Parsing with one network imports neither the other nor anything that only training needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
import whorl

parser = whorl.load(sys.argv[1])
parser("It works. So does this!")
assert parser.parse(["It", "works"], n_best=2)
assert len(list(parser.pipe([["It", "works"]] * 9, beam=2))) == 9
print(*sys.modules)
"""


def modules_after_parsing(model: str | Path) -> set[str]:
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(model)], capture_output=True, text=True, check=True
    )
    return set(process.stdout.split())


def below(modules: set[str], *packages: str) -> list[str]:
    return sorted(
        module
        for module in modules
        if any(module == package or module.startswith(f"{package}.") for package in packages)
    )


def test_importing_whorl_imports_no_network_and_no_numerical_library() -> None:
    code = "import sys, whorl; print(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    networks = ("whorl.span", "whorl.stack_lstm", "whorl.training")
    assert below(set(process.stdout.split()), *networks, "numpy", "torch", "onnxruntime") == []


@pytest.mark.parametrize("model", ["en", "en-accurate"])
def test_a_shipped_model_parses_without_the_stack_lstm_pytorch_and_training(model: str) -> None:
    modules = modules_after_parsing(model)
    assert "whorl.span.engine" in modules
    others = ("whorl.stack_lstm", "whorl.training", "whorl.pretraining", "whorl.experiments")
    libraries = ("torch", "onnx", "tokenizers", "transformers", "typer", "rich")
    assert below(modules, *others, *libraries) == []


def test_a_stack_lstm_model_parses_without_the_span_network(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.spans import write_treebank
    from whorl.training.recipe import Recipe
    from whorl.training.run import train

    trees = write_treebank(tmp_path)
    data = [f"data.train={trees}", f"data.dev={trees}", "data.folds=2"]
    train(Recipe().override([*data, "training.epochs=1"]), tmp_path / "m")
    modules = modules_after_parsing(tmp_path / "m")
    assert "whorl.stack_lstm.engine" in modules
    assert below(modules, "whorl.span") == []
