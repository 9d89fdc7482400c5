"""Reading a tokeniser's inventory off the tokens of a treebank, as they are written in text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from whorl.detokenisation import RebuiltText
from whorl.text import TokenSpan
from whorl.tokenisers.features import units_key
from whorl.tokenisers.inventory import Contraction, Inventory
from whorl.tokenisers.splitters import clean_text
from whorl.tokenisers.units import SHARED, Unit, join_forms

__all__ = ["Cuts", "clean_rebuilt", "observe", "observe_forms", "observe_words", "token_ends"]

_LEAST_STEMS = 3
"""An affix is one if so many different words have it."""
_LONGEST_AFFIX = 24
_LONGEST_WORD = 40
_LEAST_FORMS = 2
"""A form that differs from what is written counts if it occurs so often."""
_SECOND_FORM = 0.1
"""A second form counts if it is this share of all."""

# A treebank often has one of these characters where a text has another; the first is neutral.
_QUOTES = '"“”„‟＂'
_APOSTROPHES = "'’‘ʼ‛＇"
_DASHES = "–—―‒−"
_HYPHENS = "-‐‑"
_FULL_WIDTH = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}


class Cuts(NamedTuple):
    """The places inside words where tokens end."""

    inventory: Inventory
    total: int
    known: int
    """How many of them the affixes and contractions of the inventory find."""


def clean_rebuilt(text: RebuiltText) -> RebuiltText:
    """Return a text without invisible characters, its tokens moved accordingly."""
    cleaned, places = clean_text(text.text)
    if places is None:
        return text
    moved = {place: at for at, place in enumerate(places)}
    following = 0
    new = [0] * (len(text.text) + 1)
    for old in range(len(text.text), -1, -1):
        following = moved.get(old, following)
        new[old] = following
    sentences = tuple(
        tuple(TokenSpan(form, new[start], new[end]) for form, start, end in row)
        for row in text.sentences
    )
    kept = (tuple(token for token in row if token.start < token.end) for row in sentences)
    return RebuiltText(cleaned, tuple(filter(None, kept)), text.unknown)


def observe(text: RebuiltText, joiner: str | None) -> Cuts:
    """Return the inventory of a treebank, its forms excepted."""
    spaced = any(
        any(map(str.isspace, text.text[token.start : token.end]))
        for row in text.sentences
        for token in row
    )
    joiner = joiner if spaced else None
    contractions: dict[str, Counter[Contraction]] = defaultdict(Counter)
    plain: Counter[tuple[str, str]] = Counter()
    for left, right in _neighbours(text):
        first = text.text[left.start : left.end].split()[-1]
        second = text.text[right.start : right.end].split()[0]
        first_form = left.text.rpartition(joiner)[2] if joiner else left.text
        second_form = right.text.partition(joiner)[0] if joiner else right.text
        shared = right.start < left.end
        word = first if shared else first + second
        if shared or (first, second) != (first_form, second_form):
            if word.isalpha() and first_form and second_form and len(word) <= _LONGEST_AFFIX:
                cut = 0 if shared else len(first)
                contraction = Contraction(cut, first_form.lower(), second_form.lower())
                contractions[word.lower()][contraction] += 1
        elif first[-1].isalpha() and second[0].isalpha():
            plain[_last_letters(first).lower(), _first_letters(second).lower()] += 1
    suffixes, prefixes = _affixes(plain)
    for (first, second), count in plain.items():
        explained = second in suffixes or first in prefixes
        if not explained and count >= _LEAST_STEMS and len(first + second) <= _LONGEST_AFFIX:
            contractions[first + second][Contraction(len(first), first, second)] += count
    best = {word: counts.most_common(1)[0][0] for word, counts in contractions.items()}
    known = sum(
        count
        for (left_part, right_part), count in plain.items()
        if right_part in suffixes or left_part in prefixes or left_part + right_part in best
    )
    inventory = Inventory(
        joiner=joiner,
        suffixes=suffixes,
        prefixes=prefixes,
        contractions=best,
        characters=_characters(Counter(text.text)),
    )
    return Cuts(inventory, plain.total(), known)


def _neighbours(text: RebuiltText) -> Iterator[tuple[TokenSpan, TokenSpan]]:
    """Yield the tokens of sentences that are written together."""
    for row in text.sentences:
        for left, right in pairwise(row):
            if right.start <= left.end:
                yield left, right


def _last_letters(word: str) -> str:
    at = len(word)
    while at and word[at - 1].isalpha():
        at -= 1
    return word[at:]


def _first_letters(word: str) -> str:
    at = 0
    while at < len(word) and word[at].isalpha():
        at += 1
    return word[:at]


def _affixes(plain: Counter[tuple[str, str]]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the endings and beginnings that are tokens; the more frequent side of a cut counts."""
    after: dict[str, set[str]] = defaultdict(set)
    before: dict[str, set[str]] = defaultdict(set)
    for left, right in plain:
        after[right].add(left)
        before[left].add(right)
    suffixes, prefixes = set(), set()
    for left, right in plain:
        if len(after[right]) >= len(before[left]):
            if len(after[right]) >= _LEAST_STEMS and len(right) <= _LONGEST_AFFIX:
                suffixes.add(right)
        elif len(before[left]) >= _LEAST_STEMS and len(left) <= _LONGEST_AFFIX:
            prefixes.add(left)
    return frozenset(suffixes), frozenset(prefixes)


