"""Each metric against a slow twin that follows its definition, and its edges."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privrag_fast.evaluation import metrics
from privrag_fast.types import InputError

INF = math.inf


def cases(count: int = 40) -> list[tuple[list[bool], list[float]]]:
    """Random labels and scores; few distinct scores, so that ties are common."""
    rng = np.random.default_rng(5)
    made = []
    for _ in range(count):
        size = int(rng.integers(2, 25))
        scores = rng.integers(0, rng.integers(1, 12) + 1, size).astype(float)
        made.append((rng.random(size) < rng.random(), scores))
    return [(list(map(bool, flags)), list(map(float, scores))) for flags, scores in made]


def slow_auroc(positive: list[bool], score: list[float]) -> float:
    pairs = [
        1.0 if a > b else 0.5 if a == b else 0.0
        for (p, a), (q, b) in product(zip(positive, score, strict=True), repeat=2)
        if p and not q
    ]
    return sum(pairs) / len(pairs) if pairs else math.nan


def slow_average_precision(positive: list[bool], score: list[float]) -> float:
    if not any(positive):
        return math.nan
    total, before = 0.0, 0.0
    for threshold in sorted(set(score), reverse=True):
        kept = [p for p, s in zip(positive, score, strict=True) if s >= threshold]
        recall = sum(kept) / sum(positive)
        total += (recall - before) * sum(kept) / len(kept)
        before = recall
    return total


@pytest.mark.parametrize(("positive", "score"), cases())
def test_auroc_counts_pairs(positive: list[bool], score: list[float]) -> None:
    assert metrics.auroc(positive, score) == pytest.approx(slow_auroc(positive, score), nan_ok=True)


@pytest.mark.parametrize(("positive", "score"), cases())
def test_average_precision_sums_over_thresholds(positive: list[bool], score: list[float]) -> None:
    assert metrics.average_precision(positive, score) == pytest.approx(
        slow_average_precision(positive, score), nan_ok=True
    )


def test_all_ties_are_chance() -> None:
    assert metrics.auroc([True, False, False], [1, 1, 1]) == 0.5
    assert metrics.average_precision([True, False, False], [1, 1, 1]) == pytest.approx(1 / 3)


def test_infinite_scores_rank_like_others() -> None:
    assert metrics.auroc([True, False, False], [INF, 0, -INF]) == 1.0
    assert metrics.average_precision([True, True, False], [INF, INF, -INF]) == 1.0


@pytest.mark.parametrize("positive", [[], [False, False]])
def test_without_a_positive_nothing_is_defined(positive: list[bool]) -> None:
    score = [float(i) for i in range(len(positive))]
    assert math.isnan(metrics.auroc(positive, score))
    assert math.isnan(metrics.average_precision(positive, score))
    assert math.isnan(metrics.threshold_for_recall(positive, score, 0.9))


def test_without_a_negative_auroc_is_not_defined() -> None:
    assert math.isnan(metrics.auroc([True, True], [0, 1]))
    assert metrics.average_precision([True, True], [0, 1]) == 1.0


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(InputError, match=r"got \[2\] and \[3\]"):
        metrics.auroc([True, False], [1, 2, 3])
    with pytest.raises(InputError, match="nan"):
        metrics.average_precision([True, False], [math.nan, 1])
    with pytest.raises(InputError, match="pair up"):
        metrics.paired_bootstrap([1, 2], [1], seed=0)
    with pytest.raises(InputError, match="above 0"):
        metrics.threshold_for_recall([True], [1.0], 0.0)


@pytest.mark.parametrize("recall", [0.01, 0.3, 0.5, 0.55, 0.9, 1.0])
def test_threshold_is_the_largest_that_keeps_enough(recall: float) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        score = rng.integers(0, 8, 30).astype(float)
        positive = rng.random(30) < 0.6
        kept = {
            t: Fraction(int((score[positive] >= t).sum()), int(positive.sum()))
            for t in np.unique(score)
        }
        enough = [t for t, share in kept.items() if float(share) >= recall]
        assert metrics.threshold_for_recall(positive, score, recall) == max(enough)


def test_threshold_does_not_suffer_from_rounding() -> None:
    # 0.55 * 100 is 55.000000000000007: the 55th score is enough all the same.
    assert metrics.threshold_for_recall([True] * 100, np.arange(100.0), 0.55) == 45.0


def test_ranks_of_one_relevant_item() -> None:
    assert [metrics.recall_at([3], k) for k in (1, 2, 3, 10)] == [0, 0, 1, 1]
    assert metrics.reciprocal_rank([3]) == pytest.approx(1 / 3)
    assert metrics.ndcg_at([3], 10) == pytest.approx(1 / 2)
    assert metrics.ndcg_at([11], 10) == 0.0


def test_ranks_of_several_relevant_items() -> None:
    ranks = [INF, 2, 5]
    assert metrics.recall_at(ranks, 5) == pytest.approx(2 / 3)
    assert metrics.reciprocal_rank(ranks) == 0.5
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg_at(ranks, 10) == pytest.approx((1 / math.log2(3) + 1 / math.log2(6)) / best)
    assert metrics.ndcg_at([1, 2, 3], 2) == 1.0  # more relevant items than places


def test_nothing_found_is_zero_and_nothing_relevant_undefined() -> None:
    for metric in (
        lambda ranks: metrics.recall_at(ranks, 5),
        metrics.reciprocal_rank,
        lambda ranks: metrics.ndcg_at(ranks, 5),
    ):
        assert metric([INF, INF]) == 0.0
        assert math.isnan(metric([]))


def slow_bootstrap(values: np.ndarray, seed: int, rounds: int) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    means = sorted(
        float(np.mean([values[int(i)] for i in rng.integers(len(values), size=len(values))]))
        for _ in range(rounds)
    )
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def test_bootstrap_resamples_the_mean() -> None:
    values = np.random.default_rng(2).normal(3, 1, 50)
    value, low, high = metrics.bootstrap(values, seed=9, rounds=300)
    assert value == pytest.approx(values.mean())
    assert (low, high) == pytest.approx(slow_bootstrap(values, 9, 300))
    # The textbook interval of a mean: 1.96 standard errors to each side.
    error = values.std() / math.sqrt(50)
    assert low == pytest.approx(value - 1.96 * error, abs=0.25 * error)
    assert high == pytest.approx(value + 1.96 * error, abs=0.25 * error)


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).random(33)
    whole = metrics.bootstrap(values, seed=1, rounds=101)
    monkeypatch.setattr(metrics, "_DRAWN_AT_ONCE", 70)
    assert metrics.bootstrap(values, seed=1, rounds=101) == whole


def test_pairs_are_drawn_together() -> None:
    rng = np.random.default_rng(4)
    items = rng.random(200) * 10  # items differ a lot, the methods little
    a, b = items + 0.5, items
    difference, low, high = metrics.paired_bootstrap(a, b, seed=0)
    assert (difference, low, high) == pytest.approx((0.5, 0.5, 0.5))
    swapped = metrics.paired_bootstrap(b, a, seed=0)
    assert swapped.value == pytest.approx(-0.5)


def test_same_seed_same_interval_and_no_values_no_interval() -> None:
    values = np.random.default_rng(6).random(20)
    assert metrics.bootstrap(values, seed=1) == metrics.bootstrap(values, seed=1)
    assert metrics.bootstrap(values, seed=1) != metrics.bootstrap(values, seed=2)
    assert all(math.isnan(part) for part in metrics.bootstrap([], seed=0))
    assert metrics.bootstrap([2.0], seed=0) == (2.0, 2.0, 2.0)
