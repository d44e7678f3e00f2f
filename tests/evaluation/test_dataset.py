"""Data sets survive the disk, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from privrag_fast.evaluation import dataset
from privrag_fast.evaluation.dataset import Case, Condition, Dataset, Document, Fact, Question
from privrag_fast.types import InputError


def small() -> Dataset:
    turns = ("I am 67\u2028 and live in Zürich.", "Can I have the account?")
    return Dataset(
        name="small",
        version="1",
        seed=7,
        documents=(
            Document(
                "a/b.md",
                "Account",
                "# Account\n\nFrom 62 years on.",
                "savings",
                (Case((Condition("age", "at_least", (62,)),), "yes"),),
                "no",
            ),
            Document("filler.md", "Rates", "# Rates\n\nRates rose."),
        ),
        questions=(
            Question(
                "q1",
                "dev",
                "savings",
                turns,
                (Fact("age", "AGE", 5, 7, 67, True, True, "61 gives no"),),
                ("a/b.md",),
                {"verdict": "Yes."},
                "yes",
            ),
        ),
    )


def test_read_gives_what_write_got(tmp_path: Path) -> None:
    dataset.write(small(), tmp_path / "one")
    again = dataset.read(tmp_path / "one")
    assert again == small()
    dataset.write(again, tmp_path / "two")
    for name in ("dataset.json", "documents.jsonl", "questions.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_spans_count_in_the_joined_turns() -> None:
    [question] = small().questions
    [fact] = question.facts
    assert question.message[fact.start : fact.end] == "67"
    assert question.message.count("\n") == 1


def test_split_keeps_the_order() -> None:
    data = small()
    assert data.split("dev") == data.questions
    assert data.split("test") == ()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"dataset\.json"):
        dataset.read(tmp_path)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    dataset.write(small(), tmp_path)
    with (tmp_path / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "q2"}\n')
    with pytest.raises(InputError, match=r"questions\.jsonl, line 2"):
        dataset.read(tmp_path)
