"""What a training run of the `span` network begins with: from a recipe to a learner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from whorl.errors import OracleError, RecipeError
from whorl.lexicon.characters import Characters
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.oracles import static_oracle
from whorl.span.encoders.pieces import HuggingFace, PieceFeatures
from whorl.span.folder import SpanModel
from whorl.span.learner import SpanLearner
from whorl.span.network import SpanConfig, SpanNetwork
from whorl.span.samples import SpanSample
from whorl.span.settings import SpanSettings
from whorl.span.vocabulary import SpanVocabulary
from whorl.training.learner import Treebank
from whorl.training.recipe import Recipe
from whorl.training.run import Listener
from whorl.training.sources import Mix, common_root, read_mix
from whorl.transformer.network import Transformer
from whorl.transitions import MAX_UNARY, NonBinary
from whorl.trees import Leaf, Tree, strip_root
from whorl.trees.brackets import paused_gc

if TYPE_CHECKING:
    from whorl.lexicon.word_pieces import Pieces

__all__ = ["LONGEST", "check_recipe", "prepare_learner", "span_learner"]

LONGEST = 500
"""The most pieces of a sentence that a transformer reads at once."""


def check_recipe(recipe: Recipe) -> None:
    """Reject settings that the span network does not support."""
    if recipe.model.system != NonBinary.name:
        raise RecipeError(
            f"the span network is for the {NonBinary.name} system, not {recipe.model.system}"
        )


def prepare_learner(
    recipe: Recipe, folder: Path, listener: Listener
) -> tuple[SpanLearner, Treebank]:
    """Build the network with everything it learns from, and the development set."""
    with paused_gc():
        learner, mix = span_learner(recipe)
    return learner, mix.dev


def span_learner(recipe: Recipe) -> tuple[SpanLearner, Mix]:
    """Build the network that a recipe describes, with its training samples as arrays."""
    mix = read_mix(recipe)
    trees = [strip_root(tree) for tree in mix.train.trees]
    torch.manual_seed(recipe.training.seed)
    features, pieces = _transformer(recipe)
    encoder = _encoder(
        recipe, mix, trees, pieces, LONGEST if features is None else min(LONGEST, features.longest)
    )
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


def _sample(encoder: SpanVocabulary, tree: Tree, leaves: Sequence[Leaf], source: str) -> SpanSample:
    sentence = encoder.sentence(
        [leaf.word for leaf in leaves], treebank=encoder.treebank(source or None)
    )
    sample = encoder.sample(
        sentence, [leaf.tag for leaf in leaves], encoder.steps(static_oracle(tree, "nonbinary"))
    )
    if sample.chains.max(initial=0) > MAX_UNARY:
        raise OracleError(
            f"a unary chain is longer than {MAX_UNARY}, which the system cannot build: {tree}"
        )
    return sample


def _encoder(
    recipe: Recipe, mix: Mix, trees: list[Tree], pieces: Pieces | None, longest: int
) -> SpanVocabulary:
    sizes = recipe.section(SpanSettings)
    sentences = [[leaf.word for leaf in leaves] for leaves in mix.train.sentences]
    return SpanVocabulary(
        labels=sorted({label for tree in trees for label, _, _ in tree.spans()}),
        tags=Tags(sorted({leaf.tag for leaves in mix.train.sentences for leaf in leaves})),
        treebanks=mix.names,
        words=Words.of(sentences, limit=sizes.word_limit) if sizes.word_dim else None,
        vectors=Vectors.read(recipe.data.vectors, limit=sizes.vector_limit)
        if recipe.data.vectors
        else None,
        characters=Characters.of(word for words in sentences for word in words)
        if sizes.character_dim
        else None,
        pieces=pieces,
        longest=longest,
        lower_capitals=recipe.data.lower_capitals,
    )


def _network(
    recipe: Recipe, encoder: SpanVocabulary, features: PieceFeatures | None
) -> SpanNetwork:
    sizes = recipe.section(SpanSettings)
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
    sizes = recipe.section(SpanSettings)
    if sizes.encoder and sizes.huggingface:
        raise RecipeError("choose one of span.encoder and span.huggingface")
    if not sizes.encoder and not sizes.huggingface:
        return None, None
    from whorl.lexicon.word_pieces import Pieces

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
    pieces = SpanModel.load(folder).model.encoder.pieces
    if pieces is None or not isinstance(pieces.transformer, Transformer):
        raise RecipeError(
            f"span.encoder: the parser in {folder} has no transformer of ours to take"
        )
    return pieces.transformer
