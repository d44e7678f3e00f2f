"""Token lists to the flat arrays that the extension takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Arrays = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]


def flat(sequences: Sequence[Sequence[int]], prompt_lengths: Sequence[int]) -> Arrays:
    """tokens, offsets, prompt lengths."""
    tokens = np.array([t for sequence in sequences for t in sequence], np.int32)
    offsets = np.cumsum([0, *map(len, sequences)]).astype(np.int64)
    return tokens, offsets, np.array(prompt_lengths, np.int32)
