"""Confidence scores of silver trees, written by `whorl label`."""

from __future__ import annotations

from pathlib import Path

from whorl.errors import CorpusError

__all__ = ["read_scores"]


def read_scores(path: Path) -> list[float]:
    """Read the confidence of each tree in a labelled file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        scores = [float(line.split("\t", 1)[0]) for line in lines]
    except (OSError, ValueError) as error:
        raise CorpusError(f"cannot read the confidence scores {path}: {error}") from error
    for number, score in enumerate(scores, start=1):
        if not 0 <= score <= 1:
            raise CorpusError(f"{path}:{number}: a confidence must be from 0 to 1, not {score}")
    return scores
