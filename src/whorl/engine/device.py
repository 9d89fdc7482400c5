"""Where a network runs."""

from __future__ import annotations

from whorl.errors import ModelError

__all__ = ["check_device"]

_DEVICES = ("cpu", "cuda")


def check_device(name: str) -> None:
    """Raise `ModelError` unless PyTorch is installed and can run on the device."""
    if name.partition(":")[0] not in _DEVICES:
        raise ModelError(f"unknown device {name!r}: use cpu, cuda or cuda:N")
    try:
        import torch
    except ImportError as error:
        raise ModelError(
            f"parsing on {name!r} needs PyTorch: pip install 'whorl[train]'"
        ) from error
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        known = "cpu or cuda" if torch.cuda.is_available() else "cpu: PyTorch finds no GPU here"
        raise ModelError(f"cannot parse on the device {name!r}; use {known}") from error
