from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from privrag_fast.privacy import DIRECT_IDENTIFIERS, Policy, decide
from privrag_fast.privacy.policy import UNREAD
from privrag_fast.privacy.reading import PolicyDetector
from privrag_fast.privacy.scripts import unread
from privrag_fast.types import Attribute, DetectionError, Entity, Influence, InputError


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


def test_what_is_unsure_is_kept_or_withheld_as_the_policy_says() -> None:
    near = replace(influence(AGE, 1.1), clear=False)
    for policy, kept, reason in (
        (Policy(threshold=1.0), True, "influence"),
        (Policy(threshold=1.0, unsure="abstract"), False, "unsure"),
        (Policy(threshold=2.0, unsure="keep"), True, "unsure"),
        (
            Policy(threshold=2.0, unsure="keep", abstract={"AGE"}, generalize={"AGE"}),
            False,
            "unsure",
        ),
    ):
        (decision,) = decide([AGE], {"[AGE_1]": near}, policy)
        assert (decision.kept, decision.reason) == (kept, reason)
    with pytest.raises(InputError, match="unsure must be measured, keep or abstract, got 'maybe'"):
        Policy(unsure="maybe")  # type: ignore[arg-type]


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
    with pytest.raises(InputError, match=r"always holds labels that are both .*: CITY"):
        Policy(never=frozenset({"CITY", "AGE"}), always=frozenset({"city"}))


@pytest.mark.parametrize("threshold", [math.nan, "1", None])
def test_a_threshold_that_is_no_number_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match=r"^threshold must be a number"):
        Policy(threshold=threshold)


@pytest.mark.parametrize("never", ["PERSON", None, frozenset({1})])
def test_what_is_no_set_of_labels_is_refused(never: frozenset[str]) -> None:
    with pytest.raises(InputError, match=r"^never must"):
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
        guess_threshold=1 / 3,
        thresholds={"blood type": 1e-7, "CITÉ": math.inf},
        draft_thresholds={"AGE": 3},
        never=frozenset({"PERSON", "EMAIL"}),
        always=frozenset({"AGE"}),
        abstract=frozenset({"INCOME"}),
        generalize=frozenset({"INCOME", "LOCATION"}),
        synonyms={"LOCATION": ["city", "TOWN"]},  # type: ignore[dict-item]
        languages=("de", "en"),
        fail="abstract",
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
        ("\ntreshold = 1", "line 2, treshold is no key of a policy; known are labels, threshold"),
        ("threshold = true", "line 1, threshold must be a number"),
        ("threshold = 1\n\n[thresholds]\nAGE = 'low'", "line 4, thresholds.AGE must be a number"),
        ("[thresholds]\n'blood type' = 'low'", "line 2, thresholds.blood type must be a number"),
        ("thresholds.AGE = 'low'", "line 1, thresholds.AGE must be a number of nats, got 'low'"),
        ("\nguess_threshold = 2", "line 2, guess_threshold must be a probability, from 0 to 1"),
        ("guess_threshold = true", "line 1, guess_threshold must be a probability"),
        ("guess_threshold = nan", "line 1, guess_threshold must be a probability"),
        ("draft_thresholds = 3", "line 1, draft_thresholds must map labels"),
        ("fail = 'open'", "line 1, fail must be block or abstract, got 'open'"),
        ("\nlanguages = ['en', 'xx']", "line 2, languages must be among .*: xx"),
        ("languages = 'en'", "languages must be a list of strings, codes such as 'en', got str"),
        ("never = 'PERSON'", "line 1, never must be a list of strings, such as 'PERSON', got str"),
        ("never = [1]", "line 1, never must hold strings, such as 'PERSON', got int"),
        ("never = ['']", "line 1, never a label must hold a letter"),
        ("always = ['PERSON']", "line 1, always holds labels that are both never and always: PERS"),
        ("generalize = ['ADDRESS']", "generalize holds labels that are never sent; make them abst"),
        ("labels = 3", "line 1, labels must map labels to what becomes of them"),
        ("[labels]\n# sent\nAGE = 'keep'", "line 3, labels.AGE must be one of never, always, auto"),
        ("always = ['CITY']\nsynonyms.LOCATION = ['CITY']", "1, always must name LOCATION instead"),
        ("[synonyms]\nA = ['B']\nC = ['B']", "line 3, synonyms.C holds what is the synonym of an"),
        ("[synonyms]\nA = ['B']\nB = ['C']", "line 3, synonyms.B is itself a synonym"),
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


