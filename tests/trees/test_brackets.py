"""Reading and writing brackets: exact both ways, with exact errors, and nothing lost silently."""

from __future__ import annotations

import io
import pickle
import sys
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.accounting import check_nothing_lost
from tests.strategies import bracket_noise, chains, gaps, leaves, spaced, trees
from tests.timing import assert_linear

from whorl.errors import BracketError, TreeError
from whorl.trees import (
    Leaf,
    Tree,
    brackets,
    format_tree,
    iter_forests,
    iter_trees,
    read_tree,
    read_trees,
    write_trees,
)

UNCLOSED = "unclosed bracket: no closing bracket matches it"
OVERTAKEN = "unclosed bracket: another tree begins before it is closed"
# Two kinds of bad lines, since an unclosed one and one closed too often can complete each other.
UNCLOSED_LINES = ["(S (A b)", "(S", "(S (A b", "(X)", "(S (A b c))"]
CLOSED_LINES = ["(X))", "(A b))", "()", "(S c (A b))", "(S)))) x"]


def places(errors: list[BracketError]) -> list[tuple[int, int, str]]:
    return [(error.line, error.column, error.reason) for error in errors]


def careful(text: str, skipped: list[BracketError] | None = None, bare: bool = False) -> list:
    return brackets._careful_pass(text, "<string>", skipped, 1, bare=bare, damaged=False)


def outcome(work) -> object:
    """Return what a reader returns or raises, with positions, in a comparable form."""
    try:
        return [
            (str(tree), tree.left, tree.right, tree.spans() if isinstance(tree, Tree) else ())
            for tree in work()
        ]
    except BracketError as error:
        return str(error)


