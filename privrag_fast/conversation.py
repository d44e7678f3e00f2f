"""Whole conversations: one vault, and a history that is minimized anew with every turn."""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from privrag_fast import privacy
from privrag_fast.limits import Deadline
from privrag_fast.reader import Dialog, Reader
from privrag_fast.types import ChatMessage, InputError

if TYPE_CHECKING:
    from privrag_fast.pipeline import Answer, Minimized, PrivateRag

K = TypeVar("K")

_MAX_ID = 256
_MAX_SAID = 1024


class Conversation:
    """Turns that share a vault: a value has the same placeholder in all of them.

    With every turn the whole history is decided on again, since a later question may need what an
    earlier one withheld. What is withheld now but was sent with an earlier turn is known to the
    LLM all the same; `Receipt.changed` names it.

    Whatever fails, nothing of that turn is sent and the history stays as it was. Calls from
    several threads wait for each other; a stream is one call, over once it is exhausted or closed.
    Made by `PrivateRag.conversation`.
    """

    def __init__(
        self, key: str, rag: PrivateRag, vault: privacy.Vault, *, touch: Callable[[str], None]
    ) -> None:
        self.id = key
        self.vault = vault
        self._rag = rag
        self._touch = touch
        self._reader = Reader(rag.detector)
        self._lock = threading.Lock()
        self._history: tuple[ChatMessage, ...] = ()
        self._said: OrderedDict[str, str] = OrderedDict()
        self._called: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._before: dict[str, bool] | None = None
        self._known: set[str] = set()

    @property
    def history(self) -> tuple[ChatMessage, ...]:
        """The turns as the user sees them, with values."""
        return self._history

    def minimize(
        self, message: str, *, reference: str | None = None, deadline: Deadline | None = None
    ) -> Minimized:
        """What may leave, were this the next turn. Adds nothing to the history.

        Raises:
            InputError: The message is blank.
            DetectionError: Detection failed or a withheld value would still be readable.
            BusyError: As many calls as may be are under way.
            DeadlineError: The deadline has passed.
        """
        deadline = deadline or Deadline()
        with self._rag.gate:
            return self._held(lambda: self._with(message), reference, deadline)

    async def aminimize(
        self, message: str, *, reference: str | None = None, deadline: Deadline | None = None
    ) -> Minimized:
        """`minimize` in a thread; canceling the task ends it."""
        deadline = deadline or Deadline()
        return await self._rag.gate.run(
            lambda: self._held(lambda: self._with(message), reference, deadline), deadline
        )

    def minimize_history(
        self,
        messages: Sequence[ChatMessage],
        *,
        reference: str | None = None,
        deadline: Deadline | None = None,
    ) -> Minimized:
        """The same for clients that send all turns each time; `history` is not looked at.

        Args:
            messages: All turns, with values; the one to answer is the last, or the last of the
                user where tools have been asked since.

        Returns:
            `Minimized.messages` has the instruction with the documents first, then one for each of
            these, in order and with its role.
        """
        deadline = deadline or Deadline()
        with self._rag.gate:
            return self._held(lambda: tuple(messages), reference, deadline)

    async def aminimize_history(
        self,
        messages: Sequence[ChatMessage],
        *,
        reference: str | None = None,
        deadline: Deadline | None = None,
    ) -> Minimized:
        """`minimize_history` in a thread; canceling the task ends it."""
        deadline = deadline or Deadline()
        return await self._rag.gate.run(
            lambda: self._held(lambda: tuple(messages), reference, deadline), deadline
        )

    def answer(self, message: str, *, deadline: Deadline | None = None) -> Answer:
        """The LLM's answer to the next turn, restored; both turns join the history.

        Raises:
            GenerationError: The LLM gave none.
        """
        deadline = deadline or Deadline()
        with self._rag.gate:
            return self._answer(message, deadline)

    async def aanswer(self, message: str, *, deadline: Deadline | None = None) -> Answer:
        """`answer` in a thread; canceling the task ends it."""
        deadline = deadline or Deadline()
        return await self._rag.gate.run(lambda: self._answer(message, deadline), deadline)

    def stream(self, message: str, *, deadline: Deadline | None = None) -> Iterator[str]:
        """The same in pieces; the turns join the history once the answer is complete."""
        with self._rag.gate:
            yield from self._stream(message, deadline or Deadline())

    async def astream(
        self, message: str, *, deadline: Deadline | None = None
    ) -> AsyncIterator[str]:
        """`stream` in a thread."""
        deadline = deadline or Deadline()
        async for piece in self._rag.gate.iterate(self._stream(message, deadline), deadline):
            yield piece

    def protect(self, texts: Sequence[str]) -> list[str]:
        """Texts with a placeholder for every value, none kept.

        For what is sent beside the turns, such as documents that are not public.

        Raises:
            DetectionError: Detection failed: nothing may be sent.
        """
        self._touch(self.id)
        with self._rag.gate:
            return self._reader.protect(texts, self.vault)

    def protect_calls(self, calls: Sequence[tuple[str, str]]) -> list[str]:
        """Arguments of tool calls, given with the calls' ids.

        Those that are remembered are the LLM's own words again, but for values that it was sent
        and that are withheld now: a placeholder for another value would tell what it stands for.
        In any others every value becomes a placeholder.

        Raises:
            DetectionError: Detection failed: nothing may be sent.
        """
        self._touch(self.id)
        raws = [self._called.get(call) for call in calls]
        before = self._before or {}
        taken_back = {own for own in self._known if not before.get(own)}
        with self._rag.gate:
            unknown = [own for (_, own), raw in zip(calls, raws, strict=True) if raw is None]
            told = iter(self._reader.protect(unknown, self.vault))
            return [
                next(told) if raw is None else self._reader.own_words(raw, self.vault, taken_back)
                for raw in raws
            ]

    def remember(self, text: str, raw: str) -> None:
        """An answer that the caller restored itself.

        Where it stands in messages to come, the LLM gets its own words again. Of an answer that is
        not remembered nobody can tell what the LLM wrote and what was restored, so that every
        value in it becomes a placeholder.
        """
        _keep(self._said, text.strip(), raw)

    def remember_call(self, id: str, arguments: str, raw: str) -> None:  # noqa: A002
        """The same for the arguments of a tool call."""
        self.vault.reserve(arguments)
        _keep(self._called, (id, arguments), raw)

    def __repr__(self) -> str:
        return f"Conversation({len(self._history)} turns, {len(self.vault)} values)"

    # ------------------------------------------------------------------- one turn

    def _with(self, message: str) -> tuple[ChatMessage, ...]:
        if not message.strip():
            raise InputError("the message is empty: give at least one word")
        return (*self._history, ChatMessage("user", message))

    def _held(
        self,
        messages: Callable[[], Sequence[ChatMessage]],
        reference: str | None,
        deadline: Deadline,
    ) -> Minimized:
        """`_minimize` once it is this call's turn: only then is the history read."""
        with self._turn(deadline):
            return self._minimize(messages(), reference, deadline)

    def _minimize(
        self, messages: Sequence[ChatMessage], reference: str | None, deadline: Deadline
    ) -> Minimized:
        dialog = Dialog(
            messages, self._reader, self.vault, self._said, frozenset(self._known), self._before
        )
        minimized = self._rag.minimize_dialog(dialog, reference, deadline)
        decisions = minimized.receipt.decisions
        self._before = {own.attribute.placeholder: own.kept for own in decisions}
        receipt = minimized.receipt
        self._known.update(own.placeholder for own in (*receipt.kept, *receipt.changed.missed))
        return minimized

    def _answer(self, message: str, deadline: Deadline) -> Answer:
        with self._turn(deadline):
            minimized = self._minimize(self._with(message), None, deadline)
            answer = self._rag.ask(minimized, deadline)
            self._append(message, answer.text, answer.raw)
            return answer

    def _stream(self, message: str, deadline: Deadline) -> Generator[str, None, None]:
        with self._turn(deadline):
            minimized = self._minimize(self._with(message), None, deadline)
            text: list[str] = []
            raw: list[str] = []
            for piece in self._rag.speak(minimized, deadline, raw):
                text.append(piece)
                yield piece
            self._append(message, "".join(text), "".join(raw))

    def _append(self, message: str, text: str, raw: str) -> None:
        self.remember(text, raw)
        turns = ChatMessage("user", message), ChatMessage("assistant", text)
        self._history = (*self._history, *turns)

    @contextlib.contextmanager
    def _turn(self, deadline: Deadline) -> Iterator[None]:
        """One call at a time; a call whose deadline passes waits no longer."""
        self._touch(self.id)
        while not self._lock.acquire(timeout=0.05):
            deadline.check()
        try:
            yield
        finally:
            self._lock.release()
            self._touch(self.id)


