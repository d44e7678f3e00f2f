"""Words of the rules generator, written for this project: rules, facts, products, filler.

Lists are written with bars. Sentence templates of a rule are filled with the limits `{a}` and
`{b}` or the list `{l}`, those of a fact with its value `{v}`; `{s}` is whoever applies, `{p}` the
product. What is held out for the development set is every fifth item of a list (see
`privrag_fast.training.rules_data`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


def split_list(text: str) -> tuple[str, ...]:
    """Items between bars."""
    return tuple(item.strip() for item in text.split("|"))


@dataclass(frozen=True, slots=True)
class FactWords:
    """How customers say a fact about themselves; all fields are lists with bars.

    Args:
        own: Continues "You" in an answer.
        fragment: Part of "I'm Laura, 67, a nurse, ...".
        sentence: A sentence of its own.
        label: Line of a form.
    """

    own: str
    fragment: str
    sentence: str
    label: str


@dataclass(frozen=True, slots=True)
class NumberWords:
    """A rule with limits.

    Args:
        needs: "The Account needs ...": at least, at most, between.
        who: "people who ...": at least, at most, between.
        met, unmet: "because you ...": at least, at most, between.
        cell: Content of a table: at least, at most, between.
    """

    label: str
    at_least: str
    at_most: str
    between: str
    needs: tuple[str, str, str]
    who: tuple[str, str, str]
    met: tuple[str, str, str]
    unmet: tuple[str, str, str]
    fact: FactWords
    cell: tuple[str, str, str] = (
        "{a} or more|from {a}|at least {a}|minimum {a}",
        "up to {a}|{a} at most|maximum {a}|no more than {a}",
        "{a} to {b}|from {a} to {b}|between {a} and {b}",
    )


@dataclass(frozen=True, slots=True)
class ListWords:
    """A rule that names who may (`only`) or who may not (`barred`, where it makes sense)."""

    label: str
    only: str
    needs: str
    who: str
    met: str
    unmet: str
    fact: FactWords
    barred: str = ""
    needs_barred: str = ""
    who_barred: str = ""
    met_barred: str = ""
    unmet_barred: str = ""


SUBJECTS: Final = split_list(
    "Applicants|Customers|You|Members|New customers|All applicants|Interested persons|"
    "Those who apply|Future holders|People who sign"
)

# ---------------------------------------------------------------------------- numbers


def _date_words(event: str, *, own: str, fragment: str, sentence: str, label: str) -> NumberWords:
    """A rule on the year in which something happened; `event` starts with "you"."""
    return NumberWords(
        label=label,
        at_least=(
            f"It is needed that {event} in {{a}} or later.|If {event} before {{a}}, you are too "
            f"early.|It counts whether {event} in {{a}} or after.|The rule is: {event} no earlier "
            f"than {{a}}.|It is open if {event} from {{a}} on."
        ),
        at_most=(
            f"It is needed that {event} in {{a}} or earlier.|If {event} after {{a}}, you are too "
            f"late.|It counts whether {event} in {{a}} or before.|The rule is: {event} no later "
            f"than {{a}}.|It is open if {event} up to {{a}}."
        ),
        between=(
            f"It is needed that {event} between {{a}} and {{b}}.|It is open if {event} in one of "
            f"the years {{a}} to {{b}}."
        ),
        needs=(
            f"that {event} in {{a}} or later",
            f"that {event} in {{a}} or earlier",
            f"that {event} from {{a}} to {{b}}",
        ),
        who=(
            f"can show that {event} in {{a}} or later",
            f"can show that {event} in {{a}} or earlier",
            f"can show that {event} between {{a}} and {{b}}",
        ),
        met=(
            f"{event} in {{a}} or later",
            f"{event} in {{a}} or earlier",
            f"{event} between {{a}} and {{b}}",
        ),
        unmet=(
            f"{event} before {{a}}",
            f"{event} after {{a}}",
            f"{event} outside the years {{a}} to {{b}}",
        ),
        fact=FactWords(own=own, fragment=fragment, sentence=sentence, label=label),
    )


NUMBERS: Final[Mapping[str, NumberWords]] = {
    "age": NumberWords(
        label="Age|Age of the applicant|Age limits|Permitted age|How old",
        at_least=(
            "{s} must be at least {a} years old.|It is meant for people aged {a} and over.|Nobody "
            "under {a} is admitted.|The lowest age at which one can join is {a}.|{s} must have "
            "turned {a}.|People younger than {a} cannot apply.|The door opens when one turns {a}; "
            "earlier requests are sent back.|Entry age: {a} or older.|Anyone who is not yet {a} "
            "has to wait.|Only persons of {a} years or more can be accepted.|The minimum age is "
            "{a}.|It is made for the generation {a} plus, and for this generation alone.|A person "
            "below the age of {a} is turned down.|We start at {a} years of age.|Requests from "
            "anybody below {a} are declined.|With older savers in mind, we let nobody in before "
            "birthday number {a}.|Sorry, young people: below {a} there is nothing we can do.|How "
            "old you are settles it, and {a} is where it begins.|We look at your birth "
            "certificate first, since {a} years have to lie behind you.|Parents may sign for "
            "nobody: one has to be {a}.|It was asked for by pensioner groups, hence the {a} years "
            "that one needs.|Ask your mother again when you are {a}, we say to the young.|The law "
            "sets the bar at the {a}th birthday, and so do we.|Not before {a}: that much we have "
            "to insist on.|Signatures of persons under {a} are void, so we do not take them.|Your "
            "birthday cake needs {a} candles, or more.|Our youngest customer is {a}, and that is "
            "by rule, not by chance.|Teenagers and others short of {a} are kindly asked to be "
            "patient.|We wrote it for the second half of life, counted from {a}.|Being {a}, or "
            "well past it, is the ticket.|With fewer than {a} years on your passport the form "
            "stops at page one.|Until the day you are {a}, your file rests in a drawer."
        ),
        at_most=(
            "{s} must not be older than {a}.|The maximum age is {a}.|Nobody above {a} can "
            "join.|Those who are {a} or younger may join, others not.|People over {a} cannot "
            "apply.|Only persons aged {a} or younger are accepted.|Entry is possible up to the "
            "age of {a}.|{s} must be {a} or younger.|Whoever is more than {a} years old is too "
            "old for it.|Upper age limit: {a}.|It was thought up for the young, which to us ends "
            "at {a}.|On the day you turn older than {a}, the right is gone.|Your birth year "
            "decides: with more than {a} years behind you, look elsewhere.|Grown out of it? That "
            "is the case from {a} on.|Once {a} is behind you, this door is closed.|Our insurers "
            "refuse anybody past {a}.|We look for people whose {a}th birthday is not over for "
            "long, or still to come.|Whoever has seen more than {a} summers is thanked and sent "
            "on.|Experience is a fine thing, but with more than {a} years of it you are not who "
            "we look for.|Our oldest customer is {a}, by rule.|The form stops at page one for "
            "everybody past {a}.|Youth is what it rewards, and youth lasts until {a} in our "
            "books.|Beyond {a} the risk is more than we can bear."
        ),
        between=(
            "{s} must be at least {a} and at most {b} years old.|It is for people between {a} and "
            "{b} years of age.|{s} must be aged {a} to {b}.|The age bracket runs from {a} to "
            "{b}.|You can join from {a} until {b}.|{s} must be no younger than {a} and no older "
            "than {b}.|The offer addresses people from {a} to {b} and nobody else.|Age on the day "
            "of signing: {a} at the earliest, {b} at the latest.|Not too young, not too old: from "
            "{a} on, and until {b}.|Your age decides, {a} being the first year and {b} the "
            "last.|Those still under {a} wait, those past {b} are too late.|Between birthday {a} "
            "and birthday {b} there is a place for you.|Our youngest customer is {a}, our oldest "
            "{b}, by rule.|Life between {a} and {b} is what it was thought out for.|Under {a} or "
            "over {b}, the form stops at page one."
        ),
        needs=("an age of at least {a}", "an age of at most {a}", "an age from {a} to {b}"),
        who=(
            "are at least {a} years old|are {a} or older",
            "are not older than {a}|are {a} at most",
            "are between {a} and {b} years old|are {a} to {b} years of age",
        ),
        met=(
            "you are at least {a}|you are {a} or older|you have turned {a}",
            "you are not older than {a}|you are {a} or younger",
            "you are between {a} and {b} years old|your age is within {a} to {b}",
        ),
        unmet=(
            "you are younger than {a}|you have not turned {a}|you are not yet {a}",
            "you are older than {a}|you are over {a}",
            "you are not between {a} and {b} years old|your age is outside {a} to {b}",
        ),
        fact=FactWords(
            own="are {v} years old|are {v}",
            fragment="{v}|{v} years old|aged {v}|{v} y/o|{v} years of age",
            sentence=(
                "I am {v} years old.|I turned {v} in spring.|I'm {v}.|I have just had my birthday "
                "and am {v} now.|My age is {v}.|I am {v} years young.|At {v} I feel fit.|"
                "I celebrated my birthday last week and am now {v}."
            ),
            label="Age|age|How old I am|Years of age",
        ),
    ),
    "income": NumberWords(
        label="Income|Yearly income|Gross income a year|Earnings",
        at_least=(
            "A yearly income of {a} or more is required.|{s} must earn at least {a} a year.|The "
            "minimum income is {a} a year.|Yearly earnings below {a} are not accepted.|We ask for "
            "a regular income of no less than {a} a year.|Households that earn less than {a} a "
            "year are turned down.|Your tax statement has to show at least {a}.|It presupposes "
            "earnings of {a} a year.|Your business must turn over no less than {a} a year.|What "
            "you bring home decides, and {a} a year has to be reached.|Payslips that add up to "
            "less than {a} a year go back to the sender.|Since the installments have to be "
            "carried, we start at a pay of {a} a year.|It is priced for people with a good wage, "
            "{a} a year being the least.|Somebody who brings in less than {a} a year cannot "
            "shoulder the payments, we think.|A look at your last tax bill tells us: {a} a year, "
            "or no.|Earners below {a} a year are better served by our basic range.|We multiply "
            "your monthly pay by twelve; {a} has to come out.|Whoever is paid less than {a} a "
            "year would be overstretched, so we say no.|It does not pay to apply on a wage under "
            "{a} a year.|Our customers here bring home {a} a year and up.|With {a} a year on the "
            "pay slip you are in."
        ),
        at_most=(
            "The yearly income must not exceed {a}.|There is an income ceiling of {a} a year.|It "
            "is only for people who earn {a} a year or less.|Those who make more than {a} a year "
            "receive nothing.|It helps people on a small income, which means no more than {a} a "
            "year.|Above an income of {a} the right is lost.|Income limit: {a} a year.|If your "
            "pay slips add up to more than {a} a year, we cannot help.|It was made for those with "
            "little, and little means {a} a year.|High earners, and that begins above {a}, pay "
            "for themselves.|Well-paid people, over {a} a year, are asked to leave it to "
            "others.|A pay rise past {a} a year ends it.|Only where money is tight, at {a} a year "
            "or below, do we step in.|It was never meant for people who do well, and doing well "
            "begins past {a} a year.|On more than {a} a year one manages without us.|Whoever is "
            "paid more than {a} a year leaves the queue.|Our customers here live on {a} a year or "
            "on less."
        ),
        between=(
            "The income has to be between {a} and {b} a year.|{s} must earn no less than {a} and "
            "no more than {b} a year.|It is open to earners from {a} to {b} a year.|Income band: "
            "{a} to {b}.|Your wage decides: below {a} it is too small, above {b} too large.|A pay "
            "of {a} a year opens it, one of more than {b} closes it again.|Our customers here "
            "bring home {a} a year, or more, though never above {b}.|On less than {a} a year it "
            "would be too dear, on more than {b} unfair."
        ),
        needs=(
            "an income of at least {a}",
            "an income of at most {a}",
            "an income between {a} and {b}",
        ),
        who=(
            "earn at least {a} a year|have an income of {a} or more",
            "earn no more than {a} a year|make {a} a year at most",
            "earn between {a} and {b} a year",
        ),
        met=(
            "you earn at least {a}|your income is not below {a}|your income reaches {a}",
            "you earn no more than {a}|your income does not exceed {a}",
            "your income is between {a} and {b}",
        ),
        unmet=(
            "you earn less than {a}|your income is below {a}",
            "you earn more than {a}|your income exceeds {a}",
            "your income is not between {a} and {b}",
        ),
        fact=FactWords(
            own="earn {v}|have an income of {v}",
            fragment="earning {v}|with an income of {v}|on {v}|salary {v}",
            sentence=(
                "I earn {v}.|My income is {v}.|I make {v}.|My salary comes to {v}.|"
                "I bring home {v}.|My gross pay is {v}.|With my job I get {v}.|My pension is {v}.|"
                "My business turns over {v}.|My wage is {v}."
            ),
            label="Income|Salary|Earnings|income",
        ),
    ),
    "savings": NumberWords(
        label="Savings|Own funds|Assets|Wealth",
        at_least=(
            "Savings of at least {a} are a condition.|{s} must have put aside {a} or more.|Own "
            "funds of {a} have to be shown.|With less than {a} in savings it cannot be had.|It "
            "begins at assets of {a}.|A nest egg of no less than {a} is expected.|What lies in "
            "your accounts has to come to {a}.|People with little set aside, less than {a}, are "
            "asked to come back later.|We want to see a bank statement, and {a} on it.|There has "
            "to be a cushion of {a} before we talk.|An empty piggy bank will not do: {a} have to "
            "be in it.|The first question is what you have put by; below {a} there is no "
            "second.|Behind you there ought to stand {a} of your own."
        ),
        at_most=(
            "It is for people whose savings do not exceed {a}.|Whoever owns more than {a} is not "
            "entitled.|The wealth limit is {a}.|Savings above {a} have to be used up first.|{s} "
            "must not own more than {a}.|Help is for those without reserves; {a} in the bank is "
            "the end of it.|A full account, more than {a}, rules you out.|Live on your reserves "
            "first, as long as they are above {a}.|It is not for the well-off, whom we take to "
            "own more than {a}.|The first question is what you have put by; beyond {a} there is "
            "no second.|With more than {a} of your own behind you, you need no help of ours."
        ),
        between=(
            "Assets between {a} and {b} are needed.|{s} must hold savings from {a} to {b}.|It is "
            "tailored to savings of {a} to {b}.|What you have put by decides: no less than {a}, "
            "no more than {b}.|Fortunes from {a} up to {b} are what it was built around."
        ),
        needs=("savings of at least {a}", "savings of at most {a}", "savings from {a} to {b}"),
        who=(
            "have savings of at least {a}|have put aside {a} or more",
            "own no more than {a}",
            "hold between {a} and {b}",
        ),
        met=(
            "you have saved at least {a}|your savings reach {a}",
            "your savings do not exceed {a}",
            "your savings are between {a} and {b}",
        ),
        unmet=(
            "your savings are below {a}|you have saved less than {a}",
            "your savings exceed {a}",
            "your savings are not between {a} and {b}",
        ),
        fact=FactWords(
            own="have savings of {v}|have saved {v}",
            fragment="{v} in savings|with {v} put aside|savings of {v}",
            sentence=(
                "I have saved {v}.|My savings are {v}.|Over the years I put {v} aside.|"
                "There is {v} in my savings account.|I own {v} in cash and funds."
            ),
            label="Savings|Assets|savings",
        ),
    ),
    "amount": NumberWords(
        label="Amount|Sum|Size|Sum wanted",
        at_least=(
            "The smallest amount is {a}.|Sums below {a} are not handled.|At least {a} has to be "
            "requested.|It starts at {a}.|The first payment is {a} or more.|Less than {a} cannot "
            "be paid in.|For small sums, anything under {a}, the paperwork is not worth it.|How "
            "much you want decides, and under {a} the answer is no.|Our machines only start at "
            "{a}.|Bring {a} along, or more.|We do not get up for less than {a}.|A wish below {a} "
            "goes to the counter next door."
        ),
        at_most=(
            "The largest amount is {a}.|Sums above {a} are not handled.|No more than {a} can be "
            "requested.|It stops at {a}.|How much you want decides, and over {a} the answer is "
            "no.|Whoever needs more than {a} has to speak to another department.|For anything "
            "past {a} our branch has no say.|The pot holds {a} for each person.|A wish above {a} "
            "goes to the counter next door.|However good your reasons, {a} is all that there is."
        ),
        between=(
            "The sum may lie between {a} and {b}.|Amounts from {a} to {b} are possible.|Requests "
            "for less than {a} or more than {b} are declined.|How much you want decides: {a} is "
            "the least, {b} the most.|Ask for {a} or for {b} or for what lies between."
        ),
        needs=(
            "an amount of at least {a}",
            "an amount of at most {a}",
            "an amount from {a} to {b}",
        ),
        who=("need at least {a}", "need no more than {a}", "need between {a} and {b}"),
        met=(
            "the amount is at least {a}|your sum is not below {a}",
            "the amount does not exceed {a}",
            "the amount is between {a} and {b}",
        ),
        unmet=(
            "the amount is below {a}",
            "the amount exceeds {a}|your sum is above {a}",
            "the amount is not between {a} and {b}",
        ),
        fact=FactWords(
            own="ask for {v}|want {v}",
            fragment="in need of {v}|looking for {v}|wanting {v}",
            sentence=(
                "I would need {v}.|It is about {v}.|The sum I have in mind is {v}.|"
                "I am thinking of {v}.|I would like to pay in {v}.|I could transfer {v} at once."
            ),
            label="Amount|Sum|Amount wanted",
        ),
    ),
    "children": NumberWords(
        label="Children|Number of children|Size of the family",
        at_least=(
            "{s} must have at least {a}.|It is for families with {a} or more.|A household needs "
            "no fewer than {a}.|Families with less than {a} are not admitted.|How many little "
            "ones there are decides, and it takes {a}.|Couples alone are not meant: {a} or more "
            "belong to it.|At the table there have to sit {a}, or more.|Come back when you have "
            "{a}.|A large table is asked for, with {a} around it.|It takes the noise of {a} in "
            "the house.|Childless, or with fewer than {a}? Then it is not for you."
        ),
        at_most=(
            "It is for households with {a} at most.|{s} must not have more than {a}.|Families "
            "larger than {a} are referred to another offer.|How many little ones there are "
            "decides, and {a} is the most.|A bus of ours seats {a} beside the parents, and that "
            "is the limit.|Larger broods than {a} have a scheme of their own.|More than {a} would "
            "not fit in."
        ),
        between=(
            "{s} must have between {a} and {b}.|It suits families with {a} to {b}.|How many "
            "little ones there are decides: {a} at least, {b} at most.|It was cut for homes with "
            "{a} to {b}."
        ),
        needs=("at least {a}", "at most {a}", "between {a} and {b}"),
        who=(
            "have at least {a}|live with {a} or more",
            "have no more than {a}",
            "have between {a} and {b}",
        ),
        met=(
            "you have at least {a}|there are at least {a} in your family",
            "you have no more than {a}",
            "you have between {a} and {b}",
        ),
        unmet=(
            "you have fewer than {a}|you do not have {a}",
            "you have more than {a}",
            "you do not have between {a} and {b}",
        ),
        fact=FactWords(
            own="have {v}",
            fragment="with {v}|{v}",
            sentence="I have {v}.|We have {v} at home.|I am raising {v}.|I look after {v}.",
            label="Children|Kids|Family",
        ),
    ),
    "child_age": NumberWords(
        label="Age of the child|Child's age",
        at_least=(
            "The child has to be at least {a} years old.|Children under {a} cannot be "
            "enrolled.|The youngest that we take is {a}.|Babies and toddlers stay at home: a "
            "child has to be {a}.|A child who is not yet {a} is too small for it.|The first step "
            "is taken at {a}, not earlier."
        ),
        at_most=(
            "The child must not be older than {a}.|Children over {a} are not included.|It is for "
            "children up to {a} years of age.|It ends when the child is older than {a}.|When the "
            "child has outgrown {a}, the place goes to another.|Past {a}, a child is too big for "
            "it.|The last chance is at {a}; then school takes over."
        ),
        between=(
            "It is for children from {a} to {b} years of age.|The child must be {a} to {b} years "
            "old.|Boys and girls between {a} and {b} are admitted.|Small ones under {a} and big "
            "ones over {b} stay at home."
        ),
        needs=(
            "a child of at least {a} years",
            "a child of at most {a} years",
            "a child from {a} to {b} years of age",
        ),
        who=(
            "have a child of at least {a} years",
            "have a child who is not older than {a}",
            "have a child between {a} and {b} years of age",
        ),
        met=(
            "your child is at least {a}",
            "your child is not older than {a}",
            "your child is between {a} and {b}",
        ),
        unmet=(
            "your child is younger than {a}",
            "your child is older than {a}",
            "your child is not between {a} and {b}",
        ),
        fact=FactWords(
            own="have a child of {v}|have a child who is {v}",
            fragment="mother of a {v}-year-old|father of a {v}-year-old|my child is {v}",
            sentence=(
                "My daughter is {v}.|My son has just turned {v}.|Our little one is {v} years old.|"
                "It would be for my child, who is {v}."
            ),
            label="Age of my child|Child's age|My son's age",
        ),
    ),
    "tenure": NumberWords(
        label="Years with us|Customer for|Length of membership",
        at_least=(
            "{s} must have been with us for at least {a} years.|It is our thanks to those who "
            "have been customers for {a} years or more.|A relationship of {a} years is "
            "needed.|Whoever joined less than {a} years ago is not considered.|It can be had "
            "after {a} years with us.|Loyalty counts: we look back {a} years and want to find you "
            "there.|How long we have known you decides, and {a} years is the least.|Newcomers "
            "have to earn it: {a} years of patience.|First {a} years, then this.|Friends of {a} "
            "years and more are who we had in mind.|Fresh faces wait until {a} years have gone "
            "by.|Our books must show you for {a} years."
        ),
        at_most=(
            "It is for newcomers who have been with us for {a} years at most.|After {a} years "
            "with us it can no longer be requested.|{s} must not have been customers for more "
            "than {a} years.|Old hands, with us for over {a} years, have other offers.|It greets "
            "those who are new; after {a} years nobody is new.|A welcome gift it is, so after {a} "
            "years with us it would come late.|Fresh faces only, and a face is fresh for {a} "
            "years."
        ),
        between=(
            "{s} must have been with us for {a} to {b} years.|It is for those in their years {a} "
            "to {b} with us.|How long we have known you decides: from {a} up to {b} years.|After "
            "{a} years it starts, after {b} it is over."
        ),
        needs=(
            "at least {a} years as a customer",
            "at most {a} years as a customer",
            "{a} to {b} years as a customer",
        ),
        who=(
            "have been with us for at least {a} years",
            "have been with us for {a} years at most",
            "have been with us for {a} to {b} years",
        ),
        met=(
            "you have been a customer for at least {a} years",
            "you have been a customer for no more than {a} years",
            "you have been a customer for {a} to {b} years",
        ),
        unmet=(
            "you have been a customer for less than {a} years",
            "you have been a customer for more than {a} years",
            "you have not been a customer for {a} to {b} years",
        ),
        fact=FactWords(
            own="have been a customer for {v}|have been with us for {v}",
            fragment="a customer for {v}|with you for {v}|your customer for {v}",
            sentence=(
                "I have been a customer for {v}.|You have had me as a customer for {v}.|"
                "I have been with you for {v}.|For {v} I have kept my account here."
            ),
            label="Customer for|With you for|Customer",
        ),
    ),
    "license": _date_words(
        "you got the driving license",
        own="got the license in {v}",
        fragment="license from {v}|driving since {v}",
        sentence="I got my driving license in {v}.|My license is from {v}.|I drive since {v}.",
        label="License|Driving license",
    ),
    "joined": _date_words(
        "you became a customer",
        own="have been a customer since {v}",
        fragment="customer since {v}|a member since {v}|with you since {v}",
        sentence=(
            "I have been a customer since {v}.|I joined you in {v}.|My first account with you is "
            "from {v}."
        ),
        label="Customer since|Member since|Joined",
    ),
    "moved": _date_words(
        "you moved here",
        own="moved here in {v}",
        fragment="here since {v}|newly arrived in {v}",
        sentence="I moved here in {v}.|I came to this country in {v}.|We arrived in {v}.",
        label="Moved here|Arrival|In the country since",
    ),
    "leaving": _date_words(
        "you stop working",
        own="stop working in {v}",
        fragment="working until {v}|last day of work in {v}",
        sentence="I stop working in {v}.|My last day at work is in {v}.|My job ends in {v}.",
        label="Last day of work|End of work",
    ),
    "workload": NumberWords(
        label="Workload|Level of employment",
        at_least=(
            "{s} must work at least {a} percent.|A workload below {a} percent is not enough.|It "
            "presupposes a position of {a} percent or more.|How much you work decides, and {a} "
            "percent is the least.|A few hours a week are not enough: we count from {a} "
            "percent.|Somebody who is at work for less than {a} percent keeps the old "
            "contract.|Somebody with less than {a} percent in the contract is not counted as "
            "staff here.|A side job is too little, {a} percent is enough.|What your contract says "
            "in percent is looked at, and {a} has to be reached.|Part-timers below {a} percent go "
            "away empty-handed."
        ),
        at_most=(
            "The workload must not exceed {a} percent.|It is for part-timers of {a} percent at "
            "most.|Those who work more than {a} percent are excluded.|Full desks are not meant: "
            "at {a} percent it ends.|With more than {a} percent at work there is no time left for "
            "it, we found.|Whoever has more than {a} percent in the contract goes away "
            "empty-handed.|What your contract says in percent is looked at, and {a} must not be "
            "passed.|It was made for people who keep time free, so {a} percent is the end."
        ),
        between=(
            "The workload has to be between {a} and {b} percent.|It is for positions from {a} to "
            "{b} percent.|How much you work decides: {a} percent at least, {b} at most.|Half days "
            "count, from {a} up to {b} percent.|What your contract says in percent is looked at: "
            "not under {a}, not over {b}.|Under {a} percent it is a side job, over {b} a full "
            "one, and we want neither."
        ),
        needs=(
            "a workload of at least {a} percent",
            "a workload of at most {a} percent",
            "a workload from {a} to {b} percent",
        ),
        who=(
            "work at least {a} percent",
            "work {a} percent at most",
            "work between {a} and {b} percent",
        ),
        met=(
            "you work at least {a} percent",
            "you work no more than {a} percent",
            "you work between {a} and {b} percent",
        ),
        unmet=(
            "you work less than {a} percent",
            "you work more than {a} percent",
            "you do not work between {a} and {b} percent",
        ),
        fact=FactWords(
            own="work {v}",
            fragment="working {v}|{v} position",
            sentence="I work {v}.|My position is {v}.|My workload is {v}.|I am employed at {v}.",
            label="Workload|Position|Hours",
        ),
    ),
}

# ---------------------------------------------------------------------------- lists

_HOME = FactWords(
    own="live in {v}",
    fragment="from {v}|living in {v}|based in {v}|resident in {v}|in {v}|at home in {v}",
    sentence=(
        "I live in {v}.|My home is in {v}.|I am based in {v}.|I moved to {v} last year.|"
        "We have a flat in {v}.|I reside in {v}.|Home for me is {v}.|My address is in {v}."
    ),
    label="Home|City|Residence|Address|Town",
)

LISTS: Final[Mapping[str, ListWords]] = {
    "country": ListWords(
        label="Residence|Country|Home|Where you live",
        only=(
            "It is open to residents of {l}.|{s} must live in {l}.|Only people who reside in {l} "
            "qualify.|A permanent address in {l} is required.|It is sold in {l} and nowhere "
            "else.|Those who live outside {l} cannot be accepted.|Home has to be in {l}.|We may "
            "only serve households in {l}.|It is reserved for people with their home in "
            "{l}.|Residence in {l} is a must.|No contract is concluded with persons who live "
            "anywhere but in {l}.|Where your letter box hangs decides, and that has to be "
            "{l}.|Abroad, which is everywhere but {l}, our license is not valid.|Moved away from "
            "{l}? Then it ends.|Our trucks reach {l}, no farther.|When your taxes are paid in "
            "{l}, read on; if not, you need not.|Our concession was granted by {l}, and for "
            "people at home there.|The courts that may judge us sit in {l}, so we take nobody "
            "from elsewhere.|One has to be at home in {l}; a holiday flat is not enough.|We write "
            "to addresses in {l}, and to no others.|Beyond the borders of {l} we have neither "
            "branches nor customers."
        ),
        needs="a home in {l}",
        who="live in {l}|have their home in {l}|reside in {l}",
        met="you live in {c}",
        unmet="you live in {c}, which is not on the list|you do not live in {l}",
        fact=_HOME,
        barred=(
            "Residents of {l} cannot be accepted.|It is not offered to people who live in "
            "{l}.|Everybody may join except people with a home in {l}.|Where your letter box "
            "hangs decides: in {l} we may not sell it.|For legal reasons homes in {l} are left "
            "out.|With an address in {l} you will get a letter of refusal.|We took our business "
            "out of {l}, and people at home there can no longer join.|All the world may come, {l} "
            "excepted.|Customers who move to {l} have to give it back.|Our license ends where {l} "
            "begins.|At home in {l}? We are sorry, no.|Sanctions forbid us to serve households in "
            "{l}."
        ),
        needs_barred="a home outside {l}",
        who_barred="do not live in {l}",
        met_barred="you do not live in {l}",
        unmet_barred="you live in {c}",
    ),
    "city": ListWords(
        label="Town|City|Catchment area",
        only=(
            "It is limited to the cities of {l}.|{s} must live in {l}.|Only inhabitants of {l} "
            "are served.|The address must be in {l}; suburbs do not count.|The pilot runs in {l}, "
            "and other towns are not part of it.|It is an offer to the people of {l}.|Where you "
            "sleep at night decides, so long as it is {l}.|Neighbors from outside {l} ask often, "
            "and hear no.|The council of {l} pays, so its people come first, last and only.|You "
            "have to be able to vote in {l}.|The mayor wished that it serve those who live in "
            "{l}.|Whoever does not live in {l} pays for a hotel instead.|It ends at the town sign "
            "of {l}."
        ),
        needs="a home in {l}",
        who="live in {l}",
        met="you live in {v}|your home is in one of the named cities",
        unmet="you do not live in {l}|your city is not on the list",
        fact=_HOME,
        barred=(
            "It is not to be had in {l}.|The towns of {l} said no, so their people have to do "
            "without.|Addresses in {l} are left out.|Everywhere but {l}.|In {l} another firm has "
            "the contract, and we may not serve you there.|Whoever lives in {l} goes away "
            "empty-handed.|At the town sign of {l} it ends."
        ),
        needs_barred="a home outside {l}",
        who_barred="do not live in {l}",
        met_barred="you do not live in {l}",
        unmet_barred="you live in {v}",
    ),
    "nationality": ListWords(
        label="Nationality|Citizenship|Passport",
        only=(
            "Only {l} citizens may apply.|{s} must hold {l} citizenship.|A {l} passport is a "
            "condition.|By law it is restricted to {l} nationals.|People of any other than {l} "
            "nationality are not admitted.|Citizenship counts, not residence: it has to be "
            "{l}.|What it says in your passport decides, and we accept {l}.|The treaty that it "
            "rests on names {l} people, nobody else.|At the border of the form stands: {l} "
            "only.|Sorry to all who hold any passport but one that is {l}.|Foreigners are sent "
            "away, by which we mean all who are not {l}.|Born here or not: what is asked for is a "
            "{l} passport.|It is a gift of the state to its own, the {l} citizens."
        ),
        needs="{l} citizenship",
        who="are {l} citizens|hold {l} citizenship",
        met="you are a {v} citizen|you hold a {v} passport",
        unmet="you are not a {l} citizen|you do not hold {l} citizenship",
        fact=FactWords(
            own="are {v}|are a {v} citizen",
            fragment="{v}|a {v} citizen|{v} by passport|{v} national",
            sentence=(
                "I am {v}.|I am a {v} citizen.|I hold a {v} passport.|My nationality is {v}.|"
                "By passport I am {v}."
            ),
            label="Nationality|Citizenship|Passport|nationality",
        ),
        barred=(
            "By treaty, {l} citizens are left out.|A {l} passport is a reason to "
            "refuse.|Everybody but {l} nationals may apply.|People with {l} citizenship have an "
            "office of their own.|It does not extend to {l} citizens.|Holders of a {l} passport "
            "are asked to turn to their consulate.|On our list of those we may not serve stand "
            "{l} nationals.|Any passport will do unless it is {l}.|An embargo shuts out {l} "
            "citizens.|Whoever is {l} by passport gets a letter of refusal."
        ),
        needs_barred="a citizenship other than {l}",
        who_barred="are not {l} citizens",
        met_barred="you are not a {v} citizen",
        unmet_barred="you are a {v} citizen",
    ),
    "marital": ListWords(
        label="Marital status|Civil status|Family status",
        only=(
            "{s} must be {l}.|It is limited to people who are {l}.|Only those who are {l} may "
            "request it.|It exists for people who are {l}.|Whoever is not {l} has no claim to "
            "it.|The register has to show that you are {l}.|Whether there is a spouse decides: "
            "you have to be {l}.|The law calls for a person who is {l}.|Bring the paper that says "
            "you are {l}.|In this country one is {l} or gets nothing from this fund.|Anybody who "
            "is not {l} fills in the form for nothing.|A clerk looks into the register, and you "
            "had better be {l}.|The founder left her money to people who are {l}."
        ),
        needs="a customer who is {l}",
        who="are {l}",
        met="you are {v}",
        unmet="you are not {l}",
        fact=FactWords(
            own="are {v}",
            fragment="{v}|{v} since last year",
            sentence="I am {v}.|I've been {v} for some time.|At present I am {v}.",
            label="Marital status|Civil status|Status",
        ),
        barred=(
            "It is not given to people who are {l}.|Anyone but people who are {l} may come.|Being "
            "{l} rules you out.|As soon as somebody is {l}, the right is lost.|All are welcome "
            "who are not {l}.|Those who are {l} go away empty-handed.|Somebody who is {l} has "
            "other sources, so we say no.|It lapses on the day you are {l}.|We pay to everybody "
            "else, but not to those who are {l}.|If the register says that you are {l}, the form "
            "stops at page one.|Not for you if you are {l}.|People who are {l} fill in the form "
            "for nothing."
        ),
        needs_barred="a customer who is not {l}",
        who_barred="are not {l}",
        met_barred="you are not {l}",
        unmet_barred="you are {v}",
    ),
    "occupation": ListWords(
        label="Profession|Occupation|Job",
        only=(
            "It is reserved for people who work as {l}.|Only a member of these professions can "
            "apply: {l}.|It was created for one trade: {l}.|{s} must work as {l}.|Professions "
            "admitted: {l}.|Anyone who does not earn a living as {l} is turned away.|The group "
            "contract covers these jobs alone: {l}.|What you do all day decides, and it must be "
            "the work of {l}.|The union that pays for it stands for {l}, and for nobody "
            "else.|Show your work clothes: it is for {l}.|Others than {l} would pay for a risk "
            "that they do not run, so we leave them out.|The guild keeps it for its own, which "
            "means those who work as {l}.|Everyday heroes who work as {l} earned it, and nobody "
            "else gets it.|At the entrance we ask for your trade, and want to hear: {l}.|If you "
            "do not work as {l}, the form stops at page one."
        ),
        needs="work as {l}",
        who="work as {l}",
        met="you work as {v}",
        unmet="you do not work as {l}|your profession is not among those named",
        fact=FactWords(
            own="work as {v}|are {v}",
            fragment="{v}|{v} by trade|working as {v}",
            sentence=(
                "I work as {v}.|I am {v}.|I am {v} by trade.|My job: {v}.|I earn my living as {v}."
            ),
            label="Job|Occupation|Profession|job",
        ),
        barred=(
            "The trade is too risky for us if you work as {l}.|We do not insure people who work "
            "as {l}.|Every trade is welcome except the work of {l}.|To work as {l} is a reason to "
            "refuse.|Somebody who earns a living as {l} cannot join.|With the work of {l} you "
            "stand on our list of risks, and are refused.|Not for those who work as {l}: their "
            "guild has an offer of its own.|Our reinsurer takes anyone but those who work as "
            "{l}.|Whoever works as {l} goes away empty-handed.|If you work as {l}, the form stops "
            "at page one.|Too many claims came from people who work as {l}, so they are out.|All "
            "trades but one: the work of {l} is left out."
        ),
        needs_barred="a job other than {l}",
        who_barred="do not work as {l}",
        met_barred="you do not work as {l}",
        unmet_barred="you work as {v}",
    ),
    "status": ListWords(
        label="Employment|Employment status|Work situation",
        only=(
            "{s} must be {l}.|It is for people who are {l}.|Only a person who is {l} can have "
            "it.|We accept requests from those who are {l}.|Not being {l} rules you out.|What "
            "counts is that you are {l}.|How you make a living decides: one has to be {l}.|It was "
            "fought for by people who are {l}, and stays with them.|Your letter from the office "
            "must show that you are {l}.|Whatever else you do: on paper one has to be {l}.|If you "
            "are not {l}, the form stops at page one.|The fund was set up by and for those who "
            "are {l}.|One thing counts at the counter: are you {l}?"
        ),
        needs="a customer who is {l}",
        who="are {l}",
        met="you are {v}",
        unmet="you are not {l}",
        fact=FactWords(
            own="are {v}",
            fragment="{v}|currently {v}",
            sentence="I am {v}.|At the moment I am {v}.|I have been {v} since summer.",
            label="Employment|Work|Status of work",
        ),
        barred=(
            "It is not given to people who are {l}.|Anyone who is {l} has to look "
            "elsewhere.|Whoever is {l} loses it.|It is closed to people who are {l}.|All may "
            "apply unless they are {l}.|Those who are {l} go away empty-handed.|Somebody who is "
            "{l} is looked after by another office.|If you are {l}, the form stops at page "
            "one.|On the day you are {l} it lapses.|We pay to everybody else, but not to those "
            "who are {l}."
        ),
        needs_barred="a customer who is not {l}",
        who_barred="are not {l}",
        met_barred="you are not {l}",
        unmet_barred="you are {v}",
    ),
    "education": ListWords(
        label="Education|Diploma|Qualification",
        only=(
            "{s} must hold {l}.|Required qualification: {l}.|It takes {l} to be admitted.|Without "
            "{l} there is no admission.|Enrolment is open to those who can show {l}.|What hangs "
            "framed on your wall decides: we want {l}.|Good will is not enough where {l} is "
            "missing.|The dean wants {l} on your file.|Self-taught people are welcome elsewhere; "
            "here it takes {l}.|We want to see the paper, and on the paper {l}.|Those without {l} "
            "take the entrance course first.|The stipend honors people with {l}."
        ),
        needs="{l}",
        who="hold {l}",
        met="you hold {v}",
        unmet="you do not hold {l}",
        fact=FactWords(
            own="hold {v}|have {v}",
            fragment="with {v}|holding {v}",
            sentence="I hold {v}.|I have {v}.|I finished my training with {v}.",
            label="Education|Diploma|Highest degree",
        ),
        barred=(
            "It is a second chance, so people with {l} are turned away.|With {l} you know too "
            "much already.|Whoever holds {l} is not who we look for.|It is not for people with "
            "{l}.|Everybody is welcome but those with {l}.|If you hold {l}, the form stops at "
            "page one."
        ),
        needs_barred="a qualification other than {l}",
        who_barred="do not hold {l}",
        met_barred="you do not hold {l}",
        unmet_barred="you hold {v}",
    ),
    "health": ListWords(
        label="Health|Diagnosis|State of health",
        only=(
            "It is for people with {l}.|{s} must have been diagnosed with {l}.|Only persons who "
            "suffer from {l} are taken.|A medical certificate for {l} is needed.|The program "
            "deals with {l} and no other illness.|What your doctor wrote decides, and it must be "
            "{l}.|A clinic that treats {l} runs it for its own patients.|You know what {l} means "
            "for every day; it was made for you, nobody else.|Healthy people have no use for it: "
            "it is about {l}.|The foundation helps in one case: {l}.|It pays for what {l} brings "
            "with it, and for nothing else.|Your doctor has to certify {l}, or we send you back."
        ),
        needs="a diagnosis of {l}",
        who="have {l}",
        met="you have {v}",
        unmet="you do not have {l}",
        fact=FactWords(
            own="have {v}",
            fragment="with {v}|suffering from {v}|{v}",
            sentence=(
                "I have {v}.|I suffer from {v}.|I was diagnosed with {v}.|My doctor treats me for "
                "{v}.|I have been living with {v} for years."
            ),
            label="Health|Diagnosis|Illness",
        ),
        barred=(
            "People with {l} cannot be insured.|{s} must be free of {l}.|Those who have {l} are "
            "turned down.|It excludes {l}.|Your medical file decides: with {l} in it the answer "
            "is no.|Living with {l}? Then our cover cannot help you, we are sorry.|With {l} the "
            "risk is more than we can bear.|A doctor of ours looks for {l}, and where he finds it "
            "we decline.|Anything but {l} we can live with.|The one illness that shuts the door "
            "is {l}.|If you have {l}, the form stops at page one.|Whoever lives with {l} gets a "
            "letter of refusal.|It presupposes that nobody ever told you that you have {l}."
        ),
        needs_barred="no {l}",
        who_barred="do not have {l}",
        met_barred="you do not have {l}",
        unmet_barred="you have {v}",
    ),
    "employer": ListWords(
        label="Employer|Company",
        only=(
            "It is for the staff of {l}.|{s} must be employed by {l}.|Only people on the payroll "
            "of {l} can use it.|The contract was made with {l} for their employees.|Staff of "
            "other firms than {l} have no access.|Who pays you decides, and that must be {l}.|A "
            "badge of {l} opens the door, others do not.|Your payslip needs the letterhead of "
            "{l}.|At the entrance we ask who employs you, and want to hear {l}.|The personnel "
            "office of {l} hands it out to its own.|Not on the staff of {l}? Then the form stops "
            "at page one."
        ),
        needs="a job at {l}",
        who="work for {l}",
        met="you work for {v}",
        unmet="you do not work for {l}",
        fact=FactWords(
            own="work for {v}|are employed at {v}",
            fragment="working for {v}|employed at {v}|at {v}|with {v}",
            sentence="I work for {v}.|My employer is {v}.|I am employed at {v}.|{v} pays my wage.",
            label="Employer|Company|Works at",
        ),
        barred=(
            "Staff of {l} are looked after by their own firm, and cannot join.|People on the "
            "payroll of {l} are left out.|It is not open to anybody who works for {l}.|Whoever "
            "works for {l} goes away empty-handed.|Competitors are not served: if {l} employs "
            "you, the answer is no.|Everybody may come, unless {l} pays the wage."
        ),
        needs_barred="a job elsewhere than at {l}",
        who_barred="do not work for {l}",
        met_barred="you do not work for {l}",
        unmet_barred="you work for {v}",
    ),
    "gender": ListWords(
        label="Sex|Gender|For",
        only=(
            "It is for any {l}.|Only a {l} can take part.|The person has to be a {l}.|Every "
            "participant is a {l}.|Whoever is not a {l} will find another evening.|Because the "
            "rooms are shared, every guest is a {l}.|The founder wished that each fellow be a "
            "{l}.|One has to be a {l} for it."
        ),
        needs="a {l}",
        who="register as {l}",
        met="you are a {v}",
        unmet="you are not a {l}",
        fact=FactWords(
            own="are a {v}",
            fragment="a {v}|{v}",
            sentence="I am a {v}.|As a {v} I have other needs.|I am writing as a {v}.",
            label="Sex|Gender",
        ),
    ),
    "religion": ListWords(
        label="Faith|Religion|Denomination",
        only=(
            "{s} must be {l}.|It is run for people who are {l}.|Members of the community are {l}; "
            "nobody else is concerned.|Only those registered as {l} are concerned.|What you "
            "believe decides, and it has to be {l}.|The parish pays for it, so the parish "
            "register has to list you as {l}.|Founded by believers for believers, it is kept to "
            "people who are {l}.|Of another faith, or none? It is for those who are {l}."
        ),
        needs="a customer who is {l}",
        who="are {l}",
        met="you are {v}",
        unmet="you are not {l}",
        fact=FactWords(
            own="are {v}",
            fragment="{v}|{v} by faith",
            sentence="I am {v}.|I was raised {v} and still am.|By faith I am {v}.",
            label="Religion|Faith|Denomination",
        ),
        barred=(
            "It is not meant for people who are {l}.|Those who are {l} have a fund of their own, "
            "and are left out here.|All may apply, unless they are {l}.|Whoever is {l} is sent to "
            "the other parish.|Being {l} rules you out."
        ),
        needs_barred="a customer who is not {l}",
        who_barred="are not {l}",
        met_barred="you are not {l}",
        unmet_barred="you are {v}",
    ),
    "housing": ListWords(
        label="Housing|Living situation",
        only=(
            "{s} must be {l}.|It is made for the person who is {l}.|Only {l} can have it.|It is "
            "an offer to whoever is {l}.|Whose walls you live in decides: one has to be {l}.|The "
            "city pays it to whoever is {l}.|It is paid to {l}, nobody else has a claim.|Anybody "
            "who is not {l} fills in the form for nothing.|The lease or the deed has to say it: "
            "you are {l}.|If you are not {l}, the form stops at page one."
        ),
        needs="a customer who is {l}",
        who="are registered as {l}",
        met="you are {v}",
        unmet="you are not {l}",
        fact=FactWords(
            own="are {v}",
            fragment="{v}",
            sentence="I am {v}.|For ten years I have been {v}.",
            label="Housing|Living as",
        ),
        barred=(
            "It is not given to {l}.|Whoever is {l} has no claim.|Those who live as {l} are left "
            "out.|All may apply, unless they are {l}.|If you are {l}, the form stops at page "
            "one.|Not for you if you are {l}."
        ),
        needs_barred="a customer who is not {l}",
        who_barred="are not {l}",
        met_barred="you are not {l}",
        unmet_barred="you are {v}",
    ),
}

# What documents call these when they say that they play no part.
TOPICS: Final[Mapping[str, str]] = {
    "age": "age|how old somebody is|the date of birth",
    "income": "income|what somebody earns|salary",
    "savings": "wealth|savings|the balance of the account",
    "amount": "the size of the sum",
    "children": "the number of children|family size|whether there are children",
    "child_age": "the age of the children",
    "tenure": "how long somebody has been a customer|years of membership",
    "license": "the date of the license",
    "joined": "when somebody became a customer",
    "moved": "the date of arrival",
    "leaving": "the last day of work",
    "workload": "working hours|part-time work",
    "country": "place of residence|the country somebody lives in|where people live",
    "city": "the town|the postal code",
    "nationality": "nationality|citizenship|the passport",
    "marital": "marital status|whether somebody is married",
    "occupation": "profession|occupation|the kind of work",
    "status": "employment status|whether somebody works",
    "education": "education|diplomas",
    "health": "health|illnesses|medical history",
    "employer": "the employer",
    "gender": "sex|gender",
    "religion": "faith|religion",
    "housing": "whether the home is rented or owned",
}
IRRELEVANT: Final = split_list(
    "{t} play no part.|We do not ask about {t}.|{t} make no difference.|"
    "It does not depend on {t}.|{t} are of no importance here.|Nothing hinges on {t}.|"
    "No question is asked about {t}.|{t}: irrelevant.|We leave {t} out of the decision.|"
    "Do not worry about {t}: we never ask.|Whatever you tell us about {t}, the answer is the "
    "same.|{t} are no reason to refuse anybody.|Others look at {t}; we do not.|It used to hang on "
    "{t}, but no longer does.|Nobody will want to know about {t}.|You need not tell us about {t}.|"
    "Old rules on {t} were dropped last year.|We close our eyes to {t}.|{t}? Not our business."
)

# ---------------------------------------------------------------------------- values

COUNTRIES: Final[Mapping[str, str]] = {
    "Switzerland": "Zug|Thun|Basel|Chur|Geneva|Zurich|Bern|Lugano|St. Gallen|Sion|Lucerne",
    "Germany": "Berlin|Hamburg|Kassel|Leipzig|Munich|Freiburg|Bremen|Ulm|Dresden",
    "Austria": "Vienna|Graz|Linz|Salzburg|Innsbruck|Bregenz|Klagenfurt",
    "Liechtenstein": "Vaduz|Schaan|Balzers|Triesen",
    "France": "Lyon|Paris|Nantes|Lille|Strasbourg|Toulouse|Mulhouse|Annecy",
    "Italy": "Milan|Turin|Rome|Como|Bologna|Verona|Palermo",
    "Spain": "Madrid|Seville|Valencia|Bilbao|Malaga|Zaragoza",
    "Portugal": "Lisbon|Porto|Braga|Faro",
    "Belgium": "Ghent|Antwerp|Liege|Bruges|Brussels",
    "the Netherlands": "Utrecht|Rotterdam|Leiden|Amsterdam|Groningen",
    "Denmark": "Aarhus|Odense|Copenhagen|Aalborg",
    "Sweden": "Malmo|Uppsala|Stockholm|Gothenburg",
    "Norway": "Bergen|Oslo|Trondheim|Stavanger",
    "Finland": "Turku|Helsinki|Tampere|Oulu",
    "Poland": "Krakow|Warsaw|Gdansk|Poznan",
    "Ireland": "Dublin|Cork|Galway|Limerick",
    "the United Kingdom": "Leeds|London|Bristol|Glasgow|Cardiff|Belfast|Manchester",
    "Canada": "Toronto|Halifax|Ottawa|Calgary|Vancouver|Quebec",
    "the United States": "Denver|Boston|Seattle|Chicago|Austin|Portland|Atlanta",
    "Australia": "Sydney|Perth|Brisbane|Adelaide|Hobart",
    "Japan": "Osaka|Tokyo|Kyoto|Sapporo",
    "Greece": "Athens|Patras|Thessaloniki",
    "Czechia": "Prague|Brno|Ostrava",
    "Hungary": "Budapest|Szeged|Debrecen",
    "Croatia": "Zagreb|Split|Rijeka",
    "Mexico": "Puebla|Monterrey|Oaxaca",
    "Brazil": "Recife|Salvador|Curitiba",
    "India": "Pune|Chennai|Kolkata|Mumbai",
}

MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "nationality": split_list(
        "Swiss|German|Austrian|French|Italian|Spanish|Portuguese|Belgian|Dutch|Danish|Swedish|"
        "Norwegian|Finnish|Polish|Irish|British|Canadian|American|Australian|Japanese|Greek|Czech|"
        "Hungarian|Croatian|Mexican|Brazilian|Indian|Turkish|Ukrainian|Korean|Chilean|Kenyan"
    ),
    "marital": split_list(
        "married|single|divorced|widowed|separated|engaged|in a registered partnership"
    ),
    "occupation": split_list(
        "a nurse|a teacher|a baker|a plumber|an architect|a farmer|a lawyer|a pilot|a chef|"
        "a dentist|a librarian|a welder|an electrician|a carpenter|a journalist|a pharmacist|"
        "a gardener|a midwife|a roofer|a translator|an accountant|a paramedic|a bus driver|"
        "a violinist|a hairdresser|a surgeon|a police officer|a forester|a tailor|a web designer|"
        "a civil engineer|a florist|a butcher|a physiotherapist|a cabinetmaker|a train conductor"
    ),
    "status": split_list(
        "employed|self-employed|unemployed|retired|a student|an apprentice|a civil servant|"
        "on parental leave|a freelancer|a trainee"
    ),
    "education": split_list(
        "a bachelor's degree|a master's degree|a doctorate|a vocational diploma|"
        "a high school certificate|a teaching diploma|a degree in law|a degree in music|"
        "a degree in chemistry|a nursing diploma|a degree in history|a degree in economics"
    ),
    "health": split_list(
        "diabetes|asthma|epilepsy|high blood pressure|a heart condition|depression|migraine|"
        "arthritis|celiac disease|hay fever|a kidney disease|multiple sclerosis|psoriasis|"
        "a hearing loss|glaucoma|back pain|a peanut allergy|sleep apnea"
    ),
    "employer": split_list(
        "Brightwell Foods|Kestrel Rail|Marlow Steel|Tessera Labs|Oakline Furniture|"
        "Pellworm Ferries|"
        "Quarry Hill Hospital|Sundial Textiles|Vantor Motors|Bluewater Logistics|Ferrow Pharma|"
        "Castlegate School|Ormond Print|Halden Energy|Rivet & Sons|Linden Care|Nordwind Air|"
        "Pinegrove Hotels|Solvay Street Clinic|Zephyr Telecom"
    ),
    "gender": ("woman", "man"),
    "religion": split_list("Catholic|Protestant|Orthodox|Jewish|Muslim|Buddhist|Hindu|Baptist"),
    "housing": split_list("a tenant|a homeowner|a subtenant|a member of a housing cooperative"),
}

CHILDREN: Final[Mapping[str, int]] = {
    "no children": 0,
    "one child": 1,
    "a daughter": 1,
    "a son": 1,
    "a little boy": 1,
    "two children": 2,
    "two kids": 2,
    "a son and a daughter": 2,
    "twins": 2,
    "two girls": 2,
    "three children": 3,
    "three kids": 3,
    "three boys": 3,
    "four children": 4,
    "two sons and two daughters": 4,
    "four kids": 4,
    "five children": 5,
}
COUNTS: Final = split_list("no|one|two|three|four|five")

# Other words for members of a list: customers do not always say what documents say.
SYNONYMS: Final[Mapping[str, str]] = {
    "widowed": "a widow|a widower|recently widowed",
    "single": "unmarried|not married",
    "married": "newly married|happily married",
    "divorced": "recently divorced|divorced for years",
    "retired": "a pensioner|a retiree",
    "self-employed": "running my own business|my own boss",
    "a student": "a university student|a full-time student",
    "an apprentice": "doing an apprenticeship",
    "unemployed": "out of work|between jobs",
    "a tenant": "renting a flat",
    "a homeowner": "owner of my house",
    "diabetes": "type 2 diabetes|type 1 diabetes",
    "high blood pressure": "hypertension",
    "depression": "a severe depression",
    "woman": "mother|lady",
    "man": "father|gentleman",
    "a bachelor's degree": "a bachelor's degree in biology|a BSc",
    "a master's degree": "a master's degree in physics|an MSc",
    "a doctorate": "a doctorate in history|a PhD",
    "a teacher": "a primary school teacher|a math teacher",
    "a nurse": "a night nurse|a hospital nurse",
    "a lawyer": "a tax lawyer",
}

# code, word, signs that may stand before a number
CURRENCIES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("CHF", "francs", ("CHF ", "Fr. ", "SFr. ")),
    ("EUR", "euros", ("EUR ", "€", "€ ")),
    ("USD", "dollars", ("USD ", "$", "US$ ")),
    ("GBP", "pounds", ("GBP ", "£")),
    ("SEK", "kronor", ("SEK ",)),
)

FIRST_NAMES: Final = split_list(
    "Ada|Bruno|Clara|Dario|Elif|Felix|Greta|Hugo|Ines|Jonas|Katja|Leo|Mara|Nils|Olga|Pavel|Rosa|"
    "Sami|Tilda|Urs|Vera|Wim|Yara|Zeno|Amina|Boris|Celia|Diego|Esther|Farid|Gina|Henrik|Iris|"
    "Jamal|Kim|Lucia|Matteo|Nadia|Otto|Priya|Ralf|Selma|Tomas|Vikram|Wanda|Yusuf"
)
LAST_NAMES: Final = split_list(
    "Amrein|Bianchi|Costa|Demir|Egger|Fischer|Garcia|Holm|Ivanov|Jansen|Keller|Lopez|Moreau|"
    "Novotny|Olsen|Petrov|Quinn|Rossi|Suter|Tanaka|Ulrich|Varga|Weber|Yilmaz|Zeller|Okafor|Singh|"
    "Haddad|Lindgren|Murphy|Castro|Dubois|Horvat|Schmid|Walsh|Ferrari|Brandt|Nowak|Silva|Becker"
)

# ---------------------------------------------------------------------------- products

FIRST_WORDS: Final = split_list(
    "Lantern|Willow|Compass|Meadow|Harvest|Beacon|Juniper|Anchor|Summit|Orchard|Sparrow|Bridge|"
    "Horizon|Maple|Pebble|Falcon|Amber|Granite|Clover|Voyager|Sunrise|Cedar|Mosaic|Ember|Delta|"
    "Aurora|Thistle|Marina|Saffron|Cobalt|Heron|Prairie|Velvet|Quartz|Linden|Mistral|Polar|Coral|"
    "Tandem|Pioneer|Bonus|Flex|Start|Comfort|Classic|Direct|Smart|Active|Care|Future|Starter"
)
SECOND_WORDS: Final = split_list(
    "Plus|Light|Gold|Silver|Junior|Max|Basic|Extra|Prime|Duo|Two|Green"
)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of product: what it is called, what one does with it, what else is said about it."""

    nouns: str
    verbs: str
    filler: str


