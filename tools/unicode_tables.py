"""Write the tables of `src/whorl/text/unicode_properties.py` for UAX 29.

    python tools/unicode_tables.py > src/whorl/text/unicode_properties.py

Python's `unicodedata` lacks the properties Word_Break and Sentence_Break; the package `regex`,
which NLTK brings along, has them.
"""

from __future__ import annotations

import sys
import textwrap
from itertools import groupby

import regex

WORD = {
    "CR": "r",
    "LF": "n",
    "Newline": "l",
    "Extend": "e",
    "ZWJ": "z",
    "Format": "f",
    "Katakana": "K",
    "Hebrew_Letter": "H",
    "ALetter": "A",
    "Single_Quote": "q",
    "Double_Quote": "Q",
    "MidNumLet": "b",
    "MidLetter": "m",
    "MidNum": "u",
    "Numeric": "N",
    "ExtendNumLet": "x",
    "Regional_Indicator": "I",
    "WSegSpace": "w",
}
SENTENCE = {
    "CR": "r",
    "LF": "n",
    "Sep": "l",
    "Extend": "e",
    "Format": "f",
    "Sp": "s",
    "Lower": "L",
    "Upper": "U",
    "OLetter": "O",
    "Numeric": "N",
    "ATerm": "A",
    "SContinue": "c",
    "STerm": "T",
    "Close": "C",
}
OTHER = "."


def classes(name: str, letters: dict[str, str]) -> list[str]:
    """Return the class letter of every code point."""
    found = [OTHER] * (sys.maxunicode + 1)
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    for value, letter in letters.items():
        for match in regex.finditer(rf"\p{{{name}={value}}}", everything):
            found[match.start()] = letter
    if name == "WB":
        for match in regex.finditer(r"\p{Extended_Pictographic}", everything):
            at = match.start()
            found[at] = "p" if found[at] == "A" else "P" if found[at] == OTHER else found[at]
    return found


def runs(found: list[str]) -> list[str]:
    """Write the classes as runs: a letter, and in base 36 the gap before it and its length."""
    parts, at, end = [], 0, 0
    for letter, group in groupby(found):
        count = len(list(group))
        if letter != OTHER:
            parts.append(f"{letter}{base36(at - end)},{base36(count)}")
            end = at + count
        at += count
    return parts


def base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number or not text:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
    return text


def main() -> None:
    print('"""Word_Break and Sentence_Break of all characters, for UAX 29.')
    print("\nWritten by `tools/unicode_tables.py`; not to be edited by hand.\n")
    print("A run of characters of one class is the class's letter, and in base 36 the distance to")
    print('the run before it and its length.\n"""\n\nfrom __future__ import annotations\n')
    print('__all__ = ["SENTENCE_BREAK", "WORD_BREAK"]')
    for name, short, letters in (("WORD_BREAK", "WB", WORD), ("SENTENCE_BREAK", "SB", SENTENCE)):
        print(f'\n{name} = """')
        print(textwrap.fill(" ".join(runs(classes(short, letters))), 100))
        print('"""')


if __name__ == "__main__":
    main()
