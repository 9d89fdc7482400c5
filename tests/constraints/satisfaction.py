"""What constraints mean, by brute force over the chains of a tree; and random constraints.

Nothing here knows how plans, goals or transitions work. Every constraint on phrases is a condition
on the chain over each span: its labels from the top down, without the root that the model adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, permutations
from random import Random

from whorl.constraints import Constraint
from whorl.trees import Tree

Span = tuple[int, int]
Chain = tuple[str, ...]


def chains_of(tree: Tree) -> dict[Span, Chain]:
    """Return the labels over each span that has any, from the top down."""
    return {
        span: tuple(label for label, _, _ in group)
        for span, group in groupby(tree.spans(), key=lambda span: (span.left, span.right))
    }


def satisfies(tree: Tree, constraints: Sequence[Constraint], root: str | None = None) -> bool:
    """Return whether a tree satisfies constraints, before the model's root is put above it."""
    words, chains = len(tree.leaves()), chains_of(tree)
    spans = [(left, right) for right in range(1, words + 1) for left in range(right)]
    tags = [each for each in constraints if each.kind == "tag"]
    return all(tree.leaves()[each.left].tag == each.names[0] for each in tags) and all(
        allows(span, chains.get(span, ()), constraints, words, root) for span in spans
    )


def allows(
    span: Span, chain: Chain, constraints: Iterable[Constraint], words: int, root: str | None
) -> bool:
    """Return whether the constraints allow a chain over a span of a sentence of so many words."""
    over_all = span == (0, words)
    added = over_all and root is not None and chain[:1] != (root,)
    shown = (root, *chain) if added else chain
    by_kind = {}
    for each in constraints:
        by_kind.setdefault(each.kind, []).append(each)
    here = {
        kind: [each.names for each in by_kind.get(kind, ()) if (each.left, each.right) == span]
        for kind in ("span", "not_span", "chain")
    }
    if over_all and not chain:
        return False
    labelled = [names for names in here["span"] if names is not None]
    if here["span"] and not shown:
        return False
    if not can_match(labelled, shown):
        return False
    if any(names is None and shown for names in here["not_span"]):
        return False
    if any(label in names for names in here["not_span"] if names for label in shown):
        return False
    if chain and any(crosses(span, (c.left, c.right)) for c in by_kind.get("no_crossing", ())):
        return False
    if any(shown != names and not (added and chain == names) for names in here["chain"]):
        return False
    if over_all and any(not has_root(chain, each.names, root) for each in by_kind.get("root", ())):
        return False
    region = any(c.left <= span[0] and span[1] <= c.right for c in by_kind.get("only", ()))
    if region and not here["chain"]:
        if not labelled:
            return len(chain) <= (bool(here["span"]) or over_all)
        return can_match(chain, labelled, other=True)
    return True


def can_match(items, others, *, other: bool = False) -> bool:
    """Return whether each set of labels has a label of its own; or with `other`, the reverse."""
    if len(items) > len(others):
        return False
    return any(
        all((a in b) if other else (b in a) for a, b in zip(items, chosen, strict=True))
        for chosen in permutations(others, len(items))
    )


def has_root(chain: Chain, names: Chain, root: str | None) -> bool:
    if root is None:
        return chain[0] in names
    child = chain[1] if chain[0] == root and len(chain) > 1 else chain[0]
    return root in names or child in names


def crosses(a: Span, b: Span) -> bool:
    shared = max(a[0], b[0]) < min(a[1], b[1])
    nested = (a[0] <= b[0] and b[1] <= a[1]) or (b[0] <= a[0] and a[1] <= b[1])
    return shared and not nested


def random_constraints(random: Random, words: int, labels: Sequence[str]) -> list[Constraint]:
    """Draw constraints of all kinds on phrases, often contradictory, often on the same words."""
    spans = []
    for _ in range(3):
        left = random.randrange(words)
        spans.append((left, random.randint(left + 1, words)))
    drawn = []
    for _ in range(random.randint(1, 5)):
        span = random.choice([*spans, (0, words)])
        some = random.sample(labels, random.randint(1, len(labels)))
        kind = random.choice(["span"] * 4 + ["not_span"] * 3 + ["no_crossing", "chain", "only"])
        if random.random() < 0.1:
            drawn.append(Constraint.root(some))
        elif kind in ("span", "not_span"):
            label = None if random.random() < 0.4 else some
            drawn.append(getattr(Constraint, kind)(*span, label))
        elif kind == "chain":
            drawn.append(Constraint.chain(*span, random.choices(labels, k=random.randint(1, 2))))
        else:
            drawn.append(getattr(Constraint, kind)(*span))
    return drawn
