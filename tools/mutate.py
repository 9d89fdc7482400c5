"""Mutation testing of the symbolic core: does a test fail when a line is wrong?

    python tools/mutate.py --seed 1 --mutants 200 --jobs 2 --report mutants.json

Each mutant is one small change to one source file: a comparison, an arithmetic operator or
`and`/`or` is replaced, a number changed by one, a condition negated, a returned value replaced by
None, or a statement removed. The changes are drawn at random from all possible ones; the seed fixes
the draw. The tests in `TESTS` run on a copy of the checkout. A mutant is killed if they fail or
exceed their time limit (three times their usual duration plus twenty seconds), and survives
otherwise. A survivor is a gap in the tests or an equivalent program: look at each.

The report is written after every mutant. Another run with the same report skips the mutants that it
holds. With `--minutes`, a run stops in time and can be continued later.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

Stage: TypeAlias = tuple[str, ...]
Edit: TypeAlias = tuple[str, ast.AST, str]  # kind, node to replace, its new source

# Source prefix → stages of pytest arguments, the quickest first. The first matching prefix counts.
# Test paths that do not exist are left out.
TESTS: dict[str, tuple[Stage, ...]] = {
    "src/whorl/trees": (
        ("tests/trees",),
        ("tests/test_roundtrip.py", "tests/transitions", "tests/evaluation", "tests/formats"),
    ),
    "src/whorl/escapes": (("tests/text", "tests/trees"),),
    "src/whorl/text": (("tests/text",), ("tests/parser/test_api.py",)),
    "src/whorl/evaluation": (("tests/evaluation",), ("tests/cli/test_evaluate.py",)),
    "src/whorl/transitions": (
        ("tests/transitions",),
        ("tests/test_roundtrip.py", "tests/oracles/test_static.py", "tests/oracles/test_gold.py"),
        ("tests/oracles/test_dynamic.py", "-k", "not 5-1-"),
    ),
    "src/whorl/oracles": (
        (
            "tests/oracles/test_static.py",
            "tests/oracles/test_gold.py",
            "tests/oracles/test_following.py",
            "tests/oracles/test_exchange.py",
        ),
        ("tests/oracles/test_dynamic.py", "-k", "not 5-1-"),
        ("tests/oracles/test_dynamic.py", "-k", "5-1-"),
    ),
    "src/whorl/engine": (
        ("tests/engine", "tests/formats"),
        ("tests/parser/test_api.py", "tests/labelling/test_calibration.py"),
    ),
    "src/whorl/parser/documents": (
        ("tests/engine", "tests/formats"),
        ("tests/parser/test_api.py", "tests/cli/test_parse_formats.py"),
    ),
}
DEFAULT_TESTS: tuple[Stage, ...] = (("tests",),)
COPIED = (
    "src",
    "tests",
    "docs",
    "benchmarks",
    "tools",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
)

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """One change to one file: the bytes from `start` to `end` become `after`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """The key of the mutant in a report."""
        return f"{self.path}:{self.start}-{self.end}:{self.kind}:{self.after}"

    def apply(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.after.encode() + source[self.end :]

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.path}:{self.line}: {self.kind}: {before}  →  {after}"


# Finding mutants


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children worth changing.

    Annotations, decorators, error messages, f-strings and imports are left out.
    """
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom):
        return
    skipped: list[ast.AST | None] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        skipped = [*node.decorator_list, node.returns]
    elif isinstance(node, ast.ClassDef):
        skipped = [*node.decorator_list, *node.bases]
    elif isinstance(node, ast.AnnAssign | ast.arg):
        skipped = [node.annotation]
    elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        skipped = [node.test, *node.body]
    for child in ast.iter_child_nodes(node):
        if not any(child is other for other in skipped) and not _is_declaration(child):
            yield child


def _is_declaration(node: ast.AST) -> bool:
    """Tell whether a node is a docstring, `__all__`, `__slots__` or a type variable."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        called = node.value.func if isinstance(node.value, ast.Call) else None
        return bool(names & {"__all__", "__slots__"}) or (
            isinstance(called, ast.Name)
            and called.id in {"TypeVar", "ParamSpec", "NewType", "NamedTuple"}
        )
    return False


