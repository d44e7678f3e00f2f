"""Bars: what was reached against what was to be reached."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bar:
    """One measured value and its target; `at_least` says which side is good."""

    name: str
    value: float
    target: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.target if self.at_least else self.value <= self.target


def conclude(bars: Iterable[Bar]) -> int:
    """Prints `bar NAME VALUE TARGET met|short` for each; 1 where one is short, for `sys.exit`."""
    bars = list(bars)
    for bar in bars:
        sign = ">=" if bar.at_least else "<="
        verdict = "met" if bar.met else "short"
        print(f"bar {bar.name} {bar.value:.3f} {sign}{bar.target:g} {verdict}")
    return int(not all(bar.met for bar in bars))


def machine() -> str:
    """The processor and the cores that this process may use."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{name}, {len(os.sched_getaffinity(0))} cores"
