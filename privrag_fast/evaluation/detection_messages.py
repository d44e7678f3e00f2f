"""Messages in the way users write, with what a detector should find: `[value|TYPE]`.

Only measured, never trained.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MESSAGES = """\
Hi, I'm [Laura Meier|PERSON], [67|AGE], a [retired nurse|OCCUPATION] from [Zurich|LOCATION], \
[divorced|MARITAL_STATUS] with [two kids|CHILDREN], income [CHF 54,000 a year|INCOME], I have \
[diabetes|HEALTH], can I open the Senior Saver account?
My name is [Tomasz Zieliński|PERSON]. I turned [41|AGE] in [May|DATE] and drive trucks for \
[DB Schenker|EMPLOYER]. Is the Flex Pension Plan open to me? I have [asthma|HEALTH].
we are both [52|AGE], [married|MARITAL_STATUS], [no children|CHILDREN], living in \
[Lausanne|LOCATION], and have [120k francs|MONEY] saved up. comfort mortgage or not?
As a [Kenyan|NATIONALITY] [student|OCCUPATION] in [Graz|LOCATION] I get \
[900 euros a month|INCOME]. Which card do you suggest, the Basic Start card or the Travel Plus?
The minimum age for the Pension Plus card is 62, right? I'm only [58|AGE].
Please call me at [+41 78 222 31 90|PHONE] or write to [r.okafor@proton.me|EMAIL]. \
[Ruth Okafor|PERSON]
You sent [$2,400|MONEY] to [DE44 5001 0517 5407 3249 31|IBAN] by mistake on [3 March 2024|DATE].
SSN [078-05-1120|SSN], card [4929 1234 5678 9012|CARD], born [12.04.1983|DATE]. Please close it.
I'm a [gay|ORIENTATION] [man|GENDER], [36|AGE], [Catholic|RELIGION], and my insurer asks about \
[HIV|HEALTH]. Must I answer?
[self-employed|OCCUPATION], [44|AGE], [Lyon|LOCATION], [single|MARITAL_STATUS], earning \
[€61,000|INCOME]
My wife works at [Nestlé|EMPLOYER] as a [chemist|OCCUPATION] and I look after \
our [three kids|CHILDREN].
What documents do I need for the Comfort Mortgage?
Does the Young Family Loan have a minimum income of CHF 40,000?
I hold a [master's degree in law|EDUCATION] and vote [Green|POLITICS]. Policy [KX-4471902|ID].
Since [2019|DATE] I have lived at [Seestrasse 41, 8002 Zürich|ADDRESS] with \
[chronic migraine|HEALTH].
I'm [Aylin|PERSON], [29|AGE], [Turkish|NATIONALITY], [pregnant|HEALTH], and on parental leave \
from [Swisscom|EMPLOYER].
i'm [unemployed|OCCUPATION] at [61|AGE] after [Credit Suisse|EMPLOYER] let me go. \
debts: [18000 chf|MONEY]
Name: [Marco Bianchi|PERSON]
Age: [73|AGE]
Job: [retired|OCCUPATION]
Canton: [Ticino|LOCATION]
[Widowed|MARITAL_STATUS], [one daughter|CHILDREN], [arthritis|HEALTH], \
pension [2,950 CHF per month|INCOME].
Can a [Muslim|RELIGION] get a loan without interest? Asking for my brother \
[Samir|PERSON], [33|AGE].
How do I reset my PIN?
I was told that people over 65 get 1.5% more on the Senior Saver account.
""".splitlines()

MENTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "PERSON": (
        "{} called me yesterday.",
        "{} said it was fine.",
        "I spoke to {} about it.",
        "{} wants a refund.",
        "my neighbor {} is loud",
        "{} works with me and has the same policy",
        "please ask {}",
        "{} did not sign the form",
        "tell {} i said no",
        "{} and I share an account.",
        "{} sent me the money",
        "is {} insured too?",
        "{} can no longer pay",
        "the card belongs to {}",
        "{}'s card was stolen",
    ),
    "LOCATION": (
        "{} is where I live",
        "i moved from {} last year",
        "the flat in {} is cold",
        "near {} there is no branch",
        "{} was too expensive for us",
        "we went to {} and back",
        "my office is in {}",
    ),
}
"""Short sentences with one value and nothing else that would tell what it is."""

MENTIONED: Final[Mapping[str, str]] = {
    "first name": (
        "Kai Mirjam Oluwaseun Zofia Brandon Aylin Giulia Priya Matěj Ingrid Thiago Wendy Farid "
        "Séverine Ruth Jelena Hamza Anneliese Curtis Xiomara Bjarne Leila Duncan Katarzyna"
    ),
    "surname": (
        "Marchetti Oyelaran Häberli Sandhu Kowalczyk Brennan Yıldırım Ferreira Novak Dubois "
        "Lindqvist Petrović Hargreaves Achterberg Quispe Tanaka Rossi Becker Llewellyn Haddad "
        "Vandermeer Osei Zimmermann Castellanos"
    ),
    "town": (
        "Leeds Winterthur Tromsø Gdynia Salamanca Boise Izmir Nagpur Ghent Osijek Pescara Ibadan "
        "Limoges Malmö Tulsa Aveiro Freiburg Cusco Durban Lublin Bath Sapporo Chur Halifax"
    ),
}
"""What takes the place, by kind."""