class TestRoundTrip:
    @given(trees())
    def test_a_written_tree_reads_back_the_same(self, tree):
        back = read_tree(format_tree(tree))
        assert back == tree
        assert back.spans() == tree.spans()

    @given(trees())
    def test_one_line_text_is_written_back_the_same(self, tree):
        text = format_tree(tree)
        assert "\n" not in text
        assert format_tree(read_tree(text)) == text

    @given(st.lists(trees(), max_size=4))
    def test_trees_spread_over_lines_read_back_the_same(self, forest):
        file = io.StringIO()
        assert write_trees(forest, file, multiline=True) == len(forest)
        assert read_trees(file.getvalue()) == forest

    @given(st.lists(trees(max_words=4), max_size=3), st.data())
    def test_extra_white_space_between_tokens_is_ignored(self, forest, data):
        text = "".join(data.draw(gaps) + data.draw(spaced(tree)) for tree in forest)
        assert read_trees(text) == forest

    @given(trees(empty_roots=False), st.data())
    def test_words_without_tags_read_back_the_same(self, tree, data):
        bare = tree.rebuild(
            leaf=lambda leaf: Leaf(data.draw(st.sampled_from(["", leaf.tag])), leaf.word),
            phrase=lambda node, children: Tree(
                node.label,
                # A phrase over one word without a tag would be a word with a tag.
                children if len(children) > 1 else [*children, Leaf("X", "x")],
            ),
        )
        text = format_tree(bare, untagged=True)
        back = read_tree(text, untagged=True)
        assert back == bare
        assert [leaf.left for leaf in back.leaves()] == list(range(back.right))
        assert format_tree(back, untagged=True) == text == str(back)
        assert read_tree(format_tree(bare, untagged=True, multiline=True), untagged=True) == bare
        if any(not leaf.tag for leaf in bare.leaves()):
            with pytest.raises(TreeError, match="empty tag"):
                format_tree(bare)
            with pytest.raises(BracketError, match=r"beside a|two words"):
                read_tree(text)

    @settings(max_examples=20)
    @given(chains())
    def test_deep_trees_read_back_the_same(self, tree):
        assert read_tree(format_tree(tree)) == tree
        assert read_tree(format_tree(tree, multiline=True)) == tree
        assert careful(format_tree(tree)) == [tree]

    @given(leaves)
    def test_a_single_leaf_is_written_as_its_bracket(self, leaf):
        assert read_tree(f"(X {format_tree(leaf)})").leaves() == [leaf]

    def test_multiline_looks_like_the_penn_treebank(self):
        tree = read_tree("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))")
        assert format_tree(tree, multiline=True) == (
            "(S\n  (NP (DT the) (NN cat))\n  (VP (VBZ sleeps))\n  (. .))"
        )

    def test_multiline_indents_fifty_levels_at_most(self):
        text = "(X " * 60 + "(A b)" + ")" * 60
        lines = format_tree(read_tree(text), multiline=True).split("\n")
        indents = [len(line) - len(line.lstrip(" ")) for line in lines]
        assert indents == [2 * min(level, 50) for level in range(60)]

    @pytest.mark.parametrize(
        "space", ["\u00a0", "\u3000", "\u0085", "\u2028", "\u2029", "\x1c", "\x1f", "\0", "\u200b"]
    )
    def test_only_ascii_white_space_separates(self, space, tmp_path):
        text = f"(S{space} (A{space}B a{space}b))\n(S (C d)) x\n"
        skipped: list[BracketError] = []
        tree, _ = read_trees(text, skipped=skipped)
        assert (tree.label, tree.tags(), tree.words()) == (
            f"S{space}",
            [f"A{space}B"],
            [f"a{space}b"],
        )
        assert [error.line for error in skipped] == [2]
        path = tmp_path / "trees.txt"
        path.write_text(text, encoding="utf-8")
        again: list[BracketError] = []
        assert list(iter_trees(path, skipped=again))[:1] == [tree]
        assert [error.line for error in again] == [2]
        assert [len(forest) for forest in iter_forests(path, skipped=[])] == [1, 0]

    @pytest.mark.parametrize(
        ("written", "word"),
        [
            ("-LRB-", "("),
            ("-RRB-", ")"),
            ("a-LRB-b-RRB-", "a(b)"),
            ("-LRB-LRB-", "(LRB-"),
            ("-RB-", "-RB-"),
            ("RB-", "RB-"),
        ],
    )
    def test_escapes_in_words_are_brackets(self, written, word):
        tree = read_tree(f"(S (-LRB- {written}))")
        assert tree.leaves() == [Leaf("-LRB-", word)]
        assert careful(str(tree)) == [tree]
        assert str(tree) == f"(S (-LRB- {written}))"

    @pytest.mark.parametrize(
        ("tree", "message"),
        [
            (Tree("A B", [Leaf("X", "y")]), "label 'A B'"),
            (Tree("(", [Leaf("X", "y")]), "label '\\('"),
            (Tree("S", [Tree("", [Leaf("X", "y")])]), "empty label"),
            (Tree("S", [Leaf("", "y")]), "empty tag"),
            (Tree("S", [Leaf("X\n", "y")]), "tag 'X"),
            (Tree("S", [Leaf("X", "")]), "empty word"),
            (Tree("S", [Leaf("X", "a\tb")]), "word 'a"),
        ],
    )
    def test_trees_that_brackets_cannot_hold_are_not_written(self, tree, message):
        with pytest.raises(TreeError, match=message):
            format_tree(tree)


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "line", "column", "reason", "near"),
        [
            ("(S (A b)", 1, 1, UNCLOSED, "(S (A b)"),
            ("(S (A b))\n  (S (A b)\n\n", 2, 3, UNCLOSED, "(S (A b)"),
            ("(S (A b)))", 1, 10, "extra closing bracket: nothing is open here", ")"),
            (")", 1, 1, "extra closing bracket: nothing is open here", ")"),
            ("(S (A b)) c", 1, 11, "a word outside any bracket", "c"),
            ("(S (A b))\nc d", 2, 1, "a word outside any bracket", "c d"),
            ("(A b)", 1, 1, "a tagged word outside any phrase", "(A b)"),
            ("(S (A b)) (A b)", 1, 11, "a tagged word outside any phrase", "(A b)"),
            ("(S (A b) c)", 1, 10, "a word beside a phrase under one label", "c)"),
            ("(S c (A b))", 1, 6, "a phrase beside a word under one label", "(A b))"),
            ("(S\n\t(A b\tc))", 2, 7, "two words under one tag", "c))"),
            ("(S\r\n (A b c)\r\n)", 2, 7, "two words under one tag", "c)"),
            ("(S (X))", 1, 4, "empty node: 'X' has no children", "(X))"),
            ("(X)", 1, 1, "empty node: 'X' has no children", "(X)"),
            ("( X)", 1, 1, "empty node: 'X' has no children", "( X)"),
            ("(S ())", 1, 4, "empty node: a bracket with nothing in it", "())"),
            ("(())", 1, 2, "empty node: a bracket with nothing in it", "())"),
            ("(S ((A b)))", 1, 4, "missing label: only the root may go without", "((A b)))"),
            ("(((A b)))", 1, 2, "missing label: only the root may go without", "((A b)))"),
            ("\ufeff(S (A b))", 1, 1, "a word outside any bracket", "\ufeff(S (A b))"),
            ("(S (A\u2028b c))x\ty", 1, 12, "a word outside any bracket", "x\ty"),
            ("(S (A b)) " + "c" * 60, 1, 11, "a word outside any bracket", "c" * 40),
        ],
    )  # fmt: skip
    def test_every_error_names_its_place(self, tmp_path, text, line, column, reason, near):
        with pytest.raises(BracketError) as caught:
            read_trees(text, source="file.txt")
        error = caught.value
        assert (error.source, error.line, error.column, error.reason) == (
            "file.txt",
            line,
            column,
            reason,
        )
        assert error.text == near
        assert str(error) == f"file.txt:{line}:{column}: {reason}, near {near!r}"
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
        path = tmp_path / "trees.txt"
        path.write_bytes(("(S (A b))\n" + text).encode())
        with pytest.raises(BracketError) as caught:
            list(iter_trees(path))
        assert (caught.value.line, caught.value.column, caught.value.reason) == (
            line + 1,
            column,
            reason,
        )

    @pytest.mark.parametrize("half", ["\ud800", "\udc7f", "\udfff"])
    def test_half_a_surrogate_pair_is_an_ordinary_character(self, half):
        assert read_tree(f"(S (A {half}))").words() == [half]
        with pytest.raises(BracketError, match=":1:11: a word outside any bracket"):
            read_trees(f"(S (A {half})) {half}")

    def test_read_tree_requires_exactly_one_tree(self):
        with pytest.raises(TreeError, match=r"x\.txt: expected exactly one tree, found 2"):
            read_tree("(S (A b)) (S (A b))", source="x.txt")
        with pytest.raises(TreeError, match="found 0"):
            read_tree(" \n")

    def test_lines_are_counted_from_first_line(self):
        with pytest.raises(BracketError, match=":12:1:"):
            read_trees("\n\nx", first_line=10)

    @given(trees(), st.data(), st.booleans())
    def test_both_passes_read_valid_text_alike(self, tree, data, bare):
        text = data.draw(spaced(tree))
        assert outcome(lambda: brackets._fast_pass(text, bare, {})) == outcome(
            lambda: careful(text, bare=bare)
        )

    @settings(max_examples=400)
    @given(bracket_noise, st.booleans())
    @example("( b)", True)
    @example("(  A b)", True)
    @example("(A b))", True)
    @example("(A b) c (A b)", True)
    def test_both_passes_agree_on_any_text(self, text, bare):
        try:
            fast: object = outcome(lambda: brackets._fast_pass(text, bare, {}))
        except brackets._IrregularError:
            with pytest.raises(BracketError):
                careful(text, bare=bare)
        else:
            assert fast == outcome(lambda: careful(text, bare=bare))

    @given(trees(max_words=3), st.data())
    def test_both_passes_agree_on_damaged_trees(self, tree, data):
        text = format_tree(tree)
        at = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", "(", ")", " ", "x", "\n", "\u3000"]))
            + text[at + 1 :]
        )
        try:
            fast = brackets._fast_pass(text, False, {})
        except brackets._IrregularError:
            with pytest.raises(BracketError):
                careful(text)
        else:
            assert fast == careful(text)


