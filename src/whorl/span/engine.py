"""The span network ready to parse: in PyTorch or, once exported, in ONNX Runtime."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whorl.constraints import Grammar, Plan
from whorl.engine import Calibration, Parse
from whorl.engine.device import check_device
from whorl.errors import ModelError
from whorl.model_folder.description import read_description
from whorl.span.decoding.derivation import Derivation
from whorl.span.onnx_backend.batches import ExportedVocabulary
from whorl.span.parsing import Backend, parse_nbest
from whorl.span.vocabulary import SpanVocabulary
from whorl.trees import Leaf, Tree, add_root

if TYPE_CHECKING:
    from whorl.span.folder import SpanModel

__all__ = ["SpanEngine", "load_engine", "load_exported", "load_trained"]


class SpanEngine:
    """Parses and tags words; tags that come with them are kept."""

    def __init__(
        self,
        backend: Backend[Any],
        vocabulary: SpanVocabulary | ExportedVocabulary,
        *,
        max_unary: int,
        root: str | None,
        convention: str | None,
        calibration: Calibration | None = None,
    ) -> None:
        self._backend = backend
        self._vocabulary = vocabulary
        self._max_unary = max_unary
        self._root = root
        self._treebank = vocabulary.treebank_number(convention)
        self._calibration = calibration
        self.keeps_arities = calibration is not None and calibration.needs_arities
        """Whether parses have `arities`, which calibrated probabilities may depend on."""

    def grammar(self) -> Grammar:
        """See `whorl.engine.protocol.Engine`."""
        return Grammar(tuple(self._vocabulary.labels), self._root, self._max_unary)

    def parse_nbest(
        self,
        sentences: Sequence[Sequence[str] | Sequence[Leaf]],
        *,
        beam: int,
        n_best: int,
        plans: Sequence[Plan | None] | None = None,
    ) -> list[list[Parse]]:
        """See `whorl.engine.protocol.Engine`."""
        nbest = self.derivations(sentences, beam=beam, n_best=n_best, plans=plans)
        return [[self._parse(*pair) for pair in pairs] for pairs in nbest]

    def _parse(self, tree: Tree, derivation: Derivation) -> Parse:
        rooted = tree if self._root is None else add_root(tree, self._root)
        scores = array("f", derivation.scores)
        arities = None
        if derivation.arities is not None:
            arities = array("f", derivation.arities.tobytes())
        return Parse(rooted, derivation.score, scores, self._calibration, arities)

    def derivations(
        self,
        sentences: Sequence[Sequence[str] | Sequence[Leaf]],
        *,
        beam: int,
        n_best: int,
        plans: Sequence[Plan | None] | None = None,
    ) -> list[list[tuple[Tree, Derivation]]]:
        """Return the best trees of each sentence, without the root, with their derivations."""
        words = [
            [token.word if isinstance(token, Leaf) else token for token in sentence]
            for sentence in sentences
        ]
        tags = [
            [token.tag for token in sentence if isinstance(token, Leaf)] for sentence in sentences
        ]
        return parse_nbest(
            self._backend,
            self._vocabulary,
            words,
            tags=tags,
            treebanks=[self._treebank] * len(sentences),
            max_unary=self._max_unary,
            beam=beam,
            n_best=n_best,
            arities=self.keeps_arities,
            plans=plans,
        )


def load_exported(
    folder: str | Path, convention: str | None, calibration: Calibration | None = None
) -> SpanEngine:
    """Load an exported model, in ONNX Runtime and NumPy."""
    from whorl.span.onnx_backend.model import ExportedModel

    model = ExportedModel.load(folder)
    return SpanEngine(
        model.backend,
        model.vocabulary,
        max_unary=model.config.max_unary,
        root=model.root,
        convention=convention or model.convention,
        calibration=calibration,
    )


def load_trained(
    folders: Sequence[str | Path],
    device: str,
    convention: str | None,
    calibration: Calibration | None = None,
) -> SpanEngine:
    """Load a model in PyTorch, or average several, trained by one recipe with different seeds."""
    check_device(device)
    from whorl.span.torch_backend import TorchBackend

    models = [_load_model(folder, device) for folder in folders]
    first, *others = models
    for folder, other in zip(folders[1:], others, strict=True):
        if other.vocabulary.to_dict() != first.vocabulary.to_dict():
            raise ModelError(
                f"{folder} and {folders[0]} cannot be averaged: they number words or labels"
                " differently"
            )
    return SpanEngine(
        TorchBackend(*(model.model for model in models)),
        first.vocabulary,
        max_unary=first.model.config.max_unary,
        root=first.root,
        convention=convention or first.convention,
        calibration=calibration,
    )


def _load_model(folder: str | Path, device: str) -> SpanModel:
    """Load a model in PyTorch, from its trained weights or else from those of its export."""
    if "weights" in read_description(Path(folder), "span"):
        from whorl.span import folder as model_folder

        return model_folder.SpanModel.load(folder, device=device)
    try:
        from whorl.span.restore import restore
    except ImportError as error:
        raise ModelError(
            f"an exported model needs PyTorch and onnx to run on {device}:"
            " pip install 'whorl[train]'"
        ) from error
    return restore(folder, device=device)


def load_engine(
    folder: str | Path, description: dict[str, Any], device: str, convention: str | None
) -> SpanEngine:
    """Load the model of a folder whose `model.json` has been read.

    On a CPU, exported models run without PyTorch if ONNX Runtime is installed.
    """
    weights = description.get("calibration")
    calibration = None if weights is None else Calibration.from_dict(weights)
    if device == "cpu" and description.get("runtime") and find_spec("onnxruntime") is not None:
        return load_exported(folder, convention, calibration)
    return load_trained([folder], device, convention, calibration)
