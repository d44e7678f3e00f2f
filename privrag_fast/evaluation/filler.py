# ruff: noqa: E501 -- one sentence of the grammar a line
"""Financial notices that answer nobody's question, so that retrieval has something to get wrong.

They speak of accounts, ages, cities, incomes, eligibility and products by name, but state no
condition of any. A kind of notice is a small grammar: `[a|b]` is one of several wordings, `{word}`
a value drawn from a list, a number or a date.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from privrag_fast.evaluation.dataset import Document
from privrag_fast.types import InputError

INSTITUTIONS: Final = (
    "Quillmoor Bank",
    "Oakhaven Mutual",
    "Varrow Savings Bank",
    "Pellworth Insurance",
    "Tindale Pension Fund",
    "Marrowby Benefits Office",
    "Skerrow Credit Union",
    "Eastlea Life",
)

SHINGLE: Final = 5
"""Words of a shingle: two notices are compared by the runs of words that they share."""

MAX_SHARED: Final = 0.5
"""Largest share of a notice's shingles that one other notice may hold."""

_MAX_TRIES = 200


@dataclass(frozen=True, slots=True)
class Names:
    """Whom and what notices speak of.

    Args:
        institutions: Each notice is one institution's.
        products: Real ones, that half of the mentions are of; the others name what nobody sells.
    """

    institutions: Sequence[str] = INSTITUTIONS
    products: Sequence[str] = ()


def filler(count: int, seed: int, *, names: Names = Names()) -> tuple[Document, ...]:
    """Notices of 60 to 130 words, one passage each, no two of them alike.

    The first of many are the few: `filler(9, s) == filler(99, s)[:9]`.

    Args:
        names: Those of a benchmark make its documents harder to tell from the filler.

    Raises:
        InputError: The grammar has no such number of distinct notices.
    """
    if count < 0:
        raise InputError(f"count must be 0 or more, got {count}")
    rng = random.Random(seed)
    known = _Known()
    return tuple(_notice(number, rng, names, known) for number in range(count))


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Runs of `SHINGLE` words, without regard to case and punctuation."""
    words = re.findall(r"\w+", text.casefold())
    return frozenset(zip(*(words[start:] for start in range(SHINGLE)), strict=False))


class _Known:
    """What was written so far, by shingle."""

    def __init__(self) -> None:
        self._sizes: list[int] = []
        self._holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)

    def admit(self, text: str) -> bool:
        """Whether the text is unlike all before; if so, it is known from now on."""
        own = shingles(text)
        shared = Counter(number for shingle in own for number in self._holders.get(shingle, ()))
        if any(n > MAX_SHARED * min(len(own), self._sizes[i]) for i, n in shared.items()):
            return False
        for shingle in own:
            self._holders[shingle].append(len(self._sizes))
        self._sizes.append(len(own))
        return True


def _notice(number: int, rng: random.Random, names: Names, known: _Known) -> Document:
    kind = KINDS[number % len(KINDS)]
    for _ in range(_MAX_TRIES):
        scene = _Scene(rng, names)
        title = scene.write(rng.choice(kind.titles))
        body = " ".join(_sentences(kind, scene, rng))
        if known.admit(body):
            return Document(f"filler/{kind.name}-{number:05}.md", title, f"# {title}\n\n{body}\n")
    raise InputError(f"there are no more than {number} distinct notices: ask for fewer")


def _sentences(kind: Kind, scene: _Scene, rng: random.Random) -> Iterator[str]:
    words, wanted = 0, rng.randint(64, 95)
    for template in (rng.choice(kind.leads), *rng.sample(kind.body, len(kind.body))):
        sentence = scene.write(template)
        yield sentence
        words += len(sentence.split())
        if words >= wanted:
            return


# --------------------------------------------------------------------------- grammar

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")


class _Scene:
    """Values of one notice: `{city}` is any city, `{City}` the one that the notice is about."""

    def __init__(self, rng: random.Random, names: Names) -> None:
        self._rng = rng
        self._products = names.products
        self._own = {
            "Bank": rng.choice(names.institutions),
            "Currency": rng.choice(tuple(_CURRENCIES)),
        }

    def write(self, template: str) -> str:
        text = _CHOICE.sub(lambda match: self._rng.choice(match[1].split("|")), template)
        return _SLOT.sub(lambda match: self._value(match[1]), text)

    def _value(self, name: str) -> str:
        if name in self._own:
            return self._own[name]
        if name == "product" and self._products and self._rng.random() < 0.5:
            return self._rng.choice(self._products)
        value = _SLOTS[name.lower()](self._rng)
        if name[0].isupper():
            self._own[name] = value
        if name not in _AMOUNTS:
            return value
        return self._rng.choice(_CURRENCIES[self._own["Currency"]]).format(value)


_CURRENCIES: Final = {
    "CHF": ("CHF {}", "{} francs"),
    "EUR": ("EUR {}", "{} euros"),
    "GBP": ("GBP {}", "£{}"),
}
_AMOUNTS: Final = frozenset({"income", "sum", "fee"})


def _one_of(items: str) -> Callable[[random.Random], str]:
    choices = tuple(item.strip() for item in items.split("|"))
    return lambda rng: rng.choice(choices)


def _number(low: int, high: int, step: int = 1) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.randrange(low, high + 1, step):,}"


_MONTH = _one_of(
    "January|February|March|April|May|June|July|August|September|October|November|December"
)
_FIRST_NAME = _one_of(
    "Agnes|Amara|Anselm|Beatriz|Bruno|Cilla|Dario|Edda|Emeka|Farah|Gustav|Hanneke|Ibrahim|Ines|"
    "Jarek|Kaisa|Leonie|Lorcan|Mahmoud|Mireille|Nadja|Oskar|Petra|Quentin|Rosalind|Samir|Tamsin|"
    "Ulrich|Valeria|Wanda|Yannick|Zora"
)
_SURNAME = _one_of(
    "Abegg|Adeyemi|Brandl|Cavelti|Dufour|Eriksen|Farkas|Gallo|Hochuli|Ivanov|Jansen|Kilcoyne|"
    "Lorenz|Marti|Novotny|Okafor|Pereira|Quist|Rahman|Sauter|Tanner|Ueda|Vukovic|Whelan|Zeller"
)
_PRODUCT_FIRST = _one_of(
    "Amber|Apricot|Basalt|Bluebell|Brass|Clover|Cobalt|Copper|Coral|Fjord|Flint|Garnet|Ginger|"
    "Hazel|Indigo|Ivory|Juniper|Kestrel|Larch|Linden|Marble|Mistral|Nutmeg|Opal|Otter|Pebble|"
    "Quartz|Rowan|Saffron|Sorrel|Tansy|Thistle|Umber|Velvet|Willow|Yarrow"
)
_PRODUCT_SECOND = _one_of(
    "Arch|Basket|Bell|Bridge|Canvas|Compass|Corner|Drum|Feather|Field|Gate|Kettle|Lantern|Loom|"
    "Meadow|Mill|Orchard|Paddle|Pocket|Ribbon|Sail|Spindle|Step|Thimble|Wagon|Well"
)
_PRODUCT_KIND = _one_of(
    "account|card|loan|mortgage|pension|plan|policy|cover|grant|allowance|deposit|bonus|package"
)

_SLOTS: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "age": _number(18, 91),
    "sixty": _number(57, 71),
    "n": _number(2, 24),
    "nth": lambda rng: f"{rng.randrange(4, 21)}th",
    "hundred": _number(110, 980, 10),
    "year": lambda rng: str(rng.randrange(1998, 2027)),
    "version": lambda rng: f"{rng.randrange(2, 31)}.{rng.randrange(10)}",
    "share": lambda rng: f"{rng.randrange(4, 92)} %",
    "rate": lambda rng: f"{rng.randrange(5, 690) / 100:.2f} %",
    "income": _number(24_000, 148_000, 500),
    "sum": _number(1_500, 240_000, 500),
    "fee": _number(3, 95, 1),
    "month": _MONTH,
    "day": lambda rng: f"{rng.randrange(1, 29)} {_MONTH(rng)}",
    "time": lambda rng: f"{rng.randrange(7, 20)}:{rng.choice(('00', '15', '30', '45'))}",
    "weekday": _one_of("Monday|Tuesday|Wednesday|Thursday|Friday|Saturday"),
    "first": _FIRST_NAME,
    "person": lambda rng: f"{_FIRST_NAME(rng)} {_SURNAME(rng)}",
    "product": lambda rng: f"{_PRODUCT_FIRST(rng)} {_PRODUCT_SECOND(rng)} {_PRODUCT_KIND(rng)}",
    "city": _one_of(
        "Aarau|Antwerp|Basel|Bergamo|Bern|Biel|Bolzano|Bregenz|Bristol|Chur|Cork|Delft|Dijon|Dublin|"
        "Exeter|Freiburg|Fribourg|Galway|Geneva|Ghent|Graz|Innsbruck|Konstanz|Lausanne|Leeds|Linz|"
        "Locarno|Lucerne|Lugano|Lyon|Milan|Munich|Norwich|Nice|Olten|Porto|Salzburg|Schwyz|Sion|"
        "St. Gallen|Stuttgart|Thun|Trento|Turin|Ulm|Utrecht|Vaduz|Vienna|Winterthur|York|Zug|Zurich"
    ),
    "country": _one_of(
        "Austria|Belgium|Denmark|France|Germany|Ireland|Italy|Liechtenstein|Norway|Poland|Portugal|"
        "Slovenia|Spain|Sweden|Switzerland|the Netherlands|the United Kingdom"
    ),
    "job": _one_of(
        "baker|bus driver|carpenter|civil servant|cook|dentist|farmer|florist|gardener|"
        "hairdresser|journalist|lawyer|librarian|mechanic|midwife|nurse|painter|pharmacist|pilot|"
        "plumber|police officer|roofer|shop assistant|social worker|student|teacher|translator|"
        "veterinarian|waiter|welder"
    ),
    "status": _one_of(
        "divorced|married|separated|single|widowed|in a registered partnership|newly married"
    ),
    "family": _one_of(
        "no children|one child|two children|three children|four children|two grown sons|twins|"
        "a baby daughter|five grandchildren"
    ),
    "health": _one_of(
        "asthma|arthritis|back trouble|diabetes|epilepsy|hay fever|a heart condition|migraine|"
        "high blood pressure|hearing loss|a broken hip"
    ),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notice: how it may be called, begin and go on."""

    name: str
    titles: tuple[str, ...]
    leads: tuple[str, ...]
    body: tuple[str, ...]


