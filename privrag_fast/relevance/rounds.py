"""Substitutes in rounds: an attribute leaves as soon as more of them would not change its lot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from privrag_fast.relevance.influence import influence_of
from privrag_fast.types import Attribute, Influence

Floats = NDArray[np.float64]

DOUBT = 0.8
"""How far an influence may still move after one substitute, as a logarithm of nats + 1."""


def is_clear(changes: Sequence[float], threshold: float, *, doubt: float = DOUBT) -> bool:
    """Whether the influence so far is so far from the threshold that it will stay on its side.

    Args:
        changes: Nats, of the substitutes so far.
        threshold: Nats.
        doubt: After one substitute; after n of them it is smaller by the square root of n.
    """
    if not len(changes) or math.isinf(threshold):
        return bool(len(changes))
    influence = influence_of(np.asarray(changes, np.float64))
    gap = abs(math.log1p(max(0.0, influence)) - math.log1p(threshold))
    return gap >= doubt / math.sqrt(len(changes))


def in_rounds(
    attributes: Sequence[Attribute],
    substitutes: Mapping[str, Sequence[str]],
    thresholds: Mapping[str, float],
    likelihoods: Callable[[Sequence[tuple[Attribute, str] | None]], Floats],
    *,
    doubt: float = DOUBT,
) -> dict[str, Influence]:
    """Influence of each attribute that has substitutes, by placeholder.

    A round scores the next substitute of every attribute that is not clear yet, in one pass.

    Args:
        substitutes: By placeholder, the most telling first.
        thresholds: By placeholder, nats.
        likelihoods: Scores variants: an attribute with a value in its place, or None for the
            original, which is asked for once.
        doubt: See `is_clear`; infinite to score every substitute.
    """
    seen: dict[str, list[float]] = {own.placeholder: [] for own in attributes}
    original = 0.0
    pending = list(attributes)
    for number in range(max(map(len, substitutes.values()), default=0)):
        pending = [own for own in pending if number < len(substitutes.get(own.placeholder, ()))]
        if not pending:
            break
        variants = [(own, substitutes[own.placeholder][number]) for own in pending]
        scored = likelihoods(variants if number else [None, *variants])
        original, scored = (original, scored) if number else (float(scored[0]), scored[1:])
        for own, likelihood in zip(pending, scored, strict=True):
            seen[own.placeholder].append(original - float(likelihood))
        pending = [
            own
            for own in pending
            if not is_clear(seen[own.placeholder], thresholds[own.placeholder], doubt=doubt)
        ]
    return {
        own.placeholder: Influence(
            own,
            tuple(substitutes[own.placeholder][: len(changes)]),
            tuple(changes),
            influence_of(np.array(changes)),
            is_clear(changes, thresholds[own.placeholder], doubt=doubt),
        )
        for own in attributes
        if (changes := seen[own.placeholder])
    }
