from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import mutate

SOURCE = '''\
"""A module with 1 docstring."""
__all__ = ["clip"]


def clip(value: int, top: int = 9) -> int:
    """At most 5."""
    if value > top:
        raise ValueError(f"é {value + 1}")
    return value


def unused(a, b):
    return a and not b
'''
TEST = """\
import pytest
from toy.core import clip

def test_clip():
    assert clip(9) == 9
    with pytest.raises(ValueError):
        clip(10)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "src" / "toy").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "src" / "toy" / "__init__.py").touch()
    (root / "src" / "toy" / "core.py").write_text(SOURCE, encoding="utf-8")
    (root / "tests" / "test_core.py").write_text(TEST, encoding="utf-8")
    return root


def test_mutants_leave_words_and_annotations_alone() -> None:
    mutants = mutate.mutants_of("core.py", SOURCE.encode())
    assert {(m.line, m.kind, m.before, m.after) for m in mutants} == {
        (5, "constant", "9", "(10)"),
        (5, "constant", "9", "(8)"),
        (7, "comparison", "value > top", "(value >= top)"),
        (7, "negation", "value > top", "(not (value > top))"),
        (8, "removed", 'raise ValueError(f"é {value + 1}")', "pass"),
        (9, "returned value", "value", "None"),
        (13, "returned value", "a and not b", "None"),
        (13, "and/or", "a and not b", "(a or not b)"),
        (13, "negation", "not b", "(b)"),
    }
    for mutant in mutants:
        compile(mutant.apply(SOURCE.encode()), "core.py", "exec")


def test_draw_depends_on_the_seed_only(root: Path) -> None:
    first, again, other = (mutate.draw(root, ["src/toy"], seed, 5) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 5


def test_run_tells_survivors_and_resumes(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    command = ["--root", str(root), "--paths", "src/toy", "--jobs", "2", "--report", str(report)]
    mutate.main(command)
    first = capsys.readouterr().out
    records = json.loads(report.read_text(encoding="utf-8"))["mutants"].values()
    assert {record["line"] for record in records if record["status"] == "survived"} == {13}
    assert {record["line"] for record in records if record["status"] == "killed"} == {5, 7, 8, 9}
    assert "9 of 9 mutants tested: 6 killed (0 by the time limit), 3 survived" in first
    mutate.main(command)
    again = capsys.readouterr().out
    assert again.strip() == first[first.index("9 of 9") :].strip()
    assert (root / "src" / "toy" / "core.py").read_text(encoding="utf-8") == SOURCE
