"""A mamba with random weights: its memory is recurrent, so sequences cannot share cells."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np


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
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([*kinds, *[gguf.TokenType.BYTE] * 256])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)

    def add(name: str, *shape: int) -> None:
        values = rng.standard_normal(shape) / np.sqrt(shape[-1])
        writer.add_tensor(name, values.astype(np.float32))

    add("token_embd.weight", len(tokens), width)
    add("output.weight", len(tokens), width)
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
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
