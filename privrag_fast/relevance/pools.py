"""Values that may take another's place, by type.

A pool is a tuple of groups; the members of one group can stand for each other in a sentence:
`woman` gives `man`, `F` gives `M`. The first group serves values that no group holds.
"""

from __future__ import annotations

from typing import Final

Group = tuple[str, ...]
Pool = tuple[Group, ...]


def _group(members: str) -> Group:
    return tuple(" ".join(members.split()).split(", "))


# --------------------------------------------------------------------------- places

CITY_COUNTRY: Final[dict[str, str]] = {
    city: country
    for city, _, country in (
        pair.partition("/")
        for pair in _group(
            """Zurich/Switzerland, Geneva/Switzerland, Basel/Switzerland, Bern/Switzerland,
        Lausanne/Switzerland, Zürich/Switzerland, Toronto/Canada, Montreal/Canada,
        Vancouver/Canada, Madrid/Spain, Seville/Spain, Barcelona/Spain, Valencia/Spain,
        Berlin/Germany, Munich/Germany, Hamburg/Germany, Cologne/Germany, Frankfurt/Germany,
        Lyon/France, Paris/France, Marseille/France, Nice/France, Oslo/Norway, Bergen/Norway,
        Dublin/Ireland, Cork/Ireland, Rome/Italy, Milan/Italy, Turin/Italy, Naples/Italy,
        Lisbon/Portugal, Porto/Portugal, Vienna/Austria, Graz/Austria, Tokyo/Japan, Osaka/Japan,
        Sydney/Australia, Melbourne/Australia, Perth/Australia, London/United Kingdom,
        Manchester/United Kingdom, Edinburgh/United Kingdom, Bristol/United Kingdom,
        Stockholm/Sweden, Gothenburg/Sweden, Copenhagen/Denmark, Aarhus/Denmark,
        Helsinki/Finland, Warsaw/Poland, Krakow/Poland, Prague/Czech Republic,
        Budapest/Hungary, Athens/Greece, Amsterdam/Netherlands, Rotterdam/Netherlands,
        Brussels/Belgium, Antwerp/Belgium, Istanbul/Turkey, Ankara/Turkey, Cairo/Egypt,
        Nairobi/Kenya, Lagos/Nigeria, Accra/Ghana, Cape Town/South Africa, Mumbai/India,
        Bangalore/India, Delhi/India, Bangkok/Thailand, Hanoi/Vietnam, Manila/Philippines,
        Seoul/South Korea, Beijing/China, Shanghai/China, Singapore/Singapore,
        Mexico City/Mexico, Lima/Peru, Bogota/Colombia, Santiago/Chile,
        Buenos Aires/Argentina, Sao Paulo/Brazil, Curitiba/Brazil, Auckland/New Zealand,
        Boston/United States, Denver/United States, Chicago/United States,
        Seattle/United States, Houston/United States, New York/United States,
        San Francisco/United States, Los Angeles/United States, Miami/United States"""
        )
    )
}
CITIES: Final[Group] = tuple(CITY_COUNTRY)
COUNTRIES: Final[Group] = _group(
    """Switzerland, Canada, Spain, Germany, France, Norway, Ireland, Italy, Portugal, Austria,
    Japan, Australia, Sweden, Denmark, Finland, Poland, Hungary, Greece, Belgium, Turkey, Egypt,
    Kenya, Nigeria, Ghana, South Africa, India, Thailand, Vietnam, South Korea, China, Singapore,
    Mexico, Peru, Colombia, Chile, Argentina, Brazil, New Zealand, Morocco, Indonesia, Ukraine,
    Romania, Croatia, Iceland, Luxembourg, Malaysia, Pakistan, Iran, Saudi Arabia, Israel,
    Russia, England, Scotland, Wales"""
)
COUNTRIES_WITH_ARTICLE: Final[Group] = _group(
    """United States, United Kingdom, Netherlands, Philippines, Czech Republic,
    United Arab Emirates, Dominican Republic"""
)
# Read as the name, so that nobody moves from the UK to the United Kingdom.
COUNTRY_CODES: Final[dict[str, str]] = {
    "UK": "United Kingdom",
    "US": "United States",
    "USA": "United States",
    "UAE": "United Arab Emirates",
}
US_STATES: Final[Group] = _group(
    """Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida,
    Georgia, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland,
    Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada,
    New Hampshire, New Jersey, New Mexico, New York State, North Carolina, North Dakota, Ohio,
    Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota, Tennessee, Texas,
    Utah, Vermont, Virginia, Washington State, West Virginia, Wisconsin, Wyoming"""
)
US_STATE_CODES: Final[Group] = _group(
    "AL, AK, AZ, CA, CO, CT, FL, GA, IL, KY, MA, MD, MI, MN, MO, NC, NJ, NM, NV, NY, OH, PA, TN,"
    " TX, UT, VA, VT, WA, WI"
)
US_CITIES: Final[dict[str, tuple[str, str]]] = {
    "Denver": ("Colorado", "CO"),
    "Chicago": ("Illinois", "IL"),
    "Seattle": ("Washington", "WA"),
    "Houston": ("Texas", "TX"),
    "Miami": ("Florida", "FL"),
    "Boston": ("Massachusetts", "MA"),
    "Albuquerque": ("New Mexico", "NM"),
    "Portland": ("Oregon", "OR"),
    "Nashville": ("Tennessee", "TN"),
    "Minneapolis": ("Minnesota", "MN"),
    "Columbus": ("Ohio", "OH"),
    "Sacramento": ("California", "CA"),
    "Burlington": ("Vermont", "VT"),
    "Phoenix": ("Arizona", "AZ"),
}
REGIONS: Final[Group] = _group(
    """Bavaria, Saxony, Tuscany, Sicily, Catalonia, Andalusia, Normandy, Brittany, Provence,
    Ticino, Valais, Tyrol, Flanders, Ontario, Quebec, Yorkshire, Cornwall, Kent, Queensland,
    Victoria"""
)
CONTINENTS: Final[Group] = _group("Europe, Asia, Africa, South America, North America, Oceania")

