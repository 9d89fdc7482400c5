"""Count what makes a source tree easy or hard to navigate.

    python tools/structure.py ROOT [--markdown] [--against OLDROOT]

ROOT is a checkout that contains `src/whorl`. `--against` adds a column for an older checkout, so
that one table shows before and after. `--list` also prints the modules of each network, the path to
a tree, the repeated passages and the files of each "how to add".

The rows:

modules
    Python files of the package that hold more than a docstring.
statements
    `ast.stmt` nodes, docstrings excluded.
files, packages of a network
    Modules that exist only for that network, and the packages they are in. A network is defined by
    its entry modules: everything in `whorl.span` or `whorl.stack_lstm`, or in the older layout the
    modules named in `ENTRIES`. A module belongs to a network if imports lead to it from the
    network's entries, but not from another network's entries, from pretraining or from the symbolic
    core. Walks stop at the entries of another network.
hops from `whorl parse` to a tree
    The fewest imports that lead from `whorl.cli.parse` to the module that builds trees.
files to touch to add …
    The files in `HOW_TO_ADD`, which must exist in the checkout. An existing file stands for the new
    one, such as `transitions/inorder.py` for a new transition system.
repeated passages
    Pairs of places with the same six or more lines of code in a row. Imports, docstrings, comments,
    blank lines and lines without a letter or digit do not count. A longer passage is one pair.
noqa comments
    Inline lint exemptions in the package, then in the whole checkout.
vague names
    Assignments (loop variables and attributes included) to the names in `VAGUE`.

Imports inside functions count, and so does a string that names a module, such as
`"whorl.span.engine:load_engine"` in a registry. Imports for type checkers do not count. A name
imported from a package counts as imported from the module where the package gets it, as "go to
definition" in an editor would resolve it. `whorl/__init__.py` leads nowhere.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

PACKAGE = "whorl"
WINDOW = 6
VAGUE = frozenset(
    [
        "found",
        "given",
        "made",
        "ways",
        "alone",
        "work",
        "content",
        "choices",
        "followed",
        "beside",
        "going",
        "held",
    ]
)

# Entry modules by network. A name that ends in ".*" stands for a whole package. Names that a tree
# lacks are skipped.
ENTRIES = {
    "span": (
        "span.*",
        "engines.span",
        "training.span",
        "training.span_run",
        "bundle.span",
        "bundle.export",
        "bundle.restore",
        "decoding.span_parse",
    ),
    "stack_lstm": (
        "stack_lstm.*",
        "engines.stack_lstm",
        "training.stack_lstm",
        "training.jackknife",
        "training.explore",
        "bundle.stack_lstm",
        "models.stack_lstm",
        "decoding.driver",
        "data.batch",
    ),
}
SHARED_ENTRIES = (
    "pretraining.*",
    "training.pretraining.*",
    "trees.*",
    "text.*",
    "evaluation.*",
    "transitions.*",
    "oracles.*",
)

# Layout of the package → what to add → the files to touch. A layout is recognised by a file.
LAYOUTS = {"by network": "src/whorl/networks.py", "by layer": "src/whorl/bundle/__init__.py"}
HOW_TO_ADD: dict[str, dict[str, tuple[str, ...]]] = {
    "by layer": {
        "a transition system": (
            "src/whorl/transitions/inorder.py",
            "src/whorl/transitions/__init__.py",
            "src/whorl/oracles/static.py",
            "src/whorl/training/recipe.py",
            "src/whorl/cli/transitions.py",
        ),
        "a network, outside its own files": (
            "src/whorl/description.py",
            "src/whorl/bundle/__init__.py",
            "src/whorl/parser.py",
            "src/whorl/training/recipe.py",
            "src/whorl/training/run.py",
        ),
        "an encoder of the span network": (
            "src/whorl/models/encoders/bilstm.py",
            "src/whorl/models/encoders/context.py",
            "src/whorl/models/span.py",
            "src/whorl/training/recipe.py",
            "src/whorl/training/span_run.py",
        ),
        "an output format": ("src/whorl/cli/choices.py", "src/whorl/cli/outputs.py"),
        "a command": ("src/whorl/cli/bench.py", "src/whorl/cli/main.py"),
    },
    "by network": {
        "a transition system": (
            "src/whorl/transitions/inorder.py",
            "src/whorl/transitions/__init__.py",
            "src/whorl/oracles/static.py",
        ),
        "a network, outside its own files": ("src/whorl/networks.py", "pyproject.toml"),
        "an encoder of the span network": (
            "src/whorl/span/encoders/bilstm.py",
            "src/whorl/span/encoders/registry.py",
        ),
        "an output format": ("src/whorl/formats/conll.py",),
        "a command": ("src/whorl/cli/bench.py", "src/whorl/cli/main.py"),
    },
}
PARSE_COMMAND = "cli.parse"
TREE_MODULES = ("decoding.span_parse",)  # of the older layout; of the newer, see `tree_module`
TREE_BUILDERS = {"build", "build_tree", "build_trees"}


@dataclass(frozen=True)
class Module:
    """A parsed source file."""

    name: str
    path: Path
    source: str
    tree: ast.Module
    is_package: bool


@dataclass(frozen=True)
class Repetition:
    """The same lines of code in two places."""

    first: str
    first_line: int
    second: str
    second_line: int
    lines: int


def read_modules(root: Path, package: str = PACKAGE) -> dict[str, Module]:
    """Parse every module of `root/src/package`, by dotted name."""
    base = root / "src"
    modules = {}
    for path in sorted((base / package).rglob("*.py")):
        parts = path.relative_to(base).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        source = path.read_text(encoding="utf-8")
        modules[name] = Module(name, path, source, ast.parse(source), is_package)
    if not modules:
        raise SystemExit(f"{base / package}: no Python files")
    return modules


def _docstrings(tree: ast.AST) -> set[ast.stmt]:
    """Return the docstring statements of a module, its classes and its functions."""
    docstrings: set[ast.stmt] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = next(iter(node.body), None)
            value = first.value if isinstance(first, ast.Expr) else None
            if first and isinstance(value, ast.Constant) and isinstance(value.value, str):
                docstrings.add(first)
    return docstrings


def count_statements(tree: ast.Module) -> int:
    """Count the statements of a module, without docstrings."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree)) - len(_docstrings(tree))


