"""Over whole conversations, no value leaves that the receipt does not list as kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

import pytest

from privrag_fast import models
from privrag_fast.assembly import Models, open_detector
from privrag_fast.conversation import Conversation
from privrag_fast.evaluation import benchmark
from privrag_fast.pipeline import Minimized, PrivateRag
from privrag_fast.privacy import Policy
from privrag_fast.types import ChatMessage, Detector, Entity, ModelError
from tests.messages import Span, messages
from tests.stand_ins import HITS, RecordingReranker, RecordingRetriever, make_rag

PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+\]")
CORPUS = {hit.passage.text for hit in HITS}
Talk = Sequence[tuple[str, Sequence[Span]]]


class Quoting:
    """An LLM that repeats all that it was told."""

    def __init__(self) -> None:
        self.seen: list[Sequence[ChatMessage]] = []

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        self.seen.append(messages)
        yield from (f"{turn.content} " for turn in messages[1:] if turn.role == "user")


class Planted:
    """Finds what was planted in a turn, when it is read alone."""

    def __init__(self, talks: Sequence[Talk]) -> None:
        self._planted = dict(chain.from_iterable(talks))

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [[Entity(*span) for span in self._planted.get(text, ())] for text in texts]


def readable(value: str, text: str) -> bool:
    """An independent look: the value as a whole word or number, however short, in any case."""
    text = PLACEHOLDER.sub(" ", text)
    edges = r"(?<![\w.,$€£])", r"(?![\w%]|[.,]\d|\s?%)"
    return bool(re.search(rf"{edges[0]}{re.escape(value)}{edges[1]}", text, re.IGNORECASE))


@cache
def generated() -> list[Talk]:
    """Strangers in one conversation."""
    told = list(messages(160, seed=21))
    return [told[at : at + 4] for at in range(0, len(told), 4)]


@cache
def asked() -> list[Talk]:
    """One person in several turns."""
    data = benchmark.generate(7, train=0, dev=0, test=160, personas=60, filler=0)
    talks = []
    for question in data.questions:
        start, talk = 0, []
        for turn in question.turns:
            spans = [
                (fact.start - start, fact.end - start, fact.label)
                for fact in question.facts
                if start <= fact.start < start + len(turn)
            ]
            talk.append((turn, spans))
            start += len(turn) + 1
        if len(talk) > 1:
            talks.append(talk)
    return talks


class Spied:
    """A pipeline and all that left it."""

    def __init__(self, detector: Detector) -> None:
        self.retriever, self.reranker, self.llm = (
            RecordingRetriever(),
            RecordingReranker(),
            Quoting(),
        )
        self.rag: PrivateRag = make_rag(
            detector,
            retriever=self.retriever,
            reranker=self.reranker,
            llm=self.llm,  # type: ignore[arg-type]
            policy=Policy(draft_threshold=1.5),
        )
        self.kept = self.withheld = self.taken_back = 0

    def hold(self, talk: Talk, *, stateless: bool, planted: bool = True) -> None:
        conversation = self.rag.conversation()
        history: list[ChatMessage] = []
        for text, _ in talk:
            if stateless:
                history.append(ChatMessage("user", text))
                answer = self._ask(conversation, history)
            else:
                answer = conversation.answer(text)
                self._check(answer.minimized)
                answer = answer.text
            said = [turn for turn, _ in talk[: talk.index((text, _)) + 1]]
            told = "".join(f"{turn} " for turn in said).lower()
            if planted:
                # A value comes back in the form in which it was first told.
                assert answer.lower() == told
            else:
                # So does a part of a name that is found by itself: as the whole name.
                words = iter(re.findall(r"\w+", answer.lower()))
                assert all(word in words for word in re.findall(r"\w+", told))
            if stateless:
                history.append(ChatMessage("assistant", answer))

    def _ask(self, conversation: Conversation, history: Sequence[ChatMessage]) -> str:
        minimized = conversation.minimize_history(history)
        raw = "".join(self.llm.generate(minimized.messages))
        self._check(minimized)
        return minimized.restore(raw)

    def _check(self, minimized: Minimized) -> None:
        assert self.llm.seen[-1] == minimized.messages
        sent = [turn.content for turn in minimized.messages[1:]]
        queries = [t for t in self.retriever.seen + self.reranker.seen if t not in CORPUS]
        for decision in minimized.receipt.decisions:
            value = decision.attribute.value
            if value in ("I", "a"):  # a detector may err; nobody would hide every "I"
                continue
            assert not any(readable(value, text) for text in queries), decision
            if not decision.kept:
                assert not any(readable(value, text) for text in sent), decision
        self.kept += len(minimized.receipt.kept)
        self.withheld += len(minimized.receipt.decisions) - len(minimized.receipt.kept)
        self.taken_back += len(minimized.receipt.changed.withheld)
        self.retriever.seen.clear()
        self.reranker.seen.clear()


@pytest.mark.parametrize("stateless", [False, True])
@pytest.mark.parametrize("talks", [generated, asked])
def test_planted_values_stay(talks: object, stateless: bool) -> None:
    held = talks()  # type: ignore[operator]
    spied = Spied(Planted(held))
    for talk in held:
        spied.hold(talk, stateless=stateless)
    assert len(held) > 20
    assert spied.kept > len(held)
    assert spied.withheld > 2 * len(held)
    assert spied.taken_back > len(held) / 10


@pytest.mark.weights
def test_detected_values_stay() -> None:
    try:
        models.find("detector")
    except ModelError as error:
        pytest.skip(f"no detector weights: {error}")
    spied = Spied(open_detector(Models(threads=1)))
    for talk in generated()[:20] + asked()[:20]:
        spied.hold(talk, stateless=False, planted=False)
    assert spied.kept > 40
    assert spied.withheld > 80
