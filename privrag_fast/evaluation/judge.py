"""LLM as judge: is the answer to the minimized message as good as that to the whole one?

Every pair is judged in both orders (Zheng et al., 2023, arXiv:2306.05685, on position bias).
Answers and verdicts are kept on disk, by model and prompt.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from privrag_fast import privacy
from privrag_fast.evaluation import metrics
from privrag_fast.evaluation.baselines import PROMPTS
from privrag_fast.evaluation.dataset import Question
from privrag_fast.evaluation.relevance import DRAFT, Measured, Relevance, owner_of
from privrag_fast.evaluation.tradeoff import Facts, sent_by_policy
from privrag_fast.llama import LanguageModel
from privrag_fast.pipeline import PipelineOptions
from privrag_fast.types import LLM, ChatMessage, Hit, document_text

Choice = Literal["A", "B", "tie"]
Verdict = Literal["minimized", "unredacted", "tie", "unclear"]

INDICATIVE = "small local model: indicative only"

_BRACKETED = re.compile(r"\[\[?\s*(a|b|tie)\s*\]?\]", re.IGNORECASE)
_ALONE = re.compile(
    r"^\W*(?:(?:the |my |final |better )*(?:verdict|answer|choice|winner)(?: is)?\W*)?"
    r"(?:answer |assistant )?(?-i:(?P<letter>[AB])|(?P<tie>[Tt]ie|TIE))\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_PRAISED = re.compile(
    r"\b(?i:answer|assistant|option|response) (?P<letter>[AB]) "
    r"(?:is (?:\w+ )?(?:better|best|preferable|superior|stronger)|wins)\b"
)
_EQUAL = re.compile(
    r"\b(?:equally (?:good|bad)|both answers are equal|it is a tie|it's a tie)\b", re.IGNORECASE
)


class CachedLLM:
    """An `LLM` that gives the same answer to the same conversation, also in the next run.

    Args:
        llm: Who answers what is not on disk yet.
        name: Of the model, as an answer depends on it.
        folder: Where answers are kept, one file each.
    """

    def __init__(self, llm: LLM, *, name: str, folder: Path) -> None:
        self._llm, self._name, self._folder = llm, name, folder

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """The answer, in one piece."""
        turns = [[message.role, message.content] for message in messages]
        digest = hashlib.sha256(json.dumps([self._name, turns]).encode()).hexdigest()
        path = self._folder / digest[:2] / f"{digest}.json"
        if not path.exists():
            answer = "".join(self._llm.generate(messages))
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".partial")
            partial.write_text(json.dumps({"model": self._name, "answer": answer}))
            partial.replace(path)
        yield str(json.loads(path.read_text())["answer"])


class Chooser:
    """An `LLM` that can give a verdict and nothing else: the likeliest one by a local model.

    Small models talk past the question; this way their verdicts can be read, whatever they are
    worth.
    """

    choices = ("[[A]]", "[[B]]", "[[tie]]")

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def generate(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """One of the three."""
        scores = self._model.rank(self._model.render(messages), self.choices).log_likelihood
        yield self.choices[int(scores.argmax())]


class Judge:
    """Asks a model which of two answers serves the customer better."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self._prompt = (PROMPTS / "judge.txt").read_text(encoding="utf-8").strip()

    def judge(
        self, message: str, hits: Sequence[Hit], *, minimized: str, unredacted: str
    ) -> tuple[Verdict, Verdict]:
        """The verdicts with the minimized answer first, and last. Equal answers are not asked."""
        if minimized.strip() == unredacted.strip():
            return "tie", "tie"
        first = self._choose(message, hits, minimized, unredacted)
        last = self._choose(message, hits, unredacted, minimized)
        return _verdict(first, minimized="A"), _verdict(last, minimized="B")

    def _choose(self, message: str, hits: Sequence[Hit], first: str, second: str) -> Choice | None:
        prompt = self._prompt.format(
            documents="\n\n".join(map(document_text, hits)),
            message=message,
            first=first.strip(),
            second=second.strip(),
        )
        return parse("".join(self._llm.generate([ChatMessage("user", prompt)])))


