"""Rules of documents, run: outcomes, and the attributes that they turn on. All of it is exact.

A document's cases are tried in order; the first whose conditions all hold gives the outcome.
Attributes vary independently of each other: nobody is too young to be retired here.

Operators compare an attribute's meaning `m` with the values of a condition:

======================  ====================================================
at_least, at_most       m >= v, m <= v
above, below            m > v, m < v
between                 v <= m <= w, both ends included
equals, one_of          m is the value, or one of them
none_of                 m is none of them
in_country              m is a city of one of the countries
outside_country         m is a city of none of them
======================  ====================================================
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from privrag_fast.evaluation.dataset import Condition, Document, Meaning, Question
from privrag_fast.evaluation.personas import COUNTRY_OF, DOMAINS
from privrag_fast.types import InputError

OPERATORS: Final = (
    *("at_least", "at_most", "above", "below", "between"),
    *("equals", "one_of", "none_of", "in_country", "outside_country"),
)


def holds(condition: Condition, meaning: Meaning) -> bool:
    """Whether somebody with this meaning of the attribute passes the condition.

    Raises:
        InputError: Unknown operator, or not a number where one is compared.
    """
    if condition.operator.endswith("_country"):
        # The one derivation: documents ask for a country, people name their city.
        inside = COUNTRY_OF.get(str(meaning)) in condition.values
        return inside == (condition.operator == "in_country")
    if condition.operator in ("equals", "one_of", "none_of"):
        return (meaning in condition.values) == (condition.operator != "none_of")
    return _compares(condition.operator, _number(meaning), [_number(v) for v in condition.values])


def _compares(operator: str, number: int, values: Sequence[int]) -> bool:
    match operator:
        case "at_least":
            return number >= values[0]
        case "at_most":
            return number <= values[0]
        case "above":
            return number > values[0]
        case "below":
            return number < values[0]
        case "between":
            return values[0] <= number <= values[1]
    raise InputError(f"operator {operator!r} is unknown; there are {', '.join(OPERATORS)}")


def _number(meaning: Meaning) -> int:
    if isinstance(meaning, int):
        return meaning
    raise InputError("the condition compares numbers, got a str; use one_of for words")


# --------------------------------------------------------------------------- outcomes


def consulted(document: Document) -> frozenset[str]:
    """The attributes that the document's rules read."""
    return frozenset(c.attribute for case in document.cases for c in case.conditions)


def outcome(document: Document, meanings: Mapping[str, Meaning]) -> str:
    """What the document decides for somebody.

    Raises:
        InputError: An attribute that the rules read is missing.
    """
    if missing := sorted(consulted(document) - meanings.keys()):
        raise InputError(f"{document.id} reads {', '.join(missing)}: give a meaning of each")
    for case in document.cases:
        if all(holds(c, meanings[c.attribute]) for c in case.conditions):
            return case.outcome
    return document.otherwise


def outcomes(document: Document, known: Mapping[str, Meaning]) -> frozenset[str]:
    """All outcomes that are possible where only some attributes are known."""
    unknown = sorted(consulted(document) - known.keys())
    values = [representatives(document, attribute) for attribute in unknown]
    return frozenset(
        outcome(document, {**known, **dict(zip(unknown, choice, strict=True))})
        for choice in itertools.product(*values)
    )


def answerable(document: Document, question: Question, kept: Collection[str]) -> bool:
    """Whether the kept attributes of a message fix the question's outcome.

    Always so where the question has no outcome: it touches no rule.
    """
    if not question.outcome:
        return True
    known = {
        fact.attribute: fact.meaning
        for fact in question.facts
        if fact.attribute in kept and fact.meaning is not None
    }
    return outcomes(document, known) == {question.outcome}


# --------------------------------------------------------------------------- turning points


def decisive(document: Document, meanings: Mapping[str, Meaning]) -> frozenset[str]:
    """The attributes of which some other meaning changes the outcome, the rest as it is."""
    return frozenset(a for a in consulted(document) if flip(document, meanings, a) is not None)


def flip(
    document: Document, meanings: Mapping[str, Meaning], attribute: str
) -> tuple[Meaning, str] | None:
    """The nearest meaning of an attribute that changes the outcome, and the outcome then."""
    now = outcome(document, meanings)
    for other in _by_distance(candidates(document, attribute), meanings[attribute]):
        then = outcome(document, {**meanings, attribute: other})
        if then != now:
            return other, then
    return None


def candidates(document: Document, attribute: str) -> tuple[Meaning, ...]:
    """Meanings among which every way to pass and fail the document's conditions occurs.

    Words: all of them. Numbers: both ends, and each border with its neighbors, for between two
    borders nothing changes.
    """
    named = [v for c in _conditions(document, attribute) for v in c.values]
    domain = DOMAINS.get(attribute) or _domain_like(named)
    if isinstance(domain, range):
        near = {int(v) + step for v in named for step in (-1, 0, 1)} | {domain[0], domain[-1]}
        return tuple(sorted(number for number in near if number in domain))
    derived = any(c.operator.endswith("_country") for c in _conditions(document, attribute))
    # Other data sets may name what no domain holds; a country is no city.
    return tuple(dict.fromkeys([*domain, *([] if derived else named)]))


def _domain_like(values: Sequence[Meaning]) -> Sequence[Meaning]:
    """For attributes of other data sets: any number, or a word that no rule names."""
    numbers = all(isinstance(value, int) for value in values)
    return range(-(10**9), 10**9) if numbers else ("",)


def representatives(document: Document, attribute: str) -> tuple[Meaning, ...]:
    """One meaning for each way to pass and fail the document's conditions on an attribute."""
    conditions = _conditions(document, attribute)
    found: dict[tuple[bool, ...], Meaning] = {}
    for meaning in candidates(document, attribute):
        found.setdefault(tuple(holds(c, meaning) for c in conditions), meaning)
    return tuple(found.values())


def _conditions(document: Document, attribute: str) -> list[Condition]:
    return [c for case in document.cases for c in case.conditions if c.attribute == attribute]


def _by_distance(meanings: Sequence[Meaning], own: Meaning) -> Iterator[Meaning]:
    if isinstance(own, int):
        return iter(sorted(meanings, key=lambda meaning: abs(int(meaning) - own)))
    return iter(meanings)
