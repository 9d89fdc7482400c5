"""The public parser: a model folder in, trees out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeAlias

from whorl.bundle import Bundle, SpanBundle, load
from whorl.decoding.driver import decode
from whorl.decoding.span_network import NetworkReader
from whorl.decoding.span_parse import parse_spans
from whorl.errors import ModelError
from whorl.models.stack_lstm_decoder import StackLSTMDecoder
from whorl.training.tagging import Tagger
from whorl.trees import Leaf, Tree, add_root

__all__ = ["Parser", "Sentence"]

Sentence: TypeAlias = Sequence[str] | Sequence[Leaf]
"""Words, which the parser tags, or leaves, which bring their tags."""


class Parser:
    """A trained parser. Words come as lists, one a sentence; trees come back in the same order.

    A model that learnt from several treebanks parses in the convention of one of them, by its name.
    """

    def __init__(self, bundle: Bundle | SpanBundle, *, convention: str | None = None) -> None:
        self._root = bundle.root
        self._network: _Network
        if isinstance(bundle, SpanBundle):
            self._network = _Span(bundle, convention)
        elif convention is not None:
            raise ModelError(f"this model was trained on one treebank: it has no convention {convention!r}")
        else:
            self._network = _StackLSTM(bundle)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu", convention: str | None = None) -> Parser:
        """Read a model folder."""
        return cls(load(folder, device=device), convention=convention)

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
            # Sentences of like length together: they end together.
            order = sorted(range(len(given)), key=lambda number: len(given[number]))
            done = self._network.trees([given[number] for number in order], beam) if order else []
            found = dict(zip(order, done, strict=True))
            trees = iter([self._rooted(found[number]) for number in range(len(given))])
            yield from (next(trees) if len(sentence) else None for sentence in chunk)

    def _rooted(self, tree: Tree) -> Tree:
        return tree if self._root is None else add_root(tree, self._root)


class _Network(Protocol):
    """Either network, ready to parse."""

    def trees(self, sentences: list[Sentence], beam: int) -> list[Tree]:
        """The trees of some sentences, each of one word or more."""


class _Span:
    """The `span` network, which tags words itself; tags that are given are kept."""

    def __init__(self, bundle: SpanBundle, convention: str | None) -> None:
        self._encoder = bundle.encoder
        self._max_unary = bundle.model.config.max_unary
        self._reader = NetworkReader(bundle.model)
        self._treebank = bundle.encoder.treebank(convention or bundle.convention)

    def trees(self, sentences: list[Sentence], beam: int) -> list[Tree]:
        """See `_Network`."""
        words = [[token.word if isinstance(token, Leaf) else token for token in sentence] for sentence in sentences]
        parsed = parse_spans(
            self._reader,
            self._encoder,
            words,
            tags=[[t.tag for t in s if isinstance(t, Leaf)] for s in sentences],
            treebanks=[self._treebank] * len(words),
            max_unary=self._max_unary,
            beam=beam,
        )
        return [tree for tree, _ in parsed]


class _StackLSTM:
    """The stack-LSTM network, with a tagger of its own for words that come without tags."""

    def __init__(self, bundle: Bundle) -> None:
        self._encoder = bundle.encoder
        self._decoder = StackLSTMDecoder(bundle.model)
        self._tagger = None
        if bundle.tagger is not None:
            self._tagger = Tagger.from_state(*bundle.tagger, bundle.encoder.vectors)

    def trees(self, sentences: list[Sentence], beam: int) -> list[Tree]:
        """See `_Network`."""
        return [done.tree for done in decode(self._decoder, self._encoder, self._tagged(sentences), beam=beam)]

    def _tagged(self, sentences: list[Sentence]) -> list[list[Leaf]]:
        """Leaves for every sentence: as given, or of its words with the tagger's tags."""
        untagged = [[str(word) for word in sentence] for sentence in sentences if isinstance(sentence[0], str)]
        if untagged and self._tagger is None:
            raise ModelError("this model was trained with gold tags and has no tagger: give it tagged words")
        tagged = zip(untagged, self._tagger.tag(untagged) if self._tagger is not None else [], strict=True)
        found = iter([[Leaf(tag, word) for word, tag in zip(*pair, strict=True)] for pair in tagged])
        return [
            next(found) if isinstance(sentence[0], str) else [leaf for leaf in sentence if isinstance(leaf, Leaf)]
            for sentence in sentences
        ]
