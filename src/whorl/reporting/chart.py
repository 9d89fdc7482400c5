"""Charts as SVG, without a plotting library: lines, named points, points with fitted curves."""

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
    """Points and named curves on one set of axes."""

    points: Points
    curves: Mapping[str, Points] = field(default_factory=dict)


def line_chart(series: Mapping[str, Points], *, title: str, x_label: str, y_label: str) -> str:
    """Draw named lines of (x, y) points on common axes, as a standalone SVG."""
    axes = _Axes.around([point for line in series.values() for point in line])
    parts = [axes.frame(title, x_label, y_label), *axes.lines(series, _COLOURS)]
    return _document(_WIDTH, _HEIGHT, title, parts)


def named_points(
    points: Mapping[str, tuple[float, float]], *, title: str, x_label: str, y_label: str
) -> str:
    """Draw points with their names, and the Pareto front as a line."""
    xs, ys = zip(*points.values(), strict=True)
    axes = _Axes(0.0, _round_end(max(xs)), *_round_ends(min(ys), max(ys)))
    best = {"": front(points.values())}
    parts = [
        axes.frame(title, x_label, y_label),
        *axes.lines(best, _COLOURS),
        axes.dots([*points.values()], _COLOURS[1]),
    ]
    boxes: list[_Box] = []
    for name, point in points.items():
        x, y = axes.place(*point)
        box = _free_box(x, y, _LETTER * len(name), boxes)
        boxes.append(box)
        parts.append(
            f'<text x="{box.left:.1f}" y="{box.top + _LINE - 3:.1f}">{escape(name)}</text>'
        )
    return _document(_WIDTH, _HEIGHT, title, parts)


_LETTER, _LINE = 6.4, 14  # the approximate width of a letter and height of a line


class _Box(NamedTuple):
    """The place of a name."""

    left: float
    top: float
    right: float

    def overlaps(self, other: _Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and abs(self.top - other.top) < _LINE
        )


def _free_box(x: float, y: float, width: float, boxes: Sequence[_Box]) -> _Box:
    """Return the free place for a name that is nearest to its point."""
    box = _Box(x, y, x)
    for step in range(len(boxes) + 1):
        for top in (y - _LINE - 2 - _LINE * step, y + 2 + _LINE * step):
            for left in (x + 6, x - 6 - width):
                box = _Box(left, top, left + width)
                inside = (
                    left >= _LEFT
                    and box.right <= _WIDTH
                    and _TOP - 4 <= top <= _HEIGHT - _BOTTOM - _LINE
                )
                if inside and not any(box.overlaps(other) for other in boxes):
                    return box
    return box


def front(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the Pareto front from left to right: points that none beats in both directions."""
    best: list[tuple[float, float]] = []
    for x, y in sorted(points, reverse=True):
        if not best or y > best[-1][1]:
            best.append((x, y))
    return best[::-1]


def scatter_panels(
    panels: Mapping[str, Panel], *, title: str, x_label: str, y_label: str, columns: int = 2
) -> str:
    """Draw panels of points and curves on equal axes that begin at 0."""
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
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12" fill="currentColor">'
        f"<title>{escape(title)}</title>"
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True)
class _Axes:
    """The ranges of the axes, and the places of values on the page."""

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
            f'<text x="{_LEFT + _plot_width() / 2}" y="{_HEIGHT - 8}" text-anchor="middle">'
            f"{escape(x_label)}</text>",
            f'<text x="14" y="{middle}" text-anchor="middle" '
            f'transform="rotate(-90 14 {middle})">{escape(y_label)}</text>',
        ]
        for tick in range(_TICKS + 1):
            at = self.first + (self.last - self.first) * tick / _TICKS
            value = self.low + (self.high - self.low) * tick / _TICKS
            x, y = self.place(at, value)
            parts += [
                f'<line x1="{_LEFT}" x2="{_LEFT + _plot_width()}" y1="{y:.1f}" y2="{y:.1f}" '
                'stroke="currentColor" stroke-opacity="0.15"/>',
                f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.4g}</text>',
                f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">'
                f"{at:.4g}</text>",
            ]
        return "\n".join(parts)

    def lines(
        self, series: Mapping[str, Points], colours: Sequence[str], *, fitted: bool = False
    ) -> Iterable[str]:
        """Draw lines with their names; fitted ones, which may coincide, are dashed differently."""
        at, anchor = (_LEFT + 8, "start") if fitted else (_WIDTH - _RIGHT - 4, "end")
        for number, (name, line) in enumerate(series.items()):
            colour = colours[number % len(colours)]
            path = " ".join("{:.1f},{:.1f}".format(*self.place(x, y)) for x, y in line)
            dashes = f' stroke-dasharray="{8 - 5 * (number % 2)} 4"' if fitted else ""
            yield (
                f'<polyline points="{path}" fill="none" stroke="{colour}" '
                f'stroke-width="2"{dashes}/>'
            )
            yield (
                f'<text x="{at}" y="{_TOP + 14 + 16 * number}" text-anchor="{anchor}" '
                f'fill="{colour}">{escape(name)}</text>'
            )

    def dots(self, points: Points, colour: str) -> str:
        """Draw points, as one path of strokes of zero length."""
        path = "".join("M{:.1f},{:.1f}h0".format(*self.place(x, y)) for x, y in points)
        return (
            f'<path d="{path}" stroke="{colour}" stroke-opacity="0.5" stroke-width="4" '
            'stroke-linecap="round"/>'
        )


def _plot_width() -> int:
    return _WIDTH - _LEFT - _RIGHT


def _plot_height() -> int:
    return _HEIGHT - _TOP - _BOTTOM


def _round_end(end: float) -> float:
    """Return the smallest end of an axis, at least `end`, whose ticks are round numbers."""
    size = 10 ** math.floor(math.log10(end / _TICKS)) if end > 0 else 1.0
    return _TICKS * next(
        step * size for step in (1, 2, 2.5, 4, 5, 10) if step * size * _TICKS >= end
    )


def _round_ends(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis around these values whose ticks are round numbers."""
    low, high = _wider(low, high)
    size = 10.0 ** math.floor(math.log10((high - low) / _TICKS))
    for step in (1, 2, 2.5, 4, 5, 10, 20):
        first = math.floor(low / (step * size)) * step * size
        if first + _TICKS * step * size >= high:
            return first, first + _TICKS * step * size
    return low, high  # not reached: the widest step spans twice the values


def _wider(low: float, high: float) -> tuple[float, float]:
    return (low, high) if high > low else (low - 0.5, high + 0.5)