_MONEY = (
    "The fee is {m} a month.|Interest is credited each quarter.|Statements are free of charge.|"
    "Transfers within the bank are carried out at once.|The contract may be ended with {n} days "
    "of notice.|A replacement costs {m}.|The rate is fixed for {k} years.|Repayment starts after "
    "{k} months.|All documents are kept for ten years.|Payments are made by direct debit.|"
    "The balance is shown in the app every morning.|For cash at foreign machines we charge {m}.|"
    "Early repayment costs {m}.|Limits can be changed by phone.|A notary is not needed."
)
_COVER = (
    "The premium is {m} a month.|The deductible is {m} per case.|Claims are settled within {n} "
    "days.|Glasses are refunded up to {m} every {k} years.|The cover ends with the year.|"
    "A waiting period of {k} months applies.|Emergency numbers are printed on the card.|"
    "Damage caused on purpose is not insured.|Please keep receipts for {k} years.|"
    "The contract renews itself each January.|Reports from a doctor are paid by us."
)
_OFFICE = (
    "The allowance is {m} a month.|Payment is made on the {k}th of the month.|Forms are at the "
    "counter and online.|A decision takes about {n} days.|Objections have to be filed within {n} "
    "days.|Changes must be reported at once.|The right is reviewed every {k} years.|"
    "Interpreters are free of charge.|Copies are enough; we do not keep originals."
)
_CLUB = (
    "The yearly fee is {m}.|A day pass costs {m}.|Lockers are free.|Courses have at most {n} "
    "places.|The season begins in March.|Guests pay {m}.|Newsletters come every {k} weeks.|"
    "The card is sent by mail within {n} days.|Dogs have to wait outside.|"
    "Lost cards are replaced for {m}.|Bookings open {k} weeks ahead."
)
FAMILIES: Final = (
    Family("Account|Savings Account|Current Account|Deposit", "open|have", _MONEY),
    Family("Credit Card|Debit Card|Card", "get|apply for|order", _MONEY),
    Family("Loan|Home Loan|Car Loan|Mortgage|Study Loan", "take out|get|apply for", _MONEY),
    Family("Bond|Fund|Savings Plan|Certificate", "buy|subscribe to|join", _MONEY),
    Family("Rebate|Bonus|Interest Bonus|Discount", "receive|get|claim", _MONEY),
    Family("Policy|Cover|Travel Cover|Insurance|Life Policy|Motor Policy", "take out|sign", _COVER),
    Family("Dental Plan|Health Plan|Check-up Program|Care Program", "join|take part in", _COVER),
    Family("Pension|Bridging Pension|Widow's Pension|Buy-back", "draw|claim|request", _OFFICE),
    Family("Allowance|Rent Subsidy|Grant|Heating Aid|Benefit", "receive|claim|apply for", _OFFICE),
    Family("Permit|Parking Permit|Tax Relief", "get|request", _OFFICE),
    Family("Membership|Club|Gym Pass|Library Card", "join|get|buy", _CLUB),
    Family("Rail Pass|Ferry Ticket|Travel Card|Bike Share", "buy|use|get", _CLUB),
    Family("Course|Evening School|Diploma Course|Scholarship", "attend|apply for", _CLUB),
    Family("Museum Pass|Theater Subscription|Choir|Camp", "join|book|get", _CLUB),
)

