"""Questions of people about documents, with what is known about them: the vocabulary of evaluation.

A data set is a folder: `dataset.json` (name, version, seed), `documents.jsonl` and
`questions.jsonl`, one object a line with the fields of the classes below.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from privrag_fast.types import InputError

Split = Literal["train", "dev", "test"]
Style = Literal["verdict", "reasoned", "explained"]
Meaning = int | str
T = TypeVar("T")

STYLES: tuple[Style, ...] = ("verdict", "reasoned", "explained")
"""Reference answers: verdict alone; reasons that repeat no value; reasons with the values."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a document asks of one attribute of a person.

    Args:
        attribute: `age`, `city`, `income` ...
        operator: See `privrag_fast.evaluation.rules`.
        values: What the attribute's meaning is compared with.
    """

    attribute: str
    operator: str
    values: tuple[Meaning, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """An outcome, and the conditions that must all hold for it."""

    conditions: tuple[Condition, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the corpus.

    Args:
        id: Its path in the corpus folder.
        text: Markdown, with the title as its first heading.
        family: Product family; "" for filler.
        cases: Its rules: the first case whose conditions hold gives the outcome. Empty where the
            rules are not known.
        otherwise: The outcome where no case holds.
    """

    id: str
    title: str
    text: str
    family: str = ""
    cases: tuple[Case, ...] = ()
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sensitive value in a message.

    Args:
        attribute: What it says about the person: `age`, `city`, `income` ...
        label: Its type as detection names it: `AGE`, `LOCATION` ...
        start, end: Half-open span in code points of `Question.message`.
        meaning: What rules compare; None where it is not known.
        consulted: A rule of the gold document reads it; None where it is not known.
        decisive: Some other value of it changes the outcome, with the rest as it is; None where
            it is not known.
        why: In one sentence, for readers.
    """

    attribute: str
    label: str
    start: int
    end: int
    meaning: Meaning | None = None
    consulted: bool | None = None
    decisive: bool | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a person wrote, in one turn or several, and what is known about the answer.

    Args:
        turns: The person's turns; attributes may be spread over them.
        facts: Sensitive values, sorted by start, disjoint.
        documents: Ids of the documents that hold the answer; empty where none does.
        answers: Reference answers by style; a style that the data set lacks is missing.
        outcome: By the rules of the gold document; "" where they are not known.
        verdicts: The bare verdict for each outcome that the gold document knows, its own too.
    """

    id: str
    split: Split
    family: str
    turns: tuple[str, ...]
    facts: tuple[Fact, ...]
    documents: tuple[str, ...]
    answers: Mapping[Style, str] = field(default_factory=dict)
    outcome: str = ""
    verdicts: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """All turns, one a line: what `Fact` spans count in."""
        return "\n".join(self.turns)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents, and questions about them.

    Args:
        version: Changes whenever the same seed gives other data.
        seed: None for data that was not generated.
    """

    name: str
    version: str
    seed: int | None
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]

    def split(self, name: Split) -> tuple[Question, ...]:
        """The questions of one split, in order."""
        return tuple(question for question in self.questions if question.split == name)


# --------------------------------------------------------------------------- files


def write(dataset: Dataset, folder: Path) -> None:
    """Writes a data set; the same data gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    head = {"name": dataset.name, "version": dataset.version, "seed": dataset.seed}
    (folder / "dataset.json").write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")
    _write_lines(folder / "documents.jsonl", dataset.documents)
    _write_lines(folder / "questions.jsonl", dataset.questions)


def read(folder: Path) -> Dataset:
    """The data set that `write` left in a folder.

    Raises:
        InputError: A file is missing or a line does not hold what it should.
    """
    try:
        head = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} holds no data set: dataset.json cannot be read") from error
    return Dataset(
        name=head["name"],
        version=head["version"],
        seed=head["seed"],
        documents=tuple(_read_lines(folder / "documents.jsonl", _document)),
        questions=tuple(_read_lines(folder / "questions.jsonl", _question)),
    )


def _write_lines(path: Path, items: Sequence[Document] | Sequence[Question]) -> None:
    lines = [json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in items]
    path.write_text("".join(lines), encoding="utf-8")


def _read_lines(path: Path, make: Callable[[dict[str, Any]], T]) -> Iterator[T]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} is missing: generate the data set again") from error
    # Not splitlines(): U+2028 and the like may stand in a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        try:
            yield make(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}, line {number}: not what a data set holds") from error


def _document(data: dict[str, Any]) -> Document:
    cases = tuple(
        Case(
            tuple(
                Condition(c["attribute"], c["operator"], tuple(c["values"]))
                for c in case["conditions"]
            ),
            case["outcome"],
        )
        for case in data.pop("cases")
    )
    return Document(**data, cases=cases)


def _question(data: dict[str, Any]) -> Question:
    facts = tuple(Fact(**fact) for fact in data.pop("facts"))
    turns, documents = tuple(data.pop("turns")), tuple(data.pop("documents"))
    return Question(**data, turns=turns, facts=facts, documents=documents)
