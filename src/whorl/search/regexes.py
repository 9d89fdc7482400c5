r"""Regular expressions over labels and words, which always end.

Python's `re` matches what it surely finishes soon: nearly every expression on nearly every label.
`(a+)+$` on a long word goes to a slower matcher whose time is linear in the word.

Classes such as `\w` are ASCII, as in Java and so in Tregex; `(?u)` makes them Unicode.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property

from whorl.errors import SearchError
from whorl.search.linear_regex import LinearRegex, UnsupportedError
from whorl.search.regex_trees import parse_regex, ways

__all__ = ["Regex"]

_REMEMBERED = 1 << 15
_SAFE_WAYS = 100_000


class Regex:
    """A regular expression; remembers its answers, for labels recur."""

    def __init__(self, source: str) -> None:
        flags = 0 if re.match(r"\(\?[aimsx]*u", source) else re.ASCII
        self.source = source
        with warnings.catch_warnings():
            # What may mean something else in Python one day does so in Java today: `[a-z&&[^n]]`.
            warnings.simplefilter("error", FutureWarning)
            self._compiled = re.compile(source, flags)
            self._items, self._flags = parse_regex(source, flags)
        self.groups = self._compiled.groups
        self._safe_lengths: dict[int, bool] = {}
        self._found: dict[str, bool] = {}

    def found_in(self, text: str) -> bool:
        """Return whether the expression matches anywhere in a text."""
        known = self._found.get(text)
        if known is None:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            known = self._found[text] = self.group(0, text) is not None
        return known

    def group(self, number: int, text: str) -> str | None:
        """Return what a group captures, 0 for the whole match; None if it does not match."""
        if self._is_safe(len(text)):
            match = self._compiled.search(text)
            return match.group(number) if match else None
        places = self._search_slowly(text, 0) or {}
        return text[slice(*places[number])] if number in places else None

    def find_all(self, text: str) -> Iterator[Mapping[int, tuple[int, int]]]:
        """Yield where the groups of each match are, 0 for all of it; matches do not overlap."""
        if self._is_safe(len(text)):
            for match in self._compiled.finditer(text):
                spans = ((number, match.span(number)) for number in range(self.groups + 1))
                yield {number: span for number, span in spans if span[0] >= 0}
            return
        start = 0
        while start <= len(text) and (places := self._search_slowly(text, start)):
            yield places
            begin, end = places[0]
            start = end + (begin == end)

    def _search_slowly(self, text: str, start: int) -> dict[int, tuple[int, int]] | None:
        try:
            return self._linear.search(text, start)
        except UnsupportedError as error:
            raise SearchError(
                f"the regular expression /{self.source}/ may take too long on a word of "
                f"{len(text)} characters, since {error}; expected a simpler one"
            ) from None

    def _is_safe(self, length: int) -> bool:
        """Return whether `re` tries few ways in a text of this length."""
        known = self._safe_lengths.get(length)
        if known is None:
            known = (length + 1) * ways(self._items, length) <= _SAFE_WAYS
            self._safe_lengths[length] = known
        return known

    @cached_property
    def _linear(self) -> LinearRegex:
        try:
            return LinearRegex(self._items, self._flags)
        except RecursionError:
            raise UnsupportedError("it nests deeply") from None
