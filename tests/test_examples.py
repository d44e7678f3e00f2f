"""The example corpus, its labelled questions, and the generator of messages."""

from __future__ import annotations

import json
import re
from itertools import chain, pairwise
from pathlib import Path

import pypdf
import pytest
from bs4 import BeautifulSoup

from privrag_fast.detection.labels import DEFAULT_LABELS
from tests.message_parts import TEMPLATES, VALUES
from tests.messages import messages

EXAMPLES = Path(__file__).parents[1] / "examples"
CORPUS = EXAMPLES / "corpus"
DOCUMENTS = sorted(path for path in CORPUS.rglob("*") if path.is_file())
QUESTIONS = [
    json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()
]
FIELDS = {
    "id",
    "message",
    "document",
    "attributes",
    "answer_verdict",
    "answer_explained",
    "split",
}

each_document = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: path.relative_to(CORPUS).as_posix()
)
each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])


def read(path):
    if path.suffix == ".pdf":
        return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    text = path.read_bytes().decode("utf-8")  # strict: damaged bytes must not pass
    return BeautifulSoup(text, "html.parser").get_text(" ") if path.suffix == ".html" else text


def decisive(question):
    return [attribute for attribute in question["attributes"] if attribute["decisive"]]


# --------------------------------------------------------------------------- corpus


def test_corpus_has_every_kind_of_file():
    assert len(DOCUMENTS) >= 40
    assert {path.suffix for path in DOCUMENTS} == {".md", ".txt", ".html", ".pdf"}


@each_document
def test_document_is_readable_and_of_a_page(path):
    assert 120 <= len(read(path).split()) <= 350


@each_document
def test_document_is_asked_about(path):
    assert path.relative_to(CORPUS).as_posix() in {each["document"] for each in QUESTIONS}


# --------------------------------------------------------------------------- questions


def test_there_are_enough_questions_and_ids_are_unique():
    assert len(QUESTIONS) >= 90
    assert len({each["id"] for each in QUESTIONS}) == len(QUESTIONS)
    assert len({each["message"] for each in QUESTIONS}) == len(QUESTIONS)


@each_question
def test_question_is_well_formed(question):
    assert set(question) == FIELDS
    assert question["split"] in {"dev", "test"}
    assert (CORPUS / question["document"]).is_file()
    assert 4 <= len(question["attributes"]) <= 9
    assert len(decisive(question)) <= 3


@each_question
def test_each_value_stands_in_the_message_once_and_as_a_whole(question):
    for attribute in question["attributes"]:
        assert set(attribute) == {"label", "value", "decisive"}
        assert attribute["label"] in DEFAULT_LABELS
        whole = rf"(?<!\w){re.escape(attribute['value'])}(?!\w)"
        found = [match.start() for match in re.finditer(whole, question["message"])]
        # str.find must lead to the same place: that is how the values are looked up.
        assert found == [question["message"].find(attribute["value"])]


@each_question
def test_values_do_not_overlap(question):
    places = sorted(
        (start, start + len(each["value"]))
        for each in question["attributes"]
        for start in [question["message"].find(each["value"])]
    )
    assert all(end <= start for (_, end), (start, _) in pairwise(places))


@each_question
def test_verdict_and_explanation_agree(question):
    verdict, explained = question["answer_verdict"], question["answer_explained"]
    assert verdict.split(",")[0] in {"Yes", "No"}
    assert explained.split(",")[0] == verdict.split(",")[0]
    assert len(explained) > len(verdict)


@each_question
def test_explanation_repeats_at_most_one_value(question):
    # What an explanation repeats, any measure of influence finds by echo alone.
    explained = question["answer_explained"]
    whole = [rf"(?<!\w){re.escape(each['value'])}(?!\w)" for each in question["attributes"]]
    assert sum(bool(re.search(value, explained)) for value in whole) <= 1


