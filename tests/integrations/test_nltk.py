"""`WhorlParser` and the real NLTK, called as users call `CoreNLPParser` and `StanfordParser`."""

from __future__ import annotations

import doctest
import math
import pickle
import re
import subprocess
import sys
from itertools import count, islice
from pathlib import Path

import pytest

nltk = pytest.importorskip("nltk")
pytest.importorskip("onnxruntime")

from nltk.parse.api import ParserI
from nltk.parse.corenlp import CoreNLPParser, GenericCoreNLPParser
from nltk.tag.api import TaggerI
from nltk.tokenize.api import TokenizerI
from nltk.tree import ParentedTree, ProbabilisticTree
from nltk.tree import Tree as NltkTree

import whorl
from whorl import Constraint
from whorl.engine import Parse
from whorl.errors import ConstraintError, MissingPackageError, ModelError, TextError
from whorl.nltk import WhorlParser
from whorl.trees import Tree, read_tree

FOX = "The quick brown fox jumps over the lazy dog ."
TELESCOPE = ["She", "saw", "the", "man", "with", "a", "telescope", "."]
SENTENCES = [FOX.split(), [], ["It", "works"]]


@pytest.fixture(scope="module")
def model():
    return whorl.load()


@pytest.fixture(scope="module")
def parser(model):
    return WhorlParser(model)


def leaves(trees):
    return [tree.leaves() for tree in trees]


# As users of CoreNLPParser and StanfordParser call it


def usage_examples(method):
    """Return the examples in the documentation of NLTK's CoreNLPParser, for a WhorlParser.

    One line changes: the one that makes the parser. Lines that start and stop a server go.
    """
    text = re.sub(
        r"CoreNLPParser\(url=server\.url.*?\)", "WhorlParser(root='ROOT')", method.__doc__
    )
    text = text.replace("with CoreNLPServer() as server:", "if True:")
    for example in doctest.DocTestParser().get_examples(text):
        if not re.search(r"check_jar|CoreNLPServer|server\.st", example.source):
            yield example


class SameWords(doctest.OutputChecker):
    """Compares the words of the trees that are drawn, not the trees: parsers differ."""

    def check_output(self, want, got, flags):
        if "ROOT" in want:
            want, got = (drawing.split()[-len(self._words(want)) :] for drawing in (want, got))
            return want == got
        if want.strip().isdigit():
            return 5 < int(got) < 20  # the height of a tree
        return super().check_output(want, got, flags)

    def _words(self, drawing):
        return [line for line in drawing.splitlines() if line.strip()][-1].split()


def test_the_examples_of_corenlpparser_run_with_one_line_changed():
    examples = list(usage_examples(CoreNLPParser))
    assert sum("ROOT" in example.want for example in examples) == 7
    run_examples(examples)


def run_examples(examples):
    names = {"WhorlParser": WhorlParser, "parser": None}
    test = doctest.DocTest(examples, names, "CoreNLPParser", None, 0, "")
    output = []
    runner = doctest.DocTestRunner(SameWords(), optionflags=doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=output.append)
    assert result.failed == 0, "".join(output)
    assert result.attempted == len(examples)


def test_the_examples_of_its_tokeniser_give_the_same_words():
    examples = [
        example
        for example in usage_examples(GenericCoreNLPParser.tokenize)
        if "americanize" not in example.source
    ]
    assert sum("list(parser.tokenize" in example.source for example in examples) == 1
    run_examples(examples)


def test_the_example_of_its_tagger_gives_its_tags_for_these_words(parser):
    tagged = parser.tag(["What", "is", "the", "airspeed", "of", "an", "unladen", "swallow", "?"])
    assert tagged[:4] == [("What", "WP"), ("is", "VBZ"), ("the", "DT"), ("airspeed", "NN")]
    assert tagged[-1] == ("?", ".")


