"""What the messages of `tests.messages` are made of: templates and values. All invented.

Account, card, telephone and social security numbers pass their checksums or formats, but
lie in ranges that are reserved for examples or belong to no bank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

# --------------------------------------------------------------------------- templates

TEMPLATES = (
    "Hi, I'm {PERSON}, {AGE}, a {OCCUPATION} from {LOCATION}. Can I open a savings account?",
    "My name is {PERSON} and I live in {LOCATION}. My income is {INCOME}. Am I eligible?",
    "I am {MARITAL_STATUS} with {CHILDREN} and have {HEALTH}. Does your health plan cover me?",
    "{PERSON}'s card {CARD} was charged twice. Please refund {MONEY} to {PERSON}.",
    "Please change my address to {ADDRESS}. My customer number is {ID}. Regards, {PERSON}",
    "I was born on {DATE} in {LOCATION} and I am a {NATIONALITY} citizen. Which form do I need?",
    "Transfer {MONEY} from {IBAN} to {IBAN2}, please. The account holder is {PERSON}.",
    "My e-mail is {EMAIL} and my phone number is {PHONE}. Call {PHONE} after six!",
    "My {RELATIONSHIP} is {APPEARANCE} and has lost the card. Is a photo on it possible?",
    "I work for {EMPLOYER} as a {OCCUPATION}. {EMPLOYER}'s HR says you have a special rate?",
    "As a {RELIGION} I do not want interest. I have {MONEY} to invest. What do you suggest?",
    "I'm a member of the {POLITICS} and a {OCCUPATION}. Do I count as politically exposed?",
    "I'm {ORIENTATION}, {AGE}, and {MARITAL_STATUS}. Can my partner be my beneficiary?",
    "My social security number is {SSN}. I moved to {LOCATION} on {DATE}. Is my file complete?",
    "I have a {EDUCATION} and earn {INCOME}. Would I get a student loan in {LOCATION}?",
    "{GENDER}, {AGE}, {LOCATION}, {OCCUPATION}, {INCOME}. What does life cover cost me?",
    "Name: {PERSON}\nDate of birth: {DATE}\nAddress: {ADDRESS}\nPhone: {PHONE}\nPlease call me.",
    "I, {PERSON}, ask you to close account {IBAN}. Send the rest to {ADDRESS}. Thank you.",
    "My wife {PERSON} and I, {PERSON2}, live in {LOCATION}. {PERSON} has {HEALTH}.",
    "We are {NATIONALITY} and {NATIONALITY2}, and we have {CHILDREN}. Which plan fits us?",
    "I was diagnosed with {HEALTH} on {DATE}. Since then {HEALTH} has kept me from working.",
    "Is {LOCATION} in your service area? I'm moving from {LOCATION2} to {LOCATION}.",
    "You wrote to {EMAIL}, but my address is {EMAIL2}! Signed: {PERSON}",
    "On {DATE} I paid {MONEY}, on {DATE2} another {MONEY2}. Where is my receipt? ({ID})",
    "I'm the {OCCUPATION} who called from {PHONE}. The card ending is wrong: {CARD}.",
    "My daughter {PERSON} is {AGE} and studies for a {EDUCATION} in {LOCATION}.",
    "{PERSON} here. I retired from {EMPLOYER} at {AGE}. My pension is {INCOME}. Too little?",
    "Dear team,\n\nmy husband {PERSON} passed away on {DATE}. I'm {AGE} and {MARITAL_STATUS}.\n"
    "Our policy is {ID}.\n\nKind regards,\n{PERSON2}",
    "Could you check {SSN}? It belongs to {PERSON}, {NATIONALITY}, born {DATE}.",
    "I earn {INCOME}, have {MONEY} in savings and {CHILDREN}. May I take out a mortgage?",
    "my {HEALTH} got worse. i live at {ADDRESS}, can a nurse come? ask for {PERSON}.",
    "I am a {GENDER} of {AGE} with {HEALTH}. Is the screening paid for in {LOCATION}?",
    "{EMPLOYER} moved its office to {LOCATION}. Do I, a {OCCUPATION}, stay insured?",
    "The password mail never arrived at {EMAIL}. My ID is {ID}. I'm in {LOCATION} right now.",
    "After my divorce I am {MARITAL_STATUS}. Please remove {PERSON} from {IBAN}.",
    "I belong to the {RELIGION} community in {LOCATION}. Does church tax apply to {INCOME}?",
    "I vote {POLITICS} and I'm proud of it. Will that affect my account, {PERSON} asks?",
    "As a {ORIENTATION} couple from {LOCATION}, can we open the account for couples?",
    "Hello, {PERSON} and {PERSON2} want to insure a house at {ADDRESS} for {MONEY}.",
    "Between {DATE} and {DATE2} I lived in {LOCATION}. I'm {NATIONALITY}. Am I taxed there?",
    "I have a {EDUCATION}, I'm {AGE}, and {EMPLOYER} offers {INCOME}. Which fund is it?",
    "My card {CARD} is lost!! I'm in {LOCATION}. Block {CARD} now and text {PHONE}.",
    "Why was {PERSON}'s claim {ID} rejected? {PERSON} is {AGE} and has {HEALTH}.",
    "I'm {AGE}. My mother is {AGE2}. We live in {LOCATION}, she has {HEALTH}. Who can join?",
    "{PERSON} ({OCCUPATION}, {AGE}, {LOCATION}) – {MARITAL_STATUS}, {CHILDREN}. Offer, please!",
    "For the record: {IBAN}; {SSN}; {PHONE}; {EMAIL}. Everything else is unchanged.",
    "I'm a {GENDER} {OCCUPATION} in {LOCATION} earning {INCOME}. What is my deductible?",
    "As a {NATIONALITY} {OCCUPATION} I need cover from {DATE}. My employer is {EMPLOYER}.",
    '"{PERSON}" is spelled wrong in your letter of {DATE}; it is {PERSON2}, like in {EMAIL}.',
    "I'm {MARITAL_STATUS}; my ex lives at {ADDRESS}. Who gets the {MONEY} in {IBAN}?",
    "I live in {LOCATION}. {LOCATION} is where I work, too. {LOCATION}'s taxes are high!",
)

OPENERS = (
    "Hello 👋 ",
    "Good morning! ",
    "Grüezi, ",
    "Quick question 🙏: ",
    "Sorry to bother you again... ",
    "Your letter says [PERSON_1], that's not me. ",
    "I am [PERSON_2] in your form?! ",
    "URGENT\n\n",
    "おはようございます. ",
    "  ",
)

CLOSERS = (
    " Thanks 😊",
    " Many thanks in advance.",
    "\n\nSent from my phone",
    " 👨‍👩‍👧",
    ' Please don\'t write "Dear [LOCATION_1]" again.',
    " Спасибо!",
    " (I asked this before!)",
    " What is [IBAN_1] in your answer?",
    "\r\nbye",
    " ...",
)

# --------------------------------------------------------------------------- values


def _one_of(*values: str) -> Callable[[Random], str]:
    return lambda rng: rng.choice(values)


def _listed(names: str) -> list[str]:
    return names.split("|")


_GIVEN = _listed(
    "Laura|Amélie|Björn|Zoë|Chidi|Fatoumata|Giulia|Hiroshi|Inês|Jean-Luc|Krzysztof|Liam|Mei-Ling|"
    "Ngozi|Oğuz|Priya|Rasmus|Siobhán|Tomáš|Uxía|Valentina|Wanjiru|Xiomara|Yusuf|Željko|Aarav"
)
_FAMILY = _listed(
    "Meier|Rochat|Sørensen|O'Brien|Okafor|Diallo|Bianchi|Tanaka|de Carvalho|Favre|Nowak|Smith|"
    "Chen|Adeyemi|Yıldırım|Raman|van der Berg|Ní Bhriain|Dvořák|Iglesias Soto|García-López|"
    "Mwangi|Krasniqi|Demir|Horvat|Mehta|Fässler|Lüthi"
)
_OTHER_SCRIPTS = (
    "김민준",
    "山田 花子",
    "Елена Павлова",
    "محمد العلي",
    "Νίκος Παππάς",
    "नेहा शर्मा",
    "王小明",
    "דוד כהן",
)


def _person(rng: Random) -> str:
    given, family = rng.choice(_GIVEN), rng.choice(_FAMILY)
    return rng.choice(
        (
            *[f"{given} {family}"] * 5,
            f"Dr. {given} {family}",
            f"{family}, {given}",
            f"{given[0]}. {family}",
            given,
            rng.choice(_OTHER_SCRIPTS),
        )
    )


_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty")
_ONES = ("", "-one", "-two", "-three", "-four", "-five", "-six", "-seven", "-eight", "-nine")


def _age(rng: Random) -> str:
    words = rng.choice(_TENS) + rng.choice(_ONES)
    number = str(rng.randint(18, 96))
    return rng.choice((number, number, number, f"{number} years old", words))


_CITIES = _listed(
    "Zurich|St. Gallen|Genève|La Chaux-de-Fonds|Vaduz|Milano|São Paulo|Kraków|New York|Łódź|"
    "Frankfurt am Main|Lyon|Porto|Reykjavík|Nairobi|Ho Chi Minh City|Montevideo|Tromsø|東京|"
    "Αθήνα|Bern|Lugano, Ticino|Cape Town|Leeds|Graz"
)
_STREETS = (
    "Seestrasse {n}, 8810 Horgen",
    "{n} rue du Lac, 1007 Lausanne",
    "Flat {k}, {n} Elm Road, Leeds LS{k} 4AB",
    "Via Nassa {n}, 6900 Lugano",
    "{n} Maple Avenue, Springfield, IL 6270{k}",
    "Calle de Alcalá {n}, {k}º B, 28014 Madrid",
    "Langstraße {n}a, 60311 Frankfurt",
)


def _address(rng: Random) -> str:
    return rng.choice(_STREETS).format(n=rng.randint(1, 198), k=rng.randint(1, 9))


_MONTHS = _listed(
    "January|February|March|April|May|June|July|August|September|October|November|December"
)


def _date(rng: Random) -> str:
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1935, 2026)
    name = _MONTHS[month - 1]
    return rng.choice(
        (
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
            f"{day:02}.{month:02}.{year}",
            f"{year}-{month:02}-{day:02}",
            f"{month}/{day}/{year}",
            f"{name} {year}",
        )
    )


def _money(rng: Random) -> str:
    amount = rng.randint(3, 900) * 100 + rng.choice((0, 0, 50, 75))
    return rng.choice(
        (
            f"CHF {amount:,}",
            f"{amount:,}".replace(",", "'") + " francs",
            f"€{amount}",
            f"{amount:,}.00 USD",
            f"£{amount:,}",
            f"Fr. {amount}.-",
            f"{amount // 1000 + 1}k",
        )
    )


def _income(rng: Random) -> str:
    yearly = rng.randint(18, 240) * 1000 + rng.choice((0, 0, 500, 400))
    return rng.choice(
        (
            f"CHF {yearly:,} a year",
            f"{yearly:,}".replace(",", "'") + " francs per year",
            f"€{yearly // 12} a month",
            f"{yearly // 1000}k a year",
            f"CHF {yearly:,} gross",
            f"USD {yearly:,} p.a.",
        )
    )


def _id(rng: Random) -> str:
    number = rng.randint(1_000_000, 9_999_999)
    return rng.choice((f"NB-{number}", f"X{number}", f"HM/{number // 1000}-{number % 1000:03}"))


_HOSTS = ("example.com", "example.org", "mail.example.net", "post.example")


def _email(rng: Random) -> str:
    user = rng.choice(("laura.meier", "k_osei", "jp+bank", "nora", "a.b-c", "info2"))
    return f"{user}{rng.randint(1, 99)}@{rng.choice(_HOSTS)}"


# Ranges that Ofcom, the NANPA, Arcep and the BNetzA keep free for fiction.
_PHONES = (
    "+44 20 7946 0{n}",
    "(020) 7946 0{n}",
    "+1 202-555-01{n:.2}",
    "+33 6 39 98 2{n:.1} 47",
    "+49 30 23125 {n}",
    "0049-30-23125-{n}",
)


def _phone(rng: Random) -> str:
    return rng.choice(_PHONES).format(n=str(rng.randint(100, 999)))


def _digits(rng: Random, count: int) -> str:
    return "".join(rng.choices("0123456789", k=count))


def _grouped(text: str) -> str:
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def _iban(rng: Random) -> str:
    # Bank codes that are not handed out; check digits by ISO 7064, mod 97-10.
    country, bank, length = rng.choice((("CH", "99999", 12), ("DE", "09999999", 10)))
    account = bank + _digits(rng, length)
    as_digits = "".join(str(int(c, 36)) for c in f"{account}{country}00")
    iban = f"{country}{98 - int(as_digits) % 97:02}{account}"
    return rng.choice((iban, _grouped(iban), _grouped(iban)))


def _luhn_digit(number: str) -> str:
    doubled = [int(d) * (2 - i % 2) for i, d in enumerate(reversed(number))]
    return str(-sum(d // 10 + d % 10 for d in doubled) % 10)


def _card(rng: Random) -> str:
    number = "424242" + _digits(rng, 9)  # the prefix of a payment provider's test cards
    number += _luhn_digit(number)
    return rng.choice((number, _grouped(number), _grouped(number).replace(" ", "-")))


def _ssn(rng: Random) -> str:
    # 756: Switzerland (AHV), check digit as in EAN-13; 000 and 078-05: never or no longer issued.
    number = "7561234" + _digits(rng, 5)
    check = -sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(number)) % 10
    dotted = f"{number[:3]}.{number[3:7]}.{number[7:11]}.{number[11]}{check}"
    return rng.choice((dotted, dotted, f"{number}{check}", "078-05-1120"))


VALUES: Mapping[str, Callable[[Random], str]] = {
    "PERSON": _person,
    "AGE": _age,
    "GENDER": _one_of("woman", "man", "female", "male", "trans woman", "non-binary person"),
    "LOCATION": lambda rng: rng.choice(_CITIES),
    "ADDRESS": _address,
    "NATIONALITY": _one_of("Swiss", "Portuguese", "Eritrean", "South Korean", "U.S.", "Polish"),
    "MARITAL_STATUS": _one_of(
        "married", "divorced", "widowed", "single", "separated", "in a registered partnership"
    ),
    "CHILDREN": _one_of(
        "two children", "3 kids", "no children", "a daughter of 4", "twins", "one son", "five kids"
    ),
    "RELATIONSHIP": _one_of("wife", "husband", "younger brother", "mother-in-law", "grandson"),
    "APPEARANCE": _one_of("192 cm tall", "covered in tattoos", "red-haired", "bald and bearded"),
    "OCCUPATION": _one_of(
        "retired nurse",
        "baker",
        "software engineer",
        "self-employed plumber",
        "primary school teacher",
        "taxi driver",
        "Ph.D. candidate",
        "unemployed cook",
    ),
    "EMPLOYER": _one_of(
        "Helvex Pharma",
        "Rheintal Machine Works",
        "Bäckerei Hug & Söhne",
        "Bluepeak Software Ltd.",
        "Lakeside Cantonal Hospital",
        "City Transit Authority",
    ),
    "EDUCATION": _one_of(
        "bachelor's degree in law",
        "PhD in chemistry",
        "high school diploma",
        "master's in linguistics",
        "vocational certificate as a mason",
    ),
    "INCOME": _income,
    "MONEY": _money,
    "HEALTH": _one_of(
        "diabetes",
        "type 2 diabetes",
        "asthma",
        "Parkinson's disease",
        "HIV",
        "high blood pressure",
        "depression",
        "breast cancer",
        "chronic migraine",
        "long COVID",
    ),
    "RELIGION": _one_of("Muslim", "Roman Catholic", "Jewish", "Buddhist", "Protestant", "Sikh"),
    "POLITICS": _one_of(
        "Green Party", "Social Democrats", "Conservative Party", "Liberal Alliance"
    ),
    "ORIENTATION": _one_of("gay", "lesbian", "bisexual", "heterosexual", "queer"),
    "DATE": _date,
    "ID": _id,
    "EMAIL": _email,
    "PHONE": _phone,
    "IBAN": _iban,
    "CARD": _card,
    "SSN": _ssn,
}
