"""Which values may be sent. The policy outranks what was measured."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

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
        thresholds, draft_thresholds: Instead of those, for single labels.
        never: Labels that stay abstracted whatever they influence.
        always: Labels that are sent whatever they influence.

    Raises:
        InputError: A threshold is no number, or a label is in both sets.
    """

    threshold: float = DEFAULT_THRESHOLD
    draft_threshold: float = DEFAULT_DRAFT_THRESHOLD
    thresholds: Mapping[str, float] = field(default_factory=dict, hash=False)
    draft_thresholds: Mapping[str, float] = field(default_factory=dict, hash=False)
    never: frozenset[str] = DIRECT_IDENTIFIERS
    always: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name in ("threshold", "draft_threshold"):
            _check_nats(name, getattr(self, name))
            by_label = _by_label(f"{name}s", getattr(self, f"{name}s"))
            object.__setattr__(self, f"{name}s", by_label)
        object.__setattr__(self, "never", _labels("never", self.never))
        object.__setattr__(self, "always", _labels("always", self.always))
        if both := sorted(self.never & self.always):
            raise InputError(f"labels cannot be both never and always sent: {', '.join(both)}")

    @classmethod
    def read(cls, path: str | Path) -> Policy:
        """The policy in a TOML file, whose keys are the fields of this class.

        Raises:
            InputError: It cannot be read; names the line or the key.
        """
        try:
            data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path} cannot be read: give the path of a policy file") from error
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path} is not TOML: {error}") from None
        known = [own.name for own in fields(cls)]
        if unknown := sorted(set(data) - set(known)):
            raise InputError(f"{path}: unknown key {unknown[0]!r}; known are {', '.join(known)}")
        try:
            return cls(**data)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    def to_toml(self) -> str:
        """What `read` reads."""
        lines = [
            f"{name} = {float(getattr(self, name))}" for name in ("threshold", "draft_threshold")
        ]
        for name in ("never", "always"):
            lines.append(f"{name} = {json.dumps(sorted(getattr(self, name)), ensure_ascii=False)}")
        for name in ("thresholds", "draft_thresholds"):
            lines += _toml_table(name, getattr(self, name))
        return "\n".join(lines) + "\n"

    def threshold_of(self, label: str) -> float:
        """The influence from which an attribute of this type is kept."""
        return self.thresholds.get(type_name(label), self.threshold)

    def for_draft(self) -> Policy:
        """The same policy, with the thresholds of drafts as its thresholds."""
        return replace(self, threshold=self.draft_threshold, thresholds=self.draft_thresholds)

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
    if influence.influence >= policy.threshold_of(label):
        return Decision(attribute, True, "influence", influence)
    return Decision(attribute, False, "no influence", influence)


def _check_nats(name: str, value: object) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or math.isnan(value):  # type: ignore[arg-type]
        raise InputError(f"{name} must be a number of nats, got {value!r}")


def _by_label(name: str, thresholds: object) -> dict[str, float]:
    if not isinstance(thresholds, Mapping):
        raise InputError(f"{name} must map labels to nats, got {type(thresholds).__name__}")
    for label in _checked_strings(name, thresholds):
        _check_nats(f"{name}.{label}", thresholds[label])
    return {type_name(label): float(value) for label, value in thresholds.items()}


def _toml_table(name: str, values: Mapping[str, float]) -> list[str]:
    # A JSON string is a TOML string: labels may hold letters that bare keys must not.
    rows = [f"{json.dumps(key, ensure_ascii=False)} = {values[key]}" for key in sorted(values)]
    return ["", f"[{name}]", *rows] if rows else []


def _labels(name: str, labels: object) -> frozenset[str]:
    # A bare string would be taken for its letters and protect nothing.
    if not isinstance(labels, (set, frozenset, list, tuple)):
        raise InputError(f"{name} must be a set of labels, got {type(labels).__name__}")
    return frozenset(map(type_name, _checked_strings(name, labels)))


def _checked_strings(name: str, labels: Iterable[object]) -> list[str]:
    strings = [label for label in labels if isinstance(label, str)]
    if len(strings) < len(list(labels)):
        raise InputError(f"{name} must hold labels as strings, such as 'PERSON'")
    return strings
