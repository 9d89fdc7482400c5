"""Sections of typed settings, read from TOML and overridden key by key; what does not fit is an error that names it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from whorl.errors import RecipeError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from typing_extensions import Self

__all__ = ["Settings"]

T = TypeVar("T", bound="DataclassInstance")
_BOOLEANS = {"true": True, "false": False}


class Settings:
    """The base of a frozen dataclass whose fields are sections: dataclasses of strings, numbers and booleans.

    `choices` lists the values that a key may have, `paths` the keys `(section, key)` that name files or folders.
    """

    __slots__ = ()
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    paths: ClassVar[tuple[tuple[str, str], ...]] = ()

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a TOML file; paths in it are relative to its folder."""
        path = Path(path)
        read = cls.from_dict(_tables(path), source=str(path))
        for section, key in cls.paths:
            held = getattr(read, section)
            if getattr(held, key):
                read = read._with(section, replace(held, **{key: str(path.parent / getattr(held, key))}))
        return read

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, source: str = "recipe") -> Self:
        """Make settings of nested tables; what is not given keeps its default."""
        made = cls()
        for section, values in tables.items():
            if section not in made._sections() or not isinstance(values, Mapping):
                expected = ", ".join(made._sections())
                raise RecipeError(f"{source}: unknown section [{section}]: expected one of {expected}")
            filled = _filled(getattr(made, section), values, f"{source}: {section}", cls.choices)
            made = made._with(section, filled)
        return made

    def override(self, settings: Iterable[str]) -> Self:
        """Apply settings written `section.key=value`."""
        made = self
        for setting in settings:
            key, equals, text = setting.partition("=")
            section, dot, name = key.partition(".")
            if not (equals and dot):
                raise RecipeError(f"expected section.key=value, such as training.seed=2, not {setting!r}")
            if section not in self._sections():
                expected = ", ".join(self._sections())
                raise RecipeError(f"{setting!r}: unknown section {section!r}: expected one of {expected}")
            filled = _filled(getattr(made, section), {name: text}, f"{setting!r}", self.choices)
            made = made._with(section, filled)
        return made

    def to_dict(self) -> dict[str, Any]:
        """Nested tables, for a file."""
        return {section: asdict(getattr(self, section)) for section in self._sections()}

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """The keys, as `section.key`, whose values are not those of other nested tables."""
        return [
            f"{section}.{key}"
            for section, values in self.to_dict().items()
            for key, value in values.items()
            if other.get(section, {}).get(key) != value
        ]

    def _sections(self) -> list[str]:
        return [item.name for item in fields(self)]  # type: ignore[arg-type]  # subclasses are dataclasses

    def _with(self, section: str, value: object) -> Self:
        return replace(self, **{section: value})  # type: ignore[type-var]  # likewise


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


def _converted(name: str, value: Any, kind: type, source: str) -> Any:
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _BOOLEANS[value]
        if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
            raise ValueError
        found = kind(value)
        if kind is int and isinstance(value, float) and found != value:
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        expected = "true or false" if kind is bool else f"a {kind.__name__}"
        raise RecipeError(f"{source}: {name} must be {expected}, not {value!r}") from error
    if kind is not str and not found >= 0:
        raise RecipeError(f"{source}: {name} must not be negative, but is {value!r}")
    return found
