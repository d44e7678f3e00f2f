"""What is sent against what the answer needs, over every threshold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privrag_fast.evaluation import metrics, rules
from privrag_fast.evaluation.dataset import Dataset
from privrag_fast.evaluation.estimators import ESTIMATORS
from privrag_fast.evaluation.relevance import DRAFT, ODDS, PRIOR, REFERENCES, Measured, Row
from privrag_fast.privacy import Policy
from privrag_fast.relevance.influence import influence_of
from privrag_fast.relevance.prior import limit_of
from privrag_fast.relevance.rounds import DOUBT, is_clear
from privrag_fast.types import InputError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Answerable = Callable[[str, frozenset[str]], bool | None]

RECALL = 0.97
"""Share of the decisive values that the tables hold fixed."""

_DOUBTS = (0.1, 0.2, 0.4, DOUBT, 1.6, math.inf)
_POINTS = 60
_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Point:
    """What one choice of values sends, and what it is good for. nan where nothing is known.

    Args:
        values, characters: Share of all sensitive values, and of their characters, sent.
        per_message: Values sent per message.
        recall: Share of the decisive values sent.
        withheld: Share of the values that are not decisive withheld.
        answerable: Share of the questions whose outcome the values sent fix, by the rules.
    """

    values: float
    characters: float
    per_message: float
    recall: float
    withheld: float
    answerable: float


def shift_of(row: Row, reference: str) -> float:
    """What the prior adds to log1p of the influence on a reference answer."""
    return row.draft_shift if reference == DRAFT else row.shift


def moved(influence: ArrayLike, shift: ArrayLike) -> Floats:
    """Influence once the prior has added its shift to log1p of it, in nats: what is decided by."""
    nats, shifts = np.asarray(influence, np.float64), np.asarray(shift, np.float64)
    moves = np.isfinite(nats) & (shifts != 0)
    others = np.expm1(np.log1p(np.where(moves, np.maximum(nats, 0), 0.0)) + shifts)
    return np.where(moves, others, nats)


class Facts:
    """Rows of many questions as columns, with the rules beside them.

    Args:
        answerable: Whether a question's outcome is fixed by the attributes named; None where its
            rules are not known.
    """

    def __init__(self, measured: Sequence[Measured], answerable: Answerable) -> None:
        self.questions = [own.question for own in measured]
        self.rows: list[Row] = [row for own in measured for row in own.rows]
        self.owner = np.repeat(np.arange(len(measured)), [len(own.rows) for own in measured])
        self._answerable = answerable
        self._fixed: dict[tuple[str, frozenset[str]], bool | None] = {}
        self.found = self._flags(lambda row: row.found)
        self.identifier = self._flags(lambda row: row.identifier)
        self.decisive = self._flags(lambda row: row.decisive is True)
        self.other = self._flags(lambda row: row.decisive is False)
        self.measured = self.found & ~self.identifier & (self.decisive | self.other)
        self._characters = np.array([row.characters for row in self.rows], np.float64)

    def influence(self, reference: str) -> Floats:
        """Nats, float64 [rows]."""
        return self.column([row.influence.get(reference, -math.inf) for row in self.rows])

    def evidence(self, reference: str) -> Floats:
        """What the pipeline decides by: influence, moved by the prior; float64 [rows]."""
        shifts = [shift_of(row, reference) for row in self.rows]
        return moved(self.influence(reference), shifts)

    def estimate(self, name: str, reference: str) -> Floats:
        """Another number made of the same changes, float64 [rows]."""
        changes = (np.array(row.changes.get(reference, ()), np.float64) for row in self.rows)
        return self.column([ESTIMATORS[name](own) if len(own) else -math.inf for own in changes])

    def echo(self, reference: str) -> Floats:
        """1 where the value stands in the reference answer, float64 [rows]."""
        return self.column([float(row.echo.get(reference, False)) for row in self.rows])

    def baseline(self, name: str) -> Floats:
        """A baseline's score, float64 [rows]."""
        return self.column([row.scores.get(name, -math.inf) for row in self.rows])

    def column(self, values: ArrayLike) -> Floats:
        """Identifiers lie below, values that detection missed above every threshold."""
        own = np.where(self.identifier, -math.inf, np.asarray(values, np.float64))
        return np.where(self.found, own, math.inf)

    def point(self, sent: Flags) -> Point:
        """What sending these rows' values means."""
        return Point(
            values=metrics.mean(sent),
            characters=_share(self._characters[sent].sum(), self._characters.sum()),
            per_message=_share(sent.sum(), len(self.questions)),
            recall=metrics.mean(sent[self.decisive]),
            withheld=metrics.mean(~sent[self.other]),
            answerable=self._share_answerable(sent),
        )

    def _flags(self, test: Callable[[Row], bool]) -> Flags:
        return np.array([test(row) for row in self.rows], np.bool_)

    def _share_answerable(self, sent: Flags) -> float:
        kept: list[set[str]] = [set() for _ in self.questions]
        for place in np.flatnonzero(sent):
            kept[self.owner[place]].add(self.rows[place].attribute)
        pairs = zip(self.questions, map(frozenset, kept), strict=True)
        fixed = [self._is_fixed(question, own) for question, own in pairs]
        return metrics.mean([one for one in fixed if one is not None])

    def _is_fixed(self, question: str, kept: frozenset[str]) -> bool | None:
        key = (question, kept)
        if key not in self._fixed:
            self._fixed[key] = self._answerable(question, kept)
        return self._fixed[key]