COMBINED: Final = split_list(
    "{p} is for people who {w}.|{p} is offered to those who {w}.|Only people who {w} may have "
    "{p}.|If you {w}, {p} is open to you; otherwise it is not.|We made {p} for people who {w}, "
    "and only for them.|To be accepted for {p}, you must show that you {w}.|Whether you {w} "
    "decides about {p}.|{p}: for all who {w}.|Applicants have to prove that they {w}.|"
    "Nothing more is asked than that you {w}.|Those who {w} may have {p}; we are sorry for all "
    "others.|Before {p} is yours, somebody here checks whether you {w}.|{p} rewards people who "
    "{w}.|If it is true that you {w}, {p} will suit you, and if not, we have to decline."
)
# What may follow a rule without changing it.
ELABORATIONS: Final = split_list(
    "There are no exceptions.|Please enclose proof.|We check this before signing.|"
    "A copy of an official paper is enough.|This is laid down in the statutes.|"
    "The day of the application counts.|If this changes later, nothing is lost.|"
    "Our counters see many questions about it.|This has been so since the beginning."
)
# May follow a rule that names who may: some who may not.
LEFT_OUT: Final = split_list(
    "This leaves out {x} and {y}.|Not covered: {x}, {y}.|{x} or {y} will not do.|"
    "A question that we often hear: what about {x}? Unfortunately not.|"
    "Neither {x} nor {y} is enough.|We cannot make an exception for {x}."
)
GENERAL_FILLER: Final = split_list(
    "Requests are handled in the order in which they arrive.|You can send the form by mail or "
    "hand it in at any counter.|An answer takes {n} working days.|The head office is in {city}.|"
    "Prices include tax.|A reminder costs {m}.|More than {n} thousand people use it already.|"
    "You may change your mind within {n} days.|Calls are recorded for training.|"
    "The brochure has {n} pages and many pictures.|Bring an identity card to the appointment.|"
    "Our app shows every step of the request.|The terms were last revised {k} years ago.|"
    "A written contract is sent in two copies.|Changes of address are free.|"
    "The first {k} months are free of charge.|Afterwards the usual price of {m} applies.|"
    "Whoever brings a friend receives {m}.|Invoices are due within {n} days.|"
    "The service desk is closed on public holidays.|Details are in the small print on page {n}.|"
    "If something is unclear, ask before you sign.|Payment in {k} installments is possible.|"
    "The offer may be combined with others.|Please allow {k} weeks for delivery."
)

