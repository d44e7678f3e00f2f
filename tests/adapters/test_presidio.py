from __future__ import annotations

from collections.abc import Sequence

import pytest

from privrag_fast.types import Entity
from tests.privacy.marks import mark

pytest.importorskip("presidio_analyzer", reason="needs presidio-analyzer")

from privrag_fast.adapters.presidio import PrivragRecognizer


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
