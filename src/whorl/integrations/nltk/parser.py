"""A parser with the methods of NLTK's `CoreNLPParser` and `StanfordParser`, without Java."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

from whorl.extras import missing_package
from whorl.integrations.nltk.properties import Properties, TextProperties
from whorl.parser import ConstrainedInput, Constraints, Parser, Tokens, load
from whorl.text import Hyphens, TokenSpan, read_tokens, tokenise
from whorl.tokenisers import PennTokeniser
from whorl.trees import Leaf, Probabilities, Tree, normalise_root, strip_root

try:
    from nltk.parse.api import ParserI
    from nltk.tag.api import TaggerI
    from nltk.tokenize.api import TokenizerI
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "nltk":
        raise
    raise missing_package("nltk") from error

if TYPE_CHECKING:
    from whorl.engine import Parse

__all__ = ["WhorlParser"]

NltkTree: TypeAlias = Any
"""An `nltk.Tree`; NLTK has no types."""
TaggedWord: TypeAlias = tuple[str, str | None]

T = TypeVar("T")
U = TypeVar("U")


class WhorlParser(ParserI, TaggerI, TokenizerI):
    """A parser, tagger and tokeniser of NLTK.

        >>> from whorl.nltk import WhorlParser
        >>> parser = WhorlParser()
        >>> print(next(parser.raw_parse("The public is still cautious.")))
        (TOP
          (S
            (NP (DT The) (NN public))
            (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious)))
            (. .)))

    `model` is a name or folder as for `whorl.load`, or a `whorl.Parser` that is loaded already.

    The trees of a sentence are an iterator of up to `n_best`, most likely first; there are none of
    a sentence without words. With `probabilities`, they are `nltk.ProbabilisticTree`: the root has
    the probability of the tree given the words, each phrase below it the probability that it is
    right (NaN if the model gives none), each tag 1. `root="ROOT"` renames the root, `root=""`
    removes it.

    Methods for many sentences return iterators that read, and parse in batches, a few thousand
    sentences at a time and hold no more, however many there are; `jobs` worker processes parse.

    The arguments `properties` and `verbose` are those of `CoreNLPParser` and `StanfordParser`.
    Properties that decide what is a word or a sentence are obeyed; one that cannot be obeyed
    raises `TextError`. `verbose` does nothing.

    `constraints` are `whorl.Constraint`s that every tree satisfies; their offsets count words.
    """

    def __init__(
        self,
        model: str | Path | Parser | None = None,
        *,
        n_best: int = 1,
        beam: int = 1,
        probabilities: bool = False,
        root: str | None = None,
        hyphens: Hyphens | None = None,
        batch_size: int | None = None,
        jobs: int = 1,
        device: str = "cpu",
        convention: str | None = None,
    ) -> None:
        if isinstance(model, Parser):
            if device != "cpu" or convention is not None:
                raise ValueError("device and convention are those of the Parser: load it with them")
            self.parser = model
        else:
            name = () if model is None else (model,)
            self.parser = load(*name, device=device, convention=convention)
        self.n_best = n_best
        self.beam = beam
        self.probabilities = probabilities
        self.root = root
        self.hyphens = hyphens
        self.batch_size = batch_size
        self.jobs = jobs
        # An invalid option is an error here and not at the first sentence.
        self._tokens("")
        self._parses([])

    def parse(
        self,
        sentence: Iterable[str],
        verbose: bool = False,
        properties: Properties = None,
        *,
        constraints: Constraints = (),
    ) -> Iterator[NltkTree]:
        """Parse a sentence of words; a word may have spaces in it."""
        TextProperties.read(properties)
        return self._trees_of(_check_words(sentence), constraints)

    def parse_sents(
        self,
        sentences: Iterable[Iterable[str]],
        verbose: bool = False,
        properties: Properties = None,
        *,
        constraints: Iterable[Constraints | None] | None = None,
    ) -> Iterator[Iterator[NltkTree]]:
        """Parse many sentences of words; each gives an iterator of trees.

        `constraints` has those of each sentence, or None.
        """
        TextProperties.read(properties)
        return self._all_trees(_each(_check_words, sentences), constraints=constraints)

    def raw_parse(
        self, sentence: str, properties: Properties = None, verbose: bool = False
    ) -> Iterator[NltkTree]:
        """Parse a text as one sentence."""
        return self._trees_of(self._words(sentence, TextProperties.read(properties)))

    def raw_parse_sents(
        self, sentences: Iterable[str], verbose: bool = False, properties: Properties = None
    ) -> Iterator[Iterator[NltkTree]]:
        """Parse many texts as one sentence each; each gives an iterator of trees."""
        return self._all_trees(self._words_of_each(sentences, properties))

    def tagged_parse(
        self,
        sentence: Iterable[TaggedWord],
        verbose: bool = False,
        properties: Properties = None,
        *,
        constraints: Constraints = (),
    ) -> Iterator[NltkTree]:
        """Parse a sentence of pairs `(word, tag)`; tags are kept, and predicted where None."""
        TextProperties.read(properties)
        known = list(constraints)
        return self._trees_of(self._leaves(sentence, known), known)

    def tagged_parse_sents(
        self,
        sentences: Iterable[Iterable[TaggedWord]],
        verbose: bool = False,
        properties: Properties = None,
    ) -> Iterator[Iterator[NltkTree]]:
        """Parse many sentences of pairs `(word, tag)`; each gives an iterator of trees."""
        TextProperties.read(properties)
        return self._all_trees(_each(self._leaves, sentences))

    def parse_text(
        self, text: str, properties: Properties = None, timeout: float | None = None
    ) -> Iterator[NltkTree]:
        """Cut a text into sentences and parse them: the best tree of each. `timeout` is ignored."""
        sentences = self._sentences(_check_text(text), TextProperties.read(properties))
        return (self.make_tree(parses[0]) for parses in self._parses(sentences) if parses)

    def tokenize(self, text: str, properties: Properties = None) -> list[str]:
        """Cut a text into the words that `raw_parse` parses, in their Penn forms."""
        return self._words(text, TextProperties.read(properties))

    def span_tokenize(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where each word of `tokenize` stands in the text."""
        return ((token.start, token.end) for token in self._tokens(text))

    def tag(self, sentence: Iterable[str], properties: Properties = None) -> list[tuple[str, str]]:
        """Pair each word of a sentence with its part of speech."""
        return self.tag_sents([sentence], properties)[0]

    def tag_sents(
        self, sentences: Iterable[Iterable[str]], properties: Properties = None
    ) -> list[list[tuple[str, str]]]:
        """Pair each word of many sentences with its part of speech."""
        TextProperties.read(properties)
        return list(self._tagged(_each(_check_words, sentences)))

    def raw_tag_sents(
        self, sentences: Iterable[str], properties: Properties = None
    ) -> Iterator[list[list[tuple[str, str]]]]:
        """Tag many texts as one sentence each; each gives a list of its one tagged sentence."""
        tagged = self._tagged(self._words_of_each(sentences, properties))
        return ([sentence] if sentence else [] for sentence in tagged)

    def make_tree(self, parse: Parse) -> NltkTree:
        """Convert a parse to a tree of NLTK; override it for another class of trees."""
        tree = self._with_root(parse.tree)
        if not self.probabilities:
            return tree.to_nltk()
        nltk_tree = tree.to_nltk(_phrase_probabilities(parse, tree))
        nltk_tree.set_logprob(parse.log_probability / math.log(2))  # NLTK's are to base 2
        return nltk_tree

    def grammar(self) -> NoReturn:
        """Raise `NotImplementedError`: a parser that scores transitions has no grammar."""
        raise NotImplementedError("a transition-based parser has no grammar")

    def _with_root(self, tree: Tree) -> Tree:
        if self.root is None:
            return tree
        return normalise_root(tree, self.root) if self.root else strip_root(tree)

    def _trees_of(self, tokens: Tokens, constraints: Constraints = ()) -> Iterator[NltkTree]:
        item = ConstrainedInput(tokens, constraints, "the sentence")
        (parses,) = self._parses([item], jobs=1)
        return map(self.make_tree, parses)

    def _all_trees(
        self, sentences: Iterable[Tokens], **options: Any
    ) -> Iterator[Iterator[NltkTree]]:
        return (map(self.make_tree, parses) for parses in self._parses(sentences, **options))

    def _parses(
        self, sentences: Iterable[Tokens | ConstrainedInput], **options: Any
    ) -> Iterator[list[Parse]]:
        """Yield the parses of each sentence, none of a sentence without words."""
        parses: Iterator[list[Parse]] = self._pipe(sentences, n_best=self.n_best, **options)
        return parses

    def _pipe(self, inputs: Iterable[Any], **options: Any) -> Iterator[Any]:
        own = {"beam": self.beam, "batch_size": self.batch_size, "jobs": self.jobs}
        return self.parser.pipe(inputs, **{**own, **options})

    def _tagged(self, sentences: Iterable[list[str]]) -> Iterator[list[tuple[str, str]]]:
        pairs = ((words, words) for words in sentences)
        for parses, words in self._pipe(pairs, as_tuples=True, n_best=1):
            tags = parses[0].tree.tags() if parses else []
            yield list(zip(words, tags, strict=True))

    def _leaves(self, sentence: Iterable[TaggedWord], constraints: Constraints = ()) -> list[Leaf]:
        """Return the leaves of a sentence; a tag that is None is predicted."""
        pairs = [_check_pair(pair) for pair in sentence]
        if all(tag is not None for _, tag in pairs):
            predicted = [""] * len(pairs)
        else:
            words = [word for word, _ in pairs]
            item = ConstrainedInput(words, constraints, "the sentence")
            (parses,) = self._pipe([item], n_best=1, jobs=1)
            predicted = parses[0].tree.tags()
        return [
            Leaf(guess if tag is None else tag, word, place)
            for place, ((word, tag), guess) in enumerate(zip(pairs, predicted, strict=True))
        ]

    def _tokens(self, text: str) -> list[TokenSpan]:
        tokeniser = self.parser.tokeniser
        if isinstance(tokeniser, PennTokeniser):
            return tokenise(_check_text(text), hyphens=self.hyphens or tokeniser.hyphens)
        sentences = tokeniser.segment(_check_text(text), hyphens=self.hyphens)
        return [token for sentence in sentences for token in sentence.tokens]

    def _words(self, text: str, properties: TextProperties) -> list[str]:
        """Return the words of a text that is one sentence."""
        if properties.whitespace:
            return read_tokens(_check_text(text))
        return [token.text for token in self._tokens(text)]

    def _words_of_each(
        self, sentences: Iterable[str], properties: Properties
    ) -> Iterator[list[str]]:
        options = TextProperties.read(properties)
        return _each(lambda text: self._words(text, options), sentences)

    def _sentences(self, text: str, properties: TextProperties) -> Iterator[list[str]]:
        """Yield the words of each sentence of a text."""
        if properties.one_sentence:
            yield self._words(text, properties)
            return
        tokeniser = self.parser.tokeniser
        for span in tokeniser.iter_sentences(
            [text], newline=properties.newline, hyphens=self.hyphens
        ):
            written = text[span.start : span.end]
            yield read_tokens(written) if properties.whitespace else span.words


