from __future__ import annotations

import pytest

from privrag_fast.detection.labels import DEFAULT_LABELS, normalize_labels
from privrag_fast.types import InputError


def test_none_means_the_default_labels():
    assert normalize_labels(None) is DEFAULT_LABELS
    assert DEFAULT_LABELS["PERSON"] == "name"


def test_strings_become_types_and_known_types_keep_their_label_string():
    assert dict(normalize_labels(["blood type", "PERSON", "e-mail"])) == {
        "BLOOD_TYPE": "blood type",
        "PERSON": "name",
        "E_MAIL": "e-mail",
    }


def test_a_mapping_is_taken_as_written_in_its_order():
    labels = normalize_labels({"VISA": "residence  permit", "PERSON": "full name"})
    assert list(labels.items()) == [("VISA", "residence permit"), ("PERSON", "full name")]


def test_labels_of_any_script():
    assert dict(normalize_labels(["groupe sanguin", "血型"])) == {
        "GROUPE_SANGUIN": "groupe sanguin",
        "血型": "血型",
    }


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        ([], "empty"),
        ({}, "empty"),
        ("age", "list"),
        (["age", "Age"], "twice"),
        ({"A": "age", "B": "age"}, "twice"),
        (["age", " "], "blank"),
        ([3], "string"),
        (["--"], "letter"),
        ({"blood type": "blood type"}, "BLOOD_TYPE"),
        ({"AGE": ""}, "blank"),
    ],
)
def test_labels_that_cannot_be_used(labels, complaint):
    with pytest.raises(InputError, match=complaint):
        normalize_labels(labels)


def test_the_result_cannot_be_changed():
    with pytest.raises(TypeError):
        normalize_labels(["age"])["AGE"] = "height"
