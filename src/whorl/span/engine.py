"""The `span` network ready to parse, in PyTorch or, once exported, without."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whorl.engine import Calibration, Parse
from whorl.engine.device import check_device
from whorl.errors import ModelError
from whorl.model_folder.description import read_description
from whorl.span.decoding import Reader, parse_nbest
from whorl.span.greedy import Derivation
from whorl.span.onnx_backend.batches import RuntimeVocabulary
from whorl.span.vocabulary import SpanVocabulary
from whorl.trees import Leaf, Tree, add_root

if TYPE_CHECKING:
    from whorl.span.folder import SpanModel

__all__ = ["SpanEngine", "exported", "load_engine", "trained"]


class SpanEngine:
    """Tags words itself; tags that are given are kept."""

    def __init__(
        self,
        reader: Reader[Any],
        encoder: SpanVocabulary | RuntimeVocabulary,
        *,
        max_unary: int,
        root: str | None,
        convention: str | None,
        calibration: Calibration | None = None,
    ) -> None:
        self._root = root
        self._calibration = calibration
        self._reader = reader
        self._encoder = encoder
        self._max_unary = max_unary
        self._treebank = encoder.treebank(convention)

    def parse_nbest(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], *, beam: int, n_best: int
    ) -> list[list[Parse]]:
        """See `whorl.engine.protocol.Engine`."""
        return [[self._parse(*way) for way in ways] for ways in self.ways(sentences, beam, n_best)]

    def _parse(self, tree: Tree, way: Derivation) -> Parse:
        rooted = tree if self._root is None else add_root(tree, self._root)
        return Parse(rooted, way.score, array("f", way.scores), self._calibration)

    def scored(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int
    ) -> list[tuple[Tree, Derivation]]:
        """Trees, without their root, with the steps that built them and the log-probability of each."""
        return [best for best, *_ in self.ways(sentences, beam, 1)]

    def ways(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int, n_best: int
    ) -> list[list[tuple[Tree, Derivation]]]:
        """The same of the best so many trees."""
        return parse_nbest(
            self._reader,
            self._encoder,
            [
                [token.word if isinstance(token, Leaf) else token for token in sentence]
                for sentence in sentences
            ],
            tags=[
                [token.tag for token in sentence if isinstance(token, Leaf)]
                for sentence in sentences
            ],
            treebanks=[self._treebank] * len(sentences),
            max_unary=self._max_unary,
            beam=beam,
            n_best=n_best,
        )


def exported(
    folder: str | Path, convention: str | None, calibration: Calibration | None = None
) -> SpanEngine:
    """An exported model, in ONNX Runtime and NumPy."""
    from whorl.span.onnx_backend.model import RuntimeModel

    model = RuntimeModel.load(folder)
    return SpanEngine(
        model.reader,
        model.encoder,
        max_unary=model.max_unary,
        root=model.root,
        convention=convention or model.convention,
        calibration=calibration,
    )


def trained(
    folders: Sequence[str | Path],
    device: str,
    convention: str | None,
    calibration: Calibration | None = None,
) -> SpanEngine:
    """A model in PyTorch; several that one recipe gave with different seeds are averaged."""
    check_device(device)
    from whorl.span.torch_backend import NetworkReader

    bundles = [_bundle(folder, device) for folder in folders]
    first, *others = bundles
    for folder, bundle in zip(folders[1:], others, strict=True):
        if bundle.encoder.to_dict() != first.encoder.to_dict():
            raise ModelError(
                f"{folder} and {folders[0]} cannot be averaged: they number words or labels differently"
            )
    return SpanEngine(
        NetworkReader(*(bundle.model for bundle in bundles)),
        first.encoder,
        max_unary=first.model.config.max_unary,
        root=first.root,
        convention=convention or first.convention,
        calibration=calibration,
    )


def _bundle(folder: str | Path, device: str) -> SpanModel:
    """A model in PyTorch, of its own weights or, where there are none, of those of its export."""
    if "weights" in read_description(Path(folder), "span"):
        from whorl.span import folder as model_folder

        return model_folder.SpanModel.load(folder, device=device)
    try:
        from whorl.span.restore import restore
    except ImportError as error:
        message = f"an exported model needs PyTorch and onnx to run on {device}: pip install 'whorl[train]'"
        raise ModelError(message) from error
    return restore(folder, device=device)


def load_engine(
    folder: str | Path, saved: dict[str, Any], device: str, convention: str | None
) -> SpanEngine:
    """The model of a folder whose description has been read.

    On a CPU, a model that was exported runs without PyTorch where ONNX Runtime is installed.
    """
    weights = saved.get("calibration")
    calibration = None if weights is None else Calibration.from_dict(weights)
    if device == "cpu" and saved.get("runtime") and find_spec("onnxruntime") is not None:
        return exported(folder, convention, calibration)
    return trained([folder], device, convention, calibration)
