"""What to look for: a type name for people and policies, a label string for the model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from privrag_fast.types import InputError

Labels = Mapping[str, str]
"""Type name -> label string, in the order in which the model is asked."""

LabelSpec = Sequence[str] | Mapping[str, str]
"""What a caller may write: `["blood type"]`, `["PERSON"]` or `{"PERSON": "full name"}`."""

DEFAULT_LABELS: Labels = MappingProxyType(
    {
        "PERSON": "name",
        "AGE": "age",
        "GENDER": "gender",
        "LOCATION": "location",
        "ADDRESS": "address",
        "NATIONALITY": "nationality",
        "MARITAL_STATUS": "marital status",
        "CHILDREN": "number of children",
        "RELATIONSHIP": "relationship",
        "OCCUPATION": "occupation",
        "EMPLOYER": "employer",
        "EDUCATION": "education",
        "INCOME": "income",
        "MONEY": "amount of money",
        "HEALTH": "health condition",
        "RELIGION": "religion",
        "POLITICS": "political affiliation",
        "ORIENTATION": "sexual orientation",
        "APPEARANCE": "appearance",
        "DATE": "date",
        "ID": "id number",
        "EMAIL": "email",
        "PHONE": "phone number",
        "IBAN": "iban",
        "CARD": "credit card number",
        "SSN": "social security number",
    }
)


def normalize_labels(labels: LabelSpec | None) -> Labels:
    """Type names and label strings of what a caller asked for.

    A string of a sequence that names a known type stands for that type's label string;
    any other string is a new type: `["PERSON", "blood type"]` gives
    `{"PERSON": "name", "BLOOD_TYPE": "blood type"}`.

    Raises:
        InputError: Nothing to look for, a blank or repeated label, or not a type name.
    """
    if labels is None:
        return DEFAULT_LABELS
    if isinstance(labels, str):
        raise InputError("labels must be a sequence or a mapping, got one str; put it in a list")
    named = _named(labels)
    _refuse_repeats([name for name, _ in named], "type")
    _refuse_repeats([label for _, label in named], "label")
    if not named:
        raise InputError("labels are empty: name at least one, or pass None for the default ones")
    return MappingProxyType(dict(named))


def _named(labels: LabelSpec) -> list[tuple[str, str]]:
    if isinstance(labels, Mapping):
        return [(_checked_type(name), _checked_label(label)) for name, label in labels.items()]
    return [_from_string(_checked_label(label)) for label in labels]


def _from_string(label: str) -> tuple[str, str]:
    name = _type_name(label)
    return name, DEFAULT_LABELS.get(name, label) if label == name else label


def _type_name(label: str) -> str:
    name = re.sub(r"\W+", "_", label.upper()).strip("_")
    if not name:
        raise InputError(f"label {label!r} holds no letter or digit")
    return name


def _checked_type(name: object) -> str:
    if not isinstance(name, str) or not name or name != _type_name(name):
        raise InputError(f"{name!r} is not a type name; write it like BLOOD_TYPE")
    return name


def _checked_label(label: object) -> str:
    if not isinstance(label, str) or not label.strip():
        raise InputError(f"a label must be a string that is not blank, got {label!r}")
    return " ".join(label.split())


def _refuse_repeats(names: Sequence[str], kind: str) -> None:
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"the same {kind} twice in labels: {', '.join(repeated)}")
