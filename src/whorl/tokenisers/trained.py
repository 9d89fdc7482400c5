"""A tokeniser that was trained on a treebank's own tokens: `unicode` or `learned`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import get_args

from whorl.errors import TextError
from whorl.escapes import canonical
from whorl.text import LONGEST, Hyphens, Newline, SentenceSpan, TokenSpan
from whorl.text.boundaries import begins_item, cut_point
from whorl.tokenisers.blocks import Block, iter_blocks
from whorl.tokenisers.features import (
    CharacterFeatures,
    Features,
    WordFeatures,
    sentence_marks,
)
from whorl.tokenisers.inventory import Inventory
from whorl.tokenisers.network import BoundaryNetwork, Floats
from whorl.tokenisers.splitters import CharacterSplitter, Splitter, WordSplitter, clean_text
from whorl.tokenisers.units import APART, END, LINE, TOUCH, Unit, join_forms

__all__ = ["KINDS", "TrainedTokeniser", "make_features", "make_splitter", "units_with_ends"]

KINDS = ("unicode", "learned")
_MOST_UNITS = 256
"""The most units of a token: a longer one is cut, so that memory is bounded."""
_RUN = re.compile(r"\S{1,16}")


def make_splitter(kind: str, inventory: Inventory) -> Splitter:
    """Return what cuts text into the units of this kind of tokeniser."""
    return WordSplitter(inventory) if kind == "unicode" else CharacterSplitter(inventory)


def make_features(kind: str, rows: int, inventory: Inventory) -> Features:
    """Return the features of the units of this kind of tokeniser."""
    if kind == "unicode":
        return WordFeatures(rows, inventory.words)
    return CharacterFeatures(rows, inventory.words)


def units_with_ends(splitter: Splitter, text: str) -> tuple[list[Unit], set[int]]:
    """Return the units of a clean text, and where its sentences end by UAX 29."""
    return splitter.units(text), sentence_marks(text)


@dataclass(frozen=True)
class TrainedTokeniser:
    """Cuts text into units, and asks a network after which of them tokens and sentences end."""

    kind: str
    inventory: Inventory
    network: BoundaryNetwork
    thresholds: tuple[float, float] = (0.0, 0.0)
    """The scores from which on a token and a sentence end."""
    _splitter: Splitter = field(init=False, repr=False, compare=False)
    _features: Features = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_splitter", make_splitter(self.kind, self.inventory))
        rows = len(self.network.embeddings)
        object.__setattr__(self, "_features", make_features(self.kind, rows, self.inventory))

    def segment(
        self,
        text: str,
        *,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
    ) -> list[SentenceSpan]:
        """Cut a whole text into sentences."""
        return list(self.iter_sentences((text,), newline=newline, hyphens=hyphens, longest=longest))

    def iter_sentences(
        self,
        chunks: Iterable[str],
        *,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
    ) -> Iterator[SentenceSpan]:
        """Cut a stream of text into sentences, in bounded memory.

        Line breaks mean what they mean to `whorl.text`. Hyphenated words are cut as in the
        treebank; `hyphens="split"` is an option of Penn tokens only.
        """
        if newline not in get_args(Newline):
            known = ", ".join(get_args(Newline))
            raise TextError(f"newline must be one of {known}, not {newline!r}")
        if hyphens not in (None, "keep"):
            raise TextError(
                f"hyphens={hyphens!r} is an option of Penn tokens: this model's tokeniser "
                f"({self.kind}) cuts hyphenated words as its treebank does"
            )
        if longest < 1:
            raise TextError(f"a sentence must have room for a token: longest={longest}")
        return self._sentences(iter_blocks(chunks, newline), newline, longest)

    def _sentences(
        self, blocks: Iterable[Block], newline: Newline, longest: int
    ) -> Iterator[SentenceSpan]:
        """Group units into tokens and tokens into sentences; a paragraph ends both."""
        open_units: list[Unit] = []
        tokens: list[TokenSpan] = []
        for block in blocks:
            for unit, token_ends, sentence_ends in self._decide(block, one=newline == "sentence"):
                open_units.append(unit)
                if token_ends or len(open_units) >= _MOST_UNITS:
                    tokens.append(self._token(open_units, block))
                    open_units = []
                if tokens and (sentence_ends or len(tokens) > longest):
                    while len(tokens) > longest:
                        count = cut_point(tokens, 0, longest)
                        yield SentenceSpan(tuple(tokens[:count]))
                        tokens = tokens[count:]
                    if sentence_ends:
                        yield SentenceSpan(tuple(tokens))
                        tokens = []
            if block.last:
                if open_units:
                    tokens.append(self._token(open_units, block))
                if tokens:
                    yield SentenceSpan(tuple(tokens))
                open_units, tokens = [], []

    def _decide(self, block: Block, *, one: bool) -> Iterator[tuple[Unit, bool, bool]]:
        """Yield the units of a block, and whether a token and a sentence end after each.

        With `one`, the paragraph is one sentence.
        """
        text, places = clean_text(block.text)
        units, ends = units_with_ends(self._splitter, text)
        if not units:
            return
        token_scores, sentence_scores = self._scores(block, units, ends).T.tolist()
        last = len(units) - 1
        for at, unit in enumerate(units):
            if at == last and block.last:
                token_ends = sentence_ends = True
            else:
                sentence_ends = not one and sentence_scores[at] > self.thresholds[1]
                if unit.gap == LINE and not one:
                    run = _RUN.search(text, units[at + 1].start) if at < last else None
                    sentence_ends = sentence_ends or (run is not None and begins_item(run.group()))
                token_ends = (
                    sentence_ends
                    or token_scores[at] > self.thresholds[0]
                    or (self.inventory.joiner is None and unit.gap in (APART, LINE))
                )
            if places is None:
                start, end = unit.start, unit.end
            else:
                start, end = places[unit.start], places[unit.end - 1] + 1
            placed = Unit(block.start + start, block.start + end, unit.form, unit.gap, unit.whole)
            yield placed, token_ends, sentence_ends

    def _scores(self, block: Block, units: list[Unit], ends: set[int]) -> Floats:
        """Return the scores of the units of a block, which depend on the text around it."""
        if not block.before and block.last:
            return self.network(self._features.ids(units, ends))
        before, _ = units_with_ends(self._splitter, clean_text(block.before)[0])
        after, _ = units_with_ends(self._splitter, clean_text(block.after)[0])
        if before:
            gap = APART if block.before[-1].isspace() or block.text[0].isspace() else TOUCH
            before[-1] = before[-1]._replace(gap=gap)
        if not block.last:
            touching = not block.text[-1].isspace() and block.after[:1].strip() != ""
            units[-1] = units[-1]._replace(gap=TOUCH if touching else APART)
            if after:
                after[-1] = after[-1]._replace(gap=APART)
            else:
                units[-1] = units[-1]._replace(gap=END)
        shifted = [unit._replace(start=-1, end=-1) for unit in (*before, *after)]
        around = [*shifted[: len(before)], *units, *shifted[len(before) :]]
        scores = self.network(self._features.ids(around, ends))
        return scores[len(before) : len(before) + len(units)]

    def _token(self, units: list[Unit], block: Block) -> TokenSpan:
        """Return the token that some units make."""
        start, end = units[0].start, units[-1].end
        form = join_forms(units, self.inventory.joiner or "_")
        forms = self.inventory.forms.get(form)
        if forms is not None:
            form = forms[0]
            if len(forms) > 1 and not self._opens(block, start, end):
                form = forms[1]
        return TokenSpan(canonical(form), start, end)

    @staticmethod
    def _opens(block: Block, start: int, end: int) -> bool:
        """Return whether a mark stands before a word: quotation marks have two forms."""
        left, right = start - block.start - 1, end - block.start
        before = block.text[left] if left >= 0 else block.before[-1:]
        after = block.text[right] if right < len(block.text) else block.after[:1]
        return after != "" and not after.isspace() and (not before.isalnum())
