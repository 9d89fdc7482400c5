"""`whorl search`: what it reads, what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whorl.cli.main import app

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
SAW = (
    "(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (NP (DT the) (NN man)) "
    "(PP (IN with) (NP (DT a) (NN telescope))))) (. .)))"
)
CATS = "(TOP (S (NP (NNS Cats) (CC and) (NNS dogs)) (VP (VBP sleep))))"
RAIN = "(TOP (NP (NN Rain)))"


def search(*arguments: object, text: str = "") -> Result:
    return CliRunner().invoke(app, ["search", *map(str, arguments)], input=text)


def lines(*arguments: object, text: str = f"{SAW}\n{CATS}\n{RAIN}\n") -> list[str]:
    done = search(*arguments, text=text)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.fixture
def files(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text(f"{SAW}\n\n{CATS}\n", encoding="utf-8")
    Path("two.txt").write_text(f"\n\n{RAIN}\n", encoding="utf-8")
    return tmp_path


class TestFormats:
    def test_matching_subtrees(self):
        assert lines("NP < NN") == [
            "(NP (DT the) (NN man))",
            "(NP (DT a) (NN telescope))",
            "(NP (NN Rain))",
        ]

    def test_every_match_or_each_node_once(self):
        assert len(lines("NP < /^NN/")) == 5
        assert lines("NP < /^NN/", "--nodes") == [
            "(NP (DT the) (NN man))",
            "(NP (DT a) (NN telescope))",
            "(NP (NNS Cats) (CC and) (NNS dogs))",
            "(NP (NN Rain))",
        ]
        assert lines("NP < /^NN/=noun", "--nodes", "-f", "words", "--name", "noun") == [
            "man",
            "telescope",
            "Cats",
            "Rain",
        ]

    def test_whole_trees(self):
        assert lines("NP < NN", "--format", "trees") == [SAW, RAIN]
        assert lines("NP < NN", "--invert") == [CATS]

    def test_words_and_names(self):
        assert lines("PP", "-f", "words") == ["with a telescope"]
        pattern = "NP < NP=object < PP=modifier"
        assert lines(pattern, "--name", "modifier", "--name", "object") == [
            "(PP (IN with) (NP (DT a) (NN telescope)))\t(NP (DT the) (NN man))"
        ]
        assert lines("NP=x ?< DT=y", "--name", "y", "-f", "words") == ["", "", "the", "a", "", ""]

    def test_a_concordance(self):
        assert lines("PP", "-f", "concordance") == ["She saw the man\twith a telescope\t."]
        assert lines("PP < IN=p", "-f", "concordance", "--name", "p") == [
            "She saw the man\twith\ta telescope ."
        ]

    def test_words_match_as_in_a_file_and_are_written_as_in_a_text(self):
        tree = "(S (NP (-LRB- -LRB-) (NN x)))\n"
        assert lines("/^-LRB-$/ > __", text=tree) == ["(-LRB- -LRB-)", "-LRB-"]
        assert lines("/^-LRB-$/ > __", "-f", "words", text=tree) == ["(", "("]

    def test_json_of_matches(self):
        pattern = "NP=x < /^N(.*)$/#1%n < CC"
        (record,) = map(json.loads, lines(pattern, "--format", "jsonl", "--nodes"))
        node = {
            "label": "NP",
            "left": 0,
            "right": 3,
            "text": "Cats and dogs",
            "tree": "(NP (NNS Cats) (CC and) (NNS dogs))",
        }
        assert record == {
            "source": "-",
            "line": 2,
            "number": 2,
            "pattern": pattern,
            "match": node,
            "names": {"x": node},
            "variables": {"n": "NS"},
        }
        assert list(record) == [
            "source",
            "line",
            "number",
            "pattern",
            "match",
            "names",
            "variables",
        ]

    def test_json_of_trees(self):
        (record,) = map(
            json.loads, lines("NP >: TOP", "-f", "jsonl", "-v", text=f"{RAIN}\n{CATS}\n")
        )
        assert record == {
            "source": "-",
            "line": 2,
            "number": 2,
            "pattern": "NP >: TOP",
            "tree": CATS,
            "nodes": [],
        }


class TestFiles:
    def test_lines_begin_with_the_file_if_there_are_several(self, files):
        assert lines("NP < CC", "one.txt") == ["(NP (NNS Cats) (CC and) (NNS dogs))"]
        assert lines("NP >: TOP|S", "one.txt", "two.txt") == ["two.txt:(NP (NN Rain))"]

    def test_line_numbers_are_those_of_the_file(self, files):
        assert lines("NP < CC", "-n", "one.txt") == [
            "one.txt:3:(NP (NNS Cats) (CC and) (NNS dogs))"
        ]
        assert lines("TOP", "-n", "one.txt", "two.txt", "-f", "words") == [
            "one.txt:1:She saw the man with a telescope .",
            "one.txt:3:Cats and dogs sleep",
            "two.txt:3:Rain",
        ]

    def test_counts(self, files):
        assert lines("NP", "--count", "one.txt") == ["5"]
        assert lines("NP", "-c", "one.txt", "two.txt") == ["one.txt:5", "two.txt:1"]
        assert lines("NP < /^NN/", "-c") == ["5"]
        assert lines("NP < /^NN/", "-c", "--nodes") == ["4"]
        assert lines("NP < /^NN/", "-c", "-f", "trees") == ["3"]
        assert lines("NP < CC", "-c", "--invert") == ["2"]
        assert lines("NP", "-c", text="") == ["0"]

    def test_files_with_matches(self, files):
        assert lines("PP", "-l", "one.txt", "two.txt") == ["one.txt"]
        assert lines("NP", "-l", "one.txt", "two.txt") == ["one.txt", "two.txt"]
        assert lines("NP", "-l", "one.txt", "two.txt", "--max", 1) == ["one.txt"]
        assert lines("PP", "-l", "-v", "one.txt", "two.txt") == ["one.txt", "two.txt"]

    def test_at_most_so_many_results(self, files):
        assert len(lines("NP", "--max", 3)) == 3
        assert len(lines("NP", "--max", 3, "one.txt", "two.txt")) == 3
        assert len(lines("NP", "--max", 99)) == 6

    def test_treebanks_are_read_in_their_layout(self, tmp_path):
        for section, text in (("00", SAW), ("01", RAIN)):
            (tmp_path / section).mkdir()
            path = tmp_path / section / f"wsj_{section}01.mrg"
            path.write_text(f"\n( {text[5:]}\n", encoding="utf-8")
        assert lines("NP < NN", "-c", tmp_path) == ["3"]
        assert lines("NP < NN", "-n", "--max", 1, tmp_path) == [
            f"{tmp_path}/00/wsj_0001.mrg:2:(NP (DT the) (NN man))"
        ]
        assert lines("PP", "-l", tmp_path) == [f"{tmp_path}/00/wsj_0001.mrg"]

    def test_output_goes_to_a_file(self, files):
        assert lines("NP < CC", "one.txt", "--out", "out.txt") == []
        assert Path("out.txt").read_text() == "(NP (NNS Cats) (CC and) (NNS dogs))\n"
        assert search("NP < (", "--out", "out.txt").exit_code == 1
        assert Path("out.txt").read_text() == "(NP (NNS Cats) (CC and) (NNS dogs))\n"


class TestPatterns:
    def test_several_patterns_from_a_file(self, files):
        Path("patterns").write_text("# nouns\nnoun := NN|NNS\nPP\n", encoding="utf-8")
        assert lines("-p", "patterns", "one.txt", "-f", "words") == [
            "noun\tman",
            "noun\ttelescope",
            "PP\twith a telescope",
            "noun\tCats",
            "noun\tdogs",
        ]
        assert lines("-p", "patterns", "-c", "one.txt") == ["4\tnoun", "1\tPP"]
        assert lines("-p", "patterns", "-c", "one.txt", "two.txt") == [
            "one.txt:4\tnoun",
            "one.txt:1\tPP",
            "two.txt:1\tnoun",
            "two.txt:0\tPP",
        ]
        records = map(json.loads, lines("-p", "patterns", "one.txt", "-f", "jsonl"))
        assert [record["pattern"] for record in records] == ["noun", "noun", "PP", "noun", "noun"]

    def test_an_error_in_a_pattern_has_a_caret(self, files):
        done = search("NP < (", "one.txt")
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.endswith("\n  NP < (\n        ^\n")
        Path("patterns").write_text("NP\nVP <\n", encoding="utf-8")
        done = search("-p", "patterns", "one.txt")
        assert done.exit_code == 1
        assert "error: patterns:2: expected a label" in done.stderr

    def test_the_root_can_be_renamed(self):
        assert lines("ROOT", "-c") == ["0"]
        assert lines("ROOT < S", "--root", "ROOT", "-c") == ["2"]
        assert lines("ROOT", "--root", "ROOT", text="(S (A a))") == ["(ROOT (S (A a)))"]

    def test_heads_can_be_those_of_another_table(self, files):
        assert lines("NP <# NN", "--heads", "left", "-c") == ["1"]
        assert lines("NP <# NN", "-c") == ["3"]
        done = search("NP", "--heads", "none.txt")
        assert done.exit_code == 1
        assert "none.txt" in done.stderr


class TestColours:
    PATTERN = "NP < NP=object < PP=modifier"

    def test_names_are_in_different_colours(self):
        assert lines(self.PATTERN, "--color", "always") == [
            "(NP \x1b[1;34m(NP (DT the) (NN man))\x1b[0m "
            "\x1b[1;32m(PP (IN with) (NP (DT a) (NN telescope)))\x1b[0m)"
        ]

    def test_the_match_is_marked_in_its_tree(self):
        assert lines("VBP", "--color", "always", "-f", "trees") == [
            CATS.replace("(VBP sleep)", "\x1b[1;31m(VBP sleep)\x1b[0m")
        ]

    def test_words_are_marked_if_there_are_no_names(self):
        assert lines("VP < VBP", "--color", "always") == ["(VP (VBP \x1b[1;31msleep\x1b[0m))"]

    def test_without_a_match_nothing_is_marked(self):
        assert lines("NP < NN", "-v", "--color", "always") == [CATS]

    def test_places_are_coloured_as_in_grep(self, files):
        assert lines("VP < VBP", "-n", "--color", "always", "-f", "words", "one.txt") == [
            "\x1b[35mone.txt\x1b[0m:\x1b[32m3\x1b[0m:sleep"
        ]

    @pytest.mark.parametrize("format_name", ["matches", "trees", "words", "concordance"])
    def test_without_the_colours_it_is_the_same(self, format_name):
        from click import unstyle

        flags = ("-n", "-f", format_name)
        for pattern in ("NP", "NP=x << NN=y", "dogs", "__"):
            coloured = lines(pattern, *flags, "--color", "always")
            assert [unstyle(line) for line in coloured] == lines(pattern, *flags)
            assert coloured != lines(pattern, *flags)

    def test_json_has_no_colours(self):
        assert "\x1b" not in "".join(lines("NP", "-f", "jsonl", "--color", "always"))

    def test_control_characters_of_the_data_are_escaped(self):
        (line,) = lines("A", "--color", "always", text="(S (A \x1b[2J))")
        assert line == "(A \x1b[1;31m\\x1b[2J\x1b[0m)"


class TestErrors:
    def test_malformed_trees_stop_or_are_skipped(self):
        text = f"{RAIN}\n(S (A\n{CATS}\n"
        done = search("NP", text=text)
        assert done.exit_code == 1
        assert "<stdin>:2:1: unclosed bracket" in done.stderr
        done = search("NP", "-n", "--on-error", "skip", text=text)
        assert done.exit_code == 0
        assert done.stdout.splitlines()[-1] == "-:3:(NP (NNS Cats) (CC and) (NNS dogs))"
        assert "skipped 1 malformed tree" in done.stderr

    def test_text_is_not_trees(self, files):
        Path("text.txt").write_text("She slept.\n", encoding="utf-8")
        done = search("NP", "text.txt")
        assert done.exit_code == 1
        assert done.stderr.startswith("whorl: error: text.txt:1:1: a word outside any bracket")
        assert done.stderr.endswith("expected bracketed trees, or text with --parse\n")

    def test_a_file_that_is_not_there(self, files):
        done = search("NP", "none.txt")
        assert done.exit_code == 1
        assert "none.txt: no such file or folder" in done.stderr

    SLOW = "__=a << __=b : (__=c << __=d) : (__=e << __=f) : (=a == =f == =c)"

    def test_a_search_that_takes_too_long_is_an_error_that_names_the_tree(self):
        slow = "(S " * 60 + "(A a)" + ")" * 60
        text = f"{RAIN}\n{slow}\n{RAIN}\n"
        done = search(self.SLOW, "--time-limit", "0.1", "-c", text=text)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "error: standard input:2: tree 2: the search took more than 0.1 s" in done.stderr
        done = search(self.SLOW, "--time-limit", "0.1", "-c", "--on-error", "skip", text=text)
        assert done.exit_code == 0
        assert done.stderr.startswith(
            "whorl: skipped 1 tree in which the search failed:\n"
            "  standard input:2: tree 2: the search took"
        )

    def test_deep_trees_are_trees(self):
        depth = 20_000
        deep = "(S " * depth + "(A a)" + ")" * depth
        assert lines("S !< S", text=deep) == ["(S (A a))"]
        assert lines("A", "-f", "trees", "--color", "always", text=deep)[0].startswith("(S (S (S")
        assert lines("S <<: a", "-c", text=deep) == [str(depth)]

    def test_quiet_says_by_the_exit_code_whether_there_is_a_result(self):
        for pattern, code in (("NP", 0), ("QP", 1)):
            done = search(pattern, "-q", text=RAIN)
            assert (done.exit_code, done.output) == (code, "")
        assert search("QP", text=RAIN).exit_code == 0

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "expected a pattern, or --patterns FILE"),
            (("NP", "-c", "-l"), "exclude each other"),
            (("NP", "-c", "--max", 1), "--max does not go with"),
            (("NP=x", "--name", "y"), "no node 'y' in NP=x: it has x"),
            (("NP", "--name", "y"), "no node 'y' in NP: it has no names"),
            (("NP=x", "--name", "x", "-f", "jsonl"), "it is for matches, words and concordance"),
            (("NP=x < NN=y", "--name", "x", "--name", "y", "-f", "concordance"), "one node"),
            (("NP", "--model", "en"), "it goes with --parse"),
            (("NP", "--tokens"), "it goes with --parse"),
            (("NP", "-f", "svg"), "is not one of"),
            (("NP", "--time-limit", "-1"), "--time-limit"),
        ],
    )
    def test_wrong_usage(self, arguments, message):
        done = search(*arguments)
        assert done.exit_code == 2
        assert message in " ".join(done.stderr.split())


class TestParsing:
    @pytest.fixture
    def parsed(self, span_model):
        def run(*arguments: object, text: str = "") -> Result:
            return search(*arguments, "--parse", "--model", span_model, text=text)

        return run

    def test_text_is_parsed_and_matches_have_their_places_in_it(self, parsed, files):
        text = "It works.\n\nIt works\n"
        Path("text.txt").write_text(text, encoding="utf-8")
        done = parsed("NP", "-f", "jsonl", "text.txt")
        records = [json.loads(line) for line in done.stdout.splitlines()]
        assert [(record["line"], record["number"]) for record in records] == [(1, 1), (3, 2)]
        for record in records:
            assert record["source"] == "text.txt"
            match = record["match"]
            assert text[match["start"] : match["end"]] == match["text"] == "It"
            assert list(match) == ["label", "left", "right", "start", "end", "text", "tree"]
        assert parsed("NP", "-n", "text.txt").stdout == (
            "text.txt:1:(NP (PRP It))\ntext.txt:3:(NP (PRP It))\n"
        )

    def test_options_are_those_of_trees(self, parsed):
        text = "It works.\n\nIt works."
        assert parsed("NP", "-c", text=text).stdout == "2\n"
        assert parsed("NP", "-l", text=text).stdout == "-\n"
        assert parsed("NP", "--max", 1, text=text).stdout == "(NP (PRP It))\n"
        assert parsed("QP", "-q", text=text).exit_code == 1
        assert parsed("NP", "-q", text=text).exit_code == 0
        assert parsed("ROOT < S", "--root", "ROOT", "-c", text=text).stdout == "2\n"

    def test_tokens_are_lines(self, parsed):
        done = parsed("NP", "--tokens", "-n", text="It works\n\nIt works\n")
        assert done.stdout == "-:1:(NP (PRP It))\n-:3:(NP (PRP It))\n"

    def test_several_processes_find_what_one_finds(self, parsed, files):
        Path("text.txt").write_text("It works.\n\nRain\n\n" * 20, encoding="utf-8")
        one = parsed("NP|VP", "-f", "jsonl", "text.txt")
        two = parsed("NP|VP", "-f", "jsonl", "text.txt", "--jobs", 2, "--batch", 4)
        assert one.stdout == two.stdout
        assert len(one.stdout.splitlines()) >= 40
        first = parsed("NP|VP", "--max", 3, "text.txt", "--jobs", 2, "--batch", 4)
        assert len(first.stdout.splitlines()) == 3


@pytest.mark.treebank
@pytest.mark.parametrize("flags", [(), ("--nodes",), ("-f", "trees")])
def test_counts_of_a_file_of_patterns_are_those_of_tregex(flags, tmp_path):
    trees, table = SHARED / "treebanks/en/gum/dev.txt", SHARED / "tregex/gum.dev.tsv"
    if not (trees.is_file() and table.is_file()):
        pytest.skip("needs the shared files")
    rows = [row.split("\t") for row in table.read_text(encoding="utf-8").splitlines()[1:]]
    rows = rows[::5]
    patterns = tmp_path / "patterns"
    patterns.write_text("".join(f"{row[3]}\n" for row in rows), encoding="utf-8")
    column = {(): 0, ("--nodes",): 1, ("-f", "trees"): 2}[flags]
    found = lines("-p", patterns, "--root", "ROOT", "-c", trees, *flags, text="")
    assert found == [f"{row[column]}\t{' '.join(row[3].split())}" for row in rows]
