"""`whorl search`: find configurations of nodes with the patterns of Tregex.

Annotations are evaluated here, not postponed: Typer would evaluate them one by one, which is slow.
"""

from typing import Annotated

import typer

from whorl.cli.choices import Newline, format_option
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
from whorl.cli.search_arguments import (
    STANFORD_HEADS,
    check_edit_options,
    check_names,
    check_parsing_options,
    choose_task,
    find_edits,
    find_patterns,
    head_table,
)

__all__ = ["search"]

_FORMATS = ("matches", "trees", "words", "concordance", "jsonl")


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
    ] = STANFORD_HEADS,
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
    untagged: Annotated[
        bool, typer.Option("--untagged", help="Allow words without tags, as edits may leave them.")
    ] = False,
    on_error: OnErrorOption = OnError.stop,
    operations: Annotated[
        list[str] | None,
        typer.Option(
            "--edit",
            "-e",
            metavar="OPERATION",
            help="Write all trees, edited where the pattern matches: an operation of Tsurgeon, "
            "such as 'prune x'; may be repeated.",
        ),
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(
            "--edit-file", metavar="FILE", help="Edit the trees by a script of Tsurgeon instead."
        ),
    ] = None,
    max_changes: Annotated[
        int | None,
        typer.Option(
            "--max-changes",
            min=1,
            metavar="N",
            show_default="1,000, or five for each node",
            help="The most changes by one edit in one tree.",
        ),
    ] = None,
    parse: Annotated[
        bool, typer.Option("--parse", help="The input is text: parse it, and search the trees.")
    ] = False,
    model: ModelOption = None,
    tokens: TokensOption = False,
    newline: NewlineOption = Newline.space,
    hyphens: HyphensOption = None,
    batch: BatchOption = None,
    jobs: JobsOption = 1,
    convention: ConventionOption = None,
    device: DeviceOption = "cpu",
    out: Annotated[
        str, typer.Option("--out", "-o", help="The file to write; standard output by default.")
    ] = "-",
) -> None:
    """Find the places in trees that match a Tregex pattern, or edit the trees there.

    With --parse, the input is text, which is parsed first. docs/search.md describes the patterns
    and the operations of edits.
    """
    from whorl.cli.hit_formats import HitFormat
    from whorl.cli.hits import Query, Unit
    from whorl.cli.parsing import ParsingOptions
    from whorl.cli.searching import TreeSearch, search_inputs

    inputs = [*([] if pattern is None else [pattern]), *(files or [])]
    table = head_table(heads)
    if operations or script is not None:
        from whorl.cli.editing import Editor, edit_trees

        check_edit_options(
            patterns=patterns_file,
            nodes=nodes,
            name=columns,
            count=count,
            files_with_matches=list_files,
            quiet=quiet,
            line_number=line_numbers,
            max=max_results,
            invert=invert,
            parse=parse,
            format=format_name != "matches",
        )
        edit_trees(
            inputs,
            Editor(
                find_edits(inputs, operations, script, table),
                root,
                time_limit or None,
                max_changes,
                skips=on_error is OnError.skip,
            ),
            on_error=on_error,
            untagged=untagged,
            out=out,
        )
        return
    patterns = find_patterns(inputs, patterns_file, table)
    if not parse:
        check_parsing_options(model=model, tokens=tokens or None, jobs=jobs if jobs > 1 else None)
    by_tree = invert or format_name == "trees"
    names = check_names(columns or [], patterns, format_name, by_tree=by_tree)
    task = choose_task(count, list_files, quiet, max_results)
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
    any_match = search_inputs(
        inputs,
        search_tree,
        parsing=parsing if parse else None,
        on_error=on_error,
        out=out,
        max_results=max_results,
        untagged=untagged,
    )
    if quiet and not any_match:
        raise typer.Exit(1)
