"""Text rebuilt from a treebank is cut into that treebank's own tokens and sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from whorl.text import segment

FILE = (
    Path(__file__).resolve().parents[3]
    / "shared"
    / "treebanks"
    / "en"
    / "nltk_ptb_sample"
    / "dev.txt"
)


@pytest.mark.treebank
@pytest.mark.skipif(not FILE.is_file(), reason="needs the shared treebanks")
def test_the_tokens_and_sentences_of_the_penn_treebank_are_recovered():
    detokenise = pytest.importorskip("benchmarks.detokenise")
    for text, gold in detokenise.documents(FILE):
        sentences = [
            [(token.start, token.end) for token in sentence.tokens] for sentence in segment(text)
        ]
        assert sentences == gold
