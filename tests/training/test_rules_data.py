"""Lessons for the small language model: generator, token trees, figures of drafts; no torch."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.relevance.counterfactual import CounterfactualOptions
from privrag_fast.relevance.notes import Notes
from privrag_fast.training import rules_phrases as words
from privrag_fast.training.rules_data import (
    Lesson,
    LessonGenerator,
    LessonOptions,
    Question,
    mentioned,
)
from privrag_fast.training.slm_eval import Case, measure_drafts, stated_verdict
from privrag_fast.training.slm_tokens import (
    build_tree,
    hits_of,
    judged,
    load_trees,
    save_trees,
    tokenize,
)
from privrag_fast.types import says
from tests.scorer.tiny_llama import write_tiny_llama

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def lessons() -> list[Lesson]:
    return LessonGenerator(7).generate(300)


@pytest.fixture(scope="module")
def questions(lessons: list[Lesson]) -> list[Question]:
    return [question for lesson in lessons for question in lesson.questions]


# ------------------------------------------------------------------ generator


def test_same_seed_gives_the_same_lessons(lessons: list[Lesson]) -> None:
    assert LessonGenerator(7).generate(20) == lessons[:20]
    assert LessonGenerator(8).generate(20) != lessons[:20]


def test_reasons_name_each_decisive_value_and_no_other(questions: list[Question]) -> None:
    for question in questions:
        for fact in question.facts:
            assert says(question.answers[0], fact.value) == fact.decisive
            assert fact.decisive or not any(says(a, fact.value) for a in question.answers)


def test_each_value_stands_once_in_its_message(questions: list[Question]) -> None:
    for question in questions:
        assert 4 <= len(question.facts) <= 9
        for fact in question.facts:
            found = re.findall(rf"(?<!\w){re.escape(fact.value)}(?!\w)", question.message)
            assert len(found) == 1


def test_where_documents_are_silent_the_answer_says_so(questions: list[Question]) -> None:
    silent = [question for question in questions if question.verdict is None]
    assert 0.08 < len(silent) / len(questions) < 0.25
    for question in silent:
        assert question.answers[0].startswith("The documents do not say")
        assert not any(fact.decisive for fact in question.facts)


def test_reasons_come_before_the_verdict_in_about_seven_of_ten(questions: list[Question]) -> None:
    answers = [answer for question in questions for answer in question.answers]
    first = sum(not answer.startswith(("Yes", "No,")) for answer in answers)
    assert 0.65 < first / len(answers) < 0.8
    for question in questions:
        verdicts = {stated_verdict(answer) for answer in question.answers}
        assert verdicts == {question.verdict}


def test_an_age_limit_decides_as_the_documents_say() -> None:
    checked = 0
    for lesson in LessonGenerator(3).generate(400):
        for question in lesson.questions:
            limit = re.search(r"takes an age of at least (\d+), [a-z]+ you", question.answers[0])
            ages = [f for f in question.facts if f.kind == "age" and f.decisive]
            alone = question.answers[0].count("It takes") == 1
            if limit and ages and alone:
                assert question.verdict == (int(ages[0].meaning) >= int(limit[1]))
                assert any(limit[1] in text for _, text in lesson.passages)
                checked += 1
    assert checked > 10


def test_a_city_outside_the_named_countries_is_a_no() -> None:
    cities = {c: n for n, cs in words.COUNTRIES.items() for c in words.split_list(cs)}
    pattern = re.compile(
        r"takes a home in ([^.]*?), (?:and|but) you live in ([^,.]+), which is in ([^,.]+)\."
    )
    matches = [
        (match, question.verdict)
        for lesson in LessonGenerator(4).generate(400)
        for question in lesson.questions
        if sum(fact.decisive for fact in question.facts) == 1
        and (match := pattern.search(question.answers[0]))
    ]
    assert {verdict for _, verdict in matches} == {True, False}
    for match, verdict in matches:
        assert cities[match[2]] == match[3]
        assert verdict == (match[3] in re.split(", | or ", match[1]))


def test_options_set_the_proportions() -> None:
    options = LessonOptions(questions=2, max_passages=3, verdict_first=0, absent=1.0, open=0)
    for lesson in LessonGenerator(1, options=options).generate(20):
        assert len(lesson.questions) == 2
        assert all(len(question.answers) == 1 for question in lesson.questions)
        titles = {title for title, _ in lesson.passages}
        absent = [q for q in lesson.questions if q.product not in titles]
        assert all(question.verdict is None for question in absent)


def test_development_set_uses_other_products_and_phrasings(lessons: list[Lesson]) -> None:
    dev = LessonGenerator(7, dev=True).generate(100)

    def first_words(some: list[Lesson]) -> set[str]:
        return {title.split()[0] for lesson in some for title, _ in lesson.passages}

    def text(some: list[Lesson]) -> str:
        return " ".join(text for lesson in some for _, text in lesson.passages)

    assert first_words(dev)
    assert not first_words(dev) & first_words(lessons)
    # The beginnings that a subject does not change.
    heads = [own.split("{")[0] for own in words.split_list(words.NUMBERS["age"].at_least)]
    told = {number: head for number, head in enumerate(heads) if len(head) > 8}
    held_out = {head for number, head in told.items() if number % 5 == 4}
    trained = set(told.values()) - held_out
    in_lessons, in_dev = text(lessons), text(dev)
    assert sum(head in in_lessons for head in trained) > len(trained) / 3
    assert any(head in in_dev for head in held_out)
    assert not any(head in in_dev for head in trained)
    assert not any(head in in_lessons for head in held_out)


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    tokens = re.findall(r"\w+", text.lower())
    return {tuple(tokens[i : i + length]) for i in range(len(tokens) - length + 1)}


def test_nothing_is_copied_from_the_examples(lessons: list[Lesson]) -> None:
    """They are what the model is judged by: no run of eight words, no product is shared."""
    rows = (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    files = [p for p in (EXAMPLES / "corpus").rglob("*") if p.suffix in (".md", ".txt", ".html")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    theirs = set().union(
        *(_runs(t, 8) for t in [*texts, *(json.loads(r)["message"] for r in rows)])
    )
    ours = " \n".join(
        text
        for lesson in lessons
        for text in (*(t for _, t in lesson.passages), *(q.message for q in lesson.questions))
    )
    assert not _runs(ours, 8) & theirs
    titles = {title for lesson in lessons for title, _ in lesson.passages}
    assert not [title for title in titles if any(title in text for text in texts)]


# ------------------------------------------------------------------ token trees


def test_a_tree_holds_every_sequence_and_each_prefix_once() -> None:
    tree = build_tree([([1, 2, 3, 9], 3), ([1, 2, 4, 5, 9], 3), ([1, 2, 4, 6], 3)])
    assert tree.tokens.tolist() == [1, 2, 3, 9, 4, 5, 9, 6]
    assert tree.parents.tolist() == [-1, 0, 1, 2, 1, 4, 5, 4]
    assert tree.positions().tolist() == [0, 1, 2, 3, 2, 3, 4, 3]
    learned = list(zip(tree.sources.tolist(), tree.targets.tolist(), strict=True))
    assert learned == [(2, 9), (4, 5), (5, 9), (4, 6)]
    seen = tree.visible()
    assert np.flatnonzero(seen[6]).tolist() == [0, 1, 4, 5, 6]
    assert np.flatnonzero(seen[7]).tolist() == [0, 1, 4, 7]


def test_tokens_on_which_an_answer_turns_weigh_more() -> None:
    tree = build_tree([([1, 2, 3, 9], 2), ([1, 2, 4, 5], 2)], turns={(3, 9), (2, 4), (4, 9)})
    assert dict(zip(tree.targets.tolist(), tree.weights > 1, strict=True)) == {
        3: False,
        9: True,
        4: True,
        5: False,
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "It takes an age of at least 62, but you are 41. So no, you cannot join it.",
            "It takes an age of at least 62; you are 41, below 62: not met. So no, you cannot "
            "join it.",
        ),
        (
            "It takes a home in Norway, and you live in Oslo, which is in Norway. It takes an "
            "income of at most CHF 60,000, and you live on Fr. 4,000 a month. So yes, you can.",
            "It takes a home in Norway; you live in Oslo, which is in Norway, named as Norway: "
            "met. It takes an income of at most CHF 60,000; you live on Fr. 4,000 a month, below "
            "60,000: met. So yes, you can.",
        ),
        (
            "One case is for an age of at least 62, which is not yours, as you are 41.",
            "One case is for an age of at least 62; you are 41, below 62: not met.",
        ),
        ("It is open to everyone. So yes, you can.", "It is open to everyone. So yes, you can."),
    ],
)
def test_conditions_come_out_behind_what_is_noted(answer: str, expected: str) -> None:
    message = "I am 41, live in Oslo and on Fr. 4,000 a month."
    labels = {"AGE": "41", "LOCATION": "Oslo", "INCOME": "Fr. 4,000 a month"}
    own = list(mentioned(message, labels.items()))
    passages = ["You are at least 62, at home in Norway, with an income of CHF 60,000 at most."]
    assert judged(answer, Notes(message, own, passages), own) == expected


def test_every_reason_of_a_lesson_is_judged(lessons: list[Lesson]) -> None:
    for lesson in lessons[:60]:
        documents = [text for _, text in lesson.passages]
        for question in lesson.questions:
            notes = Notes(question.message, question.attributes, documents)
            text = judged(question.answers[0], notes, question.attributes)
            assert text.count("It takes") == text.count(": met.") + text.count(": not met.")
            assert text.count(": not met.") == question.answers[0].count(", but you")


def test_trees_survive_a_file(tmp_path: Path) -> None:
    trees = [build_tree([([1, 2, 3], 1)]), build_tree([([1, 2], 1), ([1, 3, 4], 2)])]
    save_trees(tmp_path / "trees.npz", trees)
    for read, tree in zip(load_trees(tmp_path / "trees.npz"), trees, strict=True):
        for name in ("tokens", "parents", "sources", "targets", "weights"):
            assert np.array_equal(getattr(read, name), getattr(tree, name))


def test_trees_hold_the_prompts_of_the_counterfactual_test(
    lessons: list[Lesson], tmp_path: Path
) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf")
    lesson = lessons[0]
    [tree] = tokenize([lesson], path)
    text = bytes(int(t) - 3 for t in tree.tokens if t >= 3).decode()
    text = text.replace("\u2581", " ")  # how this tokenizer writes a space
    assert text.count(lesson.passages[0][1]) == 1
    assert CounterfactualOptions().instruction in text
    leaves = set(range(len(tree.tokens))) - set(tree.parents.tolist())
    assert all(tree.tokens[leaf] == 2 for leaf in leaves)  # the end of the turn is learned
    assert len(leaves) == sum(len(question.answers) for question in lesson.questions)

    longest = max(tree.positions()) + 1
    answers = [answer.replace(" ", "\u2581") for q in lesson.questions for answer in q.answers]
    assert len(tree.targets) == sum(len(answer.encode()) + 1 for answer in answers)
    assert longest < len(tree.tokens)


def test_hits_carry_title_and_text(lessons: list[Lesson]) -> None:
    hits = hits_of(lessons[0])
    assert [(h.passage.title, h.passage.text) for h in hits] == list(lessons[0].passages)


# ------------------------------------------------------------------ figures


def test_figures_count_what_drafts_name() -> None:
    values = (("67", True), ("Zug", True), ("baker", False))
    cases = [Case("?", (), values, True), Case("?", (), values, False), Case("?", (), values, None)]
    drafts = iter(["You are 67 and live in Zug. So yes.", "You are 67, a Baker. So yes", "Zug 167"])
    figures = measure_drafts(cases, lambda _: next(drafts))
    assert (figures.decisive_named, figures.decisive) == (4, 6)
    assert (figures.others_named, figures.others) == (1, 3)
    assert figures.all_decisive_named == 1
    assert (figures.verdicts_right, figures.verdicts) == (1, 2)
