"""Fuzzing within a time budget.

    python benchmarks/fuzz.py [--minutes 10] [--seed 0] [--target reader] [--count N] [--state FILE]

A target is a function that takes a `random.Random`, makes one input, and raises if the result is
wrong; or it makes several inputs and returns their number. A call that takes more than `--limit`
seconds of processor time is a failure too, and its stack is printed; a call that cannot be
interrupted ends the run after twice that time. (Processor time, because the clock also runs while a
busy machine lets the process wait.) Calls are numbered, and `--only NUMBER` repeats one. With
`--state`, an interrupted run resumes. Targets that need no model are here, the others in
`fuzz_parse.py`.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import io
import json
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.accounting import check_nothing_lost

from whorl.errors import BracketError, EvaluationError, ParameterError, WhorlError
from whorl.evaluation import (
    COLLINS,
    Parameters,
    Report,
    SentenceScore,
    SentenceTrees,
    Status,
    compare,
    evaluate,
    read_sentences,
    score_sentence,
)
from whorl.trees import (
    Leaf,
    Node,
    Tree,
    brackets,
    format_tree,
    iter_forests,
    iter_trees,
    read_trees,
    relabel,
    splice,
)

TREEBANKS = ROOT.parent / "shared" / "treebanks"
TOKEN = re.compile(r"[()]|[^ \t\r\n\f\v()]+|[ \t\r\n\f\v]+")
NOISE = [*"\u00a0\u3000\u0085\u2028\x1c\0\ufeff\u202e\U0001f600\r\t\v", "e\u0301"]
seen: Counter[str] = Counter()


@functools.cache
def corpus() -> list[str]:
    """Return real lines, at most 200 per file; two invented ones if there are no treebanks."""
    lines = []
    for path in sorted(TREEBANKS.rglob("*.txt")):
        with path.open(encoding="utf-8", errors="replace") as file:
            lines += [
                line.rstrip("\n")
                for _, line in zip(range(200), file, strict=False)
                if line.startswith("(")
            ]
    return lines or [
        "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))",
        "( (S (-LRB- -LRB-) (X y)))",
    ]


def generated(rng: random.Random) -> str:
    """Return a tree of random shape, or of huge depth or width."""
    kind = rng.randrange(20)
    size = rng.choice([10, 100, 1000, 1000, 30_000])
    words = ["a", "-LRB-", "x-RRB-", "日本", *NOISE[:6]]
    if kind == 0:
        return "(X " * size + "(A b)" + ")" * size
    if kind == 1:
        return "(X" + " (A b)" * size + ")"
    parts, depth = [], 0
    for _ in range(rng.randrange(1, 60)):
        if depth and rng.random() < 0.4:
            parts.append(f"({rng.choice(['NN', '-LRB-', '.'])} {rng.choice(words)})")
            while depth > 1 and rng.random() < 0.4:
                parts.append(")")
                depth -= 1
        else:
            parts.append("(" + rng.choice(["S ", "NP ", "X "]))
            depth += 1
    return "".join(parts) + "(A b)" + ")" * depth


def mutated(text: str, rng: random.Random) -> str:
    """Return the text, damaged once or several times."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(tokens)) if tokens else 0
        end = at + rng.choice([1, 1, 2, 10])
        match rng.randrange(7):
            case 0:
                del tokens[at:end]
            case 1:
                tokens[at:at] = tokens[at:end]
            case 2:
                tokens.insert(at, rng.choice("()") * rng.choice([1, 1, 2, 30]))
            case 3:
                tokens.insert(at, "".join(rng.choices(NOISE, k=rng.randrange(1, 4))))
            case 4:
                del tokens[at:]
            case 5:
                tokens.insert(
                    at, rng.choice(["\n", "\n(", "\n\n", " ", "\r\n", " " * 5000, "x" * 5000])
                )
            case _:
                joined = "".join(tokens)
                cut = rng.randrange(len(joined) + 1)
                character = chr(rng.choice([rng.randrange(128), rng.randrange(0xD800)]))
                tokens = TOKEN.findall(joined[:cut] + character + joined[cut + 1 :])
    return "".join(tokens)


