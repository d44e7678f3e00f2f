"""Values that may take another's place, by type.

A pool is a tuple of groups; the members of one group can stand for each other in a sentence:
`woman` gives `man`, `F` gives `M`. The first group serves values that no group holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Final

Ways = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Values that fit into one another's place.

    Args:
        meanings: Each with the ways to say it. All are understood, the first is proposed.
        whole: A value must be one of them; otherwise it may hold one, as in `rural Montana`.
    """

    meanings: tuple[Ways, ...]
    whole: bool = False

    @property
    def members(self) -> Ways:
        """Everything that is proposed."""
        return tuple(ways[0] for ways in self.meanings)

    @property
    def ways(self) -> Ways:
        """Everything that is understood."""
        return tuple(chain.from_iterable(self.meanings))


Pool = tuple[Group, ...]


def _list(members: str) -> tuple[str, ...]:
    return tuple(" ".join(members.split()).split(", "))


def _group(members: str, *, whole: bool = False) -> Group:
    """`single=unmarried, married`: two meanings, of which the first has two ways."""
    return Group(tuple(tuple(map(str.strip, m.split("="))) for m in _list(members)), whole)


# --------------------------------------------------------------------------- places

_CITIES_OF = """
Switzerland: Zurich=Zürich, Geneva=Genève, Basel, Bern=Berne, Lausanne, Lucerne=Luzern, Winterthur,
    St. Gallen, Lugano, Biel, Thun, Fribourg, Chur, Schaffhausen, Neuchâtel, Zug, Aarau, Sion
Liechtenstein: Vaduz, Schaan
Germany: Berlin, Munich=München, Hamburg, Cologne=Köln, Frankfurt, Leipzig, Freiburg, Konstanz,
    Stuttgart, Dresden, Bremen
Austria: Vienna=Wien, Graz, Linz, Innsbruck, Salzburg, Bregenz
France: Paris, Lyon, Marseille, Nice, Strasbourg, Nantes, Mulhouse, Toulouse
Italy: Rome, Milan, Turin, Naples, Bologna, Como, Florence
United Kingdom: London, Manchester, Edinburgh, Bristol, Leeds, Sheffield, Norwich, Cardiff,
    Glasgow, Belfast, Liverpool
Ireland: Dublin, Cork, Galway, Limerick
Netherlands: Amsterdam, Rotterdam, Utrecht, Eindhoven, Groningen
Belgium: Brussels, Antwerp, Ghent
Spain: Madrid, Seville, Barcelona, Valencia
Portugal: Lisbon, Porto, Braga, Coimbra
Norway: Oslo, Bergen
Sweden: Stockholm, Gothenburg
Denmark: Copenhagen, Aarhus
Finland: Helsinki, Tampere
Poland: Warsaw, Krakow, Gdansk, Lublin
Czech Republic: Prague, Brno
Hungary: Budapest
Croatia: Zagreb, Split, Zadar, Osijek
Greece: Athens, Thessaloniki
Turkey: Istanbul, Ankara, Izmir, Bursa
Egypt: Cairo
Kenya: Nairobi
Nigeria: Lagos, Ibadan, Enugu
Ghana: Accra
South Africa: Cape Town, Durban
India: Mumbai, Bangalore, Delhi, Pune, Chennai
Thailand: Bangkok
Vietnam: Hanoi
Philippines: Manila
South Korea: Seoul
China: Beijing, Shanghai
Japan: Tokyo, Osaka, Kyoto
Singapore: Singapore
Australia: Sydney, Melbourne, Perth
New Zealand: Auckland
Canada: Toronto, Montreal, Vancouver
Mexico: Mexico City
Peru: Lima
Colombia: Bogota
Chile: Santiago
Argentina: Buenos Aires
Brazil: Sao Paulo, Curitiba
United States: Boston, Denver, Chicago, Seattle, Houston, New York, San Francisco, Los Angeles,
    Miami
"""


def _cities_of(table: str) -> dict[str, Group]:
    lines = table.strip().replace("\n    ", " ").splitlines()
    return {land: _group(cities) for land, _, cities in (line.partition(": ") for line in lines)}


