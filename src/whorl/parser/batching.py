"""Sentences parsed in batches of similar length, which need little padding and end together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whorl.batching import batches_by_length
from whorl.constraints import Plan
from whorl.engine import Parse
from whorl.engine.protocol import Engine, Tokens

__all__ = ["BATCH", "GPU_BATCH", "LONG", "parse_batched"]

BATCH = 256
"""The default number of hypotheses decoded together: that many sentences, or fewer with a beam."""

GPU_BATCH = 2048
"""The default on a GPU, which needs more of them to be busy."""

LONG = 128
"""Words: a batch holds fewer sentences if they are longer than this, so that memory is bounded."""

# ONNX Runtime and PyTorch have no exception class for it.
_OUT_OF_MEMORY = re.compile("allocate memory|out of memory|bad.?alloc", re.IGNORECASE)


def parse_batched(
    engine: Engine,
    sentences: Sequence[Tokens],
    *,
    batch_size: int,
    beam: int,
    n_best: int,
    plans: Sequence[Plan | None] | None = None,
) -> list[list[Parse]]:
    """Return the parses of each sentence, best first; a sentence without words has none.

    `plans` holds the constraints of each sentence, if any sentence has some.
    `MemoryError` says how long the sentences were, whichever library ran out of memory.
    """
    parses: list[list[Parse]] = [[] for _ in sentences]
    size = max(1, batch_size // max(beam, n_best))
    lengths = [len(sentence) for sentence in sentences]
    for indices in batches_by_length(lengths, size, max_padded=size * LONG):
        batch = [sentences[index] for index in indices]
        some = None if plans is None else [plans[index] for index in indices]
        try:
            decoded = engine.parse_nbest(batch, beam=beam, n_best=n_best, plans=some)
        except Exception as error:
            if not isinstance(error, MemoryError) and not _OUT_OF_MEMORY.search(str(error)):
                raise
            longest = f"{lengths[indices[-1]]:,} words"
            raise MemoryError(
                f"not enough memory to parse a sentence of {longest}"
                if len(batch) == 1
                else f"not enough memory to parse {len(batch)} sentences of up to {longest}"
            ) from error
        for index, hypotheses in zip(indices, decoded, strict=True):
            parses[index] = hypotheses
    return parses
