"""Every package is documented and has a place in the layers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

try:
    import tomllib
except ImportError:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def modules():
    """The packages and modules directly in `src/whorl`."""
    folder = ROOT / "src/whorl"
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    single = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")}
    assert {"trees", "span", "cli", "errors"} <= packages | single
    return packages | single


def test_architecture_lists_exactly_the_packages_that_exist(modules):
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = text.split("## Packages", 1)[1].split("\n\n")[2]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    names = [name for cell in cells for name in re.findall(r"`(\w+)(?:\.py|/)`", cell)]
    assert sorted(names) == sorted(modules)


def test_every_package_has_a_place_in_the_layers(modules):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    names = [name.removeprefix("whorl.") for layer in layers for name in layer.split(" | ")]
    assert sorted(names) == sorted(modules)


def test_paths_named_in_contributing_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    places = re.findall(r"`((?:src|tests|docs|examples|benchmarks|tools|\.ci)/[\w./-]*)`", text)
    assert len(places) > 10
    missing = [place for place in places if not (ROOT / place).exists()]
    assert [place for place in missing if "NAME" not in place] == []
