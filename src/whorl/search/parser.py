"""Tokens to a parsed pattern, by recursive descent; how deep a pattern may nest is bounded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from whorl.errors import PatternError
from whorl.search.conditions import Condition, Either, Every, NodePattern, Related
from whorl.search.labels import AnyLabel, LabelList, LabelRegex, LabelTest, RootLabel
from whorl.search.lexer import END, Token, tokens
from whorl.search.regexes import Regex
from whorl.search.relations import NUMBERED, RELATIONS, THROUGH

__all__ = ["MAX_DEPTH", "ParsedPattern", "parse"]

MAX_DEPTH = 100
"""How deep brackets may nest in a pattern."""

_A_LABEL = "a label such as NP, NP|VP, @NP, /^NN/ or __"
_A_RELATION = "a relation such as < or $+"
_CONDITION_STARTS = frozenset(("relation", "through", "multiple", "[", "(", "!", "?"))
_LABEL_KINDS = ("label", "regex", "__", "_ROOT_")


class ParsedPattern(NamedTuple):
    """The alternatives of a pattern, the names and variables that it may bind, in order."""

    alternatives: tuple[NodePattern, ...]
    names: tuple[str, ...]
    variables: tuple[str, ...]
    shared: frozenset[str]


def parse(pattern: str) -> ParsedPattern:
    """Parse a pattern."""
    return _Parser(pattern).parse()


class _Parser:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._tokens: Sequence[Token] = list(tokens(pattern))
        self._at = 0
        self._depth = 0
        self._negations = 0
        # The names that a node to the right may refer to, and must not declare.
        self._known: set[str] = set()
        self._names: list[str] = []
        self._variables: Counter[str] = Counter()

    def parse(self) -> ParsedPattern:
        alternatives = [self._bracketed_node()]
        while self._take("|"):
            alternatives.append(self._bracketed_node())
        if self._token.kind != END:
            self._fail_after_node("the end of the pattern")
        shared = frozenset(name for name, count in self._variables.items() if count > 1)
        for alternative in alternatives:
            if alternative.condition is not None:
                alternative.condition.settle(shared)
        names = tuple(dict.fromkeys(self._names))
        return ParsedPattern(tuple(alternatives), names, tuple(self._variables), shared)

    # Tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._token
        self._at += token.kind != END
        return token

    def _take(self, *kinds: str) -> Token | None:
        return self._next() if self._token.kind in kinds else None

    def _expect(self, kind: str, expected: str) -> Token:
        token = self._take(kind)
        return token if token else self._fail(expected)

    def _fail(self, expected: str, *, hint: str = "") -> NoReturn:
        token = self._token
        shown = repr(token.text) if token.text else "the end of the pattern"
        self._reject(f"expected {expected}, not {shown}{hint}", token)

    def _reject(self, reason: str, at: Token | int) -> NoReturn:
        position = at if isinstance(at, int) else at.start
        raise PatternError(reason, pattern=self._pattern, position=position)

    def _fail_after_node(self, end: str) -> NoReturn:
        kind = self._token.kind
        hint = ""
        if kind == "|":
            hint = "; alternatives within brackets are relations, as in NP [< NN | < NNS], and a "
            hint += "list of labels has no spaces, as in NN|NNS"
        elif kind in _LABEL_KINDS:
            hint = "; a list of labels has no spaces, as in NP|VP"
        self._fail(f"{_A_RELATION}, or {end}", hint=hint)

    def _deeper(self, at: Token) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._reject(f"the pattern nests too deeply; expected at most {MAX_DEPTH} levels", at)

    # Nodes

    def _bracketed_node(self) -> NodePattern:
        """Parse a node with its conditions: `NP < NN`, `(NP < NN)`, `(NP < NN) < DT`."""
        opening = self._take("(")
        if opening:
            self._deeper(opening)
            node = self._bracketed_node()
            if not self._take(")"):
                self._fail_after_node("a closing )")
            self._depth -= 1
        else:
            node = self._description()
        if self._token.kind in _CONDITION_STARTS:
            condition = self._either()
            node.condition = Every([node.condition, condition]) if node.condition else condition
        return node

    def _node(self) -> NodePattern:
        """Parse the node after a relation, which has conditions of its own in brackets only."""
        if self._token.kind == "(":
            opening = self._next()
            self._deeper(opening)
            node = self._bracketed_node()
            if not self._take(")"):
                self._fail_after_node("a closing )")
            self._depth -= 1
            return node
        return self._description()

    def _description(self) -> NodePattern:
        start = self._token
        negated = self._take("!") is not None
        basic = self._take("@") is not None
        if self._take("="):
            self._no_negation(negated, start, "=")
            return NodePattern(None, same_as=self._reference())
        if self._take("~"):
            self._no_negation(negated, start, "~")
            like = self._reference()
            name = self._declaration() if self._take("=") else None
            return NodePattern(None, like=like, basic=basic, name=name)
        if self._token.kind == "!" and basic:
            self._fail(_A_LABEL, hint="; ! comes before @")
        label = self._label(_LABEL_KINDS, negated=negated, basic=basic)
        groups = self._groups(label)
        name = None
        equals = self._take("=")
        if equals:
            if self._negations:
                self._reject("a node within a negation cannot have a name", equals)
            name = self._declaration()
        return NodePattern(label, name=name, groups=groups)

    def _no_negation(self, negated: bool, start: Token, mark: str) -> None:
        if negated:
            advice = "negate the relation, as in !== =x" if mark == "=" else "negate the relation"
            self._reject(f"! cannot stand before {mark}; {advice}", start)

    def _label(self, kinds: Sequence[str], *, negated: bool, basic: bool) -> LabelTest:
        token = self._take(*kinds)
        if not token:
            hint = ""
            if self._token.kind == "number":
                hint = "; a label that begins with a digit is written /^1990$/"
            elif self._token.kind in ("relation", "through"):
                hint = "; a label with such characters is written as in /^[.]$/"
            self._fail(_A_LABEL, hint=hint)
        if token.kind == "__":
            return AnyLabel(negated=negated, basic=basic)
        if token.kind == "_ROOT_":
            return RootLabel(negated=negated, basic=basic)
        if token.kind == "regex":
            return LabelRegex(self._regex(token), negated=negated, basic=basic)
        labels = frozenset(token.text.rstrip("|").split("|"))
        return LabelList(labels, negated=negated, basic=basic)

    def _regex(self, token: Token) -> Regex:
        try:
            return Regex(token.text[1:-1])
        except re.error as error:
            position = token.start + 1 + (error.pos or 0)
            self._reject(f"not a regular expression: {error.msg}", position)
        except (FutureWarning, OverflowError, RecursionError) as error:
            self._reject(f"not a regular expression: {error}", token)

    def _groups(self, label: LabelTest) -> list[tuple[int, str]]:
        groups = []
        while self._take("#"):
            token = self._expect("number", "the number of a group, as in /(.*)/#1%x")
            number = self._integer(token)
            self._expect("%", "% and a variable, as in /(.*)/#1%x")
            variable = self._expect("label", "the name of a variable, as in /(.*)/#1%x").text
            if isinstance(label, LabelRegex):
                if label.negated:
                    self._reject("a negated regular expression has no groups", token)
                if not 0 <= number <= label.regex.groups:
                    count = label.regex.groups
                    self._reject(f"no such group; the regular expression has {count}", token)
            groups.append((number, variable))
            self._variables[variable] += 1
        return groups

    def _integer(self, token: Token) -> int:
        if len(token.text) > 9:
            self._reject("the number is too large; expected at most 9 digits", token)
        return int(token.text)

    def _declaration(self) -> str:
        token = self._expect("label", "a name")
        if token.text in self._known:
            self._reject(
                f"the name {token.text!r} is given twice; expected a new name, or ={token.text} "
                "alone to refer to the node",
                token,
            )
        self._known.add(token.text)
        self._names.append(token.text)
        return token.text

    def _reference(self) -> str:
        token = self._expect("label", "a name")
        if token.text not in self._known:
            known = ", ".join(sorted(self._known)) or "none yet"
            self._reject(
                f"no node to the left has the name {token.text!r}; expected one of: {known}", token
            )
        return token.text

    # Conditions

    def _either(self) -> Condition:
        before, after = set(self._known), set(self._known)
        parts = [self._every()]
        after |= self._known
        while self._token.kind == "|" and self._condition_follows():
            self._next()
            self._known = set(before)
            parts.append(self._every())
            after |= self._known
        self._known = after
        return parts[0] if len(parts) == 1 else Either(parts)

    def _condition_follows(self) -> bool:
        """Return whether a condition, not a node, follows the |: look behind brackets and !."""
        at = self._at + 1
        if self._tokens[at].kind not in _CONDITION_STARTS:
            return False
        while self._tokens[at].kind in ("(", "!"):
            at += 1
        return self._tokens[at].kind in _CONDITION_STARTS or self._depth > 0

    def _every(self) -> Condition:
        parts = [self._condition()]
        while self._token.kind == "&" or self._token.kind in _CONDITION_STARTS:
            self._take("&")
            parts.append(self._condition())
        return parts[0] if len(parts) == 1 else Every(parts)

    def _condition(self) -> Condition:
        start = self._token
        negated = False
        while self._take("!"):
            negated = True
        optional = self._take("?") is not None
        self._negations += negated
        condition = self._plain_condition(after_option=optional)
        self._negations -= negated
        condition.negated |= negated
        condition.optional |= optional
        if condition.negated and condition.optional:
            self._reject("a condition cannot be both negated and optional", start)
        return condition

    def _plain_condition(self, *, after_option: bool) -> Condition:
        token = self._next()
        if token.kind in ("[", "("):
            self._deeper(token)
            condition = self._either()
            closing = "]" if token.kind == "[" else ")"
            if not self._take(closing):
                self._fail_after_node(f"a closing {closing}")
            self._depth -= 1
            return condition
        if token.kind == "relation":
            return self._related(token)
        if token.kind == "through":
            relation = THROUGH[token.text](self._chain_label(token))
            return Related(relation, self._node())
        if token.kind == "multiple":
            return self._all_children(token)
        self._at -= token.kind != END
        hint = "; ! and ? exclude each other" if after_option and token.kind == "!" else ""
        if token.kind in _LABEL_KINDS:
            hint = "; a list of labels has no spaces, as in NP|VP"
        return self._fail(f"{_A_RELATION}, [ or (", hint=hint)

    def _related(self, token: Token) -> Related:
        number = self._take("number")
        if not number:
            return Related(RELATIONS[token.text], self._node())
        symbol, text = token.text, number.text
        if symbol.endswith("-"):
            symbol, text = symbol[:-1], f"-{text}"
        if symbol not in NUMBERED or text.startswith("--"):
            self._reject(f"{token.text} takes no number; <, <-, >, >- and <<< do", number)
        count = self._integer(number) * (-1 if symbol != token.text else 1)
        if count == 0:
            self._reject("children and words count from 1, and from the end from -1", number)
        return Related(NUMBERED[symbol](count), self._node())

    def _chain_label(self, relation: Token) -> LabelTest:
        """Parse the C of `<+(C)`, in ( ), in [ ], or a regular expression without brackets."""
        opening = self._take("(", "[")
        negated = self._take("!") is not None
        if not opening:
            if self._token.kind != "regex":
                self._fail(f"( after {relation.text}, as in {relation.text}(NP)")
            return self._label(("regex",), negated=negated, basic=False)
        basic = self._take("@") is not None
        label = self._label(("label", "regex", "__"), negated=negated, basic=basic)
        closing = ")" if opening.kind == "(" else "]"
        self._expect(closing, f"{closing}: a chain is described by one label, without relations")
        return label

    def _all_children(self, relation: Token) -> Condition:
        """Parse `<... { A ; B }`: A is the first child, B the second, and there is no third."""
        self._expect("{", "{ after <..., as in <... { NP ; VP }")
        parts: list[Condition] = []
        while not parts or self._take(";"):
            if self._token.kind == "}":
                self._fail(_A_LABEL)
            parts.append(Related(NUMBERED["<"](len(parts) + 1), self._node()))
        if not self._take("}"):
            self._fail("; or }", hint="; put a space before them, for they may be part of a label")
        no_more = Related(NUMBERED["<"](len(parts) + 1), NodePattern(AnyLabel()))
        no_more.negated = True
        return Every([*parts, no_more])
