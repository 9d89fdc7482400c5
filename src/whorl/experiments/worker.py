"""A worker process: `python -m whorl.experiments.worker RUN.json [PART…]`.

It performs the run in the file, or, given numbers of parts, makes those parts of its tags. It exits
when its standard input is closed, so it never outlives the process that started it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import torch

from whorl.experiments.runs import Run, perform_run
from whorl.lexicon.vectors import Vectors
from whorl.processes import exit_with_parent
from whorl.stack_lstm.setup import tag_store
from whorl.trees import read_treebank

__all__ = ["main", "make_tags"]


def main(plan: str, *parts: str) -> None:
    """Perform the run or make the tags, with one thread."""
    torch.set_num_threads(1)
    exit_with_parent()
    path = Path(plan)
    run = Run.from_dict(json.loads(path.read_text(encoding="utf-8")))
    if parts:
        make_tags(run, path.parent, map(int, parts))
    else:
        perform_run(run, path.parents[len(Path(run.name).parts)])


def make_tags(run: Run, folder: Path, parts: Iterable[int]) -> list[int]:
    """Make parts of the tags that a run needs; return the parts that are still missing."""
    data = run.recipe.data
    if data.tags != "jackknife":
        return []
    vectors = Vectors.read(data.vectors) if data.vectors else Vectors.none()
    store = tag_store(run.recipe, folder, list(read_treebank(data.train)), vectors)
    for part in parts:
        store.make(part)
    return store.missing()


if __name__ == "__main__":
    main(*sys.argv[1:])
