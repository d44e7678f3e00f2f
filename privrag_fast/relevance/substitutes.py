"""Plausible other values for an attribute, of the same type and written the same way."""

from __future__ import annotations

import hashlib
import itertools
import random
import re
import string
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from privrag_fast.relevance import pools
from privrag_fast.relevance.pools import Group, Pool
from privrag_fast.types import Attribute, InputError

if TYPE_CHECKING:
    from faker import Faker

_TRIES = 120
_ADULT, _TEEN, _OLDEST = 18, 13, 95


class Substitutes:
    """Proposes values that could stand in a message instead of an attribute's own.

    The same seed, label and value give the same proposals, whatever else the message holds, save
    that a value of the message itself is never proposed. Thread-safe.

    >>> city = Attribute("LOCATION", "Oslo", "[LOCATION_1]", ())
    >>> [len(values) for values in Substitutes().propose("in Oslo", [city]).values()]
    [3]
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._lock = threading.Lock()
        self._fakers: dict[str, Faker] = {}

    def propose(
        self, text: str, attributes: Sequence[Attribute], *, k: int = 3
    ) -> dict[str, tuple[str, ...]]:
        """Up to `k` values for each placeholder, at least one.

        Fewer than `k` where there are not more: a man becomes a woman or a non-binary person.
        No two are equal without regard to case, nor equal to a value of the message.
        """
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}")
        taken = {_folded(attribute.value) for attribute in attributes}
        with self._lock:
            return {own.placeholder: self._values(text, own, taken, k) for own in attributes}

    def _values(self, text: str, own: Attribute, taken: set[str], k: int) -> tuple[str, ...]:
        source = _Source(self._random(own), self._faker)
        candidates = itertools.islice(_generator(own)(own.value, source), _TRIES)
        fitting = _article_first(candidates, _article_before(text, own))
        found = list(itertools.islice(_distinct(fitting, own.value, text, taken), k))
        return tuple(found) or (next(_distinct(_neutral(own.value, source), "", text, taken)),)

    def _random(self, own: Attribute) -> random.Random:
        identity = f"{self._seed}\0{own.label}\0{own.value}".encode("utf-8", "surrogatepass")
        return random.Random(hashlib.blake2b(identity).digest())

    def _faker(self, locale: str, seed: int) -> Faker:
        if locale not in self._fakers:
            from faker import Faker  # 0.1 s that a message without names need not pay

            self._fakers[locale] = Faker(locale)
        self._fakers[locale].seed_instance(seed)
        return self._fakers[locale]


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a generator draws from; seeded for one attribute."""

    random: random.Random
    fakers: Callable[[str, int], Faker]

    def faker(self, locale: str = "en_US") -> Faker:
        return self.fakers(locale, self.random.getrandbits(32))

    def shuffled(self, values: Iterable[str]) -> list[str]:
        pool = list(values)
        return self.random.sample(pool, len(pool))


_Generator = Callable[[str, _Source], Iterator[str]]

# --------------------------------------------------------------------------- choice


def _distinct(
    candidates: Iterable[str], like: str, text: str, taken: Iterable[str]
) -> Iterator[str]:
    seen = set(taken)
    for candidate in candidates:
        value = _in_case_of(candidate, like, text).strip()
        if value and _folded(value) not in seen:
            seen.add(_folded(value))
            yield value


def _folded(value: str) -> str:
    return " ".join(value.casefold().split())


def _article_before(text: str, own: Attribute) -> str:
    """`a` or `an` where one stands before the first mention, else nothing."""
    start = own.mentions[0].start if own.mentions else 0
    match = re.search(r"\b(an?)\s+$", text[max(0, start - 8) : start], re.IGNORECASE)
    return match[1].lower() if match else ""


def _article_first(candidates: Iterator[str], article: str) -> Iterable[str]:
    """Candidates that agree with an article before them come first."""
    if not article:
        return candidates
    return sorted(candidates, key=lambda value: _article(value) != article)


def _article(word: str) -> str:
    return "an" if re.match(r"(?!uni|eu|one)[aeiou]|hono|hour|8|1[18]\b", word.lower()) else "a"


def _in_case_of(value: str, like: str, text: str) -> str:
    if like.islower():
        # Next to capitals elsewhere, "hepatitis B" and "ADHD" keep theirs.
        written = not text.islower() and (value[:1].islower() or value[:2].isupper())
        return value if written else value.lower()
    if like.isupper() and (text.isupper() or sum(map(str.isalpha, like)) > 4):
        return value.upper()
    words = re.findall(r"[^\W\d_][\w'’]*", like)
    if len(words) > 1 and all(word[0].isupper() for word in words) and value.islower():
        return re.sub(r"(?<![\w'’])[^\W\d_]", lambda letter: letter[0].upper(), value)
    # HIV positive is no start of a sentence.
    if words and like.startswith(words[0]) and words[0][0].isupper() and not words[0][1:].isupper():
        return value[:1].upper() + value[1:]
    return value