PLACES: Final[Pool] = (
    CITIES,
    COUNTRIES,
    COUNTRIES_WITH_ARTICLE,
    US_STATES,
    US_STATE_CODES,
    REGIONS,
    CONTINENTS,
)

# --------------------------------------------------------------------------- people

NATIONALITIES: Final[Pool] = (
    _group(
        """Swiss, Canadian, Spanish, German, French, American, Irish, Italian, Polish, Indian,
        Norwegian, Portuguese, Austrian, Japanese, Australian, British, Swedish, Danish, Finnish,
        Dutch, Belgian, Turkish, Egyptian, Kenyan, Nigerian, Ghanaian, South African, Thai,
        Vietnamese, Filipino, South Korean, Chinese, Mexican, Peruvian, Colombian, Chilean,
        Argentinian, Brazilian, Ukrainian, Romanian, Croatian, Greek, Hungarian, Czech, Russian,
        Iranian, Israeli, Saudi Arabian, Pakistani, Syrian, Armenian, Moroccan, Indonesian,
        Puerto Rican"""
    ),
    _group("Scottish, Welsh, English"),
    _group("Asian, African, European, Latin American, Middle Eastern, North American"),
    _group("Black, White, Hispanic, Latino, Asian American, Native American, mixed race"),
)
GENDERS: Final[Pool] = (
    _group("woman, man, non-binary person"),
    _group("female, male, non-binary"),
    _group("girl, boy, child"),
    _group("F, M, X"),
    _group("f, m, x"),
    _group("lady, gentleman"),
    _group("trans woman, trans man, non-binary person"),
    _group("transgender woman, transgender man, non-binary person"),
    _group("cisgender, transgender, non-binary"),
    _group("she/her, he/him, they/them"),
    _group("she, he, they"),
    _group("Mrs, Mr, Ms, Mx"),
)
MARITAL: Final[Pool] = (
    _group("married, single, divorced, widowed, separated, engaged, in a civil partnership"),
    _group("marriage, divorce, separation, civil partnership"),
    _group("wife, husband, ex-wife, ex-husband, fiancée"),
    _group("a widow, a widower, a divorcee, a bachelor"),
)
RELATIONS: Final[Pool] = (
    _group("sister, brother, cousin, aunt, uncle"),
    _group("wife, husband, ex-wife, ex-husband, girlfriend, boyfriend"),
    _group("spouse, partner, ex-partner, roommate"),
    _group("fiancée, fiancé, wife, husband"),
    _group("mother, father, grandmother, grandfather, stepmother, stepfather"),
    _group("mom, dad, grandma, grandpa"),
    _group("daughter, son, niece, nephew, grandson, granddaughter, stepson, stepdaughter"),
    _group("daughters, sons, nieces, nephews"),
    _group("parents, grandparents, in-laws, siblings"),
    _group("friend, neighbor, colleague"),
    *MARITAL[:2],
)
ORIENTATIONS: Final[Pool] = (
    # No group holds two words for one thing: that would measure nothing.
    _group("heterosexual, gay, bisexual, asexual, pansexual"),
    _group("straight, gay, bisexual, asexual"),
    _group("homosexual, heterosexual, bisexual"),
    _group("lesbian, heterosexual, bisexual, asexual"),
    _group("queer, straight"),
    _group("heterosexuality, homosexuality, bisexuality, asexuality"),
)
RELIGIONS: Final[Pool] = (
    _group(
        """Christian, Muslim, Jewish, Hindu, Buddhist, Sikh, atheist, agnostic, Catholic,
        Protestant, Orthodox, Methodist, Lutheran, Mormon"""
    ),
    _group("Christianity, Islam, Judaism, Hinduism, Buddhism, Sikhism, Taoism, atheism"),
)
POLITICS: Final[Pool] = (
    _group(
        """conservative, liberal, socialist, libertarian, centrist, progressive, nationalist,
        communist, independent, social democrat, environmentalist"""
    ),
    _group("Republican, Democrat, Libertarian, Independent, Green"),
    _group("conservatism, liberalism, socialism, libertarianism, nationalism, communism"),
    _group("left-wing, right-wing, center-left, center-right"),
    _group("Labour, Conservatives, Liberal Democrats, Greens, SNP"),
)
AGE_WORDS: Final[Pool] = (
    _group("a young adult, a teenager, middle-aged, a senior"),
    _group("young, middle-aged, elderly"),
    _group("younger, older"),
    _group("teenager, young adult, retiree, senior citizen"),
    _group("adult, minor, senior"),
)

