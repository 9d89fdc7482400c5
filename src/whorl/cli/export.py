"""`whorl export`: a trained model made ready to run without PyTorch."""

from __future__ import annotations

from typing import Annotated

import typer

from whorl.cli.common import guarded, note

__all__ = ["export"]


@guarded
def export(
    folder: Annotated[
        str, typer.Argument(metavar="MODEL", help="The folder of a model with the span network.")
    ],
    *,
    int8: Annotated[
        bool, typer.Option("--int8", help="Smallest and fastest; scores change a little.")
    ] = False,
    float16: Annotated[
        bool, typer.Option("--float16", help="Half the size, computed in float32.")
    ] = False,
    float32: Annotated[
        bool, typer.Option("--float32", help="The weights as they are: the default.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="A folder for the export alone, without the rest."
        ),
    ] = None,
) -> None:
    """Make a model ready to run without PyTorch, in its own folder or, for passing on, in another."""
    from whorl.span.export import export_runtime

    asked = [
        name for name, on in (("int8", int8), ("float16", float16), ("float32", float32)) if on
    ]
    if len(asked) > 1:
        raise typer.BadParameter(f"choose one of --{' and --'.join(asked)}")
    target = export_runtime(folder, precision=(asked or ["float32"])[0], out=out)
    size = sum(path.stat().st_size for path in target.iterdir()) / 1e6
    note(f"{target} runs with NumPy and ONNX Runtime now ({size:.1f} MB in all)")
