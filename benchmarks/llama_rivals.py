"""What one would write without a prefix tree, on the same weights.

All take token sequences and prompt lengths, and give each sequence's log-likelihood in nats.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

Tokens = Sequence[int]


class PlainDecode:
    """llama.cpp's low-level API: one decode per variant."""

    def __init__(
        self, path: Path, *, n_batch: int, threads: int, n_ctx: int = 8192, kv_float32: bool = False
    ) -> None:
        params = llama_cpp.llama_model_default_params()
        # Where the CPU has AMX, it would end in a segmentation fault.
        amx = b"AMX_INT8 = 1" in llama_cpp.llama_print_system_info()
        params.use_extra_bufts = not amx
        params.n_gpu_layers = 0
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        options = llama_cpp.llama_context_default_params()
        options.n_ctx, options.n_batch, options.n_ubatch = n_ctx, n_ctx, n_batch
        options.n_outputs_max = n_batch
        options.n_threads = options.n_threads_batch = threads
        options.flash_attn_type = 1
        if kv_float32:
            options.type_k = options.type_v = llama_cpp.GGML_TYPE_F32
        self._context = llama_cpp.llama_init_from_model(self._model, options)
        vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._size = llama_cpp.llama_vocab_n_tokens(vocab)
        self._batch = llama_cpp.llama_batch_init(n_ctx, 0, 1)
        self._cached: list[int] = []

    def close(self) -> None:
        llama_cpp.llama_batch_free(self._batch)
        llama_cpp.llama_free(self._context)
        llama_cpp.llama_model_free(self._model)

    def without_reuse(self, sequences: Sequence[Tokens], lengths: Sequence[int]) -> list[float]:
        """Rival (b): every variant from its first token."""
        result = []
        for tokens, length in zip(sequences, lengths, strict=True):
            self._cached = []
            result.append(self._score(list(tokens), length))
        return result

    def longest_common_prefix(
        self, sequences: Sequence[Tokens], lengths: Sequence[int]
    ) -> list[float]:
        """Rival (c): what the previous variant shares stays in the cache."""
        self._cached = []
        return [
            self._score(list(tokens), length)
            for tokens, length in zip(sequences, lengths, strict=True)
        ]

    def one_decode(self, count: int, outputs: int, chunk: int) -> None:
        """The limit: `count` tokens of a single sequence, `outputs` rows of logits."""
        self._cached = []
        self._cut(0)
        rng = np.random.default_rng(0)
        tokens = rng.integers(100, self._size, count).tolist()
        for start in range(0, count, chunk):
            part = tokens[start : start + chunk]
            wanted = range(max(0, count - outputs - start), len(part))
            self._decode(part, start, set(wanted))

    def _score(self, tokens: list[int], length: int) -> float:
        shared = 0
        while (
            shared < min(len(self._cached), length - 1) and self._cached[shared] == tokens[shared]
        ):
            shared += 1
        self._cut(shared)
        wanted = range(length - 1 - shared, len(tokens) - 1 - shared)
        self._decode(tokens[shared:], shared, set(wanted))
        self._cached = tokens
        rows = np.stack([self._row(i) for i in wanted])
        peaks = rows.max(axis=1)
        normalizers = peaks + np.log(np.exp(rows - peaks[:, None]).sum(axis=1))
        picked = rows[np.arange(len(rows)), tokens[length:]]
        return float((picked.astype(np.float64) - normalizers).sum())

    def _cut(self, position: int) -> None:
        memory = llama_cpp.llama_get_memory(self._context)
        llama_cpp.llama_memory_seq_rm(memory, 0, position, -1)

    def _decode(self, tokens: Tokens, position: int, wanted: set[int]) -> None:
        batch = self._batch
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i], batch.pos[i], batch.n_seq_id[i] = token, position + i, 1
            batch.seq_id[i][0], batch.logits[i] = 0, i in wanted
        code = llama_cpp.llama_decode(self._context, batch)
        if code != 0:
            raise RuntimeError(f"llama_decode gave {code}")

    def _row(self, index: int) -> NDArray[np.float32]:
        pointer: Any = llama_cpp.llama_get_logits_ith(self._context, index)
        pointer = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(pointer, shape=(self._size,))


class CreateCompletion:
    """Rival (a): llama-cpp-python's own call, as its users make it."""

    def __init__(self, path: Path, *, n_ctx: int, n_batch: int, threads: int) -> None:
        self._llama = llama_cpp.Llama(
            str(path), n_ctx=n_ctx, n_batch=n_batch, n_threads=threads, n_threads_batch=threads,
            logits_all=True, flash_attn=True, verbose=False,
        )  # fmt: skip

    def close(self) -> None:
        self._llama.close()

    def score(self, tokens: Tokens, length: int) -> float:
        # With echo it takes text only; most tokens come back as they were.
        text = self._llama.detokenize(list(tokens)).decode("utf-8", "ignore")
        done: Any = self._llama.create_completion(
            text, max_tokens=1, echo=True, logprobs=1, temperature=0.0
        )
        log_probs = done["choices"][0]["logprobs"]["token_logprobs"]
        return float(sum(log_probs[1 - (len(tokens) - length) : -1]))
