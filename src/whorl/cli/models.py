"""`whorl models`: the models that can be loaded by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whorl.cli.common import guarded, note
from whorl.cli.tables import show_table
from whorl.errors import ModelError

if TYPE_CHECKING:
    from whorl.catalogue import NamedModel

__all__ = ["models"]

_HEADER = ("name", "languages", "version", "licence", "MB", "dev F1", "provider")
_KEPT = ("format", "kind", "system", "root", "convention", "treebanks", "labels")


@guarded
def models(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print the card of this model.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, cards included.")] = False,
) -> None:
    """List the models of Whorl and of installed packages, or print the card of one."""
    import json

    from whorl.catalogue import available_models, find_named

    if name is not None:
        model = find_named(name)
        shown = json.dumps(_record(model), ensure_ascii=False, indent=1) if as_json else None
        print(shown or f"{_facts(model)}\n\n{_card(model)}")
        return
    listed = available_models()
    if as_json:
        print(
            json.dumps(
                [_record_or_problem(model) for model in listed], ensure_ascii=False, indent=1
            )
        )
        return
    if listed:
        show_table("Models", _HEADER, [_row(model) for model in listed], numbers=False)
    else:
        note("no model is installed: train one, and pass its folder to --model")
    for problem in _problems(listed):
        note(problem)


def _record(model: NamedModel) -> dict[str, Any]:
    saved = model.description
    return {
        "name": model.name,
        "provider": model.distribution,
        "version": model.version,
        "licence": model.licence,
        "languages": model.languages,
        "folder": str(model.folder),
        "bytes": model.size,
        **{key: saved.get(key) for key in _KEPT},
        "card": saved["card"],
    }


def _record_or_problem(model: NamedModel) -> dict[str, Any]:
    try:
        return _record(model)
    except ModelError as error:
        source = {"provider": model.distribution, "version": model.version}
        return {"name": model.name, **source, "problem": str(error)}


def _row(model: NamedModel) -> Sequence[str]:
    try:
        f1 = model.card.get("dev_f1")
        return (
            model.name,
            ", ".join(model.languages) or "-",
            model.version,
            model.licence or "-",
            f"{model.size / 1e6:.1f}",
            "-" if f1 is None else f"{f1:.2f}",
            model.distribution,
        )
    except ModelError:
        return model.name, "-", model.version, "-", "-", "damaged", model.distribution


def _problems(listed: Sequence[NamedModel]) -> Iterable[str]:
    """Yield what keeps models from being loaded by name."""
    for model in listed:
        try:
            _ = model.description
        except ModelError as error:
            yield str(error)
    for name, count in Counter(model.name for model in listed).items():
        if count > 1:
            providers = [model.distribution for model in listed if model.name == name]
            yield (
                f"{' and '.join(providers)} each provide the model {name!r}: "
                "until one is uninstalled, neither can be loaded by name"
            )


def _facts(model: NamedModel) -> str:
    """Return what is known of a model apart from its card."""
    from whorl.reporting.tables import align_columns

    saved, conventions = model.description, model.conventions
    if conventions and saved.get("convention") is None:
        shown = f"{', '.join(conventions)} (default: their mean)"
    elif conventions:
        shown = ", ".join([f"{conventions[0]} (default)", *conventions[1:]])
    else:
        shown = ""
    precision = saved.get("runtime", {}).get("precision", "needs PyTorch")
    facts = {
        "model": model.name,
        "provider": model.provider,
        "languages": ", ".join(model.languages),
        "licence": model.licence or "",
        "network": f"{saved['kind']}, {saved['system']}, {precision}, {model.size / 1e6:.1f} MB",
        "conventions": shown,
        "folder": str(model.folder),
    }
    return "\n".join(align_columns([fact for fact in facts.items() if fact[1]], numbers=False))


def _card(model: NamedModel) -> str:
    """Return the card in Markdown if there is one, else the card in `model.json`."""
    import json

    if model.readme is not None:
        return model.readme.rstrip()
    return json.dumps(model.card, ensure_ascii=False, indent=1)
