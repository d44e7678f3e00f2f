"""Verdicts: read, asked for in both orders, kept, and counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.evaluation.judge import (
    CachedLLM,
    Chooser,
    Comparison,
    Judge,
    parse,
    summarize,
)
from privrag_fast.llama import VariantScores
from privrag_fast.privacy import Policy
from privrag_fast.types import ChatMessage, Hit, ScoreCounts
from tests.evaluation.small import PASSAGES, Says, question, relevance

HITS = [Hit(PASSAGES[0], 1.0)]
ASK = [ChatMessage("user", "May I?")]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("[[A]]", "A"),
        ("Answer A says more than B. [[B]]", "B"),
        ("[[ tie ]]", "tie"),
        ("[[TIE]]", "tie"),
        ("[B]", "B"),
        ("The choice of [[A]] or [[B]] is close.\n[[B]]", "B"),
        ("A", "A"),
        ("B.", "B"),
        ("**A**", "A"),
        ("tie", "tie"),
        ("Tie!", "tie"),
        ("Answer B", "B"),
        ("Verdict: A", "A"),
        ("My final verdict is: B.", "B"),
        ("The better answer is A.", "A"),
        ("Both mention the age.\n\nB", "B"),
        ("Answer A is clearly better than answer B, as it decides.", "A"),
        ("Both answers are equally good.", "tie"),
        ("", None),
        ("a", None),
        ("I cannot say.", None),
        ("A customer asked.", None),
        ("Answer A is better. No, Answer B is better.", None),
        ("Answer A is worse than Answer B.", None),
    ],
)
def test_verdicts_are_read(text: str, choice: str | None) -> None:
    assert parse(text) == choice


def test_positions_are_swapped() -> None:
    llm = Says("[[A]]", "[[B]]")
    verdicts = Judge(llm).judge("May I?", HITS, minimized="Yes {x}.", unredacted="No.")
    assert verdicts == ("minimized", "minimized")
    first, last = (messages[0].content for messages in llm.asked)
    assert first.index("Yes {x}.") < first.index("No.")
    assert last.index("No.") < last.index("Yes {x}.")
    assert "For people of 62" in first
    assert "Customer: May I?" in first


@pytest.mark.parametrize(
    ("answers", "verdicts"),
    [
        (("[[A]]", "[[A]]"), ("minimized", "unredacted")),
        (("[[tie]]", "Hm."), ("tie", "unclear")),
        (("[[B]]", "[[A]]"), ("unredacted", "unredacted")),
    ],
)
def test_what_the_orders_say(answers: Sequence[str], verdicts: Sequence[str]) -> None:
    found = Judge(Says(*answers)).judge("May I?", HITS, minimized="Yes.", unredacted="No.")
    assert found == verdicts


def test_equal_answers_are_a_tie_without_asking() -> None:
    llm = Says("[[A]]")
    assert Judge(llm).judge("", HITS, minimized="Yes. ", unredacted="Yes.") == ("tie", "tie")
    assert llm.asked == []


def test_a_local_judge_chooses_what_is_likeliest() -> None:
    class Prefers:
        def render(self, messages: Sequence[ChatMessage]) -> str:
            return messages[-1].content

        def rank(self, prompt: str, continuations: Sequence[str]) -> VariantScores:
            likely = [float(one.strip("[]") in prompt) for one in continuations]
            return VariantScores(np.array(likely), (), ScoreCounts(0, 0, 0, 0))

    chooser = Chooser(Prefers())  # type: ignore[arg-type]
    answers = ["".join(chooser.generate([ChatMessage("user", t)])) for t in ("A", "B", "tie")]
    assert [parse(answer) for answer in answers] == ["A", "B", "tie"]


def test_answers_are_kept_by_model_and_prompt(tmp_path: Path) -> None:
    llm = Says("one é", "two")

    def ask(name: str, text: str) -> str:
        cached = CachedLLM(llm, name=name, folder=tmp_path)
        return "".join(cached.generate([ChatMessage("user", text)]))

    assert [ask("m", "May I?"), ask("m", "May I?")] == ["one é", "one é"]
    assert ask("m", "Can I?") == "two"
    assert ask("other", "May I?") == "one é"
    assert len(llm.asked) == 3


def test_a_failed_answer_is_not_kept(tmp_path: Path) -> None:
    class Breaks(Says):
        def generate(self, messages: Sequence[ChatMessage]):  # type: ignore[no-untyped-def]
            yield "half an ans"
            raise RuntimeError

    with pytest.raises(RuntimeError):
        list(CachedLLM(Breaks(), name="m", folder=tmp_path).generate(ASK))
    assert list(CachedLLM(Says("whole"), name="m", folder=tmp_path).generate(ASK)) == ["whole"]


def compare(draft_threshold: float, **policy: object) -> tuple[dict, Says]:
    own = relevance()
    answerer = Says("Yes, [PERSON_1].", "Yes, Ann.")
    comparison = Comparison(
        own,
        answerer=answerer,
        judge=Judge(Says("[[tie]]")),
        policy=Policy(draft_threshold=draft_threshold, **policy),  # type: ignore[arg-type]
    )
    return comparison.compare(question(1), own.measure(question(1))), answerer


def test_the_minimized_message_is_answered_and_restored() -> None:
    row, answerer = compare(1.0)
    assert row["message"] == "I am [PERSON_1], 67, from [LOCATION_1]. May I open the Senior Saver?"
    assert row["minimized"] == "Yes, Ann Lee1."
    assert row["unredacted"] == "Yes, Ann."
    assert row["verdicts"] == ["tie", "tie"]
    minimized, whole = (messages[-1].content for messages in answerer.asked)
    assert (minimized, whole) == (row["message"], question(1).message)


def test_the_policy_says_what_the_judged_answer_knew() -> None:
    assert compare(math.inf)[0]["message"].startswith("I am [PERSON_1], [AGE_1], from [LOCATION_1]")
    assert compare(0.0)[0]["message"].startswith("I am [PERSON_1], 67, from Oslo.")
    turned = compare(1.0, abstract={"AGE"}, always={"LOCATION"})[0]["message"]
    assert turned.startswith("I am [PERSON_1], [AGE_1], from Oslo.")


def test_summary() -> None:
    pairs = [
        ("minimized", "minimized"),
        ("unredacted", "unredacted"),
        ("unredacted", "unredacted"),
        ("tie", "tie"),
        ("minimized", "unredacted"),  # whoever stood first
        ("tie", "unclear"),
    ]
    judged = summarize(pairs, judge="j", seed=0)
    assert (judged.minimized, judged.tie, judged.unredacted, judged.unclear) == (1, 2, 2, 1)
    assert judged.lead.value == pytest.approx(-0.2)
    assert judged.lead.low < judged.lead.value < judged.lead.high
    assert judged.agreement.value == pytest.approx(0.8)
    assert judged.first == pytest.approx(5 / 10)
    assert judged.second == pytest.approx(3 / 10)
    assert judged == summarize(pairs, judge="j", seed=0)


def test_summary_of_nothing_readable() -> None:
    judged = summarize([("unclear", "tie")], judge="j", seed=0)
    assert judged.unclear == 1
    assert math.isnan(judged.lead.value)
    assert math.isnan(judged.first)
