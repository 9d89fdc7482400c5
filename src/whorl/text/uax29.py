"""Word and sentence boundaries of the Unicode Standard, Annex 29.

Each character is replaced by the letter of its class, and the rules are regular expressions over
these letters. As in the annex, marks and white space make segments of their own.
"""

from __future__ import annotations

import re

from whorl.text.unicode_properties import SENTENCE_BREAK, WORD_BREAK

__all__ = ["sentence_boundaries", "word_boundaries", "word_classes"]

_RUN = re.compile(r"([A-Za-z])([0-9a-z]+),([0-9a-z]+)")


class _Classes(dict[int, str]):
    """A table for `str.translate`, from code points to class letters; other characters are `.`."""

    def __init__(self, runs: str) -> None:
        end = 0
        self._runs: list[tuple[int, int, str]] = []
        for letter, gap, count in _RUN.findall(runs):
            start = end + int(gap, 36)
            end = start + int(count, 36)
            self._runs.append((start, end, letter))

    def __missing__(self, code: int) -> str:
        low, high = 0, len(self._runs)
        while low < high:
            middle = (low + high) // 2
            if self._runs[middle][1] <= code:
                low = middle + 1
            else:
                high = middle
        inside = low < len(self._runs) and self._runs[low][0] <= code
        self[code] = letter = self._runs[low][2] if inside else "."
        return letter


_WORD = _Classes(WORD_BREAK)
_SENTENCE = _Classes(SENTENCE_BREAK)

# A character with the marks that belong to it counts as one (rules WB4 and SB5).
_WORD_CLUSTER = re.compile(r"w+[efz]*|[^rnl][efz]*|[rnl]", re.DOTALL)
_SENTENCE_CLUSTER = re.compile(r"[^rnl][ef]*|[rnl]", re.DOTALL)
# Rules WB3 to WB16: what continues a segment, then its last character.
_SEGMENT = re.compile(
    r"rn|w+|II"
    r"|(?:[AHp](?=[AHpNx])|[AHp][mbq](?=[AHp])|HQ(?=H)|N(?=[AHpNx])|N[ubq](?=N)|K(?=[Kx])"
    r"|x(?=[AHpNKx]))*(?:Hq|.)",
    re.DOTALL,
)
# Rules SB3 to SB11. The group in the lookahead makes the repetition atomic.
_END = re.compile(
    r"(?:T|A(?!N)(?!(?<=[UL]A)U)(?![^OULrnlAT]*L))(?=(C*s*))\1(?![cAT])(?:rn|[rnl])?"
    r"|(?:[AT]C*s*)?(?:rn|[rnl])",
    re.DOTALL,
)


def word_classes(text: str) -> str:
    """Return the letters of the Word_Break classes, one for each character.

    `A` and `H` are letters, `K` katakana, `N` digits, `e`, `f` and `z` what belongs to the
    character before it; `tools/unicode_tables.py` lists the others.
    """
    return text.translate(_WORD)


def word_boundaries(classes: str) -> list[int]:
    """Return where the segments of a text end, given its Word_Break classes."""
    if "e" not in classes and "f" not in classes and "z" not in classes:
        return [match.end() for match in _SEGMENT.finditer(classes)]
    clusters = [match.group() for match in _WORD_CLUSTER.finditer(classes)]
    # Marks end a run of white space (WB3d).
    bases = "".join("." if cluster[0] == "w" else _base(cluster) for cluster in clusters)
    ends, places, at = [], [0], 0
    for cluster in clusters:
        at += len(cluster)
        places.append(at)
    for match in _SEGMENT.finditer(bases):
        end = match.end()
        joined = end < len(bases) and bases[end] in "Pp" and clusters[end - 1].endswith("z")
        if not joined:  # WB3c
            ends.append(places[end])
    return ends


def sentence_boundaries(text: str) -> list[int]:
    """Return where the sentences of a text end, the end of the text excepted."""
    classes = text.translate(_SENTENCE)
    if "e" not in classes and "f" not in classes:
        return [match.end() for match in _END.finditer(classes) if match.end() < len(text)]
    clusters = [match.group() for match in _SENTENCE_CLUSTER.finditer(classes)]
    places, at = [0], 0
    for cluster in clusters:
        at += len(cluster)
        places.append(at)
    bases = "".join(map(_base, clusters))
    return [
        places[match.end()] for match in _END.finditer(bases) if places[match.end()] < len(text)
    ]


def _base(cluster: str) -> str:
    return "." if cluster[0] in "efz" else cluster[0]
