"""Presidio: this package's detection as one of its recognizers, and its recognizers in ours."""

# mypy: disable-error-code="import-not-found,misc"

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privrag_fast.types import Detector, Entity, InputError, ProviderError

try:
    from presidio_analyzer import EntityRecognizer, RecognizerResult
    from presidio_analyzer.predefined_recognizers import SpacyRecognizer
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


class PresidioDetector:
    """Presidio's recognizers as a detector, to stand beside others in a `Cascade`.

    Args:
        recognizers: Those that read the text alone, such as pattern recognizers; what needs
            spaCy's analysis of it is refused.
        labels: Presidio's type name -> ours; a type that is not among them keeps its name.
        language: Only recognizers of this language are asked.

    >>> plates = PatternRecognizer("PLATE", patterns=[...])  # doctest: +SKIP
    >>> Cascade([Patterns(), PresidioDetector([plates]), Gliner(folder)])  # doctest: +SKIP
    """

    def __init__(
        self,
        recognizers: Sequence[EntityRecognizer],
        *,
        labels: Mapping[str, str] | None = None,
        language: str = "en",
    ) -> None:
        own = [each for each in recognizers if each.supported_language == language]
        if not own:
            raise InputError(f"none of the {len(recognizers)} recognizers is for {language!r}")
        if unfit := [each.name for each in own if isinstance(each, SpacyRecognizer)]:
            raise InputError(f"{', '.join(unfit)} needs spaCy's analysis: leave it to Presidio")
        self._recognizers = own
        self._labels = dict(labels or {})

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """All that the recognizers find, overlaps included, sorted by start."""
        return [sorted(self._find(text), key=lambda own: own.start) for text in texts]

    def _find(self, text: str) -> list[Entity]:
        return [
            Entity(
                own.start,
                own.end,
                self._labels.get(own.entity_type, own.entity_type),
                own.score,
                recognizer.name,
            )
            for recognizer in self._recognizers
            for own in recognizer.analyze(text, recognizer.supported_entities, None) or ()
        ]
