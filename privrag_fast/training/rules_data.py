"""Lessons for the small language model: documents with rules, and customers who ask about them.

A lesson is a set of passages about invented products and several questions on them, so that the
same documents are read for different customers and products. Every word comes from
`privrag_fast.training.rules_phrases` and a seed. Needs no torch.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from privrag_fast.training import rules_phrases as words
from privrag_fast.training.rules_phrases import FactWords, split_list
from privrag_fast.types import Attribute, Entity, says

# --------------------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a customer says about himself or herself.

    Args:
        kind: `age`, `home`, `income` ...
        value: The words of the message.
        meaning: What rules compare: a number, or a member of a list.
        met: Whether the rule that reads it holds; None where none does.
    """

    kind: str
    value: str
    meaning: int | str
    decisive: bool = False
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A message about one product.

    Args:
        answers: What may be said to it: the reasons first; sometimes also the verdict first.
        facts: Everything that the message says about the customer; decisive ones are read by
            the product's rules.
        verdict: None where the documents do not say.
        attributes: What detection is to find in the message.
    """

    message: str
    product: str
    answers: tuple[str, ...]
    facts: tuple[Fact, ...]
    verdict: bool | None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """Passages, each a title and a text, and questions about them."""

    passages: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class LessonOptions:
    """Proportions of the lessons.

    Args:
        questions: Questions of a lesson.
        max_passages: Most passages of a lesson.
        verdict_first: Share of questions that have a verdict-first answer as well.
        absent: Share of questions about a product that no passage is about.
        silent: Share of products whose passages state no rule.
        open: Share of products that have no condition.
        met: Chance of each single condition to be met.
        barred: Share of lists that name who may not, where both make sense.
    """

    questions: int = 4
    max_passages: int = 5
    verdict_first: float = 0.43
    absent: float = 0.1
    silent: float = 0.07
    open: float = 0.05
    met: float = 0.74
    barred: float = 0.3


# --------------------------------------------------------------------------- rules


@dataclass(frozen=True, slots=True)
class _Rule:
    """One condition, with all that is ever said about it."""

    kind: str
    sentence: str
    cell: tuple[str, str]
    needs: str
    who: str
    met: str
    unmet: str
    holds: Callable[[int | str], bool]

    @property
    def fact(self) -> str:
        """The kind of fact that it reads."""
        return _fact_kind(self.kind)


@dataclass(frozen=True, slots=True)
class _Product:
    """Something to apply for. `rules` is None where the documents keep silent about them."""

    name: str
    verbs: tuple[str, ...]
    filler: tuple[str, ...]
    rules: tuple[_Rule, ...] | None


_COUNTRY_OF: Final = {
    city: country for country, cities in words.COUNTRIES.items() for city in split_list(cities)
}
_DATES: Final = ("license", "joined", "moved", "leaving")
_CONFLICTS: Final = (
    {"leaving", "status"},
    {"joined", "tenure"},
    {"occupation", "status"},
    {"employer", "status"},
    {"workload", "status"},
    {"children", "child_age"},
)
_FACT_WORDS: Final[dict[str, FactWords]] = {
    **{kind: w.fact for kind, w in words.NUMBERS.items()},
    **{kind: w.fact for kind, w in words.LISTS.items() if kind not in ("country", "city")},
    "home": words.LISTS["country"].fact,
}
# Before these, "A and B" means either.
_COLLECTIVE: Final = re.compile(r"(residents|cities|people|staff|alone|admitted).{0,8}\{l\}", re.I)
_LABELS: Final = {
    **{"home": "LOCATION", "status": "OCCUPATION", "marital": "MARITAL_STATUS"},
    **{"savings": "MONEY", "amount": "MONEY", "tenure": "DURATION", "child_age": "AGE"},
    **dict.fromkeys(_DATES, "DATE"),
}
_KINDS: Final = (*words.NUMBERS, *words.LISTS)
# What people mention unasked, and what rules ask for.
_COMMON: Final[dict[str, float]] = {
    "age": 3.0,
    "home": 3.0,
    "occupation": 3.0,
    "income": 2.0,
    "marital": 2.0,
    "children": 2.0,
}
_WEIGHTS: Final = [
    {"age": 5.0, "country": 4.0, "income": 3.0, **dict.fromkeys(_DATES, 0.6)}.get(kind, 1.4)
    for kind in _KINDS
]


def _fact_kind(kind: str) -> str:
    return "home" if kind in ("country", "city") else kind


def _compatible(kind: str, others: Sequence[str]) -> bool:
    return kind not in others and not any(
        kind in pair and other in pair for pair in _CONFLICTS for other in others
    )


class LessonGenerator:
    """Endless lessons from a seed.

    Args:
        seed: Same seed, same lessons.
        dev: Use the held-out phrasings and product names, which training never sees.
    """

    def __init__(
        self, seed: int, *, dev: bool = False, options: LessonOptions | None = None
    ) -> None:
        self._rng = random.Random(seed)
        self._dev = dev
        self._options = options or LessonOptions()
        self._currency = words.CURRENCIES[0]

    def generate(self, count: int) -> list[Lesson]:
        """The next lessons."""
        return [self._lesson() for _ in range(count)]

    def _lesson(self) -> Lesson:
        self._currency = self._rng.choice(words.CURRENCIES)
        products = self._products()
        passages = self._passages(products)
        questions = [self._question(products) for _ in range(self._options.questions)]
        return Lesson(tuple(passages), tuple(questions))

    # ------------------------------------------------------------------- choice

    def _pick(self, items: str | Sequence[str]) -> str:
        """One item; of a list of five or more, every fifth is for the development set."""
        choices = split_list(items) if isinstance(items, str) else items
        if len(choices) >= 5:
            held_out = choices[4::5]
            choices = held_out if self._dev else [c for c in choices if c not in held_out]
        return self._rng.choice(choices)

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    # ------------------------------------------------------------------- products

    def _products(self) -> list[_Product]:
        """One to four products; half of the sets are look-alikes that share a word."""
        rng = self._rng
        shared = self._pick(words.FIRST_WORDS) if self._chance(0.5) else ""
        names: dict[str, words.Family] = {}
        for _ in range(rng.choices((1, 2, 3, 4), (2, 4, 3, 1))[0]):
            name, family = self._name(shared)
            names.setdefault(name, family)
        return [self._product(name, family) for name, family in names.items()]

    def _name(self, shared: str = "") -> tuple[str, words.Family]:
        family = self._rng.choice(words.FAMILIES)
        noun = self._rng.choice(split_list(family.nouns))
        name = f"{shared or self._pick(words.FIRST_WORDS)} {noun}"
        if self._chance(0.25):
            name += f" {self._pick(words.SECOND_WORDS)}"
        return name, family

    def _product(self, name: str, family: words.Family) -> _Product:
        draw = self._rng.random()
        rules: tuple[_Rule, ...] | None = None
        if draw < self._options.open:
            rules = ()
        elif draw > self._options.silent + self._options.open:
            rules = tuple(self._rules())
        return _Product(name, split_list(family.verbs), split_list(family.filler), rules)

    def _rules(self) -> Iterator[_Rule]:
        wanted = self._rng.choices((1, 2, 3), (3, 5, 2))[0]
        facts: list[str] = []
        while len(facts) < wanted:
            [kind] = self._rng.choices(_KINDS, _WEIGHTS)
            if _compatible(_fact_kind(kind), facts):
                facts.append(_fact_kind(kind))
                yield self._number_rule(kind) if kind in words.NUMBERS else self._list_rule(kind)

    def _number_rule(self, kind: str) -> _Rule:
        w = words.NUMBERS[kind]
        case = self._rng.choices((0, 1, 2), (5, 3, 3))[0]  # at least, at most, between
        low, high = self._limits(kind)
        limit, second = (high if case == 1 else low), high
        style = self._rng.randrange(3)
        a, b = self._limit_text(kind, limit, style), self._limit_text(kind, second, style)
        if kind == "children":
            a, b = _children(a, alone=case != 2), _children(b, alone=True)

        def fill(text: str) -> str:
            return text.format(a=a, b=b, s=self._pick(words.SUBJECTS), p="")

        def holds(meaning: int | str) -> bool:
            value = int(meaning)
            return (case == 1 or value >= low) and (case == 0 or value <= high)

        return _Rule(
            kind=kind,
            sentence=fill(self._pick((w.at_least, w.at_most, w.between)[case])),
            cell=(self._pick(w.label), fill(self._pick(w.cell[case]))),
            needs=w.needs[case].format(a=a, b=b),
            who=fill(self._pick(w.who[case])),
            met=fill(self._pick(w.met[case])),
            unmet=fill(self._pick(w.unmet[case])),
            holds=holds,
        )

    def _limits(self, kind: str) -> tuple[int, int]:
        """A lower and an upper limit that some facts pass and others do not."""
        rng = self._rng
        if kind == "age":
            low = rng.choice((16, 18, 21, 25, 30, 40, 50, 55, 60, 62, 65, rng.randint(16, 72)))
            return low, min(90, low + rng.randint(4, 25))
        if kind in ("income", "savings", "amount"):
            step = 500 if kind == "amount" else 1000
            low = step * rng.choice((rng.randint(8, 60), rng.randint(20, 120), 10, 20, 50, 100))
            return low, low + step * rng.randint(8, 80)
        if kind == "children":
            low = rng.randint(1, 3)
            return low, rng.randint(low + 1, 4)
        if kind in _DATES:
            low = rng.randint(2004, 2022)
            return low, low + rng.randint(1, 4)
        if kind == "workload":
            low = 10 * rng.randint(3, 8)
            return low, min(100, low + 10 * rng.randint(1, 4))
        low = rng.randint(2, 12)
        return low, low + rng.randint(2, 5)

    def _limit_text(self, kind: str, value: int, style: int) -> str:
        if kind in ("income", "savings", "amount"):
            code, unit, _ = self._currency
            return f"{value:,} {unit}" if style == 0 else f"{code} {value:,}"
        return words.COUNTS[value] if kind == "children" else str(value)

    def _list_rule(self, kind: str) -> _Rule:
        w = words.LISTS[kind]
        names = self._members(kind)
        barred = bool(w.barred) and self._chance(self._options.barred)
        joint = " and " if self._chance(0.3) else " or "

        def fill(text: str, link: str = " or ") -> str:
            return text.format(
                l=_joined(names, link), s=self._pick(words.SUBJECTS), c="{c}", v="{v}"
            )

        sentence = self._pick(w.barred if barred else w.only)
        collective = _COLLECTIVE.search(sentence)
        left_out = "" if barred else self._left_out(kind, names)
        table = self._pick(w.label)
        return _Rule(
            kind=kind,
            sentence=fill(sentence, joint if collective else " or ") + left_out,
            cell=(f"{table} (excluded)" if barred else table, ", ".join(names)),
            needs=fill(w.needs_barred if barred else w.needs),
            who=fill(self._pick(w.who_barred if barred else w.who)),
            met=fill(self._pick(w.met_barred if barred else w.met)),
            unmet=fill(self._pick(w.unmet_barred if barred else w.unmet)),
            holds=lambda meaning: (_as_member(kind, meaning) in names) != barred,
        )

    def _left_out(self, kind: str, named: Sequence[str]) -> str:
        """A sentence on some who are not on the list."""
        pool = words.COUNTRIES if kind == "country" else words.MEMBERS.get(kind, ())
        others = [name for name in pool if name not in named]
        if len(others) < 2 or not self._chance(0.25):
            return ""
        x, y = self._rng.sample(others, 2)
        return " " + _capital(self._pick(words.LEFT_OUT).format(x=x, y=y))

    def _members(self, kind: str) -> list[str]:
        rng = self._rng
        if kind == "gender":
            return [rng.choice(words.MEMBERS[kind])]
        if kind == "country":
            return rng.sample(list(words.COUNTRIES), rng.choices((1, 2, 3, 4), (4, 4, 2, 1))[0])
        if kind == "city":
            country = rng.choice([c for c, t in words.COUNTRIES.items() if len(split_list(t)) > 3])
            return rng.sample(split_list(words.COUNTRIES[country]), rng.randint(1, 4))
        most = 4 if kind in ("occupation", "nationality", "employer") else 2
        return rng.sample(words.MEMBERS[kind], rng.randint(1, most))

    # ------------------------------------------------------------------- passages

    def _passages(self, products: Sequence[_Product]) -> list[tuple[str, str]]:
        needed, spare = [], []
        for product in products:
            ruled, rest = self._texts(product)
            needed += [(product.name, text) for text in ruled]
            spare += [(product.name, text) for text in rest]
        room = max(0, self._options.max_passages - len(needed))
        passages = needed + spare[:room]
        self._rng.shuffle(passages)
        return passages

    def _texts(self, product: _Product) -> tuple[list[str], list[str]]:
        """The passages that state the rules, and others about the same product."""
        filler = self._filler(product, self._rng.randint(1, 6))
        if product.rules is None:
            return [self._intro(product) + " ".join(filler)], []
        if not product.rules:
            return [self._intro(product) + " ".join([self._pick(words.NO_CONDITION), *filler])], []
        layout = self._rng.random()
        if layout < 0.15 and len(product.rules) > 1:
            first, *others = product.rules
            texts = [self._conditions(product, rules) for rules in ((first,), tuple(others))]
            return [self._intro(product) + texts[0], texts[1]], [" ".join(filler)]
        conditions = self._conditions(product, product.rules)
        if layout < 0.45:
            return [self._intro(product) + conditions], [" ".join(filler)]
        return [self._intro(product) + self._mixed(conditions, filler)], []

    def _mixed(self, conditions: str, filler: Sequence[str]) -> str:
        """Conditions among filler."""
        at = self._rng.randint(0, len(filler))
        gap = "\n" if "\n" in conditions else self._rng.choice((" ", " ", "\n"))
        parts = (" ".join(filler[:at]), conditions, " ".join(filler[at:]))
        return gap.join(part for part in parts if part)

    def _intro(self, product: _Product) -> str:
        if self._chance(0.35):
            return ""
        text = _capital(self._pick(words.INTROS).format(p=f"the {product.name}"))
        return text + ("\n" if text[-1] != "." else self._rng.choice((" ", "\n")))

    def _conditions(self, product: _Product, rules: Sequence[_Rule]) -> str:
        aside = self._irrelevant(rules) if self._chance(0.45) else ""
        head = self._pick(words.RULE_HEADS)
        layout = self._rng.choices(("prose", "combined", "list", "table"), (5, 4, 2, 2))[0]
        if layout in ("prose", "combined"):
            text = self._combined(product, rules) if layout == "combined" else self._prose(rules)
            start = f"{head}\n" if self._chance(0.3) else ""
            return start + " ".join(filter(None, [text, aside]))
        mark = self._rng.choice(("- ", "* ", "", "• "))
        rows = [mark + rule.sentence for rule in rules]
        if layout == "table":
            link = self._rng.choice((" | ", ": ", " .... ", " - "))
            rows = [link.join(rule.cell) for rule in rules]
        elif self._chance(0.3):
            rows = [f"{i}. {rule.sentence}" for i, rule in enumerate(rules, 1)]
        return "\n".join([head, *rows, *([aside] if aside else [])])

    def _prose(self, rules: Sequence[_Rule]) -> str:
        """A sentence each, sometimes with a word on it."""
        texts = [
            rule.sentence + (f" {self._pick(words.ELABORATIONS)}" if self._chance(0.25) else "")
            for rule in rules
        ]
        return " ".join(texts)

    def _combined(self, product: _Product, rules: Sequence[_Rule]) -> str:
        """All rules in one sentence."""
        who = _joined(
            [rule.who for rule in rules], self._rng.choice((" and ", " and ", " and who "))
        )
        return _capital(self._pick(words.COMBINED).format(p=f"the {product.name}", w=who))

    def _irrelevant(self, rules: Sequence[_Rule]) -> str:
        used = {rule.fact for rule in rules}
        kinds = [kind for kind in words.TOPICS if _fact_kind(kind) not in used]
        chosen = self._rng.sample(kinds, self._rng.randint(2, 4))
        topics = _joined([self._rng.choice(split_list(words.TOPICS[k])) for k in chosen], " and ")
        return _capital(self._pick(words.IRRELEVANT).format(t=topics))

    def _filler(self, product: _Product, count: int) -> list[str]:
        pools = self._rng.choices((product.filler, words.GENERAL_FILLER), (1, 1), k=count)
        texts = [self._pick(pool) for pool in pools]
        if self._chance(0.4):
            texts[-1] = self._pick(words.DECOYS)
        return [self._fill(text) for text in dict.fromkeys(texts)]

    def _fill(self, text: str) -> str:
        """Any other number, place or thing."""
        rng = self._rng
        k = rng.randint(2, 6)
        return text.format(
            n=rng.randint(7, 90),
            k=k,
            k2=k + 6,
            m=self._money_text(rng.randint(2, 240)),
            m2=self._money_text(1000 * rng.randint(20, 200)),
            age=rng.randint(20, 85),
            child=rng.randint(3, 15),
            city=rng.choice(list(_COUNTRY_OF)),
            city2=rng.choice(list(_COUNTRY_OF)),
            country=rng.choice(list(words.COUNTRIES)),
            job=rng.choice(words.MEMBERS["occupation"]),
            hobby=rng.choice(words.HOBBIES),
            pet=rng.choice(words.PETS),
            code=rng.randint(10000, 99999),
        )

    # ------------------------------------------------------------------- facts

    def _fact(self, kind: str, *, as_country: bool = False) -> Fact:
        rng = self._rng
        if kind == "home":
            place = rng.choice(list(words.COUNTRIES if as_country else _COUNTRY_OF))
            return Fact(kind, place, place)
        if kind == "children":
            value = rng.choice(list(words.CHILDREN))
            return Fact(kind, value, words.CHILDREN[value])
        if kind in words.NUMBERS:
            return self._number_fact(kind)
        member = rng.choice(words.MEMBERS[kind])
        others = words.SYNONYMS.get(member)
        value = rng.choice(split_list(others)) if others and self._chance(0.35) else member
        return Fact(kind, value, member)

    def _number_fact(self, kind: str) -> Fact:
        rng = self._rng
        if kind == "age":
            number = rng.randint(16, 88)
            return Fact(kind, str(number), number)
        if kind == "income":
            return self._income()
        if kind in ("savings", "amount"):
            number = 500 * rng.choice((rng.randint(4, 80), rng.randint(20, 300)))
            return Fact(kind, self._money_text(number), number)
        if kind in _DATES:
            number = rng.randint(2000, 2026)
            return Fact(kind, self._date_text(number), number)
        if kind == "workload":
            number = 10 * rng.randint(2, 10)
            return Fact(kind, f"{number}{rng.choice((' percent', '%', ' %'))}", number)
        number = rng.randint(1, 17)
        if kind == "tenure":
            return Fact(kind, "1 year" if number == 1 else f"{number} years", number)
        return Fact(kind, str(number), number)

    def _income(self) -> Fact:
        rng = self._rng
        if self._chance(0.25):
            monthly = 50 * rng.randint(16, 200)
            text = self._money_text(monthly) + rng.choice((" a month", " per month", " monthly"))
            return Fact("income", text, 12 * monthly)
        yearly = 500 * rng.randint(18, 300)
        text = self._money_text(yearly)
        return Fact(
            "income", text + rng.choice((" a year", " per year", " yearly", "", "")), yearly
        )

    def _money_text(self, number: int) -> str:
        rng = self._rng
        code, unit, signs = self._currency
        if number % 1000 == 0 and self._chance(0.2):
            return f"{number // 1000}k"
        digits = rng.choice(
            (f"{number:,}", f"{number:,}", str(number), f"{number:,}".replace(",", "'"))
        )
        return rng.choice((f"{rng.choice(signs)}{digits}", f"{digits} {unit}", f"{digits} {code}"))

    def _date_text(self, year: int) -> str:
        month = self._rng.choice(split_list("January|March|April|June|July|October|November"))
        return self._rng.choice((str(year), str(year), f"{month} {year}"))

    def _fact_for(self, rule: _Rule) -> Fact:
        """A fact that meets the rule, or does not, by chance."""
        wanted = self._chance(self._options.met)
        fact = self._fact(rule.fact)
        for _ in range(300):
            if rule.holds(fact.meaning) == wanted:
                break
            named = rule.kind == "country" and self._chance(0.12)
            fact = self._fact(rule.fact, as_country=named)
        return replace(fact, decisive=True, met=rule.holds(fact.meaning))

    # ------------------------------------------------------------------- questions

    def _question(self, products: Sequence[_Product]) -> Question:
        """A question whose answer names no fact but those that the rules read."""
        while True:
            question = self._try_question(products)
            if _is_clean(question):
                return question

    def _try_question(self, products: Sequence[_Product]) -> Question:
        product = self._rng.choice(products)
        if self._chance(self._options.absent):
            name, family = self._name(products[0].name.split()[0] if self._chance(0.5) else "")
            if name not in {p.name for p in products}:
                product = replace(self._product(name, family), rules=None)
        facts = [self._fact_for(rule) for rule in product.rules or ()]
        verb = self._pick(product.verbs)
        answers, verdict = self._answers(product, facts, verb)
        everything = facts + self._distractors(facts)
        self._rng.shuffle(everything)
        message = self._message(everything, product.name, verb)
        values = [(_LABELS.get(own.kind, own.kind.upper()), own.value) for own in everything]
        return Question(
            message=message,
            product=product.name,
            answers=answers,
            facts=tuple(everything),
            verdict=verdict,
            attributes=tuple(mentioned(message, values)),
        )

    def _distractors(self, facts: Sequence[Fact]) -> list[Fact]:
        wanted = self._rng.randint(max(4, len(facts) + 2), 9) - len(facts)
        added: list[Fact] = []
        chances = {k: self._rng.random() ** (1 / _COMMON.get(k, 0.7)) for k in _FACT_WORDS}
        for kind in sorted(chances, key=chances.__getitem__, reverse=True):
            taken = [fact.kind for fact in (*facts, *added)]
            if len(added) < wanted and _compatible(kind, taken):
                added.append(self._aside_job() if kind == "occupation" else self._fact(kind))
        return added

    def _aside_job(self) -> Fact:
        """A job that no rule reads; "a retired nurse" would be hard to judge."""
        fact = self._fact("occupation")
        if fact.value != fact.meaning or not self._chance(0.3):
            return fact
        prefix = self._rng.choice(("retired", "former", "part-time", "self-employed", "trained"))
        return replace(fact, value=f"a {prefix} {fact.value.split(' ', 1)[1]}")

    # ------------------------------------------------------------------- answers

    def _answers(
        self, product: _Product, facts: Sequence[Fact], verb: str
    ) -> tuple[tuple[str, ...], bool | None]:
        do, name = f"{verb} the {product.name}", f"The {product.name}"
        if product.rules is None:
            text = f"The documents do not say what the {product.name} needs."
            return (f"{text} So it is open whether you can {verb} it.",), None
        if not product.rules:
            text = f"{name} needs nothing in particular: it is open to everyone."
            return (f"{text} So yes, you can {do}.",), True
        pairs = list(zip(product.rules, facts, strict=True))
        verdict = all(rule.holds(fact.meaning) for rule, fact in pairs)
        so = f"So yes, you can {do}." if verdict else f"So no, you cannot {do}."
        reasons_first = " ".join([*(self._beside(rule, fact) for rule, fact in pairs), so])
        if not self._chance(self._options.verdict_first):
            return (reasons_first,), verdict
        return (reasons_first, self._verdict_first(pairs, verdict, do)), verdict

    def _beside(self, rule: _Rule, fact: Fact) -> str:
        """What a rule asks for, and at once the customer's own value: both are near to copy."""
        link = "and" if rule.holds(fact.meaning) else "but"
        return f"It takes {rule.needs}, {link} you {self._own(rule, fact)}."

    def _own(self, rule: _Rule, fact: Fact) -> str:
        """The customer's own value as it continues "you"."""
        text = split_list(_FACT_WORDS[fact.kind].own)[0].format(v=fact.value)
        if rule.kind == "country" and fact.value in _COUNTRY_OF:
            return f"{text}, which is in {_COUNTRY_OF[fact.value]}"
        return text

    def _verdict_first(self, pairs: Sequence[tuple[_Rule, Fact]], verdict: bool, do: str) -> str:
        parts = [
            (rule.met if verdict else rule.unmet).replace("{v}", fact.value)
            .replace("{c}", _COUNTRY_OF.get(fact.value, fact.value))
            for rule, fact in pairs
            if verdict or not rule.holds(fact.meaning)
        ]  # fmt: skip
        why = _joined(parts, " and ")
        start = f"Yes, you can {do}" if verdict else f"No, you cannot {do}"
        return self._rng.choice(
            (f"{start}, because {why}.", f"{start}: {why}.", f"{start}, as {why}.")
        )

    # ------------------------------------------------------------------- messages

    def _message(self, facts: Sequence[Fact], product: str, verb: str) -> str:
        shown = product.lower() if self._chance(0.2) else product
        question = self._pick(words.QUESTIONS).format(p=shown, do=verb)
        asides = [
            self._fill(self._pick(words.ASIDES)) for _ in range(self._rng.choice((0, 0, 1, 2)))
        ]
        style = self._rng.choices((self._form, self._run, self._told), (2, 4, 4))[0]
        text = style(facts, question, asides)
        if self._chance(0.15):
            text = _lowered(text, [fact.value for fact in facts])
        return text.strip()

    def _form(self, facts: Sequence[Fact], question: str, asides: Sequence[str]) -> str:
        link = self._rng.choice((": ", ": ", " - ", "="))
        rows = [link.join((self._pick(_FACT_WORDS[f.kind].label), f.value)) for f in facts]
        if self._chance(0.6):
            rows.insert(0, link.join(("Name", self._person())))
        end = self._rng.choice(("\n", "\n", "; ", ", "))
        return f"{end.join(rows)}\n{' '.join(asides)} {question}"

    def _run(self, facts: Sequence[Fact], question: str, asides: Sequence[str]) -> str:
        """One sentence that lists much, then the rest in sentences of their own."""
        at = self._rng.randint(2, len(facts))
        parts = [self._pick(_FACT_WORDS[f.kind].fragment).format(v=f.value) for f in facts[:at]]
        start = "I am"
        if self._chance(0.7):
            parts.insert(0, self._person())
            start = self._rng.choice(("I am", "I'm", "this is"))
        listed = _joined(parts, " and ") if self._chance(0.6) else ", ".join(parts)
        opening = f"{self._pick(words.GREETINGS)} {start} "
        rest = [*self._sentences(facts[at:]), *asides]
        self._rng.shuffle(rest)
        return self._around(f"{opening.lstrip()}{listed}.", rest, question)

    def _told(self, facts: Sequence[Fact], question: str, asides: Sequence[str]) -> str:
        rest = [*self._sentences(facts), *asides]
        self._rng.shuffle(rest)
        opening = self._pick(words.GREETINGS)
        if self._chance(0.4):
            opening += f" My name is {self._person()}."
        return self._around(opening, rest, question)

    def _around(self, opening: str, rest: Sequence[str], question: str) -> str:
        opening = _capital(opening.strip())
        closing = self._pick(words.CLOSINGS)
        if self._chance(0.15):
            return " ".join(filter(None, [question, opening, *rest]))
        return " ".join(filter(None, [opening, *rest, question, closing]))

    def _sentences(self, facts: Sequence[Fact]) -> list[str]:
        """A sentence each, some of them joined."""
        texts = [self._pick(_FACT_WORDS[f.kind].sentence).format(v=f.value) for f in facts]
        joined: list[str] = []
        for text in texts:
            if joined and joined[-1].endswith(".") and text.startswith("I ") and self._chance(0.3):
                joined[-1] = f"{joined[-1][:-1]}{self._rng.choice((' and ', ', and ', ', '))}{text}"
            else:
                joined.append(text)
        return joined

    def _person(self) -> str:
        return f"{self._rng.choice(words.FIRST_NAMES)} {self._rng.choice(words.LAST_NAMES)}"


