"""The model folder of a stack-LSTM parser."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from whorl.errors import ModelError, TransitionError
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.model_folder.description import read_description
from whorl.model_folder.tensors import (
    load_network,
    load_tensors,
    with_prefix,
)
from whorl.model_folder.trained import write_trained_model
from whorl.stack_lstm.network import StackLSTM, StackLSTMConfig
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary, Symbols
from whorl.transitions import Inventory, make_system

__all__ = ["StackLSTMModel"]

KIND = "stack-lstm"


@dataclass(slots=True)
class StackLSTMModel:
    """A trained model: network, vocabulary, the tagger's state if it has one, and its card."""

    network: StackLSTM
    vocabulary: StackLSTMVocabulary
    tagger: tuple[dict[str, object], dict[str, torch.Tensor]] | None = None
    root: str | None = None
    """The root label of the treebank's trees, which output trees get too."""
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path) -> None:
        """Write the folder, replacing an older model in it."""
        tensors = {f"parser.{name}": tensor for name, tensor in self.network.state_dict().items()}
        if self.tagger is not None:
            tensors |= {f"tagger.{name}": tensor for name, tensor in self.tagger[1].items()}
        vocabulary = self.vocabulary
        description = {
            "card": self.card,
            "root": self.root,
            "config": asdict(self.network.config),
            "system": vocabulary.inventory.system.name,
            "transitions": vocabulary.inventory.to_list(),
            "symbols": vocabulary.symbols.symbols,
            "tags": vocabulary.tags.tags,
            "words": vocabulary.words.words,
            "vectors": vocabulary.vectors.words,
            "tagger": None if self.tagger is None else self.tagger[0],
        }
        write_trained_model(Path(folder), KIND, tensors, description)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> StackLSTMModel:
        """Read a model folder; `ModelError` says what is wrong with it."""
        folder = Path(folder)
        saved = read_description(folder, KIND)
        path = folder / saved["weights"]
        tensors = load_tensors(path)
        network = load_network(
            lambda: StackLSTM(StackLSTMConfig(**saved["config"])),
            with_prefix(tensors, "parser."),
            path,
        )
        table = network.vector.weight.detach().numpy().astype(np.float32)
        system = make_system(saved["system"])
        try:
            inventory = Inventory.from_list(system, saved["transitions"])
        except TransitionError as error:
            raise ModelError(
                f"{folder}: the model does not fit its description: {error}"
            ) from error
        vocabulary = StackLSTMVocabulary(
            Words(saved["words"]),
            Tags(saved["tags"]),
            Vectors(saved["vectors"], table),
            Symbols(saved["symbols"], arity=system.labels_carry_arity),
            inventory,
        )
        tagger = None
        if saved["tagger"] is not None:
            tagger = saved["tagger"], with_prefix(tensors, "tagger.")
        return cls(network.to(device).eval(), vocabulary, tagger, saved["root"], saved["card"])
