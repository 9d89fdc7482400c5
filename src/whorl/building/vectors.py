"""Word vectors for a build: raw text, cut as the treebanks cut theirs, and the trees' own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from whorl.building.request import NamedPath
from whorl.building.text import Tokenisers
from whorl.errors import CorpusError
from whorl.files import replace_atomically
from whorl.pretraining.text import text_files, text_lines
from whorl.pretraining.word_vectors import learn_vectors
from whorl.tokenisers.protocol import Tokeniser
from whorl.trees import Tree

__all__ = ["TEXT", "VECTORS", "TextCounts", "make_vectors"]

VECTORS = "vectors.txt.gz"
TEXT = "text"

Show = Callable[[str, float], None]
"""Called with the name of a stage and the share that is done."""


class TextCounts(NamedTuple):
    """How much text a build has read."""

    files: int
    sentences: int
    vectors: int

    @property
    def source(self) -> str:
        """What the vectors are learnt from, in words."""
        text = f"{self.sentences:,} sentences of raw text and " if self.sentences else ""
        return f"{text}the training trees"


def make_vectors(
    folder: Path,
    texts: Sequence[NamedPath],
    trees: Mapping[str, Sequence[Tree]],
    tokenisers: Tokenisers | None,
    show: Show,
) -> TextCounts:
    """Cut the texts, learn vectors of their words and those of the trees, and save them.

    Without tokenisers, each line of the texts is a sentence whose words are separated by spaces.
    The folder keeps the sentences, in files that an interrupted run does not write again.
    """
    files = [(name, file) for name, path in texts for file in text_files(path)]
    sizes = [file.stat().st_size for _, file in files]
    cut_files = []
    for number, (name, file) in enumerate(files):
        show("cutting text", sum(sizes[:number]) / max(1, sum(sizes)))
        cut = file
        if tokenisers is not None:
            cut = folder / TEXT / f"{number + 1:04}-{file.name.partition('.')[0]}.txt"
            if not cut.exists():
                _cut(file, cut, tokenisers[name].tokeniser)
        cut_files.append(cut)
    own = [tree.words() for bank in trees.values() for tree in bank]

    def read() -> Iterator[Sequence[str]]:
        for file in cut_files:
            yield from (line.split() for line in text_lines(file))
        yield from own

    sentences = sum(1 for _ in read()) - len(own)
    if files and not sentences:
        raise CorpusError(f"{', '.join(path for _, path in texts)}: no sentences in this text")
    vectors = learn_vectors(read, on_progress=show, total=sentences + len(own))
    vectors.write(folder / VECTORS)
    return TextCounts(len(files), sentences, len(vectors.words))


def _cut(file: Path, out: Path, tokeniser: Tokeniser) -> None:
    """Write the sentences of a text, one per line, with their tokens separated by spaces."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = (f"{line}\n" for line in text_lines(file))
    with replace_atomically(out) as partial, partial.open("w", encoding="utf-8") as output:
        for sentence in tokeniser.iter_sentences(lines, newline="paragraph"):
            output.write(" ".join(sentence.words) + "\n")
