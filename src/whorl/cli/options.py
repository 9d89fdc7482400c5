"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from whorl.cli.choices import Hyphens, Newline

__all__ = [
    "BatchOption",
    "ConventionOption",
    "DeviceOption",
    "EpochsOption",
    "HyphensOption",
    "JobsOption",
    "ModelArgument",
    "ModelOption",
    "NewlineOption",
    "RecipeArgument",
    "ResumeOption",
    "SettingsOption",
    "TokensOption",
    "TrainTreesOption",
    "TrainingDeviceOption",
    "VectorsOption",
    "out_folder",
]

_MODEL = "NAME|DIR"

# Parsing

ModelOption = Annotated[
    str | None,
    typer.Option("--model", "-m", metavar=_MODEL, help="The name of a model, or a model folder."),
]
ModelArgument = Annotated[
    str, typer.Argument(metavar=_MODEL, help="The name of a model, or a model folder.")
]
BatchOption = Annotated[
    int | None,
    typer.Option(
        "--batch",
        min=1,
        show_default="256, on a GPU 2048",
        help="Sentences parsed together; fewer with a beam.",
    ),
]
TokensOption = Annotated[
    bool,
    typer.Option("--tokens", help="One tokenised sentence per line, words separated by spaces."),
]
ConventionOption = Annotated[
    str | None,
    typer.Option(
        "--convention",
        metavar="TREEBANK",
        help="Annotate as in this one of the model's treebanks.",
    ),
]
NewlineOption = Annotated[
    Newline,
    typer.Option(
        "--newline", help="Text: a line break is a space, or ends a paragraph or a sentence."
    ),
]
HyphensOption = Annotated[
    Hyphens | None,
    typer.Option(
        "--hyphens",
        help="English text: keep hyphenated words whole or split them.",
        show_default="as in the model's treebank",
    ),
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Worker processes.")]
DeviceOption = Annotated[str, typer.Option("--device", help="cpu, cuda or cuda:N.")]

# Training

RecipeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[RECIPE]",
        help="A recipe by name, such as span-bilstm, or a TOML file; flags override it.",
    ),
]
TrainTreesOption = Annotated[
    str | None, typer.Option("--train", help="Training trees: a file or a treebank.")
]
VectorsOption = Annotated[
    str | None, typer.Option("--vectors", help="Word vectors, as text or .gz.")
]
EpochsOption = Annotated[
    int | None, typer.Option("--epochs", help="Train for at most this many epochs.")
]
TrainingDeviceOption = Annotated[
    str | None, typer.Option("--device", help="Where to train: cpu or cuda.")
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Override any key of the recipe."),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")]

# Output


def out_folder(text: str) -> Any:
    """Return the option for the folder that a command writes."""
    return typer.Option("--out", "-o", metavar="DIR", help=text)
