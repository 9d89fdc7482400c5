"""Devices that a network can run on."""

from __future__ import annotations

import re

from whorl.errors import ModelError

__all__ = ["check_device"]


def check_device(name: str) -> None:
    """Raise `ModelError` unless PyTorch is installed and can run on the device."""
    if re.fullmatch(r"(cpu|cuda)(:\d+)?", name) is None:
        raise ModelError(f"unknown device {name!r}: use cpu, cuda or cuda:N")
    try:
        import torch
    except ImportError as error:
        raise ModelError(
            f"the device {name!r} needs PyTorch, which is not installed: pip install 'whorl[train]'"
        ) from error
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        reason = f"it finds {count} GPU{'s' if count > 1 else ''}" if count else "it finds no GPU"
        raise ModelError(f"PyTorch cannot use the device {name!r}: {reason}") from error
