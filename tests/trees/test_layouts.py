from __future__ import annotations

from pathlib import Path

import pytest
from tests.trees.treebanks import TREEBANKS

from whorl.errors import BracketError, TreebankError
from whorl.trees import Layout, detect_layout, read_treebank, treebank_files

# Copies of the distributed files, trailing spaces included.
DATA = Path(__file__).parent / "data"
MRG = (DATA / "wsj_sample.mrg").read_text(encoding="utf-8").replace("Vinken", "{name}")
FID = (DATA / "chtb_sample.fid").read_text(encoding="utf-8").replace("浦东", "{name}")


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def wsj(root: Path, sections: range = range(25)) -> Path:
    for section in sections:
        write(
            root / f"{section:02}" / f"wsj_{section:02}01.mrg",
            MRG.format(name=f"S{section:02}"),
            "ascii",
        )
        write(
            root / f"{section:02}" / f"wsj_{section:02}00.mrg",
            MRG.format(name=f"R{section:02}"),
            "ascii",
        )
    return root


def ctb(root: Path, articles: list[int], encoding: str = "gb18030") -> Path:
    for article in articles:
        write(root / f"chtb_{article:03}.fid", FID.format(name=f"浦东{article}"), encoding)
    return root


def names(path: Path, split: str | None = None, layout: str | None = None) -> list[str]:
    """Return the second word of each tree, in which the samples differ."""
    return [tree.words()[1] for tree in read_treebank(path, layout, split)]


def test_a_file_has_one_tree_per_line_or_trees_spread_over_lines(tmp_path):
    file = write(tmp_path / "trees.txt", "(S (A a) (B b))\n(S (A c)\n   (B d))\n")
    assert detect_layout(file) is Layout.file
    assert names(file) == ["b", "d"]


def test_a_wsj_tree_is_read_unchanged(tmp_path):
    file = write(tmp_path / "wsj_0001.mrg", MRG.format(name="Vinken"))
    first, second = read_treebank(file)
    assert str(first) == (
        "( (S (NP-SBJ (NP (NNP Pierre) (NNP Vinken)) (, ,)) (VP (MD will) (VP (VB join) "
        "(NP-TMP (NNP Nov.) (CD 29)))) (. .)))"
    )
    assert second.words() == ["Mr.", "Vinken", "is", "chairman", "."]


def test_the_copyright_notice_of_mrg_files_is_skipped(tmp_path):
    notice = (
        "*x*x*x*x*x*x*\n*x*  Copyright (C) 1992 University of Pennsylvania  *x*\n*x*x*x*x*x*x*\n\n"
    )
    file = write(tmp_path / "cf01.mrg", notice + MRG.format(name="Vinken"))
    assert names(file) == ["Vinken", "Vinken"]


def test_the_wsj_is_split_by_sections(tmp_path):
    root = wsj(tmp_path / "wsj")
    assert detect_layout(root) is Layout.wsj
    assert names(root, "dev") == ["R22", "R22", "S22", "S22"]
    assert names(root, "test") == ["R23", "R23", "S23", "S23"]
    assert sorted({name[1:] for name in names(root, "train")}) == [
        f"{section:02}" for section in range(2, 22)
    ]
    assert len(names(root)) == 25 * 4


def test_the_wsj_is_found_in_subfolders(tmp_path):
    wsj(tmp_path / "package" / "treebank_3" / "parsed" / "mrg" / "wsj", range(22, 24))
    assert len(names(tmp_path / "package", "dev")) == 4


def test_missing_sections_are_named(tmp_path):
    root = wsj(tmp_path, range(3, 21))
    with pytest.raises(
        TreebankError, match=r"sections missing for train: 02, 21; expected.*sections 02 to 21"
    ):
        read_treebank(root, split="train")
    with pytest.raises(TreebankError, match="missing for test: 23"):
        treebank_files(root, Layout.wsj, "test")


