"""Constraints that documents bring with them: span groups and `Doc._.constraints`."""

from __future__ import annotations

import pickle
from random import Random

import pytest

spacy = pytest.importorskip("spacy")

from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab
from tests.constraints.satisfaction import random_constraints, satisfies

import whorl
from whorl import Constraint
from whorl.constraints import Grammar, make_plan
from whorl.errors import ConstraintError
from whorl.integrations.spacy.annotation import decode
from whorl.integrations.spacy.constraints import GROUPS
from whorl.integrations.spacy.factory import make_component
from whorl.spacy import SpacyError, doc_from_trees, register_attributes
from whorl.trees import strip_root

TELESCOPE = "She saw the man with the telescope."
NOUN_PHRASE = "the man with the telescope"


@pytest.fixture
def make_doc(nlp):
    """Make documents with sentences, which are not parsed yet."""

    def make(text=TELESCOPE):
        return nlp.get_pipe("sentencizer")(nlp.make_doc(text))

    return make


@pytest.fixture
def parse(nlp):
    return nlp.get_pipe("whorl")


def labels(span):
    """The labels of a span, which may be none, or None for no constituent."""
    try:
        return span._.labels
    except whorl.spacy.NonConstituentException:
        return None


def find(doc, text):
    start = doc.text.index(text)
    span = doc.char_span(start, start + len(text))
    assert span is not None
    return span


def group(doc, kind, *spans):
    doc.spans[GROUPS[kind]] = [Span(doc, *span) for span in spans]
    return doc


# Span groups


@pytest.mark.parametrize("beam", [1, 4])
def test_rules_of_spacy_write_constraints(make_nlp, beam):
    nlp = make_nlp(beam=beam)
    rules = nlp.add_pipe("span_ruler", config={"spans_key": "whorl_span"}, before="whorl")
    rules.add_patterns([{"label": "NP", "pattern": NOUN_PHRASE}])
    doc = nlp(TELESCOPE)
    assert "NP" in find(doc, NOUN_PHRASE)._.labels
    with nlp.select_pipes(disable="span_ruler"):
        assert labels(find(nlp(TELESCOPE), NOUN_PHRASE)) is None


def test_entities_are_constraints_by_a_component_of_three_lines(make_nlp):
    nlp = make_nlp()
    rules = nlp.add_pipe("entity_ruler", before="whorl")
    rules.add_patterns([{"label": "WORK", "pattern": NOUN_PHRASE}])
    nlp.add_pipe("entities_as_noun_phrases", before="whorl")
    doc = nlp(TELESCOPE)
    assert "NP" in doc.ents[0]._.labels


@spacy.Language.component("entities_as_noun_phrases")
def entities_as_noun_phrases(doc):
    doc.spans["whorl_span"] = [Span(doc, ent.start, ent.end, label="NP") for ent in doc.ents]
    return doc


def test_a_span_without_a_label_is_a_constituent_of_any_label(make_doc, parse):
    doc = parse(group(make_doc(), "span", (2, 7)))
    assert doc[2:7]._.labels


def test_a_constituent_can_be_ruled_out(make_doc, parse):
    doc = parse(make_doc())
    assert doc[4:7]._.labels == ("PP",)
    assert labels(parse(group(doc, "not_span", (4, 7)))[4:7]) is None
    assert "PP" not in (labels(parse(group(doc, "not_span", (4, 7, "PP")))[4:7]) or ())
    assert parse(group(doc, "not_span", (4, 7, "NP")))[4:7]._.labels == ("PP",)


@pytest.mark.parametrize("label", ["", "anything"])
def test_nothing_crosses_what_must_stay_whole(make_doc, parse, label):
    text = "She saw the man with the telescope today."
    doc = parse(group(make_doc(text), "no_crossing", (0, 4, label)))
    (sentence,) = doc.sents
    for phrase in sentence._.constituents:
        held = set(range(phrase.start, phrase.end))
        assert not held & {0, 1, 2, 3} or held <= {0, 1, 2, 3} or held >= {0, 1, 2, 3}, phrase
    assert labels(parse(make_doc(text))[1:8]) is not None, "which crosses it"


