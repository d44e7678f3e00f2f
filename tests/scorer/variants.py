"""Variants of a random prompt, and what they score one by one."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from tests.scorer.reference import score_one_by_one

# Nats per continuation of up to 40 tokens, in F32 throughout. Batches of other sizes take other
# kernels of llama.cpp, which add up in another order.
EXACT = {"flash_attention": False, "kv_float32": True}
TOLERANCE = 2e-3
OTHER_KERNELS = 0.02


def make(seed: int, count: int = 12, prompt: int = 60, answer: int = 20) -> tuple[list, list]:
    """Variants that change a few tokens somewhere in the prompt."""
    rng = random.Random(seed)
    original = [1] + [rng.randrange(3, 259) for _ in range(prompt - 1)]
    tail = [rng.randrange(3, 259) for _ in range(answer)]
    sequences, lengths = [original + tail], [prompt]
    for _ in range(count - 1):
        at = rng.randrange(prompt // 2, prompt)
        new = [rng.randrange(3, 259) for _ in range(rng.randrange(1, 4))]
        variant = original[:at] + new + original[at + 1 :]
        sequences.append(variant + tail)
        lengths.append(len(variant))
    return sequences, lengths


def total(sequences: list, lengths: list, path: Path) -> np.ndarray:
    return np.array([x.sum() for x in score_one_by_one(path, sequences, lengths)])