def by_rules(dataset: Dataset) -> Answerable:
    """Asks the rules of the documents that hold a question's answer."""
    questions = {question.id: question for question in dataset.questions}
    documents = {document.id: document for document in dataset.documents if document.cases}

    def answerable(id_: str, kept: frozenset[str]) -> bool | None:
        question = questions[id_]
        known = [documents[one] for one in question.documents if one in documents]
        return all(rules.answerable(one, question, kept) for one in known) if known else None

    return answerable


# --------------------------------------------------------------------------- choices


def sent_from(score: Floats, threshold: float | Floats) -> Flags:
    """Everything that reaches the threshold, and nothing that was never to be sent.

    Args:
        threshold: Of all rows, or float64 [rows].
    """
    return (score >= threshold) & (score > -math.inf)


def sent_by_policy(facts: Facts, policy: Policy, reference: str) -> Flags:
    """What the pipeline sends when it measures by this reference answer, or by `PRIOR` alone."""
    policy = policy.for_draft() if reference == DRAFT else policy
    if reference == PRIOR:
        measured = sent_from(facts.baseline(PRIOR), policy.guess_threshold)
    else:
        limits = np.array([policy.threshold_of(row.label) for row in facts.rows], np.float64)
        measured = sent_from(facts.evidence(reference), limits)
    ways = np.array([policy.way(row.label) for row in facts.rows], np.str_)
    sent: Flags = ~facts.found | (ways == "always") | (measured & (ways == "auto"))
    return sent


def sent_most(score: Floats, count: int, *, seed: int) -> Flags:
    """The `count` rows that score highest; ties are drawn."""
    tie = np.random.default_rng(seed).random(len(score))
    best = np.lexsort((tie, -score))[:count]
    chosen = np.zeros(len(score), np.bool_)
    chosen[best] = True
    sent: Flags = (chosen & (score > -math.inf)) | (score == math.inf)
    return sent


def threshold_for(facts: Facts, score: Floats, recall: float) -> float:
    """The largest threshold that keeps this share of the decisive values; nan without one."""
    return metrics.threshold_for_recall(facts.decisive, score, recall)


def guess_threshold(facts: Facts, recall: float) -> float:
    """The probability by the prior alone that keeps this share; nan where no prior was asked."""
    score = facts.baseline(PRIOR)
    known = facts.measured & facts.decisive & np.isfinite(score)
    return metrics.threshold_for_recall(known, score, recall)


