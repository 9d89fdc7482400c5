"""Constraints through the parser: every tree satisfies them, whichever network, beam and batch."""

from __future__ import annotations

import doctest
import itertools
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

pytest.importorskip("onnxruntime")

import whorl
from tests.compat.check import TOY, model_folders
from tests.constraints.satisfaction import random_constraints, satisfies
from whorl import ConstrainedInput, Constraint, Leaf, Tree, read_trees
from whorl.constraints import make_plan
from whorl.errors import ConstraintError
from whorl.span.engine import SpanEngine
from whorl.text import segment
from whorl.trees import read_treebank, strip_root

C = Constraint
GOLD = read_trees(TOY.read_text(encoding="utf-8"))
WORDS = ["The", "public", "is", "still", "cautious", "."]
TEXT = "The public is still cautious. “It works,” she said (twice) in the U.S."
DEV = Path(__file__).parents[3] / "shared/treebanks/en/masc/dev.txt"


@pytest.fixture(scope="module")
def en():
    return whorl.load("en")


@pytest.fixture(scope="module")
def stack_lstm():
    pytest.importorskip("torch")
    (folder,) = model_folders(kind="stack-lstm")
    return whorl.load(folder)


@pytest.fixture(params=["en", "stack_lstm"])
def parser(request):
    return request.getfixturevalue(request.param)


def holds(tree: Tree, constraints: list[Constraint], root: str = "TOP") -> bool:
    """Return whether a tree satisfies constraints, whether its root was built or put above it."""
    built = strip_root(tree)
    return satisfies(tree, constraints, root) or (
        built.label != root and satisfies(built, constraints, root)
    )


def consistent(random, parser, tokens):
    """Draw constraints on phrases and tags that some tree of the model satisfies."""
    grammar = parser._model.engine.grammar()
    labels = random.sample(grammar.labels, 3)
    for _ in range(20):
        constraints = random_constraints(random, len(tokens), labels)
        for position in range(len(tokens)):
            if random.random() < 0.2 and isinstance(tokens[0], str):
                constraints.append(C.tag(position, random.choice(["NN", "VB", "ODD"])))
        try:
            make_plan(tokens, constraints, grammar)
        except ConstraintError:
            continue
        return constraints
    return []


def gold_tokens(parser, tree):
    """Return words for a model with a tagger, else leaves."""
    return tree.words() if isinstance(parser._model.engine, SpanEngine) else tree.leaves()


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize("name", ["en", "stack_lstm"])
def test_every_tree_satisfies_its_constraints(request, name, seed):
    parser, random = request.getfixturevalue(name), Random(seed)
    trees = random.sample(GOLD, 3)
    inputs = [gold_tokens(parser, tree) for tree in trees]
    constraints = [consistent(random, parser, tokens) for tokens in inputs]
    assume(any(constraints))
    for options in ({"n_best": 1}, {"n_best": 1, "beam": 3}, {"n_best": 3}):
        together = list(parser.pipe(inputs, constraints=constraints, **options))
        for tokens, own, parses in zip(inputs, constraints, together, strict=True):
            assert 1 <= len(parses) <= options["n_best"]
            assert all(holds(parse.tree, own) for parse in parses)
            alone = parser.parse(tokens, constraints=own, **options)
            assert [parse.tree for parse in alone] == [parse.tree for parse in parses]


def test_all_labels_and_tags_of_a_tree_reproduce_it(parser):
    known = [tree for tree in GOLD if {label for label, _, _ in tree.spans()} <= {*parser.labels}]
    assert len(known) > 10
    inputs = [gold_tokens(parser, tree) for tree in known]
    for beam in (1, 3):
        of_trees = [C.of_tree(tree) for tree in known]
        assert list(parser.pipe(inputs, constraints=of_trees, beam=beam)) == known
        spans = [
            [
                *(C.span(left, right, label) for label, left, right in tree.spans()),
                *(C.tag(leaf.left, leaf.tag) for leaf in tree.leaves()),
            ]
            for tree in known
        ]
        parsed = parser.pipe(inputs, constraints=spans, beam=beam)
        for tree, result in zip(known, parsed, strict=True):
            assert not Counter(tree.spans()) - Counter(result.spans())
            assert result.tags() == tree.tags()


@pytest.mark.treebank
@pytest.mark.skipif(not DEV.exists(), reason="needs the shared treebanks")
def test_all_labels_and_tags_of_a_treebank_reproduce_it(en):
    trees = itertools.islice(read_treebank(DEV), 150)
    gold = [tree for tree in trees if {label for label, _, _ in tree.spans()} <= {*en.labels}]
    assert len(gold) > 100
    constraints = [C.of_tree(tree) for tree in gold]
    assert list(en.pipe((tree.words() for tree in gold), constraints=constraints)) == gold


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_what_the_model_does_anyway_changes_nothing(en, seed):
    random = Random(seed)
    tree = random.choice(GOLD)
    (free,) = en.parse(tree.words(), n_best=1)
    spans = random.sample(free.tree.spans(), random.randint(1, len(free.tree.spans())))
    constraints = [
        random.choice([C.span(left, right, label), C.no_crossing(left, right)])
        for label, left, right in spans
    ]
    (bound,) = en.parse(tree.words(), constraints=constraints, n_best=1)
    assert bound.tree == free.tree
    assert bound.log_probability == pytest.approx(free.log_probability, abs=1e-3)