# --------------------------------------------------------------------------- work and school

OCCUPATIONS: Final[Pool] = (
    _group(
        """nurse, teacher, dentist, plumber, electrician, pilot, farmer, lawyer, chef, bus driver,
        journalist, architect, baker, pharmacist, welder, librarian, software engineer, accountant,
        carpenter, police officer, firefighter, civil engineer, sales assistant, waiter, translator,
        graphic designer, hairdresser, social worker, truck driver, economist, veterinarian,
        photographer, security guard, mechanic, bank clerk, data analyst, physiotherapist,
        university lecturer, real estate agent, musician, surgeon, paramedic, judge, cleaner,
        warehouse worker, insurance broker, office manager, actor, estate planner, optician,
        engineer, interpreter, auditor, illustrator"""
    ),
    _group("nursing, teaching, farming, journalism, architecture, accounting, law, engineering"),
)
STATUSES: Final[Pool] = (
    _group("employed full-time, self-employed, unemployed, retired, on parental leave"),
    _group("a student, a pensioner, a freelancer, an employee, a job seeker, an intern"),
    _group("student, pensioner, freelancer, employee, job seeker, intern, homemaker"),
)
STATUS_MODIFIERS: Final[Group] = _group(
    "retired, unemployed, self-employed, freelance, part-time, full-time"
)
DEGREES: Final[Pool] = (
    _group(
        """high school diploma, associate's degree, bachelor's degree, master's degree,
        doctoral degree, vocational diploma"""
    ),
    _group("Bachelor's, Master's, Associate's, Doctorate"),
    _group("Bachelor, Master, Doctorate"),
    _group("BSc, MSc, PhD, MBA"),
    _group("B.A., M.A., Ph.D."),
    _group("high school, college, primary school, graduate school, vocational school"),
    _group("high school student, college student, PhD student, apprentice"),
    _group(
        """history, physics, law, music, biology, economics, design, medicine, psychology, finance,
        chemistry, philosophy, computer science, mathematics, nursing, engineering"""
    ),
)
UNIVERSITIES: Final[Group] = _group(
    """University of Oslo, University of Vienna, University of Toronto, Stanford University,
    Kyoto University, Uppsala University, University of Lisbon, Leiden University,
    University of Nairobi, Trinity College Dublin, Lund University, Duke University"""
)
INDUSTRIES: Final[Group] = _group(
    """banking, insurance, retail, agriculture, construction, hospitality, transport, education,
    healthcare, publishing"""
)

