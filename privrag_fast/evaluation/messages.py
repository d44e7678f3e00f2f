"""Messages of people: attributes woven into the templates of a split, with exact spans."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from privrag_fast.evaluation import surfaces
from privrag_fast.evaluation.dataset import Meaning
from privrag_fast.evaluation.wording import Voice

Register = Literal["letter", "plain", "list", "casual", "form", "terse", "chat"]
REGISTERS: Final[Mapping[Register, int]] = {
    "letter": 17,
    "plain": 18,
    "list": 14,
    "casual": 15,
    "form": 9,
    "terse": 9,
    "chat": 18,
}
"""With their weights; `chat` has several turns."""

_FIRST: Final = ("name",)
_LAST: Final = ("address", "email", "phone", "iban")
_SLOT: Final = re.compile(r"\{(a_)?(\w+)\}")


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked, in a sentence and in a few words, and the product that both name."""

    text: str
    terse: str
    product: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A value as it stands in a message: half-open span in code points."""

    attribute: str
    slot: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody wrote.

    Args:
        mentions: Sorted by start.
    """

    turns: tuple[str, ...]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Running text; a value where it has a slot; `fixed` is safe from typos."""

    text: str
    slot: str = ""
    fixed: bool = False


_Line = list[_Piece]


class Composer:
    """Writes one message; the same seed makes the same choices for other values.

    Args:
        meanings: Of the person.
        attributes: What the message is to hold.
        currency: In which the person counts.
        seed: Of everything random in it.
    """

    def __init__(
        self,
        voice: Voice,
        meanings: Mapping[str, Meaning],
        attributes: Sequence[str],
        *,
        currency: str,
        seed: str,
    ) -> None:
        self._voice = voice
        self._rng = random.Random(seed)
        self._attributes = sorted(attributes, key=self._place)
        self._values: dict[str, str] = {}
        for attribute in attributes:
            for slot in surfaces.slots(attribute, meanings):
                rng = random.Random(f"{seed} {slot}")
                self._values[slot] = surfaces.write(slot, meanings[attribute], currency, rng)

    def compose(self, ask: Ask, register: Register) -> Message:
        """The message, with the question in it."""
        match register:
            case "letter":
                turns = [self._letter(ask)]
            case "list":
                turns = [self._list(ask)]
            case "form":
                turns = [self._form(ask)]
            case "terse":
                turns = [self._terse(ask)]
            case "chat":
                turns = self._chat(ask)
            case _:
                turns = [self._plain(ask)]
        if register == "casual" or (register == "chat" and self._rng.random() < 0.3):
            turns = self._casual(turns)
        return _message(turns)

    def _place(self, attribute: str) -> tuple[int, float]:
        """Names first, ways to reach somebody last."""
        return (attribute in _LAST) - (attribute in _FIRST), self._rng.random()

    def _pick(self, choices: Sequence[str]) -> str:
        return self._rng.choice(choices)

    # ------------------------------------------------------------------- registers

    def _letter(self, ask: Ask) -> _Line:
        attributes = list(self._attributes)
        signed = "name" in attributes and self._rng.random() < 0.7
        if signed:
            attributes.remove("name")
        body = self._sentences(attributes)
        asked = self._asked(ask)
        body.insert(self._rng.choice((0, len(body), len(body))), asked)
        paragraphs = [
            [_Piece(self._pick(self._voice.salutations))],
            _joined(body, " "),
            [_Piece(self._pick(self._voice.farewells))],
        ]
        letter = _joined(paragraphs, "\n\n")
        return [*letter, _Piece("\n"), self._value("name")] if signed else letter

    def _plain(self, ask: Ask) -> _Line:
        parts = self._sentences(self._attributes)
        parts.insert(self._rng.choice((0, len(parts), len(parts))), self._asked(ask))
        if self._rng.random() < 0.8:
            parts.insert(0, [_Piece(self._pick(self._voice.hellos))])
        if self._rng.random() < 0.5:
            parts.append([_Piece(self._pick(self._voice.thanks))])
        return _joined(parts, " ")

    def _list(self, ask: Ask) -> _Line:
        said, listed = self._attributes[:1], self._attributes[1:]
        if said and said[0] not in _FIRST:
            said, listed = [], self._attributes
        parts = [[_Piece(self._pick(self._voice.hellos))], *self._sentences(said)]
        run = [self._run(listed)] if listed else []
        asked = [self._asked(ask)]
        return _joined([*parts, *(run + asked if self._rng.random() < 0.6 else asked + run)], " ")

    def _form(self, ask: Ask) -> _Line:
        lines = [self._field(self._slot(attribute)) for attribute in self._attributes]
        question = _Piece(f"{self._pick(self._voice.question_field)}: ")
        return _joined([*lines, [question, *self._asked(ask)]], "\n")

    def _terse(self, ask: Ask) -> _Line:
        fragments = _joined([self._fragment(a) for a in self._attributes], ", ")
        asked = _protected(_capital(ask.terse), ask.product)
        return [*fragments, _Piece(". "), *asked] if fragments else asked

    def _chat(self, ask: Ask) -> list[_Line]:
        """Two to four turns: the question in the first or the last of them."""
        said = self._sentences(self._attributes)
        groups = _dealt(said, max(2, min(self._rng.choice((2, 2, 3, 3, 4)), len(said) + 1)))
        hello = [_Piece(self._pick(self._voice.hellos))]
        asked = self._asked(ask)
        about = self._pick(self._voice.openers).format(product=f"the {ask.product}")
        first = self._rng.random() < 0.5
        opener = asked if first else _protected(about, ask.product)
        leads = self._rng.sample(self._voice.leads, len(groups) - 1)
        turns = [_joined([hello, opener, *groups[0]], " ")]
        for lead, group in zip(leads, groups[1:], strict=True):
            turns.append(_joined([[_Piece(lead)], *group], " "))
        last = [_Piece(self._pick(self._voice.closers))] if first else asked
        turns[-1] = [*turns[-1], _Piece(" "), *last]
        return turns

    def _casual(self, turns: Iterable[_Line]) -> list[_Line]:
        """No capitals, few marks, some slips; values lose their capitals and nothing else."""
        return [[self._slipped(piece) for piece in turn] for turn in turns]

    def _slipped(self, piece: _Piece) -> _Piece:
        text = piece.text if piece.slot == "iban" else piece.text.lower()
        if piece.slot or piece.fixed:
            return replace(piece, text=text)
        text = re.sub(r"\bi'm\b", "im", text)
        return replace(piece, text=re.sub(r"[a-z]{5,}", self._slip, text))

    def _slip(self, word: re.Match[str]) -> str:
        letters = word[0]
        if self._rng.random() > 0.07:
            return letters
        at = self._rng.randrange(1, len(letters) - 2)
        swapped = letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :]
        return self._rng.choice((swapped, letters[:at] + letters[at + 1 :]))

    # ------------------------------------------------------------------- parts

    def _asked(self, ask: Ask) -> _Line:
        return _protected(ask.text, ask.product)

    def _slot(self, attribute: str) -> str:
        """A voice of the attribute that lists and forms know."""
        voices = [s for s in self._values if surfaces.ATTRIBUTE_OF.get(s, s) == attribute]
        listed = [slot for slot in voices if slot in self._voice.fragments]
        return (listed or voices)[0]

    def _value(self, slot: str) -> _Piece:
        return _Piece(self._values[slot], slot)

    def _fragment(self, attribute: str) -> _Line:
        slot = self._slot(attribute)
        return self._filled(self._voice.fragments.get(slot, f"{{{slot}}}"))

    def _run(self, attributes: Sequence[str]) -> _Line:
        before, _, after = self._pick(self._voice.runs).partition("{run}")
        fragments = _joined([self._fragment(attribute) for attribute in attributes], ", ")
        return [_Piece(before), *fragments, _Piece(after)]

    def _field(self, slot: str) -> _Line:
        attribute = surfaces.ATTRIBUTE_OF.get(slot, slot)
        label = self._voice.fields.get(slot) or self._voice.fields[attribute]
        return [_Piece(f"{label}: "), self._value(slot)]

    def _sentences(self, attributes: Sequence[str]) -> list[_Line]:
        """Sentences that hold each of the attributes once."""
        left = list(attributes)
        found: list[_Line] = []
        while left:
            fitting = [
                (template, said)
                for template in self._voice.sentences
                for said in [self._said(template)]
                if said and left[0] in said and said <= set(left)
            ]
            weights = [len(said) ** 2 for _, said in fitting]
            [(template, said)] = self._rng.choices(fitting, weights)
            found.append(self._filled(template))
            left = [attribute for attribute in left if attribute not in said]
        return found

    def _said(self, template: str) -> frozenset[str]:
        """The attributes that a template says; none where the person has no such voice."""
        slots = [slot[2] for slot in _SLOT.finditer(template)]
        if any(slot not in self._values for slot in slots):
            return frozenset()
        return frozenset(surfaces.ATTRIBUTE_OF.get(slot, slot) for slot in slots)

    def _filled(self, template: str) -> _Line:
        return list(self._pieces(template))

    def _pieces(self, template: str) -> Iterator[_Piece]:
        end = 0
        for slot in _SLOT.finditer(template):
            yield _Piece(template[end : slot.start()])
            if slot[1]:
                yield _Piece(surfaces.article(self._values[slot[2]]))
            yield self._value(slot[2])
            end = slot.end()
        yield _Piece(template[end:])


# --------------------------------------------------------------------------- pieces


def _joined(lines: Sequence[_Line], mark: str) -> _Line:
    """Lines with a mark between them."""
    pieces = [piece for line in lines for piece in (_Piece(mark), *line)]
    return pieces[1:]


def _protected(text: str, product: str) -> _Line:
    """A text in which the product's name is safe from typos."""
    before, name, after = text.partition(product)
    return [_Piece(before), _Piece(name, fixed=True), _Piece(after)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _dealt(lines: Sequence[_Line], count: int) -> list[list[_Line]]:
    """Lines in order, in groups of about the same size; the first group may be empty."""
    return [
        list(lines[number * len(lines) // count : (number + 1) * len(lines) // count])
        for number in range(count)
    ]


def _message(turns: Sequence[_Line]) -> Message:
    mentions: list[Mention] = []
    position = 0
    for turn in turns:
        for piece in turn:
            end = position + len(piece.text)
            if piece.slot:
                attribute = surfaces.ATTRIBUTE_OF.get(piece.slot, piece.slot)
                mentions.append(Mention(attribute, piece.slot, piece.text, position, end))
            position = end
        position += 1  # the line break between turns
    return Message(tuple("".join(p.text for p in turn) for turn in turns), tuple(mentions))
