"""What a live `minimize` costs, stage by stage, in fresh processes.

Each setting is measured by a process of its own, which opens everything, minimizes message after
message (the first is the cold one; none comes twice) and says how much memory it took at most.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from privrag_fast.assembly import Models, open_rag, open_slm
from privrag_fast.evaluation import metrics
from privrag_fast.evaluation.dataset import Question
from privrag_fast.limits import Deadline
from privrag_fast.llama import LanguageModel
from privrag_fast.pipeline import Minimized, PipelineOptions
from privrag_fast.relevance.counterfactual import Counterfactual
from privrag_fast.types import Hit, PrivragError, document_text

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Job:
    """What one process measures.

    Args:
        index: An index folder.
        messages: The first one is the cold one.
        threads: Of onnxruntime and of llama.cpp.
        documents, substitutes: See `PipelineOptions`.
        answered: Messages that are also answered, by the local model.
        sources: Fields of `Models` that are not the default.
    """

    index: str
    messages: tuple[str, ...]
    threads: int
    documents: int
    substitutes: int = 3
    answered: int = 0
    sources: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """Tells it from the other jobs of a run."""
        return f"threads {self.threads}, documents {self.documents}"


@dataclass(frozen=True, slots=True)
class Sample:
    """One message.

    Args:
        attributes: Found in it; `varied` of them were measured.
        document_tokens: Of the passages, as the local model counts.
        timings: Milliseconds per stage.
        asked, evaluated, reused: Tokens of the scoring pass.
        answer_ms: Of the local model's answer afterwards; None where none was asked for.
        plain_ms: Of one plain pass of the same model over the prompt of the scoring.
    """

    cold: bool
    attributes: int
    varied: int
    document_tokens: int
    timings: Mapping[str, float]
    asked: int
    evaluated: int
    reused: int
    answer_ms: float | None = None
    plain_ms: float | None = None


def measure(job: Job, *, python: str = sys.executable) -> dict[str, Any]:
    """Runs a job in a process of its own: its samples and its memory, as JSON has them.

    Raises:
        PrivragError: The process failed.
    """
    done = subprocess.run(
        [python, "-m", "privrag_fast.evaluation.latency"],
        input=json.dumps(asdict(job)),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        # Its last line is the error's; the messages stand in no error of this package.
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise PrivragError(f"the latency of {job.name} could not be measured: {reason}")
    data: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return data


def choose_messages(questions: Sequence[Question], count: int) -> tuple[str, ...]:
    """Messages from few to many attributes, evenly; the first is one of the middle."""
    ordered = sorted(questions, key=lambda question: len(question.facts))
    places = np.linspace(0, len(ordered) - 1, min(count, len(ordered))).round().astype(int)
    chosen = [ordered[place].message for place in dict.fromkeys(places.tolist())]
    middle = len(chosen) // 2
    return (*chosen[middle:], *chosen[:middle])


# --------------------------------------------------------------------------- figures


def summarize(jobs: Sequence[Job], results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Percentiles of every setting, as JSON has them."""
    return {
        job.name: {
            "threads": job.threads,
            "documents": job.documents,
            "open_ms": result["open_ms"],
            "peak_memory_mb": result["peak_memory_mb"],
            **_figures([Sample(**sample) for sample in result["samples"]]),
        }
        for job, result in zip(jobs, results, strict=True)
    }


def _figures(samples: Sequence[Sample]) -> dict[str, Any]:
    warm = [sample for sample in samples if not sample.cold]
    answered = [sample for sample in samples if sample.answer_ms is not None]
    return {
        "messages": len(warm),
        "cold_ms": {"all": _total(samples[0]), **samples[0].timings} if samples else {},
        "warm_ms": _percentiles_by_stage(warm),
        "by_attributes": _grouped(warm, lambda own: _bucket(own.varied, 3)),
        "by_document_tokens": _grouped(warm, lambda own: _bucket(own.document_tokens, 200)),
        "tokens": {
            name: sum(getattr(sample, name) for sample in warm)
            for name in ("asked", "evaluated", "reused")
        },
        "times_plain": _median(
            [_total(own) / own.plain_ms for own in warm if own.plain_ms is not None]
        ),
        "share_of_answer": metrics.mean(
            [_total(own) / (_total(own) + (own.answer_ms or 0.0)) for own in answered]
        ),
    }


