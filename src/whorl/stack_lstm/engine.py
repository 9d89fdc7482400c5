"""The stack-LSTM network as a parsing engine."""

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
    """The stack-LSTM network, with its tagger for words that come without tags."""

    def __init__(self, model: StackLSTMModel) -> None:
        self._root = model.root
        self._vocabulary = model.vocabulary
        self._network = BatchedStackLSTM(model.network)
        self._tagger = None
        if model.tagger is not None:
            self._tagger = Tagger.from_state(*model.tagger, model.vocabulary.vectors)

    def parse_nbest(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], *, beam: int, n_best: int
    ) -> list[list[Parse]]:
        """See `whorl.engine.protocol.Engine`; there are no probabilities of phrases."""
        parses = decode_nbest(
            self._network, self._vocabulary, self._tagged(sentences), beam=beam, n_best=n_best
        )
        return [[Parse(self._rooted(one.tree), one.score) for one in best] for best in parses]

    def _rooted(self, tree: Tree) -> Tree:
        return tree if self._root is None else add_root(tree, self._root)

    def _tagged(self, sentences: Sequence[Sequence[str] | Sequence[Leaf]]) -> list[list[Leaf]]:
        """Return every sentence as leaves; the tagger tags those that are words."""
        untagged = [
            [str(word) for word in sentence]
            for sentence in sentences
            if isinstance(sentence[0], str)
        ]
        if untagged and self._tagger is None:
            raise ModelError(
                "this model has no tagger, since it was trained with tags from another source: "
                "give it tagged words"
            )
        tags = [] if self._tagger is None else self._tagger.tag(untagged)
        predicted = iter(
            [
                [Leaf(tag, word) for word, tag in zip(*pair, strict=True)]
                for pair in zip(untagged, tags, strict=True)
            ]
        )
        return [
            next(predicted)
            if isinstance(sentence[0], str)
            else [leaf for leaf in sentence if isinstance(leaf, Leaf)]
            for sentence in sentences
        ]


def load_engine(
    folder: str | Path, description: dict[str, Any], device: str, convention: str | None
) -> StackLSTMEngine:
    """Load a model folder; see `whorl.networks.Network.engine`."""
    if convention is not None:
        raise ModelError(
            f"this model was trained on one treebank and has no convention {convention!r}"
        )
    check_device(device)
    return StackLSTMEngine(StackLSTMModel.load(folder, device=device))
