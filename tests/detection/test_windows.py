from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privrag_fast.detection.windows import merge_windows, plan_windows
from privrag_fast.native import decode_spans


def plan(counts, max_words=6, max_tokens=12, overlap=4):
    return plan_windows(counts, max_words=max_words, max_tokens=max_tokens, overlap=overlap)


def test_a_text_that_fits_is_one_window():
    assert plan([1] * 6) == [(0, 6)]
    assert plan([]) == []


def test_neighbors_share_the_overlap_but_never_more_than_half():
    assert plan([1] * 12, overlap=2) == [(0, 6), (4, 10), (8, 12)]
    assert plan([1] * 12, overlap=5) == [(0, 6), (3, 9), (6, 12)]


def test_tokens_bound_a_window_too():
    assert plan([3] * 6, overlap=1) == [(0, 4), (3, 6)]


def test_a_word_that_is_too_long_gets_a_window_of_its_own():
    assert plan([1, 99, 1]) == [(0, 1), (1, 2), (2, 3)]


def test_an_overlap_that_would_reach_no_further_is_given_up():
    assert plan([1, 1, 2], max_words=2, max_tokens=2, overlap=1) == [(0, 2), (2, 3)]


@given(
    st.lists(st.integers(1, 15), max_size=40),
    st.integers(1, 8),
    st.integers(1, 20),
    st.integers(0, 6),
)
def test_windows_cover_every_word_move_on_and_fit(counts, max_words, max_tokens, overlap):
    windows = plan(counts, max_words, max_tokens, overlap)
    assert {i for start, end in windows for i in range(start, end)} == set(range(len(counts)))
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(windows))
    for start, end in windows:
        assert end - start <= max_words
        assert end - start == 1 or sum(counts[start:end]) <= max_tokens


def _parts(rng, words, width, windows):
    return [
        ((start, end), rng.normal(size=(end - start, width, 2)).astype(np.float32))
        for start, end in windows
    ]


def _merge_one_by_one(parts, words, width):
    """The slow twin: for each span the first of the windows that keep it farthest from a cut."""
    grid = np.full((words, width, 2), -np.inf, np.float32)
    for i in range(words):
        for k in range(width):
            holders = [
                (
                    -min(
                        i - start if start else np.inf,
                        end - 1 - i - k if end < words else np.inf,
                    ),
                    number,
                )
                for number, ((start, end), _) in enumerate(parts)
                if start <= i and i + k < end
            ]
            if holders:
                (start, _), logits = parts[min(holders)[1]]
                grid[i, k] = logits[i - start, k]
    return grid


def _whole(parts, words, width, cut=np.inf):
    """The stretches in one grid; with an infinite cut there is a gap after every word."""
    grid = np.full((words, width, 2), -np.inf, np.float32)
    end = 0
    for first, stretch in merge_windows(parts, words, np.full(2, cut, np.float32)):
        assert first == end
        assert len(stretch)
        end += len(stretch)
        grid[first:end] = stretch
    assert end == words
    return grid


@pytest.mark.parametrize(("words", "width"), [(7, 3), (20, 3), (31, 4), (9, 1), (4, 3)])
def test_merge_agrees_with_its_slow_twin(words, width):
    windows = plan([1] * words)
    parts = _parts(np.random.default_rng(words), words, width, windows)
    merged = _whole(parts, words, width, cut=-np.inf)
    # Cells past the end of the text mean nothing: the decoder never reads them.
    real = np.arange(words)[:, None] + np.arange(width) < words
    np.testing.assert_array_equal(merged[real], _merge_one_by_one(parts, words, width)[real])
    assert np.isfinite(merged[real]).all()


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.sampled_from([-0.5, 0.5, 1.5, 3.0]))
def test_stretches_decode_as_the_whole_does(seed, words, cut):
    width = 4
    parts = _parts(np.random.default_rng(seed), words, width, plan([1] * words))
    thresholds = np.full(2, 1 / (1 + np.exp(-cut)), np.float32)
    together, _ = decode_spans(
        _merge_one_by_one(parts, words, width), thresholds, flat=True, multi_label=False
    )
    apart = []
    for first, stretch in merge_windows(parts, words, np.full(2, cut - 1e-3, np.float32)):
        spans, _ = decode_spans(
            np.ascontiguousarray(stretch), thresholds, flat=True, multi_label=False
        )
        apart += np.add(spans, [first, first, 0]).tolist()
    assert apart == together.tolist()


def test_a_long_text_without_spans_is_never_held_whole():
    windows = plan([1] * 600)
    parts = (((a, b), np.full((b - a, 3, 2), -5, np.float32)) for a, b in windows)
    sizes = [len(grid) for _, grid in merge_windows(parts, 600, np.zeros(2, np.float32))]
    assert sum(sizes) == 600
    assert max(sizes) <= 6


def test_a_name_at_the_edge_is_judged_where_it_is_seen_whole():
    edge, middle = np.full((6, 3, 2), -5, np.float32), np.full((6, 3, 2), -5, np.float32)
    edge[5, 0] = 4.0  # words 0-5: "... Nora" and nothing after it
    middle[3, 1] = 3.0  # words 2-7: "... Nora Lind ..."
    merged = _whole([((0, 6), edge), ((2, 8), middle)], 8, 3)
    assert (merged[5, 0] == -5).all()
    assert (merged[5, 1] == 3).all()
