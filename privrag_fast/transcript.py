"""The turns of a conversation with the values in them: what is searched, scored and sent of it."""

from __future__ import annotations

import hashlib
import itertools
import re
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from privrag_fast import privacy
from privrag_fast.detection.repeats import find_repeats
from privrag_fast.types import Attribute, ChatMessage, Decision, Detector, Entity, SafeText

# A reply of no more words is read together with the end of the question.
_REPLY_WORDS, _QUESTION_CHARS = 8, 300

_PLACEHOLDER = re.compile(r"\[[^\W\d]\w*_[0-9]+\]")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text, such as several turns, one a line, and the values in it."""

    text: str = field(repr=False)
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn.

    Args:
        message: As the user sees it.
        attributes: What is sensitive in it; mentions count in its content.
        raw: An answer as the LLM wrote it; None for what the LLM has not written.
    """

    message: ChatMessage
    attributes: tuple[Attribute, ...]
    raw: Excerpt | None = None

    def sent(self, decided: Mapping[str, Decision], known: Collection[str]) -> str:
        """As it may leave; see `Transcript.sent`."""
        if self.raw is None:
            return self.redacted(decided)
        return _repeated(self.raw, decided, known)

    def redacted(self, decided: Mapping[str, Decision]) -> str:
        """With placeholders, or less precise forms, for what is withheld."""
        kept = {own.placeholder for own in self.attributes if decided[own.placeholder].kept}
        attributes = [_standing_for(own, decided[own.placeholder]) for own in self.attributes]
        return privacy.redact(self.message.content, attributes, kept)


@dataclass(frozen=True, slots=True)
class Dialog:
    """What there is to minimize.

    Args:
        messages: The turns, the one to answer last.
        said: Answers as the user saw them, stripped -> as the LLM wrote them.
        known: Placeholders whose values the LLM was sent before.
        before: Placeholders of the turn before -> whether their values were kept.
    """

    messages: Sequence[ChatMessage]
    vault: privacy.Vault
    detector: Detector
    said: Mapping[str, str] = field(default_factory=dict, repr=False)
    known: Collection[str] = frozenset()
    before: Mapping[str, bool] = field(default_factory=dict)


class Remembered:
    """A detector that is asked once about a text; it keeps spans and digests, no text."""

    def __init__(self, detector: Detector, *, limit: int = 1024) -> None:
        self._detector = detector
        self._limit = limit
        self._found: OrderedDict[bytes, list[Entity]] = OrderedDict()
        self._lock = threading.Lock()

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start."""
        keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            found = {key: self._found[key] for key in keys if key in self._found}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            found |= zip(new, self._detector.detect(list(new.values())), strict=True)
        with self._lock:
            for key in keys:
                self._found[key] = found[key]
                self._found.move_to_end(key)
            while len(self._found) > self._limit:
                self._found.popitem(last=False)
        return [found[key] for key in keys]


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns, the one to answer last, and the values in them.

    Args:
        whole: All turns as one text.
    """

    turns: tuple[Turn, ...]
    whole: Excerpt

    def asked(self, most: int) -> Iterator[Excerpt]:
        """The customer's turns: the latest that have `most` characters together, then ever fewer.

        The last one is always among them, however long it is.
        """
        turns = self._of_user()
        while len(turns) > 1 and sum(len(turn.message.content) for turn in turns) > most:
            turns.pop(0)
        for first in range(len(turns)):
            yield _joined(turns[first:])

    def query(self, enough: int, most: int) -> SafeText:
        """The last question for retrieval, abstracted.

        One of fewer than `enough` words leans on what was said before: the customer's earlier
        turns go before it, the latest first, until there are as many, with no more than the last
        `most` words of each.
        """
        asked = [privacy.abstract(own.message.content, own.attributes) for own in self._of_user()]
        query = str(asked.pop())
        while asked and len(query.split()) < enough:
            query = f"{' '.join(asked.pop().split()[-most:])}\n{query}"
        return SafeText(query)

    def sent(self, decisions: Sequence[Decision], known: Collection[str]) -> list[ChatMessage]:
        """Each turn as it may leave.

        Args:
            decisions: On all attributes.
            known: Placeholders whose values the LLM was sent before.
        """
        decided = {decision.attribute.placeholder: decision for decision in decisions}
        return [replace(turn.message, content=turn.sent(decided, known)) for turn in self.turns]

    def readable(self, decisions: Sequence[Decision]) -> tuple[Attribute, ...]:
        """Withheld attributes that could be read in what would be sent."""
        decided = {decision.attribute.placeholder: decision for decision in decisions}
        withheld = [decision.attribute for decision in decisions if not decision.kept]
        # What the LLM wrote itself shows it nothing.
        texts = [turn.redacted(decided) for turn in self.turns if turn.raw is None]
        found = {own.placeholder for text in texts for own in privacy.leaks(text, withheld)}
        return tuple(own for own in withheld if own.placeholder in found)

    def _of_user(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.message.role == "user"]


