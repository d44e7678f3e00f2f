from __future__ import annotations

import secrets
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from privrag_fast.privacy import Vault, VaultOptions, type_name
from privrag_fast.types import InputError, ProviderError, VaultError

KEY = bytes(range(32))


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


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


def test_an_empty_vault_is_true() -> None:
    vault = Vault()
    assert len(vault) == 0
    assert (vault or None) is vault


def test_a_full_vault_says_so_and_still_knows_what_it_holds() -> None:
    vault = Vault(options=VaultOptions(max_values=1))
    placeholder = vault.placeholder("PERSON", "Nora")
    with pytest.raises(VaultError, match="max_values") as caught:
        vault.placeholder("PERSON", "Ida")
    assert "Ida" not in str(caught.value)
    assert vault.placeholder("PERSON", "Nora") == placeholder
    assert vault.items() == (("[PERSON_1]", "Nora"),)


def test_what_goes_unused_is_forgotten() -> None:
    clock = Clock()
    vault = Vault(options=VaultOptions(ttl_s=60), clock=clock)
    vault.placeholder("PERSON", "Nora")
    clock.now += 59
    assert vault.value("[PERSON_1]") == "Nora"  # and is used by that
    clock.now += 59
    assert not vault.expired
    clock.now += 2
    assert vault.expired
    for use in (vault.items, lambda: vault.placeholder("PERSON", "Ida"), lambda: vault.reserve("")):
        with pytest.raises(VaultError, match="unused for more than 60 s"):
            use()
    assert len(vault) == 0


@pytest.mark.parametrize("bad", [{"ttl_s": 0}, {"ttl_s": float("nan")}, {"max_values": 0}])
def test_bounds_that_are_none_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        VaultOptions(**bad)  # type: ignore[arg-type]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def filled(clock: Clock | None = None) -> Vault:
    vault = Vault(options=VaultOptions(ttl_s=60, max_values=9), clock=clock or Clock())
    vault.reserve("I typed [PERSON_2]")
    for value in ("Nora \ud83d", 'Id"a\n'):
        vault.placeholder("PERSON", value)
    vault.placeholder("blood type", "0+")
    return vault


def test_a_loaded_vault_goes_on_where_the_saved_one_was(tmp_path: Path) -> None:
    clock = Clock()
    vault = filled(clock)
    vault.save(tmp_path / "vault", KEY)
    loaded = Vault.load(tmp_path / "vault", KEY, clock=clock)
    assert loaded.items() == vault.items()
    for label, value in [("PERSON", 'ID"A'), ("PERSON", "Kai"), ("BLOOD_TYPE", "A")]:
        assert loaded.placeholder(label, value) == vault.placeholder(label, value)
    assert loaded.reserved("[PERSON_2]")
    for number in range(5):
        loaded.placeholder("AGE", str(number + 40))
        if len(loaded) == 9:
            break
    with pytest.raises(VaultError, match="its bound"):
        loaded.placeholder("AGE", "99")
    clock.now += 61
    with pytest.raises(VaultError, match="unused"):
        Vault.load(tmp_path / "vault", KEY, clock=clock)


def test_a_saved_vault_shows_nothing_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "vault"
    for _ in range(2):  # the second replaces the first
        filled().save(path, KEY)
    content = path.read_bytes()
    assert b"Nora" not in content
    assert b"PERSON" not in content
    assert path.stat().st_mode & 0o777 == 0o600
    assert names(tmp_path) == ["vault"]
    filled().save(tmp_path / "other", KEY)
    assert (tmp_path / "other").read_bytes() != content  # a nonce is never used twice


def test_another_key_opens_nothing(tmp_path: Path) -> None:
    filled().save(tmp_path / "vault", KEY)
    with pytest.raises(VaultError, match="another key") as caught:
        Vault.load(tmp_path / "vault", secrets.token_bytes(32))
    assert caught.value.__cause__ is None


def test_every_damaged_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "vault"
    filled().save(path, KEY)
    content = path.read_bytes()
    for index in range(len(content)):
        path.write_bytes(content[:index] + bytes([content[index] ^ 1]) + content[index + 1 :])
        with pytest.raises(VaultError):
            Vault.load(path, KEY)
    for length in (0, 10, 20, 28, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(VaultError):
            Vault.load(path, KEY)


@pytest.mark.parametrize("key", [b"", b"short", bytes(16), bytes(33), "x" * 32, None])
def test_keys_of_another_kind_are_refused(tmp_path: Path, key: bytes) -> None:
    with pytest.raises(InputError, match="token_bytes"):
        Vault().save(tmp_path / "vault", key)
    assert names(tmp_path) == []


def test_what_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="cannot be read"):
        Vault.load(tmp_path / "missing", KEY)
    with pytest.raises(InputError, match="cannot be written"):
        Vault().save(tmp_path / "missing" / "vault", KEY)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        Vault().save(tmp_path / "folder", KEY)
    assert names(tmp_path) == ["folder"]


def test_without_cryptography_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(ProviderError, match=r"pip install 'privrag_fast\[gateway\]'"):
        Vault().save(tmp_path / "vault", KEY)
