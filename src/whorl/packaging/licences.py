"""SPDX expressions, such as `CC-BY-SA-4.0` or `MIT OR Apache-2.0`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from whorl.errors import PackageError

__all__ = ["licence_expression", "licence_identifiers"]

_TOKENS = re.compile(r"[()]|[^\s()]+")
_OWN = re.compile(r"licenseref-[a-z0-9.-]+", re.IGNORECASE | re.ASCII)


def licence_expression(text: str) -> str:
    """Return an SPDX expression in its canonical form, or raise `PackageError`."""
    parts: list[str] = []
    depth = 0
    expects_licence = True
    for token in _TOKENS.findall(text):
        operator = token.upper() in ("AND", "OR", "WITH")
        if token == ")" or operator:
            depth -= token == ")"
            wrong = expects_licence or depth < 0
            expects_licence = operator
            parts.append(token.upper())
        else:
            wrong = not expects_licence
            depth += token == "("
            expects_licence = token == "("
            after_with = parts[-1:] == ["WITH"]
            parts.append(token if token == "(" else _identifier(token, text, after_with=after_with))
        if wrong:
            raise _not_an_expression(text, f"{token!r} is not expected there")
    if expects_licence or depth:
        raise _not_an_expression(text, "it is not complete")
    return " ".join(parts).replace("( ", "(").replace(" )", ")")


def licence_identifiers(expression: str) -> list[str]:
    """Return the licences in a canonical expression, in order."""
    tokens = [token for token in _TOKENS.findall(expression) if token not in "()"]
    return [token for token in dict.fromkeys(tokens) if token not in ("AND", "OR", "WITH")]


def _identifier(token: str, text: str, *, after_with: bool) -> str:
    """Return the canonical form of a licence or, after WITH, of an exception."""
    if _OWN.fullmatch(token) and not after_with:
        return f"LicenseRef-{token[len('licenseref-') :]}"
    licences, exceptions = _known()
    known = exceptions if after_with else licences
    plain = token if after_with else token.removesuffix("+")
    if plain.lower() in known:
        return known[plain.lower()] + token[len(plain) :]
    close = get_close_matches(plain.lower(), known, n=3)
    hint = f"; close to it are {', '.join(known[name] for name in close)}" if close else ""
    raise _not_an_expression(text, f"SPDX knows no {token!r}{hint}")


def _not_an_expression(text: str, reason: str) -> PackageError:
    return PackageError(
        f"the licence {text!r} is neither a file nor an SPDX expression such as CC-BY-4.0: "
        f"{reason} (https://spdx.org/licenses); for a licence of your own, write "
        "LicenseRef-NAME and give its file too"
    )


@lru_cache(maxsize=1)
def _known() -> tuple[dict[str, str], dict[str, str]]:
    """Return the licences and the exceptions of the SPDX list, by their names in lower case."""
    sections: dict[str, dict[str, str]] = {"licences": {}, "exceptions": {}}
    section = ""
    for line in _listed():
        if line.startswith("["):
            section = line.strip("[]")
        else:
            sections[section][line.lower()] = line
    return sections["licences"], sections["exceptions"]


def _listed() -> Iterator[str]:
    text = (Path(__file__).parent / "spdx.txt").read_text(encoding="utf-8")
    return (line for line in text.splitlines() if not line.startswith("#"))
