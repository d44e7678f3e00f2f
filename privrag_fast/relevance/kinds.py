"""Kinds of numbers: what each is written in, what is plausible, and which words speak of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from privrag_fast.relevance import pools

Unit = Literal["money", "percent", "time", "age", "children", "bare", "none"]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a number may be of.

    Args:
        units: What a document writes it in.
        low, high: What is plausible. Income is a year; times are in months.
        cues: Words beside it; those in `weak` say less.
    """

    units: frozenset[Unit]
    low: int
    high: int
    cues: frozenset[str]
    weak: frozenset[str] = frozenset()


def _kind(units: str, low: int, high: int, cues: str = "", weak: str = "") -> Kind:
    sets = (frozenset(stem(word) for word in words.split()) for words in (cues, weak))
    return Kind(frozenset(units.split()), low, high, *sets)  # type: ignore[arg-type]


def stem(word: str) -> str:
    """The singular of a noun, roughly; a word's own form is as good where it is no noun."""
    if word in pools.IRREGULAR:
        return pools.IRREGULAR[word]
    if word == "pays":  # never what somebody earns
        return word
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "su'’" else word


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "age": _kind(
            "age bare time",
            3,
            105,
            "age aged younger youngest young birthday born adult minor reached past",
            "old older life retirement turned turn sign customer applicant people person",
        ),
        "children": _kind("children", 0, 12),
        "income": _kind(
            "money bare",
            2_000,
            2_000_000,
            "income salary wage earn earned earning gross pay",
            "paid household make taxable comes employment turnover",
        ),
        "savings": _kind(
            "money bare",
            200,
            20_000_000,
            "saving saved save asset wealth fortune reserve fund capital aside deposit balance",
            "bank own put total sum",
        ),
        "debt": _kind(
            "money bare",
            200,
            5_000_000,
            "debt owe owed owing loan repay repaid liability borrowed",
            "mortgage credit due back",
        ),
        "rent": _kind("money bare", 50, 50_000, "rent landlord lease", "flat apartment home"),
        "fee": _kind(
            "money",
            0,
            10_000_000,
            "fee cost charge price premium expense bonus grant refund discount card copy",
            "pay per free",
        ),
        "amount": _kind("money", 100, 20_000_000),
        "workload": _kind(
            "percent",
            1,
            100,
            "workload position contract hour week employment full-time part-time pensum",
            "full work job",
        ),
        "rate": _kind(
            "percent", 0, 100, "interest rate tax discount return withheld lower off refund"
        ),
        "percent": _kind("percent", 1, 100),
        "tenure": _kind(
            "time",
            1,
            720,
            "employer employed employ firm company job work worked working staff service employee",
            "stayed same business career",
        ),
        "residence": _kind(
            "time",
            1,
            1_080,
            "country land lived live living resident residence reside here arrival arrived",
            "moved stay abroad newcomer",
        ),
        "membership": _kind(
            "time",
            1,
            960,
            "customer client member membership joined belonged insured policyholder known",
            "with us account bank fund business together",
        ),
        "duration": _kind("time", 1, 1_200),
        "year": _kind("bare", 1_900, 2_099),
    }
)
LIMITS: Final = frozenset(
    re.findall(
        r"\w+",
        """least most more less fewer below under above over beyond exceed reach minimum maximum
        between older younger longer higher lower limit capped cap past until upward through""",
    )
)
"""Words beside a number that is a limit."""
FOLLOWERS: Final = (
    "or|and|to|through|on|when|at|by|it|you|your|we|in(?! the (?:morning|afternoon|evening))|as"
    "|for|are|is|may|can|will|who|with|but|up"
    "|upwards?|has|have|no|there|until|the|if|before|after|that|inclusive|already"
)
"""What follows a number that is complete: `from 38 on` is no number of things."""
