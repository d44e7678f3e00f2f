"""Sentence templates of documents, messages and answers, each in one split only.

A slot of a message template is an attribute, or one of its other voices: `{means}` is the income
of somebody who does not work, `{no_children}` says that there are none (see `surfaces.slot`);
`{a_occupation}` puts the article before the value, outside the span. `{do}` is what the person
wants to do with the product, such as "open the First Coin account", `{what}` the quantity that the
document decides, such as "the monthly fee of the Plain account".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from privrag_fast.evaluation.dataset import Split


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


def _table(text: str) -> Mapping[str, str]:
    """`slot: template` lines, by slot."""
    pairs = (line.partition(": ") for line in _lines(text))
    return MappingProxyType({slot: template for slot, _, template in pairs})


# --------------------------------------------------------------------------- documents


@dataclass(frozen=True, slots=True)
class Detail:
    """Something that a document says and that is the same for everybody."""

    sentence: str
    ask: str
    short: str
    answer: str

    @property
    def texts(self) -> tuple[str, str, str, str]:
        return self.sentence, self.ask, self.short, self.answer


TAILS: Final[Mapping[Split, tuple[str, ...]]] = MappingProxyType(
    {
        "train": ("## How to apply", "## Getting in touch", "## Forms and deadlines"),
        "dev": ("## From here on", "## The way to {institution}"),
        "test": ("### Next steps", "### Anything else?", "### Writing to {institution}"),
    }
)
DETAILS: Final[Mapping[Split, tuple[Detail, ...]]] = MappingProxyType(
    {
        "train": (
            Detail(
                "A decision on {product} takes about {days} working days.",
                "How long does a decision on {product} take?",
                "About {days} working days.",
                "A decision takes about {days} working days.",
            ),
            Detail(
                "Our counter is open from {opens} in the morning until {closes} in the afternoon.",
                "When is the counter for {product} open?",
                "From {opens} in the morning until {closes} in the afternoon.",
                "The counter opens at {opens} in the morning and closes at {closes} in the "
                "afternoon.",
            ),
            Detail(
                "Copies of older papers can be ordered for {fee} each.",
                "What do you charge for a copy of the papers on {product}?",
                "{fee}.",
                "A copy costs {fee}.",
            ),
            Detail(
                "You can withdraw within {days} days of signing, without giving a reason.",
                "How many days do I have to withdraw from {product} after signing?",
                "{days} days.",
                "You can withdraw within {days} days, and no reason is needed.",
            ),
            Detail(
                "The form can be filled in online, or sent by post; {line} is the number for help "
                "with it.",
                "Which number do I call if I need help with the form for {product}?",
                "{line}.",
                "Help with the form is given at {line}.",
            ),
            Detail(
                "We keep your papers for {years} years.",
                "How long do you keep papers on {product}?",
                "{years} years.",
                "The papers are kept for {years} years.",
            ),
            Detail(
                "Complaints are answered within {weeks} weeks.",
                "How soon do you answer a complaint about {product}?",
                "Within {weeks} weeks.",
                "A complaint is answered within {weeks} weeks.",
            ),
        ),
        "dev": (
            Detail(
                "Expect a reply after roughly {weeks} weeks.",
                "When can I expect a reply about {product}?",
                "After roughly {weeks} weeks.",
                "A reply comes after roughly {weeks} weeks.",
            ),
            Detail(
                "A lost certificate is printed again for {fee}.",
                "I may have lost a certificate of {product}. What does a new one cost?",
                "{fee}.",
                "A new certificate is printed for {fee}.",
            ),
            Detail(
                "The phone on {line} is staffed on weekdays, {opens} to {closes}.",
                "On which number do I reach you on weekdays about {product}?",
                "On {line}.",
                "On weekdays, the phone is staffed on {line}.",
            ),
            Detail(
                "Objections reach us in time if posted within {days} days.",
                "How much time is there for an objection in matters of {product}?",
                "{days} days.",
                "An objection has to be posted within {days} days.",
            ),
        ),
        "test": (
            Detail(
                "Most letters about {product} are settled inside of {days} working days.",
                "Roughly when will a letter about {product} be settled?",
                "Inside of {days} working days.",
                "Such letters are mostly settled inside of {days} working days.",
            ),
            Detail(
                "Visitors find somebody at the desk between {opens} and {closes}, save on Mondays.",
                "Between which hours is somebody at the desk for {product}?",
                "Between {opens} and {closes}.",
                "Between {opens} and {closes} there is somebody at the desk, except on Mondays.",
            ),
            Detail(
                "For papers in duplicate, {fee} is added to the bill.",
                "Should I want my papers on {product} in duplicate, what is added to the bill?",
                "{fee}.",
                "{fee} is added for papers in duplicate.",
            ),
            Detail(
                "Second thoughts are allowed for {days} days after the contract has been signed.",
                "For how many days are second thoughts allowed with {product}?",
                "For {days} days.",
                "Second thoughts are allowed for {days} days from the signature on.",
            ),
            Detail(
                "Dial {line} to have the paperwork explained line by line.",
                "What do I dial to get the paperwork for {product} explained?",
                "{line}.",
                "The paperwork is explained on {line}.",
            ),
            Detail(
                "Should you disagree with us, an ombudsman replies before {weeks} weeks are over.",
                "By when would the ombudsman reply if we disagree about {product}?",
                "Before {weeks} weeks are over.",
                "The ombudsman replies before {weeks} weeks are over.",
            ),
        ),
    }
)

# --------------------------------------------------------------------------- messages


@dataclass(frozen=True, slots=True)
class Voice:
    """How people of one split write.

    Args:
        sentences: What they say about themselves; one sentence may hold several attributes.
        fragments: Slot -> a piece of a list such as "67 years old, living in Bern, ...".
        runs: Round such a list.
        fields: Slot -> label of a line of a form.
        asks, amounts: Whole questions: yes or no, how much.
        terse, terse_amounts: The same in a few words.
        openers: First turns that only name the topic; leads: before what is added later;
            closers: last turns after the question was asked.
    """

    salutations: tuple[str, ...]
    farewells: tuple[str, ...]
    hellos: tuple[str, ...]
    thanks: tuple[str, ...]
    sentences: tuple[str, ...]
    fragments: Mapping[str, str]
    runs: tuple[str, ...]
    fields: Mapping[str, str]
    asks: tuple[str, ...]
    amounts: tuple[str, ...]
    terse: tuple[str, ...]
    terse_amounts: tuple[str, ...]
    question_field: tuple[str, ...]
    openers: tuple[str, ...]
    leads: tuple[str, ...]
    closers: tuple[str, ...]

    @property
    def templates(self) -> tuple[str, ...]:
        """All whole sentences."""
        return (
            *(*self.sentences, *self.runs, *self.asks, *self.amounts),
            *(*self.terse, *self.terse_amounts, *self.openers, *self.leads, *self.closers),
        )


_TRAIN: Final = Voice(
    salutations=_lines(
        """
        Dear Sir or Madam,
        Dear team,
        To whom it may concern,
        """
    ),
    farewells=_lines(
        """
        Kind regards
        Yours sincerely
        With best wishes
        """
    ),
    hellos=_lines(
        """
        Hello!
        Hi!
        Good morning.
        Hi there!
        """
    ),
    thanks=_lines(
        """
        Thanks!
        Thank you very much.
        Many thanks in advance.
        """
    ),
    sentences=_lines(
        """
        My name is {name}, I am {age} and work as {a_occupation} in {city}.
        I am {a_age}-year-old {occupation}, {marital_status}, with {children}.
        I am {a_age}-year-old {occupation}, {marital_status}, with {no_children}.
        I am {age}, {marital_status} and live in {city}.
        I am {age} and {employment}.
        I am {a_nationality} {occupation} and earn {income}.
        I have worked for {employer} for {tenure}, at {workload}.
        I am {employment}, {marital_status}, and have {means} to live on.
        I have {savings} in the bank and owe {debt}.
        I am a {housing} and pay {rent} a month.
        I am {a_nationality} citizen, born in {birthplace}.
        I am {religion} and I have {health}.
        My name is {name}.
        I'm {name} and I have a question.
        I'm {name}, {age}, and I live in {city}.
        My name is {name} and I am {age} years old.
        This is {name} from {city}.
        I am {age} years old.
        I turned {age} a few weeks ago.
        I am {a_age}-year-old {gender} from {city}.
        I am a {gender}.
        I am a {gender} of {age}.
        I am {a_nationality} citizen.
        I have {a_nationality} passport and live in {city}.
        I was born in {birthplace}.
        I grew up in {birthplace} and now live in {city}.
        I live in {city}.
        My home is in {city}.
        I am {marital_status}.
        I am {marital_status} and have {children}.
        I am {marital_status} and have {no_children}.
        I have {children}.
        I have {no_children}.
        I have {no_children} so far.
        My mother is {mother_age} now.
        My mother, who is {mother_age}, told me about it.
        I hold {a_education}.
        I have {a_education} and work as {a_occupation}.
        I work as {a_occupation}.
        I am {a_occupation} by profession.
        I work as {a_occupation} for {employer}.
        I used to work as {a_former_occupation}.
        Before that I was {a_former_occupation}.
        I am employed at {employer}.
        My employer is {employer}.
        I have been with {employer} for {tenure}.
        I am {employment}.
        At the moment I am {employment}.
        I am {employment} and earn {income}.
        My workload is {workload}.
        I work {workload}.
        I have worked for the same company for {tenure}.
        I earn {income}.
        My salary is {income}.
        I earn {income} and have saved {savings}.
        I have {means} to live on.
        My income is {means}.
        I have savings of {savings}.
        I have put aside {savings}.
        I have {no_savings}.
        I owe {debt}.
        My debts come to {debt}.
        I have {no_debt}.
        I pay {rent} a month for my flat.
        My rent is {rent}.
        I am a {housing}.
        I {housing_verb}.
        I {housing_verb} in {city}.
        I have {health}.
        I was diagnosed with {health}.
        I am {good_health}.
        I am {religion}.
        I am {no_religion}.
        I have lived in this country for {residence}.
        I have been in the country for {residence} now.
        I have been your customer for {membership}.
        I joined you {membership} ago.
        My address is {address}.
        I live at {address} in {city}.
        You can reach me at {phone}.
        My number is {phone} and my e-mail {email}.
        My e-mail address is {email}.
        My account is {iban}.
        Payments can go to {iban}.
        """
    ),
    fragments=_table(
        """
        name: {name}
        age: {age} years old
        gender: {gender}
        nationality: {nationality} citizen
        birthplace: born in {birthplace}
        city: living in {city}
        marital_status: {marital_status}
        children: {children}
        no_children: {no_children}
        mother_age: mother aged {mother_age}
        education: {education}
        occupation: {occupation}
        former_occupation: former {former_occupation}
        employer: employed at {employer}
        employment: {employment}
        workload: {workload} workload
        tenure: {tenure} in the company
        income: earning {income}
        means: income {means}
        savings: {savings} saved
        no_savings: {no_savings}
        debt: {debt} of debt
        no_debt: {no_debt}
        rent: rent {rent}
        housing: {housing}
        health: {health}
        good_health: {good_health}
        religion: {religion}
        no_religion: {no_religion}
        residence: {residence} in the country
        membership: customer for {membership}
        address: {address}
        email: {email}
        phone: {phone}
        iban: {iban}
        """
    ),
    runs=_lines(
        """
        About me: {run}.
        My situation: {run}.
        A few facts: {run}.
        """
    ),
    fields=_table(
        """
        name: Name
        age: Age
        gender: Gender
        nationality: Nationality
        birthplace: Place of birth
        city: City
        marital_status: Marital status
        children: Children
        no_children: Children
        mother_age: Age of my mother
        education: Education
        occupation: Occupation
        former_occupation: Former occupation
        employer: Employer
        employment: Employment
        workload: Workload
        tenure: With the employer for
        income: Income
        means: Income
        savings: Savings
        no_savings: Savings
        debt: Debts
        no_debt: Debts
        rent: Rent
        housing: Housing
        health: Health
        good_health: Health
        religion: Religion
        no_religion: Religion
        residence: In the country for
        membership: Customer for
        address: Address
        email: E-mail
        phone: Phone
        iban: IBAN
        """
    ),
    asks=_lines(
        """
        Can I {do}?
        Am I allowed to {do}?
        I would like to {do}. Is that possible?
        May I {do}?
        Could I {do}?
        Do I fulfill the conditions to {do}?
        Please let me know if I can {do}.
        I want to {do}. Would you accept me?
        """
    ),
    amounts=_lines(
        """
        How high is {what} for me?
        What would be {what} in my case?
        Can you tell me {what} that applies to me?
        """
    ),
    terse=_lines(
        """
        Possible to {do}?
        Can I {do}, yes or no?
        """
    ),
    terse_amounts=_lines(
        """
        So {what}?
        How much is {what}?
        """
    ),
    question_field=("Question", "My question"),
    openers=_lines(
        """
        I have a question about {product}.
        I am interested in {product}.
        Can you help me with {product}?
        """
    ),
    leads=_lines(
        """
        Some more about me.
        I forgot to say this:
        Of course.
        One more thing:
        """
    ),
    closers=_lines(
        """
        That is all I can think of.
        I hope that this helps you to answer.
        Please tell me if you need more.
        """
    ),
)

_DEV: Final = Voice(
    salutations=_lines(
        """
        Dear advisers,
        Good day to you,
        """
    ),
    farewells=_lines(
        """
        All the best
        Respectfully
        """
    ),
    hellos=_lines(
        """
        Good afternoon.
        Hey!
        """
    ),
    thanks=_lines(
        """
        Much obliged.
        Thanks for taking the time.
        """
    ),
    sentences=_lines(
        """
        The name is {name}, {age}, {occupation}.
        Let it be known that I am {marital_status}, {age}, and that my flat is in {city}.
        As to work, I am {employment}, and what comes in is {means}.
        My living comes from being {a_occupation}, {workload}, and what comes in is {income}.
        Born in {birthplace}, {nationality} by passport, in {city} by choice.
        My physician treats me for {health}, and by faith I am {religion}.
        My loans stand at {debt}, and the landlord takes {rent}.
        The name is {name}.
        You are talking to {name}.
        You are talking to {name}, {a_age}-year-old {gender}.
        I have {age} birthdays behind me.
        I just celebrated my birthday and am {age} now.
        Officially I count as a {gender}.
        I travel on {a_nationality} passport.
        My roots are in {birthplace}, my flat is in {city}.
        My cradle stood in {birthplace}.
        My flat is in {city}.
        For the register office I am {marital_status}.
        For the register office I am {marital_status}, with {children}.
        We are a family with {children}.
        In my family there are {no_children}.
        I look in on my mother, she is {mother_age}.
        The last thing I finished was {a_education}.
        My living comes from being {a_occupation}.
        My living comes from being {a_occupation} at {employer}.
        In former times I was {a_former_occupation}.
        The company is called {employer}.
        As to work, I am {employment}.
        My contract says {workload}.
        My contract with {employer} says {workload}.
        I have stayed with my firm for {tenure}.
        What comes in is {income}.
        What comes in is {means} all told.
        In the bank I have {savings}.
        In the bank I have {savings}, and my loans stand at {debt}.
        So far there are {no_savings}.
        My loans stand at {debt}.
        There are {no_debt} to worry about.
        The landlord takes {rent}.
        At home I am a {housing}.
        These days I {housing_verb}.
        My physician treats me for {health}.
        Luckily I am {good_health}.
        By faith I am {religion}.
        When it comes to church, I am {no_religion}.
        My time in this country is {residence} by now.
        We have done business together for {membership}.
        The postman finds me at {address}.
        Mail reaches me at {email}.
        Ring me on {phone}.
        My bank details are {iban}.
        """
    ),
    fragments=_table(
        """
        name: me: {name}
        age: aged {age}
        gender: sex: {gender}
        nationality: {nationality} passport
        birthplace: originally from {birthplace}
        city: flat in {city}
        marital_status: status {marital_status}
        children: family with {children}
        no_children: still {no_children}
        mother_age: mum is {mother_age}
        education: school: {education}
        occupation: trade: {occupation}
        former_occupation: ex-{former_occupation}
        employer: job at {employer}
        employment: currently {employment}
        workload: contract of {workload}
        tenure: same firm for {tenure}
        income: pay of {income}
        means: {means} coming in
        savings: bank balance {savings}
        no_savings: alas {no_savings}
        debt: loans of {debt}
        no_debt: luckily {no_debt}
        rent: landlord gets {rent}
        housing: home: {housing}
        health: patient with {health}
        good_health: feeling {good_health}
        religion: faith {religion}
        no_religion: {no_religion} at all
        residence: in this land {residence}
        membership: with you for {membership}
        address: at {address}
        email: mail {email}
        phone: tel. {phone}
        iban: bank {iban}
        """
    ),
    runs=_lines(
        """
        My file in one line: {run}.
        In short, {run}.
        """
    ),
    fields=_table(
        """
        name: Called
        age: Years of age
        gender: Sex
        nationality: Passport
        birthplace: Born in
        city: Town
        marital_status: Civil status
        children: Kids
        no_children: Kids
        mother_age: Mother's age
        education: Highest diploma
        occupation: Trade
        former_occupation: Earlier trade
        employer: Company
        employment: Work situation
        workload: Hours
        tenure: Years at the company
        income: Pay
        means: Money coming in
        savings: In the bank
        no_savings: In the bank
        debt: Loans
        no_debt: Loans
        rent: Monthly rent
        housing: Home
        health: Illness
        good_health: Illness
        religion: Faith
        no_religion: Faith
        residence: Years in the country
        membership: Years with you
        address: Street
        email: Mail
        phone: Tel.
        iban: Bank account
        """
    ),
    asks=_lines(
        """
        Would you let me {do}?
        Is it all right for me to {do}?
        Do you think that I get to {do}?
        My plan is to {do}. Will that work?
        """
    ),
    amounts=_lines(
        """
        Which figure will you put down as {what}?
        Please work out {what} for me.
        """
    ),
    terse=_lines(
        """
        Okay to {do}?
        Does this do to {do}?
        """
    ),
    terse_amounts=_lines(
        """
        And {what}, please?
        """
    ),
    question_field=("Wanted", "To be answered"),
    openers=_lines(
        """
        Somebody mentioned {product} to me.
        It is about {product}.
        """
    ),
    leads=_lines(
        """
        Right, here is what you need.
        Something else comes to mind:
        And for completeness:
        """
    ),
    closers=_lines(
        """
        There you have it.
        Over to you.
        """
    ),
)

_TEST: Final = Voice(
    salutations=_lines(
        """
        Dear madam or sir,
        Dear all,
        Esteemed colleagues of the service desk,
        To the person in charge,
        """
    ),
    farewells=_lines(
        """
        Warm regards
        Faithfully yours
        Gratefully
        """
    ),
    hellos=_lines(
        """
        Good evening.
        Hello everyone.
        Hiya!
        Greetings.
        """
    ),
    thanks=_lines(
        """
        I appreciate your help.
        Ta!
        That would help me a great deal.
        """
    ),
    sentences=_lines(
        """
        I go by {name}.
        It's {name} writing.
        It's {name} writing, {age}, from {city}.
        You're hearing from {name}, {a_occupation} in {city}.
        You're hearing from {name}, {age}, {marital_status}.
        I'm {a_occupation}, {age}, and {city} is where I live.
        I'm {age} now.
        I don't mind telling you my age: {age}.
        There were {age} candles on my last cake.
        At {age}, I am {marital_status} and a parent of {children}.
        At {age}, I am {marital_status} and have {no_children}.
        At {age}, I make my living as {a_occupation}, and it pays {income}.
        As {a_gender} of {age}, I like to know before I sign.
        You should perhaps know that I'm {a_gender}.
        I'm {a_nationality} national.
        My passport is {nationality}.
        I'm {a_nationality} national, settled in {city}.
        Originally I'm from {birthplace}.
        Originally from {birthplace}, I ended up in {city}.
        I'm {a_nationality} national who went to school in {birthplace}.
        My place is in {city}.
        {city} is my home town these days.
        We're in {city}, a family with {children}.
        In case it matters, I'm {marital_status}.
        My tax form says "{marital_status}".
        I'm {marital_status} and have {children} to look after.
        I have {children} to look after.
        I'm a parent of {children}.
        There are {no_children} in the picture.
        I'm {marital_status}, and there are {no_children} in the picture.
        I'm asking on my own behalf, not for my mother, who is {mother_age}.
        My mother turned {mother_age} last week, and she says I should ask.
        My highest qualification is {a_education}.
        With {a_education} behind me, I became {a_occupation}.
        With {a_education} behind me, I work at {employer}.
        I make my living as {a_occupation}.
        I make my living as {a_occupation} at {employer}.
        My job title is {occupation}, my contract says {workload}, and it pays {income}.
        Until I stopped, I was {a_former_occupation}.
        Years ago I made my living as {a_former_occupation}.
        I'm on the payroll of {employer}.
        {employer} has employed me for {tenure}.
        It's been {tenure} at {employer}, most recently at {workload}.
        Work-wise, I'm {employment}.
        Work-wise, I'm {employment}, which brings in {income}.
        Work-wise, I'm {employment}, and I get by on {means}.
        My status at present is simple: {employment}.
        My hours come to {workload} of a full-time job.
        At work I'm down for {workload}.
        It's been {tenure} with the same employer.
        It's been {tenure} with the same employer, at {workload}.
        Before tax, I'm paid {income}.
        It pays {income} before tax.
        I'm paid {income}, and {savings} is what I could put away so far.
        I get by on {means}.
        I get by on {means} and {housing_verb}.
        All that I have to spend is {means}.
        There is {savings} sitting in my accounts.
        I could put away {savings} so far.
        I have {savings} put away, with {debt} still to pay off.
        I have {no_savings} to speak of.
        I still have {debt} to pay off.
        There are loans of {debt} running.
        There are {no_debt} on my side.
        Rent eats up {rent} each month.
        I'm {a_housing}, and rent eats up {rent} each month.
        I'm {a_housing} in {city}.
        When it comes to housing, I'm {a_housing}.
        I currently {housing_verb}.
        I currently {housing_verb} in {city}.
        There is one thing about my health: {health}.
        Part of my life for some time now is {health}.
        Health-wise, I'm {good_health}.
        I'm {age} and {good_health}.
        In matters of faith, I'm {religion}.
        I'm {religion}, {marital_status}, and {age} years of age.
        I'm {no_religion}, as it happens.
        It is {residence} now that I've been living in this country.
        All in all I've spent {residence} in this country.
        I'm {a_nationality} national with {residence} in this country.
        You've counted me among your customers for {membership}.
        I've dealt with you for {membership}.
        Post for me goes to {address}.
        Post for me goes to {address}, {city}.
        Call {phone} if anything is unclear.
        An e-mail to {email} will find me.
        Use {email} or {phone}, whichever suits you.
        For any payment, my account is {iban}.
        """
    ),
    fragments=_table(
        """
        name: {name} here
        age: age {age}
        gender: a {gender}
        nationality: {nationality} national
        birthplace: raised in {birthplace}
        city: home in {city}
        marital_status: civil status {marital_status}
        children: parent of {children}
        no_children: with {no_children}
        mother_age: my mother being {mother_age}
        education: holder of {a_education}
        occupation: working as {a_occupation}
        former_occupation: once {a_former_occupation}
        employer: on the payroll of {employer}
        employment: {employment} at present
        workload: working {workload}
        tenure: {tenure} with one employer
        income: paid {income}
        means: {means} to get by on
        savings: reserves of {savings}
        no_savings: {no_savings} in reserve
        debt: {debt} still to pay off
        no_debt: {no_debt} anywhere
        rent: rent of {rent} a month
        housing: a {housing}
        health: under treatment for {health}
        good_health: {good_health} so far
        religion: {religion} by faith
        no_religion: {no_religion}
        residence: {residence} spent in this country
        membership: {membership} on your books
        address: letters to {address}
        email: reachable via {email}
        phone: texts to {phone}
        iban: money via {iban}
        """
    ),
    runs=_lines(
        """
        Here is my life in brief: {run}.
        What you may want to know: {run}.
        To sum myself up, {run}.
        """
    ),
    fields=_table(
        """
        name: Full name
        age: How old
        gender: Man or woman
        nationality: Papers
        birthplace: Raised in
        city: Where I live
        marital_status: Family status
        children: Sons and daughters
        no_children: Sons and daughters
        mother_age: My mother's years
        education: Last exam
        occupation: What I do
        former_occupation: What I used to do
        employer: Who pays my wages
        employment: Work at present
        workload: Share of a full week
        tenure: Length of service
        income: Before tax
        means: What I live on
        savings: Reserves
        no_savings: Reserves
        debt: Owed
        no_debt: Owed
        rent: Goes to the landlord
        housing: Roof over my head
        health: Ailments
        good_health: Ailments
        religion: Belief
        no_religion: Belief
        residence: Since I settled
        membership: On your books for
        address: I live at
        email: Answers to
        phone: Texts to
        iban: Account number
        """
    ),
    asks=_lines(
        """
        Is there a chance for me to {do}?
        What do your rules say, am I entitled to {do}?
        I wonder whether somebody like me may {do}.
        Would I get anywhere if I asked to {do}?
        Tell me honestly: will I {do}, or is it hopeless?
        Should I even try to {do}?
        Before I fill in forms: do I qualify to {do}?
        """
    ),
    amounts=_lines(
        """
        Which number should I expect for {what}?
        I would like to know {what} in advance.
        I cannot work out {what} by myself. What is it?
        For somebody like me, what does {what} come to?
        """
    ),
    terse=_lines(
        """
        Any chance to {do}?
        Good enough to {do}?
        """
    ),
    terse_amounts=_lines(
        """
        And {what} would be?
        Need a number: {what}.
        """
    ),
    question_field=("Please answer", "What I want to know"),
    openers=_lines(
        """
        A friend sent me a leaflet on {product}.
        There is this thing called {product} that I keep reading about.
        Am I in the right place for {product}?
        """
    ),
    leads=_lines(
        """
        Sure, let me fill that in.
        You will want to hear this as well.
        Ah, and before I forget:
        Where was I?
        """
    ),
    closers=_lines(
        """
        Well, that is me.
        I will wait for your verdict.
        Make of it what you can.
        """
    ),
)
VOICES: Final[Mapping[Split, Voice]] = MappingProxyType(
    {"train": _TRAIN, "dev": _DEV, "test": _TEST}
)

# --------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Reply:
    """How answers of one split are written.

    Args:
        bounds: Operator -> a limit, or two.
        yes, no, amount: The verdict alone.
        so_yes, so_no, so_amount: The verdict after its reasons.
        asks, given, lacking: What the document wants; that all of it, or what of it is not there.
        all_given, all_lacking: The same without saying what is wanted.
        applies, none_applies: Which of several cases holds.
        met, unmet: A condition beside what the person says, where all must hold.
        case_met, case_unmet: The same where cases are tried one after the other.
        everybody: After an answer that no attribute changes.
        silent: The documents do not say: verdict, reasoned, explained.
    """

    bounds: Mapping[str, str]
    yes: str
    no: str
    amount: str
    so_yes: str
    so_no: str
    so_amount: str
    asks: str
    given: str
    lacking: str
    all_given: str
    all_lacking: str
    applies: str
    none_applies: str
    met: str
    unmet: str
    case_met: str
    case_unmet: str
    everybody: str
    silent: tuple[str, str, str]

    @property
    def templates(self) -> tuple[str, ...]:
        """All whole sentences."""
        return (
            *(self.yes, self.no, self.amount, self.so_yes, self.so_no, self.so_amount),
            *(self.asks, self.given, self.lacking, self.all_given, self.all_lacking),
            *(self.applies, self.none_applies, self.met, self.unmet),
            *(self.case_met, self.case_unmet, self.everybody, *self.silent),
        )


REPLIES: Final[Mapping[Split, Reply]] = MappingProxyType(
    {
        "train": Reply(
            bounds=_table(
                """
                at_least: of at least {a}
                at_most: of at most {a}
                above: of more than {a}
                below: of less than {a}
                between: of {a} to {b}
                """
            ),
            yes="Yes, you can {do}.",
            no="No, you cannot {do}.",
            amount="For you, {what} is {outcome}.",
            so_yes="So yes, you can {do}.",
            so_no="So no, you cannot {do}.",
            so_amount="So {what} is {outcome} for you.",
            asks="{product} asks for {needs}.",
            given="All of this is given.",
            lacking="What you say about {topics} does not fulfill this.",
            all_given="{product} has a rule on {topics}, and you fulfill it.",
            all_lacking="{product} has a rule on {topics}, and you do not fulfill it.",
            applies="The rule on {topics} decides here: its conditions are given.",
            none_applies="None of the special cases on {topics} is given.",
            met="It takes {need}, and {own}.",
            unmet="It takes {need}, but {own}.",
            case_met="One case is for {need}, and it is yours, as {own}.",
            case_unmet="One case is for {need}, which is not yours, as {own}.",
            everybody="This is the same for everybody.",
            silent=(
                "The documents do not say.",
                "The documents do not cover {product}, so they do not say.",
                "No document that I was given is about {product}. I cannot answer from them.",
            ),
        ),
        "dev": Reply(
            bounds=_table(
                """
                at_least: of no less than {a}
                at_most: of no more than {a}
                above: over {a}
                below: under {a}
                between: between {a} and {b}
                """
            ),
            yes="Yes: you may {do}.",
            no="No: you may not {do}.",
            amount="In your case, {what} is {outcome}.",
            so_yes="This adds up to a yes: you may {do}.",
            so_no="This adds up to a no: you may not {do}.",
            so_amount="This makes {outcome} as {what}.",
            asks="Called for in {product}: {needs}.",
            given="You have told us what is needed to confirm that.",
            lacking="With regard to {topics}, this is not the case.",
            all_given="The terms of {product} concerning {topics} are satisfied.",
            all_lacking="The terms of {product} concerning {topics} are not satisfied.",
            applies="What counts in the end is the term about {topics}, which you satisfy.",
            none_applies="The terms about {topics} leave you in the last group.",
            met="Called for: {need}. You tell us that {own}; this fits.",
            unmet="Called for: {need}. You tell us that {own}; this does not fit.",
            case_met="A group is made up of {need}; since {own}, you belong to it.",
            case_unmet="A group is made up of {need}; since {own}, you do not belong to it.",
            everybody="Nobody is treated differently in this.",
            silent=(
                "This is not in the documents.",
                "There is nothing about {product} in the documents.",
                "I looked for {product} and found nothing, so there is nothing to go by.",
            ),
        ),
        "test": Reply(
            bounds=_table(
                """
                at_least: of {a} or more
                at_most: of {a} or less
                above: above {a}
                below: below {a}
                between: from {a} to {b}
                """
            ),
            yes="Yes, you qualify to {do}.",
            no="No, you do not qualify to {do}.",
            amount="By these rules, {what} comes to {outcome}.",
            so_yes="The result is a yes: you qualify to {do}.",
            so_no="The result is a no: you do not qualify to {do}.",
            so_amount="The result: {what} comes to {outcome}.",
            asks="The document on {product} wants to see {needs}.",
            given="Nothing of that is missing.",
            lacking="Your details on {topics} fall short of it.",
            all_given="{product} depends on {topics}, where everything is as it should be.",
            all_lacking="{product} depends on {topics}, where something stands in the way.",
            applies="Your place in these rules follows from {topics}.",
            none_applies="With your {topics}, you belong to none of the special groups.",
            met="The document wants to see {need}; by your account {own}, which passes.",
            unmet="The document wants to see {need}; by your account {own}, which fails.",
            case_met="There is a group for {need}, and {own}: that group is yours.",
            case_unmet="There is a group for {need}, and {own}: that group is for others.",
            everybody="Who you are makes no difference to that.",
            silent=(
                "Nothing in the documents answers this.",
                "{product} is not mentioned anywhere in the documents.",
                "I have gone through the documents without meeting {product}; they cannot decide "
                "this.",
            ),
        ),
    }
)

TOPICS: Final = _table(
    """
    age: age
    city: place of residence
    nationality: citizenship
    marital_status: marital status
    children: number of children
    education: education
    occupation: occupation
    employer: employer
    employment: employment
    workload: workload
    tenure: time with the employer
    income: income
    savings: savings
    debt: debt
    housing: housing
    health: health
    religion: religion
    gender: gender
    residence: time in the country
    membership: time as a customer
    """
)
NEEDS: Final = _table(
    """
    age: an age {l}
    children: {l}
    workload: a workload {l}
    tenure: a time with the employer {l}
    residence: a time in the country {l}
    membership: a time as a customer {l}
    income: a yearly income {l}
    savings: savings {l}
    debt: a debt {l}
    city: a home in {l}
    nationality: {l} citizenship
    marital_status: somebody who is {l}
    education: {l} as the highest qualification
    occupation: somebody who works as {l}
    employer: a job with {l}
    employment: somebody who is {l}
    housing: somebody who is {l}
    health: a diagnosis of {l}
    religion: somebody who is {l}
    gender: an applicant who is {l}
    """
)
"""What a condition asks for; shared by the splits, within sentences that are not."""
BARRED: Final = _table(
    """
    city: a home outside {l}
    nationality: citizenship other than {l}
    occupation: somebody who does not work as {l}
    employment: somebody who is not {l}
    health: no diagnosis of {l}
    """
)
OWN: Final = _table(
    """
    age: you are {v}
    city: you live in {v}
    nationality: your papers are {v}
    marital_status: you are {v}
    children: you have {v}
    no_children: you have {v}
    education: you finished with {a_v}
    occupation: you work as {a_v}
    former_occupation: you were {a_v}
    employer: you work for {v}
    employment: you are {v}
    workload: you work {v}
    tenure: you have been in your job for {v}
    income: you earn {v}
    means: you live on {v}
    savings: you have {v}
    no_savings: you have {v}
    debt: you owe {v}
    no_debt: you have {v}
    housing: you are {a_v}
    housing_verb: you {v}
    health: you have {v}
    good_health: you are {v}
    religion: you are {v}
    no_religion: you are {v}
    gender: you are {a_v}
    residence: you have been in the country for {v}
    membership: you have been a customer for {v}
    """
)

# --------------------------------------------------------------------------- no document

UNKNOWN: Final[Mapping[Split, tuple[tuple[str, str], ...]]] = MappingProxyType(
    {
        "train": (
            ("open", "Silver Crest account"),
            ("open", "Harvest Jar account"),
            ("get", "Meridian Platinum card"),
            ("take out", "Autumn loan"),
            ("claim", "Winter Coat allowance"),
            ("take out", "Garden Shed cover"),
            ("draw", "Late Leaf pension"),
            ("join", "Foot Care program"),
            ("claim", "School Bag grant"),
            ("take out", "Violin loan"),
        ),
        "dev": (
            ("sign up for", "Lantern life plan"),
            ("obtain", "Third Start grant"),
            ("obtain", "Driving License voucher"),
            ("sign up for", "Pet Shield"),
        ),
        "test": (
            ("be granted", "Houseboat mortgage"),
            ("be granted", "Threshold Plus mortgage"),
            ("be awarded", "Compass pension"),
            ("be paid", "Garden Fence supplement"),
            ("be insured under", "Red Plate policy"),
            ("be allotted", "Guide Dog allowance"),
            ("be offered", "Boathouse tenancy"),
            ("be insured under", "Caravan policy"),
        ),
    }
)
_WORDS: Final = re.compile(r"[a-z']+|\{\w+\}")


def shape(template: str) -> tuple[str, ...]:
    """Words of a template, slots named but case, digits and marks left out."""
    return tuple(_WORDS.findall(template.lower()))
