from __future__ import annotations

import numpy as np
import pytest

from privrag_fast.retrieval import CrossEncoder
from privrag_fast.types import Hit, InputError, ModelError, Passage
from tests.retrieval import tiny_models

QUERY = "free ticket monday"
TEXTS = {
    "none": "bread butter",
    "one": "the museum opens on monday " + "in the winter " * 9,
    "three": "the ticket is free on monday",
    "also-none": "letter form",
    "two": "free ticket",
}


def hits(texts=None):
    found = (texts or TEXTS).items()
    return [Hit(Passage(id_, text), 0.5 - row) for row, (id_, text) in enumerate(found)]


def ids(found):
    return [hit.passage.id for hit in found]


@pytest.fixture(scope="module")
def model_path(tmp_path_factory):
    """Its logit is the number of words that query and passage share."""
    return tiny_models.classifier(tmp_path_factory.mktemp("model") / "m.onnx", np.ones((1, 1)))


@pytest.fixture(scope="module")
def reranker(model_path, tokenizer_path):
    return CrossEncoder(model_path, tokenizer_path, threads=1)


def test_orders_by_query_and_passage_together(reranker):
    found = reranker.rerank(QUERY, hits(), k=3)

    assert ids(found) == ["three", "two", "one"]
    assert [hit.score for hit in found] == [3.0, 2.0, 1.0]


def test_ties_keep_the_order_of_the_first_stage(reranker):
    many = {f"t{number}": "free " * (number % 2) for number in range(60)}

    expected = [id_ for id_ in many if many[id_]] + [id_ for id_ in many if not many[id_]]
    assert ids(reranker.rerank("free", hits(many), k=60)) == expected


@pytest.mark.parametrize("batch_size", [1, 2, 3, 16])
def test_batches_change_nothing(model_path, tokenizer_path, batch_size):
    reranker = CrossEncoder(model_path, tokenizer_path, batch_size=batch_size)

    found = reranker.rerank(QUERY, hits(), k=9)
    assert ids(found) == ["three", "two", "one", "none", "also-none"]
    assert [hit.score for hit in found] == [3.0, 2.0, 1.0, 0.0, 0.0]


def test_of_two_classes_the_lead_of_the_second_counts(tmp_path, tokenizer_path):
    path = tiny_models.classifier(tmp_path / "m.onnx", np.array([[4.0, 1.0]]))

    found = CrossEncoder(path, tokenizer_path).rerank("free", hits(), k=9)
    assert [hit.score for hit in found] == [0.0, 0.0, 0.0, -3.0, -3.0]


def test_reads_the_title(reranker):
    titled = [Hit(Passage("plain", "bread"), 1), Hit(Passage("titled", "bread", title="free"), 0)]

    assert ids(reranker.rerank("free", titled)) == ["titled", "plain"]


def test_a_long_passage_is_truncated_and_a_long_query_does_not_crowd_it_out(
    model_path, tokenizer_path
):
    reranker = CrossEncoder(model_path, tokenizer_path, max_length=16)

    passages = hits({"late": "bread " * 400 + "free", "early": "free " + "bread " * 400})
    assert ids(reranker.rerank("free", passages)) == ["early", "late"]
    assert reranker.rerank("free " * 400, passages)[0].score > 0


def test_no_hits_and_more_wanted_than_there_are(reranker):
    assert reranker.rerank(QUERY, []) == []
    assert len(reranker.rerank(QUERY, hits(), k=100)) == len(TEXTS)


@pytest.mark.parametrize("query", ["", "\ud800 \0", "ქართული", "free\udc00"])
def test_any_query_is_scored(reranker, query):
    passages = hits({"a": "\ud800 free", "b": "", "c": "\0"})
    assert len(reranker.rerank(query, passages)) == 3


def test_k_below_one(reranker):
    with pytest.raises(InputError, match="k must be 1 or more, got 0"):
        reranker.rerank(QUERY, hits(), k=0)


def test_a_model_of_another_kind_is_refused_at_once(tmp_path, tokenizer_path, encoder_path):
    with pytest.raises(ModelError, match=r"logits \[n, 1\] or \[n, 2\]"):
        CrossEncoder(encoder_path, tokenizer_path)
    three = tiny_models.classifier(tmp_path / "m.onnx", np.ones((1, 3)))
    with pytest.raises(ModelError, match=r"gives \[1, 3\] for 1 pairs"):
        CrossEncoder(three, tokenizer_path)


def test_the_place_of_a_hit_has_a_say(model_path, tokenizer_path, reranker):
    fused = CrossEncoder(model_path, tokenizer_path, place_weight=1000.0, threads=1)
    found = fused.rerank(QUERY, hits())
    assert ids(found) == list(TEXTS)  # the order in which they came
    logits = {hit.passage.id: hit.score for hit in reranker.rerank(QUERY, hits())}
    for place, hit in enumerate(found, start=1):
        expected = logits[hit.passage.id] + 1000 / (10 + place)
        assert hit.score == pytest.approx(expected, abs=1e-3)


def test_the_scores_of_hits_do_not_matter(model_path, tokenizer_path):
    fused = CrossEncoder(model_path, tokenizer_path, place_weight=20.0, threads=1)
    louder = [Hit(hit.passage, 1e6 * hit.score) for hit in hits()]
    assert fused.rerank(QUERY, louder) == fused.rerank(QUERY, hits())
    # A word in common outweighs a place; three, two places.
    assert ids(fused.rerank(QUERY, hits(), k=2)) == ["three", "two"]
