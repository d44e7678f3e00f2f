"""Counters for Prometheus. Labels are names of stages and types, never values."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from privrag_fast.pipeline import Receipt

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counters of one gateway."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self._requests = Counter(
            "privrag_requests", "Requests.", ("path", "status"), registry=registry
        )
        self._seconds = Histogram(
            "privrag_request_seconds",
            "From request to the last byte of the answer.",
            ("path",),
            registry=registry,
            buckets=_BUCKETS,
        )
        self._own = Histogram(
            "privrag_own_seconds",
            "Of a chat until its request leaves, without the stages.",
            registry=registry,
            buckets=_BUCKETS,
        )
        self._stages = Histogram(
            "privrag_stage_seconds",
            "Time of a stage.",
            ("stage",),
            registry=registry,
            buckets=_BUCKETS,
        )
        self._attributes = Counter(
            "privrag_attributes",
            "Attributes that were decided on.",
            ("label", "kept"),
            registry=registry,
        )
        self._unknown = Counter(
            "privrag_unknown_placeholders", "Placeholders that nobody issued.", registry=registry
        )
        self._running = Gauge("privrag_requests_running", "Requests.", registry=registry)
        self._queue = Gauge(
            "privrag_queue", "Messages that are minimized or wait for it.", registry=registry
        )

    def began(self) -> None:
        """A request came in."""
        self._running.inc()

    def ended(self, path: str, status: int, seconds: float) -> None:
        """Its answer is out."""
        self._running.dec()
        self._requests.labels(path, status).inc()
        self._seconds.labels(path).observe(seconds)

    def queued(self) -> AbstractContextManager[object]:
        """While a message is minimized or waits for it."""
        return self._queue.track_inprogress()

    def minimized(self, receipt: Receipt, own_seconds: float) -> None:
        """A message may leave."""
        for stage, ms in receipt.timings.items():
            self._stages.labels(stage).observe(ms / 1e3)
        for decision in receipt.decisions:
            self._attributes.labels(decision.attribute.label, decision.kept).inc()
        self._own.observe(own_seconds)

    def answered(self, unknown: int) -> None:
        """An answer was restored."""
        self._unknown.inc(unknown)

    def text(self) -> bytes:
        """All of them in Prometheus's text format."""
        return generate_latest(self._registry)