def test_a_flat_phrase_has_only_what_is_required(make_doc, parse):
    doc = group(make_doc(), "only", (2, 7))
    doc = parse(group(doc, "span", (2, 7, "NP")))
    assert doc[2:7]._.parse_string.count("(") == 6


def test_roots_and_tags_are_set_by_sentence(make_doc, parse):
    doc = group(make_doc("Go on.  He works there. Stay."), "root", (4, 7, "FRAG"))
    doc = group(doc, "tag", (5, 6, "NN"), (8, 10, "FW"))
    doc = parse(doc)
    assert [tree.label for tree in doc._.trees] == ["S", "FRAG", "S"]
    tags = [tag for tree in doc._.trees for tag in tree.tags()]
    assert (doc[5].text, tags[5]) == ("works", "NN")
    assert (doc[8:10].text, tags[8:10]) == ("Stay.", ["FW", "FW"])


def test_a_span_that_is_found_twice_counts_once(make_doc, parse):
    doc = group(make_doc(), "span", (2, 7, "NP"), (2, 7, "NP"))
    doc._.constraints = [Constraint.span(2, 7, "NP")]
    assert parse(doc)[2:7]._.labels == ("NP",)
    doc._.constraints = [Constraint.span(2, 7, "NP")] * 2
    assert parse(doc)[2:7]._.labels == ("NP", "NP"), "as everywhere, if it is asked for"


def test_names_of_groups_can_be_changed(make_nlp, tmp_path):
    nlp = make_nlp(span_groups={"span": "chunks", "not_span": None})
    component = nlp.get_pipe("whorl")
    doc = nlp.get_pipe("sentencizer")(nlp.make_doc(TELESCOPE))
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path).get_pipe("whorl")
    doc.spans["chunks"] = [Span(doc, 2, 7, "NP")]
    doc.spans["whorl_span"] = [Span(doc, 0, 3, "no label")]
    doc.spans["whorl_not_span"] = [Span(doc, 4, 7)]
    doc.spans["whorl_root"] = [Span(doc, 0, 1, "FRAG")]
    for each in (component, pickle.loads(pickle.dumps(component)), loaded):
        parsed = each(doc.copy())
        assert "NP" in parsed[2:7]._.labels
        assert parsed[4:7]._.labels == ("PP",)
        assert parsed._.trees[0].label == "FRAG"
    with pytest.raises(SpacyError, match="tag, not for 'spam'"):
        make_nlp(span_groups={"spam": "chunks"})


def test_the_default_names_are_in_the_pipelines_configuration(nlp):
    assert nlp.config["components"]["whorl"]["span_groups"] == GROUPS
    assert "span_groups" in make_component.__annotations__


# The attribute


def test_the_attribute_takes_constraints_in_tokens_of_the_document(make_doc, parse):
    doc = make_doc(f"It works. {TELESCOPE}")
    assert doc._.constraints == ()
    constraints = (
        Constraint.chain(5, 10, ["NP", "NP"]),
        Constraint.tag(1, "XX"),
        Constraint.root(["FRAG", "NP"]),
    )
    doc._.constraints = iter([*constraints[:2], constraints[2].to_dict()])
    assert doc._.constraints == constraints
    doc = parse(doc)
    assert doc[5:10]._.labels == ("NP", "NP")
    assert doc._.trees[0].tags()[1] == "XX"
    assert {tree.label for tree in doc._.trees} <= {"FRAG", "NP"}
    assert doc._.constraints == constraints, "parsing leaves them"
    for nothing in ([], None):
        doc._.constraints = nothing
        assert doc._.constraints == ()
        assert parse(doc)._.trees == parse(make_doc(doc.text))._.trees


def test_appending_to_the_attribute_is_an_error_and_not_ignored(make_doc):
    with pytest.raises(AttributeError):
        make_doc()._.constraints.append(Constraint.root("S"))


