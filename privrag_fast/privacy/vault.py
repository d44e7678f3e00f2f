"""The table between values and placeholders. It never leaves the process unencrypted."""

from __future__ import annotations

import re
import threading
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from privrag_fast.privacy import sealed
from privrag_fast.privacy.names import Name, canonical
from privrag_fast.types import InputError, VaultError

MAX_TYPE_NAME = 48
MAX_NUMBER = 999_999
LITERAL = "LITERAL"
"""Label of text that reads like a placeholder and is none."""

# A possessive belongs to the sentence for these types; "McDonald's" and "Master's" keep theirs.
_POSSESSIVE = frozenset(
    {"PERSON", "NAME", "FIRST_NAME", "LAST_NAME", "LOCATION", "CITY", "COUNTRY"}
)
_PEOPLE = frozenset({"PERSON", "NAME"})
# "aB3" and "Ab3" are two values here, "ALICE" and "Alice" are one elsewhere.
_CASE_SENSITIVE = frozenset(
    {
        "URL",
        "ID",
        "CODE",
        "PASSWORD",
        "SECRET",
        "API_KEY",
        "TOKEN",
        "USERNAME",
        "ACCOUNT",
        "LICENSE",
        LITERAL,
    }
)
_LEADING = " \t\r\n\f\v\u00a0\u2028\u2029\"'“”‘’«»,;:!?"
_TRAILING = " \t\r\n\f\v\u00a0\u2028\u2029,;:!?.…“”‘«»"
_QUOTES = "\"'’"  # after a digit they are inches and feet: 5'7"
# All that a mangled placeholder may hold between its words, and more.
_GLUE = re.compile(r"[\s_\\*`\u2010-\u2015\u200b-\u200d\u2060\ufeff-]+")


def type_name(label: str) -> str:
    """The label as it stands in a placeholder: `blood type` -> `BLOOD_TYPE`.

    Raises:
        InputError: The label has no letter, or is too long.
    """
    name = re.sub(r"[\W_]+", "_", label.upper()).strip("_")
    if not re.search(r"[^\W\d_]", name) or len(name) > MAX_TYPE_NAME:
        raise InputError(
            f"a label must hold a letter and at most {MAX_TYPE_NAME} characters, got {label!r}"
        )
    return name


def core(label: str, surface: str) -> tuple[int, int]:
    """Where the value lies inside a surface string, as offsets.

    Outside are white space, punctuation and the possessive, which belong to the sentence.
    A surface of nothing else is its own value.
    """
    start = len(surface) - len(surface.lstrip(_LEADING))
    end = _core_end(surface, possessive=type_name(label) in _POSSESSIVE)
    return (start, end) if start < end else (0, len(surface))


def _core_end(surface: str, *, possessive: bool) -> int:
    end = len(surface)
    while end:
        body = surface[:end].rstrip(_TRAILING)
        if possessive and body[-2:] in ("'s", "’s", "'S", "’S"):
            body = body[:-2]
        elif body[-1:] in _QUOTES and not body[-2:-1].isdigit():
            body = body[:-1]
        if len(body) == end:
            return end
        end = len(body)
    return 0


def _identity(name: str, value: str) -> str:
    """What two mentions of one value have in common."""
    return value if _tells_case(name, value) else canonical(value)


def _tells_case(name: str, value: str) -> bool:
    return name in _CASE_SENSITIVE or any(map(_looks_coded, value.split()))


def _looks_coded(word: str) -> bool:
    """Letters of both cases between digits, as in `aB3x9`: case carries information."""
    return bool(re.search(r"\d", word) and re.search("[a-z]", word) and re.search("[A-Z]", word))


@dataclass(frozen=True, slots=True)
class VaultOptions:
    """How long and how much a vault remembers.

    Args:
        ttl_s: Seconds without use after which it forgets everything; None: never.
        max_values: Values that it takes; one more is an error, for no placeholder is used twice.
    """

    ttl_s: float | None = None
    max_values: int = 100_000

    def __post_init__(self) -> None:
        if self.ttl_s is not None and not self.ttl_s > 0:
            raise InputError(f"ttl_s must be above 0 or None, got {self.ttl_s}")
        if self.max_values < 1:
            raise InputError(f"max_values must be 1 or more, got {self.max_values}")


