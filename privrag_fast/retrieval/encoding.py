"""Texts to batches, batches through a model: what the embedder and the reranker share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast.onnx import CPU, OnnxModel, load_tokenizer
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


class BatchModel:
    """An ONNX model over batches of texts of like length; safe to call from several threads.

    On CPUs each batch has one thread, and as many batches run at once as there are threads: those
    that share an operator would wait for each other at the end of each.

    Args:
        path: The `.onnx` file.
        batch_size: Texts per run of the model.
        providers: See `OnnxModel`.
        threads: Batches at once; 0 for one per core.
    """

    def __init__(
        self, path: str | Path, *, batch_size: int, providers: Sequence[str], threads: int
    ) -> None:
        if batch_size < 1:
            raise InputError(f"batch_size must be 1 or more, got {batch_size}")
        on_cpu = tuple(providers) == (CPU,)
        self._batch_size = batch_size
        self._model = OnnxModel(
            path, providers=providers, threads=1 if on_cpu and threads >= 0 else threads
        )
        self._at_once = (threads or _cores()) if on_cpu else 1

    @property
    def path(self) -> Path:
        """The `.onnx` file."""
        return self._model.path

    @property
    def output_names(self) -> tuple[str, ...]:
        """The outputs of the export, in its order."""
        return self._model.output_names

    def run(
        self,
        encodings: Sequence[Any],
        finish: Callable[[list[NDArray[Any]], Mapping[str, IntArray]], NDArray[np.float32]],
    ) -> NDArray[np.float32]:
        """One row a text, in the order of `encodings`, of which there is at least one.

        Args:
            finish: Makes a batch's rows of its outputs and inputs.
        """

        def rows_of(feeds: Mapping[str, IntArray]) -> NDArray[np.float32]:
            return finish(self._model.run(feeds), feeds)

        size = min(self._batch_size, max(2, -(-len(encodings) // self._at_once)))
        rows, feeds = zip(*batches_by_length(encodings, size), strict=True)
        if len(feeds) == 1 or self._at_once == 1:
            parts = list(map(rows_of, feeds))
        else:
            with ThreadPoolExecutor(min(self._at_once, len(feeds))) as pool:
                parts = list(pool.map(rows_of, feeds))
        result = np.empty((len(encodings), *parts[0].shape[1:]), np.float32)
        result[np.concatenate(rows)] = np.concatenate(parts)
        if not np.isfinite(result).all():
            raise ModelError(f"{self.path}: the model's output is not finite; export it again")
        return result


def _cores() -> int:
    """That this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