def _percentiles_by_stage(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    stages = dict.fromkeys(stage for sample in samples for stage in sample.timings)
    by_stage = {stage: [own.timings.get(stage, 0.0) for own in samples] for stage in stages}
    by_stage["all"] = [_total(own) for own in samples]
    return {stage: _percentiles(values) for stage, values in by_stage.items() if values}


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    return {f"p{p}": float(np.percentile(values, p)) for p in PERCENTILES}


def _grouped(samples: Sequence[Sample], bucket: Callable[[Sample], str]) -> dict[str, Any]:
    groups: dict[str, list[float]] = {}
    for sample in sorted(samples, key=lambda own: (own.varied, own.document_tokens)):
        groups.setdefault(bucket(sample), []).append(_total(sample))
    return {
        name: {"messages": len(totals), **_percentiles(totals)}
        for name, totals in sorted(groups.items(), key=lambda pair: int(pair[0].split(" ")[0]))
    }


def _bucket(count: int, width: int) -> str:
    low = count // width * width
    return f"{low} to {low + width - 1}"


def _total(sample: Sample) -> float:
    return float(sum(sample.timings.values()))


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else float("nan")


# --------------------------------------------------------------------------- the process


def run(job: Job) -> dict[str, Any]:
    """What the process of a job does."""
    start = time.perf_counter()
    sources = Models(**{**(job.sources or {}), "threads": job.threads})
    options = PipelineOptions(documents=job.documents, substitutes=job.substitutes)
    rag = open_rag(job.index, sources=sources, options=options)
    open_ms = (time.perf_counter() - start) * 1e3
    done: list[tuple[Minimized, float | None]] = []
    for number, message in enumerate(job.messages):
        minimized = rag.minimize(message)
        answered = number < job.answered
        done.append((minimized, rag.ask(minimized, Deadline()).latency_ms if answered else None))
    memory = peak_memory_mb()
    slm = open_slm(sources)
    plain = _plain_ms(slm, job.messages, [minimized.receipt.hits for minimized, _ in done])
    samples = [
        _sample(minimized, slm.count, number == 0, answer_ms, plain_ms)
        for number, ((minimized, answer_ms), plain_ms) in enumerate(zip(done, plain, strict=True))
    ]
    return {"open_ms": open_ms, "peak_memory_mb": memory, "samples": list(map(asdict, samples))}


def _plain_ms(
    slm: LanguageModel, messages: Sequence[str], hits: Sequence[Sequence[Hit]]
) -> Iterator[float]:
    """Of a pass over each message's prompt, by a model that has seen none of its documents."""
    test = Counterfactual(slm)
    for message, own in zip(messages, hits, strict=True):
        start = time.perf_counter()
        test.score([message], own, "Yes")
        yield (time.perf_counter() - start) * 1e3


def peak_memory_mb() -> float:
    """Of this process so far. Not ru_maxrss, which a child inherits from its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024 / 1e6


def _sample(
    minimized: Minimized,
    count: Callable[[str], int],
    cold: bool,
    answer_ms: float | None,
    plain_ms: float,
) -> Sample:
    receipt = minimized.receipt
    counts = receipt.counts
    return Sample(
        cold=cold,
        attributes=len(receipt.decisions),
        varied=sum(decision.influence is not None for decision in receipt.decisions),
        document_tokens=sum(count(document_text(hit)) for hit in receipt.hits),
        timings=dict(receipt.timings),
        asked=counts.asked if counts else 0,
        evaluated=counts.evaluated if counts else 0,
        reused=counts.reused if counts else 0,
        answer_ms=answer_ms,
        plain_ms=plain_ms,
    )


if __name__ == "__main__":
    print(json.dumps(run(Job(**json.load(sys.stdin)))))
