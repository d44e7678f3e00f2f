"""Other amounts, ages, counts and times: just across the documents' borders, and far away."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from random import Random

from privrag_fast.relevance import pools
from privrag_fast.relevance.borders import nearest_kind
from privrag_fast.relevance.categories import pooled
from privrag_fast.relevance.dates import DURATION, dates
from privrag_fast.relevance.identifiers import cards, mutated
from privrag_fast.relevance.numerals import (
    PLURAL,
    SINGULAR,
    Number,
    by,
    count,
    is_year,
    numbers,
    recounted,
    times,
    to,
    with_numbers,
)
from privrag_fast.relevance.source import TRIES, Generator, Source

_ADULT, _TEEN, _OLDEST = 18, 13, 95

# --------------------------------------------------------------------------- borders


@dataclass(frozen=True, slots=True)
class _Scale:
    """What a value of some kind may be, in the unit that it is written in.

    Args:
        low, high: The least and the most.
        grain: What values are multiples of; None for money, where that depends on the amount.
        floor: The least where a border asks for it: nobody is made 17 unless 18 matters.
    """

    low: int
    high: int
    grain: int | None = 1
    floor: int = 0

    def step(self, limit: Decimal) -> Decimal:
        """How far from a limit its neighbors are: 1,000 from 60,000."""
        return (
            Decimal(1).scaleb(limit.adjusted() - 1) if self.grain is None else Decimal(self.grain)
        )


_MONEY = _Scale(0, 10**12, None)


def _across(
    own: Decimal, limits: Sequence[Decimal], scale: _Scale, rng: Random
) -> Iterator[Decimal]:
    """What is just across the likeliest border; then far values on both sides of all borders; then
    what is across the other borders."""
    near = list(_crossings(own, limits, scale))
    if not near:
        return
    yield near[0]
    below = _far_below(min(own, *limits), scale, rng)
    above = _far_above(max(own, *limits), scale, rng)
    # The side that is not yet tried goes first.
    yield from itertools.chain(below, above) if near[0] > own else itertools.chain(above, below)
    yield from near[1:]


def _crossings(own: Decimal, limits: Sequence[Decimal], scale: _Scale) -> Iterator[Decimal]:
    for limit in limits:
        steps = limit / scale.step(limit)
        below = (steps.to_integral_value(ROUND_CEILING) - 1) * scale.step(limit)
        above = (steps.to_integral_value(ROUND_FLOOR) + 1) * scale.step(limit)
        # From the border itself, either side may be across.
        floor = min(scale.low, scale.floor or scale.low)
        if own >= limit >= floor:
            yield from _unless(own, max(below, Decimal(floor)))
        if own <= limit <= scale.high:
            yield from _unless(own, min(above, Decimal(scale.high)))


def _unless(own: Decimal, other: Decimal) -> Iterator[Decimal]:
    if other != own:
        yield other


def _far_below(limit: Decimal, scale: _Scale, rng: Random) -> Iterator[Decimal]:
    if scale.grain is None:
        yield limit * Decimal(rng.uniform(0.35, 0.45))
    elif lower := [n for n in range(scale.low, scale.high, scale.grain) if n < limit]:
        yield Decimal(rng.choice(lower[: max(1, len(lower) * 2 // 3)]))


def _far_above(limit: Decimal, scale: _Scale, rng: Random) -> Iterator[Decimal]:
    if scale.grain is None:
        yield limit * Decimal(rng.uniform(2, 2.4))
    elif higher := [n for n in range(scale.low, scale.high + 1, scale.grain) if n > limit]:
        yield Decimal(rng.choice(higher[len(higher) // 3 :]))


# --------------------------------------------------------------------------- amounts

_FACTORS = (0.4, 1.8, 3, 0.6, 5, 0.2, 1.4, 8, 0.1, 12)
_NEAR_FACTORS = (0.85, 1.2, 0.7, 1.4, 0.9, 1.1)
FUNDS = ("income", "savings", "debt", "rent")
_MONTHLY = re.compile(r"(?:a|per|each|every) month|monthly|/ ?mo", re.IGNORECASE)
_YEARLY = re.compile(r"(?:an?|per|each|every) (?:year|annum)|yearly|annual", re.IGNORECASE)
_FIGURES = re.compile(r"[ -]figures?\b", re.IGNORECASE)
_NOTHING = re.compile(r"no (?P<noun>debts?|savings|income)", re.IGNORECASE)


def amounts(*kinds: str) -> Generator:
    """Money; which of the kinds it is, where there are several, the words round it tell."""

    def generate(value: str, source: Source) -> Iterator[str]:
        found = numbers(value)
        if re.fullmatch(r"(?:[0-9][ -]?){12,}", value):
            yield from cards(value, source)
        elif found and _FIGURES.match(value, found[0].end):
            for digits in source.shuffled(range(4, 9)):
                yield with_numbers(value, found[:1], to(Decimal(digits)))
        elif not found:
            yield from _something(value, source)
        else:
            kind = _kind(kinds, "amount", source)
            if len(found) == 1:
                yield from _amounts_across(value, found[0], kind, source)
            yield from _scaled(value, source, (500, 2000, 10000))

    return generate


def _kind(kinds: Sequence[str], otherwise: str, source: Source) -> str:
    if len(kinds) == 1:
        return kinds[0]
    return nearest_kind(kinds, source.before, source.after) or otherwise


def _amounts_across(value: str, number: Number, kind: str, source: Source) -> Iterator[str]:
    unit = worth(value, number, kind, source.after)
    own = number.amount
    limits = [limit / unit for limit in source.borders.limits(kind, own * unit)]
    limits = [limit for limit in limits if not own or own / 50 < limit < own * 50]
    for amount in _across(own, limits, _MONEY, source.random):
        # Far amounts are as round as the original; near ones have to stay across the border.
        exact = amount == round(amount, number.decimals)
        yield with_numbers(value, [number], to(amount if exact else number.rounded(amount)))


def worth(value: str, number: Number, kind: str, text_after: str) -> int:
    """What one is worth in the unit of limits: `54k` counts thousands, a month's pay is a 12th."""
    after = value[number.end :]
    scale = re.match(r"\s?(k|thousand|grand|million|m)\b", after, re.IGNORECASE)
    unit = (10**6 if scale[1][0] in "mM" else 10**3) if scale else 1
    if kind != "income":
        return unit
    said = after + text_after[:12]
    monthly = _MONTHLY.search(said) or (number.amount * unit < 12_000 and not _YEARLY.search(said))
    return unit * 12 if monthly else unit


