"""The whole story, one line a stage: open this first.

message -> detect -> abstract -> search -> rerank        (only abstracted text from here on)
message + hits -> draft -> vary -> score -> decide       (local)
minimized message + hits -> LLM -> restore
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from privrag_fast import privacy
from privrag_fast.relevance.influence import influences
from privrag_fast.types import (
    LLM,
    Attribute,
    ChatMessage,
    ContextError,
    Decision,
    DetectionError,
    Detector,
    Hit,
    InputError,
    Reranker,
    Retriever,
    SafeText,
    ScoreCounts,
    ScoringError,
)

if TYPE_CHECKING:
    from privrag_fast.relevance.counterfactual import Counterfactual
    from privrag_fast.relevance.substitutes import Substitutes

_INSTRUCTION = (
    "Answer the customer from the documents. Square brackets such as [LOCATION_1] stand for "
    "values that you need not know: repeat them as they are where you mention them."
)


@dataclass(frozen=True, slots=True)
class PipelineOptions:
    """How many passages and variants a message costs.

    Args:
        candidates: Passages that the index hands to the reranker.
        documents: Passages that the reranker hands on.
        substitutes: Values tried per attribute.
        instruction: System turn of the LLM; the documents follow it.
    """

    candidates: int = 20
    documents: int = 4
    substitutes: int = 3
    instruction: str = _INSTRUCTION

    def __post_init__(self) -> None:
        for name in ("candidates", "documents", "substitutes"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be 1 or more, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was seen, measured and decided. Values stay out of its `repr`.

    Args:
        query: What retrieval saw.
        hits: What it found, after the reranker.
        reference: The answer whose likelihood was measured; "" where nothing was measured.
        drafted: The reference is the local model's, not the caller's.
        decisions: One per attribute, in reading order.
        counts: Tokens of the scoring pass, or None.
        timings: Milliseconds per stage, in order.
    """

    query: SafeText = field(repr=False)
    hits: tuple[Hit, ...] = field(repr=False)
    reference: str = field(repr=False)
    drafted: bool
    decisions: tuple[Decision, ...]
    counts: ScoreCounts | None
    timings: Mapping[str, float]

    @property
    def kept(self) -> tuple[Attribute, ...]:
        """Attributes whose values stand in the message to send."""
        return tuple(decision.attribute for decision in self.decisions if decision.kept)


@dataclass(frozen=True, slots=True)
class Minimized:
    """A message that may leave, and the way back.

    Args:
        message: The user's message with placeholders for all that the answer does not turn on.
        messages: The whole conversation to send: instruction with documents, then `message`.
        receipt: Why, per attribute.
        vault: Turns placeholders back into values; never leaves the process.
    """

    message: str = field(repr=False)
    messages: tuple[ChatMessage, ...] = field(repr=False)
    receipt: Receipt
    vault: privacy.Vault = field(repr=False)

    def restore(self, answer: str) -> str:
        """An answer with its placeholders turned back into values."""
        return privacy.restore(answer, self.vault)


@dataclass(frozen=True, slots=True)
class Answer:
    """An LLM's answer.

    Args:
        text: Restored, for the user.
        raw: As it came, with placeholders.
        minimized: What was sent, and why.
        latency_ms: Of the LLM and the restoration.
    """

    text: str = field(repr=False)
    raw: str = field(repr=False)
    minimized: Minimized
    latency_ms: float


