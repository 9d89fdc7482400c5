"""The trees of a treebank in three parts, checked before any time is spent on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whorl.building.request import BuildRequest, NamedPath
from whorl.errors import TreebankError
from whorl.files import replace_atomically
from whorl.transitions import MAX_UNARY
from whorl.trees import (
    SPLITS,
    Cleaning,
    Layout,
    Tree,
    TreebankStatistics,
    apportion,
    detect_layout,
    read_treebank,
    strip_root,
    treebank_files,
    write_trees,
)
from whorl.trees.cleaning import TRACE

__all__ = ["MIN_TREES", "TreebankParts", "part_path", "read_parts", "write_parts"]

MIN_TREES = 20
"""The fewest training trees from which it makes sense to learn."""

_SHARES = (8, 1, 1)
_SEED = 0
_MAX_UNKNOWN = 0.05
"""The largest share of development phrases whose labels may be missing from the training trees."""
_LISTED = 8  # labels in a message
_TRACED = Cleaning(root=None, loops=False)


@dataclass(slots=True)
class TreebankParts:
    """One treebank: the trees to learn from, to choose by and, if there are any, to test on."""

    name: str
    sources: dict[str, str]
    """The file or folder that each part was read from."""
    train: list[Tree] = field(default_factory=list)
    dev: list[Tree] = field(default_factory=list)
    test: list[Tree] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What a user should know about the trees: how they were split, what was cleaned."""

    def part(self, name: str) -> list[Tree]:
        """Return the trees of a part by name."""
        trees: list[Tree] = getattr(self, name)
        return trees


def read_parts(request: BuildRequest) -> list[TreebankParts]:
    """Read the treebanks of a request, split what has no split, and check all of it."""
    dev, test = (dict(paths) for paths in (request.dev, request.test))
    treebanks = [_read(named, dev.get(named.name), test.get(named.name)) for named in request.train]
    for treebank in treebanks:
        _clean(treebank)
        _check(treebank)
    return treebanks


