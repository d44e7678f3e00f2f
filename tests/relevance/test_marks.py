"""Numbers and words of passages beside somebody's values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.relevance.marks import Mark, Marker
from privrag_fast.types import Attribute, Entity


def attribute(message: str, label: str, value: str) -> Attribute:
    start = message.index(value)
    return Attribute(label, value, f"[{label}_1]", (Entity(start, start + len(value), label),))


def marked(message: str, passage: str, **values: str) -> list[tuple[str, str]]:
    own = [attribute(message, label, value) for label, value in values.items()]
    return [(passage[m.start : m.end], m.role) for m in Marker(message, own).marks(passage)]


@pytest.mark.parametrize(
    ("value", "role"), [("64", "higher"), ("65", "same"), ("66", "lower"), ("sixty", "higher")]
)
def test_a_limit_is_compared_with_the_value(value: str, role: str) -> None:
    message = f"I am {value} years old."
    assert marked(message, "You must be at least 65.", AGE=value) == [("65", role)]


@pytest.mark.parametrize(
    ("label", "message", "value", "passage", "expected"),
    [
        ("INCOME", "I earn 54k.", "54k", "An income of EUR 60,000 or more.", "higher"),
        ("INCOME", "I earn 5,100 a month.", "5,100", "An income of EUR 60,000 or more.", "lower"),
        ("INCOME", "I get CHF 5'000.- monthly", "5'000", "Earn CHF 5,000 a month.", "same"),
        ("DURATION", "a customer for 6 years", "6 years", "customers for 60 months", "lower"),
        ("CHILDREN", "I have a son.", "a son", "families with two or more children", "higher"),
        ("CHILDREN", "I have no kids.", "no kids", "at least one child", "higher"),
        ("WORKLOAD", "I work 60 %.", "60 %", "a workload of 50 % at least", "lower"),
        ("MONEY", "savings of 9,000", "9,000", "savings of at least CHF 10,000", "higher"),
        ("DATE", "joined in March 2014", "March 2014", "customers since 2012 or before", "lower"),
    ],
)
def test_kinds_are_compared_in_one_unit(
    label: str, message: str, value: str, passage: str, expected: str
) -> None:
    assert [role for _, role in marked(message, passage, **{label: value})] == [expected]


def test_each_number_meets_the_value_of_its_kind() -> None:
    message = "I am 67, earn 40,000 a year and have two children."
    passage = "For people of 60 or older with an income below CHF 50,000 and at most one child."
    found = marked(message, passage, AGE="67", INCOME="40,000", CHILDREN="two children")
    assert found == [("60", "lower"), ("50,000", "higher"), ("one", "lower")]


def test_fees_and_terms_are_of_no_value() -> None:
    passage = "It costs CHF 8 a month, is fixed for 3 years, and 2.5 % are the interest."
    assert marked("I am 67 and earn 40,000.", passage, AGE="67", INCOME="40,000") == []


@pytest.mark.parametrize(
    ("label", "value", "passage", "named"),
    [
        ("LOCATION", "Lyon", "open to residents of France", ["France"]),
        ("LOCATION", "Lyon", "open to residents of Norway", []),
        ("GENDER", "a woman", "for women and no men", ["women"]),
        ("MARITAL_STATUS", "widow", "for people who are widowed", ["widowed"]),
        ("OCCUPATION", "a nurse", "for nurses and bakers", ["nurses"]),
        ("OCCUPATION", "employed", "for the self-employed", []),
        ("HEALTH", "MS", "multiple sclerosis rules it out", ["multiple sclerosis"]),
        ("EMPLOYER", "Halden Energy", "the staff of Halden Energy", ["Halden Energy"]),
    ],
)
def test_words_for_a_value_are_named(
    label: str, value: str, passage: str, named: list[str]
) -> None:
    found = marked(f"So: {value}.", passage, **{label: value})
    assert [text for text, role in found if role == "named"] == named


def test_several_numbers_say_nothing_for_sure() -> None:
    assert marked("I am 67 or 68.", "at least 65 years old", AGE="67 or 68") == []


@given(
    passage=st.text(max_size=80),
    value=st.text(max_size=12),
    label=st.sampled_from(("AGE", "INCOME", "DATE", "CHILDREN", "LOCATION", "THING")),
)
def test_any_text_is_marked_inside_its_bounds(passage: str, value: str, label: str) -> None:
    own = Attribute(label, value, "[X_1]", (Entity(0, len(value), label),))
    marks = Marker(f"{value} and more", [own]).marks(passage)
    assert all(0 <= mark.start < mark.end <= len(passage) for mark in marks)
    assert marks == sorted(marks, key=lambda mark: (mark.start, mark.end))


def test_marks_are_values() -> None:
    assert Mark(1, 2, "same") == Mark(1, 2, "same")
