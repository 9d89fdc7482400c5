"""A small exported parser that knows the trees of `tests.parsers` by heart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from whorl.cli.main import app


@pytest.fixture(scope="session")
def span_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("torch", "onnx", "onnxruntime"):
        pytest.importorskip(name)
    from tests.exported import make_exported

    return make_exported(
        tmp_path_factory.mktemp("span"), "training.epochs=80", "training.rate=0.03"
    )


@pytest.fixture
def parse(span_model: Path) -> Callable[..., Result]:
    """`whorl parse` with that model."""

    def run(*args: str, stdin: bytes | str = b"") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        command = ["parse", "--model", str(span_model), *args]
        return CliRunner().invoke(app, command, input=data, catch_exceptions=False)

    return run