def test_components_may_use_groups_and_the_attribute_together(make_doc, parse):
    doc = group(make_doc(), "span", (2, 7, "NP"))
    doc._.constraints = [Constraint.root("FRAG")]
    doc = parse(doc)
    assert "NP" in doc[2:7]._.labels
    assert doc._.trees[0].label == "FRAG"


def test_a_prefix_is_on_the_attribute(make_nlp):
    nlp = make_nlp(prefix="whorl_")
    doc = nlp.get_pipe("sentencizer")(nlp.make_doc(TELESCOPE))
    doc._.whorl_constraints = [Constraint.span(2, 7, "NP")]
    assert "NP" in nlp.get_pipe("whorl")(doc)[2:7]._.whorl_labels


def test_a_clash_of_the_attribute_names_the_option(make_nlp):
    for prefix in ("a_", "b_"):
        Doc.set_extension(f"{prefix}constraints", default=[])
        with pytest.raises(SpacyError, match=rf"Doc\._\.{prefix}constraints exists already"):
            make_nlp(prefix=prefix)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_all_constraints_of_a_treebank_give_its_trees(data):
    nlp = _pipeline()
    trees = whorl.read_trees(
        "(S (NP (DT The) (NN time)) (VP (VBZ is) (ADVP (RB now))) (. .))"
        "(FRAG (NP (NP (XX a)) (PP (YY b) (NP (NN c) (NN d)))))"
        "(S (S (NP (PRP It)) (VP (VBZ works))) (CC and) (S (VP (VB go))))"
    )
    chosen = data.draw(st.permutations(trees))
    doc, constraints, offset = doc_from_trees(nlp.vocab, chosen), [], 0
    for tree in chosen:
        of_tree = Constraint.of_tree(tree.at(offset))
        constraints += of_tree
        offset += len(tree.words())
    doc._.constraints = constraints
    assert nlp.get_pipe("whorl")(doc)._.trees == chosen


_PIPELINES = {}


def _pipeline():
    """A pipeline for property tests, which take no fixtures of functions."""
    if not _PIPELINES:
        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("whorl")
        _PIPELINES["en"] = nlp
    register_attributes()
    return _PIPELINES["en"]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_required_spans_are_constituents_whatever_white_space_is_around(data):
    nlp = _pipeline()
    words = data.draw(
        st.lists(st.sampled_from(["the", "cat", "works", "  ", "\n"]), min_size=2, max_size=12)
    )
    starts = [number == 0 or data.draw(st.booleans()) for number in range(len(words))]
    doc = Doc(nlp.vocab, words=words, sent_starts=starts)
    sentence = data.draw(st.sampled_from(list(doc.sents)))
    start = data.draw(st.integers(sentence.start, sentence.end - 1))
    end = data.draw(st.integers(start + 1, sentence.end))
    doc.spans["whorl_span"] = [Span(doc, start, end, "NP")]
    numbers = [token.i for token in doc[start:end] if not token.text.isspace()]
    if not numbers:
        with pytest.raises(ConstraintError, match="only white space"):
            nlp.get_pipe("whorl")(doc)
        return
    doc = nlp.get_pipe("whorl")(doc)
    found = [
        {token.i for token in span if not token.text.isspace()}
        for span in sentence._.constituents
        if "NP" in span._.labels
    ]
    assert set(numbers) in found


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_constraints_hold_or_are_an_error(seed):
    random, nlp = Random(seed), _pipeline()
    component = nlp.get_pipe("whorl")
    words, starts, drawn = [], [], []
    for _ in range(2):
        numbers = []
        for word in random.choices(["the", "cat", "works", "and"], k=random.randint(1, 7)):
            words += [" "] * (random.random() < 0.3)
            numbers.append(len(words))
            words.append(word)
        starts += [number == 0 for number in range(len(words) - len(starts))]
        own = random_constraints(random, len(numbers), ["NP", "S", "X"])
        own = [each for each in dict.fromkeys(own) if each.kind != "root"]
        drawn.append((numbers, own))
    doc = Doc(nlp.vocab, words=words, sent_starts=starts)
    _give(random, doc, drawn)
    grammar = Grammar(tuple(set(component.parser.labels) - {"TOP"}), "TOP", 8)
    try:
        for numbers, own in drawn:
            make_plan([words[number] for number in numbers], own, grammar)
    except ConstraintError:
        with pytest.raises(ConstraintError, match=r"^the sentence '"):
            component(doc)
        return
    for sentence, (_, own) in zip(component(doc).sents, drawn, strict=True):
        tree = decode(sentence[0]._.parse_data).parse.tree
        assert any(satisfies(each, own, "TOP") for each in (tree, strip_root(tree)))


