"""Plausible other values for an attribute, of the same type and written the same way."""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from privrag_fast.relevance.borders import Borders
from privrag_fast.relevance.labels import generator, neutral
from privrag_fast.relevance.source import (
    TRIES,
    Source,
    around,
    article_first,
    in_case_of,
    opens_sentence,
)
from privrag_fast.types import Attribute, InputError

if TYPE_CHECKING:
    from faker import Faker


class Substitutes:
    """Proposes values that could stand in a message instead of an attribute's own.

    The same seed, label, value, words round it and documents give the same proposals, whatever
    else the message holds, save that a value of the message itself is never proposed. Thread-safe.

    >>> city = Attribute("LOCATION", "Oslo", "[LOCATION_1]", ())
    >>> [len(values) for values in Substitutes().propose("in Oslo", [city]).values()]
    [3]
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._lock = threading.Lock()
        self._fakers: dict[str, Faker] = {}

    def propose(
        self,
        message: str,
        attributes: Sequence[Attribute],
        *,
        k: int = 3,
        documents: Sequence[str] = (),
    ) -> dict[str, tuple[str, ...]]:
        """Up to `k` values for each placeholder, at least one.

        Fewer than `k` where there are not more: a man becomes a woman or a non-binary person.
        No two are equal without regard to case, nor equal to a value of the message.

        Args:
            documents: Texts that the answer comes from, the best one first. What they name may be
                a border of a rule: a value just across it goes first, then far ones on both sides.
        """
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}")
        taken = {_folded(attribute.value) for attribute in attributes}
        borders = Borders(documents)
        with self._lock:
            return {
                own.placeholder: self._values(message, own, taken, borders, k) for own in attributes
            }

    def _values(
        self, message: str, own: Attribute, taken: set[str], borders: Borders, k: int
    ) -> tuple[str, ...]:
        before, after = around(message, own)
        source = Source(self._random(own), self._faker, borders, before, after)
        candidates = itertools.islice(generator(own.label)(own.value, source), TRIES)
        fitting = article_first(candidates, before)
        opens = opens_sentence(before)
        cased = (in_case_of(value, own.value, message, opens=opens) for value in fitting)
        found = tuple(itertools.islice(_distinct(cased, taken), k))
        return found or (next(_distinct(neutral(own.value, source), taken)),)

    def _random(self, own: Attribute) -> random.Random:
        identity = f"{self._seed}\0{own.label}\0{own.value}".encode("utf-8", "surrogatepass")
        return random.Random(hashlib.blake2b(identity).digest())

    def _faker(self, locale: str, seed: int) -> Faker:
        if locale not in self._fakers:
            from faker import Faker  # 0.1 s that a message without names need not pay

            self._fakers[locale] = Faker(locale)
        self._fakers[locale].seed_instance(seed)
        return self._fakers[locale]


def _distinct(candidates: Iterable[str], taken: Iterable[str]) -> Iterator[str]:
    seen = {"", *taken}
    for candidate in map(str.strip, candidates):
        if _folded(candidate) not in seen:
            seen.add(_folded(candidate))
            yield candidate


def _folded(value: str) -> str:
    return " ".join(value.casefold().split())
