"""What the prior is worth, and the numbers that make its logits probabilities.

Run it as a module on a folder that `privrag_fast.training.prior` wrote; it needs no torch::

    python -m privrag_fast.training.prior_eval --prior DIR --capid CAPID_FOLDER --out figures.json

The calibration is fitted on held-out parts: the benchmark's dev families and phrasings that lessons
keep back, and a tenth of CAPID's train rows. `--test` measures the test parts as well.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from privrag_fast import models
from privrag_fast.evaluation import loaders, metrics
from privrag_fast.relevance.prior import (
    CALIBRATION_FILE,
    Calibration,
    Fusion,
    Prior,
    Scale,
    logit,
)
from privrag_fast.retrieval import Chunker
from privrag_fast.training import prior_data
from privrag_fast.training.prior_data import Sample
from privrag_fast.types import Hit, InputError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

DEV_SEED: Final = 1_000_000  # no lesson for training has it
_QUESTIONS: Final = 300
_DEV, _TEST = 200, 400  # questions of the published benchmark
_RECALL: Final = 0.97
_RIDGE: Final = 1e-3
_LEAST_POSITIVE: Final = 5  # of a label that is reported on its own

# --------------------------------------------------------------------------- fitting


def fit_scale(logits: Sequence[float], needed: Sequence[bool]) -> Scale:
    """Slope and intercept under which logits are log-odds (Platt, 1999)."""
    slope, intercept = _logistic(np.array([logits]).T, np.array(needed, np.bool_))
    return Scale(slope, intercept)


def fit_fusion(rows: Sequence[tuple[float, float, bool]]) -> Fusion:
    """How prior and counterfactual test go together.

    Args:
        rows: Of attributes that were not trained on: the prior's probability, the influence in
            nats, and whether the answer turns on it.
    """
    features = np.array([(logit(p), np.log1p(max(0.0, nats))) for p, nats, _ in rows])
    prior, influence, intercept = _logistic(features, np.array([row[2] for row in rows]))
    return Fusion(intercept=intercept, prior=prior, influence=influence)


def _logistic(features: Floats, positive: Flags) -> list[float]:
    """Weights of the features, then the intercept: Newton's method, with a touch of ridge."""
    if positive.all() or not positive.any():
        raise InputError("fitting takes rows of both kinds: needed and not needed")
    design = np.column_stack([features, np.ones(len(features))])
    weights = np.zeros(design.shape[1])
    ridge = _RIDGE * np.eye(len(weights))
    for _ in range(100):
        odds = np.clip(design @ weights, -30, 30)
        probability = 1 / (1 + np.exp(-odds))
        slope = design.T @ (positive - probability) - ridge @ weights
        curvature = (design.T * (probability * (1 - probability))) @ design + ridge
        step = np.linalg.solve(curvature, slope)
        weights += np.clip(step, -5, 5)
        if np.abs(step).max() < 1e-8:
            break
    return [float(weight) for weight in weights]


# --------------------------------------------------------------------------- measuring


def score(prior: Prior, sample: Sample) -> list[float]:
    """The probabilities of a sample's attributes."""
    hits = [Hit(passage, 0.0) for passage in sample.passages]
    return prior.score(sample.message, prior_data.attributes(sample), hits)


