"""Substitutes in rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.relevance.influence import influences
from privrag_fast.relevance.rounds import in_rounds, is_clear
from privrag_fast.types import Attribute

AGE, CITY, NAME = (Attribute(n, "", f"[{n}_1]", ()) for n in ("AGE", "CITY", "NAME"))
TRIED = {"[AGE_1]": ("1", "2", "3"), "[CITY_1]": ("a", "b"), "[NAME_1]": ()}
NATS = {None: -4.0, "1": -9.0, "2": -3.5, "3": -4.5, "a": -4.0, "b": -4.2}

Variant = tuple[Attribute, str] | None


class Scores:
    """Likelihoods from a table; notes what it was asked, round by round."""

    def __init__(self) -> None:
        self.rounds: list[list[str | None]] = []

    def __call__(self, variants: Sequence[Variant]) -> np.ndarray:
        values = [variant and variant[1] for variant in variants]
        self.rounds.append(values)
        return np.array([NATS[value] for value in values])


def thresholds(nats: float) -> dict[str, float]:
    return dict.fromkeys(TRIED, nats)


def test_without_an_end_to_doubt_it_equals_one_pass() -> None:
    scores = Scores()
    attributes = [AGE, NAME, CITY]
    got = in_rounds(attributes, TRIED, thresholds(1.0), scores, doubt=math.inf)
    order = [None, "1", "2", "3", "a", "b"]
    at_once = influences(attributes, TRIED, np.array([NATS[value] for value in order]))
    assert got == {key: replace(own, clear=False) for key, own in at_once.items()}
    assert scores.rounds == [[None, "1", "a"], ["2", "b"], ["3"]]


def test_clear_attributes_leave() -> None:
    scores = Scores()
    got = in_rounds([AGE, CITY], TRIED, thresholds(1.0), scores, doubt=0.5)
    assert scores.rounds == [[None, "1", "a"]]
    assert got["[AGE_1]"].changes == (5.0,)
    assert got["[AGE_1]"].substitutes == ("1",)
    assert got["[CITY_1]"].influence == 0.0
    assert got["[AGE_1]"].clear
    assert got["[CITY_1]"].clear


def test_what_stays_near_its_threshold_is_not_clear() -> None:
    got = in_rounds([CITY], TRIED, thresholds(0.2), Scores(), doubt=0.5)
    assert got["[CITY_1]"].substitutes == ("a", "b")
    assert not got["[CITY_1]"].clear


def test_nothing_to_try_is_nothing_to_score() -> None:
    scores = Scores()
    assert in_rounds([NAME], TRIED, thresholds(1.0), scores) == {}
    assert in_rounds([], {}, {}, scores) == {}
    assert scores.rounds == []


@pytest.mark.parametrize(
    ("changes", "threshold", "clear"),
    [
        ([], 1.0, False),
        ([0.0], math.inf, True),  # nothing can reach it
        ([1.0], 1.0, False),
        ([9.0], 1.0, True),
        ([-9.0], 1.0, True),
        ([0.0], 1.0, True),
        ([0.0], 0.1, False),
    ],
)
def test_what_is_clear(changes: list[float], threshold: float, clear: bool) -> None:
    assert is_clear(changes, threshold, doubt=0.5) is clear


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.floats(0, 20), st.floats(0.01, 5))
def test_more_doubt_never_makes_it_clear(
    changes: list[float], threshold: float, doubt: float
) -> None:
    if is_clear(changes, threshold, doubt=2 * doubt):
        assert is_clear(changes, threshold, doubt=doubt)
