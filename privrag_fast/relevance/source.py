"""Where generators of substitutes draw from, and how a value is fitted into its place."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from privrag_fast.articles import article, article_before
from privrag_fast.relevance.borders import Borders
from privrag_fast.relevance.pools import Pool
from privrag_fast.types import Attribute

if TYPE_CHECKING:
    from faker import Faker

T = TypeVar("T")

_BEFORE = 60

TRIES = 120
"""After so many candidates that do not do, what was found has to be enough."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a generator draws from; seeded for one attribute.

    Args:
        borders: What the documents name.
        before, after: What stands round the attribute's first mention.
    """

    random: random.Random
    fakers: Callable[[str, int], Faker]
    borders: Borders
    before: str = ""
    after: str = ""

    def faker(self, locale: str = "en_US") -> Faker:
        return self.fakers(locale, self.random.getrandbits(32))

    def shuffled(self, values: Iterable[T]) -> list[T]:
        pool = list(values)
        return self.random.sample(pool, len(pool))


Generator = Callable[[str, Source], Iterator[str]]

_LEAD = re.compile(
    r"(?:(?:i(?:['’]m| am| have)|i|works?|working|employed|diagnosed|lives?|lived|living|married to"
    r"|born|from|of|in|at|for|as|by|with|the|an?|my|our|his|her)\s+)+",
    re.IGNORECASE,
)
# None of these can follow an article that stands before the value.
_PREDICATE = re.compile(r"(?:an?|the|in|out|on|at|between|without|not|no)\b", re.IGNORECASE)


def around(message: str, own: Attribute, *, after: int = 40) -> tuple[str, str]:
    """What stands before and after the first mention: it tells what a value is of.

    Args:
        after: Characters read behind it.
    """
    if not own.mentions:
        return "", ""
    start, end = own.mentions[0].start, own.mentions[0].end
    return message[max(0, start - _BEFORE) : start], message[end : end + after]


def article_first(candidates: Iterator[str], before: str) -> Iterable[str]:
    """Candidates that agree with an article before them come first."""
    wanted = article_before(before)
    if wanted is None:
        return candidates
    fitting = (value for value in candidates if not _PREDICATE.match(value))
    return sorted(fitting, key=lambda value: article(value) != wanted)


def in_case_of(value: str, like: str, text: str, *, opens: bool = False) -> str:
    """A value in the case of another one.

    Args:
        text: The whole message.
        opens: The other one opens a sentence, so that its capital may say nothing.
    """
    if like.islower():
        # Next to capitals elsewhere, "hepatitis B" and "ADHD" keep theirs.
        written = not text.islower() and (value[:1].islower() or value[:2].isupper())
        return value if written else value.lower()
    if like.isupper() and (text.isupper() or sum(map(str.isalpha, like)) > 4):
        return value.upper()
    words = re.findall(r"[^\W\d_][\w'’]*", like)
    if len(words) > 1 and all(word[0].isupper() for word in words) and value.islower():
        return re.sub(r"(?<![\w'’])[^\W\d_]", lambda letter: letter[0].upper(), value)
    if opens and words and like.startswith(words[0]) and words[0][0].isupper():
        return value[:1].upper() + value[1:]
    return value


def opens_sentence(before: str) -> bool:
    return re.search(r"(?:^|[.!?:\n])\s*$", before) is not None


def split_lead(value: str, pool: Pool) -> tuple[str, str]:
    """Words that only lead to the value proper: `work for the`, `I'm a`."""
    lead = _LEAD.match(value)
    if lead is None or any(value.casefold() in map(str.casefold, group.ways) for group in pool):
        return "", value
    return value[: lead.end()], value[lead.end() :]