def figures(samples: Sequence[Sample], scores: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Of one held-out set.

    `withheld` is the share of the attributes that are not needed below the threshold that keeps
    97 % of the needed ones; `accuracy` and `always_no` are of the decision at one half.
    """
    targets = [own for sample in samples for own in sample.targets]
    flat = np.array([value for own in scores for value in own])
    needed = np.array([own.needed for own in targets])
    threshold = metrics.threshold_for_recall(needed, flat, _RECALL)
    labels = sorted({own.label for own in targets})
    places = {label: [i for i, own in enumerate(targets) if own.label == label] for label in labels}
    return {
        "messages": len(samples),
        "attributes": len(targets),
        "needed": float(needed.mean()),
        "auroc": metrics.auroc(needed, flat),
        "average_precision": metrics.average_precision(needed, flat),
        "withheld": float((flat[~needed] < threshold).mean()),
        "threshold": threshold,
        "accuracy": float(((flat >= 0.5) == needed).mean()),
        "always_no": float(1 - needed.mean()),
        "brier": float(((flat - needed) ** 2).mean()),
        "auroc_by_label": {
            label: [round(metrics.auroc(needed[own], flat[own]), 4), int(needed[own].sum())]
            for label, own in places.items()
            if needed[own].sum() >= _LEAST_POSITIVE and not needed[own].all()
        },
    }


def dev_sets(chunker: Chunker, capid: Path) -> dict[str, list[Sample]]:
    """What the calibration is fitted on and early decisions are made by."""
    drawn = prior_data.benchmark_samples(0, chunker, split="dev", share=_DEV)
    return {
        "benchmark dev": list(islice(drawn, _DEV)),
        "lessons dev": list(islice(prior_data.lesson_samples(DEV_SEED, dev=True), _QUESTIONS)),
        "capid dev": prior_data.capid_samples(capid / "train.jsonl", dev=True),
    }


def test_sets(chunker: Chunker, capid: Path) -> dict[str, list[Sample]]:
    """What only the last measurement looks at."""
    drawn = prior_data.benchmark_samples(0, chunker, split="test", share=_TEST)
    rows = loaders.load(capid / "test.jsonl", format="capid").questions
    return {
        "benchmark test": list(islice(drawn, _TEST)),
        "capid test": list(map(prior_data.plain_sample, rows)),
    }


def calibrate(
    folder: Path, sets: Mapping[str, Sequence[Sample]], *, threads: int = 0
) -> Calibration:
    """Fits the scales to the dev sets, keeps the fusion, and writes `calibration.json`."""
    path = folder / CALIBRATION_FILE
    fusion = Calibration.read(path).fusion if path.is_file() else Fusion()
    write_calibration(folder, Calibration(fusion=fusion))
    prior = Prior(folder, threads=threads)
    pairs: dict[bool, list[tuple[float, bool]]] = {True: [], False: []}
    for sample in (own for samples in sets.values() for own in samples):
        for probability, target in zip(score(prior, sample), sample.targets, strict=True):
            pairs[bool(sample.passages)].append((logit(probability), target.needed))
    documents, alone = (fit_scale(*zip(*pairs[beside], strict=True)) for beside in (True, False))
    fitted = Calibration(documents, alone, fusion)
    write_calibration(folder, fitted)
    return fitted


def write_calibration(folder: Path, calibration: Calibration) -> None:
    """Writes what `Calibration.read` reads."""
    text = json.dumps(asdict(calibration), indent=2) + "\n"
    (folder / CALIBRATION_FILE).write_text(text, encoding="utf-8")


# --------------------------------------------------------------------------- command line


def main(arguments: Sequence[str] | None = None) -> None:
    """Calibrates and measures."""
    parser = argparse.ArgumentParser(prog="privrag_fast.training.prior_eval")
    parser.add_argument("--prior", type=Path, required=True, help="folder of the int8 model")
    parser.add_argument("--capid", type=Path, required=True, help="CAPID's folder")
    parser.add_argument("--out", type=Path, required=True, help="figures (.json)")
    parser.add_argument("--test", action="store_true", help="measure the test parts, too")
    parser.add_argument("--threads", type=int, default=0)
    args = parser.parse_args(arguments)
    chunker = Chunker(models.locate("embedder")["tokenizer.json"])
    sets = dev_sets(chunker, args.capid)
    calibrate(args.prior, sets, threads=args.threads)
    if args.test:
        sets |= test_sets(chunker, args.capid)
    prior = Prior(args.prior, threads=args.threads)
    report: dict[str, Any] = {}
    for name, samples in sets.items():
        began = time.perf_counter()
        scores = [score(prior, own) for own in tqdm(samples, desc=name, disable=None)]
        milliseconds = (time.perf_counter() - began) * 1e3 / len(samples)
        report[name] = {**figures(samples, scores), "ms_per_message": round(milliseconds, 1)}
        print(name, {k: v for k, v in report[name].items() if k != "auroc_by_label"})
    args.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
