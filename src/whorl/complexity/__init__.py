"""Syntactic complexity: the counts and indices of the L2 Syntactic Complexity Analyzer."""

from whorl.complexity.counts import INDICES, STRUCTURES, Counts, mean_measures
from whorl.complexity.structures import PATTERNS, count_structures

__all__ = ["INDICES", "PATTERNS", "STRUCTURES", "Counts", "count_structures", "mean_measures"]
