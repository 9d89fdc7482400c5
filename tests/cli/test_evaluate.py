import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whorl.cli.main import app

GOLD = "(TOP (S (NP (N a)) (VP (V b))))\n(TOP (S (NP (N a) (N b)) (V c)))\n(S (N d))\n"
PREDICTED = "(S (NP (N a)) (X (V b)))\n(S (NP (N a) (N b)) (V c))\n(S (N e))\n"


@pytest.fixture(scope="module")
def evalb_files() -> Path:
    folder = Path(__file__).resolve().parents[2].parent / "shared" / "evalb"
    if not folder.is_dir():
        pytest.skip("the reference files of EVALB are not here")
    return folder


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").write_text(GOLD, encoding="utf-8")
    (tmp_path / "pred").write_text(PREDICTED, encoding="utf-8")
    return tmp_path


def whorl(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["evaluate", *arguments], input=stdin)


@pytest.mark.parametrize("parser", ["inorder", "inorder_bert"])
def test_both_streams_equal_those_of_evalb(evalb_files: Path, parser: str) -> None:
    result = whorl(str(evalb_files / "genia.gold.txt"), str(evalb_files / f"genia.{parser}.txt"))
    assert result.exit_code == 0
    assert result.stdout == (evalb_files / f"genia.{parser}.evalb.out").read_text(encoding="utf-8")
    assert result.stderr == (evalb_files / f"genia.{parser}.evalb.err").read_text(encoding="utf-8")


def test_rows_figures_and_messages_are_printed(files: Path) -> None:
    result = whorl("gold", "pred")
    assert result.exit_code == 0
    assert result.stderr == "3 : Words unmatch (d|e)\n"
    assert result.stdout.splitlines()[3:7] == [
        "   1    2    0   66.67  66.67     2      3    3      0      2     2   100.00",
        "   2    3    0  100.00 100.00     2      2    2      0      3     3   100.00",
        "   3    1    1    0.00   0.00     0      0    0      0      0     0     0.00",
        "=" * 76,
    ]
    assert "Bracketing FMeasure       =  80.00\n" in result.stdout


def test_summary_leaves_the_rows_out(files: Path) -> None:
    whole = whorl("gold", "pred").stdout
    result = whorl("gold", "pred", "--summary")
    assert result.stdout.startswith("=== Summary ===\n")
    assert whole.endswith(result.stdout)


def test_a_parameter_file_replaces_collins(files: Path) -> None:
    (files / "own.prm").write_text("LABELED 0\nDELETE_LABEL TOP\nEQ_WORD d e\n", encoding="utf-8")
    result = whorl("gold", "pred", "--params", "own.prm")
    assert result.stderr == ""
    assert "Bracketing FMeasure       = 100.00\n" in result.stdout


def test_json_holds_everything_or_lacks_the_rows(files: Path) -> None:
    document = json.loads(whorl("gold", "pred", "--json").stdout)
    assert document["all"]["f1"] == pytest.approx(80)
    assert len(document["sentences"]) == 3
    assert "sentences" not in json.loads(whorl("gold", "pred", "--json", "--summary").stdout)


@pytest.mark.parametrize(
    ("by", "table"),
    [
        (
            "children",
            [
                "children  gold  predicted  recall  precision      F1",
                "1            2          2   50.00      50.00   50.00",
                "2            3          3  100.00     100.00  100.00",
            ],
        ),
        (
            "length",
            [
                "words  sentences  recall  precision     F1  exact",
                "1-10           2   80.00      80.00  80.00  50.00",
            ],
        ),
        (
            "label",
            [
                "label  gold  predicted  recall  precision      F1",
                "NP        2          2  100.00     100.00  100.00",
                "S         2          2  100.00     100.00  100.00",
                "VP        1          0    0.00       0.00    0.00",
                "X         0          1    0.00       0.00    0.00",
            ],
        ),
        ("confusion", ["gold  predicted  count", "VP            X      1"]),
        ("error", ["error  missed  spurious", "label       1         1"]),
    ],
)
def test_scores_are_broken_down(files: Path, by: str, table: list[str]) -> None:
    assert whorl("gold", "pred", "--by", by).stdout.splitlines() == table


