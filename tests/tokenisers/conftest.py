"""Two tokenisers, learnt once for all tests."""

from __future__ import annotations

import pytest

from whorl.tokenisers import TrainedTokeniser


@pytest.fixture(scope="session")
def unicode_tokeniser() -> TrainedTokeniser:
    pytest.importorskip("torch")
    from tests.tokenisers.toybanks import learn_toy

    return learn_toy("unicode")


@pytest.fixture(scope="session")
def learned_tokeniser() -> TrainedTokeniser:
    pytest.importorskip("torch")
    from tests.tokenisers.toybanks import learn_toy

    return learn_toy("learned")


@pytest.fixture(params=["unicode", "learned"])
def tokeniser(request: pytest.FixtureRequest) -> TrainedTokeniser:
    found: TrainedTokeniser = request.getfixturevalue(f"{request.param}_tokeniser")
    return found
