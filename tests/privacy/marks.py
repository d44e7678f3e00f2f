"""A detector for tests: every whole-word occurrence of given strings."""

from __future__ import annotations

import re

from privrag_fast.types import Entity


def mark(text: str, **values: str | list[str]) -> list[Entity]:
    """Entities of `text`: `mark(text, PERSON=["Alice", "Bob"])`."""
    found = [
        Entity(match.start(), match.end(), label)
        for label, strings in values.items()
        for string in ([strings] if isinstance(strings, str) else strings)
        for match in re.finditer(rf"(?<!\w){re.escape(string)}(?!\w)", text)
    ]
    return sorted(found, key=lambda entity: entity.start)
