"""How far a training run is."""

from __future__ import annotations

import time
from typing import Protocol


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
