"""The stack-LSTM network as a parsing engine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from whorl.constraints import Grammar, Plan
from whorl.engine import Parse
from whorl.engine.device import check_device
from whorl.errors import ConstraintError, ModelError
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.decoding import decode_nbest
from whorl.stack_lstm.folder import StackLSTMModel
from whorl.stack_lstm.tagger import Tagger
from whorl.transitions.nonbinary import NonBinary
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

    def grammar(self) -> Grammar:
        """See `whorl.engine.protocol.Engine`."""
        inventory = self._vocabulary.inventory
        if not isinstance(inventory.system, NonBinary):
            raise ConstraintError(
                f"constraints need the {NonBinary.name} system, and this model has the "
                f"{inventory.system.name} system: train a model with model.system={NonBinary.name}"
            )
        labels = {each.label for each in inventory.transitions if each.label is not None}
        return Grammar(tuple(sorted(labels)), self._root, inventory.system.max_unary)

    def parse_nbest(
        self,
        sentences: Sequence[Sequence[str] | Sequence[Leaf]],
        *,
        beam: int,
        n_best: int,
        plans: Sequence[Plan | None] | None = None,
    ) -> list[list[Parse]]:
        """See `whorl.engine.protocol.Engine`; there are no probabilities of phrases."""
        restricting = plans
        if plans is not None:
            restricting = [plan if plan and plan.restricts_phrases else None for plan in plans]
        parses = decode_nbest(
            self._network,
            self._vocabulary,
            self._tagged(sentences, plans or [None] * len(sentences)),
            beam=beam,
            n_best=n_best,
            plans=restricting,
        )
        return [[Parse(self._rooted(one.tree), one.score) for one in best] for best in parses]

    def _rooted(self, tree: Tree) -> Tree:
        return tree if self._root is None else add_root(tree, self._root)

    def _tagged(
        self,
        sentences: Sequence[Sequence[str] | Sequence[Leaf]],
        plans: Sequence[Plan | None],
    ) -> list[list[Leaf]]:
        """Return every sentence as leaves, whose tags are those that come with it or constraints.

        The tagger tags words in sentences that have other words as well.
        """
        leaves = [
            _with_known_tags(sentence, plan)
            for sentence, plan in zip(sentences, plans, strict=True)
        ]
        untagged = [
            [str(word) for word in sentence]
            for sentence, known in zip(sentences, leaves, strict=True)
            if known is None
        ]
        if untagged and self._tagger is None:
            raise ModelError(
                "this model has no tagger, since it was trained with tags from another source: "
                "give it tagged words"
            )
        predicted = iter([] if self._tagger is None else self._tagger.tag(untagged))
        return [
            known if known is not None else _leaves(sentence, next(predicted), plan)
            for sentence, known, plan in zip(sentences, leaves, plans, strict=True)
        ]


def _with_known_tags(
    sentence: Sequence[str] | Sequence[Leaf], plan: Plan | None
) -> list[Leaf] | None:
    """Return the leaves of a sentence whose tags are all known, else None."""
    if not isinstance(sentence[0], str):
        return [leaf for leaf in sentence if isinstance(leaf, Leaf)]
    if plan is not None and len(plan.tags) == len(sentence):
        return _leaves(sentence, [""] * len(sentence), plan)
    return None


def _leaves(
    words: Sequence[str] | Sequence[Leaf], tags: Sequence[str], plan: Plan | None
) -> list[Leaf]:
    if plan is not None:
        tags = plan.tagged(tags)
    return [Leaf(tag, str(word)) for word, tag in zip(words, tags, strict=True)]


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