# --------------------------------------------------------------------------- text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _as_member(kind: str, meaning: int | str) -> str:
    return _COUNTRY_OF.get(str(meaning), str(meaning)) if kind == "country" else str(meaning)


def _children(count: str, *, alone: bool) -> str:
    """A count with its noun, but for the first of "two to four children"."""
    return count + ("" if not alone else " child" if count == "one" else " children")


def _joined(parts: Sequence[str], link: str) -> str:
    return ", ".join(parts[:-1]) + link + parts[-1] if len(parts) > 1 else "".join(parts)


def _lowered(text: str, values: Sequence[str]) -> str:
    """Lower case but for the values."""
    keep = re.compile("|".join(re.escape(v) for v in sorted(values, key=len, reverse=True)))
    parts, end = [], 0
    for match in keep.finditer(text):
        parts += [text[end : match.start()].lower(), match[0]]
        end = match.end()
    return "".join(parts) + text[end:].lower()


def mentioned(message: str, values: Iterable[tuple[str, str]]) -> Iterator[Attribute]:
    """Labels and values as the attributes that detection is to find."""
    for number, (label, value) in enumerate(values):
        found = re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", message)
        mentions = tuple(Entity(*match.span(), label) for match in found)
        yield Attribute(label, value, f"[{label}_{number}]", mentions)


def _is_clean(question: Question) -> bool:
    """Each value stands once in the message; the reasons name the decisive ones and no other."""
    for fact in question.facts:
        found = re.findall(rf"(?<!\w){re.escape(fact.value)}(?!\w)", question.message)
        if len(found) != 1 or says(question.answers[0], fact.value) != fact.decisive:
            return False
        if not fact.decisive and any(says(answer, fact.value) for answer in question.answers):
            return False
    return True
