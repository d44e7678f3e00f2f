"""Long texts: cut into overlapping windows, put back into grids of scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Window = tuple[int, int]
"""First word and the word after the last one."""

Logits = NDArray[np.float32]
"""float32 [words, max_width, labels]; row i, column k rates the words i ... i + k."""

_NO_GRID = np.empty((0, 0, 0), np.float32)
_NO_MARGIN = np.empty((0, 0), np.int64)
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


def merge_windows(
    parts: Iterable[tuple[Window, Logits]], words: int, cuts: NDArray[np.float32]
) -> Iterator[tuple[int, Logits]]:
    """The text's grid of scores in stretches, each with its first word; they cover the text.

    A span's scores come from the window in which it stands farthest from a cut, so that a
    name at the edge of one window is judged where both its ends are seen in context. A span
    that no window holds whole stays at minus infinity. No span above its label's cut reaches
    from one stretch into the next: each can be decoded by itself, and memory stays flat.

    Args:
        parts: In order of the windows, which cover the text.
        words: Of the text.
        cuts: float32 [labels], in logits.
    """
    first = 0
    grid, best = _NO_GRID, _NO_MARGIN
    for (start, end), logits in parts:
        if (start, end) == (0, words):
            yield 0, logits
            return
        # Later windows start further on: what comes before this one is settled.
        if len(grid) and (done := _last_gap(grid[: start - first], cuts)):
            yield first, grid[:done]
            first, grid, best = first + done, grid[done:], best[done:]
        grid, best = _grown(grid, best, end - first, *logits.shape[1:])
        margin = _distance_to_cut(start, end, words, logits.shape[1])
        rows = slice(start - first, end - first)
        closer = margin > best[rows]
        best[rows][closer] = margin[closer]
        grid[rows][closer] = logits[closer]
    if len(grid):
        yield first, grid


def _last_gap(grid: Logits, cuts: NDArray[np.float32]) -> int:
    """The most rows from the start out of which no span above its cut reaches; 0 for none."""
    rows, widths = np.nonzero((grid > cuts).any(axis=2))
    reach = np.full(len(grid), -1)
    np.maximum.at(reach, rows, rows + widths)
    gaps = np.flatnonzero(np.maximum.accumulate(reach) <= np.arange(len(grid)))
    return int(gaps[-1]) + 1 if len(gaps) else 0


def _grown(
    grid: Logits, best: NDArray[np.int64], rows: int, max_width: int, labels: int
) -> tuple[Logits, NDArray[np.int64]]:
    larger = np.full((rows, max_width, labels), -np.inf, np.float32)
    farther = np.full((rows, max_width), -1, np.int64)
    if len(grid):
        larger[: len(grid)], farther[: len(best)] = grid, best
    return larger, farther


def _distance_to_cut(start: int, end: int, words: int, max_width: int) -> NDArray[np.int64]:
    """[end - start, max_width]; negative where the span leaves the window."""
    first = np.arange(start, end)[:, None]
    last = first + np.arange(max_width)
    # The text's own ends are no cuts.
    left = first - start if start > 0 else np.int64(_UNBOUNDED)
    right = end - 1 - last if end < words else np.where(last < words, _UNBOUNDED, -1)
    return np.minimum(left, right)
