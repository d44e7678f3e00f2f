"""Questions with the passages that answer them: what the reranker is trained and measured on.

Reads ConditionalQA, OR-ShARC, TAT-QA and XQuAD from a folder of public data sets, and writes
documents of invented products with rules and questions about them. Needs no torch.
"""

from __future__ import annotations

import hashlib
import html
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from privrag_fast import privacy
from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.privacy import DEFAULT_STYLE, STYLES, Style
from privrag_fast.privacy.styles import closed_up, standing_for
from privrag_fast.types import Detector, InputError

# --------------------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Question:
    """A user's message and the passages that answer it.

    Args:
        query: The message as written.
        abstracted: The same with personal values replaced by their type names; see `in_style`.
        document: Key of the document that it asks about.
        positives: Indices into `Collection.passages`, at least one.
    """

    query: str
    abstracted: str
    document: str
    positives: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages with questions about them.

    Args:
        name: The data set.
        passages: Texts, all distinct.
        documents: The document key of each passage.
        questions: Each answered by some of the passages.
        closed: True if a question makes sense only inside its own document ("the company").
    """

    name: str
    passages: tuple[str, ...]
    documents: tuple[str, ...]
    questions: tuple[Question, ...]
    closed: bool = False

    def siblings(self) -> dict[str, list[int]]:
        """Passage indices of each document."""
        by_document: defaultdict[str, list[int]] = defaultdict(list)
        for index, document in enumerate(self.documents):
            by_document[document].append(index)
        return dict(by_document)

    def split(self) -> tuple[Collection, Collection]:
        """The same passages with the questions to train on, and with those held out."""
        train = [q for q in self.questions if not is_held_out(q.document)]
        held_out = [q for q in self.questions if is_held_out(q.document)]
        return self.with_questions(train), self.with_questions(held_out)

    def with_questions(self, questions: Sequence[Question]) -> Collection:
        """The same passages with other questions."""
        return replace(self, questions=tuple(questions))


@dataclass(frozen=True, slots=True)
class Group:
    """One listwise training example: the first passage answers the query, the others do not."""

    query: str
    passages: tuple[str, ...]


HELD_OUT_SHARE = 0.12


def is_held_out(document: str) -> bool:
    """Whether a document's questions are kept for measuring; depends on nothing but its key."""
    digest = hashlib.sha256(document.encode()).digest()
    return int.from_bytes(digest[:4], "big") < HELD_OUT_SHARE * 2**32


class _Builder:
    """Collects distinct passages and the questions that point at them."""

    def __init__(self, name: str, *, closed: bool = False) -> None:
        self._name = name
        self._closed = closed
        self._indices: dict[str, int] = {}
        self._documents: list[str] = []
        self._questions: list[Question] = []

    def passage(self, text: str, document: str) -> int:
        index = self._indices.setdefault(text, len(self._indices))
        if index == len(self._documents):
            self._documents.append(document)
        return index

    def question(
        self, query: str, document: str, positives: Iterable[int], abstracted: str | None = None
    ) -> None:
        unique = tuple(sorted(set(positives)))
        if unique:
            abstracted = abstract_query(query) if abstracted is None else abstracted
            self._questions.append(Question(query, abstracted, document, unique))

    def build(self) -> Collection:
        return Collection(
            self._name,
            tuple(self._indices),
            tuple(self._documents),
            tuple(self._questions),
            self._closed,
        )


# --------------------------------------------------------------------------- abstraction
# Training needs queries that look abstracted, not a detector: a gazetteer that misses values
# is as good here as the real detector on a bad day.

