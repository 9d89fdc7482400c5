"""Raw text from tokens: where spaces go, how contractions are written, what offsets say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.detokenisation import (
    JoiningRules,
    TokenPattern,
    default_rules,
    find_rules,
    read_rules,
    rebuild,
    rule_names,
)
from whorl.errors import TextError
from whorl.trees import Leaf, iter_trees

SHARED = Path(__file__).resolve().parents[3] / "shared" / "treebanks"


def leaves(tagged: str) -> list[Leaf]:
    """Read `word` or `word_TAG` items; a tag is what follows the last `|`."""
    pairs = (item.partition("|") for item in tagged.split())
    return [Leaf(tag or "X", word, place) for place, (word, _, tag) in enumerate(pairs)]


def written(tagged: str, rules: JoiningRules | None = None) -> str:
    sentence = leaves(tagged)
    return rebuild([sentence], rules or default_rules([sentence])).text


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("Ja , heel goed !", "Ja, heel goed!"),
        ('" Ja , " zei hij .', '"Ja," zei hij.'),
        ('Hij zei : " ja "', 'Hij zei: "ja"'),
        ("een ( klein ) huis [ 3 ] .", "een (klein) huis [3]."),
        ("`` Ja , '' zei hij .", '"Ja," zei hij.'),
        ("„ Já “ , sagði hann .", "„Já“, sagði hann."),
        ("« Sim » , disse .", "«Sim», disse."),
        ("van 2 - 4 en 3 / 4 - zo .", "van 2-4 en 3/4 - zo."),
        ("¿ Qué ?", "¿Qué?"),
        ("5 % van $ 3", "5% van $3"),
        ("メロス は 、 単純 な 男 。", "メロスは、単純な男。"),
        ("これ は とても おもしろい World Cup 2002 で", "これはとてもおもしろいWorld Cup 2002で"),
        ("ไทย สวย มาก", "ไทยสวยมาก"),
    ],
)
def test_marks_are_closed_up_by_their_characters(tokens, expected):
    assert written(tokens) == expected


def test_words_with_apostrophes_or_hyphens_lean_where_the_treebank_shows_it():
    english = [leaves("It 's his .")] * 3
    assert rebuild(english[:1], default_rules(english)).text == "It's his."
    dutch = [leaves("In 't huis ."), leaves("'t Huis .")] * 3
    assert rebuild(dutch[:1], default_rules(dutch)).text == "In 't huis."
    french = [leaves("C' est l' eau .")] * 3
    assert rebuild(french[:1], default_rules(french)).text == "C'est l'eau."
    hyphens = [leaves("a well|A -|HYPH known|A - man")]
    assert rebuild(hyphens, default_rules(hyphens)).text == "a well-known - man"


def test_the_character_for_spaces_inside_words_is_found():
    sentence = leaves("Sky_Sports em_torno_de a_b _ x_")
    rules = default_rules([sentence])
    assert rules.joiner == "_"
    text = rebuild([sentence], rules)
    assert text.text == "Sky Sports em torno de a b _ x_"
    assert [token.text for token in text.sentences[0]] == [leaf.word for leaf in sentence]
    assert default_rules([leaves("no such words here")]).joiner is None


RULES = JoiningRules(
    joiner="_",
    joined=(TokenPattern(right="nya", right_tags=("PRK",)),),
    tight=(r"(\w+) - \1",),
    surfaces={"{": "(", "}": ")"},
    contractions=((r"de (os?)", r"d\1"), (r"a a(s?)", r"à\1"), (r"zu dem", "zum")),
)


@pytest.mark.parametrize(
    ("tokens", "expected", "surfaces"),
    [
        ("kontrak nya|PRK", "kontraknya", ["kontrak", "nya"]),
        ("kontrak nya|X", "kontrak nya", ["kontrak", "nya"]),
        ("bonus - bonus", "bonus-bonus", ["bonus", "-", "bonus"]),
        ("a { b }", "a (b)", ["a", "(", "b", ")"]),
        ("livro de os", "livro dos", ["livro", "d", "os"]),
        ("De o mar", "Do mar", ["D", "o", "mar"]),
        ("DE OS MAR", "DOS MAR", ["D", "OS", "MAR"]),
        ("ir a a rua", "ir à rua", ["ir", "à", "à", "rua"]),
        ("em_relação_a as ruas", "em relação às ruas", ["em relação às", "às", "ruas"]),
        ("a_partir_de os_quais", "a partir dos quais", ["a partir d", "os quais"]),
        ("zu dem Haus", "zum Haus", ["zu", "m", "Haus"]),
    ],
)
def test_contractions_are_divided_where_that_is_possible(tokens, expected, surfaces):
    text = rebuild([leaves(tokens)], RULES)
    assert text.text == expected
    assert [text.text[token.start : token.end] for token in text.sentences[0]] == surfaces


def test_sentences_are_joined_by_a_space_or_by_nothing():
    latin = rebuild([leaves("Ja ."), leaves("Nee .")], JoiningRules())
    assert latin.text == "Ja. Nee."
    assert [(row[0].start, row[-1].end) for row in latin.sentences] == [(0, 3), (4, 8)]
    assert (
        rebuild([leaves("は 。"), leaves("た 。")], JoiningRules(spaces=False)).text == "は。た。"
    )


def test_a_token_whose_surface_is_not_known_is_named():
    text = rebuild([leaves("a b"), leaves("※x &#9; \uf4ea \ufffd c")], JoiningRules(unknown="※.*"))
    assert text.unknown == ((2, "※x"), (2, "&#9;"), (2, "\uf4ea"), (2, "\ufffd"))


words = st.one_of(
    st.sampled_from(['"', "'", "``", "''", ",", ".", "(", ")", "-", "/", "de", "os", "a", "“"]),
    st.text(st.characters(exclude_categories=("Cs", "Zs", "Cc", "Zl", "Zp")), min_size=1),
)


@given(st.lists(st.lists(words, min_size=1, max_size=8), max_size=5), st.booleans())
def test_every_token_has_its_place(sentences, spaces):
    forest = [[Leaf("X", word) for word in sentence] for sentence in sentences]
    for rules in (default_rules(forest), JoiningRules(spaces=spaces), RULES):
        text = rebuild(forest, rules)
        rows = [[token.text for token in row] for row in text.sentences]
        assert rows == [[leaf.word for leaf in leaves] for leaves in forest]
        tokens = [token for row in text.sentences for token in row]
        place = 0
        for token in tokens:
            assert 0 <= token.start < token.end <= len(text.text)
            assert token.end >= place
            assert text.text[place : max(token.start, place)].strip() == ""
            place = token.end
        assert place == len(text.text)


def test_rule_files_of_the_package_can_be_read():
    assert {"floresta", "greynir-gold", "icepahc", "icon"} <= set(rule_names())
    for name in rule_names():
        assert read_rules(name).name == name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read as joining rules"),
        ('{"spacess": true}', "unknown key 'spacess'"),
        ('{"spaces": 1}', "spaces is 1, expected bool"),
        ('{"joined": [{"left": "("}]}', "not a file of joining rules"),
        ('{"joined": [{"lefft": "x"}]}', "not a file of joining rules"),
        ('{"tight": ["("]}', "not a file of joining rules"),
        (r'{"contractions": [["a a", "\\1"]]}', "refers to a group"),
        ("[]", "not a file of joining rules"),
    ],
)
def test_a_bad_rule_file_is_an_error_that_names_it(tmp_path, content, message):
    path = tmp_path / "mine.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TextError, match="mine") as caught:
        read_rules(path)
    assert message in str(caught.value)


def test_unknown_rules_are_an_error_that_lists_the_names():
    with pytest.raises(TextError, match="icepahc"):
        read_rules("klingon")


@pytest.mark.treebank
@pytest.mark.parametrize(
    ("treebank", "rules", "contains"),
    [
        ("id/icon", "icon", "dasarnya, tarian ini"),
        ("is/icepahc", "icepahc", "En af því að tungurnar eru ólíkar hver annarri, þær"),
        ("is/greynir-gold", "greynir-gold", "Þetta segir Sky Sports fréttastofan."),
        ("nl/alpino-cdb", "default", "Katsuko (23) bij voorbeeld"),
        ("pt/floresta-bosque", "floresta", "os últimos anos"),
        ("ja/keyaki-open", "keyaki", "メロスは、単純な男であった。"),
        ("zh/sinica-nltk", "default", "人類有了文字以後"),
    ],
)
def test_treebanks_are_recognised(treebank, rules, contains):
    path = SHARED / treebank / "test.txt"
    if not path.exists():
        pytest.skip("no treebanks")
    sentences = [tuple(tree.leaves()) for tree in iter_trees(path)]
    found = find_rules(sentences)
    assert found.name == rules
    assert contains in rebuild(sentences, found).text
