"""How people write what they say about themselves: `CHF 4,500 a month`, `two kids`, `hypertension`.

The values are no templates: all splits share them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from privrag_fast.evaluation.dataset import Meaning
from privrag_fast.evaluation.documents import COUNTS, children, limit

ATTRIBUTE_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "former_occupation": "occupation",
        "means": "income",
        "no_children": "children",
        "no_savings": "savings",
        "no_debt": "debt",
        "good_health": "health",
        "no_religion": "religion",
        "housing_verb": "housing",
    }
)
"""Slots that are another voice of an attribute; every other slot is an attribute."""

_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "non-binary": ("non-binary person",),
        "registered partnership": ("in a registered partnership", "in a civil partnership"),
        "employed": ("employed", "in permanent employment"),
        "unemployed": ("unemployed", "out of work", "between jobs"),
        "retired": ("retired", "a pensioner"),
        "student": ("a student", "a full-time student"),
        "apprentice": ("an apprentice",),
        "homemaker": ("a homemaker",),
        "bachelor's degree": ("bachelor's degree", "bachelor's"),
        "master's degree": ("master's degree", "master's"),
        "doctorate": ("doctorate", "PhD"),
        "teacher": ("teacher", "math teacher", "primary school teacher"),
        "nurse": ("nurse", "hospital nurse"),
        "physician": ("physician", "family physician"),
        "lawyer": ("lawyer", "tax lawyer"),
        "software developer": ("software developer", "web developer"),
        "diabetes": ("diabetes", "type 2 diabetes", "type 1 diabetes"),
        "high blood pressure": ("high blood pressure", "hypertension"),
        "back pain": ("back pain", "chronic back pain"),
        "migraine": ("migraine", "chronic migraine"),
        "cancer": ("cancer", "skin cancer"),
        "heart disease": ("heart disease", "coronary heart disease"),
        "multiple sclerosis": ("multiple sclerosis", "MS"),
        "dementia": ("dementia", "early-stage dementia"),
        "Parkinson's disease": ("Parkinson's disease", "Parkinson's"),
        "Catholic": ("Catholic", "Roman Catholic"),
    }
)
_VERBS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "tenant": ("rent a flat", "live in a rented flat"),
        "homeowner": ("own a house", "own a flat"),
        "lodger": ("rent a room in a family's house", "live in lodgings"),
    }
)
_NOUNS: Final[Mapping[str, str]] = MappingProxyType({"tenant": "tenant", "homeowner": "homeowner"})
_NONE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "no_children": ("no children", "no kids"),
        "no_savings": ("no savings",),
        "no_debt": ("no debts",),
        "good_health": ("in good health", "healthy"),
        "no_religion": ("not religious", "an atheist"),
    }
)
_SYMBOLS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"CHF": ("Fr. ", "francs"), "EUR": ("€", "euros"), "GBP": ("£", "pounds")}
)


def slots(attribute: str, meanings: Mapping[str, Meaning]) -> tuple[str, ...]:
    """The voices in which somebody may say an attribute."""
    meaning = meanings[attribute]
    if attribute in ("children", "savings", "debt") and not meaning:
        return (f"no_{attribute}",)
    if attribute in ("health", "religion") and meaning == "none":
        return ("good_health" if attribute == "health" else "no_religion",)
    working = meanings["employment"] in ("employed", "self-employed")
    if attribute == "occupation" and not working:
        return ("former_occupation",)
    if attribute == "income" and not working:
        return ("means",)
    if attribute == "housing":
        return ("housing", "housing_verb") if meaning in _NOUNS else ("housing_verb",)
    return (attribute,)


def write(slot: str, meaning: Meaning, currency: str, rng: random.Random) -> str:
    """A value as somebody types it."""
    if slot in _NONE:
        return rng.choice(_NONE[slot])
    if slot == "housing_verb":
        return rng.choice(_VERBS[str(meaning)])
    if isinstance(meaning, str):
        return rng.choice(_WORDS.get(meaning, (meaning,)))
    if slot in ("tenure", "residence", "membership"):
        return _years(meaning, rng)
    if slot in ("income", "means"):
        return _income(meaning, currency, rng)
    if slot in ("savings", "debt", "rent"):
        return _amount(meaning, currency, rng)
    if slot == "children":
        return _children(meaning, rng)
    if slot == "workload":
        return rng.choice((f"{meaning}%", f"{meaning} %", f"{meaning} percent"))
    return str(meaning)


def _years(count: int, rng: random.Random) -> str:
    if count == 1:
        return rng.choice(("one year", "1 year"))
    word = COUNTS[count] if count < len(COUNTS) and rng.random() < 0.4 else str(count)
    return f"{word} years"


def _children(count: int, rng: random.Random) -> str:
    if count == 1:
        return rng.choice(("one child", "a daughter", "a son", "one kid"))
    plural = rng.choice(("children", "children", "kids"))
    return rng.choice((f"{COUNTS[count]} {plural}", f"{count} {plural}"))


def _income(amount: int, currency: str, rng: random.Random) -> str:
    if amount % 1200 == 0 and rng.random() < 0.35:
        return f"{_amount(amount // 12, currency, rng)} {rng.choice(('a month', 'per month'))}"
    return f"{_amount(amount, currency, rng)} {rng.choice(('a year', 'a year', 'per year'))}"


def _amount(amount: int, currency: str, rng: random.Random) -> str:
    symbol, word = _SYMBOLS[currency]
    mark = "'" if currency == "CHF" and rng.random() < 0.4 else ","
    number = f"{amount:,}".replace(",", mark)
    forms = [f"{currency} {number}", f"{symbol}{number}", f"{number} {word}"]
    if amount % 1000 == 0 and amount >= 10_000:
        forms.append(f"{amount // 1000}k")
    return rng.choice(forms)


# --------------------------------------------------------------------------- in documents' words

_IN_DOCUMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "woman": "a woman",
        "registered partnership": "in a registered partnership",
        "employed": "an employee",
        "unemployed": "a jobseeker",
        "retired": "a pensioner",
        "self-employed": "self-employed",
        "United Kingdom": "the United Kingdom",
        "Netherlands": "the Netherlands",
    }
)


def noted(attribute: str, meaning: Meaning, currency: str) -> str:
    """A meaning in a remark for readers: `homeowner`, `CHF 59,999 a year`."""
    if isinstance(meaning, str):
        return meaning
    text = in_documents(attribute, meaning, currency)
    return f"{text} a year" if attribute == "income" else text


def in_documents(attribute: str, meaning: Meaning, currency: str) -> str:
    """A meaning in the words of answers: `a teacher`, `CHF 60,000`, `4 years`."""
    if attribute == "children":
        return children(int(meaning))
    if attribute in ("tenure", "residence", "membership"):
        return "1 year" if meaning == 1 else f"{meaning} years"
    if attribute == "workload":
        return f"{meaning} %"
    if isinstance(meaning, int):
        return limit(attribute, meaning, currency)
    if meaning in _IN_DOCUMENTS:
        return _IN_DOCUMENTS[meaning]
    nouns = attribute in ("occupation", "education", "housing", "employment")
    return article(meaning) + meaning if nouns else meaning


def article(word: str) -> str:
    """`a ` or `an `, or nothing where one stands there already."""
    if re.match(r"(an?|in|out|between|retired|employed|unemployed) ", f"{word} "):
        return ""
    vowel = re.match(r"(?!uni|eu|one)[aeiou]|hour|mba|ms\b|8|1[18]\b", word.lower())
    return "an " if vowel else "a "
