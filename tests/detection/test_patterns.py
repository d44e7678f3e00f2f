from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privrag_fast.detection.patterns import PATTERN_LABELS, Patterns
from privrag_fast.types import InputError
from tests.detection.checks import assert_well_formed

PATTERNS = Patterns()

VALUES = {
    "EMAIL": [
        "nora@example.com",
        "n.o-r_a+tag@mail.example.co.uk",
        "zoë@büro.example",
        "nora@example.xn--p1ai",
    ],
    "PHONE": [
        "+41 44 668 18 00",
        "(212) 736-5000",
        "212-555-1234",
        "2125551234",
        "020 7946 0958",
        "044 668 18 00",
        "+1 650-253-0000",
        "625-124-2141",  # an area code that nobody has
        "001-668-040-8670x1711",
        "(505)498-8487x6837",
    ],
    "IBAN": [
        "DE89370400440532013000",
        "GB82 WEST 1234 5698 7654 32",
        "ch93 0076 2011 6238 5295 7",
        "NL91-ABNA-0417-1643-00",
    ],
    "CARD": ["4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005", "****8821"],
    "SSN": [
        "536-90-4399",
        "912-90-3456",
        "756.9217.0769.85",
        "36 574 261 809",
        "2 95 10 99 126 111 93",
        "RCCMNL83S18D969H",
        "54362315K",
        "X-2482300W",
        "123-456-782",
        "AB 12 34 56 C",
        "ab123456c",
    ],
    "URL": [
        "https://example.com/a?b=c#d",
        "www.example.org/x_(y)",
        "http://localhost:8000",
        "HTTPS://EXAMPLE.COM",
        "linkedin.example.com/in/nora-weber",
        "noras-bakery.com",
        "example.co/nora",
        "github.io",
    ],
    "IP": ["192.168.0.1", "2001:db8::ff00:42:8329", "::1"],
    "ADDRESS": ["SW1A 1AA", "ls11 5tq"],
    "ID": ["@kev_the_plumber", "A4:2B:B0:11:9C:7E"],
    "DATE": ["2021-03-01", "01.02.1980", "12/31/1999", "2021-03-01 07:16:59.605000"],
}

REFUSED = [
    "nora@example",  # no top-level domain
    "DE89370400440532013001",  # checksum
    "XX89370400440532013000",  # no such country
    "4111 1111 1111 1112",  # checksum
    "1111 1111 1111 1117",  # checksum holds, no such brand
    "000-12-3456",  # never given out
    "756.9217.0769.84",  # checksum
    "54362315A",  # check letter
    "BG123456A",  # prefix never given out
    "300.1.1.1",
    "1.2.3.4.5",
    "12:34",
    "2021-13-41",
    "5507 Ringgold Road, Chattanooga, TN 37412",
    "1614582999",  # seconds since 1970
    "1234567890123",
    "1,250,000",
    "10.0.19041.1234",
    "12-625-124-2141-9",  # part of a longer number
    "I am home.it is cold",  # no space after a full stop
    "Node.js, README.md, e.g. 3.5/5 or St.Gallen/Bern",
]


def found(text, detector=PATTERNS):
    (entities,) = detector.detect([text])
    assert_well_formed(text, entities)
    return [(entity.value(text), entity.label) for entity in entities]


PAIRS = [(value, label) for label, values in VALUES.items() for value in values]


@pytest.mark.parametrize(("value", "label"), PAIRS)
@pytest.mark.parametrize("frame", ["{}", "It is {}.", "({}),", "'{}'", "♥️ é {}; ok?", "a: {}\nb"])
def test_values_are_found_inside_punctuation(value, label, frame):
    assert found(frame.format(value)) == [(value, label)]


@pytest.mark.parametrize("text", REFUSED)
def test_what_does_not_prove_itself_is_left(text):
    assert found(text) == []


def test_every_address_of_a_list_is_found():
    """det-01"""
    addresses = ["nora@example.com", "tom@example.org", "info@example.net"]
    for separator in (" ", ", ", ",", ";", "\n", " and "):
        text = "Write to " + separator.join(addresses)
        assert found(text) == [(address, "EMAIL") for address in addresses]


def test_several_kinds_in_one_text():
    text = (
        "Pay DE89 3704 0044 0532 0130 00 by 2024-05-01 or call +41 44 668 18 00 (nora@example.com)"
    )
    assert [label for _, label in found(text)] == ["IBAN", "DATE", "PHONE", "EMAIL"]


@pytest.mark.parametrize(
    "text",
    [
        "The job ran at 2021-03-01 07:16:59.605000",
        "01.02.2023 14:55:00",
        "am 01.02.2023 14 Uhr",
        "2021-03-01T07:16:59Z",
        "12/10/2020, 12:30",
        "log 10:15:20 2024",
        "1614582999 1614582999123",
        "20210301071659",
    ],
)
def test_a_timestamp_is_no_phone_number(text):
    """det-05"""
    assert {label for _, label in found(text)} <= {"DATE"}


