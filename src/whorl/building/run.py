"""The whole way from trees to a model that is ready to use; an interrupted run can be resumed.

The folder of a run:

| file or folder | what |
| --- | --- |
| `build.json` | the request, the choices, and the figures once they are known |
| `data/` | the trees of each part, as they are learnt from |
| `text/` | raw text as the model cuts it |
| `vectors.txt.gz` | word vectors, learnt from that text and the training trees |
| `training/` | the training run: recipe, checkpoint, learning curve, weights |
| `model.json`, … | the exported model, calibrated, with its card in `README.md` |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from whorl.building.card import write_card
from whorl.building.encoder import check_encoder
from whorl.building.plan import (
    Choice,
    CorpusFacts,
    choose_settings,
    make_recipe,
    overridden,
    silver_name,
)
from whorl.building.request import BuildRequest
from whorl.building.scores import Scores, score_parser
from whorl.building.silver import read_silver
from whorl.building.text import TextScores, Tokenisers, save_tokenisers
from whorl.building.treebanks import TreebankParts, part_path, read_parts, write_parts
from whorl.building.vectors import VECTORS, make_vectors
from whorl.errors import ModelError, RecipeError
from whorl.evaluation import punctuation_tags
from whorl.files import write_json
from whorl.labelling import calibration
from whorl.parser import Parser
from whorl.pretraining.text import text_files
from whorl.span.export import export_runtime
from whorl.training.estimate import Estimate, estimate_time
from whorl.training.learner import Treebank
from whorl.training.loop import Trainer
from whorl.training.recipe import Recipe
from whorl.training.run import Listener, train
from whorl.trees import SPLITS, Tree, read_treebank

__all__ = ["BUILD_JSON", "BuildListener", "Built", "build", "is_build"]

BUILD_JSON = "build.json"
DATA = "data"
TRAINING = "training"
_FORMAT = 1
_WITHOUT_TOKENISER = (
    "no tokeniser, as asked for: parse tokenised text (--tokens); raw text is cut by the rules of "
    "the Penn Treebank, which are for English"
)


class BuildListener(Listener):
    """Receives the progress of a build beside that of its training; this one ignores it."""

    def treebanks(self, treebanks: Sequence[TreebankParts]) -> None:
        """The trees are read and checked."""

    def chosen(self, choices: Sequence[Choice]) -> None:
        """The settings are chosen."""

    def estimated(self, estimate: Estimate, epochs: int) -> None:
        """The duration of training is known, before it begins."""

    def stage(self, name: str, done: float | None = None) -> None:
        """A stage before or after training has begun, and this share of it is done, if known."""

    def remark(self, text: str) -> None:
        """There is something to say about a stage."""


@dataclass(frozen=True, slots=True)
class Built:
    """A finished model, and its scores by part and treebank."""

    folder: Path
    scores: dict[str, dict[str, Scores]] = field(default_factory=dict)
    text: dict[str, TextScores] = field(default_factory=dict)
    """Of the tokeniser, by treebank: on test trees, or else on development trees.

    Empty if the model was built without a tokeniser.
    """


def is_build(folder: str | Path) -> bool:
    """Tell whether a folder holds a build."""
    return (Path(folder) / BUILD_JSON).exists()


def build(
    request: BuildRequest | None,
    folder: str | Path,
    *,
    listener: BuildListener | None = None,
    jobs: int = 1,
) -> Built:
    """Build a parser into a folder, or resume the build there if there is no request.

    `jobs` is that of `whorl.training.run.train`.
    """
    folder = Path(folder)
    listener = listener or BuildListener()
    resume = request is None
    if request is None:
        request, recipe = _resumed(folder)
    else:
        recipe = _begin(request, folder, listener)
    parts = _saved_parts(request, folder)
    tokenisers = None
    if request.learns_tokeniser:
        kind = request.tokeniser or None
        tokenisers = Tokenisers(parts["train"], kind=kind, say=listener.remark)
    if Path(recipe.data.vectors) == folder / VECTORS and not (folder / VECTORS).exists():
        _learn_vectors(folder, request, parts["train"], tokenisers, listener)
    relay = _Relay(listener)
    train(recipe, folder / TRAINING, resume=resume, listener=relay, jobs=jobs)
    listener.stage("export")
    export_runtime(folder / TRAINING, precision="int8", out=folder)
    text_scores = {}
    if tokenisers is None:
        listener.remark(_WITHOUT_TOKENISER)
    else:
        listener.stage("tokeniser")
        default = request.convention or request.names[0]
        tested = {**parts["dev"], **parts.get("test", {})}
        text_scores = save_tokenisers(folder, tokenisers, tested, default=default)
    listener.stage("calibration")
    _calibrate(folder, parts["dev"][request.convention or request.names[0]])
    listener.stage("scores")
    built = Built(folder, _score(folder, parts), text_scores)
    saved = _read(folder)
    saved["scores"] = {
        part: {name: scores.to_dict() for name, scores in by_name.items()}
        for part, by_name in built.scores.items()
    }
    saved["text"] = {name: scores.to_dict() for name, scores in text_scores.items()}
    write_json(folder / BUILD_JSON, saved)
    write_card(folder, request, saved)
    return built


def _begin(request: BuildRequest, folder: Path, listener: BuildListener) -> Recipe:
    """Read and check the trees, choose the settings, and save both."""
    if is_build(folder):
        raise ModelError(
            f"{folder} already holds a parser or the beginning of one: continue it with --resume, "
            "or choose another folder"
        )
    treebanks = read_parts(request)
    if request.encoder:
        check_encoder(Path(request.encoder), (tree for one in treebanks for tree in one.train))
    for _, text in request.text:
        text_files(text)
    facts = CorpusFacts.of(treebanks, read_silver(request))
    choices = choose_settings(
        facts, request, gpu=torch.cuda.is_available(), vectors=str(folder / VECTORS)
    )
    paths = write_parts(treebanks, folder / DATA)
    recipe = make_recipe(choices, request, treebanks, paths)
    if recipe.model.network != "span":
        raise RecipeError(
            f"the settings are chosen for the span network, not {recipe.model.network}: "
            f"for that, name a recipe, such as {recipe.model.network}"
        )
    choices = overridden(choices, recipe)
    least = {source.name: source.least for source in recipe.treebank}
    silver = [one.with_least(least[silver_name(one.name)]) for one in facts.silver]
    listener.treebanks(treebanks)
    listener.chosen(choices)
    saved = {
        "format": _FORMAT,
        "request": request.to_dict(),
        "choices": [choice._asdict() for choice in choices],
        "treebanks": [_describe(one) for one in treebanks],
        "silver": [one._asdict() for one in silver],
        "recipe": recipe.to_dict(),
    }
    write_json(folder / BUILD_JSON, saved)
    return recipe


def _describe(treebank: TreebankParts) -> dict[str, Any]:
    return {
        "name": treebank.name,
        "sources": treebank.sources,
        "trees": {part: len(treebank.part(part)) for part in SPLITS},
        "tokens": {part: sum(tree.right for tree in treebank.part(part)) for part in SPLITS},
        "remarks": treebank.remarks,
    }


def _resumed(folder: Path) -> tuple[BuildRequest, Recipe]:
    saved = _read(folder)
    return BuildRequest.from_dict(saved["request"]), Recipe.from_dict(saved["recipe"])


def _read(folder: Path) -> dict[str, Any]:
    path = folder / BUILD_JSON
    try:
        saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if saved["format"] > _FORMAT:
            raise ModelError(f"{path} was written by a newer Whorl: upgrade")
        BuildRequest.from_dict(saved["request"])
        Recipe.from_dict(saved["recipe"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, RecipeError) as error:
        raise ModelError(f"{path} is damaged: {error!r}") from error
    return saved


def _saved_parts(request: BuildRequest, folder: Path) -> dict[str, dict[str, list[Tree]]]:
    """Read the trees of each part and treebank again."""
    parts: dict[str, dict[str, list[Tree]]] = {}
    for part in SPLITS:
        for name in request.names:
            path = part_path(folder / DATA, name, part)
            if path.exists():
                parts.setdefault(part, {})[name] = list(read_treebank(path))
    return parts


def _learn_vectors(
    folder: Path,
    request: BuildRequest,
    trees: dict[str, list[Tree]],
    tokenisers: Tokenisers | None,
    listener: BuildListener,
) -> None:
    counts = make_vectors(folder, request.text, trees, tokenisers, listener.stage)
    write_json(folder / BUILD_JSON, _read(folder) | {"vectors": counts._asdict()})
    listener.remark(f"{counts.vectors:,} word vectors, learnt from {counts.source}")


def _calibrate(folder: Path, dev: Sequence[Tree]) -> None:
    """Fit the probabilities of phrases to the development trees of the default convention."""
    engine = calibration.load_calibration_engine(folder)
    judged = [p for phrases in calibration.judge_phrases(engine, dev) for p in phrases]
    if judged:
        calibration.save_calibration(folder, calibration.fit(judged))


def _score(folder: Path, parts: dict[str, dict[str, list[Tree]]]) -> dict[str, dict[str, Scores]]:
    """Score the finished model on each part, each treebank in its own convention.

    A model of a single treebank follows it by default, whether it knows its name or not.
    """
    several = len(parts["train"]) > 1
    return {
        part: {
            name: score_parser(
                Parser.load(folder, convention=name if several else None),
                trees,
                punctuation_tags(parts["dev"][name]),
            )
            for name, trees in by_name.items()
        }
        for part, by_name in parts.items()
        if part != "train"
    }


class _Relay(BuildListener):
    """Passes the progress of training on, and estimates its duration before the first epoch."""

    def __init__(self, listener: BuildListener) -> None:
        self._listener = listener
        self.tagging = listener.tagging  # type: ignore[method-assign]
        self.begin = listener.begin  # type: ignore[method-assign]
        self.batch = listener.batch  # type: ignore[method-assign]
        self.epoch = listener.epoch  # type: ignore[method-assign]

    def prepared(self, trainer: Trainer[Any, Any], dev: Treebank) -> None:
        """See `Listener`."""
        self._listener.estimated(estimate_time(trainer, dev), trainer.settings.epochs)
