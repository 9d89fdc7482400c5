"""`whorl transitions`: the transitions that build trees, as sequences, tables or counts."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import OnError, OnErrorOption, TreesArgument, guarded, report_skipped
from whorl.errors import TransitionError
from whorl.transitions import SYSTEMS

if TYPE_CHECKING:
    from whorl.trees import HeadRules, Tree

__all__ = ["transitions"]

_MAX_ROWS = 10_000  # a row holds the whole stack, so a table grows with the square of its rows


class SystemName(str, Enum):
    """The registered transition systems."""

    _ignore_ = "name"
    for name in SYSTEMS:
        vars()[name] = name


DEFAULT_SYSTEM = SystemName("nonbinary")


@guarded
def transitions(
    trees: TreesArgument = "-",
    *,
    system: Annotated[
        SystemName, typer.Option("--system", "-s", help="The transition system.")
    ] = DEFAULT_SYSTEM,
    as_table: Annotated[
        bool,
        typer.Option(
            "--table",
            help=f"Print the states too, as in the paper's figures; at most {_MAX_ROWS:,} a tree.",
        ),
    ] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="Print the transitions per sentence of all systems.")
    ] = False,
    heads: Annotated[
        str,
        typer.Option(
            "--heads",
            help="Head rules of the binary system: english, chinese, left, right or a file.",
        ),
    ] = "english",
    keep_root: Annotated[
        bool,
        typer.Option(
            "--keep-root",
            help="Build a root such as TOP too, which the paper leaves out.",
        ),
    ] = False,
    on_error: OnErrorOption = OnError.stop,
) -> None:
    """Print the gold transitions of trees, one line per tree, separated by spaces."""
    from whorl.trees import head_rules, iter_trees, strip_root

    if as_table and stats:
        raise typer.BadParameter("--table and --stats exclude each other: give one of them")
    skipped = on_error.collector()
    selected: Iterable[Tree] = iter_trees(trees, skipped=skipped)
    if not keep_root:
        selected = map(strip_root, selected)
    rules = head_rules(heads)
    if stats:
        _print_stats(selected, rules)
    elif as_table:
        _print_tables(selected, system.value, rules)
    else:
        _print_sequences(selected, system.value, rules)
    report_skipped(skipped)


def _print_sequences(trees: Iterable[Tree], system: str, heads: HeadRules) -> None:
    from whorl.oracles import static_oracle

    for tree in trees:
        print(*static_oracle(tree, system, heads=heads))


def _print_tables(trees: Iterable[Tree], name: str, heads: HeadRules) -> None:
    from whorl.oracles import static_oracle
    from whorl.reporting.tables import align_columns
    from whorl.transitions import make_system
    from whorl.transitions.table import Row, table

    system = make_system(name)
    for number, tree in enumerate(trees, start=1):
        sequence = static_oracle(tree, name, heads=heads)
        if len(sequence) > _MAX_ROWS:
            raise TransitionError(
                f"tree {number} has {len(sequence):,} transitions, and --table prints at most "
                f"{_MAX_ROWS:,} rows a tree: leave --table out"
            )
        if number > 1:
            print()
        rows = [
            Row("Transition", "Stack", "Buffer", "Added subtree"),
            *table(system, tree.leaves(), sequence),
        ]
        print(*align_columns(rows, numbers=False), sep="\n")


def _print_stats(trees: Iterable[Tree], heads: HeadRules) -> None:
    from whorl.cli.tables import show_table
    from whorl.oracles import static_oracle

    counts = dict.fromkeys((system.value for system in SystemName), 0)
    longest = counts.copy()
    sentences = words = 0
    for tree in trees:
        sentences += 1
        words += tree.right - tree.left
        for system in counts:
            length = len(static_oracle(tree, system, heads=heads))
            counts[system] += length
            longest[system] = max(longest[system], length)
    rows = [
        (
            system,
            f"{count / max(1, sentences):.2f}",
            f"{count / max(1, words):.2f}",
            str(longest[system]),
            str(count),
        )
        for system, count in counts.items()
    ]
    show_table(
        f"{sentences} trees, {words} words",
        ("system", "per sentence", "per word", "longest", "transitions"),
        rows,
    )
