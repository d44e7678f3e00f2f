"""Other values of one category, in the same form: places, statuses, occupations, schooling."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from privrag_fast.articles import agreeing
from privrag_fast.relevance import pools
from privrag_fast.relevance.identifiers import addresses
from privrag_fast.relevance.pools import Group, Pool, Ways
from privrag_fast.relevance.source import Generator, Source, T, in_case_of, split_lead


def pooled(pool: Pool, *, led: bool = True) -> Generator:
    """Members of the group that a value belongs to, in the place of the member that it holds.

    Args:
        led: Whether words such as `from` stay before the substitute of a value that is unknown.
    """

    def generate(value: str, source: Source) -> Iterator[str]:
        lead, body = split_lead(value, pool)
        found = member(body, pool)
        if found is None and not led:
            lead, body = "", value
        group, start, end = found or (pool[0], 0, len(body))
        for other in _others(group, body[start:end], source, known=found is not None):
            new = in_case_of(other, body[start:end], "")
            yield agreeing(lead + body[:start], new) + new + body[end:]

    return generate


def member(value: str, pool: Pool) -> tuple[Group, int, int] | None:
    """The longest member of the pool that the value is, or holds as whole words."""
    best: tuple[Group, int, int] | None = None
    for group in pool:
        for way in group.ways:
            for match in _occurrences(way, value, whole=group.whole):
                if best is None or match.end() - match.start() > best[2] - best[1]:
                    best = (group, match.start(), match.end())
    return best


def _occurrences(way: str, value: str, *, whole: bool) -> Iterator[re.Match[str]]:
    if way.casefold() not in value.casefold():
        return
    # Abbreviations are words in lower case: "us", "in", "me".
    flags = 0 if len(way) <= 2 and way.isupper() else re.IGNORECASE
    for match in re.finditer(rf"(?<![\w+-]){re.escape(way)}(?![\w+])", value, flags):
        if not whole or match.span() == (0, len(value)):
            yield match


# --------------------------------------------------------------------------- order


def _others(group: Group, own: str, source: Source, *, known: bool) -> Iterator[str]:
    """Other meanings, those across a border of the documents first.

    Where the documents name the value, one that they do not name; otherwise one that they name;
    and so on in turn.
    """
    same = _is_one_of if known else _overlaps
    own_ways = next((ways for ways in group.meanings if _is_one_of(own, ways)), (own,))
    others = [ways for ways in source.shuffled(group.meanings) if not same(own, ways)]
    named, unnamed = _by_naming([(ways, source.borders.place(ways)) for ways in others])
    if source.borders.place(own_ways) is None:
        named, unnamed = unnamed, named
    return (ways[0] for ways in _in_turn(unnamed, named))


def _by_naming(places: Sequence[tuple[T, int | None]]) -> tuple[list[T], list[T]]:
    """What the documents name, in their order, and the rest."""
    named = sorted((place, index) for index, (_, place) in enumerate(places) if place is not None)
    return [places[i][0] for _, i in named], [item for item, place in places if place is None]


def _in_turn(first: Sequence[T], second: Sequence[T]) -> Iterator[T]:
    pairs = itertools.zip_longest(first, second)
    return (item for pair in pairs for item in pair if item is not None)


def _is_one_of(own: str, ways: Ways) -> bool:
    return own.casefold() in map(str.casefold, ways)


def _overlaps(own: str, ways: Ways) -> bool:
    """A math teacher is a teacher."""
    words = set(own.casefold().split())
    others = [set(way.casefold().split()) for way in ways]
    return any(words <= other or other <= words for other in others)


# --------------------------------------------------------------------------- places


def places(value: str, source: Source) -> Iterator[str]:
    if re.search("[0-9]", value):
        yield from addresses(value, source)
        return
    if parts := re.fullmatch(r"([^,]+), ?([^,]+)", value):
        yield from _towns(parts[2].strip(), source)
    if value.casefold() in pools.COUNTRY_OF:
        yield from _other_cities(value, source)
    yield from pooled(pools.PLACES)(value, source)


def _towns(region: str, source: Source) -> Iterator[str]:
    """City and state after `Boulder, Colorado` or `TN`, city and country otherwise."""
    is_code = region in pools.US_STATE_CODES.ways
    if is_code or region.casefold() in map(str.casefold, pools.US_STATES.ways):
        for city in source.shuffled(pools.US_CITIES):
            yield f"{city}, {pools.US_CITIES[city][is_code]}"
    for land, city in _one_city_each(source):
        if land.casefold() != region.casefold():
            yield f"{city}, {land}"


def _other_cities(value: str, source: Source) -> Iterator[str]:
    """Those that the documents name, and one of every other country: what depends on a city mostly
    depends on its country."""
    own = pools.COUNTRY_OF[value.casefold()]
    cities = [
        (city, _place_named(city, land, source))
        for land, city in _one_city_each(source)
        if land != own
    ]
    cities += [
        (ways[0], place)
        for ways in pools.CITIES.meanings
        if not _is_one_of(value, ways) and (place := source.borders.place(ways)) is not None
    ]
    named, unnamed = _by_naming(cities)
    if _place_named(value, own, source) is None:
        named, unnamed = unnamed, named
    return _in_turn(unnamed, named)


def _one_city_each(source: Source) -> Iterator[tuple[str, str]]:
    for land in source.shuffled(pools.CITIES_OF):
        yield land, source.random.choice(pools.CITIES_OF[land].members)


def _place_named(city: str, land: str, source: Source) -> int | None:
    """Where the documents name a city or its country."""
    names = next((ways for ways in pools.COUNTRIES_WITH_ARTICLE.meanings if land in ways), (land,))
    return source.borders.place((*names, city))


# --------------------------------------------------------------------------- work and school


def occupations(value: str, source: Source) -> Iterator[str]:
    statuses = pools.STATUSES
    if member(value, statuses) or member(split_lead(value, statuses)[1], statuses):
        yield from pooled(statuses)(value, source)
        return
    modifiers = "|".join(pools.STATUS_MODIFIERS)
    match = re.fullmatch(rf"(?P<status>(?:{modifiers})\s+)?(?P<job>.*)", value, re.I | re.S)
    status = match["status"] if match and match["status"] else ""
    jobs = pooled(pools.OCCUPATIONS)(value[len(status) :], source)
    if not status:
        yield from jobs
        return
    others = [other for other in pools.STATUS_MODIFIERS if other != status.strip().lower()]
    yield from _workers(status.strip(), value[len(status) :], others, jobs, source)


def _workers(
    status: str, job: str, others: Sequence[str], jobs: Iterator[str], source: Source
) -> Iterator[str]:
    """Another job, another status, both: a rule may ask for either."""
    for turn, other in enumerate(jobs):
        if turn % 2 == 0:
            yield f"{status} {other}"
        else:
            yield f"{source.random.choice(others)} {job}"
            yield f"{source.random.choice(others)} {other}"


def education(value: str, source: Source) -> Iterator[str]:
    if not member(value, pools.DEGREES) and re.search(
        r"universit|college|school|institute", value, re.IGNORECASE
    ):
        yield from source.shuffled(pools.UNIVERSITIES)
    yield from pooled(pools.DEGREES)(value, source)
