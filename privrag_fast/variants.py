"""What the local model reads of a message: as it is, or with another value, and its notes."""

from __future__ import annotations

from collections.abc import Sequence

from privrag_fast import privacy
from privrag_fast.relevance.notes import Change, Notes
from privrag_fast.types import Attribute, Hit, document_text


class Variants:
    """Texts of one message.

    Args:
        notes: Whether each ends with notes on what the hits say beside its values, as a model
            wants that was trained with them (`Counterfactual.takes_notes`).

    >>> own = Attribute("AGE", "67", "[AGE_1]", (Entity(5, 7, "AGE"),))
    >>> Variants("I am 67.", [own], (), notes=True).text((own, "41"))
    'I am 41.'
    """

    def __init__(
        self, message: str, attributes: Sequence[Attribute], hits: Sequence[Hit], *, notes: bool
    ) -> None:
        self._message = message
        documents = list(map(document_text, hits))
        self._notes = Notes(message, attributes, documents) if notes and documents else None

    def text(self, change: Change | None = None) -> str:
        """The message, or with a value in an attribute's place."""
        text = self._message if change is None else privacy.substitute(self._message, *change)
        return self._notes.told(text, change) if self._notes else text
