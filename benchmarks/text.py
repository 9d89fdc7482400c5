"""Quality and speed of sentence splitting and tokenisation.

    python benchmarks/text.py [--part dev]

For each English treebank, text is rebuilt from the trees (see `detokenise.py`), split again, and
compared with the treebank's own tokens and sentences by offsets. `tokens` is measured on one gold
sentence at a time, `raw` and `sentences` on whole documents. The baseline is NLTK's Penn tokenizer
after its Punkt splitter, trained here on the text of the training part, because NLTK's own Punkt
model is a separate download. Speeds are processor time.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path

from nltk.tokenize import TreebankWordTokenizer
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer

from detokenise import Document, Span, documents
from whorl.text import Hyphens, iter_sentences, segment

TREEBANKS = ["nltk_ptb_sample", "masc", "gum", "craft", "genia"]
SHARED = Path(__file__).resolve().parents[2] / "shared" / "treebanks" / "en"
HARD = [
    "a",
    "!",
    ".",
    '"',
    "'",
    "(",
    "-",
    "@",
    "a.",
    "a@",
    "http://",
    "http://(",
    "1,",
    "日",
    "</a",
    "a'",
    ":(",
    "😂",
]
Cutter = Callable[[str], list[list[Span]]]


class Score:
    """Counts of gold, predicted and common spans."""

    def __init__(self) -> None:
        self.gold = self.predicted = self.common = 0

    def add(self, gold: list[Span], predicted: list[Span]) -> None:
        self.gold += len(gold)
        self.predicted += len(predicted)
        self.common += sum((Counter(gold) & Counter(predicted)).values())

    @property
    def f1(self) -> float:
        return 200 * self.common / max(self.gold + self.predicted, 1)


def whorl(hyphens: Hyphens) -> Cutter:
    def cut(text: str) -> list[list[Span]]:
        return [
            [(token.start, token.end) for token in sentence.tokens]
            for sentence in segment(text, hyphens=hyphens)
        ]

    return cut


def nltk(train: str) -> Cutter:
    trainer = PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = True
    trainer.train(train, finalize=True)
    splitter = PunktSentenceTokenizer(trainer.get_params())
    tokenizer = TreebankWordTokenizer()

    def cut(text: str) -> list[list[Span]]:
        split = []
        for start, end in splitter.span_tokenize(text):
            for left, right in paragraphs(text, start, end):
                spans = tokenizer.span_tokenize(text[left:right])
                split.append([(left + a, left + b) for a, b in spans])
        return [sentence for sentence in split if sentence]

    return cut


def paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    """Split at blank lines, where Whorl ends a sentence and Punkt does not."""
    while (blank := text.find("\n\n", start, end)) >= 0:
        yield start, blank
        start = blank + 2
    yield start, end


def whole(sentences: list[list[Span]]) -> list[Span]:
    return [(sentence[0][0], sentence[-1][1]) for sentence in sentences]


def flat(sentences: list[list[Span]]) -> list[Span]:
    return [span for sentence in sentences for span in sentence]


def measure(cut: Cutter, texts: list[Document]) -> tuple[float, float, float]:
    """Return the F1 of tokens in gold sentences, tokens in raw text, sentences in raw text."""
    per_sentence, raw, sentences = Score(), Score(), Score()
    for text, gold in texts:
        split = cut(text)
        raw.add(flat(gold), flat(split))
        sentences.add(whole(gold), whole(split))
        for sentence in gold:
            start = sentence[0][0]
            inside = flat(cut(text[start : sentence[-1][1]]))
            per_sentence.add(sentence, [(start + left, start + right) for left, right in inside])
    return per_sentence.f1, raw.f1, sentences.f1


def speed(cut: Callable[[str], object], text: str, tokens: int, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        cut(text)
        times.append(time.process_time() - start)
    return tokens / min(times)


def print_quality(folder: Path, part: str) -> None:
    print(f"{'':16} {'':14} {'tokens':>7} {'raw':>7} {'sentences':>9}")
    for name in TREEBANKS:
        texts = list(documents(folder / name / f"{part}.txt"))
        train = "\n\n".join(document.text for document in documents(folder / name / "train.txt"))
        for label, cut in {
            "whorl": whorl("keep"),
            "whorl, split": whorl("split"),
            "nltk": nltk(train),
        }.items():
            per_sentence, raw, sentences = measure(cut, texts)
            print(
                f"{name:16} {label:14} {per_sentence:7.2f} {raw:7.2f} {sentences:9.2f}", flush=True
            )


def print_speed(folder: Path, rounds: int) -> None:
    trains = (folder / name / "train.txt" for name in ("nltk_ptb_sample", "gum"))
    text = "\n\n".join(document.text for train in trains for document in documents(train))
    count = len(flat(whorl("keep")(text)))
    lines = [f"{line}\n" for line in text.split("\n")]
    print(f"\n{len(text):,} characters of {count:,} tokens, best of {rounds}")
    print(f"whorl, whole    {speed(segment, text, count, rounds):12,.0f} tokens/s")
    print(
        f"whorl, streamed "
        f"{speed(lambda _: deque(iter_sentences(lines), 0), text, count, rounds):12,.0f} tokens/s"
    )
    print(f"nltk            {speed(nltk(text[:100_000]), text, count, 1):12,.0f} tokens/s")


def print_hard_cases(size: int, rounds: int) -> None:
    print(
        f"\n{size:,} characters in one line of a repeated part: seconds, and the "
        "ratio to a tenth of it"
    )
    for part in HARD:
        texts = (part * (length // len(part)) for length in (size // 10, size))
        short, long = (1 / speed(segment, text, 1, rounds) for text in texts)
        print(f"{part!r:12} {long:6.2f} {long / short:6.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--part", default="test", choices=["train", "dev", "test"])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(
        f"{datetime.date.today()}, one core, Python {platform.python_version()}; "
        f"{options.part} parts"
    )
    print_quality(options.folder, options.part)
    print_speed(options.folder, options.rounds)
    print_hard_cases(1_000_000, options.rounds)


if __name__ == "__main__":
    main()
