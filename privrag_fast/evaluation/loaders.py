"""Data sets that others use, from local files as they were published.

What a data set does not say stays None: only CAPID labels which attributes a question needs. Splits
follow the file names; a file that is named after none is all `test`.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from privrag_fast.evaluation import dataset
from privrag_fast.evaluation.dataset import Dataset, Document, Fact, Question, Split
from privrag_fast.types import InputError

Row = Mapping[str, Any]
"""A record of a published file, by its own field names."""


def load(path: str | Path, *, format: str | None = None) -> Dataset:  # noqa: A002
    """A data set from a folder, or from one of its files.

    Args:
        format: A key of `FORMATS`; told from the files where it is absent.

    Raises:
        InputError: There is no such path, its format is not known, or a file does not hold what
            its format says.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path} does not exist: name a folder with a data set, or a file of it")
    name = format or detect(path)
    if name not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}, got {name!r}")
    try:
        return FORMATS[name](path)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:  # none shows user text
        raise InputError(f"{path}: not what {name} publishes ({type(error).__name__})") from error


def detect(path: str | Path) -> str:
    """The key of `FORMATS` whose fields a file shows.

    Raises:
        InputError: None does.
    """
    path = Path(path)
    if (path / "dataset.json").is_file():
        return "privrag"
    for file in _files(path):
        if name := _format_of(file):
            return name
    fields = "; ".join(f"{name} by {', '.join(sorted(keys))}" for name, keys in _FIELDS.items())
    raise InputError(
        f"{path}: no .json, .jsonl or .csv file of a known data set in it; known are "
        f"{', '.join(FORMATS)}, told by the fields of their records: {fields}"
    )


# --------------------------------------------------------------------------- FinDoc-RAG


