"""What was decided, for those who have to account for it: counts and hashes, never a value.

Audit([JsonLines("audit.jsonl"), Spans()])
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from privrag_fast.types import Decision, InputError, PrivragError, ProviderError

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from privrag_fast.pipeline import Receipt


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Something that happened to a conversation.

    Args:
        name: `minimized`, `answered` or `failed`.
        conversation: Its id; of the gateway a salted hash.
        end_ns: When it was over, since the epoch.
        duration_ms: How long it took.
        facts: Numbers, labels, decisions, hashes.
        stages: Milliseconds per stage, in order.
    """

    name: str
    conversation: str
    end_ns: int
    duration_ms: float
    facts: Mapping[str, Any]
    stages: Mapping[str, float] = field(default_factory=dict)


class AuditSink(Protocol):
    """Takes events, from any thread."""

    def write(self, event: AuditEvent) -> None:
        """Takes one; what it raises keeps the message from being sent."""
        ...


class Audit:
    """Tells sinks what happened.

    Args:
        sinks: All get every event.
        salt: Of the hashes of values. With the same salt the same value has the same hash in every
            log; without one, only until this object is gone. Whoever knows it can try values out.

    Raises:
        InputError: The salt is shorter than 16 bytes.
    """

    def __init__(self, sinks: Sequence[AuditSink] = (), *, salt: bytes | None = None) -> None:
        if salt is not None and len(salt) < 16:
            raise InputError("salt must have 16 or more random bytes")
        self._sinks = tuple(sinks)
        self._salt = salt or secrets.token_bytes(32)

    def minimized(self, conversation: str, receipt: Receipt) -> None:
        """A message may leave. To be called before it does."""
        if not self._sinks:
            return
        counts = receipt.counts
        facts = {
            "drafted": receipt.drafted,
            "documents": [hit.passage.id for hit in receipt.hits],
            "kept": len(receipt.kept),
            "withheld": len(receipt.decisions) - len(receipt.kept),
            "newly_kept": len(receipt.changed.kept),
            "newly_withheld": len(receipt.changed.withheld),
            "attributes": [self._attribute(decision) for decision in receipt.decisions],
            "tokens": counts
            and {
                "asked": counts.asked,
                "unique": counts.unique,
                "evaluated": counts.evaluated,
                "reused": counts.reused,
            },
        }
        stages = dict(receipt.timings)
        self._write("minimized", conversation, sum(stages.values()), facts, stages)

    def answered(
        self, conversation: str, duration_ms: float, *, chunks: int, choices: int, unknown: int
    ) -> None:
        """An answer was restored; `unknown` placeholders in it were nobody's."""
        facts = {"chunks": chunks, "choices": choices, "unknown_placeholders": unknown}
        self._write("answered", conversation, duration_ms, facts)

    def failed(self, conversation: str, error: Exception) -> None:
        """Something failed; of the error only its type is told, and the code of a known one."""
        code = getattr(error, "code", None) if isinstance(error, PrivragError) else None
        self._write("failed", conversation, 0.0, {"error": type(error).__name__, "code": code})

    def digest(self, label: str, value: str) -> str:
        """The salted hash of a value, without regard to case and white space."""
        told = f"{label}\0{' '.join(value.casefold().split())}".encode("utf-8", "surrogatepass")
        return hmac.new(self._salt, told, hashlib.sha256).hexdigest()[:16]

    def _attribute(self, decision: Decision) -> dict[str, Any]:
        attribute, influence = decision.attribute, decision.influence
        return {
            "label": attribute.label,
            "placeholder": attribute.placeholder,
            "hash": self.digest(attribute.label, attribute.value),
            "mentions": len(attribute.mentions),
            "sources": sorted({mention.source for mention in attribute.mentions}),
            "kept": decision.kept,
            "reason": decision.reason,
            "influence": influence and _finite(influence.influence),
            "probability": decision.probability,
            "changes": influence and list(map(_finite, influence.changes)),
        }

    def _write(
        self,
        name: str,
        conversation: str,
        duration_ms: float,
        facts: Mapping[str, Any],
        stages: Mapping[str, float] | None = None,
    ) -> None:
        event = AuditEvent(
            name, conversation, time.time_ns(), duration_ms, facts, dict(stages or {})
        )
        for sink in self._sinks:
            sink.write(event)


class JsonLines:
    """Appends one JSON object a line to a file that only its owner can read.

    The file is opened for each event, so that it may be rotated.

    Raises:
        InputError: It cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        try:
            self._append("")
        except OSError as error:
            raise InputError(
                f"{path} cannot be written: give a path in a folder of yours"
            ) from error

    def write(self, event: AuditEvent) -> None:
        """One line, handed to the operating system at once."""
        line = {
            "time": datetime.fromtimestamp(event.end_ns / 1e9, UTC).isoformat(),
            "event": event.name,
            "conversation": event.conversation,
            "ms": round(event.duration_ms, 3),
            **event.facts,
            "stages_ms": {stage: round(ms, 3) for stage, ms in event.stages.items()},
        }
        with self._lock:
            self._append(json.dumps(line) + "\n")

    def _append(self, text: str) -> None:
        with open(self._path, "a", encoding="ascii", opener=_private) as file:
            file.write(text)


class Spans:
    """OpenTelemetry spans: one an event, with one child a stage.

    Args:
        tracer: Of the caller's provider; the global one's where it is None.

    Raises:
        ProviderError: opentelemetry-api is not installed.
    """

    def __init__(self, tracer: Tracer | None = None) -> None:
        try:
            from opentelemetry import trace
        except ImportError as error:
            raise ProviderError(
                "spans need opentelemetry-api: pip install 'privrag_fast[gateway]'"
            ) from error
        self._trace = trace
        self._tracer = tracer or trace.get_tracer("privrag_fast")

    def write(self, event: AuditEvent) -> None:
        """Spans with the times at which things happened; they are over when this is called."""
        start = event.end_ns - round(event.duration_ms * 1e6)
        span = self._tracer.start_span(
            f"privrag.{event.name}",
            start_time=start,
            attributes={f"privrag.{key}": own for key, own in _flat(event)},
        )
        within = self._trace.set_span_in_context(span)
        for stage, ms in event.stages.items():
            child = self._tracer.start_span(f"privrag.{stage}", within, start_time=start)
            start += round(ms * 1e6)
            child.end(start)
        span.end(event.end_ns)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _finite(nats: float) -> float | None:
    """JSON has no NaN."""
    return nats if math.isfinite(nats) else None


def _flat(event: AuditEvent) -> list[tuple[str, Any]]:
    """Facts as attributes of a span, which hold scalars and lists of strings."""
    flat: list[tuple[str, Any]] = [("conversation", event.conversation)]
    for key, own in event.facts.items():
        if isinstance(own, dict):
            flat += [(f"{key}.{inner}", value) for inner, value in own.items()]
        elif isinstance(own, list):
            flat.append((key, [v if isinstance(v, str) else json.dumps(v) for v in own]))
        elif own is not None:
            flat.append((key, own))
    return flat
