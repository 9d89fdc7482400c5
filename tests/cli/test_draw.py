from __future__ import annotations

from typer.testing import CliRunner, Result

from whorl.cli.main import app
from whorl.trees import read_tree

ONE = "(S (NP (DT The) (NN cat)) (VP (VBZ sits)))"
TWO = "(S (NP (PRP It)) (VP (VBZ is)))"
BOTH = f"{ONE}\n{TWO}\n"


def draw(*arguments: object, text: str = BOTH) -> Result:
    return CliRunner().invoke(app, ["draw", *map(str, arguments)], input=text)


def test_text_comes_one_tree_after_another():
    done = draw()
    assert done.exit_code == 0
    assert done.stdout == f"{read_tree(ONE).pretty()}\n\n{read_tree(TWO).pretty()}\n"


def test_the_width_can_be_chosen():
    assert draw("--width", "5", "--number", "2").stdout == "S\n├─ NP ─ PRP It\n└─ VP ─ VBZ is\n"


def test_a_number_selects_a_tree(tmp_path):
    file = tmp_path / "trees.txt"
    file.write_text(BOTH)
    assert draw(file, "--number", 2, "--format", "latex").stdout == read_tree(TWO).latex() + "\n"


def test_a_number_that_is_not_there_is_an_error():
    done = draw("--number", 3)
    assert done.exit_code == 1
    assert "no tree number 3: there are only 2" in done.stderr
    assert draw("--number", 0).exit_code == 2


def test_latex_comes_one_tree_after_another(tmp_path):
    assert draw("-f", "latex", "-o", tmp_path / "x.tex").stdout == ""
    assert (
        tmp_path / "x.tex"
    ).read_text() == f"{read_tree(ONE).latex()}\n\n{read_tree(TWO).latex()}\n"


def test_an_svg_of_one_tree_goes_to_standard_output_or_a_file(tmp_path):
    assert draw("--format", "svg", text=ONE).stdout == read_tree(ONE).svg()
    assert draw("--format", "svg", "--number", 2).stdout == read_tree(TWO).svg()
    assert draw("--format", "svg", "--out", tmp_path / "one", text=ONE).exit_code == 0
    assert (tmp_path / "one").read_text() == read_tree(ONE).svg()


def test_an_svg_of_several_trees_needs_a_folder(tmp_path):
    for out in ("-", str(tmp_path / "x.svg")):
        done = draw("--format", "svg", "--out", out)
        assert done.exit_code == 1
        assert "choose one with --number, or give --out a folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert draw("--format", "svg", "--out", tmp_path / "pictures").exit_code == 0
    written = {path.name: path.read_text() for path in (tmp_path / "pictures").iterdir()}
    assert written == {
        "tree-00001.svg": read_tree(ONE).svg(),
        "tree-00002.svg": read_tree(TWO).svg(),
    }


def test_one_tree_into_a_folder_keeps_its_number(tmp_path):
    assert draw("--format", "svg", "--number", 2, "--out", tmp_path).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["tree-00002.svg"]


def test_drawings_of_an_earlier_run_are_replaced_unless_one_tree_is_chosen(tmp_path):
    (tmp_path / "tree-00009.svg").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    svg = ("--format", "svg", "--out", tmp_path)
    assert draw(*svg, "--number", 1).exit_code == 0
    assert draw(*svg, "--number", 2).exit_code == 0
    names = ["notes.txt", "tree-00001.svg", "tree-00002.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names, "tree-00009.svg"]
    assert draw(*svg, text=BOTH + "(S (A a)").exit_code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names, "tree-00009.svg"]
    assert draw(*svg).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_a_name_without_a_suffix_becomes_a_folder_for_several_trees(tmp_path):
    assert draw("--format", "svg", "--out", tmp_path / "one", text=ONE).exit_code == 0
    assert (tmp_path / "one").is_file()
    assert draw("--format", "svg", "--out", tmp_path / "many").exit_code == 0
    assert len(list((tmp_path / "many").iterdir())) == 2


def test_no_tree_is_no_svg():
    done = draw("--format", "svg", text="")
    assert done.exit_code == 1
    assert "no tree to draw" in done.stderr


def test_malformed_trees_stop_or_are_skipped():
    broken = "(S (A a)\n" + TWO + "\n"
    assert draw(text=broken).exit_code == 1
    done = draw("--on-error", "skip", text=broken)
    assert done.exit_code == 0
    assert done.stdout == read_tree(TWO).pretty() + "\n"
    assert "skipped 1 malformed tree" in done.stderr


def test_a_format_that_does_not_exist_is_wrong_usage():
    assert draw("--format", "png").exit_code == 2