def has_code(module: Module) -> bool:
    """Tell whether a module holds more than a docstring and future imports."""
    docstrings = _docstrings(module.tree)
    return any(
        statement not in docstrings
        and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")
        for statement in module.tree.body
    )


# Imports


def _runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes below `node` except `if TYPE_CHECKING:` blocks and docstrings."""
    docstrings = _docstrings(node)
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        for child in ast.iter_child_nodes(current):
            if child in docstrings:
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                pending.extend(child.orelse)
            else:
                pending.append(child)


def _import_source(module: Module, node: ast.ImportFrom) -> str:
    """Return the absolute name of the module that a `from … import` names."""
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    parents = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*parents, node.module] if node.module else parents)


def _reexports(modules: dict[str, Module]) -> dict[tuple[str, str], tuple[str, str]]:
    """Map each name that a package imports to the module and the name it is imported from."""
    table = {}
    for module in modules.values():
        if not module.is_package:
            continue
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    table[module.name, alias.asname or alias.name] = (
                        _import_source(module, node),
                        alias.name,
                    )
    return table


def import_graph(modules: dict[str, Module], package: str = PACKAGE) -> dict[str, set[str]]:
    """Map each module to the modules of the package that it imports."""
    reexports = _reexports(modules)

    def defining_module(source: str, name: str) -> str:
        seen = set()
        while (
            f"{source}.{name}" not in modules
            and (source, name) in reexports
            and (source, name) not in seen
        ):
            seen.add((source, name))
            source, name = reexports[source, name]
        return f"{source}.{name}" if f"{source}.{name}" in modules else source

    graph: dict[str, set[str]] = {name: set() for name in modules}
    for module in modules.values():
        if module.name == package:
            continue
        edges = graph[module.name]
        for node in _runtime_nodes(module.tree):
            if isinstance(node, ast.Import):
                edges.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = _import_source(module, node)
                edges.update(defining_module(source, alias.name) for alias in node.names)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                match = re.fullmatch(rf"({package}(?:\.\w+)+)(?::\w+)?", node.value)
                if match:
                    source, _, name = match[1].rpartition(".")
                    edges.add(match[1] if match[1] in modules else defining_module(source, name))
        edges.intersection_update(modules)
        edges.discard(module.name)
    return graph


def reachable(
    graph: dict[str, set[str]], starts: Iterable[str], stops: Iterable[str] = ()
) -> set[str]:
    """Return the modules that can be reached from `starts` without passing through `stops`."""
    reached = set(starts)
    blocked = set(stops) - reached
    pending = list(reached)
    while pending:
        for target in graph[pending.pop()] - reached - blocked:
            reached.add(target)
            pending.append(target)
    return reached


def shortest_path(graph: dict[str, set[str]], start: str, goal: str) -> list[str] | None:
    """Return the shortest chain of imports from `start` to `goal`, both included."""
    previous: dict[str, str | None] = {start: None}
    layer = [start]
    while layer and goal not in previous:
        following = []
        for name in layer:
            for target in sorted(graph.get(name, ())):
                if target not in previous:
                    previous[target] = name
                    following.append(target)
        layer = following
    if goal not in previous:
        return None
    path = []
    step: str | None = goal
    while step is not None:
        path.append(step)
        step = previous[step]
    return path[::-1]


def _matching(modules: Iterable[str], patterns: Iterable[str], package: str) -> set[str]:
    matched = set()
    for pattern in patterns:
        name = f"{package}.{pattern.removesuffix('.*')}"
        matched |= {
            m for m in modules if m == name or (pattern.endswith(".*") and m.startswith(name + "."))
        }
    return matched


def network_modules(
    modules: dict[str, Module], graph: dict[str, set[str]], package: str = PACKAGE
) -> dict[str, set[str]]:
    """Return the modules that exist only for each network."""
    entries = {
        network: _matching(modules, patterns, package) for network, patterns in ENTRIES.items()
    }
    shared = reachable(
        graph, _matching(modules, SHARED_ENTRIES, package), set().union(*entries.values())
    )
    reached = {}
    for network, starts in entries.items():
        others = set().union(*(other for name, other in entries.items() if name != network))
        reached[network] = reachable(graph, starts, others)
    exclusive = {}
    for network, own in reached.items():
        elsewhere = shared.union(*(other for name, other in reached.items() if name != network))
        elsewhere -= entries[network]
        exclusive[network] = {name for name in own - elsewhere if has_code(modules[name])}
    return exclusive


def top_package(name: str) -> str:
    """Return the top-level package of a module, such as `span` for `whorl.span.graph.nodes`."""
    return name.split(".")[1] if "." in name else name


def tree_module(modules: dict[str, Module], package: str = PACKAGE) -> str | None:
    """Return the module that builds trees from the decisions of the span network."""
    for candidate in TREE_MODULES:
        if f"{package}.{candidate}" in modules:
            return f"{package}.{candidate}"
    for module in modules.values():
        if module.name.startswith(f"{package}.span."):
            functions = (
                node.name for node in module.tree.body if isinstance(node, ast.FunctionDef)
            )
            if any(name in TREE_BUILDERS for name in functions):
                return module.name
    return None


# Repeated lines


def code_lines(module: Module) -> list[tuple[int, str]]:
    """Return number and text of the lines that count for repetition, stripped of comments."""
    skipped: set[int] = set()
    docstrings = _docstrings(module.tree)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom) or node in docstrings:
            assert isinstance(node, ast.stmt)
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = module.source.splitlines()
    for number, column in _comments(module.source):
        lines[number - 1] = lines[number - 1][:column]
    stripped = (
        (number, " ".join(line.split()))
        for number, line in enumerate(lines, 1)
        if number not in skipped
    )
    return [(number, line) for number, line in stripped if re.search(r"\w", line)]


def _comments(source: str) -> list[tuple[int, int]]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.start for token in tokens if token.type == tokenize.COMMENT]


def repetitions(modules: Iterable[Module], window: int = WINDOW) -> list[Repetition]:
    """Find pairs of places that share at least `window` lines; a longer passage is one pair."""
    lines = {module.name: code_lines(module) for module in modules}
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for name, numbered in lines.items():
        texts = [text for _, text in numbered]
        for start in range(len(texts) - window + 1):
            places[tuple(texts[start : start + window])].append((name, start))
    diagonals: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for occurrences in places.values():
        for (first, i), (second, j) in combinations(occurrences, 2):
            if first != second or j - i >= window:
                diagonals[first, second, j - i].append(i)
    pairs = []
    for (first, second, shift), starts in diagonals.items():
        starts.sort()
        run = starts[0]
        for position, start in enumerate(starts):
            if position + 1 == len(starts) or starts[position + 1] != start + 1:
                first_line, second_line = lines[first][run][0], lines[second][run + shift][0]
                pairs.append(
                    Repetition(first, first_line, second, second_line, start - run + window)
                )
                run = starts[position + 1] if position + 1 < len(starts) else run
    return sorted(
        pairs,
        key=lambda pair: (-pair.lines, pair.first, pair.first_line, pair.second, pair.second_line),
    )


# Lint exemptions and names


def count_noqa(source: str) -> int:
    """Count the comments that switch a lint rule off for their line."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return sum(token.type == tokenize.COMMENT and "noqa" in token.string for token in tokens)


