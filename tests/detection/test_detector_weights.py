"""The shipped detector, on texts that need no luck: what must hold for any usable model."""

from __future__ import annotations

from pathlib import Path

import pytest

import privrag_fast.onnx as package_file
from privrag_fast.detection.cascade import Cascade
from privrag_fast.detection.gliner import Gliner
from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.detection.patterns import Patterns
from tests.detection.checks import assert_well_formed

pytestmark = pytest.mark.weights

FOLDER = Path(package_file.__file__).parent / "weights" / "detector"


@pytest.fixture(scope="module")
def shipped():
    if not (FOLDER / "model.onnx").is_file():
        pytest.skip("the detector's weights are not in this checkout: weights/detector/model.onnx")
    return Gliner(FOLDER, threads=1)


@pytest.fixture(scope="module")
def cascade(shipped):
    return Cascade([Patterns(), shipped])


def found(detector, text):
    (entities,) = detector.detect([text])
    assert_well_formed(text, entities)
    return [(entity.value(text), entity.label) for entity in entities]


def covers(detector, text, *values):
    (entities,) = detector.detect([text])
    covered = {i for entity in entities for i in range(entity.start, entity.end)}
    return [
        value
        for value in values
        if covered.issuperset(range(text.index(value), text.index(value) + len(value)))
    ]


def test_a_full_name_is_one_person(cascade):
    """det-02"""
    assert ("Dave Jones", "PERSON") in found(cascade, "Dave Jones called.")


def test_initials_and_suffixes_belong_to_the_name(cascade):
    """det-03"""
    names = [
        value
        for value, label in found(cascade, "Samuel L. Jackson and Robert Downey jr. signed.")
        if label == "PERSON"
    ]
    assert names == ["Samuel L. Jackson", "Robert Downey jr."]


def test_an_address_is_covered(cascade):
    """det-04"""
    text = "I live at 5507 Ringgold Road, Chattanooga, TN 37412"
    values = ("5507", "Ringgold Road", "Chattanooga", "TN", "37412")
    assert covers(cascade, text, *values) == list(values)
    assert "DATE" not in {label for value, label in found(cascade, text) if "5507" in value}


def test_a_timestamp_is_never_a_location(cascade):
    """det-05"""
    text = "The job ran at 2021-03-01 07:16:59.605000"
    assert "LOCATION" not in {label for _, label in found(cascade, text)}


def test_every_mention_of_a_name_is_covered(cascade):
    """det-06"""
    names = found(cascade, "Aria and Leo moved in. Later Aria moved out.")
    assert [value for value, _ in names] == ["Aria", "Leo", "Aria"]


def test_nothing_is_dropped_in_a_long_text(cascade):
    """det-07"""
    words = (
        "The rules on benefits are set out in the guide and apply to all claims. " * 220
    ).split()
    words = words[:3000]
    for position in (10, 900, 2990):
        words[position - 1] = "Nora Lind"
    assert [value for value, _ in found(cascade, " ".join(words))].count("Nora Lind") == 3


def test_offsets_are_code_points(cascade):
    """det-08"""
    values = [value for value, _ in found(cascade, "♥️♥️♥️ named John Smith from Zürich")]
    assert "John Smith" in values
    assert "Zürich" in values


def test_a_batch_equals_one_by_one(shipped):
    """det-10; in int8 too, to the last bit of a score"""
    texts = ["short", "a much longer text about Nora Lind from Oslo", "", "I am 34.", "Kai " * 70]
    together = shipped.detect(texts)
    assert together == [shipped.detect([text])[0] for text in texts]
    assert all(map(bool, (together[1], together[3], together[4])))


def test_labels_of_one_text_do_not_answer_for_another(shipped):
    """det-11"""
    rows = shipped.detect(["Nora is 34", "She lives in Oslo"], labels=[["age"], ["city"]])
    assert {entity.label for entity in rows[0]} <= {"AGE"}
    assert {entity.label for entity in rows[1]} <= {"CITY"}


def test_many_labels_at_once_score_as_groups_of_ten(shipped):
    """det-12"""
    text = "I am Nora Lind, 34, a nurse from Oslo with two kids and asthma."
    more = ("favorite color", "shoe size", "pet", "hobby", "vehicle", "language")
    added = more[: 30 - len(DEFAULT_LABELS)]
    labels = {**DEFAULT_LABELS, **{own.upper().replace(" ", "_"): own for own in added}}
    assert len(labels) == 30
    [together] = shipped.detect([text], labels=labels)
    scores = {(own.start, own.label): own.score for own in together}
    names = list(labels)
    for first in range(0, 30, 10):
        ten = {name: labels[name] for name in names[first : first + 10]}
        [entities] = shipped.detect([text], labels=ten)
        for own in entities:
            if own.score > 0.5:
                assert scores[own.start, own.label] > own.score - 0.05


def test_thorough_finds_more():
    text = "i live in lausanne, work part time for the post and my knee hurts since the fall"
    usual, more = (
        Gliner(FOLDER, threads=1, thorough=thorough).detect([text])[0] for thorough in (False, True)
    )
    assert len(more) > len(usual) > 0
    for own in usual:
        assert any(own.start < other.end and other.start < own.end for other in more)