def _something(value: str, source: Source) -> Iterator[str]:
    """Some money instead of none, where the documents say how much matters."""
    if nothing := _NOTHING.fullmatch(value):
        noun = nothing["noun"].lower()
        named = "an income" if noun == "income" else "a debt" if noun == "debt" else noun
        limits = source.borders.limits(noun.removesuffix("s") if "debt" in noun else noun)
        for amount in _across(Decimal(0), limits, _MONEY, source.random):
            if amount:
                yield f"{named} of {source.borders.money(amount)}"
    yield from pooled(pools.NO_AMOUNT)(value, source)


def _scaled(
    value: str,
    source: Source,
    base: Sequence[int],
    *,
    factors: Sequence[float] = _FACTORS,
    most: int | None = None,
) -> Iterator[str]:
    """Some numbers lower and some higher; for zero, those of `base`."""
    found = numbers(value, grouped=most is None)
    found = [number for number in found if not is_year(number)] or found
    if all(number.amount == 0 for number in found):
        for amount in base:
            yield with_numbers(value, found, to(Decimal(amount)))
        return
    for factor in factors:
        exact = Decimal(factor * source.random.uniform(0.95, 1.05))
        if most is None or all(number.amount * exact <= most for number in found):
            yield with_numbers(value, found, times(exact))
    if most is not None:
        yield from mutated(value, source)


def percentages(*kinds: str) -> Generator:
    def generate(value: str, source: Source) -> Iterator[str]:
        found = numbers(value, grouped=False)
        kind = _kind(kinds, "percent", source)
        if len(found) == 1 and not found[0].decimals and found[0].amount <= 100:
            tens = kind == "workload" and found[0].amount % 5 == 0
            scale = _Scale(20, 100, 10, floor=10) if tens else _Scale(1, 100)
            limits = source.borders.limits(kind, found[0].amount)
            for amount in _across(found[0].amount, limits, scale, source.random):
                yield with_numbers(value, found, to(amount))
            if tens:
                for amount in _other_tens(found[0].amount, source.random):
                    yield with_numbers(value, found, to(amount))
        yield from _scaled(value, source, (5, 20, 50), most=100)

    return generate


def workloads(value: str, source: Source) -> Iterator[str]:
    """Shares of a full week, or days and hours of it."""
    found = numbers(value, grouped=False)
    unit = re.match(r"[ -]?(day|hour|h)", value[found[0].end :], re.IGNORECASE) if found else None
    if not found:
        yield from pooled(pools.WORKLOADS)(value, source)
    elif unit is None:
        yield from percentages("workload")(value, source)
    else:
        others = range(1, 7) if unit[1].lower() == "day" else range(4, 61, 4)
        for amount in source.shuffled(others):
            yield recounted(value, found[0], amount)


def _other_tens(own: Decimal, rng: Random) -> Iterator[Decimal]:
    """Far ones first: nobody works 37 %."""
    scale = _Scale(20, 100, 10)
    yield from _far_below(own, scale, rng)
    yield from _far_above(own, scale, rng)
    yield from map(Decimal, rng.sample(range(20, 101, 10), 9))


