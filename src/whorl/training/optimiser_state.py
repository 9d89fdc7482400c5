"""The state of an optimiser as named tensors, for files without pickle."""

from __future__ import annotations

import torch
from torch import Tensor

__all__ = ["optimiser_tensors", "restore_optimiser"]

_PREFIX = "optimiser."


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """What the optimiser remembers of each parameter, under names of its own."""
    return {
        f"{_PREFIX}{number}.{key}": value
        for number, slots in optimiser.state_dict()["state"].items()
        for key, value in slots.items()
        if isinstance(value, Tensor)
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Bring an optimiser back to what was saved; tensors of other names are left alone."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith(_PREFIX):
            _, number, key = name.split(".")
            state.setdefault(int(number), {})[key] = tensor
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
