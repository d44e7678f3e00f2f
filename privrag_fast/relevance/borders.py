"""What documents name, where it may be a border of one of their rules.

A number counts for a kind - an age, an income, years as a customer - by its unit and by the words
round it: `at least 62 years old` is no fee, and `CHF 8 a month` is no income.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final, get_args

from privrag_fast.relevance import pools
from privrag_fast.relevance.kinds import FOLLOWERS, KINDS, LIMITS, Unit, stem
from privrag_fast.relevance.numerals import Number, numbers

_MONEY: Final = (
    r"(?:[€£$¥]|\b(?:CHF|EUR|USD|GBP|Fr|SFr|CAD|AUD|SEK|NOK|DKK|PLN|francs?|euros?|pounds?"
    r"|dollars?)\b)"
)
_CURRENCY: Final = re.compile(r"([€£$]|\b(?:CHF|EUR|USD|GBP))\s?(?=[0-9])")
_BEFORE: Final = re.compile(rf"{_MONEY}\.?\s?$", re.IGNORECASE)
_AFTER: Final = re.compile(
    rf"(?P<scale>k\b|\s(?:thousand|million)\b)?(?:(?P<none>\w|[-–]?\s?(?:{'|'.join(pools.MONTHS)})\b)"
    r"|(?P<percent>\s?%|\s?per\s?cent\b)"
    rf"|(?P<money>[ \u00a0]?{_MONEY}|\.[–-])"
    r"|(?P<age>(?:[ -]years?)? (?:or|and) (?:older|younger)\b"
    r"|[ -]years?(?:[ -]olds?\b| of age\b| (?:or|and) (?:above|over|under|below|upward)\b))"
    r"|(?P<time>[ -](?P<years>years?|months?)\b)"
    r"|(?P<children>(?:\s(?!(?:or|and|for|to)\b)[\w-]+|\sor more){0,2}?"
    r"\s(?:child|children|kids?)\b)"
    rf"|(?P<bare>\s*(?:[.,;:|)!?*\n]|$)|\s(?:{FOLLOWERS})\b))",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(r" ?(?:to|and|or|through|until|–|-) ?(?:[^\s\d]{1,3} ?)?", re.IGNORECASE)
_PERIOD: Final = re.compile(
    r"\W{0,3}(?:\w+ )?(?:an?|per|each|every) (month|year)|\W?(month|year)ly", re.I
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_LEAD: Final = re.compile(r"^(?:(?:in|on|an?|the) )+")
_SUFFIX: Final = "|".join(re.escape(name) for name in pools.COMPANY_SUFFIXES if name[0].isupper())
_COMPANY: Final = re.compile(
    rf"\b[A-Z][\w'’-]+(?:\.?(?: &)? [A-Z][\w'’-]+){{0,4}}? (?:{_SUFFIX})(?!\w)"
)
_BREAK: Final = re.compile(r"[.!?:;](?=\s)|\n")
_SCALES: Final = {"k": 1_000, "thousand": 1_000, "million": 1_000_000}
_STEP = 40


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a document.

    Args:
        amount: Times are in months.
        period: `month` or `year` where one is said, else "".
        limit: A word such as `least` or `below` stands by it.
    """

    start: int
    end: int
    amount: Decimal
    unit: Unit
    period: str = ""
    limit: bool = False


_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Cues:
    """Where a text speaks of which kind; weak cues under the kind and a question mark."""

    places: Mapping[str, Sequence[_Span]]
    breaks: Sequence[int]

    def distance(self, kind: str, span: _Span) -> float:
        """Characters to the kind's nearest cue; more where a sentence ends between."""
        return min(self.nearest(kind, span), 2 * self.nearest(f"{kind}?", span) + _STEP)

    def nearest(self, key: str, span: _Span) -> float:
        places = self.places.get(key, ())
        after = bisect_right(places, span)
        near = places[max(0, after - 1) : after + 1]
        return min((self._gap(place, span) for place in near), default=float("inf"))

    def _gap(self, cue: _Span, span: _Span) -> float:
        low, high = (cue[1], span[0]) if cue < span else (span[1], cue[0])
        between = bisect_left(self.breaks, high) - bisect_left(self.breaks, low)
        # What stands before a number says more: "of income" ends a clause, "income of" opens one.
        return max(0, high - low) * (1.0 if cue < span else 1.3) + _STEP * between


