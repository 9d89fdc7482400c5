"""Charts as SVG, without a plotting library: lines for learning curves, points with fitted curves for measurements."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias
from xml.sax.saxutils import escape

__all__ = ["Panel", "front", "line_chart", "named_points", "scatter_panels"]

Points: TypeAlias = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 32, 44
_COLOURS = ("#1b6ca8", "#c0392b", "#27864a", "#8e44ad", "#b9770e")
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes of several: points, and named curves through them."""

    points: Points
    curves: Mapping[str, Points] = field(default_factory=dict)


def line_chart(series: Mapping[str, Points], *, title: str, x_label: str, y_label: str) -> str:
    """Named lines of (x, y) points on common axes, as a standalone SVG."""
    axes = _Axes.around([point for line in series.values() for point in line])
    parts = [axes.frame(title, x_label, y_label), *axes.lines(series, _COLOURS)]
    return _document(_WIDTH, _HEIGHT, title, parts)


def named_points(
    points: Mapping[str, tuple[float, float]], *, title: str, x_label: str, y_label: str
) -> str:
    """Points with their names, and a line through those that no other point beats in both directions."""
    xs, ys = zip(*points.values(), strict=True)
    axes = _Axes(0.0, _round_end(max(xs)), *_round_ends(min(ys), max(ys)))
    best = {"": front(points.values())}
    parts = [
        axes.frame(title, x_label, y_label),
        *axes.lines(best, _COLOURS),
        axes.dots([*points.values()], _COLOURS[1]),
    ]
    taken: list[_Box] = []
    for name, point in points.items():
        x, y = axes.place(*point)
        box = _free(x, y, _LETTER * len(name), taken)
        taken.append(box)
        parts.append(
            f'<text x="{box.left:.1f}" y="{box.top + _LINE - 3:.1f}">{escape(name)}</text>'
        )
    return _document(_WIDTH, _HEIGHT, title, parts)


_LETTER, _LINE = 6.4, 14  # about the width of a letter, and the height of a line


class _Box(NamedTuple):
    """Where a name stands."""

    left: float
    top: float
    right: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and abs(self.top - other.top) < _LINE
        )


def _free(x: float, y: float, width: float, taken: Sequence[_Box]) -> _Box:
    """A place for a name beside a point: the nearest, above or below, right or left, where no other name is."""
    box = _Box(x, y, x)
    for step in range(len(taken) + 1):
        for top in (y - _LINE - 2 - _LINE * step, y + 2 + _LINE * step):
            for left in (x + 6, x - 6 - width):
                box = _Box(left, top, left + width)
                inside = (
                    left >= _LEFT
                    and box.right <= _WIDTH
                    and _TOP - 4 <= top <= _HEIGHT - _BOTTOM - _LINE
                )
                if inside and not any(box.meets(other) for other in taken):
                    return box
    return box