def test_a_file_name_that_occurs_twice_is_an_error(tmp_path):
    wsj(tmp_path / "a", range(2))
    wsj(tmp_path / "b", range(2))
    with pytest.raises(TreebankError, match=r"wsj_0000\.mrg occurs twice"):
        read_treebank(tmp_path)


@pytest.mark.parametrize("encoding", ["gb18030", "gb2312", "utf-8", "utf-8-sig"])
def test_the_ctb_is_read_in_both_its_encodings(tmp_path, encoding: str):
    root = ctb(tmp_path, [1], encoding)
    assert detect_layout(root) is Layout.ctb
    first, second = read_treebank(root)
    assert str(first) == (
        "( (IP-HLN (NP-SBJ (NP-PN (NR 上海) (NR 浦东1)) "
        "(NP (NN 开发) (CC 与) (NN 法制) (NN 建设))) "
        "(VP (VV 同步))))"
    )
    assert second.words() == ["新华社", "上海", "二月", "<", "电"]


def test_windows_line_ends_change_nothing(tmp_path):
    text = FID.format(name="浦东").replace("<P>", "\n  \n<P>")
    unix = write(tmp_path / "unix" / "chtb_001.fid", text)
    windows = write(tmp_path / "windows" / "chtb_001.fid", text.replace("\n", "\r\n"), "gb18030")
    assert list(read_treebank(windows)) == list(read_treebank(unix))


def test_a_single_fid_file_is_read_as_ctb(tmp_path):
    ctb(tmp_path, [7])
    assert names(tmp_path / "chtb_007.fid") == ["浦东7", "上海"]


def test_the_ctb_is_split_by_articles(tmp_path):
    edges = [1, 270, 440, 1151, *range(271, 301), *range(301, 326), 326, 439, 1152]
    root = ctb(tmp_path / "ctb5.1" / "bracketed", edges).parent
    ctb(root / "postagged", [1])  # the same names beside the trees
    assert names(root, "train")[::2] == ["浦东1", "浦东270", "浦东440", "浦东1151"]
    assert names(root, "dev")[::2] == [f"浦东{article}" for article in range(301, 326)]
    assert names(root, "test")[::2] == [f"浦东{article}" for article in range(271, 301)]
    assert names(root)[::2] == [f"浦东{article}" for article in sorted(edges)]


def test_missing_articles_are_named(tmp_path):
    root = ctb(tmp_path, [1, *range(271, 300)])
    with pytest.raises(
        TreebankError, match=r"articles missing for test: 300; expected.*from 271 to 300"
    ):
        read_treebank(root, split="test")
    with pytest.raises(
        TreebankError, match=r"articles missing for dev: 301, 302, 303, 304, 305 and 20 more"
    ):
        read_treebank(root, split="dev")
    with pytest.raises(
        TreebankError, match=r"for train: 440, .* expected files chtb_NNN.fid from 440 to 1151"
    ):
        read_treebank(root, split="train")


def test_a_malformed_sentence_of_the_ctb_is_located_and_can_be_skipped(tmp_path):
    text = FID.format(name="浦东").replace("(VP (VV 同步))) )", "(VP (VV 同步))")
    file = write(tmp_path / "chtb_002.fid", text, "gb18030")
    with pytest.raises(BracketError, match=r"chtb_002\.fid:11:1: unclosed bracket"):
        list(read_treebank(file))
    skipped: list[BracketError] = []
    assert [tree.words()[0] for tree in read_treebank(file, skipped=skipped)] == ["新华社"]
    assert [error.line for error in skipped] == [11]


def test_undecodable_bytes_are_located(tmp_path):
    (tmp_path / "chtb_003.fid").write_bytes(b"<DOC>\n<S ID=1>\n( (IP (NN \xff\xff)) )\n</S>\n")
    with pytest.raises(
        TreebankError, match=r"chtb_003\.fid:3: undecodable byte 0xff; expected UTF-8 or GB18030"
    ):
        list(read_treebank(tmp_path))
    (tmp_path / "a.mrg").write_bytes(b"\n( (S (NN caf\xe9)) )\n")
    with pytest.raises(TreebankError, match=r"a\.mrg:2: undecodable byte 0xe9; expected UTF-8"):
        list(read_treebank(tmp_path / "a.mrg"))


