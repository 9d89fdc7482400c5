"""Head rules: which child of a phrase is its head.

For each phrase label, a table has steps that are tried in turn until one finds a child. Only the
binary bottom-up transition system needs heads, to binarise its training trees (§1 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whorl.errors import HeadRuleError
from whorl.trees.labels import strip_function_tags
from whorl.trees.tree import Tree

__all__ = ["CHINESE", "COLLINS", "LEFT", "RIGHT", "HeadRules", "HeadStep", "head_rules"]

_DIRECTIONS = ("left", "right", "left-any", "right-any")
# The row for labels without a row.
_OTHERWISE = "*"
_FORMAT = (
    "LABEL STEP; STEP; ... where a step is "
    + ", ".join(_DIRECTIONS[:-1])
    + f" or {_DIRECTIONS[-1]}, then labels"
)


@dataclass(frozen=True, slots=True)
class HeadStep:
    """One step of the search for the head, from the left or from the right.

    With labels, in order of priority: the first label that any child has decides. With `any_of`,
    in no order: the first child with one of the labels. Without labels: the first child.
    """

    from_left: bool
    labels: tuple[str, ...] = ()
    any_of: bool = False

    def find(self, children: Sequence[str]) -> int | None:
        """Return the index of the child that this step finds, or None."""
        if not self.labels:
            return 0 if self.from_left else len(children) - 1
        if self.any_of:
            return self._nearest(children, self.labels)
        for label in self.labels:
            head = self._nearest(children, (label,))
            if head is not None:
                return head
        return None

    def _nearest(self, children: Sequence[str], wanted: tuple[str, ...]) -> int | None:
        order = range(len(children)) if self.from_left else range(len(children) - 1, -1, -1)
        return next((i for i in order if children[i] in wanted), None)


class HeadRules:
    """A table of head rules, with a rule for coordination.

    If the child before the head is one of `coordinators`, and something other than punctuation
    comes before that, the latter is the head: the first of two conjuncts heads both.
    """

    def __init__(
        self,
        rows: Mapping[str, Iterable[HeadStep]],
        *,
        otherwise: Iterable[HeadStep] = (HeadStep(True),),
        coordinators: Iterable[str] = (),
        punctuation: Iterable[str] = (),
        name: str = "custom",
    ) -> None:
        self.name = name
        self._rows = {label: tuple(steps) for label, steps in rows.items()}
        self._otherwise = tuple(otherwise)
        self._coordinators = frozenset(coordinators)
        self._punctuation = frozenset(punctuation)
        steps = [step for row in (*self._rows.values(), self._otherwise) for step in row]
        named = {label for step in steps for label in step.labels}
        self._known = named | self._rows.keys() | self._coordinators | self._punctuation

    def __repr__(self) -> str:
        return f"<HeadRules {self.name}, {len(self._rows)} rows>"

    def head(self, label: str, child_labels: Sequence[str]) -> int:
        """Return the index of the head among children with these labels or tags.

        Function tags are cut off (`NP-SBJ` is looked up as `NP`), unless the table has the label
        with them.
        """
        if not child_labels:
            raise HeadRuleError(f"a phrase without children has no head: {label!r}")
        if len(child_labels) == 1:
            return 0
        children = [self._bare(child) for child in child_labels]
        for step in self._rows.get(self._bare(label), self._otherwise):
            head = step.find(children)
            if head is not None:
                return self._first_conjunct(children, head)
        return self._first_conjunct(children, 0)

    def head_of(self, tree: Tree) -> int:
        """Return the index of the head child of a phrase."""
        return self.head(tree.label, [child.label for child in tree.children])

    def _bare(self, label: str) -> str:
        return label if label in self._known else strip_function_tags(label)

    def _first_conjunct(self, children: Sequence[str], head: int) -> int:
        if head < 2 or children[head - 1] not in self._coordinators:
            return head
        before = head - 2
        while before >= 0 and children[before] in self._punctuation:
            before -= 1
        return before if before >= 0 else head

    @classmethod
    def read(cls, path: str | Path) -> HeadRules:
        """Read a table from a UTF-8 text file, one row per line.

        ```
        # A line that begins with # is a comment.
        @coordination CC CONJP
        @punctuation  , : .
        NP   right-any NN NNP NNS; left NP; right
        VP   left VBD VBZ VP
        *    right
        ```

        A row is a label and its steps, separated by `;`. `left A B` takes the leftmost A or, if
        there is none, the leftmost B; `left-any A B` takes the leftmost child that is A or B;
        `left` takes the leftmost child; and likewise for `right`. If no step finds a child, the
        direction of the last one decides. The row `*` is for labels without a row; it defaults to
        `left`. `@coordination` and `@punctuation` are optional.
        """
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise HeadRuleError(f"cannot read head rules: {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise HeadRuleError(
                f"cannot read head rules: {path}: not UTF-8: {error.reason}"
            ) from error
        return parse_head_rules(text, source=str(path))


def parse_head_rules(text: str, *, source: str) -> HeadRules:
    """Parse a table in the format of `HeadRules.read`."""
    rows: dict[str, tuple[HeadStep, ...]] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        where = f"{source}:{number}"
        label, rest = (*line.split(maxsplit=1), "", "")[:2]
        if not label or label.startswith("#"):
            continue
        if label in rows or label in lists:
            raise HeadRuleError(
                f"{where}: {label!r} has a row already; expected one row per label, near {line!r}"
            )
        if label in ("@coordination", "@punctuation"):
            lists[label] = tuple(rest.split())
        elif label.startswith("@"):
            raise HeadRuleError(
                f"{where}: unknown setting {label!r}; expected @coordination or @punctuation"
            )
        else:
            rows[label] = _parse_steps(rest, where, line)
    if not rows:
        raise HeadRuleError(f"{source}: no head rules; expected lines such as 'VP left VBD VBZ VP'")
    return HeadRules(
        {label: steps for label, steps in rows.items() if label != _OTHERWISE},
        otherwise=rows.get(_OTHERWISE, (HeadStep(True),)),
        coordinators=lists.get("@coordination", ()),
        punctuation=lists.get("@punctuation", ()),
        name=source,
    )


def _parse_steps(text: str, where: str, line: str) -> tuple[HeadStep, ...]:
    steps: list[HeadStep] = []
    for part in text.rstrip(" ;").split(";"):
        words = part.split()
        if not words or words[0] not in _DIRECTIONS:
            word = repr(words[0]) if words else "nothing"
            raise HeadRuleError(
                f"{where}: {word} where a direction should be, near {line!r}; expected {_FORMAT}"
            )
        direction, *labels = words
        any_of = direction.endswith("-any")
        if any_of and not labels:
            raise HeadRuleError(
                f"{where}: {direction!r} names no labels, near {line!r}; expected {_FORMAT}"
            )
        steps.append(HeadStep(direction.startswith("left"), tuple(labels), any_of))
    if steps[-1].labels:
        steps.append(HeadStep(steps[-1].from_left))
    return tuple(steps)


_NOUNS = "right-any NN NNP NNPS NNS NX POS JJR"
_QUANTITIES = "right-any $ ADJP PRN; right CD; right-any JJ JJS RB QP"
COLLINS = parse_head_rules(
    f"""