class Comparison:
    """Answers a question twice, minimized and unredacted, and has the answers judged.

    Args:
        relevance: Where attributes and passages come from.
        answerer: Who answers both.
        policy: What is sent, by the influence on the local model's draft, as in live use.
    """

    def __init__(
        self, relevance: Relevance, *, answerer: LLM, judge: Judge, policy: privacy.Policy
    ) -> None:
        self._relevance, self._answerer = relevance, answerer
        self._judge, self._policy = judge, policy

    def compare(self, question: Question, measured: Measured) -> dict[str, Any]:
        """Both answers and both verdicts, as JSON has them."""
        vault = privacy.Vault()
        attributes = self._relevance.attributes(question, vault)
        sent = sent_by_policy(Facts([measured], lambda *_: None), self._policy, DRAFT)
        owners = [owner_of(fact, attributes) for fact in question.facts]
        keep = {own.placeholder for own, one in zip(owners, sent, strict=True) if own and one}
        minimal = privacy.redact(question.message, attributes, keep)
        hits = self._relevance.evidence(question, attributes)
        minimized = privacy.restore(self._answer(minimal, hits), vault)
        unredacted = self._answer(question.message, hits)
        verdicts = self._judge.judge(
            question.message, hits, minimized=minimized, unredacted=unredacted
        )
        return {
            "message": minimal,
            "minimized": minimized,
            "unredacted": unredacted,
            "verdicts": list(verdicts),
        }

    def _answer(self, message: str, hits: Sequence[Hit]) -> str:
        documents = "\n\n".join(map(document_text, hits)) or "none found"
        system = f"{PipelineOptions().instruction}\n\nDocuments:\n{documents}"
        turns = [ChatMessage("system", system), ChatMessage("user", message)]
        return "".join(self._answerer.generate(turns))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge's verdicts say.

    Args:
        judge: Its name, and what it is worth.
        minimized, tie, unredacted: Pairs by the better answer; orders that disagree are a tie.
        unclear: Pairs with a verdict that could not be read, left out of all else.
        lead: Share of minimized answers that won minus that of those that lost, with 95 % bounds.
        agreement: Share of pairs judged alike in both orders, with 95 % bounds.
        first: Share of all clear verdicts for the answer that stood first; even-handed judges
            give as many to the other.
        second: For the other.
    """

    judge: str
    minimized: int
    tie: int
    unredacted: int
    unclear: int
    lead: metrics.Interval
    agreement: metrics.Interval
    first: float
    second: float


def summarize(pairs: Sequence[Sequence[str]], *, judge: str, seed: int) -> Judged:
    """From two verdicts a question to figures."""
    clear = [(a, b) for a, b in pairs if "unclear" not in (a, b)]
    winners = [a if a == b else "tie" for a, b in clear]
    score = {"minimized": 1.0, "tie": 0.0, "unredacted": -1.0}
    # The minimized answer stands first in the first verdict, and last in the second.
    first = [(a == "minimized", b == "unredacted") for a, b in clear]
    second = [(a == "unredacted", b == "minimized") for a, b in clear]
    return Judged(
        judge=judge,
        minimized=winners.count("minimized"),
        tie=winners.count("tie"),
        unredacted=winners.count("unredacted"),
        unclear=len(pairs) - len(clear),
        lead=metrics.bootstrap([score[winner] for winner in winners], seed=seed),
        agreement=metrics.bootstrap([a == b for a, b in clear], seed=seed),
        first=metrics.mean(first),
        second=metrics.mean(second),
    )


def parse(text: str) -> Choice | None:
    """The verdict in a judge's words; None where it cannot be told.

    >>> parse("Both decide rightly, but A is clearer. [[A]]"), parse("Verdict: tie."), parse("Hm.")
    ('A', 'tie', None)
    """
    if found := _BRACKETED.findall(text):
        return _choice(found[-1])
    if alone := list(_ALONE.finditer(text)):
        return _choice(alone[-1]["letter"] or alone[-1]["tie"])
    praised = {match["letter"] for match in _PRAISED.finditer(text)}
    if len(praised) == 1:
        return _choice(praised.pop())
    return "tie" if not praised and _EQUAL.search(text) else None


def _choice(word: str) -> Choice:
    choices: dict[str, Choice] = {"a": "A", "b": "B", "tie": "tie"}
    return choices[word.lower()]


def _verdict(choice: Choice | None, *, minimized: Choice) -> Verdict:
    if choice is None:
        return "unclear"
    if choice == "tie":
        return "tie"
    return "minimized" if choice == minimized else "unredacted"
