"""Random splits of a treebank that are the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from whorl.trees.layouts import SPLITS

__all__ = ["apportion"]


def apportion(count: int, shares: Sequence[float], seed: int) -> list[str]:
    """Return the part of each of `count` items: train, dev or test, in proportion to `shares`.

    Hashes shuffle the same way on every machine and Python.
    """
    train, dev, test = SPLITS
    order = sorted(range(count), key=lambda i: sha256(f"{seed}:{i}".encode()).digest())
    for_dev, for_test = (round(count * share / sum(shares)) for share in shares[1:])
    parts = [train] * count
    for i in order[:for_dev]:
        parts[i] = dev
    for i in order[for_dev : for_dev + for_test]:
        parts[i] = test
    return parts
