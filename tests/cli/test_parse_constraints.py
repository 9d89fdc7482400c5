"""`whorl parse` with constraints: a file beside the sentences, or JSON records that hold them."""

from __future__ import annotations

import json

import pytest

from whorl import Constraint, read_tree, read_trees
from whorl.errors import WhorlError

TOKENS = "The public is still cautious .\n\nIt works .\n"
NP = '[{"kind": "span", "left": 2, "right": 5, "label": "NP"}, {"kind": "root", "label": "FRAG"}]'

XP = '[{"kind": "span", "left": 0, "right": 1, "label": "XP"}]'


@pytest.fixture
def files(tmp_path):
    def write(constraints, tokens=TOKENS):
        (tmp_path / "tokens.txt").write_text(tokens, encoding="utf-8")
        (tmp_path / "constraints.jsonl").write_text(constraints, encoding="utf-8")
        return str(tmp_path / "tokens.txt"), str(tmp_path / "constraints.jsonl")

    return write


@pytest.mark.parametrize("options", [(), ("--nbest", "2"), ("--beam", "3"), ("--jobs", "2")])
def test_each_line_of_constraints_belongs_to_a_line_of_tokens(parse, files, options):
    tokens, constraints = files(f"{NP}\n\n[]\n")
    done = parse("--tokens", tokens, "--constraints", constraints, *options)
    assert done.exit_code == 0, done.stderr
    first, *_, last = bracketed(done.stdout)
    assert first.children[0].label == "FRAG"
    assert ("NP", 2, 5) in first.spans()
    assert last == bracketed(parse("--tokens", tokens, *options).stdout)[-1]


def bracketed(output):
    """Return the trees of an output, which may have figures before them."""
    return [read_tree(line[line.index("(") :]) for line in output.splitlines() if "(" in line]


def test_constraints_go_with_trees_and_with_several_files(parse, files, tmp_path):
    tokens, constraints = files(f"{NP}\nnull\n[]\n[]\n{NP}\n")
    other = tmp_path / "other.txt"
    other.write_text("Rain\nThe public is still cautious .\n", encoding="utf-8")
    done = parse("--tokens", tokens, str(other), "--constraints", constraints)
    assert done.exit_code == 0, done.stderr
    trees = read_trees(done.stdout)
    assert [tree.children[0].label == "FRAG" for tree in trees][::3] == [True, True]
    tree = "(TOP (S (NP (NNS Dogs)) (VP (VBP bark))))"
    _, constraints = files(
        '[{"kind": "tag", "left": 0, "tag": "NNS"}, {"kind": "only", "left": 0, "right": 2}]'
    )
    done = parse("--input", "trees", "--constraints", constraints, stdin=tree)
    assert len(read_tree(done.stdout).spans()) == 2
    assert parse("--tokens", "--constraints", constraints, stdin="a b\n").exit_code == 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (f"{NP}\n[]\n[bad\n", "jsonl:3:2: expected an array of constraints in JSON, not 'bad'"),
        ("[]\n[]\n7\n", "constraints.jsonl:3: expected an array of constraints, not 7"),
        ("[]\n[]\n[{}, 1]\n", "constraints.jsonl:3: constraint 1: {}: kind must be one of span,"),
        (f"{NP}\n\n{NP}\n", "constraints.jsonl:3: NP over words 2:5 '.': the sentence has 3 words"),
        (f"{XP}\n\n\n", "jsonl:1: XP over words 0:1 'The': the model has no label 'XP', only "),
        (f"{NP}\n", "constraints.jsonl has no line for line 2 of"),
        ("\n\n\n\n[]\n", "constraints.jsonl:5: there is no sentence for '[]'"),
    ],
)
def test_an_error_names_the_file_the_line_and_what_was_expected(parse, files, lines, message):
    tokens, constraints = files(lines)
    done = parse("--tokens", tokens, "--constraints", constraints)
    assert done.exit_code == 1
    assert message in done.stderr


