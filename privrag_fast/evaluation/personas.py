"""People who do not exist, each consistent with himself or herself.

An attribute has the same name here, in the conditions of documents and in the facts of questions.
Amounts are in the currency of the place; `income` is gross and a year, `tenure` the years with the
employer, `residence` those in the country, `membership` those as a customer, `workload` in percent.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Final

from privrag_fast.evaluation.dataset import Meaning
from privrag_fast.types import InputError

LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": "PERSON",
        "age": "AGE",
        "gender": "GENDER",
        "city": "LOCATION",
        "nationality": "NATIONALITY",
        "birthplace": "LOCATION",
        "marital_status": "MARITAL_STATUS",
        "children": "CHILDREN",
        "mother_age": "AGE",
        "education": "EDUCATION",
        "occupation": "OCCUPATION",
        "employer": "EMPLOYER",
        "employment": "OCCUPATION",
        "workload": "WORKLOAD",
        "tenure": "DURATION",
        "income": "INCOME",
        "savings": "MONEY",
        "debt": "MONEY",
        "rent": "MONEY",
        "housing": "HOUSING",
        "health": "HEALTH",
        "religion": "RELIGION",
        "residence": "DURATION",
        "membership": "DURATION",
        "address": "ADDRESS",
        "email": "EMAIL",
        "phone": "PHONE",
        "iban": "IBAN",
    }
)
"""Attribute -> its type as detection names it; `DURATION`, `WORKLOAD` and `HOUSING` are not among
the default ones."""


def _list(text: str) -> tuple[str, ...]:
    return tuple(" ".join(text.split()).split(", "))


# --------------------------------------------------------------------------- places


@dataclass(frozen=True, slots=True)
class Country:
    """A country, with what its people are called and how they are reached.

    Args:
        streets: What a street name ends in, or starts with.
        phone: `#` stands for a digit.
        account: IBAN after the check digits; `#` a digit, `@` a letter.
    """

    nationality: str
    currency: str
    cities: tuple[str, ...]
    streets: tuple[str, ...]
    phone: str
    iban: str
    account: str


COUNTRIES: Final[Mapping[str, Country]] = MappingProxyType(
    {
        "Switzerland": Country(
            "Swiss",
            "CHF",
            _list("Zurich, Winterthur, Bern, Basel, Lucerne, St. Gallen, Lausanne, Geneva, Lugano"),
            _list("Lindenweg, Seestrasse, Ringstrasse, Mühleweg, Bachtelweg"),
            "+41 79 ### ## ##",
            "CH",
            "#################",
        ),
        "Liechtenstein": Country(
            "Liechtenstein",
            "CHF",
            _list("Vaduz, Schaan"),
            _list("Feldgasse, Landstrasse, Obergass"),
            "+423 79# ## ##",
            "LI",
            "#################",
        ),
        "Germany": Country(
            "German",
            "EUR",
            _list("Hamburg, Munich, Leipzig, Freiburg, Konstanz, Cologne"),
            _list("Gartenstraße, Kastanienallee, Am Anger, Wiesenweg"),
            "+49 151 ########",
            "DE",
            "##################",
        ),
        "Austria": Country(
            "Austrian",
            "EUR",
            _list("Vienna, Graz, Linz, Bregenz, Innsbruck"),
            _list("Lerchengasse, Burggasse, Auweg"),
            "+43 660 #######",
            "AT",
            "################",
        ),
        "France": Country(
            "French",
            "EUR",
            _list("Lyon, Strasbourg, Mulhouse, Nantes"),
            _list("Rue des Tilleuls, Rue du Moulin, Quai du Port"),
            "+33 6 ## ## ## ##",
            "FR",
            "#######################",
        ),
        "Italy": Country(
            "Italian",
            "EUR",
            _list("Milan, Como, Turin, Bologna"),
            _list("Via dei Mille, Via Garibaldi, Corso Magenta"),
            "+39 347 #######",
            "IT",
            "@######################",
        ),
        "Ireland": Country(
            "Irish",
            "EUR",
            _list("Dublin, Cork, Galway, Limerick"),
            _list("Quay Street, Abbey Road, Rowan Park"),
            "+353 86 ### ####",
            "IE",
            "@@@@##############",
        ),
        "Netherlands": Country(
            "Dutch",
            "EUR",
            _list("Utrecht, Rotterdam, Eindhoven, Groningen"),
            _list("Kerkstraat, Molenweg, Prinsengracht"),
            "+31 6 ########",
            "NL",
            "@@@@##########",
        ),
        "United Kingdom": Country(
            "British",
            "GBP",
            _list("London, Leeds, Sheffield, Bristol, Norwich, Cardiff, Glasgow, Belfast"),
            _list("Mill Lane, Station Road, Orchard Close, Albert Street"),
            "07700 900###",
            "GB",
            "@@@@##############",
        ),
    }
)
COUNTRY_OF: Final[Mapping[str, str]] = MappingProxyType(
    {city: name for name, country in COUNTRIES.items() for city in country.cities}
)

# Nationality -> women's names, men's names, family names, places of birth abroad.
_NAMES: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        "Swiss": (
            _list("Regula, Corinne, Annina, Flavia, Seraina, Martina, Chantal, Ursula"),
            _list("Reto, Beat, Jürg, Andrin, Luca, Pascal, Ueli, Christoph"),
            _list(
                "Aebischer, Brunner, Caduff, Gerber, Hofstetter, Rochat, Zbinden, Wyss, Bernasconi"
            ),
            (),
        ),
        "Liechtenstein": (
            _list("Sabina, Nadja, Carmen, Monika"),
            _list("Norman, Marco, Adrian, Egon"),
            _list("Frick, Ospelt, Hasler, Nigg"),
            (),
        ),
        "German": (
            _list("Anke, Sabine, Frauke, Lena, Johanna, Birgit, Merle, Antje"),
            _list("Torsten, Jan, Uwe, Moritz, Henning, Malte, Dieter, Sven"),
            _list("Albrecht, Böttcher, Carstens, Dietz, Hartwig, Krüger, Lorenzen, Sommer"),
            (),
        ),
        "Austrian": (
            _list("Elfriede, Verena, Magdalena, Barbara, Theresa"),
            _list("Florian, Gernot, Leopold, Markus, Bernhard"),
            _list("Aigner, Gruber, Pichler, Schwaiger, Wimmer, Leitner"),
            (),
        ),
        "French": (
            _list("Camille, Odile, Solène, Margaux, Nathalie, Inès"),
            _list("Bastien, Yannick, Gilles, Thibault, Olivier, Rémi"),
            _list("Garnier, Lemoine, Mercier, Perrin, Renaud, Vasseur"),
            (),
        ),
        "Italian": (
            _list("Chiara, Giulia, Ornella, Paola, Silvia, Federica"),
            _list("Andrea, Davide, Enzo, Fabio, Matteo, Salvatore"),
            _list("Barbieri, Colombo, Donati, Fontana, Marchetti, Rinaldi"),
            (),
        ),
        "Irish": (
            _list("Aoife, Siobhan, Maeve, Niamh, Deirdre"),
            _list("Cormac, Declan, Eoin, Padraig, Ronan"),
            _list("Brennan, Callaghan, Doyle, Kinsella, Nolan, Quigley"),
            (),
        ),
        "Dutch": (
            _list("Anouk, Femke, Marijke, Sanne, Willemijn"),
            _list("Bram, Jeroen, Maarten, Sjoerd, Thijs"),
            _list("Bakker, de Groot, Hoekstra, van Dijk, Visser, Verhoeven"),
            (),
        ),
        "British": (
            _list("Alison, Bethan, Charlotte, Gemma, Heather, Janet, Pippa, Rhona"),
            _list("Alistair, Callum, Duncan, Graham, Nigel, Owen, Stuart, Trevor"),
            _list(
                "Ashworth, Bickley, Cartwright, Holloway, McKenzie, Pritchard, Thornton, Whitlock"
            ),
            (),
        ),
        "Portuguese": (
            _list("Beatriz, Catarina, Fátima, Joana"),
            _list("Duarte, Joaquim, Nuno, Tiago"),
            _list("Carvalho, Esteves, Figueira, Moreira, Tavares"),
            _list("Braga, Coimbra, Porto"),
        ),
        "Polish": (
            _list("Agnieszka, Katarzyna, Magda, Zofia"),
            _list("Grzegorz, Jakub, Marek, Tomasz"),
            _list("Baran, Mazur, Sikora, Wrona"),
            _list("Gdansk, Lublin, Krakow"),
        ),
        "Turkish": (
            _list("Ayşe, Elif, Gülay, Zeynep"),
            _list("Cem, Emre, Hakan, Murat"),
            _list("Aydın, Kaya, Özkan, Şahin, Yıldız"),
            _list("Izmir, Bursa, Ankara"),
        ),
        "Croatian": (
            _list("Ivana, Jelena, Marija, Petra"),
            _list("Ante, Goran, Josip, Zoran"),
            _list("Babić, Horvat, Kovač, Marić"),
            _list("Split, Zadar, Osijek"),
        ),
        "Indian": (
            _list("Ananya, Deepa, Kavita, Meera"),
            _list("Arjun, Nikhil, Rajesh, Sanjay"),
            _list("Chatterjee, Iyer, Kulkarni, Nair, Reddy"),
            _list("Pune, Chennai, Mumbai"),
        ),
        "Nigerian": (
            _list("Adaeze, Chioma, Folake, Ngozi"),
            _list("Chinedu, Emeka, Kunle, Obinna"),
            _list("Adeyemi, Balogun, Eze, Okonkwo"),
            _list("Lagos, Ibadan, Enugu"),
        ),
    }
)
_FAITHS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Turkish": ("Muslim", "Muslim", "none"),
        "Croatian": ("Catholic", "Catholic", "Orthodox", "none"),
        "Indian": ("Hindu", "Hindu", "Muslim", "Catholic"),
        "Nigerian": ("Protestant", "Muslim", "Catholic"),
        "British": ("Protestant", "Catholic", "Jewish", "none", "none", "Muslim"),
        "Italian": ("Catholic", "Catholic", "none"),
        "Irish": ("Catholic", "Catholic", "Protestant", "none"),
    }
)
_OTHER_FAITHS: Final = (
    *("Catholic", "Catholic", "Protestant", "Protestant", "none", "none"),
    *("Jewish", "Buddhist", "Orthodox"),
)

# --------------------------------------------------------------------------- work

_SCHOOLING: Final[Mapping[str, int]] = MappingProxyType(
    {
        "school-leaving certificate": 16,
        "vocational diploma": 18,
        "high school diploma": 18,
        "bachelor's degree": 21,
        "master's degree": 23,
        "doctorate": 27,
    }
)
"""Education -> the youngest age at which it is had."""

# Occupation -> sector, what it takes, yearly pay in thousands.
_WORK: Final[Mapping[str, tuple[str, tuple[str, ...], int, int]]] = MappingProxyType(
    {
        "cleaner": ("service", ("school-leaving certificate",), 24, 38),
        "kitchen assistant": ("service", ("school-leaving certificate",), 24, 38),
        "courier": ("transport", ("school-leaving certificate", "high school diploma"), 24, 42),
        "warehouse worker": ("transport", ("school-leaving certificate",), 26, 44),
        "bus driver": ("transport", ("vocational diploma",), 32, 60),
        "train driver": ("transport", ("vocational diploma",), 40, 72),
        "electrician": ("trade", ("vocational diploma",), 34, 72),
        "carpenter": ("trade", ("vocational diploma",), 32, 66),
        "plumber": ("trade", ("vocational diploma",), 34, 72),
        "roofer": ("trade", ("vocational diploma",), 32, 60),
        "mechanic": ("trade", ("vocational diploma",), 32, 62),
        "gardener": ("trade", ("vocational diploma",), 28, 54),
        "baker": ("food", ("vocational diploma",), 28, 54),
        "cook": ("food", ("vocational diploma",), 28, 54),
        "hairdresser": ("service", ("vocational diploma",), 24, 46),
        "sales assistant": ("retail", ("vocational diploma", "high school diploma"), 24, 48),
        "nurse": ("health", ("vocational diploma", "bachelor's degree"), 36, 84),
        "midwife": ("health", ("bachelor's degree",), 38, 84),
        "physiotherapist": ("health", ("bachelor's degree",), 38, 80),
        "pharmacist": ("health", ("master's degree", "doctorate"), 54, 110),
        "dentist": ("health", ("master's degree", "doctorate"), 72, 168),
        "physician": ("health", ("doctorate",), 78, 180),
        "firefighter": ("public", ("vocational diploma",), 38, 78),
        "police officer": ("public", ("vocational diploma", "high school diploma"), 38, 84),
        "social worker": ("public", ("bachelor's degree",), 36, 78),
        "teacher": ("school", ("bachelor's degree", "master's degree"), 42, 96),
        "librarian": ("school", ("bachelor's degree",), 36, 72),
        "university lecturer": ("school", ("doctorate",), 60, 132),
        "office clerk": ("office", ("vocational diploma", "high school diploma"), 30, 60),
        "receptionist": ("office", ("high school diploma",), 26, 48),
        "accountant": ("office", ("bachelor's degree",), 42, 102),
        "software developer": ("office", ("bachelor's degree", "master's degree"), 54, 132),
        "translator": ("office", ("master's degree",), 36, 78),
        "lawyer": ("office", ("master's degree", "doctorate"), 66, 168),
        "architect": ("office", ("master's degree",), 54, 114),
        "chemist": ("office", ("master's degree", "doctorate"), 66, 138),
    }
)
EMPLOYERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "service": _list("Brisk & Bright Services, Falcon Court Hotels, Cleanwell Facilities"),
        "transport": _list("Ostermoor Logistics, Ruskvale Transit, Pellworm Parcels"),
        "trade": _list("Hagenbuch Building Works, Corrigan & Pell, Steinlach Installations"),
        "food": _list("Millrace Bakeries, Silver Thistle Inns, Copperpan Kitchens"),
        "retail": _list("Merrow Market, Dunkel & Frey, Tollgate Stores"),
        "health": _list("Nordhang Clinic, St. Alban's Infirmary, Weidenau Hospital"),
        "public": _list("Rundal District Council, Eastmere Borough, Obersee Public Services"),
        "school": _list("Talbrook School, Seegarten College, Wendover Academy"),
        "office": _list(
            "Quillon Software, Vossberg Partners, Larkfield Analytics, Helvion Chemicals"
        ),
    }
)
FREELANCE: Final = (
    *_list("electrician, carpenter, plumber, gardener, hairdresser, baker, cook, midwife"),
    *_list("physiotherapist, dentist, pharmacist, accountant, software developer, translator"),
    *_list("lawyer, architect, mechanic"),
)

# --------------------------------------------------------------------------- domains

DOMAINS: Final[Mapping[str, Sequence[Meaning]]] = MappingProxyType(
    {
        "age": range(16, 101),
        "children": range(11),
        "workload": range(1, 101),
        "tenure": range(61),
        "residence": range(101),
        "membership": range(81),
        "income": range(1_000_001),
        "savings": range(10_000_001),
        "debt": range(1_000_001),
        "gender": ("woman", "man", "non-binary"),
        "city": tuple(COUNTRY_OF),
        "nationality": tuple(_NAMES),
        "marital_status": ("single", "married", "registered partnership", "divorced", "widowed"),
        "education": tuple(_SCHOOLING),
        "employment": (
            *("employed", "self-employed", "unemployed", "retired"),
            *("student", "apprentice", "homemaker"),
        ),
        "occupation": tuple(_WORK),
        "employer": tuple(name for names in EMPLOYERS.values() for name in names),
        "housing": ("tenant", "homeowner", "lodger"),
        "health": (
            *("none", "diabetes", "asthma", "high blood pressure", "depression", "back pain"),
            *("migraine", "epilepsy", "arthritis", "cancer", "heart disease", "hearing loss"),
            *("multiple sclerosis", "dementia", "Parkinson's disease"),
        ),
        "religion": (
            *("none", "Catholic", "Protestant", "Orthodox", "Muslim", "Jewish", "Hindu"),
            "Buddhist",
        ),
    }
)
"""Every meaning that an attribute may have; what rules can read and nothing else."""

# --------------------------------------------------------------------------- people


@dataclass(frozen=True, slots=True)
class Persona:
    """Somebody; None where an attribute does not apply, such as the employer of a student."""

    name: str
    gender: str
    nationality: str
    birthplace: str
    city: str
    address: str
    email: str
    phone: str
    iban: str
    age: int
    mother_age: int | None
    marital_status: str
    children: int
    education: str
    employment: str
    occupation: str | None
    employer: str | None
    workload: int | None
    tenure: int | None
    income: int
    savings: int
    debt: int
    housing: str
    rent: int | None
    health: str
    religion: str
    residence: int
    membership: int

    @property
    def country(self) -> str:
        """Where he or she lives."""
        return COUNTRY_OF[self.city]

    @property
    def meanings(self) -> dict[str, Meaning]:
        """Attribute -> meaning, without what does not apply."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value is not None}


