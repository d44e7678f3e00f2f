"""Which generator makes the substitutes of a label."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from privrag_fast.relevance import pools
from privrag_fast.relevance.categories import education, member, occupations, places, pooled
from privrag_fast.relevance.dates import DURATION, MONTH_NAMES
from privrag_fast.relevance.identifiers import (
    addresses,
    cards,
    companies,
    digits_mutated,
    emails,
    ibans,
    ips,
    mutated,
    names,
    phones,
    surnames,
    urls,
)
from privrag_fast.relevance.numerals import (
    NUMBER_WORD,
    PLURAL,
    SINGULAR,
    Number,
    count,
    numbers,
    recounted,
)
from privrag_fast.relevance.quantities import (
    FUNDS,
    ages,
    amounts,
    counts,
    dated,
    durations,
    measures,
    percentages,
    workloads,
)
from privrag_fast.relevance.source import TRIES, Generator, Source, split_lead


def generator(label: str) -> Generator:
    """The one for a label; for one that is unknown, by what the value looks like."""
    return _LABELS.get(re.sub(r"[\W_]+", "_", label.upper()).strip("_"), _by_shape)


def neutral(value: str, source: Source) -> Iterator[str]:
    """As many neutral words as the value has, for types of which nothing is known."""
    words = max(1, len(value.split()))
    for length in itertools.count(min(words, 6)):
        for _ in range(TRIES):
            yield " ".join(source.random.choices(pools.NEUTRAL, k=length))


def _relations(value: str, source: Source) -> Iterator[str]:
    return counts(value, source) if count(value) else pooled(pools.RELATIONS)(value, source)


def _health(value: str, source: Source) -> Iterator[str]:
    """Illnesses, those who have them, or degrees of disability."""
    if re.search(r"[0-9] ?(?:%|per ?cent)", value):
        return percentages("percent")(value, source)
    months = next(iter(numbers(value)), None)
    if months and (unit := _PREGNANT.match(value, months.end)):
        return _pregnancies(value, months, unit, source)
    if _IS_A.search(source.before + split_lead(value, pools.HEALTH)[0]):
        return pooled((pools.PATIENTS, *pools.HEALTH))(value, source)
    return pooled(pools.HEALTH, led=False)(value, source)


_PREGNANT = re.compile(r"[ -](month|week)s?[ -]pregnant\b", re.IGNORECASE)
_IS_A = re.compile(r"(?:\b(?:am|is|was|as)|['’][ms]) an? $", re.IGNORECASE)


def _pregnancies(value: str, time: Number, unit: re.Match[str], source: Source) -> Iterator[str]:
    yield f"{value[: time.start]}not pregnant{value[unit.end() :]}"
    for amount in source.shuffled(range(1, 10) if unit[1].lower() == "month" else range(4, 41, 4)):
        yield recounted(value, time, amount)


_COUNTRIES: Final = (pools.COUNTRIES, pools.COUNTRIES_WITH_ARTICLE)
_OF_COUNTRY = re.compile(r"(?:.*\b)?(?:from|of|in)\s+", re.IGNORECASE)


def _nationalities(value: str, source: Source) -> Iterator[str]:
    """Peoples; countries where one is named, or after `from`."""
    found = _OF_COUNTRY.match(value)
    lead = found[0] if found else ""
    named = lead or re.search(r"\b(?:from|of|in) (?:the )?$", source.before, re.IGNORECASE)
    if member(value, pools.NATIONALITIES) or not (named or member(value, _COUNTRIES)):
        return pooled(pools.NATIONALITIES)(value, source)
    countries = pooled(_COUNTRIES, led=False)(value[len(lead) :], source)
    return (lead + other for other in countries)


def _countries(value: str, source: Source) -> Iterator[str]:
    known = member(value, pools.PLACES)
    return places(value, source) if known else pooled(_COUNTRIES)(value, source)


def _appearance(value: str, source: Source) -> Iterator[str]:
    if re.search("[0-9]", value):
        return measures(value, source)
    return pooled(pools.APPEARANCE, led=False)(value, source)


# --------------------------------------------------------------------------- by shape

_CURRENCY = (
    r"[$€£¥₹₽₩₺]|\b(?:CHF|EUR|USD|GBP|SAR|CAD|AUD|JPY|INR|SEK|NOK|DKK|PLN)\b"
    r"|\b(?:dollars?|euros?|francs?|pounds?|bucks)\b"
)
_SHAPES: Final[tuple[tuple[str, Generator], ...]] = (
    (r"^[^\s@]+@[^\s@]+\.\w+$", emails),
    (r"^(?:https?://|www\.)", urls),
    (r"^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$", ips),
    (_CURRENCY + r"|[0-9][kK]\b", amounts(*FUNDS)),
    (r"[0-9]\s?(?:%|percent\b|per cent\b)", percentages("workload", "rate")),
    (r"\byears?[ -]old\b", ages),
    (DURATION.pattern, durations),
    (r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])", dated),
    (r"(?<![0-9])[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})(?![0-9])", dated),
    (rf"\b[0-9]{{1,2}} (?:{'|'.join(MONTH_NAMES)})\b", dated),
    (rf"\b(?:{'|'.join(MONTH_NAMES)})\.? [0-9]{{1,4}}\b", dated),
    (rf"^(?:no|[0-9]+|{NUMBER_WORD})\s+(?:\w+\s+)?(?:{'|'.join([*SINGULAR, *PLURAL])})$", counts),
    (r"^[0-9.,]+ ?(?:cm|mm|kg|lbs?|km|g|mg|mmhg|bpm|°[cf])$", measures),
    (r"^[3-7] ?(?:['’′]|ft|feet) ?(?:[0-9]|1[01])(?:[\"”″]| ?in(?:ches)?)?$", measures),
    (r"\d", digits_mutated),
)


def _by_shape(value: str, source: Source) -> Iterator[str]:
    for pattern, found in _SHAPES:
        if re.search(pattern, value, re.IGNORECASE):
            yield from found(value, source)
            return
    if (known := member(value, pools.ALL)) and known[1:] == (0, len(value)):
        yield from pooled(pools.ALL)(value, source)
    yield from itertools.islice(neutral(value, source), TRIES)


# --------------------------------------------------------------------------- by label


def _labeled(found: Generator, labels: str) -> dict[str, Generator]:
    return dict.fromkeys(labels.split(), found)


_LABELS: Final[dict[str, Generator]] = {
    **_labeled(names, "PERSON NAME FIRST_NAME FULL_NAME GIVEN_NAME"),
    **_labeled(surnames, "LAST_NAME SURNAME FAMILY_NAME"),
    **_labeled(emails, "EMAIL EMAIL_ADDRESS"),
    **_labeled(phones, "PHONE PHONE_NUMBER FAX"),
    **_labeled(ibans, "IBAN"),
    **_labeled(cards, "CARD CREDIT_CARD CARD_NUMBER CREDIT_CARD_NUMBER"),
    **_labeled(
        mutated, "SSN ID ID_NUMBER CODE ZIP ZIP_CODE POSTCODE PASSPORT LICENSE ACCOUNT TAX_ID"
    ),
    **_labeled(addresses, "ADDRESS STREET STREET_ADDRESS"),
    **_labeled(urls, "URL WEBSITE"),
    **_labeled(ips, "IP IP_ADDRESS"),
    **_labeled(ages, "AGE"),
    **_labeled(amounts("income"), "INCOME SALARY WAGE"),
    **_labeled(amounts("savings"), "SAVINGS WEALTH"),
    **_labeled(amounts("debt"), "DEBT"),
    **_labeled(amounts("rent"), "RENT"),
    **_labeled(amounts(*FUNDS), "MONEY AMOUNT FINANCE PRICE"),
    **_labeled(workloads, "WORKLOAD"),
    **_labeled(percentages("workload", "rate"), "PERCENT PERCENTAGE"),
    **_labeled(dated, "DATE DATETIME TIME DOB BIRTH_DATE DATE_OF_BIRTH BIRTHDAY YEAR"),
    **_labeled(durations, "DURATION"),
    **_labeled(counts, "CHILDREN KIDS DEPENDENTS COUNT HOUSEHOLD_SIZE"),
    **_labeled(places, "LOCATION CITY TOWN STATE REGION PLACE RESIDENCE BIRTHPLACE"),
    **_labeled(_countries, "COUNTRY"),
    **_labeled(_nationalities, "NATIONALITY CITIZENSHIP ETHNICITY RACE"),
    **_labeled(pooled((*pools.NATIONALITIES, *pools.GENDERS, pools.COUNTRIES)), "DEMOGRAPHIC"),
    **_labeled(pooled(pools.GENDERS), "GENDER SEX"),
    **_labeled(pooled(pools.MARITAL, led=False), "MARITAL_STATUS MARITAL"),
    **_labeled(_relations, "RELATIONSHIP RELATIVE FAMILY"),
    **_labeled(occupations, "OCCUPATION JOB PROFESSION JOB_TITLE EMPLOYMENT EMPLOYMENT_STATUS"),
    **_labeled(companies, "EMPLOYER ORGANIZATION ORGANISATION COMPANY WORKPLACE"),
    **_labeled(education, "EDUCATION DEGREE QUALIFICATION"),
    **_labeled(_health, "HEALTH HEALTH_CONDITION DISEASE DISABILITY"),
    **_labeled(pooled((pools.BLOOD_TYPES,)), "BLOOD_TYPE"),
    **_labeled(_appearance, "APPEARANCE HEIGHT WEIGHT"),
    **_labeled(pooled(pools.RELIGIONS, led=False), "RELIGION FAITH"),
    **_labeled(pooled(pools.POLITICS), "POLITICS POLITICAL_AFFILIATION PARTY"),
    **_labeled(pooled((*pools.RELIGIONS, *pools.POLITICS)), "BELIEF"),
    **_labeled(pooled(pools.ORIENTATIONS), "ORIENTATION SEXUAL_ORIENTATION SEXUALITY"),
    **_labeled(pooled(pools.HOUSING, led=False), "HOUSING TENURE"),
    **_labeled(pooled(pools.PETS), "PET PETS"),
    **_labeled(pooled(pools.HOBBIES), "HOBBY"),
    **_labeled(pooled(pools.LANGUAGES), "LANGUAGE"),
    **_labeled(pooled(pools.VISAS), "VISA IMMIGRATION_STATUS RESIDENCY"),
    **_labeled(pooled((pools.INDUSTRIES,)), "INDUSTRY"),
}
