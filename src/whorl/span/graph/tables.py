"""The tables of an exported model: what words are by themselves, and the weights of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.span.graph.builder import Precision
from whorl.span.numpy_scorer import SpanWeights
from whorl.span.vocabulary import SpanVocabulary

__all__ = ["Tables", "make_tables"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

_FEATURES = "encoder.features."


class Tables:
    """Tables in float32, whose columns can be scaled before they are stored more coarsely."""

    def __init__(self, weights: Mapping[str, Floats], encoder: SpanVocabulary) -> None:
        self.tables: dict[str, Floats] = {}
        self.width = 0
        if encoder.words is not None:
            self._add("word", weights[f"{_FEATURES}word.weight"])
        if encoder.vectors is not None:
            self._add("vector", weights[f"{_FEATURES}vector.weight"])
        if encoder.characters is not None:
            embedded = weights[f"{_FEATURES}characters.embed.weight"]  # (characters, dim)
            filters = weights[f"{_FEATURES}characters.filters.weight"]  # (filters, dim, places)
            self._add("characters", np.einsum("cd,fdp->pcf", embedded, filters))
            self.tables["characters.bias"] = weights[f"{_FEATURES}characters.filters.bias"]

    def reach(self) -> Floats:
        """The largest value that each column of the features can have, (width,)."""
        parts = [
            np.abs(self.tables[name]).max(axis=0)
            for name in ("word", "vector")
            if name in self.tables
        ]
        if "characters" in self.tables:  # were every character where a filter says most
            parts.append(
                self.tables["characters"].max(axis=1).sum(axis=0) + self.tables["characters.bias"]
            )
        return np.maximum(np.concatenate(parts), 1e-6) if parts else np.zeros(0, dtype=np.float32)

    def scale(self, columns: Floats) -> None:
        """Divide the columns of the features by these numbers, which are above 0."""
        start = 0
        for name in ("word", "vector", "characters"):
            if name in self.tables:
                end = start + self.tables[name].shape[-1]
                self.tables[name] = self.tables[name] / columns[start:end]
                if name == "characters":
                    self.tables["characters.bias"] = (
                        self.tables["characters.bias"] / columns[start:end]
                    )
                start = end

    def stored(self, precision: Precision) -> dict[str, Array]:
        """As they are written."""
        found: dict[str, Array] = {}
        for name, table in self.tables.items():
            if precision == "float32" or table.ndim < 2:
                found[name] = table.astype(np.float32)
            elif precision == "float16" or name == "characters":
                found[name] = table.astype(np.float16)
            else:
                scale = (np.maximum(np.abs(table).max(axis=1), 1e-12) / 127).astype(np.float32)
                found[name] = np.rint(table / scale[:, None]).astype(np.int8)
                found[f"{name}.scale"] = scale
        return found

    def _add(self, name: str, table: Floats) -> None:
        self.tables[name] = np.ascontiguousarray(table)
        self.width += table.shape[-1]


def make_tables(
    weights: Mapping[str, Floats], encoder: SpanVocabulary
) -> tuple[Tables, dict[str, Floats]]:
    """The tables of words, and the weights of decisions, which are few and stay in float32."""
    return Tables(weights, encoder), {name: weights[name] for name in SpanWeights.NAMES}
