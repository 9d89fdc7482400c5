"""The stack-LSTM network ready to parse, in PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from whorl.engine import Parse
from whorl.engine.device import check_device
from whorl.errors import ModelError
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.decoding import decode_nbest
from whorl.stack_lstm.folder import StackLSTMModel
from whorl.stack_lstm.tagger import Tagger
from whorl.trees import Leaf, Tree, add_root

__all__ = ["StackLSTMEngine", "load_engine"]


class StackLSTMEngine:
    """The stack-LSTM network, with a tagger of its own for words that come without tags."""

    def __init__(self, bundle: StackLSTMModel) -> None:
        self._root = bundle.root
        self._encoder = bundle.encoder
        self._decoder = BatchedStackLSTM(bundle.model)
        self._tagger = None
        if bundle.tagger is not None:
            self._tagger = Tagger.from_state(*bundle.tagger, bundle.encoder.vectors)

    def parse_nbest(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], *, beam: int, n_best: int
    ) -> list[list[Parse]]:
        """See `whorl.engine.protocol.Engine`; it tells no probabilities of phrases."""
        found = decode_nbest(
            self._decoder, self._encoder, self._tagged(sentences), beam=beam, n_best=n_best
        )
        return [[Parse(self._rooted(one.tree), one.score) for one in ways] for ways in found]

    def _rooted(self, tree: Tree) -> Tree:
        return tree if self._root is None else add_root(tree, self._root)

    def _tagged(self, sentences: Sequence[Sequence[str] | Sequence[Leaf]]) -> list[list[Leaf]]:
        """Leaves for every sentence: as given, or of its words with the tagger's tags."""
        untagged = [
            [str(word) for word in sentence]
            for sentence in sentences
            if isinstance(sentence[0], str)
        ]
        if untagged and self._tagger is None:
            raise ModelError(
                "this model was trained with tags from elsewhere and has no tagger: give it tagged words"
            )
        tagged = zip(
            untagged, self._tagger.tag(untagged) if self._tagger is not None else [], strict=True
        )
        found = iter(
            [[Leaf(tag, word) for word, tag in zip(*pair, strict=True)] for pair in tagged]
        )
        return [
            next(found)
            if isinstance(sentence[0], str)
            else [leaf for leaf in sentence if isinstance(leaf, Leaf)]
            for sentence in sentences
        ]


def load_engine(
    folder: str | Path, description: dict[str, Any], device: str, convention: str | None
) -> StackLSTMEngine:
    """Load a model folder whose description has been read."""
    if convention is not None:
        raise ModelError(
            f"this model was trained on one treebank: it has no convention {convention!r}"
        )
    check_device(device)
    return StackLSTMEngine(StackLSTMModel.load(folder, device=device))
