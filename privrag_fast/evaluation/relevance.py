"""Influence of every sensitive value in a data set's questions: what the trade-off is made of."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast import models, privacy
from privrag_fast.assembly import (
    Models,
    open_embedder,
    open_prior,
    open_reranker,
    open_slm,
)
from privrag_fast.evaluation import retrieval
from privrag_fast.evaluation.baselines import Asked, Baseline, Similarity
from privrag_fast.evaluation.dataset import STYLES, Dataset, Fact, Question
from privrag_fast.pipeline import PipelineOptions
from privrag_fast.relevance.counterfactual import Counterfactual
from privrag_fast.relevance.influence import influences
from privrag_fast.relevance.prior import Prior
from privrag_fast.relevance.reasons import settled
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.retrieval import Chunker, Hybrid
from privrag_fast.types import (
    Attribute,
    ContextError,
    Detector,
    Entity,
    Hit,
    Influence,
    InputError,
    Passage,
    Reranker,
    Retriever,
    SafeText,
    document_text,
    says,
)
from privrag_fast.variants import Variants

DRAFT = "draft"
REFERENCES = (*STYLES, DRAFT)
"""Reference answers whose likelihood is measured: those of the data set, and the model's own."""

PRIOR = "prior"

ODDS = "verdict odds"
"""Not the likelihood of the verdict alone, but its odds against all other verdicts."""

Floats = NDArray[np.float64]

_CANDIDATES = PipelineOptions().candidates


