"""Presidio: this package's detection as one of its recognizers."""

# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from privrag_fast.types import Detector, ProviderError

try:
    from presidio_analyzer import EntityRecognizer, RecognizerResult
except ImportError as error:
    raise ProviderError(
        "this adapter needs presidio-analyzer: pip install presidio-analyzer"
    ) from error


class PrivragRecognizer(EntityRecognizer):
    """Entities by a detector of this package, under its own type names.

    Args:
        detector: Such as `privrag_fast.assembly.open_detector(...)`.
        labels: The type names that it finds.

    >>> analyzer.registry.add_recognizer(PrivragRecognizer(detector))  # doctest: +SKIP
    """

    def __init__(
        self, detector: Detector, *, labels: Sequence[str] | None = None, language: str = "en"
    ) -> None:
        from privrag_fast.detection.labels import DEFAULT_LABELS

        self._detector = detector
        super().__init__(
            supported_entities=list(DEFAULT_LABELS if labels is None else labels),
            supported_language=language,
            name="privrag_fast",
        )

    def load(self) -> None:
        """Nothing: the detector is ready."""

    def analyze(
        self, text: str, entities: Sequence[str] | None, nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """Spans of the wanted types; of all where none are named."""
        [found] = self._detector.detect([text])
        return [
            RecognizerResult(own.label, own.start, own.end, own.score)
            for own in found
            if not entities or own.label in entities
        ]
