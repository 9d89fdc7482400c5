"""A transformer of the `transformers` library as its own graph: from pieces to their vectors."""

from __future__ import annotations

import io
import logging
import warnings

import torch
from torch import Tensor, nn

from whorl.span.encoders.pieces import HuggingFace

__all__ = ["transformer_graph"]

_OPSET = 17
_AXES = {"pieces": {0: "chunks", 1: "pieces"}, "chunks": {0: "chunks"}, "vectors": {0: "rows"}}


class _Flat(nn.Module):
    """The vectors of all pieces of all chunks: (rows, width)."""

    def __init__(self, transformer: HuggingFace) -> None:
        super().__init__()
        self.transformer = transformer

    def forward(self, pieces: Tensor, chunks: Tensor) -> Tensor:
        mask = torch.arange(pieces.shape[1]) < chunks[:, None]
        vectors: Tensor = self.transformer(pieces, mask)
        return vectors.flatten(0, 1)


def transformer_graph(transformer: HuggingFace) -> bytes:
    """Trace the transformer with an example of two chunks, in float32."""
    example = (torch.ones(2, 5, dtype=torch.long), torch.tensor([5, 3]))
    buffer = io.BytesIO()
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")  # that the exporter is deprecated and traces shapes
            torch.onnx.export(
                _Flat(transformer).eval(),
                example,
                buffer,  # type: ignore[arg-type] # file objects are accepted too
                input_names=["pieces", "chunks"],
                output_names=["vectors"],
                dynamic_axes=_AXES,
                opset_version=_OPSET,
                dynamo=False,  # the newer exporter needs another library
            )
    finally:
        logger.setLevel(level)
    return buffer.getvalue()