_COUNTRIES = (
    "Afghanistan Albania Algeria Argentina Australia Austria Bangladesh Belgium Brazil Bulgaria "
    "Canada Chile China Croatia Cuba Cyprus Denmark Egypt England Ethiopia Finland France Germany "
    "Ghana Gibraltar Greece Hungary Iceland India Indonesia Iran Iraq Ireland Israel Italy Jamaica "
    "Japan Kenya Latvia Lithuania Luxembourg Malaysia Malta Mexico Morocco Nepal Netherlands "
    "Nigeria Norway Pakistan Peru Philippines Poland Portugal Romania Russia Scotland Singapore "
    "Slovakia Slovenia Somalia Spain Sudan Sweden Switzerland Syria Taiwan Thailand Tunisia Turkey "
    "Uganda Ukraine Vietnam Wales Zambia Zimbabwe UK US USA EU Europe Britain Africa"
)
_CITIES = (
    "London Manchester Birmingham Leeds Liverpool Bristol Glasgow Edinburgh Cardiff Belfast "
    "Sheffield Bradford Salford Derby Norwich Newcastle Nottingham Leicester Oxford Cambridge "
    "Dundee Kent Essex Cornwall Devon Somerset Lincolnshire Yorkshire Oxfordshire Sussex Surrey "
    "Telford Falmouth Bath York Paris Berlin Madrid Rome Dublin Boston Chicago Seattle Denver "
    "Texas California Florida Ohio Toronto Sydney Melbourne Delhi Mumbai Lagos Warsaw Lisbon"
)
_NATIONALITIES = (
    "British English Scottish Welsh Irish French German Spanish Italian Polish Portuguese Dutch "
    "Turkish Indian Pakistani Chinese Japanese Korean American Canadian Australian Nigerian "
    "Ghanaian Kenyan Syrian Afghan Ukrainian Russian Romanian Bulgarian Greek Swedish Norwegian "
    "Danish Finnish Brazilian Mexican Jamaican Malaysian Iranian Iraqi Egyptian European"
)
_OCCUPATIONS = (
    "accountant actor architect baker barista builder carer chef cleaner consultant dentist doctor "
    "driver electrician engineer farmer firefighter freelancer gardener hairdresser journalist "
    "landlord lawyer lecturer librarian manager mechanic midwife musician nurse painter "
    "paramedic pharmacist photographer pilot plumber programmer receptionist researcher sailor "
    "salesperson secretary shopkeeper soldier student teacher technician translator volunteer "
    "waiter writer bus_driver lorry_driver taxi_driver sole_trader social_worker civil_servant "
    "graphic_designer software_developer company_director business_owner police_officer "
    "teaching_assistant letting_agent care_worker shop_assistant graduate_student"
)
_CONDITIONS = (
    "asthma diabetes cancer epilepsy depression anxiety arthritis dementia autism COVID-19 "
    "Covid blind deaf disabled pregnant wheelchair_user heart_disease multiple_sclerosis "
    "Parkinson's chronic_pain kidney_disease high_blood_pressure mental_health_condition "
    "learning_disability visually_impaired back_injury long-term_illness migraines stroke ill"
)
_NAMES = (
    "Ahmed Aisha Alice Amy Andrew Ann Anna Ben Bob Carlos Chen Clara Daniel David Dina Elena Emma "
    "Fatima George Grace Hannah Harry Helen Ibrahim Jack Jake James Jane John Julia Karen Laura "
    "Leo Lisa Lucy Marcus Maria Mark Martin Mary Michael Mohammed Nora Olivia Omar Paul Peter "
    "Priya Ramon Robert Sam Sarah Simon Sofia Stephen Susan Thomas Tom Wei Yusuf Zoe"
)
_NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|"
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)"
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)


def _entries(gazetteer: str) -> list[str]:
    """Its entries; `_` stands for a space inside one."""
    return [entry.replace("_", " ") for entry in gazetteer.split()]


def _any_of(gazetteer: str) -> str:
    """An alternation of the entries, longest first."""
    entries = sorted(_entries(gazetteer), key=len, reverse=True)
    return "(?:" + "|".join(re.escape(entry) for entry in entries) + ")"


