"""`a` or `an`: what stands before a word agrees with it."""

from __future__ import annotations

import re

_VOWEL = re.compile(r"(?!uni|eu|one)[aeiou]|hono|hour|8|1[18]\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_DETERMINER = re.compile(r"\b(?:an?|the|my|our|his|her)\s+$", re.IGNORECASE)
_DETERMINED = re.compile(r"(?:an?|the|no|several|some|half an?)\s", re.IGNORECASE)
# Not in German ("ich leide an Asthma") nor in French ("il a 67 ans").
_ENGLISH = re.compile(r"\b(?:the|and|my|is|have|has|with|can|for|i['’]m|i am)\b", re.IGNORECASE)


def article(word: str) -> str:
    """The indefinite article of an English word."""
    return "an" if _VOWEL.match(word) else "a"


def article_before(text: str) -> str | None:
    """The article at the end of a text, in lower case; None where there is none."""
    found = _ARTICLE.search(text)
    return found and found[1].lower()


def agreeing(before: str, word: str) -> str:
    """What stands before a word, with its last article made right for it.

    A word that brings one of its own, or stands without, takes none: `no income`.
    """
    if _DETERMINED.match(word) and (own := _DETERMINER.search(before)):
        return before[: own.start()]
    found = _ARTICLE.search(before)
    if found is None:
        return before
    agreed = article(word)
    agreed = agreed.capitalize() if found[1][0].isupper() else agreed
    return before[: found.start()] + agreed + found[2]


def is_english(text: str) -> bool:
    """Whether `a` and `an` in it can be articles: it has a word that is English only."""
    return _ENGLISH.search(text) is not None