def reader(rng: random.Random) -> None:
    """Read a damaged file in every possible way, and compare the results."""
    lines = []
    for _ in range(rng.choice([1, 2, 4, 20])):
        line = generated(rng) if rng.random() < 0.2 else rng.choice(corpus())
        if rng.random() < 0.1:
            line = (
                format_tree(read_trees(line)[0], multiline=True) if brackets_balance(line) else line
            )
        lines.append(mutated(line, rng) if rng.random() < 0.3 else line)
    text = rng.choice(["\n", "\n", "\r\n"]).join(lines)
    check_text(text, rng)
    check_bytes(text, rng)
    check_good_lines(rng)


def brackets_balance(line: str) -> bool:
    try:
        return bool(read_trees(line))
    except BracketError:
        return False


def check_text(text: str, rng: random.Random) -> None:
    skipped: list[BracketError] = []
    trees = read_trees(text, skipped=skipped)
    check_nothing_lost(text, trees, skipped)
    try:
        fast = brackets._fast_pass(text, False, {})
        seen["well formed"] += 1
    except brackets._IrregularError:
        fast = None
        seen["malformed"] += 1
        seen.update(re.sub("node: ['\"].*['\"]", "node: '…'", error.reason) for error in skipped)
    try:
        careful = brackets._careful_pass(text, "<string>", None, 1, bare=False, damaged=False)
    except BracketError as error:
        assert fast is None, f"only the careful pass finds fault: {error}"
        assert skipped, "the first error is not listed"
    else:
        assert fast == careful == trees, "the passes differ"
        assert not skipped
        assert [(t.left, t.right, t.spans()) for t in fast if isinstance(t, Tree)] == [
            (t.left, t.right, t.spans()) for t in careful if isinstance(t, Tree)
        ]
        assert read_trees("\n".join(map(str, trees))) == trees, (
            "what is written reads back different"
        )
    streamed: list[BracketError] = []
    with patch.object(brackets, "_BLOCK", rng.choice([1, 50, 1000, 1 << 20])):
        assert list(
            iter_trees(io.BytesIO(text.encode()), skipped=streamed)
        ) == trees or text.startswith("\ufeff")
    assert [(e.line, e.column, e.reason) for e in streamed] == [
        (e.line, e.column, e.reason) for e in skipped
    ] or (text.startswith("\ufeff"))


def check_bytes(text: str, rng: random.Random) -> None:
    """Flip bytes: only our own errors may be raised, and no line may be lost."""
    data = bytearray(text.encode())
    for _ in range(rng.choice([0, 1, 10])):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    skipped: list[BracketError] = []
    forests = list(iter_forests(io.BytesIO(bytes(data)), skipped=skipped))
    assert len(forests) == len(io.BytesIO(bytes(data)).readlines())
    assert len({error.line for error in skipped}) == len(skipped), "a line is listed twice"
    assert all(not forests[error.line - 1] for error in skipped)
    try:
        list(iter_trees(io.BytesIO(bytes(data))))
    except BracketError:
        seen["bytes refused"] += 1
    list(iter_trees(io.BytesIO(bytes(data)), skipped=[]))


def check_good_lines(rng: random.Random) -> None:
    """Good lines survive among broken ones that cannot complete each other."""
    unclosed, closed = (
        ["(S (A b)", "(S", "(X (Y", "(S (X))", "(S (A b c))"],
        ["(X))", "()", "(S c (A b))", "(A b))) x"],
    )
    bad = rng.choice([unclosed, closed])
    good = [line for line in rng.choices(corpus(), k=10) if brackets_balance(line)]
    lines = [(line, True) for line in good] + [
        (rng.choice(bad), False) for _ in range(rng.randrange(10))
    ]
    rng.shuffle(lines)
    skipped: list[BracketError] = []
    trees = read_trees("\n".join(line for line, _ in lines), skipped=skipped)
    assert trees == [tree for line, fine in lines if fine for tree in read_trees(line)], (
        "a good line is lost"
    )
    assert [error.line for error in skipped] == [
        n for n, (_, fine) in enumerate(lines, 1) if not fine
    ]


# The scorer.

LABELS = ["S", "NP", "VP", "ADVP", "PRT", "TOP", "X", "NP-SBJ", "-NONE-", "", "=", "X*"]
TAGS = ["NN", "DT", ",", ".", "``", "''", "POS", "-NONE-", "-LRB-", ":"]
PARAMETERS = """# comment
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL ''
DELETE_LABEL_FOR_LENGTH -NONE-
QUOTE_LABEL ''
QUOTE_LABEL POS
EQ_LABEL ADVP PRT
EQ_LABEL NP X
EQ_LABEL X VP
EQ_WORD a b
EQ_WORD -LRB- b
"""
NAIVE_LIMIT = 1000  # brackets; the naive count is quadratic