def test_the_examples_of_stanfordparser_give_lists_of_trees(parser):
    (tree,) = parser.raw_parse("the quick brown fox jumps over the lazy dog")
    assert tree.leaves() == ["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"]
    texts = ("the quick brown fox jumps", "the quick grey wolf jumps")
    trees = [tree for trees in parser.raw_parse_sents(texts) for tree in trees]
    assert leaves(trees) == [text.split() for text in texts]
    tagged = [("The", "DT"), ("fox", "NN"), ("jumped", "VBD"), (".", ".")]
    ((tree,),) = parser.tagged_parse_sents((tagged,))
    assert tree.pos() == tagged
    (tree,) = parser.tagged_parse(tagged, False)
    assert tree.pos() == tagged


def test_it_is_a_parser_a_tagger_and_a_tokeniser_of_nltk(parser):
    assert isinstance(parser, ParserI)
    assert isinstance(parser, TaggerI)
    assert isinstance(parser, TokenizerI)
    with pytest.raises(NotImplementedError, match="no grammar"):
        parser.grammar()


# Words, texts, tagged words


def test_a_tree_is_that_of_the_parser_itself(parser, model):
    tree = parser.parse_one(TELESCOPE)
    assert type(tree) is NltkTree
    assert Tree.from_nltk(tree) == model.parse(TELESCOPE)
    assert [tree] == parser.parse_all(TELESCOPE) == list(parser.parse(TELESCOPE))
    assert [[tree]] == [list(trees) for trees in parser.parse_sents([TELESCOPE])]
    assert [tree] == list(parser.raw_parse("She saw the man with a telescope."))
    assert [tree] == list(parser.parse_text("She saw the man with a telescope."))


def test_results_are_iterators(parser):
    for trees in (
        parser.parse(TELESCOPE),
        parser.raw_parse("It works"),
        parser.tagged_parse([("It", "PRP")]),
        parser.parse_text("It works"),
    ):
        assert iter(trees) is trees
        assert type(next(trees)) is NltkTree
    for results in (
        parser.parse_sents(SENTENCES),
        parser.raw_parse_sents(["It works"]),
        parser.tagged_parse_sents([[("It", "PRP")]]),
    ):
        assert iter(results) is results
        trees = next(results)
        assert iter(trees) is trees


def test_what_has_no_words_has_no_trees_and_keeps_its_place(parser):
    assert parser.parse_one([]) is None
    assert parser.parse_all([]) == []
    assert list(parser.raw_parse(" \n\u200b")) == list(parser.tagged_parse([])) == []
    assert list(parser.parse_text("")) == list(parser.parse_sents([])) == []
    assert [leaves(trees) for trees in parser.parse_sents(SENTENCES)] == [
        [words] if words else [] for words in SENTENCES
    ]
    raw = parser.raw_parse_sents(["", "It works", "\n"])
    assert [leaves(trees) for trees in raw] == [[], [["It", "works"]], []]
    assert parser.tag([]) == parser.tokenize("") == []
    assert list(parser.raw_tag_sents(["", "It works"])) == [[], [[("It", "PRP"), ("works", "VBZ")]]]


def test_a_raw_sentence_stays_one_and_a_text_is_cut(parser):
    text = "It works. So does this!\nAnd that"
    (tree,) = parser.raw_parse(text)
    assert tree.leaves() == parser.tokenize(text)
    assert len(tree.leaves()) == 9
    assert leaves(parser.parse_text(text)) == [
        ["It", "works", "."],
        ["So", "does", "this", "!"],
        ["And", "that"],
    ]
    long = " ".join(["and"] * 1500)
    tree = next(parser.raw_parse(long))
    assert len(Tree.from_nltk(tree).words()) == 1500  # NLTK recurses too deep to count them


def test_brackets_are_escaped_in_trees_as_in_nltks_corpora(parser):
    for words in (["It", "(", "works", ")"], ["It", "-LRB-", "works", "-RRB-"]):
        tree = parser.parse_one(words)
        assert tree.leaves() == ["It", "-LRB-", "works", "-RRB-"]
        assert NltkTree.fromstring(str(tree)) == tree
        assert [word for word, _ in parser.tag(words)] == words
        assert Tree.from_nltk(tree).words() == ["It", "(", "works", ")"]