# Order matters: what an earlier pattern took, a later one no longer sees.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (label, re.compile(pattern))
    for label, pattern in (
        ("EMAIL", r"\b[\w.+-]+@[\w-]+\.[\w.]+\b"),
        ("MONEY", r"[£$€]\s?\d[\d,.]*\d?(?:k\b|\s?(?:thousand|million|billion)\b)?"),
        ("MONEY", r"\b\d[\d,]*(?:\.\d+)?k?\s?(?:pounds|euros|dollars|GBP|USD|EUR)\b"),
        ("AGE", rf"(?i)\b{_NUMBER}[- ]years?[- ]old\b"),
        ("AGE", r"(?i)(?<=\bI am )\d{2}\b(?! (?:weeks|days|months|miles|hours))"),
        ("AGE", r"(?i)(?<=\baged )\d{1,3}\b|(?<=\bage of )\d{1,3}\b|(?<=\bI'm )\d{2}\b"),
        ("DATE", rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s)?{_MONTH}(?:\s\d{{1,2}})?(?:,?\s\d{{4}})?\b"),
        ("DATE", r"\b(?:19|20)\d{2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b"),
        ("CHILDREN", rf"(?i)\b{_NUMBER}\s(?:\w+\s)?(?:children|kids|sons|daughters)\b"),
        ("CHILDREN", r"(?i)(?:(?<=\bmy )|(?<=\bour ))(?:son|daughter|children|kids)\b"),
        ("MARITAL_STATUS", r"(?i)\b(?:married|divorced|widowed|widower|widow|separated|single)\b"),
        ("PERSON", rf"\b(?:(?:Mr|Mrs|Ms|Dr)\.?\s[A-Z]\w+|{_any_of(_NAMES)}(?:\s[A-Z][a-z]+)?)\b"),
        ("NATIONALITY", rf"\b{_any_of(_NATIONALITIES)}\b"),
        ("LOCATION", rf"\b(?:Northern Ireland|South Africa|{_any_of(_COUNTRIES)})\b"),
        ("LOCATION", rf"\b{_any_of(_CITIES)}\b"),
        ("HEALTH", rf"(?i)\b{_any_of(_CONDITIONS)}(?!\w)"),
        ("OCCUPATION", rf"(?i)\b(?:self-employed|unemployed|retired|{_any_of(_OCCUPATIONS)})\b"),
        ("INCOME", r"(?i)(?<=\bearn )MONEY\b|(?<=\bincome of )MONEY\b|(?<=\bsalary of )MONEY\b"),
    )
)


def abstract_query(query: str) -> str:
    """Replaces personal values by their type names: "I am 67" becomes "I am AGE"."""
    for label, pattern in _PATTERNS:
        query = pattern.sub(label, query)
    return query


_TYPE_NAME = re.compile(rf"\b(?:{'|'.join({*dict(_PATTERNS), *DEFAULT_LABELS})})\b")


def in_style(abstracted: str, style: Style) -> str:
    """An abstracted query with what that style says in place of type names.

    >>> in_style("I am AGE, from LOCATION.", "dropped")
    'I am, from.'
    """
    told = _TYPE_NAME.sub(lambda name: standing_for(name[0], style), abstracted)
    return closed_up(told) if style == "dropped" else told


def detected(collection: Collection, detector: Detector) -> Collection:
    """The collection with queries abstracted as the product would, its mistakes included."""
    queries = [question.query for question in collection.questions]
    found = detector.detect(queries)
    return collection.with_questions(
        [
            replace(question, abstracted=privacy.abstract_found(question.query, entities, "type"))
            for question, entities in zip(collection.questions, found, strict=True)
        ]
    )


# --------------------------------------------------------------------------- public data sets


def _read(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"data set file {path.name} not found: pass the folder that holds it")
    return path.read_text(encoding="utf-8")


def _compose(title: str, text: str) -> str:
    """Half of all documents show their title in each passage, since corpora differ in that."""
    return f"{title}\n{text}" if hashlib.sha256(title.encode()).digest()[0] % 2 else text


def _merge_order(lists: Iterable[Sequence[str]]) -> list[str]:
    """One order of all elements, in which new ones follow what precedes them in their list."""
    merged: list[str] = []
    for elements in lists:
        known = (merged.index(element) for element in elements if element in merged)
        at = next(known, len(merged))
        for element in elements:
            if element in merged:
                at = merged.index(element) + 1
            else:
                merged.insert(at, element)
                at += 1
    return merged


def _chunks(elements: Sequence[str], *, max_chars: int) -> Iterator[list[str]]:
    """Packs HTML elements; a list stays with the sentence that introduces it."""
    chunk: list[str] = []
    for element in elements:
        length = sum(map(len, chunk))
        continues = element.startswith(("<li", "<tr")) and length < 1.5 * max_chars
        fits = length + len(element) <= max_chars and not element.startswith("<h")
        if chunk and not continues and not fits:
            yield chunk
            chunk = []
        chunk.append(element)
    if chunk:
        yield chunk


