"""Figures of merit, each as its source defines it. What is not defined is nan, never 0 or 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privrag_fast.types import InputError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_DRAWN_AT_ONCE = 1 << 20


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float


# --------------------------------------------------------------------------- scores of items


def auroc(positive: ArrayLike, score: ArrayLike) -> float:
    """Probability that a positive item scores above another one; a tie counts half.

    By ranks (Mann and Whitney, 1947; Hanley and McNeil, 1982); nan unless both kinds are there.
    """
    flags, scores = _labeled(positive, score)
    positives = int(flags.sum())
    others = len(flags) - positives
    if not positives or not others:
        return math.nan
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return float((ranks[flags].sum() - positives * (positives + 1) / 2) / (positives * others))


def average_precision(positive: ArrayLike, score: ArrayLike) -> float:
    """Mean precision at the thresholds that let a positive item in.

    Items of one score come in together: sum of (R_n - R_{n-1}) P_n over distinct thresholds, not
    interpolated (Zhu, 2004); nan without a positive item.
    """
    flags, scores = _labeled(positive, score)
    if not flags.any():
        return math.nan
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # the last of each score
    found = np.cumsum(flags[order])[ends]
    return float(np.sum(np.diff(found, prepend=0) * found / (ends + 1)) / found[-1])


def threshold_for_recall(positive: ArrayLike, score: ArrayLike, recall: float) -> float:
    """The largest threshold such that `score >= threshold` keeps that share of the positive items.

    nan without a positive item.
    """
    if not 0 < recall <= 1:
        raise InputError(f"recall must be above 0 and at most 1, got {recall}")
    flags, scores = _labeled(positive, score)
    kept = np.sort(scores[flags])[::-1]
    if not len(kept):
        return math.nan
    enough = np.arange(1, len(kept) + 1) / len(kept) >= recall
    return float(kept[int(enough.argmax())])


def _labeled(positive: ArrayLike, score: ArrayLike) -> tuple[Flags, Floats]:
    flags, scores = np.asarray(positive, np.bool_), np.asarray(score, np.float64)
    if flags.ndim != 1 or flags.shape != scores.shape:
        raise InputError(
            f"positive and score must be [n] both, got {list(flags.shape)} and {list(scores.shape)}"
        )
    if np.isnan(scores).any():
        raise InputError("a score is nan: leave out what was not measured")
    return flags, scores


# --------------------------------------------------------------------------- ranked lists
# `ranks` of one question: the place of each relevant item, from 1; inf where it was not found.


def recall_at(ranks: Sequence[float], k: int) -> float:
    """Share of the relevant items among the first `k` (Manning et al., 2008, ch. 8)."""
    return sum(rank <= k for rank in ranks) / len(ranks) if ranks else math.nan


def reciprocal_rank(ranks: Sequence[float]) -> float:
    """One over the place of the first relevant item, 0 where none was found (Voorhees, 1999)."""
    return 1 / min(ranks) if ranks else math.nan


def ndcg_at(ranks: Sequence[float], k: int) -> float:
    """Discounted gain of the first `k`, by that of the best order (Järvelin and Kekäläinen, 2002).

    Relevance is 0 or 1, the discount log2(rank + 1).
    """
    best = _gain(range(1, len(ranks) + 1), k)
    return _gain(ranks, k) / best if ranks else math.nan


def _gain(ranks: Sequence[float], k: int) -> float:
    return sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)


# --------------------------------------------------------------------------- means


def mean(values: ArrayLike) -> float:
    """nan without a value."""
    sample = np.asarray(values, np.float64)
    return float(sample.mean()) if len(sample) else math.nan


# --------------------------------------------------------------------------- intervals


def bootstrap(values: ArrayLike, *, seed: int, rounds: int = 2_000) -> Interval:
    """The mean, with the 95 % percentile interval (Efron and Tibshirani, 1993, ch. 13).

    All nan without a value.
    """
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1:
        raise InputError(f"values must be [n], got {list(sample.shape)}")
    if not len(sample):
        return Interval(math.nan, math.nan, math.nan)
    low, high = np.percentile(_resampled_means(sample, seed, rounds), [2.5, 97.5])
    return Interval(float(sample.mean()), float(low), float(high))


def paired_bootstrap(a: ArrayLike, b: ArrayLike, *, seed: int, rounds: int = 2_000) -> Interval:
    """Mean of `a` minus mean of `b`, measured on the same items, which are drawn in pairs."""
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if first.shape != second.shape:
        raise InputError(
            f"a and b must pair up, got {list(first.shape)} and {list(second.shape)} values"
        )
    return bootstrap(first - second, seed=seed, rounds=rounds)


def _resampled_means(sample: Floats, seed: int, rounds: int) -> Floats:
    if rounds < 1:
        raise InputError(f"rounds must be 1 or more, got {rounds}")
    rng = np.random.default_rng(seed)
    block = max(1, _DRAWN_AT_ONCE // len(sample))
    sizes = [min(block, rounds - start) for start in range(0, rounds, block)]
    draws = (rng.integers(len(sample), size=(size, len(sample))) for size in sizes)
    return np.concatenate([sample[rows].mean(axis=1) for rows in draws])
