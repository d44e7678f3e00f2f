"""Slow twins: one fresh context and one plain decode per variant, log-softmax in numpy."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import llama_cpp
import numpy as np
from numpy.typing import NDArray


def score_one_by_one(
    path: Path, sequences: Sequence[Sequence[int]], prompt_lengths: Sequence[int]
) -> list[NDArray[np.float64]]:
    """Log-probabilities of each sequence's continuation, float64; plain attention, KV in F32."""
    params = llama_cpp.llama_model_default_params()
    params.use_extra_bufts = False  # crashes where the CPU has AMX
    params.n_gpu_layers = 0
    model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
    try:
        return [
            _score(model, list(tokens), length)
            for tokens, length in zip(sequences, prompt_lengths, strict=True)
        ]
    finally:
        llama_cpp.llama_model_free(model)


def _score(model: object, tokens: list[int], prompt_length: int) -> NDArray[np.float64]:
    if prompt_length == len(tokens):
        return np.empty(0)
    params = llama_cpp.llama_context_default_params()
    params.n_ctx = params.n_batch = params.n_ubatch = len(tokens)
    params.n_outputs_max = len(tokens)
    params.n_seq_max = 1
    params.flash_attn_type = 0
    params.type_k = params.type_v = 0  # F32
    context = llama_cpp.llama_init_from_model(model, params)
    batch = llama_cpp.llama_batch_init(len(tokens), 0, 1)
    try:
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i], batch.pos[i], batch.n_seq_id[i] = token, i, 1
            batch.seq_id[i][0], batch.logits[i] = 0, 1
        assert llama_cpp.llama_decode(context, batch) == 0
        size = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(model))
        return np.array(
            [
                log_softmax(_row(context, i - 1, size))[tokens[i]]
                for i in range(prompt_length, len(tokens))
            ]
        )
    finally:
        llama_cpp.llama_batch_free(batch)
        llama_cpp.llama_free(context)


def _row(context: object, index: int, size: int) -> NDArray[np.float64]:
    pointer = llama_cpp.llama_get_logits_ith(context, index)
    pointer = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))
    return np.ctypeslib.as_array(pointer, shape=(size,)).astype(np.float64)


def log_softmax(row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Textbook log-softmax."""
    shifted = row - row.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))
