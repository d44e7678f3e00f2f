"""Products of invented banks, insurers, pension funds and offices: texts, with the rules beside.

A rule reads `attribute operator values`; alternatives of a limit, between slashes, are for the
seed to choose from, and `{attribute}` in the text is the limit chosen (`{attribute2}` the second
of that attribute). Conditions of a line must all hold; the first line that holds gives the outcome
after its arrow, or "yes"; a line without conditions is for everybody else, who otherwise get "no".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from privrag_fast.evaluation.dataset import Split


@dataclass(frozen=True, slots=True)
class Product:
    """Something to apply for, or something that depends on the person.

    Args:
        verb: What one does with it: "open".
        rules: See the module.
        text: Markdown without the title.
        what: The quantity that the rules decide: "monthly fee"; "" where they say yes or no.
    """

    name: str
    verb: str
    rules: str
    text: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """The products of one kind of one institution.

    Args:
        split: Its documents and questions are of this split alone.
        countries: Where most of its customers live; one currency.
    """

    name: str
    split: Split
    institution: str
    currency: str
    countries: tuple[str, ...]
    products: tuple[Product, ...]


_FRANCS: Final = ("Switzerland", "Liechtenstein")
_EUROS: Final = ("Germany", "Austria", "Ireland", "Netherlands", "France", "Italy")
_POUNDS: Final = ("United Kingdom",)

# --------------------------------------------------------------------------- train

SAVINGS: Final = Family(
    "savings",
    "train",
    "Tarnwell Bank",
    "CHF",
    _FRANCS,
    (
        Product(
            "Silver Nest account",
            "open",
            "age at_least 60/62/65; city in_country Switzerland, Liechtenstein",
            """
            The Silver Nest account is where our older savers keep the money that they do not need
            this month. It pays 1.1 % on the first CHF 150,000 and 0.5 % on the rest.

            ## Who can open it

            Two things have to be true on the day on which you sign:

            - you have reached the age of {age}, and
            - your home is in Switzerland or Liechtenstein.

            Whether you still work makes no difference to us, and neither does your pension.

            ## Withdrawals

            Up to CHF 20,000 can be taken out in a calendar month. For more than that we need 90
            days of notice; without it, 2 % of the excess stays with the bank.
            """,
        ),
        Product(
            "First Coin account",
            "open",
            "age at_most 24/26/28; employment one_of student, apprentice",
            """
            A savings account for the years in which money is tight. The First Coin account pays
            1.75 % a year on balances of up to CHF 15,000 and comes with a free debit card.

            ## For whom

            It is kept for people in training. You are welcome if you study or serve an
            apprenticeship and are no older than {age}. Nationality, grades and the income of your
            parents are of no interest to us.

            ## What happens later

            On the birthday after your {age}th, or when your training ends, the account becomes an
            ordinary one. We write to you 60 days before. Nothing is closed, and the number stays.

            ## Costs

            None for keeping it. A second card costs CHF 25, a paper statement CHF 2.
            """,
        ),
        Product(
            "Longstay bonus",
            "receive",
            "membership at_least 8/10/12; savings at_least 20000/25000/30000",
            """
            Every November, Tarnwell Bank shares a part of its profit with people who have stayed.
            The Longstay bonus is 0.3 % of your savings, and CHF 750 at most.

            ## What we look at

            | | |
            |---|---|
            | Time as a customer | {membership} years or more |
            | Savings with us on 31 October | {savings} or more |

            Both lines have to be fulfilled. Shares and funds do not count as savings. We do not
            look at anything else: not at your age, not at your address, not at your salary.

            ## Payment

            You need not do anything. The bonus is booked in the first week of December; 35 % of it
            goes to the tax office first, and you can claim that part back.
            """,
        ),
        Product(
            "Nursery Tree plan",
            "start",
            "children at_least 2/3; income at_most 84000/96000/108000",
            """
            With the Nursery Tree plan, the bank adds to what parents put aside. For every CHF 100
            that you pay in, we pay in CHF 8, until the youngest is of age.

            ## Families that can take part

            The plan was made for larger families on ordinary pay. You have {children} or
            more, and the income of the household is not above {income} a year before tax. Parents
            who are married, single or divorced are treated alike.

            ## How it grows

            Pay in between CHF 50 and CHF 400 a month. You can pause twice, for 6 months each time.
            The money belongs to the children and cannot be pledged. If the plan is stopped early,
            our contribution of the last 24 months is taken back.
            """,
        ),
        Product(
            "Homeward deposit",
            "open",
            "nationality one_of Swiss; city outside_country Switzerland",
            """
            Many of our customers moved abroad and mean to come back one day. The Homeward deposit
            keeps their francs at 0.9 % until then, with a term of 3, 5 or 7 years.

            ### Who it is for

            For the Swiss abroad, and for them only. This means that you hold Swiss citizenship and
            that you live outside Switzerland at present. A second passport does no harm. People
            who live in Switzerland find other term deposits on our price list.

            ### Size and term

            Deposits begin at CHF 5,000. There is no upper end. When the term is over, the money
            goes to an account of your choice; we need 10 days for transfers outside Europe. On
            your return, the deposit simply runs on to its last day.
            """,
        ),
        Product(
            "Ladder account",
            "open",
            """
            savings above 200000/250000 -> 0.4 %
            savings at_least 50000/60000 -> 0.7 %
            -> 1.0 %
            """,
            """
            Everybody can open the Ladder account. What differs is the rate, because large sums
            cost the bank more than small ones. The steps below hold since the first of March.

            ## Rates

            - Whoever has savings of more than {savings} in all earns 0.4 %.
            - Whoever has savings of {savings2} or more, but not more than {savings}, earns 0.7 %.
            - Everybody else earns 1.0 %.

            One rate goes for the whole sum, from the first franc to the last. What counts are your
            savings on the last day of the quarter, here and elsewhere together.

            ## Access

            The money can be had at any time. Transfers abroad cost CHF 4. Cash from one of our 38
            machines is free, cash from others costs CHF 2.
            """,
            "interest rate",
        ),
    ),
)

ACCOUNTS: Final = Family(
    "accounts",
    "train",
    "Lumenport Bank",
    "EUR",
    _EUROS,
    (
        Product(
            "Everyday Zero account",
            "open",
            """
            age below 25/27/30
            income at_least 24000/27000/30000
            """,
            """
            A current account without a monthly price, for salary, rent and everything between.

            ## Two ways to get it

            1. You are younger than {age}. Then we ask no further questions.
            2. You are {age} or older, and your income comes to at least {income} a year.

            One of the two is enough. If neither fits, our Plain account is the right one.

            ## What is included

            Transfers in euros, standing orders, a debit card, and 4 cash withdrawals a month. The
            fifth and every later one costs EUR 1.50. An overdraft of up to EUR 500 can be arranged
            after 3 months. Interest on it is 9.9 % a year.

            ## Switching

            We move your standing orders from the old bank within 12 working days.
            """,
        ),
        Product(
            "Studio account",
            "open",
            "employment equals self-employed; residence at_least 2/3/4",
            """
            Invoices in, taxes aside, the rest to live on: the Studio account sorts the money of
            people who are their own boss.

            ## Conditions

            You are self-employed, in whatever trade. Besides, you have lived in the country for
            {residence} years or longer, since we need tax papers that go back that far. How large
            your business is does not matter, nor does your degree.

            ## Features

            - a tax pocket that fills itself with 30 % of every payment
            - invoices with your logo, up to 40 a month
            - a card for you and one for a helper

            ## Price

            EUR 9 a month, and EUR 0.15 for each payment beyond the first 100.
            """,
        ),
        Product(
            "Harbor Start account",
            "open",
            "residence at_most 1/2/3; city in_country Germany, Austria",
            """
            Fresh off the train? The Harbor Start account gets newcomers through the first months
            with a card, an account number and somebody who answers in 9 languages.

            ## Newcomers are

            people who have been in the country for {residence} years at most, counted from the day
            of registration. The address has to be in Germany or Austria; we cannot yet offer this
            account anywhere else. No proof of a job is needed, and any passport will do.

            ## After the start

            When 36 months have passed, the account goes over into an Everyday account. In the
            first 6 months, transfers to other continents cost half of the usual EUR 12.
            """,
        ),
        Product(
            "Two Keys account",
            "open",
            "marital_status one_of married, registered partnership; income at_least 36000/42000",
            """
            One account, two people, two cards. With the Two Keys account, rent and groceries are
            paid from the same pot, and both can see where the money goes.

            ## Eligibility

            The law lets us offer the joint tax report of this account only to spouses. You must
            therefore be married or live in a registered partnership. In addition, your own income
            is at least {income} a year; what your partner earns does not count.

            ## Good to know

            Each partner can spend up to EUR 3,000 a day. Above that, both confirm. Should you part
            ways, the account is split within 20 days. The joint report appears every February and
            covers 12 months. Children from the age of 10 can have a card of their own.
            """,
        ),
        Product(
            "Staff Line account",
            "open",
            "employer one_of Nordhang Clinic, Ostermoor Logistics, Talbrook School; "
            "workload at_least 40/50/60",
            """
            Some employers have an agreement with Lumenport Bank. Their people get an account with
            an overdraft at 4.9 %, half of what others pay.

            ## Who may use the agreement

            Staff of Nordhang Clinic, of Ostermoor Logistics and of Talbrook School. Contracts have
            to amount to {workload} % of a full position or more. Trainees with such a contract are
            staff. Former staff are not, and relatives are not either.

            ## Overdraft

            Up to three times your net pay, EUR 10,000 at most. It is set once and looked at again
            every 2 years.

            ## If you change jobs

            Tell us within a month. The account goes on, at the usual 9.9 %.
            """,
        ),
        Product(
            "Plain account",
            "open",
            """
            age below 24/26 -> EUR 0
            income at_least 36000/40000 -> EUR 3
            -> EUR 7
            """,
            """
            The Plain account is open to all who live in the euro area. It does what an account has
            to do and costs what it has to cost.

            ## Monthly fee

            | Who | Fee a month |
            |---|---|
            | customers under {age} | EUR 0 |
            | all others with an income of {income} a year or more | EUR 3 |
            | everybody else | EUR 7 |

            The fee is taken on the 28th of the month. The two groups do not add up: under {age},
            the income is not looked at.

            ## Included

            Online banking, 25 paper transfers a year and one card. A further card costs EUR 12 a
            year, a blocked one is replaced for EUR 10.
            """,
            "monthly fee",
        ),
    ),
)

CARDS: Final = Family(
    "cards",
    "train",
    "Lumenport Bank",
    "EUR",
    _EUROS,
    (
        Product(
            "Meridian Gold card",
            "get",
            "income at_least 48000/54000/60000; debt at_most 5000/8000/10000",
            """
            The Meridian Gold card comes with a limit of EUR 15,000 and a travel desk that picks up
            the phone at 3 in the morning.

            ## Before we say yes

            We look at two figures. The first is your gross income, which has to reach {income} a
            year. The second is what you owe: consumer debt of more than {debt} means that we turn
            the request down, however much you earn. Mortgages are not consumer debt.

            Your age, your job and how long we have known you play no role.

            ## Fees

            EUR 110 a year, from the second year on. Purchases in other currencies cost 1.2 %. Cash
            costs EUR 5 or 3 %, whichever is more.
            """,
        ),
        Product(
            "Campus card",
            "get",
            "employment equals student; age between 18 28/30/32",
            """
            Lectures, laundry, a weekend by train: the Campus card pays for it, up to EUR 800 a
            month.

            ## Who gets one

            Students, provided that they are at least {age} and at most {age2} years of age.
            Enrollment at any university of the euro area will do. Apprentices and interns have
            cards of their own.

            ## Costs and extras

            The card is free while you study. It gives 10 % off at 200 partner shops and insures
            your bicycle for EUR 600. Cash abroad costs EUR 2. The limit can be raised to EUR 1,500
            for an exchange semester; a note by e-mail 14 days ahead is enough.
            """,
        ),
        Product(
            "Silver Mile card",
            "get",
            "age at_least 63/65/67; employment one_of retired, homemaker",
            """
            Travel is at its best when nobody waits for you at the office. The Silver Mile card
            gives 1.5 % back on trains, ferries and hotels.

            ## Holders

            The card is for people of {age} and above who have left working life, which is to say
            for pensioners and for those who keep the house. As long as you have a job or a
            business, we cannot issue it. What you receive as a pension is your own affair.

            ## Money back

            The 1.5 % are credited in January. The most that we pay is EUR 240 a year.

            ## Protection

            Luggage is insured for EUR 2,500, delays of more than 4 hours for EUR 100.
            """,
        ),
        Product(
            "Second Wind card",
            "get",
            "debt between 2000/3000 20000/25000; employment one_of employed, self-employed",
            """
            Anybody can stumble. The Second Wind card helps people who carry some debt to show that
            they can handle a card again. The limit starts at EUR 300 and grows with every bill
            that is paid in time.

            ## Is it meant for you?

            It is if you owe {debt} at least and {debt2} at most, all loans together. With less you
            do not need this card, and with more a debt adviser serves you better. You also need
            work: a job or a business of your own.

            ## Terms

            The yearly fee is EUR 20. A late bill costs EUR 8 and sets the limit back by one step.
            After 18 months without a late bill, the ordinary card is yours.
            """,
        ),
        Product(
            "Guild card",
            "get",
            "occupation one_of electrician, carpenter, plumber, roofer, gardener",
            """
            Nails, cables, seedlings: the Guild card gives 6 % off at 90 building merchants and
            garden centers, and 60 days to pay.

            ## Trades

            At present, these trades have a card:

            - electricians
            - carpenters
            - plumbers
            - roofers
            - gardeners

            No other trade can be accepted, even if it is a related one. It makes no difference
            whether you are employed or run your own firm, how large the firm is, or where you have
            learned.

            ## Bills

            One bill a month, with each site listed by itself. The fee is EUR 36 a year, and the
            first 3 months are free.
            """,
        ),
        Product(
            "Lagoon card",
            "get",
            """
            membership at_least 8/10 -> EUR 0
            income at_least 60000/66000 -> EUR 30
            -> EUR 75
            """,
            """
            The Lagoon card is our card for everyone. It has a limit of EUR 5,000, and its yearly
            fee depends on how well we know each other.

            ## The yearly fee

            Customers who have been with us for {membership} years or longer pay EUR 0. Of the
            others, those with an income of {income} a year or more pay EUR 30. All the rest pay
            EUR 75.

            We work the fee out anew each spring. Whoever reaches the {membership} years in the
            course of the year gets the difference back.

            ## Other costs

            A replacement costs EUR 15. In shops abroad we add 1.8 %. The PIN can be changed at 450
            machines.
            """,
            "yearly fee",
        ),
    ),
)

LOANS: Final = Family(
    "loans",
    "train",
    "Lumenport Bank",
    "EUR",
    _EUROS,
    (
        Product(
            "Spring loan",
            "take out",
            "age between 21/23 66/68/70; income at_least 30000/36000; debt below 15000/20000",
            """
            A car, a kitchen, a wedding: the Spring loan lends EUR 3,000 to EUR 40,000 at 5.4 % and
            is paid back in 1 to 7 years.

            ## What we require

            | | |
            |---|---|
            | Age at signing | {age} to {age2} |
            | Income | no less than {income} a year |
            | Other debt | below {debt} |

            All three lines must be satisfied. We do not ask what the money is for.

            ## Paying back

            Rates fall due on the 5th of the month. Extra payments are free once a year; otherwise
            they cost 0.5 %. If you lose your job, you can pause for 3 months.
            """,
        ),
        Product(
            "Bridge Back loan",
            "take out",
            "employment equals unemployed; savings below 5000/6000/8000",
            """
            Between two jobs, the bills keep coming. The Bridge Back loan pays EUR 900 a month for
            up to 10 months, and no interest is due before you work again.

            ## For people without work

            The loan goes to people who are unemployed at the moment and have less than {savings}
            in savings left. Whoever has more is asked to use it first. Debts elsewhere, children
            and age do not enter into it.

            ## When you have found something

            Repayment starts 4 months after your first wage, in rates of EUR 150 or more. The
            interest is then 2.5 %. Should nothing turn up within 24 months, sit down with us: a
            foundation takes over part of the sum in about 3 of 10 cases.
            """,
        ),
        Product(
            "Roof and Wall loan",
            "take out",
            "housing equals homeowner; income at_least 42000/48000",
            """
            Insulation, a new roof, windows that close: with the Roof and Wall loan you finance
            repairs of up to EUR 80,000 without going to a notary.

            ## Conditions for the loan

            The house or flat is your own. Tenants, even with a long lease, cannot take part. And
            since there is no mortgage behind the loan, we need an income of at least {income} a
            year.

            ## Rate

            3.9 % for 5 years, 4.4 % for 10. If the work saves more than 25 % of energy, we take off
            0.3 points.

            ## Papers

            Two offers by builders, photographs, and the bill within 6 weeks after the last day of
            work.
            """,
        ),
        Product(
            "Pedal loan",
            "take out",
            "city one_of Utrecht, Rotterdam, Dublin, Freiburg, Graz; workload at_least 40/50",
            """
            The Pedal loan puts you on a cargo bike or an e-bike for 0 % interest. Cities pay us for
            that, since every bike is a car less.

            ## Where it can be had

            In five cities: Utrecht, Rotterdam, Dublin, Freiburg and Graz. You have to live in one
            of them. Elsewhere there is no contract with the city, and so no loan.

            ## Work

            You are in work for at least {workload} % of a full week. That is all we ask; an upper
            limit of income does not exist.

            ## Amount

            Between EUR 800 and EUR 6,500, back in 36 rates. Helmets and locks can be included up
            to EUR 250. Theft insurance costs EUR 4 a month.
            """,
        ),
        Product(
            "Practice loan",
            "take out",
            "occupation one_of dentist, physician, pharmacist, physiotherapist, midwife; "
            "employment equals self-employed",
            """
            Opening a practice costs more than a good idea. The Practice loan lends EUR 50,000 to
            EUR 400,000 to people in health care who work on their own account.

            ## Professions

            We finance dentists, physicians, pharmacists, physiotherapists and midwives. On top of
            that, you have to be self-employed when you apply; with a permanent post at a hospital
            you are too early.

            ## How it is paid out

            In three steps: 30 % at the start, 50 % for equipment, 20 % when the first patients
            have come. Interest is 3.1 % for the first 8 years.

            ## Plan

            Please bring a budget for 36 months. Our advisers have seen about 700 of them.
            """,
        ),
        Product(
            "Clear Slate loan",
            "take out",
            "debt at_least 8000/10000/12000; tenure at_least 2/3",
            """
            Four loans at four banks are hard to keep an eye on. The Clear Slate loan pays them all
            off and leaves you with one rate, at 6.2 %.

            ## When it makes sense

            From a debt of {debt} upward; for smaller sums, the costs would eat the gain. So that we
            can rely on your wage, you have been with your present employer for {tenure} years or
            more. A partner's job does not replace yours.

            ## The steps

            1. Send us the latest statement of every loan.
            2. We make an offer within 8 days.
            3. After your signature we pay the other banks.

            An old overdraft has to be closed. You keep EUR 500 as a reserve.
            """,
        ),
    ),
)

HEALTH: Final = Family(
    "health cover",
    "train",
    "Corvane Insurance",
    "CHF",
    _FRANCS,
    (
        Product(
            "Solo Ward cover",
            "take out",
            "age between 18/20 50/55; health none_of cancer, heart disease, multiple sclerosis",
            """
            A room of your own and the surgeon of your choice: that is Solo Ward, for CHF 68 a
            month.

            ## Admission

            We take people from {age} to {age2} years of age. Three illnesses rule it out, because
            they make long stays likely: cancer, heart disease and multiple sclerosis. With any
            other illness you are welcome, and it is insured from the first day.

            ## Benefits

            - CHF 900 a day in a private room
            - a second opinion within 72 hours
            - CHF 350 a year for a gym

            ## Your share

            CHF 400 for each stay. From the third stay in a year, nothing.
            """,
        ),
        Product(
            "Sugar Balance program",
            "join",
            "health equals diabetes; city in_country Switzerland",
            """
            Sensors, check-ups and a nurse whom you can call: the Sugar Balance program looks after
            people with diabetes.

            ## Taking part

            Diabetes has been diagnosed, of whichever type. A risk of it, or another illness, is
            not enough. The visits take place in our 14 centers, for which reason we accept only
            people who live in Switzerland.

            Your age is irrelevant, and you can be insured elsewhere.

            ## What you get

            Four check-ups a year, 2 sensors a month, and a course of 6 evenings on cooking. The
            program costs CHF 18 a month; whoever completes the course gets CHF 90 back.
            """,
        ),
        Product(
            "Deep Breath course",
            "join",
            "health one_of asthma, hearing loss, heart disease; age at_most 60/65/70",
            """
            Eight mornings by the lake, with a physician and a singing teacher. The Deep Breath
            course shows how far a trained breath carries, and we pay for all but CHF 40.

            ## Places are for

            people with asthma, hearing loss or heart disease. Studies show a benefit for
            these three, so we fund no others. Because of the walks, participants are {age} years
            old or younger.

            ## Dates

            The course runs 5 times a year, from 9 to 12, with 14 places each. Bring shoes for
            grass. Whoever misses more than 2 mornings pays half of the price, which is CHF 310.
            """,
        ),
        Product(
            "Bloom add-on",
            "take out",
            "gender equals woman; age at_least 40/45/50",
            """
            The Bloom add-on pays for screenings that the basic insurance leaves out: for women, in
            the second half of life.

            ## Conditions

            It can be taken out by women who are {age} or older. Men find the matching offer under
            the name of Oak. Neither earlier illnesses nor children are asked about.

            ## Screenings

            | Examination | How often |
            |---|---|
            | breast, by ultrasound | every 24 months |
            | bone density | every 36 months |
            | skin | once a year |

            ## Price

            CHF 11 a month, and CHF 8 for those who pay the whole year by 31 January.
            """,
        ),
        Product(
            "Steady Mind cover",
            "take out",
            "health one_of depression, migraine; employment one_of employed, apprentice",
            """
            Some illnesses keep a person at home without a cast that others can see. The Steady
            Mind cover pays for 30 hours of therapy a year and keeps in touch with the workplace.

            ## Who is covered

            People who suffer from depression or from migraine. As the cover works together with
            the employer, you have an employment contract or are an apprentice. The self-employed
            and people without work cannot use it, and are told of other offers.

            ## How it works

            A coach calls within 5 days. Your employer learns nothing from us except dates. After
            12 months, we look at the plan again. You pay CHF 22 a month and 10 % of each bill.
            """,
        ),
        Product(
            "Broadleaf plan",
            "join",
            """
            age below 26/28 -> CHF 42
            children at_least 2/3 -> CHF 58
            -> CHF 79
            """,
            """
            Dentist, glasses, massages: the Broadleaf plan covers the extras. Anyone can join, ill
            or well. Only the monthly premium differs.

            ## Monthly premium

            - CHF 42 if you are younger than {age}
            - CHF 58 if you are older than that, or just that age, and have {children} or
              more
            - CHF 79 in all other cases

            Where two lines fit, the first one counts. Income and place of residence do not change
            the premium.

            ## Limits

            Dentist: CHF 1,200 a year. Glasses: CHF 250 every 2 years. Massages: 9 sessions, with a
            note from a physician after the third.
            """,
            "monthly premium",
        ),
    ),
)

HOUSEHOLD: Final = Family(
    "household cover",
    "train",
    "Pennywhistle Mutual",
    "GBP",
    _POUNDS,
    (
        Product(
            "Rented Rooms cover",
            "take out",
            "housing equals tenant; age at_least 18/21",
            """
            Your landlord insures the walls. Rented Rooms insures what stands between them: sofa,
            laptop, bicycle, up to £25,000.

            ## Who can have it

            Tenants of {age} years and upward. Owners need our other policy, since a good half of
            their risk is the building. Lodgers are covered by the people with whom they live. We
            do not ask what you earn or what your things have cost.

            ## Claims

            Tell us within 14 days. The first £75 of each claim are yours. Water, fire and theft
            are covered; a lost phone is not, unless you add it for £3 a month.

            ## Moving house

            Both flats are insured for 30 days.
            """,
        ),
        Product(
            "Own Bricks cover",
            "take out",
            "housing equals homeowner; city none_of Norwich, Cardiff",
            """
            Storm, fire, burst pipes: Own Bricks pays for the building, up to £600,000, and for a
            hotel while it is being repaired.

            ## Buildings that we insure

            The home belongs to you. It stands anywhere in the country but in Norwich or Cardiff:
            after the floods of recent years, we do not write new policies in these two cities.
            Existing ones run on.

            ## The price

            £19 a month on average. A burglar alarm takes off 8 %, a flat roof adds 12 %.

            ## After a loss

            A surveyor comes within 3 working days. Small repairs of up to £400 can go ahead at
            once; photographs are enough.
            """,
        ),
        Product(
            "Full House cover",
            "take out",
            "children at_least 2/3; housing one_of tenant, homeowner",
            """
            Where many live, much breaks. The Full House cover insures big families without asking
            who did it.

            ## Made for big families

            You have {children} or more, of whatever age, and a household of your own, be
            it rented or bought. People in lodgings cannot take part.

            ## What is special

            - no deductible for broken windows
            - glasses of children, up to £150 each
            - school trips, in 30 countries

            ## Price

            £23 a month, the same for three children and for seven. Pay by the year, and one month
            is free. The cover can be ended at 30 days' notice.
            """,
        ),
        Product(
            "Heirloom cover",
            "take out",
            "savings at_least 60000/80000/100000; membership at_least 3/4/5",
            """
            Paintings, violins and your grandmother's watch deserve more than a line in a household
            policy. Heirloom insures them worldwide.

            ## Requirements

            This policy presumes two things: financial assets of {savings} or above, because the
            deductible is high, and a history with us of {membership} years or longer, because we
            take you at your word. Neither your profession nor the place where you live is looked
            at.

            ## Values

            Pieces above £10,000 are appraised; this costs £120. The deductible is £2,000.

            ## Safe

            From £50,000 in jewels, please keep them in a safe of class 2.
            """,
        ),
        Product(
            "Quiet Street discount",
            "receive",
            "age at_least 50/55/60; membership at_least 3/5",
            """
            People who are at home a lot see the burst pipe before it ruins the floor. That is
            worth 12 % of the premium to us, and we call it the Quiet Street discount.

            ## The discount goes to

            policyholders from the age of {age} who have been insured with Pennywhistle for at
            least {membership} years. Both are needed. If you reach either of them in the middle of
            the year, the discount begins with the next bill.

            ## What it applies to

            To household and building policies, not to bicycles. It can be combined with the 5 %
            for paying by the year. In 2 out of 3 cases it is set automatically; if not, drop us a
            line.
            """,
        ),
        Product(
            "Night Watch cover",
            "take out",
            "occupation one_of nurse, police officer, firefighter, bus driver; "
            "workload at_least 60/70/80",
            """
            Who works at night leaves an empty home. Night Watch adds an alarm center and a
            locksmith to your household policy, for £5 a month.

            ## Occupations

            The cover is a gesture to people who look after us while we sleep. It can be had by
            nurses, police officers, firefighters and bus drivers. The workload has to be
            {workload} % or more. Whether you really work nights is not checked, and how much you
            earn is not asked.

            ## Service

            The alarm center answers within 40 seconds. The locksmith is free twice a year and
            costs £60 after that. Sensors are sent by post, 4 in a box.
            """,
        ),
    ),
)

PENSION: Final = Family(
    "old-age pension",
    "train",
    "Fernhill Pension Fund",
    "GBP",
    _POUNDS,
    (
        Product(
            "Early Leaf pension",
            "draw",
            "age between 58/59 63/64; tenure at_least 10/15",
            """
            Not everybody wants to work until the state pension begins. The Early Leaf pension
            bridges the years until then.

            ## Entitlement

            Members may draw it between the ages of {age} and {age2}, both included, provided that
            they have been with their present employer for {tenure} years or more. Breaks of less
            than 6 months do not interrupt the count. The size of your salary has no bearing on the
            right as such.

            ## Reduction

            For each year before 65, the pension is 4.5 % lower, for life. At 60 this makes 22.5 %.

            ## Notice

            Hand in the form 4 months ahead. The first payment is made on the 25th.
            """,
        ),
        Product(
            "Half-Day pension",
            "draw",
            "age at_least 57/58/60; workload at_most 60/70",
            """
            Work a little, draw a little. The Half-Day pension pays one half of your pension while
            the other half keeps growing.

            ## Conditions

            - Age: {age} or more.
            - Workload: not above {workload} % after the reduction.

            Your employer has to agree to the reduction, but we take your word for it. Years of
            service, savings and family do not come into play.

            ## Changing your mind

            You can work more again once. The pension then rests, and what has been paid is not
            asked back. At 65, at the latest, the whole pension begins. Contributions are 7 % of
            the remaining wage.
            """,
        ),
        Product(
            "Evergreen pension",
            "claim",
            """
            marital_status equals widowed; age at_least 45/50
            marital_status equals widowed; children at_least 1
            """,
            """
            When a member dies, the Evergreen pension goes on paying: 60 % of what he or she would
            have received.

            ## Who has a right to it

            It is due to the widowed: to widows and widowers alike. One of the following must be
            true as well:

            * you are at least {age} years old, or
            * you have at least one child.

            Younger people without children receive three yearly pensions at once and nothing after
            that. Divorced spouses have no claim.

            ## Duration

            Until a new marriage, otherwise for life. A child has a pension of its own until 18, or
            25 while in training.
            """,
        ),
        Product(
            "Spare Acorn plan",
            "join",
            "income at_least 36000/42000/48000; age at_most 58/60",
            """
            With the Spare Acorn plan, you pay in more than you have to, and pay less tax in
            return.

            ## Who may pay in more

            The tax office has set the frame. Your income is {income} a year or higher, and you
            have not passed the age of {age}; in the year of that birthday you can still join.
            Part-timers with this income are welcome.

            ## How much

            Between £25 and £650 a month. The fund adds nothing, but invests the money at no cost.
            Last year this brought 3.8 %.

            ## Getting it back

            Only at retirement, with three exceptions: a first home, emigration, or a serious
            illness. A fee of £90 is due then.
            """,
        ),
        Product(
            "Small Pot payout",
            "claim",
            "employment equals retired; savings below 10000/12000/15000",
            """
            A pension of £11 a month helps nobody. With the Small Pot payout, small pensions are
            paid out in one sum.

            ## Whom we pay out

            Members who have retired. On top of that, the rules of the fund protect larger
            fortunes: savings have to be lower than {savings}. With that much or more, the monthly
            pension stays.

            It is of no importance how old you were when you retired, or why.

            ## Tax

            A quarter is free of tax. From the rest, 20 % are withheld.

            ## Deadline

            The payout can be asked for once, and is transferred within 7 weeks. With it, all
            claims end.
            """,
        ),
        Product(
            "Far Shore transfer",
            "request",
            "city outside_country United Kingdom; membership at_least 2/3/5",
            """
            People move, and pensions can move along. The Far Shore transfer carries your savings
            to a pension scheme abroad.

            ## Requirements

            1. Your home is outside the United Kingdom. A holiday address is not a home.
            2. You have been a member of the fund for {membership} years or more; before that, the
               costs are out of proportion.

            Whichever passport you hold, the same rules apply.

            ## What it costs

            £180, and £40 for each further scheme. Exchange is at the rate of the day.

            ## Duration

            Between 6 and 14 weeks. The foreign scheme has to confirm twice, by letter.
            """,
        ),
    ),
)

FAMILY: Final = Family(
    "family benefits",
    "train",
    "Rivermark Benefits Office",
    "EUR",
    _EUROS,
    (
        Product(
            "Cradle allowance",
            "claim",
            "children at_least 2/3; income at_most 42000/48000/54000",
            """
            The Cradle allowance gives families EUR 140 a month, on top of child benefit.

            ## Right to the allowance

            A family has a right to it when it has {children} or more and when its yearly
            income does not go beyond {income}. The income of the last tax year counts, before
            deductions. We make no difference between married and unmarried parents, nor between
            tenants and owners.

            ## Applying

            One form for all children. Birth certificates are not needed if the children were born
            here. The allowance is paid on the 12th, and backward for 3 months at most.

            ## Changes

            A raise of more than 10 % must be reported within 20 days.
            """,
        ),
        Product(
            "Lone Parent supplement",
            "claim",
            "marital_status one_of single, divorced, widowed; children at_least 1",
            """
            Raising a child alone costs more and leaves less time to earn. The supplement of EUR
            205 a month takes a little of the weight.

            ## Who is a lone parent?

            Someone who has at least one child and is single, divorced or widowed. Married people
            and partners in a registered partnership are not entitled, even if they live apart for
            work. A new flatmate changes nothing.

            ## Not looked at

            Your wealth, your job, your age. There is no income limit for this supplement.

            ## Payment

            On the 3rd of the month, together with child benefit. Every 18 months, you receive a
            short form; please send it back within 4 weeks.
            """,
        ),
        Product(
            "Suitcase grant",
            "claim",
            "residence at_most 2/3/4; children at_least 1/2",
            """
            New school, new language, no winter coat yet. The Suitcase grant is EUR 600 for each
            newly arrived family, and EUR 150 more for every child at school.

            ## Newly arrived families

            The grant can be claimed by parents of {children} or more who have not lived in the
            country for longer than {residence} years. Which country you come from, and with what
            papers, makes no difference. One grant is paid per family.

            ## What you may buy

            Anything for the children. Please keep receipts for 2 years; 1 family in 20 is asked to
            show them.

            ## Language

            The form exists in 11 languages, and an interpreter is there on Wednesdays from 8 to 12.
            """,
        ),
        Product(
            "Big Table bonus",
            "receive",
            "children at_least 3/4; housing one_of tenant, lodger",
            """
            For families who need a big table and live in a flat that is not theirs, the office
            pays EUR 900 every autumn.

            ## Conditions

            There are {children} or more in the family. The family does not own its home:
            tenants get the bonus, and so do families in lodgings. Owners do not, whatever their
            mortgage costs.

            Income, nationality and marital status are left aside.

            ## Payment

            The bonus comes on 15 October. You may use it as you like. It is not income and does
            not reduce other benefits.

            ## Forms

            First-time claims by 31 August. After that, a signature every 3 years is enough.
            """,
        ),
        Product(
            "Home Years credit",
            "claim",
            "employment one_of homemaker, unemployed; children at_least 1/2",
            """
            Time spent with small children should not be missing from a pension later. The Home
            Years credit adds EUR 1,900 to your pension account for every year.

            ## To whom it is granted

            To parents of {children} or more who are not in paid work: homemakers, and people who
            are unemployed. Anyone with a job, a business, a place at university or a pension is
            outside its scope.

            ## For how long

            5 years for each child, 12 in all. A year counts when it has at least 9 months without
            work.

            ## Proof

            A statement on a single page. The office compares it with the tax register every March.
            """,
        ),
        Product(
            "Pine Camp subsidy",
            "claim",
            """
            income at_most 24000/30000 -> EUR 400
            income at_most 45000/48000 -> EUR 200
            -> EUR 0
            """,
            """
            Two weeks at Pine Camp, with a lake and without screens, cost EUR 640. The office pays a
            part of it; how large this part is depends on what the parents earn.

            ## Amount for each child

            | Family income a year | Amount |
            |---|---|
            | up to {income} | EUR 400 |
            | above {income} and up to {income2} | EUR 200 |
            | above {income2} | EUR 0 |

            Nothing else counts. Families with one child and families with five are treated the
            same.

            ## Camps

            Six camps from the 1st of July on, for children from 7 to 14, with 48 beds each. The
            list closes when it is full.
            """,
            "amount",
        ),
    ),
)

# --------------------------------------------------------------------------- dev

LIFE: Final = Family(
    "life cover",
    "dev",
    "Aldersyde Life",
    "GBP",
    _POUNDS,
    (
        Product(
            "Torch life plan",
            "sign up for",
            "age between 20/25 50/55; health none_of cancer, heart disease",
            """
            If you die, the Torch life plan pays your family £150,000. It runs for 10, 15 or 20
            years, and the price never changes.

            ## Can I sign up?

            We write the plan for lives aged {age} through {age2}. A history of cancer or a heart
            disease closes the plan to you; we wish it were otherwise. All else that your physician
            knows stays between the two of you.

            ## Cost

            From £7 a month for £50,000. Non-payment for 60 days ends the plan.

            ## Payout

            Two pages and a certificate. The sum arrives 15 days later.
            """,
        ),
        Product(
            "Anchorhold protection",
            "sign up for",
            "housing equals homeowner; debt at_least 15000/20000/25000",
            """
            A house should not be lost because somebody falls ill. Anchorhold takes over the rates
            on what you owe for up to 24 months.

            ## Is Anchorhold for me?

            Think of it as a belt for people who own the home that they live in and still have
            {debt} or more to pay back. Where nothing was bought, or nearly all of it is repaid,
            there is nothing to protect, and we decline.

            ## What we leave out

            Your age, your health and your job are not part of the form, which has 6 questions.

            ## Premium

            2.1 % of the yearly rates. The first 45 days of an illness are not covered.
            """,
        ),
        Product(
            "Elder Stone plan",
            "sign up for",
            "age at_least 50/55/60; residence at_least 5/10",
            """
            A funeral costs about £4,800. The Elder Stone plan pays it, and takes care of the
            arrangements too.

            ## Joining

            People join once they have reached {age}, and not sooner. As the plan is built on local
            undertakers, you should have been resident in this country for {residence} years by the
            time you join, or longer. No nurse visits you and no blood is drawn.

            ## What is paid

            Flowers, a stone, 40 chairs, and a meal. Whatever is left goes to the heirs.

            ## What it costs

            £21 a month up to the age of 85; free after that.
            """,
        ),
        Product(
            "Parent Shield",
            "sign up for",
            "children at_least 1/2; age at_most 45/50",
            """
            Parent Shield pays £900 a month until your youngest turns 21, should you not be there
            any more.

            ## The two questions that we ask

            First: have you {children} or more? Second: are you past {age}? Anyone who can answer
            yes to the first and no to the second is in. There is no third question. Stepchildren
            count like others.

            ## While you pay

            £13 a month. After 10 years, the price falls to £11.

            ## When it pays

            From the month after. It is not offset against a pension, and it is never taxed below
            £12,000.
            """,
        ),
        Product(
            "Even Keel life plan",
            "sign up for",
            "occupation none_of firefighter, police officer, roofer, courier; "
            "income at_least 24000/30000",
            """
            Even Keel is a plain life plan with a plain premium, made for plain working lives.

            ## Not for every trade

            A flat price works only where risks are alike. The plan is therefore closed to
            firefighters, police officers, roofers and couriers. All other trades are open to it.
            What you earn has to come to {income} a year or beyond, or the sum insured would be out
            of reach.

            ## The sum

            Four times your yearly pay, rounded to £5,000. It is fixed for 3 years and set again
            after that.

            ## Ending it

            At any month's end, with 30 days of warning. What was saved by then comes back to you.
            """,
        ),
        Product(
            "Candle plan",
            "sign up for",
            """
            age below 35/38 -> £9
            age below 50/52 -> £15
            -> £28
            """,
            """
            Everybody burns down a little every day; the Candle plan costs a little more with every
            stage. It pays £40,000 and turns nobody away.

            ## The premium by stage

            The premium a month goes by your age when you sign up, and by that alone. Below {age} it
            is £9. From {age} on, and as long as you are below {age2}, it is £15. At {age2} and in
            all later years it is £28.

            Once fixed, it stays for 12 years.

            ## Small print

            The first 2 years pay back premiums only. Accidents are insured from day 1. Joint plans
            save £2 a month.
            """,
            "monthly premium",
        ),
    ),
)

TRAINING: Final = Family(
    "training grants",
    "dev",
    "Brightwater Training Office",
    "EUR",
    _EUROS,
    (
        Product(
            "Second Start grant",
            "obtain",
            "employment equals unemployed; residence at_least 1/2/3",
            """
            Three months of training, EUR 1,150 a month, and a mentor: the Second Start grant is a
            way back into work.

            ## Can you obtain it?

            It exists for jobseekers. So long as you are unemployed, the door is open; a side job
            shuts it. We also want to see that you have spent {residence} years or more in this
            country already. Your age and your last trade are unimportant.

            ## Courses

            Logistics, care, carpentry, accounts. Groups have 16 seats and start 4 times a year.

            ## Duties

            Be there on 9 days out of 10. Sick notes go to the mentor.
            """,
        ),
        Product(
            "Ladder Up bursary",
            "obtain",
            "education one_of school-leaving certificate, vocational diploma; age at_most 40/45",
            """
            Going back to school takes nerve. The Ladder Up bursary adds EUR 480 a month while you
            work toward a higher diploma.

            ## Whom the bursary wants to reach

            Those whose highest paper so far is a school-leaving certificate or a vocational
            diploma. With a high school diploma or a degree you have climbed past it. Birthdays
            matter as well: beyond {age} years of age, no new bursary begins.

            ## What it pays

            - EUR 480 for up to 30 months
            - books, up to EUR 300 a year

            ## After a failed exam

            One more try. The bursary pauses for 2 months in the meantime.
            """,
        ),
        Product(
            "Return to Care course",
            "obtain",
            "occupation one_of nurse, midwife, physician; workload at_most 50/60",
            """
            The Return to Care course brings people back to the bedside for more hours. A place is
            worth EUR 2,700 and costs you nothing.

            ## Places

            A place is given to somebody who is a nurse, a midwife or a physician by trade, and
            whose present hours make up {workload} % of a full week or fewer. For colleagues who
            work more than that, our evening talks are the better choice.

            ## Content

            Five weekends with practice on dummies, plus 24 hours on a ward.

            ## Afterward

            We hope that you will add 20 % to your hours. It is a hope, not a duty.
            """,
        ),
        Product(
            "Language voucher",
            "obtain",
            "nationality none_of German, Austrian; city in_country Germany, Austria",
            """
            The voucher is worth EUR 520 at any language school, for lessons in German at every
            level.

            ## Vouchers are handed out

            to people who make their home in Germany or Austria and are citizens of neither. If you
            hold a German or an Austrian passport, no voucher can be handed out to you, even if
            your German is rusty. The reason for your stay is not asked about, and a job is not
            expected.

            ## Use

            Valid for 18 months. It cannot be split between 2 schools.

            ## Tests

            The first test is free. For each further one, the school takes EUR 65.
            """,
        ),
        Product(
            "Master's Bench award",
            "obtain",
            "education equals vocational diploma; tenure at_least 3/4/5; "
            "income at_most 54000/60000",
            """
            Good craft deserves a stage. The Master's Bench award pays EUR 5,000 toward a master
            craftsman's exam.

            ## Candidates

            The jury needs three boxes ticked. Your training ended with a vocational diploma, and
            you went no further. You have stayed {tenure} years or longer with the firm that
            employs you now. And what you earn is capped: anything past {income} a year is too much
            for this award.

            ## The exam

            Spread over 14 months, mostly on Saturdays. 3 of 4 candidates pass at the first try.

            ## The money

            Half at the start, half after the exam.
            """,
        ),
        Product(
            "Evening Class fund",
            "use",
            """
            income below 24000/27000 -> 80 %
            income below 40000/45000 -> 50 %
            -> 20 %
            """,
            """
            Spanish, welding, double-entry bookkeeping: the fund shares the bill with everyone who
            signs up for an evening class.

            ## The refund rate

            It follows your pay. Below {income} a year, the refund rate is 80 %. Below {income2},
            but not below {income}, it is 50 %. From {income2} upward, it is 20 %.

            There is nothing else to it: no age, no papers, no waiting list.

            ## Bills

            Pay first, then send the bill within 90 days. The fund pays out on Fridays, up to EUR
            1,400 a year.

            ## Classes

            At least 6 evenings. Classes by video are fine.
            """,
            "refund rate",
        ),
    ),
)

# --------------------------------------------------------------------------- test

MORTGAGES: Final = Family(
    "mortgages",
    "test",
    "Castellan Home Bank",
    "CHF",
    _FRANCS,
    (
        Product(
            "Threshold mortgage",
            "be granted",
            "savings at_least 80000/90000/100000; income at_least 84000/90000/96000",
            """
            Your first own front door: the Threshold mortgage lends up to 80 % of the price, at a
            rate that is locked in for 8 years.

            ### The sums that have to add up

            Lenders like to hide them, so we put ours up front. Step one: your nest egg. It needs to
            hold {savings}, or else the bank would carry too much of the house. Step two: your
            paycheck. Twelve of them together, bonus left out, should bring in {income} or better.
            A shortfall on either side ends the matter for now.

            Age, family and passport do not appear in our sums.

            ### Rate and repayment

            At present 1.9 %. One percent of the loan goes back each year, 5 % more on request.
            """,
        ),
        Product(
            "Chalk and Chapter mortgage",
            "be granted",
            "occupation one_of teacher, librarian, university lecturer; workload at_least 50/60/70",
            """
            Castellan was founded by a schoolmaster in 1891. In his memory, we take 0.25 points off
            the mortgage of those who teach or keep books.

            ### Who benefits

            Your profession decides. We have three in mind: the teacher, the librarian, and the
            lecturer at a university. School nurses, caretakers and secretaries do fine work, yet
            the founder did not mention them in his will.

            He did ask for zeal. In numbers of today, your post fills {workload} % of a week, if
            not more.

            ### Fine print

            The deduction lasts for 10 years. It cannot be paired with the spring campaign. The
            mortgage itself may come to CHF 900,000.
            """,
        ),
        Product(
            "Second Roof mortgage",
            "be granted",
            "housing equals homeowner; debt at_most 30000/40000/50000",
            """
            A cabin in the hills, a flat by the lake. The Second Roof mortgage pays for a holiday
            home, up to 60 % of its value.

            ### When we lend

            As the word "second" gives away, there must be a first: at home, you are your own
            landlord. While you rent or lodge somewhere, ask for the Threshold mortgage instead.

            What you owe elsewhere must be modest. We draw the line at {debt}; a franc beyond it,
            and we have to wait until you have paid some off. The mortgage on your first home is
            left out of this sum.

            ### Letting

            You may let the place for 20 weeks a year. The rate is 2.6 %, or 2.3 % with solar
            panels.
            """,
        ),
        Product(
            "Commuter mortgage",
            "be granted",
            "city in_country Germany, Austria, France; tenure at_least 2/3/4",
            """
            Every morning, 390,000 people cross the border to work among us. With the Commuter
            mortgage they can buy a home on their own side of it, and pay in francs.

            ### What we check

            #### Your side of the border

            It has to be Germany, Austria or France. We know the land registers there. For a home
            in any other country, and that includes our own, we have no contract to offer.

            #### Your job

            Employers come and go; we feel at ease after {tenure} years at the same one. Short of
            that, apply again later.

            ### Currency

            If the euro falls by more than 20 %, we call you. The fee for the foreign notary is CHF
            450.
            """,
        ),
        Product(
            "Cedar mortgage",
            "be granted",
            """
            membership at_least 10/12/15 -> CHF 0
            savings at_least 150000/200000 -> CHF 250
            -> CHF 600
            """,
            """
            The Cedar mortgage is our ordinary one: any home, any buyer who can carry it. This page
            is about the processing fee, since that is what most people call us about.

            ### How the processing fee comes about

            Loyalty comes first. After {membership} years as our customer, the fee shrinks to CHF 0.
            Has it not been that long? Then a look at your reserves: with {savings} or upward in
            savings, the fee is CHF 250. Failing both, you pay CHF 600.

            Your salary has no part in it.

            ### Other costs

            Notary: about CHF 1,900. Land register: 0.2 % of the price. An early exit costs as much
            as we lose by it.
            """,
            "processing fee",
        ),
        Product(
            "Cradle and Key mortgage",
            "be granted",
            "age below 38/40/44; children at_least 1/2",
            """
            Families buy when they can least afford to. The Cradle and Key mortgage puts repayment
            off for 6 years, so that there is something left for shoes.

            ### A mortgage for young families

            "Young" has a number at Castellan: on the day of the contract, your {age}th birthday
            still lies ahead of you. "Family" has one too. It begins at {children}; foster children
            are children.

            Neither the size of your income nor that of the house is laid down here. We judge both
            when we meet.

            ### What it costs

            0.1 points on top of the rate of the day. A visit of our builder, worth CHF 380, is
            thrown in.
            """,
        ),
    ),
)

DISABILITY: Final = Family(
    "disability pension",
    "test",
    "Stillwater Pension Fund",
    "EUR",
    _EUROS,
    (
        Product(
            "Lighthouse pension",
            "be awarded",
            "health one_of multiple sclerosis, cancer, epilepsy, Parkinson's disease; "
            "tenure at_least 3/4/5",
            """
            When an illness ends a working life, the Lighthouse pension replaces 55 % of the last
            wage.

            ### Illnesses on the list

            The medical board keeps a short list: multiple sclerosis, cancer, epilepsy, Parkinson's
            disease. Illnesses that are not on it are dealt with under the Slow Gear pension, and
            never here.

            ### Service

            The fund can only pay what it was able to save. It was able to once {tenure} full years
            with your employer lie behind you. Earlier posts do not add to this.

            ### What follows

            A physician of the board sees you twice, 8 weeks apart. The pension is set for 3 years
            at first. Income from a hobby of up to EUR 300 a month is yours to keep.
            """,
        ),
        Product(
            "Slow Gear pension",
            "be awarded",
            "workload at_most 40/50/60; age below 62/63/65",
            """
            Some can still work, only not so much. The Slow Gear pension makes up for part of the
            lost wage, whichever illness is behind it.

            ### What the board wants to see

            Your hours, first of all. If they still exceed {workload} % of a full position, you are
            coping, and the board closes the file. Your age is next: the old-age pension takes over
            at {age}, so on reaching it nobody moves to Slow Gear any more.

            Pay, years of service and family are of no account.

            ### Amount

            EUR 18 for each lost hour, up to EUR 1,450 a month.

            ### Reviews

            Every 20 months. Bring a diary of 4 typical weeks.
            """,
        ),
        Product(
            "Harbor Return grant",
            "be awarded",
            "employment one_of employed, apprentice; age at_most 54/55/57",
            """
            A desk at the right height, a car with hand controls, a course in another trade. The
            Harbor Return grant pays whatever brings you back, up to EUR 22,000.

            ### Who is supported

            The fund shares the costs with employers. No employer, no grant: somebody who has a
            contract, be it as an employee or as an apprentice, can be supported; somebody in
            business alone, out of a job or in retirement cannot.

            Since a new trade takes time to pay off, the fund no longer starts once you are past
            {age}; at {age} itself, you are just in time.

            ### Course of events

            A coach visits within 10 days. The plan is drawn up in 6 weeks and lasts for a year.
            """,
        ),
        Product(
            "Sparrow supplement",
            "be awarded",
            "children at_least 1/2/3; income below 24000/27000/30000",
            """
            Falling ill is harder when there are more mouths to feed. The Sparrow supplement adds
            to whatever else comes in.

            ### Conditions, in a nutshell

            Mouths: {children} or more, adopted ones included. Money: whatever you live on in a
            year, pension and wages taken together, stays under {income}. At exactly that sum, it
            is over.

            Savings are not touched. Being married neither helps nor harms.

            ### The supplement

            EUR 96 a month for each child. It is paid until the child is 20, or 26 with a place at
            a school.

            ### Doubts?

            Our calculator on the web takes about 5 minutes.
            """,
        ),
        Product(
            "Frontier pension",
            "be awarded",
            """
            nationality one_of German, Austrian, Dutch, Irish, French, Italian
            residence at_least 4/5/6
            """,
            """
            The Frontier pension is a floor of EUR 780 a month, below which nobody should fall who
            could not pay in for long.

            ### Two gates

            Gate one is for nationals. If your passport was issued by Germany, Austria, the
            Netherlands, Ireland, France or Italy, walk in; no more is asked.

            Gate two is for everybody else. It swings open once you have made this country your
            home for {residence} years. Years before and after a stay abroad are added up.

            Whoever stands before neither gate may turn to the hardship fund, which has EUR 40,000
            a year to give.

            ### Form

            Two pages; blue ink is fine.
            """,
        ),
        Product(
            "Ember insurance",
            "be covered by",
            """
            tenure at_least 8/10 -> 30 days
            age at_least 50/55 -> 60 days
            -> 90 days
            """,
            """
            The Ember insurance pays 80 % of the wage during a long illness. All members belong to
            it. What differs is the waiting period before the first payment.

            ### Waiting period

            Long service shortens the wait. With {tenure} years or more at your present employer, it
            takes 30 days. With fewer, your age counts: from the {age}th birthday on, it takes 60
            days. For all who are left, it takes 90 days.

            Your wage and the kind of illness have no effect.

            ### While you wait

            By law, the employer pays for the first 6 weeks. If that is not so in your contract, a
            bridge of EUR 50 a day is possible.
            """,
            "waiting period",
        ),
    ),
)

HOUSING: Final = Family(
    "housing benefits",
    "test",
    "Northmere Housing Office",
    "GBP",
    _POUNDS,
    (
        Product(
            "Hearth supplement",
            "be paid",
            "housing one_of tenant, lodger; income at_most 18000/21000/24000; "
            "savings at_most 8000/12000/16000",
            """
            Rents in Northmere went up by 31 % in six years. The Hearth supplement gives back up to
            £210 a month.

            ### How we decide

            There are three hurdles, and all of them have to be cleared.

            **Home.** You rent, or you live in lodgings. Owning the roof over your head takes you
            out of the race.

            **Pay.** We add up twelve months before tax. The sum may touch {income} but not pass
            it.

            **Reserves.** The same goes for what you have put by: {savings} is as far as it may go.

            The size of the flat, your age and your passport are no hurdles.

            ### Dates

            Paid every 4 weeks, on a Monday. Reviewed each June.
            """,
        ),
        Product(
            "Lamplighter letting",
            "be offered",
            "occupation one_of nurse, firefighter, police officer, bus driver, social worker; "
            "city one_of London, Bristol, Leeds",
            """
            A city cannot do without the people who keep it going, and they cannot do without a flat
            nearby. Lamplighter flats cost a third less than others.

            ### Reserved for

            The keys go to five callings: nursing, fire fighting, policing, bus driving and social
            work. If that is not what you do for a living, there is no exception that we could
            make.

            ### Where

            We have houses in London, in Bristol and in Leeds. You already live in one of the three;
            we do not move people from town to town.

            ### The flats

            Between 28 and 64 square meters, from £590 a month. A deposit of 5 weeks is due. Pets
            below 10 kg are fine.
            """,
        ),
        Product(
            "Warm Walls payment",
            "be paid",
            "housing equals homeowner; age at_least 66/68/70; income below 24000/27000",
            """
            Old houses and old bones both suffer in a cold winter. Warm Walls pays £1,800 for
            lagging, a boiler or new windows.

            ### Paid to

            - owners who occupy the house themselves (for rented ones, the landlord has a scheme of
              his own),
            - who are {age}, or have been for some time,
            - and who live on less than {income} a year.

            Miss one of the three, and the payment goes to another house. Illnesses need not be
            shown, and savings may be as they are.

            ### The work

            Any builder with a license. Send the bill within 70 days; 10 % is kept back until we
            have had a look.
            """,
        ),
        Product(
            "Deposit Helper loan",
            "be lent",
            "savings below 2500/3000/4000; employment none_of student, homemaker",
            """
            Six weeks of rent, up front, before the first box is carried in: that is how many moves
            fall through. The Deposit Helper lends the sum without interest.

            ### The test

            What have you got in the bank? With {savings}, or anything higher, you can manage, and
            the loan stays in the drawer. Only below that mark does it come out.

            What do you do all day? Students have the university's own fund, and homemakers apply
            through their partner. Both are turned away here. In every other walk of life, pension
            and job search included, the loan can be had.

            ### Back again

            In 24 parts, by standing order. Miss 2 of them and the landlord hears from us.
            """,
        ),
        Product(
            "First Latch tenancy",
            "be offered",
            "age between 18/19 24/25/27; residence at_least 2/3",
            """
            Moving out of your parents' place should not hang on a rich uncle. A First Latch tenancy
            is a room with a door of its own, for £340 a month.

            ### The age for it

            {age} is when it starts. {age2} is the last year in which you can sign; a day after
            that, you are on the general list.

            ### Ties

            Those who only just came find help at the welcome desk. Rooms are given to people whose
            time in the country adds up to {residence} years, at the very least.

            Whether you work, study or look for something is all the same to us.

            ### House rules

            Quiet from 11 at night. 3 keys a person. The lease is for 30 months.
            """,
        ),
        Product(
            "Council Bill rebate",
            "be given",
            """
            employment equals student -> 100 %
            marital_status one_of widowed, divorced; income at_most 24000/30000 -> 25 %
            -> 0 %
            """,
            """
            Every home gets a council bill, and some of it can be struck off. How much is struck off
            is laid down by law and is not for us to decide.

            ### The rebate

            Students pay no council bill at all: their rebate is 100 %.

            For people who have lost a partner, by death or by divorce, the law has a heart as well,
            if only a small purse. Widowed or divorced, with an income that stays within {income} a
            year: 25 %.

            Everyone else, 0 %. Having children, or none, is not mentioned in the law.

            ### Dates

            Bills go out on 1 April, in 10 parts. Rebates begin with the next part after your
            letter.
            """,
            "percentage",
        ),
    ),
)

MOTORING: Final = Family(
    "motor and travel cover",
    "test",
    "Halcyon Road Insurance",
    "EUR",
    _EUROS,
    (
        Product(
            "Green Plate policy",
            "be insured under",
            "age at_least 23/24/26; city in_country Ireland, Netherlands",
            """
            Electric cars have fewer parts that break. Green Plate passes this on: full cover for
            EUR 31 a month, battery included.

            ### Drivers

            Behind the wheel of 300 horsepower, we prefer a cool head. Statistics say that it sets
            in at {age}. Up to the day before that birthday, somebody else has to insure you.

            ### Garages

            Our garages stand in Ireland and the Netherlands, and towing across the sea is dear.
            Your own address is therefore in one of these two.

            License, make and mileage are all one to us.

            ### Claims

            Two claims a year are free. The third costs EUR 400. Glass is paid without any
            deduction.
            """,
        ),
        Product(
            "Sunday Driver policy",
            "be insured under",
            "employment one_of retired, homemaker, unemployed; membership at_least 2/3/4",
            """
            Your car mostly sleeps. Why pay as if it were a taxi? The Sunday Driver policy costs 38
            % less than our standard one.

            ### Cars without a commute

            It is written for people with no daily way to work. That makes three groups: those in
            retirement, those who run a household, those who are between jobs. A contract of work,
            a business or a timetable of lectures makes you a commuter in our eyes.

            ### Trust

            We do not read the odometer. We rely on having had you on our books for {membership}
            years. A shorter acquaintance will not do.

            ### Terms

            EUR 500 of each damage is yours. Trips of up to 6,000 km a year are included.
            """,
        ),
        Product(
            "Globe Year cover",
            "be insured under",
            "age below 68/70/72; health none_of heart disease, cancer, epilepsy",
            """
            One premium, EUR 89, and a whole year of journeys is insured: sickness abroad, the
            flight home, the missed ferry.

            ### Travelers whom we can take along

            Two things would make the premium explode, and so we exclude them. One is high age; when
            {age} candles are on the cake, the cover is no longer for sale. The other is a sick
            heart, cancer or epilepsy. All further illnesses travel with us at the same price.

            Where you live and how often you set out is up to you.

            ### Limits

            Each journey may last 56 days. Treatment is paid up to EUR 2 million, luggage up to EUR
            1,800.
            """,
        ),
        Product(
            "Convoy plan",
            "be insured under",
            "children at_least 2/3; marital_status one_of married, registered partnership, widowed",
            """
            Two cars, a caravan and five bicycles under one number: the Convoy plan is for
            households that need a plan to leave the driveway.

            ### Which households

            Count the back seats first. The plan takes off at {children}; smaller crews are cheaper
            off with single policies.

            Then the front seats. Insurance law knows the spouse and the registered partner as
            co-holders, and it keeps the plan alive for the widowed. It has nothing for people who
            are single or divorced, and so neither have we.

            ### Price

            EUR 64 a month for the first 2 vehicles, EUR 17 for each further one. Bicycles ride
            free.
            """,
        ),
        Product(
            "White Coat policy",
            "be insured under",
            "occupation one_of physician, nurse, midwife, dentist, pharmacist; "
            "city none_of Milan, Hamburg",
            """
            On call at 2 in the morning, parked where there was room. The White Coat policy does not
            count such scratches.

            ### Made for medicine

            You earn your bread as a physician or a nurse, as a midwife, a dentist or a pharmacist.
            The porter, the cook and the head of accounts have our sympathy and the standard
            policy.

            ### Not in two cities

            Hamburg and Milan have closed their clinics' yards to cars that we insure. As long as
            that is so, residents of these two have to look elsewhere.

            ### What it does

            4 small damages a year stay without effect on the premium, which is EUR 47 a month.
            """,
        ),
        Product(
            "Open Road policy",
            "be insured under",
            """
            age below 24/25 -> EUR 1,000
            membership at_least 5/6 -> EUR 200
            -> EUR 500
            """,
            """
            Anyone with a license can take the Open Road policy. What you pay yourself when
            something happens, the excess, is another matter.

            ### Your excess

            For drivers who have yet to turn {age}, it is EUR 1,000, and nothing can lower it.

            For the others, we look back. Insured with us for {membership} years or more? EUR 200.
            Not so long? EUR 500.

            Married or not, near or far, rich or poor: the excess stays the same.

            ### Extras

            A spare car costs EUR 6 a month, a tow EUR 2. The policy covers 44 countries, among them
            some where it is rarely needed.
            """,
            "excess",
        ),
    ),
)

CARE: Final = Family(
    "care benefits",
    "test",
    "Greenleaf Care Office",
    "CHF",
    _FRANCS,
    (
        Product(
            "Helping Hands allowance",
            "be allotted",
            "age at_least 74/76/78; savings at_most 60000/75000/90000",
            """
            Shopping, windows, a bath twice a week. With the Helping Hands allowance, CHF 29 an hour
            is paid for such help, up to 9 hours a week.

            ### The yardstick

            There are two marks on it. The upper one is for years: help is allotted from {age}
            upward. The lower one is for money in the bank, and it works the other way round:
            {savings} and not a franc more.

            You need not be ill, and you need not live alone. What your children earn is theirs.

            ### Helpers

            Anybody whom you trust, except people under your own roof. They are insured through us
            and paid on the 26th.
            """,
        ),
        Product(
            "Carer's Pause stipend",
            "be allotted",
            "workload at_most 60/70/80; residence at_least 5/7",
            """
            Looking after a mother or a brother leaves little time for a career. The stipend of CHF
            640 a month acknowledges that.

            ### Who is meant

            People who have cut back at work. In our terms: what remains of your job is {workload} %
            or a smaller share. If it is more, we admire your strength, yet there is no stipend for
            it.

            People who belong here. In our terms: {residence} years in the country, at the minimum.

            Whom you look after, and what illness it is, stays your secret.

            ### A pause

            On top, the office pays for 3 weeks of holiday. A nurse takes over for you, 8 hours a
            day.
            """,
        ),
        Product(
            "Memory Garden place",
            "be allotted",
            "health one_of dementia, Parkinson's disease; city one_of Zurich, Winterthur, Lucerne",
            """
            Raised beds, hens, and a piano that is slightly out of tune. In a Memory Garden, people
            who begin to forget spend two days a week.

            ### Places are kept for

            those who live with one of two diagnoses, dementia or Parkinson's disease. Our staff is
            trained for these and would do others no justice.

            ### The gardens

            There are three of them, in Zurich, in Winterthur and in Lucerne, and each takes in only
            neighbors. Someone from further away would spend the day on the bus.

            ### Costs

            CHF 35 a day with lunch. The bus is CHF 4. Relatives can come for coffee from 3 to 5.
            """,
        ),
        Product(
            "Parish Visitors service",
            "be allotted",
            "religion one_of Catholic, Protestant; age at_least 70/72/75",
            """
            Ninety volunteers knock on doors with time in their pockets. They play cards, read
            aloud, or just sit.

            ### For whom they come

            The visits are paid for by two churches, the Catholic and the Protestant one, and are
            for their own people. Those who belong to another faith or to none are not forgotten:
            the Red Thread club visits them.

            You have {age} years or more behind you. Younger people who are lonely get a call
            instead.

            ### Practical matters

            A visit lasts 2 hours. Nothing is charged; a contribution of CHF 5 for the tram is
            welcome. If you do not get along, we send somebody else.
            """,
        ),
        Product(
            "Steady Step course",
            "be allotted",
            "gender equals woman; age at_least 63/65/67",
            """
            Bones get lighter after the change of life, and falls get heavier. The Steady Step
            course teaches how to fall, and how not to.

            ### Open to

            women, as the course deals with their bones and their balance. The men's course is
            called Firm Stand and begins in May.

            As for years, {age} of them are needed. Some ask whether good health is needed too. It
            is not, and a cane is no obstacle.

            ### Lessons

            10 lessons of 50 minutes, on mats, with tea. The place costs CHF 60 and is worth CHF
            290. Shoes with flat soles, please.
            """,
        ),
        Product(
            "Home Nurse service",
            "be visited by",
            """
            income below 30000/36000 -> CHF 5
            income below 66000/72000 -> CHF 18
            -> CHF 35
            """,
            """
            Our nurses come to everybody who needs them, be it for a week or for years. A share of
            each hour is yours to pay.

            ### Your hourly share

            It depends on one figure, your income before tax over twelve months. If that figure is
            smaller than {income}, your share is CHF 5. If it is not, but smaller than {income2},
            the share is CHF 18. In all other cases you pay CHF 35.

            Savings, age and illness are left alone.

            ### Hours

            Nurses come between 6:30 and 22:00. A visit that is called off less than 24 hours ahead
            costs CHF 20. Weekends cost the same as weekdays.
            """,
            "hourly share",
        ),
    ),
)

FAMILIES: Final = (
    *(SAVINGS, ACCOUNTS, CARDS, LOANS, HEALTH, HOUSEHOLD, PENSION, FAMILY),
    *(LIFE, TRAINING),
    *(MORTGAGES, DISABILITY, HOUSING, MOTORING, CARE),
)
