from __future__ import annotations

import time

import pytest

from privrag_fast.detection.patterns import Patterns
from tests.detection.checks import assert_well_formed

PATTERNS = Patterns()


def found(text):
    (entities,) = PATTERNS.detect([text])
    assert_well_formed(text, entities)
    return [(entity.value(text), entity.label) for entity in entities]


CODES = [
    *("BKG-77120", "48213", "CLM-2023-00912", "A1192-88", "LI/4471/882-B", "HA 22/9914"),
    *("2024/00817", "RE-2024-00817", "AB 20193", "KD 771 204", "IN-2024-118", "TKT-2024-99"),
    *("K7PQ2M", "AX9931B", "TX0091827364", "31240987654", "00482913", "98812", "CV17 LKM"),
    *("M-AB 1234", "B XY 771", "7ABC123"),
]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "frame",
    [
        "Hi, my claim is {} and nobody answers.",
        "ref {}, still waiting",
        "Please check case {} for me.",
        "Re: {}\nHello, any news?",
        "order no {} hasnt arrived",
        "His policy, no. {}, was taken out in 1987",
        "(customer number: {})",
        "Kundennummer {}",
        "reg #{} £30 due",
        "my car {}.Please help",
    ],
)
def test_a_code_is_told_by_the_word_before_it(code, frame):
    assert found(frame.format(code)) == [(code, "ID")]


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ("order no ax9931b", "ax9931b", "ID"),
        ("my car ab12 cde was towed", "ab12 cde", "ID"),
        ("acct 123", "123", "ID"),
        ("sort code 20-44-51", "20-44-51", "ID"),
        ("IFSC SBIN0004532", "SBIN0004532", "ID"),
        ("BIC: ICBKCNBJSZN", "ICBKCNBJSZN", "ID"),
        ("PIN 4821 doesnt work", "4821", "ID"),
        ("pw: hunter2", "hunter2", "ID"),
        ("my password is Juve1897! and it fails", "Juve1897!", "ID"),
        ("Password: sunshine\nthanks", "sunshine", "ID"),
        ("password is 'Blue$ky' now", "Blue$ky", "ID"),
        ("username nbaker_home, please", "nbaker_home", "ID"),
        ("Twitter: j.doe", "j.doe", "ID"),
        ("I'm @kev_the_plumber on telegram", "@kev_the_plumber", "ID"),
        ("insta @maria.lopez.", "@maria.lopez", "ID"),
        ("still no news on #BKG-77120", "BKG-77120", "ID"),
        ("router A4:2B:B0:11:9C:7E", "A4:2B:B0:11:9C:7E", "ID"),
        ("router a4-2b-b0-11-9c-7e", "a4-2b-b0-11-9c-7e", "ID"),
        ("router A42B.B011.9C7E", "A42B.B011.9C7E", "ID"),
        ("zip 80204 if that matters", "80204", "ADDRESS"),
        ("Postcode: m11ae", "m11ae", "ADDRESS"),
        ("postcode is D08 XY00", "D08 XY00", "ADDRESS"),
        ("from leeds ls11 5tq", "ls11 5tq", "ADDRESS"),
        ("SW1A 1AA", "SW1A 1AA", "ADDRESS"),
        ("card number 4111 1111 1111 1112", "4111 1111 1111 1112", "CARD"),
        ("card ends in 8821", "8821", "CARD"),
        ("my card ending 8821", "8821", "CARD"),
        ("last 4 is 8821", "8821", "CARD"),
        ("the last four digits of my card are 8821", "8821", "CARD"),
        ("charged on ****8821", "****8821", "CARD"),
        ("card **** **** **** 1111", "**** **** **** 1111", "CARD"),
        ("my visa 4111 11XX XXXX 1111", "4111 11XX XXXX 1111", "CARD"),
        ("my ni number is ab 12 34 56 c", "ab 12 34 56 c", "SSN"),
    ],
)
def test_others_are_told_by_a_word_or_by_their_shape(text, value, label):
    assert found(text) == [(value, label)]


@pytest.mark.parametrize(
    "text",
    [
        "member is 61",
        "my car is 2019, the visa E11",
        "I claim 54000 a year, or 12345 francs",
        "order 12 chairs or 12345 units, 10pcs each",
        "my card is 5 years old, the car did 12345 km",
        "passport valid to 12/2029, visa 12.04.29, policy 2023/24",
        "claims of 12,500 and 4410927.50",
        "in case 20000 people come",
        "POLICY FOR 2024 AND CASE FROM 2023",
        "visa TIER 2",
        "my password is wrong and the PIN does not work",
        "username is taken, login: three times, twitter e.g.",
        "we are #1, question #12, #COVID2020",
        "meet me @ 5",
        "an M2 8GB, a B1 2nd, an MP3 4GB, a PS5 1TB",
        "**2024** is bold and *** is not",
        "zip file 20",
    ],
)
def test_quantities_dates_and_words_are_no_codes(text):
    assert found(text) == []


def test_what_proves_itself_goes_before_what_a_word_tells():
    assert found("account DE89 3704 0044 0532 0130 00") == [("DE89 3704 0044 0532 0130 00", "IBAN")]
    assert found("order 98812 2024-05-01") == [("98812", "ID"), ("2024-05-01", "DATE")]
    assert found("card 4111 1111 1111 1111 ref 77120") == [
        ("4111 1111 1111 1111", "CARD"),
        ("77120", "ID"),
    ]
    (entities,) = PATTERNS.detect(["case AB 20193"])
    assert [entity.score for entity in entities] == [0.9]


@pytest.mark.parametrize(
    "text",
    [
        *("login:" * 10_000, "CASE." * 12_000 + "@", "ref " * 15_000, "case" + " " * 60_000 + "-"),
        *("id is " * 10_000, "pw:a" * 15_000, "#A1" * 20_000, "card-" * 12_000, "*1 " * 20_000),
        *("zip " + "1" * 60_000, "@a." * 20_000, "order " + "A" * 60_000, "no" * 30_000),
    ],
    ids=lambda text: text[:12],
)
def test_hostile_texts_take_no_quadratic_time(text):
    start = time.monotonic()
    PATTERNS.detect([text])
    assert time.monotonic() - start < 6