# --------------------------------------------------------------------------- numbers

_DIGITS = r"[0-9]+(?:['’ \u00a0\u202f][0-9]{3}(?![0-9])|[.,][0-9]+)*"
_WORD = "|".join([*pools.SMALL_NUMBERS, *pools.TENS, "hundred", *pools.SCALES])
_BIG = "|".join(["hundred", *pools.SCALES])
# "million" alone is no number: it belongs to the digits before it, as in "2.5 million".
_FIRST = rf"(?:half a|an?) (?=(?:{_BIG})\b)|{'|'.join([*pools.SMALL_NUMBERS, *pools.TENS])}"
_WORDS = rf"\b(?:{_FIRST})(?:(?:[ -]| and |(?<= ))(?:{_WORD}))*\b"
_NUMBER = re.compile(rf"(?P<digits>{_DIGITS})|(?P<words>{_WORDS})", re.IGNORECASE)
_WORD_VALUES = {
    **{word: number for number, word in enumerate(pools.SMALL_NUMBERS)},
    **{word: 10 * tens for tens, word in enumerate(pools.TENS, start=2)},
}


@dataclass(frozen=True, slots=True)
class _Number:
    """A number in a text, and how it is written.

    Args:
        decimals: Digits after the point.
        group: What separates thousands, "" if nothing; None for a number in words.
        sizes: Digits per group from the right; the last size repeats.
    """

    start: int
    end: int
    amount: Decimal
    decimals: int = 0
    group: str | None = ""
    point: str = "."
    sizes: tuple[int, ...] = (3,)

    def written(self, amount: Decimal) -> str:
        if self.group is None:
            return _spelled(int(amount))
        whole, _, fraction = f"{amount:.{self.decimals}f}".partition(".")
        return _grouped(whole, self.group, self.sizes) + (self.point + fraction if fraction else "")

    def rounded(self, amount: Decimal) -> Decimal:
        """To as many digits as the original shows, two at least; one for a number in words."""
        shown = str(int(self.amount.scaleb(self.decimals))).rstrip("0")
        digits = 1 if self.group is None else max(2, len(shown))
        step = Decimal(1).scaleb(max(amount.adjusted() - digits + 1, -self.decimals))
        return max((amount / step).to_integral_value(ROUND_HALF_EVEN), Decimal(1)) * step


def _numbers(text: str, *, grouped: bool = True) -> list[_Number]:
    """The numbers of a text; without `grouped`, `1.234` is a little more than one."""
    return [
        _from_digits(match, grouped) if match["digits"] else _from_words(match)
        for match in _NUMBER.finditer(text)
    ]


def _from_digits(match: re.Match[str], grouped: bool) -> _Number:
    parts = re.split(r"([^0-9])", match[0])
    marks, digits = parts[1::2], parts[0::2]
    decimal = bool(marks) and marks[-1] in ".," and _is_point(marks, digits, grouped)
    whole, fraction = (digits[:-1], digits[-1]) if decimal else (digits, "")
    group = next(iter(marks[:-1] if decimal else marks), "")
    amount = Decimal("".join(whole) + ("." + fraction if fraction else ""))
    point = marks[-1] if decimal else "," if group == "." else "."
    sizes = (3, 2) if len(whole) > 2 and len(whole[-2]) == 2 else (3,)
    return _Number(*match.span(), amount, len(fraction), group, point, sizes)


def _is_point(marks: list[str], digits: list[str], grouped: bool) -> bool:
    if len(marks) > 1:
        return marks[-1] != marks[-2]
    return not grouped or len(digits[-1]) != 3 or len(digits[0]) > 3 or digits[0].startswith("0")


def _from_words(match: re.Match[str]) -> _Number:
    total = current = 0
    for word in re.findall(r"[a-z]+", match[0].lower()):
        if word in pools.SCALES:
            total, current = total + (current or 1) * pools.SCALES[word], 0
        elif word == "hundred":
            current = (current or 1) * 100
        else:
            current += _WORD_VALUES.get(word, 0)
    whole = Decimal(total + current)
    return _Number(*match.span(), whole / 2 if match[0].startswith("half") else whole, group=None)