def test_sentences_without_constraints_share_a_batch_and_keep_their_trees(parser):
    inputs = [gold_tokens(parser, tree) for tree in GOLD]
    free = list(parser.pipe(inputs))
    some = [[C.root("NP")] if number % 3 == 0 else None for number in range(len(inputs))]
    mixed = list(parser.pipe(inputs, constraints=some))
    for number, (before, after) in enumerate(zip(free, mixed, strict=True)):
        if number % 3:
            assert str(before) == str(after)
        else:
            assert after.children[0].label == "NP"


def test_each_input_of_a_stream_carries_its_own_constraints(en):
    own = [C.span(1, 4, "NP")]
    tree = en.parse(WORDS, constraints=own)
    assert ("NP", 1, 4) in tree.spans()
    beside = [own, None, [], [each.to_dict() for each in own], iter(own)]
    assert list(en.pipe([WORDS] * 5, constraints=beside)) == [
        tree, en.parse(WORDS), en.parse(WORDS), tree, tree
    ]  # fmt: skip
    inputs = [(ConstrainedInput(WORDS, own), "a"), (WORDS, "b")]
    assert list(en.pipe(inputs, as_tuples=True)) == [(tree, "a"), (en.parse(WORDS), "b")]
    pairs = en.pipe([(WORDS, "a")], as_tuples=True, constraints=iter([own]))
    assert list(pairs) == [(tree, "a")]
    sentences = list(en.sentences([ConstrainedInput(WORDS, own), []], beam=2))
    assert sentences[1] is None
    assert ("NP", 1, 4) in sentences[0].tree.spans()
    assert [s.tree for s in en.sentences([WORDS], constraints=[own])] == [tree]


def test_worker_processes_obey_constraints_and_report_conflicts(en):
    own = [C.root("FRAG"), C.tag(0, "ODD")]
    (tree,) = en.pipe([WORDS], constraints=[own], jobs=2)
    assert tree == en.parse(WORDS, constraints=own)
    assert tree.tags()[0] == "ODD"
    stream = en.pipe([WORDS, WORDS], constraints=[None, [C.span(0, 2), C.span(1, 3)]], jobs=2)
    with pytest.raises(ConstraintError, match=r"^input 2: .*they cross each other") as raised:
        list(stream)
    assert raised.value.constraints == (C.span(0, 2), C.span(1, 3))


def test_offsets_in_a_text_count_characters(en):
    start = TEXT.index("still cautious")
    span = C.span(start, start + len("still cautious"), "NP")
    document = en(TEXT, constraints=[span, C.tag(TEXT.index("she"), "ODD"), C.root("FRAG")])
    assert [tree.children[0].label for tree in document.trees] == ["FRAG"] * len(document)
    (phrase,) = [
        each
        for sentence in document
        for each in sentence.constituents()
        if (each.start, each.end) == (span.left, span.right)
    ]
    assert (phrase.label, phrase.text) == ("NP", "still cautious")
    assert [t.text for sentence in document for t in sentence.tokens if t.tag == "ODD"] == ["she"]
    texts = list(en.pipe([TEXT, "It works."], constraints=[[span], None]))
    assert texts[1].trees == en("It works.").trees
    assert en("", constraints=[C.root("S")]).trees == []


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_every_phrase_of_a_document_can_be_asked_for_by_its_characters(en, seed):
    random = Random(seed)
    free = en(TEXT)
    phrases = [each for sentence in free for each in sentence.constituents()]
    chosen = random.sample(phrases, random.randint(1, len(phrases)))
    spans = [C.span(each.start, each.end, each.label) for each in chosen]
    assert en(TEXT, constraints=spans).trees == free.trees


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (
            C.span(1, 10),
            "characters 1:10 'he public': no word begins at character 1, .* 'The' .0:3.",
        ),
        (C.span(0, 12), "no word ends at character 12, which is within 'is' .11:13."),
        (C.span(0, 11), "no word ends at character 11$"),
        (C.span(20, 33), "'cautious. “It': it is not within one sentence"),
        (C.span(0, 900), "no word ends at character 900"),
        (C.tag(5, "NN"), "the tag NN at character 5.*within 'public'"),
        (C.not_span(0, 29), "not a phrase over characters 0:29 'The public .*every tree"),
    ],
)
def test_a_constraint_that_does_not_fit_a_text_is_named(en, constraint, message):
    assert len(segment(TEXT)) == 2
    with pytest.raises(ConstraintError, match=f"^input 1: .*{message}"):
        en(TEXT, constraints=[constraint])


