"""How the conditions of a draft come out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.relevance.reasons import settled
from privrag_fast.types import Attribute

AGE, HOME = (
    "It takes an age of at least 62; you are 67",
    "It takes a home in Italy; you live in Oslo",
)
OWN = [
    Attribute("AGE", "67", "[AGE_1]", ()),
    Attribute("LOCATION", "Oslo", "[LOCATION_1]", ()),
    Attribute("OCCUPATION", "nurse", "[OCCUPATION_1]", ()),
]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (f"{AGE}, above 62: met. {HOME}, not named: not met.", {"[AGE_1]"}),
        (f"{AGE}: not met. {HOME}: not met.", {"[AGE_1]", "[LOCATION_1]"}),
        (f"{AGE}: met. {HOME}: met.", set()),
        (f"{AGE}: not met.", set()),
        (f"{AGE}: not met. It takes 67 points; you have none: not met.", set()),
        (f"One case is for {HOME}: not met. One case is for {AGE}: met.", set()),
        (f"{AGE}: met. One case is for {HOME}: not met.", set()),
        ("You are 67, and live in Oslo.", set()),
        ("", set()),
    ],
)
def test_a_condition_that_fails_settles_the_others(draft: str, expected: set[str]) -> None:
    assert settled(draft, OWN) == expected


@given(st.text(max_size=80))
def test_any_draft_can_be_read(draft: str) -> None:
    assert "[OCCUPATION_1]" not in settled(draft.replace("nurse", ""), OWN)
