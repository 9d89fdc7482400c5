"""The start of a training run: from a recipe to a learner."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch

from whorl.errors import RecipeError
from whorl.lexicon.characters import Characters
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.span.config import SpanConfig
from whorl.span.encoders.pieces import HuggingFace, PieceFeatures
from whorl.span.encoders.registry import CONTEXTS
from whorl.span.folder import SpanModel
from whorl.span.learner import SpanLearner
from whorl.span.network import SpanNetwork
from whorl.span.preparation import make_samples
from whorl.span.settings import SpanSettings
from whorl.span.vocabulary import SpanVocabulary
from whorl.training.learner import Treebank
from whorl.training.recipe import Recipe
from whorl.training.run import Listener
from whorl.training.sources import Mix, common_root, read_mix
from whorl.transformer.network import Transformer
from whorl.transitions import MAX_UNARY, NonBinary
from whorl.trees.brackets import paused_gc

if TYPE_CHECKING:
    from whorl.lexicon.word_pieces import Pieces

__all__ = ["LONGEST", "check_recipe", "prepare_learner", "span_learner"]

LONGEST = 500
"""The maximum number of pieces that a transformer reads at once."""


def check_recipe(recipe: Recipe) -> None:
    """Reject settings that the span network does not support."""
    sizes = recipe.section(SpanSettings)
    if recipe.model.system != NonBinary.name:
        raise RecipeError(
            f"the span network is for the {NonBinary.name} system, not {recipe.model.system}"
        )
    if sizes.lstm_layers and not sizes.lstm_dim:
        raise RecipeError("span.lstm_dim must be at least 1, unless span.lstm_layers is 0")
    inputs = (sizes.word_dim, sizes.character_dim, sizes.encoder, sizes.huggingface)
    if not (any(inputs) or recipe.data.vectors):
        raise RecipeError(
            "the span network has no input: "
            "set span.word_dim, span.character_dim, span.encoder or data.vectors"
        )
    if sizes.context not in CONTEXTS:
        raise RecipeError(
            f"span.context must be one of {', '.join(CONTEXTS)}, not {sizes.context!r}"
        )
    if sizes.encoder and sizes.huggingface:
        raise RecipeError("span.encoder and span.huggingface exclude each other: choose one")
    if sizes.encoder_mix and not sizes.encoder:
        raise RecipeError("span.encoder_mix is for Whorl's own encoders: set span.encoder")
    if recipe.training.export != "none" and CONTEXTS[sizes.context].graph is None:
        raise RecipeError(
            f"models with span.context={sizes.context} cannot be exported: set training.export=none"
        )


def prepare_learner(
    recipe: Recipe, folder: Path, listener: Listener, *, jobs: int = 1
) -> tuple[SpanLearner, Treebank]:
    """Make a learner with its training samples, and read the development set."""
    with paused_gc():
        learner, mix = span_learner(recipe, jobs=jobs)
    return learner, mix.dev


def span_learner(recipe: Recipe, *, jobs: int = 1) -> tuple[SpanLearner, Mix]:
    """Make the learner that a recipe describes, and return the treebanks that it was made from."""
    mix = read_mix(recipe, jobs=jobs)
    torch.manual_seed(recipe.training.seed)
    features, pieces = _transformer(recipe)
    longest = LONGEST if features is None else min(LONGEST, features.longest)
    vocabulary = _vocabulary(recipe, mix, pieces, longest)
    model = _network(recipe, vocabulary, features)
    learner = SpanLearner(
        model.to(recipe.training.device),
        vocabulary,
        recipe.training,
        mix.shares,
        [
            sample
            for trees in (mix.train, mix.substituted)
            if trees
            for sample in make_samples(vocabulary, trees)
        ],
        root=common_root(mix.train),
        convention=recipe.data.convention or None,
    )
    return learner, mix


def _vocabulary(recipe: Recipe, mix: Mix, pieces: Pieces | None, longest: int) -> SpanVocabulary:
    sizes, data, trees = recipe.section(SpanSettings), recipe.data, mix.train
    counts = trees.word_counts()
    words = vectors = characters = None
    if sizes.word_dim:
        words = Words.counted(counts, trees.word_counts(first=True), limit=sizes.word_limit)
    if data.vectors:
        vectors = Vectors.read(data.vectors, limit=sizes.vector_limit)
    if sizes.character_dim:
        characters = Characters.counted(counts)
    return SpanVocabulary(
        labels=sorted(trees.label_counts()),
        tags=Tags(sorted(trees.tag_counts())),
        treebanks=mix.names,
        words=words,
        vectors=vectors,
        characters=characters,
        pieces=pieces,
        longest=longest,
        lower_capitals=data.lower_capitals,
    )


def _network(
    recipe: Recipe, vocabulary: SpanVocabulary, features: PieceFeatures | None
) -> SpanNetwork:
    sizes, v = recipe.section(SpanSettings), vocabulary
    config = SpanConfig(
        labels=len(v.labels),
        tags=len(v.tags),
        treebanks=len(v.treebanks),
        words=0 if v.words is None else len(v.words),
        vectors=0 if v.vectors is None else len(v.vectors.table),
        characters=0 if v.characters is None else len(v.characters),
        word_dim=sizes.word_dim,
        vector_dim=0 if v.vectors is None else v.vectors.dimension,
        character_dim=sizes.character_dim,
        lstm_dim=sizes.lstm_dim,
        lstm_layers=sizes.lstm_layers,
        hidden_dim=sizes.hidden_dim,
        dropout=sizes.dropout,
        max_unary=MAX_UNARY,
        transformer=None if features is None else features.describe(),
        mixed=features is not None and features.mix is not None,
        context=sizes.context,
        given_tags=len(v.tags) if recipe.training.given_tags else 0,
    )
    model = SpanNetwork(config, features)
    if v.vectors is not None:
        model.set_vectors(v.vectors.table)
    return model


def _transformer(recipe: Recipe) -> tuple[PieceFeatures | None, Pieces | None]:
    """Load the transformer that a recipe names, and its pieces."""
    sizes = recipe.section(SpanSettings)
    if not sizes.encoder and not sizes.huggingface:
        return None, None
    from whorl.lexicon.word_pieces import Pieces

    if sizes.encoder:
        transformer = _load_encoder(Path(sizes.encoder))
        transformer.thin(layers=sizes.encoder_layers, every=sizes.encoder_every)
        features = PieceFeatures(transformer, mixed=sizes.encoder_mix)
        return features, Pieces.load(sizes.encoder)
    hub = HuggingFace.load(sizes.huggingface)
    tokenizer, start, end, unknown = HuggingFace.tokenizer(sizes.huggingface)
    return PieceFeatures(hub), Pieces(tokenizer, start=start, end=end, unknown=unknown)


def _load_encoder(folder: Path) -> Transformer:
    """Load the transformer of an encoder folder, or of a trained parser."""
    if not (folder / "model.json").exists():
        return Transformer.load(folder)
    pieces = SpanModel.load(folder).model.encoder.pieces
    if pieces is None or not isinstance(pieces.transformer, Transformer):
        raise RecipeError(f"span.encoder: the parser in {folder} has no transformer of Whorl's own")
    return pieces.transformer
