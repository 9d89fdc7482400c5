"""The model folder of a stack-LSTM parser."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from whorl.errors import ModelError, TransitionError
from whorl.files import write_json
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.model_folder.description import FORMAT, read_description
from whorl.model_folder.tensors import (
    load_network,
    load_tensors,
    remove_others,
    save_tensors,
    with_prefix,
)
from whorl.stack_lstm.network import StackLSTM, StackLSTMConfig
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary, Symbols
from whorl.transitions import Inventory, make_system

__all__ = ["StackLSTMModel"]

KIND = "stack-lstm"


@dataclass(slots=True)
class StackLSTMModel:
    """A trained model: the network, its encoder, the tagger's part if it has one, and what it was made from."""

    model: StackLSTM
    encoder: StackLSTMVocabulary
    tagger: tuple[dict[str, object], dict[str, torch.Tensor]] | None = None
    root: str | None = None
    """The root label that output trees get, where the treebank's have one."""
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path) -> None:
        """Write the folder; an older model in it is replaced."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"parser.{name}": tensor for name, tensor in self.model.state_dict().items()}
        if self.tagger is not None:
            tensors |= {f"tagger.{name}": tensor for name, tensor in self.tagger[1].items()}
        weights = save_tensors(folder, "weights", tensors)
        encoder = self.encoder
        write_json(
            folder / "model.json",
            {
                "format": FORMAT,
                "kind": KIND,
                "weights": weights,
                "card": self.card,
                "root": self.root,
                "config": asdict(self.model.config),
                "system": encoder.inventory.system.name,
                "transitions": encoder.inventory.to_list(),
                "symbols": encoder.symbols.symbols,
                "tags": encoder.tags.tags,
                "words": encoder.words.words,
                "vectors": encoder.vectors.words,
                "tagger": None if self.tagger is None else self.tagger[0],
            },
        )
        remove_others(folder, "weights", weights)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> StackLSTMModel:
        """Read a model folder; `ModelError` says what is wrong with one that cannot be read."""
        folder = Path(folder)
        saved = read_description(folder, KIND)
        path = folder / saved["weights"]
        tensors = load_tensors(path)
        model = load_network(
            lambda: StackLSTM(StackLSTMConfig(**saved["config"])),
            with_prefix(tensors, "parser."),
            path,
        )
        try:
            table = model.vector.weight.detach().numpy().astype(np.float32)
            inventory = Inventory.from_list(make_system(saved["system"]), saved["transitions"])
            symbols = Symbols(saved["symbols"], arity=saved["system"] == "nonbinary")
            encoder = StackLSTMVocabulary(
                Words(saved["words"]),
                Tags(saved["tags"]),
                Vectors(saved["vectors"], table),
                symbols,
                inventory,
            )
        except TransitionError as error:
            raise ModelError(
                f"{folder}: the model does not fit its description: {error}"
            ) from error
        tagger = (
            None if saved["tagger"] is None else (saved["tagger"], with_prefix(tensors, "tagger."))
        )
        return cls(model.to(device).eval(), encoder, tagger, saved["root"], saved["card"])
