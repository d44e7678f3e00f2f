"""Further mentions of a found value: a model that sees one must not miss the next."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import normalize

from privrag_fast.detection.words import LETTER, is_unspaced
from privrag_fast.types import Entity

# Common words that a detector may take for a value once; covering them all would cost the
# message its meaning and hide nobody.
_FUNCTION_WORDS = frozenset(
    """
    a am an and are as at be by can do for from had has have i if in is it its me mine my no
    not of on or our so that the their them they this to us was we were what who with would
    yes you your
    """.split()  # noqa: SIM905
)
# Names too: only in lower case are they the common word.
_WORDS_AND_NAMES = frozenset({"may", "will"})
_NAME_PARTICLES = frozenset(
    """
    van von der den de del della di da dos la le bin ibn jr sr dr mr mrs ms ii iii iv
    """.split()  # noqa: SIM905
)
_LEAST_NAME_PART = 3
_UNICODE_FORMS: Final = ("NFC", "NFD")
_MARKS = "\u0300-\u036f"
_CURRENCY = "$€£¥"
_TOKEN = re.compile(rf"{LETTER}+|\S")


def find_repeats(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """The entities and, in the gaps between them, the other mentions of their values.

    A mention is a whole word in a form that means the same value, composed or decomposed:

    - several words, or letters with digits: in any case, any white space between the words;
    - one word: as found or more capitalized ("diabetes" also as "Diabetes", never "May" as
      "may"); one in capitals also capitalized;
    - one or two characters, or digits alone: exactly as found, and no part of a larger number,
      a price or a percentage ("67" in "67-year-old", not in "67.5", "$67" or "67 %");
    - a single letter and a function word: never;
    - each capitalized part of a person's name, from three letters: "Nora" and "Lind" of "Nora
      Lind"; not "Will" of "Will Smith", which starts many a question.

    Where only a part of a mention was found, it is widened: "Frankfurt" to "Frankfurt am Main".

    Args:
        entities: Disjoint, sorted by start; so is the result.
    """
    found = list(entities)
    tokens = _Tokens(text)
    for value, entity in _values(text, entities):
        starts = tokens.starts(value)
        if all(entity.start <= start < entity.end for start in starts):
            continue  # spares a pattern of its own
        for match in _matches(_mentions(value), text, starts):
            mention = Entity(*match.span(), entity.label, entity.score, "repeat")
            first = bisect_right(found, mention.start, key=lambda own: own.end)
            last = bisect_left(found, mention.end, key=lambda own: own.start)
            if all(_is_part(own, mention) for own in found[first:last]):
                found[first:last] = [mention]
    return found


class _Tokens:
    """The words and symbols of a text: a value is matched beside its rarest one alone, so that
    many values in a long text take no time that grows with both.
    """

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._places: dict[str, list[int]] = {}
        for place, token in enumerate(_TOKEN.finditer(text)):
            self._starts.append(token.start())
            self._places.setdefault(_folded(token[0]), []).append(place)

    def starts(self, value: str) -> list[int]:
        """Where mentions of `value` may start, in order."""
        found: set[int] = set()
        for form in {tuple(map(_folded, _TOKEN.findall(form))) for form in _capitalized(value)}:
            places = [self._places.get(token, []) for token in form]
            rarest = min(range(len(form)), key=lambda i: len(places[i]))
            found.update(self._starts[i - rarest] for i in places[rarest] if i >= rarest)
        return sorted(found)


def _folded(token: str) -> str:
    """Equal for all that `re.IGNORECASE` takes for equal."""
    return token.casefold().replace("i\u0307", "i").replace("ı", "i")


def _matches(pattern: re.Pattern[str], text: str, starts: Sequence[int]) -> Iterator[re.Match[str]]:
    """What `pattern.finditer(text)` gives, given all places where a match may start."""
    end = 0
    for start in starts:
        match = pattern.match(text, start) if start >= end else None
        if match:
            yield match
            end = match.end()


def _is_part(entity: Entity, mention: Entity) -> bool:
    """Of the same type, within the mention and shorter."""
    within = mention.start <= entity.start and entity.end <= mention.end
    shorter = entity.end - entity.start < mention.end - mention.start
    return entity.label == mention.label and within and shorter


def _values(text: str, entities: Sequence[Entity]) -> list[tuple[str, Entity]]:
    """What to look for, longest first; a value of two labels goes to the surer one."""
    values: dict[str, Entity] = {}
    for entity in sorted(entities, key=lambda entity: -entity.score):
        for value in _forms(text, entity):
            if _is_telling(value):
                for written in (value, *(normalize(form, value) for form in _UNICODE_FORMS)):
                    values.setdefault(written, entity)
    return sorted(values.items(), key=lambda item: (-len(item[0]), item[0]))


def _forms(text: str, entity: Entity) -> Iterator[str]:
    value = entity.value(text).strip()
    yield value
    if entity.label == "PERSON":
        yield from filter(_is_name_part, re.split(r"[\s.,]+", value))


def _is_name_part(part: str) -> bool:
    long_enough = len(part) >= _LEAST_NAME_PART and part[0].isupper()
    return long_enough and part.casefold() not in _NAME_PARTICLES | _WORDS_AND_NAMES


def _is_telling(value: str) -> bool:
    if len(value) == 1:
        return value.isdigit()
    # "US" is a country, "us" and "Us" are not.
    if value in _WORDS_AND_NAMES or (value.casefold() in _FUNCTION_WORDS and not value.isupper()):
        return False
    return any(c.isalnum() for c in value)


def _mentions(value: str) -> re.Pattern[str]:
    words = value.split()
    if len(words) > 1 or _mixes_letters_and_digits(value):
        body = r"\s+".join(map(re.escape, words))
        return _bounded(f"(?i:{body})", value)
    return _bounded("|".join(map(re.escape, _capitalized(value))), value)


def _mixes_letters_and_digits(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _capitalized(value: str) -> list[str]:
    forms = [value]
    if len(value) > 2:
        forms.append(value.upper())
        if value.islower() or (value.isupper() and len(value) > 3):
            forms.append(value.capitalize())
    return list(dict.fromkeys(forms))


def _bounded(body: str, value: str) -> re.Pattern[str]:
    """`body` as a whole word; numbers as whole numbers. Unspaced scripts have no such bounds."""
    before = after = ""
    if _is_letter(value[0]):
        before = r"(?<!\w)"
    if value[0].isdigit():
        before += rf"(?<!\d[.,:/-])(?<![{_CURRENCY}])(?<![{_CURRENCY}]\s)"
    if _is_letter(value[-1]):
        after = rf"(?![\w{_MARKS}])"
    if value[-1].isdigit():
        after += rf"(?![.,:/-]\d)(?!\s?[%{_CURRENCY}])"
    return re.compile(f"{before}(?:{body}){after}")


def _is_letter(character: str) -> bool:
    return re.match(r"\w", character) is not None and not is_unspaced(character)
