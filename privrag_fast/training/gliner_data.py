"""Training data of the detector: concepts, readers of public sets, a seeded message generator.

A *concept* is what a span is (``age``); a *label* is a string that a user may ask for it with
("age in years"). Rows join the two late, in :func:`sample_row`, so that one message is seen under
many labels. Nothing here imports torch.
"""

from __future__ import annotations

import csv
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypedDict

from faker import Faker

from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.training import gliner_phrases as phrases

WORD: Final = re.compile(r"\w+(?:[-_]\w+)*|\S")  # the word splitter of GLiNER's runtime
MAX_WIDTH: Final = 12  # words in a span
MAX_WORDS: Final = 90  # words in a training crop
CAPID_DEV_PERCENT: Final = 7  # of CAPID's train rows, kept out of training
DEV_SEED_OFFSET: Final = 10_000  # dev messages come from another seed and other templates


@dataclass(frozen=True, slots=True)
class Concept:
    """What a span is, with label strings for training and strings that are never trained."""

    trained: tuple[str, ...]
    held_out: tuple[str, ...] = ()


def _concept(trained: str, held_out: str = "") -> Concept:
    return Concept(tuple(trained.split("|")), tuple(filter(None, held_out.split("|"))))


# The first trained string of a concept is drawn most often.
CONCEPTS: Final[Mapping[str, Concept]] = {
    "name": _concept(
        "name|person|person name|full name|first name or surname|name of a person|"
        "people mentioned|human name|surname|who is meant",
        "individual|customer name",
    ),
    "age": _concept(
        "age|person's age|age in years|how many years old the person is|years of age|"
        "person's age in years",
        "how old",
    ),
    "gender": _concept(
        "gender|sex|gender identity|gender of the person|man or woman", "male or female"
    ),
    "city": _concept(
        "city|city of residence|city or village|name of a city|home city", "town|municipality"
    ),
    "country": _concept(
        "country|country of residence|name of a country|country of origin",
        "nation|state or country",
    ),
    "location": _concept(
        "location|place|place of residence|geographic location|city or country|"
        "where someone lives|place name|geopolitical entity|region or city",
        "whereabouts|area",
    ),
    "address": _concept(
        "address|street address|postal address|home address|street and house number|full address|"
        "where letters are sent",
        "mailing address|residential address",
    ),
    "zip": _concept("zip code|postcode|postal code|postal area code", "zip|post code number"),
    "email": _concept("email|email address|e-mail", "mail address|electronic mail"),
    "phone": _concept("phone number|telephone|mobile number|phone", "contact number|cell phone"),
    "dob": _concept("date of birth|birth date|birthday|when the person was born", "born on|dob"),
    "datetime": _concept(
        "date|datetime|date or time|date_time|day, month or year|point in time|calendar date|"
        "when it happened",
        "timestamp|day or hour",
    ),
    "marital": _concept(
        "marital status|relationship status|civil status|whether the person is married",
        "married or single|family status",
    ),
    "children": _concept(
        "number of children|children|kids|how many children the person has",
        "dependants|how many kids",
    ),
    "relationship": _concept(
        "relationship|family member|family relationship|relative|partner or relative|"
        "family relation|spouse, child or parent",
        "kinship|family tie",
    ),
    "occupation": _concept(
        "occupation|job|profession|job title|what the person does for a living|employment status|"
        "role at work|trade",
        "line of work|career",
    ),
    "employer": _concept(
        "employer|workplace|company the person works for|name of the employer|"
        "organization where someone is employed",
        "place of work|current firm",
    ),
    "organization": _concept(
        "organization|organisation|company|institution|name of an organization|company name|firm|"
        "agency or authority|organized group",
        "business|corporate body",
    ),
    "authority": _concept("public authority|government office|authority", "state agency"),
    "income": _concept(
        "income|salary|annual income|earnings|how much the person earns|yearly salary|"
        "monthly income",
        "pay|wage",
    ),
    "amount": _concept(
        "amount of money|amount|sum of money|money|savings or debt", "monetary value|cash sum"
    ),
    "finance": _concept(
        "finance|financial information|financial detail|income, savings or debt",
        "money matter|financial situation",
    ),
    "account": _concept("account number|bank account number|bank account", "acct number"),
    "card": _concept(
        "credit card number|card number|payment card|credit card", "debit card number|bank card"
    ),
    "iban": _concept("iban|iban code|iban number", "international bank account number"),
    "ssn": _concept(
        "social security number|ssn|national insurance number", "social insurance id|tax id"
    ),
    "license": _concept(
        "driver license number|driving licence|driver license", "driving permit number"
    ),
    "ip": _concept("ip address|ip", "internet address"),
    "url": _concept("url|website|domain name|web address", "link|web page"),
    "username": _concept("username|user name|handle|social media account", "login|nickname"),
    "code": _concept(
        "id number|code|identifier|identification code|customer or passport number",
        "unique identifier|reference number",
    ),
    "health": _concept(
        "health condition|health|medical condition|illness|disease|illness or disability|"
        "medical problem|state of health|symptom or disorder",
        "diagnosis|ailment",
    ),
    "medication": _concept("medication|drug|medicine the person takes", "prescription"),
    "education": _concept(
        "education|educational background|degree or school|level of education|schooling|studies",
        "academic background|qualification",
    ),
    "degree": _concept(
        "degree|education degree|diploma", "academic degree|university qualification"
    ),
    "nationality": _concept(
        "nationality|citizenship|nationality of the person", "national origin|citizen of"
    ),
    "demographic": _concept(
        "demographic|demographic group|ethnicity or nationality|ethnicity",
        "national or ethnic group|origin",
    ),
    "religion": _concept(
        "religion|faith|religious belief|religion of the person", "religious affiliation|creed"
    ),
    "politics": _concept(
        "political affiliation|political view|political opinion", "political leaning"
    ),
    "belief": _concept(
        "belief|religious or political belief|religion or politics", "ideology|conviction"
    ),
    "orientation": _concept(
        "sexual orientation|sexuality|sexual preference|whom the person loves",
        "orientation|gay or straight",
    ),
    "appearance": _concept(
        "appearance|physical appearance|height or weight|physical attribute|blood type or looks",
        "body feature|looks",
    ),
    "pet": _concept("pet|animal|pet of the person", "companion animal"),
    "hobby": _concept("hobby|leisure activity|interest", "pastime"),
    "language": _concept("language|language spoken|mother tongue", "spoken tongue"),
    "vehicle": _concept("vehicle|car|car model", "automobile"),
    "product": _concept("product|product name|bank product", "name of an offer"),
}

TRAINED_LABELS: Final = frozenset(label for c in CONCEPTS.values() for label in c.trained)
HELD_OUT_LABELS: Final = frozenset(label for c in CONCEPTS.values() for label in c.held_out)
_CONCEPT_OF: Final = {label: name for name, c in CONCEPTS.items() for label in c.trained}
DEFAULT_CONCEPTS: Final[Mapping[str, str]] = {
    label: _CONCEPT_OF[label] for label in DEFAULT_LABELS.values()
}