# Collins (1999), Appendix A, for the English Penn Treebank. NX and NML, which he omits, are
# headed like NP.
@coordination CC CONJP
@punctuation  , : . `` '' -LRB- -RRB-
ADJP   left NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP   right RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP  right CC RB IN
FRAG   right
INTJ   left
LST    right LS :
NAC    left NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
NML    {_NOUNS}; left-any NP NML; {_QUANTITIES}
NP     {_NOUNS}; left NP; {_QUANTITIES}
NX     {_NOUNS}; left NP; {_QUANTITIES}
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
UCP    right
VP     left TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP left CC WRB JJ ADJP
WHADVP right CC WRB
WHNP   left WDT WP WP$ WHADJP WHPP WHNP
WHPP   right IN TO FW
X      right
*      left
""",
    source="english",
)
"""The head rules of Collins (1999) for the English Penn Treebank, with coordination."""

CHINESE = parse_head_rules(
    """
# Sun and Jurafsky (2004), with the rows that Zhang and Clark (2008, 2009) added, for the Penn
# Chinese Treebank.
ADJP  right ADJP JJ AD
ADVP  right ADVP AD CS JJ NP PP P VA VV
CLP   right CLP M NN NP
CP    right CP IP VP
DNP   right DEG DNP DEC QP
DP    right M; left DP DT OD
DVP   right DEV AD VP
FRAG  right VV NR NN NT
IP    right VP IP NP
LCP   right LCP LC
LST   right CD NP QP
NN    right NP NN IP NR NT
NP    right NP NN IP NR NT
PP    left P PP
PRN   left PU
QP    right QP CLP CD
UCP   left IP NP VP
VCD   left VV VA VE
VCP   left
VNV   left
VP    left VE VC VV VNV VPT VRD VSB VCD VP
VPT   left VA VV
VRD   left VV VA
VSB   right VV VE
*     right
""",
    source="chinese",
)
"""The head rules of Zhang and Clark (2009) for the Penn Chinese Treebank."""

LEFT = HeadRules({}, otherwise=(HeadStep(True),), name="left")
"""The leftmost child is the head, for languages without a table."""

RIGHT = HeadRules({}, otherwise=(HeadStep(False),), name="right")
"""The rightmost child is the head, for languages without a table."""

_NAMED = {"english": COLLINS, "chinese": CHINESE, "left": LEFT, "right": RIGHT}


def head_rules(name_or_path: str | Path) -> HeadRules:
    """Return the head rules `english`, `chinese`, `left` or `right`, or read them from a file."""
    named = _NAMED.get(str(name_or_path))
    if named is not None:
        return named
    if not Path(name_or_path).is_file():
        raise HeadRuleError(
            f"no head rules {str(name_or_path)!r}: "
            f"expected {', '.join(_NAMED)} or the path of a file"
        )
    return HeadRules.read(name_or_path)