INTROS: Final = split_list(
    "{p} is one of our oldest offers.|With {p} you save time and money.|Here is what to know "
    "about {p}.|{p} was renewed this year.|Many people ask us about {p}.|Thank you for your "
    "interest in {p}.|This sheet sums up {p}.|{p} is simple.|About {p}|{p} in brief"
)
# Sentences with numbers and groups of people that are no condition.
DECOYS: Final = split_list(
    "The branch in {city} is open until six.|People over {age} get the forms in large print.|"
    "Children below {child} travel free of charge.|Our first customer was {job} from {city}.|"
    "Students may pay in {k} parts.|Staff will help you in {k} languages.|"
    "Customers from {country} receive mail in their own language.|For questions, call between 8 "
    "and {k2}.|Married couples may use one login.|Savings above {m2} are insured separately.|"
    "{k} out of ten customers renew.|The prospectus can be had in {city} and {city2}."
)
NO_CONDITION: Final = split_list(
    "It is open to everybody, without any condition.|No conditions: whoever asks gets it.|"
    "Anyone can have it.|It is the same for everyone, and nobody is turned away.|"
    "No requirements have to be met.|"
    "Come as you are: there is nothing to prove.|Young or old, rich or poor, all get it alike.|"
    "Just ask for it; we have no questions of our own.|There used to be conditions, and they are "
    "gone.|We turn nobody down."
)
RULE_HEADS: Final = split_list(
    "Conditions|Who can apply|Requirements|What we ask for|Admission|For whom|Is it for me?|"
    "Who is entitled?|Terms of admission|What do I have to fulfil?"
)
REST_HEADS: Final = split_list("Good to know|Costs and dates|Details|Further notes|Service")

