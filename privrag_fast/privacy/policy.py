"""Which values may be sent. The policy outranks what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from privrag_fast.privacy.vault import type_name
from privrag_fast.types import Attribute, Decision, Influence, InputError

# Nats, from the dev half of examples/questions.jsonl; `make bench-relevance` prints both. With
# explained reference answers nine tenths of the attributes that decide nothing lie below the
# first. A small model's drafts hardly tell attributes apart; at the second they do so best.
DEFAULT_THRESHOLD = 0.62
DEFAULT_DRAFT_THRESHOLD = 1.49

DIRECT_IDENTIFIERS = frozenset(
    {"PERSON", "EMAIL", "PHONE", "IBAN", "CARD", "SSN", "ID", "ADDRESS", "URL", "IP"}
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What is never sent, what always is, and the influence from which the rest is.

    Args:
        threshold: In nats; an attribute whose influence reaches it is kept.
        draft_threshold: The same where the local model drafted the reference answer.
        never: Labels that stay abstracted whatever they influence.
        always: Labels that are sent whatever they influence.

    Raises:
        InputError: The threshold is no number, or a label is in both sets.
    """

    threshold: float = DEFAULT_THRESHOLD
    draft_threshold: float = DEFAULT_DRAFT_THRESHOLD
    never: frozenset[str] = DIRECT_IDENTIFIERS
    always: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name in ("threshold", "draft_threshold"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or math.isnan(value):
                raise InputError(f"{name} must be a number of nats, got {value!r}")
        object.__setattr__(self, "never", _labels("never", self.never))
        object.__setattr__(self, "always", _labels("always", self.always))
        if both := sorted(self.never & self.always):
            raise InputError(f"labels cannot be both never and always sent: {', '.join(both)}")

    def for_draft(self) -> Policy:
        """The same policy, with `draft_threshold` as its threshold."""
        return replace(self, threshold=self.draft_threshold)

    def settles(self, label: str) -> bool:
        """True where influence changes nothing, so that it need not be measured."""
        return type_name(label) in self.never | self.always


def decide(
    attributes: Sequence[Attribute],
    influences: Mapping[str, Influence],
    policy: Policy,
    *,
    undecidable: str | None = None,
) -> tuple[Decision, ...]:
    """One decision per attribute, in the same order.

    Args:
        influences: By placeholder; what is missing stays abstracted.
        undecidable: Why nothing, or not everything, was measured; the reason of those decisions.
    """
    missing = undecidable or "not measured"
    return tuple(
        _decide(attribute, influences.get(attribute.placeholder), policy, missing)
        for attribute in attributes
    )


def _decide(
    attribute: Attribute, influence: Influence | None, policy: Policy, missing: str
) -> Decision:
    label = type_name(attribute.label)
    if label in policy.never:
        return Decision(attribute, False, "never", influence)
    if label in policy.always:
        return Decision(attribute, True, "always", influence)
    if influence is None or math.isnan(influence.influence):
        return Decision(attribute, False, missing, influence)
    if influence.influence >= policy.threshold:
        return Decision(attribute, True, "influence", influence)
    return Decision(attribute, False, "no influence", influence)


def _labels(name: str, labels: object) -> frozenset[str]:
    # A bare string would be taken for its letters and protect nothing.
    if not isinstance(labels, (set, frozenset, list, tuple)):
        raise InputError(f"{name} must be a set of labels, got {type(labels).__name__}")
    if not all(isinstance(label, str) for label in labels):
        raise InputError(f"{name} must hold labels as strings, such as 'PERSON'")
    return frozenset(map(type_name, labels))
