"""`whorl treebank`: clean, split, describe and check treebanks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from whorl.cli.common import OnError, OnErrorOption, guarded, note, open_output, report_skipped
from whorl.errors import BracketError, TreebankError, TreeError
from whorl.trees.layouts import SPLITS, Layout

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Clean, split, describe and check treebanks."
)


class Part(str, Enum):
    """A part of a standard split."""

    train = "train"
    dev = "dev"
    test = "test"


_ROOTS = {"keep": None, "none": ""}  # any other value of --root is the label itself

TreebankArgument = Annotated[
    str,
    typer.Argument(
        metavar="TREEBANK",
        help="A file of trees, the folder of a treebank, or - for standard input.",
    ),
]
LayoutOption = Annotated[
    Layout | None, typer.Option("--layout", help="The layout on disk; detected by default.")
]
PartOption = Annotated[
    Part | None, typer.Option("--split", help="Only this part of the standard split.")
]


@app.command()
@guarded
def clean(
    treebank: TreebankArgument,
    *,
    out: Annotated[
        str, typer.Option("--out", "-o", help="The file to write; standard output by default.")
    ] = "-",
    layout: LayoutOption = None,
    split: PartOption = None,
    keep_traces: Annotated[
        bool, typer.Option("--keep-traces", help="Keep the leaves tagged -NONE-.")
    ] = False,
    keep_function_tags: Annotated[
        bool, typer.Option("--keep-function-tags", help="Keep NP-SBJ-1, do not cut it to NP.")
    ] = False,
    keep_alternatives: Annotated[
        bool, typer.Option("--keep-alternatives", help="Keep PRT|ADVP, do not cut it to PRT.")
    ] = False,
    keep_loops: Annotated[
        bool, typer.Option("--keep-loops", help="Keep X over X as two phrases.")
    ] = False,
    tag_suffixes: Annotated[
        bool, typer.Option("--tag-suffixes", help="Cut the tags of words too: NR-SHORT becomes NR.")
    ] = False,
    splice: Annotated[
        str,
        typer.Option(
            "--splice", help="Remove phrases with these labels, such as NML,NX; children move up."
        ),
    ] = "",
    slashes: Annotated[
        bool, typer.Option("--slashes", help=r"Unescape \/ and \* in words.")
    ] = False,
    root: Annotated[
        str,
        typer.Option(
            "--root", help="Label of the root; 'none' removes the root, 'keep' leaves it unchanged."
        ),
    ] = "TOP",
    on_error: OnErrorOption = OnError.stop,
) -> None:
    """Clean the trees of a treebank and write them, one per line."""
    from whorl.trees import Cleaning, read_treebank, write_trees

    cleaning = Cleaning(
        traces=not keep_traces,
        function_tags=not keep_function_tags,
        alternatives=not keep_alternatives,
        loops=not keep_loops,
        tag_suffixes=tag_suffixes,
        splice=frozenset(splice.replace(",", " ").split()),
        slashes=slashes,
        root=_ROOTS.get(root, root),
    )
    skipped = on_error.collector()
    trees = read_treebank(treebank, layout, split and split.value, skipped=skipped)
    read = 0

    def clean_trees() -> Iterator[Any]:
        nonlocal read
        for read, tree in enumerate(trees, start=1):
            result = cleaning(tree)
            if result is not None:
                yield result

    with open_output(out) as file:
        written = write_trees(clean_trees(), file)
    report_skipped(skipped)
    if read > written:
        note(f"left out {read - written} of {read} trees, which held only traces")


@app.command()
@guarded
def split(
    treebank: TreebankArgument,
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder for train.txt, dev.txt and test.txt.")
    ],
    layout: LayoutOption = None,
    ratio: Annotated[
        str | None,
        typer.Option("--ratio", help="Split randomly in these proportions, such as 80/10/10."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the random split.")] = 0,
    on_error: OnErrorOption = OnError.stop,
) -> None:
    """Split a treebank into train.txt, dev.txt and test.txt, one uncleaned tree per line.

    The default is the standard split: sections 02-21, 22 and 23 of the WSJ; articles 001-270 with
    440-1151, 301-325 and 271-300 of the CTB. With --ratio, the split is random: the part of a tree
    depends only on its number, the seed and the number of trees, and trees keep their order.
    """
    skipped = on_error.collector()
    shares = None if ratio is None else _shares(ratio)
    if shares is None:
        parts = _by_standard(treebank, layout, skipped)
    else:
        parts = _by_ratio(treebank, layout, shares, seed, skipped)
    out.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    with ExitStack() as stack:
        files = {name: stack.enter_context(open_output(out / f"{name}.txt")) for name in SPLITS}
        for name, line in parts:
            files[name].write(line + "\n")
            counts[name] += 1
    report_skipped(skipped)
    for name in SPLITS:
        print(f"{out / name}.txt: {counts[name]} trees")


def _by_standard(
    treebank: str, layout: Layout | None, skipped: list[BracketError] | None
) -> Iterator[tuple[str, str]]:
    from whorl.trees import format_tree, read_treebank, treebank_files

    for name in SPLITS:
        treebank_files(treebank, layout, name)  # report what is missing before reading anything
    return (
        (name, format_tree(tree))
        for name in SPLITS
        for tree in read_treebank(treebank, layout, name, skipped=skipped)
    )


def _by_ratio(
    treebank: str,
    layout: Layout | None,
    shares: tuple[float, ...],
    seed: int,
    skipped: list[BracketError] | None,
) -> Iterator[tuple[str, str]]:
    from whorl.trees import apportion, format_tree, read_treebank

    lines = [format_tree(tree) for tree in read_treebank(treebank, layout, skipped=skipped)]
    return zip(apportion(len(lines), shares, seed), lines, strict=True)


def _shares(ratio: str) -> tuple[float, ...]:
    try:
        shares = tuple(float(part) for part in ratio.split("/"))
    except ValueError:
        shares = ()
    if (
        len(shares) != len(SPLITS)
        or not all(0 <= share < float("inf") for share in shares)
        or shares[0] == 0
    ):
        raise typer.BadParameter(
            f"{ratio!r} is not three proportions such as 80/10/10", param_hint="--ratio"
        )
    return shares


@app.command()
@guarded
def stats(
    treebank: TreebankArgument,
    *,
    layout: LayoutOption = None,
    split: PartOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    on_error: OnErrorOption = OnError.stop,
) -> None:
    """Count the trees, words, phrases, labels and tags of a treebank, and measure its trees."""
    from whorl.trees import TreebankStatistics, read_treebank

    skipped = on_error.collector()
    statistics = TreebankStatistics.of(
        read_treebank(treebank, layout, split and split.value, skipped=skipped)
    ).as_dict()
    if as_json:
        print(json.dumps(statistics, ensure_ascii=False, indent=2))
    else:
        _show_statistics(statistics)
    report_skipped(skipped)


def _show_statistics(statistics: dict[str, Any]) -> None:
    from whorl.cli.tables import show_table

    children = statistics["children_per_phrase"]
    rows = [(name, f"{statistics[name]:,}") for name in ("trees", "words", "phrases")]
    rows += [(f"different {name}", f"{len(statistics[name]):,}") for name in ("labels", "tags")]
    for name, key in (
        ("sentence length", "sentence_length"),
        ("depth", "depth"),
        ("children per phrase", None),
    ):
        values = statistics[key] if key else children
        rows += [
            (f"{name}, mean", f"{values['mean']:.2f}"),
            (f"{name}, most", f"{values['max']:,}"),
        ]
    rows.append(("longest unary chain", f"{statistics['longest_unary_chain']:,}"))
    show_table("Treebank", ("what", "count"), rows)
    for title, head, counts in (
        ("Children per phrase", "children", children["counts"]),
        ("Labels", "label", statistics["labels"]),
        ("Tags", "tag", statistics["tags"]),
    ):
        total = max(sum(counts.values()), 1)
        shares = [
            (name or "(no label)", f"{count:,}", f"{100 * count / total:.2f} %")
            for name, count in counts.items()
        ]
        print()
        show_table(title, (head, "count", "share"), shares)


@app.command()
@guarded
def check(
    treebank: TreebankArgument, *, layout: LayoutOption = None, split: PartOption = None
) -> None:
    """Read every tree, and list malformed trees and suspicious nodes.

    The exit code is 1 if a tree is malformed. Suspicious nodes (blank words, X over X, labels that
    end in *, traces, function tags) do not fail the check.
    """
    malformed = 0
    trees = 0
    kinds: Counter[str] = Counter()
    for file, number, finding in _findings(treebank, layout, split and split.value):
        if isinstance(finding, Exception):
            malformed += 1
            print(finding)
            continue
        trees += 1
        for kind, detail in finding:
            kinds[kind] += 1
            print(f"{file}: tree {number}: {kind}: {detail}")
    print(f"{trees} well-formed trees, {malformed} malformed, {sum(kinds.values())} suspicions")
    for kind, count in sorted(kinds.items()):
        print(f"  {kind}: {count}")
    if malformed:
        raise typer.Exit(1)


def _findings(
    treebank: str, layout: Layout | None, split: str | None
) -> Iterator[tuple[str, int, list[Any] | Exception]]:
    """Yield the suspicions of each tree of each file, and after the trees of a file its errors."""
    from whorl.trees import detect_layout, iter_tree_file, suspicions, treebank_files

    kind = layout or detect_layout(treebank)
    for file in treebank_files(treebank, kind, split):
        skipped: list[BracketError] = []
        number = 0
        try:
            for number, tree in enumerate(iter_tree_file(file, kind, skipped=skipped), start=1):
                yield str(file), number, list(suspicions(tree))
        except (TreebankError, TreeError) as error:  # the rest of the file is unreadable
            yield str(file), number, error
        yield from ((str(file), 0, malformed) for malformed in skipped)
