from __future__ import annotations

from pathlib import Path

import pytest

from tools import structure

REPEATED = "".join(f"    total += {n}\n" for n in range(6))
FILES = {
    "__init__.py": '_LATER = {"load": "whorl.parser"}\n',
    "cli/__init__.py": "",
    "cli/parse.py": "def parse():\n    from whorl.parser import load\n    return load()\n",
    "parser/__init__.py": "from whorl.parser.loading import load\n",
    "parser/loading.py": (
        'NETWORKS = {"span": "whorl.span.engine:Engine", '
        '"lstm": "whorl.stack_lstm.engine:Engine"}\n'
    ),
    "span/__init__.py": '"""The span network."""\n',
    "span/engine.py": "from whorl.span.greedy import build\nfrom whorl.words import known\n",
    "span/greedy.py": f"from whorl import vectors\ndef build(total):  # noqa: X1\n{REPEATED}",
    "stack_lstm/__init__.py": "",
    "stack_lstm/engine.py": (
        f'"""Doc."""\nfrom ..words import known\ndef run(total):\n{REPEATED}    found = 1\n'
    ),
    "words.py": "known = 1\n",
    "vectors.py": (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from whorl.stack_lstm import engine\nsize = 1\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, source in FILES.items():
        path = tmp_path / "src" / "whorl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return tmp_path


def test_networks_own_what_no_other_network_reaches(root: Path) -> None:
    modules = structure.read_modules(root)
    owned = structure.network_modules(modules, structure.import_graph(modules))
    assert owned["span"] == {"whorl.span.engine", "whorl.span.greedy", "whorl.vectors"}
    assert owned["stack_lstm"] == {"whorl.stack_lstm.engine"}


def test_path_goes_through_functions_facades_and_registries(root: Path) -> None:
    modules = structure.read_modules(root)
    path = structure.shortest_path(
        structure.import_graph(modules), "whorl.cli.parse", "whorl.span.greedy"
    )
    assert path == [
        "whorl.cli.parse",
        "whorl.parser.loading",
        "whorl.span.engine",
        "whorl.span.greedy",
    ]
    assert structure.tree_module(modules) == "whorl.span.greedy"


def test_repeated_lines_are_one_pair_however_long(root: Path) -> None:
    [pair] = structure.repetitions(structure.read_modules(root).values())
    assert (pair.first, pair.first_line, pair.second, pair.second_line, pair.lines) == (
        "whorl.span.greedy",
        3,
        "whorl.stack_lstm.engine",
        4,
        6,
    )


def test_table_compares_two_checkouts(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    structure.main([str(root), "--against", str(root), "--markdown"])
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert ["before", "after"] in rows
    assert ["modules", "9", "9"] in rows
    assert ["hops from `whorl parse` to a tree", "3", "3"] in rows
    assert ["`noqa` comments in the package", "1", "1"] in rows
    assert ["assignments to vague names", "1", "1"] in rows


def test_files_to_touch_exist_in_this_checkout() -> None:
    files = structure.files_to_touch(Path(__file__).parents[2])
    assert {addition: len(paths) for addition, paths in files.items()} == {
        "a transition system": 3,
        "a network, outside its own files": 2,
        "an encoder of the span network": 2,
        "an output format": 1,
        "a command": 2,
    }


def test_a_file_to_touch_that_does_not_exist_is_an_error(root: Path) -> None:
    assert structure.files_to_touch(root) == {}
    (root / "src/whorl/networks.py").touch()
    with pytest.raises(SystemExit, match=r"lacks files of HOW_TO_ADD: .*formats/conll\.py"):
        structure.files_to_touch(root)
