"""Log-likelihoods of variants to one number per attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from privrag_fast.types import Attribute, Influence


def influence_of(changes: NDArray[np.float64]) -> float:
    """One number of the changes that an attribute's substitutes make, in nats.

    The mean absolute change: a value matters whether the answer becomes less or more likely
    without it.
    """
    return float(np.abs(changes).mean())


def influences(
    attributes: Sequence[Attribute],
    substitutes: Mapping[str, Sequence[str]],
    log_likelihood: NDArray[np.float64],
) -> dict[str, Influence]:
    """Influence of each attribute that has substitutes, by placeholder.

    Args:
        attributes: In the order in which their variants were scored.
        substitutes: The values tried, by placeholder.
        log_likelihood: float64 [1 + variants], nats: the original, then every substitute of the
            first attribute, of the second, and so on.
    """
    result: dict[str, Influence] = {}
    changes = log_likelihood[0] - log_likelihood[1:]
    start = 0
    for attribute in attributes:
        tried = tuple(substitutes.get(attribute.placeholder, ()))
        own = changes[start : start + len(tried)]
        start += len(tried)
        if tried:
            result[attribute.placeholder] = Influence(
                attribute, tried, tuple(map(float, own)), influence_of(own)
            )
    return result
