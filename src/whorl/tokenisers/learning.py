"""Learning a tokeniser from trees: which kind suits the treebank, and training it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from whorl.detokenisation import JoiningRules, RebuiltText, find_rules, rebuild
from whorl.errors import TextError
from whorl.tokenisers.features import sentence_marks
from whorl.tokenisers.inventory import Inventory
from whorl.tokenisers.network import Layer
from whorl.tokenisers.observation import (
    Cuts,
    clean_rebuilt,
    observe,
    observe_forms,
    observe_words,
    token_ends,
)
from whorl.tokenisers.penn import PennTokeniser
from whorl.tokenisers.trained import TrainedTokeniser, make_features, make_splitter
from whorl.tokenisers.training import Examples, TrainingSettings, train_network
from whorl.trees import Leaf, Tree

__all__ = ["LearntTokeniser", "choose_kind", "learn_tokeniser"]

_SETTINGS = {
    "unicode": TrainingSettings(
        rows=1 << 13,
        embedding=32,
        hidden=96,
        layers=(Layer(7), Layer(5)),
        visits=2_500_000,
        most_epochs=20,
    ),
    "learned": TrainingSettings(
        rows=1 << 14,
        embedding=32,
        hidden=96,
        layers=(Layer(5), Layer(5, 2), Layer(5, 4)),
        visits=4_000_000,
        most_epochs=15,
    ),
}
_SMALL = 20_000
"""Units: a treebank that has fewer gets a smaller network."""
# Tokens that end inside words where no affix explains it: the words are cut by meaning.
_MANY_CUTS = 0.01  # of all tokens
_LEAST_KNOWN = 0.9  # of these cuts


@dataclass(frozen=True, slots=True)
class LearntTokeniser:
    """A tokeniser, the rules by which its text was rebuilt, and why it is of its kind."""

    tokeniser: PennTokeniser | TrainedTokeniser
    rules: JoiningRules
    reason: str
    unknown: tuple[tuple[int, str], ...]
    """Tokens whose surface is not known: the number of the tree from 1, and the form."""


def learn_tokeniser(
    trees: Iterable[Tree],
    *,
    kind: str | None = None,
    rules: JoiningRules | None = None,
    seed: int = 1,
    visits: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> LearntTokeniser:
    """Learn how a treebank's text is cut into its tokens and sentences.

    Text is rebuilt from the trees by the joining rules, by default those of `find_rules`. The kind
    is `unicode` for languages with spaces, `learned` for others and for treebanks whose tokens are
    parts of words; `penn`, for English, must be asked for.
    """
    sentences = [tuple(tree.leaves()) for tree in trees]
    if not sentences:
        raise TextError("a tokeniser cannot be learnt from no trees")
    if kind == "penn":
        hyphens = _splits_hyphens(sentences)
        return LearntTokeniser(
            PennTokeniser("split" if hyphens else "keep"),
            rules or find_rules(sentences),
            "asked for",
            (),
        )
    rules = rules or find_rules(sentences)
    rebuilt = rebuild(sentences, rules)
    text = clean_rebuilt(rebuilt)
    cuts = observe(text, rules.joiner)
    chosen, reason = choose_kind(text, rules, cuts)
    if kind is not None:
        if kind not in _SETTINGS:
            raise TextError(
                f"no kind of tokeniser is {kind!r}: expected penn, {', '.join(_SETTINGS)}"
            )
        chosen, reason = kind, "asked for"
    say(f"tokeniser: {chosen} ({reason}); joining rules: {rules.name}")
    settings = replace(_SETTINGS[chosen], seed=seed)
    if visits is not None:
        settings = replace(settings, visits=visits)
    tokeniser = _train(chosen, text, cuts.inventory, settings, say)
    return LearntTokeniser(tokeniser, rules, reason, rebuilt.unknown)


def choose_kind(text: RebuiltText, rules: JoiningRules, cuts: Cuts) -> tuple[str, str]:
    """Return the kind of tokeniser that suits a treebank, and why."""
    if not rules.spaces:
        return "learned", "the script has no spaces"
    tokens = sum(map(len, text.sentences))
    if cuts.total > _MANY_CUTS * tokens and cuts.known < _LEAST_KNOWN * cuts.total:
        share = 100 * (cuts.total - cuts.known) / tokens
        return "learned", f"{share:.1f} % of the tokens end inside a word, without a known affix"
    return "unicode", "the script has spaces"


def _splits_hyphens(sentences: Sequence[Sequence[Leaf]]) -> bool:
    """Return whether a Penn treebank cuts words at hyphens: it has a tag for them."""
    return any(leaf.tag == "HYPH" for leaves in sentences for leaf in leaves)


def _train(
    kind: str,
    text: RebuiltText,
    inventory: Inventory,
    settings: TrainingSettings,
    say: Callable[[str], None],
) -> TrainedTokeniser:
    units = make_splitter(kind, inventory).units(text.text)
    if kind == "learned":
        inventory = replace(inventory, suffixes=frozenset(), prefixes=frozenset(), contractions={})
    inventory = replace(
        inventory,
        forms=observe_forms(text, units, inventory),
        words=observe_words(text, units, phrases=kind == "unicode"),
    )
    if len(units) < _SMALL:
        settings = replace(settings, rows=settings.rows // 4, hidden=settings.hidden // 2)
    features = make_features(kind, settings.rows, inventory)
    ends = np.zeros((len(units), 2), np.float32)
    ends[:, 0] = token_ends(units, text)
    last = {row[-1].end for row in text.sentences}
    ends[:, 1] = [unit.end in last for unit in units]
    ends[:, 1] *= ends[:, 0]
    starts = np.flatnonzero(ends[:, 1]) + 1
    examples = Examples(
        features.ids(units, sentence_marks(text.text)),
        ends,
        np.concatenate([[0], starts]),
        features.edges,
    )
    network = train_network(examples, settings, features.dropped, say)
    return TrainedTokeniser(kind, inventory, network)
