"""Small model folders, one of each kind, for tests that damage them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.parsers import make_parser
from tests.spans import make_learner, tiny_encoder
from whorl.catalogue import find_model
from whorl.stack_lstm.folder import StackLSTMModel
from whorl.stack_lstm.tagger import Tagger
from whorl.stack_lstm.tagger_network import TaggerConfig, TaggerNetwork


def copy_shipped(folder: Path) -> Path:
    """A copy of `en`, which runs in ONNX Runtime."""
    return Path(shutil.copytree(find_model("en"), folder / "en"))


def save_span(folder: Path) -> Path:
    """An untrained span model with words, vectors, characters and a transformer, in PyTorch."""
    encoder = tiny_encoder(folder)
    learner, _ = make_learner(folder, f"span.encoder={encoder}")
    learner.save(folder / "span", {"dev_f1": 1.0})
    return folder / "span"


def save_stack_lstm(folder: Path, system: str = "nonbinary") -> Path:
    """An untrained stack-LSTM model with a tagger."""
    small = make_parser(system)
    vectors = small.vocabulary.vectors
    tags = small.vocabulary.tags.tags
    config = TaggerConfig(words=len(small.vocabulary.words), tags=len(tags), vector_dim=5)
    tagger = Tagger(TaggerNetwork(config, vectors.table), small.vocabulary.words, tags, vectors)
    StackLSTMModel(small.model, small.vocabulary, tagger.to_state(), "TOP").save(folder / "stack")
    return folder / "stack"
