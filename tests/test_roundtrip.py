"""Round trips of a sample of every treebank; `benchmarks/roundtrip.py` checks every tree."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TREEBANKS = ROOT.parent / "shared" / "treebanks"


@pytest.mark.treebank
@pytest.mark.skipif(not TREEBANKS.is_dir(), reason="needs the shared treebanks")
def test_a_sample_of_every_treebank_survives_the_round_trip():
    spec = importlib.util.spec_from_file_location("roundtrip", ROOT / "benchmarks" / "roundtrip.py")
    roundtrip = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(roundtrip)
    counts_by_treebank = {}
    for chunk in roundtrip.chunks(TREEBANKS, 150):
        # Raises if a tree is not the same.
        counts_by_treebank.setdefault(chunk.treebank, []).append(roundtrip.check(chunk))
    assert len(counts_by_treebank) >= 13
    every = [counts for some in counts_by_treebank.values() for counts in some]
    assert sum(counts.numbers["trees"] for counts in every) > 1300
    assert max(counts.longest_chain for counts in every) <= 8