# ---------------------------------------------------------------------------- messages

GREETINGS: Final = split_list(
    "Hello,|Hi,|Good morning,|Dear team,|Hi there!|Good evening.|Hey,|Dear Sir or Madam,|"
    "Hello there,|||||Greetings,"
)
QUESTIONS: Final = split_list(
    "Can I {do} the {p}?|Am I allowed to {do} the {p}?|Do I qualify for the {p}?|"
    "May I {do} the {p}?|Is the {p} possible for me?|Could I {do} the {p}?|"
    "Would you accept me for the {p}?|I would like to {do} the {p}. Is that possible?|"
    "Do I meet the conditions of the {p}?|What about the {p}, can I {do} it?|"
    "I'm interested in the {p}: can I {do} it?|Is the {p} open to me?|"
    "Please tell me if I can {do} the {p}.|Would it work for me to {do} the {p}?|"
    "Am I eligible for the {p}?|Am I entitled to the {p}?|Does the {p} apply to me?|"
    "Will I be given the {p}?|Would I get through with a request for the {p}?"
)
CLOSINGS: Final = split_list(
    "Thanks!|Kind regards|Best wishes|Thank you very much.|Cheers|Many thanks in advance.|"
    "||||Sincerely yours"
)
# Values that are not the customer's own answer to any rule.
ASIDES: Final = split_list(
    "My partner is {age}.|My brother lives in {city}.|I was born in {city}.|"
    "I used to live in {city}.|My rent is {m} a month.|My sister is {job}.|My neighbor has it "
    "already.|I love {hobby}.|My hobby is {hobby}.|We have {pet}.|My father was {job}.|"
    "I have an old policy with you, number {code}.|My mother is {age} and lives in {city}.|"
    "A colleague from {city} told me about it.|I paid {m} for the old one.|"
    "I spend my weekends {hobby}."
)
HOBBIES: Final = split_list("hiking|chess|sailing|pottery|running|gardening|singing|cycling")
PETS: Final = split_list("a dog|a cat|two cats|a parrot|a horse|goldfish")
