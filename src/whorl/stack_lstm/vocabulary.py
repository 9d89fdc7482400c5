"""The vocabulary: numbers for sentences and transitions, saved with a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.stack_lstm.batches import Ints, Sample
from whorl.stack_lstm.trace import Composition, trace
from whorl.transitions import Effect, Inventory, Kind, State, Transition
from whorl.trees import Leaf

__all__ = ["StackLSTMVocabulary", "Symbols"]


class Symbols:
    """Numbers for phrase labels; with `arity`, VP#2 and VP#3 are different ones (§4)."""

    def __init__(self, symbols: Iterable[str], *, arity: bool) -> None:
        self.symbols = ["<unk>", *dict.fromkeys(symbol for symbol in symbols if symbol != "<unk>")]
        self.arity = arity
        self.index = {symbol: number for number, symbol in enumerate(self.symbols)}
        self._cache: dict[tuple[str | None, int], int] = {}

    def __len__(self) -> int:
        return len(self.symbols)

    def name(self, effect: Effect) -> str:
        """Return the symbol of a phrase that is opened or built, such as VP or VP#3."""
        return f"{effect.label}#{effect.arity}" if self.arity else str(effect.label)

    def number(self, effect: Effect) -> int:
        """Return the number of that symbol, 0 if training had none."""
        key = (effect.label, effect.arity if self.arity else 0)
        number = self._cache.get(key)
        if number is None:
            number = self._cache[key] = self.index.get(self.name(effect), 0)
        return number


class StackLSTMVocabulary:
    """Words, tags, vectors, symbols and transitions, each with its number."""

    def __init__(
        self, words: Words, tags: Tags, vectors: Vectors, symbols: Symbols, inventory: Inventory
    ) -> None:
        self.words = words
        self.tags = tags
        self.vectors = vectors
        self.symbols = symbols
        self.inventory = inventory
        self._barred: dict[int, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[Leaf]],
        sequences: Sequence[Sequence[Transition]],
        inventory: Inventory,
        vectors: Vectors,
    ) -> StackLSTMVocabulary:
        """Build the vocabulary of a treebank from its sentences and gold sequences."""
        arity = inventory.system.labels_carry_arity
        symbols = Symbols([], arity=arity)
        seen: set[str] = set()
        for leaves, sequence in zip(sentences, sequences, strict=True):
            for _, effect in follow(inventory, leaves, sequence):
                if effect.label is not None:
                    seen.add(symbols.name(effect))
        return cls(
            Words.of([[leaf.word for leaf in leaves] for leaves in sentences]),
            Tags(sorted({leaf.tag for leaves in sentences for leaf in leaves})),
            vectors,
            Symbols(sorted(seen), arity=arity),
            inventory,
        )

    def sentence(self, leaves: Sequence[Leaf]) -> Ints:
        """Return the numbers of word, tag and vector for each word: (words, 3)."""
        words = [leaf.word for leaf in leaves]
        columns = (
            self.words.encode(words),
            self.tags.encode([leaf.tag for leaf in leaves]),
            self.vectors.encode(words),
        )
        return np.array(columns, dtype=np.int64).T

    def sample(
        self,
        leaves: Sequence[Leaf],
        sequence: Sequence[Transition],
        targets: Sequence[Sequence[Transition]] | None = None,
    ) -> Sample:
        """Return a sequence as arrays; by default each transition is its own target."""
        index = self.inventory.index
        masks, effects, numbers = [], [], []
        for (state, effect), transition in zip(
            follow(self.inventory, leaves, sequence), sequence, strict=True
        ):
            masks.append(self.inventory.mask_number(state))
            effects.append(effect)
            numbers.append(index.get(transition, -1))
        structure = trace(len(leaves), effects)
        symbols = [
            self.symbols.number(new.effect if isinstance(new, Composition) else new)
            for new in structure.created
        ]
        alternatives = (
            [[number] for number in numbers]
            if targets is None
            else [[index.get(transition, -1) for transition in row] for row in targets]
        )
        width = max(map(len, alternatives))
        table = np.array([row + [-1] * (width - len(row)) for row in alternatives], dtype=np.int64)
        # The history shows the start symbol for a transition that the inventory lacks.
        history = [len(self.inventory) if number < 0 else number for number in numbers]
        return Sample.of(self.sentence(leaves), structure, symbols, history, masks, table)

    def mask_table(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Return the sets of legal transitions seen so far, one per row."""
        return np.array(self.inventory.masks, dtype=np.bool_)

    def barred(self, mask: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """Return one of these sets to add to scores: 0 if legal, else minus infinity."""
        row = self._barred.get(mask)
        if row is None:
            row = self._barred[mask] = np.where(
                self.inventory.masks[mask], np.float32(0), np.float32(-np.inf)
            )
        return row


def follow(
    inventory: Inventory, leaves: Sequence[Leaf], sequence: Iterable[Transition]
) -> Iterable[tuple[State, Effect]]:
    """Yield the states of a sequence, each with the effect of its next transition."""
    system = inventory.system
    state = system.initial(leaves)
    for transition in sequence:
        yield state, system.effect(state, transition)
        if transition.name != Kind.FINISH.name:
            state = system.apply(state, transition)