def vague_assignments(tree: ast.Module) -> Counter[str]:
    """Count the assignments to each vague name."""
    counts: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = (node.id if isinstance(node, ast.Name) else node.attr).lstrip("_")
            if name in VAGUE:
                counts[name] += 1
    return counts


# How to add something


def files_to_touch(root: Path) -> dict[str, tuple[str, ...]]:
    """Return the files to touch for each addition; all of them must exist."""
    layout = next((name for name, mark in LAYOUTS.items() if (root / mark).exists()), None)
    additions = HOW_TO_ADD.get(layout or "", {})
    missing = {file for files in additions.values() for file in files if not (root / file).exists()}
    if missing:
        raise SystemExit(f"{root} lacks files of HOW_TO_ADD: {', '.join(sorted(missing))}")
    return additions


# The table


def measure(root: Path, goal: str | None = None) -> tuple[dict[str, str], list[str]]:
    """Return the figures of a checkout by row title, and the details behind them."""
    modules = read_modules(root)
    graph = import_graph(modules)
    rows = {
        "modules": str(sum(has_code(module) for module in modules.values())),
        "statements": str(sum(count_statements(module.tree) for module in modules.values())),
    }
    details = []
    for network, own in network_modules(modules, graph).items():
        packages = Counter(top_package(name) for name in own)
        rows[f"{network}: files"] = str(len(own))
        rows[f"{network}: packages"] = str(len(packages))
        rows[f"{network}: statements"] = str(
            sum(count_statements(modules[name].tree) for name in own)
        )
        spread = ", ".join(f"{package} {count}" for package, count in packages.most_common())
        details += [f"{network}: {spread}", *(f"  {name}" for name in sorted(own))]
    goal = goal or tree_module(modules)
    path = shortest_path(graph, f"{PACKAGE}.{PARSE_COMMAND}", goal) if goal else None
    rows["hops from `whorl parse` to a tree"] = str(len(path) - 1) if path else "?"
    details.append("to a tree: " + (" → ".join(path) if path else f"no path to {goal}"))
    for addition, files in files_to_touch(root).items():
        rows[f"files to touch to add {addition}"] = str(len(files))
        details.append(f"to add {addition}: {', '.join(files)}")
    pairs = repetitions(modules.values())
    rows[f"pairs of places that share {WINDOW}+ lines"] = str(len(pairs))
    rows[f"modules with {WINDOW}+ lines that occur elsewhere"] = str(
        len({m for p in pairs for m in (p.first, p.second)})
    )
    details += [
        f"{p.lines} lines: {p.first}:{p.first_line}, {p.second}:{p.second_line}" for p in pairs
    ]
    rows["`noqa` comments in the package"] = str(
        sum(count_noqa(module.source) for module in modules.values())
    )
    scripts = [
        path
        for folder in ("src", "tests", "benchmarks", "tools")
        for path in (root / folder).rglob("*.py")
    ]
    rows["`noqa` comments in the checkout"] = str(
        sum(count_noqa(path.read_text(encoding="utf-8")) for path in scripts)
    )
    vague = sum((vague_assignments(module.tree) for module in modules.values()), Counter())
    rows["assignments to vague names"] = str(vague.total())
    details.append(
        "vague names: " + ", ".join(f"{name} {count}" for name, count in vague.most_common())
    )
    return rows, details


