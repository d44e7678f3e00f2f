"""Values that prove themselves: by a checksum, a numbering plan, a grammar, the calendar.

Beside them the codes of `codes.py`, which prove nothing and take what is left.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

import phonenumbers
import stdnum.ca.sin
import stdnum.ch.ssn
import stdnum.de.idnr
import stdnum.es.dni
import stdnum.es.nie
import stdnum.fr.nir
import stdnum.iban
import stdnum.it.codicefiscale
import stdnum.luhn
import stdnum.us.itin
import stdnum.us.ssn

from privrag_fast.detection.codes import CODES, Finder, Span
from privrag_fast.detection.inputs import checked_texts
from privrag_fast.types import Entity, InputError

DEFAULT_PHONE_REGIONS = ("US", "GB", "CH", "DE", "FR")

_CHECKED = 1.0  # a checksum agrees
_WELL_FORMED = 0.95  # a grammar or a numbering plan does
TOLD = 0.9  # a word before it does, or its shape

SOURCES = frozenset({"pattern", "code"})
"""Of what `Patterns` finds: by what proves itself, or by a word before it or its shape."""


class Patterns:
    """Finds e-mail addresses, phone numbers, IBANs, cards, national ids, URLs, IPs and dates.

    Also codes, passwords, user names and postcodes that a word before them or their shape tells.

    Args:
        labels: Some of `PATTERN_LABELS`; None means all.
        phone_regions: ISO countries whose national formats count as phone numbers; numbers
            with a country code (`+41 ...`) are found anyway.

    >>> Patterns().detect(["Write to nora@example.com."])
    [[Entity(start=9, end=25, label='EMAIL', score=0.95, source='pattern')]]
    """

    def __init__(
        self,
        *,
        labels: Collection[str] | None = None,
        phone_regions: Sequence[str] = DEFAULT_PHONE_REGIONS,
    ) -> None:
        self._labels = _checked_labels(labels)
        phones = _Phones(_checked_regions(phone_regions))
        self._rules = (*_RULES, _Rule("PHONE", phones, _WELL_FORMED))

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start."""
        return [self._find(text) for text in checked_texts(texts)]

    def _find(self, text: str) -> list[Entity]:
        # All rules run whatever was asked: an IBAN's digits are no phone number.
        proven = _longest_first(text, self._rules, "pattern")
        told = _longest_first(_blanked(text, proven), _TOLD_RULES, "code")
        return sorted(
            (entity for entity in (*proven, *told) if entity.label in self._labels),
            key=lambda entity: entity.start,
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    label: str
    find: Finder
    score: float


def _longest_first(text: str, rules: Sequence[_Rule], source: str) -> list[Entity]:
    """What the rules find, disjoint: the longer one wins, then the earlier rule."""
    found = [
        Entity(start, end, rule.label, rule.score, source)
        for rule in rules
        for start, end in rule.find(text)
    ]
    taken = bytearray(len(text))
    kept: list[Entity] = []
    for entity in sorted(found, key=lambda entity: entity.start - entity.end):
        if taken.find(1, entity.start, entity.end) < 0:
            taken[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
            kept.append(entity)
    return kept


def _blanked(text: str, entities: Sequence[Entity]) -> str:
    """The text with bars, which belong to no value, in place of the entities."""
    characters = list(text)
    for entity in entities:
        characters[entity.start : entity.end] = "|" * (entity.end - entity.start)
    return "".join(characters)


def _checked_labels(labels: Collection[str] | None) -> frozenset[str]:
    if labels is None:
        return frozenset(PATTERN_LABELS)
    if isinstance(labels, str) or not set(labels) <= set(PATTERN_LABELS):
        raise InputError(f"labels must be some of {', '.join(PATTERN_LABELS)}, got {labels!r}")
    return frozenset(labels)


def _checked_regions(regions: Sequence[str]) -> tuple[str, ...]:
    if isinstance(regions, str) or not set(regions) <= phonenumbers.SUPPORTED_REGIONS:
        raise InputError(f'phone_regions must be ISO codes, such as ("US", "CH"), got {regions!r}')
    return tuple(regions)


# --------------------------------------------------------------------------- building blocks


def _whole(pattern: str, is_valid: Callable[[str], bool]) -> Finder:
    """Finds matches of `pattern` (its group 1, if any) that are whole words and valid."""
    compiled = re.compile(rf"(?<![\w]){pattern}(?![\w])")

    def find(text: str) -> Iterator[Span]:
        for match in compiled.finditer(text):
            group = compiled.groups and 1
            if is_valid(match[group]):
                yield match.span(group)

    return find


def _longest(pattern: str, least: int, is_valid: Callable[[str], bool]) -> Finder:
    """Like `_whole`, for numbers whose length varies: drops groups at the end until valid."""
    compiled = re.compile(rf"(?<!\w)(?={pattern})")

    def find(text: str) -> Iterator[Span]:
        for match in compiled.finditer(text):
            start, end = match.span(1)
            for stop in range(end, start + least - 1, -1):
                if _ends_word(text, stop) and is_valid(text[start:stop]):
                    yield start, stop
                    break

    return find


def _ends_word(text: str, stop: int) -> bool:
    return text[stop - 1].isalnum() and not text[stop : stop + 1].isalnum()


def _compact(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", value).upper()


def _checksum(module: Any) -> Callable[[str], bool]:
    """The check of a `stdnum` module, given letters and digits only."""
    return lambda value: bool(module.is_valid(_compact(value)))


# --------------------------------------------------------------------------- the rules

_GAP = "[ \u00a0\u202f-]?"

_CARD_BRANDS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}"  # Visa
    r"|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|3(?:0[0-5]|[68]\d)\d{11}"  # Diners Club
    r"|6(?:011|5\d{2}|4[4-9]\d)\d{12}"  # Discover
    r"|35(?:2[89]|[3-8]\d)\d{12}"  # JCB
    r"|62\d{14,17}"  # UnionPay
    r"|(?:50(?:18|20|38)|6304|6759|676[1-3])\d{8,15}"  # Maestro
)

# HMRC's rules: letters that are never used, and prefixes that are never given out.
_NINO = (
    r"(?i:(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
    rf"{_GAP}\d\d{_GAP}\d\d{_GAP}\d\d{_GAP}[A-D])"
)
# Sex, year, month, department, commune, order, key.
_NIR = _GAP.join([r"[12]", r"\d\d", r"\d\d", r"\d[\dAB]", r"\d{3}", r"\d{3}", r"\d\d"])

# Written as North America writes numbers, whether or not the area code is given out.
_NANP = (
    r"(?<!\d[-.])(?:(?:\+?1|001)[-. ])?(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}"
    r"(?:x\d{1,5})?(?![-.]\d)"
)

_EMAIL = re.compile(
    r"[\w.!#$%&'*+^~-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+"
    r"(?:xn--[\w-]{0,58}[^\W_]|[^\W\d_]{2,63})"
)
# Without a scheme, a name under a common domain is enough; under that of a country, which may be
# a word after a full stop ("at home.it is"), a path has to follow.
_URL = re.compile(
    r"""(?<![\w])(?:(?:https?|ftp)://|www\.)[^\s<>"“”«»]+
    |(?<![\w@./+-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+
    (?:(?:com|net|org|info|biz|io|dev|app|edu|gov)(?![\w@-]|\.\w)(?:[/?#][^\s<>"“”«»]*)?
    |[a-z]{2}/[^\s<>"“”«»]*[^\W\d_][^\s<>"“”«»]*)""",
    re.IGNORECASE | re.VERBOSE,
)
_IPV4 = r"(?<!\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\.\d)"
_IPV6 = re.compile(r"(?<![\w:.])[0-9a-fA-F]{0,4}:[0-9a-fA-F:.]{1,44}(?![\w:])")

_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
_ZONE = r"(?:Z|[ ]?[+-]\d{2}:?\d{2})?"
_DATE = re.compile(
    r"(?<![\w.,/:-])"
    r"(?:(?P<year>\d{4})(?P<s>[-/.])(?P<month>\d{1,2})(?P=s)(?P<day>\d{1,2})"
    r"|(?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?P=t)(?P<late_year>\d{4}))"
    rf"(?:(?:T|[ ]|,[ ]){_TIME}{_ZONE})?"
    r"(?![\w]|[.,/:-]\d)"
)
# Whole, so that "49-89-1234" of "+49-89-1234567" is none.
_MOMENT = re.compile(
    r"(?<![\w+])(?<!\d[./:-])"
    rf"(?:(?:\d{{4}}-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-]\d{{4}})(?![./-]\d)|{_TIME})(?!\d)"
)


def _is_card(value: str) -> bool:
    digits = _compact(value)
    return bool(_CARD_BRANDS.fullmatch(digits) and stdnum.luhn.is_valid(digits))


def _is_us_ssn(value: str) -> bool:
    digits = _compact(value)
    return bool(stdnum.us.ssn.is_valid(digits) or stdnum.us.itin.is_valid(digits))


def _is_ip(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def _emails(text: str) -> Iterator[Span]:
    for match in _EMAIL.finditer(text):
        # Quotes and Markdown are legal in an address, and nearly always around it.
        start = match.end() - len(match[0].lstrip("!#$%&'*+^~-."))
        if text[start] != "@":
            yield start, match.end()


def _urls(text: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        url = _without_closing_punctuation(match[0])
        if _has_host(url):
            yield match.start(), match.start() + len(url)


def _without_closing_punctuation(url: str) -> str:
    unopened = {close: url.count(close) - url.count(open_) for open_, close in ("()", "[]", "{}")}
    end = len(url)
    while end and (url[end - 1] in ".,;:!?'*_" or unopened.get(url[end - 1], 0) > 0):
        end -= 1
        if url[end] in unopened:
            unopened[url[end]] -= 1
    return url[:end]


def _has_host(url: str) -> bool:
    try:
        host = urlsplit(url if "://" in url else f"http://{url}").hostname or ""
    except ValueError:
        return False
    return host == "localhost" or ":" in host or re.search(r"\w\.\w", host) is not None


def _ipv6(text: str) -> Iterator[Span]:
    for match in _IPV6.finditer(text):
        value = match[0].rstrip(".")
        if value.strip(":") and _is_ip(value):
            yield match.start(), match.start() + len(value)


def _dates(text: str) -> Iterator[Span]:
    for match in _DATE.finditer(text):
        if _on_calendar(match):
            yield match.span()


def _on_calendar(match: re.Match[str]) -> bool:
    if match["year"]:
        return _is_date(match["year"], match["month"], match["day"])
    a, b, year = match["a"], match["b"], match["late_year"]
    return _is_date(year, a, b) or _is_date(year, b, a)


def _is_date(year: str, month: str, day: str) -> bool:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return 1800 <= int(year) < 2200


class _Phones:
    """Numbers that the numbering plan of their country holds valid, and no moment in time.

    One with a country code need only be of a length that its plan knows.
    """

    def __init__(self, regions: Sequence[str]) -> None:
        self._regions = regions

    def __call__(self, text: str) -> Iterator[Span]:
        if sum(character.isdigit() for character in text) < 7:
            return
        text = _MOMENT.sub(lambda moment: "|" * len(moment[0]), text)
        for region in self._regions:
            yield from _dialed(text, region, phonenumbers.Leniency.VALID)
        yield from _dialed(text, None, phonenumbers.Leniency.POSSIBLE)


def _dialed(text: str, region: str | None, leniency: int) -> Iterator[Span]:
    for match in phonenumbers.PhoneNumberMatcher(text, region, leniency):
        # "(212) 736-5000" owns its parenthesis, "(212-736-5000)" does not.
        unclosed = match.raw_string.startswith("(") and ")" not in match.raw_string
        start = match.start + unclosed
        if _looks_dialed(text[start : match.end], region):
            yield start, match.end


def _looks_dialed(raw: str, region: str | None) -> bool:
    """Bare digits are mostly amounts, counters and timestamps, unless written as one dials."""
    if not raw.isdigit():
        return True
    return raw.startswith("0") or (region == "US" and len(raw) == 10)


_RULES = (
    _Rule("IBAN", _longest(rf"([A-Za-z]{{2}}\d\d(?:{_GAP}[A-Za-z0-9]){{11,30}})", 15,
                           _checksum(stdnum.iban)), _CHECKED),
    _Rule("CARD", _longest(rf"(\d(?:{_GAP}\d){{11,18}})", 12, _is_card), _CHECKED),
    _Rule("SSN", _whole(r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d\d", _checksum(stdnum.ch.ssn)),
          _CHECKED),
    _Rule("SSN", _whole(rf"[1-9]\d{_GAP}\d{{3}}{_GAP}\d{{3}}{_GAP}\d{{3}}",
                        _checksum(stdnum.de.idnr)), _CHECKED),
    _Rule("SSN", _whole(_NIR, _checksum(stdnum.fr.nir)), _CHECKED),
    _Rule("SSN", _whole(r"[A-Z]{6}[\dL-NP-V]{2}[A-Z][\dL-NP-V]{2}[A-Z][\dL-NP-V]{3}[A-Z]",
                        _checksum(stdnum.it.codicefiscale)), _CHECKED),
    _Rule("SSN", _whole(r"\d{8}-?[A-Z]", _checksum(stdnum.es.dni)), _CHECKED),
    _Rule("SSN", _whole(r"[XYZ]-?\d{7}-?[A-Z]", _checksum(stdnum.es.nie)), _CHECKED),
    _Rule("SSN", _whole(r"\d{3}-\d{3}-\d{3}", _checksum(stdnum.ca.sin)), _CHECKED),
    _Rule("SSN", _whole(r"\d{3}[- ]\d\d[- ]\d{4}", _is_us_ssn), _WELL_FORMED),
    _Rule("SSN", _whole(r"(?i:ssn|social security(?: number| no)?)(?: is)?[ .:#]*(\d{9})",
                        _is_us_ssn), _WELL_FORMED),
    _Rule("SSN", _whole(_NINO, lambda value: True), _WELL_FORMED),
    _Rule("PHONE", _whole(_NANP, lambda value: True), _WELL_FORMED),
    _Rule("EMAIL", _emails, _WELL_FORMED),
    _Rule("URL", _urls, _WELL_FORMED),
    _Rule("IP", _whole(_IPV4, _is_ip), _WELL_FORMED),
    _Rule("IP", _ipv6, _WELL_FORMED),
    _Rule("DATE", _dates, _WELL_FORMED),
)  # fmt: skip

_TOLD_RULES = tuple(_Rule(label, find, TOLD) for label, find in CODES)

PATTERN_LABELS = tuple(dict.fromkeys(rule.label for rule in (*_RULES, *_TOLD_RULES)))
