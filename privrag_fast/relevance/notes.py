"""What passages say beside each value, in words: a local model reads it behind the message.

`67 is above 60 and 65; Oslo is named as Norway; divorced is not named`. A model of 135 million
weights copies such a comparison well, and hardly makes it. Each variant of a message has notes of
its own: where a substitute crosses a border, they say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from privrag_fast.relevance.borders import LIKELY, Figure
from privrag_fast.relevance.categories import member
from privrag_fast.relevance.marks import (
    POOLS,
    Bearing,
    Quantity,
    Role,
    bearings,
    patterns,
    quantity,
    same_as,
)
from privrag_fast.types import Attribute

_MOST: Final = 3  # figures beside one value
_FAR: Final = 40  # times as much, or as little: a fee beside an income
_SAID: Final[Mapping[Role, str]] = {"lower": "above", "same": "equal to", "higher": "below"}
_OF_YEARS: Final[Mapping[Role, str]] = {"lower": "after", "same": "equal to", "higher": "before"}
_UNIT: Final = re.compile(r"[ -](?:years?|months?)\b", re.IGNORECASE)
_BAND: Final = re.compile(r"(?P<low>[0-9][0-9.,]*[kM]?)-(?P<high>[0-9][0-9.,]*[kM]?)")
_HEAD: Final = "Compared with the documents: "

Change = tuple[Attribute, str]
"""An attribute, and what stands in its place."""


class Notes:
    """Notes on one message, beside the passages that answer it.

    >>> own = Attribute("AGE", "67", "[AGE_1]", ())
    >>> Notes("I am 67.", [own], ["You must be at least 68 years old."]).of((own, "70"))
    'Compared with the documents: 70 is above 68 years.'
    """

    def __init__(
        self, message: str, attributes: Sequence[Attribute], passages: Sequence[str]
    ) -> None:
        self._message, self._passages = message, passages
        self._attributes = sorted(attributes, key=lambda own: [m.start for m in own.mentions[:1]])
        self._beside = self._figures()
        self._values = {own.placeholder: own.value for own in self._attributes}
        self._notes = {own.placeholder: self._note(own, own.value) for own in self._attributes}

    def of(self, change: Change | None = None) -> str:
        """One sentence on all values, or "" where the passages name nothing like them.

        Args:
            change: A value that stands instead of an attribute's own.
        """
        values, notes = self._values, self._notes
        if change is not None:
            own, value = change
            values = {**values, own.placeholder: value}
            notes = {**notes, own.placeholder: self._note(own, value)}
        said = "; ".join(f"{values[key]} is {note}" for key, note in notes.items() if note)
        return f"{_HEAD}{said}." if said else ""

    def beside(self, own: Attribute) -> str:
        """What is said of one attribute's value: `above 60`, `named as Norway`, or ""."""
        return self._notes[own.placeholder]

    def told(self, text: str, change: Change | None = None) -> str:
        """A text - the message, or what `change` makes of it - with its notes."""
        return "\n\n".join(filter(None, (text, self.of(change))))

    def _figures(self) -> dict[str, list[tuple[str, Bearing]]]:
        """By placeholder, the figures that most likely bear on a value, the least one first."""
        known = ((own, quantity(self._message, own)) for own in self._attributes)
        counted = [(own.placeholder, number) for own, number in known if number]
        quantities = [number for _, number in counted]
        found: dict[str, dict[object, tuple[str, Bearing]]] = {}
        for passage in self._passages:
            for own in bearings(passage, quantities):
                if own.likeness >= LIKELY and _near(quantities[own.row], own):
                    beside = found.setdefault(counted[own.row][0], {})
                    key = own.figure.amount
                    if key not in beside or beside[key][1].likeness < own.likeness:
                        beside[key] = _written(passage, own.figure), own
        return {key: _likeliest(list(beside.values())) for key, beside in found.items()}

    def _note(self, own: Attribute, value: str) -> str:
        changed = replace(own, value=value)
        beside = self._beside.get(own.placeholder)
        ends = [quantity(self._message, end) for end in _ends(changed)] if beside else []
        if beside and all(ends):
            return _sides([end for end in ends if end], beside)
        return self._named(changed)

    def _named(self, own: Attribute) -> str:
        found = dict.fromkeys(
            match[0].casefold() if match[0].islower() else match[0]
            for pattern in patterns(own)
            for passage in self._passages
            for match in [pattern.search(passage)]
            if match
        )
        if any(word.casefold() == own.value.casefold() for word in found):
            return "named"
        if found:
            return f"named as {max(found, key=len)}"
        spoken = any(_speaks(passage, own.label) for passage in self._passages)
        return "not named" if spoken and _is_known(own) else ""


def _near(own: Quantity, bearing: Bearing) -> bool:
    amount, limit = own.amounts[own.kinds.index(bearing.kind)], bearing.figure.amount
    return bearing.figure.unit != "money" or (limit <= amount * _FAR and amount <= limit * _FAR)


def _is_known(own: Attribute) -> bool:
    """Of a town in no list, nobody here can tell the country."""
    return own.label != "LOCATION" or member(own.value, POOLS["LOCATION"]) is not None


def _likeliest(known: list[tuple[str, Bearing]]) -> list[tuple[str, Bearing]]:
    best = sorted(known, key=lambda one: -one[1].likeness)[:_MOST]
    return sorted(best, key=lambda one: one[1].figure.amount)


def _written(passage: str, figure: Figure) -> str:
    """A figure as its passage has it, with the unit of a time."""
    unit = _UNIT.match(passage, figure.end)
    return passage[figure.start : unit.end() if unit else figure.end]


def _ends(own: Attribute) -> tuple[Attribute, ...]:
    """The value itself; of a band such as `60-69`, both its ends."""
    band = _BAND.search(own.value)
    if band is None:
        return (own,)
    start, end = band.span()
    sides = (own.value[:start] + band[side] + own.value[end:] for side in ("low", "high"))
    return tuple(replace(own, value=side) for side in sides)


def _sides(ends: Sequence[Quantity], beside: Sequence[tuple[str, Bearing]]) -> str:
    """`above 60 and 65 and below 70`; of a limit inside a band, nothing can be said."""
    sides: dict[Role, list[str]] = {}
    words = _SAID
    for written, bearing in beside:
        if any(bearing.kind not in end.kinds for end in ends):
            continue
        roles = {end.compared(bearing.figure, bearing.kind) for end in ends}
        if len(roles) == 1:
            sides.setdefault(roles.pop(), []).append(written)
            words = _OF_YEARS if bearing.kind == "year" else _SAID
    return " and ".join(f"{words[role]} {' and '.join(them)}" for role, them in sides.items())


@lru_cache(maxsize=512)  # passages of the corpus, which is public, come again and again
def _speaks(passage: str, label: str) -> bool:
    """Whether a passage names anything that a value of this type could be."""
    return label in POOLS and bool(_vocabulary(label).search(passage))


@lru_cache
def _vocabulary(label: str) -> re.Pattern[str]:
    ways = {way for group in POOLS[label] for way in group.ways if len(way) > 2}
    ways |= {other for way in ways for other in same_as(way)}
    cased = _either(way for way in ways if not way.islower())
    return re.compile(
        rf"(?<![\w-])(?:{cased}|(?i:{_either(filter(str.islower, ways))}))(?:e?s)?(?![\w-])"
    )


def _either(ways: Iterator[str]) -> str:
    return "|".join(map(re.escape, sorted(ways, key=lambda way: (-len(way), way)))) or "(?!)"
