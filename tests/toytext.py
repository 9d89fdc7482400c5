"""Text of a toy language for tests that train: its words agree, so there is something to learn."""

from __future__ import annotations

import random

_WORDS = {
    "the": (["cat", "dog", "bird", "fish"], ["sees", "likes", "hears"]),
    "two": (["cats", "dogs", "birds", "fishes"], ["see", "like", "hear"]),
}


def toy_sentences(count: int, seed: int = 1) -> list[str]:
    """Sentences such as `the cat sees two dogs .`"""
    chosen = random.Random(seed)
    made = []
    for _ in range(count):
        subject, other = (chosen.choice(list(_WORDS)) for _ in range(2))
        nouns, verbs = _WORDS[subject]
        made.append(
            f"{subject} {chosen.choice(nouns)} {chosen.choice(verbs)} "
            f"{other} {chosen.choice(_WORDS[other][0])} ."
        )
    return made
