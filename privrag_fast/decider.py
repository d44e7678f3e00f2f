"""Which values of a text are kept: prior, reference answer, variants in rounds, policy.

What is clear from the prior alone costs no variant; where all is, the local model is not asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from privrag_fast import privacy
from privrag_fast.limits import Deadline
from privrag_fast.relevance.generalization import generalizations
from privrag_fast.relevance.reasons import settled
from privrag_fast.relevance.rounds import DOUBT, Floats, in_rounds
from privrag_fast.types import (
    Attribute,
    Decision,
    Hit,
    Influence,
    InputError,
    ScoreCounts,
    ScoringError,
    document_text,
)
from privrag_fast.variants import Variants

if TYPE_CHECKING:
    from privrag_fast.relevance.counterfactual import Counterfactual
    from privrag_fast.relevance.prior import Prior
    from privrag_fast.relevance.substitutes import Substitutes


class Clock(Protocol):
    """Times stages; none starts past the deadline."""

    deadline: Deadline

    def __call__(self, stage: str) -> AbstractContextManager[None]:
        """Around a stage."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What is decided on.

    Args:
        text: What the mentions of `attributes` count in.
        reference: An answer to measure by; None for a draft.
    """

    text: str = field(repr=False)
    attributes: tuple[Attribute, ...]
    hits: Sequence[Hit] = field(repr=False)
    reference: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision per attribute.

    Args:
        reference: The answer that was measured by; "" where nothing was measured.
        counts: Tokens of all rounds, or None.
    """

    decisions: tuple[Decision, ...]
    reference: str = field(default="", repr=False)
    counts: ScoreCounts | None = None


class Decider:
    """Decides which values a text keeps; safe to call from several threads.

    Args:
        counterfactual: Measures; None where the prior decides alone.
        prior: Guesses beforehand; None to measure every attribute.
        substitutes: Proposes values; `tried` of them at most per attribute.
        doubt: See `rounds.is_clear`; infinite to try them all.

    Raises:
        InputError: Nothing decides, or the policy wants what only a measurement tells.
    """

    def __init__(
        self,
        counterfactual: Counterfactual | None,
        substitutes: Substitutes,
        *,
        policy: privacy.Policy,
        prior: Prior | None = None,
        tried: int = 3,
        doubt: float = DOUBT,
    ) -> None:
        self._counterfactual, self._substitutes, self._prior = counterfactual, substitutes, prior
        self._policy, self._tried, self._doubt = policy, tried, doubt
        if counterfactual is None:
            _check_unmeasured(prior, policy)

    def decide(self, asked: Asked, clock: Clock) -> Decided:
        """What cannot be measured is withheld, or blocks, as the policy says.

        Raises:
            InputError: A reference answer, but nothing is measured.
            ContextError: The text exceeds the local model's context.
            ScoringError: The local model failed, and the policy blocks then.
        """
        if self._counterfactual is None and asked.reference:
            raise InputError(
                "nothing is measured, so a reference answer has no use: leave it out, or measure"
            )
        policy = self._policy if asked.reference else self._policy.for_draft()
        pending = [own for own in asked.attributes if not policy.settles(own.label)]
        guesses = self._guesses(asked, pending, clock)
        if self._counterfactual is None:
            return Decided(self._guessed(asked, guesses, policy))
        limits = {own.placeholder: self._limit(own, guesses, policy) for own in pending}
        # A value that is needed for sure may still be needed less precisely.
        coarse = {own.placeholder for own in pending if policy.generalizes(own.label)}
        guessed = {
            key: not limits[key]
            for key in guesses
            if limits[key] == math.inf or (not limits[key] and key not in coarse)
        }
        pending = [own for own in pending if own.placeholder not in guessed]
        decide = partial(
            privacy.decide, asked.attributes, policy=policy, limits=limits, guessed=guessed
        )
        # Without a measurement the prior keeps nothing either.
        withhold = partial(privacy.decide, asked.attributes, {}, policy)
        if not pending:
            return Decided(self._estimated(decide({}), guesses))
        try:
            run = _Run(self._counterfactual, asked, clock)
            if not run.reference:
                return Decided(withhold(undecidable="the local model drafted no answer"))
            for own in pending:
                key = own.placeholder
                if key in guesses and key in run.settled:
                    limits[key] = self._limit(own, guesses, policy, settled=True)
                    if limits[key] == math.inf:
                        guessed[key] = False
            pending = [own for own in pending if own.placeholder not in guessed]
            decisions = decide(self._measured(run, pending, limits))
            decisions = self._generalized(run, decisions, limits, policy)
        except ScoringError:
            clock.deadline.check()
            if policy.fail == "block":
                raise
            return Decided(withhold(undecidable="scoring failed"))
        estimated = self._estimated(decisions, guesses, run.settled)
        return Decided(estimated, run.reference, run.counts)

    # ------------------------------------------------------------------- prior

    def _guesses(
        self, asked: Asked, attributes: Sequence[Attribute], clock: Clock
    ) -> dict[str, float]:
        if self._prior is None or not attributes:
            return {}
        with clock("prior"):
            found = self._prior.score(asked.text, attributes, asked.hits)
        return {own.placeholder: guess for own, guess in zip(attributes, found, strict=True)}

    def _guessed(
        self, asked: Asked, guesses: Mapping[str, float], policy: privacy.Policy
    ) -> tuple[Decision, ...]:
        kept = {key: guess >= policy.guess_threshold for key, guess in guesses.items()}
        decisions = privacy.decide(asked.attributes, {}, policy, guessed=kept)
        return self._estimated(decisions, guesses)

    def _limit(
        self,
        attribute: Attribute,
        guesses: Mapping[str, float],
        policy: privacy.Policy,
        *,
        settled: bool = False,
    ) -> float:
        """Nats from which it is kept: 0 to keep, infinite to withhold it unmeasured."""
        threshold = policy.threshold_of(attribute.label)
        if self._prior is None:
            return threshold
        return self._prior.limit(threshold, guesses[attribute.placeholder], settled=settled)

    def _estimated(
        self,
        decisions: Sequence[Decision],
        guesses: Mapping[str, float],
        settled: Collection[str] = (),
    ) -> tuple[Decision, ...]:
        """With the probability that each guessed value is needed."""
        if self._prior is None:
            return tuple(decisions)
        prior = self._prior

        def probability(own: Decision, guess: float) -> float:
            if own.influence is None:
                return guess
            known = own.attribute.placeholder in settled
            return prior.fuse(guess, own.influence.influence, settled=known)

        return tuple(
            replace(own, probability=probability(own, guess))
            if (guess := guesses.get(own.attribute.placeholder)) is not None
            else own
            for own in decisions
        )

    # ------------------------------------------------------------------- influence

    def _measured(
        self, run: _Run, attributes: Sequence[Attribute], limits: Mapping[str, float]
    ) -> dict[str, Influence]:
        with run.clock("vary"):
            tried = self._substitutes.propose(
                run.asked.text,
                run.asked.attributes,
                k=self._tried,
                documents=list(map(document_text, run.asked.hits)),
            )
        with run.clock("score"):
            return in_rounds(attributes, tried, limits, run.likelihoods, doubt=self._doubt)

    def _generalized(
        self,
        run: _Run,
        decisions: Sequence[Decision],
        limits: Mapping[str, float],
        policy: privacy.Policy,
    ) -> tuple[Decision, ...]:
        """Values that the answer turns on, in the least precise form that changes it less than the
        policy's threshold. Where the value itself changes it no more, no form can be told from
        another: what the prior alone keeps stays as it is."""
        tried = [
            (own.attribute, form)
            for own in decisions
            if policy.generalizes(own.attribute.label)
            and own.influence is not None
            and own.influence.influence
            >= max(limits[own.attribute.placeholder], policy.threshold_of(own.attribute.label))
            for form in generalizations(own.attribute)
        ]
        if not tried:
            return tuple(decisions)
        with run.clock("generalize"):
            original, *others = run.likelihoods([None, *tried])
        enough: dict[str, str] = {}
        for (attribute, form), likelihood in zip(tried, others, strict=True):
            if abs(original - likelihood) < policy.threshold_of(attribute.label):
                enough.setdefault(attribute.placeholder, form)  # the least precise goes first
        return tuple(
            replace(own, kept=False, reason="generalized", value_sent=enough[key])
            if (key := own.attribute.placeholder) in enough
            else own
            for own in decisions
        )


