"""The audit: all of the decisions, none of the values."""

from __future__ import annotations

import itertools
import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from privrag_fast.audit import Audit, JsonLines, Spans
from privrag_fast.pipeline import Minimized
from privrag_fast.types import DetectionError, InputError
from tests.gateway.requests import EVERYTHING, MESSAGE, VALUES, rag_of

VALUES_OF_MESSAGE = ("Nora", "Lind", "67", "Zürich")
SALT = b"sixteen or more."


def minimized() -> Minimized:
    return rag_of(VALUES, EVERYTHING).minimize(MESSAGE)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit = Audit([JsonLines(path)], salt=SALT)
    receipt = minimized().receipt
    likely = [replace(own, probability=own.influence and 0.75) for own in receipt.decisions]
    audit.minimized("c1", replace(receipt, decisions=tuple(likely)))
    audit.answered("c1", 12.5, chunks=3, choices=1, unknown=0)
    audit.failed("c1", DetectionError(MESSAGE))
    first, second, third = lines(path)
    assert first["event"] == "minimized"
    assert (first["kept"], first["withheld"], first["conversation"]) == (2, 1, "c1")
    attributes = first["attributes"]
    assert isinstance(attributes, list)
    assert [(a["label"], a["kept"], a["reason"], a["mentions"]) for a in attributes] == [
        ("PERSON", False, "never", 1), ("AGE", True, "influence", 1),
        ("LOCATION", True, "influence", 1),
    ]  # fmt: skip
    assert attributes[0]["influence"] is attributes[0]["probability"] is None
    assert attributes[1]["probability"] == 0.75
    assert len(attributes[1]["changes"]) >= 1
    assert list(first["stages_ms"])[:2] == ["detect", "abstract"]  # type: ignore[call-overload]
    assert (second["event"], second["ms"], second["chunks"]) == ("answered", 12.5, 3)
    assert (third["event"], third["error"]) == ("failed", "DetectionError")


def test_no_value_is_told(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit = Audit([JsonLines(path)])
    receipt = minimized().receipt
    audit.minimized("c1", receipt)
    audit.failed("c1", RuntimeError(MESSAGE))
    influences = [d.influence for d in receipt.decisions if d.influence]
    tried = [value for own in influences for value in own.substitutes]
    assert tried
    attributes = lines(path)[0]["attributes"]
    assert isinstance(attributes, list)
    # Hashes and floats may hold the digits of an age by chance.
    told = json.dumps([{**own, "hash": "", "influence": 0, "changes": []} for own in attributes])
    assert not any(value in told for value in (*VALUES_OF_MESSAGE, *tried))
    assert "Nora" not in path.read_text(encoding="ascii")


def test_hashes_are_salted() -> None:
    one, two, other = Audit(salt=SALT), Audit(salt=SALT), Audit()
    assert one.digest("AGE", "67") == two.digest("AGE", "67") != other.digest("AGE", "67")
    assert one.digest("PERSON", "Nora  Lind") == one.digest("PERSON", "NORA LIND")
    assert one.digest("AGE", "67") != one.digest("ID", "67")
    with pytest.raises(InputError, match="16 or more"):
        Audit(salt=b"short")


def test_the_file_is_private_and_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    for _ in range(2):
        Audit([JsonLines(path)]).failed("c1", ValueError())
    assert len(lines(path)) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(InputError, match="cannot be written"):
        JsonLines(tmp_path / "nowhere" / "audit.jsonl")


def test_influence_that_is_no_number_is_null(tmp_path: Path) -> None:
    receipt = minimized().receipt
    own = receipt.decisions[1].influence
    assert own is not None
    broken = replace(own, influence=float("nan"), changes=(float("inf"),))
    decision = replace(receipt.decisions[1], influence=broken)
    path = tmp_path / "audit.jsonl"
    Audit([JsonLines(path)]).minimized("c1", replace(receipt, decisions=(decision,)))
    [attribute] = lines(path)[0]["attributes"]  # type: ignore[misc]
    assert (attribute["influence"], attribute["changes"]) == (None, [None])
    assert "NaN" not in path.read_text(encoding="ascii")


def test_spans() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    audit = Audit([Spans(provider.get_tracer("test"))], salt=SALT)
    result = minimized()
    audit.minimized("c1", result.receipt)
    *stages, whole = exporter.get_finished_spans()
    assert whole.name == "privrag.minimized"
    assert whole.attributes is not None
    assert whole.attributes["privrag.kept"] == 2
    assert whole.attributes["privrag.conversation"] == "c1"
    assert [own.name.removeprefix("privrag.") for own in stages] == list(result.receipt.timings)
    assert all(own.parent is not None and own.context is not None for own in stages)
    assert all(_ns(own)[0] == _ns(before)[1] for before, own in itertools.pairwise(stages))
    assert _ns(stages[0])[0] == _ns(whole)[0]
    told = "".join(str(own.attributes) for own in exporter.get_finished_spans())
    assert "Nora" not in told
    assert "Zürich" not in told


def _ns(span: ReadableSpan) -> tuple[int, int]:
    assert span.start_time is not None
    assert span.end_time is not None
    return span.start_time, span.end_time
