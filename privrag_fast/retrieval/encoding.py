"""Texts to padded token batches: what the embedder and the reranker share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast.onnx import load_tokenizer
from privrag_fast.types import InputError, ModelError

_CHARS_PER_TOKEN = 64
"""More than any real text needs; saves tokenizing megabytes that truncation drops."""

IntArray = NDArray[np.int64]


def well_formed(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced by U+FFFD.

    Tokenizers, JSON and UTF-8 all refuse a lone surrogate.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class TokenEncoder:
    """A tokenizer that truncates to what its model was trained for.

    Args:
        tokenizer_path: A `tokenizer.json`.
        max_tokens: Longest sequence, special tokens included.
    """

    def __init__(self, tokenizer_path: str | Path, *, max_tokens: int) -> None:
        if max_tokens < 8:
            raise InputError(f"max_tokens must be 8 or more, got {max_tokens}")
        self._tokenizer = load_tokenizer(tokenizer_path)
        self._tokenizer.enable_truncation(max_tokens)
        self._max_chars = max_tokens * _CHARS_PER_TOKEN

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """One `tokenizers.Encoding` per text."""
        return list(self._tokenizer.encode_batch([self._clipped(text) for text in texts]))

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Any]:
        """One `tokenizers.Encoding` per pair; the longer side of a pair is truncated first."""
        first = self._clipped(first)
        return list(self._tokenizer.encode_batch([(first, self._clipped(s)) for s in seconds]))

    def _clipped(self, text: str) -> str:
        return well_formed(text[: self._max_chars])


def batches_by_length(
    encodings: Sequence[Any], batch_size: int
) -> Iterator[tuple[IntArray, dict[str, IntArray]]]:
    """Batches of encodings of like length, longest first, so that little is padded.

    Yields:
        The rows of `encodings` in the batch, and its model inputs, int64 [rows, longest].
    """
    lengths = np.array([len(encoding.ids) for encoding in encodings], np.int64)
    order = np.argsort(-lengths, kind="stable")
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        yield rows, _padded([encodings[row] for row in rows])


def _padded(encodings: Sequence[Any]) -> dict[str, IntArray]:
    shape = len(encodings), max(len(encoding.ids) for encoding in encodings)
    ids, mask, types = (np.zeros(shape, np.int64) for _ in range(3))
    for row, encoding in enumerate(encodings):
        length = len(encoding.ids)
        ids[row, :length] = encoding.ids
        mask[row, :length] = encoding.attention_mask
        types[row, :length] = encoding.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def checked_batch_size(batch_size: int) -> int:
    """`batch_size`, if it is one."""
    if batch_size < 1:
        raise InputError(f"batch_size must be 1 or more, got {batch_size}")
    return batch_size


def checked_finite(path: Path, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """`values`, unless the model's arithmetic broke down."""
    if not np.isfinite(values).all():
        raise ModelError(f"{path}: the model's output is not finite; export it again")
    return values
