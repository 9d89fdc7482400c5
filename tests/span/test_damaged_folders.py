"""Damaged files with matching hashes: a clear error that names the file, or a tree."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import random
import shutil

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper
from safetensors.numpy import load, save

from tests.spans import span_recipe, tiny_encoder, write_treebank
from whorl.errors import ModelError
from whorl.files import write_json
from whorl.parser import Parser
from whorl.span.engine import load_trained
from whorl.span.export import export_runtime
from whorl.training.run import train

SENTENCES = [["The", "public", "works", "."], ["unheard-of"] * 12]
KINDS = ["encoder", "tables", "vocabulary", "weights"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A model with words, vectors, characters and pieces: as trained, and as exported."""
    folder = tmp_path_factory.mktemp("models")
    encoder = tiny_encoder(folder)
    recipe = span_recipe(write_treebank(folder), "training.epochs=2", f"span.encoder={encoder}")
    train(recipe, folder / "trained")
    export_runtime(folder / "trained", precision="int8", out=folder / "exported")
    return folder


def replace_file(folder, kind, content):
    """Replace a file of a model and correct its hash."""
    (path,) = folder.glob(f"{kind}-*")
    suffix = "".join(path.suffixes)
    renamed = f"{kind}-{hashlib.sha256(content).hexdigest()[:12]}{suffix}"
    path.unlink()
    (folder / renamed).write_bytes(content)
    description = (folder / "model.json").read_text(encoding="utf-8")
    (folder / "model.json").write_text(description.replace(path.name, renamed), encoding="utf-8")
    return renamed


@pytest.fixture
def damaged(folders, tmp_path):
    """Copy the model and change one file."""

    def damage(kind, change):
        source = folders / ("trained" if kind == "weights" else "exported")
        folder = shutil.copytree(source, tmp_path / "m")
        (path,) = folder.glob(f"{kind}-*")
        return folder, replace_file(folder, kind, change(path.read_bytes()))

    return damage


def error_of(folder, load_model=Parser.load):
    """Load and parse; return the text of a `ModelError`, None if there are trees."""
    try:
        parser = load_model(folder)
        for words in SENTENCES:
            assert parser.parse(words).words() == words
            assert parser.parse(words, n_best=2)
    except ModelError as error:
        return str(error)
    return None


def changed_json(change):
    """Change the JSON in a gzipped file."""

    def changed(content):
        values = json.loads(gzip.decompress(content))
        change(values)
        return gzip.compress(json.dumps(values).encode())

    return changed


def changed_tables(change):
    def changed(content):
        tables = load(content)
        change(tables)
        return save(tables)

    return changed


def other_graph(_):
    """A valid graph that has nothing to do with an encoder."""
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [value], [result])
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def swapped_outputs(content):
    """The encoder's graph with the edges' vectors in place of the tags' scores."""
    model = onnx.load_model_from_string(content)
    producers = {node.output[0]: node for node in model.graph.node}
    producers["tags"].input[0] = producers["left"].input[0]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    return model.SerializeToString()


def nested(depth):
    return gzip.compress(b"[" * depth + b"]" * depth)


