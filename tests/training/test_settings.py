"""Settings: sections from tables and overrides, and errors that name the key and the value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from whorl.errors import RecipeError
from whorl.training.settings import POSITIVE, Range, Section, Settings


@dataclass(frozen=True, slots=True)
class Part(Section):
    allowed: ClassVar[dict[str, tuple[str, ...]]] = {"kind": ("a", "b")}
    ranges: ClassVar[dict[str, Range]] = {"count": POSITIVE}
    paths: ClassVar[tuple[str, ...]] = ("name",)

    name: str = ""
    kind: str = "a"
    size: int = 2
    rate: float = 0.5
    on: bool = False
    size_of_all: int = 0
    count: int = 1
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole(Settings):
    repeated: ClassVar[dict[str, type[Section]]] = {"many": Part}

    part: Part = field(default_factory=Part)
    many: tuple[Part, ...] = ()


def test_overrides_are_converted_to_the_type_of_their_key():
    whole = Whole().override(
        ["part.size=7", "part.rate=1e-3", "part.on=true", "part.kind=b", "part.name=x=y"]
    )
    assert whole.part == Part("x=y", "b", 7, 0.001, True)
    assert Whole.from_dict(whole.to_dict()) == whole
    assert whole.differences(Whole().to_dict()) == [
        f"part.{key}" for key in ("name", "kind", "size", "rate", "on")
    ]


def test_lists_of_names_are_separated_by_commas_on_a_command_line():
    assert Whole().override(["part.names=a,b"]).part.names == ("a", "b")
    assert Whole().override(["part.names="]).part.names == ()


def test_repeated_sections_are_lists_of_tables():
    whole = Whole.from_dict({"many": [{"size": 3}, {}]})
    assert whole.many == (Part(size=3), Part())
    assert Whole.from_dict(whole.to_dict()) == whole
    assert whole.differences(Whole().to_dict()) == ["many"]


def test_an_override_names_one_of_several_repeated_sections():
    whole = Whole(many=(Part("x"), Part("y.z"))).override(["many.x.size=7", "many.y.z.ki=b"])
    assert whole.many == (Part("x", size=7), Part("y.z", kind="b"))


def test_an_override_may_shorten_a_key_to_an_unambiguous_prefix():
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
        ("part.size=x", "size must be a whole number, not 'x'"),
        ("part.size=1.5", "size must be a whole number, not '1.5'"),
        ("part.on=yes", "on must be true or false, not 'yes'"),
        ("part.kind=c", "kind must be one of a, b, not 'c'"),
        ("part.rate=-1", r"part\.rate must be at least 0, not -1"),
        ("part.rate=inf", r"part\.rate must be at least 0, not inf"),
        ("part.count=0", r"part\.count must be at least 1, not 0"),
        ("part.size=", "size must be a whole number, not ''"),
        ("part.rate=fast", "rate must be a number, not 'fast'"),
        ("many.size=3", r"expected many\.NAME\.key=value"),
        ("many.x.name=z", "the name of a many cannot be overridden"),
        ("many.z.size=3", "unknown many 'z': expected one of x, y"),
        ("many.x.sise=3", "unknown key 'sise': expected one of name, kind, size"),
        ("many.x.size=a", "size must be a whole number, not 'a'"),
        ("part.rate=nan", r"part\.rate must be at least 0, not nan"),
        ("size", "expected section.key=value"),
    ],
)
def test_a_wrong_override_is_an_error_that_names_it(setting, message):
    with pytest.raises(RecipeError, match=message):
        Whole(many=(Part("x"), Part("y"))).override([setting])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[part\n", "not a TOML file"),
        ("[other]\n", r"unknown section \[other\]"),
        ("part = 3\n", "part must be a table of settings, not 3"),
        ("many = 3\n", r"write \[\[many\]\], once for each many"),
        ("many = 'x'\n", r"write \[\[many\]\], once for each many"),
        ("[many]\n", r"write \[\[many\]\], once for each many"),
        ("many = [3]\n", "many must be a table of settings, not 3"),
        ("[[many]]\nsize = 'x'\n", "size must be a whole number, not 'x'"),
        ("[part]\nsize = []\n", r"size must be a whole number, not \[\]"),
        ("[part]\nname = []\n", r"name must be text, not \[\]"),
        ("[part]\nnames = [3]\n", r"names must be a list of names, not \[3\]"),
        ("[part]\nsize = 2.5\n", "size must be a whole number, not 2.5"),
        ("[part]\nsize = true\n", "size must be a whole number, not True"),
        ("[part]\nname = 3\n", "name must be text, not 3"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_it(tmp_path, text, message):
    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError, match=message):
        Whole.read(path)


def test_paths_in_a_file_are_relative_to_its_folder(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text('[part]\nname = "t.txt"\nrate = 1\non = true\n', encoding="utf-8")
    assert Whole.read(path).part == Part(str(tmp_path / "t.txt"), "a", 2, 1.0, True)
    with pytest.raises(RecipeError, match="cannot read the recipe"):
        Whole.read(tmp_path / "none.toml")


def test_a_number_of_four_hundred_digits_is_checked_like_any_other():
    number = 10**400
    assert Whole().override([f"part.size={number}"]).part.size == number
    with pytest.raises(RecipeError, match=r"part\.count must be at least 1"):
        Whole().override([f"part.count=-{number}"])
