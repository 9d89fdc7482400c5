"""How a built model cuts text: a tokeniser learnt from the treebank, and how good it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from whorl.detokenisation import rebuild
from whorl.tokenisers.evaluation import evaluate_tokeniser
from whorl.tokenisers.folder import save_tokeniser
from whorl.tokenisers.learning import LearntTokeniser, learn_tokeniser
from whorl.trees import Leaf, Tree

__all__ = ["TextScores", "Tokenisers", "save_tokenisers"]


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


class Tokenisers:
    """The tokenisers of a build's treebanks, each learnt when it is first asked for."""

    def __init__(
        self,
        train: Mapping[str, Sequence[Tree]],
        *,
        kind: str | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._train = train
        self._kind = kind
        self._say = say
        self._learnt: dict[str, LearntTokeniser] = {}

    @property
    def names(self) -> list[str]:
        """The names of the treebanks."""
        return list(self._train)

    def __getitem__(self, name: str) -> LearntTokeniser:
        if name not in self._learnt:
            trees = self._train[name]
            self._learnt[name] = learn_tokeniser(trees, kind=self._kind, say=self._say)
        return self._learnt[name]


def save_tokenisers(
    folder: Path,
    tokenisers: Tokenisers,
    test: Mapping[str, Sequence[Tree]],
    *,
    default: str = "",
) -> dict[str, TextScores]:
    """Save the tokeniser of each treebank with the model, and measure it on test trees.

    `default` names the treebank whose tokeniser is used unless another convention is asked for.
    """
    scores = {}
    names = tokenisers.names
    for name in names:
        learnt = tokenisers[name]
        if name == default or len(names) == 1:
            save_tokeniser(folder, learnt.tokeniser)
        if len(names) > 1:
            save_tokeniser(folder, learnt.tokeniser, name)
        figures = evaluate_tokeniser(learnt.tokeniser, rebuild(_leaves(test[name]), learnt.rules))
        scores[name] = TextScores(learnt.tokeniser.kind, figures.tokens.f1, figures.sentences.f1)
    return scores


def _leaves(trees: Sequence[Tree]) -> list[tuple[Leaf, ...]]:
    return [tuple(tree.leaves()) for tree in trees]
