"""Cases abs-01 to abs-08, and the properties behind them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.privacy import (
    Vault,
    abstract,
    attributes,
    cover,
    leaks,
    redact,
    restore,
    substitute,
)
from privrag_fast.types import Attribute, Entity, InputError

from .marks import mark

# Anything a chat may hold, placeholder look-alikes among it. Lone surrogates are code points too.
PIECES = st.one_of(
    st.text(st.characters(), max_size=4),
    st.sampled_from(
        ["[", "]", "\\", "_", "-", "*", "'s", "\ud83d", "\0", "\u202e", "e\u0301", "Σς"]
    ),
    st.sampled_from(["PERSON", "person", "PERSON_1", "[PERSON_1]", "AGE_2", "1", "12"]),
)
LABELS = st.sampled_from(["PERSON", "AGE", "blood type", "ON", "ID_2", "Größe"])


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[Entity]]:
    pieces = draw(st.lists(st.tuples(PIECES, st.none() | LABELS), max_size=12))
    text = "".join(piece for piece, _ in pieces)
    entities, start = [], 0
    for piece, label in pieces:
        if label and piece:
            entities.append(Entity(start, start + len(piece), label))
        start += len(piece)
    return text, entities


def round_trip(text: str, entities: list[Entity]) -> tuple[str, str]:
    vault = Vault()
    redacted = redact(text, attributes(text, entities, vault))
    return redacted, restore(redacted, vault)


def test_abs_01_mentions_share_a_placeholder() -> None:
    text = "Alice met Bob and then Alice left"
    found = attributes(text, mark(text, PERSON=["Alice", "Bob"]), Vault())
    assert [(one.value, one.placeholder, len(one.mentions)) for one in found] == [
        ("Alice", "[PERSON_1]", 2),
        ("Bob", "[PERSON_2]", 1),
    ]
    assert redact(text, found) == "[PERSON_1] met [PERSON_2] and then [PERSON_1] left"
    assert abstract(text, found) == "PERSON met PERSON and then PERSON left"


def test_abs_02_possessive_and_comma_make_no_second_person() -> None:
    text = "Eric's card and Eric, again"
    entities = [Entity(0, 6, "PERSON"), Entity(16, 21, "PERSON")]
    assert round_trip(text, entities) == ("[PERSON_1]'s card and [PERSON_1], again", text)


def test_abs_03_white_space_outside_spans_is_untouched() -> None:
    text = "line one John\n\n\nJohn Doe  two spaces\t tab"
    entities = [Entity(9, 13, "PERSON"), Entity(16, 24, "PERSON")]
    redacted, restored = round_trip(text, entities)
    assert redacted == "line one [PERSON_1]\n\n\n[PERSON_2]  two spaces\t tab"
    assert restored == text
    assert abstract(text, attributes(text, entities, Vault())) == (
        "line one PERSON\n\n\nPERSON  two spaces\t tab"
    )


def test_abs_04_length_of_values_shifts_nothing() -> None:
    text = "Kai and Maximiliane-Charlotte"
    entities = mark(text, PERSON=["Kai", "Maximiliane-Charlotte"])
    assert round_trip(text, entities) == ("[PERSON_1] and [PERSON_2]", text)


def test_abs_05_a_value_inside_other_words_stays() -> None:
    text = "Mark works at Market Street market"
    entities = mark(text, PERSON="Mark")
    assert round_trip(text, entities) == ("[PERSON_1] works at Market Street market", text)
    assert leaks(redact(text, attributes(text, entities, Vault())), []) == ()


def test_abs_06_typed_placeholders_survive() -> None:
    text = "the user typed [PERSON_1] literally, and is called Nora"
    redacted, restored = round_trip(text, mark(text, PERSON="Nora"))
    assert redacted == "the user typed [PERSON_1] literally, and is called [PERSON_2]"
    assert restored == text


def test_abs_07_one_table_for_the_conversation() -> None:
    vault = Vault()
    turns = ["I am Nora", "my sister Ida lives in Oslo", "Nora again"]
    redacted = [
        redact(turn, attributes(turn, mark(turn, PERSON=["Nora", "Ida"], LOCATION="Oslo"), vault))
        for turn in turns
    ]
    assert redacted == [
        "I am [PERSON_1]",
        "my sister [PERSON_2] lives in [LOCATION_1]",
        "[PERSON_1] again",
    ]
    assert [restore(turn, vault) for turn in redacted] == turns


def test_abs_08_regex_characters_are_data() -> None:
    text = "login CORP\\jdoe and a+b@example.com (x|y) $1"
    entities = [
        Entity(6, 15, "ID"),
        Entity(20, 35, "EMAIL"),
        Entity(36, 41, "CODE"),
        Entity(42, 44, "MONEY"),
    ]
    redacted, restored = round_trip(text, entities)
    assert redacted == "login [ID_1] and [EMAIL_1] [CODE_1] [MONEY_1]"
    assert restored == text


def test_a_backslash_before_a_value_is_no_escape() -> None:
    text = "CORP\\jdoe"
    assert round_trip(text, [Entity(5, 9, "ID")]) == ("CORP\\[ID_1]", text)


def test_word_cut_in_two_makes_no_placeholder() -> None:
    text = "AGE_1X and PERSON_12"
    entities = [Entity(5, 6, "AGE"), Entity(19, 20, "PERSON")]
    redacted, restored = round_trip(text, entities)
    assert redacted == "AGE_1[AGE_2] and PERSON_1[PERSON_2]"
    assert restored == text


def as_first_written(text: str, found: tuple[Attribute, ...]) -> str:
    mentions = sorted(
        ((mention, own.value) for own in found for mention in own.mentions),
        key=lambda pair: pair[0].start,
    )
    pieces, end = [], 0
    for mention, value in mentions:
        pieces += text[end : mention.start], value
        end = mention.end
    return "".join([*pieces, text[end:]])


@given(marked_texts())
def test_restoring_a_redacted_text_gives_it_back(case: tuple[str, list[Entity]]) -> None:
    text, entities = case
    vault = Vault()
    found = attributes(text, entities, vault)
    restored = restore(redact(text, found), vault)
    # Spellings of one value that differ in case only come back as first written.
    assert restored == as_first_written(text, found)
    assert restored.casefold() == text.casefold()
    if all(mention.value(text) == own.value for own in found for mention in own.mentions):
        assert restored == text


@given(marked_texts())
def test_only_spans_change(case: tuple[str, list[Entity]]) -> None:
    text, entities = case
    found = attributes(text, entities, Vault())
    mentions = sorted((m for own in found for m in own.mentions), key=lambda m: m.start)
    assert len(mentions) == len(entities)
    outside, end = [], 0
    for mention in mentions:
        outside.append(text[end : mention.start])
        end = mention.end
    outside.append(text[end:])
    redacted = redact(text, found)
    assert len(redacted) == sum(map(len, outside)) + sum(
        len(own.placeholder) * len(own.mentions) for own in found
    )
    position = 0
    for piece in outside:
        assert piece in redacted[position:]
        position = redacted.index(piece, position) + len(piece)
    assert redact(text, found, keep={own.placeholder for own in found}) == text


def test_no_attribute_leaves_the_text_as_it_is() -> None:
    assert attributes("nothing here", [], Vault()) == ()
    assert (redact("x", ()), abstract("x", ()), leaks("x", ())) == ("x", "x", ())
    assert redact("", attributes("", [], Vault())) == ""


def test_keep_leaves_the_value_standing() -> None:
    text = "Nora, 67, from Oslo"
    found = attributes(text, mark(text, PERSON="Nora", AGE="67", CITY="Oslo"), Vault())
    assert redact(text, found, keep={"[AGE_1]"}) == "[PERSON_1], 67, from [CITY_1]"
    with pytest.raises(InputError, match="keep must hold placeholders"):
        redact(text, found, keep={"AGE_1"})


@pytest.mark.parametrize(
    "spans",
    [[(0, 3), (2, 5)], [(0, 3), (0, 3)], [(-1, 2)], [(0, 99)], [(3, 3)], [(4, 2)]],
)
def test_bad_spans_are_refused_without_the_text(spans: list[tuple[int, int]]) -> None:
    text = "secret text"
    with pytest.raises(InputError) as caught:
        attributes(text, [Entity(start, end, "PERSON") for start, end in spans], Vault())
    assert "secret" not in str(caught.value)


def test_the_mentions_of_another_text_are_refused_without_either() -> None:
    text = "I am Nora"
    found = attributes(text, mark(text, PERSON="Nora"), Vault())
    with pytest.raises(InputError, match="another text") as caught:
        redact("Nora, you", found)
    assert "Nora" not in str(caught.value)


def test_entities_need_not_be_sorted() -> None:
    text = "Nora and Ida"
    found = attributes(text, mark(text, PERSON=["Nora", "Ida"])[::-1], Vault())
    assert [own.value for own in found] == ["Nora", "Ida"]


def test_substitute_reaches_every_mention_in_its_case() -> None:
    text = "Zurich is ZURICH, zurich. Zurich's lake. Zurichberg."
    entities = [*mark(text, LOCATION=["Zurich", "ZURICH", "zurich"])]
    (own,) = attributes(text, entities, Vault())
    assert len(own.mentions) == 4
    assert substitute(text, own, "Oslo") == "Oslo is OSLO, oslo. Oslo's lake. Zurichberg."
    assert substitute(text, own, "Los Angeles") == (
        "Los Angeles is LOS ANGELES, los angeles. Los Angeles's lake. Zurichberg."
    )


def test_substituting_the_value_itself_changes_nothing() -> None:
    text = "Nora? NORA! nora"
    (own,) = attributes(text, mark(text, PERSON=["Nora", "NORA", "nora"]), Vault())
    assert substitute(text, own, own.value) == text


def withheld(value: str, label: str = "LOCATION") -> list[Attribute]:
    return list(attributes(value, [Entity(0, len(value), label)], Vault()))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Zurich", "in zurich."),
        ("Zurich", "the Zurich's"),
        ("Nora Lind", "so NORA\n  LIND said"),
        ("Straße", "die STRASSE"),
        ("$54,000", "it is US$54,000 a year"),
        ("54,000", "54,000, and more"),
        ("a+b@x.org", "(a+b@x.org)"),
        ("苏黎世", "我住在苏黎世吗"),
        ("東京", "東京に住む"),
    ],
)
def test_a_value_that_stands_elsewhere_leaks(value: str, text: str) -> None:
    found = withheld(value)
    assert leaks(text, found) == tuple(found)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Mark", "Market Street market, benchmark"),
        ("67", "67 is too short to tell"),
        ("540", "540.25 or 1,540 or 5400"),
        ("54,000", "54,000,000"),
        ("Zurich", "[ZURICH_1]"),
        ("Zurich", ""),
        ("location", "I live in LOCATION"),
    ],
)
def test_what_is_no_whole_word_does_not_leak(value: str, text: str) -> None:
    assert leaks(text, withheld(value)) == ()


def test_cover_is_the_cure_for_leaks() -> None:
    text = "Nora Lind, 540. nora lind and Nora, STRASSE 540! Straße"
    entities = [Entity(0, 9, "PERSON"), Entity(30, 34, "PERSON"), Entity(49, 55, "STREET")]
    found = attributes(text, [*entities, Entity(11, 14, "CODE")], Vault())
    assert [own.value for own in leaks(redact(text, found), found)] == [
        "Nora Lind",
        "540",
        "Straße",
    ]
    covered = cover(text, found)
    assert leaks(redact(text, covered), covered) == ()
    assert redact(text, covered) == (
        "[PERSON_1], [CODE_1]. [PERSON_1] and [PERSON_1], [STREET_1] [CODE_1]! [STREET_1]"
    )


@given(marked_texts())
def test_covered_texts_leak_nothing(case: tuple[str, list[Entity]]) -> None:
    text, entities = case
    covered = cover(text, attributes(text, entities, Vault()))
    assert leaks(abstract(text, covered), covered) == ()
