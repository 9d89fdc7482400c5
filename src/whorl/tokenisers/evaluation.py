"""How well a tokeniser finds a treebank's tokens and sentences in raw text: F1 by offsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from whorl.detokenisation import RebuiltText
from whorl.tokenisers.protocol import Tokeniser

__all__ = ["Score", "TokeniserScores", "evaluate_tokeniser"]


@dataclass(slots=True)
class Score:
    """Counts of gold, predicted and common items."""

    gold: int = 0
    predicted: int = 0
    common: int = 0

    def add(self, gold: Iterable[Any], predicted: Iterable[Any]) -> None:
        """Count the items of a text."""
        gold_counts, counts = Counter(gold), Counter(predicted)
        self.gold += gold_counts.total()
        self.predicted += counts.total()
        self.common += (gold_counts & counts).total()

    @property
    def f1(self) -> float:
        """F1 in percent."""
        return 200 * self.common / max(self.gold + self.predicted, 1)


@dataclass(frozen=True, slots=True)
class TokeniserScores:
    """The scores of a tokeniser on a text."""

    tokens: Score
    """Tokens with the right beginning and end."""
    words: Score
    """Those that have the right form, too, which is what the parser sees."""
    sentences: Score
    """Sentences whose first and last characters are right."""


def evaluate_tokeniser(tokeniser: Tokeniser, text: RebuiltText) -> TokeniserScores:
    """Compare a tokeniser's tokens and sentences with a treebank's, by offsets in its text."""
    predicted = tokeniser.segment(text.text)
    scores = TokeniserScores(Score(), Score(), Score())
    gold = [token for row in text.sentences for token in row]
    tokens = [token for sentence in predicted for token in sentence.tokens]
    scores.tokens.add([token[1:] for token in gold], [token[1:] for token in tokens])
    scores.words.add(gold, tokens)
    scores.sentences.add(
        [(row[0].start, row[-1].end) for row in text.sentences],
        [(sentence.start, sentence.end) for sentence in predicted],
    )
    return scores