def _plain(elements: Sequence[str]) -> str:
    lines = (html.unescape(re.sub(r"<[^>]+>", "", element)).strip() for element in elements)
    return "\n".join(line for line in lines if line)


def load_conditionalqa(folder: Path, *, split: str = "train") -> Collection:
    """gov.uk pages, rebuilt from their evidence, with scenarios and questions.

    Passages are about 200 or 600 characters long, by page, so that the reranker sees both.
    """
    rows = json.loads(_read(folder / f"{split}.json"))
    by_page: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
    for row in rows:
        by_page[row["url"]].append(row)
    builder = _Builder("conditionalqa" if split == "train" else f"conditionalqa-{split}")
    for url, page_rows in by_page.items():
        _add_page(builder, url, page_rows)
    return builder.build()


def _add_page(builder: _Builder, url: str, rows: Sequence[dict[str, object]]) -> None:
    title = url.rsplit("/", 1)[-1].replace("-", " ").capitalize()
    digest = hashlib.sha256(url.encode()).digest()
    evidences = [[str(e) for e in _sequence(row["evidences"])] for row in rows]
    place: dict[str, int] = {}
    for chunk in _chunks(_merge_order(evidences), max_chars=600 if digest[1] % 2 else 200):
        index = builder.passage(_compose(title, _plain(chunk)), url)
        place.update(dict.fromkeys(chunk, index))
    for row, evidence in zip(rows, evidences, strict=True):
        query = _ask(str(row["scenario"]), str(row["question"]))
        builder.question(query, url, (place[e] for e in evidence))


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _ask(scenario: str, question: str) -> str:
    """Most people tell their story first, some last, some not at all."""
    style = hashlib.sha256(question.encode()).digest()[0] % 8
    parts = ((question, scenario), (question,))[style] if style < 2 else (scenario, question)
    return " ".join(part.strip() for part in parts if part.strip())


def load_or_sharc(folder: Path) -> Collection:
    """Rule texts with first-person questions about them; each rule is its own document."""
    builder = _Builder("or-sharc")
    snippets = json.loads(_read(folder / "id2snippet.json"))
    places = {
        key: builder.passage(re.sub(r"^#+\s*", "", text.strip()), f"or-sharc/{key}")
        for key, text in snippets.items()
    }
    seen: set[str] = set()
    for line in _read(folder / "open_retrieval_sharc_dev.json").splitlines():
        row = json.loads(line)
        query = f"{row['scenario'].strip()} {row['question'].strip()}".strip()
        if query not in seen:
            key = row["gold_snippet_id"]
            builder.question(query, f"or-sharc/{key}", [places[key]])
        seen.add(query)
    return builder.build()


_MIN_PARAGRAPH = 60  # characters; shorter ones introduce a table: "(in thousands)"


def load_tatqa(folder: Path) -> Collection:
    """Financial reports; a question belongs to its report and is answered by its paragraphs."""
    builder = _Builder("tatqa", closed=True)
    for report in json.loads(_read(folder / "tatqa_dataset_dev.json")):
        document = f"tatqa/{report['table']['uid']}"
        places = {
            str(paragraph["order"]): builder.passage(" ".join(paragraph["text"].split()), document)
            for paragraph in report["paragraphs"]
            if len(paragraph["text"]) >= _MIN_PARAGRAPH
        }
        for row in report["questions"]:
            relevant = [places[order] for order in row["rel_paragraphs"] if order in places]
            if len(set(relevant)) < len(places):
                builder.question(row["question"], document, relevant)
    return builder.build()


def load_xquad(folder: Path) -> Collection:
    """Encyclopedia paragraphs with questions; a document is one article."""
    builder = _Builder("xquad")
    for article in json.loads(_read(folder / "xquad.en.json"))["data"]:
        document = f"xquad/{article['paragraphs'][0]['qas'][0]['id']}"
        for paragraph in article["paragraphs"]:
            index = builder.passage(paragraph["context"], document)
            for row in paragraph["qas"]:
                builder.question(row["question"], document, [index])
    return builder.build()


def load_public(data: Path) -> list[Collection]:
    """The four public sets that training may see; ConditionalQA's dev split is not among them."""
    return [
        load_conditionalqa(data / "conditionalqa"),
        load_or_sharc(data / "or-sharc"),
        load_tatqa(data / "tatqa"),
        load_xquad(data / "xquad-en"),
    ]