@dataclass(frozen=True, slots=True)
class _Reading:
    """A document, read once.

    Args:
        stems: All its words, as singulars, with a space round each.
    """

    text: str
    stems: str
    lowered: str
    words: frozenset[str]
    figures: tuple[Figure, ...]
    cues: _Cues

    def place(self, first: str, phrase: str) -> int:
        if first not in self.words:
            return -1
        # A capital tells: "Split" is a town, to split is not.
        return (self.lowered if phrase.islower() else self.stems).find(phrase)


class Borders:
    """What some documents name: numbers of a kind, and words.

    >>> Borders(["For people of 62 or older; it costs CHF 62 a year."]).limits("age")
    (Decimal('62'),)
    """

    def __init__(self, documents: Sequence[str] = ()) -> None:
        self._readings = [read(document) for document in documents]

    def limits(self, kind: str, own: Decimal = Decimal(0)) -> tuple[Decimal, ...]:
        """The numbers of a kind, the likeliest border of somebody's own number first."""
        scores: dict[Decimal, float] = {}
        for rank, reading in enumerate(self._readings):
            for figure in reading.figures:
                if score := likeness(figure, kind, reading.cues) / (1 + 0.25 * rank):
                    amount = amount_of(figure, kind)
                    scores[amount] = max(scores.get(amount, 0.0), score)
        likely = [amount for amount in scores if scores[amount] >= LIKELY]
        return tuple(sorted(likely, key=lambda amount: -scores[amount] * _nearness(amount, own)))

    def place(self, ways: Iterable[str]) -> int | None:
        """Where the documents first say one thing in one of these ways; None if nowhere."""
        phrases = [phrase for way in ways for phrase in _PHRASES.get(way) or _phrases(way)]
        for rank, reading in enumerate(self._readings):
            found = [at for phrase in phrases if (at := reading.place(*phrase)) >= 0]
            if found:
                return rank * 10**9 + min(found)
        return None

    def money(self, amount: Decimal) -> str:
        """An amount as the documents write it: `CHF 60,000`."""
        marks = (_CURRENCY.search(reading.text) for reading in self._readings)
        currency = next((mark[1] for mark in marks if mark), "")
        return f"{currency}{' ' * currency.isalpha()}{round(amount, -2 if amount > 1000 else 0):,f}"

    def employers(self) -> tuple[str, ...]:
        """Names of companies beside words for staff and work."""
        away = {
            name[0]: (rank, reading.cues.distance("tenure", name.span()))
            for rank, reading in enumerate(self._readings)
            for name in _COMPANY.finditer(reading.text)
        }
        near = [name for name, (_, distance) in away.items() if distance < 2 * _STEP]
        return tuple(sorted(near, key=away.__getitem__))


_RIVALS: Final = {
    unit: frozenset(name for name, kind in KINDS.items() if kind.cues and unit in kind.units)
    for unit in get_args(Unit)
}
LIKELY: Final = 0.15
"""What is less like a border of some kind is none."""
_GROWN, _NEAR = 14, 10


def likeness(figure: Figure, kind: str, cues: _Cues) -> float:
    """How likely a figure is of a kind, by its unit and the words round it; 0 if it cannot be."""
    about = KINDS[kind]
    if figure.unit not in about.units or not about.low <= amount_of(figure, kind) <= about.high:
        return 0.0
    if figure.unit == "bare" and "money" in about.units and not figure.limit:
        return 0.0
    weight = 2.0 if figure.limit else 1.0
    if not about.cues:
        return weight * 0.4
    if kind == "age" and figure.unit == "time":
        weight *= 0.3  # years are of many things
    span = figure.start, figure.end
    own = 0.0 if figure.unit == "age" else cues.distance(kind, span)
    if kind == "age" and figure.unit == "bare" and figure.limit and figure.amount >= _GROWN:
        own = min(own, 3 * _STEP)
    rivals = (cues.distance(name, span) for name in _RIVALS[figure.unit] - {kind})
    other = min(rivals, default=own)
    return weight * min(1.0, (other + _NEAR) / (own + _NEAR)) / (1 + own / _STEP)


def _nearness(amount: Decimal, own: Decimal) -> float:
    """Of a range that somebody is outside of, the end that is near is the border."""
    return 1 / (1 + 4 * float(abs(amount - own) / (max(amount, own) or 1)))


def amount_of(figure: Figure, kind: str) -> Decimal:
    """In years where it is an age; a year's where it is an income."""
    if kind == "age" and figure.unit == "time":
        return figure.amount / 12
    monthly = figure.period == "month" or (not figure.period and figure.amount < 12_000)
    return figure.amount * 12 if kind == "income" and monthly else figure.amount


