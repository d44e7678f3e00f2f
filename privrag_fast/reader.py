"""Finds the values in turns: by detection, and by what the vault knows from other turns."""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from privrag_fast import privacy
from privrag_fast.detection.repeats import find_repeats
from privrag_fast.transcript import Excerpt, Lookup, Transcript, Turn, moved
from privrag_fast.types import Attribute, ChatMessage, Detector, Entity

K = TypeVar("K")
V = TypeVar("V")

# A reply of no more words is read together with the end of the question.
_REPLY_WORDS, _QUESTION_CHARS = 8, 300


@dataclass(frozen=True, slots=True)
class Dialog:
    """What there is to minimize.

    Args:
        messages: The turns, the one to answer last.
        said: Answers as the user saw them, stripped -> as the LLM wrote them.
        known: Placeholders whose values the LLM was sent before.
        before: Placeholders of the turn before -> whether their values were kept; None for the
            first.
    """

    messages: Sequence[ChatMessage]
    reader: Reader
    vault: privacy.Vault
    said: Mapping[str, str] = field(default_factory=dict, repr=False)
    known: Collection[str] = frozenset()
    before: Mapping[str, bool] | None = None

    def read(self) -> Transcript:
        """The turns with their attributes."""
        return self.reader.read(self.messages, self.vault, self.said)


class Reader:
    """Reads turns; those of one conversation, and no other's, for it remembers what it found.

    A text is detected once, and looked through again only for values that are new.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._entities: _Recent[bytes, list[Entity]] = _Recent()
        # What was looked for beside the entities, and what came of it.
        self._attributes: _Recent[
            tuple[bytes, tuple[Entity, ...], bool],
            tuple[tuple[Attribute, ...], tuple[Attribute, ...]],
        ] = _Recent()

    def read(
        self, messages: Sequence[ChatMessage], vault: privacy.Vault, said: Mapping[str, str]
    ) -> Transcript:
        """The turns with their attributes; what the vault holds is found wherever it stands.

        Args:
            said: Answers as the user saw them, stripped -> as the LLM wrote them.

        Raises:
            DetectionError: Detection failed.
        """
        raws = [
            said.get(message.content.strip()) if message.role == "assistant" else None
            for message in messages
        ]
        entities = self._of_turns(messages, raws)
        for message in messages:
            vault.reserve(message.content)
        for message, found in zip(messages, entities, strict=True):
            if found:  # placeholders in order of appearance
                privacy.attributes(message.content, found, vault)
        known = _values(vault)
        turns = tuple(
            Turn(
                message,
                self._sensitive(message.content, found, known, vault),
                None
                if raw is None
                else Excerpt(raw, self._sensitive(raw, (), known, vault, own_words=True)),
            )
            for message, found, raw in zip(messages, entities, raws, strict=True)
        )
        return Transcript.of(turns)

    def protect(self, texts: Sequence[str], vault: privacy.Vault) -> list[str]:
        """The texts with a placeholder for every value.

        Raises:
            DetectionError: Detection failed.
        """
        turns = self.read([ChatMessage("tool", text) for text in texts], vault, {}).turns
        return [privacy.redact(turn.message.content, turn.attributes) for turn in turns]

    def own_words(self, raw: str, vault: privacy.Vault, sent: Collection[str]) -> str:
        """What the LLM wrote, with a placeholder for those values in it that it was sent.

        Args:
            sent: Their placeholders.
        """
        found = self._sensitive(raw, (), _values(vault), vault, own_words=True)
        return privacy.redact(raw, [own for own in found if own.placeholder in sent])

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start."""
        found = {text: self._entities.get(_digest(text)) for text in texts}
        if new := [text for text, entities in found.items() if entities is None]:
            found |= zip(new, self._detector.detect(new), strict=True)
        for text, entities in found.items():
            self._entities.put(_digest(text), entities or [])
        return [found[text] or [] for text in texts]

    def _of_turns(
        self, messages: Sequence[ChatMessage], raws: Sequence[str | None]
    ) -> list[list[Entity]]:
        """The entities of each turn; of the LLM's own words none, for they are nobody's values.

        A short reply is read twice, alone and below what it replies to: `67` could be anything.
        """
        jobs = [(i, "") for i, raw in enumerate(raws) if raw is None]
        for i, (question, reply) in enumerate(itertools.pairwise(messages), start=1):
            is_reply = (question.role, reply.role) == ("assistant", "user")
            if is_reply and len(reply.content.split()) <= _REPLY_WORDS:
                jobs.append((i, f"{question.content[-_QUESTION_CHARS:]}\n"))
        answers = self.detect([before + messages[i].content for i, before in jobs])
        entities: list[list[Entity]] = [[] for _ in messages]
        for (i, before), found in zip(jobs, answers, strict=True):
            own = [moved(entity, -len(before)) for entity in found if entity.start >= len(before)]
            entities[i] = own + [other for other in entities[i] if not _meets(other, own)]
        return entities

    def _sensitive(
        self,
        text: str,
        entities: Sequence[Entity],
        lookup: Lookup,
        vault: privacy.Vault,
        *,
        own_words: bool = False,
    ) -> tuple[Attribute, ...]:
        """The entities, each value that is known by its words, and what is no placeholder but
        reads like one, save in the LLM's own words."""
        key, known = (_digest(text), tuple(entities), own_words), lookup.near(text)
        before = self._attributes.get(key)
        if before is not None and before[0] == known:
            return before[1]
        entities = _repeats(text, entities, known)
        typed = [] if own_words else privacy.literals(text, entities, vault)
        found = privacy.attributes(text, [*entities, *typed], vault)
        seen = {own.placeholder for own in found}
        more = [own for own in known if own.placeholder not in seen]
        covered = tuple(own for own in privacy.cover(text, [*found, *more]) if own.mentions)
        self._attributes.put(key, (known, covered))
        return covered


class _Recent(Generic[K, V]):
    """What was asked for lately, and no more than that. Thread-safe."""

    def __init__(self, limit: int = 2048) -> None:
        self._limit = limit
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)


def _values(vault: privacy.Vault) -> Lookup:
    return Lookup(
        Attribute(key[1:-1].rpartition("_")[0], value, key, ()) for key, value in vault.items()
    )


def _repeats(text: str, entities: Sequence[Entity], known: Sequence[Attribute]) -> Sequence[Entity]:
    """The entities and, between them, mentions of what other turns hold: `67`, which is too short
    to be looked for without regard to what stands round it."""
    if not known:
        return entities
    told = "".join(f"{own.value}\n" for own in known)
    marked: list[Entity] = []
    end = 0
    for own in known:
        marked.append(Entity(end, end + len(own.value), own.label))
        end += len(own.value) + 1
    below = [moved(entity, end) for entity in sorted(entities, key=lambda one: one.start)]
    found = find_repeats(told + text, [*marked, *below])
    return [moved(entity, -end) for entity in found if entity.start >= end]


def _meets(entity: Entity, others: Sequence[Entity]) -> bool:
    return any(entity.start < other.end and other.start < entity.end for other in others)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest()
