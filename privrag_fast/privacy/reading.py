"""A detector under a policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from privrag_fast.privacy.policy import UNREAD, Policy
from privrag_fast.privacy.scripts import unread
from privrag_fast.types import DetectionError, Detector, Entity


class PolicyDetector:
    """Finds what a detector finds: synonyms under one label, and words that it cannot read.

    What is written in a script of none of the policy's languages is refused, or, where the policy
    fails by abstracting, an entity of its own.
    """

    def __init__(self, detector: Detector, policy: Policy) -> None:
        self._detector = detector
        self._policy = policy

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start.

        Raises:
            DetectionError: Detection failed, or a text is in no language of the policy.
        """
        found = self._detector.detect(texts)
        return [self._read(text, own) for text, own in zip(texts, found, strict=True)]

    def _read(self, text: str, entities: Sequence[Entity]) -> list[Entity]:
        labeled = [replace(own, label=self._policy.label_of(own.label)) for own in entities]
        if not self._policy.languages:
            return labeled
        for start, end in unread(text, self._policy.languages):
            if any(own.start < end and start < own.end for own in entities):
                continue
            if self._policy.fail == "block":
                raise DetectionError(
                    "the text holds words in a script of no language of the policy: add the"
                    " language to `languages`, or set fail to abstract"
                )
            labeled.append(Entity(start, end, UNREAD, source="script"))
        return sorted(labeled, key=lambda entity: entity.start)
