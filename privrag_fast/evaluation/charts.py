"""Line charts: SVG by hand for pages that work offline, PNG where matplotlib is installed."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from privrag_fast.types import ProviderError

# Okabe and Ito's colors, which color-blind people can tell apart.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")

_WIDTH, _HEIGHT = 640, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 190, 34, 48
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A named series; a single point is drawn as a mark."""

    name: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over axes that begin at 0.

    Args:
        x, y: What the axes say.
        x_top, y_top: Where they end; 0 for the largest value.
    """

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    x_top: float = 0.0
    y_top: float = 0.0

    @property
    def tops(self) -> tuple[float, float]:
        """Where the axes end."""
        points = [point for line in self.lines for point in _finite(line.points)]
        return (
            self.x_top or _round_up(max((x for x, _ in points), default=1.0)),
            self.y_top or _round_up(max((y for _, y in points), default=1.0)),
        )


def svg(chart: Chart) -> str:
    """The chart as an `<svg>` element; all text is escaped."""
    return "\n".join(
        [
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            f'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">',
            f"<title>{escape(chart.title)}</title>",
            _text(_LEFT, 18, chart.title, weight="bold"),
            *_axes(chart),
            *(part for number, _ in enumerate(chart.lines) for part in _line(chart, number)),
            "</svg>",
        ]
    )


def write_png(chart: Chart, path: Path) -> None:
    """The chart as a PNG.

    Raises:
        ProviderError: matplotlib is not installed.
    """
    figure, axes = require_matplotlib().subplots(figsize=(7.2, 4.2), layout="constrained")
    for number, line in enumerate(chart.lines):
        points = _finite(line.points)
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            label=line.name,
            color=COLORS[number % len(COLORS)],
            linestyle="--" if line.dashed else "-",
            marker="o" if len(points) == 1 else None,
        )
    x_top, y_top = chart.tops
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y, xlim=(0, x_top), ylim=(0, y_top))
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, dpi=144)
    require_matplotlib().close(figure)


def require_matplotlib() -> Any:
    """matplotlib's `pyplot`, without a display.

    Raises:
        ProviderError: It is not installed.
    """
    try:
        importlib.import_module("matplotlib").use("agg")
        return importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise ProviderError(
            "PNG plots need matplotlib: pip install 'privrag_fast[evaluate]', or leave out --png"
        ) from None


# --------------------------------------------------------------------------- parts of the SVG


def _axes(chart: Chart) -> Iterator[str]:
    x_top, y_top = chart.tops
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for step in range(_TICKS + 1):
        share = step / _TICKS
        x, y = _place(share * x_top, share * y_top, (x_top, y_top))
        yield f'<line x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}" stroke="#ddd"/>'
        yield f'<line x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}" stroke="#ddd"/>'
        yield _text(x, bottom + 16, f"{share * x_top:g}", anchor="middle")
        yield _text(_LEFT - 6, y + 4, f"{share * y_top:g}", anchor="end")
    yield _text((_LEFT + right) / 2, _HEIGHT - 10, chart.x, anchor="middle")
    middle = (_TOP + bottom) / 2
    yield (
        f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">'
        f"{escape(chart.y)}</text>"
    )


def _line(chart: Chart, number: int) -> Iterator[str]:
    line, color = chart.lines[number], COLORS[number % len(COLORS)]
    places = [_place(x, y, chart.tops) for x, y in _finite(line.points)]
    y = _TOP + 8 + 18 * number
    dash = ' stroke-dasharray="5 4"' if line.dashed else ""
    if len(places) == 1:
        (cx, cy) = places[0]
        yield f'<circle cx="{cx}" cy="{cy}" r="5" fill="{color}"/>'
        yield f'<circle cx="{_WIDTH - _RIGHT + 22}" cy="{y}" r="5" fill="{color}"/>'
    else:
        path = " ".join(f"{x},{y}" for x, y in places)
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>'
        start = _WIDTH - _RIGHT + 12
        yield (
            f'<line x1="{start}" x2="{start + 20}" y1="{y}" y2="{y}" stroke="{color}" '
            f'stroke-width="2"{dash}/>'
        )
    yield _text(_WIDTH - _RIGHT + 38, y + 4, line.name)


def _place(x: float, y: float, tops: tuple[float, float]) -> tuple[float, float]:
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    return (
        round(_LEFT + width * min(x / tops[0], 1.0), 1),
        round(_HEIGHT - _BOTTOM - height * min(y / tops[1], 1.0), 1),
    )


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'
    )


def _finite(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x, y) for x, y in points if x is not None and y is not None and math.isfinite(x + y)]


def _round_up(value: float) -> float:
    """The next of 1, 2, 2.5, 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value * (1 - 1e-9))
