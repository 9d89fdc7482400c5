"""The names and versions of packages, in the forms that installers and indexes compare."""

from __future__ import annotations

import re

from whorl.errors import PackageError
from whorl.model_folder.names import canonical_name

__all__ = [
    "check_language",
    "distribution_name",
    "import_name",
    "model_name",
    "package_version",
    "wheel_stem",
]

_PREFIX = "whorl-model-"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_LONGEST = 80

_VERSION = re.compile(
    r"""
    v?
    (?:(?P<epoch>[0-9]+)!)?
    (?P<release>[0-9]+(?:\.[0-9]+)*)
    (?:[-_.]?(?P<pre>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<pre_number>[0-9]*))?
    (?:-(?P<post_alone>[0-9]+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>[0-9]*))?
    (?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>[0-9]*))?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?
    """,
    re.VERBOSE | re.ASCII,
)
"""PEP 440, appendix B."""
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


def model_name(name: str) -> str:
    """Return the name that a model will have, or raise `PackageError`."""
    canonical = canonical_name(name).removeprefix(_PREFIX)
    if not _NAME.fullmatch(canonical) or len(canonical) > _LONGEST:
        raise PackageError(
            f"{name!r} cannot be the name of a model: expected at most {_LONGEST} letters and "
            "digits without accents, with single hyphens between them, such as is or zh-hans; "
            "choose one with --name"
        )
    return canonical


def distribution_name(model: str) -> str:
    """Return the name under which pip installs a model."""
    return f"{_PREFIX}{model}"


def import_name(model: str) -> str:
    """Return the name of the folder that is installed."""
    return distribution_name(model).replace("-", "_")


def wheel_stem(model: str, version: str) -> str:
    """Return the beginning of the wheel's name, and of its metadata folder's."""
    return f"{import_name(model)}-{version}"


def package_version(version: str) -> str:
    """Return a version in the normal form of PEP 440, or raise `PackageError`."""
    match = _VERSION.fullmatch(version.strip().lower())
    if match is None:
        raise PackageError(
            f"{version!r} is not a version: expected numbers with dots, such as 2.0.1, perhaps "
            "with a suffix, such as 2.1rc1, 2.1.post1 or 2.1.dev3 (PEP 440)"
        )
    part = match.groupdict()
    parts = [f"{int(part['epoch'])}!" if int(part["epoch"] or 0) else ""]
    parts.append(".".join(str(int(number)) for number in part["release"].split(".")))
    if part["pre"]:
        parts.append(f"{_PRE.get(part['pre'], part['pre'])}{int(part['pre_number'] or 0)}")
    if part["post"] or part["post_alone"]:
        parts.append(f".post{int(part['post_alone'] or part['post_number'] or 0)}")
    if part["dev"]:
        parts.append(f".dev{int(part['dev_number'] or 0)}")
    if part["local"]:
        local = re.split(r"[-_.]", part["local"])
        parts.append("+" + ".".join(str(int(p)) if p.isdigit() else p for p in local))
    return "".join(parts)


def check_language(tag: str) -> str:
    """Return the tag of a language if it has the form of BCP 47, or raise `PackageError`."""
    if not _LANGUAGE.fullmatch(tag):
        raise PackageError(
            f"{tag!r} is not the tag of a language: expected BCP 47, such as is or zh-Hans"
        )
    return tag
