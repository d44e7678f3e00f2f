"""Prior, rounds and policy together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from privrag_fast.decider import Asked, Decider
from privrag_fast.limits import Deadline
from privrag_fast.llama import VariantScores
from privrag_fast.pipeline import _Clock
from privrag_fast.privacy import Policy, Vault, attributes
from privrag_fast.relevance.prior import Fusion
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.types import (
    Attribute,
    Decision,
    Entity,
    Hit,
    InputError,
    ScoreCounts,
    ScoringError,
)

FUSION = Fusion(prior=1.0, influence=1.0, settled=-4.0)
TEXT = "I am Ann, 67, from Oslo."
SPANS = [("Ann", "PERSON"), ("67", "AGE"), ("Oslo", "LOCATION")]
ENTITIES = [Entity(TEXT.index(v), TEXT.index(v) + len(v), label) for v, label in SPANS]
ATTRIBUTES = attributes(TEXT, ENTITIES, Vault())


class WantsAges:
    """Five nats less for a text without the age, or a band that does; notes how many texts each
    call has."""

    takes_notes = False

    def __init__(
        self, *, draft: str = "You are 67.", fails: bool = False, band: str = "67"
    ) -> None:
        self.sizes: list[int] = []
        self.drafts = 0
        self._draft, self._fails, self._enough = draft, fails, ("67", band)

    def draft(self, message: str, hits: Sequence[Hit], **_: object) -> str:
        self.drafts += 1
        return self._draft

    def score(
        self, messages: Sequence[str], hits: Sequence[Hit], answer: str, **_: object
    ) -> VariantScores:
        if self._fails:
            raise ScoringError("llama_decode failed with code -1")
        self.sizes.append(len(messages))
        enough = self._enough
        nats = [0.0 if any(own in message for own in enough) else -5.0 for message in messages]
        return VariantScores(np.array(nats), (), ScoreCounts(4, 3, 2, 1))


class Guesses:
    """A prior with a table."""

    def __init__(self, **by_label: float) -> None:
        self._by_label = by_label

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> list[float]:
        return [self._by_label[own.label] for own in attributes]

    def limit(self, threshold: float, probability: float, *, settled: bool = False) -> float:
        return FUSION.limit(threshold, probability, settled=settled)

    def fuse(self, probability: float, influence: float, *, settled: bool = False) -> float:
        return FUSION.fuse(probability, influence, settled=settled)


def decisions(
    test: WantsAges | None, prior: Guesses | None = None, **policy: object
) -> tuple[Decision, ...]:
    decider = Decider(
        test,  # type: ignore[arg-type]
        Substitutes(0),
        policy=Policy(**policy),  # type: ignore[arg-type]
        prior=prior,  # type: ignore[arg-type]
    )
    return decider.decide(Asked(TEXT, ATTRIBUTES, ()), _Clock(Deadline())).decisions


def decide(
    test: WantsAges | None, prior: Guesses | None = None, **policy: object
) -> dict[str, str]:
    """Label -> reason, with a mark for what is kept."""
    return {
        own.attribute.label: "kept: " * own.kept + own.reason
        for own in decisions(test, prior, **policy)
    }


def test_without_a_prior_influence_decides() -> None:
    test = WantsAges()
    assert decide(test) == {"PERSON": "never", "AGE": "kept: influence", "LOCATION": "no influence"}
    assert test.sizes == [1 + 2]  # both are clear after one substitute


def test_what_the_prior_is_sure_of_is_not_measured() -> None:
    test = WantsAges()
    told = decide(test, Guesses(AGE=0.5, LOCATION=1e-6))
    assert told == {"PERSON": "never", "AGE": "kept: influence", "LOCATION": "prior"}
    assert test.sizes == [1 + 1]


def test_a_decision_says_how_likely_the_value_is_needed() -> None:
    by_label = {
        own.attribute.label: own.probability
        for own in decisions(WantsAges(), Guesses(AGE=0.5, LOCATION=1e-6))
    }
    assert by_label["PERSON"] is None
    assert by_label["LOCATION"] == 1e-6
    assert by_label["AGE"] == pytest.approx(6 / 7)  # log1p of five nats
    assert {own.probability for own in decisions(WantsAges())} == {None}


def test_a_value_near_its_threshold_is_for_the_policy() -> None:
    assert decide(WantsAges(), draft_threshold=4.9)["AGE"] == "kept: influence"
    for unsure, told in (("keep", "kept: unsure"), ("abstract", "unsure")):
        test = WantsAges()
        assert decide(test, draft_threshold=4.9, unsure=unsure)["AGE"] == told
        assert len(test.sizes) == 3  # all substitutes were tried
        assert decide(WantsAges(), draft_threshold=1.0, unsure=unsure)["AGE"] == "kept: influence"


def test_a_prior_that_is_sure_of_all_asks_no_model() -> None:
    test = WantsAges()
    told = decide(test, Guesses(AGE=1 - 1e-6, LOCATION=1e-6))
    assert told == {"PERSON": "never", "AGE": "kept: prior", "LOCATION": "prior"}
    assert (test.drafts, test.sizes) == (0, [])


@pytest.mark.parametrize("test", [WantsAges(draft=""), WantsAges(fails=True)])
def test_a_model_that_fails_keeps_nothing(test: WantsAges) -> None:
    told = decide(test, Guesses(AGE=0.5, LOCATION=1 - 1e-6), fail="abstract")
    assert not any(reason.startswith("kept") for reason in told.values())


def test_a_threshold_of_zero_keeps_nothing_unmeasured() -> None:
    told = decide(WantsAges(draft=""), threshold=0.0, draft_threshold=0.0)
    assert not any(reason.startswith("kept") for reason in told.values())


def test_the_policy_outranks_the_prior() -> None:
    told = decide(WantsAges(), Guesses(AGE=1 - 1e-6, LOCATION=1 - 1e-6), never={"AGE", "PERSON"})
    assert told["AGE"] == "never"
    assert decide(WantsAges(), Guesses(LOCATION=1e-6), always={"AGE"})["AGE"] == "kept: always"


def test_a_likelier_value_needs_less_influence() -> None:
    fusion = Fusion(prior=1.0, influence=1.0)
    limits = [fusion.limit(1.0, probability) for probability in (0.9, 0.6, 0.5, 0.4, 1e-6)]
    assert limits == sorted(limits)
    assert limits[0] == 0
    assert limits[2] == pytest.approx(1.0)
    assert limits[-1] == math.inf
    assert Fusion().limit(1.0, 0.9) == 1.0  # nothing is known of how both compare
    assert Fusion(prior=1.0, influence=1.0).limit(math.inf, 0.99) == math.inf


def test_what_is_needed_for_sure_is_still_generalized() -> None:
    sure = Guesses(AGE=1 - 1e-6, LOCATION=1e-6)
    assert decide(WantsAges(), sure, generalize={"AGE"})["AGE"] == "kept: influence"
    told = decisions(WantsAges(band="65-69"), sure, generalize={"AGE"})
    assert (told[1].reason, told[1].value_sent) == ("generalized", "65-69")


def test_a_value_that_the_draft_does_not_turn_on_is_not_generalized_by_it() -> None:
    """Every form changes such a draft as little as the value does, however coarse it is."""
    sure = Guesses(AGE=1 - 1e-6, LOCATION=1e-6)
    told = decisions(WantsAges(), sure, generalize={"AGE"}, draft_threshold=6.0)
    assert (told[1].kept, told[1].reason, told[1].value_sent) == (True, "influence", None)


# --------------------------------------------------------------------------- nothing measured


def test_without_a_measurement_the_prior_decides() -> None:
    told = decide(None, Guesses(AGE=0.03, LOCATION=0.02))
    assert told == {"PERSON": "never", "AGE": "kept: prior", "LOCATION": "prior"}
    told = decide(None, Guesses(AGE=0.6, LOCATION=0.4), guess_threshold=0.5, always={"LOCATION"})
    assert told == {"PERSON": "never", "AGE": "kept: prior", "LOCATION": "kept: always"}
    assert [own.probability for own in decisions(None, Guesses(AGE=0.6, LOCATION=0.4))] == [
        None,
        0.6,
        0.4,
    ]


def test_without_a_measurement_what_only_one_can_tell_is_refused() -> None:
    with pytest.raises(InputError, match="a prior has to decide: give one, or measure"):
        decide(None)
    with pytest.raises(InputError, match="leave the policy's generalize empty; it holds AGE"):
        decide(None, Guesses(), generalize={"AGE"})
    decider = Decider(
        None,
        Substitutes(0),
        policy=Policy(),
        prior=Guesses(AGE=0.5, LOCATION=0.5),  # type: ignore[arg-type]
    )
    asked = Asked(TEXT, ATTRIBUTES, (), reference="You are 67.")
    with pytest.raises(InputError, match="a reference answer has no use"):
        decider.decide(asked, _Clock(Deadline()))


@pytest.mark.parametrize(("comes_out", "told"), [("met", "kept: influence"), ("not met", "prior")])
def test_a_value_that_a_draft_does_not_turn_on_needs_more(comes_out: str, told: str) -> None:
    draft = (
        f"It takes an age of 62; you are 67: met. It takes Italy; you live in Oslo: {comes_out}."
    )
    assert decide(WantsAges(draft=draft), Guesses(AGE=0.5, LOCATION=0.5))["AGE"] == told


def test_without_a_prior_what_is_never_kept_is_still_measured() -> None:
    draft = "It takes an age of 62; you are 67: met. It takes Italy; you live in Oslo: not met."
    assert decide(WantsAges(draft=draft), draft_threshold=math.inf)["AGE"] == "no influence"
