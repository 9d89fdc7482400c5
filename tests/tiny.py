"""A model that is exported and small: 40 kB, trained on `examples/toy.txt`."""

from __future__ import annotations

from pathlib import Path

TINY = Path(__file__).parent / "compat" / "format-2" / "span-int8"
