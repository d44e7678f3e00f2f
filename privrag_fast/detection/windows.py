"""Long texts: cut into overlapping windows, put back into one grid of scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Window = tuple[int, int]
"""First word and the word after the last one."""

Logits = NDArray[np.float32]
"""float32 [words, max_width, labels]; row i, column k rates the words i ... i + k."""

_UNBOUNDED = np.iinfo(np.int64).max


def plan_windows(
    token_counts: Sequence[int], *, max_words: int, max_tokens: int, overlap: int
) -> list[Window]:
    """Windows that cover all words and hold at most `max_words` and `max_tokens`.

    Neighbors share `overlap` words, or half a window where that is less. A word of more than
    `max_tokens` gets a window of its own: the caller clips it.
    """
    windows: list[Window] = []
    start = end = 0
    while end < len(token_counts):
        # Where long words fill it, a window that started earlier might reach no further.
        while (new_end := _window_end(token_counts, start, max_words, max_tokens)) <= end:
            start += 1
        end = new_end
        windows.append((start, end))
        start = max(end - min(overlap, (end - start) // 2), start + 1)
    return windows


def _window_end(token_counts: Sequence[int], start: int, max_words: int, max_tokens: int) -> int:
    room = max_tokens - token_counts[start]
    end = start + 1
    while end < len(token_counts) and end - start < max_words and token_counts[end] <= room:
        room -= token_counts[end]
        end += 1
    return end


def merge_windows(parts: Iterable[tuple[Window, Logits]]) -> Logits:
    """One grid for the whole text; the windows come in order and cover it.

    A span's scores come from the window in which it stands farthest from a cut, so that a
    name at the edge of one window is judged where both its ends are seen in context. A span
    that no window holds whole stays at minus infinity.
    """
    parts = list(parts)
    if len(parts) == 1:
        return parts[0][1]
    words = parts[-1][0][1]
    _, max_width, labels = parts[0][1].shape
    grid = np.full((words, max_width, labels), -np.inf, np.float32)
    best = np.full((words, max_width), -1, np.int64)
    for (start, end), logits in parts:
        margin = _distance_to_cut(start, end, words, max_width)
        closer = margin > best[start:end]
        best[start:end][closer] = margin[closer]
        grid[start:end][closer] = logits[closer]
    return grid


def _distance_to_cut(start: int, end: int, words: int, max_width: int) -> NDArray[np.int64]:
    """[end - start, max_width]; negative where the span leaves the window."""
    first = np.arange(start, end)[:, None]
    last = first + np.arange(max_width)
    # The text's own ends are no cuts.
    left = first - start if start > 0 else np.int64(_UNBOUNDED)
    right = end - 1 - last if end < words else np.where(last < words, _UNBOUNDED, -1)
    return np.minimum(left, right)
