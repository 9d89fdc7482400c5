"""Edits give what Tsurgeon gives, and say what is wrong where it fails."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from whorl import search
from whorl.errors import EditError, OperationError, PatternError, SearchError, TimeLimitError
from whorl.search.editing.parser import MAX_DEPTH
from whorl.search.regexes import Regex
from whorl.trees import Leaf, Tree, read_tree
from whorl.trees.tree import make_tree

SHARED = Path(__file__).resolve().parents[2].parent / "shared/tregex"
GOLDEN = Path(__file__).with_name("edits.jsonl")
OPERATIONS = {
    *("relabel", "delete", "prune", "excise", "insert", "move", "moveprune", "replace"),
    *("createSubtree", "adjoin", "adjoinH", "adjoinF", "coindex", "if"),
}


def lines(path):
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def edited(pattern, operations, text):
    tree = search.compile_edit(pattern, operations).apply(read_tree(text, untagged=True))
    return None if tree is None else str(tree)


def check(line):
    case = json.loads(line)
    assert edited(case["pattern"], case["operations"], case["input"]) == case["output"]


@pytest.mark.parametrize("line", lines(SHARED / "tsurgeon.jsonl"))
def test_outputs_are_those_of_tsurgeon(line):
    check(line)


@pytest.mark.parametrize("line", lines(GOLDEN))
def test_golden_outputs(line):
    check(line)


def test_the_golden_file_has_every_operation():
    text = " ".join(op for line in lines(GOLDEN) for op in json.loads(line)["operations"])
    assert set(text.replace("[", " ").split()) >= OPERATIONS


@pytest.mark.parametrize("line", lines(SHARED / "tsurgeon.errors.jsonl"))
def test_what_tsurgeon_rejects_is_rejected(line):
    case = json.loads(line)
    with pytest.raises(SearchError, match="expected"):
        edited(case["pattern"], case["operations"], case["input"])


# Each operation, where the caret stands, and words of the reason; the pattern binds n and m, and
# the variable x.
INVALID = [
    ("", 0, "expected an operation: relabel, delete"),
    ("(X y)", 0, "expected an operation"),
    ("Relabel n X", 0, "did you mean relabel?"),
    ("createsubtree X n", 0, "did you mean createSubtree?"),
    ("frobnicate n", 0, "expected one of: relabel"),
    ("relabel", 7, "expected the name of a node, not the end of the operation"),
    ("relabel k X", 8, "expected one of: n, m"),
    ("relabel n", 9, "expected a label such as NP"),
    ("relabel n PRP$", 10, "needs slashes: /PRP$/"),
    ("relabel n a/b", 10, r"needs slashes: /a\/b/"),
    ("relabel n 1990", 10, "needs slashes"),
    ("relabel n (X y)", 10, "expected a label such as NP"),
    ("relabel n /X", 10, "has no end; expected /"),
    ("relabel n |X", 10, "has no end; expected |"),
    ("relabel n /X/Y", 12, "the replacement has no end"),
    ("relabel n /a b/", 11, "white space or a bracket"),
    ("relabel n /a/b c/", 14, "white space or a bracket"),
    ("relabel n /(/x/", 11, "not a regular expression"),
    ("relabel n /(.)/$2/", 15, "has 1 group"),
    ("relabel n /./$x/", 13, "a dollar sign is written"),
    ("relabel n /./={k}/", 15, "expected one of: n, m"),
    ("relabel n /./%{k}/", 15, "no variable has the name 'k'; expected one of: x"),
    ("relabel n X Y", 12, "the end of the operation"),
    ("delete", 6, "the name of a node"),
    ("delete n k", 9, "no node has the name 'k'"),
    ("prune (X y)", 6, "the name of a node"),
    ("excise n", 8, "excise n n"),
    ("insert n", 8, "a place: $+ NAME"),
    ("insert (X y) n", 13, "a place"),
    ("insert (X y) > n", 13, "a place"),
    ("insert (X y) >-0 n", 13, "count from >-1"),
    (f"insert (X y) >{'9' * 5000} n", 13, "at most 9 digits"),
    ("insert (X y >1 n", 16, "a closing )"),
    ("insert ( X y) >1 n", 8, "a label right after the bracket"),
    ("insert () >1 n", 8, "a label right after the bracket"),
    ("insert (X =y) >1 n", 10, "a label before ="),
    ("insert (X a@ b@) >1 n", 13, "two feet"),
    ("insert X >1 n", 7, "a tree is written in brackets"),
    ("move n", 6, "a place"),
    ("replace n", 9, "the name of a node, or a tree"),
    ("replace n m n", 12, "the end of the operation"),
    ("createSubtree X", 15, "the name of a node"),
    ("createSubtree X n m n", 20, "one or two names"),
    ("createSubtree (X (Y y)) n m", 14, "no foot"),
    ("adjoin (X (Y y)) n", 7, "no foot"),
    ("adjoin (X@ (Y y)) n", 7, "no foot"),
    ("adjoin (X y\\@) n", 7, "no foot"),
    ("adjoinF (X@) n", 8, "more than one node"),
    ("adjoinH X n", 8, "a tree with a foot"),
    ("if n prune n", 3, "expected 'exists'"),
    ("if exists k prune n", 10, "no node has the name 'k'"),
    ("if not n prune n", 7, "expected 'exists'"),
    ("if exists n", 11, "expected an operation"),
    ("[prune n", 8, "a closing ]"),
    ("[prune n] prune m", 10, "the end of the operation"),
    ("[" * 9000, MAX_DEPTH, f"at most {MAX_DEPTH}"),
    ("if exists n " * 9000, 12 * MAX_DEPTH, f"at most {MAX_DEPTH}"),
]


@pytest.mark.parametrize(("operation", "position", "reason"), INVALID)
def test_an_invalid_operation_is_shown_with_a_caret(operation, position, reason):
    with pytest.raises(OperationError) as caught:
        search.compile_edit("NP=n < (NN=m < /(.*)/#1%x)", [operation])
    assert reason in caught.value.reason
    assert caught.value.position == position
    assert str(caught.value).endswith("^")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.position) == (str(caught.value), position)


def test_a_name_is_known_to_later_operations_only():
    edit = ["insert (X=k y) >1 n", "relabel k Z"]
    assert edited("NP=n !< Z", edit, "(S (NP (A a)))") == "(S (NP (Z y) (A a)))"
    with pytest.raises(OperationError, match="'k'; expected one of: n"):
        search.compile_edit("NP=n", edit[::-1])
    with pytest.raises(OperationError, match="the pattern names none"):
        search.compile_edit("NP", "prune n")


# Patterns, operations and trees that go together badly: where the caret stands, and the reason.
REFUSED = [
    ("S=s", "delete s", 7, "is the root, which cannot be deleted"),
    ("S=s < A=a", "move s >1 a", 5, "is the root"),
    ("S=s < A=a", "move a $+ s", 10, "which has no sisters"),
    ("S=s", "createSubtree X s", 16, "expected adjoinF"),
    ("S=s < (A=a < b=b)", "createSubtree X a b", 18, "different parents"),
    ("S=s", "replace s (X x) (Y y)", 8, "one tree to replace it, not 2"),
    ("S=s < A=a", "excise a s", 9, "'s' is not below 'a'"),
    ("A=a", "[prune a] [prune a]", 17, "no longer part of the tree"),
    ("A=a", "[delete a] [excise a a]", 19, "no longer part of the tree"),
    ("A=a $+ C=c", "[adjoin (X Y@) a] [move c >1 a]", 29, "no longer part of the tree"),
    ("A=a", "insert (X x) >3 a", 16, "'a' has 1 child; expected at most >2"),
    ("A=a < b=b", "move a >1 b", 10, "'b' is part of 'a', which moves"),
    ("A=a", "move a $+ a", 10, "'a' is part of 'a', which moves"),
    ("A=a ?$ D=d", "relabel d X", 8, "expected 'if exists d'"),
    ("A=a", "relabel a /A//", 8, "would become empty"),
    ("A < b=b", "relabel b /b//", 8, "would become empty"),
    ("A=a ?[ < /(q)/#1%x ]", "relabel a /A/%{x}/", 15, "captured nothing"),
]


@pytest.mark.parametrize(("pattern", "operation", "position", "reason"), REFUSED)
def test_what_a_tree_does_not_allow_is_an_error(pattern, operation, position, reason):
    text = "(S (A b) (C c))"
    with pytest.raises(EditError) as caught:
        edited(pattern, [operation], text)
    error = caught.value
    assert reason in error.reason
    assert (error.operation, error.position, error.pattern) == (operation, position, pattern)
    assert f"\n  {operation}\n  {' ' * position}^\n  pattern: {pattern}\n" in str(error)
    assert text in error.tree
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


class TestEndings:
    def test_growing_without_end_is_an_error(self):
        edit = search.compile_edit("S=s << NP", "insert (NP foo) >-1 s")
        with pytest.raises(EditError, match=r"still matches after 1,000 changes(?s:.*)S=s << NP"):
            edit.apply(read_tree("(S (NP a))"))
        with pytest.raises(EditError, match="after 3 changes"):
            edit.apply(read_tree("(S (NP a))"), max_changes=3)

    def test_changing_to_and_fro_is_an_error(self):
        with pytest.raises(EditError, match="after 10 changes"):
            search.compile_edit("S <1 __=a <2 __=b", "move a $- b").apply(
                read_tree("(S (A a) (B b))"), max_changes=10
            )

    def test_changing_nothing_is_found_at_once(self):
        with pytest.raises(EditError, match="change nothing where the pattern matches"):
            edited("NP=n", ["relabel n NP"], "(S (NP a))")
        with pytest.raises(EditError, match="change nothing"):
            edited("NP=n", ["if not exists n prune n"], "(S (NP a))")

    def test_as_many_changes_as_the_bound_are_fine(self):
        edit = search.compile_edit("A=a", "relabel a B")
        tree = Tree("S", [Leaf("A", "a", i) for i in range(7)])
        assert edit.apply(tree, max_changes=7) == Tree("S", [Leaf("B", "a")] * 7)
        with pytest.raises(EditError, match="after 6 changes"):
            edit.apply(tree, max_changes=6)

    def test_the_default_bound_grows_with_the_tree(self):
        tree = Tree("S", [Leaf("A", "aaaaa", i) for i in range(300)])
        edit = search.compile_edit("/aa/=w", "relabel w /.$//")
        assert edit.apply(tree).words() == ["a"] * 300  # 1,200 changes of 601 nodes

    def test_a_time_limit_is_for_the_whole_edit(self, monkeypatch):
        clock = iter(range(10**6))
        for module in ("editing.edit", "limits"):
            monkeypatch.setattr(f"whorl.search.{module}.perf_counter", lambda: next(clock) / 10)
        edit = search.compile_edit("S=s << NP", "insert (NP foo) >-1 s")
        with pytest.raises(TimeLimitError, match=r"the edit took more than 9 s .*: S=s << NP"):
            edit.apply(read_tree("(S (NP a))"), time_limit=9)
        script = search.EditScript([search.compile_edit("NP=n", "relabel n NX")] * 9)
        with pytest.raises(TimeLimitError, match=r"more than 1 s"):
            script.apply(read_tree("(S (NP a))"), time_limit=1)


class TestResults:
    def test_a_tree_without_a_match_is_returned_itself(self):
        tree = read_tree("(S (NP a))")
        assert search.compile_edit("VP=v", "prune v").apply(tree) is tree

    def test_the_tree_that_was_edited_stays_as_it_is(self):
        tree = read_tree("(S (NP (DT a) (NN b)) (VP c))")
        search.compile_edit("NP=n", "excise n n").apply(tree)
        assert str(tree) == "(S (NP (DT a) (NN b)) (VP c))"

    def test_positions_are_contiguous_from_the_first_word_on(self):
        subtree = read_tree("(S (X x) (NP (DT a) (NN b)) (VP c))").children[1]
        after = search.compile_edit("NN=n !$- (A $- A)", "insert (A b) $+ n").apply(subtree)
        assert [leaf.left for leaf in after.leaves()] == [1, 2, 3, 4]
        assert (after.left, after.right) == (1, 5)

    def test_words_have_real_brackets_and_edits_their_escapes(self):
        tree = read_tree("(S (-LRB- -LRB-) (X a-LRB-b))")
        after = search.compile_edit("/-LRB-/=w !< __", "relabel w /-LRB-/-RRB-/").apply(tree)
        assert after.words() == [")", "a)b"]

    def test_what_lost_its_words_is_a_word_without_a_tag(self):
        after = search.compile_edit("NN=n", "delete n").apply(read_tree("(S (NP (NN a)) (V b))"))
        assert after == Tree("S", [Leaf("", "NP"), Leaf("V", "b")])
        assert str(after) == "(S NP (V b))"
        assert search.compile_edit("V=v", "delete v").apply(after) == Leaf("S", "NP")

    def test_a_tree_may_become_one_word(self):
        assert edited("A=a > __", ["delete a"], "(S (A a) (A b))") == "S"
        assert edited("S=s <: NN", ["excise s s"], "(S (NN a))") == "(NN a)"
        leaf = search.compile_edit("NN=n", "relabel n N").apply(Leaf("NN", "dog", 4))
        assert (leaf, leaf.left) == (Leaf("N", "dog"), 4)

    def test_head_rules_can_be_chosen(self):
        from whorl.trees import LEFT

        text = "(NP (JJ a) (NN b))"
        assert edited("NP <# NN=h", "relabel h H", text) == "(NP (JJ a) (H b))"
        edit = search.compile_edit("NP <# JJ=h", "relabel h H", LEFT)
        assert str(edit.apply(read_tree(text))) == "(NP (H a) (NN b))"

    def test_edits_can_be_pickled(self):
        edit = pickle.loads(pickle.dumps(search.compile_edit("NN=n", ["relabel n N"])))
        assert str(edit.apply(read_tree("(S (NN a))"))) == "(S (N a))"
        assert edit.operations == ("relabel n N",)

    def test_a_string_may_hold_several_operations(self):
        edit = search.compile_edit(search.compile("NN=n"), "\nrelabel n N\n  insert (X x) $- n\n")
        assert edit.operations == ("relabel n N", "  insert (X x) $- n")
        assert "NN=n" in repr(edit)
        with pytest.raises(SearchError, match="expected at least one"):
            search.compile_edit("NN=n", " \n")


class TestOddTrees:
    DEPTH = 30_000

    def chain(self):
        node = Leaf("NN", "dog")
        for level in range(self.DEPTH):
            node = make_tree("S" if level % 2 else "NP", (node,), 0, 1)
        return node

    @pytest.mark.parametrize(
        ("pattern", "operation"),
        [
            ("dog=w", "relabel w cat"),
            ("NN=n !$ X", "insert (X x) $- n"),
            ("__=r !> __ <: __=s !<2 __", "insert s >-1 r"),
            ("__=r !> __ : NN=n", "excise r n"),
            ("__=r !> __ <: __=s !<2 __", "[insert (X x) >1 r] [move s >1 r]"),
        ],
    )
    def test_deep_trees(self, pattern, operation):
        after = search.compile_edit(pattern, operation).apply(self.chain())
        assert after.right - after.left in (1, 2)

    def test_deep_trees_are_pruned_and_vanish(self):
        assert search.compile_edit("NN=n", "prune n").apply(self.chain()) is None

    def test_deep_trees_in_operations(self):
        text = "(A " * self.DEPTH + "b@" + ")" * self.DEPTH
        after = search.compile_edit("NN=n", f"adjoinF {text} n").apply
        with pytest.raises(EditError, match="after 2 changes"):
            after(read_tree("(S (NN x))"), max_changes=2)
        once = search.compile_edit("NN=n !> A", f"adjoinF {text} n").apply(read_tree("(S (NN x))"))
        assert once.height() == self.DEPTH + 1

    def test_wide_trees(self):
        tree = Tree("S", [Leaf("A", str(i), i) for i in range(20_000)])
        edit = search.compile_edit("S < (A=a $- A) < (B=b)", "move a >1 b")
        assert edit.apply(tree) is tree
        edit = search.compile_edit("S <1 A=a <-1 A=b", "createSubtree X a b")
        assert len(edit.apply(tree).children) == 1

    def test_regular_expressions_that_would_take_too_long_do_not(self):
        tree = Tree("S", [Leaf("A", "a" * 4000 + "b")])
        after = search.compile_edit("/b$/=w", "relabel w /(a+)+$|b/c/").apply(tree)
        assert after.words() == ["a" * 4000 + "c"]


@pytest.mark.parametrize(
    "source", ["a", "a*", "(a)|(b)", "^a", "b$", "(a+)(b?)", "x*", "(?:a|ab)(c?)"]
)
@pytest.mark.parametrize("text", ["", "a", "aab", "abcab", "caabbx", "bxxab"])
def test_the_slow_matcher_finds_all_matches_too(monkeypatch, source, text):
    fast = list(Regex(source).find_all(text))
    monkeypatch.setattr("whorl.search.regexes._SAFE_WAYS", 0)
    assert list(Regex(source).find_all(text)) == fast


def test_errors_of_patterns_stay_errors_of_patterns():
    with pytest.raises(PatternError):
        search.compile_edit("NP <", "prune n")


def test_the_example_of_the_documentation_prints_what_it_says(tmp_path, monkeypatch, capsys):
    page = (Path(__file__).parents[2] / "docs/search.md").read_text(encoding="utf-8")
    section = page.split("## Editing trees", 1)[1]
    script, _, code, _, output, after, *_ = section.split("```")[1:]
    (tmp_path / "clean.tsurgeon").write_text(script, encoding="utf-8")
    (tmp_path / "treebank.txt").write_text(after.split("`")[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(code.removeprefix("python"), {})
    assert capsys.readouterr().out == output.lstrip("\n")
