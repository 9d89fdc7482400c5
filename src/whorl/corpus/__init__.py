"""Corpora of any size: files in, shards of parsed sentences out, killed at any moment.

`whorl corpus` is the command; a run in a program is `run_corpus(CorpusRun(...))`.
"""

from whorl.corpus.options import CorpusOptions, KeptColumn
from whorl.corpus.run import CorpusRun, Progress, Share, run_corpus

__all__ = ["CorpusOptions", "CorpusRun", "KeptColumn", "Progress", "Share", "run_corpus"]