def test_a_word_with_spaces_stays_one_word(parser):
    words = ["It", "costs", "2 1/2", "New\u00a0York", "times"]
    assert parser.parse_one(words).leaves() == words
    assert [word for word, _ in parser.tag(words)] == words


def test_given_tags_are_kept_and_missing_ones_predicted(parser):
    tags = ["X", None, "-LRB-", "NN", None, "DT", "NN", "."]
    tagged = list(zip(TELESCOPE, tags, strict=True))
    guesses = [tag for _, tag in parser.tag(TELESCOPE)]
    expected = [(word, tag or guess) for (word, tag), guess in zip(tagged, guesses, strict=True)]
    assert next(parser.tagged_parse(tagged)).pos() == expected
    assert expected[1][1] == "VBD"
    assert [
        [tree.pos() for tree in trees] for trees in parser.tagged_parse_sents([tagged, []])
    ] == [
        [expected],
        [],
    ]


def test_nltks_unigram_tagger_may_come_first(parser):
    tagger = nltk.UnigramTagger([[("It", "PRP"), ("works", "VBZ")]])
    tagged = tagger.tag(["It", "sleeps"])
    assert tagged == [("It", "PRP"), ("sleeps", None)]
    (tree,) = parser.tagged_parse(tagged)
    assert tree.pos() == [("It", "PRP"), ("sleeps", "VBZ")]


def test_tags_can_be_scored_by_nltk(parser):
    gold = [[("It", "PRP"), ("works", "VBZ")], [("Dogs", "NNS"), ("bark", "X")]]
    assert parser.accuracy(gold) == 0.75


def test_spans_of_tokens_are_those_of_the_text(parser):
    text = "“It’s over,” she said (twice)."
    spans = list(parser.span_tokenize(text))
    assert [text[start:end] for start, end in spans][:5] == ["“", "It", "’s", "over", ","]
    assert parser.tokenize(text)[:5] == ["``", "It", "'s", "over", ","]
    assert parser.parse_one(parser.tokenize(text)) == next(parser.raw_parse(text))
    assert WhorlParser(parser.parser, hyphens="split").tokenize("and/or") == ["and", "/", "or"]


# Options


def test_n_best_trees_come_most_likely_first(model):
    parser = WhorlParser(model, n_best=4, probabilities=True)
    trees = parser.parse_all(TELESCOPE)
    assert len({str(tree) for tree in trees}) == 4
    assert [tree.prob() for tree in trees] == sorted((tree.prob() for tree in trees), reverse=True)
    assert parser.parse_one(TELESCOPE) == trees[0]
    assert [len(list(trees)) for trees in parser.parse_sents(SENTENCES)] == [4, 0, 4]
    assert len(list(parser.parse_text("It works. It does."))) == 2  # one tree of each sentence


def test_a_probabilistic_tree_has_the_probabilities_of_the_parse(model):
    (tree,) = WhorlParser(model, probabilities=True).parse(TELESCOPE)
    (parse,) = model.parse(TELESCOPE, n_best=1)
    assert type(tree) is ProbabilisticTree
    assert tree.prob() == pytest.approx(math.exp(parse.log_probability))
    assert tree.logprob() == pytest.approx(parse.log_probability / math.log(2))
    phrases = [node for node in tree.subtrees() if node.height() > 2]
    assert [node.prob() for node in phrases[1:]] == parse.probabilities()[1:]
    assert all(node.prob() == 1 for node in tree.subtrees() if node.height() == 2)
    assert all(type(node) is ProbabilisticTree for node in tree.subtrees())
    assert tree == tree.copy(deep=True)
    assert Tree.from_nltk(tree) == parse.tree


