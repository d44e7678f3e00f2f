"""Words of a text with their code point offsets."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# Scripts written without spaces: one word per character.
_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff\u19e0-\u19ff"  # Khmer
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"  # CJK marks that count as letters
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3100-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U0001b000-\U0001b16f\U00020000-\U000323af"  # rarer kana and Han
)
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")

# What `_stand_in` puts for a combining mark and for a character without a glyph.
_MARK = "\u0301"
_INVISIBLE = "\x01"

# A character of a word, in scripts that write spaces between words.
LETTER = rf"[^\W{_UNSPACED}]"
_WORD = re.compile(
    rf"{LETTER}(?:{LETTER}|{_MARK})*"
    rf"(?:(?:[-_]|{_INVISIBLE}+){LETTER}(?:{LETTER}|{_MARK})*)*"
    rf"|\S{_MARK}*"
)


class Word(NamedTuple):
    """A word at `text[start:end]`, half-open, in code points.

    `text` is that slice with lone surrogates, which no tokenizer takes, replaced one for one.
    """

    start: int
    end: int
    text: str


def split_words(text: str) -> list[Word]:
    """Words and single symbols, in order; white space belongs to none.

    Splits like GLiNER's own splitter, `\\w+(?:[-_]\\w+)*|\\S`, with three differences:
    scripts that write no spaces give one word per character, a combining mark stays with its
    letter, and invisible characters (zero-width, control) do not tear a word apart.

    >>> [word.text for word in split_words("Zoë-Lu, 東京")]
    ['Zoë-Lu', ',', '東', '京']
    """
    plain = text.isascii() and text.isprintable()
    shape = text if plain else text.translate(_STAND_INS)
    readable = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return [
        Word(start, end, readable[start:end])
        for start, end in map(re.Match.span, _WORD.finditer(shape))
    ]


def is_unspaced(character: str) -> bool:
    """Whether the character belongs to a script that writes no spaces between words."""
    return _UNSPACED_CHARACTER.match(character) is not None


class _StandIns(dict[int, str]):
    """Code point -> what stands in for it; each is looked up once.

    Marks and invisible characters become uniform, one for one, which keeps the pattern short: `re`
    has no classes for Unicode categories.
    """

    def __missing__(self, code: int) -> str:
        self[code] = stand_in = _stand_in(chr(code))
        return stand_in


_STAND_INS = _StandIns()


def _stand_in(character: str) -> str:
    category = unicodedata.category(character)
    if category.startswith("M"):
        return _MARK
    if category in {"Cc", "Cf"} and not character.isspace():
        return _INVISIBLE
    return character
