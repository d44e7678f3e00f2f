"""What passages say beside somebody's values: numbers below and above them, and words for them.

A small model reads what a sentence asks for, and hardly compares 27,600 with 27,000, or knows that
Lyon is in France. Code does both exactly, and tells the model by the roles of the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from privrag_fast.relevance import pools
from privrag_fast.relevance.borders import Figure, amount_of, likeness, nearest_kind, read
from privrag_fast.relevance.categories import member
from privrag_fast.relevance.numerals import PLURAL, Number, count, is_year, numbers
from privrag_fast.relevance.pools import Group, Pool
from privrag_fast.relevance.quantities import FUNDS, SPELLS, worth
from privrag_fast.relevance.source import around, split_lead
from privrag_fast.types import Attribute

Role = Literal["lower", "same", "higher", "named"]

_AFTER: Final = 60
_MONTHS: Final = {"mo": Decimal(1), "we": Decimal(12) / 52, "da": Decimal(12) / 365}
_KINDS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("AGE",), ("age",)),
    **dict.fromkeys(("INCOME", "SALARY", "WAGE"), ("income",)),
    **dict.fromkeys(("SAVINGS", "WEALTH"), ("savings",)),
    **dict.fromkeys(("DEBT",), ("debt",)),
    **dict.fromkeys(("RENT",), ("rent",)),
    **dict.fromkeys(("MONEY", "AMOUNT", "FINANCE", "PRICE"), (*FUNDS, "amount")),
    **dict.fromkeys(("WORKLOAD", "PERCENT", "PERCENTAGE"), ("workload",)),
    **dict.fromkeys(("DURATION",), (*SPELLS, "duration")),
    **dict.fromkeys(("CHILDREN", "KIDS", "DEPENDENTS"), ("children",)),
    **dict.fromkeys(("DATE", "YEAR"), ("year",)),
}
POOLS: Final[dict[str, Pool]] = {
    "LOCATION": pools.PLACES,
    "NATIONALITY": pools.NATIONALITIES,
    "GENDER": pools.GENDERS,
    "MARITAL_STATUS": pools.MARITAL,
    "OCCUPATION": (*pools.STATUSES, *pools.OCCUPATIONS),
    "EDUCATION": pools.DEGREES,
    "HEALTH": pools.HEALTH,
    "RELIGION": pools.RELIGIONS,
    "HOUSING": pools.HOUSING,
}
"""Where a label is one of these, words of other types are not meant: MS is no state."""
_SAME: Final = tuple(
    frozenset(line.strip().split(", "))
    for line in """
    woman, women, female, females, lady, ladies, girl, girls, she, mother
    man, men, male, males, gentleman, gentlemen, boy, boys, he, father
    single, unmarried, not married, never married
    married, wife, husband, marriage, spouse, spouses
    widowed, widow, widows, widower, widowers
    divorced, divorcee, divorce
    separated, separation
    registered partnership, civil partnership
    tenant, tenants, renter, renters, rent, renting, rents, rented
    homeowner, homeowners, owner, owners, own a house, own a flat, own my home, owns
    lodger, subtenant, subtenants, lodging, lodgings, rent a room, rented room
    retired, pensioner, pensioners, retiree, retirees, retirement, drawing a pension
    unemployed, jobless, out of work, between jobs, jobseeker, jobseekers, job seeker, without work
    student, students, studying, university
    self-employed, freelancer, freelancers, freelance, own business, own boss, on their own account
    employed, employee, employees, employment, on the payroll, permanent post
    apprentice, apprentices, apprenticeship, trainee, trainees
    homemaker, homemakers, housewife, househusband
    civil servant, civil servants, public service
    parental leave, maternity leave
    bachelor, bachelor's, bachelor's degree, BSc, BA
    master, master's, master's degree, MSc, MA
    doctorate, PhD, doctoral degree, doctor's degree
    high blood pressure, hypertension
    diabetes, diabetic, diabetics
    asthma, asthmatic, asthmatics
    disability, disabled
    Catholic, Roman Catholic
    Protestant, Reformed, Lutheran, Methodist
    """.strip().splitlines()
)
"""What documents and people say for one thing, beside what the pools hold."""
_WORDS: Final = {word.casefold(): group for group in _SAME for word in group}
_SAID: Final = re.compile(
    rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(_WORDS, key=len, reverse=True)))})(?![\w-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something in a passage that bears on a value.

    Args:
        start, end: Half-open, in code points of the passage.
        role: A number that is lower than the value, the same or higher; or words for the value.
    """

    start: int
    end: int
    role: Role


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value as a number, of one of several kinds; times in months, incomes a year."""

    kinds: tuple[str, ...]
    amounts: tuple[Decimal, ...]

    def compared(self, figure: Figure, kind: str) -> Role:
        """What a passage's figure is beside it."""
        limit, own = amount_of(figure, kind), self.amounts[self.kinds.index(kind)]
        return "same" if limit == own else "lower" if limit < own else "higher"


