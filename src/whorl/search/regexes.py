"""Regular expressions over labels and words."""

from __future__ import annotations

import re

__all__ = ["Regex"]

_REMEMBERED = 1 << 15


class Regex:
    """A regular expression of Python's `re`; remembers its answers, for labels recur."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._compiled = re.compile(source, _flags(source))
        self.groups = self._compiled.groups
        self._found: dict[str, bool] = {}

    def found_in(self, text: str) -> bool:
        """Return whether the expression matches anywhere in a text."""
        known = self._found.get(text)
        if known is None:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            known = self._found[text] = self._compiled.search(text) is not None
        return known

    def group(self, number: int, text: str) -> str | None:
        """Return what a group captures in a text that matches."""
        found = self._compiled.search(text)
        return found.group(number) if found else None


def _flags(source: str) -> int:
    r"""Return the flags: `\w`, `\d` and `\b` are ASCII as in Java, unless `(?u)` is asked for."""
    return 0 if re.match(r"\(\?[aLimsux]*u", source) else re.ASCII
