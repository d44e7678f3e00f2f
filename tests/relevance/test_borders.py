from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.relevance.borders import Borders, nearest_kind
from privrag_fast.relevance.kinds import KINDS
from privrag_fast.relevance.pools import COUNTRY_OF
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.types import Attribute, Entity

SENIOR = """# Silver account

The account costs CHF 8 a month, and CHF 5 for the first 12 months. Two things have to be true:

- you are 62 or older, and
- your home is in Switzerland or Liechtenstein.

Up to CHF 20,000 can be taken out in a month. Call 212 21 39; we answer within 14 days.
"""
FAMILY = """# Nest plan

| | |
|---|---|
| Children | at least three children |
| Household income | not above CHF 96,000 a year |
| Savings with us | EUR 1.234,50 or more |
| Debt | below £20'000 |
| Position | 50 to 80 % |
| Time as a customer | 8 years or more |
| Years with the employer | a minimum of 18 months |
"""
TRADES = """# Guild card

Electricians, plumbers and roofers have a card, and so have staff of Nordhang Clinic. The card is
for Swiss and Austrian citizens who are divorced or live in a registered partnership. Tenants are
welcome, pensioners are not, nor is anyone with cancer or a heart disease.
"""


def proposed(
    label: str, value: str, *documents: str, text: str = "Here is {}.", k: int = 3, seed: int = 0
) -> tuple[str, ...]:
    start = text.index("{}")
    own = Attribute(label, value, "[X]", (Entity(start, start + len(value), label),))
    message = text.replace("{}", value)
    return Substitutes(seed).propose(message, [own], k=k, documents=documents)["[X]"]


def amount(text: str) -> int:
    return int(re.sub(r"[^0-9]", "", text))


# --------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("kind", "document", "limits"),
    [
        ("age", SENIOR, [62]),
        ("income", SENIOR, []),
        ("age", FAMILY, []),
        ("children", FAMILY, [3]),
        ("income", FAMILY, [96_000]),
        ("savings", FAMILY, ["1234.50"]),
        ("debt", FAMILY, [20_000]),
        ("workload", FAMILY, [50, 80]),
        ("membership", FAMILY, [96]),
        ("tenure", FAMILY, [18]),
        ("age", "Anybody aged 25 through 55 can join.", [25, 55]),
        ("age", "Whoever is between 18 and 32 years of age can join, on 3 May.", [18, 32]),
        ("age", "Are you past 45? Then this is for you.", [45]),
        ("age", "The card is for people who have turned sixty-five.", [65]),
        ("income", "Your salary has to reach EUR 3,500 a month.", [42_000]),
        ("income", "You earn at least 60k.", [60_000]),
        ("children", "Families with one child pay less than those with two or more.", [1]),
        ("residence", "You have lived in the country for two years or longer.", [24]),
        ("year", "It is for those who joined before 2007.", [2007]),
    ],
)
def test_numbers_count_for_the_kind_that_is_spoken_of(
    kind: str, document: str, limits: list[float | str]
) -> None:
    found = Borders([document]).limits(kind)
    assert sorted(found[: len(limits)]) == [Decimal(limit) for limit in limits]
    assert limits or not found


def test_the_better_document_counts_more() -> None:
    first, second = "You are at least 40 years old.", "You are at least 70 years old."
    assert Borders([first, second]).limits("age") == (40, 70)
    assert Borders([second, first]).limits("age") == (70, 40)


def test_of_a_range_the_end_that_is_near() -> None:
    borders = Borders(["People aged 25 to 55 can join."])
    assert borders.limits("age", Decimal(58))[0] == 55
    assert borders.limits("age", Decimal(20))[0] == 25


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("I have savings of ", " and owe 3,000.", "savings"),
        ("I have savings of 8,000 and owe ", ".", "debt"),
        ("earning 50k a year, ", " saved, living in Rome", "savings"),
        ("I have ", ".", None),
    ],
)
def test_the_words_round_a_value_tell_its_kind(before: str, after: str, kind: str | None) -> None:
    assert nearest_kind(("income", "savings", "debt"), before, after) == kind


def test_towns_are_not_verbs() -> None:
    borders = Borders(["The account is split when both have signed. Nurses pay less."])
    assert borders.place(("Split",)) is None
    assert borders.place(("nurse",)) is not None


@given(st.text(), st.sampled_from(sorted(KINDS)))
def test_any_text_can_be_read(text: str, kind: str) -> None:
    low, high = KINDS[kind].low, KINDS[kind].high
    assert all(low <= limit <= high for limit in Borders([text]).limits(kind))


# --------------------------------------------------------------------------- across the border


@pytest.mark.parametrize(
    ("label", "value", "first"),
    [
        ("AGE", "67", "61"),
        ("AGE", "58", "63"),
        ("AGE", "58-year-old", "63-year-old"),
        ("AGE", "seventy-two", "sixty-one"),
        ("CHILDREN", "two kids", "four kids"),
        ("CHILDREN", "a daughter", "four daughters"),
        ("CHILDREN", "5 children", "2 children"),
        ("INCOME", "CHF 54,000 a year", "CHF 97,000 a year"),
        ("INCOME", "120'000 francs", "95'000 francs"),
        ("INCOME", "CHF 12,000 per month", "CHF 7,900 per month"),
        ("INCOME", "54k", "97k"),
        ("DEBT", "£23,500", "£19,000"),
        ("SAVINGS", "€500", "€1300"),
        ("WORKLOAD", "30 %", "60 %"),
        ("WORKLOAD", "100 percent", "70 percent"),
    ],
)
def test_the_first_is_just_across(label: str, value: str, first: str) -> None:
    assert proposed(label, value, SENIOR, FAMILY)[0] == first


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("I have been your customer for {}.", "seven years"),
        ("I have been with my employer for {}.", "one year"),
    ],
)
def test_years_are_of_what_the_message_says(text: str, first: str) -> None:
    assert proposed("DURATION", "twelve years", FAMILY, text=text)[0] == first


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("label", "value"), [("AGE", "67"), ("INCOME", "CHF 54,000")])
def test_then_one_far_on_each_side(label: str, value: str, seed: int) -> None:
    limit = 62 if label == "AGE" else 96_000
    others = [amount(other) for other in proposed(label, value, SENIOR, FAMILY, seed=seed)]
    assert len(others) == 3
    assert min(others) < min(limit, amount(value))
    assert max(others) > max(limit, amount(value))
    assert abs(others[0] - limit) <= limit / 50


