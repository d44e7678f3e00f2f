from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from privrag_fast.privacy import DIRECT_IDENTIFIERS, Policy, decide
from privrag_fast.types import Attribute, Entity, Influence, InputError


def attribute(label: str, number: int = 1) -> Attribute:
    return Attribute(label, "v", f"[{label}_{number}]", (Entity(0, 1, label),))


def influence(own: Attribute, nats: float) -> Influence:
    return Influence(own, ("w",), (nats,), nats)


AGE, CITY, PERSON = attribute("AGE"), attribute("CITY"), attribute("PERSON")


def test_influence_decides_at_the_threshold() -> None:
    measured = {"[AGE_1]": influence(AGE, 1.0), "[CITY_1]": influence(CITY, 0.99)}
    decisions = decide([CITY, AGE], measured, Policy(threshold=1.0))
    assert [(one.attribute.label, one.kept, one.reason) for one in decisions] == [
        ("CITY", False, "no influence"),
        ("AGE", True, "influence"),
    ]
    assert decisions[1].influence is measured["[AGE_1]"]


def test_the_policy_outranks_influence() -> None:
    measured = {"[PERSON_1]": influence(PERSON, 99.0), "[CITY_1]": influence(CITY, 0.0)}
    policy = Policy(always=frozenset({"CITY"}))
    decisions = decide([PERSON, CITY], measured, policy)
    assert [(one.kept, one.reason) for one in decisions] == [(False, "never"), (True, "always")]


@pytest.mark.parametrize("label", sorted(DIRECT_IDENTIFIERS))
def test_direct_identifiers_are_never_kept_by_default(label: str) -> None:
    own = attribute(label)
    (decision,) = decide([own], {own.placeholder: influence(own, math.inf)}, Policy())
    assert not decision.kept


def test_what_was_not_measured_stays_abstracted_with_the_reason() -> None:
    measured = {"[AGE_1]": influence(AGE, 5.0)}
    decisions = decide([AGE, CITY, PERSON], measured, Policy(), undecidable="no answer to score")
    assert [(one.kept, one.reason) for one in decisions] == [
        (True, "influence"),
        (False, "no answer to score"),
        (False, "never"),
    ]
    (decision,) = decide([CITY], {}, Policy())
    assert (decision.kept, decision.reason, decision.influence) == (False, "not measured", None)


def test_not_a_number_is_no_measurement() -> None:
    (decision,) = decide([AGE], {"[AGE_1]": influence(AGE, math.nan)}, Policy(threshold=-math.inf))
    assert (decision.kept, decision.reason) == (False, "not measured")


def test_an_infinite_threshold_keeps_nothing_that_is_measured() -> None:
    (decision,) = decide([AGE], {"[AGE_1]": influence(AGE, 1e9)}, Policy(threshold=math.inf))
    assert not decision.kept


def test_no_attribute_no_decision() -> None:
    assert decide([], {}, Policy()) == ()


def test_labels_are_type_names_however_they_are_written() -> None:
    policy = Policy(never=frozenset({"blood type"}))
    own = attribute("BLOOD_TYPE")
    (decision,) = decide([own], {own.placeholder: influence(own, 9.0)}, policy)
    assert (decision.kept, decision.reason) == (False, "never")
    assert policy == Policy(never=frozenset({"BLOOD_TYPE"}))


def test_a_label_in_both_sets_is_refused() -> None:
    with pytest.raises(InputError, match="both never and always sent: CITY"):
        Policy(never=frozenset({"CITY", "AGE"}), always=frozenset({"city"}))


@pytest.mark.parametrize("threshold", [math.nan, "1", None])
def test_a_threshold_that_is_no_number_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match="threshold must be a number"):
        Policy(threshold=threshold)


@pytest.mark.parametrize("never", ["PERSON", None, frozenset({1})])
def test_what_is_no_set_of_labels_is_refused(never: frozenset[str]) -> None:
    with pytest.raises(InputError, match="never must"):
        Policy(never=never)


def test_a_policy_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Policy().threshold = 2.0  # type: ignore[misc]


def test_a_label_may_have_thresholds_of_its_own() -> None:
    measured = {"[AGE_1]": influence(AGE, 1.0), "[CITY_1]": influence(CITY, 1.0)}
    policy = Policy(threshold=2.0, thresholds={"age": 1.0}, draft_thresholds={"CITY": 1.0})
    assert [one.kept for one in decide([AGE, CITY], measured, policy)] == [True, False]
    drafts = replace(policy, draft_threshold=2.0).for_draft()
    assert [one.kept for one in decide([AGE, CITY], measured, drafts)] == [False, True]


def test_the_policy_outranks_thresholds_of_labels() -> None:
    policy = Policy(thresholds={"PERSON": 0.0})
    (decision,) = decide([PERSON], {"[PERSON_1]": influence(PERSON, 9.0)}, policy)
    assert decision.reason == "never"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    policy = Policy(
        threshold=-math.inf,
        draft_threshold=0.1 + 0.2,
        thresholds={"blood type": 1e-7, "CITÉ": math.inf},
        draft_thresholds={"AGE": 3},
        never=frozenset({"PERSON", "EMAIL"}),
        always=frozenset({"AGE"}),
    )
    file = tmp_path / "policy.toml"
    file.write_text(policy.to_toml(), encoding="utf-8")
    assert Policy.read(file) == policy
    file.write_text(Policy().to_toml(), encoding="utf-8")
    assert Policy.read(file) == Policy()


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.touch()
    assert Policy.read(file) == Policy()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("threshold = 1\nnever = [", "line 2|end of document"),
        ("treshold = 1", "unknown key 'treshold'; known are threshold, draft_threshold"),
        ("threshold = true", "threshold must be a number"),
        ("[thresholds]\nAGE = 'low'", "thresholds.AGE must be a number of nats, got 'low'"),
        ("draft_thresholds = 3", "draft_thresholds must map labels"),
        ("never = 'PERSON'", "never must be a set of labels"),
        ("never = [1]", "never must hold labels as strings"),
        ("always = ['PERSON']", "both never and always sent: PERSON"),
    ],
)
def test_a_file_that_is_no_policy_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        Policy.read(file)
    assert "policy.toml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml cannot be read"):
        Policy.read(tmp_path / "none.toml")
