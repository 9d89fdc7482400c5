"""The model folder of a trained span network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.files import replace_atomically
from whorl.model_folder.description import read_description
from whorl.model_folder.tensors import load_network, load_tensors, with_prefix
from whorl.model_folder.trained import write_trained_model
from whorl.span.config import SpanConfig
from whorl.span.network import SpanNetwork
from whorl.span.vocabulary import TOKENIZER, SpanVocabulary

__all__ = ["SpanModel"]

KIND = "span"
_VECTORS = "encoder.features.vector.weight"


@dataclass(slots=True)
class SpanModel:
    """A trained model: the network, its vocabulary, and how it was made."""

    model: SpanNetwork
    vocabulary: SpanVocabulary
    root: str | None = None
    """The root label of output trees, if the treebank's trees have one."""
    convention: str | None = None
    """The treebank whose annotation is followed by default."""
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path) -> None:
        """Write the folder; a model in it is replaced."""
        folder = Path(folder)
        tokenizer = self.vocabulary.tokenizer_json()
        if tokenizer is not None:
            folder.mkdir(parents=True, exist_ok=True)
            with replace_atomically(folder / TOKENIZER) as partial:
                partial.write_text(tokenizer, encoding="utf-8")
        write_trained_model(
            folder,
            KIND,
            {f"parser.{name}": tensor for name, tensor in self.model.state_dict().items()},
            {
                "card": self.card,
                "root": self.root,
                "convention": self.convention,
                "config": self.model.config.to_dict(),
                "system": "nonbinary",
                **self.vocabulary.to_dict(),
            },
        )

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> SpanModel:
        """Read a model folder; `ModelError` says which file is wrong, and how."""
        folder = Path(folder)
        description = read_description(folder, KIND)
        if "weights" not in description:
            raise ModelError(
                f"{folder} holds only an exported model: it can parse, but cannot be trained or"
                " exported again"
            )
        path = folder / description["weights"]
        tensors = with_prefix(load_tensors(path), "parser.")
        try:
            config = SpanConfig(**description["config"])
            model = load_network(lambda: SpanNetwork(config), tensors, path)
            vectors = tensors[_VECTORS].numpy() if _VECTORS in tensors else None
            vocabulary = _read_vocabulary(folder, description, vectors)
        except (TypeError, ValueError) as error:
            raise ModelError(f"{folder / 'model.json'} does not fit the model: {error}") from error
        saved = (description[name] for name in ("root", "convention", "card"))
        return cls(model.to(device).eval(), vocabulary, *saved)


def _read_vocabulary(folder: Path, description: dict[str, Any], vectors: Any) -> SpanVocabulary:
    pieces = None
    if description["pieces"] is not None:
        from whorl.lexicon.word_pieces import Pieces

        start, end, unknown = description["pieces"]
        pieces = Pieces.read(folder / TOKENIZER, start=start, end=end, unknown=unknown)
    return SpanVocabulary.from_dict(description, pieces=pieces, vectors=vectors)
