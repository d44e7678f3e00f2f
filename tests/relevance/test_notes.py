"""What passages say beside each value, in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.relevance.notes import Notes
from privrag_fast.training.rules_data import mentioned
from privrag_fast.types import Attribute, Entity, Hit, Passage
from privrag_fast.variants import Variants


def noted(message: str, *passages: str, **values: str) -> list[str]:
    said = Notes(message, list(mentioned(message, values.items())), passages).of()
    return said.removeprefix("Compared with the documents: ").removesuffix(".").split("; ")


@pytest.mark.parametrize(
    ("label", "value", "passage", "expected"),
    [
        ("AGE", "67", "You must be at least 65.", "67 is above 65"),
        ("AGE", "67", "Open to people of 67 or older.", "67 is equal to 67"),
        ("AGE", "61", "Between the ages of 58 and 63.", "61 is above 58 and below 63"),
        ("AGE", "40", "Between the ages of 58 and 63.", "40 is below 58 and 63"),
        ("INCOME", "54k", "An income of EUR 60,000 or more.", "54k is below 60,000"),
        ("DURATION", "6 years", "Customers for 60 months.", "6 years is above 60 months"),
        ("DATE", "March 2014", "Customers since 2012 or before.", "March 2014 is after 2012"),
        ("LOCATION", "Oslo", "Residents of Norway only.", "Oslo is named as Norway"),
        ("LOCATION", "Norway", "Residents of Norway only.", "Norway is named"),
        ("LOCATION", "Lyon", "Residents of Norway only.", "Lyon is not named"),
        (
            "HOUSING",
            "a flat of my own",
            "Tenants and owners alike.",
            "a flat of my own is not named",
        ),
        ("MARITAL_STATUS", "divorced", "Only for married people.", "divorced is not named"),
        ("OCCUPATION", "nurse", "Only nurses and teachers.", "nurse is named as nurses"),
    ],
)
def test_a_value_is_compared_with_what_is_like_it(
    label: str, value: str, passage: str, expected: str
) -> None:
    assert noted(f"About me: {value}", passage, **{label: value}) == [expected]


@pytest.mark.parametrize(
    ("label", "value", "band", "passage", "expected"),
    [
        ("AGE", "67", "60-69", "At least 58, at most 70.", "60-69 is above 58 and below 70"),
        ("AGE", "67", "60-69", "At least 58 and at most 65.", "60-69 is above 58"),
        ("INCOME", "54k", "50k-60k", "Less than EUR 70,000 of income.", "50k-60k is below 70,000"),
    ],
)
def test_a_band_is_compared_by_both_its_ends(
    label: str, value: str, band: str, passage: str, expected: str
) -> None:
    message = f"About me: {value}"
    [own] = mentioned(message, [(label, value)])
    assert Notes(message, [own], [passage]).of((own, band)).endswith(f": {expected}.")


@pytest.mark.parametrize(
    ("label", "value", "passage"),
    [
        ("INCOME", "54,000", "It costs CHF 8 a month."),
        ("MONEY", "20,000", "At least CHF 176."),  # a fee: far from any border
        ("MARITAL_STATUS", "divorced", "You must be at least 65."),
        ("LOCATION", "Debrecen", "Residents of Hungary only."),  # in no list: nobody can tell
        ("PERSON", "Ann Berg", "Residents of Norway only."),
    ],
)
def test_nothing_is_said_where_nothing_is_known(label: str, value: str, passage: str) -> None:
    assert noted(f"About me: {value}", passage, **{label: value}) == [""]


def test_notes_stand_in_the_order_of_the_message() -> None:
    message = "I live in Oslo, am 67 and earn 40,000 a year."
    passages = ["For people of 60 or older with an income below CHF 50,000.", "Sweden only."]
    found = noted(message, *passages, INCOME="40,000", AGE="67", LOCATION="Oslo")
    assert found == ["Oslo is not named", "67 is above 60", "40,000 is below 50,000"]


def test_the_likeliest_figures_are_named() -> None:
    passage = " ".join(f"At {age}, at least {age} years old." for age in range(20, 80, 5))
    [note] = noted("I am 67.", passage, AGE="67")
    assert note.count(" and ") == 2


def test_a_substitute_has_notes_of_its_own() -> None:
    message = "I am 67 and live in Oslo."
    age, city = mentioned(message, [("AGE", "67"), ("LOCATION", "Oslo")])
    texts = Variants(
        message,
        [age, city],
        [Hit(Passage("1", "At least 65, and in Norway.", "Gold card"), 1.0)],
        notes=True,
    )
    same = "Oslo is named as Norway."
    assert texts.text() == f"{message}\n\nCompared with the documents: 67 is above 65; {same}"
    assert texts.text((age, "41")) == (
        f"I am 41 and live in Oslo.\n\nCompared with the documents: 41 is below 65; {same}"
    )
    assert texts.text((city, "Lyon")).endswith("67 is above 65; Lyon is not named.")


def test_a_model_that_knows_no_notes_reads_none() -> None:
    message = "I am 67."
    [own] = mentioned(message, [("AGE", "67")])
    hits = [Hit(Passage("1", "You must be at least 65."), 1.0)]
    assert Variants(message, [own], hits, notes=False).text((own, "41")) == "I am 41."
    assert Variants(message, [own], [], notes=True).text() == message


@given(st.text(max_size=40), st.text(min_size=1, max_size=12), st.text(max_size=80))
@pytest.mark.parametrize("label", ["AGE", "MONEY", "LOCATION", "DATE", "CHILDREN", "NICKNAME"])
def test_any_text_has_notes(label: str, before: str, value: str, passage: str) -> None:
    message = f"{before} {value}"
    start = len(before) + 1
    own = Attribute(label, value, "[X_1]", (Entity(start, len(message), label),))
    notes = Notes(message, [own], [passage, f"At least 18. {value}"])
    assert value in notes.of() or not notes.of()
    assert notes.told(message).startswith(message)