def read(dialog: Dialog) -> Transcript:
    """The turns with their attributes; what the vault holds is found wherever it stands."""
    vault, messages = dialog.vault, dialog.messages
    raws = [
        dialog.said.get(message.content.strip()) if message.role == "assistant" else None
        for message in messages
    ]
    entities = _detected(messages, raws, dialog.detector)
    for message in messages:
        vault.reserve(message.content)
    for message, found in zip(messages, entities, strict=True):
        privacy.attributes(message.content, found, vault)  # placeholders in order of appearance
    known = [
        (Attribute(key[1:-1].rpartition("_")[0], value, key, ()), value.casefold().split())
        for key, value in vault.items()
    ]

    def excerpt(text: str, found: Sequence[Entity] = ()) -> Excerpt:
        return Excerpt(text, _attributes(text, found, known, vault))

    turns = tuple(
        Turn(
            message,
            excerpt(message.content, found).attributes,
            None if raw is None else excerpt(raw),
        )
        for message, found, raw in zip(messages, entities, raws, strict=True)
    )
    return Transcript(turns, _joined(turns))


def protect(texts: Sequence[str], detector: Detector, vault: privacy.Vault) -> list[str]:
    """The texts with a placeholder for every value."""
    messages = [ChatMessage("tool", text) for text in texts]
    return [
        privacy.redact(turn.message.content, turn.attributes)
        for turn in read(Dialog(messages, vault, detector)).turns
    ]


# --------------------------------------------------------------------------- reading


def _detected(
    messages: Sequence[ChatMessage], raws: Sequence[str | None], detector: Detector
) -> list[list[Entity]]:
    """The entities of each turn; of the LLM's own words none, for they are nobody's values.

    A short reply is read twice, alone and below what it replies to: `67` could be anything.
    """
    jobs = [(i, "") for i, raw in enumerate(raws) if raw is None]
    for i, (question, reply) in enumerate(itertools.pairwise(messages), start=1):
        is_reply = (question.role, reply.role) == ("assistant", "user")
        if is_reply and len(reply.content.split()) <= _REPLY_WORDS:
            jobs.append((i, f"{question.content[-_QUESTION_CHARS:]}\n"))
    answers = detector.detect([before + messages[i].content for i, before in jobs])
    entities: list[list[Entity]] = [[] for _ in messages]
    for (i, before), found in zip(jobs, answers, strict=True):
        own = [_moved(entity, -len(before)) for entity in found if entity.start >= len(before)]
        entities[i] = own + [
            other
            for other in entities[i]
            if not any(entity.start < other.end and other.start < entity.end for entity in own)
        ]
    return entities


def _attributes(
    text: str,
    entities: Sequence[Entity],
    known: Sequence[tuple[Attribute, Sequence[str]]],
    vault: privacy.Vault,
) -> tuple[Attribute, ...]:
    """What is sensitive in a text: the entities, and each value that is known by its words."""
    folded = text.casefold()
    near = [own for own, words in known if any(word in folded for word in words)]
    found = privacy.attributes(text, _repeats(text, entities, near), vault)
    seen = {own.placeholder for own in found}
    covered = privacy.cover(text, [*found, *(own for own in near if own.placeholder not in seen)])
    return tuple(own for own in covered if own.mentions)


def _repeats(text: str, entities: Sequence[Entity], known: Sequence[Attribute]) -> Sequence[Entity]:
    """The entities and, between them, mentions of what earlier turns held: `67`, which is too
    short to be looked for without regard to what stands round it."""
    if not known:
        return entities
    told = "".join(f"{own.value}\n" for own in known)
    marked: list[Entity] = []
    end = 0
    for own in known:
        marked.append(Entity(end, end + len(own.value), own.label))
        end += len(own.value) + 1
    moved = sorted(entities, key=lambda entity: entity.start)
    found = find_repeats(told + text, [*marked, *(_moved(entity, end) for entity in moved)])
    return [_moved(entity, -end) for entity in found if entity.start >= end]


def _moved(entity: Entity, by: int) -> Entity:
    return replace(entity, start=entity.start + by, end=entity.end + by)


def _joined(turns: Sequence[Turn]) -> Excerpt:
    first: dict[str, Attribute] = {}
    mentions: dict[str, list[Entity]] = {}
    offset = 0
    for turn in turns:
        for own in turn.attributes:
            first.setdefault(own.placeholder, own)
            mentions.setdefault(own.placeholder, []).extend(
                _moved(mention, offset) for mention in own.mentions
            )
        offset += len(turn.message.content) + 1
    attributes = [replace(own, mentions=tuple(mentions[key])) for key, own in first.items()]
    return Excerpt(
        "\n".join(turn.message.content for turn in turns),
        tuple(sorted(attributes, key=lambda own: own.mentions[0].start)),
    )


# --------------------------------------------------------------------------- writing


def _repeated(raw: Excerpt, decisions: Mapping[str, Decision], known: Collection[str]) -> str:
    """What the LLM wrote, as it wrote it: its own words are no news to it.

    A withheld value that it never saw but wrote by chance stays, too: a placeholder in its place
    would tell what the placeholder stands for.
    """
    taken_back = [
        _standing_for(own, decisions[own.placeholder])
        for own in raw.attributes
        if own.placeholder in known and own.placeholder in decisions
        if not decisions[own.placeholder].kept
    ]
    told = privacy.redact(raw.text, taken_back)

    def value(match: re.Match[str]) -> str:
        decision = decisions.get(match[0])
        if decision is None:
            return match[0]
        return decision.attribute.value if decision.kept else decision.value_sent or match[0]

    return _PLACEHOLDER.sub(value, told)


def _standing_for(attribute: Attribute, decision: Decision) -> Attribute:
    """The attribute with what takes its value's place as its placeholder."""
    return (
        attribute
        if decision.value_sent is None
        else replace(attribute, placeholder=decision.value_sent)
    )