def test_confusion_shows_missed_and_spurious_constituents(files: Path) -> None:
    (files / "flat").write_text(
        "(S (N a) (V b))\n(S (N a) (Q (N b) (V c)))\n(S (N d))\n", encoding="utf-8"
    )
    assert whorl("gold", "flat", "--by", "confusion").stdout.splitlines() == [
        "gold  predicted  count",
        "NP            -      2",
        "VP            -      1",
        "-             Q      1",
    ]


def test_against_compares_two_parsers(files: Path) -> None:
    (files / "flat").write_text(
        "(S (N a) (V b))\n(S (N a) (N b) (V c))\n(S (N d))\n", encoding="utf-8"
    )
    result = whorl("gold", "pred", "--against", "flat", "--resamples", "50")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["F1", "of", "pred", "80.00"]
    assert lines[1].split() == ["F1", "of", "flat", "57.14"]
    assert lines[2].split() == ["difference", "+22.86"]
    assert (
        "50 resamples of 2 sentences, seed 1; 1 sentences not valid for both left out" in lines[-1]
    )
    document = json.loads(
        whorl("gold", "pred", "--against", "flat", "--resamples", "50", "--json").stdout
    )
    assert document["comparison"]["difference"] == pytest.approx(80 - 400 / 7)


def test_standard_input_stands_for_either_file(files: Path) -> None:
    expected = whorl("gold", "pred").stdout
    assert whorl("-", "pred", stdin=GOLD).stdout == expected
    assert whorl("gold", "-", stdin=PREDICTED).stdout == expected


def test_standard_input_cannot_stand_for_both(files: Path) -> None:
    result = whorl("-", "-", stdin=GOLD)
    assert result.exit_code == 2
    assert "only one of the files can be standard input" in result.stderr


def test_out_writes_a_file_and_nothing_else(files: Path) -> None:
    result = whorl("gold", "pred", "--out", "report")
    assert result.stdout == ""
    assert (files / "report").read_text(encoding="utf-8") == whorl("gold", "pred").stdout


def test_different_numbers_of_sentences_are_an_error(files: Path) -> None:
    (files / "pred").write_text(PREDICTED + "\n", encoding="utf-8")
    result = whorl("gold", "pred")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("whorl: error: gold holds 3 sentences and predicted holds 4")


def test_max_error_stops_and_can_be_raised(files: Path) -> None:
    (files / "pred").write_text("(S (N x))\n" * 3, encoding="utf-8")
    result = whorl("gold", "pred", "--max-error", "1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "whorl: error: 3 sentences cannot be compared, and MAX_ERROR 1 "
    )
    assert whorl("gold", "pred", "--max-error", "2").exit_code == 0


def test_a_malformed_line_stops_or_is_an_error_sentence(files: Path) -> None:
    (files / "pred").write_text(PREDICTED.replace("(V c))", "(V c)"), encoding="utf-8")
    result = whorl("gold", "pred")
    assert result.exit_code == 1
    assert result.stderr.startswith("whorl: error: pred:2:1: unclosed bracket")
    result = whorl("gold", "pred", "--on-error", "skip")
    assert result.exit_code == 0
    assert "Number of Error sentence  =      2\n" in result.stdout
    assert "2 : Unreadable (predicted sentence)\n3 : Words unmatch (d|e)\n" in result.stderr
    assert "skipped 1 malformed tree:\n  pred:2:1: unclosed bracket" in result.stderr


