"""The model folder of a `span` parser."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from whorl.bundle.folder import FORMAT, load_tensors, part, read_description, remove_others, save_tensors
from whorl.data.characters import Characters
from whorl.data.encoder import Tags
from whorl.data.span_encoder import SpanEncoder
from whorl.data.vectors import Vectors
from whorl.data.words import Words
from whorl.errors import ModelError
from whorl.files import replaced, write_json
from whorl.models.span import SpanConfig, SpanNetwork

__all__ = ["SpanBundle"]

KIND = "span"
_TOKENIZER = "tokenizer.json"
_VECTORS = "encoder.features.vector.weight"


@dataclass(slots=True)
class SpanBundle:
    """A trained model: the network, its encoder, and what it was made from."""

    model: SpanNetwork
    encoder: SpanEncoder
    root: str | None = None
    """The root label that output trees get, where the treebank's have one."""
    convention: str | None = None
    """The treebank whose way of annotating is followed unless told otherwise."""
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path) -> None:
        """Write the folder; an older model in it is replaced."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"parser.{name}": tensor for name, tensor in self.model.state_dict().items()}
        weights = save_tensors(folder, "weights", tensors)
        encoder = self.encoder
        pieces = encoder.pieces
        if pieces is not None:
            with replaced(folder / _TOKENIZER) as partial:
                partial.write_text(pieces.tokenizer.to_str(), encoding="utf-8")
        write_json(
            folder / "model.json",
            {
                "format": FORMAT,
                "kind": KIND,
                "weights": weights,
                "card": self.card,
                "root": self.root,
                "convention": self.convention,
                "config": asdict(self.model.config),
                "system": "nonbinary",
                "labels": encoder.labels,
                "tags": encoder.tags.tags,
                "treebanks": encoder.treebanks,
                "words": None if encoder.words is None else encoder.words.words,
                "vectors": None if encoder.vectors is None else encoder.vectors.words,
                "characters": None if encoder.characters is None else encoder.characters.characters,
                "pieces": None if pieces is None else [pieces.start, pieces.end, pieces.unknown],
                "longest": encoder.longest,
            },
        )
        remove_others(folder, "weights", weights)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> SpanBundle:
        """Read a model folder; `ModelError` says what is wrong with one that cannot be read."""
        folder = Path(folder)
        saved = read_description(folder, KIND)
        tensors = part(load_tensors(folder / saved["weights"]), "parser.")
        try:
            model = SpanNetwork(SpanConfig(**saved["config"]))
            model.load_state_dict(tensors)
            encoder = _encoder(folder, saved, tensors)
        except (KeyError, TypeError, RuntimeError) as error:
            raise ModelError(f"{folder}: the model does not fit its description: {error}") from error
        return cls(model.to(device).eval(), encoder, saved["root"], saved["convention"], saved["card"])


def _encoder(folder: Path, saved: dict[str, Any], tensors: dict[str, torch.Tensor]) -> SpanEncoder:
    vectors = None if saved["vectors"] is None else Vectors(saved["vectors"], tensors[_VECTORS].numpy())
    pieces = None
    if saved["pieces"] is not None:
        from whorl.data.pieces import Pieces  # noqa: PLC0415 - it needs a library that not every model does

        start, end, unknown = saved["pieces"]
        pieces = Pieces.read(folder / _TOKENIZER, start=start, end=end, unknown=unknown)
    return SpanEncoder(
        labels=saved["labels"],
        tags=Tags(saved["tags"]),
        treebanks=saved["treebanks"],
        words=None if saved["words"] is None else Words(saved["words"]),
        vectors=vectors,
        characters=None if saved["characters"] is None else Characters(saved["characters"]),
        pieces=pieces,
        longest=saved["longest"],
    )
