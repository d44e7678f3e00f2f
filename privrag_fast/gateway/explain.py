"""Everything about one message, values included: for the page, which is the user's own."""

from __future__ import annotations

from typing import Any

from privrag_fast.pipeline import Minimized
from privrag_fast.types import Decision


def explained(message: str, minimized: Minimized) -> dict[str, Any]:
    """What was found, seen, measured, decided and would be sent."""
    receipt = minimized.receipt
    return {
        "message": message,
        "query": receipt.query,
        "hits": [
            {"title": hit.passage.title, "text": hit.passage.text, "score": hit.score}
            for hit in receipt.hits
        ],
        "reference": receipt.reference,
        "drafted": receipt.drafted,
        "attributes": [attribute_of(decision) for decision in receipt.decisions],
        "sent": minimized.message,
        "messages": [{"role": own.role, "content": own.content} for own in minimized.messages],
        "timings_ms": dict(receipt.timings),
    }


def attribute_of(decision: Decision) -> dict[str, Any]:
    """One attribute with its value and the spans of its mentions."""
    attribute, influence = decision.attribute, decision.influence
    return {
        **decided(decision),
        "value": attribute.value,
        "mentions": [[mention.start, mention.end] for mention in attribute.mentions],
        "substitutes": influence
        and [
            {"value": value, "change": change}
            for value, change in zip(influence.substitutes, influence.changes, strict=True)
        ],
    }


def decided(decision: Decision) -> dict[str, Any]:
    """What became of one attribute, without its value."""
    return {
        "label": decision.attribute.label,
        "placeholder": decision.attribute.placeholder,
        "kept": decision.kept,
        "sent_as": decision.value_sent,
        "reason": decision.reason,
        "influence": decision.influence and decision.influence.influence,
    }
