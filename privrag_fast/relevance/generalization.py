"""Less precise forms of a value: `60-69` of an age, the country of a town, `80k-90k` of 84,300."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import ROUND_FLOOR, Decimal
from typing import Final

from privrag_fast.relevance import pools
from privrag_fast.relevance.dates import MONTH_NAMES
from privrag_fast.relevance.numerals import Number, numbers
from privrag_fast.types import Attribute, says

_AGE_WIDTHS = (20, 10, 5)
_OLDEST = 120
_THE: Final = {name: f"the {name}" for name in pools.COUNTRIES_WITH_ARTICLE.members}
_STATE_OF_CITY: Final = {city.casefold(): state for city, (state, _) in pools.US_CITIES.items()}


def generalizations(attribute: Attribute) -> tuple[str, ...]:
    """Forms of the value that could stand in its place, the least precise first.

    None shows the value. Empty where none is known: of a name, or of a town that no list holds.

    >>> generalizations(Attribute("AGE", "67 years old", "[AGE_1]", ()))
    ('60-79 years old', '60-69 years old', '65-69 years old')
    """
    form = _FORMS.get(re.sub(r"[\W_]+", "_", attribute.label.upper()).strip("_"))
    found = dict.fromkeys(form(attribute.value)) if form else {}
    return tuple(other for other in found if not says(other, attribute.value))


# --------------------------------------------------------------------------- numbers


def _ages(value: str) -> Iterator[str]:
    found = numbers(value)
    if len(found) == 1 and not found[0].decimals and found[0].amount <= _OLDEST:
        for width in _AGE_WIDTHS:
            low = _low(found[0].amount, Decimal(width))
            yield _with_band(value, found[0], f"{low}-{low + width - 1}")


def _amounts(value: str) -> Iterator[str]:
    """Half a decade of the number system, then a tenth of it."""
    found = numbers(value)
    if len(found) != 1 or not found[0].amount:
        return
    number = found[0]
    scale = re.match(r"[kKmM](?!\w)", value[number.end :])
    power = Decimal(1).scaleb(number.amount.adjusted())
    for width in (5 * power, power):
        low = _low(number.amount, width)
        band = _band(low, low + width, scale[0] if scale else "")
        yield _with_band(value, number, band, skip=len(scale[0]) if scale else 0)


def _low(amount: Decimal, width: Decimal) -> Decimal:
    """Where the band of an amount begins: never at the amount itself, which it would show."""
    low = (amount / width).to_integral_value(ROUND_FLOOR) * width
    if low == amount:
        low -= max(width / 2, Decimal(1)).to_integral_value() if width >= 2 else width / 2
    return max(low, Decimal(0))


def _band(low: Decimal, high: Decimal, scale: str) -> str:
    """`80k-90k`; where the value has a scale of its own, with that."""
    for mark, size in (("M", Decimal(10**6)), ("k", Decimal(10**3))):
        if not scale and (low or high) >= size and not (low % (size / 10) or high % (size / 10)):
            low, high, scale = low / size, high / size, mark
    return f"{low.normalize():f}{scale if low else ''}-{high.normalize():f}{scale}"


def _with_band(value: str, number: Number, band: str, *, skip: int = 0) -> str:
    return value[: number.start] + band + value[number.end + skip :]


# --------------------------------------------------------------------------- times


def _dates(value: str) -> Iterator[str]:
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", value)
    if year is None:
        return
    yield f"the {year[0][:3]}0s"
    yield year[0]
    if month := re.search(rf"\b(?:{'|'.join(MONTH_NAMES)})\b", value, re.IGNORECASE):
        yield f"{month[0]} {year[0]}"
    elif iso := re.match(r"\d{4}-\d{2}(?=-\d{2})", value):
        yield iso[0]


# --------------------------------------------------------------------------- places


def _places(value: str) -> Iterator[str]:
    """The country, then the state or the town, of the last place that is named."""
    words = [word.casefold() for word in re.findall(r"[^\W\d_][\w.'’-]*", value)]
    for length, end in ((n, i) for i in range(len(words), 0, -1) for n in (3, 2, 1)):
        name = " ".join(words[max(0, end - length) : end])
        if country := pools.COUNTRY_OF.get(name):
            yield _THE.get(country, country)
            if state := _STATE_OF_CITY.get(name):
                yield state
            yield _TOWN.get(name, name)
            return
        if name in _STATES:
            yield "the United States"
            return


_TOWN: Final = {way.casefold(): way for way in pools.CITIES.ways}
_STATES: Final = frozenset(way.casefold() for way in pools.US_STATES.ways)

_Form = Callable[[str], Iterator[str]]


def _labeled(form: _Form, labels: str) -> dict[str, _Form]:
    return dict.fromkeys(labels.split(), form)


_FORMS: Final[dict[str, _Form]] = {
    **_labeled(_ages, "AGE"),
    **_labeled(_amounts, "INCOME SALARY WAGE SAVINGS WEALTH DEBT RENT MONEY AMOUNT FINANCE PRICE"),
    **_labeled(_dates, "DATE DOB BIRTH_DATE DATE_OF_BIRTH BIRTHDAY"),
    **_labeled(_places, "LOCATION CITY TOWN STATE REGION PLACE RESIDENCE BIRTHPLACE ADDRESS"),
}
