"""Silver trees: raw text labelled with confidences, and training on the confident ones."""

from __future__ import annotations

import gzip
import math

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

import whorl
from tests.spans import span_recipe, write_treebank
from whorl.cli.main import app
from whorl.errors import CorpusError, RecipeError, TreebankError
from whorl.labelling.exclusion import Exclusion
from whorl.labelling.silver import LabellingOptions, label_files
from whorl.labelling.silver_text import SentenceChoice
from whorl.parser import Parser
from whorl.span.engine import load_trained
from whorl.text import read_tokens
from whorl.training.recipe import Recipe
from whorl.training.run import train
from whorl.training.silver import read_scores
from whorl.training.sources import read_mix
from whorl.trees import Leaf, map_words, read_tree, read_treebank

LINES = [
    "The public is still cautious .",
    "",
    "cats -LRB- two -RRB-",
    "alone",
    "of trees the tree works",
]
SENTENCES = [
    ["The", "public", "is", "still", "cautious", "."],
    ["cats", "(", "two", ")"],
    LINES[4].split(),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    train(span_recipe(write_treebank(folder), "training.epochs=4"), folder / "m")
    return folder / "m"


def write_texts(folder):
    folder.mkdir()
    (folder / "plain.txt").write_text("\n".join(LINES), encoding="utf-8")
    with gzip.open(folder / "packed.txt.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(reversed(LINES)))
    return sorted(folder.iterdir())


def test_lines_become_the_trees_of_the_parser_with_confidences(model, tmp_path):
    files = write_texts(tmp_path / "text")
    labelled = label_files(files, tmp_path / "silver", LabellingOptions((str(model),), batch=2))
    assert {(file.name, file.trees, file.left_out) for file in labelled} == {
        ("plain", 3, 1),
        ("packed", 3, 1),
    }
    trees = list(read_treebank(tmp_path / "silver" / "plain.trees"))
    assert trees == [Parser.load(model).parse(words) for words in SENTENCES]
    reversed_trees = list(read_treebank(tmp_path / "silver" / "packed.trees"))
    assert reversed_trees == trees[::-1]
    for line in (tmp_path / "silver" / "plain.scores").read_text().splitlines():
        confidence, score, decisions = map(float, line.split("\t"))
        assert 0 < confidence <= 1
        assert score <= 0
        assert decisions >= 2


def test_files_that_are_done_are_skipped_and_jobs_change_nothing(model, tmp_path):
    files = write_texts(tmp_path / "text")
    label_files(files[:1], tmp_path / "silver", LabellingOptions((str(model),)))
    before = (tmp_path / "silver" / "packed.scores").stat().st_mtime_ns
    labelled = label_files(files, tmp_path / "silver", LabellingOptions((str(model),)))
    assert [file.name for file in labelled] == ["plain"]
    assert (tmp_path / "silver" / "packed.scores").stat().st_mtime_ns == before
    label_files(files, tmp_path / "apart", LabellingOptions((str(model),)), jobs=2)
    for name in ("plain.trees", "plain.scores", "packed.trees", "packed.scores"):
        assert (tmp_path / "apart" / name).read_text() == (tmp_path / "silver" / name).read_text()


@pytest.mark.parametrize(
    ("most", "kept"), [(1, [0]), (2, [0, 5]), (3, [0, 4, 7]), (10, range(10)), (11, range(10))]
)
def test_chosen_lines_are_spread_over_a_file(model, tmp_path, most, kept):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {number}\n" for number in range(10)), encoding="utf-8")
    options = LabellingOptions((str(model),), choice=SentenceChoice(max_lines=most))
    label_files([path], tmp_path / "silver", options)
    numbers = [int(tree.words()[1]) for tree in read_treebank(tmp_path / "silver" / "text.trees")]
    assert numbers == [*kept]


@pytest.mark.parametrize(
    ("most", "kept"), [(0, [1, 2, 3, 5, 6, 8, 9]), (2, [1, 6]), (7, [1, 2, 3, 5, 6, 8, 9])]
)
def test_skipped_lines_are_those_that_another_run_took(model, tmp_path, most, kept):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {number}\n" for number in range(10)), encoding="utf-8")
    # Three of ten lines are 0, 4 and 7.
    choice = SentenceChoice(max_lines=most, skipped_lines=3)
    options = LabellingOptions((str(model),), choice=choice)
    label_files([path], tmp_path / "silver", options)
    numbers = [int(tree.words()[1]) for tree in read_treebank(tmp_path / "silver" / "text.trees")]
    assert numbers == kept


def test_two_files_with_the_same_output_are_refused(model, tmp_path):
    files = [tmp_path / "a.txt", tmp_path / "a.txt.gz"]
    with pytest.raises(CorpusError, match=r"both be labelled as a\.trees"):
        label_files(files, tmp_path / "silver", LabellingOptions((str(model),)))


TAGGED = (
    "The_DT public_NN is_VBZ still_UH cautious_JJ ._.\n\nof_IN -LRB-_-LRB- trees_GW works_VBZ\n"
)
TAGGED_LEAVES = [
    [Leaf(tag, word) for word, tag in (token.rsplit("_", 1) for token in line.split())]
    for line in TAGGED.splitlines()
    if line
]


@pytest.mark.parametrize("beam", [1, 4])
def test_tags_that_come_with_the_text_are_kept(model, tmp_path, beam):
    (tmp_path / "text.txt").write_text(TAGGED, encoding="utf-8")
    options = LabellingOptions((str(model),), beam=beam, choice=SentenceChoice(tagged=True))
    label_files([tmp_path / "text.txt"], tmp_path / "silver", options)
    trees = list(read_treebank(tmp_path / "silver/text.trees"))
    assert [tree.tags() for tree in trees] == [[x.tag for x in leaves] for leaves in TAGGED_LEAVES]
    parser = Parser.load(model)
    assert trees == [parser.parse(leaves, beam=beam) for leaves in TAGGED_LEAVES]


def test_a_line_that_is_not_tagged_is_named(model, tmp_path):
    (tmp_path / "text.txt").write_text("\n" + TAGGED + "It works\n", encoding="utf-8")
    options = LabellingOptions((str(model),), choice=SentenceChoice(tagged=True))
    with pytest.raises(TreebankError, match=r"text\.txt:5: expected word_TAG, not 'It'"):
        label_files([tmp_path / "text.txt"], tmp_path / "silver", options)
    assert not list((tmp_path / "silver").glob("text.*"))


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    train(span_recipe(write_treebank(folder), "training.epochs=1", "training.seed=2"), folder / "m")
    return folder / "m"


def test_several_models_are_averaged_with_a_beam_and_tags(model, other, tmp_path):
    (tmp_path / "text.txt").write_text(TAGGED, encoding="utf-8")
    options = LabellingOptions((str(model), str(other)), beam=4, choice=SentenceChoice(tagged=True))
    label_files([tmp_path / "text.txt"], tmp_path / "silver", options)
    engine = load_trained([model, other], "cpu", None)
    parses = engine.parse_nbest(TAGGED_LEAVES, beam=4, n_best=1)
    assert list(read_treebank(tmp_path / "silver/text.trees")) == [best.tree for (best,) in parses]
    confidences = [math.exp(best.log_probability / len(best.steps)) for (best,) in parses]
    assert read_scores(tmp_path / "silver/text.scores") == pytest.approx(confidences, abs=1e-4)


def test_a_beam_is_that_of_the_parser(other, tmp_path):
    files = write_texts(tmp_path / "text")
    label_files(files, tmp_path / "silver", LabellingOptions((str(other),), beam=8))
    lines = (tmp_path / "silver/plain.scores").read_text().splitlines()
    scores = [float(line.split("\t")[1]) for line in lines]
    nbest = [Parser.load(other).parse(words, beam=8, n_best=1) for words in SENTENCES]
    assert scores == pytest.approx([best.log_probability for (best,) in nbest], abs=1e-3)
    trees = list(read_treebank(tmp_path / "silver/plain.trees"))
    assert trees == [best.tree for (best,) in nbest]


def read_folder(folder):
    return {
        path.name: path.read_text() for path in folder.iterdir() if path.name != "labelling.json"
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_chunks_of_any_size_give_the_same_files_in_order(model, tmp_path, jobs):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {number}\n" for number in range(10)), encoding="utf-8")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    label_files([path], whole, LabellingOptions((str(model),)))
    counts = []
    options = LabellingOptions((str(model),), chunk=3)
    label_files([path], parts, options, jobs=jobs, on_chunk=counts.append)
    assert counts == [3, 3, 3, 1]
    assert read_folder(parts) == read_folder(whole)


def test_an_interrupted_run_labels_only_what_is_missing(model, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {number}\n" for number in range(10)), encoding="utf-8")
    options = LabellingOptions((str(model),), chunk=3)
    done = []

    def interrupt(count):
        done.append(count)
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label_files([path], tmp_path / "parts", options, on_chunk=interrupt)
    assert not (tmp_path / "parts/text.trees").exists()
    counts = []
    (file,) = label_files([path], tmp_path / "parts", options, on_chunk=counts.append)
    assert counts == [3, 1]
    assert (file.trees, file.words) == (10, 20)
    label_files([path], tmp_path / "whole", options)
    assert read_folder(tmp_path / "parts") == read_folder(tmp_path / "whole")


def test_chunks_of_a_text_that_has_changed_are_labelled_again(model, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {number}\n" for number in range(9)), encoding="utf-8")
    options = LabellingOptions((str(model),), chunk=3)

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label_files([path], tmp_path / "silver", options, on_chunk=interrupt)
    path.write_text("other words\n" * 4, encoding="utf-8")
    label_files([path], tmp_path / "silver", options)
    trees = list(read_treebank(tmp_path / "silver/text.trees"))
    assert [tree.words() for tree in trees] == [["other", "words"]] * 4


def test_a_folder_holds_trees_of_one_kind(model, other, tmp_path):
    files = write_texts(tmp_path / "text")
    label_files(files[:1], tmp_path / "silver", LabellingOptions((str(model),)))
    for changed, name in (
        (LabellingOptions((str(other),)), "models"),
        (LabellingOptions((str(model),), beam=2), "beam"),
        (LabellingOptions((str(model),), choice=SentenceChoice(max_words=9)), "max_words"),
    ):
        with pytest.raises(CorpusError, match=rf"labelled with other settings \({name}\)"):
            label_files(files, tmp_path / "silver", changed)
    with pytest.raises(CorpusError, match=r"other settings \(excluded\)"):
        label_files(
            files,
            tmp_path / "silver",
            LabellingOptions((str(model),)),
            exclusion=Exclusion([read_tree("(S (X a) (X b))")]),
        )
    other_place = LabellingOptions((str(model),), batch=1)
    assert [f.name for f in label_files(files, tmp_path / "silver", other_place)] == ["plain"]


@pytest.mark.parametrize(
    ("line", "excluded"),
    [
        ("The well - known “ cats ” ( two )", True),
        ("the WELL-KNOWN `` cats '' -LRB- two -RRB-", True),
        ("The well - known “ cats ” ( three )", False),
        ("The well - known “ cats ”", False),
    ],
)
def test_sentences_of_gold_trees_are_excluded_however_they_are_tokenised(line, excluded):
    gold = "(S (X The) (X well-known) (X ``) (X cats) (X '') (X -LRB-) (X two) (X -RRB-))"
    assert (read_tokens(line) in Exclusion([read_tree(gold)])) is excluded
    assert read_tokens(line) not in Exclusion()


def test_the_command_excludes_and_counts(model, tmp_path):
    files = write_texts(tmp_path / "text")
    gold = tmp_path / "gold.txt"
    gold.write_text("(S (NP (NNS Cats)) (PRN (-LRB- -LRB-) (CD two) (-RRB- -RRB-)))\n")
    arguments = ["--model", str(model), "--out", str(tmp_path / "silver"), "--exclude", str(gold)]
    done = CliRunner().invoke(app, ["label", *map(str, files), *arguments, "--beam", "2"])
    assert done.exit_code == 0, done.output
    assert "plain: 2 trees, 11 words, 1 lines left out, 1 excluded (2 files of 2)" in done.stdout
    assert "4 trees from 2 files" in done.stderr
    assert "(2 excluded)" in done.stderr
    trees = list(read_treebank(tmp_path / "silver/plain.trees"))
    assert [tree.words() for tree in trees] == [SENTENCES[0], SENTENCES[2]]


def mix_with_silver(gold, silver, least, convention=""):
    tables = {
        "data": {"convention": "gold"},
        "treebank": [
            {"name": "gold", "train": str(gold), "dev": str(gold)},
            {"name": "silver", "train": str(silver), "least": least, "convention": convention},
        ],
    }
    return read_mix(Recipe.from_dict(tables))


def write_silver(path, gold):
    """Write the trees of a treebank as silver trees; every other one has a low confidence."""
    path.write_text(gold.read_text(encoding="utf-8"), encoding="utf-8")
    scores = [
        0.5 + 0.4 * (number % 2)
        for number in range(len(path.read_text(encoding="utf-8").splitlines()))
    ]
    path.with_suffix(".scores").write_text("".join(f"{score}\t-1.0\t9\n" for score in scores))
    return scores


def test_only_confident_trees_are_trained_on(tmp_path):
    gold = write_treebank(tmp_path)
    silver = tmp_path / "text.trees"
    scores = write_silver(silver, gold)
    trees = list(read_treebank(gold))
    assert read_scores(silver.with_suffix(".scores")) == scores
    mix = mix_with_silver(gold, silver, 0.8)
    assert list(mix.train) == trees + trees[1::2]
    with pytest.raises(
        RecipeError, match=r"silver: no tree of .*text\.trees has a confidence of 0\.95"
    ):
        mix_with_silver(gold, silver, 0.95)
    silver.with_suffix(".scores").write_text("0.9\t-1.0\t9\n")
    with pytest.raises(RecipeError, match=rf"has 1 lines where .* has {len(trees)} trees"):
        mix_with_silver(gold, silver, 0.8)


def test_a_folder_of_silver_trees_follows_the_convention_of_a_treebank(tmp_path):
    gold = write_treebank(tmp_path)
    trees = list(read_treebank(gold))
    (tmp_path / "silver").mkdir()
    for name in ("a.trees", "b.trees"):
        write_silver(tmp_path / "silver" / name, gold)
    for name in ("nothing.trees", "nothing.scores"):
        (tmp_path / "silver" / name).touch()
    mix = mix_with_silver(gold, tmp_path / "silver", 0.8, "gold")
    assert list(mix.train) == trees + 2 * trees[1::2]
    assert mix.names == ["gold"]
    assert set(mix.train.sources) == {"gold"}
    with pytest.raises(RecipeError, match="silver: convention must be one of gold, not 'other'"):
        mix_with_silver(gold, tmp_path / "silver", 0.8, "other")


def test_a_share_of_the_trees_is_read_in_capitals_and_as_many_in_lower_case(tmp_path):
    gold = write_treebank(tmp_path)
    tables = {
        "data": {"convention": "gold"},
        "treebank": [{"name": "gold", "train": str(gold), "dev": str(gold), "recased": 0.25}],
    }
    trees = list(read_treebank(gold))
    mix = read_mix(Recipe.from_dict(tables))
    changed = [
        {cased for cased in (str.upper, str.lower) if read == map_words(tree, cased)}
        for tree, read in zip(trees, mix.train, strict=True)
        if read != tree
    ]
    assert mix.dev.trees == trees
    assert 0 < sum(str.upper in cases for cases in changed) <= round(0.25 * len(trees))
    assert 0 < sum(str.lower in cases for cases in changed) <= round(0.25 * len(trees))
    assert all(changed)
    assert list(read_mix(Recipe.from_dict(tables)).train) == list(mix.train)
    tables["treebank"][0]["recased"] = 0.6
    with pytest.raises(
        RecipeError, match=r"treebank\.recased must be at least 0 and at most 0\.5, not 0\.6"
    ):
        read_mix(Recipe.from_dict(tables))


def test_a_model_of_the_package_labels_by_its_name(tmp_path):
    (tmp_path / "text.txt").write_text(LINES[0] + "\n", encoding="utf-8")
    label_files([tmp_path / "text.txt"], tmp_path / "silver", LabellingOptions(("en",)))
    trees = list(read_treebank(tmp_path / "silver" / "text.trees"))
    assert trees == [whorl.load("en").parse(SENTENCES[0])]