def test_labels_amend_the_lists(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(
        """
        abstract = ["INCOME"]
        [labels]
        PERSON = "auto"
        "blood type" = "never"
        AGE = "always"
        INCOME = "abstract"
        """,
        encoding="utf-8",
    )
    policy = Policy.read(file)
    assert policy.never == DIRECT_IDENTIFIERS - {"PERSON"} | {"BLOOD_TYPE"}
    assert policy.always == {"AGE"}
    labels = ("PERSON", "BLOOD_TYPE", "AGE", "INCOME", "EMAIL")
    assert [policy.way(label) for label in labels] == [
        "auto",
        "never",
        "always",
        "abstract",
        "never",
    ]


def test_synonyms_share_what_is_said_of_their_label() -> None:
    policy = Policy(
        always=frozenset({"LOCATION"}),
        thresholds={"INCOME": 3.0},
        synonyms={"LOCATION": ("CITY",), "INCOME": ("SALARY", "WAGE")},
    )
    (decision,) = decide([CITY], {}, policy)
    assert (decision.kept, decision.reason) == (True, "always")
    assert policy.threshold_of("wage") == 3.0
    assert policy.label_of("city") == "LOCATION"


def test_abstract_values_are_not_sent_and_only_measured_to_be_generalized() -> None:
    measured = {"[AGE_1]": influence(AGE, 9.0)}
    policy = Policy(abstract=frozenset({"AGE", "CITY"}), generalize=frozenset({"AGE"}))
    assert [policy.settles(label) for label in ("AGE", "CITY")] == [False, True]
    decisions = decide([AGE, CITY], measured, policy)
    assert [(one.kept, one.reason) for one in decisions] == [(False, "abstract")] * 2


class Fixed:
    def __init__(self, *entities: Entity) -> None:
        self._entities = list(entities)

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [self._entities for _ in texts]


def test_a_detector_under_a_policy_relabels_synonyms() -> None:
    policy = Policy(synonyms={"LOCATION": ("CITY",)})
    [found] = PolicyDetector(Fixed(Entity(0, 4, "city")), policy).detect(["Oslo"])
    assert found == [Entity(0, 4, "LOCATION")]


TEXT = "I am Нина Ланг, say π"


def test_words_of_unlisted_languages_block() -> None:
    with pytest.raises(DetectionError, match="add the language"):
        PolicyDetector(Fixed(), Policy(languages=("en",))).detect([TEXT])


def test_words_of_unlisted_languages_are_abstracted() -> None:
    policy = Policy(languages=("en",), fail="abstract")
    [found] = PolicyDetector(Fixed(Entity(5, 9, "PERSON")), policy).detect([TEXT])
    assert [(own.start, own.end, own.label) for own in found] == [
        (5, 9, "PERSON"),
        (10, 14, UNREAD),
    ]
    assert policy.settles(UNREAD)


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (["en"], "plain, fiancé and π", []),
        (["ru"], "дом", []),
        (["ru"], "home", [(0, 4)]),
        (["ru", "en"], "home дом", []),
        (["ja"], "東京にトヨタ", []),
        (["zh"], "東京 にに", [(3, 5)]),
        (["de"], "İstanbul ＡＢ", []),
        (["en"], "", []),
    ],
)
def test_scripts(languages: list[str], text: str, expected: list[tuple[int, int]]) -> None:
    assert unread(text, languages) == expected
