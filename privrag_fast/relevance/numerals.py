"""Numbers in a text, and other numbers written the same way: `54'000`, `two kids`, `12,34,567`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from privrag_fast.relevance import pools

_DIGITS = r"[0-9]+(?:['’ \u00a0\u202f][0-9]{3}(?![0-9])|[.,][0-9]+)*"
NUMBER_WORD = "|".join([*pools.SMALL_NUMBERS, *pools.TENS, "hundred", *pools.SCALES])
_BIG = "|".join(["hundred", *pools.SCALES])
# "million" alone is no number: it belongs to the digits before it, as in "2.5 million".
_FIRST = rf"(?:half a|an?) (?=(?:{_BIG})\b)|{'|'.join([*pools.SMALL_NUMBERS, *pools.TENS])}"
# What is looked ahead for only saves time: the first letters of number words.
_WORDS = rf"\b(?=[aefhnostz])(?:{_FIRST})(?:(?:[ -]| and |(?<= ))(?:{NUMBER_WORD}))*\b"
_NUMBER = re.compile(rf"(?P<digits>{_DIGITS})|(?P<words>{_WORDS})", re.IGNORECASE)
_WORD_VALUES = {
    **{word: number for number, word in enumerate(pools.SMALL_NUMBERS)},
    **{word: 10 * tens for tens, word in enumerate(pools.TENS, start=2)},
}


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text, and how it is written.

    Args:
        decimals: Digits after the point.
        group: What separates thousands, "" if nothing; None for a number in words.
        sizes: Digits per group from the right; the last size repeats.
    """

    start: int
    end: int
    amount: Decimal
    decimals: int = 0
    group: str | None = ""
    point: str = "."
    sizes: tuple[int, ...] = (3,)

    def written(self, amount: Decimal) -> str:
        if self.group is None:
            return spelled(int(amount))
        whole, _, fraction = f"{amount:.{self.decimals}f}".partition(".")
        return _grouped(whole, self.group, self.sizes) + (self.point + fraction if fraction else "")

    def rounded(self, amount: Decimal) -> Decimal:
        """To as many digits as the original shows, two at least; one for a number in words."""
        shown = str(int(self.amount.scaleb(self.decimals))).rstrip("0")
        digits = 1 if self.group is None else max(2, len(shown))
        step = Decimal(1).scaleb(max(amount.adjusted() - digits + 1, -self.decimals))
        return max((amount / step).to_integral_value(ROUND_HALF_EVEN), Decimal(1)) * step


def numbers(text: str, *, grouped: bool = True) -> list[Number]:
    """The numbers of a text; without `grouped`, `1.234` is a little more than one."""
    return [
        _from_digits(match, grouped) if match["digits"] else _from_words(match)
        for match in _NUMBER.finditer(text)
    ]


def _from_digits(match: re.Match[str], grouped: bool) -> Number:
    parts = re.split(r"([^0-9])", match[0])
    marks, digits = parts[1::2], parts[0::2]
    decimal = bool(marks) and marks[-1] in ".," and _is_point(marks, digits, grouped)
    whole, fraction = (digits[:-1], digits[-1]) if decimal else (digits, "")
    group = next(iter(marks[:-1] if decimal else marks), "")
    amount = Decimal("".join(whole) + ("." + fraction if fraction else ""))
    point = marks[-1] if decimal else "," if group == "." else "."
    sizes = (3, 2) if len(whole) > 2 and len(whole[-2]) == 2 else (3,)
    return Number(*match.span(), amount, len(fraction), group, point, sizes)


def _is_point(marks: list[str], digits: list[str], grouped: bool) -> bool:
    if len(marks) > 1:
        return marks[-1] != marks[-2]
    return not grouped or len(digits[-1]) != 3 or len(digits[0]) > 3 or digits[0].startswith("0")


def _from_words(match: re.Match[str]) -> Number:
    total = current = 0
    for word in re.findall(r"[a-z]+", match[0].lower()):
        if word in pools.SCALES:
            total, current = total + (current or 1) * pools.SCALES[word], 0
        elif word == "hundred":
            current = (current or 1) * 100
        else:
            current += _WORD_VALUES.get(word, 0)
    whole = Decimal(total + current)
    return Number(*match.span(), whole / 2 if match[0].startswith("half") else whole, group=None)


def spelled(number: int) -> str:
    if number < 20:
        return pools.SMALL_NUMBERS[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return pools.TENS[tens - 2] + (f"-{spelled(rest)}" if rest else "")
    units = {"hundred": 100, **pools.SCALES}
    name, size = max(
        (pair for pair in units.items() if pair[1] <= number), key=lambda pair: pair[1]
    )
    many, rest = divmod(number, size)
    return f"{spelled(many)} {name}" + (f" {spelled(rest)}" if rest else "")


def _grouped(whole: str, group: str, sizes: tuple[int, ...]) -> str:
    if not group:
        return whole
    pieces: list[str] = []
    widths = itertools.chain(sizes, itertools.repeat(sizes[-1]))
    while whole:
        width = next(widths)
        pieces.insert(0, whole[-width:])
        whole = whole[:-width]
    return group.join(pieces)


def with_numbers(text: str, found: Sequence[Number], new: Callable[[Number], Decimal]) -> str:
    pieces: list[str] = []
    end = 0
    for number in found:
        pieces += text[end : number.start], number.written(new(number))
        end = number.end
    return "".join([*pieces, text[end:]])


def to(amount: Decimal) -> Callable[[Number], Decimal]:
    return lambda _: amount


def by(difference: int) -> Callable[[Number], Decimal]:
    return lambda number: max(number.amount + difference, Decimal(1))


def times(factor: Decimal) -> Callable[[Number], Decimal]:
    return lambda number: number.rounded(number.amount * factor)


def is_year(number: Number) -> bool:
    return number.group == "" and not number.decimals and 1900 <= number.amount <= 2099


SINGULAR = {
    **{many: one for one, many in pools.IRREGULAR.items()},
    **{f"{one}s": one for one in pools.REGULAR},
}
PLURAL = {one: many for many, one in SINGULAR.items()}
_NOUN = re.compile(
    rf"\b(?:{'|'.join(sorted([*SINGULAR, *PLURAL], key=len, reverse=True))})\b", re.IGNORECASE
)


def recounted(text: str, number: Number, amount: int, written: str | None = None) -> str:
    """The text with another count, and the noun after it in the number that this needs."""
    before, after = text[: number.start], text[number.end :]
    noun = None if after.startswith("-") else _NOUN.search(after)
    if noun:
        forms = SINGULAR if amount == 1 else PLURAL
        agreed = forms.get(noun[0].lower(), noun[0])
        after = after[: noun.start()] + agreed + after[noun.end() :]
    return before + (number.written(Decimal(amount)) if written is None else written) + after


_COUNT = re.compile(
    rf"(?P<none>\bno\b)|(?P<one>\ban?\b(?=\s+(?:\w+\s+)?(?:{'|'.join(PLURAL)})\b))", re.IGNORECASE
)


def count(value: str) -> Number | None:
    """The first number; `no` is none of a thing, and `a` one of it."""
    if word := _COUNT.search(value):
        return Number(*word.span(), Decimal(0 if word["none"] else 1), group=None)
    return next(iter(numbers(value)), None)