def _phrase_probabilities(parse: Parse, tree: Tree) -> Probabilities:
    """Return a probability for each phrase of a tree whose root may differ from the parse's."""
    below_root = sum(1 for _ in tree.phrases()) - 1
    known: Probabilities = parse.probabilities() or [None] * below_root
    return [None, *known[len(known) - below_root :]]


def _each(check: Callable[[T], U], sentences: Iterable[T]) -> Iterator[U]:
    """Return an iterator of checked sentences; an error names the number of the wrong one."""
    if isinstance(sentences, str):
        raise TypeError("expected many sentences, not one string")

    def checked() -> Iterator[U]:
        for number, sentence in enumerate(sentences, start=1):
            try:
                result = check(sentence)
            except TypeError as error:
                raise TypeError(f"sentence {number}: {error}") from None
            yield result

    return checked()


def _check_text(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(
            f"expected a text, not {type(text).__name__}: for words, use parse or parse_sents"
        )
    return text


def _check_words(sentence: Iterable[str]) -> list[str]:
    if isinstance(sentence, str):
        raise TypeError(
            f"expected the words of a sentence, not the string {sentence[:60]!r}: "
            "for texts, use raw_parse, raw_parse_sents or parse_text"
        )
    words = list(sentence)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(
                f"expected the words of a sentence, not {word!r:.60}: "
                "for pairs of a word and its tag, use tagged_parse or tagged_parse_sents"
            )
    return words


def _check_pair(pair: TaggedWord) -> TaggedWord:
    if isinstance(pair, tuple | list) and len(pair) == 2:
        word, tag = pair
        if isinstance(word, str) and (tag is None or isinstance(tag, str)):
            return word, tag
    raise TypeError(f"expected a pair of a word and its tag, not {pair!r:.60}")