def _spelled(number: int) -> str:
    if number < 20:
        return pools.SMALL_NUMBERS[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return pools.TENS[tens - 2] + (f"-{_spelled(rest)}" if rest else "")
    units = {"hundred": 100, **pools.SCALES}
    name, size = max(
        (pair for pair in units.items() if pair[1] <= number), key=lambda pair: pair[1]
    )
    many, rest = divmod(number, size)
    return f"{_spelled(many)} {name}" + (f" {_spelled(rest)}" if rest else "")


def _grouped(whole: str, group: str, sizes: tuple[int, ...]) -> str:
    if not group:
        return whole
    pieces: list[str] = []
    widths = itertools.chain(sizes, itertools.repeat(sizes[-1]))
    while whole:
        width = next(widths)
        pieces.insert(0, whole[-width:])
        whole = whole[:-width]
    return group.join(pieces)


def _with_numbers(text: str, numbers: Sequence[_Number], new: Callable[[_Number], Decimal]) -> str:
    pieces: list[str] = []
    end = 0
    for number in numbers:
        pieces += text[end : number.start], number.written(new(number))
        end = number.end
    return "".join([*pieces, text[end:]])


def _to(amount: int) -> Callable[[_Number], Decimal]:
    return lambda _: Decimal(amount)


def _by(difference: int) -> Callable[[_Number], Decimal]:
    return lambda number: max(number.amount + difference, Decimal(1))


def _times(factor: Decimal) -> Callable[[_Number], Decimal]:
    return lambda number: number.rounded(number.amount * factor)


def _is_year(number: _Number) -> bool:
    return number.group == "" and not number.decimals and 1900 <= number.amount <= 2099


_SINGULAR = {
    **{many: one for one, many in pools.IRREGULAR.items()},
    **{f"{one}s": one for one in pools.REGULAR},
}
_PLURAL = {one: many for many, one in _SINGULAR.items()}
_NOUN = re.compile(
    rf"\b(?:{'|'.join(sorted([*_SINGULAR, *_PLURAL], key=len, reverse=True))})\b", re.IGNORECASE
)


def _recounted(text: str, number: _Number, amount: int, written: str | None = None) -> str:
    """The text with another count, and the noun after it in the number that this needs."""
    before, after = text[: number.start], text[number.end :]
    noun = None if after.startswith("-") else _NOUN.search(after)
    if noun:
        forms = _SINGULAR if amount == 1 else _PLURAL
        agreed = forms.get(noun[0].lower(), noun[0])
        after = after[: noun.start()] + agreed + after[noun.end() :]
    return before + (number.written(Decimal(amount)) if written is None else written) + after


# --------------------------------------------------------------------------- numeric types


_FACTORS = (0.4, 1.8, 3, 0.6, 5, 0.2, 1.4, 8, 0.1, 12)
_NEAR_FACTORS = (0.85, 1.2, 0.7, 1.4, 0.9, 1.1)


def _scaled(
    value: str,
    source: _Source,
    base: Sequence[int],
    *,
    factors: Sequence[float] = _FACTORS,
    most: int | None = None,
) -> Iterator[str]:
    """Some numbers lower and some higher; for zero, those of `base`."""
    numbers = _numbers(value, grouped=most is None)
    numbers = [number for number in numbers if not _is_year(number)] or numbers
    if all(number.amount == 0 for number in numbers):
        for amount in base:
            yield _with_numbers(value, numbers, _to(amount))
        return
    for factor in factors:
        exact = Decimal(factor * source.random.uniform(0.95, 1.05))
        if most is None or all(number.amount * exact <= most for number in numbers):
            yield _with_numbers(value, numbers, _times(exact))
    if most is not None:
        yield from _mutated(value, source)


def _amounts(value: str, source: _Source) -> Iterator[str]:
    if not _numbers(value):
        return _pooled(pools.NO_AMOUNT)(value, source)
    if re.fullmatch(r"(?:[0-9][ -]?){12,}", value):
        return _cards(value, source)
    return _scaled(value, source, (500, 2000, 10000))


def _percentages(value: str, source: _Source) -> Iterator[str]:
    return _scaled(value, source, (5, 20, 50), most=100)


def _measures(value: str, source: _Source) -> Iterator[str]:
    """Heights and weights: what a body can have."""
    if feet := re.fullmatch(r"[0-9](\D{1,3})[0-9]{1,2}(\D*)", value):
        for _ in range(_TRIES):
            height = source.random.randint(4 * 12, 7 * 12 - 1)
            yield f"{height // 12}{feet[1]}{height % 12}{feet[2]}"
    yield from _scaled(value, source, (1, 2, 3), factors=_NEAR_FACTORS, most=10**6)


def _durations(value: str, source: _Source) -> Iterator[str]:
    numbers = _numbers(value, grouped=False)
    if not numbers:
        yield from _pooled(pools.DURATIONS)(value, source)
        return
    first = numbers[0]
    if first.decimals:
        yield from _scaled(value, source, (2, 5, 12))
        return
    amount = int(first.amount)
    near = source.random.randint(1, 2)
    others = [round(amount * 0.4), amount * 3 + near, round(amount * 1.8) + 1, amount + near]
    for other in [*others, amount + 5, amount + 9, amount + 14]:
        if other > 0:
            yield _recounted(value, first, other)


_DECADE = re.compile(rf"\b(?:{'|'.join(pools.DECADES)})\b|(?<![0-9])[2-9]0['’]?s\b", re.IGNORECASE)


def _ages(value: str, source: _Source) -> Iterator[str]:
    numbers = _numbers(value)
    if decade := _DECADE.search(value):
        for other in source.shuffled(pools.DECADES):
            tens = 10 * (pools.DECADES.index(other) + 2)
            written = other if decade[0].isalpha() else f"{tens}{decade[0][2:]}"
            yield value[: decade.start()] + written + value[decade.end() :]
    elif not numbers:
        yield from _pooled(pools.AGE_WORDS)(value, source)
    elif any(map(_is_year, numbers)):
        yield from _dates(value, source)
    elif numbers[0].amount > 120 or numbers[0].decimals:
        yield from _mutated(value, source)
    else:
        yield from _other_ages(value, numbers, source)


def _other_ages(value: str, numbers: Sequence[_Number], source: _Source) -> Iterator[str]:
    first = int(numbers[0].amount)
    for age in _age_choices(first, source.random):
        if len(numbers) == 1:
            yield _recounted(value, numbers[0], age)
        else:
            yield _with_numbers(value, numbers, _by(age - first))


def _age_choices(age: int, rng: random.Random) -> Iterator[int]:
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


_COUNT = re.compile(
    rf"(?P<none>\bno\b)|(?P<one>\ban?\b(?=\s+(?:\w+\s+)?(?:{'|'.join(_PLURAL)})\b))", re.IGNORECASE
)


def _counts(value: str, source: _Source) -> Iterator[str]:
    number = _count(value)
    if number is None:
        yield from _pooled((pools.CHILDREN,))(value, source)
        return
    amount = int(number.amount)
    choices = [0, amount + source.random.randint(2, 3), 1, amount + 1, 2, amount + 4, amount + 5]
    bare = number.start == 0 and number.end == len(value)
    for other in choices:
        # A noun that stands outside the value keeps its plural.
        if other != amount and not (bare and other == 1):
            written = "no" if other == 0 and number.group is None else None
            yield _recounted(value, number, other, written)


def _count(value: str) -> _Number | None:
    if word := _COUNT.search(value):
        return _Number(*word.span(), Decimal(0 if word["none"] else 1), group=None)
    return next(iter(_numbers(value)), None)


# --------------------------------------------------------------------------- dates

_MONTH_NAMES = {
    name[:length].lower(): name for name in pools.MONTHS for length in (3, 4, len(name))
}
_DATE_TOKEN = re.compile(
    r"(?P<numeric>(?<![0-9])(?:[0-9]{4}(?P<iso>[./-])[0-9]{1,2}(?P=iso)[0-9]{1,2}"
    r"|[0-9]{1,2}(?P<mark>[./-])[0-9]{1,2}(?P=mark)(?:[0-9]{4}|[0-9]{2}))(?![0-9]))"
    r"|(?P<time>(?<![0-9:])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)"
    r"|(?P<year>(?<![0-9])(?:1[89]|20)[0-9]{2}(?![0-9]))"
    r"|(?P<small>(?<![0-9:])[0-9]{1,2}(?:st|nd|rd|th)?(?![0-9:]))"
    rf"|(?P<month>\b(?:{'|'.join(sorted(_MONTH_NAMES, key=len, reverse=True))})\b)"
    rf"|(?P<weekday>\b(?:{'|'.join(pools.WEEKDAYS)})\b)",
    re.IGNORECASE,
)
_UNITS = r"(?:years?|yrs?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|decades?)"
_DURATION = re.compile(rf"(?:[0-9]|{_WORD})[ -]?(?:{_UNITS}|[hmsdwy])\b", re.IGNORECASE)


def _dates(value: str, source: _Source) -> Iterator[str]:
    if _DURATION.search(value) and not re.search("[0-9]{4}", value):
        yield from _durations(value, source)
    elif not _DATE_TOKEN.search(value):
        yield from _pooled(pools.RELATIVE_DATES)(value, source)
    else:
        for _ in range(6):
            for low, high in ((-9, -3), (2, 6), (-30, -12)):
                years = source.random.randint(low, high)
                yield _moved(value, years, source.random)


def _moved(value: str, years: int, rng: random.Random) -> str:
    return _DATE_TOKEN.sub(lambda token: _other_date(token, years, rng), value)


def _other_date(token: re.Match[str], years: int, rng: random.Random) -> str:
    old = token[0]
    if token["numeric"]:
        return _numeric_date(old, years, rng)
    if token["time"]:
        return _other_time(old, rng)
    if token["year"]:
        return _year(old, years)
    if token["small"]:
        return _small(old, rng)
    if token["month"]:
        return _other_name(_MONTH_NAMES[old.lower()], pools.MONTHS, rng)[: _month_length(old)]
    return _other_name(old, pools.WEEKDAYS, rng)


def _numeric_date(old: str, years: int, rng: random.Random) -> str:
    first, mark, second, _, third = re.split(r"([./-])", old)
    if len(first) == 4:
        return mark.join([_year(first, years), *_day_and_month(second, third, rng)])
    return mark.join([*_day_and_month(first, second, rng), _year(third, years)])


def _year(old: str, years: int) -> str:
    year = int(old) + years
    return f"{year % 100:02}" if len(old) == 2 else f"{min(max(year, 1), 9999):04}"


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
    return 3 if len(old) < len(_MONTH_NAMES[old.lower()]) else None


def _other_name(old: str, names: Group, rng: random.Random) -> str:
    return rng.choice([name for name in names if name.lower() != old.lower()])


# --------------------------------------------------------------------------- pools

_LEAD = re.compile(
    r"(?:(?:i(?:['’]m| am| have)|i|works?|working|employed|diagnosed|lives?|lived|living|married to"
    r"|born|from|of|in|at|for|as|by|with|the|an?|my|our|his|her)\s+)+",
    re.IGNORECASE,
)


def _pooled(pool: Pool, *, inside: bool = True) -> _Generator:
    """Members of the group that a value belongs to, in the place of the member that it holds.

    Args:
        inside: Whether a member may be a part of the value, as in `rural Montana`.
    """

    def generate(value: str, source: _Source) -> Iterator[str]:
        lead, body = _split_lead(value, pool)
        found = _member(body, pool, inside=inside)
        group, start, end = found or (pool[0], 0, len(body))
        for other in source.shuffled(group):
            if other.casefold() != body[start:end].casefold():
                new = _in_case_of(other, body[start:end], "")
                yield _agreeing(lead + body[:start], new) + new + body[end:]

    return generate


def _split_lead(value: str, pool: Pool) -> tuple[str, str]:
    """Words that only lead to the value proper: `work for the`, `I'm a`."""
    lead = _LEAD.match(value)
    if lead is None or any(value.casefold() in map(str.casefold, group) for group in pool):
        return "", value
    return value[: lead.end()], value[lead.end() :]


def _member(value: str, pool: Pool, *, inside: bool) -> tuple[Group, int, int] | None:
    """The longest member of the pool that the value is, or holds as whole words."""
    best: tuple[Group, int, int] | None = None
    for group in pool:
        for member in group:
            for match in _occurrences(member, value, inside=inside):
                if best is None or match.end() - match.start() > best[2] - best[1]:
                    best = (group, match.start(), match.end())
    return best


def _occurrences(member: str, value: str, *, inside: bool) -> Iterator[re.Match[str]]:
    # Abbreviations are words in lower case: "us", "in", "me".
    flags = 0 if len(member) <= 2 and member.isupper() else re.IGNORECASE
    if member.casefold() not in value.casefold():
        return
    pattern = rf"(?<![\w+-]){re.escape(member)}(?![\w+])"
    for match in re.finditer(pattern, value, flags):
        if inside or match.span() == (0, len(value)):
            yield match


def _agreeing(before: str, word: str) -> str:
    """What stands before a word, with its last article made right for it."""
    article = re.search(r"\b(an?)(\s+)$", before, re.IGNORECASE)
    if article is None:
        return before
    agreed = _article(word)
    agreed = agreed.capitalize() if article[1][0].isupper() else agreed
    return before[: article.start()] + agreed + article[2]


def _places(value: str, source: _Source) -> Iterator[str]:
    if re.search("[0-9]", value):
        yield from _addresses(value, source)
        return
    value = pools.COUNTRY_CODES.get(value, value)
    if parts := re.fullmatch(r"([^,]+), ?([^,]+)", value):
        yield from _towns(parts[2].strip(), source)
    if _member(value, (pools.CITIES,), inside=False):
        yield from _cities_abroad(value, source)
    yield from _pooled(pools.PLACES)(value, source)


def _towns(region: str, source: _Source) -> Iterator[str]:
    """City and state after `Boulder, Colorado` or `TN`, city and country otherwise."""
    is_code = region in pools.US_STATE_CODES
    if is_code or region.casefold() in map(str.casefold, pools.US_STATES):
        for city in source.shuffled(pools.US_CITIES):
            yield f"{city}, {pools.US_CITIES[city][is_code]}"
    for city in source.shuffled(pools.CITIES):
        if pools.CITY_COUNTRY[city].casefold() != region.casefold():
            yield f"{city}, {pools.CITY_COUNTRY[city]}"


def _cities_abroad(value: str, source: _Source) -> Iterator[str]:
    """One city per country first: what depends on a city mostly depends on its country."""
    lands = {city.casefold(): land for city, land in pools.CITY_COUNTRY.items()}
    seen = {lands[value.casefold()]}
    for city in source.shuffled(pools.CITIES):
        if pools.CITY_COUNTRY[city] not in seen:
            seen.add(pools.CITY_COUNTRY[city])
            yield city


def _occupations(value: str, source: _Source) -> Iterator[str]:
    if _member(_split_lead(value, pools.STATUSES)[1], pools.STATUSES, inside=False):
        yield from _pooled(pools.STATUSES)(value, source)
        return
    modifiers = "|".join(pools.STATUS_MODIFIERS)
    match = re.fullmatch(rf"(?P<status>(?:{modifiers})\s+)?(?P<job>.*)", value, re.I | re.S)
    status = match["status"] if match and match["status"] else ""
    jobs = _pooled(pools.OCCUPATIONS, inside=False)(value[len(status) :], source)
    others = [other for other in pools.STATUS_MODIFIERS if other != status.strip().lower()]
    for turn, job in enumerate(jobs):
        # Now and then the status changes too: a rule may ask for either.
        change = turn % 2 if status else turn % 3 == 2
        yield f"{source.random.choice(others) if change else status.strip()} {job}".strip()


def _education(value: str, source: _Source) -> Iterator[str]:
    known = _member(value, pools.DEGREES, inside=True)
    if not known and re.search(r"universit|college|school|institute", value, re.IGNORECASE):
        yield from source.shuffled(pools.UNIVERSITIES)
    yield from _pooled(pools.DEGREES)(value, source)


def _relations(value: str, source: _Source) -> Iterator[str]:
    if _count(value):
        return _counts(value, source)
    return _pooled(pools.RELATIONS)(value, source)


# --------------------------------------------------------------------------- identifiers


_NAME_WORD = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")


def _names(value: str, source: _Source) -> Iterator[str]:
    faker = source.faker(_locale(value))
    if re.search("[\u3040-\u9fff\uac00-\ud7af]", value):
        yield from (faker.name() for _ in range(_TRIES))
    words = _NAME_WORD.findall(value)
    proper = [word for word in words if not _stays(word, value)] or words
    for _ in range(_TRIES):
        new = {word: faker.last_name() for word in proper[1:]}
        new |= {word: faker.random_uppercase_letter() for word in proper[1:] if len(word) == 1}
        new |= {word: faker.first_name() for word in proper[:1]}
        yield _renamed(value, new)


def _renamed(value: str, new: dict[str, str]) -> str:
    return _NAME_WORD.sub(lambda word: new.get(word[0], word[0]), value)


def _surnames(value: str, source: _Source) -> Iterator[str]:
    faker = source.faker(_locale(value))
    return (faker.last_name() for _ in range(_TRIES))


def _stays(word: str, value: str) -> bool:
    """Titles, and `van` or `de` where other words are capitalized."""
    return word.lower().rstrip(".") in pools.TITLES or (word.islower() and not value.islower())


def _locale(value: str) -> str:
    for character in value:
        script = unicodedata.name(character, "").split(" ")[0]
        if script in pools.SCRIPT_LOCALES:
            return pools.SCRIPT_LOCALES[script]
    return "en_US"


def _companies(value: str, source: _Source) -> Iterator[str]:
    faker = source.faker()
    lead, body = _split_lead(value, ())
    suffix = next(
        (
            s
            for s in sorted(pools.COMPANY_SUFFIXES, key=len, reverse=True)
            if body.endswith(f" {s}")
        ),
        "",
    )
    for _ in range(_TRIES):
        yield f"{lead}{faker.last_name()} {suffix or source.random.choice(pools.COMPANY_SUFFIXES)}"


def _emails(value: str, source: _Source) -> Iterator[str]:
    faker = source.faker()
    for _ in range(_TRIES):
        yield f"{faker.user_name()}@{source.random.choice(pools.MAIL_DOMAINS)}"


def _addresses(value: str, source: _Source) -> Iterator[str]:
    faker = source.faker()
    parts = value.count(",") + 1
    if not re.search(r"[^\W\d_]{3}", value):
        yield from _mutated(value, source)
    for _ in range(_TRIES):
        pieces = [
            faker.street_address().lstrip("0"),
            faker.city(),
            f"{faker.state_abbr()} {faker.zipcode()}",
        ]
        yield ", ".join(pieces[:parts])


def _urls(value: str, source: _Source) -> Iterator[str]:
    scheme, mark, rest = value.rpartition("://")
    _, slash, path = rest.partition("/")
    for word in source.shuffled(pools.NEUTRAL):
        yield f"{scheme}{mark}{word}.example{slash}{word if path else ''}"


def _ips(value: str, source: _Source) -> Iterator[str]:
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+){3}", value):
        yield from _mutated(value, source)
    for _ in range(_TRIES):
        yield ".".join(str(source.random.randint(1, 254)) for _ in range(4))


