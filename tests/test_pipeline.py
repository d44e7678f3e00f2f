"""The pipeline with recording stand-ins around it."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from privrag_fast.pipeline import PipelineOptions
from privrag_fast.privacy import Policy, Vault
from privrag_fast.types import (
    ContextError,
    DetectionError,
    Entity,
    InputError,
    ScoringError,
)
from tests.stand_ins import (
    PlantedDetector,
    PseudoRandomCounterfactual,
    RecordingLLM,
    RecordingRetriever,
    make_rag,
)

MESSAGE = "I'm Nora, 67, from Zurich. May I apply?"
SPANS = [(4, 8, "PERSON"), (10, 12, "AGE"), (19, 25, "LOCATION")]
EVERYTHING = Policy(threshold=0.0, draft_threshold=0.0)
NOTHING = Policy(threshold=1e9, draft_threshold=1e9)


def planted(text: str = MESSAGE, spans: Sequence[tuple[int, int, str]] = SPANS) -> PlantedDetector:
    return PlantedDetector({text: spans})


def test_minimize() -> None:
    retriever = RecordingRetriever()
    result = make_rag(planted(), retriever=retriever, policy=NOTHING).minimize(MESSAGE)
    assert retriever.seen == ["I'm, from. May I apply?"]
    assert result.receipt.query == retriever.seen[0]
    assert result.message == "I'm [PERSON_1], [AGE_1], from [LOCATION_1]. May I apply?"
    assert result.messages[-1].content == result.message
    assert "age of reason" in result.messages[0].content
    assert [d.reason for d in result.receipt.decisions] == [
        "never",
        "no influence",
        "no influence",
    ]
    assert list(result.receipt.timings) == [
        "detect", "abstract", "search", "rerank", "draft", "vary", "score", "redact",
    ]  # fmt: skip


def test_kept_values_stand_in_the_message() -> None:
    result = make_rag(planted(), policy=EVERYTHING).minimize(MESSAGE)
    assert result.message == "I'm [PERSON_1], 67, from Zurich. May I apply?"
    assert [a.label for a in result.receipt.kept] == ["AGE", "LOCATION"]


def test_original_is_scored_first_and_identifiers_not_at_all() -> None:
    counterfactual = PseudoRandomCounterfactual()
    rag = make_rag(planted(), counterfactual=counterfactual)
    rag.minimize(MESSAGE)
    first, *later = counterfactual.scored
    assert first[0] == MESSAGE
    assert len(first) == 1 + 2
    assert all(len(messages) <= 2 for messages in later)
    assert all("Nora" in message for messages in counterfactual.scored for message in messages)


def test_without_an_end_to_doubt_all_substitutes_are_tried() -> None:
    counterfactual = PseudoRandomCounterfactual()
    options = PipelineOptions(doubt=math.inf)
    receipt = make_rag(planted(), counterfactual=counterfactual, options=options).minimize(MESSAGE)
    assert [len(messages) for messages in counterfactual.scored] == [1 + 2, 2, 2]
    tried = [len(d.influence.changes) for d in receipt.receipt.decisions if d.influence]
    assert tried == [3, 3]


def test_answer_is_restored() -> None:
    answer = make_rag(planted(), policy=NOTHING).answer(MESSAGE)
    assert answer.raw == "I'm [PERSON_1], [AGE_1], from [LOCATION_1]. May I apply?"
    assert answer.text == MESSAGE


def test_stream_equals_answer() -> None:
    rag = make_rag(planted(), policy=NOTHING)
    assert "".join(rag.stream(rag.minimize(MESSAGE))) == MESSAGE


def test_async() -> None:
    async def both() -> tuple[str, str]:
        rag = make_rag(planted(), policy=NOTHING)
        minimized, answer = await asyncio.gather(rag.aminimize(MESSAGE), rag.aanswer(MESSAGE))
        return minimized.message, answer.text

    assert asyncio.run(both()) == (
        "I'm [PERSON_1], [AGE_1], from [LOCATION_1]. May I apply?",
        MESSAGE,
    )


def test_reference_by_the_caller() -> None:
    result = make_rag(planted()).minimize(MESSAGE, reference="Yes, you may.")
    assert result.receipt.reference == "Yes, you may."
    assert not result.receipt.drafted
    assert "draft" in result.receipt.timings


def test_drafts_have_a_threshold_of_their_own() -> None:
    rag = make_rag(planted(), policy=Policy(threshold=0.0, draft_threshold=1e9))
    assert rag.minimize(MESSAGE).receipt.kept == ()
    assert len(rag.minimize(MESSAGE, reference="Yes.").receipt.kept) == 2


@pytest.mark.parametrize("blank", ["", "  \n\t"])
def test_empty_message(blank: str) -> None:
    llm = RecordingLLM()
    with pytest.raises(InputError, match="empty"):
        make_rag(planted(), llm=llm).answer(blank)
    assert llm.seen == []


def test_no_entities_cost_no_scoring() -> None:
    counterfactual = PseudoRandomCounterfactual()
    result = make_rag(planted(spans=[]), counterfactual=counterfactual).minimize(MESSAGE)
    assert result.message == MESSAGE
    assert result.receipt.decisions == ()
    assert counterfactual.scored == []


def test_300_entities() -> None:
    words = [f"{word}{i}" for i, word in enumerate(["Zurich"] * 300)]
    text = " ".join(words)
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word), "LOCATION"))
        at += len(word) + 1
    result = make_rag(planted(text, spans), policy=NOTHING).minimize(text)
    assert result.message.split() == [f"[LOCATION_{i + 1}]" for i in range(300)]


def test_no_documents() -> None:
    result = make_rag(planted(), retriever=RecordingRetriever([])).minimize(MESSAGE)
    assert result.receipt.hits == ()
    assert "none found" in result.messages[0].content


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ContextError("9000 tokens exceed 8192"), "longer than the local model's context"),
        (ScoringError("llama_decode failed with code -1"), "scoring failed"),
    ],
)
def test_what_cannot_be_measured_is_withheld(error: Exception, reason: str) -> None:
    rag = make_rag(
        planted(),
        counterfactual=PseudoRandomCounterfactual(error),
        policy=replace(EVERYTHING, fail="abstract"),
    )
    result = rag.minimize(MESSAGE)
    assert result.receipt.kept == ()
    assert [d.reason for d in result.receipt.decisions] == ["never", reason, reason]


def test_a_failing_model_blocks_by_default() -> None:
    llm = RecordingLLM()
    broken = PseudoRandomCounterfactual(ScoringError("llama_decode failed with code -1"))
    with pytest.raises(ScoringError):
        make_rag(planted(), counterfactual=broken, llm=llm).answer(MESSAGE)
    assert llm.seen == []


def test_empty_draft_withholds() -> None:
    rag = make_rag(
        planted(), counterfactual=PseudoRandomCounterfactual(draft=""), policy=EVERYTHING
    )
    assert rag.minimize(MESSAGE).receipt.kept == ()


class BrokenDetector:
    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        raise DetectionError("the detector failed: nothing may be sent")


def test_broken_detector_sends_nothing() -> None:
    llm, retriever = RecordingLLM(), RecordingRetriever()
    with pytest.raises(DetectionError):
        make_rag(BrokenDetector(), llm=llm, retriever=retriever).answer(MESSAGE)
    assert llm.seen == []
    assert retriever.seen == []


def test_missed_mention_is_covered() -> None:
    text = "Nora Lind here. Please write to Nora Lind."
    result = make_rag(planted(text, [(0, 9, "PERSON")])).minimize(text)
    assert result.message == "[PERSON_1] here. Please write to [PERSON_1]."


def test_kept_value_that_shows_a_withheld_one_is_withheld() -> None:
    text = "I work at Meier Foods, and my name is Meier."
    spans = [(10, 21, "EMPLOYER"), (38, 43, "PERSON")]
    result = make_rag(planted(text, spans), policy=EVERYTHING).minimize(text)
    assert result.message == "I work at [EMPLOYER_1], and my name is [PERSON_1]."
    assert result.receipt.decisions[0].reason == "shows a withheld value"


def test_one_vault_for_several_messages() -> None:
    """abs-07."""
    turns = ["I am Nora", "my sister Ida lives in Oslo", "Nora again"]
    spans = [[(5, 9, "PERSON")], [(10, 13, "PERSON"), (23, 27, "LOCATION")], [(0, 4, "PERSON")]]
    rag = make_rag(PlantedDetector(dict(zip(turns, spans, strict=True))), policy=NOTHING)
    vault = Vault()
    assert [rag.minimize(turn, vault=vault).message for turn in turns] == [
        "I am [PERSON_1]",
        "my sister [PERSON_2] lives in [LOCATION_1]",
        "[PERSON_1] again",
    ]


def test_typed_placeholder_survives() -> None:
    """abs-06."""
    text = "I typed [PERSON_1] and am Nora"
    answer = make_rag(planted(text, [(26, 30, "PERSON")])).answer(text)
    assert answer.raw == "I typed [PERSON_1] and am [PERSON_2]"
    assert answer.text == text


def test_receipts_can_be_logged() -> None:
    result = make_rag(planted(), policy=EVERYTHING).minimize(MESSAGE)
    logged = repr(result) + repr(result.receipt) + repr(result.receipt.decisions)
    for value in ("Nora", "67", "Zurich"):
        assert not re.search(rf"(?<![\d.]){value}(?![\d.])", logged)


def test_wrong_options() -> None:
    with pytest.raises(InputError, match="documents must be 1 or more"):
        PipelineOptions(documents=0)
