"""Which documents are left out: those that kill workers alone, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.corpus.attempts import Attempt
from whorl.corpus.pieces import START, Part, Piece
from whorl.errors import WorkerError

PIECE = Piece(0, (Part("a.txt", 0, 10),), 10, START)
COUNT = 6  # documents


def simulate(attempt: Attempt, *, deadly: set[int], raising: set[int], random_deaths: set[int]):
    """Run a piece until its shard is written; return the number of requests."""
    for step in range(1000):
        request = attempt.request()
        documents = [number for number in range(COUNT) if number not in request.left_out]
        if step in random_deaths:
            announced = None
            if request.search_from is not None:
                announced = next((d for d in documents if d >= request.search_from), None)
            attempt.on_death(announced)
        elif request.search_from is None:
            if deadly & set(documents):
                attempt.on_death()
            elif raising & set(documents):
                attempt.on_error("ValueError")
            else:
                return step
        else:
            later = [number for number in documents if number >= request.search_from]
            first = next((number for number in later if number in deadly), None)
            if first is not None:
                attempt.on_death(first)
            else:
                attempt.on_search_end({number: "raised" for number in later if number in raising})
    raise AssertionError("the piece is never done")


@given(
    deadly=st.sets(st.integers(0, COUNT - 1)),
    raising=st.sets(st.integers(0, COUNT - 1)),
    deaths=st.sets(st.integers(0, 12).map(lambda step: 2 * step)),
)
def test_poison_is_left_out_and_a_good_document_never_for_single_deaths(deadly, raising, deaths):
    attempt = Attempt(PIECE)
    simulate(attempt, deadly=deadly, raising=raising, random_deaths=deaths)
    assert deadly | raising <= set(attempt.left_out)
    good = set(attempt.left_out) - deadly - raising
    assert not good or len(deaths) >= 2


def test_a_document_is_left_out_after_it_alone_killed_two_workers():
    attempt = Attempt(PIECE)
    steps = simulate(attempt, deadly={3}, raising=set(), random_deaths=set())
    assert attempt.left_out == {3: "killed 2 worker processes when parsed alone"}
    assert steps == 5  # whole, whole, alone twice, the rest alone, and then the shard


def test_two_random_deaths_in_a_row_cost_no_document():
    for first in range(8):
        attempt = Attempt(PIECE)
        simulate(attempt, deadly=set(), raising=set(), random_deaths={first, first + 1})
        assert attempt.left_out == {}


def test_a_piece_that_dies_although_each_document_is_good_is_an_error():
    attempt = Attempt(PIECE)
    with pytest.raises(WorkerError, match=r"a\.txt: piece 0 cannot be parsed, although each"):
        for _ in range(100):
            if attempt.request().search_from is None:
                attempt.on_death()
            else:
                attempt.on_search_end({})
