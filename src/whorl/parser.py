"""The public parser: a model folder in, trees out. PyTorch is imported only by models that need it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeAlias

from whorl.description import read_description
from whorl.errors import ModelError
from whorl.trees import Leaf, Tree, add_root

__all__ = ["Network", "Parser", "Sentence"]

Sentence: TypeAlias = Sequence[str] | Sequence[Leaf]
"""Words, which the parser tags, or leaves, which bring their tags."""

_AHEAD = 8  # batches that are read before the first is parsed


class Network(Protocol):
    """A trained network of any kind, ready to parse."""

    root: str | None
    """The root label that trees get."""

    def trees(self, sentences: list[Sentence], beam: int) -> list[Tree]:
        """The trees of some sentences, each of one word or more, without their root."""


class Parser:
    """A trained parser. Words come as lists, one a sentence; trees come back in the same order."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu", convention: str | None = None) -> Parser:
        """Read a model folder. A model that learnt from several treebanks parses in the convention of one, by name.

        On a CPU, a model that was exported runs without PyTorch where ONNX Runtime is installed.
        """
        saved = read_description(Path(folder))
        if saved["kind"] == "span":
            exported = device == "cpu" and saved.get("runtime") and find_spec("onnxruntime") is not None
            from whorl.engines import span  # noqa: PLC0415 - only what the model needs

            return cls(span.exported(folder, convention) if exported else span.trained([folder], device, convention))
        if convention is not None:
            raise ModelError(f"this model was trained on one treebank: it has no convention {convention!r}")
        from whorl.engines import stack_lstm  # noqa: PLC0415 - likewise

        return cls(stack_lstm.trained(folder, device))

    def parse(self, sentence: Sentence, *, beam: int = 1) -> Tree:
        """Parse one sentence."""
        tree = next(self.pipe([sentence], beam=beam))
        if tree is None:
            raise ModelError("cannot parse a sentence of no words")
        return tree

    def pipe(self, sentences: Iterable[Sentence], *, batch_size: int = 64, beam: int = 1) -> Iterator[Tree | None]:
        """Parse many sentences, in batches, in bounded memory; None for a sentence of no words.

        Sentences of like length are put together: they need no padding, and end together. So some batches are read
        before the first is parsed.
        """
        waiting = iter(sentences)
        while chunk := list(islice(waiting, batch_size * _AHEAD)):
            order = sorted((n for n, sentence in enumerate(chunk) if len(sentence)), key=lambda n: len(chunk[n]))
            found: dict[int, Tree] = {}
            for start in range(0, len(order), batch_size):
                numbers = order[start : start + batch_size]
                found.update(zip(numbers, self._network.trees([chunk[n] for n in numbers], beam), strict=True))
            yield from (self._rooted(found[n]) if n in found else None for n in range(len(chunk)))

    def _rooted(self, tree: Tree) -> Tree:
        root = self._network.root
        return tree if root is None else add_root(tree, root)