def _characters(seen: Counter[str]) -> dict[str, str]:
    """Return characters that do not occur, each with one of the same function that does."""
    same: dict[str, str] = {}
    for family in (_QUOTES, _APOSTROPHES, _HYPHENS):
        if seen[family[0]]:
            same |= {char: family[0] for char in family[1:] if not seen[char]}
    if seen["’"] and not seen["'"]:
        same["'"] = "’"
    dash = max(_DASHES, key=lambda char: seen[char])
    dash = dash if seen[dash] else "-"
    if seen[dash]:
        same |= {char: dash for char in _DASHES if not seen[char]}
    for wide, narrow in _FULL_WIDTH.items():
        if seen[narrow] and not seen[wide]:
            same.setdefault(wide, narrow)
        elif seen[wide] and not seen[narrow]:
            same.setdefault(narrow, wide)
    return same


def observe_words(text: RebuiltText, units: Sequence[Unit], *, phrases: bool) -> frozenset[str]:
    """Return the tokens of several units that occur more than once; phrases have a space inside."""
    words: Counter[str] = Counter()
    open_units: list[Unit] = []
    for unit, ends in zip(units, token_ends(units, text), strict=True):
        open_units.append(unit)
        if ends:
            if len(open_units) > 1:
                words[units_key(open_units)] += 1
            open_units = []
    return frozenset(
        word
        for word, count in words.items()
        if count >= _LEAST_FORMS and len(word) <= _LONGEST_WORD and (" " in word or not phrases)
    )


def token_ends(units: Sequence[Unit], text: RebuiltText) -> list[bool]:
    """Return whether a token of the treebank ends after each unit of its text."""
    ends = Counter(token.end for row in text.sentences for token in row)
    return [ends[unit.end] > (1 if unit.gap == SHARED else 0) for unit in units]


def observe_forms(
    text: RebuiltText, units: Sequence[Unit], inventory: Inventory
) -> dict[str, tuple[str, ...]]:
    """Return what is written otherwise than its form in trees.

    If there are two forms, as of quotation marks, the one that stands before a word comes first.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    before_word: Counter[tuple[str, str]] = Counter()
    tokens = (token for row in text.sentences for token in row)
    open_units: list[Unit] = []
    gold = next(tokens, None)
    for unit, ends in zip(units, token_ends(units, text), strict=True):
        open_units.append(unit)
        if not ends:
            continue
        while gold is not None and gold.end < unit.end:
            gold = next(tokens, None)
        if gold is not None and gold.end == unit.end:
            if open_units[0].start == gold.start:
                form = join_forms(open_units, inventory.joiner or "_")
                counts[form][gold.text] += 1
                if not text.text[gold.end : gold.end + 1].isspace():
                    before_word[form, gold.text] += 1
            gold = next(tokens, None)
        open_units = []
    forms: dict[str, tuple[str, ...]] = {}
    for form, golds in counts.items():
        common = [
            gold_form
            for gold_form, count in golds.most_common(2)
            if count >= max(_LEAST_FORMS, _SECOND_FORM * golds.total())
        ]
        if len(common) == 2 and any(map(str.isalnum, form)):
            common = common[:1]
        if len(common) == 2:
            common.sort(key=lambda each: -before_word[form, each] / golds[each])
        if common and common != [form] and not any(map(str.isspace, form + "".join(common))):
            forms[form] = tuple(common)
    return forms