def _edits(node: ast.AST, *, in_function: bool) -> Iterator[Edit]:
    """Yield all changes to this node, its children excluded."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[index] = COMPARISONS[type(operator)]()
            yield "comparison", node, f"({ast.unparse(changed)})"
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        binary = copy.deepcopy(node)
        binary.op = ARITHMETIC[type(node.op)]()
        yield "arithmetic", node, f"({ast.unparse(binary)})"
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        augmented = copy.deepcopy(node)
        augmented.op = ARITHMETIC[type(node.op)]()
        yield "arithmetic", node, ast.unparse(augmented)
    elif isinstance(node, ast.BoolOp):
        boolean = copy.deepcopy(node)
        boolean.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield "and/or", node, f"({ast.unparse(boolean)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negation", node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "constant", node, f"({node.value + 1})"
        yield "constant", node, f"({node.value - 1})"
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Constant):
        yield "negation", node.test, f"(not ({ast.unparse(node.test)}))"
    if (
        isinstance(node, ast.Return)
        and node.value is not None
        and ast.unparse(node.value) != "None"
    ):
        yield "returned value", node.value, "None"
    removable = (
        ast.Expr | ast.Assign | ast.AugAssign | ast.Raise | ast.Delete | ast.Continue | ast.Break
    )
    is_yield = isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom)
    if in_function and isinstance(node, removable) and not is_yield:
        yield "removed", node, "pass"


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Return all mutants of a file, in order."""
    tree = ast.parse(source)
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    mutants = {}
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, in_function = pending.pop()
        for kind, place, after in _edits(node, in_function=in_function):
            assert isinstance(place, ast.expr | ast.stmt)
            start = offsets[place.lineno - 1] + place.col_offset
            end = offsets[(place.end_lineno or place.lineno) - 1] + (place.end_col_offset or 0)
            mutant = Mutant(path, place.lineno, kind, start, end, source[start:end].decode(), after)
            mutants[mutant.key] = mutant
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        pending += [(child, inside) for child in _children(node)]
    return sorted(
        mutants.values(), key=lambda mutant: (mutant.start, mutant.end, mutant.kind, mutant.after)
    )


def draw(root: Path, paths: Sequence[str], seed: int, count: int) -> list[Mutant]:
    """Draw mutants of the files at `paths`: folders, files or prefixes. The seed fixes the draw."""
    files = set()
    for path in paths:
        files |= (
            set((root / path).rglob("*.py"))
            if (root / path).is_dir()
            else set(root.glob(f"{path}*.py"))
        )
        files |= {root / path} if (root / path).is_file() else set()
    mutants = [
        m
        for file in sorted(files)
        for m in mutants_of(file.relative_to(root).as_posix(), file.read_bytes())
    ]
    random.Random(seed).shuffle(mutants)
    return mutants[:count]


# Running tests


def stages_for(root: Path, path: str) -> list[Stage]:
    """Return the pytest arguments for mutants of a file, without test paths that do not exist."""
    stages = next(
        (stages for prefix, stages in TESTS.items() if path.startswith(prefix)), DEFAULT_TESTS
    )
    present = [
        tuple(a for a in stage if not a.startswith("tests") or (root / a).exists())
        for stage in stages
    ]
    present = [
        stage for stage in present if any(argument.startswith("tests") for argument in stage)
    ]
    return present or list(DEFAULT_TESTS)


