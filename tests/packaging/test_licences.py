"""SPDX expressions, in agreement with the library `packaging`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.errors import PackageError
from whorl.packaging.licences import licence_expression, licence_identifiers

TOKENS = (
    "mit",
    "CC-BY-SA-4.0",
    "gpl-2.0+",
    "AND",
    "or",
    "With",
    "(",
    ")",
    "LicenseRef-own",
    "llgpl",
)


@given(st.lists(st.sampled_from(TOKENS), max_size=6).map(" ".join))
def test_expressions_are_those_of_the_library(text):
    library = pytest.importorskip("packaging.licenses")
    try:
        expected = library.canonicalize_license_expression(text)
    except library.InvalidLicenseExpression:
        with pytest.raises(PackageError, match="SPDX"):
            licence_expression(text)
    else:
        assert licence_expression(text) == expected


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("cc-by-4.0", "CC-BY-4.0"),
        ("mit or (apache-2.0 and cc0-1.0)", "MIT OR (Apache-2.0 AND CC0-1.0)"),
        ("gpl-2.0-only with classpath-exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0"),
        ("licenseref-our-own", "LicenseRef-our-own"),
    ],
)
def test_the_canonical_form(text, expression):
    assert licence_expression(text) == expression


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CC BY 4.0", "SPDX knows no 'CC'"),
        ("CC-BY-4", "SPDX knows no 'CC-BY-4'; close to it are CC-BY-4.0"),
        ("MIT MIT", "'MIT' is not expected there"),
        ("MIT AND", "it is not complete"),
        ("(MIT", "it is not complete"),
        ("MIT)", r"'\)' is not expected there"),
        ("", "it is not complete"),
        ("missing/LICENSE", "neither a file nor an SPDX expression"),
    ],
)
def test_the_error_says_what_is_wrong(text, message):
    with pytest.raises(PackageError, match=message):
        licence_expression(text)


def test_the_licences_in_an_expression():
    assert licence_identifiers("MIT OR (Apache-2.0 AND MIT)") == ["MIT", "Apache-2.0"]
