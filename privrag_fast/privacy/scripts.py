"""Which script a language is written in, and which words are written in another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import Final

_LANGUAGES_OF: Final = {
    "LATIN": "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv ms mt nl no pl"
    " pt ro sk sl sq sv sw tl tr uz vi",
    "CYRILLIC": "be bg kk ky mk mn ru sr tg uk",
    "GREEK": "el",
    "ARABIC": "ar fa ur",
    "HEBREW": "he yi",
    "DEVANAGARI": "hi mr ne",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "ETHIOPIC": "am",
    "HANGUL": "ko",
    "CJK": "ja zh",
    "HIRAGANA KATAKANA": "ja",
}


def _scripts() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for scripts, languages in _LANGUAGES_OF.items():
        for language in languages.split():
            found.setdefault(language, set()).update(scripts.split())
    return {language: frozenset(scripts) for language, scripts in found.items()}


SCRIPTS: Final = _scripts()
"""ISO 639-1 code -> scripts, by the first word of their letters' Unicode names."""

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])+")


def unread(text: str, languages: Collection[str]) -> list[tuple[int, int]]:
    """Spans of words of two letters or more with a letter in a script of none of the languages.

    >>> unread("Ich heiße Нина", ["de"])
    [(10, 14)]
    """
    if text.isascii() and any("LATIN" in SCRIPTS[language] for language in languages):
        return []
    scripts = frozenset().union(*(SCRIPTS[language] for language in languages))
    return [
        word.span()
        for word in _WORD.finditer(text)
        if any(c.isalpha() and _script(c) not in scripts for c in word[0])
    ]


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ")
    return name.split(" ")[0].partition("-")[0]
