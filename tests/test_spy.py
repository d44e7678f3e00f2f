"""No detected value reaches retriever, reranker or LLM unless the receipt says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest

from privrag_fast import models
from privrag_fast.assembly import Models, open_detector
from privrag_fast.pipeline import Minimized, PrivateRag
from privrag_fast.privacy import Policy
from privrag_fast.types import Detector, ModelError
from tests.messages import messages
from tests.stand_ins import (
    HITS,
    PlantedDetector,
    RecordingLLM,
    RecordingReranker,
    RecordingRetriever,
    make_rag,
)

COUNT = 600
PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+\]")
CORPUS = {hit.passage.text for hit in HITS}


def readable(value: str, text: str) -> bool:
    """An independent look: the value as a whole word, however short, in any case."""
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE))


def typed_by_the_user(text: str) -> str:
    """What is left of a text once placeholders are gone: their digits are no values."""
    return PLACEHOLDER.sub(" ", text)


def leaks(value: str, texts: Iterable[str]) -> Iterator[str]:
    return (text for text in texts if readable(value, typed_by_the_user(text)))


def in_full(message: str, minimized: Minimized) -> str:
    """The message with each withheld mention as its value was first told: Meier is Laura Meier."""
    withheld = [own.attribute for own in minimized.receipt.decisions if not own.kept]
    placed = [(mention, own.placeholder) for own in withheld for mention in own.mentions]
    for mention, placeholder in sorted(placed, key=lambda pair: -pair[0].start):
        value = minimized.vault.value(placeholder)
        message = message[: mention.start] + value + message[mention.end :]
    return message


class Spied:
    """A pipeline and all that left it."""

    def __init__(self, detector: Detector) -> None:
        self.retriever, self.reranker = RecordingRetriever(), RecordingReranker()
        self.llm = RecordingLLM()
        self.rag: PrivateRag = make_rag(
            detector,
            retriever=self.retriever,
            reranker=self.reranker,
            llm=self.llm,
            policy=Policy(draft_threshold=1.5),
        )

    def run(self, message: str) -> Minimized:
        for seen in (self.retriever.seen, self.reranker.seen, self.llm.seen):
            seen.clear()
        answer = self.rag.answer(message)
        told = in_full(message, answer.minimized)
        assert answer.text == told, "restoring what was sent gives the message"
        return answer.minimized

    def check(self, message: str, minimized: Minimized) -> tuple[int, int]:
        """Counts values kept and withheld."""
        retrieval = self.retriever.seen + self.reranker.seen
        queries = [text for text in retrieval if text not in CORPUS]
        [conversation] = self.llm.seen
        sent = [conversation[-1].content]
        assert conversation == minimized.messages
        kept = 0
        for decision in minimized.receipt.decisions:
            kept += decision.kept
            for value in {mention.value(message) for mention in decision.attribute.mentions}:
                assert not list(leaks(value, queries)), decision
                assert decision.kept or not list(leaks(value, sent)), decision
        return kept, len(minimized.receipt.decisions) - kept


def test_planted_values_stay() -> None:
    generated = list(messages(COUNT, seed=11))
    spied = Spied(PlantedDetector(dict(generated)))
    kept = withheld = 0
    for message, spans in generated:
        minimized = spied.run(message)
        counts = spied.check(message, minimized)
        assert sum(counts) > 0 or not spans
        kept, withheld = kept + counts[0], withheld + counts[1]
    assert kept > COUNT / 10
    assert withheld > COUNT


@pytest.mark.weights
def test_detected_values_stay() -> None:
    try:
        models.find("detector")
    except ModelError as error:
        pytest.skip(f"no detector weights: {error}")
    spied = Spied(open_detector(Models(threads=1)))
    kept = withheld = 0
    for message, _ in messages(COUNT, seed=12):
        counts = spied.check(message, spied.run(message))
        kept, withheld = kept + counts[0], withheld + counts[1]
    assert kept > COUNT / 10
    assert withheld > COUNT