CITIES_OF: Final[dict[str, Group]] = _cities_of(_CITIES_OF)
COUNTRY_OF: Final[dict[str, str]] = {
    city.casefold(): land for land, cities in CITIES_OF.items() for city in cities.ways
}
CITIES: Final = Group(tuple(chain.from_iterable(group.meanings for group in CITIES_OF.values())))
COUNTRIES: Final = _group(
    """Switzerland, Canada, Spain, Germany, France, Norway, Ireland, Italy, Portugal, Austria,
    Japan, Australia, Sweden, Denmark, Finland, Poland, Hungary, Greece, Belgium, Turkey, Egypt,
    Kenya, Nigeria, Ghana, South Africa, India, Thailand, Vietnam, South Korea, China, Singapore,
    Mexico, Peru, Colombia, Chile, Argentina, Brazil, New Zealand, Morocco, Indonesia, Ukraine,
    Romania, Croatia, Iceland, Liechtenstein, Luxembourg, Malaysia, Pakistan, Iran, Saudi Arabia,
    Israel, Russia, England, Scotland, Wales"""
)
COUNTRIES_WITH_ARTICLE: Final = _group(
    """United States=USA=US=U.S., United Kingdom=UK=U.K.=Britain=Great Britain, Netherlands,
    Philippines, Czech Republic, United Arab Emirates=UAE, Dominican Republic"""
)
US_STATES: Final = _group(
    """Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida,
    Georgia, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland,
    Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada,
    New Hampshire, New Jersey, New Mexico, New York State, North Carolina, North Dakota, Ohio,
    Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota, Tennessee, Texas,
    Utah, Vermont, Virginia, Washington State, West Virginia, Wisconsin, Wyoming"""
)
US_STATE_CODES: Final = _group(
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
REGIONS: Final = _group(
    """Bavaria, Saxony, Tuscany, Sicily, Catalonia, Andalusia, Normandy, Brittany, Provence,
    Ticino, Valais, Tyrol, Flanders, Ontario, Quebec, Yorkshire, Cornwall, Kent, Queensland,
    Victoria"""
)
CONTINENTS: Final = _group("Europe, Asia, Africa, South America, North America, Oceania")

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
# Documents that speak of citizens of Germany speak of Germans.
COUNTRY_OF_PEOPLE: Final[dict[str, str]] = {
    people: country
    for people, _, country in (
        pair.partition("/")
        for pair in _list(
            """Swiss/Switzerland, Canadian/Canada, Spanish/Spain, German/Germany, French/France,
            American/United States, Irish/Ireland, Italian/Italy, Polish/Poland, Indian/India,
            Norwegian/Norway, Portuguese/Portugal, Austrian/Austria, Japanese/Japan,
            Australian/Australia, British/United Kingdom, Swedish/Sweden, Danish/Denmark,
            Finnish/Finland, Dutch/Netherlands, Belgian/Belgium, Turkish/Turkey, Egyptian/Egypt,
            Kenyan/Kenya, Nigerian/Nigeria, Ghanaian/Ghana, South African/South Africa,
            Thai/Thailand, Vietnamese/Vietnam, Filipino/Philippines, South Korean/South Korea,
            Chinese/China, Mexican/Mexico, Peruvian/Peru, Colombian/Colombia, Chilean/Chile,
            Argentinian/Argentina, Brazilian/Brazil, Ukrainian/Ukraine, Romanian/Romania,
            Croatian/Croatia, Greek/Greece, Hungarian/Hungary, Czech/Czech Republic,
            Russian/Russia, Iranian/Iran, Israeli/Israel, Saudi Arabian/Saudi Arabia,
            Pakistani/Pakistan, Moroccan/Morocco, Indonesian/Indonesia"""
        )
    )
}
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
    _group(
        """single=unmarried=not married=never married, married=remarried, divorced, widowed,
        in a registered partnership=in a civil partnership, separated, engaged"""
    ),
    _group("marriage, divorce, separation"),
    _group("registered partnership=civil partnership, marriage, long-distance relationship"),
    _group("widow, ex-wife, girlfriend, fiancée"),
    _group("widower, ex-husband, boyfriend, fiancé"),
    _group("wife, husband, ex-wife, ex-husband, fiancée"),
    _group("a widow, a divorcee, a single woman, a married woman"),
    _group("a widower, a divorcee, a bachelor, a married man"),
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
        """Catholic=Roman Catholic, Protestant=Lutheran=Methodist=Reformed, Orthodox, Muslim,
        Jewish, Hindu, Buddhist, Sikh, not religious=without religion=atheist=agnostic"""
    ),
    _group("a Catholic, a Protestant, a Muslim, a Hindu, a Buddhist, an atheist=an agnostic"),
    _group("Christian, Muslim, Jewish, Hindu, Buddhist, Sikh"),
    _group("Mormon, Mennonite, Catholic, Muslim, Buddhist"),
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
        """nurse=hospital nurse, teacher=primary school teacher=school teacher=math teacher,
        dentist, plumber, electrician, pilot, farmer, lawyer=attorney=solicitor=tax lawyer,
        cook=chef, bus driver, train driver, journalist, architect, baker, pharmacist, welder,
        librarian, software developer=software engineer=programmer=web developer, accountant,
        carpenter, roofer, gardener, courier=bike courier, police officer, firefighter,
        civil engineer, sales assistant=salesperson=saleswoman=salesman, waiter, translator,
        graphic designer, hairdresser, social worker, truck driver, economist, veterinarian=vet,
        photographer, security guard, mechanic, bank clerk, office clerk, data analyst, midwife,
        physiotherapist, university lecturer, real estate agent, musician, physician=family
        physician=doctor=general practitioner, surgeon, paramedic, judge, cleaner, chemist,
        warehouse worker, insurance broker, office manager, actor, estate planner, optician,
        receptionist, kitchen assistant, interpreter, auditor, illustrator""",
        whole=True,
    ),
    _group("nursing, teaching, farming, journalism, architecture, accounting, law, engineering"),
)
STATUSES: Final[Pool] = (
    _group(
        """employed=in permanent employment=in employment=employed full-time=an employee,
        self-employed=a freelancer=freelancing,
        unemployed=out of work=between jobs=jobless=without work=looking for work
        =currently looking for work=a job seeker=a jobseeker,
        retired=a pensioner=a retiree=in retirement, a student=a full-time student=studying,
        an apprentice=a trainee, a homemaker=a housewife=a househusband""",
        whole=True,
    ),
    _group(
        """student=full-time student, pensioner=retiree, freelancer, employee=permanent employee,
        job seeker=jobseeker, apprentice=trainee, homemaker=housewife=househusband, intern""",
        whole=True,
    ),
)
WORKLOADS: Final[Pool] = (_group("full-time=full time, part-time=part time, half-time=half time"),)
STATUS_MODIFIERS: Final = _list(
    "retired, unemployed, self-employed, freelance, part-time, full-time, apprentice, trainee"
)
DEGREES: Final[Pool] = (
    _group(
        """high school diploma, vocational diploma, school-leaving certificate,
        bachelor's degree=bachelor's=bachelor, master's degree=master's=master,
        doctorate=doctoral degree=PhD=Ph.D.""",
        whole=True,
    ),
    _group("bachelor's degree, associate's degree, master's degree, doctoral degree"),
    _group("doctorate, bachelor's degree, master's degree"),
    _group("Bachelor's, Master's"),
    _group("Bachelor, Master"),
    _group("BSc, MSc, PhD, MBA"),
    _group("B.A., M.A., Ph.D."),
    _group("high school, college, primary school, vocational school"),
    _group(
        """high school student, college student, PhD student=doctoral student, apprentice,
        law student=medical student"""
    ),
    _group(
        """history, physics, law, music, biology, economics, design, medicine, psychology, finance,
        chemistry, philosophy, computer science, mathematics, nursing, engineering=mechanical
        engineering=civil engineering, linguistics, nutrition, physiotherapy"""
    ),
    _group("German, French, Italian, Spanish, English"),
)
UNIVERSITIES: Final = _list(
    """University of Oslo, University of Vienna, University of Toronto, Stanford University,
    Kyoto University, Uppsala University, University of Lisbon, Leiden University,
    University of Nairobi, Trinity College Dublin, Lund University, Duke University"""
)
INDUSTRIES: Final = _group(
    """banking, insurance, retail, agriculture, construction, hospitality, transport, education,
    healthcare, publishing"""
)

