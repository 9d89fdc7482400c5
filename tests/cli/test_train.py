"""`whorl train`: flags, output, resumed runs, and errors that name the setting or the file."""

from __future__ import annotations

import hashlib
import json

import pytest
from typer.testing import CliRunner

from whorl.cli.main import app
from whorl.cli.train import Pace

pytest.importorskip("torch")

from tests.parsers import TEXT

from whorl.trees import read_trees

SMALL = [
    "model.input=16",
    "model.hidden=8",
    "training.batch=2",
    "data.tags=gold",
    "training.patience=0",
]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "trees.txt").write_text(
        "".join(f"{tree}\n" for tree in read_trees(TEXT)), encoding="utf-8"
    )

    def invoke(*arguments):
        return CliRunner().invoke(app, ["train", "--out", str(tmp_path / "m"), *arguments])

    return invoke


@pytest.fixture
def flags(tmp_path):
    trees = str(tmp_path / "trees.txt")
    return [
        "stack-lstm",
        "--train",
        trees,
        "--dev",
        trees,
        *(flag for setting in SMALL for flag in ("--set", setting)),
    ]


def test_every_epoch_prints_a_line_and_keys_may_be_shortened(tmp_path, run, flags):
    result = run(*flags, "--epochs", "2", "--system", "topdown", "--oracle", "dynamic")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["epoch", "1"], ["epoch", "2"]]
    assert all(line.endswith("min left") for line in lines)
    assert "2 epochs, best development F1" in result.stderr
    saved = json.loads((tmp_path / "m/recipe.json").read_text(encoding="utf-8"))
    assert (
        saved["model"]["hidden_dim"],
        saved["model"]["input_dim"],
        saved["model"]["system"],
    ) == (8, 16, "topdown")


def test_a_run_resumes_from_its_folder_alone(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    result = run("--resume", "--epochs", "3")
    assert result.exit_code == 0, result.output
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["2", "3"]
    assert (
        json.loads((tmp_path / "m/recipe.json").read_text(encoding="utf-8"))["training"]["epochs"]
        == 3
    )


def test_a_run_stopped_before_its_first_epoch_ended_resumes_too(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    for path in (tmp_path / "m").iterdir():
        if path.name != "recipe.json":
            path.unlink()
    result = run("--resume")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 1


def test_resuming_without_a_run_is_an_error_and_creates_nothing(tmp_path, run, flags):
    result = run("--resume")
    assert result.exit_code == 1
    assert f"cannot resume: there is no training run in '{tmp_path / 'm'}'" in result.stderr
    assert not (tmp_path / "m").exists()


def test_a_run_that_cannot_be_resumed_is_an_error_and_changes_nothing(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    before = (tmp_path / "m/recipe.json").read_bytes()
    result = run("--resume", "--set", "model.hidden=16")
    assert result.exit_code == 1
    assert "differs in model.hidden_dim" in result.stderr
    assert (tmp_path / "m/recipe.json").read_bytes() == before
    for text in ("[", "[3]", '{"model": 3}', '{"model": {"hidden_dim": "x"}}'):
        (tmp_path / "m/recipe.json").write_text(text, encoding="utf-8")
        assert "recipe.json is not the recipe of a run" in run("--resume").stderr


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("training.batch=0", "training.batch must be at least 1, not 0"),
        ("training.epochs=0", "training.epochs must be at least 1, not 0"),
        ("span.dropout=1.5", "span.dropout must be at least 0 and below 1, not 1.5"),
        ("training.rate=inf", "training.rate must be at least 0, not inf"),
        ("training.clip=0", "training.clip must be above 0, not 0"),
    ],
)
def test_a_number_out_of_range_is_an_error_that_names_the_range(run, flags, setting, message):
    result = run(*flags, "--set", setting)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "network",
    [
        [],
        ["--oracle", "dynamic", "--set", "training.explore=1"],
        ["--network", "span", "--set", "span.lstm_dim=8"],
    ],
)
@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_training_that_diverges_is_an_error_that_names_the_rate(run, flags, network, optimiser):
    settings = ["--set", "training.rate=1e30", "--set", f"training.optimiser={optimiser}"]
    result = run(*flags, *network, *settings, "--epochs", "2")
    assert result.exit_code == 1, result.output
    assert "training diverged in epoch 1" in result.stderr
    assert "lower training.rate, which is 1e+30" in result.stderr


