"""The inputs of a batch against a twin in Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from privrag_fast.native import span_inputs

Ids = NDArray[np.int64]
Row = tuple[Ids, Ids, Ids, Ids]


def twin(rows: list[Row], max_width: int) -> list[NDArray[np.generic]]:
    tokens = max(len(head) + len(ids) + len(tail) for head, ids, _, tail in rows)
    words = max(len(counts) for *_, counts, _ in rows)
    input_ids, attention, words_mask = (np.zeros((len(rows), tokens), np.int64) for _ in range(3))
    lengths = np.zeros((len(rows), 1), np.int64)
    span_idx = np.zeros((len(rows), words * max_width, 2), np.int64)
    span_mask = np.zeros((len(rows), words * max_width), np.bool_)
    for row, (head, ids, counts, tail) in enumerate(rows):
        whole = [*head, *ids, *tail]
        input_ids[row, : len(whole)] = whole
        attention[row, : len(whole)] = 1
        at = len(head)
        for word, count in enumerate(counts):
            words_mask[row, at] = word + 1
            at += count
        lengths[row] = len(counts)
        for first in range(len(counts)):
            for last in range(first, min(first + max_width, len(counts))):
                span = first * max_width + last - first
                span_idx[row, span] = first, last
                span_mask[row, span] = True
    return [input_ids, attention, words_mask, lengths, span_idx, span_mask]


def ids_of(count: int) -> Ids:
    return np.arange(1, count + 1)


ROWS = st.lists(
    st.builds(
        lambda head, counts, tail: (
            ids_of(head),
            ids_of(sum(counts)),
            np.array(counts, np.int64),
            ids_of(tail),
        ),
        st.integers(0, 4),
        st.lists(st.integers(1, 3), max_size=6),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=4,
)


@given(ROWS, st.integers(1, 4))
def test_inputs(rows: list[Row], max_width: int) -> None:
    for found, wanted in zip(span_inputs(rows, max_width), twin(rows, max_width), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("counts", [[1, 0], [2, 2], [-1, 4], [1]])
def test_counts_must_fit_the_ids(counts: list[int]) -> None:
    row = (ids_of(1), ids_of(3), np.array(counts), ids_of(1))
    with pytest.raises(ValueError, match=r"token|same words"):
        span_inputs([row], 2)