class TestSkipping:
    def test_the_lines_below_an_unclosed_bracket_are_read(self):
        skipped: list[BracketError] = []
        text = "(S (A b)\n(S (C d))\n(S (E f)) g)\n(S (X y))"
        assert [str(tree) for tree in read_trees(text, skipped=skipped)] == [
            "(S (C d))",
            "(S (E f))",
            "(S (X y))",
        ]
        assert places(skipped) == [(1, 1, OVERTAKEN), (3, 11, "a word outside any bracket")]

    def test_a_bad_tree_swallowed_by_an_unclosed_one_is_named_too(self):
        skipped: list[BracketError] = []
        text = "(S (A b)\n(S (C d) x)\n(S (E f))\n"
        assert [str(tree) for tree in read_trees(text, skipped=skipped)] == ["(S (E f))"]
        assert places(skipped) == [
            (1, 1, OVERTAKEN),
            (2, 10, "a word beside a phrase under one label"),
        ]

    def test_a_tree_without_a_root_label_survives_below_an_unclosed_bracket(self):
        skipped: list[BracketError] = []
        assert [str(tree) for tree in read_trees("(S (A b)\n((S (C d)))\n", skipped=skipped)] == [
            "( (S (C d)))"
        ]
        assert places(skipped) == [(1, 1, OVERTAKEN)]

    def test_a_tree_over_many_lines_may_have_brackets_in_column_one(self):
        text = "(S\n(NP (A b))\n(VP (C d))\n)\n(S (X))\n(S\n(NP (A b))\n)"
        skipped: list[BracketError] = []
        assert [len(tree.children) for tree in read_trees(text, skipped=skipped)] == [2, 1]
        assert [error.line for error in skipped] == [5]

    def test_the_first_line_may_be_the_bad_one(self):
        for bad in (")", "x", "(S", "(S (A b)))", "(A b)", "()", "(S ((A b)))"):
            skipped: list[BracketError] = []
            assert read_trees(f"{bad}\n(S (A b))\n", skipped=skipped)[-1:] == [
                read_tree("(S (A b))")
            ]
            assert [error.line for error in skipped] == [1]

    @given(
        st.lists(st.one_of(trees(max_words=3), st.none()), max_size=12),
        st.sampled_from([UNCLOSED_LINES, CLOSED_LINES]),
        st.data(),
    )  # fmt: skip
    def test_good_lines_survive_and_bad_lines_are_named_once(self, lines, bad, data):
        text = "".join(
            (data.draw(st.sampled_from(bad)) if tree is None else str(tree)) + "\n"
            for tree in lines
        )
        skipped: list[BracketError] = []
        assert read_trees(text, skipped=skipped) == [tree for tree in lines if tree is not None]
        assert [error.line for error in skipped] == [
            i for i, tree in enumerate(lines, 1) if tree is None
        ]

    @settings(max_examples=400)
    @given(bracket_noise)
    def test_everything_left_out_is_named(self, text):
        skipped: list[BracketError] = []
        trees = read_trees(text, skipped=skipped)
        check_nothing_lost(text, trees, skipped)
        first = outcome(lambda: read_trees(text))
        assert isinstance(first, str) == bool(skipped)

    @pytest.mark.parametrize(
        "line",
        [
            "(S (A b)\n",
            "(S (A b)))\n",
            "x\n(S y (A b))\n",
            "(S\n(A b)\n",
            "(S (A b)) (X\n",
            "((\n",
            "(S (X)\n",
            "(A b)\n",
        ],
    )
    @pytest.mark.parametrize(
        "end", ["", "(S (A b)) x", "x y" + ")" * 60_000], ids=["", "word", "brackets"]
    )
    def test_thousands_of_bad_lines_take_linear_time(self, line, end):
        def read(count: int) -> int:
            skipped: list[BracketError] = []
            read_trees(line * count + end, skipped=skipped)
            return len(skipped)

        assert read(2000) >= 2000
        assert_linear(lambda: read(300), lambda: read(3000))

    @pytest.mark.parametrize(
        "piece", [" ", "\n", "x", "(", ")", "( ", "((", "()", "(X ", "(A b) ", "x ", "-LRB-"]
    )
    def test_monotonous_text_takes_linear_time(self, piece):
        def read(count: int) -> None:
            for text in (piece * count, "(S " + piece * count, "(S (A " + piece * count + "y z))"):
                for skipped in (None, []):
                    outcome(lambda text=text, skipped=skipped: read_trees(text, skipped=skipped))

        assert_linear(lambda: read(1500), lambda: read(15_000))


