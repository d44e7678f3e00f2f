"""Questions about the documents: who asks, what is said, and what follows from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from privrag_fast.evaluation import answers, personas, rules, surfaces, wording
from privrag_fast.evaluation.dataset import Document, Fact, Meaning, Question, Split, Style
from privrag_fast.evaluation.documents import Sheet
from privrag_fast.evaluation.messages import REGISTERS, Ask, Composer, Mention, Message, Register
from privrag_fast.evaluation.personas import DOMAINS, LABELS, Persona
from privrag_fast.types import InputError, says

_KINDS: Final[Mapping[Literal["rules", "detail", "unknown"], int]] = {
    "rules": 80,
    "detail": 11,
    "unknown": 9,
}
_BARE, _SHORT, _PAIRED = 0.08, 0.1, 0.25
"""Shares of the questions on rules: no attribute but those that rules read; one of these left out;
followed by its twin across a border."""

# What people mention unasked, and how readily.
_MENTIONED: Final[Mapping[str, int]] = {
    "name": 14,
    "age": 9,
    "city": 9,
    "occupation": 8,
    "marital_status": 7,
    "children": 7,
    "income": 5,
    "nationality": 4,
    "employer": 4,
    "employment": 4,
    "health": 4,
    "birthplace": 3,
    "mother_age": 3,
    "rent": 3,
    "housing": 3,
    "savings": 3,
    "education": 3,
    "gender": 3,
    "membership": 3,
    "phone": 3,
    "email": 3,
    "debt": 2,
    "tenure": 2,
    "workload": 2,
    "religion": 2,
    "address": 2,
    "iban": 2,
}
# Bound to the person's name, family or papers, so that no question changes them.
_FIXED: Final = ("city", "nationality", "gender")
_STEPS: Final[Mapping[str, tuple[int, ...]]] = {
    "income": (-12_000, -3_600, -1_200, 0, 0, 1_200, 3_600, 12_000),
    "savings": (-10_000, -2_500, -500, 0, 0, 500, 2_500, 10_000),
    "debt": (-5_000, -1_000, -500, 0, 0, 500, 1_000, 5_000),
    "workload": (-20, -10, 0, 0, 10, 20),
    "children": (-1, 0, 0, 1),
}
_YEARS: Final = (-4, -2, -1, 0, 0, 1, 2, 4)
_TRIES, _TRIES_AMONG_PEOPLE = 3000, 200


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a question is made of; made twice with one change, it is a pair."""

    sheet: Sheet
    person: Persona
    attributes: tuple[str, ...]
    ask: Ask
    register: Register
    seed: str


