"""A mamba with random weights: its memory is recurrent, so sequences cannot share cells."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import gguf
import numpy as np

from tests.scorer.tiny_llama import add_byte_vocabulary, add_random, finish


def write_tiny_mamba(path: Path, *, seed: int = 0) -> Path:
    """Writes an F32 GGUF: 2 layers, width 32, state 8."""
    width, inner, state, rank, kernel, layers = 32, 64, 8, 4, 4, 2
    rng = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(str(path), "mamba")
    writer.add_context_length(4096)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_block_count(layers)
    writer.add_ssm_conv_kernel(kernel)
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(state)
    writer.add_ssm_time_step_rank(rank)
    writer.add_layer_norm_rms_eps(1e-5)
    tokens = add_byte_vocabulary(writer)
    add = partial(add_random, writer, rng)
    add("token_embd.weight", tokens, width)
    add("output.weight", tokens, width)
    writer.add_tensor("output_norm.weight", np.ones(width, np.float32))
    for layer in range(layers):
        block = f"blk.{layer}"
        writer.add_tensor(f"{block}.attn_norm.weight", np.ones(width, np.float32))
        add(f"{block}.ssm_in.weight", 2 * inner, width)
        add(f"{block}.ssm_conv1d.weight", inner, kernel)
        writer.add_tensor(f"{block}.ssm_conv1d.bias", np.zeros(inner, np.float32))
        add(f"{block}.ssm_x.weight", rank + 2 * state, inner)
        add(f"{block}.ssm_dt.weight", inner, rank)
        writer.add_tensor(f"{block}.ssm_dt.bias", np.zeros(inner, np.float32))
        steps = np.tile(np.arange(1, state + 1, dtype=np.float32), (inner, 1))
        writer.add_tensor(f"{block}.ssm_a", -steps)
        writer.add_tensor(f"{block}.ssm_d", np.ones(inner, np.float32))
        add(f"{block}.ssm_out.weight", width, inner)
    finish(writer)
    return path
