"""Small span parsers, untrained, for tests."""

from __future__ import annotations

from pathlib import Path

import tokenizers
import torch

from tests.parsers import TEXT
from whorl.lexicon.word_pieces import SPECIAL
from whorl.oracles import static_oracle
from whorl.span.learner import SpanLearner
from whorl.span.samples import SpanSample, make_sample
from whorl.span.setup import span_learner
from whorl.span.vocabulary import SpanVocabulary
from whorl.training.recipe import Recipe
from whorl.training.sources import Mix
from whorl.transformer.network import Transformer, TransformerConfig
from whorl.trees import Tree

VECTORS = "the 0.1 -0.2 0.3\ntree 1 0 0\nworks 0 1 1\n"

SMALL = [
    "model.network=span",
    "span.word_dim=12",
    "span.character_dim=12",
    "span.lstm_dim=24",
    "span.lstm_layers=1",
    "span.hidden_dim=24",
    "span.dropout=0.0",
    "training.optimiser=adamw",
    "training.rate=0.01",
    "training.schedule=linear",
    "training.clip=100",
    "training.batch=3",
    "training.warmup=0",
    "training.patience=0",
]


def write_treebank(folder: Path, name: str = "trees.txt", text: str = TEXT) -> Path:
    """Write a small treebank, and a file of vectors beside it."""
    path = folder / name
    trees = [line for line in text.splitlines() if line]
    path.write_text("".join(f"(TOP {tree})\n" for tree in trees), encoding="utf-8")
    (folder / "vectors.txt").write_text(VECTORS, encoding="utf-8")
    return path


def span_recipe(trees: Path, *settings: str) -> Recipe:
    """Make a recipe for a small network that learns a treebank by heart."""
    vectors = trees.parent / "vectors.txt"
    data = [f"data.train={trees}", f"data.dev={trees}", f"data.vectors={vectors}"]
    return Recipe().override([*data, *SMALL, *settings])


def make_learner(folder: Path, *settings: str) -> tuple[SpanLearner, Mix]:
    """Make an untrained network over the small treebank."""
    return span_learner(span_recipe(write_treebank(folder), *settings))


def gold_sample(vocabulary: SpanVocabulary, tree: Tree, treebank: str | None = None) -> SpanSample:
    """Make the sample of one tree, by one derivation."""
    number = vocabulary.treebank_number(treebank)
    steps = [
        (0, 0) if t.label is None else (t.arity, vocabulary.index[t.label])
        for t in static_oracle(tree)
    ]
    sentence = vocabulary.encode(tree.words(), treebank=number)
    return make_sample(sentence, vocabulary.tags.encode(tree.tags()), steps, steps)


def tiny_tokenizer(special: tuple[str, ...]) -> tuple[tokenizers.Tokenizer, int]:
    """Make a tokenizer of characters and a few words; return it with its number of pieces."""
    letters = list(map(chr, range(33, 127)))
    pieces = [*special, *letters, *(f"##{c}" for c in letters), "The", "the", "tree", "##rks"]
    model = tokenizers.models.WordPiece(
        {piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"
    )
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    return tokenizer, len(pieces)


def tiny_encoder(folder: Path) -> Path:
    """Write the folder of an untrained transformer."""
    tokenizer, size = tiny_tokenizer(SPECIAL)
    torch.manual_seed(1)
    sizes = TransformerConfig(vocabulary=size, layers=3, width=32, heads=2, feed_forward=64)
    Transformer(sizes).save(folder / "encoder")
    tokenizer.save(str(folder / "encoder/tokenizer.json"))
    return folder / "encoder"