class QuestionMaker:
    """Endless questions of one split.

    Args:
        sheets: Documents of the split.
        people: Who asks.
    """

    def __init__(
        self, split: Split, sheets: Sequence[Sheet], people: Sequence[Persona], *, seed: int
    ) -> None:
        self._split, self._sheets, self._people = split, sheets, people
        self._voice = wording.VOICES[split]
        self._rng = random.Random(f"questions {seed} {split}")
        self._seed = seed
        self._asked: Counter[str] = Counter()
        self._number = 0

    def make(self, count: int) -> tuple[Question, ...]:
        """The next questions, each document and outcome in its turn."""
        found: list[Question] = []
        while len(found) < count:
            self._number += 1
            drawn = list(self._drawn(pairs=len(found) + 2 <= count))
            while not all(map(_keeps_quiet, drawn)):
                drawn = list(self._drawn(pairs=len(found) + 2 <= count))
            found.extend(drawn)
        return tuple(found)

    def _drawn(self, *, pairs: bool) -> Iterator[Question]:
        [kind] = self._rng.choices(tuple(_KINDS), tuple(_KINDS.values()))
        if kind == "unknown":
            yield self._unknown()
        elif kind == "detail":
            yield self._on_detail()
        else:
            yield from self._on_rules(pairs and self._rng.random() < _PAIRED)

    def _id(self, suffix: str = "") -> str:
        return f"{self._split}-{self._number:04d}{suffix}"

    # ------------------------------------------------------------------- kinds

    def _on_rules(self, paired: bool) -> Iterator[Question]:
        sheet = self._turn()
        draft = self._draft(sheet, self._target(sheet))
        twin = self._twin(draft) if paired else None
        yield self._question(draft, self._id("a" if twin else ""))
        if twin:
            yield self._question(twin, self._id("b"))

    def _on_detail(self) -> Question:
        sheet = self._rng.choice(self._sheets)
        detail = self._rng.choice(sheet.details)
        person = self._neighbor(sheet)
        attributes = self._others(person, self._rng.randint(2, 8))
        ask = Ask(detail.ask, detail.ask, sheet.product.name)
        message = self._written(person, attributes, ask, sheet.family.currency, self._register())
        facts = tuple(
            _fact(mention, person, False, False, "The question touches no rule.")
            for mention in message.mentions
        )
        return self._assembled(message, facts, sheet, answers.about_detail(sheet, detail))

    def _unknown(self) -> Question:
        sheet = self._rng.choice(self._sheets)
        verb, product = self._rng.choice(wording.UNKNOWN[self._split])
        person = self._neighbor(sheet)
        attributes = self._others(person, self._rng.randint(2, 9))
        ask = self._asking(f"{verb} the {product}", "", product)
        message = self._written(person, attributes, ask, sheet.family.currency, self._register())
        facts = tuple(
            _fact(mention, person, False, False, "No document covers the product.")
            for mention in message.mentions
        )
        said = answers.about_nothing(product, wording.REPLIES[self._split])
        return self._assembled(message, facts, None, said)

    # ------------------------------------------------------------------- who asks

    def _turn(self) -> Sheet:
        """The document that was asked about least."""
        least = min(self._asked[sheet.document.id] for sheet in self._sheets)
        return self._rng.choice(
            [sheet for sheet in self._sheets if self._asked[sheet.document.id] == least]
        )

    def _target(self, sheet: Sheet) -> str:
        """Outcomes in turn, so that each is as frequent as the others."""
        document = sheet.document
        possible = list(dict.fromkeys([*(c.outcome for c in document.cases), document.otherwise]))
        self._asked[document.id] += 1
        start = sum(map(ord, document.id))
        return possible[(start + self._asked[document.id]) % len(possible)]

    def _neighbor(self, sheet: Sheet) -> Persona:
        """Somebody who lives where the institution works."""
        near = [p for p in self._people if p.country in sheet.family.countries]
        return self._rng.choice(near or self._people)

    def _draft(self, sheet: Sheet, target: str) -> _Draft:
        person = self._person(sheet, target)
        attributes = self._told(sheet.document, person)
        do = f"{sheet.product.verb} the {sheet.product.name}"
        what = sheet.product.what and f"the {sheet.product.what} of the {sheet.product.name}"
        ask = self._asking(do, what, sheet.product.name)
        seed = f"{self._seed} {self._id()}"
        return _Draft(sheet, person, attributes, ask, self._register(), seed)

    def _person(self, sheet: Sheet, target: str) -> Persona:
        """Somebody for whom the document decides as wished, mostly near a border."""
        document = sheet.document
        read = rules.consulted(document)
        abroad = bool(read & {"city", "nationality"})
        for number in range(_TRIES):
            base = self._rng.choice(self._people) if abroad else self._neighbor(sheet)
            if number >= _TRIES_AMONG_PEOPLE:
                base = personas.stranger(self._rng)
            wanted = dict(self._wanted(document, base))
            meanings = {**base.meanings, **wanted}
            if rules.outcome(document, meanings) != target:
                continue
            # A few in whose case no attribute alone turns the outcome.
            if not rules.decisive(document, meanings) and self._rng.random() > 0.3:
                continue
            person = personas.vary(base, wanted, self._rng)
            # A rule on the occupation is about those who work, not about those who used to.
            if person and ("occupation" not in read or person.workload):
                return person
        raise InputError(f"nobody gets {target!r} from {document.id}: its rules may contradict")

    def _wanted(self, document: Document, person: Persona) -> Iterator[tuple[str, Meaning]]:
        meanings = person.meanings
        for attribute in sorted(rules.consulted(document) - set(_FIXED)):
            if attribute in meanings and self._rng.random() < 0.2:
                yield attribute, meanings[attribute]
            elif isinstance(DOMAINS[attribute], range):
                yield attribute, self._number_near(document, attribute)
            else:
                yield attribute, self._word_for(document, attribute)

    def _number_near(self, document: Document, attribute: str) -> int:
        conditions = [c for case in document.cases for c in case.conditions]
        limits = [int(v) for c in conditions if c.attribute == attribute for v in c.values]
        limit = self._rng.choice(limits)
        number = limit + self._rng.choice(_STEPS.get(attribute, _YEARS))
        if self._rng.random() < 0.25 and attribute in ("income", "savings", "debt"):
            number = 1200 * round(limit * self._rng.uniform(0.3, 2.0) / 1200)
        # The first year with somebody is spoken of as one.
        least = 1 if attribute in ("tenure", "residence", "membership") else 0
        domain = DOMAINS[attribute]
        return min(max(number, least, int(domain[0])), int(domain[-1]))

    def _word_for(self, document: Document, attribute: str) -> Meaning:
        """A word of the domain; as often one that passes as one that fails."""
        group = self._rng.choice(rules.representatives(document, attribute))
        conditions = [
            c for case in document.cases for c in case.conditions if c.attribute == attribute
        ]
        like = [
            word
            for word in DOMAINS[attribute]
            if all(rules.holds(c, word) == rules.holds(c, group) for c in conditions)
        ]
        return self._rng.choice(like)

    # ------------------------------------------------------------------- what is said

    def _told(self, document: Document, person: Persona) -> tuple[str, ...]:
        """Attributes of the message: what the rules read, and others."""
        read = sorted(rules.consulted(document))
        if self._rng.random() < _BARE:
            return tuple(read)
        count = self._rng.randint(2, 8)
        others = self._others(person, count, but=read)
        if self._rng.random() < _SHORT:
            read = self._shortened(document, person, read)
        return (*read, *others)

    def _shortened(self, document: Document, person: Persona, read: list[str]) -> list[str]:
        """Without an attribute that the others make superfluous, where there is one."""
        meanings = person.meanings
        if not rules.decisive(document, meanings):
            return read
        for attribute in self._rng.sample(read, len(read)):
            rest = [a for a in read if a != attribute]
            if len(rules.outcomes(document, {a: meanings[a] for a in rest})) == 1:
                return rest
        return read

    def _others(self, person: Persona, count: int, *, but: Sequence[str] = ()) -> tuple[str, ...]:
        """Attributes that somebody mentions unasked."""
        left = [a for a in _MENTIONED if a in person.meanings and a not in but]
        if person.birthplace == person.city:
            left.remove("birthplace")
        chosen: list[str] = []
        while left and len(chosen) < count:
            [attribute] = self._rng.choices(left, [_MENTIONED[a] for a in left])
            chosen.append(attribute)
            left.remove(attribute)
        return tuple(chosen)

    def _asking(self, do: str, what: str, product: str) -> Ask:
        long = self._voice.amounts if what else self._voice.asks
        short = self._voice.terse_amounts if what else self._voice.terse
        text, terse = self._rng.choice(long), self._rng.choice(short)
        return Ask(text.format(do=do, what=what), terse.format(do=do, what=what), product)

    def _register(self) -> Register:
        [register] = self._rng.choices(tuple(REGISTERS), tuple(REGISTERS.values()))
        return register

    # ------------------------------------------------------------------- twins

    def _twin(self, draft: _Draft) -> _Draft | None:
        """The same question with one attribute across a border; None where none can cross."""
        document, meanings = draft.sheet.document, draft.person.meanings
        turning = sorted(rules.decisive(document, meanings) & set(draft.attributes) - set(_FIXED))
        for attribute in self._rng.sample(turning, len(turning)):
            turn = rules.flip(document, meanings, attribute)
            if turn is None:
                continue
            other = _rounded(attribute, meanings[attribute], turn[0])
            person = personas.altered(draft.person, {attribute: other})
            if person is None or not _sounds_alike(draft, person):
                continue
            known = {a: person.meanings[a] for a in draft.attributes}
            if rules.outcomes(document, known) == {turn[1]}:
                return replace(draft, person=person)
        return None

    # ------------------------------------------------------------------- assembly

    def _question(self, draft: _Draft, name: str) -> Question:
        sheet, meanings = draft.sheet, draft.person.meanings
        money = sheet.family.currency
        composer = Composer(
            self._voice, meanings, draft.attributes, currency=money, seed=draft.seed
        )
        message = composer.compose(draft.ask, draft.register)
        read = rules.consulted(sheet.document)
        turning = rules.decisive(sheet.document, meanings)
        facts = tuple(
            _fact(
                mention,
                draft.person,
                mention.attribute in read,
                mention.attribute in turning,
                answers.why(sheet.document, meanings, mention, money),
            )
            for mention in message.mentions
        )
        return Question(
            id=name,
            split=self._split,
            family=sheet.family.name,
            turns=message.turns,
            facts=facts,
            documents=(sheet.document.id,),
            answers=answers.about_rules(sheet, meanings, message.mentions),
            outcome=rules.outcome(sheet.document, meanings),
            verdicts=answers.verdicts(sheet),
        )

    def _written(
        self,
        person: Persona,
        attributes: Sequence[str],
        ask: Ask,
        currency: str,
        register: Register,
    ) -> Message:
        seed = f"{self._seed} {self._id()}"
        composer = Composer(self._voice, person.meanings, attributes, currency=currency, seed=seed)
        return composer.compose(ask, register)

    def _assembled(
        self,
        message: Message,
        facts: tuple[Fact, ...],
        sheet: Sheet | None,
        said: Mapping[Style, str],
    ) -> Question:
        return Question(
            id=self._id(),
            split=self._split,
            family=sheet.family.name if sheet else "",
            turns=message.turns,
            facts=facts,
            documents=(sheet.document.id,) if sheet else (),
            answers=said,
        )


