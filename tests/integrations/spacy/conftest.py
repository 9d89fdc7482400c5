"""Pipelines with the real spaCy and the model of the package; no trained spaCy pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

MODEL = Path(__file__).parents[2] / "compat/format-2/span-int8"
"""A small model folder that is not part of the package."""


@pytest.fixture
def model():
    return MODEL


@pytest.fixture
def make_nlp():
    spacy = pytest.importorskip("spacy")

    def make(sentences="sentencizer", language="en", **config):
        nlp = spacy.blank(language)
        if sentences:
            nlp.add_pipe(sentences)
        nlp.add_pipe("whorl", config=config)
        return nlp

    return make


@pytest.fixture(scope="session")
def _pipeline():
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("whorl")
    return nlp


@pytest.fixture
def nlp(_pipeline):
    """A pipeline whose model is loaded once; tests must leave it as it is."""
    return _pipeline


@pytest.fixture(autouse=True)
def extensions():
    """Leave spaCy's custom attributes as they were."""
    spacy = pytest.importorskip("spacy")
    classes = (spacy.tokens.Doc, spacy.tokens.Span, spacy.tokens.Token)
    underscore = spacy.tokens.underscore.Underscore
    before = [dict(extensions) for extensions in underscore.get_state()]
    yield classes
    for extensions, saved in zip(underscore.get_state(), before, strict=True):
        extensions.clear()
        extensions.update(saved)
