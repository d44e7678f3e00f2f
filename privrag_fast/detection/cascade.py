"""Several detectors as one, and every further mention of what they found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from privrag_fast.detection.addresses import complete_addresses
from privrag_fast.detection.inputs import checked_texts
from privrag_fast.detection.labels import DEFAULT_LABELS
from privrag_fast.detection.names import complete_names
from privrag_fast.detection.nobody import tells_of_nobody
from privrag_fast.detection.patterns import SOURCES, TOLD
from privrag_fast.detection.repeats import find_repeats
from privrag_fast.types import DetectionError, Detector, Entity, InputError, PrivragError

# Left of a span when another took the rest, they say nothing of anybody.
_JOINING = re.compile(
    r"(?<!\w)(?:an?|and|as|at|by|for|from|in|is|my|of|on|or|the|to|via|with)(?!\w)"
)


class Cascade:
    """The union of several detectors, disjoint.

    Where entities overlap, patterns win, then the higher score, then the longer span; but a code
    that only the word before it tells yields to a label of the caller's own that is surer. What
    the loser covers beyond the winner stays covered under the loser's label: no letter or digit
    that a detector marked is let go, but for a lone word that joins, as in "at nora@example.com",
    and what tells of nobody, see `tells_of_nobody`.

    Args:
        detectors: At least one; each is asked about the same texts.
        repeats: Cover every further mention of a found value; see `find_repeats`.

    >>> Cascade([Patterns(), Gliner(folder)]).detect(["..."])  # doctest: +SKIP
    """

    def __init__(self, detectors: Sequence[Detector], *, repeats: bool = True) -> None:
        if not detectors:
            raise InputError("detectors are empty: nothing would ever be found")
        self._detectors = tuple(detectors)
        self._repeats = repeats

    def detect(self, texts: Sequence[str]) -> list[list[Entity]]:
        """Disjoint entities of each text, sorted by start.

        Raises:
            InputError: `texts` is not a sequence of strings.
            DetectionError: A detector failed: nothing may be sent. Carries no text.
        """
        texts = checked_texts(texts)
        answers = [_ask(detector, texts) for detector in self._detectors]
        return [
            self._settle(text, [entity for answer in answers for entity in answer[i]])
            for i, text in enumerate(texts)
        ]

    def _settle(self, text: str, entities: Sequence[Entity]) -> list[Entity]:
        settled = _completed(text, _telling(text, resolve(text, _telling(text, entities))))
        if self._repeats:
            settled = _completed(text, find_repeats(text, settled))
        return settled


def _telling(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """Without a bracket or an emoji, which hold neither letter nor digit, greetings and fields."""
    return [
        own
        for own in entities
        if any(c.isalnum() for c in own.value(text)) and not tells_of_nobody(text, own)
    ]


def _completed(text: str, entities: Sequence[Entity]) -> list[Entity]:
    return complete_addresses(text, complete_names(text, entities))


def resolve(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """Disjoint entities, sorted by start, by the rule of `Cascade`."""
    taken = bytearray(len(text))
    kept: list[Entity] = []
    for entity in sorted(_without_renamed(text, entities), key=_precedence):
        for start, end in _free_runs(taken, entity):
            if (end - start) < (entity.end - entity.start):
                start, end = _trimmed(text, start, end)
                joining = _JOINING.match(text, start)
                if joining and joining.end() == end:
                    continue
            if start < end:
                kept.append(replace(entity, start=start, end=end))
        taken[entity.start : entity.end] = b"\1" * (entity.end - entity.start)
    return sorted(kept, key=lambda entity: entity.start)


def _without_renamed(text: str, entities: Sequence[Entity]) -> list[Entity]:
    """Without the codes that a label of the caller's own names, which tells more than `ID`."""
    named = bytearray(len(text))
    for own in entities:
        if own.label not in DEFAULT_LABELS and own.score > TOLD:
            named[own.start : own.end] = b"\1" * (own.end - own.start)
    return [own for own in entities if own.source != "code" or 0 in named[own.start : own.end]]


def _precedence(entity: Entity) -> tuple[bool, float, int, int, str]:
    return (
        entity.source not in SOURCES,
        -entity.score,
        entity.start - entity.end,
        entity.start,
        entity.label,
    )


def _free_runs(taken: bytearray, entity: Entity) -> Iterator[tuple[int, int]]:
    start = entity.start
    while (start := taken.find(0, start, entity.end)) >= 0:
        end = taken.find(1, start, entity.end)
        end = end if end >= 0 else entity.end
        yield start, end
        start = end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without what is neither letter nor digit at its ends."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end


def _ask(detector: Detector, texts: Sequence[str]) -> list[list[Entity]]:
    """The detector's answer, checked: a detector that breaks must not look like a clean text."""
    name = type(detector).__name__
    try:
        answer = [list(row) for row in detector.detect(texts)]
    except PrivragError as error:
        raise DetectionError(f"{name} failed: {error}") from error
    except Exception as error:
        # Neither message nor traceback: they may hold the text.
        raise DetectionError(f"{name} failed with {type(error).__name__}") from None
    if len(answer) != len(texts):
        raise DetectionError(f"{name} answered {len(answer)} of {len(texts)} texts")
    for text, row in zip(texts, answer, strict=True):
        if not all(0 <= entity.start < entity.end <= len(text) for entity in row):
            raise DetectionError(f"{name} gave a span that is empty or outside its text")
    return answer
