"""The model folder of a `span` parser."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.files import replaced, write_json
from whorl.model_folder.description import FORMAT, read_description
from whorl.model_folder.tensors import (
    load_network,
    load_tensors,
    remove_others,
    save_tensors,
    with_prefix,
)
from whorl.span.network import SpanConfig, SpanNetwork
from whorl.span.vocabulary import TOKENIZER, SpanVocabulary

__all__ = ["SpanModel"]

KIND = "span"
_VECTORS = "encoder.features.vector.weight"


@dataclass(slots=True)
class SpanModel:
    """A trained model: the network, its encoder, and what it was made from."""

    model: SpanNetwork
    encoder: SpanVocabulary
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
            with replaced(folder / TOKENIZER) as partial:
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
                **encoder.to_dict(),
            },
        )
        remove_others(folder, "weights", weights)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> SpanModel:
        """Read a model folder; `ModelError` says what is wrong with one that cannot be read."""
        folder = Path(folder)
        saved = read_description(folder, KIND)
        if "weights" not in saved:
            raise ModelError(
                f"{folder} holds an exported model alone: it can parse, but not be trained or exported again"
            )
        path = folder / saved["weights"]
        tensors = with_prefix(load_tensors(path), "parser.")
        model = load_network(lambda: SpanNetwork(SpanConfig(**saved["config"])), tensors, path)
        try:
            vectors = tensors[_VECTORS].numpy() if _VECTORS in tensors else None
            encoder = SpanVocabulary.from_dict(saved, folder, vectors)
        except (KeyError, TypeError, RuntimeError) as error:
            raise ModelError(
                f"{folder}: the model does not fit its description: {error}"
            ) from error
        return cls(
            model.to(device).eval(), encoder, saved["root"], saved["convention"], saved["card"]
        )
