"""The shipped small model: its drafts name what documents ask for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.models import SLM_FILE, locate
from privrag_fast.relevance.counterfactual import TRAINED, Counterfactual
from privrag_fast.training.rules_data import mentioned
from privrag_fast.types import Attribute, Hit, Passage
from privrag_fast.variants import Variants

pytestmark = pytest.mark.weights

SAVER = (
    "Senior Saver",
    "The Senior Saver account is for people who are at least 62 years old and live in "
    "Switzerland. It pays 1.2 % interest.",
)
CARD = ("Travel card", "The Travel card costs 40 a year. Cash abroad costs 3 %.")
HITS = [Hit(Passage(title, text, title), 1.0) for title, text in (SAVER, CARD)]


@pytest.fixture(scope="module")
def test() -> Iterator[Counterfactual]:
    model = LanguageModel(locate("slm")[SLM_FILE], options=LlamaOptions(n_threads=2))
    assert model.adapter
    yield Counterfactual(model)
    model.close()


def test_it_is_asked_as_it_was_trained(test: Counterfactual) -> None:
    assert test._options is TRAINED


@pytest.mark.parametrize(
    ("message", "values", "named", "others", "comes_out"),
    [
        (
            "I'm Laura Meier, 67, a retired nurse from Zurich, divorced with two children. I have "
            "diabetes. Can I open the Senior Saver account?",
            {"AGE": "67", "OCCUPATION": "retired nurse", "LOCATION": "Zurich", "CHILDREN": "two"},
            ("67", "Zurich", "62"),
            ("Laura", "nurse", "divorced", "two", "diabetes"),
            {": met": 2, ": not met": 0},
        ),
        (
            "I am 58, married, from Oslo, and I earn 54,000 a year. May I open the Senior Saver "
            "account?",
            {"AGE": "58", "MARITAL_STATUS": "married", "LOCATION": "Oslo", "INCOME": "54,000"},
            ("58", "Oslo", "62"),
            ("married", "54,000"),
            {": met": 0, ": not met": 2},
        ),
        (
            "I'm a baker from Bern, 41. What does the Travel card cost?",
            {"OCCUPATION": "baker", "LOCATION": "Bern", "AGE": "41"},
            ("40",),
            ("Bern", "41"),
            {": met": 0, ": not met": 0},
        ),
        (
            "I'm 30, from Basel. Can I get the Gold Mortgage?",
            {"AGE": "30", "LOCATION": "Basel"},
            ("do not say",),
            ("30", "Basel"),
            {": met": 0, ": not met": 0},
        ),
    ],
)
def test_drafts(
    test: Counterfactual,
    message: str,
    values: dict[str, str],
    named: tuple[str, ...],
    others: tuple[str, ...],
    comes_out: dict[str, int],
) -> None:
    draft = test.draft(variants(message, values).text(), HITS)
    assert all(value in draft for value in named)
    assert not any(value in draft for value in others)
    assert {words: draft.count(words) for words in comes_out} == comes_out


def test_what_it_names_has_influence(test: Counterfactual) -> None:
    message = "I am 67, divorced, from Zurich. Can I open the Senior Saver account?"
    texts = variants(message, {"AGE": "67", "MARITAL_STATUS": "divorced", "LOCATION": "Zurich"})
    age, status, _ = attributes_of(
        message, {"AGE": "67", "MARITAL_STATUS": "divorced", "LOCATION": "Zurich"}
    )
    told = [texts.text(), texts.text((age, "41")), texts.text((status, "married"))]
    original, other_age, other_status = test.score(
        told, HITS, test.draft(told[0], HITS)
    ).log_likelihood
    assert original - other_age > 2
    assert abs(original - other_status) < 0.5


def attributes_of(message: str, values: dict[str, str]) -> list[Attribute]:
    return list(mentioned(message, values.items()))


def variants(message: str, values: dict[str, str]) -> Variants:
    return Variants(message, attributes_of(message, values), HITS, notes=True)
