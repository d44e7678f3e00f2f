"""The slow twin of the restorer: csrc/placeholders.h as regular expressions."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

_FOLDS = {c: c - 0xFEE0 for c in range(0xFF01, 0xFF5F)} | {
    zero + digit: 0x30 + digit for zero in (0x0660, 0x06F0, 0x0966) for digit in range(10)
}
_PADDING = " _*`\u00a0\u202f\u200b\u200c\u200d\u2060\ufeff"
_PAD = f"[{re.escape(_PADDING)}]{{0,4}}"
_GLUE = rf"[{re.escape(_PADDING)}\-\\\u2010-\u2014]"
_GAP = "[ \\-\u00a0\u202f\u2010\u2011]"
_SQUARE = ["[]", "【】", "〔〕", "〖〗", "⟦⟧"]
_OTHER = ["{}", "<>", "«»", "»«", "‹›", "›‹", "「」", "『』", "《》", "〈〉", "⟨⟩"]
_NUMBER = "[1-9][0-9]{0,5}(?![0-9])"
_END = r"(?![A-Za-z0-9_]|\\_)"
_SPACED_END = rf"{_END}(?!%|[.,:/'’–\-][0-9])"


def restore(text: str, values: Mapping[str, str]) -> str:
    """The text with the values of `LABEL_1` and the like."""
    folded = text.translate(_FOLDS)
    labels = sorted({name.rpartition("_")[0] for name in values}, key=len, reverse=True)
    pieces, at = [], 0
    while at < len(text):
        for label in labels:
            if span := _find(folded, at, label, values):
                start, end, value = span
                pieces += text[at:start], value
                at = end
                break
        else:
            pieces.append(text[at])
            at += 1
    return "".join(pieces)


def _find(text: str, at: int, label: str, values: Mapping[str, str]) -> tuple[int, int, str] | None:
    for pattern in _patterns(label):
        if match := pattern.match(text, at):
            number = re.findall("[0-9]+", match["replaced"])[-1]
            if value := values.get(f"{label}_{number}"):
                return *match.span("replaced"), value
    return None


@functools.cache
def _patterns(label: str) -> list[re.Pattern[str]]:
    words = label.split("_")
    capitals = list(map(re.escape, words))
    title = [re.escape(w[0]) + "".join(re.escape(_lower(label, c)) for c in w[1:]) for w in words]
    any_case = [
        "[\\-\u2010\u2011]?".join(f"[{re.escape(c)}{re.escape(_lower(label, c))}]" for c in word)
        for word in words
    ]
    least = 1 if label[-1] in "0123456789" else 0
    loose = f"{_GLUE}{{1,4}}".join(any_case) + f"{_GLUE}{{{least},4}}{_NUMBER}"
    exact = "_".join([*capitals, _NUMBER])
    plain = "|".join(r"\\?_".join([*form, _NUMBER]) for form in (capitals, title))
    gap = rf"(?:\\?_|{_GAP})" if label != label.lower() else r"\\?_"
    spaced = gap.join([*capitals, _NUMBER])
    squares = [tuple(map(re.escape, pair)) for pair in _SQUARE]
    others = [tuple(re.escape(c) * depth for c in pair) for depth in (2, 1) for pair in _OTHER]
    enclosed = [
        *(rf"\\{a}{_PAD}{loose}{_PAD}\\{b}" for a, b in squares),
        *(rf"(?<![A-Za-z0-9]){a}{_PAD}{loose}{_PAD}\\?{b}" for a, b in squares),
        *(rf"(?<=[A-Za-z0-9]){a}{exact}{b}" for a, b in squares),
        *(rf"{a}{_PAD}(?:{plain}|{spaced}){_PAD}{b}" for a, b in others),
    ]
    return [re.compile(f"(?P<replaced>{'|'.join(enclosed)})")] + [
        re.compile(rf"(?<![A-Za-z0-9_])(?P<around>_{{0,3}})(?P<replaced>{form})(?P=around){end}")
        for form, end in ((plain, _END), (spaced, _SPACED_END))
    ]


def _lower(label: str, character: str) -> str:
    lower = label.lower()
    comes_back = lower.upper() == label and len(lower) == len(label)
    return character.lower() if comes_back else character
