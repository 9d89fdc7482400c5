"""The `span` network ready to parse, in PyTorch or, once exported, without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from whorl.data.span_encoder import SpanEncoder
from whorl.decoding.span_parse import Reader, parse_spans
from whorl.trees import Leaf, Tree

__all__ = ["SpanEngine", "exported", "trained"]


class SpanEngine:
    """Tags words itself; tags that are given are kept."""

    def __init__(
        self, reader: Reader, encoder: SpanEncoder, *, max_unary: int, root: str | None, convention: str | None
    ) -> None:
        self.root = root
        self._reader = reader
        self._encoder = encoder
        self._max_unary = max_unary
        self._treebank = encoder.treebank(convention)

    def trees(self, sentences: Sequence[Sequence[str] | Sequence[Leaf]], beam: int) -> list[Tree]:
        """See `whorl.parser.Network`."""
        parsed = parse_spans(
            self._reader,
            self._encoder,
            [[token.word if isinstance(token, Leaf) else token for token in sentence] for sentence in sentences],
            tags=[[token.tag for token in sentence if isinstance(token, Leaf)] for sentence in sentences],
            treebanks=[self._treebank] * len(sentences),
            max_unary=self._max_unary,
            beam=beam,
        )
        return [tree for tree, _ in parsed]


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


def trained(folder: str | Path, device: str, convention: str | None) -> SpanEngine:
    """A model in PyTorch."""
    from whorl.bundle import SpanBundle  # noqa: PLC0415 - the one or the other
    from whorl.decoding.span_network import NetworkReader  # noqa: PLC0415 - likewise

    bundle = SpanBundle.load(folder, device=device)
    return SpanEngine(
        NetworkReader(bundle.model),
        bundle.encoder,
        max_unary=bundle.model.config.max_unary,
        root=bundle.root,
        convention=convention or bundle.convention,
    )
