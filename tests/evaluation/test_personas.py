"""Personas are whole, different, and consistent with themselves."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest
from stdnum import iban

from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.evaluation import personas
from privrag_fast.evaluation.personas import COUNTRIES, DOMAINS, LABELS, Persona
from privrag_fast.types import InputError

PEOPLE = personas.generate(300, 0)


def test_there_are_300_with_many_attributes() -> None:
    assert len({person.name for person in PEOPLE}) == 300
    assert min(len(person.meanings) for person in PEOPLE) >= 16
    assert {field.name for field in fields(Persona)} == LABELS.keys()


def test_new_labels_are_few() -> None:
    assert set(LABELS.values()) - DEFAULT_LABELS.keys() == {"DURATION", "HOUSING", "WORKLOAD"}


def test_seeds_repeat_and_differ() -> None:
    assert personas.generate(60, 5) == personas.generate(60, 5)
    assert personas.generate(60, 5) != personas.generate(60, 6)


def test_more_people_than_names() -> None:
    with pytest.raises(InputError, match="fewer personas"):
        personas.generate(2_000, 0)


@pytest.mark.parametrize("attribute", DOMAINS)
def test_domains_hold_every_meaning(attribute: str) -> None:
    found = {p.meanings[attribute] for p in PEOPLE if attribute in p.meanings}
    assert found <= set(DOMAINS[attribute])
    assert len(found) > 1


def test_nobody_contradicts_himself() -> None:
    assert [person.name for person in PEOPLE if personas.contradictions(person)] == []


def test_nobody_contradicts_himself_in_other_words() -> None:
    for p in PEOPLE:
        facts = (
            not p.children or p.age >= 18 + 2 * p.children,
            p.employment != "retired" or (p.age >= 58 and p.employer is p.workload is None),
            not p.employer or (p.employment == "employed" and 1 <= (p.tenure or 0) <= p.age - 16),
            p.occupation != "physician" or (p.education == "doctorate" and p.age >= 27),
            not p.mother_age or p.mother_age - p.age >= 17,
            (p.rent is None) == (p.housing != "tenant"),
            1 <= p.membership <= p.residence <= p.age,
            0 < p.income < 400_000,
            iban.is_valid(p.iban) and p.iban.startswith(COUNTRIES[p.country].iban),
            p.email.isascii(),
        )
        assert all(facts), (p.name, facts)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"age": 17, "marital_status": "widowed"}, "widowed or divorced too young"),
        ({"residence": 99}, "longer here than alive"),
        ({"children": 6, "age": 25}, "children too early"),
        ({"employment": "student"}, "occupation"),
        ({"tenure": 30}, "longer at work than out of school"),
        ({"income": 900_000}, "pay does not fit the occupation"),
        ({"education": "doctorate"}, "education does not fit the occupation"),
        ({"employer": "Talbrook School"}, "employer does not fit the occupation"),
        ({"mother_age": 40}, "mother too young"),
        ({"housing": "homeowner"}, "rent"),
    ],
)
def test_contradictions_are_found(changes: dict[str, object], what: str) -> None:
    person = next(
        p
        for p in PEOPLE
        if p.occupation == "electrician" and p.rent and p.employer and 30 < p.age < 45
    )
    assert what in personas.contradictions(replace(person, **changes))  # type: ignore[arg-type]


def test_varied_people_stay_consistent() -> None:
    rng = random.Random(1)
    for person in PEOPLE[:40]:
        for wanted in ({"age": 30}, {"occupation": "nurse"}, {"workload": 60, "tenure": 3}):
            other = personas.vary(person, wanted, rng)
            if other is not None:
                assert personas.contradictions(other) == ()
                assert wanted.items() <= other.meanings.items()
                assert (other.name, other.city) == (person.name, person.city)


def test_what_no_life_allows_is_refused() -> None:
    assert personas.vary(PEOPLE[0], {"age": 19, "employment": "retired"}, random.Random(1)) is None
