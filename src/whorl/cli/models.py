"""`whorl models`: the models in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from whorl.cli.common import guarded, note
from whorl.cli.tables import show_table
from whorl.errors import ModelError

if TYPE_CHECKING:
    from whorl.catalogue import NamedModel

__all__ = ["models"]


@guarded
def models(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print the card of this model.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, cards included.")] = False,
) -> None:
    """List the models in the package, or print the card of one."""
    import json

    from whorl.catalogue import shipped_models

    listed = shipped_models()
    if name is not None:
        known = ", ".join(model.name for model in listed) or "none"
        listed = [model for model in listed if model.name == name]
        if not listed:
            raise ModelError(f"there is no model {name!r} in the package, which has {known}")
    if as_json:
        records = [_record(model) for model in listed]
        print(json.dumps(records if name is None else records[0], ensure_ascii=False, indent=1))
    elif name is not None:
        print(_card(listed[0]))
    elif not listed:
        note("the package has no models: train one, and pass its folder to --model")
    else:
        show_table("Models", ("name", "network", "MB", "dev F1"), [_row(model) for model in listed])


def _record(model: NamedModel) -> dict[str, Any]:
    from whorl.model_folder.description import read_description

    saved = read_description(model.folder)
    kept = {
        key: saved.get(key)
        for key in ("kind", "system", "root", "convention", "treebanks", "labels")
    }
    return {
        "name": model.name,
        "folder": str(model.folder),
        "bytes": model.size,
        **kept,
        "card": saved.get("card"),
    }


def _row(model: NamedModel) -> tuple[str, str, str, str]:
    record = _record(model)
    f1 = (record["card"] or {}).get("dev_f1")
    return model.name, record["kind"], f"{model.size / 1e6:.1f}", "" if f1 is None else f"{f1:.2f}"


def _card(model: NamedModel) -> str:
    """Return the card in Markdown if there is one, else the card in `model.json`."""
    import json

    if model.readme is not None:
        return model.readme.rstrip()
    return json.dumps(_record(model)["card"], ensure_ascii=False, indent=1)
