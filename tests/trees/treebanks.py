"""Samples of the shared treebanks."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from whorl.trees import Tree, iter_trees

TREEBANKS = Path(__file__).resolve().parents[2].parent / "shared" / "treebanks"


def sample(name: str, count: int = 300) -> list[Tree]:
    """Return the first trees of a file such as `en/masc/dev.txt`; skip the test if it is absent."""
    path = TREEBANKS / name
    if not path.is_file():
        pytest.skip(f"needs the shared treebank {name}")
    return list(islice(iter_trees(path), count))
