"""Sections of typed settings, read from TOML and overridden key by key; what does not fit is an error that names it."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from whorl.errors import RecipeError
from whorl.recipes import base_folder, find_recipe

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from typing_extensions import Self

__all__ = ["FRACTION", "POSITIVE", "Range", "Settings"]

T = TypeVar("T", bound="DataclassInstance")
_SAID = {"bool": "true or false", "tuple": "a list of names"}
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
            math.isfinite(value)
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


class Settings:
    """The base of a frozen dataclass whose fields are sections: dataclasses of strings, numbers, booleans and names.

    `choices` lists the values that a key may have, `ranges` the numbers that a `section.key`
    accepts where those are not all from 0 up, `paths` the keys `(section, key)` that name files or
    folders. `repeated` are sections that come any number of times, written `[[section]]`, each
    with the class of one.
    """

    __slots__ = ()
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    ranges: ClassVar[Mapping[str, Range]] = {}
    paths: ClassVar[tuple[tuple[str, str], ...]] = ()
    repeated: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def read(cls, name_or_path: str | Path) -> Self:
        """Read a recipe of the package by name, or a TOML file.

        Paths are relative to the working directory in the former, to the file's folder in the
        latter.
        """
        path = find_recipe(name_or_path)
        read = cls.from_dict(_tables(path), source=str(path))
        for section in read._sections():
            keys = [key for name, key in cls.paths if name == section]
            held = getattr(read, section)
            placed = tuple(
                _placed(one, keys, base_folder(path))
                for one in (held if section in cls.repeated else [held])
            )
            read = read._with(section, placed if section in cls.repeated else placed[0])
        return read

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, source: str = "recipe") -> Self:
        """Make settings of nested tables; what is not given keeps its default."""
        recipe = cls()
        for section, values in tables.items():
            where = f"{source}: {section}"
            if section in cls.repeated and isinstance(values, Sequence):
                parts = [cls._fill(section, cls.repeated[section](), one, where) for one in values]
                recipe = recipe._with(section, tuple(parts))
            elif section in cls.repeated:
                raise RecipeError(
                    f"{source}: each {section} is a table of its own: write [[{section}]]"
                )
            elif section not in recipe._sections() or not isinstance(values, Mapping):
                expected = ", ".join(recipe._sections())
                raise RecipeError(
                    f"{source}: unknown section [{section}]: expected one of {expected}"
                )
            else:
                filled = cls._fill(section, getattr(recipe, section), values, where)
                recipe = recipe._with(section, filled)
        return recipe

    @classmethod
    def chosen(
        cls,
        path: str | None,
        flags: Mapping[str, object],
        settings: Iterable[str] | None = None,
        *,
        default: Self | None = None,
    ) -> Self:
        """A file's, or the defaults, changed by those flags of a command that were given, then by settings."""
        given = [f"{key}={value}" for key, value in flags.items() if value is not None]
        return (cls.read(path) if path else default or cls()).override([*given, *(settings or [])])

    def override(self, settings: Iterable[str]) -> Self:
        """Apply settings written `section.key=value`, keys as short as is clear; repeated sections stay as they are."""
        recipe = self
        sections = [section for section in self._sections() if section not in self.repeated]
        for setting in settings:
            key, equals, text = setting.partition("=")
            section, dot, name = key.partition(".")
            if not (equals and dot):
                raise RecipeError(
                    f"expected section.key=value, such as training.seed=2, not {setting!r}"
                )
            if section not in sections:
                raise RecipeError(
                    f"{setting!r}: unknown section {section!r}: expected one of {', '.join(sections)}"
                )
            part = getattr(recipe, section)
            values = {_complete_key(name, part, setting): text}
            recipe = recipe._with(section, self._fill(section, part, values, f"{setting!r}"))
        return recipe

    def to_dict(self) -> dict[str, Any]:
        """Nested tables, for a file: what JSON would give back."""
        tables: dict[str, Any] = json.loads(json.dumps(asdict(self)))  # type: ignore[call-overload]  # a dataclass
        return tables

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """The keys, as `section.key`, whose values are not those of other nested tables; of a repeated section, it."""
        found = []
        for section, values in self.to_dict().items():
            if section in self.repeated:
                found += [section] if other.get(section, []) != values else []
                continue
            before = other.get(section, {})
            found += [
                f"{section}.{key}" for key, value in values.items() if before.get(key) != value
            ]
        return found

    @classmethod
    def _fill(cls, section: str, part: T, values: Mapping[str, Any], source: str) -> T:
        """Set keys of one section, each converted to its type and checked."""
        types = {item.name: type(getattr(part, item.name)) for item in fields(part)}
        converted = {}
        for name, value in values.items():
            if name not in types:
                raise RecipeError(
                    f"{source}: unknown key {name!r}: expected one of {', '.join(types)}"
                )
            setting = converted[name] = _convert(name, value, types[name], source)
            if name in cls.choices and setting not in cls.choices[name]:
                raise RecipeError(
                    f"{source}: {name} must be one of {', '.join(cls.choices[name])}, not {value!r}"
                )
            allowed = cls.ranges.get(f"{section}.{name}", Range())
            if types[name] in (int, float) and setting not in allowed:
                raise RecipeError(f"{source}: {section}.{name} must be {allowed}, not {value}")
        return replace(part, **converted)

    def _sections(self) -> list[str]:
        return [item.name for item in fields(self)]  # type: ignore[arg-type]  # subclasses are dataclasses

    def _with(self, section: str, value: object) -> Self:
        return replace(self, **{section: value})  # type: ignore[type-var]  # likewise


def _placed(section: T, keys: Iterable[str], folder: Path) -> T:
    """A section whose paths are relative to a folder."""
    given = {key: str(folder / getattr(section, key)) for key in keys if getattr(section, key)}
    return replace(section, **given)


def _tables(path: Path) -> dict[str, Any]:
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


def _complete_key(name: str, section: Any, setting: str) -> str:
    """The key of a section that is meant: this one, or the only one that begins so."""
    names = [item.name for item in fields(section)]
    longer = (
        [known for known in names if known.startswith(name)] if name and name not in names else []
    )
    if len(longer) > 1:
        raise RecipeError(f"{setting!r}: {name!r} could be any of {', '.join(longer)}")
    return longer[0] if longer else name


def _convert(name: str, value: Any, kind: type, source: str) -> Any:
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
        expected = _SAID.get(kind.__name__, f"a {kind.__name__}")
        raise RecipeError(f"{source}: {name} must be {expected}, not {value!r}") from error
    return converted


def _names(value: Any) -> tuple[str, ...]:
    """A list of names; on a command line, separated by commas."""
    found = [part for part in value.split(",") if part] if isinstance(value, str) else value
    if not isinstance(found, (list, tuple)) or not all(isinstance(part, str) for part in found):
        raise ValueError
    return tuple(found)
