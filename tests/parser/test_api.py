"""`whorl.load`, and the results of a parser for texts and for words."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import whorl
from tests.exported import make_exported
from whorl.errors import ModelError, TextError
from whorl.text import segment
from whorl.trees import Leaf, read_tree

TEXT = "The public is still cautious.  “It works,” she said (twice).\n\nRain"
WORDS = [
    ["The", "public", "is", "still", "cautious", "."],
    [],
    ["Rain"],
    ["Dogs", "and", "cats", "sleep"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_exported(tmp_path_factory.mktemp("api"))


@pytest.fixture(scope="module")
def parser(folder):
    return whorl.load(folder)


def check(document, text):
    """Assert what must hold for the document of any text."""
    assert document.text == text
    cut = segment(text)
    assert [sentence.words for sentence in document] == [sentence.words for sentence in cut]
    assert document.trees == [sentence.tree for sentence in document.sentences]
    end = 0
    for sentence in document:
        assert sentence.text == text[sentence.start : sentence.end]
        assert sentence.tree.words() == [token.text for token in sentence.tokens]
        assert sentence.tree.tags() == [token.tag for token in sentence.tokens]
        for token in sentence.tokens:
            assert end <= token.start < token.end
            end = token.end
        constituents = list(sentence.constituents())
        assert [(c.label, c.left, c.right) for c in constituents] == [
            tuple(span) for span in sentence.tree.spans()
        ]
        for one in constituents:
            assert one.text == text[one.start : one.end]
            assert (one.start, one.end) == sentence.offsets(one.tree)
            assert one.start == sentence.tokens[one.left].start
            assert one.end == sentence.tokens[one.right - 1].end
            assert 0 <= one.probability <= 1
        assert (constituents[0].start, constituents[0].end) == (sentence.start, sentence.end)
        assert sentence.log_probability <= 0
        assert 0 <= sentence.confidence <= 1
        assert read_tree(str(sentence)) == sentence.tree


def test_a_text_gives_sentences_whose_parts_know_their_places(parser):
    document = parser(TEXT)
    check(document, TEXT)
    first, second, third = document
    assert str(first) == (
        "(TOP (S (NP (DT The) (JJ public)) "
        "(VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .)))"
    )
    noun = next(c for c in first.constituents() if c.label == "NP")
    assert noun[:6] == ("NP", 0, 2, 0, 10, "The public")
    assert noun.tree is first.tree.children[0].children[0]
    assert second.text == "“It works,” she said (twice)."
    assert second.tokens[0][:2] == ("``", second.tokens[0].tag)
    assert document[2] is third
    assert third.tokens[0].start == TEXT.index("Rain")
    assert str(document).splitlines() == [str(tree) for tree in document.trees]
    assert "<svg" in first._repr_html_()
    assert document._repr_html_().count("<svg") == 3
    assert "3 sentences" in repr(document)
    assert "public" in repr(first)


@settings(max_examples=60)
@given(
    st.text(st.characters(), max_size=60) | st.text("ab.?! \n\t\"'()“”’\0\ud800😀-", max_size=60)
)
def test_any_text_has_its_places(parser, text):
    check(parser(text), text)


@pytest.mark.parametrize("text", ["", " \t\n ", "\0", "\u200b"])
def test_a_text_of_no_words_is_an_empty_document(parser, text):
    document = parser(text)
    assert (document.text, document.sentences, document.trees, len(document)) == (text, (), [], 0)
    assert str(document) == ""


def test_options_of_cutting_are_passed_on(parser):
    assert len(parser("Dogs bark\nRain", newline="paragraph")) == 2
    assert len(parser("Dogs bark and cats sleep", longest=2)) == 3
    assert parser("and/or", hyphens="split")[0].words == ["and", "/", "or"]
    with pytest.raises(TextError, match="newline must be one of"):
        parser("Rain", newline="line")


def test_words_give_trees_over_themselves_escaped_or_not(parser):
    assert parser.parse(["-LRB-", "It", ")"]).words() == ["(", "It", ")"]
    assert parser.parse(["(", "It", "-RRB-"]) == parser.parse(["-LRB-", "It", ")"])
    assert parser.parse([Leaf("X", "It"), Leaf("Y", "-LRB-")]).tags() == ["X", "Y"]
    assert parser.parse(("\ud800", "\0", "")).words() == ["\ud800", "\0", ""]


def test_what_is_no_sentence_is_refused(parser):
    with pytest.raises(ModelError, match="no words"):
        parser.parse([])
    with pytest.raises(ModelError, match="no words"):
        parser.parse([], n_best=2)
    with pytest.raises(TypeError, match="call the parser itself"):
        parser.parse("It works")
    with pytest.raises(TypeError, match="for words, use parse"):
        parser(["It", "works"])
    with pytest.raises(TypeError, match="all be strings or all be leaves"):
        parser.parse(["It", Leaf("VBZ", "works")])
    with pytest.raises(TypeError, match="all be strings or all be leaves"):
        parser.parse([None])


@pytest.mark.parametrize("inputs", ["It works", b"It works", bytearray(b"It works")])
@pytest.mark.parametrize("jobs", [1, 2])
def test_one_text_is_not_a_stream(parser, inputs, jobs):
    message = f"not one {type(inputs).__name__}: for one text, call the parser itself"
    with pytest.raises(TypeError, match=message):
        parser.pipe(inputs, jobs=jobs)
    with pytest.raises(TypeError, match=message):
        parser.sentences(inputs, jobs=jobs)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "expected a text or the words of a sentence, not NoneType"),
        (7, "expected a text or the words of a sentence, not int"),
        (b"Rain", "expected a text or the words of a sentence, not bytes"),
        ([b"Rain"], "the words of a sentence must all be strings or all be leaves"),
        (["It", Leaf("VBZ", "works")], "the words of a sentence must all be strings"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_input_of_the_wrong_type_is_named_by_its_number(parser, wrong, message, jobs):
    with pytest.raises(TypeError, match=f"^input 3: {message}"):
        list(parser.pipe((item for item in ("Rain", ["Rain"], wrong)), jobs=jobs))


def test_sentences_takes_words_and_as_tuples_takes_pairs(parser):
    with pytest.raises(TypeError, match=r"^input 2: expected the words of a sentence, not a text$"):
        list(parser.sentences([["Rain"], "Rain"]))
    with pytest.raises(TypeError, match=r"^input 1: expected a pair of an input and its context"):
        list(parser.pipe(["It"], as_tuples=True))


@pytest.mark.parametrize(
    "option", [{"batch_size": 0}, {"beam": 0}, {"n_best": 0}, {"jobs": 0}, {"longest": 0}]
)
def test_numbers_below_one_are_refused_at_once(parser, option):
    with pytest.raises(ValueError, match="must be 1 or more, not 0"):
        parser.pipe([], **option)


def test_more_than_a_thousand_parses_are_refused(parser):
    for call in (parser, parser.parse, parser.pipe, parser.sentences):
        with pytest.raises(ValueError, match="n_best must be at most 1,000, not 1,001"):
            call("Rain" if call is parser else ["Rain"], n_best=1001)
    assert 2 < len(parser.parse(["Rain"], n_best=1000)) <= 1000


def test_five_thousand_words_are_one_sentence(parser):
    words = ["The", "tree", "works"] * 1667
    assert parser.parse(words).words() == words


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_a_stream_gives_what_single_calls_give(parser, batch_size):
    inputs = [*WORDS, TEXT, "", *WORDS, "It works !"]
    single = [
        parser(one) if isinstance(one, str) else parser.parse(one) if one else None
        for one in inputs
    ]
    streamed = list(parser.pipe(iter(inputs), batch_size=batch_size))
    assert same(streamed, single)
    pairs = parser.pipe(
        ((one, n) for n, one in enumerate(inputs)), as_tuples=True, batch_size=batch_size
    )
    results, numbers = zip(*pairs, strict=True)
    assert same(results, single)
    assert list(numbers) == list(range(len(inputs)))


def same(results, expected):
    """Compare all but log-probabilities, whose last digits depend on the batch."""
    return [str(one) for one in results] == [str(one) for one in expected]


def test_a_stream_is_read_as_far_as_it_is_needed(parser):
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield ["Rain"]

    stream = parser.pipe(endless(), batch_size=4)
    assert taken == []
    next(stream)
    assert len(taken) == 32
    stream.close()


def test_sentences_of_words_have_places_in_the_words_joined(parser):
    sentences = list(parser.sentences(WORDS, n_best=2))
    assert sentences[1] is None
    assert sentences[3].text == "Dogs and cats sleep"
    assert [sentences[3].text[token.start : token.end] for token in sentences[3].tokens] == WORDS[3]
    assert len(sentences[3].parses) == 2


def test_n_best_trees_are_different_and_the_best_comes_first(parser):
    parses = parser.parse(WORDS[0], n_best=5)
    assert len({str(one.tree) for one in parses}) == 5
    logs = [one.log_probability for one in parses]
    assert logs == sorted(logs, reverse=True)
    assert parser.parse(WORDS[0], n_best=1)[0].tree == parser.parse(WORDS[0])
    assert [len(parses) for parses in parser.pipe(WORDS, n_best=3)] == [3, 0, 3, 3]
    (sentence,) = parser("Dogs bark", n_best=3)
    assert len(sentence.parses) == 3
    other = list(sentence.constituents(sentence.parses[2]))
    assert [c.tree for c in other] == list(sentence.parses[2].tree.phrases())


def test_a_sentence_is_described_by_its_best_parse(parser):
    (sentence,) = parser("It works", n_best=3)
    best, *others = sentence.parses
    assert all(best.log_probability > other.log_probability for other in others)
    assert all(best.probabilities() != other.probabilities() for other in others)
    assert sentence.tree is best.tree
    assert sentence.log_probability == best.log_probability
    assert sentence.confidence == best.confidence
    assert all(best.confidence != other.confidence for other in others)
    constituents = list(sentence.constituents())
    assert [one.tree for one in constituents] == list(best.tree.phrases())
    assert [one.probability for one in constituents] == best.probabilities()


def test_a_sentence_as_a_dictionary_is_what_json_prints(parser, folder):
    text = "  It works"
    (sentence,) = parser(text)
    command = [sys.executable, "-m", "whorl", "parse", text, "--model", str(folder), "-f", "json"]
    for n_best in (None, 1, 3):
        (sentence,) = document = parser(text, n_best=n_best)
        extra = [] if n_best is None else ["--nbest", str(n_best)]
        done = subprocess.run([*command, *extra], capture_output=True, check=True)
        (printed,) = json.loads(done.stdout)
        assert (printed.pop("source"), printed.pop("number")) == (None, 1)
        assert sentence.to_dict(n_best=n_best is not None) == printed
        assert ("parses" in sentence.to_dict()) == (n_best == 3)
        assert document.to_dict() == {"text": text, "sentences": [sentence.to_dict()]}


def test_a_dictionary_of_a_sentence_holds_this(parser):
    (sentence,) = parser("  It  works")
    record = sentence.to_dict()
    assert list(record) == [
        *("text", "start", "end", "tokens", "tree", "log_probability", "constituents")
    ]
    assert (record["text"], record["start"], record["end"]) == ("It  works", 2, 11)
    assert record["tokens"] == [token._asdict() for token in sentence.tokens]
    assert record["tree"] == str(sentence.tree)
    assert record["log_probability"] == round(sentence.log_probability, 6)
    assert record["constituents"] == [
        {
            **{key: getattr(one, key) for key in ("label", "left", "right", "start", "end")},
            "probability": round(one.probability, 6),
        }
        for one in sentence.constituents()
    ]


def test_documents_and_parsers_can_be_pickled(parser):
    document = parser(TEXT)
    assert pickle.loads(pickle.dumps(document)) == document
    again = pickle.loads(pickle.dumps(parser))
    assert same(again(TEXT), document)


def test_a_folder_without_a_model_is_an_error(tmp_path):
    with pytest.raises(ModelError, match="not a model folder"):
        whorl.load(tmp_path)


def test_a_calibration_in_the_folder_is_used(tmp_path, folder, parser):
    shutil.copytree(folder, tmp_path / "m")
    path = tmp_path / "m/model.json"
    even = dict.fromkeys(("step", "weakest", "rest", "words", "children", "bias"), 0.0)
    path.write_text(json.dumps({**json.loads(path.read_text()), "calibration": even}))
    (sentence,) = whorl.load(tmp_path / "m")("It works")
    assert [c.probability for c in sentence.constituents()] == [1.0, 0.5, 0.5, 0.5]
    assert sentence.confidence == 0.5
    assert parser("It works")[0].tree == sentence.tree
