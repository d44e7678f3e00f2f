"""Reference answers in three styles, and why an attribute is decisive or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from privrag_fast.evaluation import rules, surfaces, wording
from privrag_fast.evaluation.dataset import Case, Condition, Document, Meaning, Style
from privrag_fast.evaluation.documents import Sheet
from privrag_fast.evaluation.messages import Mention
from privrag_fast.evaluation.wording import Detail
from privrag_fast.types import says


def about_rules(
    sheet: Sheet, meanings: Mapping[str, Meaning], mentions: Sequence[Mention]
) -> dict[Style, str]:
    """Answers to a question that the document's rules decide."""
    return _RuleAnswers(sheet, meanings, mentions).by_style()


def verdicts(sheet: Sheet) -> dict[str, str]:
    """The bare verdict for each outcome of the document, in the order of its cases."""
    words, product = wording.REPLIES[sheet.family.split], sheet.product
    template = {"yes": words.yes, "no": words.no}
    outcomes = [*(case.outcome for case in sheet.document.cases), sheet.document.otherwise]
    return {
        outcome: _capital(
            (words.amount if product.what else template[outcome]).format(
                do=f"{product.verb} the {product.name}",
                what=f"the {product.what} of the {product.name}",
                outcome=outcome,
            )
        )
        for outcome in outcomes
    }


def about_detail(sheet: Sheet, detail: Detail) -> dict[Style, str]:
    """Answers to a question on something that is the same for everybody."""
    everybody = wording.REPLIES[sheet.family.split].everybody
    return {
        "verdict": detail.short,
        "reasoned": detail.answer,
        "explained": f"{detail.answer} {everybody}",
    }


def about_nothing(product: str, words: wording.Reply) -> dict[Style, str]:
    """Answers to a question on a product that no document covers."""
    verdict, reasoned, explained = (
        _capital(text.format(product=f"the {product}")) for text in words.silent
    )
    return {"verdict": verdict, "reasoned": reasoned, "explained": explained}


# --------------------------------------------------------------------------- rules


@dataclass(frozen=True, slots=True)
class _Step:
    """A case that was tried, with the conditions that the message speaks of."""

    conditions: tuple[Condition, ...]
    holds: bool


