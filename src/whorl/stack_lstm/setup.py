"""From a recipe to a stack-LSTM learner: trees, tags, vocabulary and network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import torch

from whorl.errors import RecipeError
from whorl.lexicon.vectors import Vectors
from whorl.oracles import DYNAMIC_ORACLES, static_oracle
from whorl.stack_lstm.jackknife import TagStore
from whorl.stack_lstm.learner import StackLSTMLearner
from whorl.stack_lstm.network import StackLSTM, StackLSTMConfig
from whorl.stack_lstm.settings import StackLSTMSettings, StackLSTMSizes
from whorl.stack_lstm.tagger import Tagger
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.training.learner import Treebank
from whorl.training.recipe import Recipe
from whorl.training.run import Listener
from whorl.training.sources import common_root
from whorl.transitions import Inventory, make_system
from whorl.trees import Leaf, Tree, column_tags, head_rules, read_treebank, strip_root
from whorl.trees.brackets import paused_gc

__all__ = ["check_recipe", "prepare_learner", "tag_store", "with_tags"]


def check_recipe(recipe: Recipe) -> None:
    """Reject settings that the stack-LSTM network does not support."""
    if recipe.treebank:
        raise RecipeError(
            "the stack-LSTM trains on one treebank, not a mix: set data.train, or model.network"
        )
    if recipe.training.substitution:
        raise RecipeError("training.substitution is for the span network: set it to 0")
    for name in ("train", "dev"):
        if recipe.data.tags == "column" and not getattr(recipe.data, f"{name}_tags"):
            raise RecipeError(
                f"data.tags is column, which needs a file of tags: set data.{name}_tags"
            )
    system = recipe.model.system
    if recipe.training.oracle == "dynamic" and system not in DYNAMIC_ORACLES:
        raise RecipeError(
            f"the {system} system has no dynamic oracle: "
            "choose training.oracle = static or another system"
        )


def prepare_learner(
    recipe: Recipe, folder: Path, listener: Listener, *, jobs: int = 1
) -> tuple[StackLSTMLearner, Treebank]:
    """Build the learner and the development set, in this process whatever `jobs` is."""
    vectors = Vectors.read(recipe.data.vectors) if recipe.data.vectors else Vectors.none()
    trees, dev_trees = (list(read_treebank(path)) for path in (recipe.data.train, recipe.data.dev))
    for name, read in (("train", trees), ("dev", dev_trees)):
        if not read:
            raise RecipeError(f"data.{name}: no trees in {getattr(recipe.data, name)}")
    tagger, tags = _tags(recipe, folder, trees, vectors, listener.tagging)
    dev_set = replace(
        with_tags(dev_trees, _dev_tags(recipe, tagger, dev_trees)),
        punctuation={"": recipe.data.punctuation},
    )
    with paused_gc():
        return _stack_lstm(recipe, with_tags(trees, tags), vectors, tagger), dev_set


def tag_store(recipe: Recipe, folder: Path, trees: list[Tree], vectors: Vectors) -> TagStore:
    """Return the store of a run's tags, in the folder that runs share or in its own."""
    return TagStore(
        Path(recipe.data.tagging) if recipe.data.tagging else folder / "tags",
        [tree.leaves() for tree in trees],
        vectors,
        folds=recipe.data.folds,
        seed=recipe.data.tagger_seed,
        device=recipe.training.device,
    )


def _tags(
    recipe: Recipe,
    folder: Path,
    trees: list[Tree],
    vectors: Vectors,
    on_part: Callable[[int, int], None],
) -> tuple[Tagger | None, list[list[str]] | None]:
    """Return the tagger, if any, and the tags of the training sentences, unless they are gold."""
    if recipe.data.tags == "gold":
        return None, None
    if recipe.data.tags == "column":
        return None, column_tags(recipe.data.train_tags, trees)
    return tag_store(recipe, folder, trees, vectors).load(on_part)


def _dev_tags(recipe: Recipe, tagger: Tagger | None, trees: list[Tree]) -> list[list[str]] | None:
    if tagger is not None:
        return tagger.tag([tree.words() for tree in trees])
    return column_tags(recipe.data.dev_tags, trees) if recipe.data.tags == "column" else None


def with_tags(trees: list[Tree], tags: list[list[str]] | None) -> Treebank:
    """Return a treebank whose sentences have these tags, or gold ones."""
    if tags is None:
        return Treebank(trees, [tree.leaves() for tree in trees])
    tagged = [
        [Leaf(tag, leaf.word, leaf.left) for leaf, tag in zip(tree.leaves(), row, strict=True)]
        for tree, row in zip(trees, tags, strict=True)
    ]
    return Treebank(trees, tagged)


def _stack_lstm(
    recipe: Recipe, treebank: Treebank, vectors: Vectors, tagger: Tagger | None
) -> StackLSTMLearner:
    name = recipe.model.system
    heads = head_rules(recipe.model.heads)
    sequences = [static_oracle(strip_root(tree), name, heads=heads) for tree in treebank.trees]
    inventory = Inventory.of(make_system(name), sequences)
    vocabulary = StackLSTMVocabulary.of(treebank.sentences, sequences, inventory, vectors)
    samples = [
        vocabulary.sample(leaves, sequence)
        for leaves, sequence in zip(treebank.sentences, sequences, strict=True)
    ]
    settings = recipe.section(StackLSTMSettings)
    sizes = {item.name: getattr(settings, item.name) for item in fields(StackLSTMSizes)}
    config = StackLSTMConfig(
        words=len(vocabulary.words),
        tags=len(vocabulary.tags),
        symbols=len(vocabulary.symbols),
        transitions=len(inventory),
        vectors=len(vectors.table),
        vector_dim=vectors.dimension,
        **sizes,
    )
    torch.manual_seed(recipe.training.seed)
    model = StackLSTM(config)
    model.set_vectors(vectors.table)
    return StackLSTMLearner(
        model.to(recipe.training.device),
        vocabulary,
        recipe.training,
        treebank,
        samples,
        tagger=tagger,
        root=common_root(treebank.trees),
    )
