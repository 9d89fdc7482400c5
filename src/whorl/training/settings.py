"""Sections of typed settings, read from TOML and overridden key by key; what does not fit is an error that names it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from whorl.errors import RecipeError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from typing_extensions import Self

__all__ = ["Settings"]

T = TypeVar("T", bound="DataclassInstance")
_SAID = {"bool": "true or false", "tuple": "a list of names"}
_BOOLEANS = {"true": True, "false": False}


class Settings:
    """The base of a frozen dataclass whose fields are sections: dataclasses of strings, numbers, booleans and names.

    `choices` lists the values that a key may have, `paths` the keys `(section, key)` that name files or folders.
    `repeated` are sections that come any number of times, written `[[section]]`, each with the class of one.
    """

    __slots__ = ()
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    paths: ClassVar[tuple[tuple[str, str], ...]] = ()
    repeated: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a TOML file; paths in it are relative to its folder."""
        path = Path(path)
        read = cls.from_dict(_tables(path), source=str(path))
        for section in read._sections():
            keys = [key for name, key in cls.paths if name == section]
            held = getattr(read, section)
            placed = tuple(_placed(one, keys, path.parent) for one in (held if section in cls.repeated else [held]))
            read = read._with(section, placed if section in cls.repeated else placed[0])
        return read

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, source: str = "recipe") -> Self:
        """Make settings of nested tables; what is not given keeps its default."""
        made = cls()
        for section, values in tables.items():
            where = f"{source}: {section}"
            if section in cls.repeated and isinstance(values, Sequence):
                found = [_filled(cls.repeated[section](), one, where, cls.choices) for one in values]
                made = made._with(section, tuple(found))
            elif section in cls.repeated:
                raise RecipeError(f"{source}: each {section} is a table of its own: write [[{section}]]")
            elif section not in made._sections() or not isinstance(values, Mapping):
                expected = ", ".join(made._sections())
                raise RecipeError(f"{source}: unknown section [{section}]: expected one of {expected}")
            else:
                made = made._with(section, _filled(getattr(made, section), values, where, cls.choices))
        return made

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
        made = self
        sections = [section for section in self._sections() if section not in self.repeated]
        for setting in settings:
            key, equals, text = setting.partition("=")
            section, dot, name = key.partition(".")
            if not (equals and dot):
                raise RecipeError(f"expected section.key=value, such as training.seed=2, not {setting!r}")
            if section not in sections:
                raise RecipeError(f"{setting!r}: unknown section {section!r}: expected one of {', '.join(sections)}")
            part = getattr(made, section)
            filled = _filled(part, {_whole(name, part, setting): text}, f"{setting!r}", self.choices)
            made = made._with(section, filled)
        return made

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
            found += [f"{section}.{key}" for key, value in values.items() if before.get(key) != value]
        return found

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
        import tomllib  # noqa: PLC0415 - settings that are read from no file need no TOML reader
    else:
        import tomli as tomllib  # noqa: PLC0415 - likewise
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: not a TOML file: {error}") from error


def _filled(section: T, values: Mapping[str, Any], source: str, choices: Mapping[str, tuple[str, ...]]) -> T:
    known = {item.name: type(getattr(section, item.name)) for item in fields(section)}
    converted = {}
    for name, value in values.items():
        if name not in known:
            raise RecipeError(f"{source}: unknown key {name!r}: expected one of {', '.join(known)}")
        found = converted[name] = _converted(name, value, known[name], source)
        if name in choices and found not in choices[name]:
            raise RecipeError(f"{source}: {name} must be one of {', '.join(choices[name])}, not {value!r}")
    return replace(section, **converted)


def _whole(name: str, section: Any, setting: str) -> str:
    """The key of a section that is meant: this one, or the only one that begins so."""
    names = [item.name for item in fields(section)]
    longer = [known for known in names if known.startswith(name)] if name and name not in names else []
    if len(longer) > 1:
        raise RecipeError(f"{setting!r}: {name!r} could be any of {', '.join(longer)}")
    return longer[0] if longer else name


def _converted(name: str, value: Any, kind: type, source: str) -> Any:
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _BOOLEANS[value]
        if kind is tuple:
            return _names(value)
        if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
            raise ValueError
        found = kind(value)
        if kind is int and isinstance(value, float) and found != value:
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        expected = _SAID.get(kind.__name__, f"a {kind.__name__}")
        raise RecipeError(f"{source}: {name} must be {expected}, not {value!r}") from error
    if kind is not str and not found >= 0:
        raise RecipeError(f"{source}: {name} must not be negative, but is {value!r}")
    return found


def _names(value: Any) -> tuple[str, ...]:
    """A list of names; on a command line, separated by commas."""
    found = [part for part in value.split(",") if part] if isinstance(value, str) else value
    if not isinstance(found, (list, tuple)) or not all(isinstance(part, str) for part in found):
        raise ValueError
    return tuple(found)
