"""The examples of docs/spacy.md run and print what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

PAGE = (Path(__file__).parents[3] / "docs/spacy.md").read_text(encoding="utf-8")


def blocks(section=""):
    text = PAGE.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0] if section else PAGE
    return re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_examples_run(capsys):
    (_, first), (_, printed) = [block for block in blocks() if block[0] in ("python", "")][:2]
    scope = {}
    exec(first, scope)
    assert _rounded(capsys.readouterr().out) == _rounded(printed)
    ((_, spans),) = blocks("Attributes")
    exec(spans, scope)
    assert scope["labels"] == ()
    for section in ("Treebanks as documents", "Evaluation"):
        for _, code in blocks(section):
            exec(code, scope)
    assert capsys.readouterr().out == "1.0\n"
    assert scope["doc"]._.trees == scope["gold"]._.trees == scope["trees"]


def test_the_examples_of_constraints_run(capsys):
    (_, rule), (_, printed), (_, component), (_, attribute) = blocks("Constraints")
    scope = {"spacy": spacy}
    exec(rule, scope)
    assert capsys.readouterr().out == printed
    exec(component, scope)
    exec(attribute, scope)
    assert "NP" in scope["doc"][2:7]._.labels
    entities = scope["nlp"].add_pipe("entity_ruler", before="entities_are_noun_phrases")
    entities.add_patterns([{"label": "X", "pattern": "man with the telescope"}])
    assert "NP" in scope["nlp"](scope["doc"].text)[3:7]._.labels


def test_the_page_names_every_span_group():
    from whorl.integrations.spacy.constraints import GROUPS

    assert [name for name in GROUPS.values() if f'| `doc.spans["{name}"]` |' not in PAGE] == []


def _rounded(text):
    """Probabilities differ in the last digit between processors."""
    return re.sub(r"\d\.\d+$", "P", text, flags=re.MULTILINE)


def test_the_page_names_every_attribute_option_and_error():
    import whorl.spacy
    from whorl.integrations.spacy.attributes import ATTRIBUTES
    from whorl.integrations.spacy.factory import make_component

    for owner, names in ATTRIBUTES.items():
        assert all(f"{owner.__name__.lower()}._.{name}" in PAGE for name in names)
    options = set(make_component.__annotations__) - {"nlp", "name", "return"}
    assert [option for option in options if f"| `{option}` |" not in PAGE] == []
    private = {"SpacyError", "WhorlComponent", "score_trees"}
    assert [name for name in whorl.spacy.__all__ if name not in PAGE and name not in private] == []