def _give(random, doc, drawn):
    """Give a document constraints on the words of its sentences, in groups or the attribute."""
    attribute = []
    groups = {kind: [] for kind in GROUPS}
    for numbers, own in drawn:
        for each in own:
            start, end = numbers[each.left], numbers[each.right - 1] + 1
            if each.kind == "chain" or len(each.names or ".") > 1 or random.random() < 0.3:
                attribute.append(each.at(start, end))
            else:
                groups[each.kind].append((start, end, *(each.names or ())))
    for kind, spans in groups.items():
        group(doc, kind, *spans)
    doc._.constraints = attribute


# White space


def test_white_space_at_either_end_is_left_aside(make_doc, parse):
    doc = make_doc("It works.  She saw the  man with the telescope  today.")
    (start,) = (token.i for token in doc if token.text == "the" and token.nbor().is_space)
    end = next(token.i for token in doc if token.text == "telescope") + 1
    assert doc[start - 1].text == "saw"
    assert doc[end].is_space
    doc = parse(group(doc, "span", (start, end + 1, "NP")))
    assert "NP" in doc[start:end]._.labels


def test_white_space_of_the_sentence_before_is_no_obstacle(nlp, parse):
    words = ["Go", ".", "\n", "She", "works", "there", ".", " "]
    doc = Doc(nlp.vocab, words=words, sent_starts=[number in (0, 3) for number in range(8)])
    doc = parse(group(doc, "span", (2, 5, "FRAG"), (5, 8, "FRAG")))
    assert doc[3:5]._.labels[0] == doc[5:7]._.labels[0] == "FRAG"


def test_a_sentence_of_white_space_has_no_root_to_be_wrong(nlp, parse):
    doc = Doc(nlp.vocab, words=["Go", "\n", "\n"], sent_starts=[True, True, False])
    doc._.constraints = [Constraint.root("FRAG")]
    assert [tree.label for tree in parse(doc)._.trees] == ["FRAG", "X"]
    blank = Doc(nlp.vocab, words=[" "], sent_starts=[True])
    blank._.constraints = [Constraint.root("FRAG")]
    assert [tree.label for tree in parse(blank)._.trees] == ["X"]


# Errors


