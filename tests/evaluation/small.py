"""A small data set, and stand-ins for the models, that the evaluations' tests share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from privrag_fast.evaluation.dataset import Case, Condition, Dataset, Document, Fact, Question
from privrag_fast.evaluation.relevance import Evidence, Relevance, RelevanceOptions
from privrag_fast.llama import VariantScores
from privrag_fast.types import Attribute, ChatMessage, Hit, Passage, SafeText, ScoreCounts

SAVER = Document(
    "saver.md",
    "Senior Saver",
    "# Senior Saver\n\nFor people of 62 or more.\n",
    "saver",
    (Case((Condition("age", "at_least", (62,)),), "yes"),),
    "no",
)
CARD = Document("card.md", "Travel card", "# Travel card\n\nIt costs 40 a year.\n")


def question(number: int, age: int = 67) -> Question:
    """Age decides, city and name do not."""
    message = f"I am Ann Lee{number}, {age}, from Oslo. May I open the Senior Saver?"
    spans = [
        ("name", "PERSON", f"Ann Lee{number}", None, False),
        ("age", "AGE", str(age), age, True),
        ("city", "LOCATION", "Oslo", "Oslo", False),
    ]
    facts = tuple(
        Fact(name, label, at, at + len(value), meaning, decisive, decisive, f"{name} says so")
        for name, label, value, meaning, decisive in spans
        for at in [message.index(value)]
    )
    verdict = "yes" if age >= 62 else "no"
    answers = {"verdict": f"{verdict}.", "explained": f"{verdict}, because you are {age}."}
    return Question(
        f"q{number}", "test", "saver", (message,), facts, ("saver.md",), answers, verdict
    )


def dataset(count: int = 4) -> Dataset:
    questions = tuple(question(number, 60 + number) for number in range(count))
    return Dataset("small", "1", 0, (SAVER, CARD), questions)


PASSAGES = [Passage(own.id, own.text, own.title, source=own.id) for own in (SAVER, CARD)]


class Retrieves:
    def __init__(self, passages: Sequence[Passage] = PASSAGES) -> None:
        self._hits = [Hit(passage, 0.0) for passage in passages]

    def search(self, query: SafeText, k: int = 10) -> list[Hit]:
        return self._hits[:k]


class PrefersLongTitles:
    def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
        return sorted(hits, key=lambda hit: -len(hit.passage.title))[:k]


class WantsAges:
    """An answer is a nat likelier for each year of the age in a message: age alone matters."""

    takes_notes = False

    def __init__(self, draft: str = "Yes, you are old enough.") -> None:
        self._draft = draft
        self.asked: list[Sequence[str]] = []

    def draft(self, message: str, hits: Sequence[Hit]) -> str:
        return self._draft

    def score(self, messages: Sequence[str], hits: Sequence[Hit], answer: str) -> VariantScores:
        self.asked.append(messages)
        ages = [int(message.split(", ")[1]) for message in messages]
        return VariantScores(np.array(ages, np.float64), (), ScoreCounts(9, 5, 4, 1))

    def divergences(
        self, messages: Sequence[str], hits: Sequence[Hit], answer: str
    ) -> NDArray[np.float64]:
        own = self.score(messages, hits, answer).log_likelihood
        return np.abs(own - own[0])

    def score_each(
        self, messages: Sequence[str], hits: Sequence[Hit], answers: Sequence[str]
    ) -> NDArray[np.float64]:
        return np.stack([self.score(messages, hits, own).log_likelihood for own in answers])


class Same:
    """A baseline without an opinion."""

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> list[float]:
        return [0.0] * len(attributes)


class Says:
    """An LLM that answers by what it is asked; counts how often."""

    def __init__(self, *answers: str) -> None:
        self._answers = answers
        self.asked: list[Sequence[ChatMessage]] = []

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        answer = self._answers[len(self.asked) % len(self._answers)]
        self.asked.append(messages)
        yield from (answer[:2], answer[2:])


def relevance(**choices: object) -> Relevance:
    options = choices.pop("options", RelevanceOptions())
    assert isinstance(options, RelevanceOptions)
    evidence = Evidence(PASSAGES, Retrieves(), PrefersLongTitles(), options=options)
    counterfactual = choices.pop("counterfactual", WantsAges())
    return Relevance(evidence, counterfactual, options=options, **choices)  # type: ignore[arg-type]