def render(columns: dict[str, dict[str, str]], *, markdown: bool) -> str:
    """Return a table with one column of figures for each checkout."""
    titles = list(dict.fromkeys(title for rows in columns.values() for title in rows))
    lines = [["", *columns]] + [
        [title, *(rows.get(title, "") for rows in columns.values())] for title in titles
    ]
    if markdown:
        rule = "|---|" + "---:|" * len(columns)
        table = ["| " + " | ".join(cells) + " |" for cells in lines]
        return "\n".join([table[0], rule, *table[1:]])
    widths = [max(len(cells[i]) for cells in lines) for i in range(len(lines[0]))]
    return "\n".join(
        cells[0].ljust(widths[0])
        + "".join(f"  {cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True))
        for cells in lines
    )


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path, help="a checkout")
    parser.add_argument(
        "--against", type=Path, metavar="OLDROOT", help="an older checkout, shown first"
    )
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--list", action="store_true", help="also print what was counted, for ROOT")
    parser.add_argument(
        "--tree-module", metavar="NAME", help="the module of ROOT that builds trees"
    )
    options = parser.parse_args(arguments)
    columns = {}
    if options.against:
        columns["before"] = measure(options.against)[0]
    rows, details = measure(options.root, options.tree_module)
    columns["after" if options.against else "count"] = rows
    print(render(columns, markdown=options.markdown))
    if options.list:
        print("", *details, sep="\n")


if __name__ == "__main__":
    main()