def nearest_kind(kinds: Sequence[str], before: str, after: str) -> str | None:
    """Of some kinds, the one that the words round a value speak of most closely."""
    # In a list, a comma ends a clause.
    cues, _ = _cues(f"{before} {after}".replace(", ", "; "))
    span = len(before), len(before) + 1
    away = {kind: cues.distance(kind, span) for kind in kinds}
    best = min(kinds, key=away.__getitem__)
    return best if away[best] < _STEP * 3 else None


@lru_cache(maxsize=128)  # passages of the corpus, which is public, come again and again
def read(document: str) -> _Reading:
    """A document's figures and cues."""
    cues, stems = _cues(document)
    figures = _figures(document, cues)
    joined = f" {' '.join(stems)} "
    words = frozenset(stems) | frozenset(joined.lower().split())
    return _Reading(document, joined, joined.lower(), words, figures, cues)


def _cues(text: str) -> tuple[_Cues, list[str]]:
    """What a text speaks of, and the stems of its words."""
    places: dict[str, list[_Span]] = {}
    stems: list[str] = []
    for word in _WORD.finditer(text):
        stems.append(stem(word[0]))
        for key in _KEYS.get(stems[-1].lower(), ()):
            places.setdefault(key, []).append(word.span())
    return _Cues(places, [match.start() for match in _BREAK.finditer(text)]), stems


def _phrases(way: str) -> tuple[tuple[str, str], ...]:
    """A value as documents hold it, without what only leads to it, each with its first word."""
    country = pools.COUNTRY_OF_PEOPLE.get(way)
    names = (_LEAD.sub("", way), *([country] if country else ()))
    found = ([stem(word) for word in _WORD.findall(name)] or [name] for name in names)
    return tuple((words[0], f" {' '.join(words)} ") for words in found)


# Of the pools only: what a user wrote is kept nowhere.
_PHRASES: Final = {way: _phrases(way) for group in pools.ALL for way in group.ways}


def _keys() -> dict[str, tuple[str, ...]]:
    keys: dict[str, tuple[str, ...]] = dict.fromkeys(LIMITS, (_LIMIT,))
    for name, kind in KINDS.items():
        for key, words in ((name, kind.cues), (f"{name}?", kind.weak)):
            keys |= {word: (*keys.get(word, ()), key) for word in words}
    return keys


_LIMIT: Final = "limit"
_KEYS: Final = _keys()


def _figures(text: str, cues: _Cues) -> tuple[Figure, ...]:
    found = numbers(text)
    units: list[Unit] = []
    afters: list[re.Match[str] | None] = []
    for number in found:
        after = _AFTER.match(text, number.end)
        afters.append(after)
        units.append(_unit(text, number, after))
    _share_units(text, found, units, afters)
    return tuple(
        _figure(text, number, unit, after, cues)
        for number, unit, after in zip(found, units, afters, strict=True)
        if unit != "none"
    )


def _unit(text: str, number: Number, after: re.Match[str] | None) -> Unit:
    if _BEFORE.search(text[max(0, number.start - 8) : number.start]):
        return "money"
    if after is None:
        return "none"
    for unit in ("percent", "money", "age", "time", "children", "bare"):
        if after[unit] is not None:
            return unit
    return "none"


def _share_units(
    text: str, found: Sequence[Number], units: list[Unit], afters: list[re.Match[str] | None]
) -> None:
    """In a range, one number may have its unit from the other: `23 to 68 years`, `CHF 5 to 9`."""
    for left in range(len(found) - 2, -1, -1):
        right = left + 1
        if _RANGE.fullmatch(text[found[left].end : found[right].start]):
            if units[left] in ("bare", "none") and units[right] != "none":
                units[left], afters[left] = units[right], afters[right]
            elif units[right] in ("bare", "none") and units[left] == "money":
                units[right] = "money"


def _figure(
    text: str, number: Number, unit: Unit, after: re.Match[str] | None, cues: _Cues
) -> Figure:
    amount, end, period = number.amount, number.end, ""
    if after is not None:
        amount *= _SCALES.get((after["scale"] or "").strip().lower(), 1)
        if unit == "time" and (after["years"] or "").lower().startswith("year"):
            amount *= 12
    if unit == "money" and (said := _PERIOD.match(text, end if after is None else after.end())):
        period = (said[1] or said[2]).lower()
    limit = cues.nearest(_LIMIT, (number.start, end)) <= 30
    return Figure(number.start, end, amount, unit, period, limit)
