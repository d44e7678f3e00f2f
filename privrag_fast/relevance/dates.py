"""Other dates in the same layout, and what durations look like."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator, Sequence

from privrag_fast.relevance import pools
from privrag_fast.relevance.categories import pooled
from privrag_fast.relevance.numerals import NUMBER_WORD
from privrag_fast.relevance.source import Source

MONTH_NAMES = {name[:length].lower(): name for name in pools.MONTHS for length in (3, 4, len(name))}
DATE_TOKEN = re.compile(
    r"(?P<numeric>(?<![0-9])(?:[0-9]{4}(?P<iso>[./-])[0-9]{1,2}(?P=iso)[0-9]{1,2}"
    r"|[0-9]{1,2}(?P<mark>[./-])[0-9]{1,2}(?P=mark)(?:[0-9]{4}|[0-9]{2}))(?![0-9]))"
    r"|(?P<time>(?<![0-9:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)"
    r"|(?P<decade>(?<![0-9])(?:1[89]|20)?[0-9]0(?=['’]?s\b))"
    r"|(?P<quarter>(?<=\bQ)[1-4]\b)"
    r"|(?P<year>(?<![0-9])(?:1[89]|20)[0-9]{2}(?![0-9]))"
    r"|(?P<small>(?<![0-9:])[0-9]{1,2}(?:st|nd|rd|th)?(?![0-9:]))"
    rf"|(?P<month>\b(?:{'|'.join(sorted(MONTH_NAMES, key=len, reverse=True))})\b)"
    rf"|(?P<weekday>\b(?:{'|'.join(pools.WEEKDAYS)})\b)",
    re.IGNORECASE,
)
_UNITS = r"(?:years?|yrs?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|decades?)"
DURATION = re.compile(rf"(?:[0-9]|{NUMBER_WORD})[ -]?(?:{_UNITS}|[hmsdwy])\b", re.IGNORECASE)


def dates(value: str, source: Source) -> Iterator[str]:
    """Across a year that the documents name; then some years earlier, later, much earlier."""
    if not DATE_TOKEN.search(value):
        yield from pooled(pools.RELATIVE_DATES)(value, source)
        return
    if own := re.search(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])", value):
        for limit in source.borders.limits("year"):
            across = int(limit) + (1 if int(own[0]) <= limit else -1)
            yield _moved(value, across - int(own[0]), source.random)
    for _ in range(6):
        for low, high in ((-9, -3), (2, 6), (-30, -12)):
            yield _moved(value, source.random.randint(low, high), source.random)


def _moved(value: str, years: int, rng: random.Random) -> str:
    return DATE_TOKEN.sub(lambda token: _other_date(token, years, rng), value)


def _other_date(token: re.Match[str], years: int, rng: random.Random) -> str:
    old = token[0]
    if token["numeric"]:
        return _numeric_date(old, years, rng)
    if token["time"]:
        return _other_time(old, rng)
    if token["decade"]:
        return _decade(old, years)
    if token["quarter"]:
        return _other_name(old, "1234", rng)
    if token["year"]:
        return _year(old, years)
    if token["small"]:
        return _small(old, rng)
    if token["month"]:
        return _other_name(MONTH_NAMES[old.lower()], pools.MONTHS, rng)[: _month_length(old)]
    return _other_name(old, pools.WEEKDAYS, rng)


def _numeric_date(old: str, years: int, rng: random.Random) -> str:
    first, mark, second, _, third = re.split(r"([./-])", old)
    if len(first) == 4:
        return mark.join([_year(first, years), *_day_and_month(second, third, rng)])
    return mark.join([*_day_and_month(first, second, rng), _year(third, years)])


def _year(old: str, years: int) -> str:
    year = int(old) + years
    return f"{year % 100:02}" if len(old) == 2 else f"{min(max(year, 1), 9999):04}"


def _decade(old: str, years: int) -> str:
    """At least the next one."""
    return _year(old, 10 * (-(-years // 10) if years > 0 else years // 10))


def _day_and_month(one: str, other: str, rng: random.Random) -> tuple[str, str]:
    width = 2 if len(one) == len(other) == 2 else 1
    return f"{rng.randint(1, 12):0{width}}", f"{rng.randint(1, 12):0{width}}"


def _other_time(old: str, rng: random.Random) -> str:
    hour, *rest = old.split(":")
    return ":".join(
        [f"{rng.randint(1, 12):0{len(hour)}}", *(f"{rng.randint(0, 59):02}" for _ in rest)]
    )


def _small(old: str, rng: random.Random) -> str:
    """At most twelve: right as a day and as a month, in either order."""
    number = rng.randint(1, 12)
    digits = old.rstrip(string.ascii_letters)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number, "th") if digits != old else ""
    return f"{number:0{len(digits) if digits.startswith('0') else 1}}{ending}"


def _month_length(old: str) -> int | None:
    return 3 if len(old) < len(MONTH_NAMES[old.lower()]) else None


def _other_name(old: str, names: Sequence[str], rng: random.Random) -> str:
    return rng.choice([name for name in names if name.lower() != old.lower()])