def scorer(rng: random.Random) -> None:
    """Score damaged files under damaged parameters; compare each sentence with a naive count."""
    params = parameters(rng)
    gold: list[str] = []
    predicted: list[str] = []
    for number in range(rng.choice([1, 2, 5, 20])):
        line = generated(rng) if number == 0 and rng.random() < 0.3 else rng.choice(corpus())
        other = line if rng.random() < 0.2 else variant(line, rng)
        if rng.random() < 0.5:
            line, other = other, line
        gold.append(damaged(line, rng))
        predicted.append(damaged(other, rng))
    if rng.random() < 0.02:
        predicted.append("")
    try:
        sides = read_side(gold), read_side(predicted)
    except BracketError:  # trees spread over lines, and damaged
        seen["files refused"] += 1
        return
    check_report(*sides, params)
    for ours, theirs in zip(*sides, strict=False):
        check_score(ours, theirs, params)


def parameters(rng: random.Random) -> Parameters:
    """Return the parameters of a file, perhaps damaged; COLLINS if it is rejected."""
    lines = [line for line in PARAMETERS.split("\n") if rng.random() < 0.7]
    text = "\n".join(lines)
    if rng.random() < 0.3:
        cut = rng.randrange(len(text) + 1)
        junk = rng.choice(
            [
                *NOISE,
                "LABELED 0\n",
                "MAX_ERROR -5\n",
                "CUTOFF_LEN " + "9" * 5000,
                " ",
                "DELETE_LABEL",
            ]
        )
        text = text[:cut] + junk + text[cut + rng.randrange(3) :]
    try:
        params = Parameters.parse(text)
    except ParameterError:
        seen["parameters refused"] += 1
        return COLLINS
    json.dumps(params.to_dict())
    return params


def damaged(line: str, rng: random.Random) -> str:
    match rng.randrange(12):
        case 0:
            return mutated(line, rng)
        case 1:
            return rng.choice(
                ["", "()", f"{line} {line}", "(A b)", "(())", line.replace(" ", "  ")]
            )
        case _:
            return line


def variant(line: str, rng: random.Random) -> str:
    """Return other trees, mostly over the same words: other labels, phrases, shape, or one word."""
    trees = []
    for tree in read_trees(line, skipped=[]):
        if isinstance(tree, Leaf):
            trees.append(str(tree))
            continue
        match rng.randrange(6):
            case 0 | 1:
                chosen = relabel(
                    tree, lambda label: rng.choice([label, label, rng.choice(LABELS[:9])])
                )
            case 2:
                chosen = splice(tree, {label for label, _, _ in tree.spans() if rng.random() < 0.3})
            case 3 | 4:
                chosen = reshaped(tree.leaves(), rng)
            case _:
                leaves = tree.leaves()
                leaves[rng.randrange(len(leaves))] = Leaf(
                    rng.choice(TAGS), rng.choice(["a", "b", "(", "'", "/"])
                )
                chosen = reshaped(leaves, rng)
        trees.append(str(chosen))
    return " ".join(trees)


def reshaped(leaves: list[Leaf], rng: random.Random) -> Tree:
    """Return a random tree over the words."""
    stack: list[Node] = []
    for left, leaf in enumerate(leaves):
        tag = rng.choice(["NN", "DT"]) if leaf.tag.isalpha() and rng.random() < 0.1 else leaf.tag
        stack.append(Leaf(tag, leaf.word, left))
        while rng.random() < 0.4:
            arity = rng.randrange(1, 5)
            stack[-arity:] = [Tree(rng.choice(LABELS[:9]), stack[-arity:])]
    return Tree(rng.choice(LABELS), stack)