class PrivateRag:
    """The trusted local layer around a retriever and an LLM.

    All parts are handed in; `PrivateRag.open` builds them from the embedded defaults. May be used
    from several threads.
    """

    def __init__(
        self,
        *,
        detector: Detector,
        retriever: Retriever,
        reranker: Reranker,
        counterfactual: Counterfactual,
        substitutes: Substitutes,
        llm: LLM,
        policy: privacy.Policy | None = None,
        options: PipelineOptions | None = None,
    ) -> None:
        self._detector = detector
        self._retriever = retriever
        self._reranker = reranker
        self._counterfactual = counterfactual
        self._substitutes = substitutes
        self._llm = llm
        self._policy = policy or privacy.Policy()
        self._options = options or PipelineOptions()

    @classmethod
    def open(cls, index: str | Path, **choices: object) -> PrivateRag:
        """Everything from the embedded defaults, around an index that `privrag-fast index` made.

        Args:
            index: The index folder.
            choices: See `privrag_fast.assembly.open_rag`.
        """
        from privrag_fast.assembly import open_rag

        return open_rag(index, **choices)  # type: ignore[arg-type]

    def minimize(
        self, message: str, *, reference: str | None = None, vault: privacy.Vault | None = None
    ) -> Minimized:
        """The message that may leave, with a receipt.

        Args:
            message: What the user typed.
            reference: An answer to measure by; the local model drafts one where it is absent.
            vault: Placeholders of earlier messages: the same value keeps its own. A fresh one
                where it is absent.

        Raises:
            InputError: The message is blank.
            DetectionError: Detection failed or a withheld value would still be readable: nothing
                may be sent.
        """
        if not message.strip():
            raise InputError("the message is empty: give at least one word")
        clock = _Clock()
        vault = privacy.Vault() if vault is None else vault
        with clock("detect"):
            attributes = self._detect(message, vault)
        with clock("abstract"):
            query = privacy.abstract(message, attributes)
        with clock("search"):
            candidates = self._retriever.search(query, self._options.candidates)
        with clock("rerank"):
            hits = self._reranker.rerank(query, candidates, self._options.documents)
        decisions, answer, counts = self._relevance(message, attributes, hits, reference, clock)
        with clock("redact"):
            decisions = _without_leaks(message, attributes, decisions)
            minimal = privacy.redact(message, attributes, _kept(decisions))
        return Minimized(
            message=minimal,
            messages=self._conversation(minimal, hits),
            receipt=Receipt(
                query=query,
                hits=tuple(hits),
                reference=answer,
                drafted=reference is None and bool(answer),
                decisions=decisions,
                counts=counts,
                timings=clock.timings,
            ),
            vault=vault,
        )

    async def aminimize(self, message: str, *, reference: str | None = None) -> Minimized:
        """`minimize` in a worker thread."""
        return await asyncio.to_thread(self.minimize, message, reference=reference)

    def answer(self, message: str, *, reference: str | None = None) -> Answer:
        """The LLM's answer to the minimized message, restored.

        Raises:
            GenerationError: The LLM gave none.
        """
        minimized = self.minimize(message, reference=reference)
        start = time.perf_counter()
        raw = "".join(self._llm.generate(minimized.messages))
        text = minimized.restore(raw)
        return Answer(text, raw, minimized, (time.perf_counter() - start) * 1e3)

    async def aanswer(self, message: str, *, reference: str | None = None) -> Answer:
        """`answer` in a worker thread."""
        return await asyncio.to_thread(self.answer, message, reference=reference)

    def stream(self, minimized: Minimized) -> Iterator[str]:
        """The LLM's answer to a minimized message, restored as it comes."""
        restorer = privacy.StreamRestorer(minimized.vault)
        for piece in self._llm.generate(minimized.messages):
            if restored := restorer.feed(piece):
                yield restored
        if rest := restorer.flush():
            yield rest

    # ------------------------------------------------------------------- stages

    def _detect(self, message: str, vault: privacy.Vault) -> tuple[Attribute, ...]:
        [entities] = self._detector.detect([message])
        return privacy.cover(message, privacy.attributes(message, entities, vault))

    def _relevance(
        self,
        message: str,
        attributes: Sequence[Attribute],
        hits: Sequence[Hit],
        reference: str | None,
        clock: _Clock,
    ) -> tuple[tuple[Decision, ...], str, ScoreCounts | None]:
        """Decisions, the reference answer, token counts. What cannot be measured is withheld."""
        from privrag_fast.relevance.counterfactual import document_text

        open_ones = [a for a in attributes if not self._policy.settles(a.label)]
        if not open_ones:
            return privacy.decide(attributes, {}, self._policy), "", None
        try:
            with clock("draft"):
                answer = reference or self._counterfactual.draft(message, hits)
            if not answer:
                return self._undecided(attributes, "the local model drafted no answer"), "", None
            with clock("vary"):
                tried = self._substitutes.propose(
                    message,
                    attributes,
                    k=self._options.substitutes,
                    documents=list(map(document_text, hits)),
                )
                variants = [
                    privacy.substitute(message, attribute, value)
                    for attribute in open_ones
                    for value in tried.get(attribute.placeholder, ())
                ]
            with clock("score"):
                scores = self._counterfactual.score([message, *variants], hits, answer)
        except ContextError:
            return self._undecided(attributes, "longer than the local model's context"), "", None
        except ScoringError:
            return self._undecided(attributes, "scoring failed"), "", None
        measured = influences(open_ones, tried, scores.log_likelihood)
        policy = self._policy if reference else self._policy.for_draft()
        return privacy.decide(attributes, measured, policy), answer, scores.counts

    def _undecided(self, attributes: Sequence[Attribute], reason: str) -> tuple[Decision, ...]:
        return privacy.decide(attributes, {}, self._policy, undecidable=reason)

    def _conversation(self, message: str, hits: Sequence[Hit]) -> tuple[ChatMessage, ...]:
        from privrag_fast.relevance.counterfactual import document_text

        documents = "\n\n".join(document_text(hit) for hit in hits)
        system = f"{self._options.instruction}\n\nDocuments:\n{documents or 'none found'}"
        return ChatMessage("system", system), ChatMessage("user", message)


class _Clock:
    """Milliseconds per stage, in the order in which they ran."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = (time.perf_counter() - start) * 1e3


def _kept(decisions: Sequence[Decision]) -> frozenset[str]:
    return frozenset(d.attribute.placeholder for d in decisions if d.kept)


def _without_leaks(
    message: str, attributes: Sequence[Attribute], decisions: Sequence[Decision]
) -> tuple[Decision, ...]:
    """Withholds what would show a withheld value: "Zurich" can be read in "Zurich Insurance".

    Raises:
        DetectionError: A withheld value can be read all the same.
    """
    decided = list(decisions)
    while True:
        text = privacy.redact(message, attributes, _kept(decided))
        readable = privacy.leaks(text, [d.attribute for d in decided if not d.kept])
        if not readable:
            return tuple(decided)
        shows = [
            d.kept and any(privacy.leaks(d.attribute.value, [other]) for other in readable)
            for d in decided
        ]
        if not any(shows):
            raise DetectionError(
                "a withheld value can still be read in the message: nothing was sent"
            )
        decided = [
            Decision(d.attribute, False, "shows a withheld value", d.influence) if shown else d
            for d, shown in zip(decided, shows, strict=True)
        ]
