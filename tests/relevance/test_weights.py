"""The shipped small model: its drafts name what documents ask for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.models import SLM_FILE, locate
from privrag_fast.relevance.counterfactual import TRAINED, Counterfactual
from privrag_fast.types import Hit, Passage

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
    ("message", "named", "others"),
    [
        (
            "I'm Laura Meier, 67, a retired nurse from Zurich, divorced with two children. I have "
            "diabetes. Can I open the Senior Saver account?",
            ("67", "Zurich", "62"),
            ("Laura", "nurse", "divorced", "two", "diabetes"),
        ),
        (
            "I am 58, married, from Oslo, and I earn 54,000 a year. May I open the Senior Saver "
            "account?",
            ("58", "Oslo", "62"),
            ("married", "54,000"),
        ),
        ("I'm a baker from Bern, 41. What does the Travel card cost?", ("40",), ("Bern", "41")),
        ("I'm 30, from Basel. Can I get the Gold Mortgage?", ("do not say",), ("30", "Basel")),
    ],
)
def test_drafts(
    test: Counterfactual, message: str, named: tuple[str, ...], others: tuple[str, ...]
) -> None:
    draft = test.draft(message, HITS)
    assert all(value in draft for value in named)
    assert not any(value in draft for value in others)


def test_what_it_names_has_influence(test: Counterfactual) -> None:
    message = "I am 67, divorced, from Zurich. Can I open the Senior Saver account?"
    variants = [message.replace("67", "41"), message.replace("divorced", "married")]
    original, age, status = test.score(
        [message, *variants], HITS, test.draft(message, HITS)
    ).log_likelihood
    assert original - age > 2
    assert abs(original - status) < 0.5