def test_no_document_is_in_both_splits():
    documents = {
        split: {each["document"] for each in QUESTIONS if each["split"] == split}
        for split in ("dev", "test")
    }
    assert documents["dev"]
    assert documents["test"]
    assert not documents["dev"] & documents["test"]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_each_split_has_every_kind_of_question(split):
    rows = [each for each in QUESTIONS if each["split"] == split]
    assert {each["answer_verdict"].split(",")[0] for each in rows} == {"Yes", "No"}
    assert {len(decisive(each)) for each in rows} >= {0, 1, 2}


def test_most_types_are_decisive_somewhere_and_all_of_these_are_not_elsewhere():
    attributes = list(chain.from_iterable(each["attributes"] for each in QUESTIONS))
    where = {each["label"] for each in attributes if each["decisive"]}
    elsewhere = {each["label"] for each in attributes if not each["decisive"]}
    assert len(where) >= 12
    assert where <= elsewhere
    assert elsewhere == set(DEFAULT_LABELS)


# --------------------------------------------------------------------------- messages


def test_messages_are_seeded():
    assert list(messages(50, seed=5)) == list(messages(50, seed=5))
    assert list(messages(50, seed=5)) != list(messages(50, seed=6))


def test_a_longer_run_starts_with_the_shorter_one():
    assert list(messages(120, seed=1))[:70] == list(messages(70, seed=1))


def test_no_message_for_none():
    assert list(messages(0)) == []


def test_spans_are_sorted_disjoint_and_labelled():
    for text, spans in messages(500):
        ends = [0, *(end for _, end, _ in spans)]
        starts = [*(start for start, _, _ in spans), len(text)]
        assert all(end <= start for end, start in zip(ends, starts, strict=True))
        assert all(start < end for start, end, _ in spans)
        assert {label for _, _, label in spans} <= set(VALUES)


def test_spans_cut_out_whole_values():
    shapes = {"IBAN": r"(?i:CH|DE)[\d ]+", "EMAIL": r"\S+@\S+\w", "CARD": r"[\d -]{16,19}"}
    seen = set()
    for text, spans in messages(500):
        for start, end, label in spans:
            value = text[start:end]
            assert value == value.strip()
            if label in shapes:
                assert re.fullmatch(shapes[label], value)
                seen.add(label)
    assert seen == set(shapes)


def test_nothing_is_left_unfilled():
    assert not [text for text, _ in messages(500) if "{" in text or "}" in text]


def test_one_round_uses_every_template_and_every_type():
    assert len(TEMPLATES) == len(set(TEMPLATES)) >= 40
    found = {label for _, spans in messages(len(TEMPLATES)) for *_, label in spans}
    assert found == set(VALUES) == set(DEFAULT_LABELS)


def test_messages_hold_what_makes_them_hard():
    run = list(messages(500))
    texts = [text for text, _ in run]
    assert any(re.search(r"\[[A-Z]+_\d\]", text) for text in texts), "typed placeholders"
    assert any("👋" in text for text in texts), "emoji"
    assert any(re.search(r"[一-鿿Ѐ-ӿ؀-ۿ]", text[s:e]) for text, spans in run for s, e, _ in spans)
    assert any(text == text.lower() for text in texts), "no capitals"
    assert any(text[e:].startswith("'s") for text, spans in run for _, e, _ in spans)
    assert any(text[e:].startswith(".") for text, spans in run for _, e, _ in spans)
    assert any(len({text[s:e] for s, e, _ in spans}) < len(spans) for text, spans in run)


def test_checksums_hold():
    from stdnum import ean, iban, luhn

    numbers = {"IBAN": [], "CARD": [], "SSN": []}
    for text, spans in messages(300):
        for start, end, label in spans:
            numbers.get(label, []).append(text[start:end].upper())
    assert all(map(iban.is_valid, numbers["IBAN"]))
    assert all(
        map(luhn.is_valid, (each.replace("-", " ").replace(" ", "") for each in numbers["CARD"]))
    )
    swiss = [each.replace(".", "") for each in numbers["SSN"] if each.startswith("756")]
    assert swiss
    assert all(map(ean.is_valid, swiss))