def _keep(table: OrderedDict[K, str], key: K, raw: str) -> None:
    table[key] = raw
    while len(table) > _MAX_SAID:
        table.popitem(last=False)


class Conversations:
    """Conversations by id. The one unused for longest makes way, and any that is unused too long.

    Args:
        limit: The most that are kept.
        ttl_s: Seconds unused.
        clock: Seconds, for tests.
    """

    def __init__(
        self,
        rag: PrivateRag,
        *,
        limit: int,
        ttl_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rag = rag
        self._limit = limit
        self._ttl_s = ttl_s
        self._clock = clock
        self._lock = threading.Lock()
        # The one unused for longest first, each with the time of its last use.
        self._live: OrderedDict[str, tuple[Conversation, float]] = OrderedDict()

    def get(self, key: str | None = None, vault: privacy.Vault | None = None) -> Conversation:
        """The one with this id, made if need be, with this vault; a fresh id for None."""
        key = uuid.uuid4().hex if key is None else key
        if not key.strip() or len(key) > _MAX_ID:
            raise InputError(f"an id must have 1 to {_MAX_ID} characters that are not all blank")
        with self._lock:
            self._forget()
            found = self._live.get(key)
            conversation = (
                Conversation(key, self._rag, vault or privacy.Vault(), touch=self._touch)
                if found is None
                else found[0]
            )
            if vault is not None and conversation.vault is not vault:
                raise InputError("the conversation has a vault already: give a new id, or no vault")
            self._live[key] = conversation, self._clock()
            self._live.move_to_end(key)
            while len(self._live) > self._limit:
                self._live.popitem(last=False)
            return conversation

    def __len__(self) -> int:
        with self._lock:
            self._forget()
            return len(self._live)

    def _touch(self, key: str) -> None:
        with self._lock:
            if key in self._live:
                self._live[key] = self._live[key][0], self._clock()
                self._live.move_to_end(key)

    def _forget(self) -> None:
        oldest = self._clock() - self._ttl_s
        while self._live and next(iter(self._live.values()))[1] <= oldest:
            self._live.popitem(last=False)