def test_a_folder_of_tree_files_is_read_in_path_order(tmp_path):
    write(tmp_path / "b" / "1.mrg", "( (S (A a) (B two)) )\n")
    write(tmp_path / "a" / "deep" / "2.parse", "(TOP (S (A a) (B one)))\n")
    write(tmp_path / "c.tree", "(S (A a) (B three))\n")
    write(tmp_path / "b" / "._1.mrg", "not trees")
    write(tmp_path / "notes.md", "not trees")
    write(tmp_path / "d.prd", "( (S a b) )")
    assert detect_layout(tmp_path) is Layout.folder
    assert names(tmp_path) == ["one", "two", "three"]


def test_a_folder_of_splits_is_read_by_split_name(tmp_path):
    write(tmp_path / "test.txt", "(S (A a) (B test))\n")
    write(tmp_path / "train.txt", "(S (A a) (B train))\n")
    assert detect_layout(tmp_path) is Layout.splits
    assert names(tmp_path, "test") == ["test"]
    assert names(tmp_path) == ["train", "test"]
    with pytest.raises(TreebankError, match=r"expected dev\.txt, found test\.txt, train\.txt"):
        read_treebank(tmp_path, split="dev")


@pytest.mark.parametrize(
    ("layout", "split", "message"),
    [
        (None, "validation", r"unknown split 'validation'; expected train, dev, test"),
        (
            None,
            "dev",
            r"no standard split.*expected a folder in the layout splits, wsj or ctb, found folder",
        ),
        ("negra", None, r"unknown layout 'negra'; expected file, splits, wsj, ctb, folder"),
        ("ctb", None, r"expected files chtb_NNN\.fid"),
        ("wsj", "train", r"expected files wsj_SSNN\.mrg"),
        ("splits", None, r"expected train\.txt or dev\.txt or test\.txt, found no \.txt files"),
        ("file", None, "expected a file of trees, found a folder"),
    ],
)
def test_a_missing_split_or_layout_is_named_with_what_exists(tmp_path, layout, split, message: str):
    write(tmp_path / "a.mrg", "( (S (A a)) )\n")
    with pytest.raises(TreebankError, match=message):
        read_treebank(tmp_path, layout, split)


def test_a_folder_without_trees_or_a_missing_path_is_an_error(tmp_path):
    with pytest.raises(TreebankError, match=r"no trees found; expected train\.txt"):
        read_treebank(tmp_path)
    with pytest.raises(TreebankError, match=r"no trees found; expected files \*\.mrg"):
        read_treebank(tmp_path, "folder")
    for layout in (None, "file", "wsj"):
        with pytest.raises(TreebankError, match="absent"):
            read_treebank(tmp_path / "absent", layout)
    with pytest.raises(TreebankError, match="no standard split"):
        read_treebank(write(tmp_path / "x.txt", "(S (A a))"), split="dev")


def test_reading_stops_only_where_a_tree_is_malformed(tmp_path):
    file = write(
        tmp_path / "wsj_0001.mrg",
        MRG.format(name="A") + "( (S (NP (NN x) )\n" + MRG.format(name="B"),
    )
    with pytest.raises(BracketError, match=r"wsj_0001\.mrg:17:1: missing label"):
        list(read_treebank(file))
    skipped: list[BracketError] = []
    assert [tree.words()[1] for tree in read_treebank(file, skipped=skipped)] == [
        "A",
        "A",
        "B",
        "B",
    ]
    assert [error.line for error in skipped] == [15]


@pytest.mark.treebank
def test_a_shared_treebank_is_read_by_split_name():
    root = TREEBANKS / "en" / "nltk_ptb_sample"
    if not root.is_dir():
        pytest.skip("needs the shared treebanks")
    assert detect_layout(root) is Layout.splits
    assert len(list(read_treebank(root, split="dev"))) == 273
