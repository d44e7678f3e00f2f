"""Everything about what may leave, as data: for `--json` and for the page, values included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from privrag_fast.types import Decision

if TYPE_CHECKING:
    from privrag_fast.pipeline import Minimized


def explained(minimized: Minimized, *, answer: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What was found, seen, measured, decided and would be sent.

    Args:
        answer: `raw`, as the LLM wrote it, and `restored`.

    Returns:
        Spans of mentions count code points of `text`; `message` is what is sent instead of it.
    """
    receipt = minimized.receipt
    return {
        "text": receipt.text,
        "query": receipt.query,
        "hits": [
            {"source": h.passage.source, "title": h.passage.title, "id": h.passage.id,
             "score": h.score, "text": h.passage.text}
            for h in receipt.hits
        ],
        "reference": receipt.reference,
        "drafted": receipt.drafted,
        "attributes": [decided(own) | _values(own) for own in receipt.decisions],
        "message": minimized.message,
        "messages": [{"role": own.role, "content": own.content} for own in minimized.messages],
        "tokens": receipt.counts and asdict(receipt.counts),
        "timings_ms": {stage: round(ms, 2) for stage, ms in receipt.timings.items()},
        "answer": answer,
    }  # fmt: skip


def decided(decision: Decision) -> dict[str, Any]:
    """What became of one attribute, without its value."""
    influence = decision.influence
    return {
        "label": decision.attribute.label,
        "placeholder": decision.attribute.placeholder,
        "kept": decision.kept,
        "sent_as": decision.value_sent,
        "reason": decision.reason,
        "influence": influence and influence.influence,
        "probability": decision.probability,
        "rounds": len(influence.changes) if influence else 0,
        "clear": influence.clear if influence else None,
    }


def _values(decision: Decision) -> dict[str, Any]:
    attribute, influence = decision.attribute, decision.influence
    return {
        "value": attribute.value,
        "mentions": [
            {"start": m.start, "end": m.end, "score": round(m.score, 4), "source": m.source}
            for m in attribute.mentions
        ],
        "substitutes": influence
        and [
            {"value": value, "change": change}
            for value, change in zip(influence.substitutes, influence.changes, strict=True)
        ],
    }
