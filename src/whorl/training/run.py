"""A whole training run: from a recipe to a model folder that can be taken up again at any time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from whorl.data.encoder import Encoder
from whorl.data.vectors import Vectors
from whorl.decoding.tagger import Tagger
from whorl.errors import ModelError, RecipeError
from whorl.files import replaced, write_json
from whorl.models.stack_lstm import StackLSTM, StackLSTMConfig
from whorl.oracles import static_oracle
from whorl.training.chart import line_chart
from whorl.training.checkpoint import Progress, load_checkpoint, save_checkpoint
from whorl.training.jackknife import TagStore
from whorl.training.learner import Learner, Treebank
from whorl.training.loop import Epoch, Trainer
from whorl.training.recipe import Recipe
from whorl.training.sources import common_root
from whorl.training.span_run import span_learner
from whorl.training.stack_lstm import StackLSTMLearner
from whorl.transitions import Inventory, make_system
from whorl.trees import Leaf, Tree, column_tags, head_rules, read_treebank, strip_root
from whorl.trees.brackets import paused_gc

__all__ = ["Listener", "begun_recipe", "tag_store", "train", "with_tags"]


class Listener:
    """Hears how a run goes; a command line shows it. This one says nothing."""

    def tagging(self, done: int, total: int) -> None:
        """So many of the folds and the tagger are done."""

    def begin(self, progress: Progress) -> None:
        """Epochs begin, or go on after those that were done before."""

    def batch(self, done: int, total: int) -> None:
        """So many of the epoch's sentences are done."""

    def epoch(self, epoch: Epoch, progress: Progress) -> None:
        """An epoch is done, and saved."""


def train(recipe: Recipe, folder: str | Path, *, resume: bool = False, listener: Listener | None = None) -> Progress:
    """Train by a recipe into a folder; `resume` goes on where an interrupted run stopped."""
    folder = Path(folder)
    listener = listener or Listener()
    _check(recipe, folder, resume)
    folder.mkdir(parents=True, exist_ok=True)
    if not (resume and (folder / "recipe.json").exists()):
        write_json(folder / "recipe.json", recipe.to_dict())
    learner, dev_set = _learner(recipe, folder, listener)
    trainer = Trainer(learner, recipe.training)
    progress = load_checkpoint(folder, trainer, recipe.to_dict()) if resume else Progress()
    write_json(folder / "recipe.json", recipe.to_dict())  # how long to go on may have changed
    listener.begin(progress)
    patience = recipe.training.patience
    epochs = trainer.epochs(dev_set, on_batch=listener.batch)
    while not (patience and progress.since >= patience):
        epoch = next(epochs, None)
        if epoch is None:
            break
        if progress.add(epoch.dev_f1):
            learner.save(folder, {"recipe": recipe.to_dict(), "dev_f1": epoch.dev_f1, "epoch": epoch.number})
        _log(folder, epoch)
        save_checkpoint(folder, trainer, progress, recipe.to_dict())
        listener.epoch(epoch, progress)
    if recipe.training.export != "none":
        from whorl.bundle.export import export_runtime  # noqa: PLC0415 - it needs onnx, which not every machine has

        export_runtime(folder, precision=recipe.training.export)
    return progress


def begun_recipe(folder: str | Path) -> Recipe | None:
    """The recipe of the run that a folder holds, however far it came; None where no run was begun."""
    path = Path(folder) / "recipe.json"
    if not path.exists():
        return None
    try:
        return Recipe.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, AttributeError, TypeError, RecipeError) as error:
        raise ModelError(f"{path} is not the recipe of a run: {error}") from error


def _learner(recipe: Recipe, folder: Path, listener: Listener) -> tuple[Learner[Any, Any], Treebank]:
    """A network with all that it learns from, and the development set."""
    if recipe.model.network == "span":
        with paused_gc():
            learner, mix = span_learner(recipe)
        return learner, mix.dev
    vectors = Vectors.read(recipe.data.vectors) if recipe.data.vectors else Vectors.none()
    trees, dev_trees = (list(read_treebank(path)) for path in (recipe.data.train, recipe.data.dev))
    if not trees or not dev_trees:
        raise RecipeError(f"no trees to train on in {recipe.data.train if not trees else recipe.data.dev}")
    tagger, tags = _tags(recipe, folder, trees, vectors, listener.tagging)
    dev_set = with_tags(dev_trees, _dev_tags(recipe, tagger, dev_trees))
    with paused_gc():
        return _stack_lstm(recipe, with_tags(trees, tags), vectors, tagger), dev_set


