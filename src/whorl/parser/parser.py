"""The public parser: text or words in, trees out. Only models that need PyTorch import it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, overload

from whorl.batching import chunks_by_size
from whorl.catalogue import DEFAULT, find_model
from whorl.engine import Parse
from whorl.engine.device import check_device
from whorl.engine.protocol import Engine, Tokens
from whorl.errors import ModelError
from whorl.model_folder.description import read_description
from whorl.networks import get_network
from whorl.parser.batching import BATCH, GPU_BATCH
from whorl.parser.constrained import ConstrainedInput, Constraints, plan_sentence
from whorl.parser.documents import Document, Sentence
from whorl.parser.requests import (
    Chunk,
    LoadedModel,
    Options,
    check_inputs,
    check_item,
    check_tokens,
    count_sentences,
    parse_chunk,
    parse_inputs,
)
from whorl.text import LONGEST, Hyphens, Newline
from whorl.tokenisers import PennTokeniser, Tokeniser
from whorl.tokenisers.folder import load_tokeniser
from whorl.trees import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["READ_AHEAD", "Parser", "load"]

READ_AHEAD = 8
"""Batches that are read before the first is parsed, so that batches hold similar lengths."""

_READ_AHEAD_PER_WORKER = 2  # fewer, so that a small corpus occupies all workers


class _CuttingOptions(TypedDict, total=False):
    """The options of cutting a text into sentences and words."""

    newline: Newline
    hyphens: Hyphens | None
    longest: int


class _StreamOptions(_CuttingOptions, total=False):
    """The options of `Parser.pipe` that do not change the type of its results."""

    batch_size: int | None
    beam: int
    jobs: int
    constraints: Iterable[Constraints | None] | None


class _ResultOptions(_StreamOptions, total=False):
    """All options of `Parser.pipe`."""

    as_tuples: bool
    n_best: int | None
    then: Callable[..., Any] | None


def load(
    name_or_path: str | Path = DEFAULT, *, device: str = "cpu", convention: str | None = None
) -> Parser:
    """Load a model of Whorl or of an installed package by name, or any model from its folder.

    `convention` names the treebank whose annotation to follow, for a model trained on several.
    `device="cuda"` parses on a GPU, with PyTorch.
    """
    return Parser.load(find_model(name_or_path), device=device, convention=convention)


class Parser:
    """A trained parser, from `whorl.load`. It can be shared by threads, forked and pickled."""

    def __init__(
        self,
        engine: Engine,
        source: tuple[Path, str, str | None] | None = None,
        tokeniser: Tokeniser | None = None,
    ) -> None:
        self._model = LoadedModel(engine, PennTokeniser() if tokeniser is None else tokeniser)
        self._source = source

    @classmethod
    def load(
        cls, folder: str | Path, *, device: str = "cpu", convention: str | None = None
    ) -> Parser:
        """Load a model folder, as `whorl.load` does for paths.

        On a CPU, an exported model runs without PyTorch if ONNX Runtime is installed.
        """
        if device != "cpu":
            check_device(device)
        folder = Path(folder)
        description = read_description(folder)
        try:
            load_engine = get_network(description["kind"]).resolve("engine")
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise ModelError(
                "this model needs PyTorch, which is not installed: pip install 'whorl[train]'"
            ) from error
        source = (folder.resolve(), device, convention)
        tokeniser = load_tokeniser(folder, description, convention)
        return cls(load_engine(folder, description, device, convention), source, tokeniser)

    @property
    def tokeniser(self) -> Tokeniser:
        """What cuts text into the sentences and words that the model knows."""
        return self._model.tokeniser

    @property
    def labels(self) -> tuple[str, ...]:
        """The phrase labels that constraints may ask for, and the root above every tree, if any."""
        labels, root, _ = self._model.engine.grammar()
        return tuple(sorted({*labels} if root is None else {*labels, root}))

    @property
    def batch_size(self) -> int:
        """The default number of sentences parsed together, larger on a GPU."""
        return BATCH if self._source is None or self._source[1] == "cpu" else GPU_BATCH

    def __call__(
        self,
        text: str,
        *,
        batch_size: int | None = None,
        beam: int = 1,
        n_best: int | None = None,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
        constraints: Constraints = (),
    ) -> Document:
        """Parse a text, cut into sentences and words by the model's tokeniser.

        `newline`, `hyphens` and `longest` are those of `whorl.text.segment`; without `hyphens`,
        words are cut as in the model's treebank. Offsets of constraints count characters.
        """
        if not isinstance(text, str):
            raise TypeError(
                f"a parser is called with a text, not with {type(text).__name__}: "
                "for words, use parse"
            )
        cutting: _CuttingOptions = {"newline": newline, "hyphens": hyphens, "longest": longest}
        (document,) = self.pipe(
            [text],
            constraints=[constraints],
            batch_size=batch_size,
            beam=beam,
            n_best=n_best,
            **cutting,
        )
        return document

    @overload
    def parse(
        self,
        tokens: Tokens,
        *,
        constraints: Constraints = (),
        beam: int = 1,
        n_best: None = None,
    ) -> Tree: ...
    @overload
    def parse(
        self, tokens: Tokens, *, constraints: Constraints = (), beam: int = 1, n_best: int
    ) -> list[Parse]: ...
    def parse(
        self,
        tokens: Tokens,
        *,
        constraints: Constraints = (),
        beam: int = 1,
        n_best: int | None = None,
    ) -> Tree | list[Parse]:
        """Parse one sentence of words, or of leaves, whose tags are kept.

        Returns the best tree or, with `n_best`, that many parses, best first. All satisfy the
        constraints, whose offsets count words.
        """
        if isinstance(tokens, str):
            raise TypeError("parse takes the words of a sentence; for text, call the parser itself")
        options = Options(beam=beam, n_best=n_best)
        result: Tree | list[Parse] | None
        sentence = check_item(ConstrainedInput(check_tokens(tokens), constraints), texts=False)
        (result,) = parse_inputs(self._model, [sentence], options)
        if not result:
            raise ModelError("cannot parse a sentence of no words")
        return result

    def check_constraints(self, sentence: ConstrainedInput) -> None:
        """Raise `ConstraintError` if no tree satisfies the constraints of a sentence of words.

        Nothing is parsed.
        """
        if isinstance(sentence.input, str):
            raise TypeError("check_constraints takes the words of a sentence, not a text")
        tokens = check_tokens(sentence.input)
        plan_sentence(sentence, tokens, self._model.engine.grammar())

    @overload
    def pipe(  # type: ignore[overload-overlap] # a text is a sequence of strings as well
        self,
        inputs: Iterable[str],
        *,
        n_best: int | None = None,
        **options: Unpack[_StreamOptions],
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self, inputs: Iterable[Tokens | ConstrainedInput], **options: Unpack[_StreamOptions]
    ) -> Iterator[Tree | None]: ...
    @overload
    def pipe(self, inputs: Iterable[Any], **options: Unpack[_ResultOptions]) -> Iterator[Any]: ...
    def pipe(
        self,
        inputs: Iterable[Any],
        *,
        as_tuples: bool = False,
        n_best: int | None = None,
        then: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        beam: int = 1,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
        jobs: int = 1,
        constraints: Iterable[Constraints | None] | None = None,
    ) -> Iterator[Any]:
        """Parse a stream of texts or lists of words, in batches and bounded memory, in order.

        A text gives a `Document`. Words or leaves give a `Tree`, or with `n_best` a list of
        `Parse`; an empty list gives None, or an empty list. With `as_tuples`, inputs are pairs of
        an input and any context, and results are pairs of a result and that context. A few batches
        are read ahead, so that sentences of similar length are parsed together. With `jobs`, that
        many worker processes parse; each loads the model once.

        `then` is called with each result, and with `as_tuples` also with the context; what it
        returns takes the place of the result. It runs in the process that parsed the input, so
        that with `jobs` only its return value is sent back: for many sentences, `then=str` is
        faster than a tree. It must be picklable.

        An input with constraints is a `ConstrainedInput`. Or `constraints` is a stream beside the
        inputs, with the constraints of each, or None.
        """
        options = Options(
            batch_size=self.batch_size if batch_size is None else batch_size,
            beam=beam,
            n_best=n_best,
            newline=newline,
            hyphens=hyphens,
            longest=longest,
            then=then if then is None or as_tuples else partial(_without_context, then),
        )
        return self._stream(inputs, constraints, options, as_tuples=as_tuples, jobs=jobs)

    def sentences(
        self,
        inputs: Iterable[Tokens | ConstrainedInput],
        *,
        batch_size: int | None = None,
        beam: int = 1,
        n_best: int | None = None,
        jobs: int = 1,
        constraints: Iterable[Constraints | None] | None = None,
    ) -> Iterator[Sentence | None]:
        """Parse a stream of lists of words as `pipe` does, but into sentences.

        The text of a sentence is its words joined by spaces. An empty list gives None. Constraints
        are given as to `pipe`.
        """
        options = Options(
            batch_size=self.batch_size if batch_size is None else batch_size,
            beam=beam,
            n_best=n_best,
            as_sentences=True,
        )
        return self._stream(inputs, constraints, options, jobs=jobs)

    def _stream(
        self,
        inputs: Iterable[Any],
        constraints: Iterable[Constraints | None] | None,
        options: Options,
        *,
        jobs: int,
        as_tuples: bool = False,
    ) -> Iterator[Any]:
        if isinstance(inputs, (str, bytes, bytearray)):
            raise TypeError(
                f"expected many inputs, not one {type(inputs).__name__}: "
                "for one text, call the parser itself"
            )
        if jobs < 1:
            raise ValueError(f"jobs must be 1 or more, not {jobs}")
        checked = check_inputs(
            inputs,
            as_tuples=as_tuples,
            texts=not options.as_sentences,
            constraints=constraints,
        )
        ahead = READ_AHEAD if jobs == 1 else _READ_AHEAD_PER_WORKER
        chunks = chunks_by_size(checked, options.batch_size * ahead, count_sentences)
        parsed: Generator[tuple[Chunk, list[Any]], None, None]
        if jobs == 1:
            parsed = ((chunk, parse_chunk(self._model, chunk, options)) for chunk in chunks)
        else:
            from whorl.parser.pool import parse_in_workers

            parsed = parse_in_workers(partial(_load_model, *self._origin()), chunks, options, jobs)
        return _flatten(parsed, as_tuples=as_tuples)

    def _origin(self) -> tuple[Path, str, str | None]:
        if self._source is None:
            raise TypeError("only a parser loaded from a folder can be sent to other processes")
        return self._source

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the folder's path; unpickling loads the model again."""
        return _reload, self._origin()


def _reload(folder: Path, device: str, convention: str | None) -> Parser:
    return Parser.load(folder, device=device, convention=convention)


def _load_model(folder: Path, device: str, convention: str | None) -> LoadedModel:
    return _reload(folder, device, convention)._model


def _without_context(then: Callable[[Any], Any], result: Any, _: None) -> Any:
    return then(result)


def _flatten(
    parsed: Generator[tuple[Chunk, list[Any]], None, None], *, as_tuples: bool
) -> Iterator[Any]:
    """Yield results one by one; workers end after the last, or when the caller stops early."""
    with closing(parsed):
        for chunk, results in parsed:
            for result, (_, context) in zip(results, chunk, strict=True):
                yield (result, context) if as_tuples else result
