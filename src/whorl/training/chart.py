"""Line charts as SVG: enough for learning curves, without a plotting library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

__all__ = ["line_chart"]

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 32, 44
_COLOURS = ("#1b6ca8", "#c0392b", "#27864a", "#8e44ad", "#b9770e")


def line_chart(
    series: Mapping[str, Sequence[tuple[float, float]]], *, title: str, x_label: str, y_label: str, ticks: int = 5
) -> str:
    """Named lines of (x, y) points on common axes, as a standalone SVG."""
    points = [point for line in series.values() for point in line]
    xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
    low, high = _wider(min(ys), max(ys))
    first, last = _wider(min(xs), max(xs))
    plot_width, plot_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        across = _LEFT + (x - first) / (last - first) * plot_width
        return across, _TOP + plot_height - (y - low) / (high - low) * plot_height

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12" fill="currentColor"><title>{escape(title)}</title>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
        f'<text x="{_LEFT + plot_width / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text x="14" y="{_TOP + plot_height / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {_TOP + plot_height / 2})">{escape(y_label)}</text>',
    ]
    for tick in range(ticks + 1):
        value, at = low + (high - low) * tick / ticks, first + (last - first) * tick / ticks
        _, y = place(first, value)
        x, _ = place(at, low)
        parts += [
            f'<line x1="{_LEFT}" x2="{_LEFT + plot_width}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" '
            'stroke-opacity="0.15"/>',
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.4g}</text>',
            f'<text x="{x:.1f}" y="{_TOP + plot_height + 18}" text-anchor="middle">{at:.4g}</text>',
        ]
    for number, (name, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in line)
        parts += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{_WIDTH - _RIGHT - 4}" y="{_TOP + 14 + 16 * number}" text-anchor="end" fill="{colour}">'
            f"{escape(name)}</text>",
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _wider(low: float, high: float) -> tuple[float, float]:
    return (low, high) if high > low else (low - 0.5, high + 0.5)
