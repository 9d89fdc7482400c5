"""Heads as Stanford Tregex finds them: Collins' rules with Stanford's changes.

They differ from `whorl.trees.COLLINS` in what no rule covers and in coordination, so the oracles
keep theirs, and patterns from papers give the counts that Tregex gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Protocol

from whorl.search.labels import basic_category
from whorl.trees.heads import HeadStep

__all__ = ["STANFORD", "HeadTable"]


class HeadTable(Protocol):
    """What finds heads: a `whorl.trees.HeadRules`, or anything with its method `head`."""

    def head(self, label: str, child_labels: Sequence[str], /) -> int:
        """Return the index of the head among children with these labels."""
        ...


_NOUNS = "right-any NN NNP NNPS NNS NX POS JJR"
_RULES = f"""
ADJP   left NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP   right RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP  right CC RB IN
EDITED left
FRAG   right
INTJ   left
LST    right LS :
NAC    left NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
NP     {_NOUNS}; left NP; right-any $ ADJP PRN; right CD; right-any JJ JJS RB QP
NX     left
PP     right IN TO VBG VBN RP FW
PRN    left
PRT    right RP
QP     left $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC    right VP NP ADVP ADJP PP
S      left TO IN VP S SBAR ADJP UCP NP
SBAR   left WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ  left SQ S SINV SBARQ FRAG
SINV   left VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ     left VBZ VBD VBP VB MD VP SQ
TYPO   left
UCP    right
VP     left TO VBD VBN MD VBZ VB VBG VBP AUX AUXG VP ADJP NN NNS NP
WHADJP left CC WRB JJ ADJP
WHADVP right CC WRB
WHNP   left WDT WP WP$ WHADJP WHPP WHNP
WHPP   right IN TO FW
X      right
XS     right IN
"""


def _parse_step(text: str) -> HeadStep:
    direction, *labels = text.split()
    return HeadStep(direction.startswith("left"), tuple(labels), direction.endswith("-any"))


def _parse_rows(text: str) -> dict[str, tuple[HeadStep, ...]]:
    rows = (line.split(maxsplit=1) for line in text.strip().splitlines())
    return {label: tuple(map(_parse_step, steps.split(";"))) for label, steps in rows}


class _StanfordHeads:
    """The `CollinsHeadFinder` of Stanford CoreNLP.

    A label without a row, at which CoreNLP fails, has its leftmost child as the head.
    """

    _rows: Final = _parse_rows(_RULES)
    _coordinators: Final = frozenset(("CC", "CONJP"))
    _punctuation: Final = frozenset(("''", "``", "-LRB-", "-RRB-", ".", ":", ","))

    def __repr__(self) -> str:
        return "<the head rules of Stanford Tregex>"

    def head(self, label: str, child_labels: Sequence[str], /) -> int:
        """Return the index of the head among children with these labels."""
        return _stanford_head(label, tuple(child_labels))

    def find(self, label: str, child_labels: tuple[str, ...]) -> int:
        """Apply the rules, without the memory of `head`."""
        if len(child_labels) == 1:
            return 0
        children = [basic_category(child) for child in child_labels]
        steps = self._rows.get(basic_category(label).removeprefix("@"), (HeadStep(True),))
        for step in steps:
            head = step.find(children) if step.labels else None
            if head is not None:
                return self._first_conjunct(head, children, child_labels)
        return 0 if steps[-1].from_left else len(children) - 1

    def _first_conjunct(
        self, head: int, children: Sequence[str], child_labels: Sequence[str]
    ) -> int:
        """Return the conjunct before a coordinator, unless punctuation stands there."""
        if head < 2 or children[head - 1] not in self._coordinators:
            return head
        return head if child_labels[head - 2] in self._punctuation else head - 2


STANFORD: Final = _StanfordHeads()
"""The head rules of Stanford Tregex, for the Penn Treebank."""


@lru_cache(maxsize=1 << 14)
def _stanford_head(label: str, child_labels: tuple[str, ...]) -> int:
    return STANFORD.find(label, child_labels)
