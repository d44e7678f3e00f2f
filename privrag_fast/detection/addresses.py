"""Addresses in one piece: number and street found apart, and the postcode left behind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from privrag_fast.types import Entity

_ADDRESS = "ADDRESS"
_SPACE = "[ \t\u00a0]"
_WORD = r"[^\W\d_][\w'’.-]*"

_SEPARATOR = re.compile(rf"{_SPACE}*,?{_SPACE}*(?:\r?\n{_SPACE}*)?")
# Between a house number and the next number of the same address stands the street's name.
_STREET = re.compile(rf"{_SPACE}+(?:{_WORD}{_SPACE}+){{1,5}}")
_NUMBER = re.compile(r"\d[\d/-]*")
_LONGEST_GAP = 60

_POSTCODE = re.compile(
    rf",?{_SPACE}+(?:(?:[A-Z]{{2,3}}{_SPACE})?\d{{5}}(?:-\d{{4}})?"  # TN 37412, 10115
    rf"|[A-Z]{{1,2}}\d[\dA-Z]?{_SPACE}\d[A-Z]{{2}})"  # SW1A 1AA
    r"(?![\w-]|[.,/:]\d)"
)


def complete_addresses(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """The entities with each address in one piece.

    Joins neighbors that only a comma or a line break parts, and a house number with what follows
    its street's name ("12" + "14 Suite 3" of "12 Elm Road 14 Suite 3"); takes in a postcode right
    behind on the same line.

    Args:
        entities: Disjoint, sorted by start; so is the result.
    """
    joined: list[Entity] = []
    for entity in entities:
        if joined and _is_one_address(text, joined[-1], entity):
            last = joined[-1]
            joined[-1] = replace(last, end=entity.end, score=max(last.score, entity.score))
        else:
            joined.append(entity)
    starts = [*(entity.start for entity in joined[1:]), len(text)]
    return [
        _with_postcode(text, entity, most) if entity.label == _ADDRESS else entity
        for entity, most in zip(joined, starts, strict=False)  # without entities, one start more
    ]


def _is_one_address(text: str, left: Entity, right: Entity) -> bool:
    if not left.label == right.label == _ADDRESS or right.start - left.end > _LONGEST_GAP:
        return False
    gap = text[left.end : right.start]
    if _SEPARATOR.fullmatch(gap):
        return True
    return bool(_NUMBER.fullmatch(left.value(text)) and _STREET.fullmatch(gap))


def _with_postcode(text: str, entity: Entity, most: int) -> Entity:
    match = _POSTCODE.match(text, entity.end, most)
    return replace(entity, end=match.end()) if match else entity
