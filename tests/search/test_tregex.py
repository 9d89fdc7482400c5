"""Counts, orders and rejections are those of Stanford Tregex, from its own outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whorl import search
from whorl.errors import PatternError
from whorl.trees import iter_trees, read_tree, relabel

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
GOLDEN = Path(__file__).with_name("golden.jsonl")
# Tregex descends preceding nodes by the first child here, where the last would be right.
DESCENT = {"NN ,+(/^JJ/) DT", "A ,+(X) __=z"}


def lines(name):
    path = SHARED / "tregex" / name
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def needs(path):
    if not path.exists():
        pytest.skip(f"needs {path.name} of the shared files")


@pytest.fixture(scope="module", params=["gum", "genia"])
def treebank(request):
    path = SHARED / "treebanks/en" / request.param / "dev.txt"
    needs(path)
    trees = [
        relabel(tree, lambda label: "ROOT" if label == "TOP" else label)
        for tree in iter_trees(path)
    ]
    return request.param, trees


@pytest.mark.treebank
@pytest.mark.parametrize("suffix", ["dev.tsv", "dev.2.tsv"])
def test_counts_on_treebanks_are_those_of_tregex(treebank, suffix):
    name, trees = treebank
    needs(SHARED / "tregex" / f"{name}.{suffix}")
    header, *rows = lines(f"{name}.{suffix}")
    assert header == f"# trees {len(trees)}"
    different = []
    for row in rows:
        *expected, text = row.split("\t")
        if text in DESCENT:
            continue
        matches = list(search.compile(text).search(trees))
        nodes = {(match.tree_number, match.node.number) for match in matches}
        counts = [len(matches), len(nodes), len({number for number, _ in nodes})]
        if counts != [int(count) for count in expected]:
            different.append((text, counts, expected))
    assert different == []
    assert len(rows) >= 50


@pytest.mark.treebank
def test_chains_of_preceding_nodes_mirror_chains_of_following_ones(treebank):
    _, trees = treebank
    count = lambda text: sum(map(search.compile(text).count, trees))
    assert count("NN ,+(/^JJ/) DT") == count("DT .+(/^JJ/) NN") > 1000
    assert count("VP ,+(QQQ) VBD") == count("VP , VBD") > 100


def records(match):
    return {"match": str(match), "names": {name: str(node) for name, node in match.names.items()}}


@pytest.mark.parametrize("line", lines("small.jsonl"))
def test_small_trees_match_in_the_order_of_tregex(line):
    expected = json.loads(line)
    if expected["pattern"] in DESCENT:
        pytest.skip("Tregex descends by the wrong child")
    if "error" in expected:
        with pytest.raises(PatternError):
            search.compile(expected["pattern"])
        return
    matches = search.compile(expected["pattern"]).finditer(read_tree(expected["input"]))
    assert list(map(records, matches)) == expected["matches"]


@pytest.mark.parametrize("line", lines("errors2.txt"))
def test_what_tregex_rejects_is_rejected(line):
    with pytest.raises(PatternError, match=r"\n  .*\n  *\^$"):
        search.compile(line.split("\t")[0])


@pytest.mark.parametrize("line", GOLDEN.read_text(encoding="utf-8").splitlines())
def test_golden_matches(line):
    expected = json.loads(line)
    matches = search.compile(expected["pattern"]).finditer(read_tree(expected["tree"]))
    numbers = [
        [match.node.number, {name: node.number for name, node in match.names.items()}]
        for match in matches
    ]
    assert numbers == expected["matches"]


def test_the_golden_file_has_every_relation():
    text = GOLDEN.read_text(encoding="utf-8")
    used = {json.loads(line)["pattern"].split()[1].split("(")[0] for line in text.splitlines()}
    symbols = {*search.relations.RELATIONS, *search.relations.THROUGH, "<2", ">-1", "<<<-2", "<..."}
    assert symbols <= used
