"""What a training run sees next, and how far it is."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Bounds(Protocol):
    """When a run ends: after `steps` where given, or else after `minutes`."""

    @property
    def minutes(self) -> float:
        """Of the clock."""
        ...

    @property
    def steps(self) -> int | None:
        """None to go by the clock."""
        ...


def progress(steps: int, began: float, bounds: Bounds) -> float:
    """The share that is done; 1 or more at the end.

    Args:
        steps: Done so far.
        began: Seconds of `time.monotonic`.
    """
    if bounds.steps is not None:
        return steps / bounds.steps
    return (time.monotonic() - began) / (60 * bounds.minutes)


def batches(items: Sequence[T], size: int, seed: int) -> Iterator[list[T]]:
    """Batches for ever; each item comes once before any comes again."""
    rng = random.Random(seed)
    queue: deque[T] = deque()
    while True:
        while len(queue) < size:
            queue += rng.sample(items, len(items))
        yield [queue.popleft() for _ in range(size)]
