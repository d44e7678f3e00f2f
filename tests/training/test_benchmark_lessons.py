"""Lessons from the benchmark hold nothing of its dev and test splits."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from privrag_fast import models
from privrag_fast.evaluation import documents
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.retrieval import Chunker
from privrag_fast.training import benchmark_lessons
from privrag_fast.training.rules_data import Lesson

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def lessons() -> list[Lesson]:
    chunker = Chunker(models.locate("embedder")["tokenizer.json"])
    return list(islice(benchmark_lessons.generate(60, 3, chunker, share=120), 60))


def test_no_product_of_another_split_is_named(lessons: list[Lesson]) -> None:
    held_out = [p.name for family in FAMILIES if family.split != "train" for p in family.products]
    assert held_out
    text = "\n".join(
        [f"{title}\n{text}" for lesson in lessons for title, text in lesson.passages]
        + [question.message for lesson in lessons for question in lesson.questions]
    ).casefold()
    assert [name for name in held_out if name.casefold() in text] == []


def test_each_question_has_passages_and_distinct_answers(lessons: list[Lesson]) -> None:
    assert len(lessons) == 60
    for lesson in lessons:
        assert lesson.passages
        assert 1 <= len(lesson.questions) <= 4
        for question in lesson.questions:
            assert question.message
            assert len(set(question.answers)) == len(question.answers) >= 1
    assert any(len(q.answers) > 1 for lesson in lessons for q in lesson.questions)


def test_a_product_does_not_always_have_the_same_rules() -> None:
    """Over seeds, or else its name would tell what it asks for."""
    texts: dict[str, set[str]] = {}
    for seed in range(8):
        rng = random.Random(seed)
        for sheet in benchmark_lessons.swapped(documents.generate(seed), rng):
            read = {c.attribute for case in sheet.document.cases for c in case.conditions}
            texts.setdefault(sheet.product.name, set()).add(" ".join(sorted(read)))
            assert sheet.product.what or sheet.product.name in sheet.document.text
    assert sum(len(read) > 2 for read in texts.values()) > len(texts) / 2