def findoc_rag(path: Path) -> Dataset:
    """A folder of .md documents beside JSON lists of QUESTION, ANSWER, DOCS.

    DOCS holds file names, with or without folder and `.md`.
    """
    folder = path if path.is_dir() else path.parent
    documents = [
        _document(file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8-sig"))
        for file in sorted(folder.rglob("*.md"))
        if file.name.casefold() != "readme.md"
    ]
    names = {name: d.id for d in reversed(documents) for name in _names(d.id)}
    questions = [
        Question(
            id=f"{file.stem}-{number}",
            split=_split_of(file),
            family="",
            turns=(row["QUESTION"],),
            facts=(),
            documents=tuple(_known(names, name, file) for name in _listed(row["DOCS"])),
            answers={"reasoned": str(row["ANSWER"])},
        )
        for file, number, row in _rows(path, "findoc-rag")
    ]
    return _dataset("findoc-rag", questions, documents)


def _names(id_: str) -> tuple[str, ...]:
    """What DOCS may call a document; the full path is the last, so that it wins."""
    bare = id_.removesuffix(".md")
    return tuple(name.casefold() for name in (Path(bare).name, Path(id_).name, bare, id_))


def _known(names: Mapping[str, str], name: str, file: Path) -> str:
    try:
        return names[name.strip().removeprefix("./").casefold()]
    except KeyError:
        raise InputError(
            f"{file}: no document {name!r} beside it; put the .md files there"
        ) from None


def _listed(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


# --------------------------------------------------------------------------- PersonaMem-v2

_PERSONA: Final = {
    "name": "PERSON",
    "age": "AGE",
    "gender": "GENDER",
    "sexual_orientation": "ORIENTATION",
    "race_ethnicity": "ETHNICITY",
    "nationality": "NATIONALITY",
    "birthplace": "LOCATION",
    "location": "LOCATION",
    "current_location": "LOCATION",
    "city": "LOCATION",
    "state": "LOCATION",
    "degree": "EDUCATION",
    "education": "EDUCATION",
    "occupation": "OCCUPATION",
    "current_occupation": "OCCUPATION",
    "title": "OCCUPATION",
    "employer": "EMPLOYER",
    "income": "INCOME",
    "income_range": "INCOME",
    "marital_status": "MARITAL_STATUS",
    "relationship_status": "MARITAL_STATUS",
    "children": "CHILDREN",
    "religion": "RELIGION",
    "religious_background": "RELIGION",
    "political_affiliation": "POLITICS",
    "health": "HEALTH",
    "health_and_medical_conditions": "HEALTH",
    "physical_address": "ADDRESS",
    "email_address": "EMAIL",
    "phone_number": "PHONE",
    "ssn": "SSN",
    "credit_card_number": "CARD",
    "bank_account_number": "ID",
    "real_id_number": "ID",
    "passport_number": "ID",
    "drivers_license_number": "ID",
    "vehicle_plate_number": "ID",
}
"""Fields of a persona and its sections, with their type; names vary from persona to persona."""

_TELLING: Final = 4
"""Shorter values, an age for one, are too common in a conversation to be told from others."""


def personamem_v2(path: Path) -> Dataset:
    """Personas, each with its profile as a form, and its conversations that repeat a value of it.

    A file is `{id: persona}` as published, or holds one persona a line.
    """
    questions = [
        question
        for file, number, row in _rows(path, "personamem-v2")
        for question in _persona(row, str(row.get("id", f"{file.stem}-{number}")), _split_of(file))
    ]
    return _dataset("personamem-v2", questions)


def _persona(row: Row, id_: str, split: Split) -> Iterator[Question]:
    profile = [(field, value) for field, value in _profile(row) if value]
    turns = tuple(f"{field.replace('_', ' ')}: {value}" for field, value in profile)
    ends = accumulate(len(turn) + 1 for turn in turns)
    form = tuple(
        Fact(field, _PERSONA[field], end - 1 - len(value), end - 1)
        for (field, value), end in zip(profile, ends, strict=True)
    )
    yield Question(f"{id_}-profile", split, "", turns, form, ())
    told = {v: (field, _PERSONA[field]) for field, v in profile if len(v) >= _TELLING}
    for number, own in enumerate(_conversations(row)):
        if facts := _facts("\n".join(own), told):
            yield Question(f"{id_}-{number}", split, "", own, facts, ())


def _profile(row: Row) -> Iterator[tuple[str, str]]:
    """Known fields of the persona itself and of its sections; deeper lie those of relatives."""
    sections = [row, *(value for value in row.values() if isinstance(value, Mapping))]
    for field, value in chain.from_iterable(section.items() for section in sections):
        if field in _PERSONA and not isinstance(value, Mapping):
            items = value if isinstance(value, list) else [value]
            yield from (
                (field, " ".join(str(v).split())) for v in items if isinstance(v, (str, int))
            )


def _conversations(row: Row) -> Iterator[tuple[str, ...]]:
    """The person's own turns of each conversation about themselves."""
    for chat in chain.from_iterable(row.get("conversations", {}).values()):
        turns = tuple(
            turn["content"]
            for turn in chat["conversations"]
            if isinstance(turn, Mapping)
            and turn.get("role") == "user"
            and isinstance(turn["content"], str)  # others hold images
        )
        if turns and chat.get("who", "self") == "self":
            yield turns


# --------------------------------------------------------------------------- CAPID

_CAPID: Final = {
    "name": "PERSON",
    "sexual orientation": "ORIENTATION",
    "organization": "EMPLOYER",
    "finance": "MONEY",
    "datetime": "DATE",
    "code": "ID",
}
"""Types that detection names otherwise; the broader ones, such as `demographic`, keep theirs."""


def capid(path: Path) -> Dataset:
    """JSON lines: a person's context, a question, and spans with type and relevance to it.

    Relevance is taken for decisiveness. Spans that the text does not hold word for word are left
    out, and so is a row without a question.
    """
    questions = []
    for file, number, row in _rows(path, "capid"):
        if not row["question"]:
            continue
        turns = (row["context"], row["question"])
        kinds = {
            value: (about["type"], _CAPID.get(about["type"], about["type"].upper()))
            for value, about in row["piis"].items()
        }
        decisive = {value: about["relevance"] == "1" for value, about in row["piis"].items()}
        facts = _facts("\n".join(turns), kinds, decisive)
        questions.append(Question(f"{file.stem}-{number}", _split_of(file), "", turns, facts, ()))
    return _dataset("capid", questions)


# --------------------------------------------------------------------------- ConditionalQA


def conditionalqa(path: Path) -> Dataset:
    """Scenarios and questions about pages of gov.uk; no personal value is labeled.

    The pages come from `documents.json`. Where it is absent they hold no more than the evidence
    that any question cites: enough to be found, easier to find than the whole.
    """
    rows = list(_rows(path, "conditionalqa"))
    pages = _pages(path if path.is_dir() else path.parent, [row for _, _, row in rows])
    documents = {url: _document(_page_id(url), _markdown(url, pages[url])) for url in pages}
    questions = []
    for file, _, row in rows:
        known = row["url"] in documents and not row["not_answerable"]
        verdict = "; ".join(answer for answer, _ in row["answers"])
        questions.append(
            Question(
                id=str(row["id"]),
                split=_split_of(file),
                family="",
                turns=(row["scenario"], row["question"]),
                facts=(),
                documents=(documents[row["url"]].id,) if known else (),
                answers={"verdict": verdict} if verdict else {},
            )
        )
    return _dataset("conditionalqa", questions, documents.values())


def _pages(folder: Path, rows: Iterable[Row]) -> dict[str, list[str]]:
    """HTML elements of each page, by url."""
    whole = folder / "documents.json"
    if whole.is_file():
        return {page["url"]: page["contents"] for page in _records(whole)}
    pages: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["evidences"]:
            pages[row["url"]] += row["evidences"]
    return pages


def _page_id(url: str) -> str:
    return f"{urlsplit(url).path.strip('/')}.md"


def _markdown(url: str, elements: Iterable[str]) -> str:
    title = url.rstrip("/").rsplit("/", 1)[-1].replace("-", " ").capitalize()
    lines = [f"# {title}"]
    for element in dict.fromkeys(elements):
        text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", element)).split())
        mark = {"<h": "## ", "<l": "- "}.get(element[:2], "")
        lines += [mark + text] if text else []
    return "\n\n".join(lines) + "\n"


# --------------------------------------------------------------------------- PUPA


def pupa(path: Path) -> Dataset:
    """CSV of queries to chatbots with the personal units in them, which bear no type.

    Units are lower case and joined by `||`; some hold several values with commas between.
    """
    questions = []
    for file, number, row in _rows(path, "pupa"):
        units = [unit.strip() for unit in (row["pii_units"] or "").split("||")]
        parts = [part.strip() for unit in units for part in unit.split(",")]
        kinds = dict.fromkeys((*units, *parts), ("pii", "PII"))
        questions.append(
            Question(
                id=f"{file.stem}-{number}",
                split=_split_of(file),
                family=row.get("predicted_category") or "",
                turns=(row["user_query"],),
                facts=_facts(row["user_query"], kinds, flags=re.IGNORECASE),
                documents=(),
                answers={"explained": row["target_response"]} if row["target_response"] else {},
            )
        )
    return _dataset("pupa", questions)


# --------------------------------------------------------------------------- formats

FORMATS: Mapping[str, Callable[[Path], Dataset]] = MappingProxyType(
    {
        "privrag": dataset.read,
        "findoc-rag": findoc_rag,
        "personamem-v2": personamem_v2,
        "capid": capid,
        "conditionalqa": conditionalqa,
        "pupa": pupa,
    }
)
"""Name -> loader of a folder or file; `privrag` is what `dataset.write` leaves."""

_FIELDS: Mapping[str, frozenset[str]] = {
    "findoc-rag": frozenset({"QUESTION", "ANSWER", "DOCS"}),
    "personamem-v2": frozenset({"short_persona", "name"}),
    "capid": frozenset({"context", "question", "piis"}),
    "conditionalqa": frozenset({"url", "scenario", "question", "evidences"}),
    "pupa": frozenset({"user_query", "pii_units"}),
}


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(f for f in path.iterdir() if f.suffix in (".json", ".jsonl", ".csv"))


def _format_of(file: Path) -> str | None:
    try:
        first = next(iter(_records(file)), {})
    except InputError:
        return None  # some other file, or the caller learns that none is known
    return next((name for name, fields in _FIELDS.items() if fields <= first.keys()), None)


def _rows(path: Path, name: str) -> Iterator[tuple[Path, int, Row]]:
    """The rows of all files of one format, with their file and place in it."""
    found = False
    for file in _files(path):
        if _format_of(file) == name:
            found = True
            yield from ((file, number, row) for number, row in enumerate(_records(file)))
    if not found:
        raise InputError(f"{path}: no file with the fields {', '.join(sorted(_FIELDS[name]))}")


def _records(file: Path) -> list[Row]:
    """The objects of a JSON list, JSON lines or CSV; of `{id: object}` each with its id."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        if file.suffix == ".csv":
            return list(csv.DictReader(io.StringIO(text)))
        if file.suffix == ".jsonl":
            data = [json.loads(line) for line in text.split("\n") if line.strip()]
        else:
            data = json.loads(text)
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{file}: cannot be read as {file.suffix[1:]}; fetch it again") from error
    if isinstance(data, dict):
        data = [{"id": key, **value} for key, value in data.items() if isinstance(value, dict)]
    return [row for row in data if isinstance(row, dict)]


def _split_of(file: Path) -> Split:
    words = re.split(r"[\W_]+", file.stem.casefold())
    splits: tuple[Split, ...] = ("train", "dev", "test")
    return next((split for split in splits if split in words), "test")


# --------------------------------------------------------------------------- parts


def _dataset(
    name: str, questions: Sequence[Question], documents: Iterable[Document] = ()
) -> Dataset:
    return Dataset(name, "1", None, tuple(documents), tuple(questions))


def _document(id_: str, text: str) -> Document:
    heading = re.search(r"^#\s+(.+?)\s*$", text, re.M)
    return Document(id_, heading[1] if heading else Path(id_).stem, text)


def _facts(
    message: str,
    kinds: Mapping[str, tuple[str, str]],
    decisive: Mapping[str, bool] | None = None,
    *,
    flags: re.RegexFlag = re.NOFLAG,
) -> tuple[Fact, ...]:
    """Each whole-word occurrence of the values; where they overlap, the longer value's.

    Args:
        kinds: Value -> attribute and label.
    """
    facts: list[Fact] = []
    for value in sorted(filter(None, kinds), key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", message, flags):
            start, end = match.span()
            if not any(start < other.end and other.start < end for other in facts):
                known = decisive[value] if decisive else None
                facts.append(Fact(*kinds[value], start, end, decisive=known))
    return tuple(sorted(facts, key=lambda fact: fact.start))
