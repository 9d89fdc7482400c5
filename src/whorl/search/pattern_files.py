"""Files of patterns: one a line, with a name if that is wanted.

```
# noun phrases
NP < PP
relative := NP < (SBAR <, WHNP)
long := S < NP
        < (VP < NP)
```

A line that begins with white space continues the pattern above it. `NAME :=` names a pattern; one
without a name is its own. A pattern cannot begin with `#`, nor with a name and `:=`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from whorl.errors import PatternError, SearchError
from whorl.search.heads import STANFORD, HeadTable
from whorl.search.pattern import Pattern

__all__ = ["parse_patterns", "read_patterns"]

_NAMED = re.compile(r"([^\s:=()<>|&\[\]]+)[ \t]*:=\s+(.*)", re.DOTALL)


def read_patterns(file: str | Path, heads: HeadTable = STANFORD) -> dict[str, Pattern]:
    """Read a file of patterns, by name, in order; one without a name is its own name."""
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SearchError(f"cannot read the patterns in {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise SearchError(f"{path}:{line}: not UTF-8: {error.reason}") from error
    return parse_patterns(text, source=str(path), heads=heads)


def parse_patterns(
    text: str, *, source: str = "<string>", heads: HeadTable = STANFORD
) -> dict[str, Pattern]:
    """Compile the patterns of a text in the form of a file."""
    patterns: dict[str, Pattern] = {}
    for line, entry in _entries(text, source):
        match = _NAMED.match(entry)
        name, pattern = match.groups() if match else (" ".join(entry.split()), entry)
        if name in patterns:
            raise SearchError(f"{source}:{line}: a second pattern {name!r}; expected another name")
        try:
            patterns[name] = Pattern(pattern, heads=heads)
        except PatternError as error:
            raise PatternError(
                f"{source}:{line}: {error.reason}", pattern=error.pattern, position=error.position
            ) from None
    if not patterns:
        raise SearchError(f"{source}: no pattern; expected one on each line")
    return patterns


def _entries(text: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield each pattern with the number of its first line."""
    first, lines = 0, list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            if lines:
                yield first, "\n".join(lines)
            first, lines = number, [line.rstrip()]
        elif lines:
            lines.append(line.rstrip())
        else:
            raise SearchError(
                f"{source}:{number}: white space before {line.strip()!r} continues a pattern, "
                "and there is none above it"
            )
    if lines:
        yield first, "\n".join(lines)
