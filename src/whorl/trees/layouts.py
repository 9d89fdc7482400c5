"""Treebank layouts: where the trees are, in which encoding, and the standard split.

| layout | what it is |
| --- | --- |
| `file` | one file of bracketed trees, one per line or spread over lines |
| `splits` | a folder with `train.txt`, `dev.txt` and `test.txt`, or some of them |
| `wsj` | the Wall Street Journal of the Penn Treebank: `wsj_SSNN.mrg` in folders `00` to `24` |
| `ctb` | the Penn Chinese Treebank 5.1: `chtb_NNN.fid`, SGML with trees, in GB18030 or UTF-8 |
| `folder` | any other folder of `.mrg`, `.parse` or `.tree` files, in the order of their paths |

The Penn Treebank's `.prd` files are ignored: unlike the `.mrg` files, they have no tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path

from whorl.errors import BracketError, TreebankError
from whorl.trees.brackets import (
    Block,
    iter_blocks,
    iter_trees,
    iter_trees_with_lines,
    read_trees,
    read_trees_with_lines,
)
from whorl.trees.tree import Tree

__all__ = [
    "SPLITS",
    "Layout",
    "detect_layout",
    "iter_file_blocks",
    "iter_tree_file",
    "iter_tree_file_with_lines",
    "read_treebank",
    "treebank_files",
]

SPLITS = ("train", "dev", "test")
"""The parts of a split, in reading order."""

_WSJ_FILE = re.compile(r"wsj_(\d\d)\d\d\.mrg")
_WSJ_SECTIONS = {"train": range(2, 22), "dev": range(22, 23), "test": range(23, 24)}
_CTB_FILE = re.compile(r"chtb_(\d+)\.fid")
_CTB_ARTICLES = {
    "train": (range(1, 271), range(440, 1152)),
    "dev": (range(301, 326),),
    "test": (range(271, 301),),
}
_TREE_SUFFIXES = (".mrg", ".parse", ".tree", ".trees")
_CTB_ENCODINGS = ("utf-8-sig", "gb18030")
_PENN_ENCODINGS = ("utf-8-sig",)

# The copyright notice at the top of some .mrg files.
_COMMENT = re.compile(r"\*x\*.*", re.MULTILINE)
_SENTENCE_MARK = re.compile(r"\s*</?S\b[^<>]*>\s*", re.IGNORECASE)
_MARK = re.compile(r"\s*<(/?)(\w+)[^<>]*>")
# Elements whose text runs over several lines and has no trees.
_HEADERS = frozenset({"HEADER", "DOCHEADER"})


class Layout(str, Enum):
    """The layout of a treebank on disk."""

    file = "file"
    splits = "splits"
    wsj = "wsj"
    ctb = "ctb"
    folder = "folder"


def detect_layout(path: str | Path) -> Layout:
    """Detect the layout of a treebank from the names of its files."""
    root = Path(path)
    if str(path) == "-" or root.is_file():
        return Layout.ctb if root.suffix == ".fid" else Layout.file
    if not root.is_dir():
        raise TreebankError(
            f"{root}: no such file or folder; expected a file of trees or a treebank's folder"
        )
    if any((root / f"{name}.txt").is_file() for name in SPLITS):
        return Layout.splits
    names = [file.name for file in _files_below(root)]
    if any(map(_WSJ_FILE.fullmatch, names)):
        return Layout.wsj
    if any(map(_CTB_FILE.fullmatch, names)):
        return Layout.ctb
    if any(name.endswith(_TREE_SUFFIXES) for name in names):
        return Layout.folder
    raise TreebankError(
        f"{root}: no trees found; expected train.txt, dev.txt or test.txt in it, "
        f"or files wsj_NNNN.mrg, chtb_NNN.fid or *{', *'.join(_TREE_SUFFIXES)} anywhere below it"
    )


def read_treebank(
    path: str | Path,
    layout: Layout | str | None = None,
    split: str | None = None,
    *,
    skipped: list[BracketError] | None = None,
) -> Iterator[Tree]:
    """Read the trees of a treebank, or of one part of its standard split, lazily.

    The layout is detected unless given. Malformed trees raise `BracketError`; given a list
    `skipped`, they are left out and the errors go there.
    """
    kind = _layout(path, layout)
    return _trees_of(treebank_files(path, kind, split), kind, skipped)


def _trees_of(
    files: Iterable[Path], layout: Layout, skipped: list[BracketError] | None
) -> Iterator[Tree]:
    for file in files:
        yield from iter_tree_file(file, layout, skipped=skipped)


def treebank_files(
    path: str | Path, layout: Layout | str | None = None, split: str | None = None
) -> list[Path]:
    """Return the files of a treebank, or of one part of its split, in reading order."""
    root, kind = Path(path), _layout(path, layout)
    if split is not None and split not in SPLITS:
        raise TreebankError(f"{root}: unknown split {split!r}; expected {', '.join(SPLITS)}")
    if root.is_file() or str(path) == "-":
        return [_unsplit(root, kind, split)]
    if kind is Layout.file:
        raise TreebankError(
            f"{root}: expected a file of trees" + (", found a folder" if root.is_dir() else "")
        )
    if not root.is_dir():
        raise TreebankError(
            f"{root}: no such folder; expected a treebank in the layout {kind.value}"
        )
    if kind is Layout.splits:
        return _split_files(root, split)
    if kind is Layout.wsj:
        return _wsj_files(root, split)
    if kind is Layout.ctb:
        return _ctb_files(root, split)
    return _plain_files(_unsplit(root, kind, split))


def iter_tree_file(
    file: str | Path,
    layout: Layout = Layout.file,
    *,
    skipped: list[BracketError] | None = None,
    untagged: bool = False,
) -> Iterator[Tree]:
    """Read the trees of one file of a treebank in this layout."""
    texts = _texts(file, layout)
    if texts is None:
        yield from iter_trees(file, skipped=skipped, untagged=untagged)
        return
    for text, first_line in texts:
        yield from read_trees(
            text, source=str(file), skipped=skipped, first_line=first_line, untagged=untagged
        )


def iter_tree_file_with_lines(
    file: str | Path,
    layout: Layout = Layout.file,
    *,
    skipped: list[BracketError] | None = None,
    untagged: bool = False,
) -> Iterator[tuple[int, Tree]]:
    """Read as `iter_tree_file`, each tree with the line of its first bracket, from 1."""
    texts = _texts(file, layout)
    if texts is None:
        yield from iter_trees_with_lines(file, skipped=skipped, untagged=untagged)
        return
    for text, first_line in texts:
        yield from read_trees_with_lines(
            text, source=str(file), skipped=skipped, first_line=first_line, untagged=untagged
        )


def iter_file_blocks(file: str | Path, layout: Layout = Layout.file) -> Iterator[Block]:
    """Cut one file of a treebank in this layout into blocks, for a `BlockReader`."""
    texts = _texts(file, layout)
    if texts is None:
        yield from iter_blocks(file)
        return
    for text, first_line in texts:
        yield Block(text, str(file), first_line)


def _texts(file: str | Path, layout: Layout) -> Iterable[tuple[str, int]] | None:
    """Return the texts with trees in a file, each with its first line; None for plain brackets."""
    path = Path(file)
    if layout is Layout.ctb and str(file) != "-":
        return _ctb_sentences(_read_text(path, _CTB_ENCODINGS))
    if path.suffix == ".mrg":
        return [(_COMMENT.sub("", _read_text(path, _PENN_ENCODINGS)), 1)]
    return None


def _layout(path: str | Path, layout: Layout | str | None) -> Layout:
    if layout is None:
        return detect_layout(path)
    try:
        return Layout(layout)
    except ValueError:
        known = ", ".join(kind.value for kind in Layout)
        raise TreebankError(f"unknown layout {layout!r}; expected {known}") from None


def _unsplit(path: Path, layout: Layout, split: str | None) -> Path:
    if split is not None:
        raise TreebankError(
            f"{path}: no standard split, so no part {split!r} of it; "
            f"expected a folder in the layout splits, wsj or ctb, found {layout.value}"
        )
    return path


def _files_below(root: Path) -> list[Path]:
    """Return every file below a folder except hidden ones, sorted by path."""
    return sorted(
        file for file in root.rglob("*") if file.is_file() and not file.name.startswith(".")
    )


def _plain_files(root: Path) -> list[Path]:
    files = [file for file in _files_below(root) if file.suffix in _TREE_SUFFIXES]
    if not files:
        raise TreebankError(
            f"{root}: no trees found; expected files *{', *'.join(_TREE_SUFFIXES)} below it"
        )
    return files


def _split_files(root: Path, split: str | None) -> list[Path]:
    wanted = [root / f"{name}.txt" for name in (SPLITS if split is None else (split,))]
    files = [file for file in wanted if file.is_file()]
    if not files:
        present = sorted(file.name for file in root.glob("*.txt")) or ["no .txt files"]
        raise TreebankError(
            f"{root}: expected {' or '.join(file.name for file in wanted)}, "
            f"found {', '.join(present[:10])}"
        )
    return files


def _wsj_files(root: Path, split: str | None) -> list[Path]:
    numbered = _numbered(_files_below(root), _WSJ_FILE, root, "wsj_SSNN.mrg")
    if split is None:
        return [file for _, file in numbered]
    sections = _WSJ_SECTIONS[split]
    missing = sorted(set(sections) - {section for section, _ in numbered})
    if missing:
        names = ", ".join(f"{section:02}" for section in missing)
        raise TreebankError(
            f"{root}: sections missing for {split}: {names}; "
            f"expected files wsj_SSNN.mrg of the sections {sections[0]:02} to {sections[-1]:02}"
        )
    return [file for section, file in numbered if section in sections]


def _ctb_files(root: Path, split: str | None) -> list[Path]:
    below = _files_below(root)
    # Raw text in sibling folders may have the same file names.
    bracketed = [file for file in below if "bracketed" in file.parts]
    numbered = sorted(_numbered(bracketed or below, _CTB_FILE, root, "chtb_NNN.fid"))
    if split is None:
        return [file for _, file in numbered]
    present = {article for article, _ in numbered}
    for articles in _CTB_ARTICLES[split]:
        missing = sorted(set(articles) - present)
        # Only the training articles have gaps in their numbers.
        if len(missing) == len(articles) or (missing and split != "train"):
            raise TreebankError(
                f"{root}: articles missing for {split}: {_shorten(missing)}; "
                f"expected files chtb_NNN.fid from {articles[0]:03} to {articles[-1]:03}"
            )
    return [
        file for article, file in numbered if any(article in part for part in _CTB_ARTICLES[split])
    ]


def _shorten(numbers: Sequence[int]) -> str:
    shown = ", ".join(f"{number:03}" for number in numbers[:5])
    return shown if len(numbers) <= 5 else f"{shown} and {len(numbers) - 5} more"


def _numbered(
    files: Iterable[Path], name: re.Pattern[str], root: Path, form: str
) -> list[tuple[int, Path]]:
    """Return the files whose names match, each with its number; a name may occur only once."""
    numbered: dict[str, tuple[int, Path]] = {}
    for file in files:
        match = name.fullmatch(file.name)
        if match is None:
            continue
        if file.name in numbered:
            raise TreebankError(
                f"{root}: {file.name} occurs twice: {numbered[file.name][1]} and {file}; "
                "expected it once"
            )
        numbered[file.name] = (int(match.group(1)), file)
    if not numbered:
        raise TreebankError(f"{root}: no trees found; expected files {form} below it")
    return list(numbered.values())


def _read_text(path: Path, encodings: Sequence[str]) -> str:
    """Return the text of a file, decoded with the first encoding that fits."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TreebankError(f"cannot read {path}: {error.strerror}") from error
    wrong: UnicodeDecodeError | None = None
    for encoding in encodings:
        try:
            return data.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            wrong = error
    start = wrong.start if wrong else 0
    names = " or ".join(encoding.removesuffix("-sig").upper() for encoding in encodings)
    line = data.count(b"\n", 0, start) + 1
    raise TreebankError(f"{path}:{line}: undecodable byte 0x{data[start]:02x}; expected {names}")


def _ctb_sentences(text: str) -> Iterator[tuple[str, int]]:
    """Yield the text between sentence marks, without other SGML, with its first line number."""
    lines: list[str] = []
    header = ""
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _MARK.match(line)
        if header:
            header = "" if f"</{header}" in line.upper() else header
        elif _SENTENCE_MARK.fullmatch(line):
            yield "\n".join(lines), number - len(lines)
            lines = []
        elif mark and not any(map(str.strip, lines)) and "(" not in line:
            name = mark.group(2).upper()
            header = (
                name
                if name in _HEADERS and not mark.group(1) and f"</{name}" not in line.upper()
                else ""
            )
        else:
            lines.append(line)
    yield "\n".join(lines), number - len(lines) + 1
