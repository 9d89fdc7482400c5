"""One piece of work in a process of its own: `python -m whorl.experiments.worker RUN.json [PART…]`.

The run in the file is performed, or, given the numbers of parts, those parts of its tags are made.
A worker ends when its standard input does: with the process that started it, however that ends.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import torch

from whorl.experiments.runs import Run, perform
from whorl.lexicon.vectors import Vectors
from whorl.processes import exit_with_parent
from whorl.stack_lstm.setup import tag_store
from whorl.trees import read_treebank

__all__ = ["main", "make_tags"]


def main(plan: str, *parts: str) -> None:
    """Do what the file asks for, with one thread."""
    torch.set_num_threads(1)
    exit_with_parent()
    path = Path(plan)
    run = Run.from_dict(json.loads(path.read_text(encoding="utf-8")))
    if parts:
        make_tags(run, path.parent, map(int, parts))
    else:
        perform(run, path.parent.parent)


def make_tags(run: Run, folder: Path, parts: Iterable[int]) -> list[int]:
    """Make parts of the tags that a run will need; the parts that are then still missing."""
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
