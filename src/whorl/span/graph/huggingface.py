"""A transformer of the `transformers` library as a graph of its own: pieces in, the vectors of all pieces out."""

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
    """The vectors of all pieces of all chunks, (rows, width)."""

    def __init__(self, transformer: HuggingFace) -> None:
        super().__init__()
        self.transformer = transformer

    def forward(self, pieces: Tensor, chunks: Tensor) -> Tensor:
        mask = torch.arange(pieces.shape[1]) < chunks[:, None]
        vectors: Tensor = self.transformer(pieces, mask)
        return vectors.flatten(0, 1)


def transformer_graph(transformer: HuggingFace) -> bytes:
    """The graph, traced along an example of two chunks, in float32."""
    example = (torch.ones(2, 5, dtype=torch.long), torch.tensor([5, 3]))
    written = io.BytesIO()
    level = logging.getLogger("torch.onnx").level
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter(
                "ignore"
            )  # of the exporter: that it is the older one, and that shapes are traced
            torch.onnx.export(
                _Flat(transformer).eval(),
                example,
                written,  # type: ignore[arg-type] # which takes files too
                input_names=["pieces", "chunks"],
                output_names=["vectors"],
                dynamic_axes=_AXES,
                opset_version=_OPSET,
                dynamo=False,  # the newer exporter needs another library
            )
    finally:
        logging.getLogger("torch.onnx").setLevel(level)
    return written.getvalue()
