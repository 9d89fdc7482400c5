"""The `span` network ready to parse, in PyTorch or, once exported, without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from whorl.data.span_encoder import SpanEncoder
from whorl.decoding.span_ensemble import EnsembleReader
from whorl.decoding.span_parse import Reader, parse_spans
from whorl.decoding.spans import Followed
from whorl.errors import ModelError
from whorl.runtime.batch import RuntimeEncoder
from whorl.trees import Leaf, Tree

__all__ = ["SpanEngine", "exported", "trained"]


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
    ) -> None:
        self.root = root
        self._reader = reader
        self._encoder = encoder
        self._max_unary = max_unary
        self._treebank = encoder.treebank(convention)

    def trees(self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int) -> list[Tree]:
        """See `whorl.parser.Network`."""
        return [tree for tree, _ in self.scored(sentences, beam)]

    def scored(self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int) -> list[tuple[Tree, Followed]]:
        """Trees with the steps that built them and the log-probability of each."""
        return parse_spans(
            self._reader,
            self._encoder,
            [[token.word if isinstance(token, Leaf) else token for token in sentence] for sentence in sentences],
            tags=[[token.tag for token in sentence if isinstance(token, Leaf)] for sentence in sentences],
            treebanks=[self._treebank] * len(sentences),
            max_unary=self._max_unary,
            beam=beam,
        )


def exported(folder: str | Path, convention: str | None) -> SpanEngine:
    """An exported model, in ONNX Runtime and NumPy."""
    from whorl.runtime.model import RuntimeModel  # noqa: PLC0415 - the one or the other

    model = RuntimeModel.load(folder)
    return SpanEngine(
        model.reader,
        model.encoder,
        max_unary=model.max_unary,
        root=model.root,
        convention=convention or model.convention,
    )


def trained(folders: Sequence[str | Path], device: str, convention: str | None) -> SpanEngine:
    """A model in PyTorch; several that one recipe gave with different seeds are averaged."""
    from whorl.bundle import SpanBundle  # noqa: PLC0415 - the one or the other
    from whorl.decoding.span_network import NetworkReader  # noqa: PLC0415 - likewise

    bundles = [SpanBundle.load(folder, device=device) for folder in folders]
    first, *others = bundles
    for folder, bundle in zip(folders[1:], others, strict=True):
        if bundle.encoder.to_dict() != first.encoder.to_dict():
            raise ModelError(f"{folder} and {folders[0]} cannot be averaged: they number words or labels differently")
    readers = [NetworkReader(bundle.model) for bundle in bundles]
    return SpanEngine(
        readers[0] if len(readers) == 1 else EnsembleReader(readers),
        first.encoder,
        max_unary=first.model.config.max_unary,
        root=first.root,
        convention=convention or first.convention,
    )