def _check(recipe: Recipe, folder: Path, resume: bool) -> None:
    if recipe.treebank and recipe.model.network != "span":
        raise RecipeError("a mix of treebanks is for the span network: set model.network, or data.train for one")
    for name in ("train", "dev"):
        if not getattr(recipe.data, name) and not recipe.treebank:
            raise RecipeError(f"the recipe names no {name} trees: set data.{name}")
        if recipe.data.tags == "column" and not getattr(recipe.data, f"{name}_tags"):
            raise RecipeError(f"data.tags is column, but there is no file of tags for {name}: set data.{name}_tags")
    if recipe.model.network == "span" and recipe.model.system != "nonbinary":
        raise RecipeError(f"the span network is for the nonbinary system, not {recipe.model.system}")
    if recipe.model.system == "binary" and recipe.training.oracle == "dynamic":
        raise RecipeError("the binary system has no dynamic oracle: choose training.oracle = static or another system")
    if recipe.training.device != "cpu" and not torch.cuda.is_available():
        raise RecipeError(f"training.device is {recipe.training.device!r}, but there is no GPU here: use cpu")
    if recipe.training.export != "none" and recipe.model.network != "span":
        raise RecipeError("training.export is for the span network: the stack-LSTM runs in PyTorch alone")
    if not resume and (folder / "checkpoint.json").exists():
        raise ModelError(f"{folder} holds a training run already: take it up with --resume, or choose another folder")


def tag_store(recipe: Recipe, folder: Path, trees: list[Tree], vectors: Vectors) -> TagStore:
    """Where the tags of a run in this folder are kept: in a folder that runs share, else in its own."""
    return TagStore(
        Path(recipe.data.tagging) if recipe.data.tagging else folder / "tags",
        [tree.leaves() for tree in trees],
        vectors,
        folds=recipe.data.folds,
        seed=recipe.data.tagger_seed,
        device=recipe.training.device,
    )


def _tags(
    recipe: Recipe, folder: Path, trees: list[Tree], vectors: Vectors, on_part: Callable[[int, int], None]
) -> tuple[Tagger | None, list[list[str]] | None]:
    """The tagger if there is to be one, and the tags of the training sentences if they are not the gold ones."""
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
    """A treebank whose sentences have these tags, or the gold ones."""
    if tags is None:
        return Treebank(trees, [tree.leaves() for tree in trees])
    tagged = [
        [Leaf(tag, leaf.word, leaf.left) for leaf, tag in zip(tree.leaves(), row, strict=True)]
        for tree, row in zip(trees, tags, strict=True)
    ]
    return Treebank(trees, tagged)


def _stack_lstm(recipe: Recipe, treebank: Treebank, vectors: Vectors, tagger: Tagger | None) -> StackLSTMLearner:
    name = recipe.model.system
    heads = head_rules(recipe.model.heads)
    sequences = [static_oracle(strip_root(tree), name, heads=heads) for tree in treebank.trees]
    inventory = Inventory.of(make_system(name), sequences)
    encoder = Encoder.of(treebank.sentences, sequences, inventory, vectors)
    samples = [encoder.sample(leaves, sequence) for leaves, sequence in zip(treebank.sentences, sequences, strict=True)]
    sizes: dict[str, Any] = {
        key: value for key, value in recipe.to_dict()["model"].items() if key not in ("network", "system", "heads")
    }
    config = StackLSTMConfig(
        words=len(encoder.words),
        tags=len(encoder.tags),
        symbols=len(encoder.symbols),
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
        encoder,
        recipe.training,
        treebank,
        samples,
        tagger=tagger,
        root=common_root(treebank.trees),
    )


def _log(folder: Path, epoch: Epoch) -> None:
    """Add the epoch to `metrics.jsonl`, in place of what an interrupted run left behind it, and redraw the curve."""
    path = folder / "metrics.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    kept = [line for line in lines if json.loads(line)["number"] < epoch.number]
    rows = [*(json.loads(line) for line in kept), epoch.to_dict()]
    with replaced(path) as partial:
        partial.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    curve = {"development F1": [(row["number"], row["dev_f1"]) for row in rows]}
    with replaced(folder / "curve.svg") as partial:
        partial.write_text(line_chart(curve, title="Learning curve", x_label="epoch", y_label="F1"), encoding="utf-8")
