"""The generated benchmark: documents with rules, people who ask about them, and exact answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from privrag_fast.evaluation import documents
from privrag_fast.evaluation import filler as fillers
from privrag_fast.evaluation import personas as people
from privrag_fast.evaluation.dataset import Dataset, Question, Split
from privrag_fast.evaluation.documents import Sheet
from privrag_fast.evaluation.personas import Persona
from privrag_fast.evaluation.products import FAMILIES
from privrag_fast.evaluation.questions import QuestionMaker
from privrag_fast.types import InputError

NAME: Final = "privrag-bench"
VERSION: Final = "2"
_LEAST_PERSONAS: Final = 60
# Filler that speaks of the very products, without a rule of theirs: that is what is hard to tell.
_NAMES: Final = fillers.Names(
    institutions=tuple(dict.fromkeys(family.institution for family in FAMILIES)),
    products=tuple(product.name for family in FAMILIES for product in family.products),
)


def generate(
    seed: int = 0,
    *,
    train: int = 1600,
    dev: int = 200,
    test: int = 400,
    personas: int = 300,
    filler: int = 2000,
) -> Dataset:
    """The benchmark of a seed; same arguments, same bytes.

    The splits share no product family, no sentence template and no person.

    Args:
        train, dev, test: Questions of each split.
        personas: People whom the questions are asked by, in varying circumstances.
        filler: Passages beside the documents, about money and about nobody's question.
    """
    if personas < _LEAST_PERSONAS:
        raise InputError(f"personas must be at least {_LEAST_PERSONAS}, got {personas}")
    sheets, everybody = documents.generate(seed), people.generate(personas, seed)
    sizes: dict[Split, int] = {"train": train, "dev": dev, "test": test}
    passages = fillers.filler(filler, seed, names=_NAMES) if filler else ()
    return Dataset(
        name=NAME,
        version=VERSION,
        seed=seed,
        documents=(*(sheet.document for sheet in sheets), *passages),
        questions=tuple(
            question
            for split, size in sizes.items()
            for question in questions(split, size, sheets, everybody, seed)
        ),
    )


def questions(
    split: Split, size: int, sheets: Sequence[Sheet], everybody: Sequence[Persona], seed: int
) -> Iterator[Question]:
    """`size` questions of a split about the documents of its families, asked by its people."""
    own = [sheet for sheet in sheets if sheet.family.split == split]
    yield from QuestionMaker(split, own, _share(everybody, split), seed=seed).make(size)


def _share(everybody: Sequence[Persona], split: Split) -> tuple[Persona, ...]:
    """Of ten people, six are for training, one for development, and three for the test."""
    digits = {"train": range(6), "dev": range(6, 7), "test": range(7, 10)}[split]
    return tuple(person for number, person in enumerate(everybody) if number % 10 in digits)