def _phones(value: str, source: _Source) -> Iterator[str]:
    """Other subscriber numbers; country code and area code stay."""
    digits = [index for index, character in enumerate(value) if character.isdigit()]
    cut = digits[min(4, len(digits) // 2)] if digits else 0
    return (value[:cut] + other for other in _mutated(value[cut:], source))


def _cards(value: str, source: _Source) -> Iterator[str]:
    return _with_check(value, source, keep=1, solve=_luhn)


def _ibans(value: str, source: _Source) -> Iterator[str]:
    compact = re.sub(r"\s", "", value).upper()
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{6,30}", compact):
        yield from _mutated(value, source)
    for account in _mutated(compact[4:], source):
        number = "".join(str(int(c, 36)) for c in f"{account}{compact[:2]}00")
        yield _laid_out(f"{compact[:2]}{98 - int(number) % 97:02}{account}", value)


def _with_check(
    value: str, source: _Source, *, keep: int, solve: Callable[[str], str]
) -> Iterator[str]:
    """Random digits but for the first `keep`, and a last one that makes the checksum right."""
    digits = re.sub(r"[^0-9]", "", value)
    if len(digits) < 8 or re.search(r"[^\W\d_]", value):
        yield from _mutated(value, source)
    for _ in range(_TRIES):
        body = digits[:keep] + "".join(source.random.choice(string.digits) for _ in digits[keep:-1])
        yield _laid_out(body + solve(body), value)


def _luhn(body: str) -> str:
    doubled = (2 * int(d) if i % 2 == 0 else int(d) for i, d in enumerate(reversed(body)))
    return str(-sum(d - 9 if d > 9 else d for d in doubled) % 10)


def _laid_out(compact: str, like: str) -> str:
    """The characters of `compact` with the gaps of `like`."""
    rest = iter(compact)
    return "".join(next(rest, "") if character.isalnum() else character for character in like)


def _mutated(value: str, source: _Source) -> Iterator[str]:
    """Digit for digit; letters too where they are mixed with digits or there is no digit."""
    runs = re.split(r"([\W_]+)", value)
    lettered = not any(character.isdigit() for character in value)
    is_hex = re.fullmatch("[0-9a-fA-F:.-]{6,}", value)
    letters = "abcdef" if is_hex else string.ascii_lowercase
    for _ in range(_TRIES):
        yield "".join(
            run if run.isalpha() and not lettered else _mutated_run(run, source.random, letters)
            for run in runs
        )


def _digits_mutated(value: str, source: _Source) -> Iterator[str]:
    """Digit for digit; every letter stays, as in `181cm`."""
    return (
        re.sub(r"\d+", lambda run: _mutated_run(run[0], source.random, ""), value)
        for _ in range(_TRIES)
    )


def _mutated_run(run: str, rng: random.Random, letters: str) -> str:
    counts = len(run) > 1 or run != "0"
    return "".join(
        _mutated_character(character, rng, letters, first=index == 0 and counts)
        for index, character in enumerate(run)
    )


def _mutated_character(character: str, rng: random.Random, letters: str, *, first: bool) -> str:
    if character.isdecimal():
        # Zero in front stays there and comes from nowhere else; the script of the digits stays.
        if first and unicodedata.decimal(character) == 0:
            return character
        zero = ord(character) - unicodedata.decimal(character)
        return chr(zero + rng.randint(1 if first else 0, 9))
    if character.isascii() and character.isalpha():
        letter = rng.choice(letters)
        return letter.upper() if character.isupper() else letter
    return character


# --------------------------------------------------------------------------- anything else


def _neutral(value: str, source: _Source) -> Iterator[str]:
    """As many neutral words as the value has, for types of which nothing is known."""
    words = max(1, len(value.split()))
    for length in itertools.count(min(words, 6)):
        for _ in range(_TRIES):
            yield " ".join(source.random.choices(pools.NEUTRAL, k=length))


_CURRENCY = (
    r"[$€£¥₹₽₩₺]|\b(?:CHF|EUR|USD|GBP|SAR|CAD|AUD|JPY|INR|SEK|NOK|DKK|PLN)\b"
    r"|\b(?:dollars?|euros?|francs?|pounds?|bucks)\b"
)
_SHAPES: tuple[tuple[str, _Generator], ...] = (
    (r"^[^\s@]+@[^\s@]+\.\w+$", _emails),
    (r"^(?:https?://|www\.)", _urls),
    (r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$", _ips),
    (_CURRENCY + r"|[0-9][kK]\b", _amounts),
    (r"[0-9]\s?(?:%|percent\b|per cent\b)", _percentages),
    (r"\byears?[ -]old\b", _ages),
    (_DURATION.pattern, _durations),
    (r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])", _dates),
    (r"(?<![0-9])[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})(?![0-9])", _dates),
    (rf"\b[0-9]{{1,2}} (?:{'|'.join(_MONTH_NAMES)})\b", _dates),
    (rf"\b(?:{'|'.join(_MONTH_NAMES)})\.? [0-9]{{1,4}}\b", _dates),
    (rf"^(?:no|[0-9]+|{_WORD})\s+(?:\w+\s+)?(?:{'|'.join([*_SINGULAR, *_PLURAL])})$", _counts),
    (r"^[0-9.,]+ ?(?:cm|mm|kg|lbs?|km|g|mg|mmhg|bpm|°[cf])$", _measures),
    (r"^[3-7] ?(?:['’′]|ft|feet) ?(?:[0-9]|1[01])(?:[\"”″]| ?in(?:ches)?)?$", _measures),
    (r"\d", _digits_mutated),
)


def _by_shape(value: str, source: _Source) -> Iterator[str]:
    for pattern, generator in _SHAPES:
        if re.search(pattern, value, re.IGNORECASE):
            yield from generator(value, source)
            return
    if _member(value, pools.ALL, inside=False):
        yield from _pooled(pools.ALL)(value, source)
    yield from itertools.islice(_neutral(value, source), _TRIES)


def _generator(own: Attribute) -> _Generator:
    label = re.sub(r"[\W_]+", "_", own.label.upper()).strip("_")
    return _LABELS.get(label, _by_shape)


def _labeled(generator: _Generator, labels: str) -> dict[str, _Generator]:
    return dict.fromkeys(labels.split(), generator)


_LABELS: dict[str, _Generator] = {
    **_labeled(_names, "PERSON NAME FIRST_NAME FULL_NAME GIVEN_NAME"),
    **_labeled(_surnames, "LAST_NAME SURNAME FAMILY_NAME"),
    **_labeled(_emails, "EMAIL EMAIL_ADDRESS"),
    **_labeled(_phones, "PHONE PHONE_NUMBER FAX"),
    **_labeled(_ibans, "IBAN"),
    **_labeled(_cards, "CARD CREDIT_CARD CARD_NUMBER CREDIT_CARD_NUMBER"),
    **_labeled(
        _mutated, "SSN ID ID_NUMBER CODE ZIP ZIP_CODE POSTCODE PASSPORT LICENSE ACCOUNT TAX_ID"
    ),
    **_labeled(_addresses, "ADDRESS STREET STREET_ADDRESS"),
    **_labeled(_urls, "URL WEBSITE"),
    **_labeled(_ips, "IP IP_ADDRESS"),
    **_labeled(_ages, "AGE"),
    **_labeled(_amounts, "MONEY AMOUNT INCOME SALARY WAGE SAVINGS DEBT FINANCE WEALTH PRICE RENT"),
    **_labeled(_percentages, "PERCENT PERCENTAGE"),
    **_labeled(_dates, "DATE DATETIME TIME DOB BIRTH_DATE DATE_OF_BIRTH BIRTHDAY YEAR"),
    **_labeled(_durations, "DURATION"),
    **_labeled(_counts, "CHILDREN KIDS DEPENDENTS COUNT HOUSEHOLD_SIZE"),
    **_labeled(_places, "LOCATION CITY TOWN COUNTRY STATE REGION PLACE RESIDENCE BIRTHPLACE"),
    **_labeled(_pooled(pools.NATIONALITIES), "NATIONALITY CITIZENSHIP ETHNICITY RACE"),
    **_labeled(_pooled((*pools.NATIONALITIES, *pools.GENDERS, pools.COUNTRIES)), "DEMOGRAPHIC"),
    **_labeled(_pooled(pools.GENDERS), "GENDER SEX"),
    **_labeled(_pooled(pools.MARITAL), "MARITAL_STATUS MARITAL"),
    **_labeled(_relations, "RELATIONSHIP RELATIVE FAMILY"),
    **_labeled(_occupations, "OCCUPATION JOB PROFESSION JOB_TITLE EMPLOYMENT EMPLOYMENT_STATUS"),
    **_labeled(_companies, "EMPLOYER ORGANIZATION ORGANISATION COMPANY WORKPLACE"),
    **_labeled(_education, "EDUCATION DEGREE QUALIFICATION"),
    **_labeled(_pooled(pools.HEALTH, inside=False), "HEALTH HEALTH_CONDITION DISEASE DISABILITY"),
    **_labeled(_pooled((pools.BLOOD_TYPES,)), "BLOOD_TYPE"),
    **_labeled(_pooled(pools.RELIGIONS), "RELIGION FAITH"),
    **_labeled(_pooled(pools.POLITICS), "POLITICS POLITICAL_AFFILIATION PARTY"),
    **_labeled(_pooled((*pools.RELIGIONS, *pools.POLITICS)), "BELIEF"),
    **_labeled(_pooled(pools.ORIENTATIONS), "ORIENTATION SEXUAL_ORIENTATION SEXUALITY"),
    **_labeled(_pooled(pools.HOUSING), "HOUSING TENURE"),
    **_labeled(_pooled(pools.PETS), "PET PETS"),
    **_labeled(_pooled(pools.HOBBIES), "HOBBY"),
    **_labeled(_pooled(pools.LANGUAGES), "LANGUAGE"),
    **_labeled(_pooled(pools.VISAS), "VISA IMMIGRATION_STATUS RESIDENCY"),
    **_labeled(_pooled((pools.INDUSTRIES,)), "INDUSTRY"),
}
