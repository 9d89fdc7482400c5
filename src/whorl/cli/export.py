"""`whorl export`: a trained model made ready to run without PyTorch."""

from __future__ import annotations

from typing import Annotated

import typer

from whorl.cli.common import guarded, note

__all__ = ["export"]


@guarded
def export(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder of a model with the span network.")],
) -> None:
    """Add an ONNX graph to a model folder, so that whorl parse runs it without PyTorch."""
    from whorl.bundle.export import export_runtime  # noqa: PLC0415 - heavy, and only when it runs

    export_runtime(folder)
    note(f"{folder} runs with NumPy and ONNX Runtime now")