# --------------------------------------------------------------------------- body

HEALTH: Final[Pool] = (
    _group(
        """diabetes=type 1 diabetes=type 2 diabetes, asthma, high blood pressure=hypertension,
        migraine=migraines=chronic migraine=chronic migraines, epilepsy, arthritis=rheumatism,
        depression, anxiety, cancer=breast cancer=skin cancer, multiple sclerosis=MS,
        celiac disease, sleep apnea, seasonal allergies=hay fever, glaucoma, hearing loss,
        heart disease=a heart condition=coronary heart disease, psoriasis, kidney disease,
        back pain=chronic back pain=back problems=sciatica, dementia=early-stage dementia,
        Parkinson's disease=Parkinson's, ADHD, dyslexia, hepatitis B, osteoporosis, COPD, anemia,
        long COVID, bipolar disorder, lupus""",
        whole=True,
    ),
    _group(
        """healthy=in good health=in perfect health, diabetic=diabetes, asthmatic=asthma,
        epileptic=epilepsy, depressed=depression, chronically ill, disabled,
        a cancer patient=cancer, a heart patient=heart disease""",
        whole=True,
    ),
    _group(
        """no illnesses=no illness=no health problems=no conditions, asthma, diabetes, epilepsy,
        heart disease, cancer, depression""",
        whole=True,
    ),
    _group("HIV positive, diabetic, asthmatic, epileptic, anemic, deaf, blind, pregnant, disabled"),
    _group("ill, injured, disabled, healthy"),
    _group("smoker, non-smoker, ex-smoker"),
    _group("a stroke, a heart attack, a broken leg, an accident"),
    _group("an artificial knee, an artificial hip, a pacemaker, a hearing aid"),
)
PATIENTS: Final = _group(
    """diabetic=type 1 diabetic=type 2 diabetic, asthmatic, epileptic, cancer patient=cancer
    survivor, heart patient, wheelchair user""",
    whole=True,
)
APPEARANCE: Final[Pool] = (
    _group("a beard, glasses, freckles, a scar, a tattoo"),
    _group("tall, short, of average height=average height", whole=True),
    _group(
        "blond hair=blonde hair, brown hair, black hair, red hair, gray hair=grey hair, white hair"
    ),
    _group("blue eyes, brown eyes, green eyes, gray eyes=grey eyes, hazel eyes"),
    _group("fair skin=pale skin=light skin, dark skin=black skin=brown skin, olive skin"),
    _group("long hair, short hair, curly hair, straight hair"),
    _group("blond=blonde=fair-haired=blond-haired, dark-haired=brown-haired, red-haired, bald"),
    _group("blonde, brunette, redhead"),
    _group("blue-eyed, brown-eyed, green-eyed"),
    _group("slim=thin=slender=skinny, overweight=obese=heavy=fat, muscular=athletic=stocky"),
    _group("slim build, heavy build, muscular build, average build"),
)
BLOOD_TYPES: Final = _group("A+, A-, B+, B-, AB+, AB-, O+, O-")

