"""Encoders that a run starts from or learns from: their weights, pieces, and generator.

| file | contents |
| --- | --- |
| an encoder folder's files | see `whorl.transformer.folder` |
| `generator.safetensors` | in float16: the generator and the detection head of `Electra` |
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from whorl.errors import ModelError, RecipeError
from whorl.files import replace_atomically
from whorl.lexicon.word_pieces import Pieces
from whorl.pretraining.electra import Electra
from whorl.pretraining.recipe import CorpusSettings, PretrainingRecipe
from whorl.transformer.folder import read_encoder_description
from whorl.transformer.network import Transformer, TransformerConfig

__all__ = [
    "GENERATOR",
    "describe_sources",
    "load_start",
    "load_teacher",
    "save_generator",
    "shared_pieces",
    "start_sizes",
]

GENERATOR = "generator.safetensors"
_BLOCK = 1 << 20  # bytes
_SIZES = ("layers", "width", "heads", "feed_forward")


def shared_pieces(recipe: PretrainingRecipe) -> CorpusSettings:
    """Return the corpus settings with the tokenizer of the encoders that the run depends on."""
    data = recipe.data
    folders = [path for path in (recipe.model.start, recipe.distillation.teacher) if path]
    if not folders:
        return data
    first, *others = [*folders, *([data.tokenizer] if data.tokenizer else [])]
    expected = Pieces.load(first).tokenizer.to_str()
    for other in others:
        if Pieces.load(other).tokenizer.to_str() != expected:
            raise RecipeError(
                f"{other} has other word pieces than {first}: "
                "an encoder can only start or learn from one with the same tokenizer.json"
            )
    return replace(data, tokenizer=first)


def start_sizes(folder: str) -> dict[str, int]:
    """Return the recipe's settings for the sizes of an encoder."""
    config = read_encoder_description(Path(folder)).config
    return {f"model.{name}": int(config[name]) for name in _SIZES if name in config}


def load_start(folder: str, model: Electra, on_note: Callable[[str], None]) -> None:
    """Load the weights of an encoder of the same shape, and its generator if it has one."""
    start = Transformer.load(folder)
    _check_shape(folder, start.config, model.encoder.config)
    model.encoder.load_state_dict(start.state_dict())
    path = Path(folder) / GENERATOR
    if not path.exists():
        on_note(f"{folder} has no {GENERATOR}: the generator starts from random weights")
        return
    weights = _read_generator(path)
    expected = _generator_state(model)
    for name in sorted(expected.keys() | weights.keys()):
        shape, wanted = (
            tuple(state[name].shape) if name in state else "none" for state in (weights, expected)
        )
        if shape != wanted:
            raise RecipeError(
                f"{path}: {name} has the shape {shape}, the recipe's generator {wanted}: "
                "set model.generator_layers and model.generator_width as for that generator"
            )
    model.load_state_dict({**model.state_dict(), **weights})


def load_teacher(folder: str, vocabulary: int) -> Transformer:
    """Load the encoder to learn from, which must know the same word pieces."""
    teacher = Transformer.load(folder)
    if teacher.config.vocabulary != vocabulary:
        raise ModelError(
            f"{folder} has {teacher.config.vocabulary} word pieces in its weights and "
            f"{vocabulary} in its tokenizer.json"
        )
    return teacher


def save_generator(folder: Path, model: Electra) -> None:
    """Write the generator and the detection head, from which a later run can continue."""
    tensors = {
        name: tensor.detach().half().cpu().contiguous()
        for name, tensor in _generator_state(model).items()
    }
    with replace_atomically(folder / GENERATOR) as partial:
        partial.write_bytes(save(tensors, metadata={"format": "pt"}))


def describe_sources(recipe: PretrainingRecipe) -> dict[str, dict[str, str]]:
    """Return the encoders that the run depends on, by what they are to it."""
    sources = {"start": recipe.model.start, "teacher": recipe.distillation.teacher}
    return {
        role: {"name": Path(folder).resolve().name, "weights": _digest(Path(folder))}
        for role, folder in sources.items()
        if folder
    }


def _check_shape(folder: str, found: TransformerConfig, wanted: TransformerConfig) -> None:
    if found.vocabulary != wanted.vocabulary:
        raise ModelError(
            f"{folder} has {found.vocabulary} word pieces in its weights and "
            f"{wanted.vocabulary} in its tokenizer.json"
        )
    different = [name for name in _SIZES if getattr(found, name) != getattr(wanted, name)]
    if different:
        sizes = ", ".join(f"{name} {getattr(found, name)}" for name in different)
        recipe = ", ".join(f"{name} {getattr(wanted, name)}" for name in different)
        raise RecipeError(f"{folder} has {sizes}; the recipe has {recipe}: they must be the same")
    if found != wanted:
        raise ModelError(f"{folder} has other rotary positions than the encoder: {found}")


def _read_generator(path: Path) -> dict[str, Tensor]:
    try:
        return {name: tensor.float() for name, tensor in load_file(path).items()}
    except (OSError, SafetensorError, RuntimeError, ValueError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error


def _generator_state(model: Electra) -> dict[str, Tensor]:
    """Return the weights that belong neither to the encoder nor to a distillation."""
    with torch.no_grad():
        return {
            name: tensor
            for name, tensor in model.state_dict().items()
            if name.startswith(("generator.", "dense.", "out."))
        }


def _digest(folder: Path) -> str:
    """Return a name for the content of an encoder's weights."""
    digest = hashlib.sha256()
    with read_encoder_description(folder).weights.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()[:12]
