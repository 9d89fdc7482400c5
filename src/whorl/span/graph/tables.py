"""The tables of an exported model: the features of words, and the weights of the scorer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.span.graph.builder import Precision
from whorl.span.vocabulary import SpanVocabulary

__all__ = ["FeatureTables"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

_FEATURES = "encoder.features."


class FeatureTables:
    """Features of words in float32, whose columns can be scaled before they are quantised."""

    def __init__(self, weights: Mapping[str, Floats], vocabulary: SpanVocabulary) -> None:
        self.tables: dict[str, Floats] = {}
        self.width = 0
        if vocabulary.words is not None:
            self._add("word", weights[f"{_FEATURES}word.weight"])
        if vocabulary.vectors is not None:
            self._add("vector", weights[f"{_FEATURES}vector.weight"])
        if vocabulary.characters is not None:
            embedded = weights[f"{_FEATURES}characters.embed.weight"]  # (characters, dim)
            filters = weights[f"{_FEATURES}characters.filters.weight"]  # (filters, dim, places)
            self._add("characters", np.einsum("cd,fdp->pcf", embedded, filters))
            self.tables["characters.bias"] = weights[f"{_FEATURES}characters.filters.bias"]

    def _add(self, name: str, table: Floats) -> None:
        self.tables[name] = np.ascontiguousarray(table)
        self.width += table.shape[-1]

    def bounds(self) -> Floats:
        """Return a bound for the absolute values of each feature: (width,)."""
        parts = [
            np.abs(self.tables[name]).max(axis=0)
            for name in ("word", "vector")
            if name in self.tables
        ]
        if "characters" in self.tables:  # the best character at every place of a filter
            responses = self.tables["characters"].max(axis=1).sum(axis=0)
            parts.append(responses + self.tables["characters.bias"])
        return np.maximum(np.concatenate(parts), 1e-6) if parts else np.zeros(0, dtype=np.float32)

    def scale(self, columns: Floats) -> None:
        """Divide the features by these positive numbers: (width,)."""
        start = 0
        for name in ("word", "vector", "characters"):
            if name in self.tables:
                end = start + self.tables[name].shape[-1]
                for table in (name, "characters.bias") if name == "characters" else (name,):
                    self.tables[table] = self.tables[table] / columns[start:end]
                start = end

    def quantise(self, precision: Precision) -> dict[str, Array]:
        """Return the tables as they are written to disk."""
        quantised: dict[str, Array] = {}
        for name, table in self.tables.items():
            if precision == "float32" or table.ndim < 2:
                quantised[name] = table.astype(np.float32)
            elif precision == "float16" or name == "characters":
                quantised[name] = table.astype(np.float16)
            else:
                scale = (np.maximum(np.abs(table).max(axis=1), 1e-12) / 127).astype(np.float32)
                quantised[name] = np.rint(table / scale[:, None]).astype(np.int8)
                quantised[f"{name}.scale"] = scale
        return quantised