def test_on_the_border_both_sides_are_tried() -> None:
    assert {"61", "63"} <= set(proposed("AGE", "62", SENIOR, k=4))


def test_nothing_becomes_something() -> None:
    assert proposed("MONEY", "no debts", FAMILY)[0] == "debts of CHF 21,000"


@pytest.mark.parametrize("label", ["AGE", "INCOME", "CHILDREN", "WORKLOAD", "DURATION"])
def test_documents_without_such_numbers_change_nothing(label: str) -> None:
    value = {"INCOME": "CHF 54,000", "WORKLOAD": "80 %", "DURATION": "4 years"}.get(label, "2")
    plain = "Everybody is welcome. Call 212 21 39 before 6 May 2020."
    assert proposed(label, value, plain) == proposed(label, value)


# --------------------------------------------------------------------------- categories


@pytest.mark.parametrize(
    ("label", "value", "named"),
    [
        ("OCCUPATION", "baker", {"electrician", "plumber", "roofer"}),
        ("OCCUPATION", "employed", {"retired"}),
        ("NATIONALITY", "German", {"Swiss", "Austrian"}),
        ("MARITAL_STATUS", "single", {"divorced", "in a registered partnership"}),
        ("HOUSING", "homeowner", {"tenant"}),
        ("HEALTH", "healthy", {"a cancer patient", "a heart patient"}),
        ("HEALTH", "asthma", {"cancer", "heart disease"}),
        ("EMPLOYER", "Merrow Market", {"Nordhang Clinic"}),
    ],
)
def test_what_the_documents_name_then_what_they_do_not(
    label: str, value: str, named: set[str]
) -> None:
    first, second, *_ = proposed(label, value, TRADES)
    assert first in named
    assert second not in named


@pytest.mark.parametrize(
    ("label", "value"), [("OCCUPATION", "plumber"), ("NATIONALITY", "Swiss"), ("HEALTH", "cancer")]
)
def test_from_what_the_documents_name_to_what_they_do_not(label: str, value: str) -> None:
    first = proposed(label, value, TRADES)[0]
    assert Borders([TRADES]).place((first,)) is None
    assert Borders([TRADES]).place((proposed(label, value, TRADES)[1],)) is not None


def test_citizens_of_a_country_that_is_named() -> None:
    assert proposed("NATIONALITY", "Swiss", "For citizens of Poland only.")[0] == "Polish"


def test_cities_of_the_countries_that_are_named() -> None:
    swiss = {"Zurich", "Geneva", "Basel", "Bern", "Lausanne", "Lucerne", "Winterthur", "Lugano"}
    lands = {"Switzerland", "Liechtenstein"}
    inside, outside, *_ = proposed("LOCATION", "Hamburg", SENIOR)
    assert COUNTRY_OF[inside.casefold()] in lands
    assert COUNTRY_OF[outside.casefold()] not in lands
    for city in swiss:
        assert COUNTRY_OF[proposed("LOCATION", city, SENIOR)[0].casefold()] not in lands


def test_a_city_of_the_same_country_where_it_is_named() -> None:
    assert "Cardiff" in proposed("LOCATION", "London", "It is sold in Norwich and in Cardiff.")


# --------------------------------------------------------------------------- properties


@given(
    st.sampled_from([SENIOR, FAMILY, TRADES, ""]) | st.text(max_size=80),
    st.sampled_from(
        [
            ("AGE", "67"),
            ("INCOME", "CHF 54,000 a year"),
            ("MONEY", "12k"),
            ("CHILDREN", "two kids"),
            ("WORKLOAD", "80 %"),
            ("DURATION", "4 years"),
            ("OCCUPATION", "nurse"),
            ("LOCATION", "Bern"),
            ("DATE", "May 2007"),
        ]
    ),
    st.integers(1, 5),
)
def test_whatever_the_documents_say(document: str, own: tuple[str, str], k: int) -> None:
    label, value = own
    found = proposed(label, value, document, k=k)
    assert found == proposed(label, value, document, k=k)
    assert 1 <= len(found) <= k
    assert len({other.casefold() for other in found} | {value.casefold()}) == len(found) + 1
    if label not in ("OCCUPATION", "LOCATION", "CHILDREN", "DATE"):
        bare = [re.sub(r"[0-9,]+", "#", other.replace("1 year", "1 years")) for other in found]
        assert set(bare) <= {re.sub(r"[0-9,]+", "#", value), re.sub(r"[0-9,]+", "#", value) + "s"}


@given(
    st.sampled_from([SENIOR, FAMILY, TRADES]),
    st.sampled_from(["AGE", "INCOME", "MONEY", "CHILDREN", "WORKLOAD", "DURATION", "DATE", "CITY"]),
    st.from_regex(r"\A[0-9]{1,40}( years| months|k|%| kids)?\Z") | st.text(max_size=12),
)
def test_whatever_the_value_is(document: str, label: str, value: str) -> None:
    found = proposed(label, value, document)
    assert 1 <= len(found) <= 3
    assert value.casefold() not in {other.casefold() for other in found}
