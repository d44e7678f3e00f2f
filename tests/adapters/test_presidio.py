from __future__ import annotations

from collections.abc import Sequence

import pytest

from privrag_fast.detection.cascade import Cascade
from privrag_fast.detection.patterns import Patterns
from privrag_fast.types import Entity, InputError
from tests.privacy.marks import mark

pytest.importorskip("presidio_analyzer", reason="needs presidio-analyzer")

from presidio_analyzer import Pattern, PatternRecognizer
from presidio_analyzer.predefined_recognizers import SpacyRecognizer

from privrag_fast.adapters.presidio import PresidioDetector, PrivragRecognizer


class Marker:
    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [mark(text, PERSON="Nora", LOCATION="Zurich") for text in texts]


def test_spans_of_the_wanted_types() -> None:
    recognizer = PrivragRecognizer(Marker(), labels=["PERSON", "LOCATION"])
    text = "Nora in Zurich"
    found = recognizer.analyze(text, ["LOCATION", "PERSON"])
    assert [(one.entity_type, text[one.start : one.end], one.score) for one in found] == [
        ("PERSON", "Nora", 1.0),
        ("LOCATION", "Zurich", 1.0),
    ]
    assert [one.entity_type for one in recognizer.analyze(text, ["LOCATION"])] == ["LOCATION"]
    assert recognizer.supported_entities == ["PERSON", "LOCATION"]
    assert recognizer.supported_language == "en"


def test_the_default_labels() -> None:
    assert "BLOOD_TYPE" not in PrivragRecognizer(Marker()).supported_entities
    assert "HEALTH" in PrivragRecognizer(Marker()).supported_entities


def plates(language: str = "en") -> PatternRecognizer:
    pattern = Pattern("plate", r"\bZH \d{3,6}\b", 0.7)
    return PatternRecognizer(
        "PLATE", patterns=[pattern], name="plates", supported_language=language
    )


def test_a_recognizer_of_presidio_in_the_cascade() -> None:
    detector = PresidioDetector([plates(), plates("de")], labels={"PLATE": "ID"})
    text = "My car ZH 123456: nora@example.com, once more ZH 123456"
    (entities,) = Cascade([Patterns(), detector]).detect([text])
    assert [(own.value(text), own.label, own.source) for own in entities] == [
        ("ZH 123456", "ID", "plates"),
        ("nora@example.com", "EMAIL", "pattern"),
        ("ZH 123456", "ID", "plates"),
    ]
    assert detector.detect(["", "ZH 12"]) == [[], []]


def test_an_unknown_type_keeps_its_name() -> None:
    ((own,),) = PresidioDetector([plates()]).detect(["ZH 123"])
    assert (own.label, own.score) == ("PLATE", 0.7)


def test_recognizers_that_cannot_be_used() -> None:
    with pytest.raises(InputError, match="'en'"):
        PresidioDetector([plates("de")])
    with pytest.raises(InputError, match="SpacyRecognizer needs"):
        PresidioDetector([plates(), SpacyRecognizer()])