class TestFiles:
    @settings(max_examples=200)
    @given(bracket_noise, st.integers(0, 40), st.booleans())
    @example("(S (A b)))\n(S (C d)\n(S (E f)))\n", 1, True)
    @example(")\n(S (A b)\n(S (C d)))\n", 5, True)
    @example("(S (A b))) (\n(S (A b)\n(S (C d)))\n)", 20, True)
    @example("(S (A b))) ((\n(S (C d)\n(S (E f)))\n))", 1, True)
    def test_streaming_equals_reading_at_once(self, text, block, skip):
        whole: list[BracketError] | None = [] if skip else None
        parts: list[BracketError] | None = [] if skip else None
        expected = outcome(lambda: read_trees(text, source="<stream>", skipped=whole))
        with patch.object(brackets, "_BLOCK", block):
            assert outcome(lambda: iter_trees(io.BytesIO(text.encode()), skipped=parts)) == expected
            assert (
                outcome(
                    lambda: iter_trees(
                        io.StringIO(text, newline="\n"), skipped=[] if skip else None
                    )
                )
                == expected
            )
        assert list(map(str, parts or [])) == list(map(str, whole or []))

    @given(st.lists(trees(max_words=3), max_size=5), st.integers(0, 60), st.booleans())
    def test_streaming_well_formed_trees(self, forest, block, multiline):
        file = io.StringIO(newline="\n")
        write_trees(forest, file, multiline=multiline)
        with patch.object(brackets, "_BLOCK", block):
            assert list(iter_trees(io.BytesIO(file.getvalue().encode()))) == forest

    @pytest.mark.parametrize("most", [0, 5, 1 << 17])
    def test_the_cache_of_pieces_is_bounded_and_changes_nothing(self, most):
        text = "".join(f"(S (A {number % 70}) (B {number}))\n" for number in range(500))
        with patch.object(brackets, "_CACHED_PIECES", most), patch.object(brackets, "_BLOCK", 100):
            assert list(iter_trees(io.BytesIO(text.encode()))) == read_trees(text)
            assert [
                tree for forest in iter_forests(io.BytesIO(text.encode())) for tree in forest
            ] == read_trees(text)

    def test_a_long_file_is_not_kept_in_memory(self):
        with patch.object(brackets, "_BLOCK", 100):
            chunks = list(brackets._chunks(io.BytesIO(b"(S (A b))\n" * 1000), "x", resync=True))
        assert max(len(text) for text, _, _ in chunks) <= 120
        assert [first for _, first, _ in chunks][:3] == [1, 11, 21]

    @pytest.mark.parametrize(
        "make",
        [
            lambda n: "(S (A b)) " * n,
            lambda n: "(X\n" * n + "(A b)" + ")" * n,
            lambda n: "(X\n(A b)\n" * n + ")" * n,
        ],
        ids=["one-line", "one-deep-tree", "one-branching-tree"],
    )
    def test_one_line_of_trees_or_one_tree_of_lines_takes_linear_time(self, make):
        def read(count: int) -> list[Tree]:
            with patch.object(brackets, "_BLOCK", 100):
                return list(iter_trees(io.BytesIO(make(count).encode()), skipped=[]))

        assert read(100)
        assert_linear(lambda: read(1000), lambda: read(10_000))

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_windows_line_ends_and_byte_order_marks_change_nothing(
        self, tmp_path, encoding, newline
    ):
        path = tmp_path / "trees.txt"
        path.write_bytes(
            newline.join(["(S (A é))", "(S", "  (B c))", "(S (X))", ""]).encode(encoding)
        )
        skipped: list[BracketError] = []
        assert [tree.words() for tree in iter_trees(path, skipped=skipped)] == [["é"], ["c"]]
        assert [str(error) for error in skipped] == [
            f"{path}:4:4: empty node: 'X' has no children, near '(X))'"
        ]
        assert [len(forest) for forest in iter_forests(path, skipped=[])] == [1, 0, 0, 0]
        with path.open(encoding="utf-8") as file:
            assert next(iter_trees(file, skipped=[])).words() == ["é"]

    @pytest.mark.parametrize("before", [0, 1, 700, 40_000])
    def test_bytes_that_are_not_utf8_are_named_by_line_and_column(self, tmp_path, before):
        path = tmp_path / "trees.txt"
        path.write_bytes(
            b"(S (A b))\n" * before + "(S (A é".encode() + b"\xff))\n" + b"(S (C d))\n" * 3
        )
        with pytest.raises(BracketError) as caught:
            list(iter_trees(path))
        assert str(caught.value) == f"{path}:{before + 1}:8: not UTF-8, near '\\\\xff))'"
        skipped: list[BracketError] = []
        assert len(list(iter_trees(path, skipped=skipped))) == before + 3
        assert places(skipped) == [(before + 1, 8, "not UTF-8")]
        assert [len(forest) for forest in iter_forests(path, skipped=[])][before:] == [0, 1, 1, 1]
        with path.open(encoding="utf-8") as file, pytest.raises(BracketError) as caught:
            list(iter_trees(file))
        assert (caught.value.line, caught.value.reason) == (before + 1, "not UTF-8")

    def test_a_tree_with_a_bad_byte_in_the_middle_is_left_out_whole(self):
        skipped: list[BracketError] = []
        file = io.BytesIO(b"(S\n  (A b)\n  (C \xc3)\n  (E f))\n(S (G h))\n")
        assert [str(tree) for tree in iter_trees(file, skipped=skipped)] == ["(S (G h))"]
        assert places(skipped) == [(3, 6, "not UTF-8")]

    def test_utf16_is_rejected_at_once(self):
        with pytest.raises(BracketError, match=":1:1: not UTF-8"):
            list(iter_trees(io.BytesIO("(S (A b))".encode("utf-16"))))

    @pytest.mark.parametrize("content", ["", "\n", " \r\n\t\n", "\ufeff", "\ufeff\n"])
    def test_empty_files_hold_no_trees(self, content, tmp_path):
        path = tmp_path / "trees.txt"
        path.write_bytes(content.encode())
        assert list(iter_trees(path)) == []
        assert list(iter_forests(path)) == [[] for _ in range(len(content.encode().splitlines()))]

    def test_nul_bytes_are_ordinary_characters(self):
        assert read_tree("(S\0 (A\0 \0b))").words() == ["\0b"]

    def test_a_missing_file_is_named(self, tmp_path):
        with pytest.raises(TreeError, match=r"cannot read .*none\.txt: No such file"):
            list(iter_trees(tmp_path / "none.txt"))
        with pytest.raises(TreeError, match="Is a directory"):
            list(iter_forests(str(tmp_path)))

    @pytest.mark.parametrize("buffered", [True, False])
    def test_a_dash_is_standard_input(self, monkeypatch, buffered):
        text = "\ufeff(S (A é))\n(S (X))\n"
        stdin = (
            io.TextIOWrapper(io.BytesIO(text.encode()), encoding="ascii")
            if buffered
            else io.StringIO(text)
        )
        monkeypatch.setattr(sys, "stdin", stdin)
        skipped: list[BracketError] = []
        assert [tree.words() for tree in iter_trees("-", skipped=skipped)] == [["é"]]
        assert [str(error) for error in skipped] == [
            "<stdin>:2:4: empty node: 'X' has no children, near '(X))'"
        ]