def calibrate(
    facts: Facts, reference: str, *, recall: float, least: int = 20
) -> tuple[float, dict[str, float]]:
    """The threshold that keeps this share of the decisive values, and those of single labels.

    Args:
        least: Decisive values that a label needs for a threshold of its own.

    Raises:
        InputError: No value is known to be decisive, or too few of them were measured.
    """
    score = facts.evidence(reference)
    known = facts.measured & facts.decisive
    if not known.any():
        raise InputError("no measured value is decisive: calibrate on data that says which are")
    labels = np.array([row.label for row in facts.rows])
    by_label = {
        str(label): metrics.threshold_for_recall(own, score[known], recall)
        for label in np.unique(labels[known])
        for own in [labels[known] == label]
        if own.sum() >= least
    }
    overall = metrics.threshold_for_recall(np.ones(known.sum(), np.bool_), score[known], recall)
    if math.isinf(overall):
        raise InputError(
            f"influence on the {reference} answer was measured for fewer than {recall:.0%} of the "
            "decisive values: calibrate on another reference answer"
        )
    return overall, {label: own for label, own in by_label.items() if math.isfinite(own)}


# --------------------------------------------------------------------------- figures


def summarize(
    measured: Sequence[Measured], dataset: Dataset, *, policy: Policy, seed: int
) -> dict[str, Any]:
    """All figures of the trade-off, as JSON has them."""
    facts = Facts(measured, by_rules(dataset))
    kinds = dict.fromkeys(name for row in facts.rows for name in row.influence)
    present = [name for name in (*REFERENCES, ODDS) if name in kinds]
    scores = _scores(facts, present, seed)
    exposed = _exposed(facts, scores)
    return {
        "questions": len(measured),
        "complete": metrics.mean([own.complete for own in measured]),
        "verdicts": _verdicts(measured, dataset),
        "values": len(facts.rows),
        "missed": int((~facts.found).sum()),
        "identifiers": int(facts.identifier.sum()),
        "decisive": int(facts.decisive.sum()),
        "seconds_per_question": metrics.mean([own.seconds for own in measured]),
        "recall": RECALL,
        "exposed": exposed,
        "methods": {
            name: _method(facts, score, exposed=exposed, seed=seed)
            for name, score in scores.items()
        },
        "rounds": {name: _in_rounds(facts, name) for name in present if name != ODDS},
        "fixed": {
            "everything": asdict(facts.point(np.ones(len(facts.rows), np.bool_))),
            "nothing": asdict(facts.point(~facts.found)),
        },
        "policy": {
            name: asdict(facts.point(sent_by_policy(facts, policy, name)))
            for name in (*present, *({PRIOR} & scores.keys()))
        },
        "by_label": {name: _by_label(facts, facts.influence(name)) for name in present},
        "estimators": {
            estimator: {
                name: _auroc(facts, facts.estimate(estimator, name), facts.measured)
                for name in kinds
            }
            for estimator in ESTIMATORS
        },
    }


def _in_rounds(facts: Facts, reference: str) -> list[dict[str, float]]:
    """What stopping early saves and costs, at the threshold that keeps the wished share."""
    threshold = threshold_for(facts, facts.evidence(reference), RECALL)
    return [{"doubt": doubt, **_stopping(facts, reference, threshold, doubt)} for doubt in _DOUBTS]


def _stopping(facts: Facts, reference: str, threshold: float, doubt: float) -> dict[str, float]:
    counts, influences = [], []
    for row in facts.rows:
        changes = row.changes.get(reference, ())
        shift = shift_of(row, reference)
        limit = limit_of(threshold, shift) if shift else max(0.0, threshold)
        settled = bool(shift) and limit in (0.0, math.inf)
        tried = 0 if settled else _tried(changes, limit, doubt)
        counts += [tried] if changes else []
        influence = influence_of(np.array(changes[:tried])) if tried else 0.0
        influences.append(influence if changes else -math.inf)
    scores = moved(influences, [shift_of(row, reference) for row in facts.rows])
    point = facts.point(sent_from(facts.column(scores), threshold))
    return {"variants": metrics.mean(counts), "recall": point.recall, "withheld": point.withheld}


def _tried(changes: Sequence[float], limit: float, doubt: float) -> int:
    """How many substitutes it takes until the attribute is clear."""
    enough = (n for n in range(1, len(changes)) if is_clear(changes[:n], limit, doubt=doubt))
    return next(enough, len(changes))