def generate(count: int, seed: int) -> tuple[Persona, ...]:
    """Seeded personas, all names different."""
    rng = random.Random(f"personas {seed}")
    people: dict[str, Persona] = {}
    for _ in range(8 * count):
        if len(people) == count:
            return tuple(people.values())
        persona = _born(rng)
        people.setdefault(persona.name, persona)
    raise InputError(f"no {count} different names to be had: ask for fewer personas")


def stranger(rng: random.Random) -> Persona:
    """Somebody else."""
    return _born(rng)


def altered(persona: Persona, changes: Mapping[str, Meaning]) -> Persona | None:
    """The same person with some circumstances changed; None where that contradicts the others."""
    changed: dict[str, Meaning | None] = {**changes}
    if "housing" in changes:
        changed["rent"] = (persona.rent or 1100) if changes["housing"] == "tenant" else None
    other = replace(persona, **changed)  # type: ignore[arg-type]
    return None if contradictions(other) else other


def vary(persona: Persona, wanted: Mapping[str, Meaning], rng: random.Random) -> Persona | None:
    """The same person with other circumstances, as few as consistency allows; None where no life
    goes with the wanted ones."""
    if changed := altered(persona, wanted):
        return changed
    for _ in range(60):
        changed = _lived(rng, persona, wanted)
        if not contradictions(changed):
            return changed
    return None


