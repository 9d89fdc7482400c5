"""`whorl train`: a parser from a treebank."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import (
    EpochsOption,
    RecipeArgument,
    ResumeOption,
    SettingsOption,
    TrainingDeviceOption,
    VectorsOption,
)
from whorl.cli.progress import ProgressDisplay
from whorl.errors import RecipeError
from whorl.networks import NETWORKS
from whorl.transitions import SYSTEMS
from whorl.trees import SPLITS

if TYPE_CHECKING:
    from whorl.building.plan import Choice
    from whorl.building.treebanks import TreebankParts
    from whorl.training.checkpoint import Progress
    from whorl.training.estimate import Estimate
    from whorl.training.learner import Treebank
    from whorl.training.loop import Epoch, Trainer

__all__ = ["Pace", "train"]

_MOST_READERS = 8


@guarded
def train(
    recipe: RecipeArgument = None,
    *,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="The model folder to write.")
    ],
    train_trees: Annotated[
        list[str] | None,
        typer.Option(
            "--train",
            metavar="[NAME=]TREES",
            help="Training trees: a file or a treebank; repeat it for several treebanks.",
        ),
    ] = None,
    dev_trees: Annotated[
        list[str] | None,
        typer.Option(
            "--dev", metavar="[NAME=]TREES", help="Development trees, to choose the best epoch."
        ),
    ] = None,
    test_trees: Annotated[
        list[str] | None,
        typer.Option("--test", metavar="[NAME=]TREES", help="Test trees, scored once at the end."),
    ] = None,
    vectors: VectorsOption = None,
    text: Annotated[
        list[str] | None,
        typer.Option(
            "--text",
            metavar="[NAME=]TEXT",
            help="Raw text to learn word vectors from, a file or a folder, in the language of the "
            "treebank NAME; may be repeated.",
        ),
    ] = None,
    encoder: Annotated[
        str | None, typer.Option("--encoder", metavar="DIR", help="A pretrained encoder.")
    ] = None,
    silver: Annotated[
        list[str] | None,
        typer.Option(
            "--silver",
            metavar="[NAME=]DIR",
            help="Silver trees of whorl label, annotated like the treebank NAME; may be repeated.",
        ),
    ] = None,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            metavar="NAME",
            help="Of several treebanks, the one to annotate like by default; else the first.",
        ),
    ] = None,
    tokeniser: Annotated[
        str | None,
        typer.Option(
            "--tokeniser",
            metavar="KIND",
            help="How the parser cuts text: penn, for English, unicode or learned; or none, for a "
            "parser of tokenised text.",
            show_default="unicode or learned, by the trees",
        ),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence", help="The licence of the model, such as CC-BY-4.0, for its card."
        ),
    ] = None,
    languages: Annotated[
        list[str] | None,
        typer.Option("--language", help="A language of the model, such as is; may be repeated."),
    ] = None,
    network: Annotated[
        str | None, typer.Option("--network", help=f"One of {', '.join(NETWORKS)}.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help=f"One of {', '.join(SYSTEMS)}.")
    ] = None,
    oracle: Annotated[str | None, typer.Option("--oracle", help="static or dynamic.")] = None,
    epochs: EpochsOption = None,
    device: TrainingDeviceOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Most processes that read trees before the first epoch; few trees need one.",
            show_default=f"one per core, at most {_MOST_READERS}",
        ),
    ] = None,
    settings: SettingsOption = None,
    resume: ResumeOption = False,
) -> None:
    """Train a parser on a treebank, into a model folder.

    Without a recipe, the settings are chosen from the trees and printed; what is missing of
    development and test trees is split off; and the model is exported to int8, calibrated, scored
    and described, ready for `whorl parse --model DIR`.

    With a recipe, the folder receives the model of the best epoch, `metrics.jsonl`, a learning
    curve, and a checkpoint after every epoch.

    An interrupted run resumes with --resume --out DIR.
    """
    from whorl.bench.machine import cores
    from whorl.building.run import is_build

    jobs = jobs or min(cores(), _MOST_READERS)
    if is_build(out) if resume else not (recipe or network or system):
        options = {
            "train": train_trees or (),
            "dev": dev_trees or (),
            "test": test_trees or (),
            "silver": silver or (),
            "text": text or (),
            "vectors": vectors or "",
            "encoder": encoder or "",
            "convention": convention or "",
            "tokeniser": tokeniser or "",
            "licence": licence or "",
            "languages": tuple(languages or ()),
            "device": device or "",
        }
        overrides = {"training.oracle": oracle, "training.epochs": epochs}
        _build(out, options, overrides, settings or [], resume=resume, jobs=jobs)
        return
    if licence or languages or tokeniser:
        raise RecipeError(
            "--licence, --language and --tokeniser are for models trained without a recipe; "
            "whorl package and whorl text learn do the same for others"
        )
    if silver:
        raise RecipeError(
            "--silver is for models trained without a recipe: write a [[treebank]] table with "
            "train, convention and least"
        )
    if text:
        raise RecipeError(
            "--text is for models trained without a recipe: whorl vectors learns vectors from text"
        )
    flags = {
        "data.train": _only("--train", train_trees),
        "data.dev": _only("--dev", dev_trees),
        "data.test": _only("--test", test_trees),
        "data.vectors": vectors,
        "data.convention": convention,
        "span.encoder": encoder,
        "model.network": network,
        "model.system": system,
        "training.oracle": oracle,
        "training.epochs": epochs,
        "training.device": device,
    }
    _train_by_recipe(recipe, out, flags, settings, resume=resume, jobs=jobs)


def _only(flag: str, paths: list[str] | None) -> str | None:
    """Return the only path of a flag: recipes name several treebanks themselves."""
    if not paths:
        return None
    if len(paths) > 1:
        raise RecipeError(
            f"{flag} may be repeated only without a recipe: write [[treebank]] tables"
        )
    return paths[0]


def _train_by_recipe(
    recipe: str | None,
    out: str,
    flags: Mapping[str, object],
    settings: list[str] | None,
    *,
    resume: bool,
    jobs: int,
) -> None:
    from whorl.training.recipe import Recipe
    from whorl.training.run import Listener, saved_recipe
    from whorl.training.run import train as run

    saved = saved_recipe(out) if resume else None
    if resume and saved is None and recipe is None:
        raise RecipeError(f"cannot resume: there is no training run in {out!r}")
    chosen = Recipe.chosen(recipe, flags, settings, default=saved)
    with ProgressDisplay() as display:

        class TrainingDisplay(TrainingProgress, Listener):
            """Shows the progress of a training run."""

        progress = run(chosen, out, resume=resume, listener=TrainingDisplay(display), jobs=jobs)
    count = f"{progress.epoch} epoch{'s' if progress.epoch > 1 else ''}"
    note(f"{count}, best development F1 {progress.best:.2f}, model in {out}")


def _build(
    out: str,
    options: Mapping[str, Any],
    overrides: Mapping[str, object],
    settings: list[str],
    *,
    resume: bool,
    jobs: int,
) -> None:
    """Build a parser without a recipe, and say how to use it."""
    from whorl.building.request import BuildRequest
    from whorl.building.run import BuildListener, build
    from whorl.building.scores import BEAM

    changes = [f"{key}={value}" for key, value in overrides.items() if value is not None]
    if resume and (changes or settings or any(options.values())):
        raise RecipeError(
            "--resume continues a build with its own trees and settings: give only --out"
        )
    request = None if resume else BuildRequest.of(**options, settings=(*changes, *settings))
    with ProgressDisplay() as display:

        class BuildDisplay(BuildProgress, BuildListener):
            """Shows the progress of a build."""

        built = build(request, out, listener=BuildDisplay(display), jobs=jobs)
    for part, by_name in built.scores.items():
        for name, scores in by_name.items():
            title = " ".join(filter(None, (name, part)))
            print(
                f"{title}: F1 {scores.f1:.2f} with all tokens, {scores.f1_beam:.2f} with --beam "
                f"{BEAM}, {scores.f1_evalb:.2f} by EVALB's rules, tags {scores.tags:.2f}, "
                f"{scores.sentences:,} sentences"
            )
    for name, figures in built.text.items():
        print(
            f"{name or 'text'}: tokens {figures.tokens:.2f}, sentences {figures.sentences:.2f} "
            f"(tokeniser: {figures.kind})"
        )
    if "test" not in built.scores:
        note("no test trees: the score above is that of the trees that chose the best epoch")
    flags = f"--model {shlex.quote(out)}" if built.text else f"--tokens --model {shlex.quote(out)}"
    print(f'The parser is in {out}: whorl parse {flags} "..."')
    print(f"To give it away as a wheel: whorl package {shlex.quote(out)} --name NAME")


class TrainingProgress:
    """Training on a terminal: a bar, and a line per epoch."""

    def __init__(self, display: ProgressDisplay) -> None:
        self.display = display

    def tagging(self, done: int, total: int) -> None:
        """Show how many folds are tagged."""
        self.display.show("tags", done / total)

    def prepared(self, trainer: Trainer[Any, Any], dev: Treebank) -> None:
        """Remember the number of epochs."""
        self.epochs = trainer.settings.epochs

    def begin(self, progress: Progress) -> None:
        """Start the clock."""
        self.pace = Pace(progress.epoch, self.epochs, time.monotonic())

    def batch(self, done: int, total: int) -> None:
        """Move the bar."""
        left = self.pace.left(done / total, time.monotonic())
        name = f"epoch {self.pace.done + 1} of {self.epochs}"
        self.display.show(name, done / total, left)

    def epoch(self, epoch: Epoch, progress: Progress) -> None:
        """Print the figures of an epoch."""
        self.pace.done = progress.epoch
        left = self.pace.left(0.0, time.monotonic())
        mark = " *" if progress.since == 0 else ""
        each = "".join(f"  {name} {f1:.2f}" for name, f1 in epoch.dev_by_treebank.items())
        self.display.line(
            f"epoch {epoch.number:3}  loss {epoch.loss:.4f}  dev F1 {epoch.dev_f1:6.2f}{mark}"
            f"  all tokens {epoch.dev_f1_all_tokens:.2f}{each}  tags {100 * epoch.dev_tags:.2f}"
            f"  {epoch.seconds:.1f} s  at most {left / 60:.1f} min left"
        )


class BuildProgress(TrainingProgress):
    """A build on a terminal: what was read, every choice, the time it takes, then the training."""

    def treebanks(self, treebanks: Sequence[TreebankParts]) -> None:
        """Say how many trees there are, and what was done to them."""
        for treebank in treebanks:
            counts = ", ".join(f"{len(treebank.part(part)):,} {part}" for part in SPLITS)
            self.display.line(f"{treebank.name or treebank.sources['train']}: {counts} trees")
            for remark in treebank.remarks:
                self.display.line(f"  {remark}")

    def chosen(self, choices: Sequence[Choice]) -> None:
        """Print every choice with its reason."""
        rows = [(f"{choice.key}={_plain(choice.value)}", choice.reason) for choice in choices]
        width = max(len(setting) for setting, _ in rows)
        self.display.line("settings, each to be overridden by --set:")
        for setting, reason in rows:
            self.display.line(f"  {setting:{width}}  {reason}")

    def estimated(self, estimate: Estimate, epochs: int) -> None:
        """Say how long training will take."""
        self.epochs = epochs
        self.display.line(
            f"about {_duration(estimate.total)} for {epochs} epochs of "
            f"{_duration(estimate.epoch)}, by the time of a few batches"
        )

    def stage(self, name: str, done: float | None = None) -> None:
        """Show a stage before or after training."""
        self.display.show(name, done)

    def remark(self, text: str) -> None:
        """Print what there is to say about a stage."""
        self.display.line(text)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@dataclass
class Pace:
    """The speed of a run: epochs done, those of an earlier run included, and their total."""

    done: int
    epochs: int
    began: float
    before: int = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.done

    def left(self, fraction: float, now: float) -> float:
        """Return the seconds left, at most, once a fraction of the next epoch is done."""
        passed = self.done - self.before + fraction
        return (now - self.began) / passed * (self.epochs - self.done - fraction) if passed else 0.0