def _verdicts(measured: Sequence[Measured], dataset: Dataset) -> dict[str, Any]:
    """How often the right verdict is the likeliest: in all, and by the operators of the rules.

    Behind the model's own draft, and at once.
    """
    documents = {question.id: question.documents for question in dataset.questions}
    cases = {document.id: document.cases for document in dataset.documents}
    right: dict[str, list[tuple[bool, bool | None]]] = {}
    for own in measured:
        if own.verdict is None:
            continue
        operators = {
            condition.operator
            for id_ in documents[own.question]
            for case in cases[id_]
            for condition in case.conditions
        }
        for name in ("all", *sorted(operators)):
            right.setdefault(name, []).append((own.verdict, own.bare_verdict))
    return {
        name: {
            "questions": len(flags),
            "right": metrics.mean([behind for behind, _ in flags]),
            "at once": metrics.mean([bare for _, bare in flags if bare is not None]),
        }
        for name, flags in right.items()
    }


def _scores(facts: Facts, references: Sequence[str], seed: int) -> dict[str, Floats]:
    """Every rival's score of every row, by a name for readers."""
    baselines = dict.fromkeys(name for row in facts.rows for name in row.scores)
    prior = PRIOR in baselines
    random = np.random.default_rng(seed).random(len(facts.rows))
    return {
        **({f"decision, {name}": facts.evidence(name) for name in references} if prior else {}),
        **{f"influence, {name}": facts.influence(name) for name in references},
        **{f"echo, {name}": facts.echo(name) for name in references},
        **{name: facts.baseline(name) for name in baselines},
        "random": facts.column(random),
    }


def _exposed(facts: Facts, scores: Mapping[str, Floats]) -> int:
    """Values that influence sends where it keeps the wished share: all rivals get as many."""
    score = scores.get(f"influence, {DRAFT}", next(iter(scores.values())))
    score = scores.get(f"decision, {DRAFT}", score)
    return int(sent_from(score, threshold_for(facts, score, RECALL)).sum())


def _method(facts: Facts, score: Floats, *, exposed: int, seed: int) -> dict[str, Any]:
    threshold = threshold_for(facts, score, RECALL)
    low, high = _auroc_interval(facts, score, seed)
    return {
        "auroc": _auroc(facts, score, facts.measured),
        "auroc_low": low,
        "auroc_high": high,
        "average_precision": metrics.average_precision(
            facts.decisive[facts.measured], score[facts.measured]
        ),
        "threshold": threshold,
        "at_recall": asdict(facts.point(sent_from(score, threshold))),
        "at_exposure": asdict(facts.point(sent_most(score, exposed, seed=seed))),
        "curve": [asdict(facts.point(sent_from(score, t))) for t in _thresholds(score)],
    }


def _thresholds(score: Floats) -> list[float]:
    """From sending nothing to sending all that may be sent, evenly over the values."""
    finite = score[np.isfinite(score)]
    if not len(finite):
        return [math.inf]
    steps = np.quantile(finite, np.linspace(1, 0, _POINTS), method="nearest")
    return [math.inf, *map(float, dict.fromkeys(steps))]


def _by_label(facts: Facts, score: Floats) -> dict[str, dict[str, float]]:
    labels = np.array([row.label for row in facts.rows])
    return {
        str(label): {
            "values": int(own.sum()),
            "decisive": int((own & facts.decisive).sum()),
            "auroc": _auroc(facts, score, own),
            "average_precision": metrics.average_precision(facts.decisive[own], score[own]),
        }
        for label in np.unique(labels[facts.measured])
        for own in [facts.measured & (labels == label)]
    }


def _auroc(facts: Facts, score: Floats, rows: Flags) -> float:
    return metrics.auroc(facts.decisive[rows], score[rows])


def _auroc_interval(facts: Facts, score: Floats, seed: int) -> tuple[float, float]:
    """95 %, by drawing questions: the values of one message are not independent."""
    groups = [
        np.flatnonzero(facts.measured & (facts.owner == q)) for q in range(len(facts.questions))
    ]
    groups = [group for group in groups if len(group)]
    if not groups:
        return math.nan, math.nan
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(_ROUNDS):
        rows = np.concatenate([groups[i] for i in rng.integers(len(groups), size=len(groups))])
        drawn.append(metrics.auroc(facts.decisive[rows], score[rows]))
    known = [value for value in drawn if not math.isnan(value)]
    low, high = np.quantile(known, [0.025, 0.975]) if known else (math.nan, math.nan)
    return float(low), float(high)


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan
