"""Percentiles of what a process measured, and the process itself."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from privrag_fast.evaluation import latency
from privrag_fast.evaluation.latency import Job, Sample
from privrag_fast.types import PrivragError
from tests.evaluation.small import dataset

JOB = Job(index="index", messages=("a", "b"), threads=2, documents=4)


def sample(score: float, *, cold: bool = False, varied: int = 4, tokens: int = 100) -> Sample:
    return Sample(
        cold=cold,
        attributes=varied + 1,
        varied=varied,
        document_tokens=tokens,
        timings={"detect": 10.0, "score": score},
        asked=1000,
        evaluated=100,
        reused=50,
        answer_ms=None if cold else 2 * (10.0 + score),
        plain_ms=(10.0 + score) / 1.5,
    )


def figures(*samples: Sample) -> dict:
    result = {
        "open_ms": 800.0,
        "peak_memory_mb": 900.0,
        "samples": [asdict(own) for own in samples],
    }
    return latency.summarize([JOB], [json.loads(json.dumps(result))])["threads 2, documents 4"]


def test_percentiles_leave_the_cold_message_out() -> None:
    own = figures(sample(9_999.0, cold=True), *(sample(float(n)) for n in range(101)))
    assert own["messages"] == 101
    assert own["cold_ms"] == {"all": 10_009.0, "detect": 10.0, "score": 9_999.0}
    assert own["warm_ms"]["score"] == {"p50": 50.0, "p95": 95.0, "p99": 99.0}
    assert own["warm_ms"]["all"] == {"p50": 60.0, "p95": 105.0, "p99": 109.0}
    assert own["tokens"] == {"asked": 101_000, "evaluated": 10_100, "reused": 5_050}
    assert own["share_of_answer"] == pytest.approx(1 / 3)
    assert own["times_plain"] == pytest.approx(1.5)
    assert (own["threads"], own["open_ms"], own["peak_memory_mb"]) == (2, 800.0, 900.0)


def test_a_stage_that_did_not_run_took_no_time() -> None:
    without = Sample(False, 0, 0, 100, {"detect": 20.0}, 0, 0, 0)
    own = figures(sample(0.0, cold=True), sample(30.0), without)
    assert own["warm_ms"]["score"]["p50"] == 15.0


def test_groups() -> None:
    own = figures(
        sample(0.0, cold=True),
        sample(1.0, varied=0, tokens=150),
        sample(2.0, varied=2, tokens=1_150),
        sample(3.0, varied=3, tokens=250),
        sample(4.0, varied=10, tokens=251),
    )
    assert {name: group["messages"] for name, group in own["by_attributes"].items()} == {
        "0 to 2": 2,
        "3 to 5": 1,
        "9 to 11": 1,
    }
    assert own["by_attributes"]["9 to 11"]["p50"] == 14.0
    assert list(own["by_document_tokens"]) == ["0 to 199", "200 to 399", "1000 to 1199"]


def test_one_message_is_only_cold() -> None:
    own = figures(sample(1.0, cold=True))
    assert own["messages"] == 0
    assert own["warm_ms"] == {}
    assert np.isnan(own["share_of_answer"])


def test_messages_range_over_the_number_of_values() -> None:
    questions = dataset(5).questions
    counts = (3, 0, 1, 2, 3)
    fewer = [replace(q, facts=q.facts[:n]) for q, n in zip(questions, counts, strict=True)]
    chosen = latency.choose_messages(fewer, 3)
    assert len(set(chosen)) == 3
    by_message = {q.message: len(q.facts) for q in fewer}
    assert [by_message[message] for message in chosen] == [2, 3, 0]
    assert len(latency.choose_messages(fewer, 99)) == 5


def interpreter(folder: Path, body: str) -> str:
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\nimport json, sys\n{body}\n", encoding="utf-8")
    path.chmod(0o700)
    return str(path)


def test_a_job_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    python = interpreter(
        tmp_path, "print('noise'); print(json.dumps([json.load(sys.stdin), sys.argv[1:]]))"
    )
    job, arguments = latency.measure(JOB, python=python)
    assert Job(**{**job, "messages": tuple(job["messages"])}) == JOB
    assert arguments == ["-m", "privrag_fast.evaluation.latency"]


def test_a_failed_job_says_why(tmp_path: Path) -> None:
    python = interpreter(
        tmp_path, "print('Traceback\\nModelError: no model', file=sys.stderr); 1/0"
    )
    with pytest.raises(PrivragError, match=r"threads 2, documents 4 could not.*ZeroDivisionError"):
        latency.measure(JOB, python=python)


def test_memory_grows_with_what_is_touched() -> None:
    before = latency.peak_memory_mb()
    held = np.ones(int(before) * 250_000)  # twice the peak so far, in bytes
    assert latency.peak_memory_mb() > 1.5 * before
    del held