def contradictions(persona: Persona) -> tuple[str, ...]:
    """What cannot be true of one person at once; empty where all is well."""
    return tuple(what for what, wrong in _contradictions(persona) if wrong)


def _contradictions(p: Persona) -> Iterator[tuple[str, bool]]:
    native = COUNTRIES[p.country].nationality == p.nationality
    sector, schooling, low, high = _WORK.get(p.occupation or "", ("", (), 0, 0))
    pay, part = _pay(p), (p.workload or 100) / 100
    working = p.employment in ("employed", "self-employed")
    yield "age out of range", not 16 <= p.age <= 95
    yield (
        "born abroad and always here",
        p.residence == p.age and not (native and p.birthplace in COUNTRIES[p.country].cities),
    )
    yield "longer here than alive", p.residence > p.age
    yield "no year in the country", p.residence < 1
    yield "too young for the education", p.age < _SCHOOLING[p.education]
    yield "children too early", p.children > max(0, (p.age - 18) // 2)
    yield "too many children", not 0 <= p.children <= 6
    yield "married too young", p.age < 20 and p.marital_status != "single"
    yield (
        "widowed or divorced too young",
        (p.age < 27 and p.marital_status in ("widowed", "divorced")),
    )
    yield "retired too young", p.employment == "retired" and p.age < 58
    yield "still at work", p.employment in ("employed", "unemployed") and p.age > 68
    yield "still in business", p.employment == "self-employed" and not 20 <= p.age <= 74
    yield "student out of age", p.employment == "student" and p.age > 34
    yield "apprentice out of age", p.employment == "apprentice" and p.age > 26
    yield "homemaker out of age", p.employment == "homemaker" and p.age < 22
    yield (
        "occupation",
        (p.occupation is None) != (p.employment in ("student", "apprentice", "homemaker")),
    )
    yield "education does not fit the occupation", bool(schooling) and p.education not in schooling
    yield (
        "only who is employed has an employer",
        (p.employer is not None) != (p.employment == "employed"),
    )
    yield (
        "employer does not fit the occupation",
        (p.employer is not None and p.employer not in EMPLOYERS.get(sector, ())),
    )
    yield "work", (p.workload is not None) != working
    yield "time with the employer", (p.tenure is not None) != (p.employment == "employed")
    yield (
        "longer at work than out of school",
        (p.tenure or 1) > max(0, p.age - _SCHOOLING[p.education]),
    )
    yield "longer at work than here", p.tenure is not None and not 1 <= p.tenure <= p.residence
    yield (
        "pay does not fit the occupation",
        working and not (low * pay * part * 0.9 <= p.income <= high * pay * part * 1.1),
    )
    yield "income does not fit", not working and not (2_400 <= p.income <= _most(p))
    yield "savings out of range", not 0 <= p.savings <= 4_000 * max(2, p.age - 15) * 4
    yield "debt out of range", not 0 <= p.debt <= 2 * p.income + 20_000
    yield "lodger with a family", p.housing == "lodger" and p.children > 0
    yield "owner too young", p.housing == "homeowner" and p.age < 24
    yield "rent", (p.rent is not None) != (p.housing == "tenant")
    yield "illness of old age", p.health in ("dementia", "Parkinson's disease") and p.age < 55
    yield (
        "mother too young",
        p.mother_age is not None and not (17 <= p.mother_age - p.age <= 44 and p.mother_age <= 99),
    )
    yield "longer a customer than here", not 1 <= p.membership <= p.residence


def _most(p: Persona) -> int:
    """The most that somebody who does not work has a year."""
    limits = {"student": 21_600, "apprentice": 24_000, "unemployed": 44_400, "homemaker": 20_400}
    return limits.get(p.employment, 120_000)


# --------------------------------------------------------------------------- birth and life


def _born(rng: random.Random) -> Persona:
    [country] = rng.choices(tuple(COUNTRIES), (26, 4, 9, 8, 6, 6, 10, 7, 24))
    home = COUNTRIES[country]
    native = rng.random() < 0.7
    nationality = home.nationality if native else rng.choice(tuple(_NAMES))
    gender = rng.choices(("woman", "man", "non-binary"), (49, 49, 2))[0]
    women, men, families, abroad = _NAMES[nationality]
    first = rng.choice({"woman": women, "man": men}.get(gender, women + men))
    family = rng.choice(families)
    towns = abroad or next(c.cities for c in COUNTRIES.values() if c.nationality == nationality)
    identity = Persona(
        name=f"{first} {family}",
        gender=gender,
        nationality=nationality,
        birthplace=rng.choice(towns),
        city=rng.choice(home.cities),
        address=_address(rng, country),
        email=_email(rng, first, family),
        phone=_digits(rng, home.phone),
        iban=_iban(rng, home),
        **_NOBODY,  # type: ignore[arg-type]
    )
    while True:
        persona = _lived(rng, identity, {})
        if not contradictions(persona):
            return persona


_NOBODY: Final[Mapping[str, Meaning | None]] = MappingProxyType(
    {
        **dict.fromkeys(("age", "children", "income", "savings", "debt"), 0),
        **dict.fromkeys(("residence", "membership"), 0),
        **dict.fromkeys(("mother_age", "occupation", "employer", "workload", "tenure", "rent")),
        **dict.fromkeys(("marital_status", "education", "employment", "housing"), ""),
        **dict.fromkeys(("health", "religion"), ""),
    }
)


def _lived(rng: random.Random, p: Persona, wanted: Mapping[str, Meaning]) -> Persona:
    """A draw of circumstances round the wanted ones, perhaps with contradictions."""

    def age_of(employment: str) -> int:
        spans = {"student": (18, 29), "apprentice": (16, 23), "retired": (60, 90)}
        return rng.randint(*spans.get(employment, (20, 66)))

    employment = str(wanted.get("employment") or _employment(rng, wanted))
    age = int(wanted.get("age", age_of(employment)))
    occupation, education = _profession(rng, employment, age, wanted)
    employed = employment == "employed"
    working = employed or employment == "self-employed"
    workload = rng.choice((100, 100, 100, 100, 90, 80, 80, 70, 60, 60, 50, 40)) if working else None
    workload = int(wanted["workload"]) if "workload" in wanted else workload
    residence = age if _at_home(p) and rng.random() < 0.8 else rng.randint(1, age - 1)
    residence = int(wanted.get("residence", residence))
    most = max(1, min(30, residence, age - _SCHOOLING[education]))
    tenure = rng.randint(1, most) if employed else None
    sector = _WORK[occupation][0] if occupation else ""
    changes: dict[str, Meaning | None] = {
        "age": age,
        "mother_age": age + rng.randint(20, 38) if age < 58 else None,
        "marital_status": _marital_status(rng, age),
        "children": rng.choice((0, 0, 1, 1, 2, 2, 2, 3, 3, 4)) if age > 23 else 0,
        "education": education,
        "employment": employment,
        "occupation": occupation,
        "employer": rng.choice(EMPLOYERS[sector]) if employed else None,
        "workload": workload,
        "tenure": tenure,
        "income": _income(rng, employment, occupation, _pay(p) * (workload or 100) / 100),
        "savings": 500 * rng.randint(0, 2 + (age - 15) * rng.choice((1, 2, 4, 8))),
        "debt": rng.choice((0, 500 * rng.randint(1, 20), 500 * rng.randint(4, 120))),
        "housing": _housing(rng, age),
        "health": _health(rng, age),
        "religion": rng.choice(_FAITHS.get(p.nationality, _OTHER_FAITHS)),
        "residence": residence,
        "membership": rng.randint(1, max(1, min(30, residence, age - 10))),
        **wanted,
    }
    changes["rent"] = 50 * rng.randint(9, 44) if changes["housing"] == "tenant" else None
    return replace(p, **changes)  # type: ignore[arg-type]


def _at_home(p: Persona) -> bool:
    home = COUNTRIES[p.country]
    return home.nationality == p.nationality and p.birthplace in home.cities


def _employment(rng: random.Random, wanted: Mapping[str, Meaning]) -> str:
    if wanted.keys() & {"employer", "tenure"}:
        return "employed"
    if "workload" in wanted:
        return rng.choice(("employed", "employed", "employed", "self-employed"))
    if "occupation" in wanted:
        free = wanted["occupation"] in FREELANCE and rng.random() < 0.2
        return "self-employed" if free else "employed"
    if int(wanted.get("age", 40)) > 67:
        return "retired"
    return rng.choices(DOMAINS["employment"], (56, 10, 6, 14, 8, 3, 3))[0]  # type: ignore[return-value]


def _profession(
    rng: random.Random, employment: str, age: int, wanted: Mapping[str, Meaning]
) -> tuple[str | None, str]:
    """Occupation, if any, and education."""
    schools = [name for name, least in _SCHOOLING.items() if least <= age]
    if employment in ("student", "apprentice", "homemaker"):
        low = schools[:1] if employment == "apprentice" else schools[-4:]
        return None, str(
            wanted.get("education") or rng.choice(low or ["school-leaving certificate"])
        )
    jobs = FREELANCE if employment == "self-employed" else tuple(_WORK)
    if "employer" in wanted:
        jobs = tuple(job for job in jobs if wanted["employer"] in EMPLOYERS[_WORK[job][0]])
    if "education" in wanted:
        jobs = tuple(job for job in jobs if wanted["education"] in _WORK[job][1]) or jobs
    occupation = str(wanted.get("occupation") or rng.choice(jobs))
    return occupation, str(wanted.get("education") or rng.choice(_WORK[occupation][1]))


def _pay(p: Persona) -> int:
    """What a thousand of the pay scale comes to where somebody lives."""
    return 1400 if COUNTRIES[p.country].currency == "CHF" else 1000


def _income(rng: random.Random, employment: str, occupation: str | None, pay: float) -> int:
    """A multiple of 1,200, so that it can be said a month as well."""
    if employment in ("employed", "self-employed") and occupation:
        _, _, low, high = _WORK[occupation]
        return 1200 * round(rng.randint(low, high) * pay / 1200)
    spans = {"retired": (15, 60), "unemployed": (12, 30), "apprentice": (7, 17)}
    return 1200 * rng.randint(*spans.get(employment, (3, 14)))


def _marital_status(rng: random.Random, age: int) -> str:
    weights = (
        (60, 30, 5, 5, 0) if age < 35 else (18, 50, 6, 20, 6) if age < 62 else (8, 44, 3, 17, 28)
    )
    statuses = ("single", "married", "registered partnership", "divorced", "widowed")
    return rng.choices(statuses, weights)[0]


def _housing(rng: random.Random, age: int) -> str:
    weights = (55, 2, 43) if age < 26 else (55, 42, 3)
    return rng.choices(("tenant", "homeowner", "lodger"), weights)[0]


def _health(rng: random.Random, age: int) -> str:
    late = 1 if age >= 60 else 0
    weights = (24, 9, 8, 9, 7, 9, 8, 3, 6, 4, 4 + 4 * late, 5, 3, 3 * late, 3 * late)
    return str(rng.choices(DOMAINS["health"], weights)[0])


# --------------------------------------------------------------------------- identifiers


def _plain(text: str) -> str:
    """Lower-case ASCII letters."""
    text = text.replace("ß", "ss").replace("ı", "i").lower()
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(c for c in decomposed if c.isascii() and c.isalpha())


def _email(rng: random.Random, first: str, family: str) -> str:
    first, family = _plain(first), _plain(family)
    user = rng.choice(
        (f"{first}.{family}", f"{first[0]}.{family}", f"{first}{family[0]}", f"{family}.{first}")
    )
    number = rng.choice(("", "", str(rng.randint(2, 99))))
    return f"{user}{number}@{rng.choice(('example.com', 'example.org', 'mail.example.net'))}"


def _address(rng: random.Random, country: str) -> str:
    street, number = rng.choice(COUNTRIES[country].streets), rng.randint(2, 148)
    numbers_first = country in ("France", "Ireland", "United Kingdom")
    return f"{number} {street}" if numbers_first else f"{street} {number}"


def _digits(rng: random.Random, pattern: str) -> str:
    return "".join(str(rng.randint(1, 9)) if c == "#" else c for c in pattern)


def _iban(rng: random.Random, home: Country) -> str:
    account = "".join(
        rng.choice("ABCDEFGHKLMNPRSTUVWX") if c == "@" else c for c in _digits(rng, home.account)
    )
    number = int("".join(str(int(c, 36)) for c in f"{account}{home.iban}00"))
    compact = f"{home.iban}{98 - number % 97:02d}{account}"
    return " ".join(compact[start : start + 4] for start in range(0, len(compact), 4))
