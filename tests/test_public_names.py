"""The public names are exactly those of `__all__`, and importing the package is light."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

PACKAGES = [
    "whorl",
    "whorl.trees",
    "whorl.text",
    "whorl.search",
    "whorl.complexity",
    "whorl.evaluation",
    "whorl.constraints",
    "whorl.transitions",
    "whorl.oracles",
    "whorl.engine",
    "whorl.parser",
    "whorl.formats",
    "whorl.corpus",
]


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_exactly_all(name):
    package = importlib.import_module(name)
    public = {
        key
        for key, value in vars(package).items()
        if not key.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", name).startswith(name)
    }
    assert public <= set(package.__all__)
    assert all(hasattr(package, key) for key in package.__all__)
    assert len(set(package.__all__)) == len(package.__all__)
    assert package.__all__ == sorted(package.__all__, key=_order), (
        "the linter's order: constants, classes, functions"
    )


def _order(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def test_importing_the_package_is_light():
    script = (
        "import sys\nbefore = set(sys.modules)\nimport whorl\n"
        "packages = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(packages - sys.stdlib_module_names))\n"
        "heavy = {'evaluation', 'oracles', 'transitions', 'parser', 'formats', 'cli'}\n"
        "print(*sorted(heavy & {name.removeprefix('whorl.') for name in sys.modules}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode:  # the package is only on the paths of `site`
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
    assert done.stdout == "whorl\n\n"
