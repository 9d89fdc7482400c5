"""A sample of every treebank, there and back again; `benchmarks/roundtrip.py` does it for every tree."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TREEBANKS = ROOT.parent / "shared" / "treebanks"


@pytest.mark.treebank
@pytest.mark.skipif(not TREEBANKS.is_dir(), reason="needs the shared treebanks")
def test_a_sample_of_every_treebank_comes_back_the_same():
    spec = importlib.util.spec_from_file_location("roundtrip", ROOT / "benchmarks" / "roundtrip.py")
    roundtrip = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(roundtrip)
    found = {}
    for chunk in roundtrip.chunks(TREEBANKS, 150):
        found.setdefault(chunk.treebank, []).append(
            roundtrip.check(chunk)
        )  # raises where a tree is not the same
    assert len(found) >= 13
    assert sum(counts.numbers["trees"] for some in found.values() for counts in some) > 1300
    assert max(counts.longest_chain for some in found.values() for counts in some) <= 8