# --------------------------------------------------------------------------- invented products


@dataclass(frozen=True, slots=True)
class _Topic:
    """What one passage of a product document is about.

    `{P}` is the product, `{V}` a value of the label's type, `{N}` a number.
    """

    label: str
    rules: tuple[str, ...]
    questions: tuple[str, ...]
    personal: tuple[str, ...] = ()


_VALUES: dict[str, Callable[[random.Random], str]] = {
    "AGE": lambda rng: str(rng.randint(16, 84)),
    "LOCATION": lambda rng: rng.choice(_entries(f"{_COUNTRIES} {_CITIES}")),
    "INCOME": lambda rng: f"{rng.choice('£$€')}{rng.randint(8, 95)},{rng.randint(0, 9)}00",
    "OCCUPATION": lambda rng: rng.choice(_entries(_OCCUPATIONS)),
    "MARITAL_STATUS": lambda rng: rng.choice(("married", "single", "divorced", "widowed")),
    "CHILDREN": lambda rng: rng.choice(("one child", "two children", "three kids", "a baby son")),
    "NATIONALITY": lambda rng: rng.choice(_entries(_NATIONALITIES)),
    "HEALTH": lambda rng: rng.choice(("asthma", "diabetes", "epilepsy", "arthritis", "migraines")),
    "PERSON": lambda rng: rng.choice(_entries(_NAMES)),
}

