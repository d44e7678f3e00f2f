"""The turns of a conversation with the values in them: what is searched, scored and sent of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from privrag_fast import privacy
from privrag_fast.types import Attribute, ChatMessage, Decision, Entity, SafeText

_PLACEHOLDER = re.compile(r"\[[^\W\d]\w*_[0-9]+\]")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text, such as several turns, one a line, and the values in it."""

    text: str = field(repr=False)
    attributes: tuple[Attribute, ...]


class Lookup:
    """Which of many attributes may stand in a text: a quick look before an exact one."""

    def __init__(self, attributes: Iterable[Attribute]) -> None:
        self._wanted = [(own, _wanted(own)) for own in attributes]

    def near(self, text: str) -> tuple[Attribute, ...]:
        """Those whose value, or part of whose name, stands in it, if only inside a word."""
        folded = privacy.fold(text)
        return tuple(own for own, wanted in self._wanted if any(one in folded for one in wanted))


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

    def abstracted(self, style: privacy.Style) -> SafeText:
        """For retrieval."""
        return privacy.abstract(self.message.content, self.attributes, style)

    def redacted(self, decided: Mapping[str, Decision]) -> str:
        """With placeholders, or less precise forms, for what is withheld."""
        kept = {own.placeholder for own in self.attributes if decided[own.placeholder].kept}
        attributes = [_standing_for(own, decided[own.placeholder]) for own in self.attributes]
        return privacy.redact(self.message.content, attributes, kept)


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns, the one to answer last, and the values in them.

    Args:
        whole: All turns as one text.
    """

    turns: tuple[Turn, ...]
    whole: Excerpt

    @classmethod
    def of(cls, turns: tuple[Turn, ...]) -> Transcript:
        """The transcript of these turns."""
        return cls(turns, _joined(turns))

    def asked(self, most: int) -> Iterator[Excerpt]:
        """The customer's turns: the latest that have `most` characters together, then ever fewer.

        The last one is always among them, however long it is.
        """
        turns = self._of_user()
        while len(turns) > 1 and sum(len(turn.message.content) for turn in turns) > most:
            turns.pop(0)
        for first in range(len(turns)):
            yield _joined(turns[first:])

    def queries(
        self, most: int, style: privacy.Style = privacy.DEFAULT_STYLE
    ) -> tuple[SafeText, ...]:
        """What to search for, abstracted: the last question, and the same after what led to it.

        A follow-up may leave its subject to an earlier turn, and a new question has none there;
        one query serves only one of them.

        Args:
            most: Words of the customer's earlier turns, the latest of them.
            style: What stands for a value.
        """
        *earlier, last = self._of_user()
        words: list[str] = []
        for turn in reversed(earlier):
            words = turn.abstracted(style).split() + words
            if len(words) >= most:
                break
        query = last.abstracted(style)
        led = " ".join(words[max(0, len(words) - most) :])
        return (query, SafeText(f"{led}\n{query}")) if led else (query,)

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
        withheld = Lookup(decision.attribute for decision in decisions if not decision.kept)
        found: dict[str, Attribute] = {}
        for turn in self.turns:
            if turn.raw is None:  # what the LLM wrote itself shows it nothing
                text = turn.redacted(decided)
                near = withheld.near(text)
                found |= {own.placeholder: own for own in privacy.leaks(text, near)} if near else {}
        return tuple(found.values())

    def _of_user(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.message.role == "user"]


def moved(entity: Entity, by: int) -> Entity:
    """The entity in a text that has more before it."""
    return replace(entity, start=entity.start + by, end=entity.end + by)


def _wanted(attribute: Attribute) -> list[str]:
    value = privacy.fold(attribute.value)
    return value.split() if attribute.label in ("PERSON", "NAME") else [value]


# --------------------------------------------------------------------------- turns as one text


def _joined(turns: Sequence[Turn]) -> Excerpt:
    first: dict[str, Attribute] = {}
    mentions: dict[str, list[Entity]] = {}
    offset = 0
    for turn in turns:
        for own in turn.attributes:
            known = first.setdefault(own.placeholder, own)
            if len(own.value) > len(known.value):  # a name in full, after a part of it
                first[own.placeholder] = own
            mentions.setdefault(own.placeholder, []).extend(
                moved(mention, offset) for mention in own.mentions
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
