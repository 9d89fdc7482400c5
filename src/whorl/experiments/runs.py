"""A run: one parser of an experiment, trained and evaluated once.

A finished run leaves `result.json`, with all that tables need, and the parsed development and test
trees, `dev.brackets` and `test.brackets`, in its folder. These files can be copied to another
machine without the weights.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from whorl import __version__
from whorl.errors import ExperimentError, RecipeError
from whorl.files import replace_atomically, write_json
from whorl.parser import Parser, Tokens
from whorl.stack_lstm.setup import with_tags
from whorl.stack_lstm.tagger import tag_accuracy
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.training.recipe import DataSettings, Recipe
from whorl.training.run import Listener, train
from whorl.trees import Tree, column_tags, read_treebank, write_trees

__all__ = [
    "PARTS",
    "Result",
    "Run",
    "Scores",
    "Size",
    "find_result",
    "fingerprint",
    "parse_name",
    "perform_run",
    "vectors_digest",
]

FORMAT = 1
PARTS = ("train", "dev", "test")
# Keys that may differ on another machine.
_MACHINE_KEYS = {*(f"data.{name}" for name in DataSettings.paths), "training.device"}


@dataclass(frozen=True, slots=True)
class Run:
    """A parser to train: the name of its folder, its recipe, and the beam widths to parse with."""

    name: str
    recipe: Recipe
    beams: tuple[int, ...] = (1,)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {"name": self.name, "recipe": self.recipe.to_dict(), "beams": list(self.beams)}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Run:
        """Undo `to_dict`."""
        return cls(saved["name"], Recipe.from_dict(saved["recipe"]), tuple(saved["beams"]))


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a part of a treebank, and a digest of its trees."""

    trees: int
    words: int
    digest: str


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of the parsed trees of one part of the treebank, in percent, under gold tags.

    `children` has a row for each number of children: the gold constituents, the matched ones of
    them, the predicted constituents, and the matched ones of them. In `alike`, a match must also
    have the same number of children.
    """

    f1: float
    recall: float
    precision: float
    exact: float
    tagging: float
    children: dict[str, list[int]]
    alike: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished run, with scores by part and beam, as `parse_name` names them."""

    name: str
    recipe: Recipe
    epochs: int
    best_epoch: int
    seconds: float
    device: str
    date: str
    whorl: str
    treebank: dict[str, Size]
    parsed: dict[str, Scores] = field(default_factory=dict)
    vectors: str = "unknown"
    """A digest of the file of word vectors; empty if there was none."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {"format": FORMAT, **asdict(self), "recipe": self.recipe.to_dict()}

    @classmethod
    def read(cls, path: Path) -> Result:
        """Read a `result.json`."""
        try:
            saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            version = saved.pop("format")
            if version != FORMAT:
                raise ExperimentError(f"{path} has format {version}, and this Whorl reads {FORMAT}")
            saved["recipe"] = Recipe.from_dict(saved["recipe"])
            saved["treebank"] = {name: Size(**size) for name, size in saved["treebank"].items()}
            saved["parsed"] = {name: Scores(**scores) for name, scores in saved["parsed"].items()}
            return cls(**saved)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecipeError) as error:
            raise ExperimentError(f"{path} is not the result of a run: {error}") from error


def parse_name(part: str, beam: int = 1) -> str:
    """Return the name of parsed trees: `test`, or `test.beam8`."""
    return part if beam == 1 else f"{part}.beam{beam}"


def find_result(run: Run, folder: str | Path) -> Result | None:
    """Return the result of a run; None if it is not done, or lacks one of the beams.

    A result of another recipe is an error; only paths and the device may differ.
    """
    path = Path(folder) / run.name / "result.json"
    if not path.exists():
        return None
    result = Result.read(path)
    changed = [
        key for key in result.recipe.differences(run.recipe.to_dict()) if key not in _MACHINE_KEYS
    ]
    if changed:
        raise ExperimentError(
            f"{path.parent} was made with another recipe, which differs in {', '.join(changed)}: "
            "use another folder for these runs"
        )
    complete = all(
        parse_name(part, beam) in result.parsed for part in ("dev", "test") for beam in run.beams
    )
    return result if complete else None


def perform_run(run: Run, folder: str | Path, *, listener: Listener | None = None) -> Result:
    """Train or resume, then parse and write the result; steps that are done are skipped."""
    done = find_result(run, folder)
    if done is not None:
        return done
    place = Path(folder) / run.name
    path = place / "result.json"
    result = Result.read(path) if path.exists() else _train(run, place, listener)
    parser = Parser.load(place, device=run.recipe.training.device)
    for part in ("dev", "test"):
        gold = _trees(run.recipe, part)
        for beam in run.beams:
            name = parse_name(part, beam)
            if name not in result.parsed:
                trees = _parse(parser, _sentences(run.recipe, part, gold), beam)
                result = replace(result, parsed={**result.parsed, name: _scores(gold, trees)})
                with (
                    replace_atomically(place / f"{name}.brackets") as partial,
                    partial.open("w", encoding="utf-8") as file,
                ):
                    write_trees(trees, file)
    write_json(path, result.to_dict())
    return result


def fingerprint(recipe: Recipe) -> dict[str, Size]:
    """Return sizes and digests of the parts of the treebank that a recipe names."""
    return {part: _size(_trees(recipe, part)) for part in PARTS}


def vectors_digest(recipe: Recipe) -> str:
    """Return a digest of the file of word vectors that a recipe names."""
    path = recipe.data.vectors
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16] if path else ""


def _train(run: Run, place: Path, listener: Listener | None) -> Result:
    treebank = fingerprint(run.recipe)
    progress = train(run.recipe, place, resume=True, listener=listener)
    lines = (place / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return Result(
        name=run.name,
        recipe=run.recipe,
        epochs=progress.epoch,
        best_epoch=progress.epoch - progress.since,
        seconds=sum(json.loads(line)["seconds"] for line in lines),
        device=run.recipe.training.device,
        date=datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
        whorl=__version__,
        treebank=treebank,
        vectors=vectors_digest(run.recipe),
    )


def _trees(recipe: Recipe, part: str) -> list[Tree]:
    path = getattr(recipe.data, part)
    if not path:
        raise RecipeError(f"the recipe names no {part} trees: set data.{part}")
    return list(read_treebank(path))


def _sentences(recipe: Recipe, part: str, trees: list[Tree]) -> list[Tokens]:
    """Return the parser's input: words if it has a tagger, else leaves with gold or given tags."""
    if recipe.data.tags == "jackknife":
        return [tree.words() for tree in trees]
    path = getattr(recipe.data, f"{part}_tags") if recipe.data.tags == "column" else None
    if path == "":
        raise RecipeError(
            f"data.tags is column, but there is no file of tags for {part}: set data.{part}_tags"
        )
    return list(with_tags(trees, column_tags(path, trees) if path else None).sentences)


def _parse(parser: Parser, sentences: Sequence[Tokens], beam: int) -> list[Tree]:
    return [tree for tree in parser.pipe(sentences, beam=beam) if tree is not None]


def _scores(gold: list[Tree], trees: list[Tree]) -> Scores:
    report = score(Treebank(gold, []), trees)
    rows = {
        alike: {
            str(children): [tally.gold, tally.found, tally.predicted, tally.correct]
            for children, tally in report.by_children(alike=alike).items()
        }
        for alike in (False, True)
    }
    return Scores(
        f1=report.f1,
        recall=report.recall,
        precision=report.precision,
        exact=report.exact,
        tagging=100
        * tag_accuracy([tree.leaves() for tree in gold], [tree.tags() for tree in trees]),
        children=rows[False],
        alike=rows[True],
    )


def _size(trees: list[Tree]) -> Size:
    digest = hashlib.sha256(
        "".join(f"{tree}\n" for tree in trees).encode("utf-8", "surrogatepass")
    ).hexdigest()
    return Size(len(trees), sum(tree.right for tree in trees), digest[:16])
