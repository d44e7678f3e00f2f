"""Slow twins: what the fast paths must agree with, written for reading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from privrag_fast.detection import repeats
from privrag_fast.types import Entity

Span = tuple[int, int, int]
"""First word, last word (inclusive), label."""


def decode_spans(
    logits: np.ndarray[Any, Any],
    thresholds: Sequence[float],
    *,
    flat: bool = True,
    multi_label: bool = False,
) -> tuple[list[Span], list[float]]:
    """Every candidate above its threshold, best first, taken unless it conflicts."""
    words, max_width, labels = logits.shape
    candidates = [
        (float(logits[i, k, c]), (i, i + k, c))
        for i in range(words)
        for k in range(max_width)
        for c in range(labels)
        if i + k < words and _probability(logits[i, k, c]) > float(np.float32(thresholds[c]))
    ]
    candidates.sort(key=lambda item: (-item[0], item[1][0], -item[1][1], item[1][2]))
    taken: list[tuple[float, Span]] = []
    for logit, span in candidates:
        if not any(_conflict(span, other, flat, multi_label) for _, other in taken):
            taken.append((logit, span))
    taken.sort(key=lambda item: (item[1][0], -item[1][1], item[1][2]))
    return [span for _, span in taken], [_probability(logit) for logit, _ in taken]


def _conflict(a: Span, b: Span, flat: bool, multi_label: bool) -> bool:
    if a[:2] == b[:2]:
        return not multi_label
    a_words, b_words = (set(range(start, end + 1)) for start, end, _ in (a, b))
    if not a_words & b_words:
        return False
    return flat or not (a_words <= b_words or b_words <= a_words)


def _probability(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-float(logit)))


def find_repeats(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """Each value is looked for in the whole text."""
    found = list(entities)
    for value, entity in repeats._values(text, entities):
        for match in repeats._mentions(value).finditer(text):
            mention = Entity(*match.span(), entity.label, entity.score, "repeat")
            met = [own for own in found if own.start < mention.end and mention.start < own.end]
            if all(repeats._is_part(own, mention) for own in met):
                found = sorted(
                    [*(own for own in found if own not in met), mention], key=lambda own: own.start
                )
    return found
