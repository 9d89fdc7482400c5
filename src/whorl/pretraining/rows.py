"""Rows of pieces from a corpus, pass after pass in another order; what a step gets depends on its number alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.errors import CorpusError

__all__ = ["Rows"]

_SHARE = 0.3  # of the GPU's free memory, that the stream may take


class Rows:
    """Cuts a stream into rows, each pass at another offset, and gives batches of them on a device."""

    def __init__(
        self,
        ids: npt.NDArray[np.unsignedinteger[Any]],
        *,
        rows: int,
        pieces: int,
        seed: int,
        device: torch.device,
    ) -> None:
        self.rows, self.pieces, self.seed, self.device = rows, pieces, seed, device
        self.count = (len(ids) - pieces + 1) // pieces
        """The rows of a pass: one fewer than would fit, so that every offset has as many."""
        if self.count < 1:
            raise CorpusError(f"too little text: {len(ids)} pieces, where a row alone has {pieces}")
        self._ids = ids
        self._held = self._on_device(ids)
        self._passes: dict[int, tuple[int, npt.NDArray[np.int64]]] = {}

    def batch(self, step: int) -> Tensor:
        """The rows of a step, counted from 0: (rows, pieces)."""
        starts = self._starts(np.arange(step * self.rows, (step + 1) * self.rows))  # (rows)
        if self._held is None:
            found = self._ids[starts[:, None] + np.arange(self.pieces)]  # (rows, pieces)
            return torch.from_numpy(found.astype(np.int64)).to(self.device, non_blocking=True)
        # Little is sent, so that sending it does not wait for the step before.
        first = torch.from_numpy(starts).to(self.device, non_blocking=True)
        return self._held[first[:, None] + torch.arange(self.pieces, device=self.device)].long()

    def _starts(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Where the rows of these numbers, counted over all passes, begin in the stream."""
        passes = numbers // self.count
        starts = np.empty_like(numbers)
        for turn in range(int(passes[0]), int(passes[-1]) + 1):
            chosen = passes == turn
            offset, order = self._pass(turn)
            starts[chosen] = offset + order[numbers[chosen] % self.count] * self.pieces
        return starts

    def _pass(self, turn: int) -> tuple[int, npt.NDArray[np.int64]]:
        if turn not in self._passes:
            self._passes = {
                number: made for number, made in self._passes.items() if number == turn - 1
            }
            random = np.random.default_rng([self.seed, turn])
            self._passes[turn] = int(random.integers(self.pieces)), random.permutation(self.count)
        return self._passes[turn]

    def _on_device(self, ids: npt.NDArray[np.unsignedinteger[Any]]) -> Tensor | None:
        """The whole stream on the GPU, where there is one with room for it."""
        if self.device.type != "cuda":
            return None
        free, _ = torch.cuda.mem_get_info(self.device)
        if 4 * len(ids) > _SHARE * free:
            return None
        return torch.from_numpy(ids.astype(np.int32)).to(self.device)
