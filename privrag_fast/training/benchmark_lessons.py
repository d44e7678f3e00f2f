"""Lessons from the benchmark's train split: whole documents, and people who ask about them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from privrag_fast.evaluation import benchmark, documents, personas
from privrag_fast.evaluation.dataset import Document, Question
from privrag_fast.evaluation.documents import Sheet
from privrag_fast.evaluation.filler import filler
from privrag_fast.evaluation.retrieval import passages
from privrag_fast.retrieval import Chunker
from privrag_fast.training import rules_data
from privrag_fast.training.rules_data import Lesson
from privrag_fast.types import Attribute, Entity

_QUESTIONS = 4
_GOLD, _OTHERS = 3, 2
_FILLER = 60
_PEOPLE = 300
_SWAPPED = 0.7
# Chance of the shorter answers beside the one that gives its reasons and values: drafts are
# greedy, so that one must be the likeliest.
_SHORTER = {"verdict": 0.25, "reasoned": 0.15}


def generate(count: int, seed: int, chunker: Chunker, *, share: int = 400) -> Iterator[Lesson]:
    """`count` lessons; after `share` questions the documents change limits, words and names."""
    while count > 0:
        rng = random.Random(seed)
        # The documents and the filler of a benchmark speak of the products of all splits.
        own = [sheet for sheet in documents.generate(seed) if sheet.family.split == "train"]
        sheets = swapped(own, rng)
        texts = (*(sheet.document for sheet in sheets), *filler(_FILLER, seed))
        everybody = personas.generate(_PEOPLE, seed)
        questions = benchmark.questions("train", share, sheets, everybody, seed)
        for lesson in lessons(texts, tuple(questions), rng, chunker):
            if count == 0:
                return
            count -= 1
            yield lesson
        seed += 1


def swapped(sheets: Sequence[Sheet], rng: random.Random) -> list[Sheet]:
    """Most products that one may have or not trade names, so that a name tells no rule."""
    moved = [s for s in sheets if not s.product.what and rng.random() < _SWAPPED]
    names = dict(zip((s.document.id for s in moved), rng.sample(moved, len(moved)), strict=True))
    return [documents.renamed(s, names.get(s.document.id, s)) for s in sheets]


def lessons(
    texts: Sequence[Document], questions: Sequence[Question], rng: random.Random, chunker: Chunker
) -> Iterator[Lesson]:
    """The questions about one document together, beside passages of others."""
    found = {
        document.id: [(p.title, p.text) for p in passages([document], chunker)]
        for document in texts
    }
    groups: dict[tuple[str, ...], list[Question]] = {}
    for question in questions:
        groups.setdefault(question.documents, []).append(question)
    together = [
        (gold, own[first : first + _QUESTIONS])
        for gold, own in groups.items()
        for first in range(0, len(own), _QUESTIONS)
    ]
    rng.shuffle(together)
    for gold, own in together:
        yield Lesson(
            passages=_evidence(texts, found, gold, rng),
            questions=tuple(_question(question, rng) for question in own),
        )


def _evidence(
    texts: Sequence[Document],
    found: dict[str, list[tuple[str, str]]],
    gold: Sequence[str],
    rng: random.Random,
) -> tuple[tuple[str, str], ...]:
    chosen = [passage for id_ in gold for passage in found[id_]][:_GOLD]
    others = [document for document in texts if document.id not in gold]
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
    own = tuple(
        Attribute(
            fact.label,
            question.message[fact.start : fact.end],
            f"[{fact.label}_{number}]",
            (Entity(fact.start, fact.end, fact.label),),
        )
        for number, fact in enumerate(question.facts)
    )
    return rules_data.Question(question.message, "", tuple(answers), (), None, own)
