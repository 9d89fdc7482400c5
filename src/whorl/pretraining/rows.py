"""Rows of pieces from a corpus, in another order in each pass; they depend on the step alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.errors import CorpusError

__all__ = ["Rows"]

_SHARE = 0.3  # of the GPU's free memory that the stream may take


class Rows:
    """Splits a stream into rows, at another offset in each pass, and makes batches of them."""

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
        """Rows per pass: one fewer than fit, so that every offset has the same number."""
        if self.count < 1:
            raise CorpusError(f"too little text: {len(ids)} pieces, but a row has {pieces}")
        self._ids = ids
        self._on_gpu = self._copy_to_gpu(ids)
        self._passes: dict[int, tuple[int, npt.NDArray[np.int64]]] = {}

    def batch(self, step: int) -> Tensor:
        """Return the rows of a step, counted from 0: (rows, pieces)."""
        starts = self._starts(np.arange(step * self.rows, (step + 1) * self.rows))  # (rows)
        if self._on_gpu is None:
            rows = self._ids[starts[:, None] + np.arange(self.pieces)]  # (rows, pieces)
            return torch.from_numpy(rows.astype(np.int64)).to(self.device, non_blocking=True)
        # Only the starts are sent, so the transfer does not wait for the previous step.
        first = torch.from_numpy(starts).to(self.device, non_blocking=True)
        return self._on_gpu[first[:, None] + torch.arange(self.pieces, device=self.device)].long()

    def _starts(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return where these rows, counted over all passes, start in the stream."""
        passes = numbers // self.count
        starts = np.empty_like(numbers)
        for turn in range(int(passes[0]), int(passes[-1]) + 1):
            selected = passes == turn
            offset, order = self._pass(turn)
            starts[selected] = offset + order[numbers[selected] % self.count] * self.pieces
        return starts

    def _pass(self, turn: int) -> tuple[int, npt.NDArray[np.int64]]:
        """Return the offset and the order of rows in a pass; the last two passes are kept."""
        if turn not in self._passes:
            self._passes = {n: order for n, order in self._passes.items() if n == turn - 1}
            random = np.random.default_rng([self.seed, turn])
            self._passes[turn] = int(random.integers(self.pieces)), random.permutation(self.count)
        return self._passes[turn]

    def _copy_to_gpu(self, ids: npt.NDArray[np.unsignedinteger[Any]]) -> Tensor | None:
        """Copy the stream to the GPU, if there is one with enough memory."""
        if self.device.type != "cuda":
            return None
        free, _ = torch.cuda.mem_get_info(self.device)
        if 4 * len(ids) > _SHARE * free:
            return None
        return torch.from_numpy(ids.astype(np.int32)).to(self.device)
