"""What a training run sees next, and how far it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import islice

import pytest

from privrag_fast.training.progress import batches, progress


@dataclass(frozen=True)
class Bounds:
    minutes: float = 1.0
    steps: int | None = None


def test_each_item_comes_once_before_any_comes_again() -> None:
    seen = [item for batch in islice(batches("abcdefg", 3, seed=1), 14) for item in batch]
    assert len(seen) == 42
    for start in range(0, 42, 7):
        assert sorted(seen[start : start + 7]) == list("abcdefg")
    assert seen != [item for batch in islice(batches("abcdefg", 3, seed=2), 14) for item in batch]
    assert list(islice(batches("", 0, seed=1), 2)) == [[], []]


def test_steps_win_over_the_clock() -> None:
    began = time.monotonic() - 30
    assert progress(5, began, Bounds(steps=20)) == 0.25
    assert progress(5, began, Bounds()) == pytest.approx(0.5, abs=0.1)
