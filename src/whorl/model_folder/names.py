"""The names of models: lower-case letters and digits, parts joined by hyphens."""

from __future__ import annotations

import re

__all__ = ["canonical_name"]


def canonical_name(name: str) -> str:
    """Return a name as package indexes compare names (PEP 503): `zh_Hans` is `zh-hans`."""
    return re.sub(r"[-_.]+", "-", name).lower()