_FEET = re.compile(r"[0-9](\s?(?:['’′]|ft\.?|foot|feet)\s?)[0-9]{1,2}(\D*)", re.IGNORECASE)


def measures(value: str, source: Source) -> Iterator[str]:
    """Heights and weights: what a body can have."""
    if feet := _FEET.fullmatch(value):
        for _ in range(TRIES):
            inches = source.random.randint(56, 80)
            yield f"{inches // 12}{feet[1]}{inches % 12}{feet[2]}"
    found = numbers(value, grouped=False)
    unit = re.match(r" ?(cm|m)\b", value[found[0].end :], re.IGNORECASE) if found else None
    centimeter = Decimal(1) if unit and len(unit[1]) == 2 else Decimal("0.01")
    if unit and 100 <= found[0].amount / centimeter <= 250:
        for height in _heights(found[0], centimeter, source.random):
            yield with_numbers(value, found[:1], to(height))
    else:
        yield from _scaled(value, source, (1, 2, 3), factors=_NEAR_FACTORS, most=10**6)


def _heights(own: Number, centimeter: Decimal, rng: Random) -> Iterator[Decimal]:
    """Of grown people."""
    near = (own.amount * Decimal(factor * rng.uniform(0.95, 1.05)) for factor in _NEAR_FACTORS)
    any_ = (rng.randint(140, 205) * centimeter for _ in range(TRIES))
    for height in map(own.rounded, itertools.chain(near, any_)):
        if 140 <= height / centimeter <= 205:
            yield height


# --------------------------------------------------------------------------- times

_LONGEST = 45
SPELLS = ("tenure", "residence", "membership")


def durations(value: str, source: Source) -> Iterator[str]:
    found = numbers(value, grouped=False)
    if not found:
        yield from pooled(pools.DURATIONS)(value, source)
    elif any(map(is_year, found)) and not DURATION.search(value):
        yield from dates(value, source)
    elif found[0].decimals:
        yield from _scaled(value, source, (2, 5, 12))
    else:
        yield from _other_durations(value, found[0], source)


def _other_durations(value: str, number: Number, source: Source) -> Iterator[str]:
    amount, near = int(number.amount), source.random.randint(1, 2)
    unit = re.match(r"[ -]?(year|yr|month)", value[number.end :], re.IGNORECASE)
    years = unit is not None and unit[1][0].lower() == "y"
    if unit and amount <= 100:
        kind = _kind(SPELLS, "duration", source)
        months = 12 if years else 1
        limits = [n / months for n in source.borders.limits(kind, number.amount * months)]
        scale = _Scale(1, max(amount, _LONGEST) if years else 60)
        for other in _across(number.amount, limits, scale, source.random):
            yield recounted(value, number, int(other))
    longest = max(_LONGEST, amount + 5) if years else 10**6
    others = [round(amount * 0.4), amount * 3 + near, round(amount * 1.8) + 1, amount + near]
    for length in [*others, amount + 5, round(amount * 0.7), amount + 9, amount + 14]:
        if 0 < length <= longest:
            yield recounted(value, number, length)


_IN_DECADE = re.compile(r"\b(?:the|early|mid|late)[ -]['’]?[0-9]0['’]?s$", re.IGNORECASE)


def dated(value: str, source: Source) -> Iterator[str]:
    """Dates, and what is said as a time: `3 weeks ago`."""
    decade = _IN_DECADE.search(source.before + value)
    if DURATION.search(value) and not decade and not re.search("[0-9]{4}", value):
        return durations(value, source)
    return dates(value, source)


# --------------------------------------------------------------------------- ages

_DECADE = re.compile(rf"\b(?:{'|'.join(pools.DECADES)})\b|(?<![0-9])[2-9]0['’]?s\b", re.IGNORECASE)
_PARENT = re.compile(
    r"\b(?:mother|father|mum|mom|dad|parent|grand\w+)(?:,? (?:who|s?he))?(?: \w+){0,2}:? $", re.I
)


def ages(value: str, source: Source) -> Iterator[str]:
    found = numbers(value)
    if decade := _DECADE.search(value):
        yield from _other_decades(value, decade, source)
    elif not found:
        yield from pooled(pools.AGE_WORDS)(value, source)
    elif any(map(is_year, found)):
        yield from dates(value, source)
    elif found[0].amount > 120 or found[0].decimals:
        yield from mutated(value, source)
    else:
        yield from _other_ages(value, found, source)


def _other_decades(value: str, decade: re.Match[str], source: Source) -> Iterator[str]:
    for other in source.shuffled(pools.DECADES):
        tens = 10 * (pools.DECADES.index(other) + 2)
        written = other if decade[0].isalpha() else f"{tens}{decade[0][2:]}"
        yield value[: decade.start()] + written + value[decade.end() :]


