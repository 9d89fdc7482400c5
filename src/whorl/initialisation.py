"""Initialisation of weights."""

from __future__ import annotations

from torch import nn

__all__ = ["glorot"]


def glorot(module: nn.Module) -> None:
    """Initialise matrices uniformly (Glorot) and biases with 0, LSTM forget gates with 1."""
    for name, parameter in module.named_parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        else:
            nn.init.zeros_(parameter)
        if "bias_ih" in name:
            hidden = len(parameter) // 4
            nn.init.ones_(parameter.data[hidden : 2 * hidden])