class _RuleAnswers:
    """The answers to one question: `by_style`."""

    def __init__(
        self, sheet: Sheet, meanings: Mapping[str, Meaning], mentions: Sequence[Mention]
    ) -> None:
        self._words = wording.REPLIES[sheet.family.split]
        self._currency = sheet.family.currency
        self._meanings = meanings
        self._document = sheet.document
        self._outcome = rules.outcome(sheet.document, meanings)
        self._mentions = {mention.attribute: mention for mention in mentions}
        self._slots = {
            "product": f"the {sheet.product.name}",
            "do": f"{sheet.product.verb} the {sheet.product.name}",
            "what": f"the {sheet.product.what} of the {sheet.product.name}",
            "outcome": self._outcome,
        }
        self._amount = bool(sheet.product.what)
        self._verdict = verdicts(sheet)[self._outcome]

    def by_style(self) -> dict[Style, str]:
        """Verdict alone; reasons without values; reasons with them."""
        so = self._fill(self._pick(self._words.so_yes, self._words.so_no, self._words.so_amount))
        return {
            "verdict": self._verdict,
            "reasoned": f"{self._reasoned()} {so}",
            "explained": f"{' '.join(self._explained())} {so}",
        }

    def _pick(self, yes: str, no: str, amount: str) -> str:
        return amount if self._amount else yes if self._outcome == "yes" else no

    def _fill(self, template: str, **slots: str) -> str:
        return _capital(template.format(**self._slots, **slots))

    # ------------------------------------------------------------------- what was tried

    def _steps(self) -> Iterator[_Step]:
        """Cases up to the one that holds; of a case that fails, what makes it fail."""
        for case in self._document.cases:
            given = tuple(c for c in case.conditions if c.attribute in self._mentions)
            failing = tuple(c for c in given if not self._holds(c))
            if self._case_holds(case):
                yield _Step(given, holds=True)
                return
            yield _Step(failing, holds=False)

    def _holds(self, condition: Condition) -> bool:
        return rules.holds(condition, self._meanings[condition.attribute])

    def _case_holds(self, case: Case) -> bool:
        return all(self._holds(condition) for condition in case.conditions)

    # ------------------------------------------------------------------- without values

    def _reasoned(self) -> str:
        said = self._reasons()
        if any(says(said, mention.value) for mention in self._mentions.values()):
            return self._bare_reasons()
        return said

    def _reasons(self) -> str:
        if len(self._document.cases) > 1:
            return self._case_reasons()
        [case] = self._document.cases
        needs = _listed([self._need(condition) for condition in case.conditions], "and")
        asks = self._fill(self._words.asks, needs=needs)
        failing = [c for c in self._spoken(case) if not self._holds(c)]
        if not failing:
            return f"{asks} {self._fill(self._words.given)}"
        return f"{asks} {self._fill(self._words.lacking, topics=_topics(failing, 'and'))}"

    def _bare_reasons(self) -> str:
        if len(self._document.cases) > 1:
            return self._case_reasons()
        [case] = self._document.cases
        failing = [c for c in self._spoken(case) if not self._holds(c)]
        words = self._words.all_lacking if failing else self._words.all_given
        return self._fill(words, topics=_topics(failing or case.conditions, "and"))

    def _case_reasons(self) -> str:
        *_, last = self._steps()
        if last.holds:
            return self._fill(self._words.applies, topics=_topics(last.conditions, "and"))
        tried = [condition for step in self._steps() for condition in step.conditions]
        return self._fill(self._words.none_applies, topics=_topics(tried, "or"))

    def _spoken(self, case: Case) -> list[Condition]:
        return [c for c in case.conditions if c.attribute in self._mentions]

    # ------------------------------------------------------------------- with values

    def _explained(self) -> Iterator[str]:
        w = self._words
        if len(self._document.cases) == 1:
            for condition in self._spoken(self._document.cases[0]):
                yield self._beside(w.met if self._holds(condition) else w.unmet, [condition])
            return
        for step in self._steps():
            if step.conditions:
                yield self._beside(w.case_met if step.holds else w.case_unmet, step.conditions)

    def _beside(self, template: str, conditions: Sequence[Condition]) -> str:
        needs = _listed([self._need(condition) for condition in conditions], "and")
        attributes = dict.fromkeys(condition.attribute for condition in conditions)
        own = _listed([self._own(self._mentions[a]) for a in attributes], "and")
        return self._fill(template, need=needs, own=own)

    def _own(self, mention: Mention) -> str:
        return wording.OWN[mention.slot].format(
            v=mention.value, a_v=surfaces.article(mention.value) + mention.value
        )

    def _need(self, condition: Condition) -> str:
        values = [
            surfaces.in_documents(condition.attribute, value, self._currency)
            for value in condition.values
        ]
        bound = self._words.bounds.get(condition.operator)
        if bound:
            limits = bound.format(**dict(zip("ab", values, strict=False)))
            alone = condition.attribute == "children"
            text = wording.NEEDS[condition.attribute]
            return text.format(l=limits.removeprefix("of ") if alone else limits)
        barred = condition.operator in ("none_of", "outside_country")
        table = wording.BARRED if barred else wording.NEEDS
        return table[condition.attribute].format(l=_listed(values, "or"))


# --------------------------------------------------------------------------- why


def why(document: Document, meanings: Mapping[str, Meaning], mention: Mention, money: str) -> str:
    """In one sentence, why an attribute that was mentioned is decisive or not."""
    attribute = mention.attribute
    if attribute not in rules.consulted(document):
        return "No rule of the document reads it."
    topic = wording.TOPICS[attribute]
    if turn := rules.flip(document, meanings, attribute):
        other, then = surfaces.noted(attribute, turn[0], money), turn[1]
        if attribute == "age":
            return f"At {other} instead of {mention.value} the outcome would be {then}."
        return f"Were the {topic} {other} instead of {mention.value}, the outcome would be {then}."
    return f"Whatever the {topic}, the outcome stays: {_settled_by(document, meanings, attribute)}."


def _settled_by(document: Document, meanings: Mapping[str, Meaning], attribute: str) -> str:
    others = sorted(rules.consulted(document) - {attribute})
    for other in others:
        if len(rules.outcomes(document, {other: meanings[other]})) == 1:
            return f"it is settled by the {wording.TOPICS[other]} alone"
    return f"it is settled by the {_listed([wording.TOPICS[other] for other in others], 'and')}"


# --------------------------------------------------------------------------- words


def _topics(conditions: Sequence[Condition], link: str) -> str:
    return _listed(list(dict.fromkeys(wording.TOPICS[c.attribute] for c in conditions)), link)


def _listed(items: Sequence[str], link: str) -> str:
    """`a`, `a or b`, `a, b or c`."""
    head = ", ".join(items[:-1])
    return f"{head} {link} {items[-1]}" if head else items[-1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
