"""Fuzzing with a time budget.

    python benchmarks/fuzz.py [--minutes 10] [--seed 0] [--target reader] [--limit 10]

A target is a function that takes a `random.Random`, makes one input of it, and raises if anything is wrong with what
comes of it. An input that takes longer than `--limit` seconds of processor time is a failure too, with its stack
printed; one that cannot even be interrupted ends the run after twice that. (Processor time, since the clock goes on
while a busy machine lets the run wait.)
Each input has a number, and `--only NUMBER` runs that one again. Other modules add to `TARGETS`.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import io
import random
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.accounting import check_nothing_lost  # noqa: E402 - found by way of the line above

from whorl.errors import BracketError  # noqa: E402
from whorl.trees import Tree, brackets, format_tree, iter_forests, iter_trees, read_trees  # noqa: E402

TREEBANKS = ROOT.parent / "shared" / "treebanks"
TOKEN = re.compile(r"[()]|[^ \t\r\n\f\v()]+|[ \t\r\n\f\v]+")
NOISE = [*"\u00a0\u3000\u0085\u2028\x1c\0\ufeff\u202e\U0001f600\r\t\v", "e\u0301"]
seen: Counter[str] = Counter()


@functools.cache
def corpus() -> list[str]:
    """Real lines, a bounded number from each file; a few made-up ones where there are no treebanks."""
    lines = []
    for path in sorted(TREEBANKS.rglob("*.txt")):
        with path.open(encoding="utf-8", errors="replace") as file:
            lines += [line.rstrip("\n") for _, line in zip(range(200), file, strict=False) if line.startswith("(")]
    return lines or ["(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))", "( (S (-LRB- -LRB-) (X y)))"]


def generated(rng: random.Random) -> str:
    """A tree of random shape, or of huge depth or width."""
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
    """The text with one kind of damage done to it, once or several times."""
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
                tokens.insert(at, rng.choice(["\n", "\n(", "\n\n", " ", "\r\n", " " * 5000, "x" * 5000]))
            case _:
                joined = "".join(tokens)
                cut = rng.randrange(len(joined) + 1)
                character = chr(rng.choice([rng.randrange(128), rng.randrange(0xD800)]))
                tokens = TOKEN.findall(joined[:cut] + character + joined[cut + 1 :])
    return "".join(tokens)


def reader(rng: random.Random) -> None:
    """Read a damaged file in every way there is, and hold the results against each other."""
    lines = []
    for _ in range(rng.choice([1, 2, 4, 20])):
        line = generated(rng) if rng.random() < 0.2 else rng.choice(corpus())
        if rng.random() < 0.1:
            line = format_tree(read_trees(line)[0], multiline=True) if brackets_balance(line) else line
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
    except brackets._Odd:
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
        assert read_trees("\n".join(map(str, trees))) == trees, "what is written reads back different"
    streamed: list[BracketError] = []
    with patch.object(brackets, "_BLOCK", rng.choice([1, 50, 1000, 1 << 20])):
        assert list(iter_trees(io.BytesIO(text.encode()), skipped=streamed)) == trees or text.startswith("\ufeff")
    assert [(e.line, e.column, e.reason) for e in streamed] == [(e.line, e.column, e.reason) for e in skipped] or (
        text.startswith("\ufeff")
    )


def check_bytes(text: str, rng: random.Random) -> None:
    """Flip bytes: whatever comes of it, only errors of ours, and the same number of lines."""
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
    """Among lines that are broken in ways that cannot make each other whole, the good ones all come back."""
    unclosed, closed = ["(S (A b)", "(S", "(X (Y", "(S (X))", "(S (A b c))"], ["(X))", "()", "(S c (A b))", "(A b))) x"]
    bad = rng.choice([unclosed, closed])
    good = [line for line in rng.choices(corpus(), k=10) if brackets_balance(line)]
    lines = [(line, True) for line in good] + [(rng.choice(bad), False) for _ in range(rng.randrange(10))]
    rng.shuffle(lines)
    skipped: list[BracketError] = []
    trees = read_trees("\n".join(line for line, _ in lines), skipped=skipped)
    assert trees == [tree for line, fine in lines if fine for tree in read_trees(line)], "a good line is lost"
    assert [error.line for error in skipped] == [n for n, (_, fine) in enumerate(lines, 1) if not fine]


TARGETS: dict[str, Callable[[random.Random], None]] = {"reader": reader}


def too_long(*_: object) -> None:
    raise TimeoutError("this input takes too long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=sorted(TARGETS), action="append", help="may be given again; default: all")
    parser.add_argument("--limit", type=float, default=10, help="seconds that one input may take")
    parser.add_argument("--only", type=int, help="run the input of this number, and nothing else")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, too_long)
    faulthandler.register(signal.SIGPROF, chain=True)
    names = options.target or sorted(TARGETS)
    corpus()
    end = time.monotonic() + options.minutes * 60
    number = options.only or 0
    failures = 0
    slowest = 0.0
    while time.monotonic() < end:
        name = names[number % len(names)]
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 * options.limit)  # its signal is not handled: it ends the process
        signal.setitimer(signal.ITIMER_PROF, options.limit)
        start = time.process_time()
        try:
            TARGETS[name](random.Random(f"{options.seed}-{number}"))
        except Exception:
            failures += 1
            print(f"input {number} of {name}, seed {options.seed}:", file=sys.stderr)
            traceback.print_exc()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        slowest = max(slowest, time.process_time() - start)
        number += 1
        if number % 500 == 0:
            print(f"{number:,} inputs", file=sys.stderr)
        if options.only is not None:
            break
    done = number - (options.only or 0)
    print(f"{done:,} inputs of {', '.join(names)}, seed {options.seed}: {failures} failures, slowest {slowest:.2f} s")
    for what, count in seen.most_common():
        print(f"{count:12,} {what}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
