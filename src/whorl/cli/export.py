"""`whorl export`: a trained model made ready to run without PyTorch."""

from __future__ import annotations

from typing import Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ModelArgument, out_folder
from whorl.errors import ModelError

__all__ = ["export"]


@guarded
def export(
    model: ModelArgument,
    *,
    int8: Annotated[
        bool, typer.Option("--int8", help="Smallest and fastest; scores change a little.")
    ] = False,
    float16: Annotated[
        bool, typer.Option("--float16", help="Half the size, computed in float32.")
    ] = False,
    float32: Annotated[
        bool, typer.Option("--float32", help="Unchanged weights: the default.")
    ] = False,
    out: Annotated[
        str | None,
        out_folder("Write the export alone to this folder, without what only training needs."),
    ] = None,
) -> None:
    """Export a trained model to run without PyTorch, in its own folder or in another."""
    from whorl.catalogue import find_model
    from whorl.model_folder.description import read_description
    from whorl.networks import get_network

    flags = {"int8": int8, "float16": float16, "float32": float32}
    chosen = [name for name, is_set in flags.items() if is_set]
    if len(chosen) > 1:
        raise typer.BadParameter(f"choose one of --{' and --'.join(chosen)}")
    folder = find_model(model)
    saved = read_description(folder)
    if "weights" not in saved:
        raise ModelError(
            f"{model} is exported already ({saved['runtime'].get('precision', 'unknown')}): it "
            "runs without PyTorch, and the weights it was exported from are not in its folder"
        )
    run = get_network(saved["kind"]).resolve("export")
    target = run(folder, precision=(chosen or ["float32"])[0], out=out)
    size = sum(path.stat().st_size for path in target.iterdir()) / 1e6
    note(f"{target} runs with NumPy and ONNX Runtime now ({size:.1f} MB in all)")
