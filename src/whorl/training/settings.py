"""Typed settings in sections: read from TOML, overridden key by key, and checked."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from whorl.errors import RecipeError
from whorl.recipes import base_folder, find_recipe

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["FRACTION", "POSITIVE", "Range", "Section", "Settings"]

_EXPECTED = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list of names",
}
_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that a key accepts: finite, from `low` to `high`, each end included or not."""

    low: float = 0
    high: float = math.inf
    with_low: bool = True
    with_high: bool = True

    def __contains__(self, value: float) -> bool:
        return (
            -math.inf < value < math.inf
            and (self.low <= value if self.with_low else self.low < value)
            and (value <= self.high if self.with_high else value < self.high)
        )

    def __str__(self) -> str:
        low = f"at least {self.low}" if self.with_low else f"above {self.low}"
        if self.high == math.inf:
            return low
        return f"{low} and {'at most' if self.with_high else 'below'} {self.high}"


POSITIVE = Range(1)
"""Counts and sizes that must not be zero."""
FRACTION = Range(0, 1)
"""Shares and probabilities."""


class Section:
    """The base of a section: a frozen dataclass of texts, numbers, booleans and lists of names."""

    __slots__ = ()
    allowed: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The values of keys that accept only some."""
    ranges: ClassVar[Mapping[str, Range]] = {}
    """The ranges of numbers; those not listed must be at least 0."""
    paths: ClassVar[tuple[str, ...]] = ()
    """The keys that name files or folders."""

    @classmethod
    def keys(cls) -> list[str]:
        """Return the names of the keys."""
        return [item.name for item in fields(cls)]  # type: ignore[arg-type]  # a dataclass

    def filled(self, values: object, section: str, source: str) -> Self:
        """Return the section with some keys set, each converted to its type and checked."""
        if not isinstance(values, Mapping):
            raise RecipeError(f"{source}: {section} must be a table of settings, not {values!r}")
        converted: dict[str, Any] = {}
        for key, value in values.items():
            if key not in self.keys():
                raise RecipeError(
                    f"{source}: unknown key {key!r}: expected one of {', '.join(self.keys())}"
                )
            setting = converted[key] = _convert(key, value, type(getattr(self, key)), source)
            if key in self.allowed and setting not in self.allowed[key]:
                raise RecipeError(
                    f"{source}: {key} must be one of {', '.join(self.allowed[key])}, not {value!r}"
                )
            bounds = self.ranges.get(key, Range())
            if type(setting) in (int, float) and setting not in bounds:
                raise RecipeError(f"{source}: {section}.{key} must be {bounds}, not {value}")
        return replace(self, **converted)  # type: ignore[type-var]  # a dataclass

    def relative_to(self, folder: Path) -> Self:
        """Return the section with its paths taken relative to a folder."""
        paths = {key: str(folder / path) for key in self.paths if (path := getattr(self, key))}
        return replace(self, **paths)  # type: ignore[type-var]  # a dataclass


SectionType = TypeVar("SectionType", bound=Section)


class Settings:
    """The base of a frozen dataclass whose fields are sections.

    `repeated` are the sections that may occur any number of times, written `[[section]]`, each
    with its class; their fields are tuples of it.
    """

    __slots__ = ()
    repeated: ClassVar[Mapping[str, type[Section]]] = {}

    def sections(self) -> dict[str, Any]:
        """Return the sections by name."""
        names = [item.name for item in fields(self)]  # type: ignore[arg-type]  # a dataclass
        return {name: getattr(self, name) for name in names}

    def with_section(self, name: str, value: object) -> Self:
        """Return the settings with one section replaced."""
        return replace(self, **{name: value})  # type: ignore[type-var]  # a dataclass

    @classmethod
    def read(cls, name_or_path: str | Path) -> Self:
        """Read a recipe of the package by name, or a TOML file.

        Paths are relative to the working directory in the former, to the file's folder in the
        latter.
        """
        path = find_recipe(name_or_path)
        settings = cls.from_dict(_read_toml(path), source=str(path))
        folder = base_folder(path)
        for name, section in settings.sections().items():
            settings = settings.with_section(
                name,
                tuple(one.relative_to(folder) for one in section)
                if name in cls.repeated
                else section.relative_to(folder),
            )
        return settings

    @classmethod
    def from_dict(cls, tables: object, *, source: str = "recipe") -> Self:
        """Build settings from nested tables; missing keys keep their defaults."""
        if not isinstance(tables, Mapping):
            raise RecipeError(f"{source}: expected tables of settings, not {tables!r}")
        settings = cls()
        for name, values in tables.items():
            sections = settings.sections()
            where = f"{source}: {name}"
            if name not in sections:
                raise RecipeError(
                    f"{source}: unknown section [{name}]: expected one of {', '.join(sections)}"
                )
            section: object
            if name not in cls.repeated:
                section = sections[name].filled(values, name, where)
            elif isinstance(values, (list, tuple)):
                empty = cls.repeated[name]()
                section = tuple(empty.filled(one, name, where) for one in values)
            else:
                raise RecipeError(f"{source}: write [[{name}]], once for each {name}")
            settings = settings.with_section(name, section)
        return settings

    @classmethod
    def chosen(
        cls,
        name_or_path: str | None,
        flags: Mapping[str, object],
        overrides: Iterable[str] | None = None,
        *,
        default: Self | None = None,
    ) -> Self:
        """Read a recipe, or take the default, and apply the given flags and overrides."""
        set_flags = [f"{key}={value}" for key, value in flags.items() if value is not None]
        base = cls.read(name_or_path) if name_or_path else default or cls()
        return base.override([*set_flags, *(overrides or [])])

    def override(self, overrides: Iterable[str]) -> Self:
        """Apply overrides written `section.key=value`; an unambiguous prefix of a key will do.

        A repeated section is named too: `treebank.masc.weight=2`.
        """
        settings = self
        names = [name for name in self.sections() if name not in self.repeated]
        for override in overrides:
            path, equals, value = override.partition("=")
            name, dot, key = path.partition(".")
            if not (equals and dot):
                raise RecipeError(
                    f"expected section.key=value, such as training.seed=2, not {override!r}"
                )
            if name in self.repeated:
                settings = settings.with_section(
                    name, _override_repeated(settings.sections()[name], name, key, value, override)
                )
                continue
            if name not in names:
                raise RecipeError(
                    f"{override!r}: unknown section {name!r}: expected one of {', '.join(names)}"
                )
            section: Section = settings.sections()[name]
            values = {_complete_key(key, section, override): value}
            settings = settings.with_section(name, section.filled(values, name, repr(override)))
        return settings

    def to_dict(self) -> dict[str, Any]:
        """Return nested tables as JSON would give them back."""
        tables = {
            name: [asdict(one) for one in section] if name in self.repeated else asdict(section)
            for name, section in self.sections().items()
        }
        plain: dict[str, Any] = json.loads(json.dumps(tables))
        return plain

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """Return the keys, as `section.key`, whose values differ from those of nested tables.

        A repeated section counts as one key.
        """
        different = []
        for name, values in self.to_dict().items():
            if name in self.repeated:
                different += [name] if other.get(name, []) != values else []
                continue
            others = other.get(name, {})
            different += [f"{name}.{key}" for key in values if others.get(key) != values[key]]
        return different


def _override_repeated(
    sections: tuple[Any, ...], kind: str, path: str, value: str, override: str
) -> tuple[Any, ...]:
    """Set a key of one of several sections, `path` being the name of the section and the key."""
    name, dot, key = path.rpartition(".")
    if not dot:
        raise RecipeError(f"{override!r}: expected {kind}.NAME.key=value")
    names = [section.name for section in sections]
    if name not in names:
        expected = f"one of {', '.join(names)}" if names else f"none, since there is no [[{kind}]]"
        raise RecipeError(f"{override!r}: unknown {kind} {name!r}: expected {expected}")
    key = _complete_key(key, sections[names.index(name)], override)
    if key == "name":
        raise RecipeError(f"{override!r}: the name of a {kind} cannot be overridden")
    return tuple(
        section.filled({key: value}, name, repr(override)) if section.name == name else section
        for section in sections
    )


def _read_toml(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: not a TOML file: {error}") from error


def _complete_key(key: str, section: Section, override: str) -> str:
    """Return the only key that begins with `key`, or `key` itself if it is one or there is none."""
    keys = section.keys()
    longer = [name for name in keys if key and name.startswith(key)] if key not in keys else []
    if len(longer) > 1:
        raise RecipeError(f"{override!r}: {key!r} could be any of {', '.join(longer)}")
    return longer[0] if longer else key


def _convert(key: str, value: Any, kind: type, source: str) -> Any:
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _BOOLEANS[value]
        if kind is tuple:
            return _names(value)
        if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
            raise ValueError
        converted = kind(value)
        if kind is int and isinstance(value, float) and converted != value:
            raise ValueError
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise RecipeError(f"{source}: {key} must be {_EXPECTED[kind]}, not {value!r}") from error
    return converted


def _names(value: Any) -> tuple[str, ...]:
    """Return a list of names; on a command line they are separated by commas."""
    names = [name for name in value.split(",") if name] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ValueError
    return tuple(names)
