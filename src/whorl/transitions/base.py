"""States, transitions, and the protocol that all transition systems share.

A state is the paper's configuration (§3): a stack, a buffer position, and whether parsing has
finished. States are immutable and share their stacks, so keeping many of them (beams, exploration,
proofs) costs little.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

from whorl.errors import TransitionError
from whorl.transitions.effects import Effect
from whorl.trees import Leaf, Node, Tree
from whorl.trees.tree import make_tree

__all__ = [
    "FINISH",
    "MAX_UNARY",
    "SHIFT",
    "Item",
    "OpenPhrase",
    "Stack",
    "State",
    "System",
    "Transition",
    "UnaryBoundedSystem",
    "innermost_open",
    "labels_of",
    "make_phrase",
]

MAX_UNARY = 8
"""The default bound on unary phrases over one another; the longest chain in thirteen treebanks is
5."""


class Transition(NamedTuple):
    """A transition: its name, its label if any, and a non-binary reduce's number of children."""

    name: str
    label: str | None = None
    arity: int = 0

    def __str__(self) -> str:
        text = self.name if self.label is None else f"{self.name}-{self.label}"
        return f"{text}#{self.arity}" if self.arity else text


SHIFT = Transition("SHIFT")
FINISH = Transition("FINISH")


class OpenPhrase(NamedTuple):
    """A phrase on the stack whose label is decided and whose end is not."""

    label: str
    left: int


Item: TypeAlias = Node | OpenPhrase


class Stack:
    """A stack of items as a linked list: pushing shares what lies below.

    `chain` is what the bounds count. For a complete phrase: the unary phrases over one another,
    from it down. For a phrase opened top-down: the phrases opened in a row.
    """

    __slots__ = ("below", "chain", "item", "opens", "size")

    def __init__(self, item: Item, below: Stack | None, chain: int = 0) -> None:
        self.item = item
        self.below = below
        self.chain = chain
        self.size: int = 1 if below is None else below.size + 1
        self.opens: int = (0 if below is None else below.opens) + (type(item) is OpenPhrase)

    def __iter__(self) -> Iterator[Item]:
        """Iterate over the items, topmost first."""
        cell: Stack | None = self
        while cell is not None:
            yield cell.item
            cell = cell.below


class State(NamedTuple):
    """A parser's configuration: stack, index of the next word, and whether FINISH was applied."""

    leaves: tuple[Leaf, ...]
    buffer: int
    stack: Stack | None
    finished: bool = False

    @property
    def size(self) -> int:
        """The number of items on the stack."""
        return 0 if self.stack is None else self.stack.size

    @property
    def exhausted(self) -> bool:
        """Whether every word has been shifted."""
        return self.buffer == len(self.leaves)

    @property
    def is_single_phrase(self) -> bool:
        """Whether every word has been shifted and the stack is one complete phrase."""
        stack = self.stack
        return (
            stack is not None
            and stack.below is None
            and self.buffer == len(self.leaves)
            and type(stack.item) is Tree
        )

    def items(self) -> list[Item]:
        """Return the stack's items, topmost first."""
        return [] if self.stack is None else list(self.stack)

    def shifted(self) -> State:
        """Return the state after the next word has moved to the stack."""
        return State(self.leaves, self.buffer + 1, Stack(self.leaves[self.buffer], self.stack))

    def pushed(self, item: Item, below: Stack | None, chain: int = 0) -> State:
        """Return the state whose stack is `item` on top of `below`."""
        return State(self.leaves, self.buffer, Stack(item, below, chain))

    def reduced(self, label: str, arity: int) -> State:
        """Return the state after the `arity` topmost items have become one phrase."""
        top = below = self.stack
        children: list[Node] = []
        for _ in range(arity):
            if below is None:
                raise TransitionError(f"cannot take {arity} items from a stack of {len(children)}")
            children.append(below.item)  # type: ignore[arg-type] # callers take complete items only
            below = below.below
        children.reverse()
        chain = top.chain + 1 if arity == 1 and top is not None else 0
        return self.pushed(make_phrase(label, tuple(children)), below, chain)


