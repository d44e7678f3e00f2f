"""Which mentions share a placeholder: one entity where it is safe, never two."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

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
from privrag_fast.types import Entity


def told(text: str) -> tuple[str, list[Entity]]:
    """A text whose persons stand in braces, without them."""
    entities, plain, end = [], "", 0
    for match in re.finditer(r"\{(.*?)\}", text):
        plain += text[end : match.start()]
        entities.append(Entity(len(plain), len(plain) + len(match[1]), "PERSON"))
        plain += match[1]
        end = match.end()
    return plain + text[end:], entities


def numbers(*turns: str, vault: Vault | None = None) -> list[list[int]]:
    """Of each turn the numbers of its persons, mention by mention."""
    vault = vault or Vault()
    found = []
    for turn in turns:
        text, entities = told(turn)
        numbered = re.findall(r"\[PERSON_(\d+)\]", redact(text, attributes(text, entities, vault)))
        found.append(list(map(int, numbered)))
    return found


@pytest.mark.parametrize(
    "mention",
    [
        "{Meier}", "{Laura}", "Ms {Meier}", "{Ms Meier}", "Frau {Meier}", "Mrs. {Meier}",
        "{Laura's}", "{Laura’s}", "{LAURA MEIER}", "{laura meier}", "{Meier,}", '{"Meier"}',
        "{Ms. Laura Meier}", "Miss {Laura}", "({Ms Meier})", "{LAURA}", "{Laura  Meier's}",
    ],
)  # fmt: skip
def test_repeats_of_one_person_share_a_placeholder(mention: str) -> None:
    assert numbers(f"I am {{Laura Meier}}, and {mention} it is") == [[1, 1]]
    assert numbers("I am {Laura Meier}", "and {Ida Roth}", mention) == [[1], [2], [1]]


@pytest.mark.parametrize(
    "text",
    [
        "{Laura Meier} and {Laura Meyer}",
        "{Laura Meier} and {Laura Roth}",
        "{Laura Meier} and {Thomas Meier}",
        "{Laura Meier} and Mr {Meier}",
        "{Laura Meier} and {Mr Meier}",
        "{Thomas Meier} and Frau {Meier}",
        "{Laura Meier} and her doctor Dr. {Meier}",
        "{Laura Meier} and {Meier-Huber}",
        "{Laura Meier} and {Meierhans}",
        "{Laura Meier} and {Lauras}",
        "{Laura Meier} and {L. Meier}",
        "{Meier} and {Laura Meier}",  # before it is told who that is
        "Ms {Meier} and Mr {Meier}",
        "{Ms Meier} and {Mr Meier}",
        "{Robert Downey} and {Robert Downey jr.}",
        "{Robert Downey jr.} and {Jr.}",
        "{Anna van der Berg} and {van}",
        "{Martin Thomas} and {Thomas Martin}",
        "{Weiß} and {Weiss}",
    ],
)
def test_two_persons_never_share_one(text: str) -> None:
    assert numbers(text) == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{Laura Meier} and {Thomas Meier}, and {Meier}", [1, 2, 3]),
        ("{Laura Meier}, {Meier}, and {Thomas Meier}", [1, 2, 3]),  # told later in the same text
        (
            "{Laura Meier} and {Thomas Meier}: {Laura}, {Thomas}, {Meier}, {Meier}",
            [1, 2, 1, 2, 3, 3],
        ),
        ("{Laura Meier} and {Thomas Meier}, Mr {Meier}, Ms {Meier}", [1, 2, 3, 4]),
        ("{Laura Meier} and {Laura Roth}: {Laura}, {Roth}", [1, 2, 3, 2]),
        ("{Wanjiru Kamau}, Ms {Kamau}, Mr {Kamau}, Ms {Kamau}", [1, 1, 2, 1]),
        ("Mr {Wanjiru Kamau}, Ms {Kamau}, {Kamau}", [1, 2, 3]),
        ("Dr. {Laura Meier}, Dr {Meier}, Prof. Dr. {Laura Meier}", [1, 1, 1]),
        ("{Anna van der Berg}, {van der Berg}, {Berg}, {Anna}", [1, 1, 1, 1]),
        ("{Nora} and {Nora Lind}, {Nora}", [1, 2, 1]),
    ],
)
def test_who_is_meant_is_told_by_all_that_is_known(text: str, expected: list[int]) -> None:
    assert numbers(text) == [expected]


def test_a_second_bearer_of_the_name_ends_what_was_safe() -> None:
    assert numbers("{Laura Meier}", "{Meier}", "{Thomas Meier}", "{Meier}", "Mr {Meier}") == [
        [1], [1], [2], [3], [4],
    ]  # fmt: skip


def test_reading_again_gives_the_same() -> None:
    vault = Vault()
    turns = ("{Laura Meier} and {Thomas Meier}", "{Meier}, {Laura}", "Ms {Meier}, {Ida's}")
    assert numbers(*turns, vault=vault) == numbers(*turns, vault=vault)


def test_a_loaded_vault_knows_the_same_persons(tmp_path: Path) -> None:
    vault = Vault()
    numbers("{Wanjiru Kamau}, Ms {Kamau}", vault=vault)
    vault.save(tmp_path / "vault", bytes(32))
    loaded = Vault.load(tmp_path / "vault", bytes(32))
    assert numbers("{Kamau}, Ms {Kamau}, Mr {Kamau}", vault=loaded) == [[1, 1, 2]]


def test_only_persons_have_partial_names() -> None:
    vault = Vault()
    assert vault.placeholder("CITY", "New York") != vault.placeholder("CITY", "York")
    assert vault.placeholder("PERSON", "New York") != vault.placeholder("NAME", "York")


@pytest.mark.parametrize("value", ["...", "?", "\u00b7", "Dr", "aB3"])
def test_what_is_hardly_a_name_has_a_placeholder(value: str) -> None:
    vault = Vault()
    assert vault.placeholder("PERSON", value) == vault.placeholder("PERSON", value)
    assert vault.placeholder("PERSON", f"{value}x") == "[PERSON_2]"


@pytest.mark.parametrize("value", ["Zoë Müller", "Łódź", "Việt", "김철수", "Ёлкин", "Ångström"])
@pytest.mark.parametrize("label", ["PERSON", "LOCATION"])
def test_composed_and_decomposed_are_one(value: str, label: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, value) for form in ("NFC", "NFD"))
    vault = Vault()
    assert vault.placeholder(label, composed) == vault.placeholder(label, decomposed)
    text = f"{composed} or {decomposed}."
    found = cover(text, attributes(text, [Entity(0, len(composed), label)], vault))
    assert redact(text, found) == f"[{label}_1] or [{label}_1]."
    assert leaks(f"so {decomposed.upper()}", found) == found


def test_the_longest_mention_is_the_value_and_titles_stay_outside() -> None:
    text, entities = told("Ms {Laura Meier}'s card; Ms {Meier}, {LAURA MEIER}")
    vault = Vault()
    (own,) = attributes(text, entities, vault)
    assert (own.value, len(own.mentions)) == ("Laura Meier", 3)
    redacted = redact(text, [own])
    assert redacted == "Ms [PERSON_1]'s card; Ms [PERSON_1], [PERSON_1]"
    assert restore(redacted, vault) == "Ms Laura Meier's card; Ms Laura Meier, Laura Meier"


def test_a_substitute_takes_the_form_of_each_mention() -> None:
    text, entities = told("{Laura Meier}: {Laura's} card, Ms {Meier}, {LAURA MEIER}, {MEIER}")
    (own,) = attributes(text, entities, Vault())
    assert substitute(text, own, "Ida van Roth") == (
        "Ida van Roth: Ida's card, Ms Roth, IDA VAN ROTH, ROTH"
    )


def test_two_parts_of_a_name_told_apart_are_one_person() -> None:
    vault = Vault()
    numbers("{Laura Meier}", vault=vault)
    text, entities = told("Please call me {Laura}, not Ms {Meier}.")
    (own,) = attributes(text, entities, vault)
    redacted = redact(text, [own])
    assert redacted == "Please call me [PERSON_1], not Ms [PERSON_1]."
    assert not leaks(redacted, [own])
    assert abstract(text, [own], "type") == "Please call me PERSON, not Ms PERSON."
    assert substitute(text, own, "Roth") == "Please call me Roth, not Ms Roth."
