"""What holds for every detector's answer."""

from __future__ import annotations

from collections.abc import Sequence

from privrag_fast.types import Entity


def assert_well_formed(text: str, entities: Sequence[Entity]) -> None:
    """Sorted, disjoint, inside the text, not blank."""
    end = 0
    for entity in entities:
        assert end <= entity.start < entity.end <= len(text)
        assert entity.value(text) == text[entity.start : entity.end]
        assert entity.value(text).strip() == entity.value(text)
        assert 0 <= entity.score <= 1
        assert entity.label
        end = entity.end