class System(ABC):
    """A transition system: pure functions on states. It never scores anything.

    Every reachable state that is not final has a legal transition, and every final state holds
    exactly one tree over all words.
    """

    name: ClassVar[str]
    phrase_names: ClassVar[tuple[str, ...]]
    """The names of the transitions that carry a label."""
    plain_names: ClassVar[tuple[str, ...]]
    """The names of the transitions that carry none."""
    labels_carry_arity: ClassVar[bool] = False
    """Whether a labelled transition also carries the number of children of its phrase."""

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self.labels = tuple(dict.fromkeys(labels))
        """The phrase labels that `legal` enumerates, without repetition."""

    def initial(self, leaves: Sequence[Leaf]) -> State:
        """Return the state before the first transition: empty stack, every word in the buffer."""
        if not leaves:
            raise TransitionError("a sentence needs at least one word")
        return State(tuple(leaf.at(i) for i, leaf in enumerate(leaves)), 0, None)

    @abstractmethod
    def legal(self, state: State) -> list[Transition]:
        """Return every legal transition over the system's labels."""

    @abstractmethod
    def is_legal(self, state: State, transition: Transition) -> bool:
        """Return whether the transition may be applied; its label may be any, known or not."""

    @abstractmethod
    def effect(self, state: State, transition: Transition) -> Effect:
        """Return what the transition does, in system-neutral terms."""

    @abstractmethod
    def signature(self, state: State) -> Hashable:
        """Return what legality depends on: states of one signature have equal legal transitions."""

    @abstractmethod
    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Return what an inventory needs besides these transitions so that no state is a dead end.

        The transitions come most frequent first.
        """

    @abstractmethod
    def next(self, state: State, transition: Transition) -> State:
        """Return the state after a transition known to be legal: `apply` without the check."""

    def is_final(self, state: State) -> bool:
        """Return whether parsing has ended: after FINISH, unless a system has none."""
        return state.finished

    def apply(self, state: State, transition: Transition) -> State:
        """Return the state after the transition; raise `TransitionError` if it is not legal."""
        carries_label = transition.name in self.phrase_names
        if carries_label is (transition.label is None) or not self.is_legal(state, transition):
            raise TransitionError(self._why_not(state, transition))
        return self.next(state, transition)

    def tree(self, state: State) -> Tree:
        """Return the tree of a final state."""
        if not self.is_final(state) or state.stack is None or type(state.stack.item) is not Tree:
            raise TransitionError(
                f"no tree yet: {state.size} items on the stack, parsing has not ended"
            )
        return state.stack.item

    def run(self, leaves: Sequence[Leaf], transitions: Iterable[Transition]) -> Tree:
        """Apply a whole sequence to a sentence and return its tree."""
        state = self.initial(leaves)
        for transition in transitions:
            state = self.apply(state, transition)
        return self.tree(state)

    def parse(self, text: str) -> Transition:
        """Read a transition back from its name."""
        if text in self.plain_names:
            return Transition(text)
        for name in self.phrase_names:
            if text.startswith(name + "-"):
                return Transition(name, text[len(name) + 1 :])
        raise TransitionError(
            f"unknown transition {text!r} in the {self.name} system: expected one of "
            + ", ".join((*self.plain_names, *(f"{name}-X" for name in self.phrase_names)))
        )

    def _why_not(self, state: State, transition: Transition) -> str:
        if self.is_final(state):
            return f"{transition} is not legal in the {self.name} system: parsing has ended"
        return f"{transition} is not legal in the {self.name} system with {self.describe(state)}"

    def describe(self, state: State) -> str:
        """Describe a state in a few words, for messages."""
        words = len(state.leaves)
        bounds = "".join(
            f", {name} = {value}" for name, value in vars(self).items() if name.startswith("max_")
        )
        return (
            f"{state.size} items on the stack and {words - state.buffer} of {words} words "
            f"in the buffer{bounds}"
        )


class UnaryBoundedSystem(System):
    """A system in which at most `max_unary` unary phrases may stand over one another."""

    def __init__(self, labels: Iterable[str] = (), *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels)
        if max_unary < 1:
            raise TransitionError(
                f"max_unary must be at least 1, not {max_unary}: one word needs a phrase over it"
            )
        self.max_unary = max_unary


def labels_of(transitions: Iterable[Transition], name: str) -> list[str]:
    """Return the labels of the transitions of that name, in order, each once."""
    return list(
        dict.fromkeys(t.label for t in transitions if t.name == name and t.label is not None)
    )


def innermost_open(stack: Stack | None) -> tuple[OpenPhrase, list[Node], Stack | None]:
    """Find the innermost open phrase.

    Returns the phrase, the complete items above it in sentence order, and the stack below it.
    """
    above: list[Node] = []
    while stack is not None:
        item = stack.item
        stack = stack.below
        if type(item) is OpenPhrase:
            above.reverse()
            return item, above, stack
        above.append(item)  # type: ignore[arg-type] # only open phrases are not nodes
    raise TransitionError("no phrase is open")


def make_phrase(label: str, children: tuple[Node, ...]) -> Tree:
    """Make a phrase over neighbouring items of a stack."""
    return make_tree(label, children, children[0].left, children[-1].right)