@pytest.mark.parametrize(
    "number",
    [
        "+49-89-1234567",
        "+44-20-79460958",
        "+41-44-6681800",
        "+91-22-27782183",
        "+49/89/1234567",
        "+49.89.1234567",
        "0044-20-7946-0958",
        "0049-89-1234567",
        "089-12-34567",
        "+44 (0)7700 900123",
        "+44(0)20 7946 0958",
        "+44-(0)-20-7946-0958",
    ],
)
def test_a_number_that_holds_what_could_be_a_date_is_a_phone_number(number):
    for frame in ("{}", "Please call {} tomorrow.", "Tel: {}\nFax: none"):
        assert found(frame.format(number)) == [(number, "PHONE")]


@pytest.mark.parametrize("moment", ["2024-05-01", "01.02.2024", "12:30", "10:15:20", "12:30,"])
@pytest.mark.parametrize("number", ["020 7946 0958", "044 668 18 00", "+41-44-6681800"])
def test_a_number_beside_a_moment_is_found_whole(moment, number):
    for text in (f"{moment} {number}", f"at {number} {moment} again", f"{moment} - {number}"):
        assert (number, "PHONE") in found(text)
        assert [label for _, label in found(text)].count("PHONE") == 1


def test_a_number_that_varies_in_length_ends_where_it_is_valid():
    assert found("CH93 0076 2011 6238 5295 7 12 pieces")[0][0] == "CH93 0076 2011 6238 5295 7"
    assert found("card 4111 1111 1111 1111 12/26")[0][0] == "4111 1111 1111 1111"


def test_an_address_within_a_link_is_part_of_the_link():
    url = "https://example.com/?to=nora@example.com"
    assert found(url) == [(url, "URL")]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("(see https://example.com/a_(b)).", "https://example.com/a_(b)"),
        ("[it](https://example.com/a)!", "https://example.com/a"),
        ("https://example.com/[1]{2}(3)", "https://example.com/[1]{2}(3)"),
        ("https://example.com/(a])", "https://example.com/(a])"),
        ("{https://example.com/a],}", "https://example.com/a"),
        ("https://example.com/a)b)'", "https://example.com/a)b"),
    ],
)
def test_a_link_owns_the_brackets_that_it_opens(text, url):
    assert found(text) == [(url, "URL")]


def test_quotes_and_markdown_are_not_part_of_an_address():
    assert found("**nora@example.com**, 'tom@example.org'") == [
        ("nora@example.com", "EMAIL"),
        ("tom@example.org", "EMAIL"),
    ]


@pytest.mark.parametrize("tail", ["-", "--ok", "_", "2", "/", "…", "的"])
def test_what_follows_an_address_does_not_hide_it(tail):
    ((value, label),) = found(f"nora@example.com{tail}")
    assert value.startswith("nora@example.com")
    assert label == "EMAIL"


def test_only_the_labels_asked_for_and_still_no_digits_of_another_kind():
    phones = Patterns(labels=["PHONE"])
    assert found("nora@example.com +41 44 668 18 00", phones) == [("+41 44 668 18 00", "PHONE")]
    assert found("4111 1111 1111 1111 and DE89370400440532013000", phones) == []


def test_regions_decide_which_national_numbers_count():
    text = "044 668 18 00 or +41 44 668 18 00"
    assert len(found(text, Patterns(phone_regions=["CH"]))) == 2
    assert len(found(text, Patterns(phone_regions=["US"]))) == 1
    assert len(found(text, Patterns(phone_regions=[]))) == 1


def test_scores_tell_a_checksum_from_a_grammar():
    (entities,) = PATTERNS.detect(["DE89370400440532013000 nora@example.com"])
    assert [entity.score for entity in entities] == [1.0, 0.95]
    assert {entity.source for entity in entities} == {"pattern"}


@pytest.mark.parametrize(
    "options",
    [{"labels": ["NAME"]}, {"labels": "EMAIL"}, {"phone_regions": ["Q1"]}, {"phone_regions": "US"}],
)
def test_options_that_cannot_be_used(options):
    with pytest.raises(InputError):
        Patterns(**options)


def test_one_string_is_not_a_list_of_texts():
    with pytest.raises(InputError):
        PATTERNS.detect("nora@example.com")


def test_all_labels_are_listed():
    assert set(PATTERN_LABELS) == set(VALUES)


@settings(max_examples=150)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=()), max_size=12)
        | st.sampled_from([value for value, _ in PAIRS] + list("0123456789:./-@+ ") + REFUSED),
        max_size=6,
    ).map("".join)
)
@example("http://[")
@example("\ud800@\ud800.com http://\ud800.x")
@example("٣٣٣-٣٣-٣٣٣٣ ١٩٢.١٦٨.٠.١ ٢٠٢١-٠٣-٠١")
def test_any_unicode_gives_well_formed_entities(text):
    found(text)


@pytest.mark.parametrize(
    "text",
    [
        *("1" * 20_000, "1 " * 10_000, "a" * 50_000, "a@" * 10_000, "AB12" * 5_000, ":f" * 9_000),
        *(f"http://a.b{')' * 60_000}", f"http://a.b{'(' * 60_000}{'])' * 60_000}"),
    ],
    ids=lambda text: text[:12],
)
def test_hostile_texts_take_no_quadratic_time(text):
    start = time.monotonic()
    PATTERNS.detect([text])
    assert time.monotonic() - start < 10