_TOPICS: tuple[_Topic, ...] = (
    _Topic(
        "AGE",
        (
            "You must be at least {N} years old on the day you apply for the {P}. Applicants "
            "older than {N} can join only with a guarantor.",
            "The {P} is open to people between their {N}th birthday and state retirement. "
            "We ask for proof of your date of birth.",
            "Who can join: adults from {N} upwards. Younger applicants need a parent's signature.",
        ),
        ("Am I old enough for the {P}?", "Is there an age limit on the {P}?"),
        ("I am {V}.", "I am {V} years old.", "I turned {V} in spring.", "I'm {V} now."),
    ),
    _Topic(
        "LOCATION",
        (
            "The {P} is offered to residents of {V} and its neighbors only. If you move away, "
            "tell us within {N} days.",
            "Living abroad: the {P} ends when you have spent more than {N} days outside {V}.",
            "To qualify, your main home has to be in the service area, which includes {V}.",
        ),
        ("Can I have the {P} where I live?", "Does the {P} still work for me after I move?"),
        ("I live in {V}.", "I moved to {V} last year.", "My home is in {V}.", "I'm from {V}."),
    ),
    _Topic(
        "INCOME",
        (
            "Your yearly income before tax must not exceed {V}. Bonuses count, child payments "
            "do not.",
            "The reduced rate of the {P} applies to households that earn less than {V} a year.",
            "Means test: we look at the last {N} payslips. Above {V} you pay the full price.",
        ),
        (
            "Do I earn too much for the {P}?",
            "Would I get the reduced rate of the {P} with what I make?",
        ),
        ("I earn {V} a year.", "My salary is {V}.", "I make about {V} before tax."),
    ),
    _Topic(
        "OCCUPATION",
        (
            "Some jobs are excluded from the {P}, among them {V} and anyone working at height.",
            "Members who work as {V} get {N} percent off, as do apprentices.",
            "Professional use: if your work falls under group {N}, such as {V}, ask for the "
            "trade version first.",
        ),
        ("Is my line of work covered by the {P}?", "Does my job matter for the {P}?"),
        ("I work as a {V}.", "I am a {V}.", "I'm employed as a {V}."),
    ),
    _Topic(
        "MARITAL_STATUS",
        (
            "A spouse or registered partner can be added to the {P} at no cost. Partners who are "
            "not married pay {N} extra.",
            "When a marriage ends, the {P} passes to the partner named first in the contract.",
            "Couples: being married or widowed changes the amount, see table {N}.",
        ),
        (
            "Can my partner be on the {P} with me?",
            "Does it make a difference to the {P} whether I'm married?",
        ),
        ("I am {V}.", "I'm {V} since last year.", "I have been {V} for a while."),
    ),
    _Topic(
        "CHILDREN",
        (
            "Each child under {N} in your household raises the allowance. Foster children count.",
            "Family version of the {P}: parents may add up to {N} children without a fee.",
            "Dependants are included in the {P} until they finish school or turn {N}.",
        ),
        ("Are my kids included in the {P}?", "Do I get more from the {P} because I'm a parent?"),
        ("I have {V}.", "We have {V} at home.", "I'm raising {V}."),
    ),
    _Topic(
        "NATIONALITY",
        (
            "Citizens of countries outside the treaty need a residence permit that is valid for "
            "{N} more months to get the {P}.",
            "We open the {P} for {V} nationals without a visa check.",
            "Foreign passports: bring a certified copy, and the permit if you are not a citizen.",
        ),
        ("Can I apply for the {P} with my passport?", "Do foreigners get the {P}?"),
        ("I am {V}.", "I hold a {V} passport.", "I'm a {V} citizen."),
    ),
    _Topic(
        "HEALTH",
        (
            "Illnesses known before the start date, for example {V}, are covered after {N} months.",
            "You must declare any long-term condition when you sign up for the {P}.",
            "A doctor's note is needed where a medical condition keeps you from taking part.",
        ),
        (
            "Does my condition exclude me from the {P}?",
            "Do I have to tell you about my illness to get the {P}?",
        ),
        ("I have {V}.", "I was diagnosed with {V}.", "I suffer from {V}."),
    ),
    _Topic(
        "",
        (
            "The {P} costs {N} a month, payable in advance. The first month is free.",
            "Charges: a set-up fee of {N} and nothing after that, unless you pay late.",
        ),
        ("How much is the {P}?", "What will I pay for the {P} each month?", "Any fees on the {P}?"),
    ),
    _Topic(
        "",
        (
            "You can end the {P} at any time with {N} days' notice, in writing or in the app.",
            "Cancellation within {N} days of signing is free. Later we keep one monthly payment.",
        ),
        ("How do I cancel the {P}?", "I want out of the {P}, what notice do I give?"),
    ),
    _Topic(
        "",
        (
            "Bring an identity document, proof of address and your last {N} bank statements.",
            "Apply for the {P} online; we need a scan of your papers, none older than {N} months.",
        ),
        ("What papers do I need for the {P}?", "Which documents go with a {P} application?"),
    ),
    _Topic(
        "",
        (
            "Our desk answers questions about the {P} from {N} in the morning, Monday to Friday.",
            "Call or write to the {P} team; complaints are answered within {N} working days.",
        ),
        ("How can I reach somebody about the {P}?", "Where do I complain about the {P}?"),
    ),
    _Topic(
        "",
        (
            "A decision on the {P} takes {N} working days. You will get a letter with the reasons.",
            "Processing time: most {P} applications are settled within {N} days.",
        ),
        ("How long until I hear back about the {P}?", "When will you decide on my {P}?"),
    ),
    _Topic(
        "",
        (
            "File a claim within {N} days of the event. Photos and receipts speed things up.",
            "Payments from the {P} are made on the {N}th of the month to the account you named.",
        ),
        ("How do I claim on the {P}?", "When does the {P} pay out?"),
    ),
)

_KINDS = _entries(
    "savings_account travel_insurance mobile_plan bike_lease heating_grant study_bursary gym_pass "
    "home_loan pet_cover rail_card moving_grant credit_card solar_subsidy parking_permit "
    "library_pass pension_plan rent_deposit_loan meal_voucher skills_course farm_aid"
)
_HEADS = _entries("Lum Ver Tol Mar Kes Bran Od Sil Nor Hal Quin Ras Fen Dor Wex Pel Ar Mun Gal Tib")
_TAILS = _entries(
    "ora vik ena dale ic umo estra wick ano ley ith orn elle aro ux ant imi ost ard ine"
)


def generate_products(*, seed: int, count: int = 150, questions: int = 6) -> Collection:
    """Documents of invented products: one rule or fact a passage, and messages about them.

    Every document covers every topic, so that a question's rivals are the other rules of its
    product and the same rule of other products.

    Args:
        seed: Same seed, same collection.
        count: Documents.
        questions: Messages about each document.
    """
    rng = random.Random(seed)
    builder = _Builder("generated")
    names = [f"{head}{tail} {kind}" for head in _HEADS for tail in _TAILS for kind in _KINDS]
    if count > len(names):
        raise InputError(f"count must be at most {len(names)}, got {count}")
    for product in rng.sample(names, count):
        _add_product(builder, product, f"generated/{product}", questions, rng)
    return builder.build()