def write_parts(treebanks: Sequence[TreebankParts], folder: Path) -> dict[tuple[str, str], Path]:
    """Write each part to a file of its own, a tree a line; return the files by name and part."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for treebank in treebanks:
        for part in SPLITS:
            if trees := treebank.part(part):
                path = paths[treebank.name, part] = part_path(folder, treebank.name, part)
                with (
                    replace_atomically(path) as partial,
                    partial.open("w", encoding="utf-8", newline="\n") as file,
                ):
                    write_trees(trees, file)
    return paths


def part_path(folder: Path, name: str, part: str) -> Path:
    """Return the file of one part of a treebank."""
    return folder / (f"{name}.{part}.txt" if name else f"{part}.txt")


def _read(named: NamedPath, dev: str | None, test: str | None) -> TreebankParts:
    treebank = TreebankParts(named.name, {"train": named.path})
    has_splits = detect_layout(named.path) in (Layout.splits, Layout.wsj, Layout.ctb)
    treebank.train = _trees(named.path, "train" if has_splits else None)
    for part, path in (("dev", dev), ("test", test)):
        if path is not None:
            treebank.sources[part] = path
            setattr(treebank, part, _trees(path))
        elif has_splits and _has_part(named.path, part):
            treebank.sources[part] = named.path
            setattr(treebank, part, _trees(named.path, part))
    _split(treebank)
    return treebank


def _trees(path: str, split: str | None = None) -> list[Tree]:
    trees = list(read_treebank(path, split=split))
    if not trees:
        raise TreebankError(
            f"{path}: no trees; expected trees such as (S (NP (PRP It)) (VP (VBZ works)))"
        )
    return trees


def _has_part(path: str, part: str) -> bool:
    try:
        return bool(treebank_files(path, split=part))
    except TreebankError:
        return False


def _split(treebank: TreebankParts) -> None:
    """Split off the parts that are missing; a test part only if nothing else was given."""
    trees, path = treebank.train, treebank.sources["train"]
    if "dev" not in treebank.sources and len(trees) < MIN_TREES:
        raise TreebankError(
            f"{path}: {_count(trees)}, too few to split into training, development and test trees; "
            f"expected at least {MIN_TREES}"
        )
    if "dev" in treebank.sources:
        return
    shares = list(_SHARES)
    if "test" in treebank.sources:
        shares[2] = 0
    parts = apportion(len(trees), shares, _SEED)
    for part in SPLITS:
        if part not in treebank.sources or part == "train":
            chosen = [tree for tree, name in zip(trees, parts, strict=True) if name == part]
            setattr(treebank, part, chosen)
            treebank.sources.setdefault(part, path)
    counts = ", ".join(f"{len(treebank.part(part)):,} {part}" for part in SPLITS)
    treebank.remarks.append(f"{Path(path).name} was split at random: {counts}")


def _clean(treebank: TreebankParts) -> None:
    """Remove traces and function tags, if there are traces: parsers do not predict them."""
    traced = sum(any(leaf.tag == TRACE for leaf in tree.leaves()) for tree in treebank.train)
    if not traced:
        return
    for part in SPLITS:
        cleaned = (_TRACED(tree) for tree in treebank.part(part))
        setattr(treebank, part, [tree for tree in cleaned if tree is not None])
    treebank.remarks.append(
        f"{traced:,} training trees have traces: "
        "traces and function tags were removed from all trees"
    )


def _check(treebank: TreebankParts) -> None:
    if len(treebank.train) < MIN_TREES:
        raise TreebankError(
            f"{treebank.sources['train']}: {_count(treebank.train)} to learn from; "
            f"expected at least {MIN_TREES}"
        )
    for part in SPLITS:
        _check_unary_chains(treebank.part(part), treebank.sources.get(part, ""))
    _check_labels(treebank)
    _report_repeated(treebank)


def _check_unary_chains(trees: Sequence[Tree], source: str) -> None:
    for number, tree in enumerate(trees, start=1):
        longest = TreebankStatistics.of([strip_root(tree)]).longest_unary_chain
        if longest > MAX_UNARY:
            raise TreebankError(
                f"{source}: tree {number} has {longest} phrases of one child over one another; "
                f"expected at most {MAX_UNARY}: {tree!s:.100}"
            )


def _check_labels(treebank: TreebankParts) -> None:
    """Reject development or test trees in another convention than the training trees."""
    known = {span.label for tree in treebank.train for span in _spans(tree)}
    for part in ("dev", "test"):
        counts = Counter(span.label for tree in treebank.part(part) for span in _spans(tree))
        unknown = Counter({name: count for name, count in counts.items() if name not in known})
        if not unknown:
            continue
        share = unknown.total() / counts.total()
        listed = ", ".join(f"{name} ({count})" for name, count in unknown.most_common(_LISTED))
        message = (
            f"{100 * share:.2g} % of the phrases of the {part} trees have labels that no training "
            f"tree has: {listed}"
        )
        if share > _MAX_UNKNOWN:
            raise TreebankError(
                f"{treebank.sources[part]}: {message}; expected trees annotated like those of "
                f"{treebank.sources['train']}"
            )
        treebank.remarks.append(message)


def _spans(tree: Tree) -> Iterator[Tree]:
    yield from strip_root(tree).phrases()


def _report_repeated(treebank: TreebankParts) -> None:
    """Say how many test sentences were also learnt from: their score means little."""
    learnt = {tuple(tree.words()) for tree in treebank.train}
    for part in ("dev", "test"):
        repeated = sum(tuple(tree.words()) in learnt for tree in treebank.part(part))
        if repeated:
            treebank.remarks.append(
                f"{repeated:,} of {len(treebank.part(part)):,} {part} sentences are also among the "
                "training sentences"
            )


def _count(trees: Sequence[Tree]) -> str:
    return "1 tree" if len(trees) == 1 else f"{len(trees)} trees"
