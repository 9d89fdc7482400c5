"""The public parser: a model in, trees out. PyTorch is imported only by models that need it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Literal, overload

from whorl.engine import Parse
from whorl.engine.protocol import Engine, Tokens
from whorl.errors import ModelError
from whorl.model_folder.description import read_description
from whorl.networks import get_network
from whorl.parser.batching import BATCH, GPU_BATCH, chunks
from whorl.parser.documents import Document, Sentence
from whorl.parser.requests import Chunk, Options, results, size, work
from whorl.shipped import DEFAULT, find_model
from whorl.text import LONGEST, Hyphens, Newline
from whorl.trees import Tree

__all__ = ["Parser", "load"]

_AHEAD = 8  # batches that are read before the first is parsed
_AHEAD_EACH = (
    2  # likewise of each process where there are several, so that a small corpus gives work to all
)


def load(
    name_or_path: str | Path = DEFAULT, *, device: str = "cpu", convention: str | None = None
) -> Parser:
    """Load a model of the package by its name, or one from its folder.

    A model that learnt from several treebanks parses in the convention of one, by name.
    `device="cuda"` parses on a GPU, with PyTorch.
    """
    return Parser.load(find_model(name_or_path), device=device, convention=convention)


class Parser:
    """A trained parser, from `whorl.load`. It may be shared by threads, used after a fork, and pickled."""

    def __init__(self, engine: Engine, source: tuple[Path, str, str | None] | None = None) -> None:
        self._engine = engine
        self._source = source

    @classmethod
    def load(
        cls, folder: str | Path, *, device: str = "cpu", convention: str | None = None
    ) -> Parser:
        """Read a model folder: as `whorl.load`, with paths only.

        On a CPU, a model that was exported runs without PyTorch where ONNX Runtime is installed.
        """
        folder = Path(folder)
        saved = read_description(folder)
        source = (folder.resolve(), device, convention)
        load_engine = get_network(saved["kind"]).resolve("engine")
        return cls(load_engine(folder, saved, device, convention), source)

    @property
    def batch_size(self) -> int:
        """How many sentences are parsed together unless told otherwise: more on a GPU, which is idle while few are."""
        return BATCH if self._source is None or self._source[1] == "cpu" else GPU_BATCH

    def __call__(
        self,
        text: str,
        *,
        batch_size: int | None = None,
        beam: int = 1,
        n_best: int | None = None,
        newline: Newline = "space",
        hyphens: Hyphens = "keep",
        longest: int = LONGEST,
    ) -> Document:
        """Parse a text: its sentences and words are found as `whorl.text.segment` finds them."""
        if not isinstance(text, str):
            raise TypeError(
                f"a parser is called with a text, not with {type(text).__name__}: for words, use parse"
            )
        options = self._options(
            batch_size, beam=beam, n_best=n_best, newline=newline, hyphens=hyphens, longest=longest
        )
        (document,) = work(self._engine, [text], options)
        return document  # type: ignore[no-any-return]

    @overload
    def parse(self, tokens: Tokens, *, beam: int = 1, n_best: None = None) -> Tree: ...
    @overload
    def parse(self, tokens: Tokens, *, beam: int = 1, n_best: int) -> list[Parse]: ...
    def parse(
        self, tokens: Tokens, *, beam: int = 1, n_best: int | None = None
    ) -> Tree | list[Parse]:
        """Parse one sentence of words, or of leaves that bring their tags; with `n_best`, get the best trees."""
        if isinstance(tokens, str):
            raise TypeError("parse takes the words of a sentence; for text, call the parser itself")
        (found,) = work(self._engine, [tokens], Options(beam=beam, n_best=n_best))
        if not found:
            raise ModelError("cannot parse a sentence of no words")
        return found  # type: ignore[no-any-return]

    @overload
    def pipe(  # type: ignore[overload-overlap] # a text is a sequence of strings as well
        self,
        inputs: Iterable[str],
        *,
        batch_size: int | None = None,
        as_tuples: Literal[False] = False,
        beam: int = 1,
        n_best: int | None = None,
        newline: Newline = "space",
        hyphens: Hyphens = "keep",
        longest: int = LONGEST,
        jobs: int = 1,
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self,
        inputs: Iterable[Tokens],
        *,
        batch_size: int | None = None,
        as_tuples: Literal[False] = False,
        beam: int = 1,
        n_best: None = None,
        jobs: int = 1,
    ) -> Iterator[Tree | None]: ...
    @overload
    def pipe(
        self,
        inputs: Iterable[Any],
        *,
        batch_size: int | None = None,
        as_tuples: bool = False,
        beam: int = 1,
        n_best: int | None = None,
        newline: Newline = "space",
        hyphens: Hyphens = "keep",
        longest: int = LONGEST,
        jobs: int = 1,
        then: Callable[..., Any] | None = None,
    ) -> Iterator[Any]: ...
    def pipe(
        self,
        inputs: Iterable[Any],
        *,
        batch_size: int | None = None,
        as_tuples: bool = False,
        beam: int = 1,
        n_best: int | None = None,
        newline: Newline = "space",
        hyphens: Hyphens = "keep",
        longest: int = LONGEST,
        jobs: int = 1,
        then: Callable[..., Any] | None = None,
    ) -> Iterator[Any]:
        """Parse many texts, or sentences of words, in batches, in bounded memory; results come in the inputs' order.

        A text gives a `Document`. Words or leaves give a `Tree`, or with `n_best` a list of
        `Parse`; no words give None, or an empty list. With `as_tuples`, inputs are pairs of such an
        input and anything, and so are results. Sentences of like length are put together, so some
        batches are read before the first is parsed. With `jobs`, so many processes share the work;
        each loads the model once.

        `then` is called with each result, with `as_tuples` also with what came beside it, and what
        it gives comes in the result's place. It is called where the input was parsed, so that with
        `jobs` only that travels between processes: for many sentences, `then=str` is faster than a
        tree. It must be one that can be pickled.
        """
        asked = {
            "beam": beam,
            "n_best": n_best,
            "newline": newline,
            "hyphens": hyphens,
            "longest": longest,
        }
        made = then if then is None or as_tuples else partial(_alone, then)
        options = self._options(batch_size, **asked, then=made)
        return self._stream(inputs, options, as_tuples=as_tuples, jobs=jobs)

    def sentences(
        self,
        inputs: Iterable[Tokens],
        *,
        batch_size: int | None = None,
        beam: int = 1,
        n_best: int | None = None,
        jobs: int = 1,
    ) -> Iterator[Sentence | None]:
        """As `pipe` for sentences of words, with all that is known of each; None for one of no words.

        Their text is the words with a space between, in which they have their places.
        """
        options = self._options(batch_size, beam=beam, n_best=n_best, whole=True)
        return self._stream(inputs, options, jobs=jobs)

    def _stream(
        self, inputs: Iterable[Any], options: Options, *, jobs: int, as_tuples: bool = False
    ) -> Iterator[Any]:
        if jobs < 1:
            raise ValueError(f"jobs must be 1 or more, not {jobs}")
        pairs = inputs if as_tuples else ((given, None) for given in inputs)
        ahead = _AHEAD if jobs == 1 else _AHEAD_EACH
        lists = chunks(((pair, size(pair[0])) for pair in pairs), options.batch_size * ahead)
        found: Generator[tuple[Chunk, list[Any]], None, None]
        if jobs == 1:
            found = ((chunk, results(self._engine, chunk, options)) for chunk in lists)
        else:
            from whorl.parser.pool import in_processes

            found = in_processes(partial(_load_engine, *self._origin()), lists, options, jobs)
        return _each(found, as_tuples)

    def _options(self, batch_size: int | None, **asked: Any) -> Options:
        return Options(batch_size=self.batch_size if batch_size is None else batch_size, **asked)

    def _origin(self) -> tuple[Path, str, str | None]:
        if self._source is None:
            raise TypeError(
                "a parser that was not loaded from a folder cannot be given to other processes"
            )
        return self._source

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the folder: who unpickles it reads the model anew."""
        return _reload, self._origin()


def _reload(folder: Path, device: str, convention: str | None) -> Parser:
    return Parser.load(folder, device=device, convention=convention)


def _load_engine(folder: Path, device: str, convention: str | None) -> Engine:
    return _reload(folder, device, convention)._engine


def _alone(then: Callable[[Any], Any], result: Any, _: None) -> Any:
    return then(result)


def _each(found: Generator[tuple[Chunk, list[Any]], None, None], as_tuples: bool) -> Iterator[Any]:
    """Results one by one; processes are ended when they are all there, or no more are wanted."""
    with closing(found):
        for chunk, made in found:
            for result, (_, context) in zip(made, chunk, strict=True):
                yield (result, context) if as_tuples else result
