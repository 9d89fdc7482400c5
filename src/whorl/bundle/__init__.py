"""Model folders: a trained parser on disk, with either network."""

from __future__ import annotations

from pathlib import Path

from whorl.bundle.folder import load_tensors, save_tensors
from whorl.bundle.span import SpanBundle
from whorl.bundle.stack_lstm import Bundle
from whorl.description import FORMAT, read_description

__all__ = ["FORMAT", "Bundle", "SpanBundle", "load", "load_tensors", "save_tensors"]


def load(folder: str | Path, *, device: str = "cpu") -> Bundle | SpanBundle:
    """Read a model folder, whichever network it holds."""
    if read_description(Path(folder))["kind"] == "span":
        return SpanBundle.load(folder, device=device)
    return Bundle.load(folder, device=device)
