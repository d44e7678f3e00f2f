"""The table between values and placeholders. It never leaves the process."""

from __future__ import annotations

import re
import threading
from collections import defaultdict

from privrag_fast.types import InputError

MAX_TYPE_NAME = 48
MAX_NUMBER = 999_999

# A possessive belongs to the sentence for these types; "McDonald's" and "Master's" keep theirs.
_POSSESSIVE = frozenset(
    {"PERSON", "NAME", "FIRST_NAME", "LAST_NAME", "LOCATION", "CITY", "COUNTRY"}
)
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
    }
)
_LEADING = " \t\r\n\f\v\u00a0\u2028\u2029\"'“”‘’«»,;:!?"
_TRAILING = " \t\r\n\f\v\u00a0\u2028\u2029,;:!?.…“”‘«»"
_QUOTES = "\"'’"  # after a digit they are inches and feet: 5'7"
_ASCII_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


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


def _identity(label: str, value: str) -> str:
    """What two mentions of one value have in common.

    Lower case rather than casefold: Weiß and Weiss are two people.
    """
    start, end = core(label, value)
    kernel = value[start:end]
    if type_name(label) in _CASE_SENSITIVE or any(map(_looks_coded, kernel.split())):
        return kernel
    return kernel.lower()


def _looks_coded(word: str) -> bool:
    """Letters of both cases between digits, as in `aB3x9`: case carries information."""
    return bool(re.search(r"\d", word) and re.search("[a-z]", word) and re.search("[A-Z]", word))


class Vault:
    """Hands out one placeholder per value, the same one through the whole conversation.

    Thread-safe. Neither `repr` nor any error shows a value.

    >>> vault = Vault()
    >>> vault.placeholder("LOCATION", "Zurich"), vault.placeholder("LOCATION", "zurich,")
    ('[LOCATION_1]', '[LOCATION_1]')
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._placeholders: dict[tuple[str, str], str] = {}
        self._values: dict[str, str] = {}
        self._numbers: defaultdict[str, int] = defaultdict(int)
        self._typed: defaultdict[str, set[str]] = defaultdict(set)

    def placeholder(self, label: str, value: str) -> str:
        """The placeholder of a value; a new one, numbered in order of arrival, for a new value."""
        name = type_name(label)
        key = (name, _identity(label, value))
        with self._lock:
            if key not in self._placeholders:
                start, end = core(label, value)
                issued = f"[{name}_{self._next_number(name)}]"
                self._placeholders[key] = issued
                self._values[issued] = value[start:end]
            return self._placeholders[key]

    def reserve(self, text: str) -> None:
        """Never issue what the user typed, so that it survives the round trip as typed.

        Every number after a separator is remembered with what stands before it, without regard
        to word boundaries: redaction may cut a word in two and so make a boundary.
        What an earlier turn was already given cannot be taken back.
        """
        flat = re.sub(r"[ \-]", "_", text.translate(_ASCII_UPPER).replace("\\", ""))
        with self._lock:
            for match in re.finditer(r"_([0-9]{1,6})", flat):
                before = flat[max(0, match.start() - MAX_TYPE_NAME) : match.start()]
                for length in range(1, len(match[1]) + 1):
                    self._typed[match[1][:length]].add(before)

    def reserved(self, placeholder: str) -> bool:
        """Whether a user typed something that reads like this placeholder."""
        name, _, number = placeholder.strip("[]").rpartition("_")
        with self._lock:
            return self._is_typed(name, number)

    def value(self, placeholder: str) -> str:
        """The value behind a placeholder.

        Raises:
            InputError: The placeholder was never handed out by this vault.
        """
        with self._lock:
            if placeholder not in self._values:
                raise InputError("this vault never handed out that placeholder; see Vault.items()")
            return self._values[placeholder]

    def items(self) -> tuple[tuple[str, str], ...]:
        """Placeholders with their values, in order of arrival: a snapshot."""
        with self._lock:
            return tuple(self._values.items())

    def __contains__(self, placeholder: object) -> bool:
        with self._lock:
            return placeholder in self._values

    def __len__(self) -> int:
        with self._lock:
            return len(self._values)

    def __repr__(self) -> str:
        return f"Vault({len(self)} values)"

    def _next_number(self, name: str) -> int:
        number = self._numbers[name] + 1
        while self._is_typed(name, str(number)):
            number += 1
        if number > MAX_NUMBER:
            raise InputError(f"more than {MAX_NUMBER} values of type {name}; start a new Vault")
        self._numbers[name] = number
        return number

    def _is_typed(self, name: str, number: str) -> bool:
        return any(before.endswith(name) for before in self._typed.get(number, ()))
