"""What stands for a value where retrieval reads: its label decides, never the value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.pipeline import PipelineOptions
from privrag_fast.privacy import STYLES, Vault, abstract, attributes, fold
from privrag_fast.privacy.styles import closed_up, standing_for
from privrag_fast.types import Entity, InputError

from .marks import mark

TEXT = "I'm Nora, 67, from Zurich, and take aspirin, insulin. May I apply?"


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("type", "I'm PERSON, AGE, from LOCATION, and take MY_DRUG, MY_DRUG. May I apply?"),
        ("words", "I'm someone, age, from place, and take my drug, my drug. May I apply?"),
        ("dropped", "I'm, from, and take. May I apply?"),
    ],
)
def test_each_style(style: str, expected: str) -> None:
    drugs = ["aspirin", "insulin"]
    entities = mark(TEXT, PERSON=["Nora"], AGE=["67"], LOCATION=["Zurich"], my_drug=drugs)
    assert abstract(TEXT, attributes(TEXT, entities, Vault()), style) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("label", DEFAULT_LABELS)
def test_known_labels_have_words_in_lower_case(label: str) -> None:
    words = standing_for(label, "words")
    assert words == words.lower() != ""
    assert "_" not in words


@given(st.sampled_from(STYLES), st.text("abc67 ", min_size=1).filter(str.strip))
def test_the_value_does_not_matter(style: str, value: str) -> None:
    def told(own: str) -> str:
        text = f"Take {own}!"
        found = attributes(text, [Entity(5, 5 + len(own), "DRUG")], Vault())
        return abstract(text, found, style)  # type: ignore[arg-type]

    assert fold(told(value.strip())) == fold(told("zzz"))


@pytest.mark.parametrize("text", ["Zurich", " Zurich, Zurich?! ", "(Zurich)\nZurich"])
def test_a_text_of_values_alone_keeps_their_types(text: str) -> None:
    found = attributes(text, mark(text, LOCATION=["Zurich"]), Vault())
    assert abstract(text, found) == text.replace("Zurich", "LOCATION")


def test_what_comes_together_is_no_value() -> None:
    text = "000000"  # the second half alone is an entity: dropped, the first would read like it
    assert abstract(text, attributes(text, [Entity(3, 6, "ID")], Vault())) == "000ID"
    text = "5,X400 and 5,400"
    found = attributes(text, [Entity(2, 3, "LETTER"), Entity(11, 16, "MONEY")], Vault())
    assert "5,400" not in abstract(text, found)


def test_nothing_to_abstract_is_nothing_changed() -> None:
    text = "Two  spaces , and\n\na line"
    for style in STYLES:
        assert abstract(text, (), style) == text


def test_lines_stay_lines() -> None:
    assert closed_up("From  .\n\n , I  am ; ") == "From.\n\n, I am;"


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(InputError, match="one of type, words, dropped, got 'shout'"):
        PipelineOptions(query_style="shout")  # type: ignore[arg-type]
