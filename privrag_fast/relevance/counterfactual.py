"""The counterfactual test: does another value make the reference answer less likely?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privrag_fast.llama import LanguageModel, VariantScores
from privrag_fast.types import ChatMessage, ContextError, Hit, document_text

_INSTRUCTION = (
    "You answer customers from the documents. First you state what the documents require, then "
    "the customer's own values for it, then yes or no."
)

# A small model is better shown what to write than told. All prompts begin with these turns, so they
# are computed once and stay cached.
_EXAMPLES = (
    (
        "Documents:\nGold card\nThe Gold card is offered to people who are at least 30 years old "
        "and live in Norway or Sweden. It costs 20 a year.\n\nCustomer: Hello, I'm Ann Berg, a "
        "teacher from Oslo, single, 35 years old. I earn 60,000 a year. Can I get the Gold card?",
        "The Gold card needs an age of at least 30 and a home in Norway or Sweden. You are 35 "
        "years old and you live in Oslo, which is in Norway. So yes, you can get the Gold card.",
    ),
    (
        "Documents:\nFamily cover\nFamily cover is for households with at least two children "
        "whose yearly income is below 50,000.\n\nCustomer: I am Tom, 41, a divorced baker with "
        "one child, and I earn 45,000 a year. I have asthma. Am I accepted for Family cover?",
        "Family cover needs at least two children and an income below 50,000. You have one child "
        "and you earn 45,000. So no, you are not accepted for Family cover.",
    ),
)

# A variant that is shorter than the longest may still have a few more tokens.
_SLACK = 32


@dataclass(frozen=True, slots=True)
class CounterfactualOptions:
    """How the test asks.

    Args:
        instruction: The system turn.
        examples: Turns of user and assistant that show what a reference answer looks like.
        draft_tokens: The most that a drafted reference answer may have.
        draft_until: A draft ends before this text.
        notes: Whether a message is to have its notes behind it (`privrag_fast.relevance.notes`).
    """

    instruction: str = _INSTRUCTION
    examples: tuple[tuple[str, str], ...] = _EXAMPLES
    draft_tokens: int = 64
    draft_until: str = ""
    notes: bool = False


TRAINED = CounterfactualOptions(examples=(), draft_tokens=112, draft_until=" So ", notes=True)
"""For a model that `privrag_fast.training.slm` taught to answer so: it needs no examples."""


class Counterfactual:
    """Scores a reference answer under variants of a message.

    The prompt puts documents first and the message last, so that all variants share the documents:
    they are computed once, and stay cached between `draft` and `score`.
    """

    def __init__(
        self, model: LanguageModel, *, options: CounterfactualOptions | None = None
    ) -> None:
        self._model = model
        # An adapter of this project's taught the model what the examples would show.
        self._options = options or (TRAINED if model.adapter else CounterfactualOptions())
        self._opening = [ChatMessage("system", self._options.instruction)]
        for question, answer in self._options.examples:
            self._opening += ChatMessage("user", question), ChatMessage("assistant", answer)

    @property
    def takes_notes(self) -> bool:
        """Whether messages are to have their notes behind them: see `CounterfactualOptions`."""
        return self._options.notes

    def draft(
        self,
        message: str,
        hits: Sequence[Hit],
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> str:
        """A reference answer by the local model itself.

        Raises:
            ContextError: The message alone exceeds the model's context.
            ScoringError: The model failed, or `should_stop` said so.
        """
        [prompt] = self._prompts([message], hits, self._options.draft_tokens)
        return self._model.draft(
            prompt,
            max_tokens=self._options.draft_tokens,
            until=self._options.draft_until,
            should_stop=should_stop,
        )

    def score(
        self,
        messages: Sequence[str],
        hits: Sequence[Hit],
        answer: str,
        *,
        should_stop: Callable[[], bool] | None = None,
    ) -> VariantScores:
        """Log-likelihood of `answer` after each message; the original message goes first.

        Raises:
            ContextError: A message and the answer alone exceed the model's context.
            ScoringError: The model failed, or `should_stop` said so.
        """
        prompts = self._prompts(messages, hits, self._longest([answer]))
        return self._model.score(prompts, answer, should_stop=should_stop)

    def score_each(
        self, messages: Sequence[str], hits: Sequence[Hit], answers: Sequence[str]
    ) -> NDArray[np.float64]:
        """Log-likelihood of each of several answers, in one pass: float64 [answers, messages].

        Raises:
            ContextError: A message and the longest answer alone exceed the model's context.
        """
        prompts = self._prompts(messages, hits, self._longest(answers))
        pairs = [(prompt, answer) for answer in answers for prompt in prompts]
        scores = self._model.score_pairs(pairs)
        return scores.log_likelihood.reshape(len(answers), len(messages))

    def divergences(
        self, messages: Sequence[str], hits: Sequence[Hit], answer: str, *, tokens: int = 4
    ) -> NDArray[np.float64]:
        """How far each message moves what the model would say at the first tokens of `answer`.

        Returns:
            float64 [messages]: Kullback-Leibler divergence from the first message's distribution,
            nats, summed over the tokens; 0 for the first.

        Raises:
            ContextError: A message and the answer alone exceed the model's context.
        """
        prompts = self._prompts(messages, hits, self._longest([answer]))
        rows = (self._model.next_log_probs(own, answer, most=tokens) for own in prompts)
        original, *others = (own.astype(np.float64) for own in rows)
        moved = [float((np.exp(original) * (original - other)).sum()) for other in others]
        return np.array([0.0, *moved])

    def _longest(self, answers: Sequence[str]) -> int:
        return max(map(self._model.count, answers)) + 1

    def _prompts(self, messages: Sequence[str], hits: Sequence[Hit], answer: int) -> list[str]:
        """Prompts that leave room for `answer` tokens, all with the same documents.

        Documents that do not fit are left out from the last one; the message never is.
        """
        longest = max(messages, key=len)
        for count in range(len(hits), -1, -1):
            size = self._model.count(self._prompt(longest, hits[:count])) + answer
            if size + _SLACK <= self._model.n_ctx:
                return [self._prompt(message, hits[:count]) for message in messages]
        raise ContextError(
            f"the message needs {size} tokens with its answer, the local model's context has "
            f"{self._model.n_ctx}: raise n_ctx"
        )

    def _prompt(self, message: str, hits: Sequence[Hit]) -> str:
        documents = "\n\n".join(document_text(hit) for hit in hits)
        question = f"Customer: {message}"
        content = f"Documents:\n{documents}\n\n{question}" if documents else question
        return self._model.render([*self._opening, ChatMessage("user", content)])
