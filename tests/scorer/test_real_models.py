"""The scorer on real models: exact to a stated tolerance, chat templates, BOS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.types import ChatMessage
from tests.scorer import real_models
from tests.scorer.reference import score_one_by_one

pytestmark = pytest.mark.weights

DOCUMENT = (
    "Senior Saver account. The account is open to residents of Switzerland and Liechtenstein who "
    "are at least 62 years old on the day of application. It pays 2.4 percent on balances up to "
    "100,000 francs. Withdrawals above 20,000 francs need three months of notice. "
)
ANSWER = "Yes, you can open it, because you are older than 62 and live in Switzerland."
VALUES = [
    ("67", "Zurich", "divorced"),
    ("34", "Zurich", "divorced"),
    ("45", "Zurich", "divorced"),
    ("67", "Berlin", "divorced"),
    ("67", "Toronto", "divorced"),
    ("67", "Zurich", "married"),
    ("67", "Zurich", "divorced"),
]

FAST = LlamaOptions(n_ctx=2048, n_outputs=64)
EXACT = LlamaOptions(n_ctx=2048, n_outputs=64, flash_attention=False, kv_float32=True)

# Nats over the 18 to 25 tokens of an answer, between the tree and one context per variant.
# Flash attention shares its work out as threads come, and adds up in another order each time.
CASES = [
    pytest.param(real_models.smollm2_f32, EXACT, 0.02, id="smollm2-f32-exact"),
    pytest.param(real_models.smollm2_f32, FAST, 0.1, id="smollm2-f32"),
    pytest.param(real_models.smollm2, FAST, 0.3, id="smollm2-bf16"),
    pytest.param(real_models.gemma3, FAST, 1.0, id="gemma3-q4_k_m"),
]


def prompts(model: LanguageModel) -> list[str]:
    return [
        model.render(
            [
                ChatMessage("system", "Answer from the documents."),
                ChatMessage(
                    "user",
                    f"Documents:\n{DOCUMENT * 3}\n\nCustomer: I am {age}, {status}, and live in "
                    f"{city}. Can I open the account?",
                ),
            ]
        )
        for age, city, status in VALUES
    ]


@pytest.mark.parametrize(("find", "options", "tolerance"), CASES)
def test_equals_one_context_per_variant(
    find: Callable[[], Path], options: LlamaOptions, tolerance: float
) -> None:
    path = find()
    model = LanguageModel(path, options=options)
    asked = prompts(model)
    got = model.score(asked, ANSWER)
    sequences = [model._tokenize(prompt + ANSWER).tolist() for prompt in asked]
    lengths = [len(s) - len(p) for s, p in zip(sequences, got.log_probs, strict=True)]
    expected = score_one_by_one(path, sequences, lengths)
    np.testing.assert_allclose(got.log_likelihood, [x.sum() for x in expected], atol=tolerance)
    assert got.log_likelihood[0] == got.log_likelihood[-1]
    assert got.counts.evaluated < got.counts.asked / 3
    again = model.score(asked[::-1], ANSWER)
    np.testing.assert_allclose(again.log_likelihood[::-1], got.log_likelihood, atol=tolerance)


@pytest.mark.parametrize("find", [real_models.smollm2, real_models.gemma3])
def test_bos_once_and_splits_at_the_answer(find: Callable[[], Path]) -> None:
    model = LanguageModel(find(), options=FAST)
    [prompt, *_] = prompts(model)
    tokens = model._tokenize(prompt + ANSWER)
    special = model._scorer.special_tokens()
    if special["adds_bos"]:
        assert tokens.tolist().count(special["bos"]) == 1
        assert tokens[0] == special["bos"]
    [answer] = model.score([prompt], ANSWER).log_probs
    text = b"".join(model._scorer.piece(int(t)) for t in tokens[len(tokens) - len(answer) :])
    assert text.decode().strip() == ANSWER


def test_chat_template_of_smollm2() -> None:
    prompt = prompts(LanguageModel(real_models.smollm2(), options=FAST))[0]
    assert prompt.startswith("<|im_start|>system\nAnswer from the documents.<|im_end|>\n")
    assert prompt.endswith("<|im_end|>\n<|im_start|>assistant\n")
