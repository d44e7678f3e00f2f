from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.relevance.generalization import generalizations
from privrag_fast.types import Attribute


def forms(label: str, value: str) -> tuple[str, ...]:
    return generalizations(Attribute(label, value, f"[{label}_1]", ()))


@pytest.mark.parametrize(
    ("label", "value", "expected"),
    [
        ("AGE", "67", ("60-79", "60-69", "65-69")),
        ("AGE", "67-year-old", ("60-79-year-old", "60-69-year-old", "65-69-year-old")),
        ("AGE", "sixty-seven", ("60-79", "60-69", "65-69")),
        ("AGE", "60", ("50-69", "55-64", "58-62")),
        ("AGE", "mid-thirties", ()),
        ("AGE", "30 or 31", ()),
        ("income", "84,300", ("50k-100k", "80k-90k")),
        ("INCOME", "CHF 84'300 a year", ("CHF 50k-100k a year", "CHF 80k-90k a year")),
        ("INCOME", "84k", ("50k-100k", "80k-90k")),
        ("MONEY", "$2.5 million", ("$0-5 million", "$2-3 million")),
        ("MONEY", "1,250,000", ("0-5M", "1M-2M")),
        ("MONEY", "500", ("250-750", "450-550")),
        ("MONEY", "0", ()),
        ("MONEY", "nothing", ()),
        ("LOCATION", "Zurich", ("Switzerland",)),
        ("LOCATION", "zürich", ("Switzerland",)),
        ("LOCATION", "Denver", ("the United States", "Colorado")),
        ("LOCATION", "Lyon, France", ("France", "Lyon")),
        ("LOCATION", "Switzerland", ()),
        ("LOCATION", "Singapore", ()),
        ("LOCATION", "Narnia", ()),
        ("ADDRESS", "Bahnhofstrasse 12, 8001 Zürich", ("Switzerland", "Zürich")),
        ("DATE", "12 March 1958", ("the 1950s", "1958", "March 1958")),
        ("DATE", "1958-03-12", ("the 1950s", "1958", "1958-03")),
        ("DATE", "yesterday", ()),
        ("PERSON", "Nora", ()),
        # A region behind a town says where it is.
        ("LOCATION", "Naples, FL", ("the United States", "Florida")),
        ("LOCATION", "Naples FL", ("the United States", "Florida")),
        ("LOCATION", "London, Ontario", ("Canada", "Ontario")),
        ("LOCATION", "London, England", ("the United Kingdom", "England", "London")),
        ("LOCATION", "Springfield, Illinois", ("the United States", "Illinois")),
        ("LOCATION", "Buffalo, New York", ("the United States", "New York")),
        ("LOCATION", "Seattle, Washington", ("the United States", "Washington")),
        ("LOCATION", "Belfast, Northern Ireland", ("the United Kingdom", "Northern Ireland")),
        ("LOCATION", "Narvik, Norway", ("Norway",)),
        ("LOCATION", "Bavaria", ("Germany",)),
        ("LOCATION", "from Zurich", ("from Switzerland",)),
        ("ADDRESS", "12 Main St, Dublin, OH 43017", ("the United States", "Ohio")),
        ("ADDRESS", "10 Downing Street, London SW1A 1AA", ("the United Kingdom", "London")),
        # What may be another place of that name has no form.
        ("LOCATION", "Tbilisi, Georgia", ()),
        ("LOCATION", "Athens, Georgia", ()),
        ("LOCATION", "Georgia", ()),
        ("LOCATION", "Berlin, DE", ()),
        ("LOCATION", "London, Narnia", ()),
        ("LOCATION", "New London", ()),
        ("LOCATION", "Port of Spain", ()),
        ("LOCATION", "Zurich and Oslo", ()),
        ("LOCATION", "Zurich, Oslo", ()),
        ("LOCATION", "TX", ("the United States",)),
        ("LOCATION", "US", ()),
        ("ADDRESS", "5 Melbourne Avenue", ()),
        # A year is no less precise than itself.
        ("DATE", "1985", ("the 1980s",)),
        ("DATE", "born in 1985", ("born in the 1980s",)),
        ("DATE", "born on 12 March 1958", ("born in the 1950s", "born in 1958")),
        ("DATE", "since 2019", ("since the 2010s",)),
        ("DATE", "Q3 2023", ("the 2020s", "2023")),
        ("DATE", "1980s", ()),
        ("DATE", "the 1980's", ()),
        ("DATE", "before 1990", ()),
        ("DATE", "2019-2021", ()),
        # Nor is a band the bound of one.
        ("AGE", "mid-50s", ()),
        ("AGE", "over 60", ()),
        ("AGE", "60+", ()),
        ("AGE", "60-ish", ()),
        ("AGE", "fifty-something", ()),
        ("AGE", "18 and a half", ()),
        ("AGE", "über 60", ()),
        ("AGE", "plus de 60 ans", ()),
        ("AGE", "67 Jahre", ("60-79 Jahre",)),
        ("INCOME", "six figures", ()),
        ("INCOME", "a six-figure salary", ()),
        ("INCOME", "less than 30,000", ()),
        ("INCOME", "not even 30,000", ()),
        ("INCOME", "at least CHF 60,000", ()),
        ("INCOME", "<30k", ()),
        ("INCOME", "60 grand", ("50-100 grand", "55-65 grand")),
        ("SAVINGS", "my 401k", ()),
    ],
)
def test_least_precise_first(label: str, value: str, expected: tuple[str, ...]) -> None:
    found = forms(label, value)
    assert tuple(form for form in found if form in expected) == expected
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("label", "value", "most"),
    [
        ("LOCATION", "Naples, FL", {"the United States", "Florida"}),
        ("LOCATION", "London, Ontario", {"Canada", "Ontario"}),
        ("LOCATION", "Miami, Ohio", {"the United States", "Ohio"}),
        ("LOCATION", "Texas", {"the United States"}),
        ("DATE", "1985", {"the 1980s"}),
        ("DATE", "born in 1985", {"born in the 1980s"}),
    ],
)
def test_no_form_says_what_the_value_does_not(label: str, value: str, most: set[str]) -> None:
    assert set(forms(label, value)) == most


def bands(label: str, amount: int) -> list[tuple[int, int]]:
    sizes = {"": 1, "k": 1_000, "M": 1_000_000}
    ends = [re.fullmatch(r"([\d.]+)[kM]?-([\d.]+)([kM]?)", f) for f in forms(label, str(amount))]
    return [tuple(round(float(e[i]) * sizes[e[3]]) for i in (1, 2)) for e in ends if e]  # type: ignore[misc]


@given(st.sampled_from(["AGE", "INCOME"]), st.integers(1, 120))
def test_bands_hold_their_value_and_do_not_begin_with_it(label: str, amount: int) -> None:
    for low, high in bands(label, amount):
        assert low < amount <= high


@given(st.integers(1_000, 10_000_000))
def test_bands_of_large_amounts_narrow(amount: int) -> None:
    found = bands("INCOME", amount)
    assert all(low < amount <= high for low, high in found)
    widths = [high - low for low, high in found]
    assert widths == sorted(widths, reverse=True)


@given(st.sampled_from(["AGE", "INCOME", "LOCATION", "DATE", "PERSON"]), st.text(max_size=30))
def test_any_text(label: str, value: str) -> None:
    for form in forms(label, value):
        assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", form, re.IGNORECASE)
