"""One way of parsing a sentence: its tree and how probable it is."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from whorl.documents.calibration import Calibration
from whorl.trees import Leaf, Tree

__all__ = ["Parse"]

RAW = Calibration()


@dataclass(frozen=True, slots=True)
class Parse:
    """A tree with its log-probability and, from the `span` network, those of the steps that built it.

    A tree is built by one sequence of transitions and no other: from left to right, each word shifted, each phrase
    reduced after its last child, and FINISH. So steps need no names.
    """

    tree: Tree
    log_probability: float
    steps: array[float] | None = None
    calibration: Calibration = RAW

    def probabilities(self) -> list[float] | None:
        """How probable it is that each phrase is right, in the order of `tree.phrases()`; None where it is not known.

        A root that was put above the tree, since all trees of the treebank have it, is certain.
        """
        if self.steps is None:
            return None
        reduces, order = self._reduces()
        found = [1.0] * len(order)
        for place, probability in zip(order, self.calibration.probabilities(reduces), strict=False):
            found[place] = probability
        return found

    def _reduces(self) -> tuple[list[float], list[int]]:
        """The log-probabilities of reduces, and the places of all phrases among `tree.phrases()`, children first."""
        reduces: list[float] = []
        order: list[int] = []
        steps = iter(self.steps or ())
        pending: list[Tree | Leaf | int] = [self.tree]
        count = 0
        while pending:
            node = pending.pop()
            if type(node) is Tree:
                pending.append(count)
                pending.extend(node.children[::-1])
                count += 1
            elif type(node) is int:
                reduces.append(next(steps))
                order.append(node)
            else:
                next(steps)
        if next(steps, None) is None:  # the last step was FINISH, not a reduce: the root was put above
            reduces.pop()
        return reduces, order
