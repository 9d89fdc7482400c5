"""The models in `models/`: small, licensed, explained, and good for raw text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from whorl.model_folder.description import read_description
from whorl.packaging import package_model
from whorl.parser import Parser

MODELS = Path(__file__).parents[1] / "models"
LARGEST = 15_000_000  # bytes
TEXTS = {
    "id": ("Kontraknya belum selesai. Dia membaca buku baru.", "Kontrak nya belum selesai ."),
    "is": ("Hundurinn er í húsinu. Hún las bókina í gær.", "Hundurinn er í húsinu ."),
    "ja": ("彼は本を読んだ。これは新しい家です。", "彼 は 本 を 読ん だ 。"),
    "nl": ("De hond slaapt. Zij las gisteren een boek.", "De hond slaapt ."),
}
"""Two sentences of each language, and the words of the first."""


@pytest.fixture(scope="module", params=sorted(TEXTS))
def folder(request):
    folder = MODELS / request.param
    if not (folder / "model.json").exists():
        pytest.skip("this copy of Whorl has no models of other languages")  # an sdist
    return folder


@pytest.fixture(scope="module")
def parser(folder):
    return Parser.load(folder)


def test_a_text_has_its_sentences_words_and_offsets(folder, parser):
    text, words = TEXTS[folder.name]
    first, second = parser(text)
    assert " ".join(first.tree.words()) == words
    assert len(list(first.constituents())) > 1
    # a token of several words, such as `í gær`, has `_` in its form
    written = [text[token.start : token.end].replace(" ", "_") for token in second.tokens]
    assert written == [token.text for token in second.tokens]


def test_a_model_is_small_and_runs_without_pytorch(folder):
    files = [path for path in folder.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= LARGEST
    assert not list(folder.glob("weights*"))


def test_the_glossary_has_every_label_and_tag(folder):
    text = (folder / "labels.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`+ ?(.+?) ?`+", text))
    saved = read_description(folder, "span")
    tags = {tag for tag in saved["tags"] if not tag.startswith("<")}
    assert {*saved["labels"], *tags} <= explained


def test_the_card_has_data_figures_and_recipe(folder):
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {folder.name}\n")
    for heading in ("Figures", "Data and licence", "Recipe", "Labels and tags"):
        assert f"\n## {heading}\n" in card
    assert " test |" in card
    assert "/work/" not in card
    assert read_description(folder, "span")["card"]["languages"] == [folder.name]


@pytest.mark.skipif(not (MODELS / "is" / "model.json").exists(), reason="no models")
def test_icelandic_is_modern_unless_the_user_says_otherwise():
    modern = Parser.load(MODELS / "is")
    historical = Parser.load(MODELS / "is", convention="historical")
    words = ["Hún", "las", "bókina", "."]
    assert {leaf.tag for leaf in modern.parse(words).leaves()} & {"so", "no"}
    assert {leaf.tag for leaf in historical.parse(words).leaves()} & {"VBDI", "N"}


def test_a_wheel_of_it_is_found_by_its_name(folder, tmp_path):
    package = package_model(folder, name=folder.name, out=tmp_path)
    assert not {"labels.md", "LICENSE", "NOTICE"} & set(package.left_out)
    code = f"import whorl; print(len(whorl.load({folder.name!r})({TEXTS[folder.name][0]!r})))"
    unpacked = tmp_path / "unpacked"
    subprocess.run(
        [sys.executable, "-m", "zipfile", "-e", package.path, unpacked], check=True, timeout=60
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout == "2\n"