# --------------------------------------------------------------------------- life

CHILDREN: Final = _group("no children, two children, one child, four children")
HOUSING: Final[Pool] = (
    _group("tenant=renter, homeowner=home owner=owner, lodger=subtenant=lodging"),
    _group(
        """rent a flat=live in a rented flat=rent an apartment=rent, own a house=own a flat=own my
        home, rent a room in a family's house=live in lodgings=live in a rented room,
        live with my parents""",
        whole=True,
    ),
    _group("a tenant=a renter, a homeowner=an owner, a lodger=a subtenant"),
    _group("house, flat, apartment, studio, mobile home"),
)
PETS: Final[Pool] = (
    _group("dog, cat, parrot, rabbit, hamster"),
    _group("a dog, a cat, a parrot, a rabbit"),
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
    _group("low income, average income, high income", whole=True),
    _group("a low income, an average income, a high income, no income"),
    _group("no income, a small income, a large income"),
    _group("no savings, small savings, large savings, some savings"),
    _group("no debts, small debts, large debts, some debts"),
    _group("no debt, a small debt, a large debt, some debt"),
    _group("minimum wage, average wage, a six-figure salary"),
)
DURATIONS: Final[Pool] = (_group("a month, half a year, a year, a decade, several weeks"),)
RELATIVE_DATES: Final[Pool] = (
    _group("yesterday, tomorrow, last week, next month, last year, next year"),
    _group("spring, summer, autumn, winter"),
    _group("morning, afternoon, evening, night"),
)

