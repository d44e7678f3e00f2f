"""The whole story, one line a stage: open this first.

message -> detect -> abstract -> search -> rerank        (only abstracted text from here on)
message + hits -> draft -> vary -> score -> decide       (local)
minimized message + hits -> LLM -> restore
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from privrag_fast import privacy
from privrag_fast.conversation import Conversation, Conversations
from privrag_fast.decider import Asked, Decider
from privrag_fast.limits import Deadline, Gate
from privrag_fast.reader import Dialog, Reader
from privrag_fast.relevance.rounds import DOUBT
from privrag_fast.transcript import Transcript
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
    document_text,
    says,
)

if TYPE_CHECKING:
    from privrag_fast.relevance.counterfactual import Counterfactual
    from privrag_fast.relevance.prior import Prior
    from privrag_fast.relevance.substitutes import Substitutes

_INSTRUCTION = (
    "Answer the customer from the documents. Square brackets such as [LOCATION_0] stand for "
    "values that you need not know: repeat them as they are where you mention them."
)


@dataclass(frozen=True, slots=True)
class PipelineOptions:
    """How many passages and variants a message costs, and how many calls at a time.

    Args:
        candidates: Passages that the index hands to the reranker.
        documents: Passages that the reranker hands on.
        substitutes: Values tried per attribute, at most.
        doubt: Fewer are tried where the rest would not change the decision; infinite for all. See
            `relevance.rounds`.
        instruction: System turn of the LLM; the documents follow it.
        scored_chars: Of the customer's turns together; what only older ones hold is withheld.
        history_words: Of the customer's earlier turns, that a question is also searched with.
        query_style: What stands for a value in what is searched with; see `privacy.Style`.
        queue: Calls that run or wait; the next one gets a `BusyError`.
        conversations: Kept at a time; the one unused for longest makes way.
        conversation_ttl_s: Seconds unused after which a conversation is forgotten.
    """

    candidates: int = 12
    documents: int = 4
    substitutes: int = 3
    doubt: float = DOUBT
    instruction: str = _INSTRUCTION
    scored_chars: int = 4000
    history_words: int = 120
    query_style: privacy.Style = privacy.DEFAULT_STYLE
    queue: int = 64
    conversations: int = 10_000
    conversation_ttl_s: float = 3600.0

    def __post_init__(self) -> None:
        for name in ("candidates", "documents", "substitutes", "queue", "conversations"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be 1 or more, got {getattr(self, name)}")
        privacy.check_style(self.query_style)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a turn decides otherwise than the one before.

    Args:
        kept: Withheld before, kept now.
        withheld: Kept before, withheld now; the LLM knows them all the same.
        missed: Found now, and sent with earlier turns, in which they were not found.
    """

    kept: tuple[Attribute, ...] = ()
    withheld: tuple[Attribute, ...] = ()
    missed: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was seen, measured and decided. Values stay out of its `repr`.

    Args:
        query: What retrieval saw; of a follow-up, also its last line alone.
        hits: What it found, after the reranker.
        reference: The answer whose likelihood was measured; "" where nothing was measured.
        drafted: The reference is the local model's, not the caller's.
        decisions: One per attribute, in reading order.
        counts: Tokens of the scoring pass, or None.
        timings: Milliseconds per stage, in order.
        text: All turns, one a line: what the mentions of attributes count in.
        changed: Against the turn before, in a conversation.
    """

    query: SafeText = field(repr=False)
    hits: tuple[Hit, ...] = field(repr=False)
    reference: str = field(repr=False)
    drafted: bool
    decisions: tuple[Decision, ...]
    counts: ScoreCounts | None
    timings: Mapping[str, float]
    text: str = field(default="", repr=False)
    changed: Changes = Changes()

    @property
    def kept(self) -> tuple[Attribute, ...]:
        """Attributes whose values stand in the message to send."""
        return tuple(decision.attribute for decision in self.decisions if decision.kept)


@dataclass(frozen=True, slots=True)
class Minimized:
    """A message that may leave, and the way back.

    Args:
        message: The user's message with placeholders for all that the answer does not turn on.
        messages: The whole conversation to send: instruction with documents, then the history,
            one turn for one, then `message`.
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

    Args:
        counterfactual: Measures what an answer turns on; None where the prior decides alone.
    """

    def __init__(
        self,
        *,
        detector: Detector,
        retriever: Retriever,
        reranker: Reranker,
        counterfactual: Counterfactual | None,
        substitutes: Substitutes,
        llm: LLM,
        prior: Prior | None = None,
        policy: privacy.Policy | None = None,
        options: PipelineOptions | None = None,
    ) -> None:
        self.detector: Detector = privacy.PolicyDetector(detector, policy or privacy.Policy())
        self._retriever = retriever
        self._reranker = reranker
        self._llm = llm
        self._policy = policy or privacy.Policy()
        self._options = options or PipelineOptions()
        self._decider = Decider(
            counterfactual,
            substitutes,
            policy=self._policy,
            prior=prior,
            tried=self._options.substitutes,
            doubt=self._options.doubt,
        )
        self.gate = Gate(self._options.queue)
        self._conversations = Conversations(
            self,
            limit=self._options.conversations,
            ttl_s=self._options.conversation_ttl_s,
        )

    @classmethod
    def open(cls, index: str | Path, **choices: object) -> PrivateRag:
        """Everything from the embedded defaults, around an index that `privrag-fast index` made.

        Args:
            index: The index folder.
            choices: See `privrag_fast.assembly.open_rag`.
        """
        from privrag_fast.assembly import open_rag

        return open_rag(index, **choices)  # type: ignore[arg-type]

    def conversation(
        self,
        id: str | None = None,  # noqa: A002
        *,
        vault: privacy.Vault | None = None,
    ) -> Conversation:
        """The conversation of this id; a new one where there is none, or it was forgotten.

        Args:
            id: The caller's; None for a fresh one. Whoever knows it can ask what was said in the
                conversation: let nobody guess another's.
            vault: For a new one, such as `Vault.load` gives after a restart: what it knows keeps
                its placeholders. A fresh one where it is absent.

        Raises:
            InputError: The id is blank, or the conversation has a vault of its own already.
        """
        return self._conversations.get(id, vault)

    def minimize(
        self,
        message: str,
        *,
        reference: str | None = None,
        vault: privacy.Vault | None = None,
        deadline: Deadline | None = None,
    ) -> Minimized:
        """The message that may leave, with a receipt.

        Args:
            message: What the user typed.
            reference: An answer to measure by; the local model drafts one where it is absent.
            vault: Placeholders of earlier messages: the same value keeps its own. A fresh one
                where it is absent.
            deadline: When to give up.

        Raises:
            InputError: The message is blank.
            DetectionError: Detection failed or a withheld value would still be readable: nothing
                may be sent.
            BusyError: `PipelineOptions.queue` calls are under way.
            DeadlineError: The deadline has passed.
        """
        with self.gate:
            return self._minimize(message, reference, deadline or Deadline(), vault)

    async def aminimize(
        self, message: str, *, reference: str | None = None, deadline: Deadline | None = None
    ) -> Minimized:
        """`minimize` in a thread; canceling the task ends it."""
        deadline = deadline or Deadline()
        return await self.gate.run(lambda: self._minimize(message, reference, deadline), deadline)

    def minimize_batch(
        self,
        messages: Sequence[str],
        *,
        references: Sequence[str | None] | None = None,
        deadline: Deadline | None = None,
    ) -> list[Minimized]:
        """`minimize` of messages that have nothing to do with each other, detected in one batch.

        Raises:
            InputError: A message is blank, or there are not as many references.
        """
        references = [None] * len(messages) if references is None else references
        if len(references) != len(messages):
            raise InputError(f"{len(messages)} messages need as many references, or none")
        deadline, reader = deadline or Deadline(), Reader(self.detector)
        with self.gate:
            reader.detect(messages)
            return [
                self._minimize(message, reference, deadline, reader=reader)
                for message, reference in zip(messages, references, strict=True)
            ]

    def answer(
        self, message: str, *, reference: str | None = None, deadline: Deadline | None = None
    ) -> Answer:
        """The LLM's answer to the minimized message, restored.

        Raises:
            GenerationError: The LLM gave none.
        """
        with self.gate:
            return self._answer(message, reference, deadline or Deadline())

    async def aanswer(
        self, message: str, *, reference: str | None = None, deadline: Deadline | None = None
    ) -> Answer:
        """`answer` in a thread; canceling the task ends it."""
        deadline = deadline or Deadline()
        return await self.gate.run(lambda: self._answer(message, reference, deadline), deadline)

    def stream(self, minimized: Minimized, *, deadline: Deadline | None = None) -> Iterator[str]:
        """The LLM's answer to a minimized message, restored as it comes."""
        with self.gate:
            yield from self.speak(minimized, deadline or Deadline(), [])

    async def astream(
        self, minimized: Minimized, *, deadline: Deadline | None = None
    ) -> AsyncIterator[str]:
        """`stream` in a thread."""
        deadline = deadline or Deadline()
        async for piece in self.gate.iterate(self.speak(minimized, deadline, []), deadline):
            yield piece

    # ------------------------------------------------------------------- what calls are made of

    def _minimize(
        self,
        message: str,
        reference: str | None,
        deadline: Deadline,
        vault: privacy.Vault | None = None,
        reader: Reader | None = None,
    ) -> Minimized:
        dialog = Dialog(
            (ChatMessage("user", message),),
            reader or Reader(self.detector),
            privacy.Vault() if vault is None else vault,
        )
        return self.minimize_dialog(dialog, reference, deadline)

    def _answer(self, message: str, reference: str | None, deadline: Deadline) -> Answer:
        return self.ask(self._minimize(message, reference, deadline), deadline)

    def minimize_dialog(
        self, dialog: Dialog, reference: str | None, deadline: Deadline
    ) -> Minimized:
        """What may leave of a conversation; `minimize` is the case of one turn."""
        if not any(m.role == "user" and m.content.strip() for m in dialog.messages):
            raise InputError("the message is empty: give at least one word")
        clock, options = _Clock(deadline), self._options
        with clock("detect"):
            transcript = dialog.read()
        with clock("abstract"):
            queries = transcript.queries(options.history_words, options.query_style)
        with clock("search"):
            each = max(1, options.candidates // len(queries))
            candidates = [self._retriever.search(query, each) for query in queries]
        with clock("rerank"):
            ranked = map(self._reranker.rerank, queries, candidates, repeat(options.documents))
            hits = _interleaved(list(ranked))[: options.documents]
        decisions, answer, counts = self._decide(transcript, hits, reference, clock)
        with clock("redact"):
            decisions = _without_leaks(transcript, decisions)
            changed = _changes(transcript, decisions, dialog.before)
            known = {*dialog.known, *(own.placeholder for own in changed.missed)}
            turns = transcript.sent(decisions, known)
            system = self._system(hits, dialog.vault)
        return Minimized(
            message=turns[-1].content,
            messages=(system, *turns),
            receipt=Receipt(
                query=queries[-1],
                hits=tuple(hits),
                reference=answer,
                drafted=reference is None and bool(answer),
                decisions=decisions,
                counts=counts,
                timings=clock.timings,
                text=transcript.whole.text,
                changed=changed,
            ),
            vault=dialog.vault,
        )

    def ask(self, minimized: Minimized, deadline: Deadline) -> Answer:
        """The LLM's answer to what may leave."""
        start = time.perf_counter()
        raw: list[str] = []
        text = "".join(self.speak(minimized, deadline, raw))
        return Answer(text, "".join(raw), minimized, (time.perf_counter() - start) * 1e3)

    def speak(
        self, minimized: Minimized, deadline: Deadline, raw: list[str]
    ) -> Generator[str, None, None]:
        """The same in pieces; as the LLM wrote them, they are appended to `raw`."""
        deadline.check()
        restorer = privacy.StreamRestorer(minimized.vault)
        with _closed(self._llm.generate(minimized.messages)) as pieces:
            for piece in pieces:
                deadline.check()
                raw.append(piece)
                if restored := restorer.feed(piece):
                    yield restored
        if rest := restorer.flush():
            yield rest

    # ------------------------------------------------------------------- stages

    def _decide(
        self,
        transcript: Transcript,
        hits: Sequence[Hit],
        reference: str | None,
        clock: _Clock,
    ) -> tuple[tuple[Decision, ...], str, ScoreCounts | None]:
        """One decision per attribute of the transcript; the customer's latest turns are scored."""
        for asked in transcript.asked(self._options.scored_chars):
            try:
                decided = self._decider.decide(
                    Asked(asked.text, asked.attributes, hits, reference), clock
                )
            except ContextError:
                continue
            decisions = _completed(transcript, decided.decisions, self._policy)
            return decisions, decided.reference, decided.counts
        reason = "longer than the local model's context"
        measured = privacy.decide(asked.attributes, {}, self._policy, undecidable=reason)
        return _completed(transcript, measured, self._policy), "", None

    def _system(self, hits: Sequence[Hit], vault: privacy.Vault) -> ChatMessage:
        """The instruction and the documents, where what reads like a placeholder is made one."""
        documents = "\n\n".join(map(document_text, hits)) or "none found"
        spelled = privacy.literals(documents, (), vault)
        documents = privacy.redact(documents, privacy.attributes(documents, spelled, vault))
        return ChatMessage("system", f"{self._options.instruction}\n\nDocuments:\n{documents}")


def _interleaved(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The best of each ranking, then the second best of each, and so on; no passage twice."""
    found: dict[str, Hit] = {}
    for hit in filter(None, chain.from_iterable(zip_longest(*rankings))):
        found.setdefault(hit.passage.id, hit)
    return list(found.values())


class _Clock:
    """Milliseconds per stage, in the order in which they ran; none starts past the deadline."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.timings: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        self.deadline.check()
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = (time.perf_counter() - start) * 1e3


@contextlib.contextmanager
def _closed(pieces: Iterator[str]) -> Iterator[Iterator[str]]:
    """Closes the iterator of an LLM where it can be: that stops the model."""
    try:
        yield pieces
    finally:
        if isinstance(pieces, Generator):
            pieces.close()


def _completed(
    transcript: Transcript, measured: Sequence[Decision], policy: privacy.Policy
) -> tuple[Decision, ...]:
    """The decisions on all attributes, given those on the scored turns'."""
    decided = {decision.attribute.placeholder: decision for decision in measured}
    rest = [own for own in transcript.whole.attributes if own.placeholder not in decided]
    reason = "not in the turns that are scored"
    for decision in privacy.decide(rest, {}, policy, undecidable=reason):
        decided[decision.attribute.placeholder] = decision
    return tuple(
        replace(decided[own.placeholder], attribute=own) for own in transcript.whole.attributes
    )


def _changes(
    transcript: Transcript, decisions: Sequence[Decision], before: Mapping[str, bool] | None
) -> Changes:
    if before is None:
        return Changes()
    changed = [d for d in decisions if before.get(d.attribute.placeholder, d.kept) != d.kept]
    earlier = [turn for turn in transcript.turns[:-1] if turn.raw is None]
    told = {own.placeholder for turn in earlier for own in turn.attributes}
    return Changes(
        kept=tuple(d.attribute for d in changed if d.kept),
        withheld=tuple(d.attribute for d in changed if not d.kept),
        missed=tuple(
            d.attribute for d in decisions if d.attribute.placeholder in told - set(before)
        ),
    )


def _without_leaks(transcript: Transcript, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Withholds what would show a withheld value: "Zurich" can be read in "Zurich Insurance".

    Raises:
        DetectionError: A withheld value can be read all the same.
    """
    decided = list(decisions)
    while True:
        readable = transcript.readable(decided)
        alike: dict[str, list[Attribute]] = {}
        for d in decided:
            if not d.kept:
                alike.setdefault(d.attribute.label, []).append(d.attribute)
        shows = [
            (text := d.attribute.value if d.kept else d.value_sent) is not None
            and (
                any(privacy.leaks(text, [other]) for other in readable)
                # However short a value of the same type is: 52 in "52 years old".
                or any(
                    says(text, other.value)
                    for other in alike.get(d.attribute.label, ())
                    if other.placeholder != d.attribute.placeholder
                )
            )
            for d in decided
        ]
        if not any(shows):
            break
        decided = [
            Decision(d.attribute, False, "shows a withheld value", d.influence) if shown else d
            for d, shown in zip(decided, shows, strict=True)
        ]
    if readable:
        raise DetectionError("a withheld value can still be read in the message: nothing was sent")
    return tuple(decided)