def read_side(lines: list[str]) -> list[SentenceTrees]:
    """Read sentences through a file, as the command does."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="\n", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        return read_sentences(file.name, skipped=[])


def check_report(
    gold: list[SentenceTrees], predicted: list[SentenceTrees], params: Parameters
) -> None:
    """Produce every output; totals must be the sums over sentences."""
    try:
        report = evaluate(gold, predicted, params)
    except EvaluationError:
        seen["reports refused"] += 1
        return
    report.evalb()
    json.dumps(report.to_dict())
    scores = [score for score in report.scores if score.status is Status.VALID]
    assert report.all.matched == sum(score.matched for score in scores)
    assert sum(tally.found for tally in report.by_children().values()) == report.all.matched
    assert sum(tally.gold for tally in report.by_label().values()) == report.all.gold
    check_comparison(report)


def check_comparison(report: Report) -> None:
    try:
        compared = compare(report, report, resamples=5)
    except WhorlError:
        return
    assert compared.difference == compared.low == compared.high == 0


def check_score(gold: SentenceTrees, predicted: SentenceTrees, params: Parameters) -> None:
    """Check one score: its bounds, the naive count, and that swapping the sides swaps P and R."""
    score = score_sentence(gold, predicted, params)
    seen[f"sentences {score.status.name.lower()}"] += 1
    if score.status is not Status.VALID:
        return
    assert 0 <= score.matched <= min(score.gold, score.predicted)
    assert 0 <= score.crossing <= score.predicted - score.matched
    assert 0 <= score.tags <= score.words <= score.length or params.delete_for_length
    ours, theirs = naive(gold, params), naive(predicted, params)
    if len(ours.tags) != len(theirs.tags):  # quotation marks were put back
        seen["quotes restored"] += 1
        return
    if len(ours.brackets) <= NAIVE_LIMIT >= len(theirs.brackets):
        assert naive_counts(ours, theirs, params) == counts_of(score)
        seen["sentences equal to the naive count"] += 1
    if is_transitive(params):
        back = score_sentence(predicted, gold, params)
        assert (back.recall, back.precision) == (score.precision, score.recall)
        assert (back.gold, back.predicted, back.tags) == (score.predicted, score.gold, score.tags)
        seen["sentences exchanged"] += 1


def counts_of(score: SentenceScore) -> tuple[int, ...]:
    return score.matched, score.gold, score.predicted, score.crossing, score.words, score.tags


class Naive:
    """The tags of the words that are kept, and the brackets over them."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.brackets: list[tuple[int, int, str]] = []


def naive(sentence: SentenceTrees, params: Parameters) -> Naive:
    """Return the sentence as EVALB sees it, computed phrase by phrase."""
    result = Naive()
    for tree in [sentence] if isinstance(sentence, Tree | Leaf) else sentence or []:
        leaves = tree.leaves() if isinstance(tree, Tree) else [tree]
        kept = [leaf.tag not in params.delete for leaf in leaves]
        before = len(result.tags)
        result.tags += [leaf.tag for leaf, keep in zip(leaves, kept, strict=True) if keep]
        phrases = list(tree.phrases()) if isinstance(tree, Tree) else []
        if len(phrases) > NAIVE_LIMIT:
            result.brackets += [(0, 0, "")] * len(phrases)  # too many to be compared
            continue
        for phrase in phrases:
            left = before + sum(kept[: phrase.left - tree.left])
            right = before + sum(kept[: phrase.right - tree.left])
            label = re.match("[^-=]*", phrase.label).group()  # type: ignore[union-attr]
            if left < right and not any(equal(label, deleted, params) for deleted in params.delete):
                result.brackets.append((left, right, label))
    return result


def equal(a: str, b: str, params: Parameters) -> bool:
    return a == b or any(pair in params.equal_labels for pair in ((a, b), (b, a)))


def naive_counts(gold: Naive, predicted: Naive, params: Parameters) -> tuple[int, ...]:
    """Compare every gold bracket with every predicted one."""
    free = list(predicted.brackets)
    matched = 0
    for left, right, label in gold.brackets:
        for i, (l, r, other) in enumerate(free):
            if (l, r) == (left, right) and (not params.labelled or equal(label, other, params)):
                del free[i]
                matched += 1
                break
    crossing = sum(
        any(a < left < b < right or left < a < right < b for a, b, _ in gold.brackets)
        for left, right, _ in predicted.brackets
    )
    tags = sum(equal(a, b, params) for a, b in zip(gold.tags, predicted.tags, strict=True))
    return matched, len(gold.brackets), len(predicted.brackets), crossing, len(gold.tags), tags


def is_transitive(params: Parameters) -> bool:
    """Whether equality of labels is transitive; if not, the order of matching matters."""
    pairs = params.equal_labels
    labels = {label for pair in pairs for label in pair}
    return not params.labelled or all(
        equal(a, c, params)
        for a in labels
        for b in labels
        for c in labels
        if equal(a, b, params) and equal(b, c, params)
    )