def _other_ages(value: str, found: Sequence[Number], source: Source) -> Iterator[str]:
    first = int(found[0].amount)
    # Parents of people who write are not young.
    least = 40 if _PARENT.search(source.before) and first >= 40 else 1
    if len(found) == 1:
        low = max(least, _ADULT if first >= _ADULT else _TEEN if first >= _TEEN else 1)
        scale = _Scale(low, max(_OLDEST, first), floor=max(least, min(low, _TEEN)))
        limits = source.borders.limits("age", found[0].amount)
        for other in _across(found[0].amount, limits, scale, source.random):
            yield recounted(value, found[0], int(other))
    for age in _age_choices(first, source.random):
        if age < least:
            continue
        if len(found) == 1:
            yield recounted(value, found[0], age)
        else:
            yield with_numbers(value, found, by(age - first))


def _age_choices(age: int, rng: Random) -> Iterator[int]:
    """Far and near, younger and older. An adult stays one; a teenager may grow up."""
    if age >= _ADULT:
        low, high = _ADULT, max(_OLDEST, age)
    else:
        low, high = (10, _OLDEST) if age >= _TEEN else (1, _ADULT - 1)
    bands = [
        range(low, age - 14),
        range(age + 3, age + 9),
        range(age + 20, age + 45),
        range(age - 8, age - 2),
    ]
    if age < (low + min(high, 80)) / 2:
        bands = [bands[2], bands[3], bands[1], bands[0]]
    for band in bands:
        if choices := [other for other in band if low <= other <= high]:
            yield rng.choice(choices)
    yield from rng.sample(range(low, high + 1), high + 1 - low)


# --------------------------------------------------------------------------- children

_GROWN = 27
_PER_YEAR = {"year": 1, "month": 12, "week": 52, "day": 365}
_CHILD_AGE_AFTER = re.compile(rf"[ -]({'|'.join(_PER_YEAR)})s?[ -]old")
_CHILD_AGE_BEFORE = re.compile(
    r"(?:\b(?:aged|is|are|between|turning|(?:boy|girl|son|daughter|child|children|kid|age)s? of)"
    r"|\b[0-9]+ and|,) *$"
)


def counts(value: str, source: Source) -> Iterator[str]:
    """Other numbers of children; where it is told how old they are, other ages."""
    if years := [number for number in numbers(value) if _is_childs_age(value, number)]:
        yield from _childrens_ages(value, years, source)
    number = count(value)
    if number is None or years:
        yield from pooled((pools.CHILDREN,), led=False)(value, source)
        return
    amount = int(number.amount)
    choices = [0, amount + source.random.randint(2, 3), 1, amount + 1, 2, amount + 4, amount + 5]
    limits = source.borders.limits("children", number.amount)
    near = _across(number.amount, limits, _Scale(0, 8), source.random)
    bare = number.start == 0 and number.end == len(value)
    least = _least_count(value, number, source)
    for other in itertools.chain(map(int, near), choices):
        # A noun that stands outside the value keeps its plural.
        if other != amount and other >= least and not (bare and other == 1):
            written = "no" if other == 0 and number.group is None else None
            yield recounted(value, number, other, written)


_OF = re.compile(r"\b(?P<group>family |household )?of $", re.IGNORECASE)


def _least_count(value: str, number: Number, source: Source) -> int:
    """Who is a father of four has one at least; a family of five are two at least."""
    of = _OF.search(source.before + value[: number.start])
    [noun] = re.findall(r"\w+", value[number.end :] + source.after)[:1] or [""]
    if of is None or noun.lower() in (*SINGULAR, *PLURAL):
        return 0
    return 2 if of["group"] else 1


def _is_childs_age(value: str, number: Number) -> bool:
    after, before = value[number.end :], value[: number.start]
    return bool(_CHILD_AGE_AFTER.match(after) or _CHILD_AGE_BEFORE.search(before))


def _childrens_ages(value: str, years: Sequence[Number], source: Source) -> Iterator[str]:
    youngest = int(min(number.amount for number in years))
    unit = _CHILD_AGE_AFTER.match(value[years[0].end :])
    per_year = _PER_YEAR[unit[1]] if unit else 1
    grown = _GROWN if per_year == 1 else 2 * per_year
    limits = [n * per_year for n in source.borders.limits("age", Decimal(youngest) / per_year)]
    limits = [limit for limit in limits if limit <= grown]
    near = _across(Decimal(youngest), limits, _Scale(1, grown), source.random)
    others = (youngest + 12, max(1, youngest // 3), youngest + 6, youngest + 2)
    for other in itertools.chain(map(int, near), others):
        if len(years) == 1:
            yield recounted(value, years[0], other)
        else:
            yield with_numbers(value, years, by(other - youngest))