def test_vectors_that_are_not_finite_are_an_error_that_names_the_line(tmp_path, run, flags):
    path = tmp_path / "vectors.txt"
    path.write_text("the 0.5 1\nof nan 1\n", encoding="utf-8")
    result = run(*flags, "--vectors", str(path), "--epochs", "1")
    assert result.exit_code == 1
    assert f"{path}:2: the vector of 'of' holds NaN or infinity" in result.stderr


DAMAGED = [
    ("", "Expecting value"),
    ('{"epoch": 1, "be', "Unterminated string"),
    ("[" * 100_000, "recursion"),
    ("[]", "expected an object"),
    ("{}", "epoch is missing"),
    ({"epoch": "x"}, "epoch is 'x'"),
    ({"epoch": -1}, "epoch is -1"),
    ({"best": None}, "best is None"),
    ({"weights": "../weights"}, "weights is '../weights'"),
    ({"recipe": {"model": 3}}, "model must be a table of settings, not 3"),
    ({"recipe": {"treebank": "x"}}, r"write [[treebank]]"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGED, ids=[message for _, message in DAMAGED])
def test_a_damaged_checkpoint_is_an_error_that_names_it(tmp_path, run, flags, change, message):
    assert run(*flags, "--epochs", "1").exit_code == 0
    path = tmp_path / "m/checkpoint.json"
    saved = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(
        change if isinstance(change, str) else json.dumps({**saved, **change}), encoding="utf-8"
    )
    result = run("--resume", "--epochs", "2")
    assert result.exit_code == 1, result.output
    assert f"cannot resume the run: {path} is damaged: " in result.stderr
    assert message in result.stderr


def drop(tensors, name):
    del tensors[name]


def cut(tensors, name):
    tensors[name] = tensors[name][:1].contiguous()


@pytest.mark.parametrize(
    ("change", "name", "message"),
    [
        (drop, "out.weight", "out.weight has the shape none, expected ("),
        (cut, "out.weight", "out.weight has the shape (1, 8), expected ("),
        (cut, "optimiser.0.exp_avg", "optimiser.0.exp_avg of shape (1,) fits no weight"),
        (drop, "optimiser.0.step", "optimiser.0 has ['exp_avg', 'exp_avg_sq'], expected ["),
    ],
)
def test_a_checkpoint_with_other_weights_is_an_error_that_names_them(
    tmp_path, run, flags, change, name, message
):
    from safetensors.torch import load_file, save

    assert run(*flags, "--epochs", "1", "--set", "training.optimiser=adam").exit_code == 0
    (path,) = (tmp_path / "m").glob("checkpoint-*.safetensors")
    tensors = load_file(path)
    change(tensors, name)
    data = save(tensors)
    renamed = path.with_name(f"checkpoint-{hashlib.sha256(data).hexdigest()[:12]}.safetensors")
    renamed.write_bytes(data)
    saved = json.loads((tmp_path / "m/checkpoint.json").read_text(encoding="utf-8"))
    (tmp_path / "m/checkpoint.json").write_text(
        json.dumps({**saved, "weights": renamed.name}), encoding="utf-8"
    )
    result = run("--resume", "--epochs", "2")
    assert result.exit_code == 1, result.output
    assert f"cannot resume the run: {renamed} is damaged: " in result.stderr
    assert message in result.stderr


@pytest.mark.parametrize("keep", [None, 0, 500])
def test_a_truncated_or_missing_file_of_weights_is_an_error_that_names_it(
    tmp_path, run, flags, keep
):
    assert run(*flags, "--epochs", "1").exit_code == 0
    (path,) = (tmp_path / "m").glob("checkpoint-*.safetensors")
    data = path.read_bytes()
    path.unlink()
    if keep is not None:
        path.write_bytes(data[:keep])
    result = run("--resume", "--epochs", "2")
    assert result.exit_code == 1, result.output
    assert str(path) in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("data", [b"x\n", b'{"number": 1}\n', b"3\n", b"\xff"])
def test_a_damaged_log_is_an_error_before_any_epoch(tmp_path, run, flags, data):
    assert run(*flags, "--epochs", "1").exit_code == 0
    (tmp_path / "m/metrics.jsonl").write_bytes(data)
    result = run("--resume", "--epochs", "2")
    assert result.exit_code == 1, result.output
    assert f"{tmp_path / 'm/metrics.jsonl'} is damaged" in result.stderr
    assert result.stdout == ""


def test_a_finished_run_whose_model_is_gone_does_not_claim_one(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    (tmp_path / "m/model.json").unlink()
    result = run("--resume")
    assert result.exit_code == 1
    assert "its model.json is gone" in result.stderr


@pytest.mark.parametrize("epochs", ["0", "-1"])
def test_no_epochs_are_an_error_and_no_model_is_claimed(tmp_path, run, flags, epochs):
    result = run(*flags, "--epochs", epochs)
    assert result.exit_code == 1
    assert f"training.epochs must be at least 1, not {epochs}" in result.stderr
    assert "model in" not in result.output
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["data.convention=x"], "data.convention is for a mix of treebanks"),
        (["span.lstm_dim=0"], "span.lstm_dim must be at least 1, unless span.lstm_layers is 0"),
        (["span.word_dim=0", "span.character_dim=0"], "the span network has no input"),
        (["training.device=tpu"], "training.device: unknown device 'tpu'"),
        (["model.system=binary"], "the span network is for the nonbinary system, not binary"),
    ],
)
def test_settings_that_the_span_network_cannot_use_are_errors(run, flags, settings, message):
    options = [option for setting in settings for option in ("--set", setting)]
    result = run(*flags, "--network", "span", "--epochs", "1", *options)
    assert result.exit_code == 1, result.output
    assert message in result.stderr


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ("treebank = 3", "write [[treebank]], once for each treebank"),
        ("treebank = [3]", "treebank must be a table of settings, not 3"),
        ("[[treebank]]\nname = 'a'\nweight = 'x'", "weight must be a number, not 'x'"),
        ("[[treebank]]\nname = 'a'\ndev = 'd'", "the treebank a names no trees: set its train"),
        ("[[treebank]]\nname = 'a'\ntrain = 't'\nweight = 0", "has the weight 0"),
        ("[[treebank]]\ntrain = 't'", "need different names, not ''"),
    ],
)
def test_a_wrong_mix_is_an_error(tmp_path, run, tables, message):
    path = tmp_path / "recipe.toml"
    path.write_text(tables + '\n[model]\nnetwork = "span"\n', encoding="utf-8")
    result = run(str(path))
    assert result.exit_code == 1, result.output
    assert message in result.stderr


@pytest.mark.parametrize("network", ["stack-lstm", "span"])
@pytest.mark.parametrize("role", ["train", "dev"])
def test_an_empty_treebank_is_an_error_that_names_it(tmp_path, run, flags, network, role):
    path = tmp_path / "empty.txt"
    path.touch()
    flags[flags.index(f"--{role}") + 1] = str(path)
    result = run(*flags, "--network", network)
    assert result.exit_code == 1
    assert f"no trees in {path}" in result.stderr


def test_the_time_left_follows_from_the_pace_of_this_run():
    pace = Pace(done=4, epochs=10, began=100.0)  # resumed after four
    assert pace.left(0.0, 100.0) == 0
    assert pace.left(0.5, 105.0) == pytest.approx(55)
    pace.done = 6
    assert pace.left(0.0, 120.0) == pytest.approx(40)
    pace.done = 10
    assert pace.left(0.0, 160.0) == 0
