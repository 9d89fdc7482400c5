"""The state of an optimiser as named tensors, so that checkpoints need no pickle."""

from __future__ import annotations

import torch
from torch import Tensor

from whorl.errors import ModelError

__all__ = ["optimiser_tensors", "restore_optimiser"]

_PREFIX = "optimiser."
_ADAM = {"exp_avg", "exp_avg_sq", "step"}
"""The tensors that Adam and AdamW keep for a weight; plain gradient descent keeps none."""


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the tensors that an optimiser keeps for each parameter."""
    return {
        f"{_PREFIX}{number}.{key}": value
        for number, slots in optimiser.state_dict()["state"].items()
        for key, value in slots.items()
        if isinstance(value, Tensor)
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Restore a saved state; tensors with other names are ignored."""
    parameters = [weight for group in optimiser.param_groups for weight in group["params"]]
    shapes = {str(number): weight.shape for number, weight in enumerate(parameters)}
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if not name.startswith(_PREFIX):
            continue
        number, _, key = name[len(_PREFIX) :].partition(".")
        if number not in shapes or tensor.shape not in (torch.Size(), shapes[number]):
            raise ModelError(f"{name} of shape {tuple(tensor.shape)} fits no weight of the network")
        state.setdefault(int(number), {})[key] = tensor
    expected = set() if isinstance(optimiser, torch.optim.SGD) else _ADAM
    for index, slots in state.items():
        if slots.keys() != expected:
            raise ModelError(f"{_PREFIX}{index} has {sorted(slots)}, expected {sorted(expected)}")
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