def parsing(name: str, rng: random.Random) -> int | None:
    """Run a target that needs a model, which is trained on first use."""
    import fuzz_parse

    if fuzz_parse.seen is not seen:
        fuzz_parse.seen = seen
        fuzz_parse.parser()
    return fuzz_parse.TARGETS[name](rng)


TARGETS: dict[str, Callable[[random.Random], int | None]] = {
    "reader": reader,
    "scorer": scorer,
    "parse": functools.partial(parsing, "parse"),
    "parse-cli": functools.partial(parsing, "parse-cli"),
}
PLAIN = ("reader", "scorer")


@dataclass
class Run:
    """The progress of a run, from which it can resume."""

    seed: int
    targets: list[str]
    number: int = 0
    inputs: int = 0
    failures: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_number: int = 0
    seen: dict[str, int] = field(default_factory=dict)

    @classmethod
    def resume(cls, state: Path | None, seed: int, targets: list[str]) -> Run:
        if state is None or not state.exists():
            return cls(seed, targets)
        saved = cls(**json.loads(state.read_text(encoding="utf-8")))
        if (saved.seed, saved.targets) != (seed, targets):
            sys.exit(
                f"{state} belongs to another run: seed {saved.seed}, "
                f"targets {', '.join(saved.targets)}"
            )
        seen.update(saved.seen)
        return saved

    def save(self, state: Path | None) -> None:
        self.seen = dict(seen)
        if state is not None:
            partial = state.with_suffix(".partial")
            partial.write_text(json.dumps(asdict(self)), encoding="utf-8")
            partial.replace(state)

    def __str__(self) -> str:
        each = 1000 * self.seconds / max(self.inputs, 1)
        return (
            f"{self.inputs:,} inputs of {', '.join(self.targets)}, seed {self.seed}: "
            f"{self.failures} failures, "
            f"{each:.3f} ms of processor time each, slowest call "
            f"{self.slowest:.2f} s (number {self.slowest_number})"
        )


def too_long(*_: object) -> None:
    raise TimeoutError("this input takes too long")


def attempt(run: Run, limit: float) -> None:
    """Make one call."""
    name = run.targets[run.number % len(run.targets)]
    # Nothing handles this signal, so it ends the process.
    signal.setitimer(signal.ITIMER_VIRTUAL, 2 * limit)
    signal.setitimer(signal.ITIMER_PROF, limit)
    start = time.process_time()
    try:
        run.inputs += TARGETS[name](random.Random(f"{run.seed}-{run.number}")) or 1
    except Exception:
        run.inputs += 1
        run.failures += 1
        print(f"input {run.number} of {name}, seed {run.seed}:", file=sys.stderr)
        traceback.print_exc()
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    seconds = time.process_time() - start
    run.seconds += seconds
    if seconds > run.slowest:
        run.slowest, run.slowest_number = seconds, run.number
    run.number += 1


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--count", type=int, help="stop after this many inputs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--target", choices=TARGETS, action="append", help=f"repeatable; default: {PLAIN}"
    )
    parser.add_argument("--limit", type=float, default=10, help="seconds per call")
    parser.add_argument("--only", type=int, help="repeat only this call")
    parser.add_argument(
        "--model",
        type=Path,
        help="exported model for parse and parse-cli; default: a tiny one",
    )
    parser.add_argument("--state", type=Path, help="file with the progress of the run")
    options = parser.parse_args()
    names = options.target or list(PLAIN)
    run = Run.resume(options.state, options.seed, names)
    if options.only is not None:
        run = Run(options.seed, names, number=options.only)
    corpus()
    if options.model is not None:
        import fuzz_parse

        fuzz_parse.model_folder = options.model
    for name in {*names} - {*PLAIN}:
        TARGETS[name](random.Random(0))  # trains the model
    seen.clear()
    seen.update(run.seen)
    signal.signal(signal.SIGPROF, too_long)
    faulthandler.register(signal.SIGPROF, chain=True)
    start = reported = time.monotonic()
    while time.monotonic() < start + options.minutes * 60 and (
        options.count is None or run.inputs < options.count
    ):
        attempt(run, options.limit)
        if options.only is not None:
            break
        if time.monotonic() > reported + 10:
            reported = time.monotonic()
            run.save(options.state)
            print(f"{run.inputs:,} inputs", file=sys.stderr)
    run.save(options.state if options.only is None else None)
    print(run)
    for what, count in seen.most_common():
        print(f"{count:12,} {what}")
    sys.exit(1 if run.failures else 0)


if __name__ == "__main__":
    main()
