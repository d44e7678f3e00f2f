"""Names in one piece: initials, suffixes, and parts found apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from privrag_fast.detection.patterns import SOURCES
from privrag_fast.types import Entity

_NAME = "PERSON"
_SPACE = "[ \u00a0]"
_UPPER = "[A-ZÀ-ÖØ-Þ]"
_INITIAL = rf"{_UPPER}\.{_SPACE}?"
_PARTICLE = rf"(?:van|von|der|den|de|del|della|di|da|dos|la|le|bin|ibn){_SPACE}"
_SURNAME = rf"{_UPPER}[\w'’-]+"

# Between two parts of one name: a space, middle initials, particles.
_BETWEEN = re.compile(rf"(?:{_SPACE}?|-)(?:{_INITIAL}|{_PARTICLE})*")
_BETWEEN_AFTER_INITIAL = re.compile(rf"\.{_SPACE}?(?:{_INITIAL}|{_PARTICLE})*")
_ENDS_IN_INITIAL = re.compile(rf"(?:^|[\s.]){_UPPER}(\.?)\Z")
_LONGEST_GAP = 24

# What a name that stops too early leaves behind.
_SUFFIX = re.compile(rf",?{_SPACE}(?:(?i:jr|sr)\b\.?|(?:II|III|IV)\b)")
_INITIALS_AND_SURNAME = re.compile(rf"{_SPACE}(?:{_INITIAL})+{_SURNAME}")
_AFTER_INITIAL = re.compile(rf"\.(?:{_SPACE}?(?:{_INITIAL})*{_SURNAME})?")
_AFTER_INITIAL_AND_DOT = re.compile(rf"{_SPACE}?(?:{_INITIAL})*{_SURNAME}")
_ENDS_IN_SUFFIX = re.compile(r"\b(?:jr|sr)\Z", re.IGNORECASE)
_DOT = re.compile(r"\.")

# Whom they mean, nobody learns from them.
_PRONOUNS = frozenset(
    (
        *("i", "me", "my", "mine", "myself", "we", "us", "our", "ours"),
        *("you", "your", "yours", "he", "him", "his", "she", "her", "hers"),
    )
)

# What stands before a name, whatever a detector took that for.
_INTRODUCED = re.compile(
    r"(?:^[ \t]*|(?<!\w)(?:my|his|her|full|first|last|family|given|maiden|tenant|client|patient"
    r"|customer|contact)\s)(?:sur)?name(?:\s?[:=]\s*|['’]?s\s|\s(?:is|was)\s)\Z",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNED = re.compile(
    r"(?<!\w)(?:thx|thanks|thank you|ta|cheers|best|regards|wishes|sincerely|faithfully|truly"
    r"|grüße|grüßen|cordialement|saludos)(?:,[ \t]*|[,.!]?\s*\n\s*)\Z",
    re.IGNORECASE,
)
_SIGNATURE_ENDS = re.compile(r"[.!]?\s*\Z|[ \t]*\n")
_LONGEST_INTRODUCTION = 40

# One initial before a name may end a sentence ("vitamin C. Nora ..."); two do not, and neither
# does one that starts the line.
_LEADING = re.compile(rf"(?:(?<!\w)(?:{_INITIAL})+{_UPPER}\.|^{_UPPER}\.){_SPACE}?\Z", re.MULTILINE)


def complete_names(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """The entities with each person's name in one piece.

    What is introduced as a name or signs a letter is one ("Name: May Christmas" is no date). Takes
    in initials and suffixes that were left out, and joins neighbors that only a space, a hyphen,
    initials or a particle part: "Samuel L." + "Jackson", "Robert Downey" + "jr.". A pronoun names
    nobody: taken for a name, it is let go.

    Args:
        entities: Disjoint, sorted by start; so is the result.
    """
    joined: list[Entity] = []
    for entity in _completed(text, entities):
        if entity.label == _NAME and entity.value(text).casefold() in _PRONOUNS:
            continue
        if joined and _is_one_name(text, joined[-1], entity):
            last = joined[-1]
            joined[-1] = replace(last, end=entity.end, score=max(last.score, entity.score))
        else:
            joined.append(entity)
    return joined


def _completed(text: str, entities: Sequence[Entity]) -> Iterator[Entity]:
    """Each name stretched, at most to its neighbors."""
    least = 0
    for i, entity in enumerate(entities):
        if _is_introduced(text, entity):
            entity = replace(entity, label=_NAME)
        most = entities[i + 1].start if i + 1 < len(entities) else len(text)
        if entity.label == _NAME:
            start = _stretched_start(text, entity.start, least)
            entity = replace(entity, start=start, end=_stretched_end(text, entity, most))
        yield entity
        least = entity.end


def _is_introduced(text: str, entity: Entity) -> bool:
    if entity.source in SOURCES or any(c.isdigit() for c in entity.value(text)):
        return False
    first = max(0, entity.start - _LONGEST_INTRODUCTION)
    if _INTRODUCED.search(text, first, entity.start):
        return True
    signed = _SIGNED.search(text, first, entity.start)
    return bool(signed and _SIGNATURE_ENDS.match(text, entity.end))


def _stretched_start(text: str, start: int, least: int) -> int:
    leading = _LEADING.search(text, max(least, start - _LONGEST_GAP), start)
    return leading.start() if leading else start


def _stretched_end(text: str, entity: Entity, most: int) -> int:
    value = entity.value(text)
    if _ENDS_IN_SUFFIX.search(value):
        return _after(_DOT, text, entity.end, most)
    initial = _ENDS_IN_INITIAL.search(value)
    if initial is None:
        end = _after(_INITIALS_AND_SURNAME, text, entity.end, most)
    else:
        rest = _AFTER_INITIAL_AND_DOT if initial[1] else _AFTER_INITIAL
        end = _after(rest, text, entity.end, most)
    return _after(_SUFFIX, text, end, most)


def _after(pattern: re.Pattern[str], text: str, position: int, most: int) -> int:
    match = pattern.match(text, position, most)
    return match.end() if match else position


def _is_one_name(text: str, left: Entity, right: Entity) -> bool:
    if not left.label == right.label == _NAME or right.start - left.end > _LONGEST_GAP:
        return False
    gap = text[left.end : right.start]
    if _ENDS_IN_INITIAL.search(left.value(text)) and _BETWEEN_AFTER_INITIAL.fullmatch(gap):
        return True
    return _BETWEEN.fullmatch(gap) is not None
