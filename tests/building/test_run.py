"""A build from trees to a model that parses, interrupted and resumed, on the command line."""

from __future__ import annotations

import json
import shutil
import zipfile

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

import whorl
from tests.spans import tiny_encoder
from tests.toytext import toy_sentences
from whorl.building import vectors
from whorl.building.request import BuildRequest
from whorl.building.run import BuildListener, build
from whorl.cli.main import app
from whorl.errors import ModelError, RecipeError, WhorlError
from whorl.lexicon.vectors import Vectors
from whorl.pretraining.word_vectors import VectorSettings, learn_vectors
from whorl.trees import read_tree, read_treebank

SMALL = (
    "span.lstm_dim=16",
    "span.lstm_layers=1",
    "span.hidden_dim=16",
    "span.word_dim=16",
    "span.character_dim=8",
    "span.dropout=0",
    "training.epochs=8",
    "training.rate=0.01",
    "training.batch=4",
)


def parse_toy(sentence, noun):
    a, b, verb, c, d, stop = sentence.split()
    return f"(TOP (S ({noun} (D {a}) (N {b})) (VP (V {verb}) ({noun} (D {c}) (N {d}))) (. {stop})))"


def write_toy(path, count, seed, noun="NP"):
    trees = [parse_toy(sentence, noun) for sentence in toy_sentences(count, seed)]
    path.write_text("\n".join(trees) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    return {
        "train": write_toy(folder / "train.txt", 100, 1),
        "dev": write_toy(folder / "dev.txt", 20, 2),
        "test": write_toy(folder / "test.txt", 20, 3),
        "old": write_toy(folder / "old.txt", 100, 4, "SN"),
    }


def request(toy, *settings, **options):
    return BuildRequest.of(
        [toy["train"]], [toy["dev"]], [toy["test"]], settings=(*SMALL, *settings), **options
    )


@pytest.fixture(scope="module")
def built(toy, tmp_path_factory):
    return build(request(toy, licence="CC0-1.0"), tmp_path_factory.mktemp("built") / "m")


def test_a_build_ends_with_a_model_that_parses_and_knows_how_sure_it_is(built):
    parser = whorl.load(built.folder)
    document = parser("the cat sees two dogs .")
    assert str(document[0].tree) == parse_toy("the cat sees two dogs .", "NP")
    assert all(phrase.probability is not None for phrase in document[0].constituents())
    assert built.scores["test"][""].f1 > 90
    assert built.scores["test"][""].sentences == 20


def test_a_built_model_cuts_text_as_its_treebank_does(built):
    parser = whorl.load(built.folder)
    assert parser.tokeniser.kind == "unicode"
    text = "the cat sees two dogs. two birds hear the fish."
    assert [sentence.words for sentence in parser(text)] == [
        ["the", "cat", "sees", "two", "dogs", "."],
        ["two", "birds", "hear", "the", "fish", "."],
    ]
    assert built.text[""].tokens == built.text[""].sentences == 100
    card = (built.folder / "README.md").read_text(encoding="utf-8")
    assert "| all | unicode | 100.00 | 100.00 |" in card


def test_the_model_runs_without_what_training_left(built):
    description = json.loads((built.folder / "model.json").read_text(encoding="utf-8"))
    assert "weights" not in description
    assert description["runtime"]["precision"] == "int8"
    assert description["card"]["licence"] == "CC0-1.0"


def test_a_built_model_can_be_packaged_with_its_licence(built, tmp_path):
    arguments = ["package", str(built.folder), "--name", "toy", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    (wheel,) = tmp_path.glob("whorl_model_toy-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name.rpartition("/")[2] for name in archive.namelist()]
        (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        assert b"License-Expression: CC0-1.0" in archive.read(metadata)
    assert "README.md" in names
    assert "checkpoint.json" not in names


def test_the_card_has_the_figures_the_choices_and_no_folders_of_this_machine(built, toy, tmp_path):
    card = (built.folder / "README.md").read_text(encoding="utf-8")
    assert f"| test | 20 | {built.scores['test'][''].f1:.2f} |" in card
    assert "Licence: CC0-1.0." in card
    assert "`span.lstm_dim` | 16 | set by you |" in card
    assert "`NP` `S` `VP`" in card
    saved = (built.folder / "model.json").read_text(encoding="utf-8")
    for text in (card, saved):
        assert str(tmp_path.parent) not in text


class Interrupted(BuildListener):
    """Stops a build after its first epoch."""

    def epoch(self, epoch, progress):
        raise KeyboardInterrupt


def test_an_interrupted_build_resumes_and_ends_with_the_same_model(toy, built, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        build(request(toy, licence="CC0-1.0"), tmp_path / "m", listener=Interrupted())
    with pytest.raises(ModelError, match="continue it with --resume"):
        build(request(toy), tmp_path / "m")
    resumed = build(None, tmp_path / "m")
    assert resumed.scores == built.scores
    for path in built.folder.iterdir():
        if path.suffix in (".onnx", ".safetensors", ".gz") or path.name == "model.json":
            assert (resumed.folder / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.fixture(scope="module")
def resumed_without_tokeniser(toy, tmp_path_factory):
    """The folder of an interrupted build without a tokeniser, and what resuming it printed."""
    folder = tmp_path_factory.mktemp("tokenised") / "m"
    with pytest.raises(KeyboardInterrupt):
        build(request(toy, tokeniser="none"), folder, listener=Interrupted())
    result = CliRunner().invoke(app, ["train", "--resume", "--out", str(folder)])
    assert result.exit_code == 0, result.output
    return folder, result.stdout


def test_a_model_without_a_tokeniser_parses_tokenised_text_as_well_as_another(
    built, resumed_without_tokeniser
):
    folder, printed = resumed_without_tokeniser
    saved = json.loads((folder / "build.json").read_text(encoding="utf-8"))
    assert saved["scores"]["test"][""] == built.scores["test"][""].to_dict()
    assert saved["text"] == {}
    assert "(tokeniser: " not in printed
    use = f'whorl parse --tokens --model {folder} "..."'
    assert use in printed
    arguments = ["parse", "--tokens", "--model", str(folder), "the cat sees two dogs ."]
    result = CliRunner().invoke(app, arguments)
    assert result.stdout.strip() == parse_toy("the cat sees two dogs .", "NP")


def test_what_a_model_without_a_tokeniser_does_to_raw_text_is_said(resumed_without_tokeniser):
    folder, printed = resumed_without_tokeniser
    description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert not {"tokeniser", "tokenisers"} & set(description)
    assert not list(folder.glob("tokeniser-*"))
    assert whorl.load(folder).tokeniser.kind == "penn"
    card = (folder / "README.md").read_text(encoding="utf-8")
    for text in (card, printed):
        assert "raw text is cut by the rules of the Penn Treebank" in text
    assert "| treebank | tokeniser |" not in card


def test_a_tokeniser_can_be_learnt_later(resumed_without_tokeniser, tmp_path):
    folder = shutil.copytree(resumed_without_tokeniser[0], tmp_path / "m")
    arguments = ["text", "learn", str(folder), str(folder / "data" / "dev.txt")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert whorl.load(folder).tokeniser.kind == "unicode"


def test_a_build_of_an_earlier_version_is_read(toy):
    saved = request(toy).to_dict()
    for key in ("silver", "text", "tokeniser"):  # which versions before it did not write
        del saved[key]
    assert BuildRequest.from_dict(saved) == request(toy)
    assert BuildRequest.from_dict(saved).learns_tokeniser


def test_two_treebanks_become_two_conventions_of_one_model(toy, tmp_path):
    built = build(
        BuildRequest.of(
            [f"new={toy['train']}", f"old={toy['old']}"],
            [f"new={toy['dev']}"],
            settings=SMALL,
        ),
        tmp_path / "m",
    )
    sentence = "the cat sees two dogs ."
    for convention, noun in ((None, "NP"), ("new", "NP"), ("old", "SN")):
        parser = whorl.load(tmp_path / "m", convention=convention)
        assert str(parser(sentence)) == parse_toy(sentence, noun)
    assert set(built.scores["dev"]) == {"new", "old"}
    assert set(built.scores["test"]) == {"old"}  # split off, as it came as one file


def test_a_single_treebank_may_have_a_name(toy, tmp_path):
    request = BuildRequest.of(
        [f"new={toy['train']}"], [f"new={toy['dev']}"], convention="new", settings=SMALL
    )
    built = build(request, tmp_path / "m")
    assert built.scores["dev"]["new"].f1 > 90
    assert "Conventions" not in (tmp_path / "m" / "README.md").read_text(encoding="utf-8")


def test_an_encoder_of_another_script_is_an_error_before_training(toy, tmp_path):
    import tokenizers

    from whorl.lexicon.word_pieces import SPECIAL

    folder = tmp_path / "encoder"
    folder.mkdir()
    (folder / "encoder.json").write_text("{}", encoding="utf-8")
    vocabulary = {piece: number for number, piece in enumerate([*SPECIAL, "あ", "い"])}
    model = tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]")
    tokenizers.Tokenizer(model).save(str(folder / "tokenizer.json"))
    with pytest.raises(RecipeError, match=r"cannot read this treebank: 100\.0 % of the words"):
        build(request(toy, encoder=str(folder)), tmp_path / "m")
    assert not (tmp_path / "m").exists()
    with pytest.raises(RecipeError, match="is not an encoder: expected"):
        build(request(toy, encoder=str(tmp_path)), tmp_path / "m")


def test_a_parser_is_built_over_an_encoder(toy, tmp_path):
    settings = [one for one in SMALL if "layers" not in one and "word_dim" not in one]
    encoder = str(tiny_encoder(tmp_path))
    request = BuildRequest.of(
        [toy["train"]],
        [toy["dev"]],
        encoder=encoder,
        tokeniser="none",
        settings=(*settings, "training.encoder_rate=0.001", "training.warmup=0"),
    )
    built = build(request, tmp_path / "m")
    assert built.scores["dev"][""].f1 > 90
    saved = json.loads((built.folder / "build.json").read_text(encoding="utf-8"))
    sizes = saved["recipe"]["span"]
    assert sizes["encoder"] == encoder
    assert (sizes["lstm_layers"], sizes["word_dim"]) == (2, 64)
    card = (built.folder / "README.md").read_text(encoding="utf-8")
    assert "`span.lstm_layers` | 2 | better than 1 over small encoders" in card


def test_settings_of_another_network_are_an_error(toy, tmp_path):
    with pytest.raises(RecipeError, match="name a recipe, such as stack-lstm"):
        build(request(toy, "model.network=stack-lstm"), tmp_path / "m")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1, "request": 3}'])
def test_a_damaged_build_is_an_error_that_names_the_file(tmp_path, text):
    (tmp_path / "build.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"build\.json is damaged"):
        build(None, tmp_path)


def test_the_command_prints_choices_time_figures_and_how_to_use_the_model(toy, tmp_path):
    out = str(tmp_path / "m")
    flags = [flag for one in (*SMALL, "training.epochs=12") for flag in ("--set", one)]
    result = CliRunner().invoke(app, ["train", "--train", toy["train"], "--out", out, *flags])
    assert result.exit_code == 0, result.output
    assert "80 train, 10 dev, 10 test trees" in result.stdout
    assert "span.lstm_dim=16" in result.stdout
    assert "set by you" in result.stdout
    assert "for 12 epochs" in result.stdout
    assert "test: F1 " in result.stdout
    use, give_away = result.stdout.splitlines()[-2:]
    assert use == f'The parser is in {out}: whorl parse --model {out} "..."'
    assert give_away == f"To give it away as a wheel: whorl package {out} --name NAME"
    assert len(list(read_treebank(f"{out}/data/dev.txt"))) == 10
    result = CliRunner().invoke(app, ["parse", "--model", out, "two dogs like the bird ."])
    gold = read_tree(parse_toy("two dogs like the bird .", "NP"))
    assert read_tree(result.stdout).spans() == gold.spans()


def test_resuming_takes_no_other_options(toy, built):
    out = str(built.folder)
    result = CliRunner().invoke(app, ["train", "--resume", "--out", out, "--epochs", "9"])
    assert result.exit_code == 1
    assert "give only --out" in result.stderr


def write_text(path, count=300):
    raw = [sentence.replace(" .", ".") for sentence in toy_sentences(count, 9)]
    path.write_text("".join(f"{' '.join(raw[n : n + 5])}\n" for n in range(0, count, 5)))
    return str(path)


TEXT_SETTINGS = (*(one for one in SMALL if "epochs" not in one), "training.epochs=2")


def text_request(toy, *texts, **options):
    return BuildRequest.of(
        [toy["train"]], [toy["dev"]], text=texts, settings=TEXT_SETTINGS, **options
    )


@pytest.fixture
def few_words(monkeypatch):
    """Learn vectors of four numbers, as the toy text has few words."""
    settings = VectorSettings(dimension=4)
    monkeypatch.setattr(
        vectors, "learn_vectors", lambda read, **options: learn_vectors(read, settings, **options)
    )


def test_raw_text_is_cut_as_the_treebank_and_gives_vectors(toy, tmp_path, few_words):
    said = []

    class Remarks(BuildListener):
        def remark(self, text):
            said.append(text)

    folder = tmp_path / "m"
    built = build(text_request(toy, write_text(tmp_path / "raw.txt")), folder, listener=Remarks())
    cut = (folder / "text" / "0001-raw.txt").read_text(encoding="utf-8").splitlines()
    assert cut == toy_sentences(300, 9)
    counts = "17 word vectors, learnt from 300 sentences of raw text and the training trees"
    assert counts in said
    assert sum("tokeniser: " in line for line in said) == 1  # learnt once
    description = json.loads((built.folder / "model.json").read_text(encoding="utf-8"))
    assert description["card"]["recipe"]["data"]["vectors"] == "vectors.txt.gz"
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"- {counts}; the text: `raw.txt`" in card
    assert "| `data.vectors` | vectors.txt.gz | learnt from" in card
    parser = whorl.load(folder)
    assert parser("the cat sees two dogs.")[0].words[-2:] == ["dogs", "."]


def test_a_build_that_is_interrupted_after_its_text_resumes(toy, tmp_path, few_words):
    text = write_text(tmp_path / "raw.txt")
    whole = build(text_request(toy, text), tmp_path / "whole")

    class Stopped(BuildListener):
        def stage(self, name, done=None):
            if name == "counting neighbours":
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(text_request(toy, text), tmp_path / "m", listener=Stopped())
    (tmp_path / "raw.txt").write_text("Not read again.\n", encoding="utf-8")
    resumed = build(None, tmp_path / "m")
    assert resumed.scores == whole.scores
    for name in ("vectors.txt.gz", "text/0001-raw.txt"):
        assert (tmp_path / "m" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_tokenised_text_is_taken_as_it_is_without_a_tokeniser(toy, tmp_path, few_words):
    text = tmp_path / "tokens.txt"
    text.write_text("\n".join(toy_sentences(100, 9)) + "\n", encoding="utf-8")
    build(text_request(toy, str(text), tokeniser="none"), tmp_path / "m")
    assert not (tmp_path / "m" / "text").exists()
    assert len(Vectors.read(tmp_path / "m" / "vectors.txt.gz").words) == 17


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": ["missing"]}, "missing is neither a file nor a folder"),
        ({"text": ["x=raw.txt"]}, r"--text raw\.txt: no treebank 'x' is trained on"),
        ({"text": ["raw.txt"], "vectors": "v.txt"}, "--vectors and --text both give word vectors"),
    ],
)
def test_text_that_is_not_there_is_an_error_before_training(toy, tmp_path, options, message):
    with pytest.raises(WhorlError, match=message):
        build(BuildRequest.of([toy["train"]], **options), tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_text_belongs_to_the_default_treebank_unless_it_names_another(toy):
    banks = [f"new={toy['train']}", f"old={toy['old']}"]
    request = BuildRequest.of(banks, text=["a.txt", "old=b.txt", "c.txt"])
    assert request.text == (("new", "a.txt"), ("old", "b.txt"), ("new", "c.txt"))
    assert BuildRequest.of(banks, text=["a.txt"], convention="old").text == (("old", "a.txt"),)
    assert BuildRequest.of([toy["train"]], text=["a.txt"]).text == (("", "a.txt"),)
    assert BuildRequest.from_dict(request.to_dict()) == request