@pytest.mark.parametrize(
    ("root", "brackets", "known"),
    [
        (None, "(TOP (S (X a)))", [0.9]),
        ("ROOT", "(ROOT (S (X a)))", [0.9]),
        ("TOP", "(TOP (S (X a)))", [0.9]),
        ("", "(S (X a))", []),
    ],
)
def test_the_root_is_renamed_or_removed_and_probabilities_stay(model, root, brackets, known):
    parser = WhorlParser(model, root=root, probabilities=True)
    # Steps: shift, reduce S, FINISH; the root TOP was put above.
    parse = Parse(read_tree("(TOP (S (X a)))"), -0.5, steps=[0.0, math.log(0.9), -0.1])
    tree = parser.make_tree(parse)
    assert NltkTree.convert(tree) == NltkTree.fromstring(brackets)
    assert tree.prob() == pytest.approx(math.exp(-0.5))
    phrases = [node.prob() for node in tree.subtrees() if node.height() > 2]
    assert phrases[1:] == pytest.approx(known)
    assert WhorlParser(model, root="S1").make_tree(Parse(read_tree("(S (X a))"), 0.0)) == (
        NltkTree.fromstring("(S1 (S (X a)))")
    )


def test_a_model_without_probabilities_of_phrases_gives_nan(model):
    parser = WhorlParser(model, probabilities=True)
    tree = parser.make_tree(Parse(read_tree("(TOP (S (X a)))"), -1.0))
    assert tree.prob() == pytest.approx(math.exp(-1))
    assert math.isnan(tree[0].prob())
    assert str(tree) and str(tree[0])


def test_make_tree_can_give_other_trees(model):
    class Parented(WhorlParser):
        def make_tree(self, parse):
            return ParentedTree.convert(super().make_tree(parse))

    tree = Parented(model).parse_one(TELESCOPE)
    assert tree[0].parent() is tree


def test_properties_that_decide_about_words_and_sentences_are_obeyed(parser):
    text = "It works.\nSo don't\n\nstop"
    cut = {
        (): ["It works .", "So do n't", "stop"],
        ("ssplit.eolonly",): ["It works .", "So do n't", "stop"],
        ("ssplit.isOneSentence",): ["It works . So do n't stop"],
        ("tokenize.whitespace",): ["It works.", "So don't", "stop"],
        ("tokenize.whitespace", "ssplit.isOneSentence"): ["It works. So don't stop"],
    }
    for names, expected in cut.items():
        properties = {"annotators": "tokenize,ssplit,pos,parse", **dict.fromkeys(names, "true")}
        trees = parser.parse_text(text, properties=properties)
        assert [" ".join(tree.leaves()) for tree in trees] == expected
    breaks = "ssplit.newlineIsSentenceBreak"
    for value, number in (("always", 2), ("two", 1)):
        assert (
            len(list(parser.parse_text("Dogs bark\ncats sleep", properties={breaks: value})))
            == number
        )
    white = {"tokenize.whitespace": True}
    assert next(parser.raw_parse("don't", properties=white)).leaves() == ["don't"]
    assert parser.tokenize("don't", properties=white) == ["don't"]
    ((tree,),) = parser.raw_parse_sents(["don't"], properties=white)
    assert tree.leaves() == ["don't"]


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"parse.model": "edu/stanford"}, "no equivalent of CoreNLP's property 'parse.model'"),
        ({"ssplit.eolonly": "maybe"}, "must be true or false, not 'maybe'"),
        ({"ssplit.newlineIsSentenceBreak": "never"}, "must be always or two, not 'never'"),
    ],
)
def test_a_property_that_cannot_be_obeyed_is_refused_at_once(parser, properties, message):
    for call, argument in (
        (parser.parse, ["It"]),
        (parser.parse_sents, [["It"]]),
        (parser.raw_parse, "It"),
        (parser.raw_parse_sents, ["It"]),
        (parser.tagged_parse, [("It", "PRP")]),
        (parser.tagged_parse_sents, [[("It", "PRP")]]),
        (parser.parse_text, "It"),
        (parser.tokenize, "It"),
        (parser.tag, ["It"]),
        (parser.tag_sents, [["It"]]),
        (parser.raw_tag_sents, ["It"]),
    ):
        with pytest.raises(TextError, match=message):
            call(argument, properties=properties)


