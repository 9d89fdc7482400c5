"""The output of `whorl parse` in each format."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from click.testing import Result
from hypothesis import given
from tests.strategies import trees
from typer.testing import CliRunner

import whorl
from whorl.cli.main import app
from whorl.trees import Leaf, Tree, conll_rows, read_tree

FLAG = ((), ("--probabilities",))
TEXT = "The public is still cautious . It works"
TREES = """\
(TOP (S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .)))
(TOP (S (NP (PRP It)) (VP (VBZ works))))
"""
LINES = "It works\n\nRain\n"
CONLL = """\
# sent_id = 1
1	It	PRP	(TOP(S(NP*)
2	works	VBZ	(VP*)))

# sent_id = 2

# sent_id = 3
1	Rain	NN	(TOP(FRAG(NP*)))

"""
PRETTY = """\
   TOP
    │
    S
 ┌──┴──┐
NP    VP
 │     │
PRP   VBZ
 │     │
It   works


 TOP
  │
FRAG
  │
 NP
  │
 NN
  │
Rain

"""


def read_conll(text: str) -> list[Tree | None]:
    """Trees from their columns."""
    parsed: list[Tree | None] = []
    for block in text.split("\n\n")[:-1]:
        parts = []
        for number, row in enumerate(
            (line for line in block.split("\n") if not line.startswith("# ")), start=1
        ):
            index, word, tag, bit = row.split("\t")
            assert int(index) == number
            word = word.replace("(", "-LRB-").replace(")", "-RRB-")
            head, star, tail = bit.rpartition("*")
            assert star
            parts.append(f"{head.replace('(', ' (')} ({tag} {word}){tail}")
        parsed.append(read_tree("".join(parts)) if parts else None)
    return parsed


def test_text_becomes_a_line_of_brackets_for_each_sentence(parse):
    assert parse(TEXT).stdout == TREES


def test_tokens_become_a_line_of_brackets_for_each_line(parse):
    done = parse("--tokens", stdin=LINES)
    assert (
        done.stdout == "(TOP (S (NP (PRP It)) (VP (VBZ works))))\n\n(TOP (FRAG (NP (NN Rain))))\n"
    )


def test_columns_are_as_in_the_shared_task_and_can_be_read_back(parse):
    done = parse("--tokens", "--format", "conll", stdin=LINES)
    assert done.stdout == CONLL
    assert (
        list(map(str, read_conll(done.stdout)))
        == parse("--tokens", stdin=LINES).stdout.replace("\n\n", "\nNone\n").splitlines()
    )


@given(trees())
def test_columns_hold_any_tree(tree):
    if any(
        "*" in phrase.label or "(" in phrase.label or not phrase.label for phrase in tree.phrases()
    ):
        return
    rows = conll_rows(tree)
    assert [row.split("\t")[1:3] for row in rows] == [
        [leaf.word, leaf.tag] for leaf in tree.leaves()
    ]
    assert read_conll("\n".join(rows) + "\n\n") == [tree]


def test_columns_need_no_recursion():
    tree: Tree | Leaf = Leaf("A", "b")
    for _ in range(50_000):
        tree = Tree("X", [tree])
    assert len(conll_rows(tree)) == 1


def test_drawings_have_an_empty_line_after_each(parse):
    assert parse("--tokens", "--format", "pretty", stdin=LINES).stdout == PRETTY


def test_json_has_offsets_tags_and_probabilities(parse):
    (record,) = json.loads(parse("  It works", "--format", "json").stdout)
    probabilities = [phrase.pop("probability") for phrase in record["constituents"]]
    assert -1 < record.pop("log_probability") < 0
    assert probabilities[0] == 1  # the root
    assert all(0 < probability <= 1 for probability in probabilities)
    assert record == {
        "source": None,
        "number": 1,
        "text": "It works",
        "start": 2,
        "end": 10,
        "tokens": [
            {"text": "It", "tag": "PRP", "start": 2, "end": 4},
            {"text": "works", "tag": "VBZ", "start": 5, "end": 10},
        ],
        "tree": "(TOP (S (NP (PRP It)) (VP (VBZ works))))",
        "constituents": [
            {"label": "TOP", "left": 0, "right": 2, "start": 2, "end": 10},
            {"label": "S", "left": 0, "right": 2, "start": 2, "end": 10},
            {"label": "NP", "left": 0, "right": 1, "start": 2, "end": 4},
            {"label": "VP", "left": 1, "right": 2, "start": 5, "end": 10},
        ],
    }


def test_offsets_are_those_in_the_source_however_long_it_is(parse, tmp_path):
    text = "“Dogs bark,” it  works.\n\n" * 3000  # 75,000 characters
    path = tmp_path / "long.txt"
    path.write_text(text, encoding="utf-8")
    done = parse(str(path), "--format", "jsonl", "--batch", "512")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) == 3000
    for record in (records[0], records[2000], records[-1]):
        assert record["source"] == str(path)
        assert record["text"] == "“Dogs bark,” it  works."
        assert text[record["start"] : record["end"]] == record["text"]
        assert [text[token["start"] : token["end"]] for token in record["tokens"]][:3] == [
            "“",
            "Dogs",
            "bark",
        ]
        assert [token["text"] for token in record["tokens"]][:3] == ["``", "Dogs", "bark"]


def test_lines_of_json_have_null_for_an_empty_line(parse):
    lines = parse("--tokens", "--format", "jsonl", stdin=LINES).stdout.splitlines()
    first, empty, last = map(json.loads, lines)
    assert empty is None
    assert (first["source"], first["number"], last["number"]) == ("-", 1, 3)
    assert (last["start"], last["end"], last["text"]) == (0, 4, "Rain")
    assert json.loads(parse("--tokens", "--format", "json", stdin=LINES).stdout) == [
        first,
        None,
        last,
    ]
    assert parse("--format", "json").stdout == "[]\n"


@pytest.mark.parametrize("form", ["brackets", "jsonl", "conll", "pretty"])
def test_several_trees_of_a_sentence_come_best_first(parse, form):
    text = parse("--tokens", "--nbest", "3", "--format", form, stdin="It works\n\n").stdout
    if form == "jsonl":
        record, empty = map(json.loads, text.splitlines())
        scores = [one["log_probability"] for one in record["parses"]]
        parses = [one["tree"] for one in record["parses"]]
        assert empty is None
        assert record["tree"] == parses[0]
    elif form == "brackets":
        *lines, end, empty = text.split("\n")[:-1]
        assert (end, empty) == ("", "")
        scores, parses = zip(
            *((float(line.split("\t")[0]), line.split("\t")[1]) for line in lines), strict=True
        )
    else:
        scores = [float(value) for value in re.findall(r"log.probability(?: =)? (-[\d.]+)", text)]
        parses = list(map(str, read_conll(text)[:-1])) if form == "conll" else list(range(3))
    assert len(set(parses)) == len(scores) == 3
    assert list(scores) == sorted(scores, reverse=True)


def test_one_tree_is_a_picture_and_many_are_a_folder_of_them(parse, tmp_path):
    one = parse("Rain", "--format", "svg")
    ElementTree.fromstring(one.stdout)
    folder = tmp_path / "deep" / "pictures"
    assert parse("--tokens", "--format", "svg", "--out", str(folder), stdin=LINES).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["tree-00001.svg", "tree-00003.svg"]
    assert (folder / "tree-00003.svg").read_text(encoding="utf-8") == one.stdout
    assert parse("--nbest", "2", "--format", "svg", "--out", str(folder), "Rain").exit_code == 0
    assert {path.name for path in folder.iterdir()} >= {"tree-00001-1.svg", "tree-00001-2.svg"}


def test_pictures_of_an_earlier_run_are_replaced_and_nothing_else_is(parse, tmp_path):
    args = ("--tokens", "--format", "svg", "--out", str(tmp_path))
    kept = ["tree-00001.png", "tree-1.svg", "my-tree-00001.svg", "tree-00009.svg.bak", "notes.txt"]
    for name in kept:
        (tmp_path / name).write_text("mine")
    (tmp_path / "tree-00007.svg").mkdir()
    assert parse(*args, "--nbest", "2", stdin="Rain\nRain\nRain\n").exit_code == 0
    assert parse(*args, stdin="Rain\n\n").exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        *kept,
        "tree-00001.svg",
        "tree-00007.svg",
    }
    assert all((tmp_path / name).read_text() == "mine" for name in kept)
    assert parse(*args, stdin="").exit_code == 0
    assert not (tmp_path / "tree-00001.svg").exists()


def test_a_run_that_fails_leaves_the_pictures_that_were_there(parse, tmp_path):
    (tmp_path / "tree-00001.svg").write_text("old")
    args = ("--input", "tagged", "--format", "svg", "--batch", "1", "--out")
    lines = "Rain_NN\n" * 20 + "Rain\n"
    assert parse(*args, str(tmp_path), stdin=lines).exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["tree-00001.svg"]
    assert (tmp_path / "tree-00001.svg").read_text() == "old"
    assert parse(*args, str(tmp_path / "new"), stdin=lines).exit_code == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "message"), [(LINES, "one .svg file holds one tree"), ("", "no tree to draw")]
)
def test_a_picture_is_of_one_tree(parse, tmp_path, text, message):
    done = parse("--tokens", "--format", "svg", "--out", str(tmp_path / "x.svg"), stdin=text)
    assert done.exit_code == 1
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_sentences_of_several_files_say_where_they_are_from(parse, tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("Rain", encoding="utf-8")
    done = parse(str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--format", "conll")
    assert re.findall("# source = (.*)", done.stdout) == [
        str(tmp_path / "a.txt"),
        str(tmp_path / "b.txt"),
    ]
    assert done.stdout.count("# sent_id = 1\n") == 2


AMBIGUOUS = "She saw the man in the park with a telescope."


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["parse", *args], catch_exceptions=False)


def test_drawings_mark_uncertain_phrases_on_request() -> None:
    (sentence,) = whorl.load()(AMBIGUOUS)
    plain, marked = (run(AMBIGUOUS, "--format", "pretty", *option).stdout for option in FLAG)
    assert plain == f"{sentence.tree.pretty()}\n\n"
    assert marked == f"{sentence.pretty()}\n\n"
    assert "%" in marked
    plain, marked = (run(AMBIGUOUS, "--format", "svg", *option).stdout for option in FLAG)
    assert plain == sentence.tree.svg()
    assert marked == sentence.svg()
    assert "stroke-dasharray" in marked


def test_workers_mark_uncertain_phrases_as_well() -> None:
    pretty = (AMBIGUOUS, "--format", "pretty", "--probabilities")
    assert run(*pretty, "--jobs", "2").stdout == run(*pretty).stdout


def test_formats_without_marks_refuse_to_show_probabilities() -> None:
    for name in ("brackets", "jsonl", "conll", "latex"):
        done = run(AMBIGUOUS, "--format", name, "--probabilities")
        assert done.exit_code == 2
        assert f"for the formats pretty and svg, not for {name}" in " ".join(done.stderr.split())