def test_what_constraints_cannot_be_is_an_error(en):
    with pytest.raises(ConstraintError, match=r"^a phrase over words 0:7 .* has 6 words"):
        en.parse(WORDS, constraints=[C.span(0, 7)])
    with pytest.raises(ConstraintError, match="has no label 'NPP', only ADJP, "):
        en.parse(WORDS, constraints=[C.span(0, 2, "NPP")])
    with pytest.raises(ConstraintError, match=r"expected a list of constraints, not {'kind'"):
        en.parse(WORDS, constraints={"kind": "root", "label": "S"})
    with pytest.raises(ConstraintError, match=r"^input 2: expected an object"):
        list(en.pipe([WORDS, WORDS], constraints=[[], [7]]))
    with pytest.raises(ConstraintError, match="the word comes with the tag NN"):
        en.parse([Leaf("NN", "Rain")], constraints=[C.tag(0, "VB")])
    with pytest.raises(ConstraintError, match="constraints for only 1 of the inputs"):
        list(en.pipe([WORDS, WORDS], constraints=[[]]))
    with pytest.raises(ConstraintError, match="constraints for more than the 1 input"):
        list(en.pipe([WORDS], constraints=[[], []]))
    with pytest.raises(TypeError, match="input 1: an input has constraints of its own"):
        list(en.pipe([ConstrainedInput(WORDS, [])], constraints=[[]]))


def test_constraints_can_be_checked_without_parsing(en, monkeypatch):
    monkeypatch.setattr(SpanEngine, "parse_nbest", None)
    en.check_constraints(ConstrainedInput(WORDS, [C.span(0, 2, "NP"), C.root("S")]))
    en.check_constraints(ConstrainedInput([], [C.root("S")]))
    crossing = ConstrainedInput(WORDS, [C.span(0, 3), C.span(2, 5)], "note 7")
    with pytest.raises(ConstraintError, match=r"^note 7: .* they cross each other"):
        en.check_constraints(crossing)
    with pytest.raises(TypeError, match="not a text"):
        en.check_constraints(ConstrainedInput("It works.", []))


def test_tags_can_take_the_place_of_a_tagger(stack_lstm):
    tree = GOLD[0]
    tags = [C.tag(leaf.left, leaf.tag) for leaf in tree.leaves()]
    assert stack_lstm.parse(tree.words(), constraints=tags) == stack_lstm.parse(tree.leaves())
    with pytest.raises(whorl.errors.ModelError, match="no tagger"):
        stack_lstm.parse(tree.words(), constraints=tags[1:])


@pytest.mark.parametrize("system", ["binary", "topdown", "inorder"])
def test_other_systems_cannot_obey_constraints(system, tmp_path):
    pytest.importorskip("torch")
    from tests.parsers import make_parser
    from whorl.stack_lstm.folder import StackLSTMModel

    small = make_parser(system)
    StackLSTMModel(small.model, small.vocabulary).save(tmp_path)
    parser = whorl.load(tmp_path)
    leaves = small.sentences[1]
    with pytest.raises(ConstraintError, match=f"the nonbinary system, .* the {system} system"):
        parser.parse(leaves, constraints=[C.span(0, 1)])
    assert parser.parse(leaves, constraints=[]) == parser.parse(leaves)


def test_a_reduce_that_the_inventory_lacks_is_built_if_it_is_required(stack_lstm):
    leaves = [Leaf("NN", f"w{number}", number) for number in range(30)]
    for beam in (1, 3):
        tree = stack_lstm.parse(
            leaves, constraints=[C.chain(0, 30, ["NP"]), C.only(0, 30)], beam=beam
        )
        assert strip_root(tree) == Tree("NP", leaves)
    inputs = [leaves[:n] for n in range(2, 20)]
    flat = stack_lstm.pipe(inputs, constraints=[[C.only(0, n)] for n in range(2, 20)])
    assert [len(strip_root(tree).children) for tree in flat] == [*range(2, 20)]


def test_constraints_may_ask_for_more_children_than_the_window_holds(en):
    words = ["well"] * 200
    tree = en.parse(words, constraints=[C.only(0, 200), C.root("FRAG")])
    assert len(strip_root(tree).children) == 200


def test_the_examples_of_the_documentation():
    page = (Path(__file__).parents[2] / "docs/constraints.md").read_text(encoding="utf-8")
    session = "\n".join(re.findall(r"```pycon\n(.*?)```", page, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "constraints.md", None, 0)
    assert len(test.examples) > 8
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test).failed == 0


def test_every_backend_of_the_span_network_obeys_alike():
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from whorl.parser import Parser
    from whorl.span.engine import load_trained

    folder = next(each for each in model_folders(kind="span") if each.name == "span-float16")
    in_numpy = whorl.load(folder)
    in_torch = Parser(load_trained([folder, folder], "cpu", None))
    random = Random(5)
    inputs = [tree.words() for tree in GOLD]
    constraints = [consistent(random, in_numpy, words) for words in inputs]
    assert sum(map(bool, constraints)) > 5
    for beam in (1, 3):
        trees, others = (
            list(parser.pipe(inputs, constraints=constraints, beam=beam))
            for parser in (in_numpy, in_torch)
        )
        assert all(map(holds, trees, constraints))
        assert all(map(holds, others, constraints))
        assert sum(a == b for a, b in zip(trees, others, strict=True)) >= len(trees) - 2
