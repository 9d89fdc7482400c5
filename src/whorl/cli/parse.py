"""`whorl parse`: trees for sentences."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import IO, TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, written_whole

if TYPE_CHECKING:
    from whorl.trees import Leaf

__all__ = ["parse"]


class Input(str, Enum):
    """What a line of input is."""

    tokens = "tokens"
    tagged = "tagged"
    trees = "trees"


@guarded
def parse(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Sentences, one a line; - is standard input.")] = "-",
    *,
    model: Annotated[str, typer.Option("--model", "-m", metavar="DIR", help="A model folder.")],
    given: Annotated[
        Input, typer.Option("--input", help="Lines of words, of word_TAG, or of trees to be parsed anew.")
    ] = Input.tokens,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Width of the beam; 1 is greedy.")] = 1,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Sentences parsed together.")] = 64,
    convention: Annotated[
        str | None, typer.Option("--convention", metavar="TREEBANK", help="Which of its treebanks a model follows.")
    ] = None,
    device: Annotated[str, typer.Option("--device", help="cpu or cuda.")] = "cpu",
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write, if not stdout.")] = "-",
) -> None:
    """Parse sentences, one a line, words separated by spaces; an empty line gives an empty line."""
    from whorl.parser import Parser  # noqa: PLC0415 - heavy, and only when it runs

    parser = Parser.load(model, device=device, convention=convention)
    with _opened(file) as lines, written_whole(out) as output:
        sentences = _tree_leaves(lines) if given is Input.trees else _lines(lines, given, file)
        for tree in parser.pipe(sentences, batch_size=batch, beam=beam):
            output.write(f"{tree}\n" if tree is not None else "\n")


def _opened(file: str) -> IO[str]:
    if file == "-":
        return sys.stdin
    return open(file, encoding="utf-8")  # noqa: PTH123 - closed by the caller's with


def _tree_leaves(lines: Iterable[str]) -> Iterator[list[Leaf]]:
    from whorl.trees import iter_trees  # noqa: PLC0415 - only when it runs

    return (tree.leaves() for tree in iter_trees(lines))  # type: ignore[arg-type]


def _lines(lines: Iterable[str], given: Input, file: str) -> Iterator[list[str] | list[Leaf]]:
    from whorl.trees import tagged_line  # noqa: PLC0415 - only when it runs

    for number, line in enumerate(lines, start=1):
        if given is Input.tokens:
            yield line.split()
        else:
            yield tagged_line(line, source="standard input" if file == "-" else file, number=number)
