"""The `span` network ready to parse, in PyTorch or, once exported, without."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whorl.data.span_encoder import SpanEncoder
from whorl.decoding.span_parse import Reader, parse_ways
from whorl.decoding.spans import Followed
from whorl.description import read_description
from whorl.documents import Calibration, Parse
from whorl.errors import ModelError
from whorl.runtime.batch import RuntimeEncoder
from whorl.trees import Leaf, Tree, add_root

if TYPE_CHECKING:
    from whorl.bundle import SpanBundle

__all__ = ["SpanEngine", "exported", "loaded", "trained"]


class SpanEngine:
    """Tags words itself; tags that are given are kept."""

    def __init__(
        self,
        reader: Reader[Any],
        encoder: SpanEncoder | RuntimeEncoder,
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

    def parses(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], *, beam: int, n_best: int
    ) -> list[list[Parse]]:
        """See `whorl.batches.Network`."""
        return [[self._parse(*way) for way in ways] for ways in self.ways(sentences, beam, n_best)]

    def _parse(self, tree: Tree, way: Followed) -> Parse:
        rooted = tree if self._root is None else add_root(tree, self._root)
        return Parse(rooted, way.score, array("f", way.scores), self._calibration)

    def scored(self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int) -> list[tuple[Tree, Followed]]:
        """Trees, without their root, with the steps that built them and the log-probability of each."""
        return [best for best, *_ in self.ways(sentences, beam, 1)]

    def ways(
        self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int, n_best: int
    ) -> list[list[tuple[Tree, Followed]]]:
        """The same of the best so many trees."""
        return parse_ways(
            self._reader,
            self._encoder,
            [[token.word if isinstance(token, Leaf) else token for token in sentence] for sentence in sentences],
            tags=[[token.tag for token in sentence if isinstance(token, Leaf)] for sentence in sentences],
            treebanks=[self._treebank] * len(sentences),
            max_unary=self._max_unary,
            beam=beam,
            n_best=n_best,
        )


def exported(folder: str | Path, convention: str | None, calibration: Calibration | None = None) -> SpanEngine:
    """An exported model, in ONNX Runtime and NumPy."""
    from whorl.runtime.model import RuntimeModel  # noqa: PLC0415 - the one or the other

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
    folders: Sequence[str | Path], device: str, convention: str | None, calibration: Calibration | None = None
) -> SpanEngine:
    """A model in PyTorch; several that one recipe gave with different seeds are averaged."""
    from whorl.decoding.span_network import NetworkReader  # noqa: PLC0415 - the one or the other
    from whorl.engines.device import check_device  # noqa: PLC0415 - likewise

    check_device(device)
    bundles = [_bundle(folder, device) for folder in folders]
    first, *others = bundles
    for folder, bundle in zip(folders[1:], others, strict=True):
        if bundle.encoder.to_dict() != first.encoder.to_dict():
            raise ModelError(f"{folder} and {folders[0]} cannot be averaged: they number words or labels differently")
    return SpanEngine(
        NetworkReader(*(bundle.model for bundle in bundles)),
        first.encoder,
        max_unary=first.model.config.max_unary,
        root=first.root,
        convention=convention or first.convention,
        calibration=calibration,
    )


def _bundle(folder: str | Path, device: str) -> SpanBundle:
    """A model in PyTorch, of its own weights or, where there are none, of those of its export."""
    if "weights" in read_description(Path(folder), "span"):
        from whorl import bundle  # noqa: PLC0415 - only what is needed

        return bundle.SpanBundle.load(folder, device=device)
    try:
        from whorl.bundle.restore import restore  # noqa: PLC0415 - likewise
    except ImportError as error:
        message = f"an exported model needs PyTorch and onnx to run on {device}: pip install 'whorl[train]'"
        raise ModelError(message) from error
    return restore(folder, device=device)


def loaded(folder: str | Path, saved: dict[str, Any], device: str, convention: str | None) -> SpanEngine:
    """The model of a folder whose description has been read.

    On a CPU, a model that was exported runs without PyTorch where ONNX Runtime is installed.
    """
    weights = saved.get("calibration")
    calibration = None if weights is None else Calibration.from_dict(weights)
    if device == "cpu" and saved.get("runtime") and find_spec("onnxruntime") is not None:
        return exported(folder, convention, calibration)
    return trained([folder], device, convention, calibration)
