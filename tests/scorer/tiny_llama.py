"""A llama with random weights and a byte vocabulary, small enough to make for each test run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import gguf
import numpy as np

TEMPLATE = "{% for m in messages %}<s>{{ m.role }}\n{{ m.content }}</s>\n{% endfor %}"
TEMPLATE += "{{ '<s>assistant\n' }}"


def add_byte_vocabulary(writer: gguf.GGUFWriter) -> int:
    """A SentencePiece vocabulary of single bytes; returns its size."""
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([*kinds, *[gguf.TokenType.BYTE] * 256])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    return len(tokens)


def add_random(writer: gguf.GGUFWriter, rng: np.random.Generator, name: str, *shape: int) -> None:
    """A tensor of normal values, scaled by its fan-in."""
    values = rng.standard_normal(shape) / np.sqrt(shape[-1])
    writer.add_tensor(name, values.astype(np.float32))


def finish(writer: gguf.GGUFWriter) -> None:
    """Writes all that was added, and closes the file."""
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_tiny_llama(
    path: Path, *, seed: int = 0, context: int = 4096, template: str | None = TEMPLATE
) -> Path:
    """Writes an F32 GGUF: 2 layers, width 32, 4 heads over 2 key-value heads."""
    width, heads, kv_heads, hidden, layers = 32, 4, 2, 64, 2
    rng = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(hidden)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    tokens = add_byte_vocabulary(writer)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    if template is not None:
        writer.add_chat_template(template)

    add = partial(add_random, writer, rng)
    head = width // heads
    add("token_embd.weight", tokens, width)
    add("output.weight", tokens, width)
    writer.add_tensor("output_norm.weight", np.ones(width, np.float32))
    for layer in range(layers):
        block = f"blk.{layer}"
        writer.add_tensor(f"{block}.attn_norm.weight", np.ones(width, np.float32))
        writer.add_tensor(f"{block}.ffn_norm.weight", np.ones(width, np.float32))
        add(f"{block}.attn_q.weight", width, width)
        add(f"{block}.attn_k.weight", kv_heads * head, width)
        add(f"{block}.attn_v.weight", kv_heads * head, width)
        add(f"{block}.attn_output.weight", width, width)
        add(f"{block}.ffn_gate.weight", hidden, width)
        add(f"{block}.ffn_up.weight", hidden, width)
        add(f"{block}.ffn_down.weight", width, hidden)
    finish(writer)
    return path