def _sounds_alike(draft: _Draft, person: Persona) -> bool:
    """Whether somebody says the same attributes in the same voices."""
    one, other = draft.person.meanings, person.meanings
    return other.keys() >= set(draft.attributes) and all(
        surfaces.slots(attribute, one) == surfaces.slots(attribute, other)
        for attribute in draft.attributes
    )


def _keeps_quiet(question: Question) -> bool:
    """Whether the answer without values has none even by chance, such as an age of 25 and 25 %."""
    values = {question.message[fact.start : fact.end] for fact in question.facts}
    return not any(says(question.answers["reasoned"], value) for value in values)


def _rounded(attribute: str, own: Meaning, other: Meaning) -> Meaning:
    """Across the border and on to the next number that people have; perhaps too far."""
    step = {"income": 1200, "savings": 500, "debt": 500, "workload": 10}.get(attribute, 1)
    if isinstance(own, str) or isinstance(other, str):
        return other
    return other // step * step if other < own else -(-other // step) * step


def _fact(mention: Mention, person: Persona, consulted: bool, decisive: bool, why: str) -> Fact:
    return Fact(
        attribute=mention.attribute,
        label=LABELS[mention.attribute],
        start=mention.start,
        end=mention.end,
        meaning=person.meanings[mention.attribute],
        consulted=consulted,
        decisive=decisive,
        why=why,
    )