# A span of the key may well be called by the value too although it is not annotated so. Such a
# concept is a fair negative only where the key itself is asked for in the same row.
ARGUABLE: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(others.split())
    for name, others in {
        "income": "amount",
        "address": "location city country zip",
        "zip": "code location address",
        "marital": "relationship",
        "children": "relationship",
        "health": "medication",
        "medication": "health",
        "phone": "code",
        "email": "code",
        "card": "account code",
        "iban": "account code",
        "ssn": "code",
        "ip": "code url",
        "url": "code",
        "username": "name code",
        # Where nobody asks for organizations, one may be taken for what it is called like.
        "organization": "employer name location city",
        "authority": "organization",
        "demographic": "nationality",
        "vehicle": "product",
        "language": "nationality demographic",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Span:
    """Words ``first..last`` (inclusive) of an example and the concepts that they are."""

    first: int
    last: int
    concepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class CharSpan:
    """Characters ``[start, end)`` of a text and their one gold type."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Example:
    """A message with its spans and the concepts that are known to be absent elsewhere in it."""

    source: str
    text: str
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    chars: tuple[CharSpan, ...]
    negatives: tuple[str, ...]


class Row(TypedDict):
    """One row in GLiNER's training format."""

    tokenized_text: list[str]
    ner: list[tuple[int, int, str]]
    ner_labels: list[str]


def split_words(text: str) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    """Words of a text and the characters ``[start, end)`` of each."""
    found = list(WORD.finditer(text))
    return tuple(m.group() for m in found), [m.span() for m in found]


def _words_of(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    inside = [i for i, (a, b) in enumerate(offsets) if b > start and a < end]
    return (inside[0], inside[-1]) if inside else None


def make_example(
    source: str,
    text: str,
    spans: Iterable[tuple[int, int, frozenset[str], str]],
    negatives: Iterable[str],
) -> Example:
    """Example from character spans ``(start, end, concepts, gold type)``."""
    words, offsets = split_words(text)
    found: list[Span] = []
    chars: list[CharSpan] = []
    for start, end, concepts, type_ in spans:
        at = _words_of(offsets, start, end)
        if at is None:
            continue
        found.append(Span(at[0], at[1], concepts))
        chars.append(CharSpan(start, end, type_))
    return Example(source, text, words, tuple(found), tuple(chars), tuple(sorted(set(negatives))))


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# ---------------------------------------------------------------------------- CAPID

CAPID_CONCEPTS: Final[Mapping[str, str]] = {
    "health": "health",
    "demographic": "demographic",
    "occupation": "occupation",
    "finance": "finance",
    "age": "age",
    "organization": "organization",
    "education": "education",
    "relationship": "relationship",
    "location": "location",
    "sexual orientation": "orientation",
    "belief": "belief",
    "datetime": "datetime",
    "appearance": "appearance",
    "code": "code",
    "name": "name",
}
_CAPID_LABEL: Final = {concept: label for label, concept in CAPID_CONCEPTS.items()}

# Concepts that CAPID's annotators put under a broader type: unknown where that type occurs.
_CAPID_HIDDEN: Final[Mapping[str, tuple[str, ...]]] = {
    "demographic": ("nationality", "gender"),
    "finance": ("income", "amount"),
    "organization": ("employer",),
    "relationship": ("marital", "children", "gender"),
    "belief": ("religion", "politics"),
    "education": ("degree",),
    "code": ("email", "phone", "iban", "card", "ssn", "ip", "url", "account", "license", "address"),
    "location": ("address", "city", "country"),
    "orientation": ("gender",),
    "health": ("medication",),
    "datetime": ("dob",),
    "age": ("dob",),
    "name": (),
    "occupation": (),
    "appearance": ("gender",),
}

_RELIGIONS: Final = _word_set(
    "catholic catholicism judaism hinduism atheist jewish muslim islam christian christianity "
    "buddhist buddhism sikh hindu agnostic protestant orthodox spiritual sikhism jain taoist "
    "taoism baha mormon"
)
_PARTIES: Final = _word_set(
    "conservative liberal socialist progressive libertarian centrist independent moderate "
    "republican democrat anarchist communist nationalist green"
)
_MARITAL: Final = _word_set(
    "married divorced widowed single separated engaged unmarried widow widower remarried"
)
_COUNT_OF_CHILDREN: Final = re.compile(
    r"(?:\d+|one|two|three|four|five|six|no)\s(?:\w+\s)?(?:kids?|children|child|sons?|daughters?)"
)
_MONEY: Final = re.compile(r"[$€£¥₹]\s?\d|\b(?:[A-Z]{3})\s\d")
_PER_TIME: Final = re.compile(r"\b(?:year|annual|month|week|hour|salary|earn|income|wage)", re.I)
_SHAPES: Final[Mapping[str, re.Pattern[str]]] = {
    "email": re.compile(r"[\w.+-]+@[\w.-]+"),
    "ssn": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "ip": re.compile(r"\d{1,3}(?:\.\d{1,3}){3}"),
    "phone": re.compile(r"\+\d[\d\s()-]{7,}"),
}


def _capid_concepts(type_: str, value: str) -> frozenset[str]:
    """The type's concept and narrower ones that the value itself proves."""
    concept = CAPID_CONCEPTS[type_]
    words = set(re.findall(r"\w+", value.lower()))
    more: set[str] = {concept}
    if concept == "belief":
        more |= {"religion"} if words & _RELIGIONS else {"politics"} if words & _PARTIES else set()
    elif concept == "demographic" and value in phrases.NATIONALITIES:
        more.add("nationality")
    elif concept == "relationship" and value.lower() in _MARITAL:
        more.add("marital")
    elif concept == "relationship" and _COUNT_OF_CHILDREN.fullmatch(value.lower()):
        more.add("children")
    elif concept == "finance" and _MONEY.search(value):
        more.add("income" if _PER_TIME.search(value) else "amount")
    elif concept == "code":
        more |= {name for name, shape in _SHAPES.items() if shape.fullmatch(value)}
    return frozenset(more)


def read_capid(path: Path) -> list[Example]:
    """CAPID rows as examples; each verbatim occurrence of a value is a span.

    Args:
        path: ``capid/train.jsonl`` to train; the test file only to measure.
    """
    examples = []
    for line in path.read_text(encoding="utf8").splitlines():
        row: dict[str, Any] = json.loads(line)
        text: str = row["context"]
        spans = []
        for value, about in row["piis"].items():
            if not value:
                continue
            concepts = _capid_concepts(about["type"], value)
            for m in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                spans.append((m.start(), m.end(), concepts, about["type"]))
        present = {CAPID_CONCEPTS[about["type"]] for about in row["piis"].values()}
        hidden = {h for p in present for h in _CAPID_HIDDEN[p]}
        known = set(_CAPID_HIDDEN) | {h for more in _CAPID_HIDDEN.values() for h in more}
        known -= {"gender", "medication", "city", "country"}  # never annotated reliably
        examples.append(make_example("capid", text, spans, known - hidden))
    return examples


def is_dev(text: str) -> bool:
    """Whether a text belongs to the dev share; decided by its hash, so it is stable."""
    digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    return int(digest, 16) % 100 < CAPID_DEV_PERCENT


# ---------------------------------------------------------------------------- presidio-research

PRESIDIO_CONCEPTS: Final[Mapping[str, str]] = {
    "PERSON": "name",
    "STREET_ADDRESS": "address",
    "ADDRESS": "address",
    "GPE": "location",
    "LOCATION": "location",
    "ORGANIZATION": "organization",
    "CREDIT_CARD": "card",
    "DATE_TIME": "datetime",
    "PHONE_NUMBER": "phone",
    "AGE": "age",
    "NRP": "nationality",
    "EMAIL_ADDRESS": "email",
    "ZIP_CODE": "zip",
    "DOMAIN_NAME": "url",
    "IBAN_CODE": "iban",
    "US_SSN": "ssn",
    "IP_ADDRESS": "ip",
    "US_DRIVER_LICENSE": "license",
}
_PRESIDIO_NEGATIVES: Final = _word_set(
    "name address location organization card phone age email url iban ssn ip license datetime "
    "health orientation income"
)


def _template_bucket(masked: str) -> int:
    """0..99 by the sentence template, whatever its slots are called."""
    key = re.sub(r"[^a-z]+", "", re.sub(r"\{\{.*?\}\}", "X", masked).lower())
    return int(hashlib.md5(key.encode(), usedforsecurity=False).hexdigest(), 16) % 100


def read_presidio(folder: Path, *, held_out: bool = False) -> list[Example]:
    """Sentences of presidio-research whose template is in the training (or held-out) 85 (15) %."""
    examples = []
    for name in ("synth_dataset_v2", "generated_large"):
        for row in json.loads((folder / f"{name}.json").read_text(encoding="utf8")):
            if (_template_bucket(row["masked"]) < 15) is not held_out:
                continue
            spans = [
                (s["start_position"], s["end_position"], frozenset({concept}), concept)
                for s in row["spans"]
                if (concept := PRESIDIO_CONCEPTS.get(s["entity_type"]))
            ]
            examples.append(make_example("presidio", row["full_text"], spans, _PRESIDIO_NEGATIVES))
    return examples


# ---------------------------------------------------------------------------- BIO, GLiNER rows

_CROSSNER_NAMES: Final[Mapping[str, str]] = {
    "programlang": "programming language",
    "musicalartist": "musical artist",
    "musicalinstrument": "musical instrument",
    "musicgenre": "music genre",
    "literarygenre": "literary genre",
    "politicalparty": "political party",
    "academicjournal": "academic journal",
    "astronomicalobject": "astronomical object",
    "chemicalcompound": "chemical compound",
    "chemicalelement": "chemical element",
    "organisation": "organization",
    "person": "name",
    "product": "commercial product",  # here "product" is what a bank sells
}
_CROSSNER_BROADER: Final[Mapping[str, str]] = {
    "researcher": "name",
    "politician": "name",
    "musicalartist": "name",
    "writer": "name",
    "scientist": "name",
    "country": "location",
    "university": "organization",
    "band": "organization",
    "politicalparty": "organization",
}


def read_bio(path: Path) -> list[tuple[list[str], list[tuple[int, int, str]]]]:
    """Sentences of a BIO file as ``(words, [(first, last, type)])``."""
    sentences = []
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf8")):
        rows = [line.split("\t" if "\t" in line else None) for line in block.splitlines() if line]
        words, tags = [r[0] for r in rows], [r[-1] for r in rows]
        spans = []
        for i, tag in enumerate(tags):
            if tag.startswith("B-"):
                last = i
                while last + 1 < len(tags) and tags[last + 1] == f"I-{tag[2:]}":
                    last += 1
                spans.append((i, last, tag[2:]))
        if words:
            sentences.append((words, spans))
    return sentences


def read_crossner(folder: Path) -> list[Example]:
    """The *train* split of CrossNER's five domains, each with its own types as negatives."""
    examples = []
    for path in sorted((folder / "ner_data").glob("*/train.txt")):
        rows = []
        for words, raw in read_bio(path):
            spans = []
            for first, last, type_ in raw:
                if type_ == "misc":
                    continue
                concepts = {_CROSSNER_NAMES.get(type_, type_)}
                if type_ in _CROSSNER_BROADER:
                    concepts.add(_CROSSNER_BROADER[type_])
                spans.append(Span(first, last, frozenset(concepts)))
            rows.append((words, tuple(spans)))
        types = sorted({c for _, spans in rows for s in spans for c in s.concepts})
        examples += [
            Example("crossner", " ".join(words), tuple(words), spans, (), tuple(types))
            for words, spans in rows
        ]
    return examples


def read_gliner_rows(path: Path) -> list[Example]:
    """Rows in GLiNER's format; labels that are held out here are dropped."""
    rows = json.loads(path.read_text(encoding="utf8"))
    labels = sorted({s[2].lower() for r in rows for s in r["ner"]} - HELD_OUT_LABELS)
    examples = []
    for row in rows:
        spans = tuple(
            Span(first, last, frozenset({label.lower()}))
            for first, last, label in row["ner"]
            if label.lower() not in HELD_OUT_LABELS
        )
        words = tuple(row["tokenized_text"])
        examples.append(Example("gliner", " ".join(words), words, spans, (), tuple(labels)))
    return examples


def read_banking77(path: Path) -> list[str]:
    """Customer queries without digits, currencies or capitalized names: text with no attribute."""
    with path.open(encoding="utf8", newline="") as file:
        texts = [row["text"].strip().replace("\n", " ") for row in csv.DictReader(file)]
    personal = re.compile(
        r"\d|[$£€]|\s(?!I\b|I'|ATM|PIN|SEPA|SWIFT)[A-Z]|\b(?:years?|yesterday|today|days?|weeks?|"
        r"months?|morning|child|children|daughter|son|wife|husband|euros?|dollars?|pounds?|"
        r"europe|uk|us|china|russia)\b"
    )
    return [text for text in texts if len(text) < 160 and not personal.search(text)]


# ---------------------------------------------------------------------------- generator

Value = Callable[["MessageGenerator"], str]


def _one_of(values: Sequence[str]) -> Value:
    return lambda g: g.rng.choice(values)


def _name(g: MessageGenerator) -> str:
    first, last = str(g.faker().first_name()), str(g.faker().last_name())
    if g.rng.random() < 0.7:  # mostly a first and last name from one place
        fake = g.faker()
        first, last = str(fake.first_name()), str(fake.last_name())
    return g.rng.choice([f"{first} {last}", f"{first} {last}", first, f"{last} {first}", last])


def _age(g: MessageGenerator) -> str:
    n = g.rng.randint(16, 95)
    return g.rng.choice([str(n), str(n), str(n), f"{n} years old", f"{n} years", f"{n} yrs old"])


def _number(g: MessageGenerator) -> str:
    rng = g.rng
    n = rng.choice(
        [
            rng.randint(5, 150) * 1000,
            rng.randint(100, 9999),
            rng.randint(20, 900) * 100,
            rng.randint(1, 400) * 1000,
        ]
    )
    thousands = f"{n / 1000:g}k" if n % 1000 == 0 else f"{n:,}"
    return rng.choice([f"{n:,}", f"{n:,}", str(n), f"{n:,}".replace(",", "'"), thousands])


def _amount(g: MessageGenerator) -> str:
    n = _number(g)
    forms = (
        f"${n}|£{n}|€{n}|CHF {n}|{n} euros|{n} francs|{n} dollars|{n} CHF|USD {n}|{n} pounds|"
        f"EUR {n}|{n} €|Fr. {n}|CHF {n}|half a million|{g.rng.randint(2, 9)} million dollars|"
        f"{g.rng.randint(2, 90)} grand|{g.rng.randint(2, 900)}k|{n} zł|{n} kr|Rs {n}|₹{n}|"
        f"{g.rng.randint(2, 60)} lakh|a couple of thousand|{n} quid|{n} bucks"
    )
    return g.rng.choice(forms.split("|"))


def _income(g: MessageGenerator) -> str:
    ends = (
        "|| a year| per month| a month| gross| per year| monthly| net| annually| p.a.|/year|/month"
    )
    return _amount(g) + g.rng.choice(ends.split("|"))


def _day(g: MessageGenerator) -> str:
    day = g.faker().date_of_birth(minimum_age=1, maximum_age=90)
    formats = "%d.%m.%Y|%Y-%m-%d|%m/%d/%Y|%d %B %Y|%B %d, %Y|%d %b %Y|%d/%m/%y|%d.%m.%y"
    return str(day.strftime(g.rng.choice(formats.split("|"))))


def _when(g: MessageGenerator) -> str:
    rng = g.rng
    words = (
        "last Tuesday|yesterday|next Monday|3 May|March|10:30 am|last week|12 June|"
        "tomorrow morning|last summer|September|two weeks ago|15:05 CET|July 2021|Friday|"
        "next year|Christmas"
    )
    return rng.choice([_day(g), str(rng.randint(1955, 2026)), *rng.sample(words.split("|"), 3)])


def _phone(g: MessageGenerator) -> str:
    rng = g.rng
    swiss = (rng.randint(70, 79), rng.randint(100, 999), rng.randint(10, 99), rng.randint(10, 99))
    return rng.choice(
        [
            str(g.faker().phone_number()),
            "+41 {} {} {} {}".format(*swiss),
            "0{} {} {} {}".format(*swiss),
            f"0{rng.randint(700, 799)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}",
            f"+{rng.randint(1, 98)}{rng.randint(10**8, 10**10)}",
        ]
    )


def _town(fake: Any) -> str:
    """A town. Faker's Italian list changes its order with the hash seed; its postcodes do not."""
    if "it_IT" in fake.locales:
        return str(fake.postcode_city_province()).split(", ")[1].split(" (")[0]
    return str(fake.city())


def _email(g: MessageGenerator) -> str:
    user = str(g.faker().email()).split("@")[0]
    if g.rng.random() < 0.4:
        user = user[:1] + g.rng.choice([".", "_", "-", ""]) + user[1:]
    hosts = (
        "gmail.com|bluewin.ch|outlook.com|gmx.de|yahoo.co.uk|proton.me|web.de|hotmail.fr|mail.org"
    )
    return f"{user}@{g.rng.choice([*hosts.split('|'), g.faker().domain_name()])}"


def _address(g: MessageGenerator) -> str:
    fake, rng = g.faker(), g.rng
    street = str(fake.street_address()).replace("\n", ", ")
    town = f"{fake.postcode()} {_town(fake)}"
    swiss = f"{rng.choice(phrases.STREETS)} {rng.randint(1, 140)}"
    near = f"{rng.randint(1000, 9699)} {rng.choice(phrases.CITIES)}"
    return rng.choice([street, swiss, f"{street}, {town}", f"{swiss}, {near}", f"{swiss}, {town}"])


def _first(g: MessageGenerator) -> str:
    return str(g.faker().first_name())


def _who(g: MessageGenerator) -> str:
    """However one speaks of somebody: first name, surname or both."""
    return g.rng.choice([_first, _first, _surname, _surname, _named])(g)


def _surname(g: MessageGenerator) -> str:
    return str(g.faker().last_name())


def _named(g: MessageGenerator) -> str:
    """A name in the third person, often with a middle initial or two surnames."""
    fake = g.faker()
    first, last = str(fake.first_name()), str(fake.last_name())
    initial = f"{first} {chr(g.rng.randint(65, 90))}. {last}"
    twice = f"{first} {last}-{fake.last_name()}"
    return g.rng.choice([f"{first} {last}"] * 5 + [initial, twice, f"{first[0]}. {last}"])


def _company(g: MessageGenerator) -> str:
    """Family firms, coined words, and two plain words, some with a legal form."""
    rng = g.rng
    coined = _coined(g)
    first, second = rng.choice(phrases.COMPANY_FIRST), rng.choice(phrases.COMPANY_SECOND)
    name = rng.choice(
        [
            coined,
            coined,
            f"{coined} {second}",
            f"{first} {second}",
            str(rng.choice(g.fakers[:2]).company()),
            str(rng.choice(g.fakers[:2]).company()),
            str(g.faker().company()),
            rng.choice(phrases.COMPANIES),
            rng.choice(phrases.INSTITUTIONS),
        ]
    )
    return f"{name} {rng.choice(phrases.COMPANY_FORMS)}" if rng.random() < 0.15 else name


def _any_town(g: MessageGenerator) -> str:
    town = _town(g.faker()) if g.rng.random() < 0.6 else g.rng.choice(phrases.CITIES)
    return g.rng.choices((town, town.upper(), town.lower()), (0.85, 0.1, 0.05))[0]


def _street(g: MessageGenerator) -> str:
    fake, rng = g.faker(), g.rng
    formed = rng.choice(phrases.STREET_FORMS).format(fake.last_name())
    return rng.choice([formed, str(fake.street_name()), rng.choice(phrases.STREETS)])


def _spot(g: MessageGenerator) -> str:
    """A building or a landscape that is named after someone or a town."""
    fake, rng = g.faker(), g.rng
    after = rng.choice([str(fake.last_name()), str(fake.last_name()), _any_town(g)])
    return rng.choice(phrases.SPOTS).format(after)


def _team(g: MessageGenerator) -> str:
    return f"{_any_town(g)} {g.rng.choice(phrases.TEAMS)}"


def _mail(g: MessageGenerator) -> str:
    """A postal address in the order of some country, on one line or on several."""
    fake, rng = g.faker(), g.rng
    if rng.random() < 0.08:
        return f"the corner of {_street(g)} {rng.randint(1, 400)} and {_street(g)}"
    house, door = rng.randint(1, 400), rng.randint(1, 990)
    head = rng.choice(
        [
            f"{house} {_street(g)}",
            f"{house} {_street(g)} {rng.randint(1, 300)}",
            f"{_street(g)} {house}",
            f"{_street(g)} {house}{rng.choice('abc')}",
            str(fake.street_address()).replace("\n", ", "),
            f"P.O. Box {rng.randint(1, 9999)}",
        ]
    )
    unit = rng.choice(phrases.UNITS).format(door) if rng.random() < 0.4 else ""
    state = rng.choice([g.fakers[0].state_abbr(), fake.country_code()])
    town, code, land = _any_town(g), str(fake.postcode()), rng.choice(phrases.COUNTRIES)
    tail = rng.choice(
        [
            [],
            [],
            [f"{code} {town}"],
            [f"{town} {code}"],
            [town],
            [town, land],
            [f"{town}, {state} {code}"],
            [town, f"{state} {code}"],
            [town, f"{state} {land} {code}"],
            [town, f"{land} {code}"],
            [f"{code} {town}", land],
        ]
    )
    between = rng.choice([", ", "\n", " ", "\n", ",\n"])
    joint = rng.choice([" ", between])
    return between.join([joint.join(filter(None, [head, unit])), *tail])


def _venue(g: MessageGenerator) -> str:
    fake, rng = g.faker(), g.rng
    named = rng.choice([fake.last_name(), fake.first_name(), _coined(g), _plain_word(g)])
    return rng.choice(phrases.VENUES).format(named)


def _act(g: MessageGenerator) -> str:
    return g.rng.choice(phrases.ACTS).format(g.rng.choice([_coined(g), _plain_word(g)]))


def _firm(g: MessageGenerator) -> str:
    """A firm that goes by the name of a town or of a thing."""
    town = g.rng.choice(phrases.CITIES).split(",")[0]
    return g.rng.choice([town, _plain_word(g), _plain_word(g), _coined(g), _coined(g)])


def _plain_word(g: MessageGenerator) -> str:
    return g.rng.choice(
        [*g.rng.sample(phrases.COMPANY_FIRST, 2), g.rng.choice(phrases.TAG_WORDS).title()]
    )


def _coined(g: MessageGenerator) -> str:
    return g.rng.choice(phrases.COIN_STARTS) + g.rng.choice(phrases.COIN_ENDS)


def _hashtag(g: MessageGenerator) -> str:
    words = g.rng.sample(phrases.TAG_WORDS, g.rng.choice([1, 2, 2, 3, 3, 4]))
    return "".join(w.title() for w in words) if g.rng.random() < 0.5 else "".join(words)


def _slang(g: MessageGenerator) -> str:
    """A word of posts, at times drawn out."""
    word = g.rng.choice(phrases.SLANG)
    if g.rng.random() < 0.2:
        at = g.rng.randrange(len(word))
        word = word[:at] + word[at] * g.rng.randint(2, 6) + word[at:]
    return g.rng.choices((word, word.upper(), word.title()), (0.7, 0.15, 0.15))[0]


def _handle(g: MessageGenerator) -> str:
    fake = g.faker()
    return g.rng.choice(
        [str(fake.user_name()), f"{fake.first_name()}{g.rng.randint(1, 99)}", str(fake.user_name())]
    )


def _account(g: MessageGenerator) -> str:
    rng = g.rng
    return rng.choice(
        [
            str(rng.randint(10**7, 10**11)),
            f"{rng.randint(10, 99)}-{rng.randint(10**4, 10**6)}-{rng.randint(1, 9)}",
            f"{rng.randint(1000, 9999)} {rng.randint(1000, 9999)} {rng.randint(10, 99)}",
        ]
    )


def _card(g: MessageGenerator) -> str:
    groups = [str(g.rng.randint(1000, 9999)) for _ in range(4)]
    return g.rng.choice([str(g.faker().credit_card_number()), " ".join(groups), "-".join(groups)])


def _iban(g: MessageGenerator) -> str:
    iban = str(g.faker().iban())
    return g.rng.choice([iban, " ".join(iban[i : i + 4] for i in range(0, len(iban), 4))])


def _ssn(g: MessageGenerator) -> str:
    r = g.rng.randint
    swiss = f"756.{r(1000, 9999)}.{r(1000, 9999)}.{r(10, 99)}"
    return g.rng.choice([str(g.fakers[0].ssn()), swiss, str(g.fakers[1].ssn())])


def _code(g: MessageGenerator) -> str:
    # "~" stands for a number sign, "#" for a digit.
    shapes = (
        "??######|#########|???-####|?#######|??-#####-?|########|C#####|#####|~???-#####|~#####|"
        "~######|?? #######|?? #####|?? ##/####|20##/#####|??-20##-#####|??#####?|???/####/##"
    )
    code = str(g.fakers[0].bothify(g.rng.choice(shapes.split("|")))).upper()
    return code.replace("~", "#")


def _plate(g: MessageGenerator) -> str:
    """Of a car: British, German, Swiss, Californian."""
    shape = g.rng.choice(["??## ???", "?-?? ####", "??-? ###", "ZH ######", "#???###", "???-####"])
    return str(g.fakers[0].bothify(shape)).upper()


def _word_full(g: MessageGenerator) -> str:
    rng = g.rng
    first = rng.choice([rng.choice(phrases.WORD_NAMES), _first(g)])
    return f"{first} {rng.choice(phrases.WORD_SURNAMES)}"


def _more_name(g: MessageGenerator) -> str:
    rng = g.rng
    first, last = rng.choice(phrases.MORE_FIRST), rng.choice(phrases.MORE_LAST)
    return rng.choice([f"{first} {last}", f"{first} {last}", f"{last} {first}", first])


def _children(g: MessageGenerator) -> str:
    rng = g.rng
    count = rng.choice([*phrases.NUMBER_WORDS, str(rng.randint(1, 6))])
    noun = rng.choice(
        phrases.split_list("kids|children|young children|sons|daughters|kids|grown children")
    )
    others = phrases.split_list("no children|a baby|twins|no kids|one child|childless|a newborn")
    return f"{count} {noun}" if rng.random() < 0.7 else rng.choice(others)


def _occupation(g: MessageGenerator) -> str:
    rng = g.rng
    job = rng.choice(phrases.JOBS)
    if rng.random() < 0.15:
        job = str(rng.choice(g.fakers[:2]).job()).lower()
    draw = rng.random()
    if draw < 0.25:
        return rng.choice(phrases.WORK_STATUS)
    return f"{rng.choice(phrases.JOB_PREFIXES)} {job}" if draw < 0.45 else job


def _education(g: MessageGenerator) -> str:
    return g.rng.choice([*g.rng.sample(phrases.DEGREES, 3), g.rng.choice(phrases.SCHOOLS)])


def _product(g: MessageGenerator) -> str:
    rng = g.rng
    first, second = rng.choice(phrases.PRODUCT_FIRST), rng.choice(phrases.PRODUCT_SECOND)
    last = rng.choice(phrases.PRODUCT_LAST)
    return rng.choice([f"{first} {second} {last}", f"{first} {last}", f"{first} {second}"])


def _appearance(g: MessageGenerator) -> str:
    r = g.rng.randint
    return g.rng.choice(
        [
            *g.rng.sample(phrases.LOOKS, 3),
            f"{r(150, 200)} cm",
            f"{r(48, 130)} kg",
            f"{r(150, 200)}cm",
        ]
    )


# slot of a template -> (concepts, value)
SLOTS: Final[Mapping[str, tuple[str, Value]]] = {
    "name": ("name", _name),
    "age": ("age", _age),
    "agen": ("age", lambda g: str(g.rng.randint(16, 95))),
    "agej": ("age", lambda g: f"{g.rng.randint(16, 95)}-year-old"),
    "gender": ("gender", _one_of(phrases.GENDERS)),
    "city": (
        "city location",
        lambda g: g.rng.choice([*g.rng.sample(phrases.CITIES, 2), _town(g.faker())]),
    ),
    "country": ("country location", _one_of(phrases.COUNTRIES)),
    "place": ("location", _one_of(phrases.REGIONS)),
    "address": ("address", _address),
    "zip": ("zip", lambda g: str(g.faker().postcode())),
    "email": ("email", _email),
    "phone": ("phone", _phone),
    "dob": ("dob datetime", _day),
    "when": ("datetime", _when),
    "year": ("datetime", lambda g: str(g.rng.randint(1955, 2026))),
    "marital": ("marital", _one_of(phrases.MARITAL_STATES)),
    "children": ("children", _children),
    "kids": ("children", lambda g: g.rng.choice([*phrases.NUMBER_WORDS, str(g.rng.randint(1, 6))])),
    "relative": ("relationship", _one_of(phrases.RELATIVES)),
    "job": ("occupation", _occupation),
    "employer": (
        "employer organization",
        lambda g: g.rng.choice([*g.rng.sample(phrases.COMPANIES, 2), g.faker().company()]),
    ),
    "org": ("organization", _one_of(phrases.INSTITUTIONS)),
    "income": ("income finance", _income),
    "amount": ("amount finance", _amount),
    "account": ("account code", _account),
    "card": ("card", _card),
    "iban": ("iban", _iban),
    "ssn": ("ssn", _ssn),
    "code": ("code", _code),
    "license": ("license code", lambda g: str(g.fakers[0].bothify("?########")).upper()),
    "health": ("health", _one_of(phrases.CONDITIONS)),
    "state": ("health", _one_of(phrases.STATES)),
    # A medicine tells the illness.
    "medication": ("medication health", _one_of(phrases.MEDICATIONS)),
    "injury": ("health", _one_of(phrases.INJURIES)),
    "injury2": (
        "health",
        lambda g: re.sub(r"\bmy\b", "the", g.rng.choice(phrases.INJURIES)),
    ),
    "plate": ("code license", _plate),
    "word_name": ("name", _one_of(phrases.WORD_NAMES)),
    "word_full": ("name", _word_full),
    "more_name": ("name", _more_name),
    "degree": ("degree education", _one_of(phrases.DEGREES)),
    "education": ("education", _education),
    "school": ("education organization", _one_of(phrases.SCHOOLS)),
    "nationality": ("nationality demographic", _one_of(phrases.NATIONALITIES)),
    "religion": ("religion belief", _one_of(phrases.RELIGIONS)),
    "politics": ("politics belief", _one_of(phrases.PARTIES)),
    "party": ("politics belief", _one_of(phrases.PARTY_NAMES)),
    "orientation": ("orientation", _one_of(phrases.ORIENTATIONS)),
    "appearance": ("appearance", _appearance),
    "pet": ("pet", _one_of(phrases.PETS)),
    "hobby": ("hobby", _one_of(phrases.HOBBIES)),
    "language": ("language", _one_of(phrases.LANGUAGES)),
    "vehicle": ("vehicle", _one_of(phrases.VEHICLES)),
    "ip": ("ip", lambda g: str(g.fakers[0].ipv4())),
    "url": ("url", lambda g: str(g.fakers[0].url())),
    "product": ("product", _product),
    "first": ("name", _first),
    "surname": ("name", _surname),
    "who": ("name", _who),
    "named": ("name", _named),
    "company": ("organization", _company),
    "town": ("city location", _any_town),
    "tagtown": ("city location", lambda g: re.sub(r"\W", "", _any_town(g))),
    "land": ("country location", _one_of(phrases.COUNTRIES)),
    "nation": ("nationality demographic", _one_of(phrases.NATIONALITIES)),
    "mail": ("address", _mail),
    "handle": ("username", _handle),
    "road": ("address", _street),
    "spot": ("location", _spot),
    "short": ("location", _one_of(phrases.SHORT_PLACES)),
    "team": ("organization", _team),
    "firm": ("organization", _firm),
    "act": ("organization", _act),
    "venue": ("location", _venue),
    "authority": ("authority", _one_of(phrases.AUTHORITIES)),
    # nothing about a person
    "title": ("", _one_of(phrases.TITLES)),
    "work": ("", _one_of(phrases.WORKS)),
    "coin": ("", lambda g: "The " + g.rng.choice(phrases.COMPANY_FIRST) + " Hour"),
    "tag": ("", _one_of(phrases.TAGS)),
    "hash": ("", _hashtag),
    "slang": ("", _slang),
    "face": ("", _one_of(phrases.FACES)),
    "foreign": ("", _one_of(phrases.FOREIGN)),
    "topic": ("", _one_of(phrases.TOPICS)),
    "generic": ("", _one_of(phrases.GENERIC)),
    "limit": ("", lambda g: str(g.rng.choice([18, 25, 55, 58, 60, 62, 63, 64, 65, 67, 70, 75]))),
    "fee": ("", _amount),
    "few": ("", lambda g: g.rng.choice(["two", "three", "2", "3", "5", "10", "24", "100"])),
    "error": ("", lambda g: str(g.rng.randint(100, 9999))),
    "rate": ("", lambda g: f"{g.rng.randint(1, 90) / 10}%"),
    "term": (
        "",
        lambda g: g.rng.choice(["12 months", "ten years", "30 days", "5 years", "a year"]),
    ),
}

_SLOT: Final = re.compile(r"\{(\w+)\}")
_DEV_EVERY: Final = 11  # every 11th personal template is kept for dev

Piece = tuple[str, str]  # text and the slot it came from ("" for plain text)


class MessageGenerator:
    """Seeded generator of first-person support messages with exact spans.

    Args:
        seed: Same seed, same messages.
        filler: More sentences with nothing personal in them (BANKING77).
        dev: Use the templates that training never sees.
    """

    def __init__(self, seed: int, *, filler: Sequence[str] = (), dev: bool = False) -> None:
        self.rng: random.Random = random.Random(seed)
        self.fakers: list[Any] = [Faker(locale) for locale in phrases.LOCALES]
        for i, fake in enumerate(self.fakers):
            fake.seed_instance(seed * 1000 + i)
        self._filler = tuple(filler)
        self._personal = tuple(
            t for i, t in enumerate(phrases.PERSONAL) if (i % _DEV_EVERY == 0) is dev and t
        )

    def faker(self) -> Any:
        """A Faker of a random locale, half of the time an English one."""
        return self.rng.choice(self.fakers[:2] if self.rng.random() < 0.4 else self.fakers)

    def generate(self, count: int) -> list[Example]:
        """``count`` messages."""
        return [self.message() for _ in range(count)]

    def message(self) -> Example:
        """One message in a random register."""
        registers: tuple[Callable[[], list[list[Piece]]], ...] = (
            self._impersonal,
            self._form,
            self._run,
            self._chatty,
            self._letterhead,
            self._report,
            self._post,
            self._rant,
            self._mention,
        )
        shares = (0.06, 0.07, 0.16, 0.20, 0.07, 0.18, 0.10, 0.05, 0.11)
        register = self.rng.choices(registers, shares)[0]
        if register in (self._post, self._rant):
            return self._finish(register(), lower=0.45, loose=self.rng.random() < 0.5)
        return self._finish(register(), lower=0.17)

    def _fill(self, template: str) -> list[Piece]:
        pieces: list[Piece] = []
        at = 0
        for m in _SLOT.finditer(template):
            before = template[at : m.start()]
            concepts, make = SLOTS[m.group(1)]
            value = make(self)
            if concepts and value.startswith("the "):  # stands outside, as annotators have it
                before, value = before + value[:4], value[4:]
            if before.lower().endswith("a ") and before[:-2][-1:] in ("", " ", "\n"):
                before = self._article(before, value, m.group(1))
            pieces += [(before, ""), (value, m.group(1))]
            at = m.end()
        return [*pieces, (template[at:], "")]

    def _article(self, before: str, value: str, slot: str) -> str:
        """Mend "a" before a value: "an architect", but "retired" and "divorced" take none."""
        if (
            slot in ("job", "education")
            and value in phrases.WORK_STATUS
            and not value.endswith(
                (
                    "student",
                    "mum",
                    "dad",
                    "carer",
                    "cleaner",
                    "owner",
                    "intern",
                    "trainee",
                    "pensioner",
                )
            )
        ):
            return before[:-2]
        return before[:-1] + "n " if value[:1].lower() in "aeio8" else before

    def _filler_line(self) -> str:
        if self._filler and self.rng.random() < 0.5:
            return self.rng.choice(self._filler)
        return self.rng.choice(phrases.TRANSCRIPTS if self.rng.random() < 0.15 else phrases.CHAT)

    def _impersonal(self) -> list[list[Piece]]:
        about = phrases.IMPERSONAL if self.rng.random() < 0.5 else phrases.ASKED
        lines = self.rng.sample(about, self.rng.choice([1, 1, 2, 3]))
        return [self._fill(t) for t in lines] + [[(self._filler_line(), "")]]

    def _letterhead(self) -> list[list[Piece]]:
        rng = self.rng
        block = self._fill(rng.choice(phrases.LETTERHEADS).replace("¶", "\n"))
        draw = rng.random()
        if draw < 0.35:
            return [block]
        line = self._fill(rng.choice(rng.choice([self._personal, phrases.REPORTS])))
        return [line, block] if draw < 0.8 else [block, line]

    def _report(self) -> list[list[Piece]]:
        rng = self.rng
        about = rng.choices((phrases.REPORTS, phrases.FIRMS), (0.7, 0.3))[0]
        return self._told(about, [1, 1, 2, 3], filler=0.3)

    def _post(self) -> list[list[Piece]]:
        rng = self.rng
        return [self._fill(t) for t in rng.sample(phrases.POSTS, rng.choice([1, 1, 1, 2, 3]))]

    def _mention(self) -> list[list[Piece]]:
        return self._told(phrases.MENTIONS, [1, 1, 1, 2, 3], filler=0.4)

    def _rant(self) -> list[list[Piece]]:
        return self._told(phrases.RANTS, [1, 1, 2, 3], filler=0.4)

    def _told(
        self, templates: Sequence[str], counts: Sequence[int], *, filler: float
    ) -> list[list[Piece]]:
        """Some of the templates, at times with a line that says nothing."""
        rng = self.rng
        lines = [self._fill(t) for t in rng.sample(templates, rng.choice(counts))]
        if rng.random() < filler:
            lines.append([(self._filler_line(), "")])
        return lines

    def _form(self) -> list[list[Piece]]:
        lines = [self._fill(t) for t in self.rng.sample(phrases.FORMS, self.rng.randint(2, 9))]
        joined = self.rng.choice(["\n", "\n", "; ", ", ", " | ", "\n- "])
        flat = [p for line in lines for p in [*line, (joined, "")]][:-1]
        tail = [[(self._filler_line(), "")]] if self.rng.random() < 0.5 else []
        return [flat, *tail]

    def _run(self) -> list[list[Piece]]:
        rng = self.rng
        opening = rng.choice(
            phrases.split_list(
                "Hi, I'm |I'm |I am |Hello, I am |hi im |We are |Hey! I'm |Good day. I'm |Me: |"
            )
        )
        opening += " " if opening else ""
        items = [self._fill(t) for t in rng.sample(phrases.RUN, rng.randint(2, 8))]
        if rng.random() < 0.6:
            items = [self._fill("{name}"), self._fill("{agen}"), *items]
        flat: list[Piece] = [(opening, "")]
        for i, item in enumerate(items):
            if i:
                last = i == len(items) - 1
                flat.append(
                    (
                        " and "
                        if last and rng.random() < 0.4
                        else rng.choice([", "] * 6 + ["; ", " - ", " "]),
                        "",
                    )
                )
            flat += item
        rest: list[list[Piece]] = []
        if rng.random() < 0.35:
            return [[*flat, *self._fill(rng.choice(phrases.RUN_ON))]]
        flat.append((rng.choice([".", ".", ".", "", "!", ","]), ""))
        if rng.random() < 0.35:
            rest.append(self._fill(rng.choice(phrases.IMPERSONAL)))
        elif rng.random() < 0.4:
            rest.append([(self._filler_line(), "")])
        if rng.random() < 0.2:
            rest.append(self._fill(rng.choice(self._personal)))
        return [flat, *rest]

    def _chatty(self) -> list[list[Piece]]:
        rng = self.rng
        lines = [
            self._fill(t) for t in rng.sample(self._personal, rng.choice([1, 1, 2, 2, 3, 4, 5]))
        ]
        lines += [[(self._filler_line(), "")] for _ in range(rng.choice([0, 1, 1, 2]))]
        if rng.random() < 0.4:
            lines.append(self._fill(rng.choice(rng.choice([phrases.IMPERSONAL, phrases.ASKED]))))
        if rng.random() < 0.6:
            rng.shuffle(lines)
        return lines

    def _typo(self, text: str) -> str:
        """Swap two letters of a longer word, so that plain text is not always clean."""
        words = list(re.finditer(r"[a-z]{5,}", text))
        if not words:
            return text
        at = self.rng.choice(words).start() + self.rng.randint(1, 3)
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]

    def _loose(self, text: str) -> str:
        """Plain words as hurried people write them: drawn out, shortened, without vowels."""

        def hurried(m: re.Match[str]) -> str:
            word, rng = m.group(), self.rng
            if rng.random() > 0.15:
                return word
            forms = [
                re.sub(r"(?<=.)[aeiou]", "", word),
                word[:-1] + word[-1] * rng.randint(2, 6),
                re.sub(r"ing$", "in", word),
                word[: rng.randint(2, len(word))],
                word.upper(),
                re.sub(r"[aeo]", lambda vowel: rng.choice("aeiou0") + vowel.group(), word, count=1),
            ]
            return rng.choice(forms)

        return re.sub(r"(?<![#@\w])[a-z]{4,}", hurried, text)

    def _finish(
        self, lines: Sequence[Sequence[Piece]], *, lower: float, loose: bool = False
    ) -> Example:
        rng = self.rng
        case = rng.choices((str, str.lower, str.upper), (0.97 - lower, lower, 0.03))[0]
        typos = rng.random() < 0.15
        text = ""
        spans: list[tuple[int, int, frozenset[str], str]] = []
        for line in lines:
            if text:
                text += rng.choice([" ", " ", " ", "\n"])
            for piece, slot in line:
                plain = self._typo(piece) if typos and not slot and rng.random() < 0.3 else piece
                if loose and not slot:
                    plain = self._loose(plain)
                cased = case(plain)
                concepts = frozenset(SLOTS[slot][0].split()) if slot else frozenset()
                if concepts:
                    first = SLOTS[slot][0].split()[0]
                    spans.append((len(text), len(text) + len(cased), concepts, first))
                text += cased
        return make_example("synthetic", text, spans, CONCEPTS)


def read_dev(folder: Path, seed: int, *, messages: int = 600) -> dict[str, list[Example]]:
    """Examples kept out of training, for thresholds: a share of CAPID train and new messages."""
    generator = MessageGenerator(seed + DEV_SEED_OFFSET, dev=True)
    return {
        "capid": [e for e in read_capid(folder / "capid/train.jsonl") if is_dev(e.text)],
        "synthetic": generator.generate(messages),
    }


def plain_examples(texts: Iterable[str]) -> list[Example]:
    """Texts with no attribute at all; every concept but product and date is a fair negative."""
    negatives = [
        c for c in CONCEPTS if c not in ("product", "datetime", "language", "organization")
    ]
    return [make_example("plain", text, (), negatives) for text in texts]


# ---------------------------------------------------------------------------- rows


# A trained label may be wrapped, as callers do; never into a held-out string.
_WRAPPERS: Final = ("the person's {}", "{} of the person", "{} of the user", "customer's {}")


def _labels_of(
    concept: str, source: str, rng: random.Random, *, exact: bool, two: bool
) -> list[str]:
    """One or two strings to ask for a concept with."""
    trained = CONCEPTS[concept].trained if concept in CONCEPTS else (concept,)
    if exact:
        return [trained[0]]
    if source == "capid" and concept in _CAPID_LABEL and rng.random() < 0.35:
        return [_CAPID_LABEL[concept]]
    if two and len(trained) > 1:
        return rng.sample(trained, 2)
    label = trained[0] if rng.random() < 0.3 else rng.choice(trained)
    if concept in CONCEPTS and "person" not in label and rng.random() < 0.08:
        wrapped = rng.choice(_WRAPPERS).format(label)
        return [label if wrapped in HELD_OUT_LABELS else wrapped]
    return [label]


def _crop(example: Example, rng: random.Random) -> tuple[list[str], list[Span]]:
    """At most MAX_WORDS words, cut only between spans."""
    words, spans = example.words, example.spans
    if len(words) <= MAX_WORDS:
        return list(words), list(spans)
    start = rng.randint(0, len(words) - MAX_WORDS) if rng.random() < 0.7 else 0
    end = start + MAX_WORDS
    for s in sorted(spans, key=lambda s: s.first):
        if s.first < start <= s.last:
            start = s.last + 1
    for s in sorted(spans, key=lambda s: -s.first):
        if s.first < end <= s.last:
            end = s.first
    kept = [
        Span(s.first - start, s.last - start, s.concepts)
        for s in spans
        if s.first >= start and s.last < end
    ]
    return list(words[start:end]), kept


def _pieces(span: Span, words: Sequence[str]) -> Iterator[Span]:
    """A span in stretches that the model can find, parted behind commas where there are any."""
    first = span.first
    while span.last - first >= MAX_WIDTH:
        commas = [i for i in range(first + 3, first + MAX_WIDTH) if words[i] == ","]
        last = commas[-1] - 1 if commas else first + MAX_WIDTH - 1
        yield Span(first, last, span.concepts)
        first = last + 2 if commas else last + 1
    yield Span(first, span.last, span.concepts)


def sample_row(example: Example, rng: random.Random, *, many: bool = False) -> Row:
    """One training row: the positives of an example under sampled labels, and negative labels.

    Args:
        example: From any source.
        rng: Draws labels, negatives and the crop.
        many: Ask for 16 to 26 labels, as a user of the default labels does, instead of 2 to 14.
    """
    words, whole = _crop(example, rng)
    spans = [piece for span in whole for piece in _pieces(span, words)]
    present = sorted({c for s in spans for c in s.concepts})
    absent = [c for c in example.negatives if c not in present]
    exact = many and example.source in ("synthetic", "plain") and rng.random() < 0.6
    if exact:
        defaults = set(DEFAULT_CONCEPTS.values())
        present = [c for c in present if c in defaults]
        absent = [c for c in absent if c in defaults]
    rng.shuffle(present)
    rng.shuffle(absent)
    if not many and rng.random() < 0.35 and len(present) > 2:
        present = present[: rng.randint(1, len(present))]
    present = present[: 24 if many else 10]
    everything = {c for s in spans for c in s.concepts}
    arguable = {
        other for c in everything if c not in present for other in ARGUABLE.get(c, frozenset())
    }
    absent = [c for c in absent if c not in arguable]
    room = rng.randint(16, 26) - len(present) if many else rng.choice([1, 2, 3, 4, 5, 6, 8])
    labels: dict[str, str] = {}
    for concept in present + absent[: max(1, room)]:
        two = concept in present and len(present) < 7 and not many and rng.random() < 0.25
        for label in _labels_of(concept, example.source, rng, exact=exact, two=two):
            labels.setdefault(label, concept)
    names = list(labels)
    rng.shuffle(names)
    ner = [
        (s.first, s.last, label)
        for s in spans
        for label, concept in labels.items()
        if concept in s.concepts
    ]
    return {"tokenized_text": words, "ner": ner, "ner_labels": names}
