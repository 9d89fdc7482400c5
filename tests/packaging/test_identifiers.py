"""Names and versions, in agreement with the library `packaging`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.errors import PackageError
from whorl.packaging.identifiers import (
    check_language,
    distribution_name,
    import_name,
    model_name,
    package_version,
    wheel_stem,
)

VERSIONS = st.from_regex(
    r"v?([0-9]{1,2}!)?[0-9]{1,3}(\.[0-9]{1,3}){0,3}([-_.]?(alpha|beta|pre|preview|rc|a|b|c)[-_.]?"
    r"[0-9]{0,2})?(-[0-9]|[-_.]?(post|rev|r)[-_.]?[0-9]{0,2})?([-_.]?dev[-_.]?[0-9]{0,2})?"
    r"(\+[a-zA-Z0-9]{1,3}([-_.][a-z0-9]{1,3}){0,2})?",
    fullmatch=True,
)


@given(VERSIONS | st.text("0123456789.!+-_abcdevpostrc ", max_size=12))
def test_versions_are_those_of_the_library(version):
    library = pytest.importorskip("packaging.version")
    try:
        expected = str(library.Version(version))
    except library.InvalidVersion:
        with pytest.raises(PackageError, match="is not a version"):
            package_version(version)
    else:
        assert package_version(version) == expected


@given(st.from_regex(r"[A-Za-z0-9]{1,15}([-_.]{1,3}[A-Za-z0-9]{1,15}){0,3}", fullmatch=True))
def test_names_are_those_of_the_library(name):
    library = pytest.importorskip("packaging.utils")
    assert model_name(name) == library.canonicalize_name(name).removeprefix("whorl-model-")


def test_names_of_one_model():
    assert model_name("zh_Hans") == model_name("whorl-model-zh-hans") == "zh-hans"
    assert distribution_name("zh-hans") == "whorl-model-zh-hans"
    assert import_name("zh-hans") == "whorl_model_zh_hans"
    assert wheel_stem("zh-hans", "2.0.0") == "whorl_model_zh_hans-2.0.0"


@pytest.mark.parametrize("name", ["", "-", "a b", "íslenska", "a/b", "..", "is-", "x" * 81])
def test_a_name_that_no_package_can_have_is_an_error(name):
    with pytest.raises(PackageError, match="cannot be the name of a model"):
        model_name(name)


@pytest.mark.parametrize("tag", ["is", "zh-Hans", "sr-Latn-RS", "nan"])
def test_tags_of_languages(tag):
    assert check_language(tag) == tag


@pytest.mark.parametrize("tag", ["", "Icelandic language", "is_IS", "-"])
def test_other_names_of_languages_are_errors(tag):
    with pytest.raises(PackageError, match="BCP 47"):
        check_language(tag)
