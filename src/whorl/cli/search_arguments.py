"""The arguments of `whorl search`: what they stand for, and which go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from whorl.cli.searching import Task
    from whorl.search import EditScript, HeadTable, Pattern

__all__ = [
    "STANFORD_HEADS",
    "check_edit_options",
    "check_names",
    "check_parsing_options",
    "choose_task",
    "find_edits",
    "find_patterns",
    "head_table",
]

STANFORD_HEADS = "stanford"


def find_patterns(
    inputs: list[str], patterns_file: str | None, heads: HeadTable
) -> dict[str, Pattern]:
    """Return the patterns by name: those of the file, or the first argument, which is taken."""
    from whorl.search import compile as compile_pattern
    from whorl.search import read_patterns

    if patterns_file is not None:
        return read_patterns(patterns_file, heads)
    if not inputs:
        raise typer.BadParameter("expected a pattern, or --patterns FILE")
    text = inputs.pop(0)
    return {text: compile_pattern(text, heads)}


def find_edits(
    inputs: list[str], operations: list[str] | None, script: str | None, heads: HeadTable
) -> EditScript:
    """Return the script of a file, or that of the operations and the first argument."""
    from whorl.search import EditScript, compile_edit

    if script is not None:
        if operations:
            raise typer.BadParameter("--edit and --edit-file exclude each other")
        return EditScript.read(script, heads)
    if not inputs:
        raise typer.BadParameter("expected a pattern")
    return EditScript([compile_edit(inputs.pop(0), "\n".join(operations or []), heads)])


def check_edit_options(**options: object) -> None:
    """Reject options that are for results of a search."""
    for name, value in options.items():
        if value:
            option = "--" + name.replace("_", "-")
            raise typer.BadParameter("it does not go with edits", param_hint=option)


def head_table(name: str) -> HeadTable:
    """Return the head rules of a name or a file."""
    from whorl.search import STANFORD
    from whorl.trees import head_rules

    return STANFORD if name == STANFORD_HEADS else head_rules(name)


def check_parsing_options(**options: object) -> None:
    """Reject options that say how to parse where nothing is parsed."""
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter("it goes with --parse", param_hint=f"--{name}")


def check_names(
    columns: list[str], patterns: dict[str, Pattern], format_name: str, *, by_tree: bool
) -> tuple[str, ...]:
    """Return the names in all patterns, after a check that those of the columns are among them."""
    for pattern in patterns.values():
        for name in columns:
            if name not in pattern.names:
                known = f"it has {', '.join(pattern.names)}" if pattern.names else "it has no names"
                raise typer.BadParameter(
                    f"no node {name!r} in {pattern.source}: {known}", param_hint="--name"
                )
    if columns and (by_tree or format_name == "jsonl"):
        raise typer.BadParameter("it is for matches, words and concordance", param_hint="--name")
    if len(columns) > 1 and format_name == "concordance":
        raise typer.BadParameter("a concordance has one node", param_hint="--name")
    return tuple(dict.fromkeys(name for pattern in patterns.values() for name in pattern.names))


def choose_task(count: bool, list_files: bool, quiet: bool, max_results: int | None) -> Task:
    """Return what is wanted of the results."""
    from whorl.cli.searching import Task

    if count + list_files + quiet > 1:
        raise typer.BadParameter("--count, --files-with-matches and --quiet exclude each other")
    if max_results is not None and (count or quiet):
        raise typer.BadParameter("--max does not go with --count and --quiet")
    if count:
        return Task.counts
    if list_files:
        return Task.files
    return Task.nothing if quiet else Task.lines
