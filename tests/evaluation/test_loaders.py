"""Published formats become data sets; the rows here are made up, in the published shape."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from privrag_fast.evaluation import dataset, loaders
from privrag_fast.evaluation.dataset import Dataset, Question
from privrag_fast.types import InputError
from tests.evaluation.test_dataset import small

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no folder of public data sets")


def values(question: Question) -> list[tuple[str, str]]:
    """Value and label of each fact."""
    return [(question.message[fact.start : fact.end], fact.label) for fact in question.facts]


def put(folder: Path, files: Mapping[str, object]) -> Path:
    """Writes texts as they are, lists of rows to `.jsonl` line by line, the rest as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".jsonl":
            content = "".join(json.dumps(row) + "\n" for row in content)
        elif not isinstance(content, str):
            content = json.dumps(content)
        path.write_text(content, encoding="utf-8")
    return folder


# --------------------------------------------------------------------------- FinDoc-RAG

FINDOC = {
    "docs/cards.md": "# Card fees\n\nA new card costs ten francs.\n",
    "docs/sub/loans.md": "Loans without a heading.\n",
    "README.md": "# About\n\nNot a document.\n",
    "questions.json": [
        {"QUESTION": "What is a new card?", "ANSWER": "Ten francs.", "DOCS": ["cards.md"]},
        {"QUESTION": "Loans or cards?", "ANSWER": "Both.", "DOCS": ["docs/sub/Loans", "cards"]},
        {"QUESTION": "One name?", "ANSWER": "Yes.", "DOCS": "loans.md"},
        {"QUESTION": "Nothing?", "ANSWER": "No.", "DOCS": []},
    ],
}


def test_findoc_rag_links_questions_to_files(tmp_path: Path) -> None:
    data = loaders.load(put(tmp_path, FINDOC))
    assert (data.name, data.seed) == ("findoc-rag", None)
    assert [(d.id, d.title) for d in data.documents] == [
        ("docs/cards.md", "Card fees"),
        ("docs/sub/loans.md", "loans"),
    ]
    assert [q.documents for q in data.questions] == [
        ("docs/cards.md",),
        ("docs/sub/loans.md", "docs/cards.md"),
        ("docs/sub/loans.md",),
        (),
    ]
    assert data.questions[0].answers == {"reasoned": "Ten francs."}
    assert {q.split for q in data.questions} == {"test"}


def test_findoc_rag_names_a_document_that_is_not_there(tmp_path: Path) -> None:
    rows = [{"QUESTION": "?", "ANSWER": "!", "DOCS": ["gone.md"]}]
    with pytest.raises(InputError, match=r"no document 'gone\.md'"):
        loaders.load(put(tmp_path, {"questions.json": rows, "a.md": "A"}))


# --------------------------------------------------------------------------- PersonaMem-v2

PERSONA = {
    "short_persona": {"persona": "Someone who repairs clocks"},
    "name": "Ilse Varga",
    "age": 41,
    "location": {"city": "Szeged", "type": "town"},
    "occupation": {"title": "Clock maker", "employer": "Tick and Sons"},
    "family_background": {
        "marital_status": "Widowed",
        "spouse": {"name": "Not Their Own"},
        "children": [{"name": "Bela"}],
    },
    "health_and_medical_conditions": ["Hay fever", "Weak  left\nknee"],
    "sensitive_information": {"email_address": "ilse@example.com", "llm_api_key": "sk-x"},
    "conversations": {
        "email": [
            {
                "who": "self",
                "conversations": [
                    {"role": "user", "content": "At Tick and Sons we are 41 people."},
                    {"role": "assistant", "content": "Ilse Varga, hello."},
                    {"role": "user", "content": "Sign it Ilse Varga, ilse@example.com."},
                ],
            },
            {"who": "self", "conversations": [{"role": "user", "content": "Nothing personal."}]},
            {"who": "other", "conversations": [{"role": "user", "content": "Ilse Varga"}]},
        ],
        "multimodal": [
            {"who": "self", "conversations": [{"role": "user", "content": [{"type": "text"}]}]}
        ],
    },
}


