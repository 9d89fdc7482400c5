"""The parts of a Penn-style label: `NP-SBJ-1` is an NP, `-LRB-` is indivisible."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["TEMPORARY", "is_temporary", "strip_function_tags"]

TEMPORARY = "*"
"""The ending of temporary symbols in a binarised tree: `X*` below `X`."""

_TAGS = re.compile(r"(?<!^)[-=].*", re.DOTALL)


@lru_cache(maxsize=1 << 14)
def strip_function_tags(label: str) -> str:
    """Cut a label before its function tags and indices: `NP-SBJ-1` and `NP=2` are `NP`.

    A label that begins with the mark, such as `-LRB-` or `-NONE-`, stays.
    """
    return label if label[:1] in ("-", "=") else _TAGS.sub("", label)


def is_temporary(label: str) -> bool:
    """Return whether a label is a temporary symbol of binarisation."""
    return label.endswith(TEMPORARY)
