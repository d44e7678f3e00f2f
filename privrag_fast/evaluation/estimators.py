"""From the changes that an attribute's substitutes make to one number: which tells most?

Changes are nats, one per variant: log-likelihood of the reference answer under the original minus
under the variant, so a positive one says that the answer fits the original better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from privrag_fast.relevance.influence import influence_of

Floats = NDArray[np.float64]
Estimator = Callable[[Floats], float]


def median_absolute(changes: Floats) -> float:
    """Deaf to one odd substitute."""
    return float(np.median(np.abs(changes)))


def largest_absolute(changes: Floats) -> float:
    """One substitute on the other side of a limit is enough."""
    return float(np.abs(changes).max())


def smallest_absolute(changes: Floats) -> float:
    """Every substitute has to move the answer."""
    return float(np.abs(changes).min())


def mean_signed(changes: Floats) -> float:
    """A decisive value ought to make the answer more likely, not just another."""
    return float(changes.mean())


def largest_signed(changes: Floats) -> float:
    """The same, by the one substitute that fits worst."""
    return float(changes.max())


def root_mean_square(changes: Floats) -> float:
    """Between the mean and the largest."""
    return float(np.sqrt(np.square(changes).mean()))


ESTIMATORS: Mapping[str, Estimator] = {
    "mean |change|": influence_of,
    "median |change|": median_absolute,
    "largest |change|": largest_absolute,
    "smallest |change|": smallest_absolute,
    "root mean square": root_mean_square,
    "mean change": mean_signed,
    "largest change": largest_signed,
}
