"""Settings: sections from tables and overrides, and errors that name what does not fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from whorl.errors import RecipeError
from whorl.training.settings import Settings


@dataclass(frozen=True, slots=True)
class Part:
    name: str = ""
    kind: str = "a"
    size: int = 2
    rate: float = 0.5
    on: bool = False
    size_of_all: int = 0


@dataclass(frozen=True, slots=True)
class Whole(Settings):
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"kind": ("a", "b")}
    paths: ClassVar[tuple[tuple[str, str], ...]] = (("part", "name"),)
    part: Part = field(default_factory=Part)


def test_overrides_are_converted_to_the_type_of_their_key():
    made = Whole().override(
        ["part.size=7", "part.rate=1e-3", "part.on=true", "part.kind=b", "part.name=x=y"]
    )
    assert made.part == Part("x=y", "b", 7, 0.001, True)
    assert Whole.from_dict(made.to_dict()) == made
    assert made.differences(Whole().to_dict()) == [
        f"part.{key}" for key in ("name", "kind", "size", "rate", "on")
    ]


def test_an_override_may_shorten_a_key_as_long_as_it_is_clear():
    assert Whole().override(
        ["part.ki=b", "part.rat=2", "part.size=3", "part.size_=4"]
    ).part == Part(kind="b", rate=2.0, size=3, size_of_all=4)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("part.si=3", "'si' could be any of size, size_of_all"),
        ("part.=3", "unknown key ''"),
        ("part.sise=3", "unknown key 'sise': expected one of name, kind, size"),
        ("prt.size=3", "unknown section 'prt': expected one of part"),
        ("part.size=x", "size must be a int, not 'x'"),
        ("part.size=1.5", "size must be a int, not '1.5'"),
        ("part.on=yes", "on must be true or false, not 'yes'"),
        ("part.kind=c", "kind must be one of a, b, not 'c'"),
        ("part.rate=-1", r"part\.rate must be at least 0, not -1"),
        ("part.rate=nan", r"part\.rate must be at least 0, not nan"),
        ("size", "expected section.key=value"),
    ],
)
def test_a_setting_that_does_not_fit_is_an_error_that_names_it(setting, message):
    with pytest.raises(RecipeError, match=message):
        Whole().override([setting])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[part\n", "not a TOML file"),
        ("[other]\n", r"unknown section \[other\]"),
        ("part = 3\n", r"unknown section \[part\]"),
        ("[part]\nsize = 2.5\n", "size must be a int, not 2.5"),
        ("[part]\nsize = true\n", "size must be a int, not True"),
        ("[part]\nname = 3\n", "name must be a str, not 3"),
    ],
)
def test_a_file_that_does_not_fit_is_an_error_that_names_it(tmp_path, text, message):
    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError, match=message):
        Whole.read(path)


def test_files_are_read_with_paths_beside_them(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text('[part]\nname = "t.txt"\nrate = 1\non = true\n', encoding="utf-8")
    assert Whole.read(path).part == Part(str(tmp_path / "t.txt"), "a", 2, 1.0, True)
    with pytest.raises(RecipeError, match="cannot read the recipe"):
        Whole.read(tmp_path / "none.toml")
