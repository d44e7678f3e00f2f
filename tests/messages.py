"""Support messages with planted values, for tests that watch where values go.

>>> text, spans = next(messages(1))
>>> [(text[start:end], label) for start, end, label in spans]  # doctest: +SKIP
[('Amélie Rochat', 'PERSON'), ('67', 'AGE')]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from tests import message_parts as parts

Span = tuple[int, int, str]
"""start, end (code points, half-open), label."""

# A digit tells two values of a type apart; the same slot twice is the same value twice.
_SLOT = re.compile(r"\{([A-Z]+(?:_[A-Z]+)*)(\d?)\}")


def messages(n: int, seed: int = 0) -> Iterator[tuple[str, list[Span]]]:
    """`n` messages, each with all mentions of its planted values, sorted by start.

    The same seed gives the same messages; a longer run starts with the shorter one. Every
    template is used once before any is used again.
    """
    rng = Random(seed)
    templates = _endless(parts.TEMPLATES, rng)
    for _ in range(n):
        yield _fill(_decorated(next(templates), rng), rng)


def _endless(items: Sequence[str], rng: Random) -> Iterator[str]:
    while True:
        yield from rng.sample(items, len(items))


def _decorated(template: str, rng: Random) -> str:
    before = rng.choice(parts.OPENERS) if rng.random() < 0.4 else ""
    after = rng.choice(parts.CLOSERS) if rng.random() < 0.4 else ""
    return before + template + after


def _fill(template: str, rng: Random) -> tuple[str, list[Span]]:
    """The template with a value in each slot, and where the values went."""
    case = rng.choice(_CASES)
    values: dict[str, str] = {}
    text, spans, position = "", [], 0
    for slot in _SLOT.finditer(template):
        text += case(template[position : slot.start()])
        if slot[0] not in values:
            values[slot[0]] = _new_value(slot[1], values, rng)
        value = case(values[slot[0]])
        spans.append((len(text), len(text) + len(value), slot[1]))
        text += value
        position = slot.end()
    return text + case(template[position:]), spans


def _new_value(label: str, taken: dict[str, str], rng: Random) -> str:
    """A value that no other slot of the message has."""
    while (value := parts.VALUES[label](rng)) in taken.values():
        pass
    return value


def _as_is(text: str) -> str:
    return text


def _lower(text: str) -> str:
    # What users type as a placeholder must stay one.
    return re.sub(r"\[[a-z_]+\d\]", lambda typed: typed[0].upper(), text.lower())


# Most people write in mixed case; some never reach for the shift key.
_CASES: tuple[Callable[[str], str], ...] = (_as_is, _as_is, _as_is, _as_is, _lower)
