"""The component in spaCy's pipelines: options, streams, errors, processes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc, Span, Token
from spacy.tokens.underscore import Underscore

import whorl
from whorl.catalogue import DEFAULT
from whorl.integrations.spacy import component as component_module
from whorl.integrations.spacy.attributes import ATTRIBUTES
from whorl.spacy import MissingParseError, SpacyError, WhorlComponent, register_attributes

TEXTS = [
    "The time for action is now. It's never too late to do something.",
    "",
    "She said “it works”.  Twice!",
    "Go.",
]


def run(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_spacy_finds_the_component_without_an_import():
    code = (
        "import spacy\nnlp = spacy.blank('en')\nnlp.add_pipe('sentencizer')\n"
        "nlp.add_pipe('whorl')\nprint(len(nlp('It works.')._.trees))"
    )
    assert run(code) == ["1"]


def test_importing_whorl_does_not_import_spacy():
    code = "import sys, whorl\nwhorl.load().parse(['It', 'works'])\nprint('spacy' in sys.modules)"
    assert run(code) == ["False"]


def test_a_pipeline_without_whorl_loads_nothing_of_it():
    code = (
        "import sys, spacy\nspacy.blank('en').add_pipe('sentencizer')\n"
        "print('onnxruntime' in sys.modules, 'whorl.parser' in sys.modules)"
    )
    assert run(code) == ["False", "False"]


def test_the_meta_data_name_what_exists(make_nlp):
    nlp = make_nlp()
    meta = nlp.get_pipe_meta("whorl")
    assert meta.requires == ["token.is_sent_start"]
    assert sorted(meta.assigns) == sorted(
        f"{owner.__name__.lower()}._.{name}"
        for owner, names in ATTRIBUTES.items()
        for name in names
    )
    assert meta.default_config["model"] == DEFAULT
    assert meta.default_config["batch_size"] == component_module.BATCH_SIZE
    assert nlp.analyze_pipes()["problems"] == {"sentencizer": [], "whorl": []}
    assert "trees_f" in nlp.config["training"]["score_weights"]


def test_analysis_warns_where_nothing_sets_sentences(make_nlp):
    problems = make_nlp(sentences=None).analyze_pipes()["problems"]
    assert problems == {"whorl": ["token.is_sent_start"]}


def test_trees_are_those_of_the_parser(nlp):
    parser = whorl.load()
    doc = nlp(TEXTS[0])
    words = [[token.text for token in sentence] for sentence in doc.sents]
    expected = [parse[0] for parse in parser.pipe(words, n_best=1)]
    for sentence, parse in zip(doc.sents, expected, strict=True):
        assert whorl.Tree("TOP", [sentence._.tree]) == parse.tree
        probabilities = parse.probabilities()[1:]
        phrases = list(sentence._.tree.phrases())
        assert len(probabilities) == len(phrases)
        found = [span._.probability for span in sentence._.constituents if span._.labels]
        assert found == pytest.approx([min(chain) for chain in _chains(phrases, probabilities)])
        assert all(0 < probability <= 1 for probability in found)


def _chains(phrases, probabilities):
    chains = {}
    for phrase, probability in zip(phrases, probabilities, strict=True):
        chains.setdefault((phrase.left, phrase.right), []).append(probability)
    return chains.values()


@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_a_stream_gives_what_single_documents_give(nlp, batch_size):
    expected = [nlp(text)._.trees for text in TEXTS]
    assert [doc._.trees for doc in nlp.pipe(TEXTS, batch_size=batch_size)] == expected


def test_a_stream_is_read_in_batches_and_shares_them(make_nlp, monkeypatch):
    nlp = make_nlp(batch_size=4)
    sent = []
    parse = WhorlComponent._parse

    def recorded(self, sentences):
        sent.append(len(sentences))
        return parse(self, sentences)

    monkeypatch.setattr(WhorlComponent, "_parse", recorded)
    texts = iter(["Go on. Come here."] * 40)
    docs = nlp.get_pipe("whorl").pipe(map(_with_sentences(nlp), texts), batch_size=10)
    next(docs)
    assert sent == [20], "the sentences of ten documents together"
    assert len(list(texts)) == 30
    assert len(list(docs)) == 9
    sent.clear()
    list(nlp.pipe(["Go. Come. Stay."] * 20, batch_size=1000))
    assert max(sent) <= 4 * 8 + 2, "long documents end a batch early"


def _with_sentences(nlp):
    return lambda text: nlp.get_pipe("sentencizer")(nlp.make_doc(text))


def test_contexts_stay_with_their_documents(nlp):
    pairs = [(text, number) for number, text in enumerate(TEXTS)]
    results = list(nlp.pipe(pairs, as_tuples=True, batch_size=2))
    assert [(doc.text, number) for doc, number in results] == pairs


def test_two_processes_give_what_one_gives(nlp):
    expected = [doc._.trees for doc in nlp.pipe(TEXTS * 3)]
    docs = list(nlp.pipe(TEXTS * 3, n_process=2, batch_size=4))
    assert [doc._.trees for doc in docs] == expected
    alone = next(nlp(TEXTS[0]).sents)._.probability
    assert next(docs[0].sents)._.probability == pytest.approx(alone, abs=0.01)


def test_what_spacy_sends_to_spawned_processes_arrives(make_nlp, model):
    for options in ({"tags": "overwrite"}, {"model": str(model), "prefix": "other_"}):
        nlp = make_nlp(**options)
        component = nlp.get_pipe("whorl")
        component.set_error_handler(print)
        state = Underscore.get_state()
        sent, received = pickle.loads(pickle.dumps((component, state)))
        assert received == state
        assert sent.get_error_handler() is print
        doc = _with_sentences(nlp)("It works. Go on.")
        name = f"{sent.prefix}trees"
        assert sent(doc.copy())._.get(name) == component(doc)._.get(name)


def test_a_document_without_sentences_is_an_error_that_says_what_to_do(make_nlp):
    nlp = make_nlp(sentences=None)
    with pytest.raises(SpacyError, match=r'add_pipe\("sentencizer", before="whorl"\)'):
        nlp("It works. So does this.")
    assert nlp("")._.trees == []
    assert len(nlp("Go")._.trees) == 1, "one token is one sentence, says spaCy"


def test_the_error_handler_gets_only_the_documents_that_fail(make_nlp):
    nlp = make_nlp(sentences=None)
    failed = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.append((name, docs, error)))
    docs = [
        Doc(nlp.vocab, words=["It", "works"], sent_starts=[True, False]),
        Doc(nlp.vocab, words=["no", "sentences"]),
        Doc(nlp.vocab, words=["Go"]),
    ]
    assert list(nlp.pipe(docs)) == [docs[0], docs[2]]
    ((name, (doc,), error),) = failed
    assert (name, doc) == ("whorl", docs[1])
    assert isinstance(error, SpacyError)
    with pytest.raises(MissingParseError):
        _ = docs[1]._.trees


def test_a_failure_of_the_parser_does_not_take_its_batch_with_it(make_nlp, monkeypatch):
    nlp = make_nlp()
    parse = WhorlComponent._parse

    def failing(self, sentences):
        for sentence, result in zip(sentences, parse(self, sentences), strict=True):
            if "bad" in sentence.doc.text:
                raise MemoryError("too long")
            yield result

    monkeypatch.setattr(WhorlComponent, "_parse", failing)
    failed = []
    nlp.set_error_handler(lambda name, proc, docs, error: failed.extend(docs))
    docs = list(nlp.pipe(["One. Two.", "A bad one. Two.", "Three."]))
    assert [doc.text for doc in docs] == ["One. Two.", "Three."]
    assert [doc.text for doc in failed] == ["A bad one. Two."]
    assert [len(doc._.trees) for doc in docs] == [2, 1]
    with pytest.raises(MissingParseError):
        _ = failed[0]._.trees


def test_errors_are_raised_by_default(make_nlp):
    nlp = make_nlp(sentences=None)
    with pytest.raises(SpacyError, match="no sentence boundaries"):
        list(nlp.pipe(["It works. So does this."]))


def test_an_unknown_model_is_an_error_on_first_use_only(make_nlp):
    nlp = make_nlp(model="xx_no_such_model")
    with pytest.raises(whorl.errors.ModelError, match="xx_no_such_model"):
        nlp("Go.")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"tags": "drop"}, "tags"),
        ({"forms": "ptb"}, "forms"),
        ({"batch_size": 0}, "batch_size must be 1 or more, not 0"),
        ({"beam": 0}, "beam must be 1 or more, not 0"),
        ({"prefix": "a-"}, "prefix"),
        ({"batchsize": 3}, "batchsize"),
    ],
)
def test_a_wrong_option_is_named(make_nlp, config, message):
    with pytest.raises(Exception, match=message):
        make_nlp(**config)


def test_options_are_checked_without_spacy_too():
    with pytest.raises(SpacyError, match="tags must be one of keep, overwrite, use, not 'drop'"):
        WhorlComponent(tags="drop")
    with pytest.raises(SpacyError, match="forms must be one of penn, text, not 'ptb'"):
        WhorlComponent(forms="ptb")


def test_a_beam_and_a_convention_reach_the_parser(make_nlp):
    (tree,) = make_nlp(beam=3, convention="gum")("She saw the man with a telescope.")._.trees
    words = ["She", "saw", "the", "man", "with", "a", "telescope", "."]
    assert whorl.Tree("TOP", [tree]) == whorl.load(convention="gum").parse(words, beam=3)
    with pytest.raises(whorl.errors.ModelError, match="does not know the treebank"):
        make_nlp(convention="none of them")("Go.")


# Tags


def tagged(nlp):
    return Doc(
        nlp.vocab,
        words=["It", " ", "works", "."],
        tags=["A", "", "B", "C"],
        sent_starts=[True, False, False, False],
    )


def test_tags_are_kept_by_default(make_nlp):
    nlp = make_nlp(sentences=None)
    doc = nlp(tagged(nlp))
    assert [token.tag_ for token in doc] == ["A", "", "B", "C"]
    assert doc._.trees[0].tags() == ["PRP", "_SP", "VBZ", "."]


def test_tags_are_overwritten_when_asked(make_nlp):
    nlp = make_nlp(sentences=None, tags="overwrite")
    doc = nlp(tagged(nlp))
    assert [token.tag_ for token in doc] == ["PRP", "_SP", "VBZ", "."]
    assert doc._.trees[0].tags() == ["PRP", "_SP", "VBZ", "."]


def test_tags_are_used_when_asked(make_nlp):
    nlp = make_nlp(sentences=None, tags="use")
    doc = nlp(tagged(nlp))
    assert [token.tag_ for token in doc] == ["A", "", "B", "C"]
    assert doc._.trees[0].tags() == ["A", "_SP", "B", "C"]


def test_using_tags_that_are_missing_names_the_token(make_nlp):
    nlp = make_nlp(tags="use")
    with pytest.raises(SpacyError, match="token 0, 'It', has no tag: add a tagger"):
        nlp("It works.")


# Prefixes and clashes


def test_a_prefix_is_on_every_name(make_nlp):
    nlp = make_nlp(prefix="whorl_")
    doc = nlp("The time is now.")
    (sentence,) = doc.sents
    assert doc._.whorl_trees == [sentence._.whorl_tree]
    assert sentence._.whorl_labels == ("S",)
    assert doc[0]._.whorl_parent == doc[0:2] == next(iter(sentence._.whorl_children))
    assert sentence._.whorl_probability > 0.5
    for owner, names in ATTRIBUTES.items():
        assert all(owner.has_extension(f"whorl_{name}") for name in names)


def test_two_models_live_side_by_side(make_nlp, model):
    nlp = make_nlp()
    nlp.add_pipe("whorl", name="other", config={"model": str(model), "prefix": "other_"})
    doc = nlp("The public is still cautious.")
    assert doc._.trees[0].words() == doc._.other_trees[0].words()
    doc = nlp.get_pipe("whorl")(doc)
    assert len(doc._.other_trees) == 1


@pytest.mark.parametrize(("owner", "name"), [(Span, "labels"), (Token, "parent"), (Doc, "trees")])
def test_a_clash_names_the_option(make_nlp, owner, name):
    def getter(_):
        return "another library's"

    owner.remove_extension(name) if owner.has_extension(name) else None
    owner.set_extension(name, getter=getter)
    with pytest.raises(SpacyError, match=rf"{owner.__name__}\._\.{name} exists already") as caught:
        make_nlp()
    assert 'config={"prefix": "whorl_"}' in str(caught.value)
    assert __name__.rpartition(".")[2] in str(caught.value), "whose it is"
    doc = make_nlp(prefix="whorl_")("It works.")
    assert len(doc._.whorl_trees) == 1
    assert owner.get_extension(name)[2] is getter


def test_a_clash_registers_nothing():
    for name in ("tree", "labels"):
        Span.remove_extension(name) if Span.has_extension(name) else None
    Span.set_extension("labels", default=None)
    with pytest.raises(SpacyError, match="with the default None"):
        register_attributes()
    assert not Span.has_extension("tree")


def test_the_same_attributes_may_be_registered_again(make_nlp):
    register_attributes()
    make_nlp()
    register_attributes()
    assert len(make_nlp()("It works.")._.trees) == 1


# What sets sentence boundaries


@pytest.mark.parametrize("factory", ["senter", "parser"])
def test_it_works_after_components_that_learn_boundaries(factory):
    nlp = spacy.blank("en")
    nlp.add_pipe(factory, config={"min_action_freq": 1} if factory == "parser" else {})
    text = "It works. So does this."
    heads, deps = [1, 1, 1, 4, 4, 4, 4], ["a", "ROOT", "b", "c", "ROOT", "d", "b"]
    learnt = {"senter": {"sent_starts": [1, -1, -1, 1, -1, -1, -1]}}
    learnt["parser"] = {"heads": heads, "deps": deps}
    example = spacy.training.Example.from_dict(nlp.make_doc(text), learnt[factory])
    optimizer = nlp.initialize(lambda: [example])
    for _ in range(40):
        nlp.update([example], sgd=optimizer)
    nlp.add_pipe("whorl")
    doc = nlp(text)
    assert [len(sentence) for sentence in doc.sents] == [3, 4]
    assert [len(tree.leaves()) for tree in doc._.trees] == [3, 4]
    assert nlp.analyze_pipes()["problems"]["whorl"] == []


def test_it_works_in_languages_without_a_pipeline(make_nlp):
    for language in ("xx", "de", "en"):
        doc = make_nlp(language=language)("Das ist gut. Das auch.")
        assert len(doc._.trees) == 2


def test_boundaries_may_be_set_by_hand(make_nlp):
    nlp = make_nlp(sentences=None)
    doc = nlp.make_doc("It works so does this")
    for token in doc:
        token.is_sent_start = token.i in (0, 2)
    assert [tree.words() for tree in nlp(doc)._.trees] == [["It", "works"], ["so", "does", "this"]]


# Sentences of all kinds


@pytest.mark.parametrize(
    "text",
    [
        '"Fly safely." He said so.',
        "She said “hello” ‘there’ — and left – twice -- …",
        "The state-of-the-art (and/or [other] {kinds}) costs $5, 5% or £3.",
        "I dont know. Im sure theyre wrong; youll see, whats up? We cant.",
        "So good 😀 👍🏽 👨‍👩‍👧!",
        "A\u00a0no-break space,\ta tab, a\n\nparagraph  and   spaces ",
        "  Leading space. Trailing space.  ",
        "\u200bzero\u200b width \u00ad and \0 control",
        "a" * 3000,
        "-LRB- and -RRB- are tokens too.",
        "日本語 の 文 です 。",
    ],
)
def test_every_token_is_a_leaf_and_every_constituent_a_span(nlp, text):
    doc = nlp(text)
    assert doc.text == text
    position = 0
    for sentence, tree in zip(doc.sents, doc._.trees, strict=True):
        assert len(tree.leaves()) == len(sentence)
        assert whorl.read_tree(sentence._.parse_string) == tree
        spans = list(sentence._.constituents)
        assert all(type(span) is Span for span in spans)
        assert [span.start for span in spans if len(span) == 1] == list(
            range(position, position + len(sentence))
        )
        position += len(sentence)
        for leaf, token in zip(tree.leaves(), sentence, strict=True):
            if not token.is_space and token.text.isalnum():
                assert leaf.word == token.text
            assert token._.parse_string.count("(") >= 1
    assert position == len(doc)


def test_white_space_alone_has_a_tree_without_words(nlp):
    doc = nlp(" \n ")
    assert [str(tree) for tree in doc._.trees] == ["(X (_SP ␠␊␠))"]
    assert doc[0]._.labels == ("X",)
    assert doc[0:1]._.probability is None
    assert nlp("")._.trees == []


def test_a_document_of_white_space_needs_no_model(make_nlp):
    assert len(make_nlp(model="no such model")(" \n ")._.trees) == 1


def test_one_token_is_a_sentence(nlp):
    doc = nlp("Yes")
    assert doc[0]._.labels == doc[0:1]._.labels == next(doc.sents)._.labels
    assert doc[0]._.labels
    assert doc[0]._.parent is None


def test_penn_forms_help_where_apostrophes_are_missing(make_nlp):
    text = "I dont know."
    (penn,) = make_nlp()(text)._.trees
    (plain,) = make_nlp(forms="text")(text)._.trees
    assert str(penn) == "(S (NP (PRP I)) (VP (VBP do) (RB nt) (VP (VB know))) (. .))"
    assert penn.words() == plain.words() == ["I", "do", "nt", "know", "."]


def test_a_long_sentence_has_one_tree(make_nlp):
    nlp = make_nlp(sentences=None)
    words = ["It", "works", "and"] * 700
    doc = Doc(nlp.vocab, words=words, sent_starts=[n == 0 for n in range(len(words))])
    (tree,) = nlp(doc)._.trees
    assert tree.words() == words


def test_tokens_with_spaces_in_them_are_one_leaf(nlp):
    doc = nlp.get_pipe("sentencizer")(nlp.make_doc("I love New York."))
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[2:4])
    (tree,) = nlp.get_pipe("whorl")(doc)._.trees
    assert tree.words() == ["I", "love", "New␠York", "."]
    assert whorl.read_tree(next(doc.sents)._.parse_string) == tree


def test_the_public_module_says_what_to_install():
    code = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'spacy':\n"
        "            raise ModuleNotFoundError('No module named spacy', name='spacy')\n"
        "sys.meta_path.insert(0, Missing())\n"
        "try:\n    import whorl.spacy\nexcept ImportError as error:\n    print(error)"
    )
    assert " ".join(run(code)).endswith("pip install 'whorl[spacy]'")


def test_the_module_lists_what_it_has():
    import whorl.spacy

    assert all(hasattr(whorl.spacy, name) for name in whorl.spacy.__all__)
    assert Path(whorl.spacy.__file__).name == "spacy.py"
