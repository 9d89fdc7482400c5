"""`whorl package`: a model folder made into a wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ModelArgument

if TYPE_CHECKING:
    from whorl.packaging import Package

__all__ = ["package"]


@guarded
def package(
    model: ModelArgument,
    *,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="The name for whorl.load, such as is or zh-hans; that of the folder by default.",
        ),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(
            "--version", help="The version of the package; FORMAT.0.0 by default.", metavar="N.N.N"
        ),
    ] = None,
    licences: Annotated[
        list[str] | None,
        typer.Option(
            "--licence",
            "--license",
            metavar="SPDX|FILE",
            help="An SPDX expression such as CC-BY-4.0, or the text of a licence; may be repeated.",
        ),
    ] = None,
    languages: Annotated[
        list[str] | None,
        typer.Option(
            "--language", metavar="TAG", help="A language, such as is or zh-Hans; may be repeated."
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="The folder for the wheel.")
    ] = "dist",
) -> None:
    """Make an exported model into a wheel, which pip installs and whorl.load finds by name.

    The wheel has the model, its card, licences and checksums, and no code. The same model gives the
    same bytes. Its path is printed on standard output.
    """
    from whorl.catalogue import find_model
    from whorl.packaging import package_model

    built = package_model(
        find_model(model),
        name=name,
        version=version,
        licences=licences or (),
        languages=languages or (),
        out=out,
    )
    _describe(built, model)
    print(built.path)


def _describe(made: Package, folder: str) -> None:
    """Say on standard error what is in the wheel, and what its author may want to change."""
    from whorl.catalogue import models_named

    if not made.has_card:
        note(f"{folder} has no README.md: the card says only what model.json does; write one")
    if made.conventions and made.convention is None:
        note(
            f"the model knows {', '.join(made.conventions)} and has no default among them: it "
            "follows their mean (data.convention in the recipe sets one)"
        )
    if made.left_out:
        note(f"left out: {', '.join(made.left_out)}")
    for other in models_named(made.model):
        if other.distribution != made.distribution:
            note(
                f"{other.provider} has a model {made.model!r} too: whoever installs both cannot "
                "load either by name"
            )
    note(
        f"{made.distribution} {made.version}, {made.size / 1e6:.1f} MB, needs "
        f"{', '.join(made.requirements)}; sha256 {made.sha256}"
    )