@dataclass(frozen=True, slots=True)
class RelevanceOptions:
    """What a question costs.

    Args:
        gold: Passages of the documents that hold the answer, at most.
        others: Passages of other documents beside them, as retrieval finds them.
        retrieved: Takes as many passages as retrieval finds them instead, whether the answer is in
            them or not; 0 for `gold` and `others`.
        substitutes: Values tried per attribute.
        seed: Of the substitutes.
        rivals: Also measures what else influence could be made of: answers with their values
            masked, changes beyond those that happen without the documents, the divergence of what
            the draft may begin with, and drafts from the documents in another order.
    """

    gold: int = 8
    others: int = 1
    retrieved: int = 0
    substitutes: int = 3
    seed: int = 0
    rivals: bool = False

    def __post_init__(self) -> None:
        for name, least in (("gold", 1), ("others", 0), ("retrieved", 0), ("substitutes", 1)):
            if getattr(self, name) < least:
                raise InputError(f"{name} must be {least} or more, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Row:
    """One fact of one question.

    Args:
        attribute, label: As the data set has them.
        decisive: None where it is not known.
        characters: Of its span.
        found: False where detection missed it, so that it is sent whatever else happens.
        identifier: Never sent, as the policy says, so never measured.
        changes: Nats per substitute, by reference answer, or by what else was measured.
        influence: What the pipeline makes of them, by reference answer.
        echo: The value stands in that reference answer.
        scores: Of the baselines, by name.
        shift: What the prior adds to log1p of the influence.
        draft_shift: The same where the influence is on the draft, which may not turn on the value.
    """

    attribute: str
    label: str
    decisive: bool | None
    characters: int
    found: bool = True
    identifier: bool = False
    changes: Mapping[str, Sequence[float]] = field(default_factory=dict)
    influence: Mapping[str, float] = field(default_factory=dict)
    echo: Mapping[str, bool] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    shift: float = 0.0
    draft_shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One question.

    Args:
        draft: The local model's own answer; "" where it gave none, or none was asked for.
        verdict: Behind that draft the right verdict was the likeliest one; None where there is no
            other, or no draft.
        complete: Every passage of the documents that hold the answer was in the prompt.
        seconds: All that it took.
        rows: One per fact, in order.
        bare_verdict: As `verdict`, with nothing before it.
    """

    question: str
    draft: str
    verdict: bool | None
    complete: bool
    seconds: float
    rows: tuple[Row, ...]
    bare_verdict: bool | None = None

    def to_data(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Measured:
        """What `to_data` gave."""
        return cls(**{**data, "rows": tuple(Row(**row) for row in data["rows"])})


class Evidence:
    """Finds the passages that a question is measured against."""

    def __init__(
        self,
        passages: Sequence[Passage],
        retriever: Retriever,
        reranker: Reranker,
        *,
        options: RelevanceOptions,
    ) -> None:
        self._passages: dict[str, list[Passage]] = {}
        for passage in passages:
            self._passages.setdefault(passage.source, []).append(passage)
        self._count = max(1, len(passages))
        self._retriever, self._reranker, self._options = retriever, reranker, options

    def search(self, query: SafeText, documents: Sequence[str]) -> list[Hit]:
        """The documents' own passages and others, in the order in which the reranker has them."""
        options = self._options
        if options.retrieved:
            found = self._retriever.search(query, _CANDIDATES)
            return self._reranker.rerank(query, found, options.retrieved)
        found = self._retriever.search(query, self._count)  # all, so that all have a place
        others = [hit for hit in found if hit.passage.source not in documents]
        far = {hit.passage.id for hit in others[_CANDIDATES if options.others else 0 :]}
        pool = [hit for hit in found if hit.passage.id not in far]  # places count
        room = {True: options.gold, False: options.others}
        hits = []
        for hit in self._reranker.rerank(query, pool, max(1, len(pool))):
            own = hit.passage.source in documents
            if room[own]:
                hits.append(hit)
                room[own] -= 1
        return hits

    def holds(self, hits: Sequence[Hit], documents: Sequence[str]) -> bool:
        """Whether every passage of the documents is among the hits."""
        wanted = {passage.id for id_ in documents for passage in self._passages.get(id_, ())}
        return wanted <= {hit.passage.id for hit in hits}


class Relevance:
    """Measures the influence of a question's values, and what the baselines say of them.

    Args:
        detector: Finds the values; None for the spans that the data set gives.
        baselines: By name.
        prior: Guesses beforehand, as in the pipeline; also a baseline by itself.
        references: Which reference answers to measure by.
        policy: What it never sends is not measured; None for the default.
    """

    def __init__(
        self,
        evidence: Evidence,
        counterfactual: Counterfactual,
        *,
        baselines: Mapping[str, Baseline] | None = None,
        prior: Prior | None = None,
        detector: Detector | None = None,
        references: Sequence[str] = REFERENCES,
        policy: privacy.Policy | None = None,
        options: RelevanceOptions = RelevanceOptions(),
    ) -> None:
        self._evidence, self._counterfactual = evidence, counterfactual
        self._baselines, self._prior, self._detector = dict(baselines or {}), prior, detector
        if prior is not None:
            self._baselines[PRIOR] = prior
        if unknown := sorted(set(references) - set(REFERENCES)):
            raise InputError(
                f"{unknown[0]} is no reference answer: name some of {', '.join(REFERENCES)}"
            )
        self._references, self._options = references, options
        self._policy = policy or privacy.Policy()
        self._substitutes = Substitutes(options.seed)

    def measure(self, question: Question) -> Measured:
        """Everything that is known about one question's values."""
        start = time.perf_counter()
        message = question.message
        attributes = self.attributes(question)
        hits = self.evidence(question, attributes)
        varied = [own for own in attributes if not self._withholds(own.label)]
        texts = Variants(message, attributes, hits, notes=self._counterfactual.takes_notes)
        answers = self._answers(question, texts.text(), hits) if varied else {}
        tried = self._substitutes.propose(
            message,
            attributes,
            k=self._options.substitutes,
            documents=list(map(document_text, hits)),
        )
        variants = [
            texts.text((attribute, value))
            for attribute in varied
            for value in tried[attribute.placeholder]
        ]
        likelihoods = self._likelihoods(question, [texts.text(), *variants], hits, answers)
        odds = likelihoods.get(ODDS)
        measured = {name: influences(varied, tried, own) for name, own in likelihoods.items()}
        scores = {
            name: dict(zip(varied, baseline.score(message, varied, hits), strict=True))
            for name, baseline in self._baselines.items()
        }
        return Measured(
            question=question.id,
            draft=answers.get(DRAFT, ""),
            verdict=self._verdict(question, texts.text(), hits, answers.get(DRAFT, "")),
            bare_verdict=None if odds is None else bool(odds[0] > 0),
            complete=self._evidence.holds(hits, question.documents),
            seconds=time.perf_counter() - start,
            rows=tuple(
                self._row(fact, owner_of(fact, attributes), answers, measured, scores)
                for fact in question.facts
            ),
        )

    def attributes(
        self, question: Question, vault: privacy.Vault | None = None
    ) -> tuple[Attribute, ...]:
        """The message's attributes: given, or detected."""
        message = question.message
        if self._detector is not None:
            [entities] = self._detector.detect([message])
        else:
            entities = [Entity(f.start, f.end, f.label, source="given") for f in question.facts]
        vault = privacy.Vault() if vault is None else vault
        found = privacy.attributes(message, entities, vault)
        return privacy.cover(message, found)

    def evidence(self, question: Question, attributes: Sequence[Attribute]) -> list[Hit]:
        """The passages that the question is answered from."""
        query = privacy.abstract(question.message, attributes)
        return self._evidence.search(query, question.documents)

    def _withholds(self, label: str) -> bool:
        return self._policy.settles(label) and self._policy.way(label) != "always"

    def _answers(self, question: Question, text: str, hits: Sequence[Hit]) -> dict[str, str]:
        answers: dict[str, str] = {str(style): text for style, text in question.answers.items()}
        if DRAFT in self._references:
            answers[DRAFT] = self._counterfactual.draft(text, hits)
        return {name: answers[name] for name in self._references if answers.get(name)}

    def _verdict(
        self, question: Question, text: str, hits: Sequence[Hit], draft: str
    ) -> bool | None:
        """Whether the model, having said its draft, goes on to the right verdict."""
        if not draft or len(question.verdicts) < 2:
            return None
        said = {
            outcome: f"{draft} So {verdict[:1].lower()}{verdict[1:]}"
            for outcome, verdict in question.verdicts.items()
        }
        found = self._score([text], hits, said)
        return max(found, key=lambda outcome: float(found[outcome][0])) == question.outcome

    def _likelihoods(
        self,
        question: Question,
        messages: Sequence[str],
        hits: Sequence[Hit],
        answers: Mapping[str, str],
    ) -> dict[str, Floats]:
        """Of each answer after each message, float64 [messages]; also what is made of them."""
        if not answers:
            return {}
        asked = {**answers, **_masked(question, answers)} if self._options.rivals else answers
        turns = {f"= {outcome}": text for outcome, text in question.verdicts.items()}
        turns = turns if "verdict" in self._references else {}
        try:
            found = self._score(messages, hits, {**asked, **turns})
            rivals = self._rivals(messages, hits, answers, found) if self._options.rivals else {}
        except ContextError:
            return {}  # withheld, as the pipeline does
        known = {name: found[name] for name in asked}
        if len(turns) < 2:
            return {**known, **rivals}
        right = f"= {question.outcome}"
        others = np.logaddexp.reduce([found[name] for name in turns if name != right])
        return {**known, **rivals, ODDS: found[right] - others}

    def _rivals(
        self,
        messages: Sequence[str],
        hits: Sequence[Hit],
        answers: Mapping[str, str],
        found: Mapping[str, Floats],
    ) -> dict[str, Floats]:
        """What else a change could be measured by, float64 [messages]."""
        bare = self._score(messages, (), answers)
        rivals = {f"{name}, beyond documents": found[name] - own for name, own in bare.items()}
        if DRAFT in answers:
            drafts = self._drafts(messages[0], hits, answers[DRAFT])
            more = self._score(messages, hits, drafts) if drafts else {}
            rivals[f"{DRAFT}, mean of several"] = np.mean([found[DRAFT], *more.values()], axis=0)
            divergences = self._counterfactual.divergences(messages, hits, answers[DRAFT])
            rivals[f"{DRAFT}, divergence of first tokens"] = -divergences
        return rivals

    def _drafts(self, message: str, hits: Sequence[Hit], first: str) -> dict[str, str]:
        """Further drafts that say something else: by the best passage alone, by the last first."""
        drafts = (self._counterfactual.draft(message, own) for own in (hits[:1], hits[::-1]))
        return {draft: draft for draft in drafts if draft and draft != first}

    def _score(
        self, messages: Sequence[str], hits: Sequence[Hit], answers: Mapping[str, str]
    ) -> dict[str, Floats]:
        scores = self._counterfactual.score_each(messages, hits, list(answers.values()))
        return dict(zip(answers, scores, strict=True))

    def _row(
        self,
        fact: Fact,
        owner: Attribute | None,
        answers: Mapping[str, str],
        measured: Mapping[str, Mapping[str, Influence]],
        scores: Mapping[str, Mapping[Attribute, float]],
    ) -> Row:
        bare = Row(
            attribute=fact.attribute,
            label=privacy.type_name(fact.label),
            decisive=fact.decisive,
            characters=fact.end - fact.start,
        )
        if owner is None:
            return replace(bare, found=False)
        if self._withholds(owner.label):
            return replace(bare, identifier=True)
        placeholder = owner.placeholder
        own = {name: all_[placeholder] for name, all_ in measured.items() if placeholder in all_}
        return replace(
            bare,
            changes={name: one.changes for name, one in own.items()},
            influence={name: one.influence for name, one in own.items()},
            echo={name: says(answer, owner.value) for name, answer in answers.items()},
            scores={name: by_attribute[owner] for name, by_attribute in scores.items()},
            shift=self._shift(scores, owner),
            draft_shift=self._shift(
                scores, owner, settled=placeholder in settled(answers.get(DRAFT, ""), [owner])
            ),
        )

    def _shift(
        self,
        scores: Mapping[str, Mapping[Attribute, float]],
        owner: Attribute,
        *,
        settled: bool = False,
    ) -> float:
        if self._prior is None:
            return 0.0
        return self._prior.shift(scores[PRIOR][owner], settled=settled)


def open_relevance(
    dataset: Dataset,
    *,
    sources: Models,
    work: Path,
    detector: Detector | None = None,
    references: Sequence[str] | None = None,
    policy: privacy.Policy | None = None,
    options: RelevanceOptions = RelevanceOptions(),
) -> Relevance:
    """The measurement on real models.

    Args:
        work: A folder that keeps the index.
        references: Measures by these alone, and no baseline; None for all of both.
        policy: See `Relevance`.
    """
    model, embedder = open_slm(sources), open_embedder(sources)
    passages = read_passages(dataset, sources=sources, filler=options.retrieved > 0)
    index = retrieval.cached_index(passages, embedder, work, progress=True)
    baselines: dict[str, Baseline] = {"asked": Asked(model), "similarity": Similarity(embedder)}
    return Relevance(
        Evidence(passages, Hybrid(index), open_reranker(sources), options=options),
        Counterfactual(model),
        baselines=None if references else baselines,
        references=references or REFERENCES,
        prior=open_prior(sources),
        detector=detector,
        policy=policy,
        options=options,
    )


def read_passages(dataset: Dataset, *, sources: Models, filler: bool = False) -> list[Passage]:
    """Passages of the documents that have rules or answer a question; with `filler`, of all."""
    answering = {id_ for question in dataset.questions for id_ in question.documents}
    chosen = [own for own in dataset.documents if filler or own.cases or own.id in answering]
    chunker = Chunker(models.locate("embedder", sources.embedder)["tokenizer.json"])
    return retrieval.passages(chosen, chunker) if chosen else []


def _masked(question: Question, answers: Mapping[str, str]) -> dict[str, str]:
    """Answers that repeat values, with the types in their place: what is left without the echo."""
    masked = {}
    for name, answer in answers.items():
        text = answer
        for fact in question.facts:
            value = re.escape(question.message[fact.start : fact.end])
            text = re.sub(rf"(?<!\w){value}(?!\w)", fact.label, text, flags=re.IGNORECASE)
        if text != answer:
            masked[f"{name}, values masked"] = text
    return masked


def owner_of(fact: Fact, attributes: Sequence[Attribute]) -> Attribute | None:
    """The attribute that covers a fact, or some of it."""
    for attribute in attributes:
        if any(m.start < fact.end and fact.start < m.end for m in attribute.mentions):
            return attribute
    return None