def test_bad_parameter_files_and_missing_files_exit_with_1(files: Path) -> None:
    (files / "bad.prm").write_text("LABELED maybe\n", encoding="utf-8")
    result = whorl("gold", "pred", "--params", "bad.prm")
    assert result.exit_code == 1
    assert result.stderr == "whorl: error: bad.prm:1: 'LABELED maybe': expected 0 or 1\n"
    result = whorl("gold", "none")
    assert result.exit_code == 1
    assert result.stderr == "whorl: error: cannot read none: No such file or directory\n"
    assert whorl("gold").exit_code == 2
    assert whorl("gold", "pred", "--by", "colour").exit_code == 2


def test_the_command_line_does_not_import_scoring_until_it_scores() -> None:
    code = (
        "import sys, whorl.cli.main; "
        "print([m for m in sys.modules if m.startswith('whorl.evaluation')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.fixture
def icelandic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A treebank whose punctuation has a tag of its own, and a parser that gets one tag wrong."""
    monkeypatch.chdir(tmp_path)
    gold = "(TOP (S (NP (no Hundur)) (VP (so geltir)) (grm .)))\n" * 2
    parsed = gold.replace("geltir)) (grm .)", "geltir) (grm .))")
    (tmp_path / "gold").write_text(gold, encoding="utf-8")
    (tmp_path / "pred").write_text(parsed.replace("(grm", "(no", 1), encoding="utf-8")


def test_the_ways_of_scoring_side_by_side(icelandic: None) -> None:
    assert whorl("gold", "pred", "--by", "scoring").stdout.splitlines() == [
        "scoring              sentences  errors  recall  precision      F1   exact  left out",
        "EVALB                        2       0   66.67      66.67   66.67    0.00  '' , . : ``",
        "all tokens                   2       0   66.67      66.67   66.67    0.00  nothing",
        "without punctuation          1       1  100.00     100.00  100.00  100.00  grm",
    ]
    last = whorl("gold", "pred", "--by", "scoring", "--gold-tags").stdout.splitlines()[-1]
    assert last.split()[2:] == ["2", "0", "100.00", "100.00", "100.00", "100.00", "grm"]
    last = whorl("gold", "pred", "--by", "scoring", "--punctuation", "so no").stdout.splitlines()[
        -1
    ]
    assert last.endswith("  no so")


def test_one_way_of_scoring_says_what_it_leaves_out(icelandic: None) -> None:
    done = whorl("gold", "pred", "--scoring", "without-punctuation", "--gold-tags")
    assert "Bracketing FMeasure       = 100.00\n" in done.stdout
    assert done.stderr == "whorl: without punctuation: left out are grm\n"
    done = whorl("gold", "pred", "--scoring", "all-tokens", "--json")
    assert done.stderr == "whorl: all tokens: nothing is left out\n"
    assert json.loads(done.stdout)["scoring"] == "all tokens"
    assert json.loads(done.stdout)["all"]["f1"] == pytest.approx(200 / 3)


def test_punctuation_that_evalb_does_not_know_is_pointed_out(icelandic: None) -> None:
    done = whorl("gold", "pred")
    assert "that of GOLD has the tags grm, which count: --by scoring compares" in done.stderr
    assert json.loads(whorl("gold", "pred", "--json").stdout)["scoring"] == "EVALB"
    Path("gold").write_text("(TOP (S (-LRB- -LRB-) (X a) (-RRB- -RRB-)))\n", encoding="utf-8")
    assert whorl("gold", "gold").stderr == ""  # the Penn Treebank has these tags
    Path("gold").write_text("(TOP (S (X a) (grm .)))\n", encoding="utf-8")
    Path("own.prm").write_text("DELETE_LABEL TOP\n", encoding="utf-8")
    done = whorl("gold", "gold", "--params", "own.prm", "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["scoring"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--params", "x", "--scoring", "all-tokens"], "omit --scoring"),
        (["--params", "x", "--by", "scoring"], "omit --scoring"),
        (["--against", "pred", "--by", "scoring"], "omit --against"),
    ],
)
def test_options_that_exclude_each_other(icelandic: None, options: list[str], message: str) -> None:
    done = whorl("gold", "pred", *options)
    assert done.exit_code == 2
    assert message in done.stderr
