"""How a built model cuts text: a tokeniser learnt from the treebank, and how good it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from whorl.detokenisation import rebuild
from whorl.tokenisers.evaluation import evaluate_tokeniser
from whorl.tokenisers.folder import save_tokeniser
from whorl.tokenisers.learning import learn_tokeniser
from whorl.trees import Leaf, Tree

__all__ = ["TextScores", "learn_tokenisers"]


@dataclass(frozen=True, slots=True)
class TextScores:
    """F1 of tokens and sentences, in percent, on raw text rebuilt from trees."""

    kind: str
    """Of the tokeniser."""
    tokens: float
    sentences: float

    def to_dict(self) -> dict[str, str | float]:
        """Return the figures by name, for JSON."""
        return asdict(self)


def learn_tokenisers(
    folder: Path,
    train: Mapping[str, Sequence[Tree]],
    test: Mapping[str, Sequence[Tree]],
    *,
    kind: str | None = None,
    default: str = "",
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, TextScores]:
    """Learn a tokeniser for each treebank, save it with the model, and measure it.

    `default` names the treebank whose tokeniser is used unless another convention is asked for.
    """
    scores = {}
    for name, trees in train.items():
        learnt = learn_tokeniser(trees, kind=kind, say=say)
        if name == default or len(train) == 1:
            save_tokeniser(folder, learnt.tokeniser)
        if len(train) > 1:
            save_tokeniser(folder, learnt.tokeniser, name)
        figures = evaluate_tokeniser(learnt.tokeniser, rebuild(_leaves(test[name]), learnt.rules))
        scores[name] = TextScores(learnt.tokeniser.kind, figures.tokens.f1, figures.sentences.f1)
    return scores


def _leaves(trees: Sequence[Tree]) -> list[tuple[Leaf, ...]]:
    return [tuple(tree.leaves()) for tree in trees]
