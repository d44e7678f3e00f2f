"""Sentence embeddings from an ONNX encoder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast.models import sha256_of
from privrag_fast.onnx import CPU, OnnxModel
from privrag_fast.retrieval.encoding import (
    IntArray,
    TokenEncoder,
    batches_by_length,
    checked_batch_size,
    checked_finite,
)
from privrag_fast.types import InputError, ModelError, SafeText

FloatArray = NDArray[np.float32]

_POOLED = "sentence_embedding"
"""The name that exports give to an output that is pooled already."""


class Embedder:
    """Mean-pooled, L2-normalized sentence embeddings, as the all-MiniLM-L6-v2 card computes them.

    Safe to call from several threads.

    Args:
        model_path: An encoder that gives token states [n, tokens, dim], or vectors [n, dim].
        tokenizer_path: Its `tokenizer.json`.
        batch_size: Texts per run of the model.
        max_tokens: Longer texts are truncated; 256 is what all-MiniLM-L6-v2 was trained for.
        providers, threads: See `OnnxModel`.

    Raises:
        ModelError: A file is missing, damaged, or gives something else than embeddings.

    Example:
        >>> vectors = Embedder("model.onnx", "tokenizer.json").embed(texts)  # doctest: +SKIP
    """

    def __init__(
        self,
        model_path: str | Path,
        tokenizer_path: str | Path,
        *,
        batch_size: int = 4,
        max_tokens: int = 256,
        providers: Sequence[str] = (CPU,),
        threads: int = 0,
    ) -> None:
        self._batch_size = checked_batch_size(batch_size)
        self._encoder = TokenEncoder(tokenizer_path, max_tokens=max_tokens)
        self._model = OnnxModel(model_path, providers=providers, threads=threads)
        names = self._model.output_names
        self._output = names.index(_POOLED) if _POOLED in names else 0
        # Two texts, so that a model with a fixed batch is found out here.
        self._dim = int(self._run(self._encoder.encode(["a", "b c"])).shape[1])
        self._digest = _digest(Path(model_path), Path(tokenizer_path), max_tokens)

    @property
    def dim(self) -> int:
        """Components of a vector."""
        return self._dim

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the vectors depend on: an index is bound to it."""
        return self._digest

    def embed(self, texts: Sequence[SafeText]) -> FloatArray:
        """Unit vectors, float32 [n, dim], in the order of `texts`."""
        if isinstance(texts, str):
            raise InputError("texts must be a sequence of strings, got one string")
        if not texts:
            return np.empty((0, self._dim), np.float32)
        return self._run(self._encoder.encode(texts))

    def _run(self, encodings: Sequence[Any]) -> FloatArray:
        parts, rows = [], []
        for batch_rows, feeds in batches_by_length(encodings, self._batch_size):
            output = self._model.run(feeds)[self._output]
            parts.append(self._pooled(output, feeds["attention_mask"]))
            rows.append(batch_rows)
        vectors = np.empty((len(encodings), parts[0].shape[1]), np.float32)
        vectors[np.concatenate(rows)] = np.concatenate(parts)
        return _normalized(checked_finite(self._model.path, vectors))

    def _pooled(self, output: NDArray[Any], mask: IntArray) -> FloatArray:
        """float32 [n, dim]: the mean over a text's own tokens, where the model left that to us."""
        if output.ndim == 3 and output.shape[:2] == mask.shape:
            weights = mask[:, :, None].astype(np.float32)
            output = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
        if output.ndim != 2 or len(output) != len(mask):
            raise ModelError(
                f"{self._model.path}: an embedder gives [n, tokens, dim] or [n, dim], "
                f"this model gives {list(output.shape)} for inputs {list(mask.shape)}"
            )
        return output.astype(np.float32)


def _normalized(vectors: FloatArray) -> FloatArray:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: FloatArray = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit


def _digest(model_path: Path, tokenizer_path: Path, max_tokens: int) -> str:
    digest = hashlib.sha256(f"mean pooling, L2, {max_tokens} tokens".encode())
    for path in (model_path, tokenizer_path):
        digest.update(sha256_of(path).encode())
    return digest.hexdigest()