# --------------------------------------------------------------------------- body

HEALTH: Final[Pool] = (
    _group(
        """type 2 diabetes, asthma, high blood pressure, chronic migraines, epilepsy, arthritis,
        depression, anxiety, breast cancer, multiple sclerosis, celiac disease, sleep apnea,
        seasonal allergies, a heart condition, chronic back pain, hearing loss, glaucoma,
        Parkinson's disease, early-stage dementia, ADHD, dyslexia, kidney disease, hepatitis B,
        psoriasis, osteoporosis, a broken leg, anemia, long COVID, bipolar disorder, lupus"""
    ),
    _group("HIV positive, diabetic, asthmatic, epileptic, anemic, deaf, blind, pregnant, disabled"),
    _group("healthy, chronically ill, disabled, injured"),
    _group("smoker, non-smoker, ex-smoker"),
)
BLOOD_TYPES: Final[Group] = _group("A+, A-, B+, B-, AB+, AB-, O+, O-")

# --------------------------------------------------------------------------- life

CHILDREN: Final[Group] = _group("no children, two children, one child, four children")
HOUSING: Final[Pool] = (
    _group("homeowner, tenant, lodger"),
    _group("own my home, rent a flat, live with my parents, live in shared housing"),
    _group("house, flat, apartment, studio, mobile home"),
    _group("owner, tenant, subtenant"),
)
PETS: Final[Pool] = (
    _group("a dog, a cat, a parrot, a rabbit"),
    _group("dog, cat, parrot, rabbit, hamster"),
    _group("dogs, cats, parrots, rabbits, hamsters"),
)
HOBBIES: Final[Pool] = (
    _group(
        "hiking, chess, sailing, pottery, running, gardening, climbing, painting, cycling, knitting"
    ),
)
LANGUAGES: Final[Pool] = (
    _group(
        "German, French, Italian, Spanish, Portuguese, Polish, Turkish, Japanese, Arabic, Dutch"
    ),
)
VISAS: Final[Pool] = (
    _group("permanent resident, citizen, refugee, asylum seeker, temporary resident"),
    _group("work visa, student visa, tourist visa, spouse visa"),
)
NO_AMOUNT: Final[Pool] = (
    _group("a low income, an average income, a high income, no income"),
    _group("no income, minimum wage, a six-figure salary"),
    _group("no savings, small savings, large savings"),
    _group("no debt, some debt, heavy debt"),
)
DURATIONS: Final[Pool] = (_group("a month, half a year, a year, a decade, several weeks"),)
RELATIVE_DATES: Final[Pool] = (
    _group("yesterday, tomorrow, last week, next month, last year, next year"),
    _group("spring, summer, autumn, winter"),
    _group("morning, afternoon, evening, night"),
)

