"""The public parser: a model folder in, trees out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from whorl.bundle import Bundle
from whorl.decoding import decode
from whorl.decoding.tagger import Tagger
from whorl.errors import ModelError
from whorl.models.stack_lstm_decoder import StackLSTMDecoder
from whorl.trees import Leaf, Tree, add_root

__all__ = ["Parser", "Sentence"]

Sentence: TypeAlias = Sequence[str] | Sequence[Leaf]
"""Words, which the parser tags, or leaves, which bring their tags."""


class Parser:
    """A trained parser. Words come as lists, one a sentence; trees come back in the same order."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._decoder = StackLSTMDecoder(bundle.model)
        self._tagger = None
        if bundle.tagger is not None:
            self._tagger = Tagger.from_state(*bundle.tagger, bundle.encoder.vectors)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> Parser:
        """Read a model folder."""
        return cls(Bundle.load(folder, device=device))

    def parse(self, sentence: Sentence, *, beam: int = 1) -> Tree:
        """Parse one sentence."""
        tree = next(self.pipe([sentence], beam=beam))
        if tree is None:
            raise ModelError("cannot parse a sentence of no words")
        return tree

    def pipe(self, sentences: Iterable[Sentence], *, batch_size: int = 128, beam: int = 1) -> Iterator[Tree | None]:
        """Parse many sentences, in batches, in bounded memory; None for a sentence of no words."""
        waiting = iter(sentences)
        while chunk := list(islice(waiting, batch_size)):
            given = [sentence for sentence in chunk if len(sentence)]
            leaves = self._tagged(given)
            # Sentences of like length together: they end together.
            order = sorted(range(len(leaves)), key=lambda number: len(leaves[number]))
            done = decode(self._decoder, self._bundle.encoder, [leaves[n] for n in order], beam=beam) if order else []
            found = dict(zip(order, done, strict=True))
            trees = iter([self._rooted(found[number].tree) for number in range(len(leaves))])
            yield from (next(trees) if len(sentence) else None for sentence in chunk)

    def _rooted(self, tree: Tree) -> Tree:
        return tree if self._bundle.root is None else add_root(tree, self._bundle.root)

    def _tagged(self, sentences: list[Sentence]) -> list[list[Leaf]]:
        """Leaves for every sentence: as given, or of its words with the tagger's tags."""
        untagged = [[str(word) for word in sentence] for sentence in sentences if isinstance(sentence[0], str)]
        if untagged and self._tagger is None:
            raise ModelError("this model was trained with tags from elsewhere and has no tagger: give it tagged words")
        tagged = zip(untagged, self._tagger.tag(untagged) if self._tagger is not None else [], strict=True)
        found = iter([[Leaf(tag, word) for word, tag in zip(*pair, strict=True)] for pair in tagged])
        return [
            next(found) if isinstance(sentence[0], str) else [leaf for leaf in sentence if isinstance(leaf, Leaf)]
            for sentence in sentences
        ]
