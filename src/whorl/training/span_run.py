"""What a training run of the `span` network begins with: from a recipe to a learner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from whorl.bundle import SpanBundle
from whorl.data.characters import Characters
from whorl.data.encoder import Tags
from whorl.data.span_encoder import SpanEncoder
from whorl.data.span_samples import SpanSample
from whorl.data.vectors import Vectors
from whorl.data.words import Words
from whorl.errors import OracleError, RecipeError
from whorl.models.encoders.pieces import HuggingFace, PieceFeatures
from whorl.models.span import SpanConfig, SpanNetwork
from whorl.models.transformer import Transformer
from whorl.oracles import static_oracle
from whorl.training.recipe import Recipe
from whorl.training.sources import Mix, common_root, read_mix
from whorl.training.span import SpanLearner
from whorl.transitions import MAX_UNARY
from whorl.trees import Leaf, Tree, strip_root

if TYPE_CHECKING:
    from whorl.data.pieces import Pieces

__all__ = ["LONGEST", "span_learner"]

LONGEST = 500
"""The most pieces of a sentence that a transformer reads at once."""


def span_learner(recipe: Recipe) -> tuple[SpanLearner, Mix]:
    """The network that a recipe describes, with all that it learns from as arrays."""
    mix = read_mix(recipe)
    trees = [strip_root(tree) for tree in mix.train.trees]
    torch.manual_seed(recipe.training.seed)
    features, pieces = _transformer(recipe)
    encoder = _encoder(recipe, mix, trees, pieces, LONGEST if features is None else min(LONGEST, features.longest))
    model = _network(recipe, encoder, features)
    found = zip(trees, mix.train.sentences, _sources(mix), strict=True)
    samples = [_sample(encoder, tree, leaves, source) for tree, leaves, source in found]
    learner = SpanLearner(
        model.to(recipe.training.device),
        encoder,
        recipe.training,
        mix.shares,
        samples,
        root=common_root(mix.train.trees),
        convention=recipe.data.convention or None,
    )
    return learner, mix


def _sources(mix: Mix) -> list[str]:
    return mix.train.sources or [""] * len(mix.train.trees)


def _sample(encoder: SpanEncoder, tree: Tree, leaves: Sequence[Leaf], source: str) -> SpanSample:
    sentence = encoder.sentence([leaf.word for leaf in leaves], treebank=encoder.treebank(source or None))
    sample = encoder.sample(sentence, [leaf.tag for leaf in leaves], encoder.steps(static_oracle(tree, "nonbinary")))
    if sample.chains.max(initial=0) > MAX_UNARY:
        raise OracleError(f"a unary chain is longer than {MAX_UNARY}, which the system cannot build: {tree}")
    return sample


def _encoder(recipe: Recipe, mix: Mix, trees: list[Tree], pieces: Pieces | None, longest: int) -> SpanEncoder:
    sizes = recipe.span
    sentences = [[leaf.word for leaf in leaves] for leaves in mix.train.sentences]
    return SpanEncoder(
        labels=sorted({label for tree in trees for label, _, _ in tree.spans()}),
        tags=Tags(sorted({leaf.tag for leaves in mix.train.sentences for leaf in leaves})),
        treebanks=mix.names,
        words=Words.of(sentences, limit=sizes.word_limit) if sizes.word_dim else None,
        vectors=Vectors.read(recipe.data.vectors, limit=sizes.vector_limit) if recipe.data.vectors else None,
        characters=Characters.of(word for words in sentences for word in words) if sizes.character_dim else None,
        pieces=pieces,
        longest=longest,
        lower_capitals=recipe.data.lower_capitals,
    )


def _network(recipe: Recipe, encoder: SpanEncoder, features: PieceFeatures | None) -> SpanNetwork:
    sizes = recipe.span
    vectors = encoder.vectors
    config = SpanConfig(
        labels=len(encoder.labels),
        tags=len(encoder.tags),
        treebanks=len(encoder.treebanks),
        words=0 if encoder.words is None else len(encoder.words),
        vectors=0 if vectors is None else len(vectors.table),
        characters=0 if encoder.characters is None else len(encoder.characters),
        word_dim=sizes.word_dim,
        vector_dim=0 if vectors is None else vectors.dimension,
        character_dim=sizes.character_dim,
        lstm_dim=sizes.lstm_dim,
        lstm_layers=sizes.lstm_layers,
        hidden_dim=sizes.hidden_dim,
        dropout=sizes.dropout,
        max_unary=MAX_UNARY,
        transformer=None if features is None else features.describe(),
    )
    model = SpanNetwork(config, features)
    if vectors is not None:
        model.set_vectors(vectors.table)
    return model


def _transformer(recipe: Recipe) -> tuple[PieceFeatures | None, Pieces | None]:
    """The transformer that a recipe names, and its pieces."""
    sizes = recipe.span
    if sizes.encoder and sizes.huggingface:
        raise RecipeError("choose one of span.encoder and span.huggingface")
    if not sizes.encoder and not sizes.huggingface:
        return None, None
    from whorl.data.pieces import Pieces  # noqa: PLC0415 - it needs a library that not every model does

    if sizes.encoder:
        transformer = _encoder_of(Path(sizes.encoder))
        transformer.thin(layers=sizes.encoder_layers, every=sizes.encoder_every)
        return PieceFeatures(transformer), Pieces.load(sizes.encoder)
    hub = HuggingFace.load(sizes.huggingface)
    tokenizer, start, end, unknown = HuggingFace.tokenizer(sizes.huggingface)
    return PieceFeatures(hub), Pieces(tokenizer, start=start, end=end, unknown=unknown)


def _encoder_of(folder: Path) -> Transformer:
    """The transformer of an encoder folder, or of a parser's."""
    if not (folder / "model.json").exists():
        return Transformer.load(folder)
    pieces = SpanBundle.load(folder).model.encoder.pieces
    if pieces is None or not isinstance(pieces.transformer, Transformer):
        raise RecipeError(f"span.encoder: the parser in {folder} has no transformer of ours to take")
    return pieces.transformer
