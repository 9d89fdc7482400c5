"""Rules for the section `tokeniser` of `model.json` and for the file that it names."""

from __future__ import annotations

from typing import Any, get_args

from whorl.model_folder.schema import FILE_NAME, NUMBER, Rule, integer, list_of, one_of, table
from whorl.text import Hyphens
from whorl.tokenisers.inventory import INVENTORY

__all__ = ["SETTINGS", "check_section", "check_sections"]

_KINDS: dict[str, Rule] = {
    "penn": table({"hyphens": one_of(*get_args(Hyphens))}),
    "unicode": table({"weights": FILE_NAME, "settings": FILE_NAME}),
    "learned": table({"weights": FILE_NAME, "settings": FILE_NAME}),
}


def check_section(value: Any, key: str) -> str | None:
    """The rule for the section of `model.json` that says how text is cut."""
    problem = table({"kind": one_of(*_KINDS)})(value, key)
    return problem or _KINDS[value["kind"]](value, key)


def check_sections(value: Any, key: str) -> str | None:
    """The rule for the sections of a model whose treebanks are cut differently."""
    return table({}, dict.fromkeys(value, check_section) if isinstance(value, dict) else {})(
        value, key
    )


SETTINGS: Rule = table(
    {
        "layers": list_of(
            table({"width": integer(1, 101), "dilation": integer(1, 100)}), least=1, most=20
        ),
        "thresholds": list_of(NUMBER, least=2, most=2),
        "inventory": INVENTORY,
    }
)
"""The rule for the settings file of a trained tokeniser."""
