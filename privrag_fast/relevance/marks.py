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
from privrag_fast.relevance.borders import amount_of, likeness, nearest_kind, read
from privrag_fast.relevance.categories import member
from privrag_fast.relevance.numerals import PLURAL, Number, count, is_year, numbers
from privrag_fast.relevance.pools import Group, Pool
from privrag_fast.relevance.quantities import FUNDS, SPELLS, worth
from privrag_fast.relevance.source import around, split_lead
from privrag_fast.types import Attribute

Role = Literal["lower", "same", "higher", "named"]

_AFTER: Final = 60
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
_POOLS: Final[dict[str, Pool]] = {
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
class _Quantity:
    """A value as a number, of one of several kinds; times in months, incomes a year."""

    kinds: tuple[str, ...]
    amounts: tuple[Decimal, ...]


class Marker:
    """Marks passages for the attributes of one message.

    >>> own = Attribute("AGE", "67", "[AGE_1]", ())
    >>> Marker("I am 67.", [own]).marks("You must be at least 68 years old.")
    [Mark(start=21, end=23, role='higher')]
    """

    def __init__(self, message: str, attributes: Sequence[Attribute]) -> None:
        self._quantities = [q for own in attributes if (q := _quantity(message, own))]
        self._named_by = [_pattern(way) for own in attributes for way in _ways(own)]

    def marks(self, passage: str) -> list[Mark]:
        """Those of a passage, in order; where two overlap, both."""
        found = [*self._compared(passage), *self._named(passage)]
        return sorted(found, key=lambda own: (own.start, own.end))

    def _compared(self, passage: str) -> Iterator[Mark]:
        if not self._quantities:
            return
        reading = read(passage)
        for figure in reading.figures:
            likely = max(
                (likeness(figure, kind, reading.cues), -row, kind, amount)
                for row, own in enumerate(self._quantities)
                for kind, amount in zip(own.kinds, own.amounts, strict=True)
            )
            if likely[0] > 0:
                limit, own_amount = amount_of(figure, likely[2]), likely[3]
                role: Role = (
                    "same" if limit == own_amount else "lower" if limit < own_amount else "higher"
                )
                yield Mark(figure.start, figure.end, role)

    def _named(self, passage: str) -> Iterator[Mark]:
        for pattern in self._named_by:
            for match in pattern.finditer(passage):
                yield Mark(*match.span(), "named")


# --------------------------------------------------------------------------- numbers


def _quantity(message: str, own: Attribute) -> _Quantity | None:
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
    return _Quantity(kinds, amounts)


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
        months = re.match(r"[ -]?mo", value[number.end :], re.IGNORECASE)
        return number.amount * (1 if months else 12)
    if kind in (*FUNDS, "amount"):
        return number.amount * worth(value, number, kind, after)
    return number.amount


# --------------------------------------------------------------------------- words


def _ways(own: Attribute) -> Iterator[str]:
    """What documents may call a value: its own words, others for the same, a city's country."""
    if own.label in _KINDS:
        return
    pool = _POOLS.get(own.label, pools.ALL)
    body = split_lead(own.value, pool)[1].strip()
    ways = {body} if len(body) > 2 else set()
    if body and (known := member(body, pool)):
        group, start, end = known
        ways |= _like(body[start:end].casefold(), group)
    for said in _SAID.finditer(body):
        ways |= _WORDS[said[0].casefold()]
    # In an order of its own: sets have none.
    yield from sorted(ways)


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
