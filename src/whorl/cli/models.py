"""`whorl models`: the models in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from whorl.cli.common import guarded, note
from whorl.cli.tables import show_table
from whorl.errors import ModelError

if TYPE_CHECKING:
    from whorl.shipped import ShippedModel

__all__ = ["models"]


@guarded
def models(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The model whose card to print.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the cards.")] = False,
) -> None:
    """List the models in the package, or print the card of one."""
    import json

    from whorl.shipped import shipped_models

    found = shipped_models()
    if name is not None:
        found = [model for model in found if model.name == name]
        if not found:
            known = ", ".join(model.name for model in shipped_models()) or "none"
            raise ModelError(f"there is no model {name!r} in the package, which has {known}")
    if as_json:
        records = [_record(model) for model in found]
        print(json.dumps(records if name is None else records[0], ensure_ascii=False, indent=1))
    elif name is not None:
        print(_card(found[0]))
    elif not found:
        note("there are no models in this package: train one, and give its folder to --model")
    else:
        show_table("Models", ("name", "network", "MB", "dev F1"), [_row(model) for model in found])


def _record(model: ShippedModel) -> dict[str, Any]:
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


def _row(model: ShippedModel) -> tuple[str, str, str, str]:
    record = _record(model)
    f1 = (record["card"] or {}).get("dev_f1")
    return model.name, record["kind"], f"{model.size / 1e6:.1f}", "" if f1 is None else f"{f1:.2f}"


def _card(model: ShippedModel) -> str:
    """The card as it was written for people, else what the folder says."""
    import json

    if model.readme is not None:
        return model.readme.rstrip()
    return json.dumps(_record(model)["card"], ensure_ascii=False, indent=1)
