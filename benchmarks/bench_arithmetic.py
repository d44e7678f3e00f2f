"""Which weights and arithmetic to score with: speed, and noise against signal.

    make bench-arithmetic

Noise is the spread of a variant's log-likelihood over evaluations that ought to be equal: in the
tree, in the tree in reverse order, beside other neighbors, alone. Signal is the median change that
a substitute makes, by the most exact arithmetic. Speed is that of the unique tokens of the tree.
Noise far below the signal decides nothing any more, so the best is the fastest row with a noise of
at most a tenth of the signal.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from privrag_fast import models, privacy
from privrag_fast.evaluation.bars import machine
from privrag_fast.llama import LanguageModel, LlamaOptions
from privrag_fast.models import Asset, Converted
from privrag_fast.relevance.counterfactual import Counterfactual
from privrag_fast.relevance.substitutes import Substitutes
from privrag_fast.retrieval import read_corpus
from privrag_fast.types import Entity, Hit, Passage

ROOT = Path(__file__).resolve().parent.parent
LOUDEST = 0.1  # of the signal
TYPES = ("Q4_1", "Q4_0", "Q8_0", "F16", "BF16", "F32")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--questions", type=int, default=2)
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES)
    options = parser.parse_args()
    cases = build_cases(options.questions)
    base = LlamaOptions(n_threads=options.threads, n_trunks=0)
    exact = replace(base, flash_attention=False, kv_float32=True)
    signal = measure_signal(LanguageModel(gguf("F32"), options=exact), cases)
    print(f"{machine()}; {options.threads} threads; signal {signal:.2f} nats")
    print(
        f"{'weights':<8}{'attention':<10}{'KV':<5}{'ubatch':>7}"
        f"{'tokens/s':>10}{'noise':>9}{'of signal':>11}"
    )
    rows: list[tuple[float, str]] = []
    for name, flash, kv, batch in itertools.product(
        options.types, (True, False), (False, True), (512, 256, 128)
    ):
        if batch != 512 and not (name == "BF16" and flash):
            continue  # that of the batch is measured once, on the default
        chosen = replace(base, flash_attention=flash, kv_float32=kv, n_batch=batch)
        speed, noise = measure(LanguageModel(gguf(name), options=chosen), cases)
        row = f"{name:<8}{'flash' if flash else 'plain':<10}{'F32' if kv else 'F16':<5}{batch:>7}"
        print(f"{row}{speed:>10.0f}{noise:>9.4f}{noise / signal:>11.3f}", flush=True)
        if noise <= LOUDEST * signal:
            rows.append((speed, row))
    if rows:
        print(f"best: {' '.join(max(rows)[1].split())}")
    return 0


def gguf(name: str) -> Path:
    """The default model's weights as another type; made once."""
    [asset] = models.DEFAULTS["slm"].assets
    assert isinstance(asset.source, Converted)
    base = asset.source.base
    if name == "Q4_1":
        return models.ensure(base)
    return models.ensure(Asset(asset.name, Converted(base, ftype=name)))


Case = tuple[list[str], list[Hit], str]


def build_cases(count: int) -> list[Case]:
    """Messages (original first), documents and answer of some labelled questions."""
    documents = {d.source: d for d in read_corpus(ROOT / "examples/corpus")}
    lines = (ROOT / "examples/questions.jsonl").read_text(encoding="utf-8").splitlines()
    cases = []
    for line in lines[:: max(1, len(lines) // count)][:count]:
        question = json.loads(line)
        message = question["message"]
        spans = [(message.find(own["value"]), own) for own in question["attributes"]]
        entities = [Entity(at, at + len(own["value"]), own["label"]) for at, own in spans]
        attributes = privacy.attributes(message, entities, privacy.Vault())
        tried = Substitutes(0).propose(message, attributes, k=3)
        messages = [message] + [
            privacy.substitute(message, a, value)
            for a in attributes
            for value in tried[a.placeholder]
        ]
        document = documents[question["document"]]
        text = "\n".join(section.text for section in document.sections)
        hits = [Hit(Passage(document.source, text, document.title), 1.0)]
        cases.append((messages, hits, question["answer_explained"]))
    return cases


def measure_signal(model: LanguageModel, cases: list[Case]) -> float:
    test = Counterfactual(model)
    changes = []
    for messages, hits, answer in cases:
        scores = test.score(messages, hits, answer).log_likelihood
        changes += np.abs(scores[0] - scores[1:]).tolist()
    model.close()
    return statistics.median(changes)


def measure(model: LanguageModel, cases: list[Case]) -> tuple[float, float]:
    """Unique tokens per second, and RMS noise in nats."""
    test = Counterfactual(model)
    tokens = seconds = 0.0
    squares = []
    for messages, hits, answer in cases:
        start = time.perf_counter()
        scores = test.score(messages, hits, answer)
        seconds += time.perf_counter() - start
        tokens += scores.counts.evaluated
        some = messages[: len(messages) // 2]
        half = test.score(some, hits, answer).log_likelihood
        views = [
            scores.log_likelihood[: len(half)],
            test.score(some[::-1], hits, answer).log_likelihood[::-1],
            half,
            np.array([test.score([m], hits, answer).log_likelihood[0] for m in messages[:3]]),
        ]
        for views_of_one in itertools.zip_longest(*views):
            known = [view for view in views_of_one if view is not None]
            squares.append(np.var(known))
    model.close()
    return tokens / seconds, float(np.sqrt(np.mean(squares)))


if __name__ == "__main__":
    sys.exit(main())
