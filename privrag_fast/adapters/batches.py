"""What the adapters of vector databases do alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from privrag_fast.retrieval import TextEmbedder
from privrag_fast.types import InputError, Passage, SafeText, passage_text

_EMBED_AT_ONCE = 256


def embedded(
    passages: Iterable[Passage], embedder: TextEmbedder
) -> Iterator[list[tuple[Passage, Any]]]:
    """Passages with their vectors, float32 [dim], as many at once as are embedded in one call."""
    passages = iter(passages)
    while some := list(islice(passages, _EMBED_AT_ONCE)):
        vectors = embedder.embed([SafeText(passage_text(own)) for own in some])
        yield list(zip(some, vectors, strict=True))


def checked_ids(ids: Iterable[str]) -> list[str]:
    """Raises:
    InputError: One string, whose letters nobody means.
    """
    if isinstance(ids, str):
        raise InputError("ids must be a sequence of passage ids, got one string")
    return list(ids)
