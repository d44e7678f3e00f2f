"""How well influence tells decisive attributes from others, and the default threshold.

    python benchmarks/bench_relevance.py            # gold spans of examples/questions.jsonl

The small labelled set is examples/questions.jsonl: `dev` chooses the threshold, `test` reports.
Attributes are the labelled ones, so that detection does not blur the figures; documents are those
that retrieval finds for the abstracted message. Reference answers: the explained and the
verdict-only one of the data set, and the local model's own draft.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from privrag_fast import privacy
from privrag_fast.assembly import Models, build_index, open_reranker, open_slm
from privrag_fast.evaluation.metrics import auroc
from privrag_fast.relevance.counterfactual import Counterfactual
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.types import Attribute, Entity, Hit

ROOT = Path(__file__).resolve().parent.parent
REFERENCES = ("explained", "verdict", "draft")
Floats = NDArray[np.float64]

ESTIMATORS: dict[str, Callable[[Floats], float]] = {
    "mean |change|": lambda changes: float(np.abs(changes).mean()),
    "largest |change|": lambda changes: float(np.abs(changes).max()),
    "median |change|": lambda changes: float(np.median(np.abs(changes))),
    "mean change": lambda changes: float(changes.mean()),
    "largest change": lambda changes: float(changes.max()),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute of one question: changes by reference answer, in nats."""

    question: str
    split: str
    label: str
    decisive: bool
    echo: dict[str, bool]
    changes: dict[str, Floats]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each N-th question")
    parser.add_argument("--substitutes", type=int, default=3)
    parser.add_argument("--slm", default=None, help="another GGUF file")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--references", nargs="+", default=REFERENCES, choices=REFERENCES)
    parser.add_argument("--withhold", type=float, default=0.9, help="share of the others, on dev")
    options = parser.parse_args()
    rows, found = measure(options)
    report(rows, options.references, options.withhold)
    print(f"gold document among the hits: {found:.3f}")
    return 0


def measure(options: argparse.Namespace) -> tuple[list[Row], float]:
    sources = Models(slm=options.slm, threads=options.threads)
    index = build_index(ROOT / "examples/corpus", sources=sources)
    reranker = open_reranker(sources)
    counterfactual = Counterfactual(open_slm(sources))
    substitutes = Substitutes(0)
    policy = privacy.Policy()
    lines = (ROOT / "examples/questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines][:: options.every]
    rows: list[Row] = []
    found = 0
    for question in tqdm(questions, disable=None):
        message = question["message"]
        attributes, decisive = labelled(question)
        query = privacy.abstract(message, attributes)
        # Direct identifiers are never sent, so nothing is measured for them.
        attributes = tuple(a for a in attributes if not policy.settles(a.label))
        hits = reranker.rerank(query, index.search(query, 20), 4)
        found += any(hit.passage.source == question["document"] for hit in hits)
        if not attributes:
            continue
        references = {
            "explained": question["answer_explained"],
            "verdict": question["answer_verdict"],
        }
        if "draft" in options.references:
            references["draft"] = counterfactual.draft(message, hits) or "I do not know."
        references = {name: references[name] for name in options.references}
        tried = substitutes.propose(message, attributes, k=options.substitutes)
        changes = {
            name: change(counterfactual, message, attributes, tried, hits, answer)
            for name, answer in references.items()
        }
        rows += [
            Row(
                question["id"],
                question["split"],
                attribute.label,
                attribute.placeholder in decisive,
                {
                    name: attribute.value.casefold() in answer.casefold()
                    for name, answer in references.items()
                },
                {name: changes[name][i] for name in references},
            )
            for i, attribute in enumerate(attributes)
            if len(tried[attribute.placeholder])
        ]
    return rows, found / len(questions)


def labelled(question: dict) -> tuple[tuple[Attribute, ...], frozenset[str]]:
    """Attributes of the labelled spans, and the placeholders of the decisive ones."""
    message = question["message"]
    entities, decisive_spans = [], set()
    for item in question["attributes"]:
        start = message.find(item["value"])
        entities.append(Entity(start, start + len(item["value"]), item["label"]))
        if item["decisive"]:
            decisive_spans.add(start)
    attributes = privacy.attributes(message, entities, privacy.Vault())
    starts = {a.placeholder: {m.start for m in a.mentions} for a in attributes}
    decisive = {p for p, own in starts.items() if own & decisive_spans}
    return attributes, frozenset(decisive)


def change(
    counterfactual: Counterfactual,
    message: str,
    attributes: Sequence[Attribute],
    tried: dict[str, tuple[str, ...]],
    hits: Sequence[Hit],
    answer: str,
) -> list[Floats]:
    variants = [
        privacy.substitute(message, a, value) for a in attributes for value in tried[a.placeholder]
    ]
    scored = counterfactual.score([message, *variants], hits, answer).log_likelihood
    cuts = np.cumsum([len(tried[a.placeholder]) for a in attributes])[:-1]
    return np.split(scored[0] - scored[1:], cuts)


def report(rows: list[Row], references: Sequence[str], withhold: float) -> None:
    for split in ("dev", "test"):
        own = [row for row in rows if row.split == split]
        decisive = np.array([row.decisive for row in own])
        print(f"\n{split}: {len(own)} attributes, {decisive.sum()} decisive; AUROC")
        print(f"{'':<20}" + "".join(f"{name:>12}" for name in references))
        for title, estimate in ESTIMATORS.items():
            scores = [
                auroc(decisive, np.array([estimate(r.changes[name]) for r in own]))
                for name in references
            ]
            print(f"{title:<20}" + "".join(f"{score:>12.3f}" for score in scores))
        echo = [
            auroc(decisive, np.array([float(r.echo[name]) for r in own])) for name in references
        ]
        print(f"{'value in answer':<20}" + "".join(f"{score:>12.3f}" for score in echo))
    estimate = ESTIMATORS["mean |change|"]
    for title, choose in (
        ("best Youden's J", best_threshold),
        (f"{withhold:.0%} of the others withheld", partial(cautious_threshold, withhold)),
    ):
        print(f"\nthreshold on mean |change|: {title} on dev")
        for name in references:
            threshold = choose([r for r in rows if r.split == "dev"], name, estimate)
            print(f"{name:<10} {threshold:6.2f} nats  " + figures(rows, name, estimate, threshold))


def cautious_threshold(
    withhold: float, rows: list[Row], name: str, estimate: Callable[[Floats], float]
) -> float:
    """Below which the wished share of attributes that are not decisive lies."""
    return float(np.quantile([estimate(r.changes[name]) for r in rows if not r.decisive], withhold))


def best_threshold(rows: list[Row], name: str, estimate: Callable[[Floats], float]) -> float:
    """Where the share of decisive attributes kept exceeds that of others kept the most."""
    decisive = np.array([r.decisive for r in rows])
    influence = np.array([estimate(r.changes[name]) for r in rows])
    candidates = np.unique(influence)
    youden = [
        (influence[decisive] >= c).mean() - (influence[~decisive] >= c).mean() for c in candidates
    ]
    return float(candidates[int(np.argmax(youden))])


def figures(
    rows: list[Row], name: str, estimate: Callable[[Floats], float], threshold: float
) -> str:
    own = [r for r in rows if r.split == "test"]
    kept = np.array([estimate(r.changes[name]) >= threshold for r in own])
    decisive = np.array([r.decisive for r in own])
    return (
        f"test: decisive kept {kept[decisive].mean():.3f}, "
        f"others withheld {1 - kept[~decisive].mean():.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
