"""Corpora of any size: files in, shards of parsed sentences out, killed at any moment.

`whorl corpus` is the command, `run_corpus(CorpusRun(...))` the same in a program. `parse_batch` and
`BatchParser` parse Arrow tables and record batches, for engines that distribute work themselves.
"""

from whorl.corpus.arrow import BatchParser, parse_batch
from whorl.corpus.options import CorpusOptions, KeptColumn
from whorl.corpus.run import CorpusRun, Progress, Share, run_corpus

__all__ = [
    "BatchParser",
    "CorpusOptions",
    "CorpusRun",
    "KeptColumn",
    "Progress",
    "Share",
    "parse_batch",
    "run_corpus",
]
