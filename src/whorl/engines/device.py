"""Where PyTorch is to run."""

from __future__ import annotations

import torch

from whorl.errors import ModelError

__all__ = ["check_device"]


def check_device(name: str) -> None:
    """Raise `ModelError` if PyTorch cannot run there."""
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        known = "cpu or cuda" if torch.cuda.is_available() else "cpu: PyTorch finds no GPU here"
        raise ModelError(f"cannot parse on the device {name!r}; use {known}") from error
