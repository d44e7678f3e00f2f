from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from privrag_fast.privacy import Vault, type_name
from privrag_fast.types import InputError


@pytest.mark.parametrize(
    ("label", "one", "other"),
    [
        ("PERSON", "Eric", "Eric's"),
        ("PERSON", "Eric", "Eric’s"),
        ("PERSON", "Eric", "ERIC"),
        ("PERSON", "Eric", " Eric,"),
        ("PERSON", "Eric", '"Eric"'),
        ("PERSON", "James", "James'"),
        ("LOCATION", "Zurich", "zurich."),
        ("PERSON", "Robert Downey jr.", "Robert Downey jr"),
    ],
)
def test_one_value_in_two_spellings_has_one_placeholder(label: str, one: str, other: str) -> None:
    vault = Vault()
    assert vault.placeholder(label, one) == vault.placeholder(label, other)
    assert len(vault) == 1


@pytest.mark.parametrize(
    ("label", "one", "other"),
    [
        ("PERSON", "Nora", "Norah"),
        ("PERSON", "Weiß", "Weiss"),
        ("ID", "aB3", "Ab3"),
        ("URL", "https://example.com/A", "https://example.com/a"),
        ("KEY", "xK9f", "Xk9F"),
        ("TEMPERATURE", "-5", "5"),
        ("AMOUNT", ".5", "5"),
        ("AMOUNT", "(5)", "5"),
        ("HEIGHT", "5'7\"", "5'7"),
        ("EMPLOYER", "McDonald's", "McDonald"),
    ],
)
def test_two_values_never_share_a_placeholder(label: str, one: str, other: str) -> None:
    vault = Vault()
    assert vault.placeholder(label, one) != vault.placeholder(label, other)
    assert [value for _, value in vault.items()] == [one, other]


def test_numbers_count_per_label_in_order_of_arrival() -> None:
    vault = Vault()
    issued = [vault.placeholder(*pair) for pair in [("PERSON", "A"), ("AGE", "7"), ("PERSON", "B")]]
    assert issued == ["[PERSON_1]", "[AGE_1]", "[PERSON_2]"]
    assert vault.items() == (("[PERSON_1]", "A"), ("[AGE_1]", "7"), ("[PERSON_2]", "B"))


def test_the_same_string_under_two_labels_is_two_values() -> None:
    vault = Vault()
    assert vault.placeholder("PERSON", "Paris") != vault.placeholder("LOCATION", "Paris")


@pytest.mark.parametrize(
    "typed",
    ["[PERSON_1]", "PERSON_1", "[person 1]", r"\[PERSON\_1\]", "**[Person-1]**", "xPERSON_12"],
)
def test_typed_placeholders_are_never_issued(typed: str) -> None:
    vault = Vault()
    vault.reserve(f"look: {typed}")
    assert vault.placeholder("PERSON", "Nora") == "[PERSON_2]"
    assert vault.reserved("[PERSON_1]")
    assert not vault.reserved("[PERSON_2]")


def test_a_reservation_of_one_label_does_not_touch_another() -> None:
    vault = Vault()
    vault.reserve("[PERSON_1]")
    assert vault.placeholder("CITY", "Oslo") == "[CITY_1]"


@pytest.mark.parametrize(
    ("label", "name"),
    [("PERSON", "PERSON"), ("blood type", "BLOOD_TYPE"), ("2FA", "2FA"), ("-a--b-", "A_B")],
)
def test_type_names(label: str, name: str) -> None:
    assert type_name(label) == name


@pytest.mark.parametrize("label", ["", "  ", "_", "12", "x" * 49])
def test_labels_without_a_name_are_refused(label: str) -> None:
    with pytest.raises(InputError, match="a label must"):
        Vault().placeholder(label, "value")


def test_value_and_membership() -> None:
    vault = Vault()
    placeholder = vault.placeholder("PERSON", "Nora's")
    assert vault.value(placeholder) == "Nora"
    assert placeholder in vault
    assert "[PERSON_2]" not in vault
    with pytest.raises(InputError, match="never handed out"):
        vault.value("[PERSON_2]")


def test_repr_shows_no_value() -> None:
    vault = Vault()
    vault.placeholder("PERSON", "Nora")
    assert repr(vault) == "Vault(1 values)"


def test_threads_get_one_placeholder_per_value() -> None:
    vault = Vault()
    names = [f"name{number % 50}" for number in range(2000)]
    with ThreadPoolExecutor(8) as pool:
        issued = list(pool.map(lambda name: vault.placeholder("PERSON", name), names))
    assert len(vault) == 50
    assert set(issued) == {f"[PERSON_{number}]" for number in range(1, 51)}
    assert [vault.value(placeholder) for placeholder in issued] == names
