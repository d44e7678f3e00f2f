"""Documents made of products: limits drawn, rules read into conditions, a tail of details added."""

from __future__ import annotations

import random
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from privrag_fast.evaluation import wording
from privrag_fast.evaluation.dataset import Case, Condition, Document, Meaning
from privrag_fast.evaluation.personas import DOMAINS
from privrag_fast.evaluation.products import FAMILIES, Family, Product
from privrag_fast.evaluation.wording import Detail

COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document, with what questions about it are made of.

    Args:
        details: What it says beside the rules; they are the same for everybody.
    """

    document: Document
    product: Product
    family: Family
    details: tuple[Detail, ...]


def generate(seed: int) -> tuple[Sheet, ...]:
    """One sheet for each product, in their order."""
    return tuple(
        _sheet(product, family, random.Random(f"document {seed} {product.name}"))
        for family in FAMILIES
        for product in family.products
    )


def with_name(text: str, old: str, new: str) -> str:
    """A text about another product, however it writes the name."""
    return re.sub(re.escape(old), lambda _: new, text, flags=re.IGNORECASE)


def renamed(sheet: Sheet, asked: Sheet) -> Sheet:
    """The first one's rules and words under the name of the other's product."""
    name, document = asked.product.name, sheet.document
    return replace(
        sheet,
        document=replace(
            document,
            id=asked.document.id,
            title=name,
            text=with_name(document.text, sheet.product.name, name),
        ),
        product=replace(sheet.product, name=name, verb=asked.product.verb),
    )


def _sheet(product: Product, family: Family, rng: random.Random) -> Sheet:
    cases, otherwise = _cases(product.rules, rng)
    limits = _limits(cases, family.currency)
    core = _unwrap(_fill(textwrap.dedent(product.text), limits))
    details = _details(product, family, rng)
    tail = _fill(rng.choice(wording.TAILS[family.split]), {"institution": family.institution})
    said = " ".join(detail.sentence for detail in details)
    document = Document(
        id=f"{_slug(family.name)}/{_slug(product.name)}.md",
        title=product.name,
        text=f"# {product.name}\n\n{core}\n\n{tail}\n\n{said}\n",
        family=family.name,
        cases=cases,
        otherwise=otherwise,
    )
    return Sheet(document, product, family, details)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z]+", "-", name.lower().replace("'", ""))


def _fill(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: values[slot[1]], template)


def _unwrap(text: str) -> str:
    """Paragraphs and list items on one line each."""
    return re.sub(r"(?<!\n)\n *(?![\s|#*-]|\d\. )", " ", text.strip())


# --------------------------------------------------------------------------- rules


def _cases(rules: str, rng: random.Random) -> tuple[tuple[Case, ...], str]:
    cases: list[Case] = []
    for line in rules.strip().splitlines():
        conditions, _, outcome = line.partition("->")
        if not conditions.strip():
            return tuple(cases), outcome.strip()
        found = tuple(_condition(text, rng) for text in conditions.split(";"))
        cases.append(Case(found, outcome.strip() or "yes"))
    return tuple(cases), "no"


def _condition(text: str, rng: random.Random) -> Condition:
    attribute, operator, values = text.strip().split(" ", 2)
    if isinstance(DOMAINS[attribute], range):
        limits = tuple(int(rng.choice(choices.split("/"))) for choices in values.split())
        return Condition(attribute, operator, limits)
    return Condition(attribute, operator, tuple(values.split(", ")))


def _limits(cases: Sequence[Case], currency: str) -> dict[str, str]:
    """Slot -> a limit as documents write it."""
    seen: Counter[str] = Counter()
    limits: dict[str, str] = {}
    for condition in (c for case in cases for c in case.conditions):
        for value in condition.values:
            seen[condition.attribute] += 1
            number = seen[condition.attribute]
            slot = condition.attribute + (str(number) if number > 1 else "")
            limits[slot] = limit(condition.attribute, value, currency)
    return limits


def limit(attribute: str, value: Meaning, currency: str) -> str:
    """A value of a condition as documents write it."""
    if attribute in ("income", "savings", "debt"):
        return money(int(value), currency)
    if attribute == "children":
        return children(int(value))
    return str(value)


def money(amount: int, currency: str) -> str:
    """As documents write it: `CHF 60,000`, `£60,000`."""
    return f"£{amount:,}" if currency == "GBP" else f"{currency} {amount:,}"


def children(count: int) -> str:
    """`no children`, `one child`, `two children`."""
    return f"{COUNTS[count]} {'child' if count == 1 else 'children'}"


# --------------------------------------------------------------------------- details


def _details(product: Product, family: Family, rng: random.Random) -> tuple[Detail, ...]:
    chosen = rng.sample(wording.DETAILS[family.split], 3)
    return tuple(_detail(detail, product, family.currency, rng) for detail in chosen)


def _detail(detail: Detail, product: Product, currency: str, rng: random.Random) -> Detail:
    values = {"product": f"the {product.name}", **dict(_numbers(currency, rng))}
    return Detail(*(_fill(text, values) for text in detail.texts))


def _numbers(currency: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """What details may mention. None of it is a limit."""
    yield "days", str(rng.randint(5, 29))
    yield "weeks", str(rng.randint(3, 9))
    yield "fee", money(rng.choice((8, 12, 15, 18, 20, 25, 30, 45)), currency)
    yield "opens", str(rng.choice((7, 8, 9)))
    yield "closes", str(rng.choice((4, 5, 6)))
    yield "years", str(rng.choice((7, 8, 10, 12)))
    yield "line", f"{rng.randint(200, 899)} {rng.randint(10, 99)} {rng.randint(10, 99)}"