def _check_unmeasured(prior: Prior | None, policy: privacy.Policy) -> None:
    if prior is None:
        raise InputError("without a measurement a prior has to decide: give one, or measure")
    if policy.generalize:
        raise InputError(
            "which form of a value keeps the answer, only a measurement tells: measure, or leave "
            f"the policy's generalize empty; it holds {', '.join(sorted(policy.generalize))}"
        )


class _Run:
    """The local model's part in one decision: `likelihoods`."""

    def __init__(self, counterfactual: Counterfactual, asked: Asked, clock: Clock) -> None:
        self._counterfactual, self.asked, self.clock = counterfactual, asked, clock
        self._stop: Callable[[], bool] = clock.deadline.passed
        self.counts: ScoreCounts | None = None
        with clock("draft"):
            self._variants = Variants(
                asked.text, asked.attributes, asked.hits, notes=counterfactual.takes_notes
            )
            self.reference = asked.reference or counterfactual.draft(
                self._variants.text(), asked.hits, should_stop=self._stop
            )
        # Placeholders; an answer of the caller's is in other words.
        self.settled = frozenset[str]()
        if not asked.reference:
            self.settled = settled(self.reference, asked.attributes)

    def likelihoods(self, variants: Sequence[tuple[Attribute, str] | None]) -> Floats:
        """Of the reference answer after each variant, or the text as it is; float64, nats."""
        scores = self._counterfactual.score(
            list(map(self._variants.text, variants)),
            self.asked.hits,
            self.reference,
            should_stop=self._stop,
        )
        self.counts = scores.counts if self.counts is None else self.counts + scores.counts
        return np.asarray(scores.log_likelihood)
