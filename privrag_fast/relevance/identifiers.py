"""Other names, numbers and addresses, written the same way and with right checksums."""

from __future__ import annotations

import random
import re
import string
import unicodedata
from collections.abc import Callable, Iterator

from privrag_fast.relevance import pools
from privrag_fast.relevance.pools import Streets
from privrag_fast.relevance.source import TRIES, Source, split_lead

_NAME_WORD = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")


def names(value: str, source: Source) -> Iterator[str]:
    faker = source.faker(_locale(value))
    if re.search("[\u3040-\u9fff\uac00-\ud7af]", value):
        yield from (faker.name() for _ in range(TRIES))
    words = _NAME_WORD.findall(value)
    proper = [word for word in words if not _stays(word, value)] or words
    for _ in range(TRIES):
        new = {word: faker.last_name() for word in proper[1:]}
        new |= {word: faker.random_uppercase_letter() for word in proper[1:] if len(word) == 1}
        new |= {word: faker.first_name() for word in proper[:1]}
        yield _renamed(value, new)


def _renamed(value: str, new: dict[str, str]) -> str:
    return _NAME_WORD.sub(lambda word: new.get(word[0], word[0]), value)


def surnames(value: str, source: Source) -> Iterator[str]:
    faker = source.faker(_locale(value))
    return (faker.last_name() for _ in range(TRIES))


def _stays(word: str, value: str) -> bool:
    """Titles, and `van` or `de` where other words are capitalized."""
    return word.lower().rstrip(".") in pools.TITLES or (word.islower() and not value.islower())


def _locale(value: str) -> str:
    for character in value:
        script = unicodedata.name(character, "").split(" ")[0]
        if script in pools.SCRIPT_LOCALES:
            return pools.SCRIPT_LOCALES[script]
    return "en_US"


def companies(value: str, source: Source) -> Iterator[str]:
    """One that the documents name, unless they name this one; and others of the same sort."""
    lead, body = split_lead(value, ())
    named = [name for name in source.borders.employers() if name.casefold() != body.casefold()]
    if body.casefold() not in map(str.casefold, source.borders.employers()):
        yield from (lead + name for name in named[:1])
    faker = source.faker()
    kinds = sorted(pools.COMPANY_SUFFIXES, key=len, reverse=True)
    kind = next((k for k in kinds if body.casefold().endswith(f" {k.casefold()}")), "")
    for _ in range(TRIES):
        yield f"{lead}{faker.last_name()} {kind or source.random.choice(pools.COMPANY_SUFFIXES)}"
        yield from (lead + name for name in named[:1])


def emails(value: str, source: Source) -> Iterator[str]:
    faker = source.faker()
    for _ in range(TRIES):
        yield f"{faker.user_name()}@{source.random.choice(pools.MAIL_DOMAINS)}"


def addresses(value: str, source: Source) -> Iterator[str]:
    """A street of the same language, with the parts in the same order."""
    if not re.search(r"[^\W\d_]{3}", value):
        yield from mutated(value, source)
    streets = next(s for s in pools.STREETS if re.search(s.pattern, value, re.IGNORECASE))
    head, *rest = re.split(r", ?", value)
    for _ in range(TRIES):
        town, state = source.random.choice(streets.towns), ""
        if any(re.fullmatch(r"[A-Za-z]{2} [0-9]{5}.*", part) for part in rest):
            town = source.random.choice(tuple(pools.US_CITIES))
            state = pools.US_CITIES[town][1]
        parts = (_address_part(part, town, state, source) for part in rest)
        yield ", ".join([_street(head, streets, source), *parts])


def _street(like: str, streets: Streets, source: Source) -> str:
    name, number = source.random.choice(streets.names), source.random.randint(2, 140)
    if not re.search("[0-9]", like):
        return name
    return f"{number} {name}" if re.match(r"\W*[0-9]", like) else f"{name} {number}"


def _address_part(like: str, town: str, state: str, source: Source) -> str:
    if state and re.fullmatch(r"[A-Za-z]{2} [0-9]{5}.*", like):
        return f"{state}{next(digits_mutated(like[2:], source))}"
    if post := re.fullmatch(r"([0-9]{4,6}) \D+", like):
        return f"{next(digits_mutated(post[1], source))} {town}"
    return next(mutated(like, source)) if re.search("[0-9]", like) else town


def urls(value: str, source: Source) -> Iterator[str]:
    scheme, mark, rest = value.rpartition("://")
    _, slash, path = rest.partition("/")
    for word in source.shuffled(pools.NEUTRAL):
        yield f"{scheme}{mark}{word}.example{slash}{word if path else ''}"


def ips(value: str, source: Source) -> Iterator[str]:
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+){3}", value):
        yield from mutated(value, source)
    for _ in range(TRIES):
        yield ".".join(str(source.random.randint(1, 254)) for _ in range(4))


def phones(value: str, source: Source) -> Iterator[str]:
    """Other subscriber numbers; country code and area code stay."""
    digits = [index for index, character in enumerate(value) if character.isdigit()]
    cut = digits[min(4, len(digits) // 2)] if digits else 0
    return (value[:cut] + other for other in mutated(value[cut:], source))


def cards(value: str, source: Source) -> Iterator[str]:
    return _with_check(value, source, keep=1, solve=_luhn)


def ibans(value: str, source: Source) -> Iterator[str]:
    compact = re.sub(r"\s", "", value).upper()
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{6,30}", compact):
        yield from mutated(value, source)
    for account in mutated(compact[4:], source):
        number = "".join(str(int(c, 36)) for c in f"{account}{compact[:2]}00")
        yield _laid_out(f"{compact[:2]}{98 - int(number) % 97:02}{account}", value)


def _with_check(
    value: str, source: Source, *, keep: int, solve: Callable[[str], str]
) -> Iterator[str]:
    """Random digits but for the first `keep`, and a last one that makes the checksum right."""
    digits = re.sub(r"[^0-9]", "", value)
    if len(digits) < 8 or re.search(r"[^\W\d_]", value):
        yield from mutated(value, source)
    for _ in range(TRIES):
        body = digits[:keep] + "".join(source.random.choice(string.digits) for _ in digits[keep:-1])
        yield _laid_out(body + solve(body), value)


def _luhn(body: str) -> str:
    doubled = (2 * int(d) if i % 2 == 0 else int(d) for i, d in enumerate(reversed(body)))
    return str(-sum(d - 9 if d > 9 else d for d in doubled) % 10)


def _laid_out(compact: str, like: str) -> str:
    """The characters of `compact` with the gaps of `like`."""
    rest = iter(compact)
    return "".join(next(rest, "") if character.isalnum() else character for character in like)


def mutated(value: str, source: Source) -> Iterator[str]:
    """Digit for digit; letters too where they are mixed with digits or there is no digit."""
    runs = re.split(r"([\W_]+)", value)
    lettered = not any(character.isdigit() for character in value)
    is_hex = re.fullmatch("[0-9a-fA-F:.-]{6,}", value)
    letters = "abcdef" if is_hex else string.ascii_lowercase
    for _ in range(TRIES):
        yield "".join(
            run if run.isalpha() and not lettered else _mutated_run(run, source.random, letters)
            for run in runs
        )


def digits_mutated(value: str, source: Source) -> Iterator[str]:
    """Digit for digit; every letter stays, as in `181cm`."""
    return (
        re.sub(r"\d+", lambda run: _mutated_run(run[0], source.random, ""), value)
        for _ in range(TRIES)
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
