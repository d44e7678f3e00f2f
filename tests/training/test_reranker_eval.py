"""The reranker's figures, on stand-ins whose order is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from privrag_fast.training.reranker_data import Collection, Question
from privrag_fast.training.reranker_eval import (
    bars,
    measure,
    ndcg,
    pairwise_agreement,
    reciprocal_rank,
    table,
)
from privrag_fast.types import Hit, InputError, SafeText

PASSAGES = ("1 south", "2 north", "3 south", "4 north")


class ByDigit:
    """Embeds a text so that passages with a smaller digit come first."""

    dim, digest = 1, "digits"

    def embed(self, texts: Sequence[SafeText]) -> np.ndarray:
        return np.array([[5.0 - int(t[0])] if t[0].isdigit() else [1.0] for t in texts], np.float32)


class ByWord:
    """Scores a passage 1 where it shares its last word with the query, else 0."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
        self.queries.append(query)
        word = query.split()[-1]
        scored = [Hit(h.passage, float(h.passage.text.endswith(word))) for h in hits]
        return sorted(scored, key=lambda hit: -hit.score)[:k]


def _collection(*, closed: bool = False) -> Collection:
    question = Question("Bob asks about north", "PERSON asks about north", "a", (3,))
    return Collection("compass", PASSAGES, ("b", "b", "a", "a"), (question,), closed)


def test_measure_compares_the_embedder_with_the_reranker() -> None:
    row = measure(_collection(), ByDigit(), ByWord(), abstracted=False, full=ByWord())
    assert row.embedder.mrr == pytest.approx(1 / 4)
    assert row.reranker.mrr == pytest.approx(1 / 2)
    assert row.recall == row.agreement == 1.0
    # BM25 knows the two that say north: the embedder's second leads, then comes the answer.
    assert row.fused.mrr == pytest.approx(1 / 2)
    # So does the reranker, and places do not say otherwise.
    assert row.shipped.mrr == pytest.approx(1 / 2)
    assert "| compass | raw | 1 | 1.00 | 0.431 / 0.250 |" in table([row])


def test_places_count_as_much_as_they_are_told_to() -> None:
    class Against(ByWord):
        """Wants what it ought not to."""

        def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
            scored = [Hit(h.passage, -float("north" in h.passage.text)) for h in hits]
            return sorted(scored, key=lambda hit: -hit.score)[:k]

    def shipped(place_weight: float) -> float:
        own = _collection(), ByDigit(), Against()
        return measure(*own, abstracted=False, place_weight=place_weight).shipped.mrr

    assert shipped(0.0) == pytest.approx(1 / 4)
    assert shipped(1000.0) == pytest.approx(1 / 2)


def test_bars_are_the_mean_gains_of_the_sets() -> None:
    row = measure(_collection(), ByDigit(), ByWord(), abstracted=False)
    worse = replace(row, collection="other", shipped=row.embedder)
    [bar] = bars([row, worse])
    assert bar.name == "reranked_gain_raw"
    assert bar.value == pytest.approx((row.shipped.ndcg - row.embedder.ndcg) / 2)
    assert bar.met == (bar.value >= 0.05)
    assert [own.name for own in bars([row, replace(row, queries="abstracted")])] == [
        "reranked_gain_raw",
        "reranked_gain_abstracted",
    ]


def test_closed_collection_ranks_only_the_own_document() -> None:
    row = measure(_collection(closed=True), ByDigit(), ByWord(), abstracted=False)
    assert row.embedder.mrr == pytest.approx(1 / 2)
    assert row.reranker.mrr == 1.0
    assert row.agreement is None


@pytest.mark.parametrize(("abstracted", "first"), [(False, "Bob"), (True, "asks")])
def test_abstracted_measures_on_the_abstracted_query(abstracted: bool, first: str) -> None:
    reranker = ByWord()
    measure(_collection(), ByDigit(), reranker, abstracted=abstracted)
    assert [query.split()[0] for query in reranker.queries] == [first]


def test_nothing_to_measure_is_an_error() -> None:
    with pytest.raises(InputError, match="compass has no question"):
        measure(_collection().with_questions([]), ByDigit(), ByWord(), abstracted=False)


def test_ndcg_counts_answers_that_were_not_retrieved() -> None:
    relevant = np.array([True, False, True])
    assert ndcg(relevant, 2) == pytest.approx((1 + 1 / 2) / (1 + 1 / np.log2(3)))
    assert ndcg(relevant, 2) < 1.0 == ndcg(np.array([True, True]), 2)
    assert ndcg(np.array([False] * 10 + [True]), 1) == 0.0


def test_reciprocal_rank_of_no_answer_is_zero() -> None:
    assert reciprocal_rank(np.array([False, False, True, True])) == pytest.approx(1 / 3)
    assert reciprocal_rank(np.array([False, False])) == 0.0


def test_pairwise_agreement_counts_swapped_pairs() -> None:
    left = np.array([3.0, 2.0, 1.0], np.float32)
    assert pairwise_agreement(left, left * 10) == 1.0
    assert pairwise_agreement(left, np.array([2.0, 3.0, 1.0], np.float32)) == pytest.approx(2 / 3)
    assert pairwise_agreement(left, -left) == 0.0
    assert pairwise_agreement(left[:1], left[:1]) == 1.0
