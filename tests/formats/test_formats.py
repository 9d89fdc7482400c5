"""Output formats: the registry, each format by itself, and a new one added in one file."""

from __future__ import annotations

import json
import math
import os
import pickle
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

import whorl
from whorl.engine import Parse
from whorl.formats import Format, Origin, all_formats, get_format
from whorl.parser.documents import Sentence
from whorl.trees import read_tree

BEST = read_tree("(S (NP (PRP It)) (VP (VBZ works)))")
OTHER = read_tree("(X (PRP It) (VBZ works))")
SENTENCE = Sentence.from_words(["It", "works"], [Parse(BEST, -0.5), Parse(OTHER, -2.25)])
ORIGIN = Origin("standard input", "-", 7)

SHOUT = '''
"""Trees in capitals."""

from whorl.formats.base import Format


class Shout(Format):
    """Trees in capitals."""

    name = "shout"
    is_drawing = True

    def format_tree(self, tree):
        """Format a tree."""
        return str(tree).upper()
'''


def test_the_formats_are_these():
    assert list(all_formats()) == ["brackets", "conll", "json", "jsonl", "latex", "pretty", "svg"]
    with pytest.raises(ValueError, match="unknown format 'png': choose one of brackets, conll, js"):
        get_format("png")


@pytest.mark.parametrize("name", all_formats())
@pytest.mark.parametrize("n_best", [False, True])
def test_a_format_can_be_sent_to_another_process(name, n_best):
    original = get_format(name)(n_best=n_best, several_sources=True, width=40)
    copy = pickle.loads(pickle.dumps(original))
    assert type(copy) is type(original)
    assert vars(copy) == vars(original)
    assert copy.format_sentence(SENTENCE, ORIGIN) == original.format_sentence(SENTENCE, ORIGIN)


@pytest.mark.parametrize("name", [name for name in all_formats() if name not in ("json", "svg")])
def test_sentences_end_with_a_line_break_empty_ones_too(name):
    form = get_format(name)()
    assert form.format_sentence(SENTENCE).endswith("\n")
    assert form.format_sentence(None).endswith("\n")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("brackets", f"-0.5000\t{BEST}\n-2.2500\t{OTHER}\n\n"),
        (
            "pretty",
            f"log-probability -0.5000\n{BEST.pretty()}\n\n"
            f"log-probability -2.2500\n{OTHER.pretty()}\n\n",
        ),
        (
            "latex",
            f"% log-probability -0.5000\n{BEST.latex()}\n\n"
            f"% log-probability -2.2500\n{OTHER.latex()}\n\n",
        ),
        (
            "conll",
            "# source = standard input\n# sent_id = 7\n"
            "# parse = 1\n# log_probability = -0.5000\n"
            "1\tIt\tPRP\t(S(NP*)\n2\tworks\tVBZ\t(VP*))\n\n"
            "# source = standard input\n# sent_id = 7\n"
            "# parse = 2\n# log_probability = -2.2500\n"
            "1\tIt\tPRP\t(X*\n2\tworks\tVBZ\t*)\n\n",
        ),
    ],
)
def test_all_parses_of_a_sentence_are_written_best_first(name, expected):
    form = get_format(name)(n_best=True, several_sources=True)
    assert form.format_sentence(SENTENCE, ORIGIN) == expected


def test_an_object_has_the_origin_only_if_it_is_known():
    form = get_format("jsonl")(n_best=True)
    record = json.loads(form.format_sentence(SENTENCE))
    assert record == SENTENCE.to_dict()
    with_origin = json.loads(form.format_sentence(SENTENCE, ORIGIN))
    assert with_origin == {"source": "-", "number": 7, **record}
    assert list(with_origin)[:3] == ["source", "number", "text"]
    assert "parses" not in json.loads(get_format("jsonl")().format_sentence(SENTENCE))


def test_text_is_drawn_as_wide_as_asked():
    assert get_format("pretty")(width=3).format_tree(BEST) == BEST.pretty(width=3)
    assert BEST.pretty(width=3) != BEST.pretty()


def test_a_format_without_a_drawing_says_so():
    with pytest.raises(NotImplementedError, match="json"):
        get_format("json")().format_tree(BEST)
    drawings = [name for name, form in all_formats().items() if form.is_drawing]
    assert drawings == ["latex", "pretty", "svg"]


def test_drawings_mark_uncertain_phrases_if_asked():
    # Steps: shift, reduce NP, shift, reduce VP, reduce S, FINISH.
    steps = array("f", [0.0, math.log(0.5), 0.0, 0.0, 0.0, 0.0])
    unsure = Sentence.from_words(["It", "works"], [Parse(BEST, -0.5, steps)])
    marking = [name for name, form in all_formats().items() if form.marks_uncertain]
    assert marking == ["pretty", "svg"]
    for name, tree in (("pretty", BEST.pretty()), ("svg", BEST.svg())):
        marked = get_format(name)(probabilities=True).format_sentence(unsure)
        assert "50%" in marked
        assert marked == get_format(name)(probabilities=True).format_parses(unsure.parses)
        assert get_format(name)().format_sentence(unsure) == f"{tree}\n\n"
        for sure in (SENTENCE.parses[0], Parse(BEST, -0.5, array("f", [0.0] * 6))):
            assert "%" not in get_format("pretty")(probabilities=True).format_parse(sure)
        assert get_format(name)(probabilities=True).format_tree(BEST) == tree


@pytest.fixture(scope="module")
def package_with_a_new_format(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, by links, and one more file in it."""
    folder = tmp_path_factory.mktemp("copy")
    source = Path(whorl.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, folder / "whorl", copy_function=os.symlink, ignore=ignored)
    (folder / "whorl/formats/shout.py").write_text(SHOUT, encoding="utf-8")
    return folder


def run(folder: Path, *args: str, text: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *args],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_new_format_is_one_new_file(package_with_a_new_format):
    folder = package_with_a_new_format
    command = ("-m", "whorl")
    assert "shout" in run(folder, *command, "parse", "--help")
    assert "shout" in run(folder, *command, "draw", "--help")
    assert run(folder, *command, "draw", "-f", "shout", text=str(BEST)) == f"{BEST}\n".upper()
    script = (
        "import whorl; from whorl.formats import get_format\n"
        "assert whorl.__file__.startswith({!r})\n"
        "(sentence,) = whorl.load()('It works')\n"
        "print(end=get_format('shout')().format_sentence(sentence))"
    )
    pytest.importorskip("onnxruntime")
    expected = run(folder, *command, "parse", "It works").upper() + "\n"
    assert run(folder, "-c", script.format(str(folder))) == expected
    for jobs in ("1", "2"):
        parse = (*command, "parse", "--format", "shout", "--jobs", jobs)
        assert run(folder, *parse, "--tokens", text="It works\n\n") == expected + "\n"


def test_formats_without_a_name_are_not_registered():
    before = dict(Format.registry)
    type("Nameless", (Format,), {})
    assert Format.registry == before