def test_a_file_of_constraints_needs_lines_of_sentences(parse, files):
    tokens, constraints = files("[]\n")
    for kind in ("text", "json"):
        done = parse("--input", kind, tokens, "--constraints", constraints)
        assert done.exit_code == 1
        assert f"--tokens or --input tagged or trees, not {kind}" in done.stderr
    done = parse("--tokens", "--constraints", "-", stdin="Rain\n")
    assert "cannot be both" in done.stderr
    done = parse("--tokens", tokens, "--constraints", "missing.jsonl")
    assert (done.exit_code, "missing.jsonl" in done.stderr) == (1, True)


def test_json_records_hold_words_or_a_text_and_constraints(parse):
    text = "It works. The public is still cautious."
    left = text.index("still")
    records = [
        {"tokens": ["It", "works"], "constraints": [Constraint.root("FRAG").to_dict()]},
        None,
        {"tokens": ["It", {"text": "works", "tag": "ODD"}]},
        {"tokens": [{"text": "-LRB-", "tag": "X"}, {"text": "(", "tag": "Y"}]},
        {"text": text, "constraints": [Constraint.span(left, left + 14, "NP").to_dict()]},
        {"text": ""},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    done = parse("--input", "json", "--format", "jsonl", stdin=lines)
    assert done.exit_code == 0, done.stderr
    first, empty, some, leaves, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["constituents"][1]["label"], empty) == ("FRAG", None)
    assert [token["tag"] for token in some["tokens"]][1:] == ["ODD"]
    assert [(token["text"], token["tag"]) for token in leaves["tokens"]] == [("(", "X"), ("(", "Y")]
    assert (second["text"], third["text"]) == ("It works.", "The public is still cautious.")
    phrases = [(c["label"], text[c["start"] : c["end"]]) for c in third["constituents"]]
    assert ("NP", "still cautious") in phrases
    assert [record["number"] for record in (first, some, leaves, second, third)] == [1, 3, 4, 5, 6]


def test_json_output_can_be_parsed_again(parse):
    once = parse("--tokens", "--format", "jsonl", stdin=TOKENS)
    again = parse("--input", "json", "--format", "jsonl", stdin=once.stdout)
    assert again.exit_code == 0, again.stderr
    trees = [[json.loads(line) for line in done.stdout.splitlines()] for done in (once, again)]
    assert [r and r["tree"] for r in trees[0]] == [r and r["tree"] for r in trees[1]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "standard input:1:1: expected an object such as"),
        ("{", "standard input:1:2: expected an object such as"),
        ("[" * 100_000, "standard input:1:1: expected an object such as"),
        ("3", 'expected an object such as {"tokens": ["It", "works"], "constraints": []}, not 3'),
        ('{"token": []}', 'not {"token": []}'),
        ('{"tokens": [], "constraint": []}', "unknown key 'constraint': expected constraints, "),
        ('{"tokens": "It works"}', 'tokens must be an array, not "It works"'),
        ('{"tokens": ["It", 3]}', 'a token must be a string, or an object such as {"text": '),
        ('{"tokens": [{"text": "It", "tag": 3}]}', 'not {"text": "It", "tag": 3}'),
        ('{"text": ["It"]}', 'text must be a string, not ["It"]'),
        ('{"text": "It works.", "constraints": {}}', "expected an array of constraints, not {}"),
        (
            '{"text": "It works.", "constraints": [{"kind": "span", "left": 1, "right": 8}]}',
            "1: a phrase over characters 1:8 't works': no word begins at character 1",
        ),
        (
            '{"tokens": ["It"], "constraints": [{"kind": "not_span", "left": 0, "right": 1}]}',
            "1: not a phrase over words 0:1 'It': every tree has a phrase over all words",
        ),
    ],
)
def test_a_record_that_cannot_be_read_is_named(parse, line, message):
    done = parse("--input", "json", stdin=f"{line}\n")
    assert done.exit_code == 1
    assert message in done.stderr
    assert "standard input:1" in done.stderr


def test_constraint_errors_are_whorl_errors():
    with pytest.raises(WhorlError):
        Constraint.span(1, 1)
