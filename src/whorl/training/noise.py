"""Noise in training trees: lower case, typing errors, chat spelling. Only words change.

A tree keeps its tags, its phrases and its number of words, so a parser learns that text may look
like this. All choices depend on the seed and the treebank's name alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from zlib import crc32

import numpy as np

from whorl.trees import Tree, map_words

__all__ = ["CHAT", "NOISES", "add_noise", "change_trees", "chat", "typos"]

Noise = Callable[[Tree, np.random.Generator], Tree]

CHAT: dict[str, tuple[str, ...]] = {
    "you": ("u", "ya"),
    "your": ("ur", "yr"),
    "yours": ("urs",),
    "are": ("r",),
    "'re": ("r", "re"),
    "be": ("b",),
    "why": ("y",),
    "i": ("i",),
    "'m": ("m",),
    "'s": ("s",),
    "'ll": ("ll",),
    "'ve": ("ve",),
    "n't": ("nt",),
    "because": ("'cause", "cause", "cuz", "cos", "bc"),
    "about": ("'bout", "bout"),
    "them": ("'em", "em"),
    "until": ("'til", "til"),
    "though": ("tho",),
    "through": ("thru",),
    "and": ("&", "n"),
    "with": ("w/", "wit"),
    "without": ("w/o",),
    "for": ("4",),
    "to": ("2",),
    "too": ("2",),
    "before": ("b4",),
    "great": ("gr8",),
    "later": ("l8r",),
    "please": ("pls", "plz"),
    "thanks": ("thx", "thanx"),
    "people": ("ppl",),
    "something": ("sth", "somethin"),
    "nothing": ("nothin",),
    "going": ("goin",),
    "doing": ("doin",),
    "what": ("wat", "wut"),
    "the": ("da", "teh"),
    "this": ("dis",),
    "that": ("dat",),
    "okay": ("ok", "k"),
    "yes": ("yep", "yea"),
    "tomorrow": ("tmrw",),
    "tonight": ("2nite",),
    "night": ("nite",),
    "right": ("rite",),
    "know": ("kno",),
    "love": ("luv",),
    "really": ("rly",),
    "probably": ("prob", "prolly"),
    "message": ("msg",),
    "pictures": ("pics",),
}
"""How people write common words of English in chats, in lower case."""

_CHAT_SHARE = 0.7  # of the words that have such a spelling
_TYPO_SHARE = 0.15  # of the words that are long enough
_SHORTEST = 4  # letters of a word that is mistyped; its first letter never is
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS = {
    letter: row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    for row in _ROWS
    for place, letter in enumerate(row)
}


def add_noise(
    trees: Sequence[Tree], shares: Mapping[str, float], *, name: str, seed: int
) -> list[Tree]:
    """Add each kind of `NOISES` to a share of the trees of a treebank."""
    noisy = list(trees)
    change_trees(noisy, len(noisy), shares, name=name, seed=seed)
    return noisy


def change_trees(
    trees: list[Tree] | dict[int, Tree],
    count: int,
    shares: Mapping[str, float],
    *,
    name: str,
    seed: int,
) -> None:
    """Replace a share of `count` trees by noisy ones, in place; the others are not looked up."""
    for kind, noise in NOISES.items():
        random = np.random.default_rng([seed, crc32(f"{kind} {name}".encode())])
        noisy = round(shares.get(kind, 0.0) * count)
        for number in random.permutation(count)[:noisy].tolist():
            trees[number] = noise(trees[number], random)


def lowered(tree: Tree, _: np.random.Generator) -> Tree:
    """Put all words in lower case."""
    return map_words(tree, str.lower)


def typos(tree: Tree, random: np.random.Generator) -> Tree:
    """Mistype some words: two letters swapped, one left out, doubled, or its neighbour's key."""

    def mistype(word: str) -> str:
        if not (word.isalpha() and len(word) >= _SHORTEST) or random.random() > _TYPO_SHARE:
            return word
        place = int(random.integers(1, len(word) - 1))
        before, letter, after = word[:place], word[place], word[place + 1 :]
        keys = _NEIGHBOURS.get(letter, letter)
        wrong = (
            f"{before}{after[0]}{letter}{after[1:]}",
            f"{before}{after}",
            f"{before}{letter}{letter}{after}",
            f"{before}{keys[int(random.integers(len(keys)))]}{after}",
        )
        return wrong[int(random.integers(len(wrong)))]

    return map_words(tree, mistype)


def chat(tree: Tree, random: np.random.Generator) -> Tree:
    """Put all words in lower case, and write most of those in `CHAT` as people do in chats."""

    def respell(word: str) -> str:
        spellings = CHAT.get(word.lower())
        if spellings is None or random.random() > _CHAT_SHARE:
            return word.lower()
        return spellings[int(random.integers(len(spellings)))]

    return map_words(tree, respell)


NOISES: dict[str, Noise] = {"typos": typos, "chat": chat, "lowered": lowered}
"""The kinds of noise, by their keys in a recipe's `[[treebank]]`."""
