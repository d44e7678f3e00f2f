"""What takes a value's place in a text that retrieval reads.

Whatever the style, it hangs on the value's label alone, never on the value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from privrag_fast.privacy.vault import type_name
from privrag_fast.types import InputError

Style = Literal["type", "words", "dropped"]
"""`I have HEALTH.`, `I have health condition.` or `I have.`"""

STYLES: Final[tuple[Style, ...]] = get_args(Style)

DEFAULT_STYLE: Final[Style] = "dropped"
"""What costs retrieval least, by `privrag-fast evaluate retrieval`."""

_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "PERSON": "someone",
        "LOCATION": "place",
        "MARITAL_STATUS": "family relation",
        "RELATIONSHIP": "relative",
        "OCCUPATION": "job",
        "EDUCATION": "school or course",
        "MONEY": "amount of money",
        "HEALTH": "health condition",
        "POLITICS": "political view",
        "ORIENTATION": "sexual orientation",
        "ID": "number",
        "EMAIL": "email address",
        "IBAN": "bank account",
        "CARD": "card number",
        "SSN": "social security number",
    }
)
"""Where people have other words for it than the label's own."""


def check_style(style: str) -> None:
    """Raises:
    InputError: There is no such style.
    """
    if style not in STYLES:
        raise InputError(f"a style is one of {', '.join(STYLES)}, got {style!r}")


def standing_for(label: str, style: Style) -> str:
    """What stands for every value of a label.

    >>> [standing_for("blood type", style) for style in STYLES]
    ['BLOOD_TYPE', 'blood type', '']
    """
    if style == "dropped":
        return ""
    name = type_name(label)
    return name if style == "type" else _WORDS.get(name) or name.replace("_", " ").lower()


def closed_up(text: str) -> str:
    """The text without the gaps that dropped values left: no double space, no comma before a stop.

    >>> closed_up("I'm  , aged  , from  . May I?")
    "I'm, aged, from. May I?"
    """
    return re.sub(r"(?:[^\S\n]|[,;])+(?=[,.;:?!])", "", re.sub(r"[^\S\n]+", " ", text)).strip()