@pytest.mark.parametrize(
    ("method", "argument", "message"),
    [
        ("parse", "It works", "not the string 'It works': for texts, use raw_parse"),
        ("parse", [("It", "PRP")], "for pairs of a word and its tag, use tagged_parse"),
        ("parse_sents", ["It works"], "sentence 1: expected the words of a sentence, not the str"),
        ("parse_sents", [["It"], [3]], "sentence 2: expected the words of a sentence, not 3"),
        ("parse_sents", "It works", "expected many sentences, not one string"),
        ("raw_parse", ["It", "works"], "expected a text, not list: for words, use parse"),
        ("raw_parse_sents", [["It"]], "sentence 1: expected a text, not list"),
        ("raw_parse_sents", "It works", "expected many sentences, not one string"),
        ("tagged_parse", ["It"], "expected a pair of a word and its tag, not 'It'"),
        ("tagged_parse", [("It", 3)], "expected a pair of a word and its tag"),
        (
            "tagged_parse_sents",
            [("It", "PRP")],
            "sentence 1: expected a pair of a word and its tag",
        ),
        ("parse_text", ["It works"], "expected a text, not list"),
        ("tag", "It works", "for texts, use raw_parse"),
    ],
)
def test_the_wrong_kind_of_input_is_told_the_right_method(parser, method, argument, message):
    with pytest.raises(TypeError, match=message):
        list(getattr(parser, method)(argument))


def test_invalid_options_are_refused_by_the_constructor(model):
    for options in ({"n_best": 0}, {"n_best": 1001}, {"beam": 0}, {"batch_size": 0}, {"jobs": 0}):
        with pytest.raises(ValueError, match="must be"):
            WhorlParser(model, **options)
    with pytest.raises(TextError, match="hyphens must be one of"):
        WhorlParser(model, hyphens="cut")
    with pytest.raises(ModelError, match="no model 'klingon'"):
        WhorlParser("klingon")
    with pytest.raises(ValueError, match="are those of the Parser"):
        WhorlParser(model, device="cuda")


# Streams


@pytest.mark.parametrize("method", ["parse_sents", "raw_parse_sents", "tagged_parse_sents"])
def test_a_stream_is_read_as_far_as_it_is_needed(model, method):
    parser = WhorlParser(model, batch_size=4)
    taken = []
    sentence = {
        "parse_sents": ["It", "works"],
        "raw_parse_sents": "It works",
        "tagged_parse_sents": [("It", "PRP"), ("works", "VBZ")],
    }[method]

    def endless():
        for number in count():
            taken.append(number)
            yield sentence

    stream = getattr(parser, method)(endless())
    assert taken == []
    assert [len(list(trees)) for trees in islice(stream, 32)] == [1] * 32
    assert len(taken) == 32
    next(stream)
    assert len(taken) == 64


def test_a_stream_is_parsed_in_batches(model, monkeypatch):
    batches = []
    original = model._model.engine.parse_nbest

    def parse_nbest(sentences, **options):
        batches.append(len(sentences))
        return original(sentences, **options)

    monkeypatch.setattr(model._model.engine, "parse_nbest", parse_nbest)
    parser = WhorlParser(model, batch_size=16)
    assert sum(1 for _ in parser.parse_sents(["It", "works"] for _ in range(64))) == 64
    assert batches == [16] * 4


def test_worker_processes_give_the_same_trees(model):
    sentences = [words for words in SENTENCES for _ in range(5)]
    trees, single = (
        [list(trees) for trees in parser.parse_sents(sentences)]
        for parser in (WhorlParser(jobs=2, batch_size=4), WhorlParser(model))
    )
    assert trees == single


def test_a_parser_can_be_pickled(parser):
    assert pickle.loads(pickle.dumps(parser)).parse_all(TELESCOPE) == parser.parse_all(TELESCOPE)