@dataclass(frozen=True, slots=True)
class Bearing:
    """A figure of a passage, and the attribute that it most likely bears on.

    Args:
        row: Of the attributes that have a quantity.
    """

    figure: Figure
    row: int
    kind: str
    likeness: float


def bearings(passage: str, quantities: Sequence[Quantity]) -> Iterator[Bearing]:
    """Those of a passage, in order."""
    if not quantities:
        return
    reading = read(passage)
    for figure in reading.figures:
        likely, row, kind = max(
            (likeness(figure, kind, reading.cues), -row, kind)
            for row, own in enumerate(quantities)
            for kind in own.kinds
        )
        if likely > 0:
            yield Bearing(figure, -row, kind, likely)


class Marker:
    """Marks passages for the attributes of one message.

    >>> own = Attribute("AGE", "67", "[AGE_1]", ())
    >>> Marker("I am 67.", [own]).marks("You must be at least 68 years old.")
    [Mark(start=21, end=23, role='higher')]
    """

    def __init__(self, message: str, attributes: Sequence[Attribute]) -> None:
        self._quantities = [q for own in attributes if (q := quantity(message, own))]
        self._named_by = [pattern for own in attributes for pattern in patterns(own)]

    def marks(self, passage: str) -> list[Mark]:
        """Those of a passage, in order; where two overlap, both."""
        found = [*self._compared(passage), *self._named(passage)]
        return sorted(found, key=lambda own: (own.start, own.end))

    def _compared(self, passage: str) -> Iterator[Mark]:
        for own in bearings(passage, self._quantities):
            role = self._quantities[own.row].compared(own.figure, own.kind)
            yield Mark(own.figure.start, own.figure.end, role)

    def _named(self, passage: str) -> Iterator[Mark]:
        for pattern in self._named_by:
            for match in pattern.finditer(passage):
                yield Mark(*match.span(), "named")


# --------------------------------------------------------------------------- numbers


def quantity(message: str, own: Attribute) -> Quantity | None:
    """An attribute as a number; None where it is none, or several."""
    kinds = _KINDS.get(own.label)
    if kinds is None:
        return None
    before, after = around(message, own, after=_AFTER)
    if len(kinds) > 1 and (kind := nearest_kind(kinds[:-1], before, after)):
        kinds = (kind,)
    number = _number(own.value, kinds[0])
    if number is None:
        return None
    amounts = tuple(_amount(own.value, number, kind, after) for kind in kinds)
    return Quantity(kinds, amounts)


def _number(value: str, kind: str) -> Number | None:
    """The one number of a value; None where it has several, or none."""
    if kind == "children":
        return count(value)
    found = numbers(value, grouped=kind != "workload")
    if kind == "year":
        found = [number for number in found if is_year(number)]
    return found[0] if len(found) == 1 else None


def _amount(value: str, number: Number, kind: str, after: str) -> Decimal:
    if kind in (*SPELLS, "duration"):
        unit = re.match(r"[ -]?(mo|we|da)", value[number.end :], re.IGNORECASE)
        return number.amount * (_MONTHS[unit[1].lower()] if unit else 12)
    if kind in (*FUNDS, "amount"):
        return number.amount * worth(value, number, kind, after)
    return number.amount


# --------------------------------------------------------------------------- words


def patterns(own: Attribute) -> list[re.Pattern[str]]:
    """What finds a value that is no number, in any of the ways that documents may say it."""
    return [_pattern(way) for way in _ways(own)]


def _ways(own: Attribute) -> Iterator[str]:
    """What documents may call a value: its own words, others for the same, a city's country."""
    if own.label in _KINDS:
        return
    pool = POOLS.get(own.label, pools.ALL)
    body = split_lead(own.value, pool)[1].strip()
    ways = {body} if len(body) > 2 else set()
    if body and (known := member(body, pool)):
        group, start, end = known
        ways |= _like(body[start:end].casefold(), group)
    for said in _SAID.finditer(body):
        ways |= same_as(said[0])
    # In an order of its own: sets have none.
    yield from sorted(ways)


def same_as(word: str) -> frozenset[str]:
    """What documents and people say for a word, beside what the pools hold."""
    return _WORDS.get(word.casefold(), frozenset())


def _like(word: str, group: Group) -> set[str]:
    """All ways to say one of a group, and the country of a city."""
    ways = {way for own in group.meanings if word in map(str.casefold, own) for way in own}
    if land := pools.COUNTRY_OF.get(word):
        lands = pools.COUNTRIES_WITH_ARTICLE.meanings
        ways |= set(next((own for own in lands if land in own), (land,)))
    return ways


def _pattern(way: str) -> re.Pattern[str]:
    """A way to say something, also in the plural."""
    flags = re.IGNORECASE if len(way) > 3 else 0
    first, _, last = way.rpartition(" ")
    plural = f"{first} {PLURAL.get(last, last)}".strip()
    return re.compile(
        rf"(?<![\w-])(?:{re.escape(way)}(?:e?s)?|{re.escape(plural)})(?![\w-])", flags
    )
