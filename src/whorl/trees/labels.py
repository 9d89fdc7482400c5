"""What the parts of a Penn-style label mean: `NP-SBJ-1` is an NP, `-LRB-` is all of one piece."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["TEMPORARY", "is_temporary", "strip_function_tags"]

TEMPORARY = "*"
"""What ends the temporary symbols of a binarised tree: `X*` below `X`."""

_TAGS = re.compile(r"(?<!^)[-=].*", re.DOTALL)


@lru_cache(maxsize=1 << 14)
def strip_function_tags(label: str) -> str:
    """Cut a label before its function tags and indices: `NP-SBJ-1` and `NP=2` are `NP`.

    A label that begins with the mark, as `-LRB-` and `-NONE-` do, is left alone.
    """
    return label if label[:1] in ("-", "=") else _TAGS.sub("", label)


def is_temporary(label: str) -> bool:
    """Whether a label is a temporary symbol of binarisation."""
    return label.endswith(TEMPORARY)
