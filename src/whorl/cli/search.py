"""`whorl search`: find configurations of nodes with the patterns of Tregex.

Annotations are evaluated here, not postponed: Typer would evaluate them one by one, which is slow.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.choices import Hyphens, Newline, format_option
from whorl.cli.colours import Colour
from whorl.cli.common import OnError, OnErrorOption, guarded
from whorl.cli.options import (
    BatchOption,
    ConventionOption,
    DeviceOption,
    HyphensOption,
    JobsOption,
    ModelOption,
    NewlineOption,
    TokensOption,
)

if TYPE_CHECKING:
    from whorl.cli.searching import Task
    from whorl.search import HeadTable, Pattern

__all__ = ["search"]

_FORMATS = ("matches", "trees", "words", "concordance", "jsonl")
_STANFORD = "stanford"


@guarded
def search(
    pattern: Annotated[
        str | None,
        typer.Argument(metavar="PATTERN", help="A pattern of Tregex, such as 'NP < PP'."),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|FOLDER|-]...",
            help="Bracketed trees: files or the folders of treebanks; - is standard input, which "
            "is also the default.",
        ),
    ] = None,
    *,
    patterns_file: Annotated[
        str | None,
        typer.Option(
            "--patterns",
            "-p",
            metavar="FILE",
            help="Read patterns from a file instead, one a line, with names as NAME := PATTERN.",
        ),
    ] = None,
    format_name: Annotated[str, format_option(_FORMATS)] = "matches",
    nodes: Annotated[
        bool,
        typer.Option("--nodes", help="Each node once, not once for every way in which it matches."),
    ] = False,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="NAME", help="Write the node of this name; may be repeated."
        ),
    ] = None,
    count: Annotated[bool, typer.Option("--count", "-c", help="Only count the results.")] = False,
    list_files: Annotated[
        bool,
        typer.Option(
            "--files-with-matches", "-l", help="Only list the files in which there is a result."
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Write nothing; exit with 1 if there is no result."),
    ] = False,
    line_numbers: Annotated[
        bool,
        typer.Option(
            "--line-number", "-n", help="Begin each line with the file and the line of the tree."
        ),
    ] = False,
    max_results: Annotated[
        int | None,
        typer.Option("--max", min=1, metavar="N", help="Stop after this many results."),
    ] = None,
    invert: Annotated[
        bool, typer.Option("--invert", "-v", help="The trees without a match.")
    ] = False,
    root: Annotated[
        str | None,
        typer.Option(
            "--root", metavar="LABEL", help="Rename the root, or add one: ROOT, as in Tregex."
        ),
    ] = None,
    heads: Annotated[
        str,
        typer.Option(
            "--heads", help="Head rules: stanford, english, chinese, left, right or a file."
        ),
    ] = _STANFORD,
    colour: Annotated[
        Colour, typer.Option("--color", help="Mark what matches in colour: auto is on terminals.")
    ] = Colour.auto,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit",
            min=0,
            metavar="SECONDS",
            help="The longest search for a pattern in one tree; 0 is no limit.",
        ),
    ] = 10,
    on_error: OnErrorOption = OnError.stop,
    parse: Annotated[
        bool, typer.Option("--parse", help="The input is text: parse it, and search the trees.")
    ] = False,
    model: ModelOption = None,
    tokens: TokensOption = False,
    newline: NewlineOption = Newline.space,
    hyphens: HyphensOption = Hyphens.keep,
    batch: BatchOption = None,
    jobs: JobsOption = 1,
    convention: ConventionOption = None,
    device: DeviceOption = "cpu",
    out: Annotated[
        str, typer.Option("--out", "-o", help="The file to write; standard output by default.")
    ] = "-",
) -> None:
    """Find the places in trees that match a Tregex pattern.

    With --parse, the input is text, which is parsed first. The patterns are described in
    docs/search.md.
    """
    from whorl.cli.hit_formats import HitFormat
    from whorl.cli.hits import Query, Unit
    from whorl.cli.parsing import ParsingOptions
    from whorl.cli.searching import TreeSearch, search_inputs

    inputs = [*([] if pattern is None else [pattern]), *(files or [])]
    patterns = _patterns(inputs, patterns_file, _head_table(heads))
    if not parse:
        _check_parsing(model=model, tokens=tokens or None, jobs=jobs if jobs > 1 else None)
    by_tree = invert or format_name == "trees"
    names = _check_names(columns or [], patterns, format_name, by_tree=by_tree)
    task = _task(count, list_files, quiet, max_results)
    search_tree = TreeSearch(
        Query(
            patterns,
            Unit.tree if by_tree else Unit.node if nodes else Unit.match,
            invert=invert,
            root=root,
            time_limit=time_limit or None,
        ),
        HitFormat(
            format_name,
            several_patterns=len(patterns) > 1,
            lines=line_numbers,
            columns=tuple(columns or ()),
            names=names,
            colour=colour.is_on(out),
        ),
        task,
        skips=on_error is OnError.skip,
    )
    parsing = ParsingOptions(
        model, device, convention, tokens, newline, hyphens, batch=batch, jobs=jobs
    )
    found = search_inputs(
        inputs,
        search_tree,
        parsing=parsing if parse else None,
        on_error=on_error,
        out=out,
        max_results=max_results,
    )
    if quiet and not found:
        raise typer.Exit(1)


def _patterns(
    inputs: list[str], patterns_file: str | None, heads: "HeadTable"
) -> "dict[str, Pattern]":
    """Return the patterns by name: those of the file, or the first argument, which is taken."""
    from whorl.search import compile as compile_pattern
    from whorl.search import read_patterns

    if patterns_file is not None:
        return read_patterns(patterns_file, heads)
    if not inputs:
        raise typer.BadParameter("expected a pattern, or --patterns FILE")
    text = inputs.pop(0)
    return {text: compile_pattern(text, heads)}


def _head_table(name: str) -> "HeadTable":
    from whorl.search import STANFORD
    from whorl.trees import head_rules

    return STANFORD if name == _STANFORD else head_rules(name)


def _check_parsing(**options: object) -> None:
    """Reject options that say how to parse where nothing is parsed."""
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter("it goes with --parse", param_hint=f"--{name}")


def _check_names(
    columns: list[str], patterns: "dict[str, Pattern]", format_name: str, *, by_tree: bool
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


def _task(count: bool, list_files: bool, quiet: bool, max_results: int | None) -> "Task":
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
