"""The encoder of a `span` network as an ONNX graph: words in, the tables that decoding looks up out."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from whorl.data.span_samples import SpanInputs
from whorl.errors import ModelError
from whorl.models.encoders.context import Read
from whorl.models.span import SpanNetwork, Tables

__all__ = ["export_encoder"]

_OPSET = 17
_AXES = {
    **{name: {0: "words"} for name in ("words", "form", "ends", "places", "tags")},
    **{name: {0: "sentences", 1: "longest"} for name in ("grid", "turned")},
    **{name: {0: "fenceposts"} for name in ("left", "right")},
    "forms": {0: "forms"},
    "pieces": {0: "chunks", 1: "pieces"},
    "chunks": {0: "chunks"},
    "treebanks": {0: "sentences"},
}


class _Encoder(nn.Module):
    """A network's encoder with its inputs one by one, as a graph has them."""

    def __init__(self, model: SpanNetwork) -> None:
        super().__init__()
        self.model = model

    def forward(self, *read: Tensor) -> Tables:
        return self.model.encode(Read(*read))


def export_encoder(model: SpanNetwork, example: SpanInputs, path: Path) -> None:
    """Write the graph, traced along an example of several sentences; inputs that the model lacks are left out."""
    if model.device.type != "cpu":
        raise ModelError("an encoder is exported from the CPU")
    read = tuple(torch.from_numpy(getattr(example, name)) for name in Read._fields)
    level = logging.getLogger("torch.onnx").level
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")  # of the exporter: that it is the older one, and that shapes are traced
            torch.onnx.export(
                _Encoder(model).eval(),
                read,
                str(path),
                input_names=list(Read._fields),
                output_names=list(Tables._fields),
                dynamic_axes=_AXES,
                opset_version=_OPSET,
                dynamo=False,  # the newer exporter unrolls an LSTM to the length of the example
            )
    except ImportError as error:
        raise ModelError("exporting a model needs the onnx library: pip install 'whorl[export]'") from error
    finally:
        logging.getLogger("torch.onnx").setLevel(level)
