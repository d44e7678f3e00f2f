from __future__ import annotations

import numpy as np
import pytest

from privrag_fast.native import decode_spans
from tests.detection import reference

NO = -9.0


def grid(words, width, labels, **logits):
    """Logits that are low but for `s<start>e<end>l<label>=value`."""
    array = np.full((words, width, labels), NO, np.float32)
    for name, value in logits.items():
        start, end, label = (int(part) for part in name[1:].replace("e", "l").split("l"))
        array[start, end - start, label] = value
    return array


def spans(logits, thresholds=None, **options):
    thresholds = np.full(logits.shape[2], 0.5, np.float32) if thresholds is None else thresholds
    positions, scores = decode_spans(logits, np.asarray(thresholds, np.float32), **options)
    assert positions.dtype == np.int32
    assert scores.dtype == np.float32
    assert positions.shape == (len(scores), 3)
    return [tuple(position) for position in positions.tolist()]


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("multi_label", [True, False])
def test_agrees_with_its_slow_twin_on_random_logits_with_ties(flat, multi_label):
    rng = np.random.default_rng(11)
    for _ in range(60):
        words, width, labels = rng.integers(0, 9), rng.integers(1, 6), rng.integers(1, 5)
        # A handful of levels, so that ties are the rule.
        logits = rng.integers(-3, 4, (words, width, labels)).astype(np.float32)
        thresholds = rng.choice([0.02, 0.3, 0.5, 0.9, 1.0], labels).astype(np.float32)
        fast, fast_scores = decode_spans(logits, thresholds, flat=flat, multi_label=multi_label)
        slow, slow_scores = reference.decode_spans(
            logits, thresholds, flat=flat, multi_label=multi_label
        )
        assert [tuple(span) for span in fast.tolist()] == slow
        assert fast_scores.tolist() == pytest.approx(slow_scores, abs=1e-6)


def test_flat_takes_the_best_and_nothing_that_shares_a_word_with_it():
    logits = grid(5, 3, 1, s0e1l0=1.0, s1e2l0=2.0, s2e4l0=1.5, s3e4l0=0.5)
    assert spans(logits) == [(1, 2, 0), (3, 4, 0)]


def test_nested_keeps_what_lies_inside_and_drops_what_crosses():
    logits = grid(5, 4, 1, s0e3l0=2.0, s1e2l0=1.0, s3e4l0=1.5)
    assert spans(logits, flat=False) == [(0, 3, 0), (1, 2, 0)]


def test_a_second_label_on_the_same_span_needs_multi_label():
    logits = grid(2, 2, 2, s0e1l0=1.0, s0e1l1=2.0)
    assert spans(logits) == [(0, 1, 1)]
    assert spans(logits, multi_label=True) == [(0, 1, 0), (0, 1, 1)]
    assert spans(logits, multi_label=True, flat=False) == [(0, 1, 0), (0, 1, 1)]


def test_ties_go_to_the_smaller_start_then_the_longer_span_then_the_smaller_label():
    logits = grid(4, 3, 2, s0e1l1=1.0, s0e2l1=1.0, s0e2l0=1.0, s1e3l0=1.0)
    assert spans(logits) == [(0, 2, 0)]


def test_high_logits_that_round_to_the_same_probability_are_still_ranked():
    assert spans(grid(2, 2, 1, s0e0l0=30.0, s0e1l0=40.0)) == [(0, 1, 0)]


def test_a_span_past_the_last_word_is_ignored():
    logits = np.full((2, 3, 1), 5.0, np.float32)
    logits[0, 1] = NO
    assert spans(logits) == [(0, 0, 0), (1, 1, 0)]


def test_each_label_has_its_own_threshold_and_the_threshold_itself_is_not_above():
    logits = grid(3, 1, 2, s0e0l0=0.0, s1e1l0=0.1, s1e1l1=1.0, s2e2l1=3.0)
    assert spans(logits, [0.5, 0.9]) == [(1, 1, 0), (2, 2, 1)]


def test_infinite_logits_have_a_defined_answer():
    logits = grid(3, 1, 1, s0e0l0=np.inf, s1e1l0=-np.inf)
    assert spans(logits) == [(0, 0, 0)]
    assert spans(logits, [1.0]) == []


def test_nan_is_no_answer():
    with pytest.raises(FloatingPointError, match="NaN"):
        spans(grid(3, 1, 1, s0e0l0=np.inf, s2e2l0=np.nan))


@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0, 2), (3, 3, 0)])
def test_an_empty_axis_gives_no_span(shape):
    assert spans(np.zeros(shape, np.float32)) == []


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.5, np.nan])
def test_a_threshold_outside_its_range_is_refused(threshold):
    with pytest.raises(ValueError, match="thresholds"):
        spans(grid(1, 1, 1), [threshold])
