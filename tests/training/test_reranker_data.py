"""Data for the reranker: generator, split, abstraction, negatives; no torch."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from privrag_fast.privacy import DEFAULT_STYLE, STYLES, Style
from privrag_fast.retrieval import Bm25
from privrag_fast.training.reranker_data import (
    Collection,
    Question,
    abstract_query,
    detected,
    generate_products,
    in_style,
    is_held_out,
    load_conditionalqa,
    load_or_sharc,
    load_public,
    load_xquad,
    make_group,
)
from privrag_fast.types import InputError, Passage, SafeText
from tests.stand_ins import PlantedDetector

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


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("type", "I am AGE, MARITAL_STATUS, and in LOCATION. Is AGEING a TYPE?"),
        ("words", "I am age, family relation, and in place. Is AGEING a TYPE?"),
        ("dropped", "I am, and in. Is AGEING a TYPE?"),
    ],
)
def test_type_names_become_what_a_style_says(style: Style, expected: str) -> None:
    abstracted = "I am AGE, MARITAL_STATUS, and in LOCATION. Is AGEING a TYPE?"
    assert in_style(abstracted, style) == expected


def test_every_label_of_the_patterns_has_a_style() -> None:
    told = abstract_query("I am 67, widowed, in Leeds, have two kids, asthma and £900 in May 2020.")
    assert re.search("[A-Z]{3}", told)
    assert not re.search("[A-Z]{2}", in_style(told, "dropped"))


def test_queries_are_abstracted_as_the_detector_finds_values() -> None:
    query = "I live in Oslo. May Oslo pay?"
    question = Question(query, "patterns said this", "a", (0,))
    collection = Collection("tiny", ("yes", "no"), ("a", "a"), (question,))
    detector = PlantedDetector({query: [(10, 14, "LOCATION")]})
    [told] = detected(collection, detector).questions
    assert told.abstracted == "I live in LOCATION. May LOCATION pay?"  # the second mention too
    assert (told.query, told.positives) == (query, (0,))
    unknown = detected(collection, PlantedDetector({}))
    assert unknown.questions[0].abstracted == query


# ------------------------------------------------------------------ negatives


def _ranked(collection: Collection, query: str) -> list[int]:
    passages = [Passage(str(i), text) for i, text in enumerate(collection.passages)]
    return [int(hit.passage.id) for hit in Bm25(passages).search(SafeText(query), 20)]


def test_first_passage_answers_and_no_other_does(products: Collection) -> None:
    rng, siblings = random.Random(0), products.siblings()
    for question in products.questions[:80]:
        ranked = _ranked(products, question.query)
        group = make_group(products, question, ranked, siblings[question.document], size=8, rng=rng)
        answers = {products.passages[i] for i in question.positives}
        told = (in_style(question.abstracted, style) for style in STYLES)
        assert group.query in (question.query, *told)
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

    def drawn(share: float) -> Counter[str]:
        rng = random.Random(0)
        groups = [
            make_group(products, question, [], [], size=2, rng=rng, abstracted_share=share)
            for _ in range(200)
        ]
        return Counter(group.query for group in groups)

    assert drawn(0.0) == {question.query: 200}
    told = drawn(1.0)
    assert told.keys() == {in_style(question.abstracted, style) for style in STYLES}
    assert told[in_style(question.abstracted, DEFAULT_STYLE)] > 100


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