def test_personamem_gives_a_profile_and_conversations(tmp_path: Path) -> None:
    data = loaders.load(put(tmp_path, {"raw_data_1_persona7.json": {"7": PERSONA}}))
    profile, chat = data.questions
    assert (profile.id, chat.id) == ("7-profile", "7-0")
    assert sorted(values(profile)) == sorted(
        [
            ("Ilse Varga", "PERSON"),
            ("41", "AGE"),
            ("Szeged", "LOCATION"),
            ("Clock maker", "OCCUPATION"),
            ("Tick and Sons", "EMPLOYER"),
            ("Widowed", "MARITAL_STATUS"),
            ("Hay fever", "HEALTH"),
            ("Weak left knee", "HEALTH"),
            ("ilse@example.com", "EMAIL"),
        ]
    )
    assert len(chat.turns) == 2
    assert values(chat) == [
        ("Tick and Sons", "EMPLOYER"),
        ("Ilse Varga", "PERSON"),
        ("ilse@example.com", "EMAIL"),
    ]
    assert all(f.decisive is None and f.consulted is None for f in chat.facts)
    assert data.documents == ()


def test_personamem_lines_are_read_too(tmp_path: Path) -> None:
    row = {"id": "x", "short_persona": "A baker", "name": "Bo Lind", "age": 30}
    [profile] = loaders.load(put(tmp_path, {"personas.jsonl": [row]})).questions
    assert profile.message == "name: Bo Lind\nage: 30"
    assert [f.attribute for f in profile.facts] == ["name", "age"]


# --------------------------------------------------------------------------- CAPID


def test_capid_relevance_is_decisiveness(tmp_path: Path) -> None:
    row = {
        "context": "I am 30, with a 30 year old boat in Turku. Turkuans sail.",
        "question": "May I moor in Turku?",
        "piis": {
            "30": {"type": "age", "relevance": "0"},
            "30 year old boat": {"type": "finance", "relevance": "0"},
            "Turku": {"type": "location", "relevance": "1"},
            "Oulu": {"type": "demographic", "relevance": "1"},
        },
    }
    without_question = {**row, "question": None}
    rows = {"train.jsonl": [row, without_question], "test.jsonl": [row]}
    data = loaders.load(put(tmp_path, rows))
    assert [(q.id, q.split) for q in data.questions] == [("test-0", "test"), ("train-0", "train")]
    question = data.questions[0]
    assert question.turns == (row["context"], row["question"])
    labeled = [
        (*value, f.decisive) for value, f in zip(values(question), question.facts, strict=True)
    ]
    assert labeled == [
        ("30", "AGE", False),
        ("30 year old boat", "MONEY", False),
        ("Turku", "LOCATION", True),
        ("Turku", "LOCATION", True),
    ]


# --------------------------------------------------------------------------- ConditionalQA

CONDITIONAL = [
    {
        "id": "dev-0",
        "url": "https://www.gov.uk/window-grant/apply",
        "scenario": "My windows rattle.",
        "question": "Is there a grant?",
        "not_answerable": False,
        "answers": [["yes", ["<p>You must rent.</p>"]], ["10 days", []]],
        "evidences": ["<h2>Who can apply</h2>", "<li>people who rent &amp; heat</li>"],
    },
    {
        "id": "dev-1",
        "url": "https://www.gov.uk/window-grant/apply",
        "scenario": "My door rattles.",
        "question": "And for doors?",
        "not_answerable": True,
        "answers": [],
        "evidences": ["<p>Apply by post.</p>", "<h2>Who can apply</h2>"],
    },
]


def test_conditionalqa_rebuilds_pages_from_evidence(tmp_path: Path) -> None:
    data = loaders.load(put(tmp_path, {"dev.json": CONDITIONAL}))
    [page] = data.documents
    assert (page.id, page.title) == ("window-grant/apply.md", "Apply")
    assert page.text == (
        "# Apply\n\n## Who can apply\n\n- people who rent & heat\n\nApply by post.\n"
    )
    answered, open_one = data.questions
    assert answered.message == "My windows rattle.\nIs there a grant?"
    assert answered.documents == (page.id,)
    assert answered.answers == {"verdict": "yes; 10 days"}
    assert (open_one.documents, open_one.answers, open_one.split) == ((), {}, "dev")


