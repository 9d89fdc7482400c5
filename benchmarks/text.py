"""How well text is cut into sentences and tokens, and how fast: `python benchmarks/text.py [--part dev]`.

For each English treebank, text is rebuilt from the trees (see `detokenise.py`), cut again, and compared with the treebank's own
tokens and sentences by their places in the text. `tokens` gives one gold sentence at a time, `raw` the whole text.
Beside Whorl run NLTK's Penn tokenizer after its Punkt splitter, trained here on the text of the train part, since the
model of NLTK comes by download only. Speeds are of processor time, on the text of the last two treebanks.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from detokenise import Document, Span, documents
from nltk.tokenize import TreebankWordTokenizer
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer

from whorl.text import Hyphens, iter_sentences, segment

TREEBANKS = ["nltk_ptb_sample", "masc", "gum", "craft", "genia"]
SHARED = Path(__file__).resolve().parents[2] / "shared" / "treebanks" / "en"
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
        return [[(token.start, token.end) for token in sentence.tokens] for sentence in segment(text, hyphens=hyphens)]

    return cut


def nltk(train: str) -> Cutter:
    trainer = PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = True
    trainer.train(train, finalize=True)
    splitter = PunktSentenceTokenizer(trainer.get_params())
    tokenizer = TreebankWordTokenizer()

    def cut(text: str) -> list[list[Span]]:
        found = []
        for start, end in splitter.span_tokenize(text):
            for left, right in paragraphs(text, start, end):
                spans = tokenizer.span_tokenize(text[left:right])
                found.append([(left + a, left + b) for a, b in spans])
        return [sentence for sentence in found if sentence]

    return cut


def paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    """Punkt does not end a sentence at a blank line; here it may, as Whorl does."""
    while (blank := text.find("\n\n", start, end)) >= 0:
        yield start, blank
        start = blank + 2
    yield start, end


def whole(sentences: list[list[Span]]) -> list[Span]:
    return [(sentence[0][0], sentence[-1][1]) for sentence in sentences]


def flat(sentences: list[list[Span]]) -> list[Span]:
    return [span for sentence in sentences for span in sentence]


def measure(cut: Cutter, texts: list[Document]) -> tuple[float, float, float]:
    """F1 of tokens in gold sentences, of tokens in raw text, and of sentences in raw text."""
    alone, raw, sentences = Score(), Score(), Score()
    for text, gold in texts:
        found = cut(text)
        raw.add(flat(gold), flat(found))
        sentences.add(whole(gold), whole(found))
        for sentence in gold:
            start = sentence[0][0]
            inside = flat(cut(text[start : sentence[-1][1]]))
            alone.add(sentence, [(start + left, start + right) for left, right in inside])
    return alone.f1, raw.f1, sentences.f1


def speed(cut: Callable[[str], object], text: str, tokens: int, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        cut(text)
        times.append(time.process_time() - start)
    return tokens / min(times)


def hard_cases(size: int) -> dict[str, str]:
    """Texts of one line that could take quadratic time."""
    parts = ["a", "!", ".", '"', "'", "(", "-", "@", "a.", "a@", "http://", "http://(", "&a", "1,", "日", "👩‍", "</a", "a'", ":("]
    return {part: part * (size // len(part)) for part in parts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--part", default="test", choices=["train", "dev", "test"])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(f"{datetime.date.today()}, {platform.machine()}, one core, Python {platform.python_version()}; {options.part} parts")
    print(f"{'':16} {'':14} {'tokens':>7} {'raw':>7} {'sentences':>9}")
    for name in TREEBANKS:
        texts = list(documents(options.folder / name / f"{options.part}.txt"))
        train = "\n\n".join(document.text for document in documents(options.folder / name / "train.txt"))
        cutters = {"whorl": whorl("keep"), "whorl, split": whorl("split"), "nltk": nltk(train)}
        for label, cut in cutters.items():
            alone, raw, sentences = measure(cut, texts)
            print(f"{name:16} {label:14} {alone:7.2f} {raw:7.2f} {sentences:9.2f}", flush=True)
    text = train
    count = len(flat(whorl("keep")(text)))
    print(f"\nspeed on {len(text):,} characters, {count:,} tokens, best of {options.rounds}")
    print(f"whorl segment   {speed(segment, text, count, options.rounds):12,.0f} tokens/s")
    lines = text.split(" ")
    streamed = speed(lambda _: sum(1 for _ in iter_sentences(f"{x} " for x in lines)), text, count, options.rounds)
    print(f"whorl, streamed {streamed:12,.0f} tokens/s")
    print(f"nltk            {speed(nltk(text[:100_000]), text, count, 1):12,.0f} tokens/s")
    print("\nhard cases, a line of a million characters: seconds, and how much longer than for a tenth of it")
    for part, long in hard_cases(1_000_000).items():
        short = hard_cases(100_000)[part]
        times = [1 / speed(segment, each, 1, options.rounds) for each in (short, long)]
        print(f"{part!r:12} {times[1]:6.2f} {times[1] / times[0]:6.1f}")


if __name__ == "__main__":
    main()
