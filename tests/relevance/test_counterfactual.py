"""Prompts of the counterfactual test, and what becomes of their scores."""

from __future__ import annotations

import numpy as np
import pytest

from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.relevance.counterfactual import Counterfactual, CounterfactualOptions
from privrag_fast.relevance.influence import influences
from privrag_fast.types import Attribute, ContextError, Hit, Passage
from tests.scorer.tiny_llama import write_tiny_llama

SHORT = CounterfactualOptions(instruction="Answer.", examples=(), draft_tokens=8)
HITS = [
    Hit(Passage(f"p{i}", f"Rule {i}: " + "must be 62 " * 10, f"Title {i}"), 1.0) for i in range(4)
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    path = write_tiny_llama(tmp_path_factory.mktemp("models") / "tiny.gguf")
    return LanguageModel(path, options=LlamaOptions(n_ctx=2048, n_threads=1))


def test_documents_first_message_last(model: LanguageModel) -> None:
    test = Counterfactual(model)
    [prompt] = test._prompts(["I am 67."], HITS[:2], 8)
    assert prompt.index("Title 0") < prompt.index("Title 1") < prompt.index("Customer: I am 67.")
    assert prompt.endswith("<s>assistant\n")


def test_variants_share_everything_before_the_message(model: LanguageModel) -> None:
    test = Counterfactual(model, options=SHORT)
    scores = test.score(["I am 67.", "I am 34.", "I am 45."], HITS[:2], "Yes.")
    assert scores.log_likelihood.shape == (3,)
    assert scores.counts.unique < scores.counts.asked / 2


def test_answers_scored_in_one_pass_or_each_in_its_own(model: LanguageModel) -> None:
    test = Counterfactual(model, options=SHORT)
    messages = ["I am 67.", "I am 34.", "I am 5."]
    answers = ["Yes.", "Yes, because you are 67.", "No."]
    together = test.score_each(messages, HITS[:2], answers)
    apart = [test.score(messages, HITS[:2], answer).log_likelihood for answer in answers]
    np.testing.assert_allclose(together, apart, atol=0.02)


def test_divergence_of_an_answers_first_tokens(model: LanguageModel) -> None:
    test = Counterfactual(model, options=SHORT)
    messages = ["I am 67.", "I am 67.", "I am 3.", "We live in a caravan."]
    original, same, *others = test.divergences(messages, HITS[:2], "Yes, you may.", tokens=3)
    assert original == 0
    assert same == pytest.approx(0, abs=1e-6)
    assert min(others) > 1e-4
    [_, one] = test.divergences(["I am 67.", "I am 3."], HITS[:2], "Yes, you may.", tokens=1)
    rows = [
        model.next_log_probs(prompt, "Yes", most=1)[0].astype(np.float64)
        for prompt in test._prompts(["I am 67.", "I am 3."], HITS[:2], 8)
    ]
    assert one == pytest.approx(float((np.exp(rows[0]) * (rows[0] - rows[1])).sum()), abs=1e-4)


def test_draft_then_score_pays_for_the_documents_once(model: LanguageModel) -> None:
    test = Counterfactual(model, options=SHORT)
    answer = test.draft("I am 67, may I?", HITS[:2]) or "Yes."
    counts = test.score(["I am 67, may I?", "I am 34, may I?"], HITS[:2], answer).counts
    assert counts.evaluated < 100 < counts.reused


def test_last_documents_give_way(model: LanguageModel) -> None:
    long = [Hit(Passage("p", "word " * 120), 1.0)] * 4
    [prompt] = Counterfactual(model, options=SHORT)._prompts(["I am 67."], [*HITS[:1], *long], 8)
    assert "Title 0" in prompt
    assert 0 < prompt.count("word " * 120) < 4
    assert "Customer: I am 67." in prompt


def test_message_never_gives_way(model: LanguageModel) -> None:
    with pytest.raises(ContextError, match="2048"):
        Counterfactual(model, options=SHORT).draft("word " * 1000, HITS)


def test_no_documents(model: LanguageModel) -> None:
    [prompt] = Counterfactual(model, options=SHORT)._prompts(["Hello"], [], 8)
    assert "Documents:" not in prompt


def test_influences() -> None:
    age, city, name = (
        Attribute(label, value, f"[{label}_1]", ())
        for label, value in (("AGE", "67"), ("CITY", "Oslo"), ("PERSON", "Ann"))
    )
    tried = {"[AGE_1]": ("34", "45"), "[CITY_1]": ("Rome",)}
    log_likelihood = np.array([-10.0, -13.0, -9.0, -10.5])
    got = influences([age, name, city], tried, log_likelihood)
    assert set(got) == {"[AGE_1]", "[CITY_1]"}
    assert got["[AGE_1]"].changes == (3.0, -1.0)
    assert got["[AGE_1]"].influence == 2.0
    assert got["[CITY_1]"].changes == (0.5,)