class Checkout:
    """A copy of a checkout, in which one mutant at a time is tested."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder / root.name
        self.folder.mkdir(parents=True)
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(
                    root / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__")
                )
            elif (root / name).exists():
                shutil.copy(root / name, self.folder / name)
        if (root.parent / "shared").exists():  # treebanks
            (folder / "shared").symlink_to(root.parent / "shared")

    def run_tests(self, stage: Stage, limit: float) -> str:
        """Run a stage; return `passed`, `failed` or `timeout`."""
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)
        path = os.pathsep.join([str(self.folder / "src"), str(self.folder)])
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *stage],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return "failed" if process.wait(limit) else "passed"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


class Limits:
    """Time limits of stages, each from a run of the unchanged tests."""

    def __init__(self) -> None:
        self._limits: dict[Stage, float] = {}
        self._lock = threading.Lock()

    def get(self, stage: Stage, checkout: Checkout) -> float:
        """Return the limit of a stage; `checkout` must be unchanged."""
        with self._lock:
            if stage not in self._limits:
                start = time.monotonic()
                if checkout.run_tests(stage, 3600) != "passed":
                    raise SystemExit(f"the tests fail without any change: pytest {' '.join(stage)}")
                self._limits[stage] = 3 * (time.monotonic() - start) + 20
            return self._limits[stage]


def test_mutant(mutant: Mutant, checkout: Checkout, limits: Limits) -> dict[str, object]:
    """Run the tests on a mutant, and return its record for the report."""
    stages = stages_for(checkout.folder, mutant.path)
    target = checkout.folder / mutant.path
    source = target.read_bytes()
    start = time.monotonic()
    status, outcome = "survived", "passed"
    for stage in stages:
        limit = limits.get(stage, checkout)
        try:
            target.write_bytes(mutant.apply(source))
            outcome = checkout.run_tests(stage, limit)
        finally:
            target.write_bytes(source)
        if outcome != "passed":
            status = "killed"
            break
    seconds = round(time.monotonic() - start, 1)
    return {**asdict(mutant), "status": status, "outcome": outcome, "seconds": seconds}


def main(arguments: Sequence[str] | None = None) -> int:
    """Test mutants and print the score and the survivors."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), help="the checkout (default: this folder)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=200, help="how many to draw")
    parser.add_argument(
        "--paths", nargs="+", default=list(TESTS), help="sources to change (default: the core)"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", type=Path, help="JSON file to write and to continue from")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="start no mutant after this long"
    )
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    drawn = draw(root, options.paths, options.seed, options.mutants)
    records: dict[str, dict[str, object]] = {}
    if options.report and options.report.exists():
        records = json.loads(options.report.read_text(encoding="utf-8"))["mutants"]
    deadline = time.monotonic() + 60 * options.minutes
    limits, lock = Limits(), threading.Lock()
    checkouts: queue.Queue[Checkout] = queue.Queue()

    def test_one(mutant: Mutant) -> None:
        if mutant.key in records or time.monotonic() > deadline:
            return
        checkout = checkouts.get()
        try:
            record = test_mutant(mutant, checkout, limits)
        finally:
            checkouts.put(checkout)
        with lock:
            records[mutant.key] = record
            print(f"{record['status']:8} {record['seconds']:>6} s  {mutant}", flush=True)
            if options.report:
                report = {"seed": options.seed, "mutants": records}
                partial = options.report.with_suffix(".partial")
                partial.write_text(
                    json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8"
                )
                partial.replace(options.report)

    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number in range(options.jobs):
            checkouts.put(Checkout(root, Path(folder) / str(number)))
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(test_one, drawn))
    tested = [mutant for mutant in drawn if mutant.key in records]
    survivors = [mutant for mutant in tested if records[mutant.key]["status"] == "survived"]
    kinds = Counter(str(records[mutant.key]["outcome"]) for mutant in tested)
    print(
        f"\n{len(tested)} of {len(drawn)} mutants tested: {len(tested) - len(survivors)} killed",
        end=" ",
    )
    print(f"({kinds['timeout']} by the time limit), {len(survivors)} survived")
    for mutant in survivors:
        print(f"  {mutant}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