def zeros(size):
    """A small file that is large when decompressed."""
    content = io.BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb") as file:
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
    return content.getvalue()


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        *((kind, lambda content: b"", "is damaged") for kind in KINDS),
        *((kind, lambda content: content[:-20], "is damaged") for kind in KINDS),
        *((kind, lambda content: b"\x00" * 999, "is damaged") for kind in KINDS),
        ("encoder", other_graph, "is not the graph of an encoder"),
        ("encoder", swapped_outputs, "its outputs have other shapes"),
        ("tables", changed_tables(lambda t: t.pop("out.bias")), "it has no table 'out.bias'"),
        ("tables", changed_tables(lambda t: t.pop("word.scale")), "it has no table 'word.scale'"),
        (
            "tables",
            changed_tables(lambda t: t.update({"item.weight": t["item.weight"][:, 1:].copy()})),
            r"item\.weight has shape",
        ),
        (
            "tables",
            changed_tables(lambda t: t.update({"word": t["word"].astype(np.int64)})),
            "word has the type int64",
        ),
        (
            "tables",
            changed_tables(lambda t: t["chain.weight"].__setitem__((0, 0), np.nan)),
            r"chain\.weight holds NaN or infinity",
        ),
        ("vocabulary", lambda _: gzip.compress(b"[]"), "expected a JSON object"),
        ("vocabulary", lambda _: gzip.compress(b"{}"), "it has no 'words'"),
        ("vocabulary", lambda _: nested(200_000), "recursion"),
        ("vocabulary", lambda _: zeros((1 << 28) + (1 << 20)), "more than 268435456 bytes"),
        ("vocabulary", changed_json(lambda v: v["words"].pop()), r"needs \d+ words, but there are"),
        ("vocabulary", changed_json(lambda v: v["vectors"].pop()), "needs 4 vectors"),
        ("vocabulary", changed_json(lambda v: v["characters"].pop()), r"needs \d+ characters"),
        ("vocabulary", changed_json(lambda v: v.update(words=None)), r"needs \d+ words"),
        ("vocabulary", changed_json(lambda v: v.update(words=[[]])), "must be a list of strings"),
        ("vocabulary", changed_json(lambda v: v.update(tokenizer=None)), "has a tokenizer"),
        ("vocabulary", changed_json(lambda v: v.update(tokenizer=[])), "tokenizer is damaged"),
        ("vocabulary", changed_json(lambda v: v.update(tokenizer={"json": "{"})), "tokenizer"),
        (
            "vocabulary",
            changed_json(
                lambda v: v.update(tokenizer={"pieces": ["a"], "merges": ["a b"], "prefix": "##"})
            ),
            "tokenizer is damaged",
        ),
        (
            "weights",
            changed_tables(lambda t: t.pop("parser.out.bias")),
            "out.bias has the shape none",
        ),
        (
            "weights",
            changed_tables(lambda t: t.update({"parser.x": t["parser.out.bias"]})),
            "x has the shape",
        ),
        (
            "weights",
            changed_tables(lambda t: t["parser.top.weight"].fill(np.nan)),
            "not finite",
        ),
    ],
)
def test_the_error_names_the_file_and_what_is_wrong(damaged, kind, change, message):
    folder, name = damaged(kind, change)
    with pytest.raises(ModelError, match=message) as raised:
        Parser.load(folder).parse(SENTENCES[0])
    if message != "not finite":
        assert name in str(raised.value)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", KINDS)
def test_random_damage_gives_an_error_or_a_tree(damaged, kind, seed, capfd):
    chance = random.Random(f"{kind} {seed}")

    def flip(content):
        content = gzip.decompress(content) if kind == "vocabulary" else content
        changed = bytearray(content)
        for _ in range(1 + seed % 4):
            place = chance.randrange(len(changed) if seed % 2 else min(3000, len(changed)))
            changed[place] ^= 1 << chance.randrange(8)
        return gzip.compress(changed) if kind == "vocabulary" else bytes(changed)

    folder, _ = damaged(kind, flip)
    error_of(folder)
    assert capfd.readouterr() == ("", "")  # ONNX Runtime reports nothing on its own


class Restored:
    """An exported model restored in PyTorch, with the interface of a parser."""

    def __init__(self, folder):
        self.engine = load_trained([folder], "cpu", None)

    def parse(self, words, n_best=1):
        ((best, *_),) = self.engine.parse_nbest([words], beam=n_best, n_best=n_best)
        return best.tree


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_graph_restored_in_pytorch_gives_an_error_or_a_tree(damaged, seed):
    chance = random.Random(seed)

    def flip(content):
        changed = bytearray(content)
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        return bytes(changed) if seed else bytes(changed[: len(changed) // 2])

    folder, name = damaged("encoder", flip)
    error = error_of(folder, Restored)
    assert error is None or name in error or "not finite" in error
    assert error is not None or seed


@pytest.mark.parametrize(
    ("key", "value"),
    [("hidden_dim", 25), ("words", 10**9), ("max_unary", 7), ("lstm_layers", 9), ("height", 1)],
)
@pytest.mark.parametrize("which", ["exported", "trained"])
def test_a_config_that_does_not_fit_the_files_is_an_error(folders, tmp_path, which, key, value):
    folder = shutil.copytree(folders / which, tmp_path / "m")
    description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    description["config"][key] = value
    write_json(folder / "model.json", description)
    error = error_of(folder)
    if (which, key) == ("exported", "lstm_layers"):
        assert error is None  # only the graph has layers
    else:
        assert error is not None
