"""Rules once more, as slowly and plainly as can be."""

from __future__ import annotations

from collections.abc import Mapping

from privrag_fast.evaluation.dataset import Document, Meaning
from privrag_fast.evaluation.personas import COUNTRY_OF


def slow_outcome(document: Document, who: Mapping[str, Meaning]) -> str:
    for case in document.cases:
        for condition in case.conditions:
            own, values = who[condition.attribute], condition.values
            if condition.operator == "in_country":
                passed = any(COUNTRY_OF[str(own)] == country for country in values)
            elif condition.operator == "outside_country":
                passed = all(COUNTRY_OF[str(own)] != country for country in values)
            else:
                passed = {
                    "at_least": lambda m, v: not m < v[0],
                    "at_most": lambda m, v: not m > v[0],
                    "above": lambda m, v: not m <= v[0],
                    "below": lambda m, v: not m >= v[0],
                    "between": lambda m, v: m in range(v[0], v[1] + 1),
                    "equals": lambda m, v: m == v[0],
                    "one_of": lambda m, v: any(m == value for value in v),
                    "none_of": lambda m, v: all(m != value for value in v),
                }[condition.operator](own, values)
            if not passed:
                break
        else:
            return case.outcome
    return document.otherwise