# Imports


def test_nltk_is_imported_only_on_use():
    code = (
        "import sys, whorl, whorl.trees; whorl.load().parse(['It']); print('nltk' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_without_nltk_the_error_names_the_command_to_install_it():
    code = (
        "import sys; sys.modules['nltk'] = None\n"
        "try: import whorl.nltk\n"
        "except ImportError as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "MissingPackageError this needs NLTK, which is not installed: pip install 'whorl[nltk]'\n"
    )
    assert issubclass(MissingPackageError, whorl.errors.WhorlError)


def test_the_public_name_is_the_parser():
    import whorl.integrations.nltk
    import whorl.nltk

    assert whorl.nltk.__all__ == whorl.integrations.nltk.__all__ == ["WhorlParser"]


def test_the_example_in_its_docstring_runs():
    import whorl.integrations.nltk.parser as module

    assert doctest.testmod(module) == (0, 3)


def test_the_examples_in_the_documents_run():
    text = (Path(__file__).parents[2] / "docs/nltk.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"^```python\n(>>>.*?)^```", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(blocks, {}, "nltk.md", None, 0)
    output = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test, out=output.append).failed == 0, "".join(output)
    assert len(test.examples) > 10


# Constraints


NP = [Constraint.span(2, 7, "NP")]


@pytest.mark.parametrize("options", [{}, {"beam": 4, "n_best": 3}, {"probabilities": True}])
def test_constraints_hold_in_every_tree(model, options):
    parser = WhorlParser(model, **options)
    pairs = [(word, "XX" if word == "saw" else None) for word in TELESCOPE]
    trees = [
        *parser.parse(TELESCOPE, constraints=NP),
        *parser.parse_all(TELESCOPE, constraints=NP),
        parser.parse_one(TELESCOPE, constraints=NP),
        *parser.tagged_parse(pairs, constraints=iter(NP)),
    ]
    assert len(trees) == 3 * options.get("n_best", 1) + 1
    for tree in trees:
        assert TELESCOPE[2:7] in [np.leaves() for np in tree.subtrees(lambda t: t.label() == "NP")]
    assert trees[-1].pos()[1] == ("saw", "XX")
    assert parser.parse_one(TELESCOPE) == model_tree(parser, TELESCOPE)


def model_tree(parser, words):
    """The tree without constraints."""
    (trees,) = parser.parse_sents([words])
    return next(trees)


def test_each_of_many_sentences_has_its_own_constraints(parser):
    free, empty, fixed = parser.parse_sents(
        [TELESCOPE, [], ["It", "works"]], constraints=[None, [], [Constraint.root("FRAG")]]
    )
    assert next(free) == parser.parse_one(TELESCOPE)
    assert list(empty) == []
    assert next(fixed)[0].label() == "FRAG"


def test_a_tag_that_is_to_be_predicted_may_be_constrained(parser):
    words = ["The", "old", "man", "the", "boats", "."]
    constraints = [Constraint.tag(2, "VBP"), Constraint.span(0, 2, "NP")]
    tree = parser.parse_one(words, constraints=constraints)
    (tagged,) = parser.tagged_parse([(word, None) for word in words], constraints=constraints)
    assert tagged.pos()[2] == tree.pos()[2] == ("man", "VBP")
    with pytest.raises(ConstraintError, match="the word comes with the tag NN"):
        parser.tagged_parse([("It", "NN")], constraints=[Constraint.tag(0, "PRP")])


def test_constraints_that_no_tree_satisfies_are_named(parser):
    crossing = [Constraint.span(0, 3), Constraint.span(2, 5)]
    with pytest.raises(ConstraintError, match=r"^the sentence: .*they cross each other"):
        parser.parse_one(TELESCOPE, constraints=crossing)
    with pytest.raises(ConstraintError, match=r"^input 2: .*they cross each other"):
        list(parser.parse_sents([["Go"], TELESCOPE], constraints=[None, crossing]))
