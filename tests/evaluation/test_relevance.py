"""Rows of the trade-off, and what becomes of them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from privrag_fast.evaluation import tradeoff
from privrag_fast.evaluation.baselines import Asked, Similarity
from privrag_fast.evaluation.dataset import Dataset
from privrag_fast.evaluation.estimators import ESTIMATORS
from privrag_fast.evaluation.relevance import Evidence, Measured, RelevanceOptions, Row
from privrag_fast.llama import VariantScores
from privrag_fast.privacy import Policy
from privrag_fast.types import (
    Attribute,
    ChatMessage,
    ContextError,
    Hit,
    InputError,
    Passage,
    SafeText,
    ScoreCounts,
    says,
)
from tests.evaluation.small import (
    CARD,
    PASSAGES,
    PrefersLongTitles,
    Retrieves,
    WantsAges,
    dataset,
    question,
    relevance,
)
from tests.stand_ins import PlantedDetector

QUERY = SafeText("AGE")
CITY = Attribute("LOCATION", "Oslo", "[LOCATION_1]", ())


# --------------------------------------------------------------------------- measuring


def test_a_row_for_each_fact() -> None:
    measured = relevance().measure(question(1))
    assert [row.attribute for row in measured.rows] == ["name", "age", "city"]
    name, age, city = measured.rows
    assert name.identifier
    assert name.influence == {}
    assert set(age.influence) == {"verdict", "explained", "draft"}
    assert len(age.changes["draft"]) == 3
    assert age.influence["draft"] == pytest.approx(np.abs(age.changes["draft"]).mean())
    assert age.influence["draft"] > 0
    assert city.influence["draft"] == 0
    assert (age.decisive, city.decisive) == (True, False)
    assert (age.characters, city.characters) == (2, 4)
    assert measured.draft == "Yes, you are old enough."
    assert measured.complete


class WantsYes(WantsAges):
    """A yes is as likely as the age is high, a no is not; nothing changes without documents."""

    def score(self, messages: Sequence[str], hits: Sequence[Hit], answer: str) -> VariantScores:
        scores = super().score(messages, hits, answer)
        wanted = bool(hits) and not answer.startswith("No")
        return replace(scores, log_likelihood=scores.log_likelihood * wanted)


def test_the_odds_of_the_verdict() -> None:
    asked = replace(question(1), outcome="yes", verdicts={"yes": "Yes.", "no": "No."})
    measured = relevance(counterfactual=WantsYes()).measure(asked)
    _, age, city = measured.rows
    assert measured.verdict is True
    assert age.influence["verdict odds"] == pytest.approx(age.influence["draft"])
    assert city.influence["verdict odds"] == 0
    other = relevance(counterfactual=WantsYes()).measure(replace(asked, outcome="no"))
    assert other.verdict is False
    assert relevance().measure(question(1)).verdict is None


def test_rivals_of_influence() -> None:
    options = RelevanceOptions(rivals=True)
    own = relevance(counterfactual=WantsYes(), options=options).measure(question(1))
    _, age, _ = own.rows
    assert age.changes["draft, beyond documents"] == age.changes["draft"]
    assert "explained, values masked" in age.changes  # it repeats the age; the draft repeats none
    assert "draft, values masked" not in age.changes
    assert age.changes["draft, divergence of first tokens"] == pytest.approx(
        np.abs(age.changes["draft"])
    )
    assert age.changes["draft, mean of several"] == age.changes["draft"]  # it drafts one thing
    figures = tradeoff.summarize([own], dataset(2), policy=Policy(), seed=0)
    assert figures["estimators"]["mean |change|"].keys() == age.influence.keys()


def test_drafts_from_the_documents_in_another_order_count_as_much() -> None:
    class ByOrder(WantsAges):
        def draft(self, message: str, hits: Sequence[Hit]) -> str:
            return "Yes." if hits[0].passage.id == CARD.id and len(hits) > 1 else "No."

        def score(self, messages: Sequence[str], hits: Sequence[Hit], answer: str) -> VariantScores:
            scores = super().score(messages, hits, answer)
            return replace(scores, log_likelihood=scores.log_likelihood * (answer == "No."))

    options = RelevanceOptions(rivals=True, others=9)
    _, age, _ = relevance(counterfactual=ByOrder(), options=options).measure(question(1)).rows
    several = age.changes["draft, mean of several"]
    assert np.abs(several).max() > 0
    assert set(np.abs(several)) != set(np.abs(age.changes["draft"]))


def test_identifiers_are_never_varied() -> None:
    counterfactual = WantsAges()
    relevance(counterfactual=counterfactual).measure(question(1))
    for messages in counterfactual.asked:
        assert messages[0] == question(1).message
        assert len(messages) == 1 + 2 * 3
        assert all("Ann Lee1" in message for message in messages)


def test_what_the_policy_never_sends_is_not_measured() -> None:
    policy = Policy(never=frozenset({"LOCATION"}), always=frozenset({"AGE"}))
    name, age, city = relevance(policy=policy).measure(question(1)).rows
    assert (name.identifier, age.identifier, city.identifier) == (False, False, True)
    assert set(age.influence) == {"verdict", "explained", "draft"}


def test_echo_is_of_the_reference_answer() -> None:
    _, age, city = relevance().measure(question(1)).rows
    assert age.echo == {"verdict": False, "explained": True, "draft": False}
    assert not any(city.echo.values())


def test_fewer_references_cost_less() -> None:
    counterfactual = WantsAges()
    own = relevance(counterfactual=counterfactual, references=["draft"]).measure(question(1))
    assert set(own.rows[1].influence) == {"draft"}
    assert len(counterfactual.asked) == 1
    with pytest.raises(InputError, match="told is no reference answer"):
        relevance(references=["told"])


def test_no_draft_no_influence_on_it() -> None:
    measured = relevance(counterfactual=WantsAges(draft="")).measure(question(1))
    assert set(measured.rows[1].influence) == {"verdict", "explained"}
    assert measured.draft == ""


def test_a_context_that_is_too_small_leaves_values_unmeasured() -> None:
    class Full(WantsAges):
        def score(self, messages: Sequence[str], hits: Sequence[Hit], answer: str) -> VariantScores:
            raise ContextError("9000 tokens exceed 4096")

    assert relevance(counterfactual=Full()).measure(question(1)).rows[1].influence == {}


def test_a_question_without_values_costs_nothing() -> None:
    counterfactual = WantsAges()
    plain = replace(question(1), turns=("May I?",), facts=())
    assert relevance(counterfactual=counterfactual).measure(plain).rows == ()
    assert counterfactual.asked == []


def test_what_detection_misses_is_sent() -> None:
    message = question(1).message
    start = message.index("67")
    detector = PlantedDetector({message: [(start, start + 2, "AGE")]})
    name, age, city = relevance(detector=detector).measure(question(1)).rows
    assert [row.found for row in (name, age, city)] == [False, True, False]
    assert not name.identifier
    rows = (name, age, city)
    facts = tradeoff.Facts([Measured("q1", "", None, True, 1.0, rows)], lambda *_: True)
    assert facts.influence("draft")[[0, 2]].tolist() == [math.inf, math.inf]
    assert facts.point(tradeoff.sent_from(facts.influence("draft"), 1e9)).values == 2 / 3


def test_rows_survive_json() -> None:
    measured = relevance().measure(question(1))
    written = json.dumps(measured.to_data())
    again = Measured.from_data(json.loads(written))
    assert again.rows[1].influence == measured.rows[1].influence
    assert json.dumps(again.to_data()) == written


@pytest.mark.parametrize(
    ("name", "value"), [("gold", 0), ("others", -1), ("retrieved", -1), ("substitutes", 0)]
)
def test_options_are_checked(name: str, value: int) -> None:
    with pytest.raises(InputError, match=f"{name} must be"):
        RelevanceOptions(**{name: value})


def test_stopping_early_counts_and_keeps_its_side() -> None:
    clear = replace(row("age", 9.0, True), changes={"draft": (9.0, 9.0, 9.0)})
    turns = replace(row("city", 9.0), changes={"draft": (0.0, 26.0, 1.0)})
    own = measured("q1", clear, turns)
    figures = tradeoff.summarize([own], dataset(2), policy=Policy(), seed=0)
    hasty, *_, full = figures["rounds"]["draft"]
    assert full == {"doubt": math.inf, "variants": 3.0, "recall": 1.0, "withheld": 0.0}
    assert (hasty["variants"], hasty["withheld"]) == (2.0, 1.0)


class SureOfCities:
    """A prior that takes no influence into account but for cities, which it is sure of."""

    def score(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit]
    ) -> list[float]:
        return [0.9 if own.label == "LOCATION" else 0.5 for own in attributes]

    def shift(self, probability: float, *, settled: bool = False) -> float:
        return 4.0 if probability > 0.5 else 0.0


def test_the_prior_moves_the_influence() -> None:
    own = relevance(prior=SureOfCities()).measure(question(1))
    facts = tradeoff.Facts([own], lambda *_: True)
    _, age, city = own.rows
    assert (age.shift, city.shift) == (0.0, 4.0)
    assert city.influence["draft"] == 0
    assert facts.evidence("draft")[1:] == pytest.approx([age.influence["draft"], math.expm1(4)])
    figures = tradeoff.summarize([own], dataset(2), policy=Policy(draft_threshold=40), seed=0)
    assert {"decision, draft", "influence, draft", "prior"} <= figures["methods"].keys()
    assert figures["policy"]["draft"]["values"] == pytest.approx(1 / 3)  # the city, unmeasured
    [*_, full] = figures["rounds"]["draft"]
    assert full["variants"] == 1.5  # three of the age, none of the city


def test_stopping_early_finds_what_its_own_threshold_keeps() -> None:
    """Rounded otherwise than the scores that the threshold is from, it would lie below it."""
    for nats in (0.1, 0.3, 0.7, 1.1, 1.3, 2.9):
        own = measured("q1", row("age", nats, True))
        figures = tradeoff.summarize([own], dataset(2), policy=Policy(), seed=0)
        assert {one["recall"] for one in figures["rounds"]["draft"]} == {1.0}


def test_verdicts_by_operator() -> None:
    own = replace(measured("q1", row("age", 1.0)), verdict=True, bare_verdict=False)
    unknown = measured("q2", row("age", 1.0))
    figures = tradeoff.summarize([own, unknown], dataset(3), policy=Policy(), seed=0)
    assert figures["verdicts"]["all"] == {"questions": 1, "right": 1.0, "at once": 0.0}
    assert set(figures["verdicts"]) == {"all", "at_least"}


# --------------------------------------------------------------------------- passages


def evidence(options: RelevanceOptions, *titles: str) -> Evidence:
    others = [Passage(title, title, title, source=title) for title in titles]
    passages = [*PASSAGES, *others]
    return Evidence(passages, Retrieves(passages), PrefersLongTitles(), options=options)


def test_the_gold_document_and_others_in_the_rerankers_order() -> None:
    hits = evidence(RelevanceOptions(others=1), "A title of some length").search(
        QUERY, ["saver.md"]
    )
    assert [hit.passage.id for hit in hits] == ["A title of some length", "saver.md"]


def test_no_other_documents() -> None:
    hits = evidence(RelevanceOptions(others=0)).search(QUERY, ["saver.md"])
    assert [hit.passage.id for hit in hits] == ["saver.md"]


def test_retrieved_may_miss_the_gold_document() -> None:
    own = evidence(RelevanceOptions(retrieved=1))
    hits = own.search(QUERY, ["card.md"])
    assert [hit.passage.id for hit in hits] == ["saver.md"]
    assert not own.holds(hits, ["card.md"])
    assert own.holds(hits, [])


# --------------------------------------------------------------------------- baselines


class YesToAges:
    """A language model that says Yes to what is called an age."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def render(self, messages: Sequence[ChatMessage]) -> str:
        return messages[-1].content

    def score(self, prompts: Sequence[str], continuation: str) -> VariantScores:
        self.prompts += prompts
        odds = [3.0 if "says age: " in prompt else -1.0 for prompt in prompts]
        sign = 0.5 if continuation == "Yes" else -0.5
        return VariantScores(np.array(odds) * sign, (), ScoreCounts(0, 0, 0, 0))


