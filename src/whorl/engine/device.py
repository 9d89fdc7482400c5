"""Devices that a network can run on, and whether they are fast at bfloat16."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from whorl.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import torch

__all__ = ["check_device", "has_fast_bfloat16"]

_BFLOAT16_UNITS = ("avx512_bf16", "amx_bf16")
"""What PyTorch calls the units of a processor that multiply matrices of bfloat16."""


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


def has_fast_bfloat16(device: torch.device) -> bool:
    """Tell whether a device multiplies matrices faster in bfloat16 than in float32.

    GPUs before Ampere only emulate it. Processors of other makes, MPS and the like count as slow.
    """
    import torch

    if device.type == "cuda":
        return torch.version.hip is not None or torch.cuda.get_device_capability(device) >= (8, 0)
    if device.type != "cpu":
        return False
    # Older versions of PyTorch do not say what a processor has.
    capabilities: Mapping[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(capabilities.get(unit) for unit in _BFLOAT16_UNITS)