def _kind(name: str, titles: str, leads: str, body: str) -> Kind:
    return Kind(
        name, *(tuple(map(str.strip, t.strip().split("\n"))) for t in (titles, leads, body))
    )


KINDS: Final = (
    _kind(
        "rates",
        """
        Interest rates from {Day}
        {Bank}: [new rates|rate notice|the rate sheet] for {Month}
        Rates in {Month} {Year}
        """,
        """
        {Bank} [has reviewed|looks again at|adjusts] its rates [on|as of] {Day}, [after|following] the {Month} meeting of [the central bank|the board|its rate committee].
        The [reference|base|key] rate [fell|rose|moved] to {rate} in {Month}, and {Bank} [follows|has followed] [within days|a week later|with some delay].
        Customers of {Bank} in {City} [will notice|see|find] [different|new|other] figures on [their statements|the price list|the screen] from {Day}.
        """,
        """
        [Balances|Deposits|Sums] [up to|below|above] {sum} [earn|now earn|bring] {rate}, [against|compared with] {rate} [in {year}|a year ago|in {month}].
        [Money fixed|A deposit placed|A sum tied up] for {n} years [stands at|is quoted at|brings] {rate} [before tax|at present|for the time being].
        The average [saver|customer|household] of {age} in {city} [keeps|holds|leaves] {sum} [on hand|with the bank|in such accounts], [our figures say|an internal count shows|the statistics suggest].
        [Overdrafts|Credit lines|Arrears] [cost|are charged at] {rate} and are [settled|booked|added up] [every quarter|each month|at the end of {month}].
        [Questions|Doubts|Details] about the {product} [belong to|are for|go to] [the desk in {city}|your adviser|the {weekday} hotline]; this [sheet|notice|table] [covers|concerns] rates only.
        [The gap|The spread|The margin] between [loans and savings|long and short terms|francs and euros] [is now|was last seen at|has reached] {rate}.
        [Economists|Analysts|Observers] in {city} [expect|foresee|do not rule out] [another step|a further cut|no change] before {day}.
        Interest is [credited|booked|paid out] on {day}, [with|together with] the [annual summary|tax slip|closing letter] for {year}.
        [Who|Whoever] [compares|wants to compare] rates [finds|will find] those of {n} other [houses|lenders|institutions] on the [board|poster|page] beside the [door|counter].
        """,
    ),
    _kind(
        "branch",
        """
        {Bank} in {City}: [opening hours|changes at the branch|new hours]
        The {City} branch [moves|is rebuilt|reopens]
        [Notice|News] from the counter in {City}
        """,
        """
        The {City} branch of {Bank} [closes|is closed] from {Day} [for building work|for repairs|while the lift is replaced].
        From {Day}, {Bank} [receives|welcomes|sees] visitors in {City} [at a new address|on the first floor|two doors further down].
        [Good news|A change|A reminder] for [everyone|people|customers] in {City}: {Bank} [is there|opens its doors|keeps its counter open] on {weekday} [again|as well|from now on].
        """,
        """
        The [counter|desk|hall] is [staffed|open] from {time}, on {weekday} [only|already] from {time}.
        [Cash|Money|A payout] up to {sum} [can be collected|is paid out|is kept ready] [with a day's notice|after a call|when ordered by {weekday}].
        {person}, {age}, [who runs|head of|in charge of] the branch since {year}, [looks forward to|is curious about] the [new rooms|meeting corners|wider entrance].
        The [machine|cash machine|ATM] in the [lobby|passage|side street] [stays in use|works day and night|takes coins] [throughout|all the while], [fees|charges] [unchanged|as before].
        [Advice|A talk|A meeting] on [pensions|mortgages|benefits] [takes place|is held] in the [annex|back room|library] on {weekday}, [by appointment|for {n} people at most|after {time}].
        [Parking|The car park|The bicycle stand] [behind the building|across the road|at the station] [costs {fee} a day|is shared with a bakery|fills up before {time}].
        [Safe-deposit boxes|Lockers|Night safes] [remain|are] [accessible|in place]; [holders|tenants] [get|receive] a [letter|new key] by {day}.
        [Neighbors|Shop owners|Residents] of all ages, the [youngest {n}|oldest {age}], [came to|joined] the [open day|guided tour] in {month}.
        [The nearest other branch|The next counter|A replacement] is in {city}, [about|roughly] {n} minutes by [bus|train|tram].
        [Ramps|Hearing loops|Large-print forms] [were added|have been ordered|are available] [at the request of|thanks to] [older customers|a customer with {health}|the residents' council].
        """,
    ),
    _kind(
        "cards",
        """
        [Using|Looking after] your card [abroad|at the till|in {Month}]
        Card tips for [travelers|beginners|families]
        [Paying|Shopping] by card: {n} [hints|habits]
        """,
        """
        [Most|Nearly all] [troubles|mishaps|surprises] with cards of {Bank} [happen|begin] [on a trip|at a pump|on a {weekday} evening], [{share} of them|above all] in {Country}.
        A [plastic|new|second] card from {Bank} [arrives|comes] [in a plain envelope|by mail|in two letters], [usually|mostly] within {n} days.
        {first}, {age}, a {job} from {City}, [asked|wanted to know] [why|how it is that] a payment of {fee} [showed up twice|was held for days|came back].
        """,
        """
        [Choose|Pick|Prefer] [local money|the country's own currency|francs], not the [shop's|machine's] [offer|rate], which [runs|is] {rate} [higher|dearer] [on average|in our test].
        [Hotels|Rental desks|Pumps] [block|reserve|hold] [about|up to] {sum}; the [hold|block] [ends|lapses] after {n} days.
        [Write down|Keep] the [hotline|stop number] [apart from the card|in your shoe|at home with {first}], [not|never] [in the same purse|beside it].
        A [contactless|wireless] payment of {fee} [asks for no code|goes through at once], the {nth} [in a row|of a day] [may ask|does].
        [Subscriptions|Standing charges|Renewals] [outlive|survive] a card: [look|check] [once a year|in {month}|on {day}] [what|which of them] [still runs|you pay for].
        [Cash|A withdrawal] in {country} [cost|came to] {fee} [per visit|each time] [in {year}|last summer], [partly|mostly] the [other bank's|machine owner's] [share|fee].
        [Holders|Owners|Friends] of the {product} [asked|wrote] [about|because of] [scratches|the color|a missing number] {n} times in {month}, [a matter|something] for its issuer.
        [Cards|A card] [bent|kept near magnets|left in the sun] [stops|gives up] [sooner|after {n} months]; [the chip|its edge] [wears|goes] first.
        [Income|Age|An address] is [asked for|looked at] [when|whenever] a limit [changes|is changed], [so|therefore] [have|keep] a [recent|dated] [slip|statement] [ready|at hand].
        """,
    ),
    _kind(
        "tax",
        """
        Tax [note|letter|corner] {Year}
        [What|Which papers] the tax office [in {City}|of {Country}] [asks for|reads]
        [Filling in|Filing] the {Year} return
        """,
        """
        {Bank} [sends|mails|uploads] the tax [slips|statements] for {year} [by|before] {Day}, [one|a separate one] for each [account|customer number].
        The tax [office|authority] in {City} [has moved|moves] [its deadline|the date] to {Day}, [it said|as it wrote] [on {weekday}|in {Month}].
        [Every|Each] {Month}, [people|customers] [call|write to] {Bank} [about|because of] the [same|very same] {n} [lines|boxes] of the tax form.
        """,
        """
        [Interest|Income from savings] of {sum} [belongs on|goes to] [page|sheet] {n}, [losses|fees] on the [next|following] one.
        [A couple|Two people] [aged {age} and {age}|from {city}|with {family}] [entered|declared] the {product} [twice|under debts], [a slip|an error] that took {n} [letters|months] to undo.
        [Withholding|Deducted] tax of {share} [comes back|is refunded] [on request|with the return], [provided|as long as] the [slip|paper] is [enclosed|attached].
        [Pensions|Allowances|Lump sums] from {country} [are taxed|count] [where|in the place where] the [treaty|agreement] of {year} [says|puts them].
        [Donations|Gifts] to [churches|associations|a {city} museum] [appear|are listed] [in the annex|below line {n}], [with|together with] [dates|receipts].
        The [rate|scale] [climbs|rises] from {rate} to {share} [between {income} and|on the way from {income} to] {income}, [a chart|the office's chart] [shows|explains].
        [Keep|File|Store] [receipts|invoices|medical bills] for {n} years; [one reader|{person}], {age}, [found|needed] hers [from {year}|in a shoe box].
        [Whether|If] [marriage|a move|a child] [changes|affects] your [bracket|class] is [for the tax office|not for a bank] to [say|decide].
        [Second homes|Parcels|Vineyards] in {country} [raise|lift] the [rate|percentage] [at home|here], [although|even if] they are taxed [there|abroad].
        """,
    ),
    _kind(
        "market",
        """
        Markets [on {weekday}|in {Month}|this week]
        [The week|A quarter] in [shares|bonds|currencies]
        [Comment|View] of {Day}
        """,
        """
        [Shares|Stocks|Equities] [lost|gained|moved by] {rate} on {weekday}, [while|whereas] bonds [barely moved|held firm|slipped], [write|note] the strategists of {Bank}.
        [Calm|Nervous|Thin] trading [marked|shaped] the [week|days] [before|after] {Day}; {Bank} [leaves|keeps] its [forecast|weights] [unchanged|untouched].
        [Inflation|The price index] in {Country} [came in|was reported] at {rate}, [below|above] [the {rate} that|what] {Bank} [had penciled in|expected].
        """,
        """
        [Insurers|Builders|Retailers] [led|trailed] [the board|the list], [helped|hurt] by [figures|news|a warning] from {city}.
        The franc [traded|stood] [near|around] [a {n}-month high|its level of {year}], [a burden|no help] for [exporters|hotels|farms] [with customers|that sell] in {country}.
        [A {job}|Somebody] [aged|of] {age} who [put aside|invested] {fee} [every week|a month] [since {year}|for {n} years] [would hold|would have] {sum} [today|by now].
        [Funds|Portfolios] like the {product} [saw|recorded] [inflows|outflows] of {hundred} million, [most|the bulk] [from|by] [people over|savers near] {age}.
        [Yields|Ten-year yields] [ended|closed] at {rate}, [a touch|some way] [above|below] [their|the] [average|mean] [since|of] {year}.
        [Gold|Oil|Copper|Wheat] [eased|jumped|slid] [by|some] {rate} [after|once] [stocks|data] in {country} [were counted|surprised].
        [Past|Earlier] [returns|gains] [tell|say] [little|nothing] about [coming|later] ones; [the text|this column] is no [advice|offer].
        [House|Flat] prices [near|around] {city} [rose|fell] {rate} [in a year|since {month}], [wages|incomes] [by|only] {rate}.
        [Job|Employment] [numbers|data] [due|expected] on {day} [may|could] [matter|count] more than the [speech|minutes] of {weekday}.
        """,
    ),
    _kind(
        "glossary",
        """
        Insurance [words|terms] [explained|in short]: [part|page] {n}
        [What|Terms that] [policies|letters] [mean|use], [from A|letter {n}]
        [A small|Our] glossary of [cover|claims|premiums]
        """,
        """
        {Bank} [explains|sorts out] [words|terms] that [readers|callers] [stumbled over|asked about] [in {Month}|since {Day}].
        [Policies|Contracts] [speak|are written in] a language of their own; {Bank} [translates|unravels] {n} [entries|terms] [this time|here].
        [A reader|{Person}], {age}, of {City} [wrote|complained] to {Bank} that [nobody|no letter] [defines|explains] the [words|terms] it uses.
        """,
        """
        [Deductible|Excess]: the [part|share] of a [loss|bill], {sum} [say|for example], that [stays with|is left to] [the insured|the household].
        [Premium|Contribution]: the [price|sum] [due|paid] [each {month}|every quarter], {fee} in the [drawing|example] [above|beside].
        [Waiting period|Vesting]: the [months|{n} months] [between signature and|from entry to] the first [claim|payment] [under it|that counts].
        [Beneficiary|Payee]: [whoever|the person who] [is named|stands] in the [contract|form], a [sister|friend|{job}] as [easily|well] as a [spouse|child].
        [Surrender value|Cash value]: what [a policy|an old contract] [is worth|would pay] [if given up|when ended early], {sum} [after|in] {n} years [in one case|once].
        [Rider|Add-on]: [wording|a clause] [glued|added] to a [policy|contract], [often|mostly] for [hearing aids|bicycles|dental work|{health}].
        [Eligibility|Entitlement]: the [state|fact] of [meeting|fulfilling] [conditions|terms]; [each contract|every policy] [lists|names] its own.
        [Underwriting|Assessment]: the [look|examination] that [an insurer|the house] [takes|makes] of [age {age}|health|an occupation] [before|prior to] [pricing|an offer].
        [Grace period|Reminder]: {n} days [in which|during which] a [late|missed] [payment|premium] [does no harm|is forgiven].
        [Actuary|Adjuster]: a [person|{job} turned expert] who [counts|estimates] [lives|damages], [{age} on average|in {city} mostly].
        """,
    ),
    _kind(
        "security",
        """
        [Warning|Beware]: [false letters|fake callers|text messages] in {Month}
        [Fraud|Phishing] [alert|notice] of {Day}
        [Staying|Keep] safe [online|on the phone]
        """,
        """
        [Criminals|Swindlers|Fraudsters] [pose as|pretend to be] [staff|auditors|couriers] of {Bank} and [call|visit|write to] [people|households] [in|around] {City}.
        [Since|From] {Day}, [messages|mails] [with the logo|in the name] of {Bank} [promise|announce] a [refund|bonus|credit] of {fee}.
        {Person}, {age}, [{status}, of {City}|a {job}|who has {family}], [lost|nearly lost] {sum} to a [caller|voice] [claiming|that claimed] to be from {Bank}.
        """,
        """
        [No|Not one] [employee|colleague] [asks|will ever ask] for a [code|password|PIN], [neither|not] [by phone|at the door] nor [by mail|in a chat].
        [Look at|Check] the [sender|address bar]: [one letter|a dot|a digit] [too many|out of place] [gives|gave] {share} of [cases|them] away.
        [Hang up|End the call], [wait|count] {n} [seconds|minutes] and [dial|ring] the number [on your card|on the contract] [yourself|again].
        [Victims|The people hit] are [on average|typically] {age}, [yet|though] the [youngest|one from {city}] [was|had turned] {age}.
        [Report|Tell us] [suspicious|odd] [links|letters] [by|before] {time} and the [team|desk] [acts|answers] [the same day|within {n} hours].
        [Payments|Transfers] [to new payees|above {sum}|to {country}] [wait|are held] {n} hours, [long enough|time] for [second thoughts|a call].
        [Sellers|Dealers] who [offer|praise] the {product} [at the door|on a market stall] [do so|act] without [any link|ties] to [the real|its] issuer.
        [A paper|An app|A browser] [left open|unlocked] in a [library|train|hotel] [tells|told] [strangers|others] [income, age and address|a {job}'s salary|more than enough].
        [Police|Officers] in {city} [count|registered] {hundred} [reports|complaints] [in {year}|by {month}], {share} [more|fewer] than [before|the year before].
        """,
    ),
    _kind(
        "procedure",
        """
        How to [report a new address|order a statement|change a standing order]
        [Step by step|In {n} steps]: [a power of attorney|a new name|a lost letter]
        [Forms|Paperwork] [at the counter|by mail|after a move]
        """,
        """
        [New address, new name|A move|A wedding]: {Bank} [needs|asks for] {n} [lines|details] and a [signature|scan] [to update|before it updates] its [files|records].
        [Statements|Copies|Certificates] [from|of] {Bank} can be [ordered|requested] [in the app|on paper|at the desk in {City}] [at any time|until {time}].
        Since {Day}, {Bank} [accepts|takes] [forms|letters] [signed|sent] [electronically|by video|with a bank code].
        """,
        """
        [Fill in|Complete] [form|sheet] {hundred}, [date|sign] it [twice|on the back] and [leave|put] it [in the box|with the porter].
        [Enclose|Add] a [copy|photo] of [a passport|the permit|a bill] [from the last|no older than] {n} weeks [where asked|if the form says so].
        [Allow|Reckon with] {n} working days, [in {month}|around {day}] [rather|up to] {n}; [a text|an e-mail] [confirms|announces] the end.
        [The copy|A duplicate] [costs|is billed at] {fee}, [older ones|those before {year}] [slightly more|{fee}], [the first|one a year] nothing.
        [Representatives|Relatives|Guardians] [show|bring] the [mandate|court paper] [once|each time]; [it|a copy] [is|stays] [on file|in the records] [for {n} years|from then on].
        [Example|A sample]: {person}, {age}, {status}, [moves|returns] from {city} to {city} and [ticks|crosses] [box|field] {n}.
        [Accounts|Holdings] such as the {product} [follow|are changed] [automatically|with the rest], [joint ones|shared ones] [after|once] both [agree|sign].
        [Income|Employment] [details|data] are [optional|voluntary] [on this form|here] and [serve|help] [statistics|our planning] [only|alone].
        [Mistyped|Wrong] [figures|numbers] [can|may] be [struck out|corrected] [by hand|in ink]; [initial|mark] the [margin|change].
        [All mail|Mail] to the [old|former] address [is forwarded|goes on] for {n} [weeks|months] by the [post office|carrier of {country}].
        """,
    ),
    _kind(
        "survey",
        """
        Survey: how {City} [saves|insures itself|pays]
        [What|How] {hundred} [people|customers] [think of|feel about] [money|retirement|debt]
        [Results|Findings] of the {Year} [poll|survey]
        """,
        """
        {Bank} [asked|questioned|polled] {hundred} people [between {Month} and|until] {Day} about [saving|insurance|their plans for old age].
        [Every|Each] {nth} [respondent|adult] in {Country} [worries about|thinks little of] [rent|old age|medical bills], [finds|says] a study [by|for] {Bank}.
        [How much|What] [is left|remains] [at the end of a month|after rent]? {Bank} [put|sent] the question to {hundred} [households|families] [near|in] {City}.
        """,
        """
        [Those|Respondents] [with|reporting] {family} [set aside|saved] {share} of [pay|what they earn], [those without|single ones] {share}.
        [Median|Typical] income was {income}, [lowest|highest] [in|around] {city}, [where|and] {share} [rent|own] [their home|a flat].
        [People|Adults] of {age} [think|believe] [they will stop work|retirement begins] at {sixty}; [their parents|people of {age}] [said|named] {sixty}.
        {share} [know|had heard of] the {product}, [fewer|barely {share}] [could say|knew] [what it is|who offers it].
        [Women|Men|Students|Widowed people] [answered|replied] [more|less] [cautiously|often], [especially|chiefly] on [debts|shares|{health}].
        [One|Another] {job} from {city}, {age}, [wrote|noted] [in the margin|at the end]: [enough for now|ask me in {n} years|too many forms].
        [Trust|Confidence] in [cash|advisers|apps] [went|moved] from {share} [in {year}|last time] to {share}.
        [Barely|About] {share} [believed|assumed] that they [qualify|are eligible] for [some|public] [benefit|support]; [whether they do|the truth] was not [tested|asked].
        [Weights|Results] [correct|adjust] for age and [canton|county|region]; the [margin|error] is {rate} [either way|at most].
        """,
    ),
    _kind(
        "portrait",
        """
        [A day|Morning|Lunch] with {Person}
        [Portrait|People]: {Person}, {job}
        {Person} and the [counter|phone|mail room]
        """,
        """
        {Person}, {age}, [used to be|was once|trained as] a {job}; [today|now] the [letters|calls|claims] are those of {Bank} in {City}.
        [When|Before] {Person} [came|moved] from {Country} to {City} in {year}, {Bank} was [a name on a tram|just a building|where an aunt worked].
        [At|By] {time} {Person} has [read|sorted] {hundred} [pages|letters]; [it is|this is] {weekday} at {Bank}.
        """,
        """
        [The desk|A shelf] [holds|carries] a [cactus|radio|clock from {city}], {n} pens and a photo of {family}.
        [The first|An early] [salary|wage], {income} a year, [went|went mostly] [into|on] [a bicycle|rent|evening classes] in {city}.
        [Colleagues|Visitors] [praise|mention] the [patience|dry humor|good memory]: [a|one] {job} of {age} [came back|returned] {n} times.
        [Since|After] [a bout of|living with] {health}, the [day|week] [starts later|has four days|ends at {time}].
        [Best known|Remembered] is the [case|story] of the {product} that [nobody|no one] [had opened|could find] [since {year}|for {n} years].
        [Being|Having been] {status} [at {age}|early] [taught|meant] [thrift|caution]: {fee} [a week|a day] in a [tin|jar].
        [Lunch|Coffee] is [soup|bread] from the [market|station], [eaten|taken] [with {first}|alone|on the steps].
        [Rules|Conditions|Age limits] [interest|occupy] {Person} less than [people|the stories behind them] [do|on paper].
        [Retirement|The end of work] is [set|planned] for {month} {year}, [with|followed by] a [trip|walk] to {country}.
        """,
    ),
    _kind(
        "app",
        """
        App [release|version] {Version}: [what is new|changes|fixes]
        [Online banking|The portal|E-banking] [after {Day}|in {Month}]
        [Update|Release] notes, {Month} {Year}
        """,
        """
        [Version|Release] {Version} of the {Bank} app [arrives|is out|rolls out] on {Day}, [first|starting] in {Country}.
        The [portal|website] of {Bank} [rests|is down] on {weekday} from {time} [for maintenance|while servers move].
        [Login|Signing in] to {Bank} [changes|works differently] [from|after] {Day}: [a fingerprint|a code of {n} digits|a photo] [replaces|joins] the [list|token].
        """,
        """
        [Search|The search box] now [finds|covers] [payees|documents|letters] [back to|since] {year} and [tolerates|forgives] [typos|accents].
        [Charts|Budgets|Graphs] [group|sort] [spending|payments] into {n} [classes|colors]; {first}, {age}, [tested|tried] them [with {income}|on a salary of {income}].
        [Dark mode|Large type|Voice reading] [was asked for by|helps] {share} of [testers|users], [among them|including] a {job} with {health}.
        [Fixed|Repaired]: [a crash|an error] [when|whenever] a [transfer|payment] of {sum} [was split|had a note|went to {country}].
        [Older|Ageing] [phones|tablets] from [before|around] {year} [no longer get|lose] [updates|support] on {day}.
        [Profiles|Personal data] [show|list] [age, address and status|the {city} address|a birthday] [behind|after] [a second|one more] [tap|code].
        The [tile|card] for the {product} [moved|slid] [down|to the side]; [nothing|no term] [about it|of it] [changes|is different].
        [Sessions|Visits] [end|expire] after {n} [idle|quiet] minutes, [formerly|until now] {n}.
        [Comments|Reports] [go|belong] to the [gear|menu] [icon|page]; {hundred} [people|customers] [wrote|did so] in {month}.
        """,
    ),
    _kind(
        "seminar",
        """
        [Evening|Seminar]: [saving|buying a home|retiring] in {City}
        [Talks|Courses] [in {Month}|from {Day}]
        [Invitation|You are invited] for {weekday}, {time}
        """,
        """
        {Bank} [invites|asks] [everyone|the public|neighbors] to an evening on [pensions|first homes|health costs] in {City}, {Day}, {time}.
        [How|Why] do people [plan|insure|borrow]? {Person} [of|from] {Bank} [speaks|lectures] on {weekday} [in|at] the [town hall|library|school] of {City}.
        The {Month} [course|workshop] of {Bank} [has|offers] {n} [seats|places], [most|half] [taken|booked] [already|by now].
        """,
        """
        [Entry|Admission] is [free|{fee}], [soup|drinks] included; [children|babies] [play|wait] [next door|in the foyer].
        [Guests|Listeners] of [any|every] age [come|are welcome]; [last time|in {month}] the [oldest|youngest] was {age}.
        [On stage|Beside her]: a {job} of {age} with {family} who [paid off|turned down|inherited] {sum} and [tells|says] [how|why].
        [Part one|The first hour] [deals with|is about] [budgets|wills|leases], [the second|the rest] with [questions|cases] from the [floor|audience].
        [Slides|Handouts] [mention|compare] the {product} among {n} [others|examples], [without|not] [recommending|ranking] [any|them].
        [Sign up|Register] [by|before] {day} [on paper|by phone|at the counter]; [name|first name] and [town|street] [suffice|are enough].
        [Sign language|Translation] [into|from] [Italian|Ukrainian|Portuguese] [can be arranged|is provided] [within|given] {n} days.
        [Topics|Later dates]: [divorce|illness|working abroad] in {city}, [inheritance|care|study costs] in {city}.
        [Whether|If] one [qualifies|is eligible] for [help|a benefit] is [discussed|clarified] [in private|by the office], not [here|in the hall].
        """,
    ),
    _kind(
        "complaint",
        """
        [Complaints|Disputes] in {Year}: [figures|cases]
        [The ombudsman|Arbitration]: case {hundred}
        [If something|When something] goes wrong at {Bank}
        """,
        """
        [In {Year}|Last year] the [ombudsman|arbiter] [received|closed] {hundred} complaints about {Bank}, {share} [by|from] people over {age}.
        {Person}, {age}, {status}, [complained|objected] that {Bank} [lost|misread|delayed] a [letter|form] [of|dated] {Day}.
        [A quarrel|A dispute] [over|about] {fee} [kept|occupied] {Bank} and a {job} from {City} for {n} months.
        """,
        """
        [Write|Send a letter] first to the [branch|unit] [concerned|that signed]; [it|they] [replies|answer] within {n} [days|working days].
        The [board|panel] [split|divided] the [loss|damage] of {sum}, [two thirds|half|{share}] to [the house|the insurer].
        [Income|Age|Nationality] [played|had] no [part|role] in the [ruling|decision], [the report|page {n}] [stresses|says].
        [Lawyers|Fees] are [not needed|optional]; [the procedure|a hearing] costs [nothing|{fee}] [for private persons|at first].
        [Most|{share} of] cases [concern|touch on] [fees|delays|translations], [few|{share}] the {product} or [its like|similar ones].
        [Papers|Records] [older than|from before] {year} are [hard|rarely easy] to [trace|obtain], [so|therefore] [keep|copy] [yours|them].
        [A second|Another] [opinion|look] [was given|came] from {city} on {day}, [one|a] [page|paragraph] [long|only].
        [People|Customers] [with|caring for someone with] {health} [may|can] [dictate|phone in] [a complaint|theirs] [on|every] {weekday}.
        [Apologies|Excuses] [followed|came] in {month}, [with|and] a [voucher|basket] [worth|of] {fee}, [which|and it] was [returned|given to {first}].
        """,
    ),
    _kind(
        "travel",
        """
        Travel money for {Country}
        [Before|On] a trip to {Country}: [cash, cards, cover|a list]
        Exchange [desk|notes] in {Month}
        """,
        """
        [Going|Off] to {Country}? {Bank} [keeps|stocks] [notes|cash] [in {City}|at {n} counters] [until|before] {Day}.
        The exchange [desk|window] of {Bank} [sells|buys back] [notes|coins] of {n} countries, [since {Month}|now] [also|even] [small|large] ones.
        {first} and {first}, [both|together] {age}, [left|set off] for {Country} with {fee} in cash and [questions|a leaflet] from {Bank}.
        """,
        """
        [Order|Reserve] [small|mixed] [notes|bills] {n} days [ahead|early]; [a commission|the charge] of {rate} [applies|is added] [below|under] {sum}.
        [A doctor|The clinic|A hospital] [there|in {country}] [wants|may want] {sum} [in advance|as a deposit], [even|also] for {health}.
        [Leftover|Unused] money [comes back|is bought back] at {rate} [below|under] the [selling|first] [rate|price].
        [Customs|Border officers] [ask|asked] [about|for] [sums|cash] above {sum}; [a slip|the receipt] [helps|settles it].
        [Leaflets|Flyers] of the {product} [lie|are] [at the window|in the rack]; [its|their] issuer [alone|itself] [knows|explains] [the terms|more].
        [Families|Travelers] with {family} [needed|spent] {sum} for {n} days [near|in] {city}, [a reader|{person}] [reports|added up].
        [Trains|Ferries] to {city} [take|accept] [coins|cards] [only|at last], [taxis|markets] [rather|mostly] [cash|notes].
        [Copies|Photos] of [passports|tickets] [belong|go] in [another|a second] bag, [the original|originals] [on|near] the body.
        [Older|Senior] [guests|visitors], {age} [and up|in our case], [praised|liked] the [quiet|slow] [boats|hotels] [off season|in {month}].
        """,
    ),
    _kind(
        "budget",
        """
        A [household|monthly] budget on {income}
        [Saving|Spending] [habits|tips] for [families|one person|shared flats]
        [Where|How] the money [goes|went] in {Month}
        """,
        """
        [Take|Imagine] {first}, {age}, {status}, a {job} in {City} [earning|on] {income}: {Bank} [drew up|sketches] [a budget|a plan] for [the year|{Month}].
        [Envelopes|Jars|Lists] [work|help] [better than|as well as] apps, [found|says] a [counselor|team] of {Bank} in {City}.
        [Rent|Heating|Food] [takes|eats up] {share} of what a household [in|near] {City} [earns|has], {Bank} [reckons|calculates].
        """,
        """
        [Put|Lay] {fee} aside on [payday|the {nth}], [before|not after] [anything|the rest] is [spent|bought].
        [Insurance|Premiums] for [two|{n}] people [came to|add up to] {sum} [a year|in {year}], [a third|{share}] [more than|above] [the year before|planned].
        [Debts|Installments] [first|come first]: at {rate} [even|already] {sum} [costs|takes] [a holiday|a month's bread].
        [Children|A teenager|Twins] [cost|need] [about|some] {fee} [a week|each week] in [shoes|phone bills|snacks], [more|less] at age {n}.
        [Check|Look through] [subscriptions|club fees] each {month}; {first} [found|ended] {n}, [one|the oldest] [from|of] {year}.
        A [reserve|cushion] of {n} [months' pay|salaries] [suits|fits] [a {job}|the self-employed], [less|half] [will do|is enough] for [others|civil servants].
        [Words|Names] like {product} [sound|look] [thrifty|cheap]; [compare|read] [what is inside|the small print] [first|all the same].
        [Secondhand|Borrowed] [furniture|tools|prams] [saved|spared] a couple of {age} [in {city}|with {family}] {sum}.
        [Benefits|Grants] [for which|to which] a household [is eligible|has a right] are [left out|not counted] [here|in the table].
        [Eating|Lunch] out on {weekday} [costs|makes] {fee} a week, [cooked|brought along] [a quarter|{share}] of it.
        """,
    ),
    _kind(
        "housing",
        """
        [Rents|House prices] in {City}, {Month} {Year}
        [Buying|Letting] near {City}: [the numbers|a report]
        [Housing|Property] [letter|bulletin] {n}
        """,
        """
        [A flat|Four rooms|A house] [in|near] {City} [cost|changed hands for] {sum} in {Month}, [the valuers|experts] of {Bank} [report|write].
        [Rents|Prices] in {Country} [rose|fell|moved] by {rate} [in the quarter|since {year}], [according to|says] {Bank}.
        [Empty|Vacant] [flats|homes] are [rare|scarce] in {City}: {hundred} [on|as of] {Day}, [counts|found] {Bank}.
        """,
        """
        [Buyers|Owners] are {age} [on average|at the median], [{n} years|a little] [older|younger] than [tenants|in {year}].
        [Roofs|Windows|Boilers] [from before|built in] {year} [cut|lower] [the value|prices] by {rate}, [solar panels|gardens] [lift|raise] [it|them].
        [A couple|{first}, a {job},] with {family} and {income} [looked at|visited] {n} [flats|houses] [before|until] {month}.
        [Lenders|Banks] [quoted|asked] {rate} for [ten|{n}] years, [variable|short] [money|terms] {rate}.
        [Deposits|Guarantees] of {n} [months|rents] [lie|are kept] [on|in] [blocked|separate] accounts, [at|with] {rate} [interest|a year].
        [The town|The council] [plans|approves] {hundred} [units|dwellings] [by|until] {year}, [some|{share}] for [older|single|disabled] people.
        [Advertisements|Posters] for the {product} [hang|appeared] [at|in] the [station|tram]; this [report|letter] [takes no view on|says nothing of] it.
        [Renovation|Insulation] [grants|funds] [are|were] [exhausted|open|under review] in {country}; [ask|see] the [energy|housing] office.
        [Commuters|Families] [accept|put up with] {n} minutes [more|extra] for {share} [less|lower] rent, [as|so] [bus|train] counts [show|prove].
        """,
    ),
    _kind(
        "office",
        """
        [Office|Counter] [news|hours]: {Bank}, {Month}
        [Letters|Forms|Queues] at {Bank}
        [From|Inside] the [benefits|claims|pension] office
        """,
        """
        {Bank} [processed|decided|read] {hundred} [applications|files] in {Month}, [a {job}'s|one] [the thickest|with {n} annexes].
        [Waiting|Handling] [times|periods] at {Bank} [shrank|grew] to {n} [weeks|days], [in {City}|for letters from {Country}] [a little|somewhat] [longer|less].
        [From|Starting] {Day}, {Bank} [numbers|scans|sorts] [mail|claims] [in {City}|by machine|in a new hall].
        """,
        """
        [Incomplete|Unsigned] [forms|claims] [come|go] back [by return|within {n} days] with a [yellow|blue] [slip|note].
        [Caseworkers|Officers] [look|have looked] after {hundred} [people|households] each, [aged|between] {n} to {age}.
        [Amounts|Payments] [arrive|are sent] on the {nth}, [before|after] [holidays|Easter] [a day|{n} days] [earlier|later].
        [Decisions|Letters] [state|name] [reasons|a deadline] and [where|how] to [object|appeal]; [objections|appeals] [numbered|were] {hundred} in {year}.
        [One|An] applicant, {age}, {status}, [of|from] {city}, [brought|sent] [tax papers|payslips] from {n} [employers|years].
        [Eligibility|Entitlement] is [settled|examined] [case by case|under each program's own terms], [never|not] [by phone|at the gate].
        [Visitors|Callers] with {health} or [prams|{family}] [use|take] the [side|lower] [entrance|door].
        The [poster|brochure] on the {product} is [out of print|being revised|translated] [until|before] {month}.
        [Income|Salary] [statements|slips] are filed [alike|in one way], [whether they show {income} or less|be it {income} or more].
        [Interpreters|Volunteers] [come|help] on {weekday} from {time}, [{n} languages|mostly students] [in all|so far].
        """,
    ),
    _kind(
        "statement",
        """
        [Reading|Understanding] your [pension|yearly|fund] statement
        [Line|Page] {n} of the statement
        [Your|The] {Year} statement, [explained|line by line]
        """,
        """
        {Bank} [mailed|sends out] {hundred} thousand statements [by|before] {Day}; [page|line] {n} [raises|prompts] [most|many] questions.
        [What|Which figure] is [mine|certain]? [Members|Savers] [ask|call] {Bank} [each|every] {Month}, {share} [from|of them in] {City}.
        {Person}, {age}, a {job}, [laid|spread] {n} [statements|years of letters] from {Bank} on [the table|a desk].
        """,
        """
        [Upper|Left] [box|column]: [assets|savings] of {sum} [at|on] {day}, [interest|bonus] of {rate} [already|not yet] [added|included].
        [Projection|Forecast]: {income} a year at {age}, [assuming|if] {rate} and [steady|unchanged] [pay|contributions].
        [Contributions|Payments in]: {fee} [a week|monthly] [from|by] [the employer|wages], [matching|roughly] {rate} of {income}.
        [Gaps|Missing years] [around|since] {year} [show|appear] as [dots|zeros]; [stays|years of work] in {country} are [noted|listed] [apart|below].
        [Conversion|The factor]: {rate} [today|at present], [reviewed|debated] [in {month}|every {n} years], [lower|higher] [in|before] {year}.
        [A marriage|A divorce|A child] is [printed|shown] as [known|reported]: {status}, {family} in [the sample|our drawing].
        [Products|Extras] such as the {product} [have|get] a [sheet|statement] [of their own|apart], [in {month}|on {day}].
        [Rounding|A rounded cent] [explains|causes] [small|odd] [differences|gaps], [at most|up to] {fee} [per|a] [line|year].
        [Disability|Survivors'] [lines|figures] [read|say] {sum} and {sum}; [what they hang on|which rules apply] is [a matter of|for] the [regulations|plan rules].
        """,
    ),
)
"""Kinds take turns, so that each has its share."""