# --------------------------------------------------------------------------- calendar and numbers

MONTHS: Final[Group] = _group(
    """January, February, March, April, May, June, July, August, September, October, November,
    December"""
)
WEEKDAYS: Final[Group] = _group("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday")
DECADES: Final[Group] = _group("twenties, thirties, forties, fifties, sixties, seventies, eighties")
SMALL_NUMBERS: Final[Group] = _group(
    """zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen,
    fourteen, fifteen, sixteen, seventeen, eighteen, nineteen"""
)
TENS: Final[Group] = _group("twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety")
SCALES: Final[dict[str, int]] = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
# One and many, where the plural is not the singular and an s.
IRREGULAR: Final[dict[str, str]] = {
    "child": "children",
    "stepchild": "stepchildren",
    "grandchild": "grandchildren",
    "wife": "wives",
    "person": "people",
    "baby": "babies",
    "foster child": "foster children",
    "dependency": "dependencies",
    "century": "centuries",
}
REGULAR: Final[Group] = _group(
    """kid, son, daughter, dependent, dependant, twin, toddler, teenager, boy, girl, stepson,
    stepdaughter, grandson, granddaughter, nephew, niece, brother, sister, sibling, parent, dog,
    cat, car, house, apartment, flat, loan, account, card, employee, roommate, time, job, property,
    year, month, week, day, hour, minute, second, decade, dollar, euro, franc, pound"""
)

# --------------------------------------------------------------------------- names and contacts

TITLES: Final[Group] = _group(
    "mr, mrs, ms, mx, miss, dr, prof, professor, doctor, sir, lady, herr, frau, madame, monsieur,"
    " señor, señora, jr, sr, ii, iii, iv, phd, md"
)
COMPANY_SUFFIXES: Final[Group] = _group(
    """and Sons, Ltd, Ltd., LLC, Inc, Inc., PLC, GmbH, AG, SA, S.A., Group, Corp, Corp., Bank,
    Insurance, Hospital, Clinic, Health Center, Institute, Foundation, Trust, Consulting, Airlines,
    Pharma, School, College, Solutions, Systems, Partners, Holdings, Media, Energy"""
)
MAIL_DOMAINS: Final[Group] = _group("example.com, example.org, example.net")
# Which Faker locale writes a script; Latin is the default.
SCRIPT_LOCALES: Final[dict[str, str]] = {
    "CJK": "zh_CN",
    "HIRAGANA": "ja_JP",
    "KATAKANA": "ja_JP",
    "HANGUL": "ko_KR",
    "CYRILLIC": "ru_RU",
    "GREEK": "el_GR",
    "ARABIC": "ar_AA",
    "HEBREW": "he_IL",
}

# --------------------------------------------------------------------------- anything else

NEUTRAL: Final[Group] = _group(
    """harbor, meadow, lantern, copper, willow, granite, ribbon, orchard, velvet, canyon, pebble,
    saddle, thistle, marble, bramble, cotton, glacier, hazel, ladder, mirror, nickel, oyster,
    pepper, quartz, raven, silver, timber, umber, violet, walnut"""
)

# Searched in this order for a value whose label says nothing.
ALL: Final[Pool] = (
    *PLACES,
    *NATIONALITIES,
    *GENDERS,
    *MARITAL,
    *ORIENTATIONS,
    *RELIGIONS,
    *POLITICS,
    *STATUSES,
    *OCCUPATIONS,
    *DEGREES,
    UNIVERSITIES,
    *HEALTH,
    BLOOD_TYPES,
    *RELATIONS,
    *HOUSING,
    *PETS,
    *HOBBIES,
    *VISAS,
    *RELATIVE_DATES,
    *AGE_WORDS,
    INDUSTRIES,
    MONTHS,
    WEEKDAYS,
)