def test_conditionalqa_prefers_whole_pages(tmp_path: Path) -> None:
    page = {
        "title": "Apply",
        "url": "https://www.gov.uk/window-grant/apply",
        "contents": ["<h1>Who</h1>", "<p>Whole page.</p>"],
    }
    data = loaders.load(put(tmp_path, {"dev.json": CONDITIONAL, "documents.json": [page]}))
    assert data.documents[0].text == "# Apply\n\n## Who\n\nWhole page.\n"
    assert loaders.load(tmp_path / "dev.json") == data


# --------------------------------------------------------------------------- PUPA

PUPA = (
    "conversation_hash,predicted_category,user_query,target_response,pii_units,redacted_query,\n"
    'ab,"job, visa","Dear Zoë, ask NORDWIND AG\nor Kai, and zoë again.",Sure.,'
    '"zoë||nordwind ag, kai  ||absent",...,\n'
    "cd,other,No unit here.,,,No unit here.,\n"
)


def test_pupa_units_are_found_without_regard_to_case(tmp_path: Path) -> None:
    data = loaders.load(put(tmp_path, {"PUPA_New.csv": PUPA}))
    first, second = data.questions
    assert [value for value, _ in values(first)] == ["Zoë", "NORDWIND AG", "Kai", "zoë"]
    assert {label for _, label in values(first)} == {"PII"}
    assert (first.family, first.answers) == ("job, visa", {"explained": "Sure."})
    assert (second.facts, second.answers) == ((), {})


# --------------------------------------------------------------------------- formats


def test_own_data_sets_are_a_format(tmp_path: Path) -> None:
    dataset.write(small(), tmp_path)
    assert loaders.load(tmp_path) == small()


def test_every_loaded_set_survives_the_disk(tmp_path: Path) -> None:
    data = loaders.load(put(tmp_path / "in", {"PUPA_New.csv": PUPA}))
    dataset.write(data, tmp_path / "out")
    assert dataset.read(tmp_path / "out") == data


def test_an_unknown_folder_lists_the_formats(tmp_path: Path) -> None:
    put(tmp_path, {"other.json": [{"a": 1}], "broken.json": "{", "lines.csv": "a,b\n1,2\n"})
    with pytest.raises(InputError) as caught:
        loaders.load(tmp_path)
    for name in loaders.FORMATS:
        assert name in str(caught.value)


def test_errors_name_the_cure_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        loaders.load(tmp_path / "gone")
    with pytest.raises(InputError, match="format must be one of"):
        loaders.load(tmp_path, format="excel")
    rows = [{"context": "secret", "question": "secret?", "piis": {"secret": {"kind": 1}}}]
    with pytest.raises(InputError, match="not what capid publishes") as caught:
        loaders.load(put(tmp_path, {"test.jsonl": rows}))
    assert "secret" not in str(caught.value)
    with pytest.raises(InputError, match="no file with the fields"):
        loaders.load(tmp_path, format="pupa")


# --------------------------------------------------------------------------- public data


def checked(data: Dataset) -> Dataset:
    """Spans are sorted, disjoint and inside the message; documents are in the set."""
    known = {document.id for document in data.documents}
    assert len(known) == len(data.documents)
    assert len({question.id for question in data.questions}) == len(data.questions)
    for question in data.questions:
        ends = [0, *(fact.end for fact in question.facts)]
        starts = [*(fact.start for fact in question.facts), len(question.message)]
        assert all(end <= start for end, start in zip(ends, starts, strict=True))
        assert set(question.documents) <= known
    return data


@needs_data
def test_published_capid() -> None:
    data = checked(loaders.load(DATA / "capid"))
    assert Counter(q.split for q in data.questions) == {"train": 2_106, "test": 200}
    decisive = [f.decisive for q in data.split("test") for f in q.facts]
    assert 0.3 < sum(map(bool, decisive)) / len(decisive) < 0.36  # its authors say 0.33


@needs_data
def test_published_conditionalqa() -> None:
    data = checked(loaders.load(DATA / "conditionalqa"))
    assert Counter(q.split for q in data.questions) == {"train": 2_338, "dev": 285}
    assert len(data.documents) == 495


@needs_data
def test_published_personas() -> None:
    data = checked(loaders.load(DATA / "personamem-v2-sample"))
    assert len(data.questions) == 7
    for question in data.questions:
        assert len({fact.label for fact in question.facts}) >= 12
