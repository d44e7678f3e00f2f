"""Less precise forms of a value: `60-69` of an age, the country of a town, `80k-90k` of 84,300."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Final

from privrag_fast.relevance import pools
from privrag_fast.relevance.dates import MONTH_NAMES
from privrag_fast.relevance.numerals import Number, numbers
from privrag_fast.relevance.pools import Ways
from privrag_fast.types import Attribute, says

_AGE_WIDTHS = (20, 10, 5)
_OLDEST = 120


def generalizations(attribute: Attribute) -> tuple[str, ...]:
    """Forms of the value that could stand in its place, the least precise first.

    None shows the value. Empty where none is known: of a name, of a town that no list holds, or of
    a value that is a bound or vague by itself: `over 60`, `mid-fifties`, `six figures`.

    >>> generalizations(Attribute("AGE", "67 years old", "[AGE_1]", ()))
    ('60-79 years old', '60-69 years old', '65-69 years old')
    """
    form = _FORMS.get(re.sub(r"[\W_]+", "_", attribute.label.upper()).strip("_"))
    found = dict.fromkeys(form(attribute.value)) if form else {}
    return tuple(other for other in found if not says(other, attribute.value))


# --------------------------------------------------------------------------- numbers

# A band in the place of the number would say something else.
_NO_AMOUNT = re.compile(
    r"""\b(?:over|under|above|below|beyond|less|fewer|more|than|at\ (?:least|most)|up\ to|until
        |past|nearly|almost|exceed\w*|in\ excess|max\w*|min\w*|older|younger|between|not|\w+n['’]t
        |early|mid|late|something|odd|and\ a\ half|figures?|digits?|401k
        |über|unter|mehr|weniger|mindestens|höchstens|knapp|fast|bis|ab
        |plus|moins|jusqu|più|meno|oltre|sotto|almeno|más|menos|meer|minder)\b
    |(?<=[0-9])(?:['’]?s|[ -]?ish|st|nd|rd|th)\b|[<>≤≥+]""",
    re.IGNORECASE | re.VERBOSE,
)


def _amount(value: str) -> Number | None:
    """The only number of a value that says how much, not what it is above or near."""
    found = numbers(value)
    return found[0] if len(found) == 1 and not _NO_AMOUNT.search(value) else None


def _ages(value: str) -> Iterator[str]:
    age = _amount(value)
    if age is not None and not age.decimals and age.amount <= _OLDEST:
        for width in _AGE_WIDTHS:
            low = _low(age.amount, Decimal(width))
            yield _with_band(value, age, f"{low}-{low + width - 1}")


def _amounts(value: str) -> Iterator[str]:
    """Half a decade of the number system, then a tenth of it."""
    number = _amount(value)
    if number is None or not number.amount:
        return
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

_DATE_LEAD = re.compile(r"(?:(?:was|born|in|on|since|dob|date of birth)\b[: ]*)*", re.IGNORECASE)
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_NO_DATE = re.compile(
    r"\b(?:before|after|until|till|by|prior|earlier|later|between|not)\b|[0-9]['’]?s\b",
    re.IGNORECASE,
)


def _dates(value: str) -> Iterator[str]:
    """The decade, then the year and the month of a date that has more than that."""
    lead, date = _split(value, _DATE_LEAD)
    years = _YEAR.findall(date)
    if len(years) != 1 or _NO_DATE.search(value):
        return
    [year] = years
    lead = re.sub(r"\bon\b", "in", lead)
    yield f"{lead}the {year[:3]}0s"
    if date == year:
        return
    yield lead + year
    if month := re.search(rf"\b(?:{'|'.join(MONTH_NAMES)})\b", date, re.IGNORECASE):
        yield f"{lead}{month[0]} {year}"
    elif iso := re.match(r"\d{4}-\d{2}(?=-\d{2})", date):
        yield lead + iso[0]


def _split(value: str, lead: re.Pattern[str]) -> tuple[str, str]:
    """The words that lead to the value proper stay before its forms."""
    found = lead.match(value)
    end = found.end() if found else 0
    return value[:end], value[end:].strip()


# --------------------------------------------------------------------------- places

_PLACE_LEAD = re.compile(r"(?:(?:live|living|born|based|in|from|of)\s+)*", re.IGNORECASE)


def _plain(name: str) -> str:
    return name.casefold().removeprefix("the ").rstrip(".")


_THE: Final = {name: f"the {name}" for name in pools.COUNTRIES_WITH_ARTICLE.members}
_TOWN: Final = {_plain(way): way for way in pools.CITIES.ways}
_COUNTRY_OF_TOWN: Final = {_plain(town): country for town, country in pools.COUNTRY_OF.items()}
_STATE_OF_TOWN: Final = {_plain(town): state for town, (state, _) in pools.US_CITIES.items()}
_STATES: Final = [state.removesuffix(" State") for state in pools.US_STATES.members]
_CODES = """AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH
    NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY"""
_STATE_OF_CODE: Final = dict(zip(_CODES.split(), _STATES, strict=True))
# Some of these codes are also those of countries.
_COUNTRY_OF_CODE: Final = {
    "AR": "Argentina", "CA": "Canada", "CO": "Colombia", "DE": "Germany", "IN": "India",
}  # fmt: skip
_REGIONS: Final[dict[str, Ways]] = {
    # Georgia is a country too.
    "United States": tuple(state for state in _STATES if state != "Georgia"),
    "United Kingdom": ("England", "Scotland", "Wales", "Northern Ireland", "Yorkshire", "Cornwall"),
    "Canada": ("Ontario", "Quebec", "British Columbia", "Alberta", "Manitoba", "Nova Scotia"),
    "Germany": ("Bavaria", "Saxony", "Hesse"),
    "France": ("Normandy", "Provence"),
    "Italy": ("Tuscany", "Sicily", "Lombardy"),
    "Spain": ("Catalonia", "Andalusia"),
    "Switzerland": ("Ticino", "Valais"),
    "Australia": ("Queensland", "New South Wales"),
}


@dataclass(frozen=True, slots=True)
class _Region:
    """What may stand behind a town: a region, or with no name a whole country."""

    country: str
    name: str = ""


_REGION: Final = {
    **{
        _plain(way): _Region(ways[0])
        for group in (pools.COUNTRIES, pools.COUNTRIES_WITH_ARTICLE)
        for ways in group.meanings
        for way in ways
    },
    **{
        _plain(name): _Region(country, name)
        for country, names in _REGIONS.items()
        for name in names
    },
    **{code: _Region("United States", state) for code, state in _STATE_OF_CODE.items()},
}


def _places(value: str) -> Iterator[str]:
    """The country, then the region and the town, of the place that the value ends with.

    What stands behind a town says where that is: there is a Naples in Florida.
    """
    lead, place = _split(value, _PLACE_LEAD)
    parts = _parts(place)
    region, code = None, ""
    while parts and (found := _region(parts[-1])) and _lies_in(found, region):
        region, code = found, parts.pop()
    name = parts.pop() if parts else ""
    town = _plain(name)
    own = _COUNTRY_OF_TOWN.get(town)
    country = region.country if region else own
    elsewhere = parts if own else [*parts, name]
    if (
        country is None
        or any(_region(part) or _plain(part) in _TOWN for part in elsewhere)
        or (own and own == _COUNTRY_OF_CODE.get(code))
    ):
        return
    state = region.name if region else _STATE_OF_TOWN.get(town, "")
    if town or state:
        yield lead + _THE.get(country, country)
    if town and state:
        yield lead + state
    if own == country and _STATE_OF_TOWN.get(town, state) == state:
        yield lead + _TOWN[town]


def _lies_in(inner: _Region, outer: _Region | None) -> bool:
    return outer is None or (inner.country == outer.country and not outer.name)


def _region(part: str) -> _Region | None:
    return _REGION.get(part) or _REGION.get(_plain(part))


def _parts(place: str) -> list[str]:
    """Streets, town, region; without numbers, so without postal codes."""
    named = (
        " ".join(word for word in part.split() if not re.search("[0-9]", word))
        for part in re.split(r"[,;()\n]", place)
    )
    *before, last = [part for part in named if part] or [""]
    return [*before, *_region_apart(last)]


def _region_apart(part: str) -> list[str]:
    """`Naples FL` is a town and a region."""
    words = part.split()
    if not _region(part) and _plain(part) not in _TOWN:
        for end in range(1, len(words)):
            town, region = " ".join(words[:end]), " ".join(words[end:])
            coded = region in _STATE_OF_CODE and not town.isupper()
            if coded or (_plain(town) in _TOWN and _region(region)):
                return [town, region]
    return [part]


_Form = Callable[[str], Iterator[str]]


def _labeled(form: _Form, labels: str) -> dict[str, _Form]:
    return dict.fromkeys(labels.split(), form)


_FORMS: Final[dict[str, _Form]] = {
    **_labeled(_ages, "AGE"),
    **_labeled(_amounts, "INCOME SALARY WAGE SAVINGS WEALTH DEBT RENT MONEY AMOUNT FINANCE PRICE"),
    **_labeled(_dates, "DATE DOB BIRTH_DATE DATE_OF_BIRTH BIRTHDAY"),
    **_labeled(_places, "LOCATION CITY TOWN STATE REGION PLACE RESIDENCE BIRTHPLACE ADDRESS"),
}
