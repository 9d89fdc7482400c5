"""States, transitions, and the protocol that the four systems share.

A state is the paper's configuration (§3): a stack, a buffer position and whether parsing has finished. States are
immutable and share their stacks, so that keeping many of them (beams, exploration, proofs) costs little.
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
]

MAX_UNARY = 8  # phrases over one another on one span; the longest chain in thirteen treebanks has 5


class Transition(NamedTuple):
    """A transition: its name, the label it carries, and for a non-binary reduce the number of children."""

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

    `chain` is what the bounds look at: of a complete phrase, how many phrases with one child stand over one another
    from it down; of a phrase that top-down parsing opened, how many were opened in a row.
    """

    __slots__ = ("below", "chain", "item", "opens", "size")

    def __init__(self, item: Item, below: Stack | None, chain: int = 0) -> None:
        self.item = item
        self.below = below
        self.chain = chain
        self.size: int = 1 if below is None else below.size + 1
        self.opens: int = (0 if below is None else below.opens) + (type(item) is OpenPhrase)

    def __iter__(self) -> Iterator[Item]:
        """The items, topmost first."""
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

    def items(self) -> list[Item]:
        """The stack's items, topmost first."""
        return [] if self.stack is None else list(self.stack)

    def shifted(self) -> State:
        """The state after the next word has moved to the stack."""
        return State(self.leaves, self.buffer + 1, Stack(self.leaves[self.buffer], self.stack))

    def pushed(self, item: Item, below: Stack | None, chain: int = 0) -> State:
        """The state with this item on top of that stack."""
        return State(self.leaves, self.buffer, Stack(item, below, chain))


class System(ABC):
    """A transition system: pure functions on states. It never scores anything.

    From every reachable state that is not final some transition is legal, and every final state holds exactly one
    tree over all words.
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
        """The state before the first transition: nothing on the stack, every word in the buffer."""
        if not leaves:
            raise TransitionError("a sentence needs at least one word")
        return State(tuple(leaf.at(i) for i, leaf in enumerate(leaves)), 0, None)

    @abstractmethod
    def legal(self, state: State) -> list[Transition]:
        """Every legal transition over the system's labels."""

    @abstractmethod
    def is_legal(self, state: State, transition: Transition) -> bool:
        """Whether the transition may be applied; its label need not be one of the system's."""

    @abstractmethod
    def effect(self, state: State, transition: Transition) -> Effect:
        """What the transition does, in neutral terms."""

    @abstractmethod
    def is_final(self, state: State) -> bool:
        """Whether parsing has ended."""

    @abstractmethod
    def signature(self, state: State) -> Hashable:
        """What legality depends on: states of one signature have the same legal transitions."""

    @abstractmethod
    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """What must be added to an inventory, most frequent transition first, so that no state is a dead end."""

    @abstractmethod
    def next(self, state: State, transition: Transition) -> State:
        """The state after a transition that is known to be legal: `apply` without the question."""

    def apply(self, state: State, transition: Transition) -> State:
        """The state after the transition; `TransitionError` where it is not legal."""
        carries_label = transition.name in self.phrase_names
        if carries_label is (transition.label is None) or not self.is_legal(state, transition):
            raise TransitionError(self._why_not(state, transition))
        return self.next(state, transition)

    def tree(self, state: State) -> Tree:
        """The tree that a final state holds."""
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
        """A state in a few words, for messages."""
        words = len(state.leaves)
        bounds = "".join(
            f", {name} = {value}" for name, value in vars(self).items() if name.startswith("max_")
        )
        return f"{state.size} items on the stack and {words - state.buffer} of {words} words in the buffer{bounds}"


def labels_of(transitions: Iterable[Transition], name: str) -> list[str]:
    """The labels that the transitions of that name carry, in order, each once."""
    return list(
        dict.fromkeys(t.label for t in transitions if t.name == name and t.label is not None)
    )


def take(stack: Stack | None, count: int) -> tuple[tuple[Node, ...], Stack | None]:
    """The `count` topmost items, in sentence order, and the stack below them."""
    children: list[Node] = []
    for _ in range(count):
        if stack is None:
            raise TransitionError(f"cannot take {count} items from a stack of {len(children)}")
        children.append(stack.item)  # type: ignore[arg-type] # callers take complete items only
        stack = stack.below
    children.reverse()
    return tuple(children), stack


def phrase(label: str, children: tuple[Node, ...]) -> Tree:
    """A phrase over neighbours taken from a stack."""
    return make_tree(label, children, children[0].left, children[-1].right)


def is_single_phrase(state: State) -> bool:
    """Whether every word is read and the stack is one complete phrase."""
    stack = state.stack
    return (
        stack is not None and stack.below is None and state.exhausted and type(stack.item) is Tree
    )
