"""Codes that no checksum proves: a word before them tells (`case AB 20193`), or their shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Span = tuple[int, int]
Finder = Callable[[str], Iterator[Span]]

_LINK = r"(?:[\s:.=(]|(?:is|was|are)(?!\w)|\s[-–]\s)*"
_ENDS = r"(?![\w@]|[.,:]\d|[/-]\w)"

# --------------------------------------------------------------------------- numbers of things

_THINGS = (
    r"(?<!in )cases?|re(?=:)|claims?|tickets?|orders?|polic(?:y|ies)|bookings?|reservations?"
    r"|invoices?|bills?|customers?|clients?|member(?:s|ship)?|accounts?|applications?|files?"
    r"|parcels?|shipments?|passports?|licen[cs]es?|hospital|patients?|employees?|personnel|staff"
    r"|students?|users?|chat|vouchers?|vehicles?|cars?|vans?|drive|cards?|visas?|flights?|contracts?"
    r"|complaints?|incidents?|certificates?|permits?"
)
_NUMBERS = (
    r"ref|reference|acct|a/c|emp|tracking|serial|mrn|registration|reg|plate|ifsc|swift|bic|bsb"
    r"|routing|sort code|dossier|id|\w*(?:nummer|aktenzeichen|kennzeichen)"
)
_NUMBER_WORD = r"(?:#|(?:number|num|no|nr|id|code|ending)(?!\w))"

_CODE = (
    r"(?i:[a-z]{2}\d\d ?[a-z]{3})"  # AB12 CDE
    r"|[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2} ?\d{1,4}[EH]?"  # M-AB 1234
    r"|(?!(?i:from|for|of|in|at|by|on|to|is|was|and|with|the|over|only|till|may|max) )"
    r"(?:[A-ZÄÖÜ]{1,4} (?=\d))?[A-Z0-9]{1,64}(?:[/.-][A-Z0-9]{1,64}){0,8}(?: \d{3,12}){0,4}"
)
_TOLD = re.compile(
    rf"(?<!\w)(?i:(?P<number>{_NUMBERS})|{_THINGS})(?!\w)"
    rf"(?i:{_LINK}(?P<number_word>(?:, )?{_NUMBER_WORD}{_LINK})?)#?"
    rf"(?:(?P<code>{_CODE})|(?P<word>\w{{1,64}}(?:[/.-]\w{{1,64}}){{0,8}})){_ENDS}"
)
_LEAST_LENGTH = 4
_LEAST_DIGITS = 5
_LEAST_DIGITS_OF_A_NUMBER = 3

_QUANTITY = re.compile(r"\d{1,3}[A-Za-z]{1,6}|\d+(?i:st|nd|rd|th|k|km|kg|gb|mb|tb|kwh|pcs|eur|chf)")
_DATE_OR_ROUND = re.compile(
    r"\d{1,2}[/.-](?:\d{1,2}[/.-])?(?:\d{2}|\d{4})|\d{4}[/.-](?:\d{2}|\d{4})|\d+000"
)
_UNIT = re.compile(
    r"\s?(?:[%€$£¥](?!\d)|(?:eur|usd|chf|gbp|euros?|dollars?|pounds?|francs?|miles?|kms?|kg|points?"
    r"|units?|years?|months?|weeks?|days?|hours?|minutes?|people|persons?)(?!\w))",
    re.IGNORECASE,
)


def _told_codes(text: str) -> Iterator[Span]:
    """Numbers of cases, orders, policies, plates and the like behind the word for them.

    Behind a word for a thing alone ("case", not "case no"), a code is in capitals, and digits alone
    are five or more, no round number, no date and no quantity.
    """
    for match in _TOLD.finditer(text):
        name = "code" if match["code"] else "word"
        if match["number"] or match["number_word"]:
            is_told = _is_code(match[name], least_digits=_LEAST_DIGITS_OF_A_NUMBER)
        elif match["word"] or _DATE_OR_ROUND.fullmatch(match["code"]):
            is_told = False
        else:
            is_amount = _UNIT.match(text, match.end())
            is_told = not is_amount and _is_code(match["code"], least_digits=_LEAST_DIGITS)
        if is_told:
            yield match.span(name)


def _is_code(value: str, *, least_digits: int) -> bool:
    digits = sum(c.isdigit() for c in value)
    if not any(c.isalpha() for c in value):
        return digits >= least_digits
    long_enough = sum(c.isalnum() for c in value) >= _LEAST_LENGTH
    return digits >= 2 and long_enough and not _QUANTITY.fullmatch(value)


# --------------------------------------------------------------------------- others told by a word

_BANK_CODE = (
    rf"(?i:(?:swift|bic)(?!\w){_LINK}(?:code(?!\w))?{_LINK})"
    r"([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)"
)
_PIN = (
    r"(?i:pin|passcode|password|passwort|otp|tan|cvv|cvc|security code|access code)(?!\w)"
    rf"(?i:{_LINK}(?:(?:code|number|no)(?!\w))?{_LINK})(\d{{3,8}})"
)
_USER_NAME = (
    r"(?i:user ?name|user ?id|user|login|handle|insta(?:gram)?|twitter|telegram|snap(?:chat)?|skype"
    r"|discord|tiktok)(?!\w)(?i:\s(?:id|name|handle)(?!\w))?(?:\s?[:=]\s?|\s(?i:is\s)?)"
    r"((?=\S{0,64}[^\W\d_])(?=\S{0,64}(?:[\d_]|\.\w))[\w.-]{3,64}\w)"
)
_POSTCODE = (
    rf"(?i:zip(?: ?code)?|post ?code|postal code|pin ?code|plz)(?!\w)(?i:{_LINK})"
    r"(\d{4,6}(?:-\d{3,4})?(?: [A-Z]{2})?|(?i:[a-z]{1,2}\d[a-z\d]? ?[a-z\d]{2,4}))"
)
_CARD_NUMBER = rf"(?i:cards?(?!\w){_LINK}(?:{_NUMBER_WORD}{_LINK})?)(\d(?:[ -]?\d){{11,18}})"
_CARD_ENDING = (
    r"(?i:(?:card|credit|debit|mastercard|amex|account|acct)\s(?:number\s)?(?:that\s|which\s)?"
    r"(?:ending|ends)(?:\s(?:in|with))?|last\s(?:4|four)(?:\sdigits)?(?:\sof\s(?:my|the)\scard)?)"
    rf"(?i:{_LINK})(\d{{4}})"
)

_PASSWORD = re.compile(
    r"(?<!\w)(?i:pass(?:word|wort|phrase|code|wd)|pwd?|pin)(?:(?P<colon>\s?[:=]\s?)|\s(?i:is:?\s)?)"
    r"[\"'“‘]?(?P<secret>[^\s\"'“”‘’]{4,64})(?P<end>[\"'”’.]?[ \t]*(?:\n|\Z))?"
)
_NO_WORD = re.compile(r"(?=.*[^\W\d_]).*(?:[\d$@#%&*_^+]|!.)")


def _passwords(text: str) -> Iterator[Span]:
    """What is no word, and what ends a line behind a colon."""
    for match in _PASSWORD.finditer(text):
        secret = match["secret"].rstrip(".,;:?)]}")
        ends_line = match["colon"] and match["end"] is not None
        if len(secret) >= _LEAST_LENGTH and (ends_line or _NO_WORD.match(secret)):
            yield match.start("secret"), match.start("secret") + len(secret)


# --------------------------------------------------------------------------- told by their shape

_MASKED = re.compile(r"(?<![\w*•])[\dxX*•]+(?:[ -][\dxX*•]+){0,4}(?<=\d{4})(?![\w*•])")
_MAC = (
    r"(?<![:-])((?:[\dA-Fa-f]{2}(?P<gap>[:-]))(?:[\dA-Fa-f]{2}(?P=gap)){4}[\dA-Fa-f]{2}"
    r"|(?:[\dA-Fa-f]{4}\.){2}[\dA-Fa-f]{4})"
)
_HASHED = r"#(?![A-Z]*(?:19|20)\d\d(?!\w))((?=(?:[A-Z/.-]*\d){3})(?:[/.-]?[A-Z0-9]){4,40})"
_HANDLE = re.compile(r"(?<![\w.@/])@[A-Za-z_](?:\w|\.(?=\w)){2,}")
_BRITISH_AREAS = (
    "AB|AL|BA|BB|BD|BH|BL|BN|BR|BS|BT|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|EC|EH"
    "|EN|EX|FK|FY|GL|GU|HA|HD|HG|HP|HR|HS|HU|HX|IG|IM|IP|IV|JE|KA|KT|KW|KY|LA|LD|LE|LL|LN|LS|LU|ME|MK"
    "|ML|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY"
    "|TA|TD|TF|TN|TQ|TR|TS|TW|UB|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE|[BEGLMNSW]"
)
# Not "M2 8GB" and "B1 2nd".
_BRITISH_POSTCODE = (
    rf"((?i:(?:{_BRITISH_AREAS})\d[a-z\d]? (?!1st|2nd|3rd|\dth|\d[gt]b)\d[abd-hjlnp-uw-z]{{2}}))"
)


def _masked_cards(text: str) -> Iterator[Span]:
    for match in _MASKED.finditer(text):
        if sum(c in "xX*•" for c in match[0]) >= _LEAST_LENGTH:
            yield match.span()


def _told(pattern: str) -> Finder:
    compiled = re.compile(rf"(?<!\w){pattern}{_ENDS}")
    return lambda text: (match.span(1) for match in compiled.finditer(text))


def _handles(text: str) -> Iterator[Span]:
    return (match.span() for match in _HANDLE.finditer(text))


CODES: tuple[tuple[str, Finder], ...] = (
    ("ADDRESS", _told(_POSTCODE)),
    ("ADDRESS", _told(_BRITISH_POSTCODE)),
    ("CARD", _masked_cards),
    ("CARD", _told(_CARD_NUMBER)),
    ("CARD", _told(_CARD_ENDING)),
    ("ID", _told_codes),
    ("ID", _told(_BANK_CODE)),
    ("ID", _told(_PIN)),
    ("ID", _passwords),
    ("ID", _told(_USER_NAME)),
    ("ID", _told(_MAC)),
    ("ID", _told(_HASHED)),
    ("ID", _handles),
)
"""Label and finder, the surer ones first."""