def front(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Of some points those that none beats in both directions, from left to right: the Pareto front."""
    found: list[tuple[float, float]] = []
    for x, y in sorted(points, reverse=True):
        if not found or y > found[-1][1]:
            found.append((x, y))
    return found[::-1]


def scatter_panels(
    panels: Mapping[str, Panel], *, title: str, x_label: str, y_label: str, columns: int = 2
) -> str:
    """Panels of points with their curves, on like axes from 0, so that they can be compared."""
    ends = [
        max(values)
        for values in zip(*(p for panel in panels.values() for p in panel.points), strict=True)
    ]
    axes = _Axes(0.0, _round_end(ends[0]), 0.0, _round_end(ends[1]))
    parts = [f'<text x="{_LEFT}" y="18" font-size="14" font-weight="bold">{escape(title)}</text>']
    for number, (name, panel) in enumerate(panels.items()):
        down, across = divmod(number, columns)
        parts += [
            f'<g transform="translate({across * _WIDTH} {24 + down * _HEIGHT})">',
            axes.frame(name, x_label, y_label),
            axes.dots(panel.points, _COLOURS[0]),
            *axes.lines(panel.curves, _COLOURS[1:], fitted=True),
            "</g>",
        ]
    rows = -(-len(panels) // columns)
    return _document(_WIDTH * min(columns, len(panels)), 24 + rows * _HEIGHT, title, parts)


def _document(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" fill="currentColor"><title>{escape(title)}</title>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where values are on the page."""

    first: float
    last: float
    low: float
    high: float

    @classmethod
    def around(cls, points: Points) -> _Axes:
        xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
        return cls(*_wider(min(xs), max(xs)), *_wider(min(ys), max(ys)))

    def place(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.first) / (self.last - self.first)
        up = (y - self.low) / (self.high - self.low)
        return _LEFT + across * _plot_width(), _TOP + (1 - up) * _plot_height()

    def frame(self, title: str, x_label: str, y_label: str) -> str:
        """Title, labels, grid and ticks."""
        middle = _TOP + _plot_height() / 2
        parts = [
            f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
            f'<text x="{_LEFT + _plot_width() / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>',
            f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
            f"{escape(y_label)}</text>",
        ]
        for tick in range(_TICKS + 1):
            at = self.first + (self.last - self.first) * tick / _TICKS
            value = self.low + (self.high - self.low) * tick / _TICKS
            x, y = self.place(at, value)
            parts += [
                f'<line x1="{_LEFT}" x2="{_LEFT + _plot_width()}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" '
                'stroke-opacity="0.15"/>',
                f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.4g}</text>',
                f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{at:.4g}</text>',
            ]
        return "\n".join(parts)

    def lines(
        self, series: Mapping[str, Points], colours: Sequence[str], *, fitted: bool = False
    ) -> Iterable[str]:
        """Lines with their names; fitted ones, which lie on each other, with dashes of different lengths."""
        at, anchor = (_LEFT + 8, "start") if fitted else (_WIDTH - _RIGHT - 4, "end")
        for number, (name, line) in enumerate(series.items()):
            colour = colours[number % len(colours)]
            path = " ".join("{:.1f},{:.1f}".format(*self.place(x, y)) for x, y in line)
            dashes = f' stroke-dasharray="{8 - 5 * (number % 2)} 4"' if fitted else ""
            yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
            yield (
                f'<text x="{at}" y="{_TOP + 14 + 16 * number}" text-anchor="{anchor}" fill="{colour}">'
                f"{escape(name)}</text>"
            )

    def dots(self, points: Points, colour: str) -> str:
        """Points, as one path of strokes without length."""
        path = "".join("M{:.1f},{:.1f}h0".format(*self.place(x, y)) for x, y in points)
        return f'<path d="{path}" stroke="{colour}" stroke-opacity="0.5" stroke-width="4" stroke-linecap="round"/>'


def _plot_width() -> int:
    return _WIDTH - _LEFT - _RIGHT


def _plot_height() -> int:
    return _HEIGHT - _TOP - _BOTTOM


def _round_end(end: float) -> float:
    """The least end of an axis, not before this one, whose ticks are at round numbers."""
    size = 10 ** math.floor(math.log10(end / _TICKS)) if end > 0 else 1.0
    return _TICKS * next(
        step * size for step in (1, 2, 2.5, 4, 5, 10) if step * size * _TICKS >= end
    )


def _round_ends(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis around these values whose ticks are at round numbers."""
    low, high = _wider(low, high)
    size = 10.0 ** math.floor(math.log10((high - low) / _TICKS))
    for step in (1, 2, 2.5, 4, 5, 10, 20):
        first = math.floor(low / (step * size)) * step * size
        if first + _TICKS * step * size >= high:
            return first, first + _TICKS * step * size
    return (
        low,
        high,
    )  # not reached: twenty steps of this size are more than twice as wide as the values


def _wider(low: float, high: float) -> tuple[float, float]:
    return (low, high) if high > low else (low - 0.5, high + 0.5)
