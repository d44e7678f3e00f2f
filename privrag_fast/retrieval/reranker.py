"""Reranking with an ONNX cross-encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privrag_fast.onnx import CPU
from privrag_fast.retrieval.encoding import BatchModel, IntArray, TokenEncoder
from privrag_fast.types import Hit, InputError, ModelError, SafeText, document_text

_PLACES = 10  # as in `fuse`


class CrossEncoder:
    """Scores query and passage together; a `Reranker`.

    Safe to call from several threads.

    Args:
        model_path: A sequence classifier over pairs: logits [n, 1], or [n, 2] for (no, yes).
        tokenizer_path: Its `tokenizer.json`.
        max_length: Tokens of a pair; the longer side is truncated first.
        batch_size: Pairs per run of the model. On a CPU one at a time is fastest, and int8 scores
            then do not depend on what stands beside a pair.
        place_weight: How much the order of the hits counts beside the logit: each gets
            `place_weight / (10 + place)` on top, its place counted from 1. 0 ranks by the logit
            alone. Their scores do not count: those of different retrievers do not compare.
        providers, threads: See `BatchModel`.

    Raises:
        ModelError: A file is missing, damaged, or gives something else than such logits.
    """

    def __init__(
        self,
        model_path: str | Path,
        tokenizer_path: str | Path,
        *,
        max_length: int = 256,
        batch_size: int = 1,
        place_weight: float = 0.0,
        providers: Sequence[str] = (CPU,),
        threads: int = 0,
    ) -> None:
        self._place_weight = place_weight
        self._encoder = TokenEncoder(tokenizer_path, max_tokens=max_length)
        self._model = BatchModel(
            model_path, batch_size=batch_size, providers=providers, threads=threads
        )
        self._scores("a", ["b", "c d"])  # a wrong model is found out here

    def rerank(self, query: SafeText, hits: Sequence[Hit], k: int = 5) -> list[Hit]:
        """The best `k` of `hits`, which come best first; ties keep their order.

        Scores are logits, and what `place_weight` adds.
        """
        if k < 1:
            raise InputError(f"k must be 1 or more, got {k}")
        if not hits:
            return []
        scores = self._scores(query, list(map(document_text, hits)))
        scores += self._place_weight / (_PLACES + 1 + np.arange(len(hits), dtype=np.float32))
        order = np.argsort(-scores, kind="stable")[:k]
        return [Hit(hits[row].passage, float(scores[row])) for row in order]

    def _scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._model.run(self._encoder.encode_pairs(query, texts), self._score)

    def _score(
        self, outputs: list[NDArray[Any]], feeds: Mapping[str, IntArray]
    ) -> NDArray[np.float32]:
        """float32 [rows]: the logit of "yes"; of two classes, its lead over "no"."""
        logits, rows = outputs[0], len(feeds["input_ids"])
        if logits.shape == (rows, 2):
            logits = logits[:, 1] - logits[:, 0]
        if logits.shape not in ((rows,), (rows, 1)):
            raise ModelError(
                f"{self._model.path}: a cross-encoder gives logits [n, 1] or [n, 2], "
                f"this model gives {list(logits.shape)} for {rows} pairs"
            )
        return logits.reshape(rows).astype(np.float32)
