"""Data for the reranker: generator, split, abstraction, negatives; no torch."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.training.reranker_data import (
    BM25,
    Collection,
    Question,
    abstract_query,
    generate_products,
    is_held_out,
    load_conditionalqa,
    load_or_sharc,
    load_public,
    load_xquad,
    make_group,
)
from privrag_fast.types import InputError

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no folder of public data sets")

LABELS = {
    "AGE",
    "LOCATION",
    "INCOME",
    "OCCUPATION",
    "MARITAL_STATUS",
    "CHILDREN",
    "NATIONALITY",
    "HEALTH",
}


@pytest.fixture(scope="module")
def products() -> Collection:
    return generate_products(seed=3, count=60)


# ------------------------------------------------------------------ generator


def test_same_seed_gives_the_same_collection(products: Collection) -> None:
    assert generate_products(seed=3, count=60) == products
    assert generate_products(seed=4, count=60) != products


def test_every_question_names_the_product_that_its_answer_is_about(products: Collection) -> None:
    for question in products.questions:
        product = question.document.removeprefix("generated/")
        assert product in question.query
        assert all(product in products.passages[i] for i in question.positives)
        assert all(products.documents[i] == question.document for i in question.positives)


def test_products_differ_by_name(products: Collection) -> None:
    assert len(set(products.documents)) == 60


def test_abstracted_message_shows_types_where_the_plain_one_shows_values(
    products: Collection,
) -> None:
    seen = set()
    for question in products.questions:
        types = LABELS & set(re.findall(r"[A-Z_]{3,}", question.abstracted))
        assert not LABELS & set(re.findall(r"[A-Z_]{3,}", question.query))
        assert (question.query != question.abstracted) == bool(
            types or "PERSON" in question.abstracted
        )
        seen |= types
    assert seen == LABELS


def test_asking_for_more_products_than_there_are_names_says_how_many() -> None:
    with pytest.raises(InputError, match="at most 8000, got 8001"):
        generate_products(seed=1, count=8001)


# ------------------------------------------------------------------ split


def test_split_shares_no_document_and_loses_no_question(products: Collection) -> None:
    train, held_out = products.split()
    assert train.questions
    assert held_out.questions
    assert not {q.document for q in train.questions} & {q.document for q in held_out.questions}
    assert sorted(map(repr, train.questions + held_out.questions)) == sorted(
        map(repr, products.questions)
    )


def test_split_does_not_depend_on_order_or_process() -> None:
    assert [i for i in range(40) if is_held_out(f"document/{i}")] == [5, 7, 22, 29, 36]


# ------------------------------------------------------------------ abstraction


@pytest.mark.parametrize(
    ("query", "abstracted"),
    [
        ("I am 67 and live in Leeds.", "I am AGE and live in LOCATION."),
        ("a twenty seven year old", "a AGE"),
        ("I'm a nurse from Ghana", "I'm a OCCUPATION from LOCATION"),
        ("I earn £31,500 a year", "I earn INCOME a year"),
        ("It cost $40 in May 2019.", "It cost MONEY in DATE."),
        ("I am divorced with two young children", "I am MARITAL_STATUS with CHILDREN"),
        ("My name is Nora Lind, I have diabetes", "My name is PERSON, I have HEALTH"),
        ("I am a Polish bus driver", "I am a NATIONALITY OCCUPATION"),
        ("write to nora@example.com", "write to EMAIL"),
        ("How do I cancel my plan?", "How do I cancel my plan?"),
        ("I am 30 weeks along", "I am 30 weeks along"),
        ("", ""),
    ],
)
def test_abstract_query(query: str, abstracted: str) -> None:
    assert abstract_query(query) == abstracted
    assert abstract_query(abstracted) == abstracted


# ------------------------------------------------------------------ negatives


def _ranked(collection: Collection, query: str) -> list[int]:
    return [int(i) for i in np.argsort(-BM25(collection.passages).score(query))[:20]]


def test_first_passage_answers_and_no_other_does(products: Collection) -> None:
    rng, siblings = random.Random(0), products.siblings()
    for question in products.questions[:80]:
        ranked = _ranked(products, question.query)
        group = make_group(products, question, ranked, siblings[question.document], size=8, rng=rng)
        answers = {products.passages[i] for i in question.positives}
        assert group.query in (question.query, question.abstracted)
        assert group.passages[0] in answers
        assert not answers & set(group.passages[1:])
        assert len(set(group.passages)) == 8


def test_negatives_come_from_the_document_and_from_others(products: Collection) -> None:
    question = products.questions[0]
    own = {products.passages[i] for i in products.siblings()[question.document]}
    group = make_group(
        products,
        question,
        _ranked(products, question.query),
        products.siblings()[question.document],
        size=8,
        rng=random.Random(0),
    )
    assert 3 <= len(own & set(group.passages[1:])) < 7


def test_a_near_copy_of_the_answer_is_no_negative() -> None:
    passages = (
        "the fee is nine euros a month for all members of the club",
        "the fee is nine euros a month for all members of the gym",
        "bring a towel",
        "the sauna opens late",
    )
    question = Question("what is the fee?", "what is the fee?", "a", (0,))
    collection = Collection("club", passages, ("a", "b", "a", "a"), (question,))
    group = make_group(collection, question, [1, 0, 2], [0, 2, 3], size=4, rng=random.Random(0))
    assert sorted(group.passages) == sorted((passages[0], *passages[2:]))


def test_group_shrinks_where_the_collection_has_no_more_passages() -> None:
    question = Question("q", "q", "a", (0,))
    collection = Collection("tiny", ("yes", "no"), ("a", "a"), (question,))
    group = make_group(collection, question, [], [0, 1], size=8, rng=random.Random(0))
    assert group.passages == ("yes", "no")


def test_abstracted_share_decides_which_query_is_used(products: Collection) -> None:
    question = next(q for q in products.questions if q.query != q.abstracted)
    for share, query in ((0.0, question.query), (1.0, question.abstracted)):
        group = make_group(
            products, question, [], [], size=2, rng=random.Random(0), abstracted_share=share
        )
        assert group.query == query


def test_bm25_prefers_rare_words_and_gives_zero_to_strangers() -> None:
    bm25 = BM25(["the red fox", "the red hen", "the blue fox fox", "the dog"])
    scores = bm25.score("Blue, the!")
    assert scores.argmax() == 2
    assert scores[0] == pytest.approx(scores[1])
    assert not bm25.score("zebra").any()
    assert not bm25.score("").any()


# ------------------------------------------------------------------ readers


def test_missing_file_is_named_without_its_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"id2snippet\.json not found") as error:
        load_or_sharc(tmp_path)
    assert str(tmp_path) not in str(error.value)


def test_conditionalqa_page_keeps_lists_whole_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(
        """[
        {"url": "https://x/club-card", "scenario": "I am new.", "question": "Who can join?",
         "evidences": ["<p>You can join if you are:</p>", "<li>a resident</li>"]},
        {"url": "https://x/club-card", "scenario": "", "question": "And pupils?",
         "evidences": ["<li>a pupil &amp; guest</li>", "<h2>Fees</h2>"]},
        {"url": "https://x/club-card", "scenario": "", "question": "Pupil or resident?",
         "evidences": ["<li>a resident</li>", "<li>a pupil &amp; guest</li>"]},
        {"url": "https://x/club-card", "scenario": "", "question": "Nothing?", "evidences": []}
        ]"""
    )
    collection = load_conditionalqa(tmp_path)
    first, second = collection.passages
    assert first.endswith("You can join if you are:\na resident\na pupil & guest")
    assert second.endswith("Fees")
    assert [q.positives for q in collection.questions] == [(0,), (0, 1), (0,)]


@needs_data
def test_public_sets_have_answers_and_keep_the_evaluation_pages_out() -> None:
    collections = load_public(DATA)
    assert [c.name for c in collections] == ["conditionalqa", "or-sharc", "tatqa", "xquad"]
    for collection in collections:
        train, held_out = collection.split()
        assert len(train.questions) > 4 * len(held_out.questions) > 0
        assert len(set(collection.passages)) == len(collection.passages)
    dev = load_conditionalqa(DATA / "conditionalqa", split="dev")
    assert not set(dev.documents) & set(collections[0].documents)


@needs_data
def test_xquad_holds_out_whole_articles() -> None:
    train, held_out = load_xquad(DATA / "xquad-en").split()
    assert {train.documents[i] for q in train.questions for i in q.positives}.isdisjoint(
        held_out.documents[i] for q in held_out.questions for i in q.positives
    )
