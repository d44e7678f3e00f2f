"""Recording stand-ins for the parts around the pipeline."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from privrag_fast.llama import VariantScores
from privrag_fast.pipeline import PipelineOptions, PrivateRag
from privrag_fast.privacy import Policy
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.types import (
    ChatMessage,
    Detector,
    Entity,
    Hit,
    Passage,
    SafeText,
    ScoreCounts,
)

HITS = [
    Hit(Passage("p1", "Whoever has reached the age of reason may apply.", "Terms"), 1.0),
    Hit(Passage("p2", "Cards are sent by post.", "Cards"), 0.5),
]


class PlantedDetector:
    """Finds what it was told to find."""

    def __init__(self, planted: Mapping[str, Sequence[tuple[int, int, str]]]) -> None:
        self._planted = planted

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return [
            [Entity(start, end, label) for start, end, label in self._planted.get(text, ())]
            for text in texts
        ]


class RecordingRetriever:
    def __init__(self, hits: Sequence[Hit] = HITS) -> None:
        self.seen: list[str] = []
        self._hits = list(hits)

    def search(self, query: SafeText, k: int = 10) -> list[Hit]:
        self.seen.append(query)
        return self._hits[:k]


class RecordingReranker:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
        self.seen.append(query)
        self.seen += [hit.passage.text for hit in hits]
        return list(hits)[:k]


class RecordingLLM:
    """Answers with what it was sent, in pieces of three characters."""

    def __init__(self) -> None:
        self.seen: list[Sequence[ChatMessage]] = []

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        self.seen.append(messages)
        text = messages[-1].content
        return (text[i : i + 3] for i in range(0, len(text), 3))


class PseudoRandomCounterfactual:
    """Influences that depend on nothing but the text: some values are kept, some are not."""

    takes_notes = False

    def __init__(self, error: Exception | None = None, draft: str = "Yes.") -> None:
        self._error = error
        self._draft = draft
        self.scored: list[Sequence[str]] = []

    def draft(
        self, message: str, hits: Sequence[Hit], *, should_stop: Callable[[], bool] | None = None
    ) -> str:
        if self._error:
            raise self._error
        return self._draft

    def score(
        self,
        messages: Sequence[str],
        hits: Sequence[Hit],
        answer: str,
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> VariantScores:
        self.scored.append(messages)
        digests = [hashlib.sha256(m.encode("utf-8", "replace")).digest()[0] for m in messages]
        return VariantScores(-np.array(digests) / 64, (), ScoreCounts(0, 0, 0, 0))


def make_rag(
    detector: Detector,
    *,
    retriever: RecordingRetriever | None = None,
    reranker: RecordingReranker | None = None,
    llm: RecordingLLM | None = None,
    counterfactual: PseudoRandomCounterfactual | None = None,
    policy: Policy | None = None,
    options: PipelineOptions | None = None,
) -> PrivateRag:
    """A pipeline whose surroundings are recorded."""
    return PrivateRag(
        detector=detector,
        retriever=retriever or RecordingRetriever(),
        reranker=reranker or RecordingReranker(),
        counterfactual=counterfactual or PseudoRandomCounterfactual(),  # type: ignore[arg-type]
        substitutes=Substitutes(0),
        llm=llm or RecordingLLM(),
        policy=policy,
        options=options,
    )
