"""A `span` model made ready to run without PyTorch: its encoder as an ONNX graph, its scorer's weights apart."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from whorl.bundle.folder import remove_others, save_tensors
from whorl.bundle.span import SpanBundle
from whorl.data.span_samples import collate_inputs
from whorl.files import replaced, write_json
from whorl.models.span_export import export_encoder
from whorl.runtime.span_scorer import SpanWeights

__all__ = ["export_runtime"]

_EXAMPLE = (["This", "is", "an", "example", "."], ["So", "is", "this"])


def export_runtime(folder: str | Path) -> None:
    """Add to a model folder what `whorl.runtime` reads; `model.json` names it only once it is whole."""
    folder = Path(folder)
    bundle = SpanBundle.load(folder)
    state = bundle.model.state_dict()
    scorer = save_tensors(folder, "scorer", {name: state[name] for name in SpanWeights.NAMES})
    with replaced(folder / "encoder.onnx") as partial:
        example = collate_inputs([bundle.encoder.sentence(words) for words in _EXAMPLE])
        export_encoder(bundle.model, example, partial)
        graph = f"encoder-{hashlib.sha256(partial.read_bytes()).hexdigest()[:12]}.onnx"
    (folder / "encoder.onnx").replace(folder / graph)
    saved = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    write_json(folder / "model.json", {**saved, "runtime": {"encoder": graph, "scorer": scorer}})
    remove_others(folder, "scorer", scorer)
    remove_others(folder, "encoder", graph)
