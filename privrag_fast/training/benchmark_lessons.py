"""Lessons from the benchmark's train split: whole documents, and people who ask about them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from privrag_fast.evaluation import benchmark
from privrag_fast.evaluation.dataset import Dataset, Document, Question
from privrag_fast.evaluation.filler import filler
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.evaluation.retrieval import passages
from privrag_fast.retrieval import Chunker
from privrag_fast.training import rules_data
from privrag_fast.training.rules_data import Lesson

_QUESTIONS = 4
_GOLD, _OTHERS = 3, 2
_FILLER = 60
_FAMILIES = {family.name for family in FAMILIES if family.split == "train"}
# Chance of the shorter answers beside the one that gives its reasons and values: drafts are
# greedy, so that one must be the likeliest.
_SHORTER = {"verdict": 0.25, "reasoned": 0.15}


def generate(count: int, seed: int, chunker: Chunker, *, share: int = 400) -> Iterator[Lesson]:
    """`count` lessons; after `share` questions the documents change their limits and words."""
    while count > 0:
        data = benchmark.generate(seed, train=share, dev=0, test=0, filler=0)
        # The documents and the filler of a benchmark speak of the products of all splits.
        own = [document for document in data.documents if document.family in _FAMILIES]
        data = replace(data, documents=(*own, *filler(_FILLER, seed)))
        for lesson in lessons(data, random.Random(seed), chunker):
            if count == 0:
                return
            count -= 1
            yield lesson
        seed += 1


def lessons(data: Dataset, rng: random.Random, chunker: Chunker) -> Iterator[Lesson]:
    """The questions about one document together, beside passages of others."""
    found = {
        document.id: [(p.title, p.text) for p in passages([document], chunker)]
        for document in data.documents
    }
    groups: dict[tuple[str, ...], list[Question]] = {}
    for question in data.split("train"):
        groups.setdefault(question.documents, []).append(question)
    together = [
        (gold, own[first : first + _QUESTIONS])
        for gold, own in groups.items()
        for first in range(0, len(own), _QUESTIONS)
    ]
    rng.shuffle(together)
    for gold, own in together:
        yield Lesson(
            passages=_evidence(data.documents, found, gold, rng),
            questions=tuple(_question(question, rng) for question in own),
        )


def _evidence(
    documents: Sequence[Document],
    found: dict[str, list[tuple[str, str]]],
    gold: Sequence[str],
    rng: random.Random,
) -> tuple[tuple[str, str], ...]:
    chosen = [passage for id_ in gold for passage in found[id_]][:_GOLD]
    others = [document for document in documents if document.id not in gold]
    # Where no document answers, there are only others.
    for document in rng.sample(others, rng.randint(0 if gold else 1, _OTHERS)):
        chosen.append(rng.choice(found[document.id]))
    rng.shuffle(chosen)
    return tuple(chosen)


def _question(question: Question, rng: random.Random) -> rules_data.Question:
    answers = [question.answers["explained"]]
    answers += [
        question.answers[style]  # type: ignore[index]
        for style, chance in _SHORTER.items()
        if rng.random() < chance and question.answers[style] not in answers  # type: ignore[index]
    ]
    return rules_data.Question(question.message, "", tuple(answers), (), None)
