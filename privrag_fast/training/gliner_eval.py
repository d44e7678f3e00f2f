"""Figures of a trained detector on text that it never saw, and its thresholds.

    python -m privrag_fast.training.gliner_eval --model DIR --data ../shared/data

writes ``thresholds.json`` and ``figures.json`` into the model's folder. Thresholds come from data
kept out of training (a share of CAPID train, new messages); the test sets are only measured.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.onnx import OnnxModel, load_tokenizer
from privrag_fast.training import gliner_data as data

logger = logging.getLogger(__name__)

FLOOR: Final = 0.05  # scores below are dropped before anything else
GRID: Final = tuple(round(0.05 * i, 2) for i in range(2, 18))
# Thresholds that may ship: dev text is like the training text, so its extremes are not believed.
SHIPPED: Final = tuple(t for t in GRID if 0.2 <= t <= 0.5)
MIN_GOLD: Final = 20  # a label with fewer gold spans on dev takes the default threshold
SLACK: Final = 0.01  # of F2 that a lower threshold may cost: recall first

# Messages of our own, in the way users write; [value|type]. Only measured, never trained.
MESSAGES: Final = """\
Hi, I'm [Laura Meier|PERSON], [67|AGE], a [retired nurse|OCCUPATION] from [Zurich|LOCATION], \
[divorced|MARITAL_STATUS] with [two kids|CHILDREN], income [CHF 54,000 a year|INCOME], I have \
[diabetes|HEALTH], can I open the Senior Saver account?
My name is [Tomasz Zieliński|PERSON]. I turned [41|AGE] in [May|DATE] and drive trucks for \
[DB Schenker|EMPLOYER]. Is the Flex Pension Plan open to me? I have [asthma|HEALTH].
we are both [52|AGE], [married|MARITAL_STATUS], [no children|CHILDREN], living in \
[Lausanne|LOCATION], and have [120k francs|MONEY] saved up. comfort mortgage or not?
As a [Kenyan|NATIONALITY] [student|OCCUPATION] in [Graz|LOCATION] I get \
[900 euros a month|INCOME]. Which card do you suggest, the Basic Start card or the Travel Plus?
The minimum age for the Pension Plus card is 62, right? I'm only [58|AGE].
Please call me at [+41 78 222 31 90|PHONE] or write to [r.okafor@proton.me|EMAIL]. \
[Ruth Okafor|PERSON]
You sent [$2,400|MONEY] to [DE44 5001 0517 5407 3249 31|IBAN] by mistake on [3 March 2024|DATE].
SSN [078-05-1120|SSN], card [4929 1234 5678 9012|CARD], born [12.04.1983|DATE]. Please close it.
I'm a [gay|ORIENTATION] [man|GENDER], [36|AGE], [Catholic|RELIGION], and my insurer asks about \
[HIV|HEALTH]. Must I answer?
[self-employed|OCCUPATION], [44|AGE], [Lyon|LOCATION], [single|MARITAL_STATUS], earning \
[€61,000|INCOME]
My wife works at [Nestlé|EMPLOYER] as a [chemist|OCCUPATION] and I look after \
our [three kids|CHILDREN].
What documents do I need for the Comfort Mortgage?
Does the Young Family Loan have a minimum income of CHF 40,000?
I hold a [master's degree in law|EDUCATION] and vote [Green|POLITICS]. Policy [KX-4471902|ID].
Since [2019|DATE] I have lived at [Seestrasse 41, 8002 Zürich|ADDRESS] with \
[chronic migraine|HEALTH].
I'm [Aylin|PERSON], [29|AGE], [Turkish|NATIONALITY], [pregnant|HEALTH], and on parental leave \
from [Swisscom|EMPLOYER].
i'm [unemployed|OCCUPATION] at [61|AGE] after [Credit Suisse|EMPLOYER] let me go. \
debts: [18000 chf|MONEY]
Name: [Marco Bianchi|PERSON]
Age: [73|AGE]
Job: [retired|OCCUPATION]
Canton: [Ticino|LOCATION]
[Widowed|MARITAL_STATUS], [one daughter|CHILDREN], [arthritis|HEALTH], \
pension [2,950 CHF per month|INCOME].
Can a [Muslim|RELIGION] get a loan without interest? Asking for my brother \
[Samir|PERSON], [33|AGE].
How do I reset my PIN?
I was told that people over 65 get 1.5% more on the Senior Saver account.
""".splitlines()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Characters ``[start, end)`` under a label with its probability."""

    start: int
    end: int
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Labeled:
    """A text, its gold ``(start, end, type)`` and the label string of each type asked for."""

    text: str
    gold: frozenset[tuple[int, int, str]]


class SpanModel:
    """The exported graph with the plainest decoder that can be written.

    Args:
        folder: With ``tokenizer.json`` and ``gliner_config.json``.
        graph: File name of the graph, or a path of its own.
        threads: For onnxruntime.
    """

    def __init__(self, folder: Path, graph: Path | None = None, *, threads: int = 2) -> None:
        config = json.loads((folder / "gliner_config.json").read_text(encoding="utf8"))
        self._tokenizer = load_tokenizer(folder / "tokenizer.json")
        self._model = OnnxModel(graph or folder / "model.onnx", threads=threads)
        self._ent, self._sep = config["ent_token"], config["sep_token"]
        self._width = int(config["max_width"])

    def candidates(self, text: str, labels: Sequence[str]) -> list[Candidate]:
        """Every span and label above FLOOR, best first."""
        words, offsets = data.split_words(text)
        if not words:
            return []
        prompt = [token for label in labels for token in (self._ent, label)] + [self._sep]
        encoded = self._tokenizer.encode([*prompt, *words], is_pretokenized=True)
        ids = np.array([encoded.ids], np.int64)
        word_ids = np.array([-1 if w is None else w for w in encoded.word_ids])
        first = np.concatenate([[True], word_ids[1:] != word_ids[:-1]]) & (word_ids >= len(prompt))
        count, width = len(words), self._width
        start = np.repeat(np.arange(count), width)
        end = start + np.tile(np.arange(width), count)
        inside = end < count
        logits = self._model.run(
            {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "words_mask": np.where(first, word_ids - len(prompt) + 1, 0)[None],
                "text_lengths": np.array([[count]]),
                "span_idx": (np.stack([start, end], 1) * inside[:, None])[None],
                "span_mask": inside[None],
            }
        )[0][0, :count]  # float32 [words, width, labels]
        scores = 1 / (1 + np.exp(-logits.astype(np.float64)))
        found = [
            Candidate(offsets[i][0], offsets[i + k][1], labels[c], float(scores[i, k, c]))
            for i, k, c in zip(*np.nonzero(scores > FLOOR), strict=True)
            if i + k < count
        ]
        return sorted(found, key=lambda c: -c.score)


def flat(
    candidates: Iterable[Candidate], default: float, by_label: Mapping[str, float] | None = None
) -> list[Candidate]:
    """Greedy choice: best score first, no two that overlap."""
    kept: list[Candidate] = []
    for c in candidates:
        limit = (by_label or {}).get(c.label, default)
        if c.score >= limit and all(c.end <= k.start or c.start >= k.end for k in kept):
            kept.append(c)
    return kept


@dataclass(frozen=True, slots=True)
class Figures:
    """Micro-averaged exact match, and F1 per type."""

    precision: float
    recall: float
    f1: float
    per_type: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """Rounded, for the model card."""
        return {
            "precision": round(self.precision, 3),
            "recall": round(self.recall, 3),
            "f1": round(self.f1, 3),
            "per_type": {k: round(v, 2) for k, v in sorted(self.per_type.items())},
        }


def _f(precision: float, recall: float, beta: float = 1.0) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def exact_match(
    predicted: Sequence[Iterable[tuple[int, int, str]]],
    gold: Sequence[Iterable[tuple[int, int, str]]],
) -> Figures:
    """Span and type must both be right; a span counts once."""
    right: Counter[str] = Counter()
    made: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for p, g in zip(map(set, predicted), map(set, gold), strict=True):
        made.update(t for *_, t in p)
        wanted.update(t for *_, t in g)
        right.update(t for *_, t in p & g)
    precision = right.total() / max(1, made.total())
    recall = right.total() / max(1, wanted.total())
    per_type = {t: 2 * right[t] / (made[t] + wanted[t]) for t in wanted}
    return Figures(precision, recall, _f(precision, recall), per_type)


def overlap_recall(
    predicted: Sequence[Iterable[tuple[int, int, str]]],
    gold: Sequence[Iterable[tuple[int, int, str]]],
) -> float:
    """Share of gold spans that any predicted span touches, whatever its label."""
    found = total = 0
    for p, g in zip(map(list, predicted), gold, strict=True):
        for start, end, _ in g:
            total += 1
            found += any(a < end and b > start for a, b, _ in p)
    return found / max(1, total)


@dataclass(slots=True)
class Task:
    """Texts to be measured under one set of label strings; candidates are computed once."""

    rows: list[Labeled]
    type_of: dict[str, str]  # label string -> gold type
    found: list[list[Candidate]]

    @classmethod
    def run(cls, model: SpanModel, rows: Sequence[Labeled], labels: Mapping[str, str]) -> Task:
        """Ask for all labels (gold type -> string) on every text."""
        strings = list(labels.values())
        found = [model.candidates(row.text, strings) for row in rows]
        return cls(list(rows), {v: k for k, v in labels.items()}, found)

    def predicted(
        self, default: float, by_label: Mapping[str, float] | None = None
    ) -> list[list[tuple[int, int, str]]]:
        """Spans of each text at the thresholds."""
        return [
            [(c.start, c.end, self.type_of[c.label]) for c in flat(row, default, by_label)]
            for row in self.found
        ]

    def gold(self) -> list[frozenset[tuple[int, int, str]]]:
        """Gold spans of each text."""
        return [row.gold for row in self.rows]

    def figures(self, default: float, by_label: Mapping[str, float] | None = None) -> Figures:
        """Exact match at the thresholds."""
        return exact_match(self.predicted(default, by_label), self.gold())


def _from_examples(examples: Iterable[data.Example]) -> list[Labeled]:
    return [Labeled(e.text, frozenset((c.start, c.end, c.type) for c in e.chars)) for e in examples]


def read_messages() -> list[Labeled]:
    """The messages above with their types."""
    rows = []
    for line in MESSAGES:
        text, gold, at = "", set(), 0
        for m in re.finditer(r"\[([^|\]]+)\|(\w+)\]", line):
            text += line[at : m.start()]
            gold.add((len(text), len(text) + len(m.group(1)), m.group(2)))
            text += m.group(1)
            at = m.end()
        rows.append(Labeled(text + line[at:], frozenset(gold)))
    return rows


def _read_wnut(path: Path) -> list[Labeled]:
    rows = []
    for words, spans in data.read_bio(path):
        starts = np.cumsum([0] + [len(w) + 1 for w in words])
        gold = {(int(starts[a]), int(starts[b]) + len(words[b]), t) for a, b, t in spans}
        rows.append(Labeled(" ".join(words), frozenset(gold)))
    return rows


def calibrate(
    model: SpanModel, capid: Sequence[data.Example], messages: Sequence[data.Example]
) -> tuple[float, dict[str, float], float]:
    """Thresholds from dev data.

    Returns:
        The default threshold (best F2), one for each default label that has enough gold spans, and
        the threshold of the best F1 for comparison.
    """
    own = {t: t for t in data.CAPID_CONCEPTS}
    task = Task.run(model, _from_examples(capid), own)
    sweep = {t: task.figures(t) for t in GRID}
    best_f1 = max(GRID, key=lambda t: sweep[t].f1)
    f2 = {t: _f(sweep[t].precision, sweep[t].recall, 2.0) for t in SHIPPED}
    default = min(t for t in SHIPPED if f2[t] >= max(f2.values()) - SLACK)

    labels = list(data.DEFAULT_CONCEPTS)
    right = {(label, t): 0 for label in labels for t in SHIPPED}
    made = dict(right)
    wanted = dict.fromkeys(labels, 0)
    for example in [*messages, *capid]:
        known = set(example.negatives) | {c for s in example.spans for c in s.concepts}
        spans = list(zip(example.chars, example.spans, strict=True))
        chosen = flat(model.candidates(example.text, labels), FLOOR)
        for label, concept in data.DEFAULT_CONCEPTS.items():
            if concept not in known:
                continue
            gold = {(c.start, c.end) for c, s in spans if concept in s.concepts}
            wanted[label] += len(gold)
            for c in chosen:
                for t in SHIPPED if c.label == label else ():
                    made[label, t] += c.score >= t
                    right[label, t] += c.score >= t and (c.start, c.end) in gold
    by_label = {}
    for label in labels:
        if wanted[label] < MIN_GOLD:
            continue
        score = {
            t: _f(right[label, t] / max(1, made[label, t]), right[label, t] / wanted[label], 2.0)
            for t in SHIPPED
        }
        by_label[label] = min(t for t in SHIPPED if score[t] >= max(score.values()) - SLACK)
    return default, by_label, best_f1


def measure(
    model: SpanModel, folder: Path, thresholds: tuple[float, dict[str, float], float]
) -> dict[str, Any]:
    """Figures on every test set, at the default threshold and at the best F1 of dev."""
    default, by_label, best_f1 = thresholds
    capid = _from_examples(data.read_capid(folder / "capid/test.jsonl"))
    presidio = _from_examples(data.read_presidio(folder / "presidio-research", held_out=True))
    kinds = sorted(set(data.PRESIDIO_CONCEPTS.values()))
    seen = {c: data.CONCEPTS[c].trained[0] for c in kinds}
    strange = {c: data.CONCEPTS[c].held_out[0] for c in kinds}
    capid_strange = {t: data.CONCEPTS[c].held_out[0] for t, c in data.CAPID_CONCEPTS.items()}
    tasks = {
        "capid_test": Task.run(model, capid, {t: t for t in data.CAPID_CONCEPTS}),
        "capid_test_held_out_labels": Task.run(model, capid, capid_strange),
        "presidio_held_out_templates": Task.run(model, presidio, seen),
        "presidio_held_out_templates_and_labels": Task.run(model, presidio, strange),
    }
    report: dict[str, Any] = {}
    for name, task in tasks.items():
        report[name] = {
            "default_threshold": task.figures(default).as_json(),
            "best_f1_threshold": task.figures(best_f1).as_json(),
        }
        logger.info("%s: %s", name, report[name])
    all_defaults = Task.run(model, capid, DEFAULT_LABELS)
    report["capid_test_overlap_recall"] = {
        "own_labels_default_threshold": round(
            overlap_recall(
                tasks["capid_test"].predicted(default), capid_gold := tasks["capid_test"].gold()
            ),
            3,
        ),
        "package_labels_and_thresholds": round(
            overlap_recall(all_defaults.predicted(default, by_label), capid_gold), 3
        ),
    }
    report["wnut17_person_location"] = _measure_wnut(model, folder, default, best_f1)
    mine = Task.run(model, read_messages(), DEFAULT_LABELS)
    predicted = mine.predicted(default, by_label)
    report["own_messages_default_labels"] = {
        **mine.figures(default, by_label).as_json(),
        "overlap_recall": round(overlap_recall(predicted, mine.gold()), 3),
    }
    for row, spans in zip(mine.rows, predicted, strict=True):
        missed = [(row.text[a:b], t) for a, b, t in sorted(row.gold - set(spans))]
        wrong = [(row.text[a:b], t) for a, b, t in sorted(set(spans) - row.gold)]
        logger.info("%s | missed %s | wrong %s", row.text[:60], missed, wrong)  # our own texts
    return report


def _measure_wnut(model: SpanModel, folder: Path, default: float, best_f1: float) -> dict[str, Any]:
    types = ("person", "location", "corporation", "group", "creative-work", "product")
    rows = _read_wnut(folder / "wnut17/emerging.test.annotated")
    task = Task.run(model, rows, {t: t.replace("-", " ") for t in types})

    def only(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        return [s for s in spans if s[2] in ("person", "location")]

    gold = [only(g) for g in task.gold()]
    report = {
        name: exact_match([only(p) for p in task.predicted(t)], gold).as_json()
        for name, t in (("default_threshold", default), ("best_f1_threshold", best_f1))
    }
    logger.info("wnut17: %s", report)
    return report


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate, measure, write ``thresholds.json`` and ``figures.json``."""
    parser = argparse.ArgumentParser(description="Thresholds and figures of a trained detector.")
    parser.add_argument("--model", type=Path, required=True, help="folder of the exported model")
    parser.add_argument("--graph", type=Path, help="another graph, such as the fp32 one")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seed", type=int, default=1, help="the seed of the training run")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, help="folder for the two files; default: --model")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model = SpanModel(args.model, args.graph, threads=args.threads)
    dev = data.read_dev(args.data, args.seed)
    default, by_label, best_f1 = calibrate(model, dev["capid"], dev["synthetic"])
    logger.info("default %.2f, best F1 at %.2f, by label %s", default, best_f1, by_label)
    figures = measure(model, args.data, (default, by_label, best_f1))
    figures["best_f1_threshold_of_dev"] = best_f1
    out = args.out or args.model
    out.mkdir(parents=True, exist_ok=True)
    for name, value in (
        ("thresholds", {"default": default, "labels": by_label}),
        ("figures", figures),
    ):
        (out / f"{name}.json").write_text(json.dumps(value, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
