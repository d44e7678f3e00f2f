"""Token states to one vector a text, in the ways that sentence-transformers knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast.retrieval.encoding import IntArray

States = NDArray[Any]
"""float [n, tokens, dim]; pooled, [n, dim]."""


def _weighted(states: States, weights: NDArray[Any]) -> States:
    """The mean over tokens, [n, dim], by weights [n, tokens]."""
    weights = weights[:, :, None].astype(np.float32)
    mean: States = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return mean


def _mean(states: States, mask: IntArray) -> States:
    return _weighted(states, mask)


def _weighted_mean(states: States, mask: IntArray) -> States:
    """A token's place is its weight, from 1 (SGPT, Muennighoff 2022, arXiv:2202.08904)."""
    return _weighted(states, mask * np.arange(1, mask.shape[1] + 1))


def _first(states: States, mask: IntArray) -> States:
    first: States = states[:, 0]
    return first


def _last(states: States, mask: IntArray) -> States:
    last: States = states[np.arange(len(states)), np.maximum(mask.sum(axis=1), 1) - 1]
    return last


def _largest(states: States, mask: IntArray) -> States:
    largest: States = np.where(mask[:, :, None] == 1, states, -np.inf).max(axis=1)
    return largest


POOLINGS: Mapping[str, Callable[[States, IntArray], States]] = {
    "mean": _mean,
    "cls": _first,
    "max": _largest,
    "lasttoken": _last,
    "weightedmean": _weighted_mean,
}
"""By name; each takes states and their attention mask, int64 [n, tokens]."""
