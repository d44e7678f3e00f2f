"""What every detector checks at its door."""

from __future__ import annotations

from collections.abc import Sequence

from privrag_fast.types import InputError


def checked_texts(texts: Sequence[str]) -> list[str]:
    """The texts as a list.

    Raises:
        InputError: One string, which is a sequence of one-letter texts, or not strings.
    """
    if isinstance(texts, str):
        raise InputError("texts must be a sequence of strings, got one str; put it in a list")
    texts = list(texts)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"texts must hold strings, got {type(text).__name__} at {index}")
    return texts