def _add_product(
    builder: _Builder, product: str, document: str, questions: int, rng: random.Random
) -> None:
    places = []
    titled = rng.random() < 0.5
    for topic in _TOPICS:
        rule = _fill(rng.choice(topic.rules), product, _value(topic.label, rng), rng)
        text = f"{product}\n{rule}" if titled or product not in rule else rule
        places.append(builder.passage(text, document))
    for at in rng.choices(range(len(_TOPICS)), k=questions):
        query, abstracted = _message(_TOPICS[at], product, rng)
        builder.question(query, document, [places[at]], abstracted)


def _value(label: str, rng: random.Random) -> str:
    return _VALUES[label](rng) if label else ""


def _fill(template: str, product: str, value: str, rng: random.Random) -> str:
    return template.format(P=product, V=value, N=rng.randint(12, 60))


def _message(topic: _Topic, product: str, rng: random.Random) -> tuple[str, str]:
    """A message that tells more about its writer than the question needs, plain and abstracted."""
    about = rng.sample([t for t in _TOPICS if t.label and t is not topic], rng.randint(0, 3))
    if topic.personal:
        about.append(topic)
    rng.shuffle(about)
    plain, abstracted = [], []
    for told in about:
        sentence, value = rng.choice(told.personal), _value(told.label, rng)
        plain.append(sentence.format(V=value))
        abstracted.append(sentence.format(V=told.label))
    if rng.random() < 0.2:
        plain.insert(0, f"My name is {_value('PERSON', rng)}.")
        abstracted.insert(0, "My name is PERSON.")
    question = rng.choice(topic.questions).format(P=product)
    return " ".join([*plain, question]), " ".join([*abstracted, question])


# --------------------------------------------------------------------------- negatives


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _overlap(left: str, right: str) -> float:
    a, b = set(_words(left)), set(_words(right))
    return len(a & b) / max(1, len(a | b))


def make_group(
    collection: Collection,
    question: Question,
    ranked: Sequence[int],
    siblings: Sequence[int],
    *,
    size: int,
    rng: random.Random,
    abstracted_share: float = 0.5,
) -> Group:
    """One positive and `size - 1` negatives, half from the document, half from `ranked`.

    Args:
        ranked: Passages that a retriever takes for relevant, best first.
        siblings: Passages of the question's own document.
        size: Passages in the group.
        abstracted_share: How often the abstracted query is used, most often in the default style.
    """
    positive = collection.passages[rng.choice(question.positives)]
    wrong = _wrong(collection, question)
    near = [i for i in siblings if wrong(i)]
    far = [i for i in ranked if wrong(i) and i not in set(near)]
    rng.shuffle(near)
    rng.shuffle(far)
    half = max((size - 1) // 2, size - 1 - len(far))
    chosen = (near[:half] + far)[: size - 1]
    chosen += _fillers(collection, set(chosen), wrong, size - 1 - len(chosen), rng)
    query = question.query
    if rng.random() < abstracted_share:
        query = in_style(question.abstracted, rng.choice((DEFAULT_STYLE, DEFAULT_STYLE, *STYLES)))
    return Group(query, (positive, *(collection.passages[i] for i in chosen)))


def _wrong(collection: Collection, question: Question) -> Callable[[int], bool]:
    """Tells passages that do not answer; near-copies of an answer count as answers."""
    answers = [collection.passages[i] for i in question.positives]

    def wrong(index: int) -> bool:
        text = collection.passages[index]
        return index not in question.positives and all(_overlap(text, a) < 0.7 for a in answers)

    return wrong


def _fillers(
    collection: Collection,
    taken: set[int],
    wrong: Callable[[int], bool],
    count: int,
    rng: random.Random,
) -> list[int]:
    if count <= 0:
        return []
    order = list(range(len(collection.passages)))
    rng.shuffle(order)
    fresh = (i for i in order if i not in taken and wrong(i))
    return [i for i, _ in zip(fresh, range(count), strict=False)]
