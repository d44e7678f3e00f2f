"""Thresholds of a trained detector, and its figures.

    python -m privrag_fast.training.gliner_eval --model DIR --data ../shared/data

writes ``thresholds.json`` and ``figures.json`` into the model's folder. Thresholds come from data
kept out of training (a share of CAPID train, new messages), recall first; the figures are those
of ``privrag-fast evaluate detection``.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from privrag_fast.detection.gliner import Gliner
from privrag_fast.evaluation import detection
from privrag_fast.training import gliner_data as data
from privrag_fast.types import Entity

logger = logging.getLogger(__name__)

# Dev text is like the training text, so its extremes are not believed. Lower, more is found in the
# questions of ConditionalQA, mostly what they are about and nobody's, which retrieval then misses.
SHIPPED: Final = tuple(t for t in detection.GRID if 0.3 <= t <= 0.5)
MIN_GOLD: Final = 20  # a label with fewer gold spans on dev takes the default threshold
SLACK: Final = 0.01  # of F2 that a lower threshold may cost: recall first


def calibrate(
    sweep: Gliner, capid: Sequence[data.Example], messages: Sequence[data.Example]
) -> tuple[float, dict[str, float]]:
    """The default threshold, and one for each default label that has enough gold spans.

    Args:
        sweep: The model at the threshold `detection.FLOOR`.
        capid: Examples kept out of training, under CAPID's own labels.
        messages: Generated from templates kept out of training.
    """
    types = {kind: kind.upper().replace(" ", "_") for kind in data.CAPID_CONCEPTS}
    rows = detection.labeled(capid, types)
    labels = {types[kind]: kind for kind in types}
    candidates = sweep.detect([row.text for row in rows], labels=labels)
    default = _lowest(candidates, [row.gold for row in rows])
    return default, _by_label(sweep, [*messages, *capid])


def _lowest(
    candidates: Sequence[Sequence[Entity]], gold: Sequence[Collection[detection.Span]]
) -> float:
    """The lowest threshold whose F2 is nearly the best."""
    f2 = {}
    for threshold in SHIPPED:
        own = detection.exact_match(detection.spans(candidates, threshold=threshold), gold)
        f2[threshold] = detection.f_score(own.precision, own.recall, 2.0)
    return min(t for t in f2 if f2[t] >= max(f2.values()) - SLACK)


def _by_label(sweep: Gliner, examples: Sequence[data.Example]) -> dict[str, float]:
    labels = list(data.DEFAULT_CONCEPTS)
    rows = sweep.detect(
        [example.text for example in examples], labels={str(i): own for i, own in enumerate(labels)}
    )
    chosen = {}
    for number, (label, concept) in enumerate(data.DEFAULT_CONCEPTS.items()):
        gold: list[set[detection.Span]] = []
        candidates = []
        for example, entities in zip(examples, rows, strict=True):
            concepts = {c for span in example.spans for c in span.concepts}
            if concept not in {*example.negatives, *concepts}:
                continue  # nobody annotated it there
            pairs = zip(example.chars, example.spans, strict=True)
            gold.append({(c.start, c.end, str(number)) for c, s in pairs if concept in s.concepts})
            candidates.append([own for own in entities if own.label == str(number)])
        if sum(map(len, gold)) >= MIN_GOLD:
            chosen[label] = _lowest(candidates, gold)
    return chosen


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate, measure, write ``thresholds.json`` and ``figures.json``."""
    parser = argparse.ArgumentParser(description="Thresholds and figures of a trained detector.")
    parser.add_argument("--model", type=Path, required=True, help="folder of the exported model")
    parser.add_argument("--full", type=Path, help="folder of its F32 twin")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seed", type=int, default=1, help="the seed of the training run")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    sweep = Gliner(args.model, threshold=detection.FLOOR, threads=args.threads)
    dev = data.read_dev(args.data, args.seed)
    default, by_label = calibrate(sweep, dev["capid"], dev["synthetic"])
    logger.info("default %.2f, by label %s", default, by_label)
    _write(args.model / "thresholds.json", {"default": default, "labels": by_label})
    figures = detection.evaluate(args.data, args.model, full=args.full, threads=args.threads)
    _write(args.model / "figures.json", figures)


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