@pytest.mark.parametrize(
    ("kind", "spans", "message"),
    [
        ("span", [(0, 6)], r"doc\.spans\['whorl_span'\]: a phrase over tokens 0:6 'It works\.  "
         r"She saw': it is not within one sentence: 'It works\.' ends at token 3"),
        ("span", [(3, 4, "NP")], r"NP over tokens 3:4 ' ': it has no words, only white space"),
        ("span", [(4, 4, "NP")], r"whorl_span'\]: the span '' \(characters 11:11\) has no tokens"),
        ("span", [(4, 5, "a b")], r"the span 'She': a label or tag is a string without spaces"),
        ("span", [(4, 5, "ORG")], r"^the sentence 'She saw the man\.' at token 3: ORG over words "
         r"0:1 'She': the model has no label 'ORG', only ADJP"),
        ("span", [(4, 6), (5, 8)], r"^the sentence 'She saw the man\.' at token 3: a phrase over "
         r"words 0:2 'She saw' and a phrase over words 1:4 'saw the man': they cross each other"),
        ("root", [(4, 5)], r"whorl_root'\]: the span 'She' \(tokens 4:5\) has no label: it should "
         "be the label of the root"),
        ("tag", [(4, 5)], "it should be the tag of its words"),
        ("tag", [(3, 4, "NN")], "it has no words, only white space"),
        ("tag", [(4, 5, "NN"), (4, 6, "FW")], "a word has one tag"),
    ],
)  # fmt: skip
def test_an_error_names_the_span_and_concerns_its_document_alone(
    make_nlp, monkeypatch, kind, spans, message
):
    nlp = make_nlp()
    failed = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.append((docs, error)))
    sentencizer, component = nlp.get_pipe("sentencizer"), nlp.get_pipe("whorl")
    docs = [nlp.make_doc("It works.  She saw the man.") for _ in range(3)]
    docs = [sentencizer(doc) for doc in docs]
    assert docs[1][3].is_space
    group(docs[1], kind, *spans)
    with pytest.raises(ConstraintError, match=message):
        component(docs[1].copy())
    separately = []
    monkeypatch.setattr(type(component), "_parse_separately", separately.append)
    assert list(component.pipe(docs)) == [docs[0], docs[2]]
    (((doc,), error),) = failed
    assert doc is docs[1]
    assert isinstance(error, ConstraintError)
    assert separately == [], "the others are parsed together"
    assert [len(doc._.trees) for doc in (docs[0], docs[2])] == [2, 2]


def test_constraints_that_are_none_are_errors_when_they_are_given(make_doc):
    doc = make_doc("It works.")
    with pytest.raises(
        ConstraintError,
        match=r"^doc\._\.constraints: NP over tokens 1:9 'works\.': the document 'It works\.' "
        "has 3 tokens",
    ):
        doc._.constraints = [Constraint.span(1, 9, "NP")]
    with pytest.raises(ConstraintError, match="the tag NN at token 3: the document"):
        doc._.constraints = [Constraint.tag(3, "NN")]
    with pytest.raises(ConstraintError, match=r"doc\._\.constraints: expected a list"):
        doc._.constraints = "NP"
    with pytest.raises(ConstraintError, match="kind must be one of"):
        doc._.constraints = [{"kind": "spam"}]
    assert doc._.constraints == ()
    doc._.constraints_data = [1, 2]
    with pytest.raises(ConstraintError, match=r"not what Whorl stored: \[1, 2\]"):
        _ = doc._.constraints


def test_tags_of_the_document_and_constraints_may_not_differ(make_nlp):
    nlp = make_nlp(sentences=None, tags="use")
    doc = Doc(nlp.vocab, words=["It", "works"], tags=["A", "B"], sent_starts=[True, False])
    doc.spans["whorl_tag"] = [Span(doc, 1, 2, "B")]
    assert nlp(doc.copy())._.trees[0].tags() == ["A", "B"]
    doc.spans["whorl_tag"] = [Span(doc, 1, 2, "C")]
    with pytest.raises(ConstraintError, match="the word comes with the tag B"):
        nlp(doc)


# Copies, processes, changes


def constrained(doc):
    group(doc, "span", (2, 7, "NP"))
    doc._.constraints = [Constraint.root("FRAG"), Constraint.tag(1, "XX")]
    return doc


def obeys(doc):
    (tree,) = doc._.trees
    return "NP" in (labels(doc[2:7]) or ()) and tree.label == "FRAG" and tree.tags()[1] == "XX"