class TestForests:
    def forests(self, text: str, **options) -> list[list[str]]:
        return [
            [str(tree) for tree in forest]
            for forest in iter_forests(io.StringIO(text, newline="\n"), **options)
        ]

    @pytest.mark.parametrize("line", ["", "(())", "( )", "()", "((", ")", " \t", "( ( ) )"])
    def test_a_line_without_words_is_an_empty_sentence(self, line):
        assert self.forests(f"{line}\n(S (A b))\n{line}\n") == [[], ["(S (A b))"], []]

    def test_a_line_may_hold_several_trees_and_bare_tagged_words(self):
        assert self.forests("(S (A b)) (. .) (X (Y z))\n(A b)") == [
            ["(S (A b))", "(. .)", "(X (Y z))"],
            ["(A b)"],
        ]
        (forest,) = iter_forests(io.StringIO("(. a) (S (A b) (C d)) (. e)"))
        assert [(node.left, node.right) for node in forest] == [(0, 1), (0, 2), (0, 1)]

    def test_a_malformed_line_is_an_error_that_names_it(self):
        with pytest.raises(BracketError, match=":3:1: unclosed"):
            self.forests("(S (A b))\n\n(S (A b)\n(S (A b))\n")

    def test_a_malformed_line_is_an_empty_sentence_when_errors_are_collected(self):
        skipped: list[BracketError] = []
        text = "(S (A b)) x\n(S (C d))\n(S (A b)\n(S (A b)))\n(S (E f))"
        assert self.forests(text, skipped=skipped) == [[], ["(S (C d))"], [], [], ["(S (E f))"]]
        assert places(skipped) == [
            (1, 11, "a word outside any bracket"),
            (3, 1, UNCLOSED),
            (4, 10, "extra closing bracket: nothing is open here"),
        ]

    @given(st.lists(st.lists(trees(max_words=3), max_size=3), max_size=4))
    def test_lines_and_sentences_match_one_to_one(self, sentences):
        assume(all(tree.words() for line in sentences for tree in line))
        text = "".join(" ".join(map(str, line)) + "\n" for line in sentences)
        assert list(iter_forests(io.BytesIO(text.encode()))) == sentences
