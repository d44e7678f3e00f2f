"""Operators at their edges, and outcomes against brute force over whole domains."""

from __future__ import annotations

import itertools
import random

import pytest

from privrag_fast.evaluation import rules
from privrag_fast.evaluation.dataset import Case, Condition, Document, Fact, Meaning, Question
from privrag_fast.evaluation.personas import COUNTRY_OF, DOMAINS
from privrag_fast.types import InputError
from tests.evaluation.reference import slow_outcome


@pytest.mark.parametrize(
    ("operator", "values", "passes", "fails"),
    [
        ("at_least", (62,), (62, 63), (61,)),
        ("at_most", (62,), (62, 0), (63,)),
        ("above", (62,), (63,), (62, 61)),
        ("below", (62,), (61,), (62, 63)),
        ("between", (18, 25), (18, 20, 25), (17, 26)),
        ("equals", ("married",), ("married",), ("single",)),
        ("one_of", ("nurse", "cook"), ("nurse", "cook"), ("baker",)),
        ("none_of", ("nurse", "cook"), ("baker",), ("nurse", "cook")),
        ("in_country", ("Austria", "Germany"), ("Graz", "Leipzig"), ("Bern", "Oz")),
        ("outside_country", ("Austria",), ("Bern", "Oz"), ("Graz",)),
    ],
)
def test_operators(
    operator: str, values: tuple[Meaning, ...], passes: tuple[Meaning], fails: tuple[Meaning]
) -> None:
    condition = Condition("any", operator, values)
    assert all(rules.holds(condition, meaning) for meaning in passes)
    assert not any(rules.holds(condition, meaning) for meaning in fails)
    assert operator in rules.OPERATORS


def test_wrong_rules_are_refused() -> None:
    with pytest.raises(InputError, match="'within' is unknown"):
        rules.holds(Condition("age", "within", (1,)), 2)
    with pytest.raises(InputError, match="compares numbers"):
        rules.holds(Condition("age", "at_least", (1,)), "old")
    with pytest.raises(InputError, match="reads age, city"):
        rules.outcome(SAVER, {"income": 3})


SAVER = Document(
    "saver.md",
    "Saver",
    "",
    cases=(
        Case(
            (
                Condition("age", "at_least", (62,)),
                Condition("city", "in_country", ("Switzerland",)),
            ),
            "yes",
        ),
    ),
    otherwise="no",
)
TIERS = Document(
    "tiers.md",
    "Tiers",
    "",
    cases=(
        Case((Condition("age", "below", (26,)),), "0"),
        Case((Condition("income", "at_least", (60_000,)),), "30"),
    ),
    otherwise="75",
)


def test_the_first_case_that_holds_decides() -> None:
    assert rules.outcome(TIERS, {"age": 25, "income": 90_000}) == "0"
    assert rules.outcome(TIERS, {"age": 26, "income": 60_000}) == "30"
    assert rules.outcome(TIERS, {"age": 26, "income": 59_999}) == "75"


def test_decisive_depends_on_the_others() -> None:
    assert rules.decisive(SAVER, {"age": 67, "city": "Bern"}) == {"age", "city"}
    assert rules.decisive(SAVER, {"age": 61, "city": "Bern"}) == {"age"}
    assert rules.decisive(SAVER, {"age": 61, "city": "Graz"}) == frozenset()
    assert rules.decisive(TIERS, {"age": 20, "income": 1}) == {"age"}


def test_flip_is_the_nearest_border() -> None:
    assert rules.flip(SAVER, {"age": 67, "city": "Bern"}, "age") == (61, "no")
    assert rules.flip(TIERS, {"age": 30, "income": 61_000}, "income") == (59_999, "75")
    assert rules.flip(TIERS, {"age": 20, "income": 61_000}, "income") is None


def test_outcomes_of_what_is_known() -> None:
    assert rules.outcomes(SAVER, {}) == {"yes", "no"}
    assert rules.outcomes(SAVER, {"age": 61}) == {"no"}
    assert rules.outcomes(TIERS, {"age": 26}) == {"30", "75"}
    assert rules.outcomes(TIERS, {"income": 59_999}) == {"0", "75"}


def test_answerable() -> None:
    facts = (
        Fact("age", "AGE", 0, 2, 61),
        Fact("city", "LOCATION", 3, 7, "Bern"),
    )
    question = Question("q", "test", "", ("61 Bern",), facts, ("saver.md",), outcome="no")
    assert rules.answerable(SAVER, question, ["age"])
    assert not rules.answerable(SAVER, question, ["city"])
    assert not rules.answerable(SAVER, question, [])
    open_question = Question("q", "test", "", ("61 Bern",), facts, ("saver.md",))
    assert rules.answerable(SAVER, open_question, [])


def test_attributes_of_other_data_sets() -> None:
    document = Document(
        "d.md",
        "D",
        "",
        cases=(
            Case((Condition("height", "above", (180,)), Condition("pet", "equals", ("cat",))), "a"),
        ),
        otherwise="b",
    )
    assert rules.decisive(document, {"height": 190, "pet": "cat"}) == {"height", "pet"}
    assert rules.outcomes(document, {"height": 180}) == {"b"}


# --------------------------------------------------------------------------- brute force

SMALL = {name: list(DOMAINS[name]) for name in ("age", "children", "housing", "city")}


def random_condition(rng: random.Random) -> Condition:
    attribute = rng.choice(tuple(SMALL))
    if attribute == "city" and rng.random() < 0.7:
        countries = tuple(rng.sample(sorted(set(COUNTRY_OF.values())), 2))
        return Condition(attribute, rng.choice(("in_country", "outside_country")), countries)
    if attribute in ("housing", "city"):
        operator, count = rng.choice((("one_of", 2), ("none_of", 2), ("equals", 1)))
        return Condition(attribute, operator, tuple(rng.sample(SMALL[attribute], count)))
    low, high = sorted(rng.sample(SMALL[attribute], 2))  # type: ignore[type-var]
    operator = rng.choice(("at_least", "at_most", "above", "below", "between"))
    return Condition(attribute, operator, (low, high))


def random_document(rng: random.Random) -> Document:
    cases = tuple(
        Case(tuple(random_condition(rng) for _ in range(rng.randint(1, 3))), rng.choice("abc"))
        for _ in range(rng.randint(1, 3))
    )
    return Document("random.md", "", "", cases=cases, otherwise="d")


@pytest.mark.parametrize("seed", range(60))
def test_random_rules_against_every_meaning(seed: int) -> None:
    rng = random.Random(seed)
    document = random_document(rng)
    who = {name: rng.choice(values) for name, values in SMALL.items()}
    read = sorted({c.attribute for case in document.cases for c in case.conditions})
    assert rules.consulted(document) == set(read)
    own = slow_outcome(document, who)
    assert rules.outcome(document, who) == own
    turning = {
        a for a in read if any(slow_outcome(document, {**who, a: v}) != own for v in SMALL[a])
    }
    assert rules.decisive(document, who) == turning
    known = {name: who[name] for name in rng.sample(read, rng.randint(0, len(read)))}
    # Two attributes of many values at once would take long: one of the two stays known.
    if not known.keys() & {"age", "city"}:
        known["city"] = who["city"]
    unknown = [name for name in read if name not in known]
    possible = {
        slow_outcome(document, {**known, **dict(zip(unknown, choice, strict=True))})
        for choice in itertools.product(*(SMALL[name] for name in unknown))
    }
    assert rules.outcomes(document, known) == possible