# --------------------------------------------------------------------------- calendar and numbers

MONTHS: Final = _list(
    """January, February, March, April, May, June, July, August, September, October, November,
    December"""
)
WEEKDAYS: Final = _list("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday")
DECADES: Final = _list("twenties, thirties, forties, fifties, sixties, seventies, eighties")
SMALL_NUMBERS: Final = _list(
    """zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen,
    fourteen, fifteen, sixteen, seventeen, eighteen, nineteen"""
)
TENS: Final = _list("twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety")
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
REGULAR: Final = _list(
    """kid, son, daughter, dependent, dependant, twin, toddler, teenager, boy, girl, stepson,
    stepdaughter, grandson, granddaughter, nephew, niece, brother, sister, sibling, parent, dog,
    cat, car, house, apartment, flat, loan, account, card, employee, roommate, time, job, property,
    year, month, week, day, hour, minute, second, decade, dollar, euro, franc, pound"""
)

# --------------------------------------------------------------------------- names and contacts

TITLES: Final = _list(
    "mr, mrs, ms, mx, miss, dr, prof, professor, doctor, sir, lady, herr, frau, madame, monsieur,"
    " señor, señora, jr, sr, ii, iii, iv, phd, md"
)
COMPANY_SUFFIXES: Final = _list(
    """and Sons, Ltd, Ltd., LLC, Inc, Inc., PLC, GmbH, AG, SA, S.A., Group, Corp, Corp., Bank,
    Insurance, Hospital, Clinic, Health Center, Institute, Foundation, Trust, Consulting, Airlines,
    Pharma, School, College, Solutions, Systems, Partners, Holdings, Media, Energy, Logistics,
    Services, Bakeries, Hotels"""
)
MAIL_DOMAINS: Final = _list("example.com, example.org, example.net")


@dataclass(frozen=True, slots=True)
class Streets:
    """How streets of a language are called.

    Args:
        pattern: Finds one.
        number_first: `12 Rue de la Gare`, not `Rosenweg 12`.
    """

    pattern: str
    number_first: bool
    names: tuple[str, ...]
    towns: tuple[str, ...]


STREETS: Final[tuple[Streets, ...]] = (
    Streets(
        r"(?:straat|gracht|laan|plein|kade|dijk|molenweg)\b",
        False,
        _list("Dorpsstraat, Beatrixlaan, Keizersgracht, Schoolstraat, Stationsplein"),
        _list("Utrecht, Leiden, Breda, Arnhem"),
    ),
    Streets(
        r"(?:weg|gass?e?|stra(?:ss|ß)e|str\.|allee|platz|halde|matte|ring|feld|hof)\b|^(?:Am|Im) ",
        False,
        _list("Rosenweg, Schulstrasse, Birkenweg, Dorfgasse, Wiesenstrasse, Marktgasse, Am Bach"),
        _list("Basel, Bern, Thun, Chur, Aarau, Olten, Zug, Wil"),
    ),
    Streets(
        r"\b(?:rue|quai|avenue d|chemin|place d|boulevard|route d|all[ée]e d)",
        True,
        _list("Rue de la Gare, Rue des Lilas, Chemin du Lac, Avenue de la Paix, Rue du Marché"),
        _list("Lausanne, Vevey, Sion, Nyon, Morges, Bulle"),
    ),
    Streets(
        r"\b(?:via|corso|piazza|viale|vicolo|largo)\b",
        False,
        _list("Via Roma, Via Mazzini, Corso Italia, Viale dei Pini, Via San Marco"),
        _list("Como, Bologna, Lugano, Locarno, Milano"),
    ),
    Streets(
        "",
        True,
        _list(
            """Maple Avenue, Church Street, Park Road, Victoria Lane, Chestnut Close, High Street,
            Meadow Drive, Bridge Street"""
        ),
        _list("Exeter, Lincoln, Durham, Newport, Ashford"),
    ),
)
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

NEUTRAL: Final = _list(
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
    Group(tuple((name,) for name in UNIVERSITIES)),
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
    Group(tuple((name,) for name in MONTHS)),
    Group(tuple((name,) for name in WEEKDAYS)),
)