COPIES = {
    "bytes": lambda doc: Doc(doc.vocab).from_bytes(doc.to_bytes()),
    "bytes, another vocabulary": lambda doc: Doc(Vocab()).from_bytes(doc.to_bytes()),
    "pickle": lambda doc: pickle.loads(pickle.dumps(doc)),
    "copy": lambda doc: doc.copy(),
    "bin": lambda doc: next(DocBin(store_user_data=True, docs=[doc]).get_docs(doc.vocab)),
    "json": lambda doc: Doc(doc.vocab).from_json(doc.to_json(underscore=["constraints_data"])),
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_keep_constraints(make_doc, parse, name):
    doc = constrained(make_doc())
    copy = COPIES[name](doc)
    assert copy._.constraints == doc._.constraints
    assert obeys(parse(copy))


def test_two_processes_obey_constraints(nlp, make_doc):
    docs = [constrained(make_doc()) if number % 2 else make_doc() for number in range(6)]
    results = list(nlp.pipe(docs, n_process=2, batch_size=2))
    assert [obeys(doc) for doc in results] == [False, True] * 3
    assert results[1]._.constraints == docs[1]._.constraints
    with nlp.select_pipes(enable=["whorl"]):
        assert [obeys(doc) for doc in nlp.pipe(docs)] == [False, True] * 3


def test_joined_documents_keep_span_groups(make_doc, parse):
    docs = [group(make_doc(), "span", (2, 7, "NP")), make_doc("It works."), make_doc()]
    joined = parse(Doc.from_docs(docs))
    assert "NP" in joined[2:7]._.labels
    assert [labels(joined[12:17])] == [None]


def test_tokens_may_be_merged_and_split_within_a_span(make_doc, parse):
    doc = make_doc()
    doc._.constraints = [Constraint.span(2, 7, "NP"), Constraint.tag(1, "XX")]
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[2:4])
        retokenizer.split(doc[6], ["tele", "scope"], heads=[doc[5], (doc[6], 0)])
    assert doc._.constraints == (Constraint.span(2, 7, "NP"), Constraint.tag(1, "XX"))
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[5:7])
    assert doc._.constraints == (Constraint.span(2, 6, "NP"), Constraint.tag(1, "XX"))
    doc = parse(doc)
    assert doc[2].text == "the man"
    assert "NP" in doc[2:6]._.labels
    assert doc._.trees[0].tags()[1] == "XX"


def test_span_groups_follow_merged_and_split_tokens_too(make_doc, parse):
    doc = group(make_doc(f"It works. {TELESCOPE}"), "span", (5, 10, "NP"), (3, 4, "X"))
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
        retokenizer.merge(doc[5:7])
        retokenizer.split(doc[9], ["tele", "scope"], heads=[doc[8], (doc[9], 0)])
    doc = parse(doc)
    assert find(doc, "the man") == doc[4:5]
    assert "NP" in find(doc, NOUN_PHRASE)._.labels
    assert "X" in doc[2]._.labels


def test_a_span_of_a_group_whose_edge_was_merged_is_an_error(make_doc, parse):
    doc = group(make_doc(), "span", (2, 4, "NP"))
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[3:5])
    message = r"whorl_span'\]: the span 'the man' \(characters 8:15\) was given before the tokens"
    with pytest.raises(ConstraintError, match=message):
        parse(doc)


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (Constraint.span(2, 4, "NP"), r"NP over characters 8:15 'the man' was given before "
         "the tokens there were merged or split: give it again"),
        (Constraint.tag(3, "NN"), "the tag NN at character 12 'man' was given before"),
        (Constraint.tag(4, "IN"), "the tag IN at character 16 'with' was given before"),
    ],
)  # fmt: skip
def test_tokens_that_are_merged_over_the_edge_of_a_span_are_an_error(
    make_doc, parse, constraint, message
):
    doc = make_doc()
    doc._.constraints = [constraint]
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[3:5])
    with pytest.raises(ConstraintError, match=message):
        parse(doc)


def test_constraints_do_not_pass_to_another_text(make_doc):
    doc = make_doc(f"It works. {TELESCOPE}")
    doc._.constraints = [Constraint.span(5, 10, "NP")]
    part = doc[3:11].as_doc(copy_user_data=True)
    assert (part.text, part._.constraints) == (TELESCOPE, ())
    part._.constraints_data = doc._.constraints_data
    with pytest.raises(ConstraintError, match="they were given to another text than 'She saw"):
        _ = part._.constraints


def test_joined_documents_lose_the_attribute_with_a_warning_of_spacy(make_doc):
    doc = constrained(make_doc())
    with pytest.warns(UserWarning, match="constraints_data"):
        assert Doc.from_docs([doc, doc])._.constraints == ()