def test_asked() -> None:
    model = YesToAges()
    age = Attribute("AGE", "{67}", "[AGE_1]", ())
    odds = Asked(model).score("I am {67}.", [age, CITY], [Hit(PASSAGES[0], 1.0)])  # type: ignore[arg-type]
    assert odds == [3.0, -1.0]
    shared = model.prompts[0].split("The customer's message")[0]
    assert all(prompt.startswith(shared) for prompt in model.prompts)
    assert "For people of 62" in shared
    assert "I am {67}." in shared
    assert Asked(model).score("Hello.", [], []) == []  # type: ignore[arg-type]


class Letters:
    """Embeds a text by the letters that it has."""

    dim, digest = 26, "letters"

    def embed(self, texts: Sequence[SafeText]) -> np.ndarray:
        counts = np.array(
            [[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], np.float32
        )
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def test_similarity() -> None:
    hits = [Hit(Passage("p", "Location: Oslo."), 1.0), Hit(Passage("p", "zzz"), 1.0)]
    near, far = Similarity(Letters()).score("", [CITY, Attribute("QQ", "67", "[QQ_1]", ())], hits)
    assert near == pytest.approx(1.0)
    assert far == 0
    assert Similarity(Letters()).score("", [CITY], []) == [0.0]


@pytest.mark.parametrize(
    ("value", "answer", "found"),
    [
        ("Oslo", "You live in OSLO.", True),
        ("67", "since 1967", False),
        ("67", "You are 67, so yes.", True),
        ("CHF 5.-", "with CHF 5.-, yes", True),
        ("Oslo", "", False),
    ],
)
def test_an_answer_echoes_whole_words(value: str, answer: str, found: bool) -> None:
    assert says(answer, value) is found


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators(name: str) -> None:
    estimate = ESTIMATORS[name]
    assert estimate(np.array([0.0])) == 0
    assert estimate(np.array([2.0, 2.0])) == pytest.approx(2)
    signed = "|" not in name and "square" not in name
    assert (estimate(np.array([-2.0, -1.0])) < 0) is signed


# --------------------------------------------------------------------------- figures


def row(
    attribute: str, influence: float | None, decisive: bool | None = False, **other: object
) -> Row:
    changes = {} if influence is None else {"draft": (influence,)}
    own = {} if influence is None else {"draft": influence}
    values = {
        "attribute": attribute, "label": attribute.upper(), "decisive": decisive, "characters": 4,
        "found": True, "identifier": False, "changes": changes, "influence": own, "echo": {},
        "scores": {"asked": -(influence or 0.0)}, **other,
    }  # fmt: skip
    return Row(**values)  # type: ignore[arg-type]


def measured(id_: str, *rows: Row) -> Measured:
    return Measured(id_, "", None, True, 2.0, rows)


ONE = measured(
    "q1",
    row("name", None, identifier=True),
    row("age", 3.0, True),
    row("city", 1.0, characters=8),
)
TWO = measured("q2", row("age", 0.5, True), row("city", 2.0))


def needs_age(id_: str, kept: frozenset[str]) -> bool | None:
    return "age" in kept


def test_points() -> None:
    facts = tradeoff.Facts([ONE, TWO], needs_age)
    point = facts.point(tradeoff.sent_from(facts.influence("draft"), 1.0))
    assert point == tradeoff.Point(
        values=3 / 5, characters=16 / 24, per_message=1.5, recall=1 / 2, withheld=1 / 3,
        answerable=1 / 2,
    )  # fmt: skip


def test_identifiers_are_not_sent_at_any_threshold() -> None:
    facts = tradeoff.Facts([ONE, TWO], needs_age)
    sent = tradeoff.sent_from(facts.influence("draft"), -math.inf)
    assert sent.tolist() == [False, True, True, True, True]
    assert not tradeoff.sent_most(facts.column(np.ones(5)), 5, seed=0)[0]


@pytest.mark.parametrize("reference", ["draft", "prior"])
def test_the_policy_outranks_what_was_measured(reference: str) -> None:
    rows = [
        row("age", 5.0, True, scores={"prior": 0.9}),
        row("city", 0.0, scores={"prior": 0.0}),
        row("name", None, identifier=True),
        row("income", None, found=False),
    ]
    facts = tradeoff.Facts([measured("q1", *rows)], needs_age)

    def sent(**policy: object) -> list[bool]:
        own = Policy(**policy)  # type: ignore[arg-type]
        return list(map(bool, tradeoff.sent_by_policy(facts, own, reference)))

    assert sent() == [True, False, False, True]
    assert sent(never={"AGE", "INCOME"}, always={"CITY"}) == [False, True, False, True]
    assert sent(abstract={"AGE"}, generalize={"AGE"}) == [False, False, False, True]


def test_equal_exposure_draws_ties() -> None:
    facts = tradeoff.Facts([ONE, TWO], needs_age)
    ties = facts.column(np.zeros(5))
    chosen = [tradeoff.sent_most(ties, 2, seed=seed) for seed in range(20)]
    assert {int(sent.sum()) for sent in chosen} == {2}
    assert len({tuple(sent) for sent in chosen}) > 1
    assert tradeoff.sent_most(ties, 2, seed=3).tolist() == chosen[3].tolist()


def test_answerability_asks_the_rules_once() -> None:
    asked = []

    def answerable(id_: str, kept: frozenset[str]) -> bool | None:
        asked.append((id_, kept))
        return None if id_ == "q2" else True

    facts = tradeoff.Facts([ONE, TWO], answerable)
    for _ in range(2):
        assert facts.point(np.zeros(5, np.bool_)).answerable == 1.0
    assert len(asked) == 2


def test_rules_of_the_gold_document() -> None:
    answerable = tradeoff.by_rules(dataset())
    assert answerable("q3", frozenset({"age"})) is True
    assert answerable("q3", frozenset({"city"})) is False
    unknown = Dataset("d", "1", None, (CARD,), (replace(question(1), documents=("card.md",)),))
    assert tradeoff.by_rules(unknown)("q1", frozenset()) is None


def test_summary() -> None:
    data = dataset()
    own = [measured(q.id, *(row for row in ONE.rows)) for q in data.questions]
    figures = tradeoff.summarize(own, data, policy=Policy(draft_threshold=2.0), seed=0)
    draft = figures["methods"]["influence, draft"]
    assert draft["auroc"] == 1.0
    assert (draft["auroc_low"], draft["auroc_high"]) == (1.0, 1.0)
    assert draft["threshold"] == 3.0
    assert draft["at_recall"]["recall"] == 1.0
    assert draft["at_recall"]["withheld"] == 1.0
    assert draft["at_recall"]["answerable"] == 1.0
    assert figures["methods"]["asked"]["auroc"] == 0.0
    assert figures["exposed"] == 4
    assert figures["methods"]["asked"]["at_exposure"]["recall"] == 0.0
    assert figures["policy"]["draft"] == draft["at_recall"]
    assert figures["fixed"]["everything"]["values"] == 1.0
    assert figures["fixed"]["nothing"]["values"] == 0.0
    assert figures["estimators"]["mean |change|"] == {"draft": 1.0}
    assert set(figures["by_label"]["draft"]) == {"AGE", "CITY"}
    values = [point["values"] for point in draft["curve"]]
    assert values == sorted(values)
    assert values[0] == 0.0
    assert values[-1] == 2 / 3
    again = tradeoff.summarize(own, data, policy=Policy(draft_threshold=2.0), seed=0)
    assert json.dumps(again) == json.dumps(figures)


def test_summary_without_labels_or_questions() -> None:
    data = dataset(1)
    unknown = measured("q0", row("age", 1.0, None))
    for own in ([unknown], []):
        figures = tradeoff.summarize(own, data, policy=Policy(), seed=0)
        assert math.isnan(figures["methods"]["random"]["auroc"])


def test_calibration() -> None:
    many = [
        measured(f"q{i}", row("age", i + 1.0, True), row("city", 0.0, i == 0), row("pet", 9.0))
        for i in range(20)
    ]
    facts = tradeoff.Facts(many, needs_age)
    overall, by_label = tradeoff.calibrate(facts, "draft", recall=0.9)
    assert by_label == {"AGE": 3.0}  # 18 of 20
    assert overall == 2.0  # 19 of 21
    policy = Policy(draft_threshold=overall, draft_thresholds=by_label)
    sent = tradeoff.sent_by_policy(facts, policy, "draft")
    assert facts.point(sent).recall == 18 / 21


def test_calibration_of_the_prior_alone() -> None:
    chances = (0.9, 0.5, 0.2, 0.1)
    many = [
        measured(
            f"q{i}",
            replace(row("age", 1.0, True), scores={"prior": chance}),
            replace(row("city", 1.0), scores={"prior": 0.15}),
        )
        for i, chance in enumerate(chances)
    ]
    facts = tradeoff.Facts(many, needs_age)
    assert tradeoff.guess_threshold(facts, 0.75) == 0.2
    sent = tradeoff.sent_by_policy(facts, Policy(guess_threshold=0.2), "prior")
    point = facts.point(sent)
    assert (point.recall, point.withheld) == (0.75, 1.0)
    figures = tradeoff.summarize(many, dataset(4), policy=Policy(guess_threshold=0.2), seed=0)
    assert figures["policy"]["prior"]["recall"] == 0.75
    assert math.isnan(tradeoff.guess_threshold(tradeoff.Facts([TWO], needs_age), 0.75))


def test_calibration_wants_what_it_needs() -> None:
    nothing = tradeoff.Facts([measured("q", row("age", 1.0))], needs_age)
    with pytest.raises(InputError, match="no measured value is decisive"):
        tradeoff.calibrate(nothing, "draft", recall=0.9)
    with pytest.raises(InputError, match="reasoned answer was measured for fewer than 90%"):
        tradeoff.calibrate(tradeoff.Facts([TWO], needs_age), "reasoned", recall=0.9)