class Vault:
    """Hands out one placeholder per value, the same one through the whole conversation.

    Thread-safe; true even while it is empty. Neither `repr` nor any error shows a value.

    Args:
        options: Its bounds.
        clock: Seconds since the epoch.

    >>> vault = Vault()
    >>> vault.placeholder("LOCATION", "Zurich"), vault.placeholder("LOCATION", "zurich,")
    ('[LOCATION_1]', '[LOCATION_1]')
    """

    def __init__(
        self, *, options: VaultOptions | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._options = options or VaultOptions()
        self._clock = clock
        self._lock = threading.RLock()
        self._used = clock()
        self._placeholders: dict[tuple[str, str], str] = {}
        self._values: dict[str, str] = {}
        self._people: dict[str, Name] = {}
        self._titles: defaultdict[str, set[str]] = defaultdict(set)
        self._numbers: defaultdict[str, int] = defaultdict(int)
        self._typed: set[str] = set()

    def placeholder(
        self, label: str, value: str, *, before: str = "", among: Iterable[str] = ()
    ) -> str:
        """The placeholder of a value; a new one, numbered in order of arrival, for a new value.

        One word of a person's name means the one person here who was told in full and has it:
        `Ms Meier` is Laura Meier, until there is another Meier. Whoever it may not be safe to
        name so is a value of its own.

        Args:
            before: What stands in front of it: a title tells persons apart.
            among: Further values of the same text, some of which may be told only later in it.

        Raises:
            VaultError: It is full or has expired.
        """
        name = type_name(label)
        start, end = core(label, value)
        kernel = value[start:end]
        with self._use():
            if name in _PEOPLE and not _tells_case(name, kernel):
                return self._person(name, kernel, Name.read(kernel, before), among)
            return self._own(name, _identity(name, kernel), kernel)

    def reserve(self, text: str) -> None:
        """Never issue what this text spells, so that it survives the round trip as spelled.

        For messages of users, passages and whatever else is sent as it stands. Every number is
        remembered with what stands before it, without regard to word boundaries: redaction may
        cut a word in two and so make a boundary. What was issued before cannot be taken back.
        """
        flat = _squash(text)
        with self._use():
            for number in re.finditer("[0-9]+", flat):
                before = flat[max(0, number.start() - MAX_TYPE_NAME) : number.start()]
                if re.search(r"[^\W\d_]", before):
                    self._typed.add(before + number[0])

    def reserved(self, placeholder: str) -> bool:
        """Whether a reserved text holds something that reads like this placeholder."""
        wanted = _squash(placeholder).strip("[]")
        with self._lock:
            return self._is_typed(wanted)

    def value(self, placeholder: str) -> str:
        """The value behind a placeholder.

        Raises:
            InputError: The placeholder was never handed out by this vault.
            VaultError: The vault has expired.
        """
        with self._use():
            if placeholder not in self._values:
                raise InputError("this vault never handed out that placeholder; see Vault.items()")
            return self._values[placeholder]

    def items(self) -> tuple[tuple[str, str], ...]:
        """Placeholders with their values, in order of arrival: a snapshot.

        Raises:
            VaultError: The vault has expired.
        """
        with self._use():
            return tuple(self._values.items())

    @property
    def expired(self) -> bool:
        """Whether it went unused for longer than its time to live."""
        with self._lock:
            ttl_s = self._options.ttl_s
            return ttl_s is not None and self._clock() - self._used > ttl_s

    def save(self, path: str | Path, key: bytes) -> None:
        """Write it to a file that only the key opens: AES-256-GCM, mode 0600, all or nothing.

        Args:
            key: 32 random bytes, such as `secrets.token_bytes(32)`.

        Raises:
            InputError: The key is no such bytes, or the file cannot be written.
            ProviderError: The extra `gateway` is not installed.
        """
        with self._use():
            state = {
                "options": asdict(self._options),
                "used": self._used,
                "values": [
                    [*pair, self._values[own], own] for pair, own in self._placeholders.items()
                ],
                "titles": {own: sorted(titles) for own, titles in self._titles.items()},
                "numbers": self._numbers,
                "typed": sorted(self._typed),
            }
        sealed.write(Path(path), key, state)

    @classmethod
    def load(cls, path: str | Path, key: bytes, *, clock: Callable[[], float] = time.time) -> Vault:
        """The vault that `save` left in a file.

        Raises:
            VaultError: The file is missing, damaged or of another key, or has expired since.
            InputError: The key is no 32 bytes.
            ProviderError: The extra `gateway` is not installed.
        """
        state = sealed.read(Path(path), key)
        vault = cls(options=VaultOptions(**state["options"]), clock=clock)
        vault._used = state["used"]
        for name, identity, value, own in state["values"]:
            vault._placeholders[name, identity] = own
            vault._values[own] = value
            if name in _PEOPLE:
                vault._people[own] = Name.read(value)
        vault._titles.update({own: set(titles) for own, titles in state["titles"].items()})
        vault._numbers.update(state["numbers"])
        vault._typed.update(state["typed"])
        with vault._use():
            return vault

    def __contains__(self, placeholder: object) -> bool:
        with self._lock:
            return placeholder in self._values

    def __len__(self) -> int:
        with self._lock:
            return len(self._values)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"Vault({len(self)} values)"

    @contextmanager
    def _use(self) -> Iterator[None]:
        with self._lock:
            if self.expired:
                self._placeholders.clear()
                self._values.clear()
                self._people.clear()
                self._typed.clear()
                raise VaultError(
                    f"this vault went unused for more than {self._options.ttl_s:g} s and forgot"
                    " its values; start a new one"
                )
            self._used = self._clock()
            yield

    def _person(self, name: str, value: str, person: Name, among: Iterable[str]) -> str:
        meant = self._meant(name, person, among)
        own = meant or self._own(name, person.identity, value)
        self._people.setdefault(own, person)
        self._titles[own] |= person.titles
        return own

    def _meant(self, name: str, person: Name, among: Iterable[str]) -> str | None:
        """Who is the only one with this part of a name."""
        if (name, person.identity) in self._placeholders:
            return None
        known = {
            own: full
            for own, full in self._people.items()
            if person.may_mean(full)
            and (len(full.words) > 1 or not person.contradicts(full, self._titles[own]))
        }
        told = (full for full in map(Name.read, among) if len(full.words) > 1)
        coming = {full.words for full in told if person.may_mean(full)}
        if len(known) != 1 or coming - {full.words for full in known.values()}:
            return None
        [(own, full)] = known.items()
        is_other = own[1:].rpartition("_")[0] != name or person.contradicts(full, self._titles[own])
        return None if is_other else own

    def _own(self, name: str, identity: str, value: str) -> str:
        if (name, identity) not in self._placeholders:
            self._placeholders[name, identity] = self._issue(name, value)
        return self._placeholders[name, identity]

    def _issue(self, name: str, value: str) -> str:
        if len(self._values) >= self._options.max_values:
            raise VaultError(
                f"this vault holds {len(self._values)} values, its bound; start a new one or raise"
                " VaultOptions.max_values"
            )
        issued = f"[{name}_{self._next_number(name)}]"
        self._values[issued] = value
        return issued

    def _next_number(self, name: str) -> int:
        number = self._numbers[name] + 1
        while self._is_typed(_squash(name) + str(number)):
            number += 1
        if number > MAX_NUMBER:
            raise VaultError(f"more than {MAX_NUMBER} values of type {name}; start a new vault")
        self._numbers[name] = number
        return number

    def _is_typed(self, squashed: str) -> bool:
        return any(squashed in typed for typed in self._typed)


def _squash(text: str) -> str:
    """Upper case without separators; all digits are ASCII."""
    flat = _GLUE.sub("", unicodedata.normalize("NFKC", text).upper())
    return re.sub(r"\d", lambda digit: str(int(digit[0])), flat)
